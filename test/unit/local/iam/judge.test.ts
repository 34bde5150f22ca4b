import { describe, expect, test } from 'vitest';
import { type Caller, openCredentialBook } from '../../../../dev/local/aws/credentials.ts';
import { dynamoDbAccess } from '../../../../dev/local/dynamodb/required-access.ts';
import { type DeniedCall, keyUse, openJudge, refusedWiring } from '../../../../dev/local/iam/judge.ts';
import { type LocalStack, readStack } from '../../../../dev/local/template/read-stack.ts';
import type { Json, JsonObject } from '../../../../dev/tools/json.ts';
import {
  functionResource,
  getAttribute,
  methodResource,
  permissionResource,
  policyDocument,
  queueResource,
  roleResource,
  scheduleResource,
  tableResource,
  triggerResource,
} from '../fixtures/assembly.ts';

const REGION = 'eu-west-1';
const OWN = `${REGION}:000000000000`;
const TABLE = `arn:aws:dynamodb:${OWN}:table/S-Table`;
const ROLE = 'arn:aws:iam::000000000000:role/S-Role';
const WHO = 'arn:aws:sts::000000000000:assumed-role/S-Role/S-Fn';
const PROXY: Caller = { kind: 'function', name: 'proxy', roleArn: ROLE, sessionName: 'S-Fn' };

const allow = (Action: Json, Resource: Json, more: JsonObject = {}): JsonObject => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...more,
});

/** A right to the table, as a call needs it. */
const right = (name: string, resource = TABLE) => ({ action: `dynamodb:${name}`, resource });

/** A stack whose one role has these rights. */
function stackWith(rights: JsonObject[], resources: JsonObject = {}): LocalStack {
  const all: JsonObject = {
    Role: roleResource(...rights),
    Fn: functionResource(),
    Table: tableResource(),
    Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'bus' } },
    ...resources,
  };
  return readStack({ Resources: all }, { stackName: 'S', region: REGION }, '/assembly');
}

function judgeOf(stack: LocalStack) {
  const told: DeniedCall[] = [];
  return { judge: openJudge(stack, (denied) => told.push(denied)), told };
}

const encrypted = tableResource();
Object.assign(Object(encrypted).Properties, {
  Replicas: [{ Region: REGION, SSESpecification: { KMSMasterKeyId: getAttribute('Key', 'Arn') } }],
});
const ENCRYPTED_TABLE: JsonObject = { Key: { Type: 'AWS::KMS::Key', Properties: {} }, Table: encrypted };

