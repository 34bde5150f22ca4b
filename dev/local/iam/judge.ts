/**
 * Judges calls by the policies of the template, as AWS would: every call of a function to a service, and once at the start
 * everything that services of AWS do on the stack's behalf.
 */
import { AwsError } from '../aws/aws-error.ts';
import type { Caller } from '../aws/credentials.ts';
import type { LocalStack } from '../template/read-stack.ts';
import { LOCAL_ACCOUNT_ID } from '../template/references.ts';
import type { RequestContext } from './conditions.ts';
import { type AccessRequest, type Decision, denialReason, evaluate, type Principal } from './evaluate.ts';
import type { Statement } from './policy.ts';

/** One right that a call needs. */
export interface RequiredAccess {
  action: string;
  /** ARN of the resource; `*` for actions that know none. */
  resource: string;
  /** Condition keys in addition to those that every request has. */
  context?: RequestContext;
}

/** A call that AWS would have refused. */
export interface DeniedCall extends RequiredAccess {
  /** Short name of the function, or of the operator. */
  caller: string;
  /** In AWS's words. */
  message: string;
}

export interface Judge {
  /** @throws AwsError AccessDeniedException for the first right that is missing; the denial is noted. */
  require(caller: Caller, needed: readonly RequiredAccess[]): void;
  /** Returns and clears the denials so far, for callers that expected them. */
  takeDenials(): DeniedCall[];
}

const RULINGS_KEPT = 5_000;

/** Creates a judge. @param onDenied receives each denial */
export function openJudge(stack: LocalStack, onDenied: (denied: DeniedCall) => void): Judge {
  const denials: DeniedCall[] = [];
  const rulings = new Map<string, Decision>();

  function rule(caller: Exclude<Caller, { kind: 'operator' }>, needed: RequiredAccess): Decision {
    const name = JSON.stringify([caller.kind, caller.name, needed.action, needed.resource, needed.context]);
    const known = rulings.get(name);
    // A limited operator's policy is no part of the template, so its name says too little.
    if (known !== undefined && caller.kind === 'function') return known;
    const { principal, policy } = identityOf(caller, stack);
    const decision = decide(stack, principal, policy, needed);
    if (rulings.size >= RULINGS_KEPT) rulings.clear();
    rulings.set(name, decision);
    return decision;
  }

  return {
    require(caller, needed) {
      if (caller.kind === 'operator') return;
      for (const one of needed) {
        const decision = rule(caller, one);
        if (decision.allowed) continue;
        const message = denialMessage(identityOf(caller, stack).principal, one, decision);
        const denied: DeniedCall = { ...one, caller: caller.name, message };
        denials.push(denied);
        onDenied(denied);
        throw new AwsError('AccessDeniedException', message);
      }
    },
    takeDenials: () => denials.splice(0),
  };
}

/**
 * Actions of AWS services for the stack outside calls of functions: Lambda assumes the roles, writes logs and traces and reads streams;
 * API Gateway, rules and schedules invoke functions.
 * @returns one line for each action that AWS would refuse
 */
