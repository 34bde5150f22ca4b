/**
 * Names that synth time (`lib/`), run time (`lambdas/`) and the local runtime (`dev/local/`) all use. Imports nothing but the features' own names.
 */
import { FEATURE_METRICS } from '../../features/index.ts';

/** The functions of the stack: folder under `lambdas/`, bundle under `dist/lambdas/`. */
export const FUNCTION_NAMES = [
  'proxy',
  'oauth-callback',
  'connect',
  'management',
  'refresh',
  'deliver',
  'feeds',
  'inbox',
  'events',
  'roll-up',
  'mcp',
  'approvals',
] as const;
export type FunctionName = (typeof FUNCTION_NAMES)[number];

/** Environment variables every function receives, except where noted. */
export const ENVIRONMENT = {
  /** Name of the one DynamoDB table. */
  tableName: 'TABLE_NAME',
  /** Public address of the gateway without a trailing slash; may end in a stage path. */
  baseUrl: 'BASE_URL',
  /**
   * Public address of proxied calls where they have a front door of their own. Management function; the proxy where a distribution
   * stands before its function URL, whose address it could not be told otherwise.
   */
  proxyUrl: 'PROXY_URL',
  /** What that distribution sends in `x-gateway-door`. Proxy function. */
  doorSecret: 'PROXY_DOOR_SECRET',
  /** ARN of the KMS key that wraps the data keys. */
  tokenKeyArn: 'TOKEN_KEY_ARN',
  /** Name prefix of the secrets made at run time: `<prefix>/integration/<account>/<integration>`. */
  secretPrefix: 'SECRET_PREFIX',
  /** CloudWatch namespace of the metrics that functions count. */
  metricNamespace: 'METRIC_NAMESPACE',
  /** ARN of the secret that holds the first secret key. Refresh function only. */
  firstSecretKeyArn: 'FIRST_SECRET_KEY_ARN',
  /** Comma-separated origins that may frame the connect page and receive its messages; may be empty. Connect and callback functions. */
  connectAllowedOrigins: 'CONNECT_ALLOWED_ORIGINS',
  /** Comma-separated URLs a connect session may return the browser to; may be empty. */
  connectReturnUrls: 'CONNECT_RETURN_URLS',
  /** How the connect page names the app that asks for access; may be empty. Connect function. */
  connectAppName: 'CONNECT_APP_NAME',
  /** Media type of the file `logo` alongside the bundle, or a picture as `data:` URI. */
  connectLogo: 'CONNECT_LOGO',
  /** Accent, hover and text on it, light and then dark: `#0b57d0 #0947ab #ffffff,#a8c7fa #c4d9fc #062e6f`. */
  connectAccent: 'CONNECT_ACCENT',
  /** Calls one secret key may make in a minute; 0 = no limit. Proxy and management functions. */
  callsPerMinutePerKey: 'CALLS_PER_MINUTE_PER_KEY',
  /** Proxied calls one connection may take in a minute; 0 = no limit. Proxy and management functions. */
  callsPerMinutePerConnection: 'CALLS_PER_MINUTE_PER_CONNECTION',
  /** Long calls one secret key may have under way; 0 = no limit. Proxy function. */
  longCallsPerKey: 'LONG_CALLS_PER_KEY',
  /** Long calls one connection may have under way; 0 = no limit. Proxy function. */
  longCallsPerConnection: 'LONG_CALLS_PER_CONNECTION',
  /** Wrong or missing keys one address may send one process in a minute; 0 = no limit. Proxy and management functions. */
  wrongKeysPerMinutePerAddress: 'WRONG_KEYS_PER_MINUTE_PER_ADDRESS',
  /** Which calls leave a row in the call log, one of `CALL_LOG_MODES`. Proxy and management functions. */
  callLog: 'CALL_LOG',
  /** Name of the call log's table. Proxy, management and refresh functions. */
  callLogTableName: 'CALL_LOG_TABLE_NAME',
  /** Days that a row of the call log is shown and kept. Proxy and management functions. */
  callLogRetentionDays: 'CALL_LOG_RETENTION_DAYS',
  /** Ids of features that the deployment leaves out, with commas; absent: none. */
  withoutFeatures: 'WITHOUT_FEATURES',
  /** OIDC issuer of operators; absent where the deployment has no dashboard. Management function. */
  operatorIssuer: 'OPERATOR_ISSUER',
  /** Client id that operators' access tokens must name. Set together with the issuer. */
  operatorClientId: 'OPERATOR_CLIENT_ID',
  /** Whose access tokens assistants may bring, JSON of `AgentSignIn`; empty: nobody's. Function of assistants. */
  agentSignIn: 'AGENT_SIGN_IN',
  /** Whether every sign-in of operators has a second factor, one of `OPERATOR_MFA`. Management function. */
  operatorMfa: 'OPERATOR_MFA',
  /** Who may decide on calls that wait, one of `APPROVERS`. Management and approvals functions. */
  approvers: 'APPROVERS',
  /** Whether assistants are served over the REST APIs, one of `AGENTS_OVER_REST`. Management and mcp functions. */
  agentsOverRest: 'AGENTS_OVER_REST',
  /** Name of the function that works on feeds. Inbox function. */
  feedsFunctionName: 'FEEDS_FUNCTION_NAME',
  /** Name of the function that refreshes tokens. Inbox function. */
  refreshFunctionName: 'REFRESH_FUNCTION_NAME',
  /** Share of a Cloud project's calls a minute that feeds may take, in percent. Feeds and management functions. */
  feedSharePercent: 'FEED_SHARE_PERCENT',
  /** What becomes of calls once a Cloud project's day at the provider is used up, `warn` or `stop`. Roll-up function. */
  dayLimit: 'DAY_LIMIT',
  /** ARN of the event bus. Events function, as the next two. */
  eventBusArn: 'EVENT_BUS_ARN',
  /** Where the bus takes events: the address of EventBridge in the deployment's region. */
  eventBusEndpoint: 'EVENT_BUS_ENDPOINT',
  /** Address of the queue for events that were given up. */
  deadLettersUrl: 'DEAD_LETTERS_URL',
  /** Name of the proxy's log group. Roll-up function, as the next four. */
  proxyLogGroup: 'PROXY_LOG_GROUP',
  /** Log groups of functions that call the provider for the gateway itself, with commas between. */
  otherLogGroups: 'OTHER_LOG_GROUPS',
  /** Days that the proxy's log keeps its lines. */
  proxyLogRetentionDays: 'PROXY_LOG_RETENTION_DAYS',
  /** Name of the proxy function, under which Lambda counts its invocations. */
  proxyFunctionName: 'PROXY_FUNCTION_NAME',
  /** Addresses of CloudWatch Logs and of CloudWatch in the deployment's region. */
  logsEndpoint: 'LOGS_ENDPOINT',
  metricsEndpoint: 'METRICS_ENDPOINT',
  /** Origin of the dashboard, without a trailing slash. Management, connect and callback functions. */
  dashboardOrigin: 'DASHBOARD_ORIGIN',
  /**
   * `true`: webhook endpoints may be on this computer. The stack always says `false`; only the local runtime says otherwise, and it
   * counts only where the gateway itself is on loopback. Management and deliver functions.
   */
  webhooksToLoopback: 'WEBHOOKS_TO_LOOPBACK',
} as const;

