/** Checks of a stack's resources in its AWS account: functions, permissions, schedule, alarms, quotas, dashboard. They only read. */

import { CloudFormationClient, DescribeStacksCommand, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetMetricDataCommand,
  GetMetricStatisticsCommand,
  ListMetricsCommand,
} from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import {
  GetAccountSettingsCommand,
  GetFunctionConfigurationCommand,
  type GetFunctionConfigurationCommandOutput,
  GetFunctionUrlConfigCommand,
  GetPolicyCommand,
  LambdaClient,
  ResourceNotFoundException as NoPolicy,
} from '@aws-sdk/client-lambda';
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { FEATURE_IDS, FEATURE_SWEEPS } from '../../../lambdas/features/index.ts';
import {
  type CoreFunction,
  ENVIRONMENT,
  FUNCTION_NAMES,
  type FunctionName,
  KEY_FAMILIES,
  type KeyFamily,
  type KeyPurpose,
  metricNamespace,
  TABLE,
} from '../../../lambdas/gateway/core/contract.ts';
import {
  DATA_KEY_PURPOSES,
  familiesOf,
  functionsWithout,
  purposesOf,
  TABLE_READS,
  TABLE_WRITES,
  type WriteRights,
} from '../../../lambdas/gateway/core/table-rights.ts';
import { awsClient } from '../../../lambdas/gateway/platform/aws-client.ts';
import { OPERATOR_LIMITS } from '../aws-limits.ts';
import { readerOf, streamOf, triggersOf } from '../events/trigger.ts';
import { type Check, type Finding, fails, holds, judge, messageOf, notChecked } from './check.ts';
import { dashboardChecks } from './dashboard-checks.ts';
import { exchange } from './exchange.ts';

/** Stack id prefixes of the functions, as the construct names them. */
const CORE_PREFIX: Readonly<Record<CoreFunction, string>> = {
  proxy: 'GatewayProxyFunction',
  'oauth-callback': 'GatewayOAuthCallbackFunction',
  connect: 'GatewayConnectFunction',
  management: 'GatewayManagementFunction',
  grants: 'GatewayGrantsFunction',
  refresh: 'GatewayRefreshFunction',
  core: 'GatewayCoreFunction',
  inbox: 'GatewayInboxFunction',
  events: 'GatewayEventsToBusFunction',
  'roll-up': 'GatewayRollUpFunction',
  declared: 'GatewayDeclaredFunction',
};

/** The same of any function: features name theirs in the stack as they do in code. */
function logicalPrefix(name: FunctionName): string {
  const core: Readonly<Record<string, string>> = CORE_PREFIX;
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return core[name] ?? `Gateway${words.join('')}Function`;
}

/** Concurrent executions of an account that a gateway should find: the default of AWS; new accounts may start with 10. */
const USUAL_CONCURRENCY = 1000;

/** Stack id prefix of the alarm on the account's concurrency. */
const CONCURRENCY_ALARM = 'GatewaySilenceConcurrency';

/** The tick comes every minute; the metric about it may be some minutes late. */
const TICK_WINDOW_MS = 15 * 60_000;

const FIRST_KEY_TIMEOUT_MS = 5 * 60_000;
const FIRST_KEY_INTERVAL_MS = 5_000;

/** A deployed stack, as CloudFormation describes it. */
export interface DeployedStack {
  readonly name: string;
  readonly region: string;
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly resources: readonly { readonly type: string; readonly logicalId: string; readonly physicalId: string }[];
}

/**
 * Reads a stack with the credentials of the shell.
 * @throws Error saying which stack was not found, and where
 */
