import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { awsClient } from '../../lambdas/gateway/platform/aws-client.ts';
import { isFields, optionalText } from '../client/src/http/fields.ts';
import { OPERATOR_LIMITS } from './aws-limits.ts';
import { CommandProblem, isAwsSetup } from './problems.ts';
import { DEFAULT_PROFILE, type Profile, profileName, readProfiles } from './profiles.ts';

/** Options that say which gateway is meant. */
export interface AddressOptions {
  readonly baseUrl?: string;
  readonly proxyUrl?: string;
  readonly keySecret?: string;
  /** A profile of `gateway login`. */
  readonly profile?: string;
  /** Data folder of a local gateway. */
  readonly data: string;
}

/** Where the gateway is and what opens it. */
export interface GatewayAddress {
  readonly baseUrl: string;
  /** Where proxied calls go, where that is another address. */
  readonly proxyUrl: string | undefined;
  readonly secretKey: string;
  /** Data folder, when it is the local gateway of that folder. */
  readonly localFolder: string | undefined;
}

/**
 * The gateway that the options name, else the environment, else a named profile, else the local gateway's own file, else the profile
 * `default`. The key of a profile or of the local gateway is sent to its own gateway alone, whatever else names another one.
 *
 * @throws CommandProblem saying what to start or to set
 */
export async function findGateway(
  options: AddressOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<GatewayAddress> {
  const wanted = options.baseUrl ?? (environment.GATEWAY_BASE_URL || undefined);
  const named = options.profile ?? (environment.GATEWAY_PROFILE || undefined);
  const local = named === undefined ? readLocal(options.data) : undefined;
  const isAt = (one: { readonly baseUrl: string } | undefined) =>
    one !== undefined && (wanted === undefined || wanted.replace(/\/+$/, '') === one.baseUrl);
  const isLocal = isAt(local);
  const given = options.keySecret === undefined ? environment.GATEWAY_SECRET_KEY : await storedKey(options.keySecret);
  // With both address and key given, no profile is needed, even if the file is invalid.
  const isComplete = named === undefined && wanted !== undefined && Boolean(given);
  const profile = isLocal || isComplete ? undefined : findProfile(named, environment);
  const kept = isLocal ? local : isAt(profile) ? profile : undefined;
  const baseUrl = wanted ?? kept?.baseUrl;
  if (baseUrl === undefined) {
    throw new CommandProblem(
      `No gateway is running from ${resolve(options.data)}. Set --base-url or GATEWAY_BASE_URL, log in to one (gateway login), or start one in the project with npm start.`,
    );
  }
  const secretKey = given || kept?.secretKey;
  if (secretKey === undefined && named !== undefined && profile !== undefined) {
    throw new CommandProblem(
      `The profile ${named} is for ${profile.baseUrl}, so its key is not sent to ${baseUrl}. Leave out --base-url and GATEWAY_BASE_URL, or set GATEWAY_SECRET_KEY.`,
    );
  }
  if (secretKey === undefined) {
    throw new CommandProblem(
      'A secret key is missing. Set GATEWAY_SECRET_KEY, or give the secret that contains it with --key-secret (stack output FirstSecretKeyArn).',
    );
  }
  return {
    baseUrl,
    proxyUrl: isLocal ? local?.proxyUrl : (proxyUrlOf(options, environment) ?? kept?.proxyUrl),
    secretKey: secretKey.trim(),
    localFolder: isLocal ? resolve(options.data) : undefined,
  };
}

/** Address of a simulator's control routes, or why there is none to talk to. */
export type FoundSimulator = { readonly controlUrl: string } | { readonly why: string };

/**
 * The simulator of a gateway, whichever way was used to find that: profile, `--base-url` or tunnel.
 *
 * @param folder data folder of the local gateway
 * @param redirectUri the gateway's own callback address
 */
export function findSimulator(folder: string, redirectUri: string): FoundSimulator {
  const { hostname } = new URL(redirectUri);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    return { why: 'This gateway has no simulator: register OAuth clients at the provider.' };
  }
  const local = readLocal(folder);
  if (local === undefined || redirectUri !== `${local.baseUrl}/oauth/callback`) {
    const own = redirectUri.replace(/\/oauth\/callback$/, '');
    return { why: `The gateway at ${own} does not run from ${resolve(folder)}. Name its data folder with --data.` };
  }
  const { simulatorControlUrl: controlUrl } = local;
  if (controlUrl !== undefined) return { controlUrl };
  return { why: 'This gateway runs without a simulator: register OAuth clients at the provider.' };
}

/** A named profile must exist; the default one need not. @throws CommandProblem */
function findProfile(
  named: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Profile | undefined {
  const profiles = readProfiles(environment);
  const profile = profiles.get(named === undefined ? DEFAULT_PROFILE : profileName(named));
  if (named === undefined || profile !== undefined) return profile;
  const others = profiles.size === 0 ? 'There is none.' : `There are: ${[...profiles.keys()].join(', ')}.`;
  throw new CommandProblem(
    `There is no profile ${named}. ${others} Log in: gateway login --profile ${named} --base-url <address>`,
  );
}

/** An address of the environment belongs to the gateway of the environment: no other gateway's key may go there. */
function proxyUrlOf(
  { baseUrl, proxyUrl }: AddressOptions,
  { GATEWAY_BASE_URL, GATEWAY_PROXY_URL }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isOfEnvironment = baseUrl === undefined && Boolean(GATEWAY_BASE_URL);
  return proxyUrl ?? (isOfEnvironment ? GATEWAY_PROXY_URL || undefined : undefined);
}

/** Address of the dashboard of a local gateway, if it has one. @param folder its data folder */
export function dashboardOfLocal(folder: string): string | undefined {
  return readLocal(folder)?.dashboardUrl;
}

interface LocalFile {
  readonly baseUrl: string;
  readonly proxyUrl: string | undefined;
  readonly secretKey: string;
  readonly simulatorControlUrl: string | undefined;
  readonly dashboardUrl: string | undefined;
}

function readLocal(folder: string): LocalFile | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, 'local.json'), 'utf8');
  } catch {
    return undefined;
  }
  const baseUrl = memberOf(text, 'gateway_url');
  const secretKey = memberOf(text, 'secret_key');
  return baseUrl === undefined || secretKey === undefined
    ? undefined
    : {
        baseUrl,
        proxyUrl: memberOf(text, 'proxy_url'),
        secretKey,
        simulatorControlUrl: memberOf(text, 'simulator_control_url'),
        dashboardUrl: memberOf(text, 'dashboard_url'),
      };
}

function memberOf(text: string, name: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? optionalText(value, name) : undefined;
  } catch {
    return undefined;
  }
}

/** A key of AWS Secrets Manager. Loaded only when it is needed: reaching a local gateway takes no AWS SDK. @throws CommandProblem */
export async function storedKey(secretId: string): Promise<string> {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  const region = /^arn:[^:]*:secretsmanager:([^:]+):/.exec(secretId)?.[1];
  let text: string | undefined;
  try {
    const client = awsClient(SecretsManagerClient, OPERATOR_LIMITS, region);
    text = (await client.send(new GetSecretValueCommand({ SecretId: secretId }))).SecretString;
  } catch (error) {
    if (isAwsSetup(error)) throw error;
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new CommandProblem(`The secret ${secretId} cannot be read with your AWS credentials. ${why}`);
  }
  if (text === undefined || text === '') {
    throw new CommandProblem(
      `The secret ${secretId} is empty: the gateway writes its first key within minutes of its deployment. Try again.`,
    );
  }
  return text;
}