/** Front doors for proxied calls: the REST API, which has them all, or alongside it a function URL. */
export const FRONT_DOORS = ['rest-api', 'function-url'] as const;

/** Below it API Gateway checks AWS signatures, and callers are IAM roles. */
export const SIGNED_PREFIX = '/iam';

/** Header of the gateway's own in which a distribution in front of the function URL sends its secret. */
export const DOOR_SECRET_HEADER = 'x-gateway-door';

/** Who may decide on calls that wait for a person. */
export const APPROVERS = ['operator', 'end_user', 'both'] as const;
export type Approvers = (typeof APPROVERS)[number];

/** Whether assistants are served over the REST APIs, with ordinary OAuth clients. */
export const AGENTS_OVER_REST = ['allow', 'refuse'] as const;
export type AgentsOverRest = (typeof AGENTS_OVER_REST)[number];

/** Begin of the state of a sign-in on the page of an approval: by it the callback knows where the browser continues. */
export const APPROVAL_SIGN_IN_STATE = 'approve.';

/** An issuer whose access tokens assistants may bring to `/mcp`. */
export interface AgentSignIn {
  /** As tokens have it, byte for byte. */
  readonly issuer: string;
  /** What a token's `aud` must hold one of. @default the address of `/mcp` */
  readonly audiences?: readonly string[] | undefined;
  /** The claim that equals the id of the end user. */
  readonly subjectClaim: string;
  /** Integrations whose connections such assistants have. */
  readonly integrations: readonly string[];
  /** Page of the app where the signed-in user comes back with a new connection, which the app's backend confirms. @default no links are made */
  readonly confirmUrl?: string | undefined;
  /** What they may do in addition to what their scopes say, in the API's words. @default what an agent key may */
  readonly limits?: AgentSignInLimits | undefined;
}

/** Limits of all assistants that sign in. */
export interface AgentSignInLimits {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly minute?: AgentAmounts | undefined;
  readonly day?: AgentAmounts | undefined;
}

/** Amounts of one end user's assistants together. */
export interface AgentAmounts {
  readonly calls?: number | undefined;
  readonly units?: number | undefined;
  readonly bytes?: number | undefined;
}