export async function readStack(name: string, region: string | undefined): Promise<DeployedStack> {
  const client = awsClient(CloudFormationClient, OPERATOR_LIMITS, region);
  const where = await client.config.region();
  const described = await client.send(new DescribeStacksCommand({ StackName: name })).catch((cause: unknown) => {
    throw new Error(`The stack ${name} cannot be read in ${where}: ${messageOf(cause)}`, { cause });
  });
  const [stack] = described.Stacks ?? [];
  const resources: { type: string; logicalId: string; physicalId: string }[] = [];
  let next: string | undefined;
  do {
    const page = await client.send(
      new ListStackResourcesCommand({ StackName: name, ...(next === undefined ? {} : { NextToken: next }) }),
    );
    for (const one of page.StackResourceSummaries ?? []) {
      resources.push({
        type: one.ResourceType ?? '',
        logicalId: one.LogicalResourceId ?? '',
        physicalId: one.PhysicalResourceId ?? '',
      });
    }
    next = page.NextToken;
  } while (next !== undefined);
  return {
    name,
    region: where,
    status: stack?.StackStatus ?? 'unknown',
    outputs: Object.fromEntries((stack?.Outputs ?? []).map((one) => [one.OutputKey ?? '', one.OutputValue ?? ''])),
    resources,
  };
}

/**
 * The first secret key of a stack.
 * @throws Error that says whose right is missing, or that the key was not written yet
 */
export async function readFirstKey(stack: DeployedStack): Promise<string> {
  const arn = stack.outputs.FirstSecretKeyArn;
  if (arn === undefined) throw new Error(`The stack ${stack.name} has no output FirstSecretKeyArn: is it a gateway?`);
  const client = awsClient(SecretsManagerClient, OPERATOR_LIMITS, stack.region);
  const value = await client.send(new GetSecretValueCommand({ SecretId: arn })).catch((cause: unknown) => {
    // An unwritten secret has no version to read.
    if (cause instanceof ResourceNotFoundException) return { SecretString: '' };
    throw new Error(`The first secret key cannot be read from ${arn}: ${messageOf(cause)}`, { cause });
  });
  if (value.SecretString === undefined || value.SecretString === '') {
    throw new KeyNotWrittenError();
  }
  return value.SecretString.trim();
}

/** The first secret key is not written yet. */
class KeyNotWrittenError extends Error {
  constructor() {
    super('The first secret key was not written yet: the refresh function writes it within minutes of a deploy.');
    this.name = 'Error';
  }
}

/**
 * The first secret key of a stack that was just deployed: its first refresh tick writes it, within two minutes.
 * @throws Error when it is not there after five minutes, or cannot be read
 */
export async function waitForFirstKey(stack: DeployedStack): Promise<string> {
  const giveUpAtMs = performance.now() + FIRST_KEY_TIMEOUT_MS;
  for (;;) {
    try {
      return await readFirstKey(stack);
    } catch (error) {
      if (!(error instanceof KeyNotWrittenError) || performance.now() > giveUpAtMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, FIRST_KEY_INTERVAL_MS));
  }
}

