import { CloudFormationClient, DescribeStacksCommand, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetMetricDataCommand,
  GetMetricStatisticsCommand,
  ListMetricsCommand,
} from '@aws-sdk/client-cloudwatch';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import {
  GetAccountSettingsCommand,
  GetFunctionConfigurationCommand,
  GetFunctionUrlConfigCommand,
  GetPolicyCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  ResourceNotFoundException as NoPolicy,
} from '@aws-sdk/client-lambda';
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  accountChecks,
  readFirstKey,
  readStack,
  waitForFirstKey,
} from '../../../packages/cli/verify/account-checks.ts';
import { runChecks } from '../../../packages/cli/verify/check.ts';
import { markdownReport } from '../../../packages/cli/verify/report.ts';

const REGION = 'eu-central-1';
const formation = mockClient(CloudFormationClient);
const lambda = mockClient(LambdaClient);
const iam = mockClient(IAMClient);
const cloudWatch = mockClient(CloudWatchClient);
const secrets = mockClient(SecretsManagerClient);
const dynamoDb = mockClient(DynamoDBClient);
const mocks = [formation, lambda, dynamoDb, iam, cloudWatch, secrets];
afterEach(() => {
  for (const mock of mocks) mock.reset();
});
afterAll(() => {
  for (const mock of mocks) mock.restore();
});

const FUNCTIONS = [
  'Proxy',
  'Core',
  'OAuthCallback',
  'Connect',
  'Management',
  'Grants',
  'Refresh',
  'Deliver',
  'Feeds',
  'Inbox',
  'EventsToBus',
  'RollUp',
  'Mcp',
  'Approvals',
  'Declared',
];
const RESOURCES = [
  ...FUNCTIONS.map((name) => ['AWS::Lambda::Function', `Gateway${name}Function1234`, `stack-${name}`]),
  ['AWS::DynamoDB::GlobalTable', 'GatewayDataTable', 'the-table'],
  ['AWS::KMS::Key', 'GatewayTokenKey', 'key-id'],
  ['AWS::CloudWatch::Alarm', 'GatewaySilenceConcurrencyAlarm', 'alarm-one'],
];
const OUTPUTS = {
  BaseUrl: 'https://api.example.com/v1',
  CallbackUrl: 'https://api.example.com/v1/oauth/callback',
  FirstSecretKeyArn: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:first',
  EventBusName: 'bus',
  EventBusArn: 'arn:aws:events:eu-central-1:123456789012:event-bus/bus',
};

const STACK = { StackName: 'Gateway', CreationTime: new Date(0) };
const RUNNING = {
  State: 'Active',
  LastUpdateStatus: 'Successful',
  Runtime: 'nodejs24.x',
  Role: 'arn:aws:iam::123456789012:role/some-role',
} as const;
const concurrent = (most: number) => ({ ConcurrentExecutions: most, UnreservedConcurrentExecutions: most });
const CONCURRENCY = { Id: 'share', Expression: '100 * executions / SERVICE_QUOTA(executions)' };
const alarm = (StateValue: 'OK' | 'ALARM') => ({
  MetricAlarms: [{ AlarmName: 'alarm-one', AlarmDescription: 'One', StateValue, Metrics: [CONCURRENCY] }],
});
const NO_KEY = new ResourceNotFoundException({ message: 'no value for AWSCURRENT', $metadata: {} });
const EVENTS_ROLE = 'arn:aws:iam::123456789012:role/events-role';
const INBOX_ROLE = 'arn:aws:iam::123456789012:role/inbox-role';
const MAKES_KEYS_ROLE = 'arn:aws:iam::123456789012:role/makes-keys-role';
const MANAGEMENT_ROLE = 'arn:aws:iam::123456789012:role/management-role';
const DECLARED_ROLE = 'arn:aws:iam::123456789012:role/declared-role';
const ASKING_ROLE = 'arn:aws:iam::123456789012:role/asking-role';
const CONNECT_ROLE = 'arn:aws:iam::123456789012:role/connect-role';
const DELIVER_ROLE = 'arn:aws:iam::123456789012:role/deliver-role';
const FEEDS_ROLE = 'arn:aws:iam::123456789012:role/feeds-role';
const ROLL_UP_ROLE = 'arn:aws:iam::123456789012:role/roll-up-role';

interface Question {
  readonly ActionNames: readonly string[];
  readonly PolicySourceArn: string;
  readonly ContextEntries?: readonly { readonly ContextKeyValues: readonly string[] }[];
}

