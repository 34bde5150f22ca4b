/** Roles and resource policies of the template -> what the judge of AWS calls asks. */

import { asArray, asObject, asString, isObject, type Json, type JsonObject, optionalString } from '../../tools/json.ts';
import { readPolicy, type Statement } from '../iam/policy.ts';
import { LOCAL_ACCOUNT_ID } from './references.ts';
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';

/** A role that something in the stack acts as. */
export interface LocalRole {
  arn: string;
  name: string;
  /** Principals that may assume it. */
  trust: readonly Statement[];
  /** Its permissions, from all of its policies. */
  policy: readonly Statement[];
}

/** Everything that decides who may do what. */
export interface LocalPermissions {
  /** By ARN. */
  roles: ReadonlyMap<string, LocalRole>;
  /** Policies of keys, tables and functions, by the ARN of the resource; absent where a resource has none. */
  resourcePolicies: ReadonlyMap<string, readonly Statement[]>;
}

const KNOWN = {
  Role: [
    'AssumeRolePolicyDocument',
    'Description',
    'ManagedPolicyArns',
    'MaxSessionDuration',
    'Path',
    'Policies',
    'RoleName',
    'Tags',
  ],
  Permission: [
    'Action',
    'FunctionName',
    'FunctionUrlAuthType',
    'InvokedViaFunctionUrl',
    'Principal',
    'SourceAccount',
    'SourceArn',
  ],
} as const;

/**
 * Reads the permissions.
 * @param usedRoleArns roles of functions and schedules; other roles of the template act nowhere here
 * @throws Error naming role or resource of a policy that cannot be judged, or a role that the template does not have.
 */
export function readPermissions(
  resources: readonly ResolvedResource[],
  usedRoleArns: ReadonlySet<string>,
): LocalPermissions {
  const ofType = (type: string): ResolvedResource[] => resources.filter((one) => one.type === type);
  const roles = new Map(
    [...usedRoleArns].map((arn) => {
      const role = ofType('AWS::IAM::Role').find((one) => one.arn === arn);
      if (role === undefined)
        throw new Error(`The role ${arn} is not in the template, so its rights cannot be judged.`);
      return [arn, readRole(role, ofType('AWS::IAM::Policy'), ofType('AWS::IAM::ManagedPolicy'))] as const;
    }),
  );
  const resourcePolicies = new Map<string, Statement[]>();
  const add = (arn: string, statements: readonly Statement[]): void => {
    resourcePolicies.set(arn, [...(resourcePolicies.get(arn) ?? []), ...statements]);
  };
  for (const { arn, logicalId, properties } of ofType('AWS::KMS::Key')) {
    add(arn, readPolicy(properties.KeyPolicy ?? DEFAULT_KEY_POLICY, 'resource', `${logicalId}.KeyPolicy`));
  }
  for (const { arn, logicalId, properties } of ofType('AWS::DynamoDB::GlobalTable')) {
    const policy = tablePolicy(properties, logicalId);
    if (policy !== undefined) add(arn, readPolicy(policy, 'resource', `${logicalId}.ResourcePolicy`));
  }
  for (const permission of ofType('AWS::Lambda::Permission')) {
    const { functionArn, statement } = readFunctionPermission(permission);
    add(functionArn, statement);
  }
  return { roles, resourcePolicies };
}

/** The policy that KMS gives a key whose template names none: the account decides. */
const DEFAULT_KEY_POLICY: JsonObject = {
  Version: '2012-10-17',
  Statement: { Effect: 'Allow', Principal: { AWS: LOCAL_ACCOUNT_ID }, Action: 'kms:*', Resource: '*' },
};

/** The managed policy that the CDK gives the role of a function (AWS Managed Policy Reference). */
const BASIC_EXECUTION = 'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';
const BASIC_EXECUTION_POLICY: JsonObject = {
  Version: '2012-10-17',
  Statement: {
    Effect: 'Allow',
    Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
    Resource: '*',
  },
};

