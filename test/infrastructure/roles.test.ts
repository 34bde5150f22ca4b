import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERYTHING_ON } from '../../dev/support/option-samples.ts';
import { flatten, resourcesOf, synthesize } from '../../dev/support/synthesize.ts';

const oneOrMany = <T extends z.ZodType>(item: T) => z.union([z.array(item), item.transform((one) => [one])]);

const statementSchema = z.strictObject({
  // What the CDK itself adds for traces has none.
  Sid: z.string().default('(no name)'),
  Effect: z.literal('Allow'),
  Action: oneOrMany(z.string()),
  Resource: oneOrMany(z.unknown()),
  Condition: z.unknown().optional(),
});

const policySchema = z.object({
  PolicyDocument: z.object({ Statement: z.array(statementSchema) }),
  Roles: z.tuple([z.strictObject({ Ref: z.string() })]),
});

interface Statement {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly condition?: unknown;
}

const TABLE = '<GatewayDataTable.Arn>';
const CALL_LOG = '<GatewayCallLogTable.Arn>';
const JOURNAL = '<GatewayJournalTable.Arn>';
const KEY = '<GatewayTokenKey.Arn>';
const SECRETS = 'arn:aws:secretsmanager:us-east-1:<AWS::AccountId>:secret:IntegrationGateway';
const INTEGRATION_SECRETS = `${SECRETS}/integration/*`;
const TEST_CREDENTIALS = `${SECRETS}/test-credentials/*`;
const THROUGH_DYNAMODB = { StringEquals: { 'kms:ViaService': 'dynamodb.us-east-1.amazonaws.com' } };

const writeLogs = (fn: string): Statement => ({
  actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
  resources: [`<Gateway${fn}Logs.Arn>`],
});

const useTable = (...names: string[]): Statement => ({
  actions: names.map((name) => `dynamodb:${name}`),
  resources: [TABLE],
});

const queryIndexes = (...names: string[]): Statement => ({
  actions: ['dynamodb:Query'],
  resources: names.map((name) => `${TABLE}/index/${name}`),
});
/** Keys only: an idle tick reads the index of what is due at once. */
const scanDue: Statement = { actions: ['dynamodb:Scan'], resources: [`${TABLE}/index/due`] };

const onPartitions = (...patterns: string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
});

/** Families that are one partition. */
const SINGLE = new Set(['HEARTBEAT', 'TICKS']);

/** One action, on some families of items only. */
const write = (action: string, ...families: string[]): Statement => ({
  ...useTable(action),
  condition: onPartitions(...families.map((family) => (SINGLE.has(family) ? family : `${family}#*`))),
});

/** Actions on the rows of approvals in the call log's table. */
const onApprovals = (...names: string[]): Statement => ({
  actions: names.map((name) => `dynamodb:${name}`),
  resources: [CALL_LOG],
  condition: onPartitions('APPROVAL#*', 'APPROVALPART#*', 'APPROVALLINK#*', 'APPROVALOF#*', 'APPROVALDUE#*'),
});

const tableKeyUse: Statement = {
  actions: [
    'kms:Decrypt',
    'kms:DescribeKey',
    'kms:Encrypt',
    'kms:GenerateDataKey',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  ],
  resources: [KEY],
  condition: THROUGH_DYNAMODB,
};

const wrap = (...purposes: string[]): Statement => ({
  actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
  resources: [KEY],
  condition: { StringEquals: { 'kms:EncryptionContext:purpose': purposes } },
});

/** The table's key, and data keys of some purposes: `tokens` opens refresh and access tokens, `clients` the secrets of OAuth clients that are rows. */
const keyUse = (...purposes: string[]): Record<string, Statement> => ({
  UseTableKey: tableKeyUse,
  WrapDataKeys: wrap(...purposes),
});
const WrapJournalDataKeys = wrap('journal');

const readClientCredentials: Statement = {
  actions: ['secretsmanager:GetSecretValue'],
  resources: [INTEGRATION_SECRETS, TEST_CREDENTIALS],
};

const READS = ['BatchGetItem', 'ConditionCheckItem', 'GetItem'];
const READS_AND_QUERY = [...READS, 'Query'];