/** Checks of a stack's resources. */
export function accountChecks(stack: DeployedStack): Check[] {
  const lambda = awsClient(LambdaClient, OPERATOR_LIMITS, stack.region);
  const iam = awsClient(IAMClient, OPERATOR_LIMITS, stack.region);
  const cloudWatch = awsClient(CloudWatchClient, OPERATOR_LIMITS, stack.region);
  const physical = (type: string, prefix = ''): string | undefined =>
    stack.resources.find((one) => one.type === type && one.logicalId.startsWith(prefix))?.physicalId;
  const functionName = (name: FunctionName): string | undefined =>
    physical('AWS::Lambda::Function', logicalPrefix(name));
  const section =
    (heading: string) =>
    (claim: string, otherwise: string, run: Check['run']): Check => ({ section: heading, claim, otherwise, run });
  const [inStack, inRights, inAlarms, inQuotas] = ['Stack', 'Permissions', 'Alarms and schedule', 'Quotas'].map(
    section,
  );
  if (!inStack || !inRights || !inAlarms || !inQuotas) throw new Error('Every section has checks.');

  return [
    inStack('the stack is deployed and settled', 'Finish or roll back the deploy first.', () =>
      Promise.resolve(judge(/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(stack.status), stack.status)),
    ),
    inStack(
      'every output is there',
      'The stack was deployed from another version than this checkout: redeploy.',
      () => {
        const wanted = ['BaseUrl', 'CallbackUrl', 'FirstSecretKeyArn', 'EventBusName', 'EventBusArn'];
        const missing = wanted.filter((name) => (stack.outputs[name] ?? '') === '');
        const right = stack.outputs.CallbackUrl === `${stack.outputs.BaseUrl}/oauth/callback`;
        return Promise.resolve(
          judge(
            missing.length === 0 && right,
            missing.length > 0 ? `missing: ${missing.join(', ')}` : `${Object.keys(stack.outputs).length} outputs`,
          ),
        );
      },
    ),
    inStack(
      'every function is active and runs Node 24',
      'See the function’s state reason in the Lambda console.',
      async () => {
        const wrong: string[] = [];
        const leftOut = await functionsLeftOut(lambda, functionName('proxy'));
        for (const name of FUNCTION_NAMES) {
          const found = functionName(name);
          if (found === undefined) {
            if (!leftOut.has(name)) wrong.push(`${name} is not in the stack`);
            continue;
          }
          const settings = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: found }));
          const good =
            settings.State === 'Active' && settings.LastUpdateStatus !== 'Failed' && settings.Runtime === 'nodejs24.x';
          if (!good) wrong.push(`${name}: ${settings.State}, ${settings.LastUpdateStatus}, ${settings.Runtime}`);
        }
        const count = FUNCTION_NAMES.length - leftOut.size;
        return judge(wrong.length === 0, wrong.length === 0 ? `${count} functions` : wrong.join('; '));
      },
    ),
    // One of a feature that is left out is no failure; the check above reports one that is missing.
    ...FUNCTION_NAMES.filter((name) => !isOptional(name) || functionName(name) !== undefined).map((name) =>
      inRights(
        `the ${name} function may do what it needs and nothing more, according to IAM’s simulation`,
        'A permission boundary, a service control policy or a changed role keeps the function from its table, key or secrets.',
        () =>
          simulateRights(iam, lambda, {
            stack,
            name,
            functionName: functionName(name),
            tableName: physical('AWS::DynamoDB::GlobalTable', 'GatewayData'),
            keyId: physical('AWS::KMS::Key'),
          }),
      ),
    ),
    inRights(
      'everyone may invoke nothing but the function URL of proxied calls, where there is one',
      'A statement was added by hand, or one is missing: compare the functions’ policies with docs/front-doors.md.',
      async () => {
        const url = physical('AWS::Lambda::Url');
        const wrong: string[] = [];
        for (const name of FUNCTION_NAMES) {
          const found = functionName(name);
          // The URL's resource is named by its function, or by the alias that keeps processes started.
          const isDoor = name === 'proxy' && url !== undefined;
          const open = found === undefined ? [] : await openToEveryone(lambda, isDoor ? url : found);
          const wanted = isDoor ? PUBLIC_URL : [];
          if (open.join() !== wanted.join()) wrong.push(`${name}: ${open.length === 0 ? 'nothing' : open.join(', ')}`);
        }
        return judge(wrong.length === 0, wrong.length === 0 ? 'as deployed' : wrong.join('; '));
      },
    ),
    ...(physical('AWS::Lambda::Url') === undefined
      ? []
      : [
          inRights(
            'the function URL streams to anyone, or behind a distribution to nobody without its secret',
            'Proxied calls arrive whole, are refused, or go past the distribution and its web ACL.',
            async () => {
              const settings = await lambda.send(
                new GetFunctionUrlConfigCommand({ FunctionName: physical('AWS::Lambda::Url') ?? '' }),
              );
              const seen = `${settings.AuthType}, ${settings.InvokeMode}`;
              if (settings.AuthType !== 'NONE' || settings.InvokeMode !== 'RESPONSE_STREAM') return fails(seen);
              if (stack.outputs.ProxyDomainTarget === undefined) return holds(seen);
              const path = '/proxy/drive/v3/files';
              const answer = await exchange((settings.FunctionUrl ?? '').replace(/\/$/, ''), { path });
              const right = answer.status === 403 && answer.header('x-gateway-error') === 'forbidden';
              return judge(right, `${seen}; the URL alone answers ${answer.status}`);
            },
          ),
        ]),
    inStack(
      'the trigger of events reads the table’s present stream',
      'No event reaches the bus: run gateway events rebind --stack with the name of the stack.',
      async () => {
        const [tableName, forwarder] = [physical('AWS::DynamoDB::GlobalTable', 'GatewayData'), functionName('events')];
        if (tableName === undefined || forwarder === undefined)
          return fails('the table or the events function is not in the stack');
        const stream = await streamOf(awsClient(DynamoDBClient, OPERATOR_LIMITS, stack.region), tableName);
        if (stream === undefined) return fails('the table has no stream');
        const triggers = await triggersOf(lambda, forwarder);
        const other = triggers.map(({ EventSourceArn, State }) => `${EventSourceArn} (${State})`).join(', ');
        return judge(
          readerOf(triggers, stream.arn) !== undefined,
          readerOf(triggers, stream.arn) === undefined
            ? `the stream is ${stream.arn}, what is read: ${other || 'none'}`
            : stream.arn,
        );
      },
    ),
    inAlarms(
      'the refresh sweep ran in the last minutes',
      'Tokens are not refreshed ahead of use: see the schedule and its role.',
      async () => {
        const found = functionName('refresh');
        if (found === undefined) return fails('the refresh function is not in the stack');
        const end = new Date();
        const metric = await cloudWatch.send(
          new GetMetricStatisticsCommand({
            Namespace: 'AWS/Lambda',
            MetricName: 'Invocations',
            Dimensions: [{ Name: 'FunctionName', Value: found }],
            StartTime: new Date(end.getTime() - TICK_WINDOW_MS),
            EndTime: end,
            Period: 60,
            Statistics: ['Sum'],
          }),
        );
        const runs = (metric.Datapoints ?? []).reduce((sum, { Sum = 0 }) => sum + Sum, 0);
        return judge(runs > 0, `${runs} runs in ${TICK_WINDOW_MS / 60_000} minutes`);
      },
    ),
    inAlarms(
      'the gateway’s own metrics arrive',
      'Functions cannot write metrics: their logs are not read as embedded metrics.',
      async () => {
        const namespace = metricNamespace(stack.name);
        const listed = await cloudWatch.send(new ListMetricsCommand({ Namespace: namespace }));
        const names = [...new Set((listed.Metrics ?? []).map(({ MetricName }) => MetricName ?? ''))];
        return names.length === 0
          ? notChecked(`nothing in ${namespace}: a gateway that nobody has used counts nothing`)
          : judge(true, names.toSorted().join(', '));
      },
    ),
    inAlarms('no alarm fires', 'docs/runbook.md says for each alarm what it means and what to do.', async () => {
      const names = stack.resources
        .filter(({ type }) => type === 'AWS::CloudWatch::Alarm')
        .map(({ physicalId }) => physicalId);
      if (names.length === 0) return notChecked('gateway:monitoring is off: there are no alarms');
      const firing: string[] = [];
      let seen = 0;
      // DescribeAlarms takes at most 100 names.
      for (let from = 0; from < names.length; from += 100) {
        const page = await cloudWatch.send(
          new DescribeAlarmsCommand({ AlarmNames: names.slice(from, from + 100), MaxRecords: 100 }),
        );
        seen += page.MetricAlarms?.length ?? 0;
        firing.push(
          ...(page.MetricAlarms ?? [])
            .filter(({ StateValue }) => StateValue === 'ALARM')
            .map(({ AlarmDescription }) => AlarmDescription ?? ''),
        );
      }
      return judge(
        firing.length === 0 && seen === names.length,
        firing.length > 0 ? firing.join('; ') : `${seen} of ${names.length} alarms there, none fires`,
      );
    }),
    inAlarms(
      'the alarm of nearly exhausted concurrency has a value',
      'Lambda’s quota of concurrent executions cannot be read by SERVICE_QUOTA in this region, so the alarm function-throttles never fires: watch the metric Throttles of Lambda instead.',
      () => valueOfConcurrency(cloudWatch, physical('AWS::CloudWatch::Alarm', CONCURRENCY_ALARM)),
    ),
    inQuotas(
      'the account allows enough concurrent calls',
      `Ask AWS for a higher quota of concurrent executions (Lambda, L-B99A9384): above it callers get errors. New accounts may start with 10.`,
      async () => {
        const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
        const { ConcurrentExecutions = 0, UnreservedConcurrentExecutions = 0 } = AccountLimit ?? {};
        return judge(
          UnreservedConcurrentExecutions >= USUAL_CONCURRENCY / 10,
          `${ConcurrentExecutions} in all, ${UnreservedConcurrentExecutions} not reserved; ${USUAL_CONCURRENCY} is usual`,
        );
      },
    ),
    ...(stack.outputs.DashboardUrl === undefined
      ? []
      : dashboardChecks(stack.outputs.DashboardUrl, stack.outputs.OperatorIssuer ?? '', stack.outputs.BaseUrl ?? '')),
  ];
}