function readRole(
  { logicalId, arn, name, properties }: ResolvedResource,
  policies: readonly ResolvedResource[],
  managedPolicies: readonly ResolvedResource[],
): LocalRole {
  requireKnownProperties(properties, KNOWN.Role, logicalId);
  if ((properties.Path ?? '/') !== '/') throw new Error(`${logicalId}.Path is not supported locally.`);
  const inline = asArray(properties.Policies ?? [], `${logicalId}.Policies`).map((policy) =>
    readPolicy(asObject(policy, logicalId).PolicyDocument, 'identity', `${logicalId}.Policies`),
  );
  const given = asArray(properties.ManagedPolicyArns ?? [], `${logicalId}.ManagedPolicyArns`);
  const writesLogs = given.includes(BASIC_EXECUTION);
  const attached = given.flatMap((policyArn) => {
    if (policyArn === BASIC_EXECUTION) return [];
    const managed = managedPolicies.find((one) => one.arn === policyArn);
    if (managed !== undefined) return [managed];
    throw new Error(`${logicalId} has the policy ${String(policyArn)}, which is not in the template.`);
  });
  const naming = [...policies, ...managedPolicies].filter((policy) =>
    asArray(policy.properties.Roles ?? [], `${policy.logicalId}.Roles`).includes(name),
  );
  const documents = [...new Set([...attached, ...naming])].map((policy) =>
    readPolicy(policy.properties.PolicyDocument, 'identity', policy.logicalId),
  );
  return {
    arn,
    name,
    trust: readPolicy(properties.AssumeRolePolicyDocument, 'trust', `${logicalId}.AssumeRolePolicyDocument`),
    policy: [
      ...(writesLogs ? readPolicy(BASIC_EXECUTION_POLICY, 'identity', BASIC_EXECUTION) : []),
      ...[...inline, ...documents].flat(),
    ],
  };
}

function tablePolicy(properties: JsonObject, logicalId: string): Json | undefined {
  const [replica] = asArray(properties.Replicas ?? [], `${logicalId}.Replicas`);
  if (!isObject(replica)) return undefined;
  const stream = replica.ReplicaStreamSpecification;
  if (isObject(stream) && stream.ResourcePolicy !== undefined) {
    throw new Error(`${logicalId}: a policy of the stream's own cannot be judged by the local runtime.`);
  }
  if (replica.ResourcePolicy === undefined) return undefined;
  return asObject(replica.ResourcePolicy, `${logicalId}.ResourcePolicy`).PolicyDocument;
}

/** `AWS::Lambda::Permission` is one statement of the function's policy. Lambda guide, "Resource-based policy". */
function readFunctionPermission({ logicalId, properties }: ResolvedResource): {
  functionArn: string;
  statement: Statement[];
} {
  requireKnownProperties(properties, KNOWN.Permission, logicalId);
  const functionArn = asString(properties.FunctionName, `${logicalId}.FunctionName`);
  if (!functionArn.startsWith('arn:')) throw new Error(`${logicalId}.FunctionName must be the ARN of a function.`);
  const principal = asString(properties.Principal, `${logicalId}.Principal`);
  const sourceArn = optionalString(properties.SourceArn, `${logicalId}.SourceArn`);
  const sourceAccount = optionalString(properties.SourceAccount, `${logicalId}.SourceAccount`);
  const authType = optionalString(properties.FunctionUrlAuthType, `${logicalId}.FunctionUrlAuthType`);
  const statement: JsonObject = {
    Effect: 'Allow',
    Principal: principal.endsWith('.amazonaws.com') ? { Service: principal } : { AWS: principal },
    Action: asString(properties.Action, `${logicalId}.Action`),
    Resource: functionArn,
    Condition: {
      ...(sourceArn === undefined ? {} : { ArnLike: { 'aws:SourceArn': sourceArn } }),
      ...(sourceAccount === undefined ? {} : { StringEquals: { 'aws:SourceAccount': sourceAccount } }),
      ...(authType === undefined ? {} : { StringEquals: { 'lambda:FunctionUrlAuthType': authType } }),
      ...(properties.InvokedViaFunctionUrl === true ? { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } } : {}),
    },
  };
  return {
    functionArn,
    statement: readPolicy({ Version: '2012-10-17', Statement: statement }, 'resource', logicalId),
  };
}