export function refusedWiring(stack: LocalStack): string[] {
  const refused: string[] = [];
  const region = `${stack.region}:${LOCAL_ACCOUNT_ID}`;
  const check = (
    who: string,
    principal: Principal,
    policy: readonly Statement[],
    needed: readonly RequiredAccess[],
  ): void => {
    for (const one of needed) {
      const decision = decide(stack, principal, policy, one);
      if (!decision.allowed) refused.push(`${who}: ${denialMessage(principal, one, decision)}`);
    }
  };
  const byService = (who: string, service: string, needed: RequiredAccess, sourceArn: string | undefined): void => {
    const source = sourceArn === undefined ? {} : { 'aws:sourceaccount': LOCAL_ACCOUNT_ID, 'aws:sourcearn': sourceArn };
    check(who, { kind: 'service', name: service }, [], [{ ...needed, context: { ...needed.context, ...source } }]);
  };
  /** A service assumes a role and acts as it. */
  const asRole = (
    who: string,
    service: string,
    roleArn: string,
    sourceArn: string | undefined,
    needed: readonly RequiredAccess[],
  ): void => {
    byService(who, service, { action: 'sts:AssumeRole', resource: roleArn }, sourceArn);
    check(who, sessionOf(roleArn, service.split('.')[0] ?? service), roleOf(stack, roleArn).policy, needed);
  };

  for (const fn of stack.functions) {
    const stream = `arn:aws:logs:${region}:log-group:${fn.logGroup}:log-stream:2026/01/01/[$LATEST]0`;
    asRole(`Lambda for ${fn.displayName}`, 'lambda.amazonaws.com', fn.roleArn, undefined, [
      ...['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) => ({ action, resource: stream })),
      ...(fn.isTraced ? ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'] : []).map((action) => ({
        action,
        resource: '*',
      })),
    ]);
  }
  for (const { logicalId, functionArn, roleArn, groupArn } of stack.schedules) {
    const needed = [{ action: 'lambda:InvokeFunction', resource: functionArn }];
    asRole(`Scheduler for ${logicalId}`, 'scheduler.amazonaws.com', roleArn, groupArn, needed);
  }
  for (const { logicalId, roleArn, tableArn, streamArn, deadLettersArn } of stack.triggers) {
    const keyArn = stack.tables.find(({ arn }) => arn === tableArn)?.keyArn;
    asRole(`Lambda for ${logicalId}`, 'lambda.amazonaws.com', roleArn, undefined, [
      // Lambda guide, "Using AWS Lambda with Amazon DynamoDB", Required permissions, and "Retaining discarded records".
      ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((name) => ({
        action: `dynamodb:${name}`,
        resource: streamArn,
      })),
      ...(keyArn === undefined ? [] : [tableKeyUse(stack, tableArn, keyArn)]),
      ...(deadLettersArn === undefined ? [] : [{ action: 'sqs:SendMessage', resource: deadLettersArn }]),
    ]);
  }
  for (const { logicalId, arn, functionArns } of stack.rules) {
    for (const resource of functionArns) {
      byService(`Rule ${logicalId}`, 'events.amazonaws.com', { action: 'lambda:InvokeFunction', resource }, arn);
    }
  }
  for (const { method, resourcePath, functionArn } of stack.restApi?.routes ?? []) {
    const { id = '', stageName = '' } = stack.restApi ?? {};
    const path = resourcePath.replaceAll(/\{[^}]*\}/g, '*');
    const sourceArn = `arn:aws:execute-api:${region}:${id}/${stageName}/${method === 'ANY' ? '*' : method}${path}`;
    const needed = { action: 'lambda:InvokeFunction', resource: functionArn };
    byService(`API Gateway for ${method} ${resourcePath}`, 'apigateway.amazonaws.com', needed, sourceArn);
  }
  for (const { functionArn: resource } of stack.functionUrls) {
    // Lambda guide, "Control access to Lambda function URLs": since October 2025 both actions are needed.
    const url = { 'lambda:functionurlauthtype': 'NONE' };
    check(
      'Anyone by the function URL',
      { kind: 'service', name: 'anyone' },
      [],
      [
        { action: 'lambda:InvokeFunctionUrl', resource, context: url },
        { action: 'lambda:InvokeFunction', resource, context: { ...url, 'lambda:invokedviafunctionurl': 'true' } },
      ],
    );
  }
  return refused;
}

/**
 * Actions on a table's customer-managed key that DynamoDB requires of the caller of any data operation. DynamoDB guide, "How DynamoDB
 * uses AWS KMS", Authorizing use of your KMS key and DynamoDB encryption context.
 */
export function tableKeyUse(stack: Pick<LocalStack, 'region'>, tableArn: string, keyArn: string): RequiredAccess {
  const encryptionContext = {
    'aws:dynamodb:tableName': tableArn.slice(tableArn.indexOf('/') + 1),
    'aws:dynamodb:subscriberId': LOCAL_ACCOUNT_ID,
  };
  return keyUse('kms:Decrypt', keyArn, encryptionContext, `dynamodb.${stack.region}.amazonaws.com`);
}

