/**
 * What the plain template takes as parameters: an option of the CDK app each, with what the synthesis is given in its place,
 * and which options are none, with the reason.
 */
import { FEATURE_ENVIRONMENT } from '../../../lambdas/features/index.ts';
import { ENVIRONMENT, FRONT_DOORS, OPERATOR_MFA } from '../../../lambdas/gateway/core/contract.ts';
import { type GatewayConfig, type GatewayOptions, gatewayOptionsSchema } from '../../../lib/gateway-options.ts';
import { LOG_RETENTION_DAYS } from '../../../lib/option-values.ts';

/** A parameter as CloudFormation reads it. */
export interface TemplateParameter {
  readonly Type: 'String' | 'Number';
  readonly Description: string;
  readonly Default?: string | number;
  readonly AllowedPattern?: string;
  readonly AllowedValues?: readonly (string | number)[];
  readonly MinValue?: number;
  readonly MaxValue?: number;
  readonly ConstraintDescription?: string;
}

/** A condition of a template. */
export type Condition = Readonly<Record<string, unknown>>;

const DEFAULTS = gatewayOptionsSchema.parse({});

/** Condition: a text parameter was given. */
const isEmpty = (parameter: string): Condition => ({ 'Fn::Equals': [{ Ref: parameter }, ''] });
const isGiven = (parameter: string): Condition => ({ 'Fn::Not': [isEmpty(parameter)] });
const isOn = (parameter: string): Condition => ({ 'Fn::Equals': [{ Ref: parameter }, 'true'] });
const ref = (parameter: string) => ({ Ref: parameter });

/** Without a space, a comma or a quote, and with a host that has a dot: what SNS and Cognito take as an address. */
const EMAIL = String.raw`[^\s@,"<>]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+`;
const HOST = String.raw`([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?`;
const LOOPBACK = String.raw`(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?`;
const ORIGIN = String.raw`(https://[a-z0-9.-]+(:\d{1,5})?|http://${LOOPBACK})`;
const URL_OF_A_PAGE = String.raw`(https://${HOST}|http://${LOOPBACK})([/?][^\s,#]*)?`;
const listOf = (one: string) => `^(${one}(,${one})*)?$`;
const optional = (one: string) => `^(${one})?$`;

/** A text that may be left out. */
function text(Description: string, AllowedPattern: string, ConstraintDescription: string) {
  const parameter = { Type: 'String', Default: '', Description, AllowedPattern, ConstraintDescription } as const;
  return parameter satisfies TemplateParameter;
}

function number(option: keyof GatewayConfig, Description: string, MinValue: number, MaxValue: number) {
  return {
    Type: 'Number',
    Default: Number(DEFAULTS[option]),
    Description,
    MinValue,
    MaxValue,
    ConstraintDescription: `must be a whole number from ${MinValue} to ${MaxValue}`,
  } as const satisfies TemplateParameter;
}

function choice(
  option: keyof GatewayConfig,
  Description: string,
  AllowedValues: readonly (string | number)[],
): TemplateParameter {
  const isNumber = typeof AllowedValues[0] === 'number';
  return {
    Type: isNumber ? 'Number' : 'String',
    Default: isNumber ? Number(DEFAULTS[option]) : String(DEFAULTS[option]),
    Description,
    AllowedValues,
    ConstraintDescription: `must be one of ${AllowedValues.join(', ')}`,
  };
}

const onOrOff = (option: keyof GatewayConfig, description: string) => choice(option, description, ['true', 'false']);

const MANY = 1_000_000_000;