/** Whether operators need a second factor to sign in, or may set one up. */
export const OPERATOR_MFA = ['required', 'optional'] as const;
export type OperatorMfa = (typeof OPERATOR_MFA)[number];

/** Which connections the schedule keeps fresh ahead of use: those used lately, all of them, or none. */
export const REFRESH_AHEAD = ['recently-used', 'always', 'on-use'] as const;
export type RefreshAhead = (typeof REFRESH_AHEAD)[number];

/** Settings of the refresh; the defaults of `core/limits.ts` hold where one is not set. */
export const REFRESH_SETTINGS = {
  /** Length of a lease in seconds; time limits of token calls and writes follow from it. The stack does not set it. */
  leaseSec: 'REFRESH_LEASE_SEC',
  /** One of `REFRESH_AHEAD`. This and the next two are the same for every function that computes due times. */
  ahead: 'REFRESH_AHEAD',
  /** Seconds a connection counts as used. */
  activeWindowSec: 'REFRESH_ACTIVE_WINDOW_SEC',
  /** Seconds between two refreshes of a connection that is not kept fresh. */
  keepAliveSec: 'REFRESH_KEEP_ALIVE_SEC',
} as const;

/** The longest keep-alive, in days: a month of failing refreshes still ends before Google's six months of disuse. */
export const KEEP_ALIVE_MAX_DAYS = 150;
/** Waits for a decision that are held open together: half of the ten executions that the smallest AWS account has (AP-37). */
export const HELD_WAITS_MAX = 5;

/** Calls a minute, and long calls at the same time, where a deployment sets no others. */
export const CALL_LIMIT_DEFAULTS = {
  /** Half of what the stage lets through by default, so that one key never takes it all. */
  perKey: 30_000,
  /**
   * 200 a second: above what Drive allows one user of all but reads of single files (3,250 lists or 6,500 changes a minute), so that
   * only a loop that ran away meets it. Where a user's whole quota is less, that is the default: 600 of Calendar.
   */
  perConnection: 12_000,
  /** Calls under way for ten seconds or longer: 30 % of the thousand executions that an account has by default. */
  longPerKey: 300,
  /** A third of that, so that one connection never takes what its key has. */
  longPerConnection: 100,
  /** Without a valid key: more than any mistake sends, too few to guess keys or to keep the table busy. */
  perAddress: 60,
} as const;

/** Which calls leave a row in the call log: none, those that failed, or every one. */
export const CALL_LOG_MODES = ['off', 'errors', 'all'] as const;
export type CallLogMode = (typeof CALL_LOG_MODES)[number];

/** Days that rows of the call log are kept: unless a deployment says otherwise, and the most it may say. */
export const CALL_LOG_RETENTION_DAYS = { standard: 7, most: 30 } as const;

/** Percent of a Cloud project's calls a minute that feeds take at most, where a deployment sets nothing else. */
export const FEED_SHARE_DEFAULT_PERCENT = 20;

/** Addresses of an authorization server: member of its definition -> name in files and, in capitals, in variables. */
export const ADDRESS_NAMES = {
  issuer: 'issuer',
  authorizationEndpoint: 'authorization_endpoint',
  tokenEndpoint: 'token_endpoint',
  revocationEndpoint: 'revocation_endpoint',
  userinfoEndpoint: 'userinfo_endpoint',
  jwksUri: 'jwks_uri',
  apiBaseUrl: 'api_base_url',
  tokenExchangeEndpoint: 'token_exchange_endpoint',
  serviceAccountsEndpoint: 'service_accounts_endpoint',
} as const;

/** Name in files of the origin of an API on a host of its own. */
export function originName(origin: string): string {
  return `${origin}_base_url`;
}

/** Name in files of the endpoint of a provider's own MCP server. */
export function mcpEndpointName(server: string): string {
  return `${server}_endpoint`;
}

/**
 * Environment variable that replaces an address of an authorization server; absent or empty: the address in its definition.
 *
 * @param name one of `ADDRESS_NAMES`, an `originName` or an `mcpEndpointName`
 */
export function addressVariable(serverId: string, name: string): string {
  return `${serverId}_${name}`.replaceAll('-', '_').toUpperCase();
}

/** Environment variable with the name of the secret of a provider's test credentials, JSON `{client_id, client_secret}`; there may be none. */
export function testCredentialsVariable(providerId: string): string {
  return `${providerId}_TEST_CREDENTIALS_NAME`.replaceAll('-', '_').toUpperCase();
}