const EXPECTED: Record<string, Record<string, Statement>> = {
  GatewayProxyRole: {
    WriteLogs: writeLogs('Proxy'),
    UseTable: useTable(...READS),
    // Connections of an assistant's end user.
    QueryLists: write('Query', 'LISTED'),
    PutItem: write(
      'PutItem',
      'ACCOUNT',
      'CONNECTION',
      'ESCROW',
      'EVENT',
      'LISTED',
      'SERVERTOOLS',
      'SESSION',
      'SESSIONOF',
    ),
    UpdateItem: write('UpdateItem', 'ACCOUNT', 'CONNECTION', 'USAGE', 'CALLS'),
    QueryIndexes: queryIndexes('byGrant'),
    WriteCallLog: { actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'], resources: [CALL_LOG] },
    WriteJournal: { actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'], resources: [JOURNAL] },
    ReadApprovals: onApprovals('GetItem', 'Query'),
    ReadClientCredentials: readClientCredentials,
    ...keyUse('tokens', 'clients', 'approvals', 'cursors'),
    WrapJournalDataKeys,
  },
  GatewayApprovalsRole: {
    WriteLogs: writeLogs('Approvals'),
    // As the function of assistants.
    AskProxy: { actions: ['lambda:InvokeFunction'], resources: ['<GatewayProxyDoorForApprovals>'] },
  },
  GatewayMcpRole: {
    WriteLogs: writeLogs('Mcp'),
    // No table, no key, no secret; under this name only, so that it cannot send events of API Gateway (TB-2).
    AskProxy: { actions: ['lambda:InvokeFunction'], resources: ['<GatewayProxyDoorForMcp>'] },
  },
  GatewayOAuthCallbackRole: {
    WriteLogs: writeLogs('OAuthCallback'),
    UseTable: useTable(...READS),
    PutItem: write('PutItem', 'ACCOUNT', 'CONNECTION', 'ESCROW', 'EVENT', 'LISTED', 'SEARCH'),
    UpdateItem: write('UpdateItem', 'ACCOUNT', 'CONNECTION', 'USAGE', 'AUTHORIZATION', 'CONSENTS', 'SESSION'),
    QueryIndexes: queryIndexes('byGrant'),
    ReadClientCredentials: readClientCredentials,
    ...keyUse('tokens', 'clients', 'flows'),
  },
  GatewayConnectRole: {
    WriteLogs: writeLogs('Connect'),
    UseTable: write('GetItem', 'ACCOUNT', 'CONNECTION', 'SESSION'),
    QueryAccounts: write('Query', 'ACCOUNT'),
    DeleteItem: write('DeleteItem', 'SESSION'),
    PutItem: write('PutItem', 'ACCOUNT', 'AUTHORIZATION', 'EVENT'),
    UpdateItem: write('UpdateItem', 'ACCOUNT', 'SESSION'),
    ...keyUse('flows'),
  },
  GatewayManagementRole: {
    WriteLogs: writeLogs('Management'),
    UseTable: useTable(...READS_AND_QUERY),
    DeleteItem: write('DeleteItem', 'ACCOUNT', 'SECURITYPROJECT', 'SESSION', 'SESSIONOF'),
    PutItem: write('PutItem', 'ACCOUNT', 'EVENT', 'KEY', 'SERVERTOOLS', 'SESSION', 'SESSIONOF', 'WEBHOOK'),
    UpdateItem: write('UpdateItem', 'ACCOUNT', 'CALLS', 'KEY', 'SECURITYPROJECT', 'WEBHOOK', 'SESSION'),
    QueryIndexes: queryIndexes('byAccount', 'byGrant'),
    ReadCallLog: { actions: ['dynamodb:GetItem', 'dynamodb:Query'], resources: [CALL_LOG] },
    QueryCallLogIndexes: {
      actions: ['dynamodb:Query'],
      resources: [`${CALL_LOG}/index/byRequest`, `${CALL_LOG}/index/failures`],
    },
    // No key of tokens and no secret (TB-1).
    ...keyUse('webhooks', 'answers', 'cursors'),
  },
  GatewayGrantsRole: {
    WriteLogs: writeLogs('Grants'),
    UseTable: useTable(...READS_AND_QUERY),
    // No secret key (TB-1).
    DeleteItem: write(
      'DeleteItem',
      'ACCOUNT',
      'CLIENTSECRET',
      'CONNECTION',
      'CONSENTS',
      'LISTED',
      'CHANNEL',
      'FEED',
      'FEEDMARK',
      'FEEDOF',
      'SESSION',
      'SESSIONOF',
    ),
    PutItem: write(
      'PutItem',
      'ACCOUNT',
      'CONNECTION',
      'ESCROW',
      'EVENT',
      'LISTED',
      'CLIENTSECRET',
      'SEARCH',
      'CHANNEL',
      'FEED',
      'FEEDMARK',
      'FEEDOF',
    ),
    UpdateItem: write(
      'UpdateItem',
      'ACCOUNT',
      'CONNECTION',
      'USAGE',
      'CALLS',
      'CONSENTS',
      'FEED',
      'FEEDMARK',
      'FEEDQUOTA',
      'SESSION',
    ),
    QueryIndexes: queryIndexes('byAccount', 'byGrant'),
    ReadCallLog: {
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
      resources: [CALL_LOG],
    },
    DecideApprovals: onApprovals('UpdateItem'),
    QueryCallLogIndexes: {
      actions: ['dynamodb:Query'],
      resources: [`${CALL_LOG}/index/byRequest`, `${CALL_LOG}/index/failures`],
    },
    UndoFromJournal: {
      actions: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'].map(
        (name) => `dynamodb:${name}`,
      ),
      resources: [JOURNAL],
    },
    QueryJournalByKey: { actions: ['dynamodb:Query'], resources: [`${JOURNAL}/index/byKey`] },
    KeepTestCredentials: {
      actions: ['CreateSecret', 'GetSecretValue', 'PutSecretValue'].map((name) => `secretsmanager:${name}`),
      resources: [TEST_CREDENTIALS],
    },
    KeepIntegrationCredentials: {
      actions: ['CreateSecret', 'DeleteSecret', 'GetSecretValue', 'PutSecretValue'].map(
        (name) => `secretsmanager:${name}`,
      ),
      resources: [INTEGRATION_SECRETS],
    },
    ...keyUse('tokens', 'clients', 'approvals', 'answers', 'cursors'),
    WrapJournalDataKeys,
  },
  GatewayRefreshRole: {
    WriteLogs: writeLogs('Refresh'),
    UseTable: useTable(...READS_AND_QUERY),
    DeleteItem: write('DeleteItem', 'ACCOUNT', 'CONNECTION', 'CONSENTS', 'ESCROW', 'LISTED', 'SECURITYPROJECT'),
    PutItem: write('PutItem', 'ACCOUNT', 'CONNECTION', 'ESCROW', 'EVENT', 'LISTED', 'HEARTBEAT', 'KEY', 'SEARCH'),
    UpdateItem: write(
      'UpdateItem',
      'ACCOUNT',
      'CONNECTION',
      'USAGE',
      'CALLS',
      'CONSENTS',
      'ESCROW',
      'KEY',
      'SECURITYEVENT',
      'SECURITYPROJECT',
      'SWEEP',
      'TICKS',
    ),
    QueryIndexes: queryIndexes('byAccount', 'byGrant', 'due'),
    ScanIndexes: scanDue,
    ClearCallLog: { actions: ['dynamodb:DeleteItem', 'dynamodb:Query'], resources: [CALL_LOG] },
    EndApprovals: onApprovals('GetItem', 'UpdateItem'),
    ClearJournal: { actions: ['dynamodb:DeleteItem', 'dynamodb:Query'], resources: [JOURNAL] },
    ReadClientCredentials: readClientCredentials,
    KeepFirstSecretKey: {
      actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
      resources: ['<GatewaySecretsFirstSecretKey>'],
    },
    ...keyUse('tokens', 'clients', 'webhooks'),
  },
  GatewayDeliverRole: {
    WriteLogs: writeLogs('Deliver'),
    UseTable: write('GetItem', 'ACCOUNT', 'WEBHOOK'),
    QueryRows: write('Query', 'ACCOUNT'),
    PutItem: write('PutItem', 'EVENT', 'WEBHOOK'),
    UpdateItem: write('UpdateItem', 'ACCOUNT', 'SWEEP', 'TICKS', 'WEBHOOK'),
    QueryIndexes: queryIndexes('due'),
    ScanIndexes: scanDue,
    KeepDeadLetters: { actions: ['sqs:SendMessage'], resources: ['<GatewayWebhooksDeadLetters.Arn>'] },
    ...keyUse('webhooks'),
  },
  GatewayWebhooksScheduleInvokerRole: {
    InvokeDeliver: { actions: ['lambda:InvokeFunction'], resources: ['<GatewayDeliverFunction.Arn>'] },
  },
  // TB-5: no key of tokens, no secret, no connection, and no place of a feed but to delete it.
  GatewayFeedsRole: {
    WriteLogs: writeLogs('Feeds'),
    UseTable: useTable(...READS),
    DeleteItem: write('DeleteItem', 'CHANNEL', 'FEED', 'FEEDMARK', 'FEEDOF'),
    PutItem: write('PutItem', 'ACCOUNT', 'CHANNEL', 'EVENT', 'FEED', 'FEEDMARK'),
    UpdateItem: write('UpdateItem', 'CALLS', 'FEED', 'FEEDMARK', 'FEEDQUOTA', 'SWEEP', 'TICKS'),
    QueryRows: write('Query', 'FEED', 'FEEDOF'),
    QueryIndexes: queryIndexes('due'),
    ScanIndexes: scanDue,
    AskCore: { actions: ['lambda:InvokeFunction'], resources: ['<GatewayCoreDoorForFeeds>'] },
    ...keyUse('cursors'),
  },
  // Refreshes and calls of feeds; of feeds it writes what 0.2.0 left: places, and sealed positions.
  GatewayCoreRole: {
    WriteLogs: writeLogs('Core'),
    UseTable: useTable(...READS),
    DeleteItem: write('DeleteItem', 'FEEDOF'),
    PutItem: write('PutItem', 'ACCOUNT', 'CONNECTION', 'ESCROW', 'EVENT', 'LISTED', 'FEEDOF'),
    UpdateItem: write('UpdateItem', 'ACCOUNT', 'CONNECTION', 'USAGE', 'FEED'),
    QueryRows: write('Query', 'FEED'),
    QueryIndexes: queryIndexes('byGrant'),
    ReadClientCredentials: readClientCredentials,
    ...keyUse('tokens', 'clients', 'cursors'),
  },
  // SH-4: nobody who calls it has shown who they are. No key of tokens, no secret, no feed, no connection.
  GatewayInboxRole: {
    WriteLogs: writeLogs('Inbox'),
    UseTable: write('GetItem', 'CHANNEL', 'SECURITYPROJECT'),
    PutItem: write('PutItem', 'SECURITYEVENT'),
    UpdateItem: write('UpdateItem', 'FEEDMARK', 'EVIDENCE', 'SECURITYPROJECT'),
    InvokeFeeds: { actions: ['lambda:InvokeFunction'], resources: ['<GatewayFeedsFunction.Arn>'] },
    InvokeRefresh: { actions: ['lambda:InvokeFunction'], resources: ['<GatewayRefreshFunction.Arn>'] },
    UseTableKey: tableKeyUse,
  },
  // No table, no key, no secret: those of stacks are granted to it by them.
  GatewayDeclaredRole: {
    WriteLogs: writeLogs('Declared'),
    AskManagement: {
      actions: ['lambda:InvokeFunction'],
      resources: ['<GatewayGrantsFunction.Arn>:$LATEST', '<GatewayManagementFunction.Arn>:$LATEST'],
    },
  },
  GatewayCallBookScheduleInvokerRole: {
    InvokeRollUp: { actions: ['lambda:InvokeFunction'], resources: ['<GatewayRollUpFunction.Arn>'] },
  },
  GatewayFeedScheduleInvokerRole: {
    InvokeFeeds: { actions: ['lambda:InvokeFunction'], resources: ['<GatewayFeedsFunction.Arn>'] },
  },
  GatewayScheduleInvokerRole: {
    InvokeRefresh: { actions: ['lambda:InvokeFunction'], resources: ['<GatewayRefreshFunction.Arn>'] },
  },
  // It sees whole items in the stream, and reaches neither table nor fields.
  // Asks one log, writes sums and events of accounts about quotas: of accounts it may query what integrations say of their quotas (PC-25).
  GatewayRollUpRole: {
    WriteLogs: writeLogs('RollUp'),
    UseTable: write('GetItem', 'BOOK', 'PAGE'),
    QueryPages: write('Query', 'ACCOUNT', 'BOOK', 'PAGE'),
    PutItem: write('PutItem', 'ACCOUNT', 'BOOK', 'EVENT', 'PAGE'),
    UpdateItem: write('UpdateItem', 'TICKS'),
    AskLogOfCalls: {
      actions: ['logs:StartQuery'],
      resources: ['<GatewayFeedsLogs.Arn>', '<GatewayGrantsLogs.Arn>', '<GatewayProxyLogs.Arn>'],
    },
    ReadAnswers: { actions: ['cloudwatch:GetMetricData', 'logs:GetQueryResults'], resources: ['*'] },
    UseTableKey: tableKeyUse,
  },
  GatewayEventsToBusRole: {
    WriteLogs: writeLogs('EventsToBus'),
    ReadTableStream: {
      actions: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((name) => `dynamodb:${name}`),
      resources: [`${TABLE}/stream/*`],
    },
    DecryptTableStream: { actions: ['kms:Decrypt'], resources: [KEY], condition: THROUGH_DYNAMODB },
    PutEvents: { actions: ['events:PutEvents'], resources: ['<GatewayEventsBus.Arn>'] },
    KeepDeadLetters: { actions: ['sqs:SendMessage'], resources: ['<GatewayWebhooksDeadLetters.Arn>'] },
  },
};

/** Statements by role and name. */
function statementsOf(template: Template): Record<string, Record<string, Statement>> {
  const policies = Object.values(resourcesOf(template, 'AWS::IAM::Policy')).map(({ Properties }) =>
    policySchema.parse(Properties),
  );
  return Object.fromEntries(
    policies.map(({ PolicyDocument, Roles }) => [
      flatten(Roles[0]).slice(1, -1),
      Object.fromEntries(
        PolicyDocument.Statement.map(({ Sid, Action, Resource, Condition }) => [
          Sid,
          {
            actions: Action.toSorted(),
            resources: Resource.map(flatten).toSorted(),
            ...(Condition === undefined ? {} : { condition: Condition }),
          },
        ]),
      ),
    ]),
  );
}

const template = await synthesize();

describe('roles', () => {
  it.each(Object.entries(EXPECTED))('CR-7, SH-4, IN-11: %s may do exactly this', (role, allowed) => {
    expect(statementsOf(template)[role]).toEqual(allowed);
  });

  it('CR-7: roles may do no more with every option used, but write traces, and events reach no bus but the given one', async () => {
    const { GatewayEventsToBusRole: events, ...others } = statementsOf(await synthesize(EVERYTHING_ON));
    const traces = { actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], resources: ['*'] };
    expect(events).toEqual({
      ...EXPECTED.GatewayEventsToBusRole,
      PutEvents: { actions: ['events:PutEvents'], resources: [EVERYTHING_ON.eventBusArn] },
      '(no name)': traces,
    });
    const secrets = (name: string) => `:secret:${name}/`;
    const expected: typeof EXPECTED = JSON.parse(
      JSON.stringify(EXPECTED).replaceAll(secrets('IntegrationGateway'), secrets(EVERYTHING_ON.stackName ?? '')),
    );
    // It comes with a company's sign-in, and is traced by nobody.
    expected.GatewayDashboardSignInRolesRole = {
      WriteLogs: {
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: ['<GatewayDashboardSignInRolesLogs.Arn>'],
      },
    };
    for (const [role, statements] of Object.entries(others)) {
      const isTraced = !role.endsWith('InvokerRole') && role !== 'GatewayDashboardSignInRolesRole';
      const traced = isTraced ? { '(no name)': traces } : {};
      expect(statements).toEqual({ ...expected[role], ...traced });
    }
  });

  it('roles fit into what IAM takes of a role’s policies, with every option used', async () => {
    const most = Object.values(resourcesOf(await synthesize(EVERYTHING_ON), 'AWS::IAM::Policy')).map(({ Properties }) =>
      // Names of resources are shorter in the template than the ARNs that they become; each is counted with the longest.
      JSON.stringify(policySchema.parse(Properties).PolicyDocument).replaceAll(
        /\{"(?:Ref|Fn::GetAtt)":[^}]+\}/g,
        `"${'x'.repeat(160)}"`,
      ),
    );
    for (const text of most) expect(text.length).toBeLessThan(10_240 * 0.8);
  });

  it('roles are no others than these, and none has a managed or inline policy', () => {
    const roles = resourcesOf(template, 'AWS::IAM::Role');
    const names = Object.keys(roles).map((logicalId) => flatten({ Ref: logicalId }).slice(1, -1));
    expect(names.toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
    for (const { Properties } of Object.values(roles)) {
      expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
    }
  });

  it('roles are assumed by the scheduler only on behalf of this account', () => {
    const own = { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } };
    const Statement = [{ Principal: { Service: 'scheduler.amazonaws.com' }, Condition: { StringEquals: own } }];
    template.hasResourceProperties('AWS::IAM::Role', { AssumeRolePolicyDocument: { Statement } });
  });
});
