import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../dev/local/network.ts';
import { freePorts } from '../support/free-ports.ts';
import { startTestGateway } from '../support/gateway.ts';
import { dashboardUrl, type SignedInOperator, signIn } from '../support/operator.ts';
import { useTestGateway } from '../support/use-gateway.ts';
import { workspace } from '../unit/local/fixtures/gateway.ts';

const running = useTestGateway({ seed: true });
let operator: SignedInOperator;
let origin: string;
beforeAll(async () => {
  operator = await signIn(running.gateway);
  origin = dashboardUrl(running.gateway);
});

const asOperator = (path: string, init: RequestInit = {}, token = operator.accessToken) =>
  fetch(running.gateway.gatewayUrl + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
  });
const codeOf = async (response: Response) => [response.status, (await response.json()).error?.code];

describe('an operator who signed in by code and PKCE', () => {
  it('manages the gateway with the access token', async () => {
    const { data } = await (await asOperator('/integrations')).json();
    expect(data.map((one: { unique_key: string }) => one.unique_key).toSorted()).toEqual([
      'google-calendar',
      'google-drive',
    ]);
  });

  it('makes a secret key that works, right after the sign-in', async () => {
    const body = JSON.stringify({ name: 'Backend', right: 'read' });
    const made = await asOperator('/account/keys', { method: 'POST', body });
    const { data } = await made.json();
    expect(made.status).toBe(201);
    expect((await asOperator('/connections', {}, data.secret_key)).status).toBe(200);
  });

  it('tries a call as a connection’s user without ever seeing a token', async () => {
    const connectionId = running.connectionId('google-drive');
    const reply = await asOperator(`/connections/${connectionId}/try?provider_config_key=google-drive`, {
      method: 'POST',
      body: JSON.stringify({ path: '/drive/v3/files?pageSize=2' }),
    });
    const { data } = await reply.json();
    expect(data).toMatchObject({ status: 200, truncated: false });
    expect(JSON.parse(data.body).files).toHaveLength(2);
    const shown = await (await asOperator(`/connections/${connectionId}?provider_config_key=google-drive`)).json();
    expect(shown.credentials).toEqual({});
  });

  it('opens no proxy (PR-5)', async () => {
    const connectionId = running.connectionId('google-drive');
    const headers = { 'provider-config-key': 'google-drive', 'connection-id': connectionId };
    expect(await codeOf(await asOperator('/proxy/drive/v3/files', { headers }))).toEqual([401, 'invalid_secret_key']);
  });

  it.each([
    ['the ID token', () => operator.idToken],
    ['the refresh token', () => operator.refreshToken],
    ['a changed access token', () => `${operator.accessToken.slice(0, -4)}AAAA`],
    ['an access token without its signature', () => `${operator.accessToken.split('.').slice(0, 2).join('.')}.`],
  ])('an operator who signed in by code and PKCE is refused with %s', async (_, token) => {
    expect((await asOperator('/integrations', {}, token())).status).toBe(401);
  });

  it('an operator who signed in by code and PKCE is not recognised by a cookie (UI-3)', async () => {
    const reply = await fetch(`${running.gateway.gatewayUrl}/integrations`, {
      headers: { cookie: `access_token=${operator.accessToken}` },
    });
    expect(await codeOf(reply)).toEqual([401, 'missing_auth_header']);
  });
});

describe('an operator of a gateway whose provider is not on this computer', () => {
  it('still signs in: the way to the issuer is one of its own', async () => {
    const google = (path: string) => `https://google.example/${path}`;
    await using elsewhere = await startTestGateway({
      googleEndpoints: {
        issuer: google('issuer'),
        authorization_endpoint: google('auth'),
        token_endpoint: google('token'),
        revocation_endpoint: google('revoke'),
        userinfo_endpoint: google('userinfo'),
        jwks_uri: google('certs'),
        api_base_url: 'https://google.example',
      },
    });
    const { accessToken } = await signIn(elsewhere.gateway);
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await fetch(`${elsewhere.gateway.gatewayUrl}/integrations`, { headers })).status).toBe(200);
    // A token of one gateway's issuer means nothing to another gateway.
    expect((await asOperator('/integrations', {}, accessToken)).status).toBe(401);
  });
});