/** Key and index attribute names of the one table. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds after which DynamoDB may delete the item. Code checks expiry itself. */
  timeToLive: 'expiresAtEpochSec',
  indexes: {
    /** Lists of an account, newest first. */
    byAccount: {
      name: 'byAccount',
      partitionKey: 'accountListKey',
      sortKey: 'listSortKey',
      /** What a list shows; token writes touch none of it. */
      projected: [
        'accountId',
        'integrationId',
        'connectionId',
        'provider',
        'status',
        'cause',
        'numericId',
        'endUser',
        'endUserId',
        'tags',
        'metadata',
        'providerAccount',
        'createdAt',
        'keyHash',
        'name',
        'keyRight',
        'integrationIds',
        'revokedAt',
      ],
    },
    /**
     * Work that is due; sparse, keys only. `dueShard` is a number: 0..63 refreshes, 64..127 grants to be ended, 128..191
     * escrowed tokens, 192..255 feeds, 256..319 statements of security events, 320..383 deliveries of webhooks, 384..447 reminders of feeds, 448 lost domains, 449 domains that work; `refreshAt` epoch seconds.
     */
    due: { name: 'due', partitionKey: 'dueShard', sortKey: 'refreshAt' },
    /** Who shares a grant: `<Cloud project number>#<sub>`, sorted by client id. */
    byGrant: {
      name: 'byGrant',
      partitionKey: 'grantKey',
      sortKey: 'grantClientId',
      projected: ['accountId', 'integrationId', 'connectionId', 'consentedAtEpochSec'],
    },
  },
} as const;

/**
 * First part of every partition key of the table: families of items, which policies can tell apart. docs/storage-schema.md says
 * what each holds.
 */
export const KEY_FAMILIES = {
  account: 'ACCOUNT',
  authorization: 'AUTHORIZATION',
  book: 'BOOK',
  calls: 'CALLS',
  channel: 'CHANNEL',
  connection: 'CONNECTION',
  consents: 'CONSENTS',
  escrow: 'ESCROW',
  event: 'EVENT',
  evidence: 'EVIDENCE',
  feed: 'FEED',
  feedMark: 'FEEDMARK',
  feedOf: 'FEEDOF',
  feedQuota: 'FEEDQUOTA',
  heartbeat: 'HEARTBEAT',
  key: 'KEY',
  listed: 'LISTED',
  page: 'PAGE',
  search: 'SEARCH',
  securityEvent: 'SECURITYEVENT',
  securityProject: 'SECURITYPROJECT',
  session: 'SESSION',
  sessionOf: 'SESSIONOF',
  sweep: 'SWEEP',
  ticks: 'TICKS',
  usage: 'USAGE',
  webhook: 'WEBHOOK',
} as const;

/** A family of items. */
export type KeyFamily = keyof typeof KEY_FAMILIES;

/** Pattern of the partition keys of a family, as `dynamodb:LeadingKeys` takes it; two families are one partition each. */
export function partitionsOf(family: KeyFamily): string {
  return family === 'heartbeat' || family === 'ticks' ? KEY_FAMILIES[family] : `${KEY_FAMILIES[family]}#*`;
}

/**
 * The two questions of the roll-up to the proxy's log, in the language of CloudWatch Logs Insights. Braces stand for numbers. The
 * range of a query is given in whole seconds with its end included, so both say their milliseconds themselves.
 */
export const CALL_QUERIES = {
  /** Sums of the calls of a window, of some slices of connections. A field that a line lacks is a dash: no sum may hang on how missing ones are grouped. */
  sums: `filter ispresent(call.account) and toMillis(@timestamp) >= {from} and toMillis(@timestamp) < {to} and call.slice % {slices} = {slice}
| fields call.account as a, call.integration as i, call.connection as c, call.key as k, call.provider as v, coalesce(call.project, "-") as p, call.class as s, coalesce(call.observed, "-") as o
| stats count(*) as n, sum(call.bytesIn) as bi, sum(call.bytesOut) as bo, sum(call.totalMs) as ms, sum(call.refreshed) as r, sum(call.units) as u, max(call.endedAtMs) as e by a, i, c, k, v, p, s, o
| limit {rows}`,
  /** How many calls began in a window, no matter who made them. */
  begun: `filter ispresent(call.endedAtMs) and call.endedAtMs - call.totalMs >= {from} and call.endedAtMs - call.totalMs < {to}
| stats count(*) as n`,
} as const;

/** Rows of an answer of Logs Insights, at most, in pages of 10,000: one that has as many may lack others (limit, Logs Insights QL reference). */
export const CALL_QUERY_MAX_ROWS = 100_000;
/** The same where a region does not take that many yet. */
export const CALL_QUERY_OLD_MAX_ROWS = 10_000;

/**
 * What lists read of a connection's health. A projection cannot be changed once its index is made, so these stand under names
 * that it has for secret keys (docs/decisions/0028).
 */
export const LISTED_HEALTH_ATTRIBUTES = { facts: 'revokedAt', callFault: 'name' } as const;

