/** Physical names and ARNs the template's references resolve to: what `Ref` and `Fn::GetAtt` give locally. */
import { createHash } from 'node:crypto';
import type { Json } from '../../tools/json.ts';
import { type ReferenceScope, resolveIntrinsics } from './intrinsics.ts';
import type { TemplateResource } from './resource.ts';

/** The account every local ARN carries. */
export const LOCAL_ACCOUNT_ID = '000000000000';

/** The stack the references belong to. */
export interface StackIdentity {
  stackName: string;
  region: string;
}

/** Values of attributes that live elsewhere locally, by `<LogicalId>.<Attribute>` or `<LogicalId>` for `Ref`. */
export type ReferenceOverrides = ReadonlyMap<string, string>;

/** Where a type keeps its own name, which ARN it has, and whether `Ref` gives the ARN instead of the name. */
interface TypeReferences {
  nameProperty?: string;
  arn?: (name: string) => string;
  refIsArn?: boolean;
  /** The value of `Ref` where it is neither name nor ARN. */
  reference?: (name: string) => string;
  attributes?: (name: string) => Record<string, string>;
}

/** Builds the scope that resolves every reference of one stack. */
export function referenceScope(
  resources: ReadonlyMap<string, TemplateResource>,
  stack: StackIdentity,
  overrides: ReferenceOverrides = new Map(),
): ReferenceScope {
  const types = typeReferences(stack);
  const pseudo: Record<string, string> = {
    'AWS::AccountId': LOCAL_ACCOUNT_ID,
    'AWS::Region': stack.region,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': stack.stackName,
    'AWS::StackId': `arn:aws:cloudformation:${stack.region}:${LOCAL_ACCOUNT_ID}:stack/${stack.stackName}/local`,
  };
  const beingNamed = new Set<string>();

  function resource(logicalId: string): TemplateResource {
    const found = resources.get(logicalId);
    if (found === undefined) throw new Error(`there is no resource ${logicalId} in the template`);
    return found;
  }

  function physicalName(found: TemplateResource): string {
    const property = types[found.type]?.nameProperty;
    const given: Json | undefined = property === undefined ? undefined : found.properties[property];
    if (given === undefined) return generatedName(found, stack.stackName);
    if (beingNamed.has(found.logicalId)) throw new Error(`the name of ${found.logicalId} refers to itself`);
    beingNamed.add(found.logicalId);
    try {
      return String(resolveIntrinsics(given, scope, `${found.logicalId}.${property}`));
    } finally {
      beingNamed.delete(found.logicalId);
    }
  }

  function arnOf(found: TemplateResource): string {
    const name = physicalName(found);
    const service = found.type.split('::')[1]?.toLowerCase() ?? 'unknown';
    return types[found.type]?.arn?.(name) ?? `arn:aws:${service}:${stack.region}:${LOCAL_ACCOUNT_ID}:${name}`;
  }

  const scope: ReferenceScope = {
    ref(name) {
      const fixed = overrides.get(name) ?? pseudo[name];
      if (fixed !== undefined) return fixed;
      if (name.startsWith('AWS::')) throw new Error(`the pseudo parameter ${name} has no local value`);
      const found = resource(name);
      if (found.type === 'AWS::Lambda::Alias') {
        const [named, alias] = ['FunctionName', 'Name'].map((property) =>
          String(resolveIntrinsics(found.properties[property] ?? null, scope, `${name}.${property}`)),
        );
        return `${types['AWS::Lambda::Function']?.arn?.(named ?? '') ?? named}:${alias}`;
      }
      const { refIsArn = false, reference } = types[found.type] ?? {};
      const physical = physicalName(found);
      return refIsArn ? arnOf(found) : (reference?.(physical) ?? physical);
    },
    attribute(logicalId, name) {
      const fixed = overrides.get(`${logicalId}.${name}`);
      if (fixed !== undefined) return fixed;
      const found = resource(logicalId);
      const attribute = types[found.type]?.attributes?.(physicalName(found))[name];
      if (attribute !== undefined) return attribute;
      if (name === 'Arn') return arnOf(found);
      throw new Error(`${found.type} has no attribute ${name} that the local runtime knows`);
    },
  };
  return scope;
}

function generatedName(resource: TemplateResource, stackName: string): string {
  const hash = createHash('sha256').update(resource.logicalId).digest('hex');
  switch (resource.type) {
    case 'AWS::ApiGateway::RestApi':
      return hash.slice(0, 10);
    case 'AWS::KMS::Key':
      return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join(
        '-',
      );
    case 'AWS::ApiGateway::Resource':
    case 'AWS::ApiGateway::Method':
      return resource.logicalId;
    default:
      return `${stackName}-${resource.logicalId}`;
  }
}

