/**
 * Names shared by synth time (`lib/`), run time (`lambdas/`) and the local runtime (`dev/local/`). Imports only the features' own
 * names.
 */
import {
  FEATURE_ALARMS,
  FEATURE_CALLBACK_STATES,
  FEATURE_CORE_ALIASES,
  FEATURE_DOOR_ALIASES,
  FEATURE_DUE_PARTITIONS,
  FEATURE_EVENT_ATTRIBUTES,
  FEATURE_FAMILIES,
  FEATURE_FUNCTIONS,
  FEATURE_GRANT_PATHS,
  FEATURE_KEY_PURPOSES,
  FEATURE_METRICS,
  type FEATURE_RATE_LIMITS,
  FEATURE_SWEEPS,
} from '../../features/index.ts';

/** The functions of the stack: folder under `lambdas/`, or in that of a feature; bundle under `dist/lambdas/`. */
export const FUNCTION_NAMES = [
  'proxy',
  'oauth-callback',
  'connect',
  'management',
  'grants',
  'refresh',
  ...FEATURE_FUNCTIONS,
  'core',
  'inbox',
  'events',
  'roll-up',
  'declared',
] as const;
export type FunctionName = (typeof FUNCTION_NAMES)[number];
/** Those of features, which a deployment without the feature does not have. */
export type FeatureFunction = (typeof FEATURE_FUNCTIONS)[number];
export type CoreFunction = Exclude<FunctionName, FeatureFunction>;

/** Sweeps that watch each other, by the function that sweeps: the feature that it belongs to, if any. */
export const SWEEPS = { refresh: '', ...FEATURE_SWEEPS, 'roll-up': '' } as const;

/**
 * Functions that ask another one by its inner door, each by an alias of its name (TB-2): it invokes no other name of that function, and
 * nothing else invokes that one.
 */
export const DOOR_ALIASES = [
  ...FEATURE_CORE_ALIASES,
  ...FEATURE_DOOR_ALIASES,
] as const satisfies readonly FunctionName[];
export type DoorAlias = (typeof DOOR_ALIASES)[number];
/** The function that one of them asks. */
export function askedBy(alias: DoorAlias): 'proxy' | 'core' {
  return FEATURE_CORE_ALIASES.some((one: string) => one === alias) ? 'core' : 'proxy';
}

/**
 * Paths of the management API whose routes need a grant or the secret of a client, as resources of API Gateway: the function `grants` serves
 * them, and `management` all others. Of a path with methods it serves those only.
 */
export const GRANT_PATHS: Readonly<Record<string, readonly string[] | 'every method'>> = {
  '/integrations': 'every method',
  '/integrations/{proxy+}': 'every method',
  '/connections': ['POST'],
  '/connections/{proxy+}': 'every method',
  '/connect/sessions': ['DELETE'],
  '/connect/sessions/confirm': 'every method',
  ...Object.fromEntries(FEATURE_GRANT_PATHS.map((path) => [path, 'every method'])),
  '/test-credentials': 'every method',
  '/test-credentials/{proxy+}': 'every method',
};

/** Methods of a path that a function serves. */
export type ServedMethods = readonly string[] | 'every method';

/** Methods of a path that `grants` serves; undefined where it serves none of them. @param path below the API's stage, and below `/iam` */
export function grantMethods(path: string): ServedMethods | undefined {
  // API Gateway reads `/connections/` as `/connections`.
  const folder = /^\/[^/]+\/(?=.)/.exec(path)?.[0];
  return GRANT_PATHS[path] ?? (folder === undefined ? undefined : GRANT_PATHS[`${folder}{proxy+}`]);
}

/** Whether a method is one of those that a function serves. */
export function includesMethod(served: ServedMethods | undefined, method: string): boolean {
  return served === 'every method' || served?.includes(method) === true;
}

/** Whether `grants` serves this method of a path. */
export function isOfGrants(method: string, path: string): boolean {
  return includesMethod(grantMethods(path), method);
}