/**
 * First parts of the partition keys of approvals in the call log's table, which policies tell apart: rows, long parts, addresses of
 * pages, those of a connection, and when each of an account has to be looked at.
 */
export const APPROVAL_FAMILIES = {
  row: 'APPROVAL',
  part: 'APPROVALPART',
  link: 'APPROVALLINK',
  ofConnection: 'APPROVALOF',
  due: 'APPROVALDUE',
} as const;

/** Key and index attribute names of the call log's table; its other attributes are those of its rows. */
export const CALL_LOG_TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds after which DynamoDB may delete the row. Code checks expiry itself. */
  timeToLive: 'expiresAtEpochSec',
  /** From the id of a request to its row; keys only. */
  byRequest: { name: 'byRequest', partitionKey: 'requestKey' },
  /** Rows of failed calls, of an account and day (UTC) in the order of their ends; only they have the key. */
  failures: { name: 'failures', partitionKey: 'failureDay', sortKey: 'sk' },
} as const;

/** Number of partitions of the due index that each kind of work has. */
export const DUE_SHARDS = 64;

/** First partition of kinds of work in addition to refreshes, endings and escrow; domains have only that one, because they are few. */
export const DUE_PARTITIONS = {
  feeds: 192,
  securityEvents: 256,
  reminders: 384,
  lostDomains: 448,
  workingDomains: 449,
} as const;

/** Item type (attribute `type`) of outbox and audit items: the function `events` puts these on the bus and nothing else. */
export const EVENT_ITEM_TYPE = 'event';

/** Item type of events that a restore has copied: on record and open to a replay, but not sent a second time by themselves. */
export const RESTORED_EVENT_ITEM_TYPE = 'restored_event';

/** Source of every lifecycle event on the bus. */
export const EVENT_SOURCE = 'integration-gateway';

/** Type of the event that says nothing but that the path of events works; written every ten minutes. */
export const HEARTBEAT_EVENT_TYPE = 'Heartbeat';

/** Source of heartbeats on the bus: rules for the gateway's events do not match them. */
export const HEARTBEAT_SOURCE = 'integration-gateway.heartbeat';

/** The event after which an approved call is sent. */
export const APPROVED_EVENT_TYPE = 'ApprovalDecided';

/** Events after which feeds look at their connection: it has died, lives again, or has another account. */
export const FOLLOWED_EVENT_TYPES = [
  'ConnectionReauthorizationRequired',
  'ConnectionRecovered',
  'ConnectionReauthorized',
  'ConnectionRestored',
] as const;

/** Values of the KMS encryption context member `purpose`. */
export const KEY_PURPOSE = { tokens: 'tokens' } as const;

/** CloudWatch namespace of a stack's own metrics: two gateways in one account and region do not mix. */
export function metricNamespace(stackName: string): string {
  return `IntegrationGateway/${stackName}`;
}