/** Every parameter, in the order in which consoles show them. */
export const TEMPLATE_PARAMETERS = {
  CodeBucket: {
    Type: 'String',
    AllowedPattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
    Description: 'Bucket in the region of the stack that holds the zips of the functions',
    ConstraintDescription: 'must be the name of a bucket, such as my-company-code',
  },
  CodePrefix: text(
    'What the keys of the zips in that bucket begin with, such as gateway/; empty for none',
    '^([^/].*/)?$',
    'must end in a slash and not begin with one, such as gateway/',
  ),
  OperatorEmail: text(
    'Address of the first operator, who is invited to the dashboard; empty for none',
    optional(EMAIL),
    'must be an e-mail address, or empty',
  ),
  OperatorDomainPrefix: text(
    'First part of the address of the operators’ sign-in page, unique in the region; empty for gateway-<account>',
    '^(?!.*(aws|amazon|cognito))([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$',
    'must be up to 63 lower-case letters, digits or inner hyphens, without the words aws, amazon and cognito, which Cognito refuses',
  ),
  OperatorMfa: choice('operatorMfa', 'Whether operators need a second factor to sign in', OPERATOR_MFA),
  Dashboard: onOrOff('dashboard', 'Serve the dashboard and let operators sign in to it'),
  AlarmEmail: text(
    'Address that receives alarms; SNS asks it to confirm by a link first',
    optional(EMAIL),
    'must be one e-mail address, or empty',
  ),
  AlarmTopicArn: text(
    'SNS topic in the region of the stack that receives alarms',
    optional(String.raw`arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}`),
    'must be the ARN of an SNS topic such as arn:aws:sns:eu-central-1:111122223333:alarms, or empty',
  ),
  Monitoring: onOrOff('monitoring', 'An alarm for every known way to fail, and saved log queries'),
  OperationsDashboard: onOrOff('operationsDashboard', 'With Monitoring: a CloudWatch dashboard, at $3.00 a month'),
  LogRetentionDays: choice('logRetentionDays', 'Days that logs of functions are kept', LOG_RETENTION_DAYS),
  ConnectAllowedOrigins: text(
    'Origins that may frame the connect page and receive its messages, separated by commas',
    listOf(ORIGIN),
    'must be origins such as https://app.example.com, separated by commas alone: https (http only for localhost), no path, no slash at the end',
  ),
  ConnectReturnUrls: text(
    'Pages that a connect session may send the browser back to, separated by commas',
    listOf(URL_OF_A_PAGE),
    'must be URLs such as https://app.example.com/done, separated by commas alone: https (http only for localhost), no fragment',
  ),
  ConnectAppName: text(
    'How the connect page names the app that asks for access; empty: by the host of its page',
    String.raw`^([^\s<>].{0,58}[^\s<>])?$`,
    'must be 2 to 60 characters without spaces at its ends, or empty',
  ),
  DomainName: text(
    'Domain of its own to serve the gateway under; needs CertificateArn',
    String.raw`^(?=.{0,253}$)(([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63})?$`,
    'must be a lower-case domain name such as gateway.example.com, or empty',
  ),
  CertificateArn: text(
    'ACM certificate for that domain, in the region of the stack',
    optional(String.raw`arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate/[A-Za-z0-9-]+`),
    'must be the ARN of an ACM certificate, or empty',
  ),
  FrontDoor: choice(
    'frontDoor',
    'Where proxied calls come in: rest-api, or function-url for a second address without a price a request, in regions that have function URLs',
    FRONT_DOORS,
  ),
  ThrottleRatePerSec: number('throttleRatePerSec', 'Requests a second that are accepted in the long run', 1, 1_000_000),
  ThrottleBurst: number('throttleBurst', 'Requests that are accepted at once above the rate', 1, 1_000_000),
  ProxyMemoryMb: number('proxyMemoryMb', 'Memory of the proxy function in MB, and with it its processor', 256, 10_240),
  WebAcl: {
    Type: 'String',
    Default: DEFAULTS.webAcl,
    AllowedPattern: String.raw`^(none|make|arn:aws[a-z-]*:wafv2:[a-z0-9-]+:\d{12}:regional/webacl/[\w-]{1,128}/[\w-]{1,36})$`,
    Description: 'Web ACL in front of the API: none, make, or the ARN of a regional one',
    ConstraintDescription: 'must be none, make, or the ARN of a regional web ACL',
  },
  WebAclRequestsPerIp: number(
    'webAclRequestsPerIp',
    'With WebAcl make: requests of one address to pages of end users in five minutes',
    10,
    2_000_000_000,
  ),
  CallsPerMinutePerKey: number('callsPerMinutePerKey', 'Calls of one secret key in a minute; 0: no limit', 0, MANY),
  CallsPerMinutePerConnection: number(
    'callsPerMinutePerConnection',
    'Proxied calls of one connection in a minute; 0: no limit',
    0,
    MANY,
  ),
  LongCallsPerKey: number('longCallsPerKey', 'Long calls of one secret key under way at once; 0: no limit', 0, MANY),
  LongCallsPerConnection: number('longCallsPerConnection', 'The same of one connection; 0: no limit', 0, MANY),
  WrongKeysPerMinutePerAddress: number(
    'wrongKeysPerMinutePerAddress',
    'Calls without a valid key that one address may send one process in a minute; 0: no limit',
    0,
    MANY,
  ),
  CallLog: choice('callLog', 'Which proxied calls leave a row in the call log', ['errors', 'all', 'off']),
  CallLogRetentionDays: number('callLogRetentionDays', 'Days that such a row is kept', 1, 30),
  RefreshAhead: choice('refreshAhead', 'Whose tokens are renewed before they expire', [
    'recently-used',
    'always',
    'on-use',
  ]),
  Approvers: choice('approvers', 'Who approves calls that limits of keys name for it', [
    'both',
    'operator',
    'end_user',
  ]),
  ClientSecrets: choice('clientSecrets', 'Where new client secrets of integrations are kept', [
    'secrets-manager',
    'table',
  ]),
  AgentsOverRest: choice('agentsOverRest', 'Whether assistants are served over the REST APIs', ['allow', 'refuse']),
  DayLimit: choice('dayLimit', 'What happens to calls once a Cloud project has used its daily threshold', [
    'warn',
    'stop',
  ]),
  FeedShare: number('feedShare', 'Percent of a Cloud project’s calls a minute that feeds take at most', 1, 100),
  EventBusArn: text(
    'Bus that receives lifecycle events, in the account and region of the stack; empty: one is made',
    optional(String.raw`arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus/[\w./-]{1,256}`),
    'must be the ARN of an event bus, or empty',
  ),
  AccessLogs: onOrOff(
    'accessLogs',
    'A line per request in a log group; needs CloudWatchRole or the same role set before',
  ),
  CloudWatchRole: onOrOff('cloudWatchRole', 'Set the account-wide role with which API Gateway writes logs'),
  Tracing: onOrOff('tracing', 'Record traces with AWS X-Ray'),
} as const satisfies Readonly<Record<string, TemplateParameter>>;