/** Environment variables every function receives, except where noted. */
export const ENVIRONMENT = {
  /** Name of the one DynamoDB table. */
  tableName: 'TABLE_NAME',
  /** Public address of the gateway without a trailing slash; may end in a stage path. */
  baseUrl: 'BASE_URL',
  /**
   * Public address of proxied calls where they have a front door of their own. Management function; also the proxy where a distribution
   * stands before its function URL, whose address it cannot find out otherwise.
   */
  proxyUrl: 'PROXY_URL',
  /** Secret that this distribution sends in `x-gateway-door`. Proxy function. */
  doorSecret: 'PROXY_DOOR_SECRET',
  /** ARN of the KMS key that wraps the data keys. */
  tokenKeyArn: 'TOKEN_KEY_ARN',
  /** Name prefix of the secrets created at run time: `<prefix>/integration/<account>/<integration>`. */
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
  /** Media type of the file `logo` next to the bundle, or a picture as `data:` URI. */
  connectLogo: 'CONNECT_LOGO',
  /** Accent, hover and text on it, for light and dark: `#0b57d0 #0947ab #ffffff,#a8c7fa #c4d9fc #062e6f`. */
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
  /** Ids of features that the deployment leaves out, comma-separated; absent: none. */
  withoutFeatures: 'WITHOUT_FEATURES',
  /** OIDC issuer of operators; absent where the deployment has no dashboard. Management function. */
  operatorIssuer: 'OPERATOR_ISSUER',
  /** Client id that operators' access tokens must name. Set together with the issuer. */
  operatorClientId: 'OPERATOR_CLIENT_ID',
  /** Whether every sign-in of operators has a second factor, one of `OPERATOR_MFA`. Management function. */
  operatorMfa: 'OPERATOR_MFA',
  /** `required` where a company's sign-in is attached: tokens without a role then allow nothing. Management function. */
  operatorRoleClaim: 'OPERATOR_ROLE_CLAIM',
  /** Where new client secrets of integrations are kept, one of `CLIENT_SECRETS`. Function of grants. */
  clientSecrets: 'CLIENT_SECRETS',
  /** Name of the function that makes calls in the background. Functions that ask it by its inner door. */
  coreFunctionName: 'CORE_FUNCTION_NAME',
  /** Names of the two functions of the management API. Function of declarations. */
  managementFunctionName: 'MANAGEMENT_FUNCTION_NAME',
  grantsFunctionName: 'GRANTS_FUNCTION_NAME',
  /** What happens to calls once a Cloud project's day at the provider is used up, `warn` or `stop`. Roll-up function. */
  dayLimit: 'DAY_LIMIT',
  /** ARN of the event bus. Events function, as the next two. */
  eventBusArn: 'EVENT_BUS_ARN',
  /** Endpoint of EventBridge in the deployment's region. */
  eventBusEndpoint: 'EVENT_BUS_ENDPOINT',
  /** Address of the queue for undeliverable events. */
  deadLettersUrl: 'DEAD_LETTERS_URL',
  /** Name of the proxy's log group. Roll-up function, as the next four. */
  proxyLogGroup: 'PROXY_LOG_GROUP',
  /** Log groups of functions that call the provider for the gateway itself, with commas between. */
  otherLogGroups: 'OTHER_LOG_GROUPS',
  /** Days that the proxy's log keeps its lines. */
  proxyLogRetentionDays: 'PROXY_LOG_RETENTION_DAYS',
  /** Name of the proxy function: Lambda counts its invocations under it. Also functions that ask it by its inner door. */
  proxyFunctionName: 'PROXY_FUNCTION_NAME',
  /** Addresses of CloudWatch Logs and of CloudWatch in the deployment's region. */
  logsEndpoint: 'LOGS_ENDPOINT',
  metricsEndpoint: 'METRICS_ENDPOINT',
  /** Origin of the dashboard, without a trailing slash. Management, connect and callback functions. */
  dashboardOrigin: 'DASHBOARD_ORIGIN',
  /**
   * `true`: endpoints that customers name may be on this computer. The stack always sets `false`; only the local runtime sets `true`, and it counts
   * only where the gateway itself is on loopback. Management and deliver functions.
   */
  endpointsToLoopback: 'WEBHOOKS_TO_LOOPBACK',
} as const;