describe('IN-9: a call', () => {
  test('a call without a right is refused in AWS’s words, reported once, and kept until somebody reads it', () => {
    const { judge, told } = judgeOf(stackWith([allow('dynamodb:GetItem', TABLE)]));
    const query = [right('Query')];
    judge.require(PROXY, [right('GetItem')]);
    const message = `User: ${WHO} is not authorized to perform: dynamodb:Query on resource: ${TABLE} because no identity-based policy allows the dynamodb:Query action`;
    expect(() => judge.require(PROXY, query)).toThrow(
      expect.objectContaining({ type: 'AccessDeniedException', status: 400, message }),
    );
    expect(told).toEqual([{ ...query[0], caller: 'proxy', message }]);
    expect(judge.takeDenials()).toEqual(told);
    expect(judge.takeDenials()).toEqual([]);
  });

  test('needs every right it lists', () => {
    const { judge } = judgeOf(stackWith([allow(['dynamodb:PutItem', 'dynamodb:UpdateItem'], TABLE)]));
    judge.require(PROXY, [right('PutItem'), right('UpdateItem')]);
    const deletion = () => judge.require(PROXY, [right('PutItem'), right('DeleteItem')]);
    expect(deletion).toThrow('perform: dynamodb:DeleteItem');
  });

  test('a call of the operator needs none, of a limited one the rights of its policy', () => {
    const { judge } = judgeOf(stackWith([]));
    const book = openCredentialBook();
    const policy = policyDocument(allow('dynamodb:Scan', '*'));
    const limited = book.find(book.limitedTo(policy, 'restore').accessKeyId)?.caller;
    if (limited === undefined) throw new Error('The credentials are unknown');
    judge.require({ kind: 'operator', name: 'operator' }, [right('Scan')]);
    judge.require(limited, [right('Scan')]);
    const write = () => judge.require(limited, [right('PutItem')]);
    expect(write).toThrow('User: arn:aws:iam::000000000000:user/restore is not authorized');
  });

  test('a call on the data of a table with a key of its own needs the key too, through DynamoDB', () => {
    const rights = (condition: JsonObject) => [
      allow('dynamodb:GetItem', TABLE),
      allow('kms:Decrypt', '*', { Condition: condition }),
    ];
    const read = (condition: JsonObject) => {
      const stack = stackWith(rights(condition), ENCRYPTED_TABLE);
      const needed = dynamoDbAccess(stack, 'GetItem', { TableName: 'S-Table' });
      return () => judgeOf(stack).judge.require(PROXY, needed);
    };
    const via = (service: string): JsonObject => ({
      StringEquals: { 'kms:ViaService': `${service}.${REGION}.amazonaws.com` },
    });
    const denied = `KMS key access denied error: User: ${WHO} is not authorized to perform: kms:Decrypt`;
    expect(read(via('dynamodb'))).not.toThrow();
    expect(read({ StringEquals: { 'kms:EncryptionContext:aws:dynamodb:tableName': 'S-Table' } })).not.toThrow();
    expect(read(via('secretsmanager'))).toThrow(denied);
    expect(read({ StringEquals: { 'kms:EncryptionContext:purpose': 'tokens' } })).toThrow(denied);
  });

  test('a call of a key needs the key’s policy to let the account in', () => {
    const decrypt = (Principal: Json) => {
      const Properties = { KeyPolicy: policyDocument(allow('kms:*', '*', { Principal })) };
      const stack = stackWith([allow('kms:Decrypt', '*')], { Key: { Type: 'AWS::KMS::Key', Properties } });
      const [key] = stack.keys;
      return () => judgeOf(stack).judge.require(PROXY, [keyUse('kms:Decrypt', key?.arn ?? '', {})]);
    };
    expect(decrypt({ AWS: 'arn:aws:iam::000000000000:root' })).not.toThrow();
    expect(decrypt({ AWS: '111122223333' })).toThrow('because no resource-based policy allows the kms:Decrypt action');
  });

  test('a call to a table whose own policy denies it is refused', () => {
    const denied = { ...allow('dynamodb:*', '*', { Principal: '*' }), Effect: 'Deny' };
    const ResourcePolicy = { PolicyDocument: policyDocument(denied) };
    const guarded = structuredClone(ENCRYPTED_TABLE);
    Object.assign(Object(guarded).Table.Properties.Replicas[0], { ResourcePolicy });
    const stack = stackWith([allow('*', '*')], guarded);
    const query = () => judgeOf(stack).judge.require(PROXY, [right('Query', `${TABLE}/index/i`)]);
    expect(query).toThrow('with an explicit deny in a resource-based policy');
  });
});

