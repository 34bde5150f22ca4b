import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { DUE_SHARDS } from '../lambdas/shared/contract.ts';

/** The options of a gateway are not valid; `problems` names every one of them. */
export class InvalidOptionsError extends Error {
  override readonly name = 'InvalidOptionsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The gateway options are not valid:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
    this.problems = problems;
  }
}

const LOG_RETENTION_DAYS: readonly number[] = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

const REGIONAL_CERTIFICATE_ARN = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/;

/** Tells whether `text` is an absolute https URL, or http on loopback, without credentials or fragment. */
function isSafeUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#') || text.includes(',')) {
    return false;
  }
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
}

const safeUrl = z
  .string()
  .refine(isSafeUrl, 'must be an absolute https:// URL (http:// only for localhost) without a fragment, user or comma');

const safeOrigin = z
  .string()
  .refine(
    (text) => isSafeUrl(text) && URL.parse(text)?.origin === text,
    'must be an origin such as https://app.example.com: https:// (http:// only for localhost), no path, no trailing slash',
  );

/** The custom domain of a gateway: its name and the ACM certificate for it, in the gateway's own region. */
export const customDomainSchema = z.strictObject({
  domainName: z
    .string()
    .regex(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a lower-case domain name'),
  certificateArn: z.string().regex(REGIONAL_CERTIFICATE_ARN, 'must be the ARN of an ACM certificate'),
});

const endpointUrl = safeUrl.refine((text) => !text.includes('?'), 'must not have a query');

const googleEndpointsSchema = z.strictObject({
  issuer: endpointUrl.optional(),
  authorizationEndpoint: endpointUrl.optional(),
  tokenEndpoint: endpointUrl.optional(),
  revocationEndpoint: endpointUrl.optional(),
  userinfoEndpoint: endpointUrl.optional(),
  jwksUri: endpointUrl.optional(),
  apiBaseUrl: endpointUrl.optional(),
});

/** Words that no address of a Cognito sign-in page may contain. */
const RESERVED_WORDS = ['aws', 'amazon', 'cognito'];

/** Whether a name may be part of the address of a Cognito sign-in page. */
export function isFreeOfReservedWords(name: string): boolean {
  return !RESERVED_WORDS.some((word) => name.toLowerCase().includes(word));
}

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
   * Domain to serve the gateway under, in place of the address that API Gateway assigns.
   * @default - the address that API Gateway assigns
   */
  customDomain: customDomainSchema.optional(),
  /**
   * Requests per second the stage accepts in the long run.
   * @default 1000
   */
  throttleRatePerSec: z.int().min(1).max(10_000).default(1_000),
  /**
   * Requests the stage accepts at once above the rate.
   * @default 2000
   */
  throttleBurst: z.int().min(1).max(5_000).default(2_000),
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
   * First label of the sign-in page's address; unique in the region over all AWS accounts.
   * @default - the stack's name in lower case and the account
   */
  operatorDomainPrefix: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be 1 to 63 lower-case letters, digits or inner hyphens')
    .refine(isFreeOfReservedWords, `must not contain ${RESERVED_WORDS.join(', ')}: Cognito refuses these words`)
    .optional(),
  /**
   * Make alarms for every known way to fail, a CloudWatch dashboard and saved log queries. Without it there are the three
   * alarms that the refresh schedule and the events bring.
   * @default true
   */
  monitoring: z.boolean().default(true),
  /**
   * SNS topic that hears when an alarm fires and when it is over.
   * @default - alarms tell nobody
   */
  alarmTopicArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/, 'must be the ARN of an SNS topic')
    .optional(),
  /**
   * Addresses to use in place of Google's own.
   * @default - Google's own
   */
  googleEndpoints: googleEndpointsSchema.default({}),
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
  return parsed.data;
}