/** Front doors for proxied calls: the REST API, which serves everything, or in addition a function URL. */
export const FRONT_DOORS = ['rest-api', 'function-url'] as const;

/** Path prefix under which API Gateway checks AWS signatures, and callers are IAM roles. */
export const SIGNED_PREFIX = '/iam';

/** Header in which a distribution in front of the function URL sends its secret. */
export const DOOR_SECRET_HEADER = 'x-gateway-door';

/** Where client secrets of integrations are kept: each in a secret of its own, or as an encrypted row of the table. */
export const CLIENT_SECRETS = ['secrets-manager', 'table'] as const;
export type ClientSecretPlace = (typeof CLIENT_SECRETS)[number];

/** Where a browser continues that returns to the callback from another sign-in, by the prefix of its state; paths below the base URL. */
export const CALLBACK_STATES: Readonly<Record<string, string>> = FEATURE_CALLBACK_STATES;

/** Claims that the user pool's function adds to tokens where a company's sign-in is attached. */
export const OPERATOR_CLAIMS = { role: 'gateway_role', secondFactor: 'gateway_second_factor' } as const;

/** Whether operators need a second factor to sign in, or may set one up. */
export const OPERATOR_MFA = ['required', 'optional'] as const;
export type OperatorMfa = (typeof OPERATOR_MFA)[number];

/** Which connections the schedule keeps fresh: recently used ones, all, or none. */
export const REFRESH_AHEAD = ['recently-used', 'always', 'on-use'] as const;
export type RefreshAhead = (typeof REFRESH_AHEAD)[number];

/** Settings of the refresh; defaults are in `core/limits.ts`. */
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
/** Concurrent waits for a decision that are held open: half of the ten executions of the smallest AWS account (AP-37). */
export const HELD_WAITS_MAX = 5;

/** Default limits of calls per minute, and of concurrent long calls. */
export const CALL_LIMIT_DEFAULTS = {
  /** Half of the stage's default rate, so that one key never takes all of it. */
  perKey: 30_000,
  /**
   * 200 per second: more than Drive allows one user except for reads of single files (3,250 lists or 6,500 changes a minute), so that
   * only a runaway loop meets it. Where a user's whole quota is less, that is the default: 600 for Calendar.
   */
  perConnection: 12_000,
  /** Calls under way for ten seconds or longer: 30 % of the thousand executions that an account has by default. */
  longPerKey: 300,
  /** A third of that, so that one connection never takes all of its key's. */
  longPerConnection: 100,
  /** Without a valid key: more than mistakes cause, too few to guess keys or to keep the table busy. */
  perAddress: 60,
} as const;

/** Which calls leave a row in the call log: none, failed ones, or all. */
export const CALL_LOG_MODES = ['off', 'errors', 'all'] as const;
export type CallLogMode = (typeof CALL_LOG_MODES)[number];

/** Retention of call log rows in days: default and maximum. */
export const CALL_LOG_RETENTION_DAYS = { standard: 7, most: 30 } as const;

/** Default share of a Cloud project's calls per minute that calls in the background take, in percent. */
export const BACKGROUND_SHARE_PERCENT = 20;

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

/** Name in files of an API's origin with a host of its own. */
export function originName(origin: string): string {
  return `${origin}_base_url`;
}

/** Name in files of the endpoint of a provider's own MCP server. */
export function toolServerName(server: string): string {
  return `${server}_endpoint`;
}

/**
 * Environment variable that replaces an address of an authorization server; absent or empty: the address in its definition.
 *
 * @param name one of `ADDRESS_NAMES`, an `originName` or an `toolServerName`
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
     * Due work; sparse, keys only. `dueShard` is a number: 0..63 refreshes, 64..127 grants to end, 128..191 escrowed tokens, 192..255
     * feeds, 256..319 statements of security events, 320..383 deliveries of webhooks, 384..447 reminders of feeds, 448 lost domains,
     * 449 working domains; `refreshAt` epoch seconds.
     */
    due: { name: 'due', partitionKey: 'dueShard', sortKey: 'refreshAt' },
    /** Connections that share a grant: `<Cloud project number>#<sub>`, sorted by client id. */
    byGrant: {
      name: 'byGrant',
      partitionKey: 'grantKey',
      sortKey: 'grantClientId',
      projected: ['accountId', 'integrationId', 'connectionId', 'consentedAtEpochSec'],
    },
  },
} as const;

