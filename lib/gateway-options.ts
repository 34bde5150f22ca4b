import * as z from 'zod';
import { FEATURE_IDS, FEATURES } from '../lambdas/features/index.ts';
import {
  BACKGROUND_SHARE_PERCENT,
  CALL_LIMIT_DEFAULTS,
  CALL_LOG_MODES,
  CALL_LOG_RETENTION_DAYS,
  CLIENT_SECRETS,
  DUE_SHARDS,
  FRONT_DOORS,
  HELD_WAITS_MAX,
  KEEP_ALIVE_MAX_DAYS,
  OPERATOR_MFA,
  REFRESH_AHEAD,
} from '../lambdas/gateway/core/contract.ts';
import { FUNCTION_MEMORY_MB } from './function-memory.ts';
import {
  accentSchema,
  appName,
  customDomainSchema,
  eventBusArn,
  globalWebAclArn,
  googleEndpointsSchema,
  isFreeOfReservedWords,
  LOG_RETENTION_DAYS,
  operatorIdentityProviderSchema,
  providerEndpointsSchema,
  RESERVED_WORDS,
  safeOrigin,
  safeUrl,
  topicArn,
  webAclSchema,
} from './option-values.ts';

/** The options of a gateway are not valid; `problems` names every one of them. */
export class InvalidOptionsError extends Error {
  override readonly name = 'InvalidOptionsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['These gateway options are not valid:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
    this.problems = problems;
  }
}

/** Reserved concurrency of one function. */
const concurrency = z.int().min(1).max(100_000);

/** Shared budget of all assistants of one end user. */
const amountsOfUser = z.strictObject({
  calls: z.int().min(1).optional(),
  units: z.int().min(1).optional(),
  bytes: z.int().min(1).optional(),
});

