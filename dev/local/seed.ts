/** The first connections of a new data folder, made by the gateway's own API and the real authorization flow. */
import { existsSync, readFileSync } from 'node:fs';
import { asArray, asObject, asString, type Json, type JsonObject, parseJson } from '../tools/json.ts';
import { writeStateFile } from './aws/state-file.ts';
import { type HttpReply, httpCall } from './http-call.ts';
import { googleProviders } from './local-google.ts';

/** A connection that was made at the first start. */
export interface SeededConnection {
  integration_id: string;
  connection_id: string;
}

/** An integration, which is created where it is not there. */
export interface SeedTarget {
  readonly provider: string;
  readonly uniqueKey: string;
}

export interface SeedOptions {
  /** @default - one of each provider, named after it */
  targets?: readonly SeedTarget[] | undefined;
  /** Connections that are there, and stay noted. @default - none */
  kept?: readonly SeededConnection[] | undefined;
  /** Scopes of the integrations. @default - the providers' own, for reading */
  scopes?: SeedScopes | undefined;
  gatewayUrl: string;
  secretKey: string;
  /** Walks Google's consent pages and returns the redirect to the gateway's callback. */
  walkConsent: (authorizationUrl: string) => Promise<{ location: string }>;
}

/** Scopes by integration, in the short spelling of the API. */
export type SeedScopes = Readonly<Record<string, readonly string[]>>;

/** Scopes for a first try: reading everything, and writing a little. */
export const SCOPES_OF_A_FIRST_TRY: SeedScopes = Object.fromEntries(
  googleProviders().map(({ id, firstTryScopes, defaultScopes }) => [id, firstTryScopes ?? defaultScopes]),
);
const FIRST_USER = { id: 'first-user', email: 'first.user@example.com' };

/** The connections noted in the data folder, or undefined when it was never seeded. @throws Error for a broken file. */
export function readSeeded(path: string): SeededConnection[] | undefined {
  if (!existsSync(path)) return undefined;
  return asArray(parseJson(readFileSync(path, 'utf8'), path), path).map((one) => {
    const connection = asObject(one, path);
    return {
      integration_id: asString(connection.integration_id, `${path}: integration_id`),
      connection_id: asString(connection.connection_id, `${path}: connection_id`),
    };
  });
}

/** Makes the integrations, and a connection of each, and notes them after those that are there. @throws Error naming the step that failed. */
export async function seed(options: SeedOptions, path: string): Promise<SeededConnection[]> {
  const connections = [...(options.kept ?? [])];
  const each = googleProviders().map(({ id }) => ({ provider: id, uniqueKey: id }));
  for (const target of options.targets ?? each) connections.push(await connect(target, options));
  writeStateFile(
    path,
    connections.map((one) => ({ ...one })),
  );
  return connections;
}

async function connect(
  { provider, uniqueKey }: SeedTarget,
  { gatewayUrl, secretKey, walkConsent, scopes = {} }: SeedOptions,
): Promise<SeededConnection> {
  const post = (path: string, bearer: string, body: JsonObject): Promise<HttpReply> =>
    httpCall(`${gatewayUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const integration = await post('/integrations/quickstart', secretKey, {
    provider,
    unique_key: uniqueKey,
    ...(scopes[provider] === undefined ? {} : { scopes: [...scopes[provider]] }),
  });
  // A start that was interrupted behind this point finds the integration there.
  if (integration.status !== 409) dataOf(integration, `create the integration ${uniqueKey}`);
  const session = dataOf(
    await post('/connect/sessions', secretKey, { end_user: FIRST_USER, allowed_integrations: [uniqueKey] }),
    'create a connect session',
  );
  const token = asString(session.token, 'The session token');
  const started = await post('/connect/authorizations', token, { provider_config_key: uniqueKey });
  const authorizationUrl = asString(dataOf(started, 'start the authorization').authorization_url, 'authorization_url');
  const { location } = await walkConsent(authorizationUrl);
  const callback = await httpCall(location, { headers: { cookie: cookiesOf(started) } });
  requireSuccess(callback, 'finish the authorization');
  const state = dataOf(
    await httpCall(`${gatewayUrl}/connect/session`, { headers: { authorization: `Bearer ${token}` } }),
    'read the connect session',
  );
  if (state.status !== 'connected') {
    throw new Error(`The connect session of ${uniqueKey} says ${JSON.stringify(state.status)} instead of "connected".`);
  }
  return { integration_id: uniqueKey, connection_id: asString(state.connection_id, 'connection_id') };
}

function dataOf(reply: HttpReply, step: string): JsonObject {
  requireSuccess(reply, step);
  const body: Json = parseJson(reply.text, `The answer to "${step}"`);
  return asObject(asObject(body, step).data, `The data of "${step}"`);
}

function requireSuccess(reply: HttpReply, step: string): void {
  if (reply.status >= 200 && reply.status < 300) return;
  throw new Error(`Could not ${step}: the gateway answered ${reply.status} ${reply.text.slice(0, 500)}`);
}

function cookiesOf(reply: HttpReply): string {
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');
}