/** Path under which the call log has tools of a provider's own MCP server; the name of a known tool follows. */
export const SERVER_TOOL_PREFIX = '/mcp/tools/';

/**
 * First part of every partition key of the table: families of items, which policies can distinguish. Their contents are in
 * contributing/storage-schema.md.
 */
export const KEY_FAMILIES = {
  account: 'ACCOUNT',
  authorization: 'AUTHORIZATION',
  book: 'BOOK',
  calls: 'CALLS',
  clientSecret: 'CLIENTSECRET',
  connection: 'CONNECTION',
  consents: 'CONSENTS',
  escrow: 'ESCROW',
  event: 'EVENT',
  heartbeat: 'HEARTBEAT',
  key: 'KEY',
  listed: 'LISTED',
  page: 'PAGE',
  search: 'SEARCH',
  serverTools: 'SERVERTOOLS',
  session: 'SESSION',
  sessionOf: 'SESSIONOF',
  sweep: 'SWEEP',
  ticks: 'TICKS',
  usage: 'USAGE',
  ...FEATURE_FAMILIES,
} as const;

/** Names of limits of rates that features have. */
export type FeatureRateLimit = (typeof FEATURE_RATE_LIMITS)[number];

/** A family of items. */
export type KeyFamily = keyof typeof KEY_FAMILIES;

/** Pattern of the partition keys of a family, as `dynamodb:LeadingKeys` takes it; two families are one partition each. */
export function partitionsOf(family: KeyFamily): string {
  return family === 'heartbeat' || family === 'ticks' ? KEY_FAMILIES[family] : `${KEY_FAMILIES[family]}#*`;
}

/**
 * The roll-up's two queries of the proxy's log, in the language of CloudWatch Logs Insights. Braces are placeholders for numbers. The
 * range of a query is in whole seconds with its end included, so both filter by milliseconds themselves.
 */
export const CALL_QUERIES = {
  /**
   * Sums of the calls of a window, for some slices of connections. A field that a line lacks becomes a dash, so that no sum depends on
   * how missing fields are grouped.
   */
  sums: `filter ispresent(call.account) and toMillis(@timestamp) >= {from} and toMillis(@timestamp) < {to} and call.slice % {slices} = {slice}
| fields call.account as a, call.integration as i, call.connection as c, call.key as k, call.provider as v, coalesce(call.project, "-") as p, call.class as s, coalesce(call.observed, "-") as o, floor(call.status / 100) as h
| stats count(*) as n, sum(call.bytesIn) as bi, sum(call.bytesOut) as bo, sum(call.totalMs) as ms, sum(call.refreshed) as r, sum(call.units) as u, max(call.endedAtMs) as e by a, i, c, k, v, p, s, o, h
| limit {rows}`,
  /** Number of invocations that began in a window: calls of any caller, and questions by the inner door without the calls that they made. */
  begun: `filter ispresent(call.endedAtMs) and not ispresent(call.door) and call.endedAtMs - call.totalMs >= {from} and call.endedAtMs - call.totalMs < {to}
| stats count(*) as n`,
} as const;

/** Most rows of an answer of Logs Insights, in pages of 10,000: an answer with as many may be incomplete (limit, Logs Insights QL reference). */
export const CALL_QUERY_MAX_ROWS = 100_000;
/** The same in regions with the older limit. */
export const CALL_QUERY_OLD_MAX_ROWS = 10_000;

/**
 * Attributes with a connection's health for lists. A projection cannot be changed after its index is created, so they use names that it
 * has for secret keys (contributing/decisions/0028).
 */
export const LISTED_HEALTH_ATTRIBUTES = { facts: 'revokedAt', callFault: 'name' } as const;

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
  ...FEATURE_DUE_PARTITIONS,
  lostDomains: 448,
  workingDomains: 449,
} as const;

/** Item type (attribute `type`) of outbox and audit items: the function `events` puts only these on the bus. */
export const EVENT_ITEM_TYPE = 'event';