/** Evaluates the expression of the concurrency alarm: the tick runs a function each minute, so a working expression has values. */
async function valueOfConcurrency(cloudWatch: CloudWatchClient, alarmName: string | undefined): Promise<Finding> {
  if (alarmName === undefined) return fails('the alarm is not in the stack');
  const { MetricAlarms = [] } = await cloudWatch.send(new DescribeAlarmsCommand({ AlarmNames: [alarmName] }));
  const MetricDataQueries = MetricAlarms[0]?.Metrics;
  if (MetricDataQueries === undefined) return fails(`${alarmName} has no expression`);
  const end = new Date();
  const { MetricDataResults = [], Messages = [] } = await cloudWatch.send(
    new GetMetricDataCommand({
      MetricDataQueries,
      StartTime: new Date(end.getTime() - TICK_WINDOW_MS),
      EndTime: end,
    }),
  );
  const values = MetricDataResults.flatMap(({ Values = [] }) => Values);
  const messages = [...Messages, ...MetricDataResults.flatMap(({ Messages: own = [] }) => own)];
  return judge(
    values.length > 0,
    values.length > 0
      ? `${Math.max(...values).toFixed(2)} % at most in ${TICK_WINDOW_MS / 60_000} minutes`
      : ['no value', ...messages.map(({ Code, Value }) => `${Code}: ${Value}`)].join('; '),
  );
}