/** One use of a KMS key. @param viaService the service that makes the call for its own caller */
export function keyUse(
  action: string,
  keyArn: string,
  encryptionContext: Readonly<Record<string, string>>,
  viaService?: string,
): RequiredAccess {
  const members = Object.entries(encryptionContext);
  return {
    action,
    resource: keyArn,
    context: {
      'kms:calleraccount': LOCAL_ACCOUNT_ID,
      ...(viaService === undefined ? {} : { 'kms:viaservice': viaService }),
      ...(members.length === 0 ? {} : { 'kms:encryptioncontextkeys': members.map(([name]) => name) }),
      ...Object.fromEntries(members.map(([name, value]) => [`kms:encryptioncontext:${name.toLowerCase()}`, value])),
    },
  };
}

function decide(
  stack: LocalStack,
  principal: Principal,
  identity: readonly Statement[],
  { action, resource, context }: RequiredAccess,
): Decision {
  const isTrust = action === 'sts:AssumeRole';
  const request: AccessRequest = {
    principal,
    action,
    resource,
    context: { ...commonContext(stack, principal), ...context },
  };
  return evaluate(request, {
    identity,
    resource: isTrust ? roleOf(stack, resource).trust : resourcePolicyOf(stack, resource),
    resourceMustAllow: isTrust || action.startsWith('kms:'),
  });
}

/** Keys that every request has. IAM guide, "AWS global condition context keys". */
function commonContext(stack: LocalStack, principal: Principal): RequestContext {
  return {
    // A deployment's clients speak TLS; here they need none.
    'aws:securetransport': 'true',
    'aws:requestedregion': stack.region,
    ...(principal.kind === 'session'
      ? { 'aws:principalarn': principal.roleArn, 'aws:principalaccount': principal.account }
      : {}),
  };
}

/** An index is guarded by the policy of its table. */
function resourcePolicyOf({ permissions }: LocalStack, resource: string): readonly Statement[] {
  const { resourcePolicies } = permissions;
  return resourcePolicies.get(resource) ?? resourcePolicies.get(resource.replace(/\/index\/[^/]+$/, '')) ?? [];
}

function identityOf(
  caller: Exclude<Caller, { kind: 'operator' }>,
  stack: LocalStack,
): { principal: Principal & { kind: 'session' }; policy: readonly Statement[] } {
  if (caller.kind === 'function') {
    const { roleArn, sessionName } = caller;
    return { principal: sessionOf(roleArn, sessionName), policy: roleOf(stack, roleArn).policy };
  }
  const arn = `arn:aws:iam::${LOCAL_ACCOUNT_ID}:user/${caller.name}`;
  return {
    principal: { kind: 'session', account: LOCAL_ACCOUNT_ID, roleArn: arn, sessionArn: arn },
    policy: caller.policy,
  };
}

function roleOf({ permissions }: LocalStack, roleArn: string) {
  const role = permissions.roles.get(roleArn);
  if (role === undefined) throw new Error(`The role ${roleArn} is not in the template.`);
  return role;
}

function sessionOf(roleArn: string, sessionName: string): Principal & { kind: 'session' } {
  const roleName = roleArn.slice(roleArn.indexOf('/') + 1);
  const sessionArn = `arn:aws:sts::${LOCAL_ACCOUNT_ID}:assumed-role/${roleName}/${sessionName}`;
  return { kind: 'session', account: LOCAL_ACCOUNT_ID, roleArn, sessionArn };
}

function denialMessage(
  principal: Principal,
  { action, resource, context = {} }: RequiredAccess,
  decision: Exclude<Decision, { allowed: true }>,
): string {
  const who = principal.kind === 'service' ? principal.name : principal.sessionArn;
  const on = resource === '*' ? '' : ` on resource: ${resource}`;
  const text = `User: ${who} is not authorized to perform: ${action}${on} ${denialReason(action, decision)}`;
  // DynamoDB passes on what KMS answered it.
  return String(context['kms:viaservice'] ?? '').startsWith('dynamodb.')
    ? `KMS key access denied error: ${text}`
    : text;
}
