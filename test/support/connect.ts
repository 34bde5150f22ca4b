import { sha256Hex } from '../../lambdas/gateway/core/identifiers.ts';
import { walkConsent } from '../../packages/simulator/consent.ts';
import type { TestGateway } from './gateway.ts';
import { changeItem } from './table.ts';

type Choice = Parameters<typeof walkConsent>[1];

/** A connect session's token, made with the secret key. */
export async function connectSession(test: TestGateway, body: Record<string, unknown>): Promise<string> {
  const made = await test.json('POST', '/connect/sessions', { end_user: { id: 'test-user' }, ...body });
  if (made.status !== 201) throw new Error(`No connect session: ${JSON.stringify(made.body)}`);
  return made.body.data.token;
}

/** A started flow: where the browser goes, and the cookie it holds. */
export interface StartedFlow {
  readonly authorizationUrl: string;
  readonly cookie: string;
}

/** Starts an authorization as the connect page does. */
export async function startFlow(
  test: TestGateway,
  sessionToken: string,
  integrationId?: string,
  cookie?: string,
): Promise<StartedFlow> {
  const answer = await fetch(`${test.gateway.gatewayUrl}/connect/authorizations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sessionToken}`,
      'content-type': 'application/json',
      ...(cookie === undefined ? {} : { cookie }),
    },
    body: JSON.stringify(integrationId === undefined ? {} : { provider_config_key: integrationId }),
  });
  const json = await answer.json();
  if (answer.status !== 200) throw new Error(`No authorization: ${JSON.stringify(json)}`);
  return {
    authorizationUrl: json.data.authorization_url,
    cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
  };
}

/** Consents at the simulator and returns to the callback with the browser's cookie. */
export async function finishFlow(flow: StartedFlow, choice?: Choice): Promise<Response> {
  const { location } = await walkConsent(flow.authorizationUrl, choice);
  return fetch(location, { headers: { cookie: flow.cookie }, redirect: 'manual' });
}

/** The session's response about itself. */
export async function sessionState(test: TestGateway, sessionToken: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${test.gateway.gatewayUrl}/connect/session`, {
    headers: { authorization: `Bearer ${sessionToken}` },
  });
  return (await answer.json()).data;
}

/** Connects one more account, also one that has a dead connection; returns the new connection's id. */
export async function connectAccount(
  test: TestGateway,
  integrationId: string,
  choice?: Choice,
  sessionBody: Record<string, unknown> = {},
): Promise<string> {
  const token = await connectSession(test, {
    ...{ allowed_integrations: [integrationId], reuse_connection: false },
    ...sessionBody,
  });
  const page = await finishFlow(await startFlow(test, token, integrationId), choice);
  const state = await sessionState(test, token);
  if (state.status !== 'connected') throw new Error(`Not connected: ${JSON.stringify(state)} ${await page.text()}`);
  return String(state.connection_id);
}

/** A session to authorize an existing connection again. */
export async function reconnectSession(
  test: TestGateway,
  integrationId: string,
  connectionId: string,
  body: Record<string, unknown> = {},
): Promise<string> {
  const of = { integration_id: integrationId, connection_id: connectionId };
  const made = await test.json('POST', '/connect/sessions/reconnect', { ...of, ...body });
  if (made.status !== 201) throw new Error(`No reconnect session: ${JSON.stringify(made.body)}`);
  return made.body.data.token;
}

/** Sets attributes of a session's row. */
export function changeSession(
  test: TestGateway,
  sessionToken: string,
  attributes: Record<string, unknown>,
): Promise<void> {
  return changeItem(test, { pk: `SESSION#${sha256Hex(sessionToken)}`, sk: 'SESSION' }, attributes);
}

/** Consents at the simulator without going back: the address of the callback. */
export async function consentOnly(flow: StartedFlow, choice?: Choice): Promise<URL> {
  return new URL((await walkConsent(flow.authorizationUrl, choice)).location);
}

/** Opens the callback as a browser with these cookies. */
export function openCallback(location: URL | string, cookie?: string): Promise<Response> {
  return fetch(location, { headers: cookie === undefined ? {} : { cookie }, redirect: 'manual' });
}

/** Changes what an integration asks for; sessions can only leave some of it out. */
export async function setScopes(test: TestGateway, integrationId: string, scopes: readonly string[]): Promise<void> {
  const { status, body } = await test.json('PATCH', `/integrations/${integrationId}`, { scopes });
  if (status !== 200) throw new Error(`No other scopes: ${JSON.stringify(body)}`);
}

/** The member of a session's body that asks for some of the integration's scopes only. */
export function withScopes(integrationId: string, scopes: string, authorizationParams: Record<string, string> = {}) {
  return {
    integrations_config_defaults: {
      [integrationId]: {
        connection_config: { oauth_scopes_override: scopes },
        authorization_params: authorizationParams,
      },
    },
  };
}

/** A connection as the management API shows it. */
export async function shownConnection(
  test: TestGateway,
  integrationId: string,
  connectionId: string,
): Promise<Record<string, unknown>> {
  return (await test.json('GET', `/connections/${connectionId}?provider_config_key=${integrationId}`)).body;
}

/** Types and causes of a connection's events, newest first. */
export async function shownEvents(
  test: TestGateway,
  integrationId: string,
  connectionId: string,
): Promise<{ type: string; cause: string | null; sequence: number }[]> {
  const path = `/connections/${connectionId}/events?provider_config_key=${integrationId}`;
  return (await test.json('GET', path)).body.events;
}