interface Simulated {
  readonly stack: DeployedStack;
  readonly name: FunctionName;
  readonly functionName: string | undefined;
  readonly tableName: string | undefined;
  readonly keyId: string | undefined;
}

/** A right that IAM is asked about. */
interface AskedRight {
  readonly action: string;
  readonly resource: string;
  readonly allowed: boolean;
  readonly context?: {
    readonly ContextKeyName: string;
    readonly ContextKeyValues: string[];
    readonly ContextKeyType: 'string' | 'stringList';
  };
}

const writesOf = (name: FunctionName): WriteRights => TABLE_WRITES[name];

/** Partitions of the first of some families that a deployment has; empty where it has none. */
function firstDeployed(families: readonly KeyFamily[], without: readonly string[]): readonly string[] {
  const leftOut = familiesOf(without);
  return families
    .filter((family) => !leftOut.has(family))
    .slice(0, 1)
    .map((family) => KEY_FAMILIES[family]);
}

/** Whether deployments without features may lack a function. */
function isOptional(name: FunctionName): boolean {
  return functionsWithout(FEATURE_IDS).has(name);
}

/** Ids of the features that a deployment leaves out, as its functions know it. */
function featuresLeftOut({ Environment }: GetFunctionConfigurationCommandOutput): readonly string[] {
  return Environment?.Variables?.[ENVIRONMENT.withoutFeatures]?.split(',') ?? [];
}

