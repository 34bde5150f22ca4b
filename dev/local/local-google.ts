/** The provider: the simulator, or the addresses of a file; and the OAuth client of the gateway's test credentials. */
import { randomBytes } from 'node:crypto';
import { testCredentialsVariable } from '../../lambdas/gateway/core/contract.ts';
import { allProviders } from '../../lambdas/gateway/providers/index.ts';
import type { Provider } from '../../lambdas/gateway/providers/provider.rules.ts';
import {
  type Simulator,
  type SimulatorObserver,
  StateFileError,
  startSimulator,
} from '../../packages/simulator/index.ts';
import { asObject, asString, errorMessage, parseJson } from '../tools/json.ts';
import type { SecretsManager } from './aws/secrets-manager.ts';
import { START_OVER } from './aws/state-file.ts';
import type { GoogleEndpoints, ServerSettings } from './google-endpoints.ts';
import type { LocalFunction } from './template/functions.ts';

/** The OAuth client that a new data folder starts with at the simulator. */
const BUILT_IN_CLIENT_ID = '123456789012-integrationgateway.apps.googleusercontent.com';

/** `simulator` is undefined where the addresses were given. */
export interface LocalGoogle {
  endpoints: GoogleEndpoints;
  simulator: Simulator | undefined;
}

export interface LocalGoogleOptions {
  googleEndpoints: GoogleEndpoints | undefined;
  port: number;
  statePath: string;
  separateOrigins: boolean;
  observer: SimulatorObserver | undefined;
  /** The gateway goes by the simulator's clock, and so must the answers by which it corrects its own. */
  datesByClock: boolean;
  /** Control routes take only who has the key. */
  guarded: boolean;
  /** Receives the next address of the simulator's page, when a browser has opened it. */
  print: (message: string) => void;
  /** Receives parts of an older state that the simulator cannot read. */
  warn: (message: string) => void;
}

/** Starts the simulator unless the addresses are given. @throws Error when its port is taken. */
export async function openLocalGoogle(options: LocalGoogleOptions): Promise<LocalGoogle> {
  if (options.googleEndpoints !== undefined) return { endpoints: options.googleEndpoints, simulator: undefined };
  const { port, statePath, separateOrigins, observer, datesByClock, guarded, warn, print } = options;
  const controlKey = guarded ? { controlKey: randomBytes(24).toString('base64url') } : {};
  const moreScopes = googleProviders().flatMap(({ scopes }) => scopes.map(({ scope }) => scope));
  const watched = observer === undefined ? {} : { observer };
  const simulator = await startSimulator({
    port,
    statePath,
    separateOrigins,
    moreScopes,
    datesByClock,
    warn,
    tellPage: (address) => print(`The simulator's page was opened. For another browser: ${address}`),
    ...controlKey,
    ...watched,
  }).catch((cause: unknown) => {
    // Its connections would have to be made again: the gateway's data is worth nothing without it.
    if (cause instanceof StateFileError) throw new Error(`${cause.message} ${START_OVER}`, { cause });
    throw new Error(`The Google simulator (port P+2) did not start: ${errorMessage(cause)} See --port.`, { cause });
  });
  return { endpoints: simulator.endpoints, simulator };
}

/**
 * Puts an OAuth client into the test credentials: the file's, or a built-in one that is made known to the simulator with
 * this gateway's callback. Credentials that someone else put there stay as they are.
 */
export function installTestCredentials(
  google: LocalGoogle,
  secrets: SecretsManager,
  functions: readonly LocalFunction[],
  gatewayUrl: string,
): void {
  const { endpoints, simulator } = google;
  const names = testCredentialSecrets(functions);
  if (simulator === undefined) {
    const { client_id, client_secret } = endpoints;
    if (client_id === undefined || client_secret === undefined) return;
    for (const name of names) setIfDifferent(secrets, name, { client_id, client_secret });
    return;
  }
  const present = names.map((name) => credentialsIn(secrets.currentValue(name)));
  const builtIn = present.find((one) => one?.client_id === BUILT_IN_CLIENT_ID) ?? newCredentials();
  for (const name of names) {
    if (secrets.currentValue(name) === undefined) setIfDifferent(secrets, name, builtIn);
  }
  simulator.upsertClient({
    clientId: builtIn.client_id,
    clientSecret: builtIn.client_secret,
    redirectUris: [`${gatewayUrl}/oauth/callback`],
  });
}

interface Credentials {
  client_id: string;
  client_secret: string;
}

/** Puts the OAuth clients of other authorization servers into the test credentials of their providers. */
export function installOtherCredentials(
  servers: Readonly<Record<string, ServerSettings>>,
  secrets: SecretsManager,
  functions: readonly LocalFunction[],
): void {
  for (const [serverId, { client_id, client_secret }] of Object.entries(servers)) {
    if (client_id === undefined || client_secret === undefined) continue;
    for (const name of testCredentialSecrets(functions, serverId))
      setIfDifferent(secrets, name, { client_id, client_secret });
  }
}

function testCredentialSecrets(functions: readonly LocalFunction[], serverId = 'google'): string[] {
  const variables = allProviders()
    .filter(({ server }) => server.id === serverId)
    .map(({ id }) => testCredentialsVariable(id));
  return [...new Set(functions.flatMap((fn) => variables.map((name) => fn.environment[name] ?? '')))].filter(
    (name) => name !== '',
  );
}

function credentialsIn(text: string | undefined): Credentials | undefined {
  if (text === undefined || text === '') return undefined;
  const { client_id, client_secret } = asObject(parseJson(text, 'The test credentials'), 'The test credentials');
  // Removed by an operator.
  if (client_id === undefined && client_secret === undefined) return undefined;
  return { client_id: asString(client_id, 'client_id'), client_secret: asString(client_secret, 'client_secret') };
}

function newCredentials(): Credentials {
  return { client_id: BUILT_IN_CLIENT_ID, client_secret: `GOCSPX-${randomBytes(21).toString('base64url')}` };
}

function setIfDifferent(secrets: SecretsManager, name: string, { client_id, client_secret }: Credentials): void {
  const text = JSON.stringify({ client_id, client_secret });
  if (secrets.currentValue(name) !== text) secrets.setValue(name, text);
}

/** Providers whose users grant access at Google. */
export function googleProviders(): readonly Provider[] {
  return allProviders().filter(({ server }) => server.id === 'google');
}