/** Item type of events that a restore has copied: on record and available for replay, but not sent again by themselves. */
export const RESTORED_EVENT_ITEM_TYPE = 'restored_event';

/** Source of every lifecycle event on the bus. */
export const EVENT_SOURCE = 'integration-gateway';

/** Type of the event that only proves that the path of events works; written every ten minutes. */
export const HEARTBEAT_EVENT_TYPE = 'Heartbeat';

/** Source of heartbeats on the bus: rules for the gateway's events do not match them. */
export const HEARTBEAT_SOURCE = 'integration-gateway.heartbeat';

/**
 * Values of the KMS encryption context member `purpose`: data keys of one purpose encrypt one family of values, and a role may unwrap
 * only keys of the purposes that its function needs.
 */
export const KEY_PURPOSES = ['tokens', 'flows', 'answers', 'cursors', 'clients', ...FEATURE_KEY_PURPOSES] as const;

/** What the values under a data key are for. */
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

/** CloudWatch namespace of a stack's own metrics: two gateways in one account and region do not mix. */
export function metricNamespace(stackName: string): string {
  return `IntegrationGateway/${stackName}`;
}

/** Every metric the functions count, with its dimensions; alarms and the monitoring dashboard read them by these names. */
export const METRICS = {
  /** One refresh under a lease. Dimensions: `outcome`, `cause` (of a death or failure, else `none`). */
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
  /** A caller's wait for another process's refresh ended without a token. */
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
  /** A provider's answer had neither length nor chunks, so its completeness is unknown. */
  upstreamLengthUnverified: 'UpstreamLengthUnverified',
  /**
   * A call refused by a rate limit. Dimension: `limit` (`key`, `connection`, `address`, `connect_sessions`, `authorizations`,
   * `long_calls_of_key`, `long_calls_of_connection`).
   */
  rateLimited: 'RateLimited',
  /** The limits of a key refused a call. Dimension: `limit`. */
  limitedByKey: 'LimitedByKey',
  /** A background call was refused to reserve the quota for interactive calls. Dimension: `scope` (`project`, `user`). */
  quotaReserved: 'QuotaReserved',
  /** The limits of a key that only observes would have refused a call. Dimension: `limit`. */
  wouldRefuse: 'WouldRefuse',
  /** An answer was cut because its caller read too slowly. */
  slowReaderCut: 'SlowReaderCut',
  /** Calls or changes of connections could not be added to the counts of a day. */
  usageNotCounted: 'UsageNotCounted',
  /** A call's row could not be written to the call log; the call itself continued. */
  callLogFailed: 'CallLogFailed',
  ...FEATURE_METRICS,
  /** A table refused a request because it, or one of its partitions, has too much to do; the SDK may have repeated it with success. */
  tableThrottled: 'TableThrottled',
  /** No sweep of a kind, or of a slice, has ended for 15 minutes. Dimension: `sweep` (`refresh`, `feeds`, `deliver`, `roll-up`). */
  tickMissing: 'TickMissing',
  /** An event did not reach the bus: it is retried, or was finally refused and put into the queue. */
  eventNotForwarded: 'EventNotForwarded',
  /** Age in seconds of the last minute whose calls are counted; reported from 15 minutes on. */
  bookAgeSec: 'BookAgeSec',
  /** Invocations of the proxy in one hour without a line, where they are more than one in 500. */
  missingCalls: 'MissingCalls',
  /** Calls that a later read of the log found. */
  lateCalls: 'LateCalls',
  /** A tick of the roll-up, or a part of it, failed: the next one does it again. */
  rollUpFailed: 'RollUpFailed',
} as const;

/** Name of a metric that a function may count. */
export type MetricName = (typeof METRICS)[keyof typeof METRICS];

/**
 * The four counters that alarms watch, without dimensions: how soon a person has to look, and whether one bad moment is enough (`Page`,
 * `Ticket`) or only lasting trouble (`PageLasting`, `TicketLasting`). Each line that counts names its entry of the runbook.
 */
export const SIGNAL_METRICS = ['Page', 'PageLasting', 'Ticket', 'TicketLasting'] as const;
export type SignalMetric = (typeof SIGNAL_METRICS)[number];