/** Every metric the functions count, with its dimensions; alarms and the monitoring dashboard read them by these names. */
export const METRICS = {
  /** One refresh under a lease. Dimensions: `outcome` (what came of it), `cause` (of a death or failure, else `none`). */
  refresh: 'Refresh',
  /** A connection changed its status. Dimension: `status`. */
  connectionStatusChanged: 'ConnectionStatusChanged',
  /** Several connections of one integration died within minutes of each other. */
  grantDeathIncident: 'GrantDeathIncident',
  /** The provider began to refuse an integration's OAuth client. Dimension: `error`. */
  integrationRejected: 'IntegrationRejected',
  /** Age in seconds of the oldest entry of the due index that a sweep met. */
  oldestDueAgeSec: 'OldestDueAgeSec',
  /** A sweep stopped because the token endpoint failed too often in a row. */
  sweepBraked: 'SweepBraked',
  /** A tick ended at once because an earlier one was still at work on its slice. Dimension: `sweeper`. */
  sweepSkipped: 'SweepSkipped',
  sweepShardFailed: 'SweepShardFailed',
  sweepItemFailed: 'SweepItemFailed',
  /** A caller's wait for somebody else's refresh ended without a token. */
  refreshWaitTimedOut: 'RefreshWaitTimedOut',
  /** A call had to wait for a refresh. Dimension: `recentlyUsed`. */
  callerWaitedForRefresh: 'CallerWaitedForRefresh',
  /** The API refused a token that looked valid. */
  forcedRefresh: 'ForcedRefresh',
  /** Table, key service or secret store out of reach. */
  storageUnavailable: 'StorageUnavailable',
  /** KMS refused to make or unwrap a data key, or did not answer. */
  dataKeyFailed: 'DataKeyFailed',
  /** A stored value could not be decrypted or understood. */
  storedValueUnreadable: 'StoredValueUnreadable',
  tokenWriteFailed: 'TokenWriteFailed',
  refreshSuperseded: 'RefreshSuperseded',
  tokensEscrowed: 'TokensEscrowed',
  escrowAdopted: 'EscrowAdopted',
  /** A rotated refresh token could be written nowhere. */
  rotatedTokenLost: 'RotatedTokenLost',
  /** One finished authorization flow. Dimension: `outcome`. */
  authorization: 'Authorization',
  /** One attempt to revoke a grant. Dimension: `outcome`. */
  revocation: 'Revocation',
  /** An announcement of a known end. Dimension: `cause`. */
  warningGiven: 'WarningGiven',
  /** Connections of the first account as last counted, a gauge. Dimension: `status`. */
  connections: 'Connections',
  upstreamRetry: 'UpstreamRetry',
  /** A call was not repeated as its caller asked, because 20 % of the process's calls had been. */
  retryBudgetSpent: 'RetryBudgetSpent',
  /** A provider's answer had neither length nor chunks: nobody can tell whether it is whole. */
  upstreamLengthUnverified: 'UpstreamLengthUnverified',
  /**
   * A call refused for its number. Dimension: `limit` (`key`, `connection`, `address`, `connect_sessions`, `authorizations`,
   * `long_calls_of_key`, `long_calls_of_connection`).
   */
  rateLimited: 'RateLimited',
  /** The limits of a key refused a call. Dimension: `limit`. */
  limitedByKey: 'LimitedByKey',
  /** A call in the background was refused, because calls that somebody waits for go first. Dimension: `scope` (`project`, `user`). */
  quotaReserved: 'QuotaReserved',
  /** The limits of a key that only observes would have refused a call. Dimension: `limit`. */
  wouldRefuse: 'WouldRefuse',
  /** One turn of work on a feed. Dimension: `outcome`. */
  feedTurn: 'FeedTurn',
  /** A message of the provider. Dimension: `outcome`. */
  feedMessage: 'FeedMessage',
  /** A feed's changes were pulled three times in a row without a message that announced them: its channel counts as lost. */
  feedChannelLost: 'FeedChannelLost',
  /** Changes may have been missed. Dimension: `reason`. */
  feedGap: 'FeedGap',
  /** Age in seconds of the oldest feed in the due index that a sweep met. */
  oldestFeedDueAgeSec: 'OldestFeedDueAgeSec',
  /** A sweep of feeds stopped because the provider failed too often in a row. */
  feedSweepBraked: 'FeedSweepBraked',
  /** A feed or a shard of them could not be worked on. */
  feedSweepFailed: 'FeedSweepFailed',
  /** A sweep met a due feed that the gateway itself could not read or save for eight minutes. */
  feedOverdue: 'FeedOverdue',
  /** A feed whose row was behind its stored batches continues after the last one. */
  feedRenumbered: 'FeedRenumbered',
  /** A message was stored, but its pull could not be started: the next sweep does it. */
  feedWakeFailed: 'FeedWakeFailed',
  /** One statement of the provider about accounts or tokens. Dimension: `outcome` (`kept`, `repeated`, `refused`, `unknown_type`). */
  securityEvent: 'SecurityEvent',
  /** A statement was kept, but its work could not be started: the next sweep does it. */
  securityEventWakeFailed: 'SecurityEventWakeFailed',
  /** The work that follows from a statement failed: it is tried again. */
  securityEventWorkFailed: 'SecurityEventWorkFailed',
  /** An answer was cut because its caller read too slowly. */
  slowReaderCut: 'SlowReaderCut',
  /** Calls or changes of connections could not be added to the counts of a day. */
  usageNotCounted: 'UsageNotCounted',
  /** A call's row could not be written to the call log; the call itself continued. */
  callLogFailed: 'CallLogFailed',
  ...FEATURE_METRICS,
  /** One attempt to deliver an event to a webhook endpoint. Dimension: `outcome` (`delivered`, `failed`, `given_up`). */
  webhookAttempt: 'WebhookAttempt',
  /** An endpoint is no longer tried. Dimension: `because` (`gone`, `failing`). */
  webhookDisabled: 'WebhookDisabled',
  /** Age in seconds of the oldest due delivery that a sweep met. */
  oldestDueDeliveryAgeSec: 'OldestDueDeliveryAgeSec',
  /** A delivery, or a part of the due index, could not be worked on for a reason of the gateway's own. */
  webhookWorkFailed: 'WebhookWorkFailed',
  /** A table refused a request because it, or one of its partitions, has too much to do; the SDK may have repeated it with success. */
  tableThrottled: 'TableThrottled',
  /** No sweep of a kind, or of a slice, has ended for a quarter of an hour. Dimension: `sweep` (`refresh`, `feeds`, `deliver`, `roll-up`). */
  tickMissing: 'TickMissing',
  /** An event did not reach the bus: it is tried again, or was refused for good and put into the queue. */
  eventNotForwarded: 'EventNotForwarded',
  /** Age in seconds of the last minute whose calls are counted; told from a quarter of an hour on. */
  bookAgeSec: 'BookAgeSec',
  /** Calls of one hour that the proxy was invoked for and that left no line, where they are more than one in 500. */
  missingCalls: 'MissingCalls',
  /** Calls that a later look at the log found. */
  lateCalls: 'LateCalls',
  /** A tick of the roll-up, or a part of it, failed: the next one does it again. */
  rollUpFailed: 'RollUpFailed',
} as const;

