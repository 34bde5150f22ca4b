import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { PAGE_PATHS } from '../../../packages/simulator/oauth/pages.ts';
import {
  connectSession,
  consentOnly,
  finishFlow,
  openCallback,
  reconnectSession,
  type StartedFlow,
  sessionState,
  setScopes,
  startFlow,
} from '../../support/connect.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { control, forgetRequests, requests, tokenCalls } from '../../support/simulator.ts';
import { changeItem } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const DRIVE = { allowed_integrations: ['google-drive'] };

const gateway = useTestGateway({ maxChildrenPerFunction: 4 });

interface Begun {
  readonly token: string;
  readonly flow: StartedFlow;
}

async function begin(body: Record<string, unknown> = DRIVE): Promise<Begun> {
  const token = await connectSession(gateway, body);
  return { token, flow: await startFlow(gateway, token, 'google-drive') };
}

function stateOf(flow: StartedFlow): string {
  return new URL(flow.authorizationUrl).searchParams.get('state') ?? '';
}

function pendingKey(flow: StartedFlow) {
  return { pk: `AUTHORIZATION#${sha256Hex(stateOf(flow))}`, sk: 'AUTHORIZATION' };
}

describe('the request to the provider', () => {
  test('OA-5: the redirect URI stays the same whatever Host, Forwarded or Origin a client sends', async () => {
    for (const headers of [
      [['Host', 'evil.example']],
      [
        ['X-Forwarded-Host', 'evil.example'],
        ['X-Forwarded-Proto', 'https'],
        ['X-Forwarded-Port', '444'],
      ],
      [['Forwarded', 'host=evil.example;proto=https']],
      [
        ['X-Original-URL', '/evil'],
        ['X-Rewrite-URL', '/evil'],
      ],
    ] as const) {
      const token = await connectSession(gateway, DRIVE);
      const answer = await rawRequest(gateway.gateway.gatewayUrl, {
        method: 'POST',
        path: '/connect/authorizations',
        headers: [['Authorization', `Bearer ${token}`], ...headers],
      });
      expect(answer.status).toBe(200);
      expect(answer.body.toString()).toContain(
        new URLSearchParams({ redirect_uri: `${gateway.gateway.gatewayUrl}/oauth/callback` }).toString(),
      );
    }
  });

  test('OA-5: a foreign Origin starts nothing', async () => {
    const token = await connectSession(gateway, DRIVE);
    const answer = await fetch(`${gateway.gateway.gatewayUrl}/connect/authorizations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('OA-1, OA-14, OA-15: the provider confirms PKCE; the secret travels in one form body and no metadata is fetched', async () => {
    await forgetRequests(gateway);
    const { flow } = await begin();
    expect((await finishFlow(flow)).status).toBe(200);
    const [call, ...others] = await tokenCalls(gateway);
    expect(others).toEqual([]);
    expect(call).toMatchObject({ method: 'POST', target: '/token' });
    const headers = new Map(call?.headers.map(([name, value]) => [name.toLowerCase(), value]));
    expect(headers.get('content-type')).toBe('application/x-www-form-urlencoded');
    expect(headers.has('authorization')).toBe(false);
    const all = await requests(gateway);
    expect(all.filter(({ target }) => target.includes('.well-known') || target.includes('client_secret'))).toEqual([]);
  });

  test('OA-8: no account can name an issuer or an endpoint', async () => {
    for (const member of ['token_endpoint', 'issuer', 'authorization_url', 'api_base_url']) {
      const body = { provider: 'google-drive', unique_key: 'paired', [member]: 'https://evil.example' };
      expect((await gateway.json('POST', '/integrations/quickstart', body)).status).toBe(400);
    }
  });

  test('OA-8: an answer that names another provider obtains no token', async () => {
    await control(gateway, 'POST', '/faults', {
      match: { origin: 'accounts' },
      action: { iss: 'https://other.example' },
      id: 'iss',
    });
    const { flow } = await begin();
    const location = await consentOnly(flow);
    await control(gateway, 'DELETE', '/faults/iss');
    await forgetRequests(gateway);
    expect((await openCallback(location, flow.cookie)).status).toBe(400);
    expect(await tokenCalls(gateway)).toEqual([]);
  });
});

describe('a Workspace domain that the session fixes', () => {
  test('a Workspace domain that the session fixes is proven by the account, whatever the address of the authorization says', async () => {
    const begun = async () => {
      const token = await connectSession(gateway, {
        allowed_integrations: ['google-drive'],
        integrations_config_defaults: { 'google-drive': { authorization_params: { hd: 'workspace.example' } } },
      });
      return { token, flow: await startFlow(gateway, token) };
    };
    const outside = await begun();
    const address = new URL(outside.flow.authorizationUrl);
    expect(address.searchParams.get('hd')).toBe('workspace.example');
    address.searchParams.delete('hd');
    const page = await finishFlow(
      { ...outside.flow, authorizationUrl: address.href },
      { account: 'first.user@example.com' },
    );
    expect(page.status).toBe(403);
    expect(await page.text()).toContain(
      'only Google accounts of workspace.example, but you chose first.user@example.com',
    );
    expect(await sessionState(gateway, outside.token)).toMatchObject({ status: 'failed', connection_id: null });
    const inside = await begun();
    expect((await finishFlow(inside.flow, { account: 'editor@workspace.example' })).status).toBe(200);
  });
});

describe('the callback', () => {
  test('OA-3: 50 parallel callbacks with one state make one token call', async () => {
    const { token, flow } = await begin();
    const location = await consentOnly(flow);
    await forgetRequests(gateway);
    const answers = await Promise.all(Array.from({ length: 50 }, () => openCallback(location, flow.cookie)));
    expect(await tokenCalls(gateway)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'connected' });
  });

  test('OA-3: a state older than ten minutes is refused although its row is still there', async () => {
    const { token, flow } = await begin();
    await changeItem(gateway, pendingKey(flow), { endsAtEpochSec: Math.floor(Date.now() / 1000) - 1 });
    await forgetRequests(gateway);
    const page = await openCallback(await consentOnly(flow), flow.cookie);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('That took too long');
    expect(await tokenCalls(gateway)).toEqual([]);
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'failed' });
  });

  test('OA-4: flipping any byte of the state gives 400 and no token call', async () => {
    const { token, flow } = await begin();
    const location = await consentOnly(flow);
    const state = stateOf(flow);
    await forgetRequests(gateway);
    for (let i = 0; i < state.length; i++) {
      const flipped = state.slice(0, i) + (state[i] === 'A' ? 'B' : 'A') + state.slice(i + 1);
      const tampered = new URL(location);
      tampered.searchParams.set('state', flipped);
      expect((await openCallback(tampered, flow.cookie)).status).toBe(400);
    }
    expect(await tokenCalls(gateway)).toEqual([]);
    expect((await openCallback(location, flow.cookie)).status).toBe(200);
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'connected' });
  });

  test('OA-6: client, issuer and redirect URI come from the pending authorization, not from the query', async () => {
    const { token, flow } = await begin();
    const location = await consentOnly(flow);
    for (const [name, value] of [
      ['client_id', 'evil'],
      ['redirect_uri', 'https://evil.example'],
      ['connection_id', 'chosen'],
      ['provider_config_key', 'google-calendar'],
      ['token_endpoint', 'https://evil.example'],
    ] as const) {
      location.searchParams.set(name, value);
    }
    expect((await openCallback(location, flow.cookie)).status).toBe(200);
    const state = await sessionState(gateway, token);
    expect(state).toMatchObject({ status: 'connected', provider_config_key: 'google-drive' });
    expect(state.connection_id).not.toBe('chosen');
  });

  test.each(['code', 'state', 'iss', 'error'])('OA-9: a repeated %s gives 400 and no token call', async (name) => {
    const { flow } = await begin();
    const location = await consentOnly(flow);
    await forgetRequests(gateway);
    const twice = `${location.href}&${name}=again${name === 'error' ? '&error=again' : ''}`;
    expect((await openCallback(twice, flow.cookie)).status).toBe(400);
    expect(await tokenCalls(gateway)).toEqual([]);
  });

  test('OA-10: a provider’s error spends the state, ends the session as refused and is shown escaped', async () => {
    const { token, flow } = await begin();
    const query = new URLSearchParams({
      state: stateOf(flow),
      error: 'some_new_error',
      error_description: '</code><script>alert(1)</script>\u2028',
      unknown: 'x',
    });
    const url = `${gateway.gateway.gatewayUrl}/oauth/callback?${query}`;
    const page = await openCallback(url, flow.cookie);
    expect(page.status).toBe(400);
    const text = await page.text();
    expect(text).toContain('some_new_error: &#60;/code&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#8232;');
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'refused', error: { type: 'callback_err' } });
    expect(await (await openCallback(url, flow.cookie)).text()).toContain('already over');
  });

  test.each([
    ['policy_enforced', undefined, 'Advanced Protection Program'],
    ['org_internal', undefined, 'set its audience to External'],
    ['access_denied', 'Account restricted', 'Google does not let apps use this account'],
  ])('the simulator’s %s (%s) at the callback reads “%s”', async (error, error_description, words) => {
    const { token, flow } = await begin();
    const callbackError = { error, ...(error_description === undefined ? {} : { error_description }) };
    await control(gateway, 'POST', '/faults', {
      action: { callbackError },
      times: 1,
      match: { pathPrefix: PAGE_PATHS.consent },
    });
    const page = await finishFlow(flow);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain(words);
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'refused' });
  });

  test('OA-11: the page is not stored, sends no referrer and runs only its own script', async () => {
    const { flow } = await begin();
    const page = await finishFlow(flow);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const nonce = /script-src 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1] ?? '';
    const text = await page.text();
    expect([...text.matchAll(/<script nonce="([^"]+)"/g)].map((match) => match[1])).toEqual([nonce]);
    expect(text).toContain('history.replaceState(null');
  });

  test('OA-16: a token answer that is none stores nothing', async () => {
    for (const rawBody of ['', 'null', '{"access_token":"x","token_type":"mac"}', '{"access_token":"x"', '<html>']) {
      const { token, flow } = await begin();
      const location = await consentOnly(flow);
      const action = { rawBody, status: 200, contentType: 'application/json' };
      await control(gateway, 'POST', '/faults', { match: { origin: 'token', pathPrefix: '/token' }, times: 1, action });
      expect((await openCallback(location, flow.cookie)).status).toBe(502);
      expect(await sessionState(gateway, token)).toMatchObject({ status: 'failed', connection_id: null });
    }
  });

  test('OA-18: identity is the subject, and a token for another client proves none', async () => {
    const { token, flow } = await begin();
    const other = await begin();
    // The code of one flow in the other: PKCE and nonce belong to the first.
    const stolen = await consentOnly(flow);
    const swapped = await consentOnly(other.flow);
    swapped.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    const page = await openCallback(swapped, other.flow.cookie);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('Google did not accept the answer');
    expect(await sessionState(gateway, other.token)).toMatchObject({ status: 'failed' });
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'authorizing' });
  });

  test('OA-19: an exchange without a refresh token ends the flow with an error and creates no connection', async () => {
    const { token, flow } = await begin();
    const location = await consentOnly(flow);
    await control(gateway, 'POST', '/faults', {
      match: { origin: 'token' },
      times: 1,
      action: { omitRefreshToken: true },
    });
    const page = await openCallback(location, flow.cookie);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain('only one hour');
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'failed', connection_id: null });
  });

  test('OA-20: a replayed callback makes no token call', async () => {
    const { flow } = await begin();
    const location = await consentOnly(flow);
    expect((await openCallback(location, flow.cookie)).status).toBe(200);
    await forgetRequests(gateway);
    expect((await openCallback(location, flow.cookie)).status).toBe(400);
    expect(await tokenCalls(gateway)).toEqual([]);
  });

  test('CS-13: scopes that change while a flow is open end it with a clear error', async () => {
    const changing = { provider: 'google-drive', unique_key: 'changing' };
    await gateway.json('POST', '/integrations/quickstart', changing);
    const token = await connectSession(gateway, { allowed_integrations: ['changing'] });
    const flow = await startFlow(gateway, token);
    const location = await consentOnly(flow);
    await setScopes(gateway, 'changing', ['drive.file']);
    await forgetRequests(gateway);
    const page = await openCallback(location, flow.cookie);
    expect(await page.text()).toContain('The app changed while you were connecting');
    expect(await tokenCalls(gateway)).toEqual([]);
  });

  test('a callback that is not a GET is refused in the API’s envelope', async () => {
    const answer = await fetch(`${gateway.gateway.gatewayUrl}/oauth/callback`, { method: 'POST' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('x-gateway-error')).toBe('method_not_allowed');
  });

  test('TK-4: a consent that works ends what was said of a client that Google refused before', async () => {
    const { flow } = await begin();
    const key = { pk: 'ACCOUNT#default', sk: 'INTEGRATION#google-drive' };
    await changeItem(gateway, key, { clientFault: { error: 'invalid_client', sinceEpochSec: 1, retryAtEpochSec: 1 } });
    await finishFlow(flow);
    const event = await gateway.gateway.waitForEvent(({ 'detail-type': type }) => type === 'IntegrationRecovered');
    expect(event.detail).toMatchObject({ integration_id: 'google-drive', cause: 'invalid_client' });
    const { data } = await (await gateway.call('/integrations/google-drive')).json();
    expect(data.health.status).toBe('working');
  });

  test('a failure of a reconnect is an event of its connection', async () => {
    const connectionId = gateway.connectionId('google-drive');
    const token = await reconnectSession(gateway, 'google-drive', connectionId);
    const flow = await startFlow(gateway, token);
    expect((await finishFlow(flow, { decision: 'cancel' })).status).toBe(400);
    const event = await gateway.gateway.waitForEvent(
      ({ 'detail-type': type, detail }) =>
        type === 'AuthorizationFailed' && JSON.stringify(detail).includes(connectionId),
    );
    expect(event.detail).toMatchObject({ connection_id: connectionId, cause: 'refused' });
  });
});