/** Points in five minutes at which an alarm of a `SignalMetric` fires. */
export const SIGNAL_POINTS = 100;

/** The effect of a metric on the alarms. */
export interface AlarmSignal {
  readonly metric: MetricName;
  /** Heading of the runbook's entry. */
  readonly entry: string;
  readonly signal: SignalMetric;
  /** Counts in five minutes that fire the alarm. @default 1 */
  readonly enough?: number;
  /** For a gauge: only larger values are a signal. */
  readonly above?: number;
  /** Only counts with these values of the dimensions. */
  readonly where?: Readonly<Record<string, readonly string[]>>;
}

/** Sweeps renew tokens twelve minutes ahead, less jitter, so a delay of ten minutes is the longest without effect. */
const LONGEST_DUE_SEC = 600;

/** Calls are counted within five minutes, so 15 minutes are a failure. */
const LONGEST_BOOK_SEC = 900;

/** Which counts are signals. Metrics only for graphs have no row here. */
export const ALARM_SIGNALS: readonly AlarmSignal[] = [
  { metric: METRICS.oldestDueAgeSec, entry: 'overdue-refreshes', signal: 'PageLasting', above: LONGEST_DUE_SEC },
  { metric: METRICS.sweepBraked, entry: 'braked-sweeps', signal: 'TicketLasting' },
  { metric: METRICS.sweepItemFailed, entry: 'failing-items', signal: 'TicketLasting' },
  { metric: METRICS.sweepShardFailed, entry: 'failing-items', signal: 'TicketLasting' },
  ...FEATURE_ALARMS,
  { metric: METRICS.integrationRejected, entry: 'client-rejected', signal: 'Page' },
  // A caller that respects Retry-After meets a limit a few times, a loop thousands of times.
  { metric: METRICS.rateLimited, entry: 'refused-callers', signal: 'TicketLasting', enough: 100 },
  { metric: METRICS.grantDeathIncident, entry: 'many-deaths', signal: 'Page' },
  // Causes by who can fix them; deaths caused by end users or by request are no signal.
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
  { metric: METRICS.tickMissing, entry: 'dropped-ticks', signal: 'Page', where: { sweep: ['refresh'] } },
  // Usage and last use are not updated, and nothing is lost while the log keeps its lines.
  { metric: METRICS.tickMissing, entry: 'book-behind', signal: 'Ticket', where: { sweep: ['roll-up'] } },
  { metric: METRICS.bookAgeSec, entry: 'book-behind', signal: 'TicketLasting', above: LONGEST_BOOK_SEC },
  { metric: METRICS.missingCalls, entry: 'missing-calls', signal: 'Ticket' },
];

/** The account every deployment starts with. */
export const FIRST_ACCOUNT_ID = 'default';

/**
 * Attributes of an event item that are sent to the bus: member of the event's detail -> attribute name. Each is a DynamoDB string,
 * empty without a value.
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
  ...FEATURE_EVENT_ATTRIBUTES,
} as const;

/** Attribute of a batch of starting events, whose `batchKind` is `changes` for versions without `starts`. */
export const BATCH_STARTS_ATTRIBUTE = 'batchStarts';

/** Attribute of an event item that becomes the detail-type. */
export const EVENT_TYPE_ATTRIBUTE = 'eventType';

/** Path of the issuer's key set below its address, as at Cognito. */
export const ISSUER_KEYS_PATH = '/.well-known/jwks.json';

/** Paths of the dashboard to which the issuer may send a browser back: after a sign-in, after a sign-out. */
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
 * Pattern of the dashboard's paths that name a file: all below `assets/`, and names with an extension at the root. Every other path
 * belongs to the page itself; ids of connections may contain dots.
 */
export const DASHBOARD_FILE_PATH = '^/(?:assets/|[^/]+[.][a-z0-9]+$)';

/**
 * Cache-Control of the dashboard's files: names with a hash never change, all others must be revalidated (UI-5).
 *
 * @param path of the file below the site's root, without a leading slash
 */
export function dashboardCacheControl(path: string): string {
  return path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-store';
}