/** Name of a metric that a function may count. */
export type MetricName = (typeof METRICS)[keyof typeof METRICS];

/**
 * The four counters that alarms look at, without dimensions: how soon somebody has to look, and whether one bad moment is enough
 * (`Page`, `Ticket`) or only trouble that lasts (`PageLasting`, `TicketLasting`). Each line that counts names its entry of the runbook.
 */
export const SIGNAL_METRICS = ['Page', 'PageLasting', 'Ticket', 'TicketLasting'] as const;
export type SignalMetric = (typeof SIGNAL_METRICS)[number];

/** Points in five minutes at which an alarm of a `SignalMetric` fires. */
export const SIGNAL_POINTS = 100;

/** What counting a metric means for the alarms. */
export interface AlarmSignal {
  readonly metric: MetricName;
  /** Heading of the runbook's entry. */
  readonly entry: string;
  readonly signal: SignalMetric;
  /** Counts in five minutes that are enough. @default 1 */
  readonly enough?: number;
  /** Of a gauge: only what is above this is a signal. */
  readonly above?: number;
  /** Only counts with these values of the dimensions. */
  readonly where?: Readonly<Record<string, readonly string[]>>;
}

/** Sweeps renew tokens twelve minutes ahead, less jitter: a wait of ten is the last that nobody notices. */
const LONGEST_DUE_SEC = 600;

/** Calls are counted within five minutes: a quarter of an hour is trouble. */
const LONGEST_BOOK_SEC = 900;

/** Which counts are signals. What is counted for graphs alone has no row here. */
export const ALARM_SIGNALS: readonly AlarmSignal[] = [
  { metric: METRICS.oldestDueAgeSec, entry: 'overdue-refreshes', signal: 'PageLasting', above: LONGEST_DUE_SEC },
  { metric: METRICS.oldestFeedDueAgeSec, entry: 'overdue-feeds', signal: 'TicketLasting', above: LONGEST_DUE_SEC },
  {
    metric: METRICS.oldestDueDeliveryAgeSec,
    entry: 'overdue-webhooks',
    signal: 'TicketLasting',
    above: LONGEST_DUE_SEC,
  },
  { metric: METRICS.sweepBraked, entry: 'braked-sweeps', signal: 'TicketLasting' },
  { metric: METRICS.sweepItemFailed, entry: 'failing-items', signal: 'TicketLasting' },
  { metric: METRICS.sweepShardFailed, entry: 'failing-items', signal: 'TicketLasting' },
  { metric: METRICS.securityEventWorkFailed, entry: 'failing-items', signal: 'TicketLasting' },
  { metric: METRICS.securityEventWakeFailed, entry: 'failing-items', signal: 'TicketLasting' },
  { metric: METRICS.feedSweepFailed, entry: 'failing-feeds', signal: 'TicketLasting' },
  { metric: METRICS.feedWakeFailed, entry: 'failing-feeds', signal: 'TicketLasting' },
  { metric: METRICS.feedOverdue, entry: 'failing-feeds', signal: 'Ticket' },
  { metric: METRICS.feedSweepBraked, entry: 'failing-feeds', signal: 'TicketLasting' },
  // One feed has one gap an hour at most, so ten in five minutes are of many feeds at once.
  { metric: METRICS.feedGap, entry: 'feed-gaps', signal: 'Ticket', enough: 10 },
  { metric: METRICS.integrationRejected, entry: 'client-rejected', signal: 'Page' },
  // A caller who keeps to Retry-After meets a limit a handful of times, a loop some thousands.
  { metric: METRICS.rateLimited, entry: 'refused-callers', signal: 'TicketLasting', enough: 100 },
  { metric: METRICS.grantDeathIncident, entry: 'many-deaths', signal: 'Page' },
  // Causes by who can fix them; what end users do themselves, and what was asked for, is no signal.
  {
    metric: METRICS.refresh,
    entry: 'deaths-by-setup',
    signal: 'Ticket',
    where: { outcome: ['dead'], cause: ['testing_mode_expired', 'refresh_token_limit', 'credentials_changed'] },
  },
  {
    metric: METRICS.refresh,
    entry: 'deaths-by-policy',
    signal: 'Ticket',
    where: { outcome: ['dead'], cause: ['admin_restricted', 'session_length_over'] },
  },
  {
    metric: METRICS.refresh,
    entry: 'lost-rotations',
    signal: 'Page',
    where: { outcome: ['dead'], cause: ['rotation_lost'] },
  },
  { metric: METRICS.tokenWriteFailed, entry: 'unstored-tokens', signal: 'Page' },
  { metric: METRICS.rotatedTokenLost, entry: 'unstored-tokens', signal: 'Page' },
  { metric: METRICS.storageUnavailable, entry: 'storage-unavailable', signal: 'PageLasting' },
  { metric: METRICS.dataKeyFailed, entry: 'data-keys-failing', signal: 'PageLasting' },
  { metric: METRICS.storedValueUnreadable, entry: 'unreadable-values', signal: 'Ticket' },
  { metric: METRICS.tableThrottled, entry: 'table-throttles', signal: 'TicketLasting' },
  { metric: METRICS.eventNotForwarded, entry: 'failed-deliveries', signal: 'PageLasting' },
  { metric: METRICS.webhookWorkFailed, entry: 'failing-webhooks', signal: 'TicketLasting' },
  { metric: METRICS.webhookDisabled, entry: 'webhook-disabled', signal: 'Ticket' },
  { metric: METRICS.tickMissing, entry: 'dropped-ticks', signal: 'Page', where: { sweep: ['refresh'] } },
  { metric: METRICS.tickMissing, entry: 'dropped-feed-ticks', signal: 'Page', where: { sweep: ['feeds'] } },
  { metric: METRICS.tickMissing, entry: 'dropped-webhook-ticks', signal: 'Page', where: { sweep: ['deliver'] } },
  // Usage and last use stand still, and nothing is lost while the log keeps its lines.
  { metric: METRICS.tickMissing, entry: 'book-behind', signal: 'Ticket', where: { sweep: ['roll-up'] } },
  { metric: METRICS.bookAgeSec, entry: 'book-behind', signal: 'TicketLasting', above: LONGEST_BOOK_SEC },
  { metric: METRICS.missingCalls, entry: 'missing-calls', signal: 'Ticket' },
];