describe('IN-9: the rights of an operation of DynamoDB', () => {
  const OF_TABLE = { TableName: 'S-Table' };
  const stack = stackWith([]);
  const needs = (operation: string, input: JsonObject) =>
    dynamoDbAccess(stack, operation, input).map(({ action, resource }) => `${action} ${resource}`);

  test.each<[operation: string, input: JsonObject, needed: string[]]>([
    ['GetItem', OF_TABLE, [`dynamodb:GetItem ${TABLE}`]],
    ['Query', OF_TABLE, [`dynamodb:Query ${TABLE}`]],
    ['Query', { TableName: 'S-Table', IndexName: 'byOwner' }, [`dynamodb:Query ${TABLE}/index/byOwner`]],
    ['Scan', { TableName: TABLE, IndexName: 'byOwner' }, [`dynamodb:Scan ${TABLE}/index/byOwner`]],
    [
      'BatchGetItem',
      { RequestItems: { 'S-Table': {}, other: {} } },
      [`dynamodb:BatchGetItem ${TABLE}`, `dynamodb:BatchGetItem arn:aws:dynamodb:${OWN}:table/other`],
    ],
    ['BatchWriteItem', { RequestItems: { 'S-Table': [] } }, [`dynamodb:BatchWriteItem ${TABLE}`]],
    [
      'TransactWriteItems',
      { TransactItems: ['Put', 'Update', 'Delete', 'ConditionCheck', 'Put'].map((kind) => ({ [kind]: OF_TABLE })) },
      ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map((name) => `dynamodb:${name} ${TABLE}`),
    ],
    ['TransactGetItems', { TransactItems: [{ Get: OF_TABLE }] }, [`dynamodb:GetItem ${TABLE}`]],
    ['DescribeTable', OF_TABLE, [`dynamodb:DescribeTable ${TABLE}`]],
    ['ListTables', {}, ['dynamodb:ListTables *']],
  ])('%s of %j', (operation, input, needed) => {
    expect(needs(operation, input)).toEqual(needed);
  });

  const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
  const query = (IndexName: string | undefined, attribute: string, value: JsonObject): JsonObject => ({
    ...OF_TABLE,
    ...(IndexName === undefined ? {} : { IndexName }),
    KeyConditionExpression: `begins_with(sk, :s) AND ${attribute} = :v`,
    ExpressionAttributeNames: { '#p': 'pk' },
    ExpressionAttributeValues: { ':s': { S: 'x' }, ':v': value },
  });
  test.each<[what: string, operation: string, input: JsonObject, leading: (readonly string[] | undefined)[]]>([
    ['an item its own', 'GetItem', { ...OF_TABLE, Key: key('A#1') }, [['A#1']]],
    ['a put that of the item', 'PutItem', { ...OF_TABLE, Item: key('A#1') }, [['A#1']]],
    [
      'a batch all of its table',
      'BatchGetItem',
      { RequestItems: { 'S-Table': { Keys: [key('A#1'), key('B#2'), key('A#1')] } } },
      [['A#1', 'B#2']],
    ],
    [
      'a batch of writes all of its table',
      'BatchWriteItem',
      { RequestItems: { 'S-Table': [{ PutRequest: { Item: key('A#1') } }, { DeleteRequest: { Key: key('B#2') } }] } },
      [['A#1', 'B#2']],
    ],
    [
      'a transaction those of each member by itself',
      'TransactWriteItems',
      { TransactItems: [{ Put: { ...OF_TABLE, Item: key('A#1') } }, { Update: { ...OF_TABLE, Key: key('B#2') } }] },
      [['A#1'], ['B#2']],
    ],
    ['a query what it asks for', 'Query', query(undefined, '#p', { S: 'A#1' }), [['A#1']]],
    ['a query of an index that of the index', 'Query', query('byOwner', 'owner', { S: 'me' }), [['me']]],
    ['a query of an index with numbers that number', 'Query', query('byOwner', 'owner', { N: '7' }), [['7']]],
    ['a scan none', 'Scan', OF_TABLE, [undefined]],
  ])(
    'ST-31: the rights of an operation of DynamoDB have as leading keys of %s (%s)',
    (_what, operation, input, leading) => {
      const needed = dynamoDbAccess(stack, operation, input);
      expect(needed.map(({ context }) => context?.['dynamodb:leadingkeys'])).toEqual(leading);
    },
  );

  test('the rights of an operation of DynamoDB are not guessed: an operation that nobody mapped is refused loudly', () => {
    const refusal = expect.objectContaining({ type: 'NotEmulated', status: 501 });
    expect(() => needs('ExecuteStatement', { Statement: 'SELECT * FROM t' })).toThrow(refusal);
  });
});