/** Name of a parameter. */
export type ParameterName = keyof typeof TEMPLATE_PARAMETERS;

/** What must hold between parameters, said before anything is made. */
export const TEMPLATE_RULES = {
  DomainAndCertificate: {
    Assertions: [
      {
        Assert: {
          'Fn::Or': [
            { 'Fn::And': [isEmpty('DomainName'), isEmpty('CertificateArn')] },
            { 'Fn::And': [isGiven('DomainName'), isGiven('CertificateArn')] },
          ],
        },
        AssertDescription: 'DomainName needs CertificateArn, the ACM certificate for it, and the other way round',
      },
    ],
  },
  FrontDoorAndWebAcl: {
    Assertions: [
      {
        Assert: {
          'Fn::Or': [
            { 'Fn::Equals': [{ Ref: 'FrontDoor' }, 'rest-api'] },
            { 'Fn::Equals': [{ Ref: 'WebAcl' }, 'none'] },
            { 'Fn::Equals': [{ Ref: 'WebAcl' }, 'make'] },
          ],
        },
        AssertDescription:
          'FrontDoor function-url has no web ACL, so proxied calls would go past yours: set WebAcl to none or make, whose rules leave proxied calls alone',
      },
    ],
  },
} as const;

/** What the synthesis is given where the deployment's own value belongs: found again in the template, and replaced. */
export const FIXED = {
  stackName: 'NameOfTheStack',
  region: 'us-east-1',
  operatorEmail: 'operator@placeholder.invalid',
  operatorDomainPrefix: 'prefix-of-the-sign-in-page',
  alarmEmail: 'alarms@placeholder.invalid',
  alarmTopicArn: 'arn:aws:sns:us-east-1:111122223333:topic-of-the-alarms',
  domainName: 'domain.placeholder.invalid',
  certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/of-the-domain',
  eventBusArn: 'arn:aws:events:us-east-1:111122223333:event-bus/name-of-the-bus',
  webAclArn: 'arn:aws:wafv2:us-east-1:111122223333:regional/webacl/company/of-the-company',
} as const;

/** What the CDK takes out of the bus's ARN. */
const NAME_OF_THE_BUS = 'name-of-the-bus';