/** Functions of the features that a deployment leaves out. */
async function functionsLeftOut(lambda: LambdaClient, proxy: string | undefined): Promise<ReadonlySet<string>> {
  if (proxy === undefined) return new Set();
  const without = featuresLeftOut(await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: proxy })));
  return functionsWithout(without);
}

/** Simulates a function's permissions in IAM: some that it needs, and some that no function may have. */
async function simulateRights(iam: IAMClient, lambda: LambdaClient, given: Simulated): Promise<Finding> {
  const { stack, functionName, tableName, keyId } = given;
  if (functionName === undefined || tableName === undefined || keyId === undefined) {
    return fails('a function, the table or the key is not in the stack');
  }
  const deployed = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName: functionName }));
  const { Role: roleArn = '' } = deployed;
  const without = featuresLeftOut(deployed);
  const leftOut = purposesOf(without);
  const purposes: readonly KeyPurpose[] = DATA_KEY_PURPOSES[given.name].filter((name) => !leftOut.has(name));
  const [, partition = 'aws', , , account = ''] = roleArn.split(':');
  const table = `arn:${partition}:dynamodb:${stack.region}:${account}:table/${tableName}`;
  const key = `arn:${partition}:kms:${stack.region}:${account}:key/${keyId}`;
  const otherSecret = `arn:${partition}:secretsmanager:${stack.region}:${account}:secret:verify-not-the-gateways-AbCdEf`;
  const purpose = (name: KeyPurpose) => ({
    ContextKeyName: 'kms:EncryptionContext:purpose',
    ContextKeyValues: [name],
    ContextKeyType: 'string' as const,
  });
  const items = (pattern: string) => ({
    ContextKeyName: 'dynamodb:LeadingKeys',
    ContextKeyValues: [pattern],
    ContextKeyType: 'stringList' as const,
  });
  const isInbox = given.name === 'inbox';
  const isEvents = given.name === 'events';
  const isRollUp = given.name === 'roll-up';
  const reachesItems = !isEvents && !['approvals', 'declared', 'mcp'].includes(given.name);
  const asked: readonly AskedRight[] = [
    // Its senders are unauthenticated: rows that deployed features declare, no feed, no connection, no token (SH-4).
    ...(isInbox
      ? [
          ...firstDeployed(TABLE_READS.inbox.GetItem, without).map((family) => ({
            action: 'dynamodb:GetItem',
            resource: table,
            allowed: true,
            context: items(`${family}#a`),
          })),
          ...firstDeployed(TABLE_WRITES.inbox.UpdateItem, without).map((family) => ({
            action: 'dynamodb:UpdateItem',
            resource: table,
            allowed: true,
            context: items(`${family}#a`),
          })),
          { action: 'dynamodb:GetItem', resource: table, allowed: false, context: items('CONNECTION#a') },
          { action: 'dynamodb:UpdateItem', resource: table, allowed: false, context: items('FEED#a') },
        ]
      : isRollUp
        ? [
            // Sums of calls, and nothing of a connection.
            { action: 'dynamodb:PutItem', resource: table, allowed: true, context: items('PAGE#a') },
            { action: 'dynamodb:GetItem', resource: table, allowed: false, context: items('CONNECTION#a') },
          ]
        : [
            { action: 'dynamodb:GetItem', resource: table, allowed: reachesItems, context: items('ACCOUNT#a') },
            {
              ...{ action: 'dynamodb:UpdateItem', resource: table, context: items('ACCOUNT#a') },
              allowed: writesOf(given.name).UpdateItem?.includes('account') === true,
            },
          ]),
    // Any stream of the table: one that is enabled again, as after a restore, has another name.
    ...(isEvents
      ? [
          { action: 'dynamodb:GetRecords', resource: `${table}/stream/2026-01-01T00:00:00.000`, allowed: true },
          { action: 'events:PutEvents', resource: stack.outputs.EventBusArn ?? '', allowed: true },
        ]
      : []),
    // A secret key reads refresh tokens: two functions may write the row of one (IN-11).
    ...(['PutItem', 'UpdateItem'] as const).map((action) => ({
      action: `dynamodb:${action}`,
      resource: table,
      allowed: writesOf(given.name)[action]?.includes('key') === true,
      context: items('KEY#a'),
    })),
    // Tokens, and one of the other purposes that the function has (IN-12).
    ...[...new Set<KeyPurpose>(['tokens', ...purposes.slice(-1)])].map((name) => ({
      action: 'kms:Decrypt',
      resource: key,
      allowed: purposes.includes(name),
      context: purpose(name),
    })),
    { action: 'kms:Decrypt', resource: key, allowed: false },
    { action: 'dynamodb:Scan', resource: table, allowed: false },
    { action: 'dynamodb:DeleteTable', resource: table, allowed: false },
    { action: 'kms:ScheduleKeyDeletion', resource: key, allowed: false },
    { action: 'secretsmanager:GetSecretValue', resource: otherSecret, allowed: false },
    ...(given.name === 'refresh' || Object.hasOwn(FEATURE_SWEEPS, given.name)
      ? [{ action: 'dynamodb:Query', resource: `${table}/index/${TABLE.indexes.due.name}`, allowed: true }]
      : []),
  ];
  const wrong: string[] = [];
  for (const { action, resource, allowed, context } of asked) {
    const simulated = await iam
      .send(
        new SimulatePrincipalPolicyCommand({
          PolicySourceArn: roleArn,
          ActionNames: [action],
          ResourceArns: [resource],
          ...(context === undefined ? {} : { ContextEntries: [context] }),
        }),
      )
      .catch((error: unknown) => messageOf(error));
    if (typeof simulated === 'string')
      return notChecked(`IAM simulates no policies for your credentials: ${simulated}`);
    const decision = simulated.EvaluationResults?.[0]?.EvalDecision;
    if ((decision === 'allowed') !== allowed)
      wrong.push(`${action}${contextText(context)}: ${decision ?? 'no decision'}`);
  }
  return wrong.length === 0 ? holds(`${asked.length} questions answered as expected`) : fails(wrong.join('; '));
}