describe('IN-9: what services of AWS do for the stack', () => {
  const EVERYTHING = allow('*', '*');
  const TRIGGERED = { Table: tableResource(), DeadLetters: queueResource(), Trigger: triggerResource('Fn') };
  const scheduled = (more: JsonObject = {}): JsonObject => ({ Tick: scheduleResource('Fn'), ...more });
  const trusting = (Service: string, Condition: JsonObject = {}): JsonObject => ({
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: policyDocument(
        { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
        { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service }, Condition },
      ),
      Policies: [{ PolicyName: 'all', PolicyDocument: policyDocument(EVERYTHING) }],
    },
  });
  const api = (SourceArn: Json): JsonObject => ({
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { BinaryMediaTypes: ['*/*'] } },
    Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'v1' } },
    Method: methodResource(getAttribute('Api', 'RootResourceId'), 'Fn', {}, { HttpMethod: 'GET' }),
    Permission: permissionResource('Fn', { SourceArn }),
  });
  const source = (rest: string): JsonObject => ({
    'Fn::Join': ['', [`arn:aws:execute-api:${OWN}:`, { Ref: 'Api' }, rest]],
  });

  test('what services of AWS do for the stack is allowed where every policy is there', () => {
    const resources = { ...scheduled(), ...TRIGGERED, ...api(source('/*/*/*')) };
    expect(refusedWiring(stackWith([EVERYTHING], resources))).toEqual([]);
  });

  const LOGS = allow('logs:*', '*');
  const OTHER_LOGS = allow('logs:*', `arn:aws:logs:${OWN}:log-group:other:*`);
  const otherGroup = { ArnLike: { 'aws:SourceArn': `arn:aws:scheduler:${OWN}:schedule-group/mine` } };
  const otherApi = `arn:aws:execute-api:${OWN}:other/*/*/*`;
  const NOT_INVOKED =
    /^Scheduler for Tick: User: .*assumed-role\/S-Role\/scheduler .* lambda:InvokeFunction on resource: .*function:S-Fn because no identity-based/;
  const NOT_TRUSTED =
    /^Scheduler for Tick: User: scheduler.amazonaws.com .* sts:AssumeRole on resource: .*role\/S-Role because no resource-based/;
  const NOT_ALLOWED = /^API Gateway for GET \/: User: apigateway.amazonaws.com .* lambda:InvokeFunction/;

  test.each<[what: string, right: JsonObject, resources: JsonObject, refusals: RegExp[]]>([
    ['a role that may write no logs', allow('logs:PutLogEvents', '*'), {}, [/^Lambda for Fn: .*logs:CreateLogStream/]],
    ['logs of another group', OTHER_LOGS, {}, [/logs:CreateLogStream/, /logs:PutLogEvents/]],
    ['a schedule whose role may not invoke the function', LOGS, scheduled(), [NOT_INVOKED]],
    ['a role that trusts rules', EVERYTHING, scheduled({ Role: trusting('events.amazonaws.com') }), [NOT_TRUSTED]],
    [
      'a role that trusts another group of schedules',
      EVERYTHING,
      scheduled({ Role: trusting('scheduler.amazonaws.com', otherGroup) }),
      [/sts:AssumeRole/],
    ],
    [
      'a trigger without the stream, the key and the queue',
      allow(['logs:*', 'dynamodb:DescribeStream'], '*'),
      { ...TRIGGERED, ...ENCRYPTED_TABLE },
      [/GetRecords/, /GetShardIterator/, /ListStreams/, /kms:Decrypt/, /sqs:SendMessage .*:S-DeadLetters/],
    ],
    ['an API that the function does not know', EVERYTHING, api(otherApi), [NOT_ALLOWED]],
    ['an API whose permission is for another method', EVERYTHING, api(source('/v1/POST/*')), [NOT_ALLOWED]],
  ])('what services of AWS do for the stack is refused for %s', (_what, right, resources, refusals) => {
    const refused = refusedWiring(stackWith([right], resources));
    expect(refused).toEqual(refusals.map((refusal) => expect.stringMatching(refusal)));
  });
});