describe('pages of other origins', () => {
  const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  const preflight = (path: string, from: string) =>
    fetch(running.gateway.gatewayUrl + path, { method: 'OPTIONS', headers: { origin: from, ...asks } });

  it.each(['/integrations', '/connections', '/account/keys', '/connect/sessions', '/connections/c/try'])(
    'only pages of the dashboard’s origin may call %s (PR-6)',
    async (path) => {
      const own = await preflight(path, origin);
      expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
      expect(own.headers.get('access-control-allow-credentials')).toBeNull();
      for (const other of ['https://evil.example', 'null', running.gateway.gatewayUrl]) {
        const reply = await preflight(path, other);
        expect([reply.headers.get('access-control-allow-origin'), reply.headers.get('vary')]).toEqual([null, 'Origin']);
      }
    },
  );

  it.each([
    '/proxy/drive/v3/files',
    '/proxy',
    '/connect',
    '/connect/authorizations',
    '/oauth/callback',
    '/oauth/connect/google-drive',
    '/healthz',
  ])('pages of other origins may not call %s, not even the dashboard’s', async (path) => {
    for (const reply of [
      await preflight(path, origin),
      await fetch(running.gateway.gatewayUrl + path, { headers: { origin }, redirect: 'manual' }),
    ]) {
      expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

describe('the dashboard’s port', () => {
  it('gives the page the addresses of gateway and issuer', async () => {
    const reply = await fetch(`${origin}/config.json`);
    expect(await reply.json()).toEqual({
      api_base_url: running.gateway.gatewayUrl,
      issuer: `${origin}/issuer`,
      client_id: 'local-dashboard',
      issuer_endpoints: {
        authorization_endpoint: `${origin}/issuer/oauth2/authorize`,
        token_endpoint: `${origin}/issuer/oauth2/token`,
        revocation_endpoint: `${origin}/issuer/oauth2/revoke`,
        end_session_endpoint: `${origin}/issuer/logout`,
      },
    });
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  it('sends the deployed site’s headers (UI-1, UI-5)', async () => {
    const { headers } = await fetch(`${origin}/config.json`);
    expect(headers.get('content-security-policy')).toContain(`connect-src 'self' ${running.gateway.gatewayUrl}/;`);
    expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('answers names of this computer and refuses the names of others', async () => {
    const { port } = new URL(origin);
    expect(await ask(`127.0.0.1:${port}`)).toEqual([200, undefined]);
    expect(await ask(`localhost:${port}`, '/connections?a=1')).toEqual([307, `${origin}/connections?a=1`]);
    expect(await ask(`evil.example:${port}`)).toEqual([421, undefined]);
    expect(await ask(`localhost:${port}`, '//evil.example/')).toEqual([421, undefined]);
  });

  it('the dashboard’s port is named in local.json', () => {
    const file: unknown = JSON.parse(readFileSync(join(running.gateway.dataDir, 'local.json'), 'utf8'));
    expect(file).toMatchObject({ dashboard_url: origin });
  });

  function ask(host: string, path = '/config.json'): Promise<[number | undefined, string | undefined]> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(origin);
      const outgoing = request({ hostname, port, path, headers: { host } }, (incoming) => {
        incoming.resume();
        resolve([incoming.statusCode, incoming.headers.location]);
      });
      outgoing.once('error', reject).end();
    });
  }
});

describe('a port for the dashboard', () => {
  let space: ReturnType<typeof workspace> | undefined;
  afterEach(() => space?.dispose());

  it('a port for the dashboard that is taken is named with the option that changes it', async () => {
    const other = createServer();
    const taken = await listen(other, (await freePorts()) + 1, 'test', '');
    await expect(startTestGateway({ port: taken - 1 })).rejects.toThrow(
      new RegExp(`Port ${taken} \\(the dashboard\\) is taken: .*--port`),
    );
    await closeServer(other);
  });

  it('a port for the dashboard is not opened for a template without a user pool', async () => {
    space = workspace();
    expect((await space.start()).dashboardUrl).toBeNull();
  });
});