/** What a role may do on AWS as it should be. */
function mayDo({ ActionNames: [action = ''], PolicySourceArn, ContextEntries }: Question): boolean {
  if (PolicySourceArn === INBOX_ROLE) {
    const partition = ContextEntries?.[0]?.ContextKeyValues[0] ?? '';
    const wanted = action === 'dynamodb:GetItem' ? 'CHANNEL#' : 'FEEDMARK#';
    return action.startsWith('dynamodb:') && partition.startsWith(wanted);
  }
  if (PolicySourceArn === ROLL_UP_ROLE) {
    return action === 'dynamodb:PutItem' && ContextEntries?.[0]?.ContextKeyValues[0]?.startsWith('PAGE#') === true;
  }
  if ([DECLARED_ROLE, ASKING_ROLE].includes(PolicySourceArn)) return false;
  if (PolicySourceArn === EVENTS_ROLE) return ['dynamodb:GetRecords', 'events:PutEvents'].includes(action);
  if (action === 'kms:Decrypt') {
    const purpose = ContextEntries?.[0]?.ContextKeyValues[0];
    if (PolicySourceArn === CONNECT_ROLE) return purpose === 'flows';
    if (PolicySourceArn === DELIVER_ROLE) return purpose === 'webhooks';
    if ([MANAGEMENT_ROLE, FEEDS_ROLE].includes(PolicySourceArn)) return purpose === 'cursors';
    return purpose !== undefined;
  }
  if (ContextEntries?.[0]?.ContextKeyValues[0]?.startsWith('KEY#') === true)
    return [MAKES_KEYS_ROLE, MANAGEMENT_ROLE].includes(PolicySourceArn);
  if (PolicySourceArn === FEEDS_ROLE && action === 'dynamodb:UpdateItem') return false;
  return ['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:Query'].includes(action);
}

const STREAM = 'arn:aws:dynamodb:eu-central-1:123456789012:table/the-table/stream/2026-01-01T00:00:00.000';

/** The stream that the table has now. */
function stream(LatestStreamArn: string | undefined): void {
  const StreamSpecification = { StreamEnabled: LatestStreamArn !== undefined };
  dynamoDb
    .on(DescribeTableCommand)
    .resolves({ Table: { StreamSpecification, ...(LatestStreamArn && { LatestStreamArn }) } });
}

/** The stream that the trigger of the events function reads. */
function reading(EventSourceArn: string, State = 'Enabled'): void {
  lambda.on(ListEventSourceMappingsCommand).resolves({ EventSourceMappings: [{ EventSourceArn, State }] });
}

/** What IAM answers about every question. */
function decide(decision: (question: Question) => 'allowed' | 'implicitDeny' | 'explicitDeny'): void {
  iam.on(SimulatePrincipalPolicyCommand).callsFake(async (question: Question) => ({
    EvaluationResults: [{ EvalActionName: question.ActionNames[0], EvalDecision: decision(question) }],
  }));
}

beforeEach(() => {
  const Outputs = Object.entries(OUTPUTS).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  formation.on(DescribeStacksCommand).resolves({ Stacks: [{ ...STACK, StackStatus: 'UPDATE_COMPLETE', Outputs }] });
  formation.on(ListStackResourcesCommand).resolves({
    StackResourceSummaries: RESOURCES.map(([ResourceType, LogicalResourceId, PhysicalResourceId]) => ({
      ResourceType,
      LogicalResourceId,
      PhysicalResourceId,
      ResourceStatus: 'CREATE_COMPLETE',
      LastUpdatedTimestamp: new Date(0),
    })),
  });
  lambda.on(GetFunctionConfigurationCommand).resolves(RUNNING);
  const inbox = { FunctionName: 'stack-Inbox' };
  lambda.on(GetFunctionConfigurationCommand, inbox).resolves({ ...RUNNING, Role: INBOX_ROLE });
  const events = { FunctionName: 'stack-EventsToBus' };
  lambda.on(GetFunctionConfigurationCommand, events).resolves({ ...RUNNING, Role: EVENTS_ROLE });
  const declared = { FunctionName: 'stack-Declared' };
  lambda.on(GetFunctionConfigurationCommand, declared).resolves({ ...RUNNING, Role: DECLARED_ROLE });
  for (const [name, Role] of [
    ['Management', MANAGEMENT_ROLE],
    ['Refresh', MAKES_KEYS_ROLE],
    ['Mcp', ASKING_ROLE],
    ['Approvals', ASKING_ROLE],
    ['Connect', CONNECT_ROLE],
    ['Deliver', DELIVER_ROLE],
    ['Feeds', FEEDS_ROLE],
  ] as const) {
    lambda.on(GetFunctionConfigurationCommand, { FunctionName: `stack-${name}` }).resolves({ ...RUNNING, Role });
  }
  const rollUp = { FunctionName: 'stack-RollUp' };
  lambda.on(GetFunctionConfigurationCommand, rollUp).resolves({ ...RUNNING, Role: ROLL_UP_ROLE });
  lambda
    .on(GetPolicyCommand)
    .rejects(new NoPolicy({ message: 'The resource you requested does not exist.', $metadata: {} }));
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: concurrent(1000) });
  stream(STREAM);
  reading(STREAM);
  decide((question) => (mayDo(question) ? 'allowed' : 'implicitDeny'));
  cloudWatch.on(GetMetricStatisticsCommand).resolves({ Datapoints: [{ Sum: 3 }] });
  cloudWatch.on(GetMetricDataCommand).resolves({ MetricDataResults: [{ Id: 'share', Values: [0.5, 1.25] }] });
  cloudWatch.on(ListMetricsCommand).resolves({ Metrics: [{ MetricName: 'Refresh' }] });
  cloudWatch.on(DescribeAlarmsCommand).resolves(alarm('OK'));
  secrets.on(GetSecretValueCommand).resolves({ SecretString: 'sk_default_x\n' });
});

