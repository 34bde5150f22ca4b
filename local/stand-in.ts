/** Who plays Google: the simulator, or the addresses of a file; and the OAuth client the gateway's test credentials name. */
import { randomBytes } from 'node:crypto';
import { type Simulator, startSimulator } from '../simulator/index.ts';
import { ENVIRONMENT } from '../lambdas/shared/contract.ts';
import type { SecretsManager } from './aws/secrets-manager.ts';
import { asObject, asString, type Json, parseJson } from './json.ts';
import type { GoogleEndpoints } from './google-endpoints.ts';
import type { LocalFunction } from './template/functions.ts';

/** The OAuth client that a new data folder starts with at the simulator. */
const BUILT_IN_CLIENT_ID = '123456789012-integrationgateway.apps.googleusercontent.com';

/** `simulator` is undefined when someone else plays Google. */
export interface StandIn {
  endpoints: GoogleEndpoints;
  simulator: Simulator | undefined;
}

export interface StandInOptions {
  googleEndpoints: GoogleEndpoints | undefined;
  port: number;
  statePath: string;
  separateOrigins: boolean;
}

/** Starts the simulator unless the addresses are given. @throws Error when its port is taken. */
export async function openStandIn(options: StandInOptions): Promise<StandIn> {
  if (options.googleEndpoints !== undefined) return { endpoints: options.googleEndpoints, simulator: undefined };
  const { port, statePath, separateOrigins } = options;
  const simulator = await startSimulator({ port, statePath, separateOrigins });
  return { endpoints: simulator.endpoints, simulator };
}

/**
 * Puts an OAuth client into the test credentials: the file's, or a built-in one that is made known to the simulator with
 * this gateway's callback. Credentials that someone else put there stay as they are.
 */
export function installTestCredentials(
  standIn: StandIn,
  secrets: SecretsManager,
  functions: readonly LocalFunction[],
  gatewayUrl: string,
): void {
  const { endpoints, simulator } = standIn;
  for (const arn of testCredentialArns(functions)) {
    if (simulator !== undefined) {
      const credentials = builtInCredentials(secrets.currentValue(arn)) ?? newCredentials(secrets, arn);
      if (credentials.client_id !== BUILT_IN_CLIENT_ID) continue;
      // The same client serves both providers: the secret of the last one upserted must be everyone's.
      for (const other of testCredentialArns(functions)) setIfDifferent(secrets, other, credentials);
      simulator.upsertClient({
        clientId: credentials.client_id,
        clientSecret: credentials.client_secret,
        redirectUris: [`${gatewayUrl}/oauth/callback`],
      });
      return;
    }
    const { client_id, client_secret } = endpoints;
    if (client_id !== undefined && client_secret !== undefined) setIfDifferent(secrets, arn, { client_id, client_secret });
  }
}

interface Credentials {
  client_id: string;
  client_secret: string;
}

function testCredentialArns(functions: readonly LocalFunction[]): string[] {
  const variables = [ENVIRONMENT.googleDriveTestCredentialsArn, ENVIRONMENT.googleCalendarTestCredentialsArn];
  const arns = functions.flatMap((fn) => variables.map((name) => fn.environment[name]));
  return [...new Set(arns.filter((arn) => arn !== undefined && arn !== ''))].filter((arn) => arn !== undefined);
}

function builtInCredentials(text: string | undefined): Credentials | undefined {
  if (text === undefined) return undefined;
  const value: Json = parseJson(text, 'The test credentials');
  const { client_id, client_secret } = asObject(value, 'The test credentials');
  return { client_id: asString(client_id, 'client_id'), client_secret: asString(client_secret, 'client_secret') };
}

function newCredentials(secrets: SecretsManager, arn: string): Credentials {
  const credentials = { client_id: BUILT_IN_CLIENT_ID, client_secret: `GOCSPX-${randomBytes(21).toString('base64url')}` };
  secrets.setValue(arn, JSON.stringify(credentials));
  return credentials;
}

function setIfDifferent(secrets: SecretsManager, arn: string, credentials: Credentials): void {
  const text = JSON.stringify(credentials);
  if (secrets.currentValue(arn) !== text) secrets.setValue(arn, text);
}