/** The account every deployment starts with. */
export const FIRST_ACCOUNT_ID = 'default';

/**
 * Attributes of an event item that leave on the bus: member of the event's detail -> attribute name. Every one is a
 * DynamoDB string, empty when there is nothing to say.
 */
export const EVENT_DETAIL_ATTRIBUTES = {
  event_id: 'eventId',
  sequence: 'sequence',
  time: 'occurredAt',
  account_id: 'accountId',
  integration_id: 'integrationId',
  connection_id: 'connectionId',
  end_user_id: 'endUserId',
  cause: 'cause',
  remedy: 'remedy',
  actor: 'actor',
  health: 'health',
  feed_id: 'feedId',
  resource: 'feedResource',
  kind: 'batchKind',
  changes: 'changes',
} as const;

/** Attribute of a batch of what starts, whose `batchKind` says `changes` for versions that know no `starts`. */
export const BATCH_STARTS_ATTRIBUTE = 'batchStarts';

/** Attribute of an event item that becomes the detail-type. */
export const EVENT_TYPE_ATTRIBUTE = 'eventType';

/** Path of the issuer's key set below its address, as Cognito has it. */
export const ISSUER_KEYS_PATH = '/.well-known/jwks.json';

/** Paths of the dashboard that the issuer may send a browser back to: after a sign-in, after a sign-out. */
export const DASHBOARD_RETURN_PATHS = { signedIn: '/signed-in', signedOut: '/signed-out' } as const;

/**
 * Content-Security-Policy of every document of the dashboard (UI-1): scripts and styles from files of its own, no markup
 * made from text, calls to nobody but the gateway and the issuer, and in a frame nothing but the gateway's connect page.
 *
 * @param gatewayUrl address of the gateway, without a trailing slash
 * @param otherSources more addresses that the page may call, each with a trailing slash: only then is what lies below covered
 */
export function dashboardContentSecurityPolicy(gatewayUrl: string, otherSources: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", `${gatewayUrl}/`, ...otherSources].join(' ')}`,
    `frame-src ${gatewayUrl}/connect`,
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/**
 * Pattern of the dashboard's paths that name a file: all below `assets/`, and names with an ending at the root. Every other
 * path is the page's own, which reads it itself; ids of connections may hold dots.
 */
export const DASHBOARD_FILE_PATH = '^/(?:assets/|[^/]+[.][a-z0-9]+$)';

/**
 * Cache-Control of the dashboard's files: names with a hash never change, everything else says what is current (UI-5).
 *
 * @param path of the file below the site's root, without a leading slash
 */
export function dashboardCacheControl(path: string): string {
  return path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-store';
}