const formationOf = () => new CloudFormationClient({}).send(new ListStackResourcesCommand({ StackName: 'Gateway' }));
const checked = async () => runChecks(accountChecks(await readStack('Gateway', REGION)), () => {});
const failing = async () => (await checked()).filter(({ verdict }) => verdict === 'fails');
const failures = async () => (await failing()).map(({ claim }) => claim);

describe('checks of a stack in its account', () => {
  it('checks of a stack in its account hold where everything is as deployed', async () => {
    expect(await failures()).toEqual([]);
  });

  const anyone = (Action: string, Condition: object) => ({ Effect: 'Allow', Principal: '*', Action, Condition });
  const URL_STATEMENT = anyone('lambda:InvokeFunctionUrl', { StringEquals: { 'lambda:FunctionUrlAuthType': 'NONE' } });
  const FUNCTION_STATEMENT = anyone('lambda:InvokeFunction', { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } });
  const policy = (...Statement: object[]) => ({ Policy: JSON.stringify({ Version: '2012-10-17', Statement }) });
  const OPEN = 'everyone may invoke nothing but the function URL of proxied calls, where there is one';

  it('FD-22: notice a function that somebody opened to everyone', async () => {
    lambda
      .on(GetPolicyCommand)
      .resolves(policy({ ...FUNCTION_STATEMENT, Principal: { Service: 'events.amazonaws.com' } }));
    expect(await failures()).toEqual([]);
    lambda
      .on(GetPolicyCommand, { FunctionName: 'stack-Connect' })
      .resolves(policy(anyone('lambda:InvokeFunction', {})));
    expect((await failing()).map(({ claim, seen }) => [claim, seen])).toEqual([
      [OPEN, 'connect: lambda:InvokeFunction'],
    ]);
  });

  describe('with a function URL', () => {
    const URL_NAME = 'arn:aws:lambda:eu-central-1:123456789012:function:stack-Proxy:live';
    const streaming = { AuthType: 'NONE', InvokeMode: 'RESPONSE_STREAM', FunctionUrl: 'https://x.on.aws/' } as const;
    const rest = { FunctionArn: 'a', CreationTime: '', LastModifiedTime: '' };
    beforeEach(async () => {
      const { StackResourceSummaries = [] } = await formationOf();
      const url = { ...StackResourceSummaries[0], ResourceType: 'AWS::Lambda::Url', PhysicalResourceId: URL_NAME };
      formation.on(ListStackResourcesCommand).resolves({
        StackResourceSummaries: [
          ...StackResourceSummaries,
          { ...url, LogicalResourceId: 'U', ResourceStatus: 'CREATE_COMPLETE', LastUpdatedTimestamp: new Date(0) },
        ],
      });
      lambda.on(GetPolicyCommand, { FunctionName: URL_NAME }).resolves(policy(URL_STATEMENT, FUNCTION_STATEMENT));
      lambda.on(GetFunctionUrlConfigCommand).resolves({ ...streaming, ...rest });
    });

    it('FD-22: checks of a function URL hold where it streams to anyone', async () => {
      expect(await failures()).toEqual([]);
    });

    it('FD-22: notice that the statement is missing which AWS asks for since October 2025, and answers that come whole', async () => {
      lambda.on(GetPolicyCommand, { FunctionName: URL_NAME }).resolves(policy(URL_STATEMENT));
      lambda.on(GetFunctionUrlConfigCommand).resolves({ ...streaming, ...rest, InvokeMode: 'BUFFERED' });
      expect((await failing()).map(({ seen }) => seen)).toEqual([
        'proxy: lambda:InvokeFunctionUrl without a signature',
        'NONE, BUFFERED',
      ]);
    });
  });

  it('checks of a stack in its account hold without a feature, to whose rows the inbox has no rights', async () => {
    const { StackResourceSummaries = [] } = await formationOf();
    const rest = StackResourceSummaries.filter(
      ({ LogicalResourceId = '' }) => !/Gateway(Core|Feeds)/.test(LogicalResourceId),
    );
    formation.on(ListStackResourcesCommand).resolves({ StackResourceSummaries: rest });
    const leftOut = { ...RUNNING, Environment: { Variables: { WITHOUT_FEATURES: 'feeds' } } };
    lambda.on(GetFunctionConfigurationCommand, { FunctionName: 'stack-Proxy' }).resolves(leftOut);
    lambda
      .on(GetFunctionConfigurationCommand, { FunctionName: 'stack-Inbox' })
      .resolves({ ...leftOut, Role: INBOX_ROLE });
    const rights = ['dynamodb:GetItem of SECURITYPROJECT#a', 'dynamodb:UpdateItem of EVIDENCE#a'];
    decide((question) => {
      const asked = `${question.ActionNames[0]} of ${question.ContextEntries?.[0]?.ContextKeyValues[0]}`;
      const may = question.PolicySourceArn === INBOX_ROLE ? rights.includes(asked) : mayDo(question);
      return may ? 'allowed' : 'implicitDeny';
    });
    expect(await failures()).toEqual([]);
  });

  it('notice a failed update, a missing output and a function that does not run', async () => {
    formation.on(DescribeStacksCommand).resolves({ Stacks: [{ ...STACK, StackStatus: 'UPDATE_ROLLBACK_COMPLETE' }] });
    const failed = { ...RUNNING, Role: CONNECT_ROLE, State: 'Failed' } as const;
    lambda.on(GetFunctionConfigurationCommand, { FunctionName: 'stack-Connect' }).resolves(failed);
    expect(await failures()).toEqual([
      'the stack is deployed and settled',
      'every output is there',
      'every function is active and runs Node 24',
    ]);
  });

  it('notice a right too many, and one too few', async () => {
    decide((question) => {
      const [action] = question.ActionNames;
      const decided = action === 'dynamodb:Scan' || (action !== 'dynamodb:Query' && mayDo(question));
      return decided ? 'allowed' : 'explicitDeny';
    });
    const tooMany = 'dynamodb:Scan: allowed';
    const both = `${tooMany}; dynamodb:Query: explicitDeny`;
    const failed = await failing();
    expect(failed).toHaveLength(FUNCTIONS.length);
    expect(failed.filter(({ seen }) => seen !== tooMany && seen !== both)).toEqual([]);
    const unasked = failed.filter(({ seen }) => seen === both).map(({ claim }) => claim.split(' ')[1]);
    expect(unasked.toSorted()).toEqual(['deliver', 'feeds', 'refresh']);
  });

  it('IN-11: notice a function without keys to write that may write secret keys', async () => {
    const isKey = ({ ContextEntries }: Question) => ContextEntries?.[0]?.ContextKeyValues[0] === 'KEY#a';
    decide((question) => (isKey(question) || mayDo(question) ? 'allowed' : 'implicitDeny'));
    const tooMany = 'dynamodb:PutItem of KEY#a: allowed; dynamodb:UpdateItem of KEY#a: allowed';
    expect((await failing()).map((one) => one.seen)).toEqual(Array(FUNCTIONS.length - 2).fill(tooMany));
  });

  it('IN-12: notice a function that may unwrap data keys of tokens and should not', async () => {
    const isTokens = ({ ContextEntries }: Question) => ContextEntries?.[0]?.ContextKeyValues[0] === 'tokens';
    decide((question) => (isTokens(question) || mayDo(question) ? 'allowed' : 'implicitDeny'));
    const without = [
      ...['connect', 'management', 'mcp', 'approvals', 'deliver'],
      ...['feeds', 'inbox', 'events', 'roll-up', 'declared'],
    ];
    expect((await failing()).map((one) => one.seen)).toEqual(without.map(() => 'kms:Decrypt for tokens: allowed'));
  });

  it('checks of a stack in its account say so where the credentials may not simulate policies', async () => {
    iam.on(SimulatePrincipalPolicyCommand).rejects(new Error('AccessDenied'));
    expect((await checked()).filter(({ verdict }) => verdict === 'not checked')).toHaveLength(FUNCTIONS.length);
  });

  it('notice a sweep that never ran, a firing alarm and a small account, and leave open what a gateway without use counts', async () => {
    cloudWatch.on(GetMetricStatisticsCommand).resolves({ Datapoints: [] });
    cloudWatch.on(ListMetricsCommand).resolves({ Metrics: [] });
    cloudWatch.on(DescribeAlarmsCommand).resolves(alarm('ALARM'));
    lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: concurrent(10) });
    expect(await failures()).toEqual([
      'the refresh sweep ran in the last minutes',
      'no alarm fires',
      'the account allows enough concurrent calls',
    ]);
    const open = (await checked()).filter(({ verdict }) => verdict === 'not checked');
    expect(open.map(({ claim }) => claim)).toContain('the gateway’s own metrics arrive');
  });

  it('evaluate the expression of the concurrency alarm, and notice that it has no value', async () => {
    const claim = 'the alarm of nearly exhausted concurrency has a value';
    const found = async () => (await checked()).find((one) => one.claim === claim);
    expect(await found()).toMatchObject({ verdict: 'holds', seen: '1.25 % at most in 15 minutes' });
    expect(cloudWatch.commandCalls(GetMetricDataCommand)[0]?.args[0].input.MetricDataQueries).toEqual([CONCURRENCY]);
    const Messages = [{ Code: 'ArithmeticError', Value: 'SERVICE_QUOTA has no quota for this metric' }];
    cloudWatch.on(GetMetricDataCommand).resolves({ MetricDataResults: [{ Id: 'share', Values: [], Messages }] });
    expect(await found()).toMatchObject({
      verdict: 'fails',
      seen: 'no value; ArithmeticError: SERVICE_QUOTA has no quota for this metric',
    });
  });

  it.each([
    ['another stream than the table has', () => reading(STREAM.replace('2026-01-01', '2025-01-01'))],
    ['its stream, but is switched off', () => reading(STREAM, 'Disabled')],
    ['a stream, and the table has none', () => stream(undefined)],
  ])('ST-27: notice a trigger that reads %s', async (_what, change) => {
    change();
    expect(await failures()).toEqual(['the trigger of events reads the table’s present stream']);
  });

  it('checks of a stack in its account read the first key, and say what to wait for while it is not there', async () => {
    const stack = await readStack('Gateway', REGION);
    expect(await readFirstKey(stack)).toBe('sk_default_x');
    secrets.on(GetSecretValueCommand).rejects(NO_KEY);
    await expect(readFirstKey(stack)).rejects.toThrow('the refresh function writes it within minutes');
  });
});

