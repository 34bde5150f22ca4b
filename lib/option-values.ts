import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { serverAddresses } from '../lambdas/gateway/providers/index.ts';
import { accentProblem, type Look } from './brand.ts';

/** Retentions of a log group in days that CloudWatch Logs supports, except `never expire`. */
export const LOG_RETENTION_DAYS: readonly number[] = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** Whether `text` is an absolute https URL, or http on loopback, without credentials or fragment. */
function isSafeUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '' || text.includes('#') || text.includes(',')) {
    return false;
  }
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
}

/** An absolute https URL, or http on loopback. */
export const safeUrl = z
  .string()
  .refine(isSafeUrl, 'must be an absolute https:// URL (http:// only for localhost) without a fragment, user or comma');

/** An origin as browsers write it. */
export const safeOrigin = z
  .string()
  .refine(
    (text) => isSafeUrl(text) && new URL(text).origin === text,
    'must be an origin such as https://app.example.com: https:// (http:// only for localhost), no path, no trailing slash',
  );

/** The custom domain of a gateway: its name and the ACM certificate for it, in the gateway's own region. */
export const customDomainSchema = z.strictObject({
  domainName: z
    .string()
    .regex(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a lower-case domain name'),
  certificateArn: z
    .string()
    .regex(
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/,
      'must be the ARN of an ACM certificate',
    ),
});

const endpointUrl = safeUrl.refine((text) => !text.includes('?'), 'must not have a query');
/** The caller's path is appended: a path in the option would be dropped. */
const endpointOrigin = endpointUrl.refine(
  (text) => !URL.canParse(text) || new URL(text).pathname === '/',
  'must be an origin without a path',
);

/** Addresses to use instead of Google's own. */
export const googleEndpointsSchema = z.strictObject({
  issuer: endpointUrl.optional(),
  authorizationEndpoint: endpointUrl.optional(),
  tokenEndpoint: endpointUrl.optional(),
  revocationEndpoint: endpointUrl.optional(),
  userinfoEndpoint: endpointUrl.optional(),
  jwksUri: endpointUrl.optional(),
  apiBaseUrl: endpointOrigin.optional(),
  tokenExchangeEndpoint: endpointUrl.optional(),
  serviceAccountsEndpoint: endpointUrl.optional(),
  driveActivityBaseUrl: endpointOrigin.optional(),
  calDavBaseUrl: endpointOrigin.optional(),
  driveMcpEndpoint: endpointUrl.optional(),
  calendarMcpEndpoint: endpointUrl.optional(),
});

const SERVER_ADDRESSES = serverAddresses();

/** Addresses by authorization server and name. */
export const providerEndpointsSchema = z
  .record(z.string(), z.record(z.string(), endpointUrl))
  .superRefine((servers, context) => {
    for (const [server, addresses] of Object.entries(servers)) {
      const known = SERVER_ADDRESSES.get(server);
      if (known === undefined) {
        const message = `must be one of: ${[...SERVER_ADDRESSES.keys()].join(', ')}`;
        context.addIssue({ code: 'custom', path: [server], message });
        continue;
      }
      for (const [name, address] of Object.entries(addresses)) {
        const problem = !known.has(name)
          ? `must be one of: ${[...known].join(', ')}`
          : name.endsWith('_base_url') && URL.canParse(address) && new URL(address).pathname !== '/'
            ? 'must be an origin without a path'
            : undefined;
        if (problem !== undefined) context.addIssue({ code: 'custom', path: [server, name], message: problem });
      }
    }
  });

/** `none`, `make`, or the ARN of an existing web ACL. */
export const webAclSchema = z
  .string()
  .regex(
    /^(none|make|arn:aws[a-z-]*:wafv2:[a-z0-9-]+:\d{12}:regional\/webacl\/[\w-]{1,128}\/[\w-]{1,36})$/,
    'must be none, make, or the ARN of a regional web ACL',
  );

/** ARN of a web ACL for CloudFront distributions, which are all in us-east-1. */
export const globalWebAclArn = z
  .string()
  .regex(
    /^arn:aws[a-z-]*:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]{1,128}\/[\w-]{1,36}$/,
    'must be the ARN of a global web ACL, whose scope is CLOUDFRONT',
  );