/** The context of a simulated action, for a finding. */
function contextText(
  context: { readonly ContextKeyName: string; readonly ContextKeyValues: readonly string[] } | undefined,
): string {
  if (context === undefined) return '';
  return context.ContextKeyName === 'dynamodb:LeadingKeys' ? ` of ${context.ContextKeyValues.join()}` : ' for tokens';
}

/** Public permissions of a function with a public URL (Lambda guide, "Control access to Lambda function URLs"). */
const PUBLIC_URL = ['lambda:InvokeFunction through its URL', 'lambda:InvokeFunctionUrl without a signature'];

const statementsSchema = z.looseObject({
  Statement: z.array(
    z.looseObject({
      Effect: z.string(),
      Principal: z.unknown(),
      Action: z.string(),
      Condition: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
    }),
  ),
});

/** Public permissions in a function's policy, in order; each with the condition that restricts it to the URL. */
async function openToEveryone(lambda: LambdaClient, FunctionName: string): Promise<string[]> {
  const answer = await lambda.send(new GetPolicyCommand({ FunctionName })).catch((error: unknown) => {
    if (error instanceof NoPolicy) return undefined;
    throw error;
  });
  const { Statement } = statementsSchema.parse(JSON.parse(answer?.Policy ?? '{"Statement":[]}'));
  return Statement.filter(
    ({ Effect, Principal }) => Effect === 'Allow' && /^("\*"|\{"AWS":"\*"\})$/.test(JSON.stringify(Principal)),
  )
    .map(({ Action, Condition }) => {
      const conditions = Object.assign({}, ...Object.values(Condition));
      if (conditions['lambda:FunctionUrlAuthType'] === 'NONE') return `${Action} without a signature`;
      return String(conditions['lambda:InvokedViaFunctionUrl']) === 'true' ? `${Action} through its URL` : Action;
    })
    .toSorted();
}
