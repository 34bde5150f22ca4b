// @module-tag long
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { jsonAt, textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { type FaultProxy, startFaultProxy } from '../../faults/support/fault-proxy.ts';
import { connectSession } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { keyWith, refreshTokenOf } from './keys.ts';

let gateway: TestGateway;
let table: FaultProxy;
let reader: string;
let refreshToken: string;
beforeAll(async () => {
  gateway = await startTestGateway({
    endpointOverrides: {
      async dynamodb(real) {
        table = await startFaultProxy(real);
        return table.endpoint;
      },
    },
  });
  await gateway.json('POST', '/integrations/quickstart', { provider: 'google-drive', unique_key: 'empty' });
  reader = await keyWith(gateway, { can_read_credentials: true });
  refreshToken = await refreshTokenOf(gateway, 'google-drive');
});
afterEach(() => table?.clear());
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await table?.close();
});

/** From now on the table takes no event; everything else it takes. */
function refuseEvents() {
  return table.add(({ body }) => body.includes('"EVENT#'), { kind: 'error', name: 'ValidationException' }, 100);
}

const OF = '?provider_config_key=google-drive';
const connection = () => `/connections/${gateway.connectionId('google-drive')}`;

/** Everything a change could show in. */
async function everything(): Promise<unknown> {
  const paths = ['/integrations', '/connections', '/account/keys', connection() + OF, '/test-credentials/google-drive'];
  const parts = await Promise.all(paths.map(async (path) => (await gateway.json('GET', path)).body));
  return JSON.parse(JSON.stringify(parts, (name, value) => (name.startsWith('last_used') ? undefined : value)));
}

interface Change {
  readonly method: string;
  path(): string;
  body?(): unknown;
}

const CHANGES: Readonly<Record<string, Change>> = {
  'a key': { method: 'POST', path: () => '/account/keys', body: () => ({ name: 'silent', right: 'full' }) },
  'an integration': {
    method: 'POST',
    path: () => '/integrations/quickstart',
    body: () => ({ provider: 'google-drive', unique_key: 'silent' }),
  },
  'a setting': {
    method: 'PATCH',
    path: () => '/integrations/google-drive',
    body: () => ({ publishing_status: 'production' }),
  },
  // Only one without connections can be renamed.
  'a new name of an integration': {
    method: 'PATCH',
    path: () => '/integrations/empty',
    body: () => ({ unique_key: 'silent' }),
  },
  'the end of an integration': { method: 'DELETE', path: () => '/integrations/empty' },
  'a connection': {
    method: 'POST',
    path: () => '/connections',
    body: () => ({
      provider_config_key: 'google-drive',
      connection_id: 'silent',
      credentials: { type: 'OAUTH2', refresh_token: refreshToken },
    }),
  },
  'a tag': { method: 'PATCH', path: () => connection() + OF, body: () => ({ tags: { team: 'silent' } }) },
  'a deletion': { method: 'DELETE', path: () => connection() + OF },
  'test credentials': {
    method: 'PUT',
    path: () => '/test-credentials/google-drive',
    body: () => ({ client_id: '1-silent.apps.googleusercontent.com', client_secret: 'x'.repeat(24) }),
  },
  'the end of test credentials': { method: 'DELETE', path: () => '/test-credentials/google-drive' },
};

describe('a change whose event cannot be written', () => {
  test.each(Object.entries(CHANGES))('LG-5, LG-6: %s: it does not happen', async (_, change) => {
    const before = await everything();
    const refused = refuseEvents();
    const answer = await gateway.json(change.method, change.path(), change.body?.());
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(refused.count()).toBeGreaterThan(0);
    table.clear();
    expect(await everything()).toEqual(before);
  });

  test('LG-5, LG-6: credentials that were asked for are not shown', async () => {
    refuseEvents();
    const answer = await gateway.json('GET', `${connection()}${OF}&refresh_token=true`, undefined, reader);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(JSON.stringify(answer.body)).not.toContain(refreshToken);
    table.clear();
    const shown = await gateway.json('GET', `${connection()}${OF}&refresh_token=true`, undefined, reader);
    expect(textAt(shown.body, 'credentials', 'refresh_token')).toBe(refreshToken);
  });

  test('LG-5, LG-6: a connect session and a start of its flow are refused', async () => {
    const token = await connectSession(gateway, { allowed_integrations: ['google-drive'] });
    refuseEvents();
    await expect(connectSession(gateway, {})).rejects.toThrow('No connect session');
    const start = await fetch(`${gateway.gateway.gatewayUrl}/connect/authorizations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(start.status).toBeGreaterThanOrEqual(500);
    expect(jsonAt(await start.json()).data).toBeUndefined();
  });
});