describe('a function URL', () => {
  const url = {
    Type: 'AWS::Lambda::Url',
    Properties: { AuthType: 'NONE', TargetFunctionArn: getAttribute('Fn', 'Arn') },
  };
  const byAnyone = (Action: string, more: JsonObject): JsonObject => ({
    Type: 'AWS::Lambda::Permission',
    Properties: { Action, FunctionName: getAttribute('Fn', 'Arn'), Principal: '*', ...more },
  });
  const Invoke = byAnyone('lambda:InvokeFunction', { InvokedViaFunctionUrl: true });
  const InvokeUrl = byAnyone('lambda:InvokeFunctionUrl', { FunctionUrlAuthType: 'NONE' });
  const refused = (resources: JsonObject) =>
    refusedWiring(stackWith([allow('logs:*', '*')], { Door: url, ...resources }));

  test('FD-1: opens with both permissions', () => {
    expect(refused({ Invoke, InvokeUrl })).toEqual([]);
  });

  test.each<[what: string, resources: JsonObject, refusals: RegExp[]]>([
    ['no permission', {}, [/InvokeFunctionUrl on/, /InvokeFunction on/]],
    ['the permission that was enough before October 2025', { InvokeUrl }, [/lambda:InvokeFunction on/]],
    ['a right to invoke the function alone', { Invoke }, [/lambda:InvokeFunctionUrl on/]],
    [
      'a permission for signed requests',
      { Invoke, InvokeUrl: byAnyone('lambda:InvokeFunctionUrl', { FunctionUrlAuthType: 'AWS_IAM' }) },
      [/lambda:InvokeFunctionUrl on/],
    ],
  ])('FD-1: stays closed with %s', (_what, resources, refusals) => {
    expect(refused(resources)).toEqual(refusals.map((refusal) => expect.stringMatching(refusal)));
  });
});

describe('IN-9: a template whose rights cannot be judged does not start', () => {
  const withRole = (properties: JsonObject) => () => {
    const role = roleResource();
    Object.assign(Object(role).Properties, properties);
    return stackWith([], { Role: role });
  };

  test.each<[what: string, read: () => LocalStack, message: string]>([
    [
      'a role from elsewhere',
      () => stackWith([], { Fn: functionResource({ Role: 'arn:aws:iam::1:role/x' }) }),
      'The role arn:aws:iam::1:role/x is not in the template',
    ],
    [
      'a policy of AWS’s own',
      withRole({ ManagedPolicyArns: ['arn:aws:iam::aws:policy/x'] }),
      'has the policy arn:aws:iam::aws:policy/x, which is not in the template',
    ],
    ['a boundary', withRole({ PermissionsBoundary: 'arn' }), 'Role uses PermissionsBoundary'],
    [
      'a condition key that nothing computes',
      () => stackWith([allow('*', '*', { Condition: { StringEquals: { 'aws:SourceVpc': 'v' } } })]),
      'Role.Policies.Statement[0].Condition.StringEquals.aws:SourceVpc: the local runtime cannot judge the condition key',
    ],
    [
      'a key of the function’s environment',
      () => stackWith([], { Fn: { Type: 'AWS::Lambda::Function', Properties: { KmsKeyArn: 'k' } } }),
      'Fn uses KmsKeyArn',
    ],
  ])('%s', (_what, read, message) => {
    expect(read).toThrow(message);
  });

  test('policies come from the role, from policies that name it, and from managed ones of the template', () => {
    const policy = (kind: string, name: string, role: Json): JsonObject => ({
      Type: `AWS::IAM::${kind}`,
      Properties: { PolicyName: 'p', Roles: [role], PolicyDocument: policyDocument(allow(`dynamodb:${name}`, '*')) },
    });
    const stack = stackWith([allow('dynamodb:GetItem', '*')], {
      Named: policy('Policy', 'PutItem', { Ref: 'Role' }),
      Managed: policy('ManagedPolicy', 'Query', { Ref: 'Role' }),
      Other: policy('Policy', 'Scan', 'somebody'),
    });
    const call = (name: string) => () => judgeOf(stack).judge.require(PROXY, [right(name)]);
    for (const name of ['GetItem', 'PutItem', 'Query']) expect(call(name)).not.toThrow();
    expect(call('Scan')).toThrow('is not authorized');
  });
});
