import { RegionInfo } from 'aws-cdk-lib/region-info';
import * as z from 'zod';
import { describeIssues, type GatewayConfig, gatewayOptionsSchema, InvalidOptionsError } from './gateway-options.ts';
import { problemsOfRegion } from './option-values.ts';

/** Context keys of this app start with this; everything else in the context belongs to the CDK. */
export const CONTEXT_PREFIX = 'gateway:';

/** Region of a synth that knows neither a context value nor an AWS profile. */
const FALLBACK_REGION = 'us-east-1';

/** Every region that the CDK knows, in all partitions. */
const REGIONS = RegionInfo.regions
  .map(({ name }) => name)
  .filter((name) => !name.includes('-iso'))
  .toSorted();

const regionSchema = z
  .string()
  .refine((name) => REGIONS.includes(name), `must be a region that the CDK knows: ${REGIONS.join(', ')}`);

const deploymentSchema = gatewayOptionsSchema.extend({
  /**
   * Name of the stack and first part of the names of secrets made at run time.
   * @default 'IntegrationGateway'
   */
  stackName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,99}$/, 'must start with a letter and have 1 to 100 letters, digits or hyphens')
    .default('IntegrationGateway'),
  /**
   * Region to deploy to.
   * @default - the region of the AWS profile, else us-east-1
   */
  region: regionSchema,
});

/** Options that may be given as context, without the prefix; every option except the region has a default, and the region a fallback. */
export type DeploymentOptions = z.input<typeof deploymentSchema>;

/** Names of all options. */
export const OPTION_NAMES: readonly string[] = Object.keys(deploymentSchema.shape);

/** A whole deployment: the gateway's options, the name of its stack and its region. */
export interface DeploymentConfig {
  readonly stackName: string;
  readonly region: string;
  readonly gateway: GatewayConfig;
}

const TEXT_OPTIONS: readonly string[] = [
  'stackName',
  'region',
  'stageName',
  'removalPolicy',
  'operatorEmail',
  'operatorMfa',
  'operatorDomainPrefix',
  'alarmTopicArn',
  'alarmEmail',
  'connectAppName',
  'connectLogo',
  'eventBusArn',
  'webAcl',
  'frontDoor',
  'proxyWebAcl',
  'refreshAhead',
  'callLog',
];
const LIST_OPTIONS: readonly string[] = ['connectAllowedOrigins', 'connectReturnUrls', 'iamCallerAccounts', 'without'];

/**
 * Gives a context value its option's type: `-c gateway:<option>=<text>` on the command line is always text; a list may be
 * comma-separated, everything else is JSON. An unreadable value stays unchanged, so that the schema reports it.
 */
function fromContextValue(option: string, value: unknown): unknown {
  if (typeof value !== 'string' || TEXT_OPTIONS.includes(option)) {
    return value;
  }
  let read: unknown = value;
  try {
    read = JSON.parse(value);
  } catch {
    // Read as a comma-separated list; the schema reports other values.
  }
  // The id of a single account is valid JSON, too: a number.
  if (!LIST_OPTIONS.includes(option) || Array.isArray(read)) return read;
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Reads the deployment's options from CDK context (keys `gateway:<option>`) and its region from the environment.
 * @throws InvalidOptionsError that lists every problem, unknown option names included
 */
export function readDeploymentConfig(
  context: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): DeploymentConfig {
  const given = Object.entries(context)
    .filter(([key]) => key.startsWith(CONTEXT_PREFIX))
    .map(([key, value]) => [key.slice(CONTEXT_PREFIX.length), value] as const)
    .map(([option, value]) => [option, fromContextValue(option, value)] as const);
  const region = environment.CDK_DEFAULT_REGION || environment.AWS_REGION || FALLBACK_REGION;
  const options = { region, ...Object.fromEntries(given) };
  const parsed = deploymentSchema.safeParse(options);
  const known = regionSchema.safeParse(options.region);
  const problems = [
    ...describeIssues(parsed.error?.issues ?? []),
    ...(known.success ? problemsOfRegion(options, known.data) : []),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new InvalidOptionsError(problems.map((problem) => CONTEXT_PREFIX + problem));
  }
  const { stackName, region: deployedRegion, ...gateway } = parsed.data;
  return { stackName, region: deployedRegion, gateway };
}