/** ARN of an event bus. */
export const eventBusArn = z
  .string()
  .regex(/^arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/[\w./-]{1,256}$/, 'must be the ARN of an event bus');

/** ARN of an SNS topic. */
export const topicArn = z
  .string()
  .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/, 'must be the ARN of an SNS topic');

/** ARN of a secret in Secrets Manager. */
const secretArn = z
  .string()
  .regex(
    /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]{1,512}$/,
    'must be the ARN of a secret in Secrets Manager',
  );

/** A name of a group as the identity provider sends it; a comma separates two in what Cognito stores. */
const group = z
  .string()
  .regex(/^[^\p{C}",[\]]{1,256}$/u, 'must be 1 to 256 characters without a comma, quote or bracket');

/** A company's sign-in for operators: exactly one of `oidc` and `saml`. */
export const operatorIdentityProviderSchema = z
  .strictObject({
    /** Name in the user pool, which is part of the sign-in's address. */
    name: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{2,31}$/, 'must start with a letter and have 3 to 32 letters, digits or hyphens')
      .refine((name) => name.toUpperCase() !== 'COGNITO', 'must not be COGNITO, which is the user pool itself'),
    oidc: z
      .strictObject({
        issuer: safeUrl,
        clientId: z.string().min(1).max(256),
        /** The secret itself never appears in a template: CloudFormation reads it where it is. */
        clientSecretArn: secretArn,
        /** @default - the whole secret */
        clientSecretField: z
          .string()
          .regex(/^[\w-]{1,64}$/, 'must be the name of a member of the secret')
          .optional(),
        /** Version to read; name another one after a rotation. @default - the current one when this is deployed */
        clientSecretVersion: z
          .string()
          .regex(/^[\w-]{1,64}$/, 'must be the id of a version')
          .optional(),
        scopes: z
          .array(z.string().regex(/^[^\s"\\]{1,128}$/))
          .max(20)
          .default(['openid', 'email', 'profile']),
      })
      .refine(({ scopes }) => scopes.includes('openid'), { path: ['scopes'], message: 'must include openid' })
      .optional(),
    saml: z.strictObject({ metadataUrl: safeUrl }).optional(),
    /** Claim or attribute with the e-mail address. */
    emailAttribute: z.string().min(1).max(256).default('email'),
    /** Claim or attribute with the groups. */
    groupsAttribute: z.string().min(1).max(256).default('groups'),
    /** Groups whose members may do everything. */
    operatorGroups: z.array(group).min(1).max(20),
    /** Groups whose members only look. */
    viewerGroups: z.array(group).max(20).default([]),
    /** State that the provider asks everyone for a second factor, which the gateway cannot see. */
    secondFactor: z.boolean().default(false),
    /** Whether the user pool's own operators still sign in with their passwords. */
    passwords: z.boolean().default(false),
  })
  .refine(({ oidc, saml }) => (oidc === undefined) !== (saml === undefined), 'must have either oidc or saml')
  .refine(({ operatorGroups, viewerGroups }) => !viewerGroups.some((one) => operatorGroups.includes(one)), {
    path: ['viewerGroups'],
    message: 'must not name a group of operatorGroups',
  });

export type OperatorIdentityProvider = z.output<typeof operatorIdentityProviderSchema>;

/** Words that no address of a Cognito sign-in page may contain. */
export const RESERVED_WORDS = ['aws', 'amazon', 'cognito'];

/** Whether a name may be part of the address of a Cognito sign-in page. */
export function isFreeOfReservedWords(name: string): boolean {
  return !RESERVED_WORDS.some((word) => name.toLowerCase().includes(word));
}

const text = z.string().optional().catch(undefined);
const regionalSchema = z.looseObject({
  customDomain: z.looseObject({ certificateArn: text }).optional().catch(undefined),
  proxyDomain: z.looseObject({ certificateArn: text }).optional().catch(undefined),
  frontDoor: text,
  webAcl: text,
  eventBusArn: text,
  alarmTopicArn: text,
  tracing: z.boolean().optional().catch(undefined),
});

/** The region of CloudFront's certificates and web ACLs, whatever the region of its origins. */
const CLOUDFRONT_REGION = 'us-east-1';

/**
 * Regions without function URLs: those that the AWS Lambda guide names ("Invoking Lambda function URLs"), those of China ("Getting Started
 * with Amazon Web Services in China", Amazon Lambda), and those whose CloudFormation registry has no `AWS::Lambda::Url` (as cfn-lint 1.58.0
 * carries them; `npm run second-opinions` compares).
 */
export const WITHOUT_FUNCTION_URLS: readonly string[] = [
  'ap-east-2',
  'ap-south-2',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-6',
  'ap-southeast-7',
  'ca-west-1',
  'cn-north-1',
  'cn-northwest-1',
  'eu-central-2',
  'eu-south-2',
  'il-central-1',
  'me-central-1',
  'mx-central-1',
  'us-gov-east-1',
  'us-gov-west-1',
];

/** Regions whose functions have no X-Ray ("Getting Started with Amazon Web Services in China", Amazon Lambda). */
const WITHOUT_TRACES: readonly string[] = ['cn-north-1', 'cn-northwest-1'];

/**
 * Names every option that refers to another region than the gateway's, because none of these services works across regions.
 *
 * @param options as given, valid or not; a text that is no ARN is skipped, because the schema reports it
 */
export function problemsOfRegion(options: unknown, region: string): string[] {
  const { data } = regionalSchema.safeParse(options);
  const arns = {
    'customDomain.certificateArn': data?.customDomain?.certificateArn,
    webAcl: data?.webAcl,
    eventBusArn: data?.eventBusArn,
    alarmTopicArn: data?.alarmTopicArn,
  };
  const elsewhere = Object.entries(arns)
    .filter(([, arn]) => arn?.startsWith('arn:') && arn.split(':')[3] !== region)
    .map(([option]) => `${option}: must be in the region of the gateway`);
  const certificate = data?.proxyDomain?.certificateArn;
  if (certificate?.startsWith('arn:') && certificate.split(':')[3] !== CLOUDFRONT_REGION) {
    elsewhere.push(`proxyDomain.certificateArn: must be in ${CLOUDFRONT_REGION}, where CloudFront reads certificates`);
  }
  if (data?.frontDoor === 'function-url' && WITHOUT_FUNCTION_URLS.includes(region)) {
    elsewhere.push(`frontDoor: ${region} has no function URLs; set rest-api, or deploy to another region`);
  }
  if (data?.tracing === true && WITHOUT_TRACES.includes(region)) {
    elsewhere.push(`tracing: functions in ${region} write no traces to X-Ray; leave it false`);
  }
  return elsewhere;
}

const accent = (look: Look) =>
  z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #0b57d0')
    .transform((color) => color.toLowerCase())
    .check(({ value, issues }) => {
      const problem = /^#[0-9a-f]{6}$/.test(value) ? accentProblem(look, value) : undefined;
      if (problem !== undefined) issues.push({ code: 'custom', message: problem, input: value });
    });

/** The accent of the pages for end users. */
export const accentSchema = z.strictObject({ light: accent('light'), dark: accent('dark').optional() });

/** A displayed name: no control or direction characters, which would turn the surrounding text. */
export const appName = z
  .string()
  .regex(/^[^\p{C}\s][^\p{C}]{0,58}[^\p{C}\s]$/u, 'must be 2 to 60 visible characters, without spaces at its ends');