/** The options that the template is made with: everything that can be switched on is on. */
export const FULL_OPTIONS = {
  operatorEmail: FIXED.operatorEmail,
  operatorDomainPrefix: FIXED.operatorDomainPrefix,
  alarmEmail: FIXED.alarmEmail,
  alarmTopicArn: FIXED.alarmTopicArn,
  customDomain: { domainName: FIXED.domainName, certificateArn: FIXED.certificateArn },
  frontDoor: 'function-url',
  eventBusArn: FIXED.eventBusArn,
  operationsDashboard: true,
  accessLogs: true,
  cloudWatchRole: true,
  tracing: true,
  webAcl: 'make',
  // Numbers that nothing else in the template is.
  throttleRatePerSec: 9_871,
  throttleBurst: 4_987,
  proxyMemoryMb: 9_973,
  logRetentionDays: 2_557,
  webAclRequestsPerIp: 1_999_999_973,
} as const satisfies GatewayOptions;

/** What takes the place of each. Those that hold others come first. */
export const DEPLOYMENTS_OWN: readonly (readonly [fixed: string | number, value: unknown])[] = [
  [FIXED.alarmTopicArn, ref('AlarmTopicArn')],
  [FIXED.certificateArn, ref('CertificateArn')],
  [FIXED.eventBusArn, ref('EventBusArn')],
  [FIXED.webAclArn, ref('WebAcl')],
  [NAME_OF_THE_BUS, { 'Fn::Select': [1, { 'Fn::Split': [':event-bus/', ref('EventBusArn')] }] }],
  [FIXED.stackName, { Ref: 'AWS::StackName' }],
  [FIXED.region, { Ref: 'AWS::Region' }],
  [FIXED.operatorEmail, ref('OperatorEmail')],
  [FIXED.alarmEmail, ref('AlarmEmail')],
  [FIXED.domainName, ref('DomainName')],
  [
    FIXED.operatorDomainPrefix,
    {
      'Fn::If': [
        'HasDomainPrefix',
        ref('OperatorDomainPrefix'),
        { 'Fn::Join': ['-', ['gateway', { Ref: 'AWS::AccountId' }]] },
      ],
    },
  ],
  [FULL_OPTIONS.throttleRatePerSec, ref('ThrottleRatePerSec')],
  [FULL_OPTIONS.throttleBurst, ref('ThrottleBurst')],
  [FULL_OPTIONS.proxyMemoryMb, ref('ProxyMemoryMb')],
  [FULL_OPTIONS.logRetentionDays, ref('LogRetentionDays')],
  [FULL_OPTIONS.webAclRequestsPerIp, ref('WebAclRequestsPerIp')],
];

/** Parameters that are nothing but an environment variable of functions. */
export const ENVIRONMENT_PARAMETERS: Readonly<Record<string, ParameterName>> = {
  [ENVIRONMENT.connectAllowedOrigins]: 'ConnectAllowedOrigins',
  [ENVIRONMENT.connectReturnUrls]: 'ConnectReturnUrls',
  [ENVIRONMENT.connectAppName]: 'ConnectAppName',
  [ENVIRONMENT.callsPerMinutePerKey]: 'CallsPerMinutePerKey',
  [ENVIRONMENT.callsPerMinutePerConnection]: 'CallsPerMinutePerConnection',
  [ENVIRONMENT.longCallsPerKey]: 'LongCallsPerKey',
  [ENVIRONMENT.longCallsPerConnection]: 'LongCallsPerConnection',
  [ENVIRONMENT.wrongKeysPerMinutePerAddress]: 'WrongKeysPerMinutePerAddress',
  [ENVIRONMENT.callLog]: 'CallLog',
  [ENVIRONMENT.callLogRetentionDays]: 'CallLogRetentionDays',
  [FEATURE_ENVIRONMENT.approvers]: 'Approvers',
  [ENVIRONMENT.clientSecrets]: 'ClientSecrets',
  [FEATURE_ENVIRONMENT.agentsOverRest]: 'AgentsOverRest',
  [FEATURE_ENVIRONMENT.feedSharePercent]: 'FeedShare',
  [ENVIRONMENT.dayLimit]: 'DayLimit',
  [ENVIRONMENT.proxyLogRetentionDays]: 'LogRetentionDays',
  REFRESH_AHEAD: 'RefreshAhead',
};