function typeReferences({ region }: StackIdentity): Record<string, TypeReferences> {
  const arn = (service: string, resource: string): string =>
    `arn:aws:${service}:${region}:${LOCAL_ACCOUNT_ID}:${resource}`;
  const tableArn = (name: string): string => arn('dynamodb', `table/${name}`);
  return {
    'AWS::DynamoDB::GlobalTable': {
      nameProperty: 'TableName',
      arn: tableArn,
      // The engine names the stream when it makes the table; the runner finds it by the table's name.
      attributes: (name) => ({ StreamArn: `${tableArn(name)}/stream/local` }),
    },
    'AWS::Lambda::Function': { nameProperty: 'FunctionName', arn: (name) => arn('lambda', `function:${name}`) },
    'AWS::Lambda::Url': {
      attributes: (name) => ({ FunctionUrl: `https://${name.toLowerCase()}.lambda-url.${region}.on.aws/` }),
    },
    'AWS::SecretsManager::Secret': {
      nameProperty: 'Name',
      arn: (name) => arn('secretsmanager', `secret:${name}-${secretSuffix(name)}`),
      refIsArn: true,
    },
    'AWS::KMS::Key': { arn: (name) => arn('kms', `key/${name}`), attributes: (name) => ({ KeyId: name }) },
    'AWS::ApiGateway::RestApi': { attributes: (name) => ({ RootResourceId: `${name}:root`, RestApiId: name }) },
    'AWS::ApiGateway::Stage': { nameProperty: 'StageName' },
    'AWS::Scheduler::Schedule': { nameProperty: 'Name', arn: (name) => arn('scheduler', `schedule/default/${name}`) },
    'AWS::Scheduler::ScheduleGroup': {
      nameProperty: 'Name',
      arn: (name) => arn('scheduler', `schedule-group/${name}`),
    },
    'AWS::Lambda::EventSourceMapping': { arn: (name) => arn('lambda', `event-source-mapping:${name}`) },
    'AWS::Events::EventBus': {
      nameProperty: 'Name',
      arn: (name) => arn('events', `event-bus/${name}`),
      attributes: (name) => ({ Name: name }),
    },
    'AWS::Events::Rule': { nameProperty: 'Name', arn: (name) => arn('events', `rule/${name}`) },
    'AWS::Logs::LogGroup': { nameProperty: 'LogGroupName', arn: (name) => arn('logs', `log-group:${name}:*`) },
    'AWS::SQS::Queue': {
      nameProperty: 'QueueName',
      arn: (name) => arn('sqs', name),
      reference: (name) => `https://sqs.${region}.amazonaws.com/${LOCAL_ACCOUNT_ID}/${name}`,
    },
    'AWS::S3::Bucket': { nameProperty: 'BucketName', arn: (name) => `arn:aws:s3:::${name}` },
    // Attributes only: operators sign in at the local issuer, and the dashboard is served on a port of its own.
    'AWS::Cognito::UserPool': {
      arn: (name) => arn('cognito-idp', `userpool/${name}`),
      attributes: (name) => ({
        ProviderURL: `https://cognito-idp.${region}.amazonaws.com/${name}`,
        ProviderName: `cognito-idp.${region}.amazonaws.com/${name}`,
        UserPoolId: name,
      }),
    },
    'AWS::Cognito::UserPoolClient': { attributes: (name) => ({ ClientId: name }) },
    'AWS::Cognito::UserPoolDomain': { nameProperty: 'Domain' },
    'AWS::Cognito::UserPoolIdentityProvider': { nameProperty: 'ProviderName' },
    'AWS::CloudFront::Distribution': {
      arn: (name) => `arn:aws:cloudfront::${LOCAL_ACCOUNT_ID}:distribution/${name}`,
      attributes: (name) => ({ Id: name, DomainName: `${name.toLowerCase()}.cloudfront.net` }),
    },
    'AWS::IAM::ManagedPolicy': {
      nameProperty: 'ManagedPolicyName',
      arn: (name) => `arn:aws:iam::${LOCAL_ACCOUNT_ID}:policy/${name}`,
      refIsArn: true,
    },
    'AWS::IAM::Role': {
      nameProperty: 'RoleName',
      arn: (name) => `arn:aws:iam::${LOCAL_ACCOUNT_ID}:role/${name}`,
      attributes: (name) => ({ RoleId: roleIdOf(name) }),
    },
  };
}

/** A role's unique id, the same in every run. IAM guide, "IAM identifiers". */
export function roleIdOf(name: string): string {
  return `AROA${createHash('sha256').update(name).digest('hex').toUpperCase().slice(0, 17)}`;
}

/** The six characters Secrets Manager appends to a secret's name in its ARN. */
function secretSuffix(name: string): string {
  const digest = createHash('sha256')
    .update(name)
    .digest('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '');
  return digest.slice(0, 6);
}