/** Every option of one gateway; parsing fills in the defaults and refuses unknown names. */
export const gatewayOptionsSchema = z.strictObject({
  /**
   * Name of the API stage, the last segment of the base URL without a custom domain.
   * @default 'v1'
   */
  stageName: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be 1 to 128 letters, digits, hyphens or underscores')
    .default('v1'),
  /**
   * Domain to serve the gateway under, instead of the address that API Gateway assigns.
   * @default - the address that API Gateway assigns
   */
  customDomain: customDomainSchema.optional(),
  /**
   * Where proxied calls come in: `rest-api`, with everything else, or `function-url`, an address of their own that costs nothing a
   * request. The API still takes them, too.
   * @default 'rest-api'
   */
  frontDoor: z.enum(FRONT_DOORS).default('rest-api'),
  /**
   * With `frontDoor: 'function-url'`: domain to serve proxied calls under, by CloudFront in front of the URL. The certificate is in
   * us-east-1, where CloudFront reads it.
   * @default - the address that Lambda assigns
   */
  proxyDomain: customDomainSchema.optional(),
  /**
   * With `proxyDomain`: ARN of a global web ACL of your own in front of proxied calls.
   * @default - none
   */
  proxyWebAcl: globalWebAclArn.optional(),
  /**
   * Let IAM roles that are registered call below `/iam` of the API, with a signature instead of a secret key.
   * @default false
   */
  iamCallers: z.boolean().default(false),
  /**
   * With `iamCallers`: other AWS accounts whose roles may be registered, by their ids. Each of their roles needs a policy, too.
   * @default - roles of the deployment's own account
   */
  iamCallerAccounts: z
    .array(z.string().regex(/^\d{12}$/, 'must be the id of an AWS account, 12 digits'))
    .max(50, 'names at most 50 accounts')
    .default([]),
  /**
   * Issuer of yours whose users sign in from their assistants, which then call `/mcp` with its access tokens. Needs `customDomain`, as
   * clients look for what says so at the root of the host.
   * @default - assistants have agent keys alone
   */
  agentSignIn: z
    .strictObject({
      issuer: safeUrl,
      integrations: z.array(z.string().min(1).max(255)).min(1).max(20),
      audiences: z.array(z.string().min(1).max(500)).min(1).max(10).optional(),
      subjectClaim: z.string().min(1).max(100).default('sub'),
      confirmUrl: safeUrl.optional(),
      limits: z
        .strictObject({
          allow: z.array(z.string().max(100)).max(200).optional(),
          deny: z.array(z.string().max(100)).max(200).optional(),
          minute: amountsOfUser.optional(),
          day: amountsOfUser.optional(),
        })
        .optional(),
    })
    .optional(),
  /**
   * Requests per second the stage accepts in the long run. AWS's quota of the account also applies: 10,000 unless it was raised.
   * @default 1000
   */
  throttleRatePerSec: z.int().min(1).max(1_000_000).default(1_000),
  /**
   * Requests the stage accepts at once above the rate. AWS's quota of the account also applies: 5,000 unless it was raised.
   * @default 2000
   */
  throttleBurst: z.int().min(1).max(1_000_000).default(2_000),
  /**
   * Web ACL in front of the stage: `none`, `make` (AWS managed rules and a limit per address, away from proxied calls), or the ARN of a
   * regional one.
   * @default 'none'
   */
  webAcl: webAclSchema.default('none'),
  /**
   * With `webAcl: 'make'`: requests in five minutes that one address may send to the pages end users see.
   * @default 2000
   */
  webAclRequestsPerIp: z.int().min(10).max(2_000_000_000).default(2_000),
  /**
   * Memory of the proxy function in MB, and with it its share of a processor.
   * @default 1024
   */
  proxyMemoryMb: z.int().min(256).max(10_240).default(FUNCTION_MEMORY_MB.proxy),
  /**
   * Processes of the proxy function that are kept started, so that so many calls at once meet no cold start.
   * @default 0
   */
  provisionedConcurrency: z.int().min(0).max(1_000).default(0),
  /**
   * Calls one secret key may make in a minute; 0: no limit.
   * @default 30000
   */
  callsPerMinutePerKey: z.int().min(0).default(CALL_LIMIT_DEFAULTS.perKey),
  /**
   * Proxied calls one connection may take in a minute; 0: no limit. The default is lower for Calendar, where it is what Google lets one
   * user take; any other value holds for both APIs.
   * @default 12000, and 600 for Calendar
   */
  callsPerMinutePerConnection: z.int().min(0).default(CALL_LIMIT_DEFAULTS.perConnection),
  /**
   * Proxied calls of one secret key that may be under way for ten seconds or longer at the same time; 0: no limit.
   * @default 300
   */
  longCallsPerKey: z.int().min(0).default(CALL_LIMIT_DEFAULTS.longPerKey),
  /**
   * The same of one connection.
   * @default 100
   */
  longCallsPerConnection: z.int().min(0).default(CALL_LIMIT_DEFAULTS.longPerConnection),
  /**
   * Executions at the same time that are kept for a function, and the most it may have, so that none takes what another needs.
   * @default - all share what the account has
   */
  reservedConcurrency: z
    .strictObject({
      proxy: concurrency.optional(),
      management: concurrency.optional(),
      grants: concurrency.optional(),
      connect: concurrency.optional(),
      oauthCallback: concurrency.optional(),
      refresh: concurrency.optional(),
      deliver: concurrency.optional(),
      feeds: concurrency.optional(),
      core: concurrency.optional(),
      inbox: concurrency.optional(),
      mcp: concurrency.optional(),
      events: concurrency.optional(),
      rollUp: concurrency.optional(),
      approvals: concurrency.optional(),
    })
    .default({}),
  /**
   * Who may decide on calls that wait for a person: a signed-in operator, the end user by a sign-in or a link of your app, or both.
   * @default 'both'
   */
  approvers: z.enum(['operator', 'end_user', 'both']).default('both'),
  /**
   * Whether assistants are served over the REST APIs, with ordinary OAuth clients: `refuse` creates no agent keys and serves none. Google's
   * rules since 24 November 2026 name MCP for AI agents; whether the gateway's endpoint satisfies them is not known.
   * @default 'allow'
   */
  agentsOverRest: z.enum(['allow', 'refuse']).default('allow'),
  /**
   * Where new client secrets of integrations are kept: `secrets-manager`, $0.40 a month each, or `table`, as encrypted rows. Both are read at
   * any time; the next change of an integration moves its secret.
   * @default 'secrets-manager'
   */
  clientSecrets: z.enum(CLIENT_SECRETS).default('secrets-manager'),
  /**
   * Wrong or missing keys one address may send one function process in a minute; 0: no limit.
   * @default 60
   */
  wrongKeysPerMinutePerAddress: z.int().min(0).default(CALL_LIMIT_DEFAULTS.perAddress),
  /**
   * Which proxied calls leave a row in the call log: `off` none, `errors` those that failed, `all` every one. Rows hold no content, and
   * no id of a file, event or calendar.
   * @default 'errors'
   */
  callLog: z.enum(CALL_LOG_MODES).default('errors'),
  /**
   * Days that a row of the call log is kept, 1 to 30.
   * @default 7
   */
  callLogRetentionDays: z.int().min(1).max(CALL_LOG_RETENTION_DAYS.most).default(CALL_LOG_RETENTION_DAYS.standard),
  /**
   * Days that function and access logs are kept; one of the values CloudWatch Logs knows.
   * @default 30
   */
  logRetentionDays: z
    .int()
    .refine((days) => LOG_RETENTION_DAYS.includes(days), `must be one of ${LOG_RETENTION_DAYS.join(', ')}`)
    .default(30),
  /**
   * Refresh sweeps that run side by side each minute; each takes an equal part of the due index.
   * @default 1
   */
  refreshSlices: z
    .int()
    .min(1)
    .max(DUE_SHARDS)
    .refine((count) => DUE_SHARDS % count === 0, `must divide ${DUE_SHARDS}`)
    .default(1),
  /**
   * Whose tokens are renewed before they end: of connections used within `activeWindowHours`, of all, or of none.
   * @default 'recently-used'
   */
  refreshAhead: z.enum(REFRESH_AHEAD).default('recently-used'),
  /**
   * With `refreshAhead: 'recently-used'`: hours that a connection counts as used.
   * @default 24
   */
  activeWindowHours: z.int().min(1).max(720).default(24),
  /**
   * Days between two refreshes of a connection whose token is not renewed ahead. Google ends grants after about 180.
   * @default 30
   */
  keepAliveDays: z.int().min(1).max(KEEP_ALIVE_MAX_DAYS).default(30),
  /**
   * Percent of what a Cloud project may list at Google in a minute that feeds take at most, so that yours are never short of them.
   * @default 20
   */
  feedShare: z.int().min(1).max(100).default(BACKGROUND_SHARE_PERCENT),
  /**
   * What happens to calls once a Cloud project has used its daily threshold: `warn` sends the event `QuotaReached` and lets them pass,
   * `stop` refuses them until Google's next day.
   * @default 'warn'
   */
  dayLimit: z.enum(['warn', 'stop']).default('warn'),
  /**
   * Features to leave out, with their resources, permissions and routes.
   * @default - none
   */
  without: z.array(z.enum(FEATURE_IDS)).default([]),
  /**
   * What happens to the table, the key, the secrets and the logs when the stack is deleted.
   * @default 'retain'
   */
  removalPolicy: z.enum(['retain', 'destroy']).default('retain'),
  /**
   * Origins that may frame the connect page and receive its messages.
   * @default - none
   */
  connectAllowedOrigins: z.array(safeOrigin).default([]),
  /**
   * URLs that a connect session may return the browser to.
   * @default - none
   */
  connectReturnUrls: z.array(safeUrl).default([]),
  /**
   * How the connect page names the app that asks for access.
   * @default - the host of the page that opened it or that it returns to, else 'The app that sent you here'
   */
  connectAppName: appName.optional(),
  /**
   * Logo of the app on the pages that end users see: path of a PNG, JPEG, WebP or SVG file of at most 32 KiB, from the folder of
   * `cdk.json`. Needs `connectAppName`, which is read out in its place.
   * @default - the name alone
   */
  connectLogo: z.string().min(1).optional(),
  /**
   * Colour of buttons and links on the pages that end users see, as `#rrggbb`: on light pages, and on dark ones.
   * @default - a blue; for dark pages a shade of the light one that can be read there
   */
  connectAccent: accentSchema.optional(),
  /**
   * Write one line per request to a log group: time, address, route pattern, status and size.
   * @default false
   */
  accessLogs: z.boolean().default(false),
  /**
   * Let this stack set the account-wide role with which API Gateway writes to CloudWatch Logs.
   * @default false
   */
  cloudWatchRole: z.boolean().default(false),
  /**
   * Serve the dashboard and let operators sign in to it. Without it there is no user pool and no site.
   * @default true
   */
  dashboard: z.boolean().default(true),
  /**
   * Address of the first operator, who is invited by e-mail when the stack is created.
   * @default - nobody is invited
   */
  operatorEmail: z.email('must be an e-mail address').optional(),
  /**
   * Second factor of operators: `required`, so that each sets up an authenticator app at the next sign-in, or `optional`.
   * @default 'required'
   */
  operatorMfa: z.enum(OPERATOR_MFA).default('required'),
  /**
   * Sign-in of your company for operators, by OpenID Connect or SAML, with the groups whose members operate or only look.
   * @default - operators have passwords of the user pool
   */
  operatorIdentityProvider: operatorIdentityProviderSchema.optional(),
  /**
   * First label of the sign-in page's address; unique in the region over all AWS accounts.
   * @default - the stack's name in lower case and the account
   */
  operatorDomainPrefix: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be 1 to 63 lower-case letters, digits or inner hyphens')
    .refine(isFreeOfReservedWords, `must not contain ${RESERVED_WORDS.join(', ')}: Cognito refuses these words`)
    .optional(),
  /**
   * Make alarms for every known way to fail and saved log queries. Without it there are the alarms that the schedules, the events and
   * the webhooks bring, silence among them.
   * @default true
   */
  monitoring: z.boolean().default(true),
  /**
   * With `monitoring`: make a CloudWatch dashboard, too, at $3.00 a month.
   * @default false
   */
  operationsDashboard: z.boolean().default(false),
  /**
   * SNS topic that is notified when an alarm fires and when it is over.
   * @default - alarms notify nobody
   */
  alarmTopicArn: topicArn.optional(),
  /**
   * Address that receives alarms by e-mail, through a topic of the gateway's own. SNS asks it to confirm first.
   * @default - alarms notify only `alarmTopicArn`
   */
  alarmEmail: z.email('must be an e-mail address').optional(),
  /**
   * Bus that receives lifecycle events, in the account and region of the gateway.
   * @default - the gateway makes one
   */
  eventBusArn: eventBusArn.optional(),
  /**
   * Record traces of requests with AWS X-Ray. They hold each request's path and the caller's address.
   * @default false
   */
  tracing: z.boolean().default(false),
  /**
   * Addresses to use instead of Google's own.
   * @default - Google's own
   */
  googleEndpoints: googleEndpointsSchema.default({}),
  /**
   * Addresses to use instead of those in providers' definitions, by authorization server and by their names in RFC 8414: `{"acme":
   * {"token_endpoint": "https://…"}}`; `api_base_url`, or `<name>_base_url` for an API on a host of its own.
   * @default - those of the definitions
   */
  providerEndpoints: providerEndpointsSchema.default({}),
});