describe('the first key of a stack that was just deployed', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('the first key of a stack that was just deployed is waited for until the first tick has written it', async () => {
    const stack = await readStack('Gateway', REGION);
    const written = { SecretString: 'sk_default_y' };
    secrets.on(GetSecretValueCommand).rejectsOnce(NO_KEY).rejectsOnce(NO_KEY).resolves(written);
    const key = waitForFirstKey(stack);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await key).toBe('sk_default_y');
  });

  it('the first key of a stack that was just deployed is not waited for without end, and not at all where it may not be read', async () => {
    const stack = await readStack('Gateway', REGION);
    secrets.on(GetSecretValueCommand).rejects(NO_KEY);
    const given = expect(waitForFirstKey(stack)).rejects.toThrow('was not written yet');
    await vi.advanceTimersByTimeAsync(6 * 60_000);
    await given;
    secrets.on(GetSecretValueCommand).rejects(new Error('AccessDenied'));
    await expect(waitForFirstKey(stack)).rejects.toThrow('cannot be read');
  });
});

describe('the report', () => {
  it('holds no key, host name or account number, and says what a failure means', () => {
    const heading = { target: 'stack Gateway', version: '1.2.3', at: new Date(0), durationMs: 61_000 };
    const check = { section: 'Stack', claim: 'it is | there', otherwise: 'Deploy it.', durationMs: 1 };
    const result = { ...check, verdict: 'fails', seen: 'api.example.com said sk_default_x' } as const;
    const text = markdownReport(heading, [result], ['sk_default_x', 'api.example.com', '']);
    expect(text).toContain('| fails | it is \\| there. Deploy it. | … said … |');
    expect(text).not.toContain('sk_default_x');
    expect(text).toContain('0 hold, 1 fail, 0 not checked');
  });
});