/** Something that is there or not, or another thing: what differs when these options are left out or changed. */
export interface Switch {
  readonly condition: string;
  readonly when: Condition;
  /** The options when the condition does not hold. */
  readonly otherwise: Partial<GatewayOptions>;
  /** What else both sides are made with, where the synthesis refuses `otherwise` alongside all that is on. It must not change what they differ in. */
  readonly base?: Partial<GatewayOptions>;
}

/** Every switch. No two may change the same place; the synthesis says so if they do. */
export const SWITCHES: readonly Switch[] = [
  { condition: 'HasDashboard', when: isOn('Dashboard'), otherwise: { dashboard: false } },
  { condition: 'HasOperator', when: isGiven('OperatorEmail'), otherwise: { operatorEmail: undefined } },
  {
    condition: 'NeedsSecondFactor',
    when: { 'Fn::Equals': [{ Ref: 'OperatorMfa' }, 'required'] },
    otherwise: { operatorMfa: 'optional' },
  },
  { condition: 'HasMonitoring', when: isOn('Monitoring'), otherwise: { monitoring: false } },
  {
    condition: 'HasOperationsDashboard',
    when: isOn('OperationsDashboard'),
    otherwise: { operationsDashboard: false },
  },
  { condition: 'HasAlarmEmail', when: isGiven('AlarmEmail'), otherwise: { alarmEmail: undefined } },
  { condition: 'HasAlarmTopic', when: isGiven('AlarmTopicArn'), otherwise: { alarmTopicArn: undefined } },
  { condition: 'HasDomain', when: isGiven('DomainName'), otherwise: { customDomain: undefined } },
  {
    condition: 'HasFunctionUrl',
    when: { 'Fn::Equals': [{ Ref: 'FrontDoor' }, 'function-url'] },
    otherwise: { frontDoor: 'rest-api' },
  },
  { condition: 'HasEventBus', when: isGiven('EventBusArn'), otherwise: { eventBusArn: undefined } },
  { condition: 'HasAccessLogs', when: isOn('AccessLogs'), otherwise: { accessLogs: false } },
  { condition: 'HasCloudWatchRole', when: isOn('CloudWatchRole'), otherwise: { cloudWatchRole: false } },
  { condition: 'HasTracing', when: isOn('Tracing'), otherwise: { tracing: false } },
  {
    condition: 'HasWebAcl',
    when: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'WebAcl' }, 'none'] }] },
    otherwise: { webAcl: 'none' },
  },
  {
    condition: 'MakesWebAcl',
    when: { 'Fn::Equals': [{ Ref: 'WebAcl' }, 'make'] },
    otherwise: { webAcl: FIXED.webAclArn },
    base: { frontDoor: 'rest-api' },
  },
];

/** Conditions that values of parameters bring, in addition to those of the switches. */
export const VALUE_CONDITIONS: Readonly<Record<string, Condition>> = {
  HasDomainPrefix: isGiven('OperatorDomainPrefix'),
};

/** Options of the CDK app that a template cannot take as a parameter, with the reason. */
export const NOT_PARAMETERS = {
  proxyDomain: 'the web ACL in front of proxied calls follows from what is set together, which a synthesis judges',
  proxyWebAcl: 'needs proxyDomain',
  iamCallers:
    'the deployment of the stage names its routes, and only a synthesis makes a new one with each change of them',
  iamCallerAccounts: 'needs iamCallers',
  without: 'takes resources out of the template',
  agentSignIn: 'a structure that a synthesis judges, and that needs customDomain',
  operatorIdentityProvider: 'a structure that a synthesis judges, and which resources there are depends on it',
  stageName: 'the stage’s logical id is made of it, so another default would replace the stage of a stack',
  provisionedConcurrency:
    'kept processes belong to a version of the function, and only a synthesis makes a new version with each change',
  reservedConcurrency:
    'set by function; a limit that is wrong stops a function, so it belongs into code that is reviewed',
  refreshSlices: 'the number of schedules',
  activeWindowHours: 'the functions want seconds, and a template cannot multiply',
  keepAliveDays: 'the functions want seconds, and a template cannot multiply',
  removalPolicy: 'CloudFormation takes no parameter in DeletionPolicy',
  connectLogo: 'a file, which becomes part of the functions’ code',
  connectAccent: 'the shades are computed from it',
  providerEndpoints: 'stand-ins of providers, for tests',
  googleEndpoints: 'stand-ins of Google, for tests',
} as const satisfies Partial<Record<keyof GatewayConfig, string>>;