/** What an embedder may pass: every option may be left out. */
export type GatewayOptions = z.input<typeof gatewayOptionsSchema>;

/** Checked options with every default in place. */
export type GatewayConfig = z.output<typeof gatewayOptionsSchema>;

/**
 * Renders schema issues as one line each, `option[index].member: message`.
 */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.flatMap((issue) => {
    const at = z.core.toDotPath(issue.path);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${at === '' ? key : `${at}.${key}`}: there is no such option`);
    }
    return [`${at}: ${issue.message}`];
  });
}

/**
 * Checks the options of a gateway and fills in the defaults.
 * @throws InvalidOptionsError that lists every problem
 */
export function resolveGatewayOptions(options: GatewayOptions): GatewayConfig {
  const parsed = gatewayOptionsSchema.safeParse(options);
  if (!parsed.success) {
    throw new InvalidOptionsError(describeIssues(parsed.error.issues));
  }
  const { data } = parsed;
  const problems = [concurrencyProblems, featureProblems, brandProblems, doorProblems, signInProblems].flatMap((find) =>
    find(data),
  );
  if (problems.length > 0) throw new InvalidOptionsError(problems);
  return parsed.data;
}

/** A feature requires the ones that it needs. */
function featureProblems({ without }: GatewayConfig): string[] {
  const left = new Set<string>(without);
  return FEATURES.filter(({ id }) => !left.has(id)).flatMap(({ id, needs }) =>
    needs.filter((need) => left.has(need)).map((need) => `without: ${id} needs ${need}; leave out both, or neither`),
  );
}

function brandProblems({ connectLogo, connectAppName }: GatewayConfig): string[] {
  if (connectLogo === undefined || connectAppName !== undefined) return [];
  return ['connectLogo: also set connectAppName, which is read to users who cannot see the logo'];
}

/** Clients look for the issuer below `/.well-known` at the root of the host (RFC 9728 section 3.1), where a stage's address has nothing. */
function signInProblems({ agentSignIn, customDomain, without }: GatewayConfig): string[] {
  if (agentSignIn === undefined) return [];
  const left: readonly string[] = without;
  if (left.includes('agents')) return ['agentSignIn: without agents nobody can use it; leave out neither, or both'];
  if (customDomain !== undefined) return [];
  return [
    'agentSignIn: also set customDomain; the address of a stage has a path, and clients look for the issuer at the root of the host',
  ];
}

/** Options that a front door does not support, with what to set instead. */
function doorProblems(config: GatewayConfig): string[] {
  const { frontDoor, proxyDomain, proxyWebAcl, webAcl, customDomain } = config;
  const problems: string[] = [];
  if (config.iamCallerAccounts.length > 0 && !config.iamCallers) {
    problems.push('iamCallerAccounts: also set iamCallers, which lets roles call at all');
  }
  const isUrl = frontDoor === 'function-url';
  if (proxyDomain !== undefined && !isUrl) {
    problems.push('proxyDomain: also set frontDoor to function-url; the domain of the REST API is customDomain');
  }
  if (proxyWebAcl !== undefined && proxyDomain === undefined) {
    problems.push('proxyWebAcl: also set proxyDomain; only CloudFront in front of a function URL can have a web ACL');
  }
  if (isUrl && webAcl.startsWith('arn:') && proxyWebAcl === undefined) {
    problems.push(
      'webAcl: a function URL has no web ACL, so proxied calls would go past yours; set proxyDomain and proxyWebAcl, or webAcl to make, whose rules leave proxied calls alone, or frontDoor to rest-api',
    );
  }
  if (proxyDomain !== undefined && proxyDomain.domainName === customDomain?.domainName) {
    problems.push('proxyDomain.domainName: must be another name than that of customDomain, which the REST API has');
  }
  return problems;
}

/** Conflicting settings that a deployment would report late or never. */
function concurrencyProblems(config: GatewayConfig): string[] {
  const { reservedConcurrency: reserved, provisionedConcurrency, refreshSlices } = config;
  const problems: string[] = [];
  if (reserved.proxy !== undefined && reserved.proxy < provisionedConcurrency) {
    problems.push('reservedConcurrency.proxy: must be at least provisionedConcurrency, which is part of it');
  }
  if (reserved.refresh !== undefined && reserved.refresh < refreshSlices) {
    problems.push('reservedConcurrency.refresh: must be at least refreshSlices, which run at the same time');
  }
  if (reserved.mcp !== undefined && reserved.mcp < 2 * HELD_WAITS_MAX) {
    problems.push(`reservedConcurrency.mcp: must be at least ${2 * HELD_WAITS_MAX}, half of which may wait for people`);
  }
  return problems;
}
