import { Nango } from '@nangohq/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { CONNECT_SESSIONS_PER_MINUTE } from '../../../lambdas/gateway/core/limits.ts';
import { connectAccount } from '../../support/connect.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { type RawRequest, rawRequest } from '../../support/raw-http.ts';
import { control as simulate } from '../../support/simulator.ts';
import { changeConnection } from '../../support/table.ts';
import { keyWith } from '../api/keys.ts';
import { setRate } from '../api/rates.ts';
import { failureOf, refusalOf } from './nango-failures.ts';

const FILES = '/drive/v3/files';
const PAST = { accessTokenExpiresAtEpochSec: 1_700_000_000 };

/** Every failure of the gateway's own, as the compatible package and a bare request see it: status, code, header. */
export function describeErrors(title: string, shared: () => TestGateway): void {
  describe(title, () => {
    let gateway: TestGateway;
    let nango: Nango;
    let drive: { providerConfigKey: string; connectionId: string };
    beforeAll(() => {
      gateway = shared();
      nango = withKey(gateway.gateway.secretKey);
      drive = { providerConfigKey: 'google-drive', connectionId: gateway.connectionId('google-drive') };
    });

    const withKey = (secretKey: string) => new Nango({ host: gateway.gateway.gatewayUrl, secretKey });
    const bare = (path: string, init?: RequestInit) => refusalOf(fetch(gateway.gateway.gatewayUrl + path, init));
    const control = (): [string, string][] => [
      ['Authorization', `Bearer ${gateway.gateway.secretKey}`],
      ['Provider-Config-Key', drive.providerConfigKey],
      ['Connection-Id', drive.connectionId],
    ];

    test('every kind of wrong key has one body', async () => {
      const unknown = `sk_default_${'A'.repeat(43)}`;
      const wrong = ['none', 'sk_default_short', unknown, unknown.replace('default', 'other')];
      const failures = await Promise.all([
        ...wrong.map((key) => failureOf(withKey(key).listIntegrations())),
        ...wrong.map((key) => failureOf(withKey(key).get({ ...drive, endpoint: FILES }))),
        bare('/connections', { headers: { authorization: 'Basic abc' } }),
      ]);
      // Without `Bearer`, every text in the form of a key gets the same answer, so nobody learns which keys exist.
      const withoutBearer = await Promise.all(
        [gateway.gateway.secretKey, unknown].map((authorization) =>
          bare('/connections', { headers: { authorization } }),
        ),
      );
      expect(withoutBearer[0]).toMatchObject({ status: 401, code: 'invalid_secret_key' });
      expect(withoutBearer[0]?.message).toMatch(/^Put the word Bearer/);
      expect(withoutBearer[1]?.message).toBe(withoutBearer[0]?.message);
      for (const failure of failures) {
        expect(failure).toMatchObject({ status: 401, code: 'invalid_secret_key' });
        expect(failure.message).toBe(failures[0]?.message);
      }
    });

    test('a key without the right', async () => {
      const reader = withKey(await keyWith(gateway, { right: 'read' }));
      const session = reader.createConnectSession({ end_user: { id: 'u' } });
      expect(await failureOf(session)).toMatchObject({ status: 403, code: 'forbidden' });
      const tokens = nango.getConnection('google-drive', drive.connectionId, false, true);
      expect(await failureOf(tokens)).toMatchObject({ status: 403, code: 'forbidden' });
    });

    const through = (more: object) => nango.get({ ...drive, endpoint: FILES, ...more });
    const BATCH = '--b\r\nContent-Type: application/http\r\n\r\nGET /gmail/v1/users/me HTTP/1.1\r\n\r\n--b--\r\n';

    test.each<[what: string, status: number, code: string, call: () => Promise<unknown>]>([
      ['a header of another host', 400, 'invalid_headers', () => through({ baseUrlOverride: 'https://api.example' })],
      ['a connection id with a slash', 400, 'invalid_headers', () => through({ connectionId: 'a/b' })],
      [
        'a page of too many',
        400,
        'invalid_query_params',
        () => nango.listConnections(undefined, undefined, { limit: 5000 }),
      ],
      ['a token in the query', 400, 'invalid_query_params', () => through({ params: { access_token: 'mine' } })],
      [
        'an id that is none',
        400,
        'invalid_body',
        () => nango.createQuickstartIntegration({ provider: 'google-drive', unique_key: 'a/b' }),
      ],
      [
        'a session of no integration',
        400,
        'invalid_body',
        () => nango.createConnectSession({ end_user: { id: 'u' }, allowed_integrations: ['none'] }),
      ],
      [
        'a reconnect of no connection',
        400,
        'invalid_body',
        () => nango.createReconnectSession({ connection_id: 'none', integration_id: 'google-drive' }),
      ],
      [
        'a batch with a part of another API',
        400,
        'invalid_body',
        () =>
          nango.post({
            ...drive,
            endpoint: '/batch/drive/v3',
            data: BATCH,
            headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
          }),
      ],
      [
        'a body that is too large',
        413,
        'request_too_large',
        () =>
          nango.post({
            ...drive,
            endpoint: '/upload/drive/v3/files?uploadType=media',
            data: Buffer.alloc(4_500_001),
            headers: { 'Content-Type': 'application/octet-stream' },
          }),
      ],
      ['a path of another API', 403, 'path_not_allowed', () => through({ endpoint: '/gmail/v1/users/me/messages' })],
      ['a full address', 400, 'invalid_path', () => through({ endpoint: `https://www.googleapis.com${FILES}` })],
      [
        'an integration that is there already',
        409,
        'conflict',
        () => nango.createQuickstartIntegration({ provider: 'google-drive', unique_key: 'google-drive' }),
      ],
    ])('%s is answered with %i %s', async (_, status, code, call) => {
      expect(await failureOf(call())).toMatchObject({ status, code });
    });

    test('names that lead to nothing', async () => {
      for (const call of [
        () => nango.getIntegration({ uniqueKey: 'none' }),
        () => through({ providerConfigKey: 'none' }),
        () => nango.getConnection('none', drive.connectionId),
        () => nango.deleteConnection('none', drive.connectionId),
        () => nango.deleteIntegration('none'),
      ]) {
        expect(await failureOf(call())).toMatchObject({ status: 404, code: 'unknown_integration' });
      }
      for (const call of [
        () => through({ connectionId: 'none' }),
        () => nango.getConnection('google-drive', 'none'),
        () => nango.deleteConnection('google-drive', 'none'),
        () => nango.setMetadata('google-drive', 'none', {}),
        () => nango.patchConnection({ connectionId: 'none', provider_config_key: 'google-drive' }, { tags: {} }),
      ]) {
        expect(await failureOf(call())).toMatchObject({ status: 404, code: 'unknown_connection' });
      }
    });

    test('a page too deep for numbers is refused with a hint to use the cursor', async () => {
      const deep = nango.listConnections(undefined, undefined, { limit: 2000, page: 6 });
      expect((await failureOf(deep)).message).toMatch(/cursor/);
    });

    const json = (body: string, type = 'application/json'): RequestInit => ({
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${gateway.gateway.secretKey}`, 'content-type': type },
    });

    // What the package itself would not send.
    test.each<[what: string, status: number, code: string, path: string, init: () => RequestInit]>([
      ['no key', 401, 'missing_auth_header', '/connections', () => ({})],
      ['no key at the proxy', 401, 'missing_auth_header', `/proxy${FILES}`, () => ({})],
      ['JSON that was cut off', 400, 'invalid_body', '/connect/sessions', () => json('{"end_user":')],
      ['a form', 400, 'invalid_body', '/connect/sessions', () => json('a=1', 'application/x-www-form-urlencoded')],
      ['no control headers', 400, 'invalid_headers', `/proxy${FILES}`, () => json('{}')],
      ['a proxy path with nothing behind it', 400, 'invalid_path', '/proxy', () => ({ headers: control() })],
      ['an unknown route', 404, 'not_found', '/nowhere', () => ({})],
    ])('%s is answered with %i %s', async (_, status, code, path, init) => {
      expect(await bare(path, init())).toMatchObject({ status, code });
    });

    test.each<[what: string, status: number, code: string, path: string, more: Partial<RawRequest>]>([
      ['a repeated control header', 400, 'invalid_headers', FILES, { headers: [['Connection-Id', 'b']] }],
      ['a path that escapes', 400, 'invalid_path', '/drive/v3/..%2f..%2foauth2/v3/certs', {}],
      ['a method that is not proxied', 405, 'method_not_allowed', FILES, { method: 'OPTIONS' }],
    ])('%s is answered with %i %s', async (_, status, code, path, { headers = [], ...more }) => {
      const stage = new URL(gateway.gateway.gatewayUrl).pathname.replace(/\/$/, '');
      const request = { ...more, path: `${stage}/proxy${path}`, headers: [...control(), ...headers] };
      const answer = await rawRequest(gateway.gateway.gatewayUrl, request);
      expect([answer.status, answer.header('x-gateway-error')]).toEqual([status, code]);
    });

    test('more connect sessions than an account may make in a minute', async () => {
      await setRate(gateway, 'connect_sessions', CONNECT_SESSIONS_PER_MINUTE);
      const failure = await failureOf(nango.createConnectSession({ end_user: { id: 'u' } }));
      await setRate(gateway, 'connect_sessions', 0);
      expect(failure).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: expect.stringMatching(/^\d+$/) });
    });

    describe('areas of the peer that are not here', () => {
      const key = 'google-drive';
      const VARIANT = { provider_config_key: key, connection_id: 'c', name: 'a', variant: 'b' };
      const RECORDS = { providerConfigKey: key, connectionId: 'c', model: 'm' };
      test.each<[string, (one: Nango) => Promise<unknown>]>([
        ['triggerSync', (one) => one.triggerSync(key, ['a'], 'c')],
        ['startSync', (one) => one.startSync(key, ['a'], 'c')],
        ['pauseSync', (one) => one.pauseSync(key, ['a'], 'c')],
        ['syncStatus', (one) => one.syncStatus(key, '*', 'c')],
        ['updateSyncConnectionFrequency', (one) => one.updateSyncConnectionFrequency(key, 'a', 'c', 'every hour')],
        ['createSyncVariant', (one) => one.createSyncVariant(VARIANT)],
        ['deleteSyncVariant', (one) => one.deleteSyncVariant(VARIANT)],
        ['listRecords', (one) => one.listRecords(RECORDS)],
        ['pruneRecords', (one) => one.pruneRecords({ ...RECORDS, untilCursor: 'x' })],
        ['triggerAction', (one) => one.triggerAction(key, 'c', 'a')],
        ['triggerActionAsync', (one) => one.triggerActionAsync(key, 'c', 'a')],
        ['getAsyncActionResult', (one) => one.getAsyncActionResult({ id: 'x', statusUrl: '/action/x' })],
        ['listFunctions', (one) => one.listFunctions({ uniqueKey: key })],
        ['getFunction', (one) => one.getFunction({ uniqueKey: key, name: 'f' })],
        ['getFunctionCode', (one) => one.getFunctionCode({ uniqueKey: key, name: 'f' })],
        ['deleteFunction', (one) => one.deleteFunction({ uniqueKey: key, name: 'f' }, { type: 'action' })],
        ['getProviderTemplates', (one) => one.getProviderTemplates({ provider: 'google-drive' })],
        ['getScriptsConfig', (one) => one.getScriptsConfig()],
        ['getEnvironmentVariables', (one) => one.getEnvironmentVariables()],
      ])('%s says so', async (_, call) => {
        const failure = await failureOf(call(nango));
        expect(failure).toMatchObject({ status: 404, code: 'not_supported' });
        expect(failure.message).toMatch(/^This gateway does not have \w+/);
        expect(await failureOf(call(withKey('sk_default_short')))).toMatchObject({ status: 401 });
      });
    });

    describe('what the provider does', () => {
      const target = { providerConfigKey: 'google-drive', connectionId: '' };
      const call = () => failureOf(nango.get({ ...target, endpoint: FILES }));
      beforeAll(async () => {
        target.connectionId = await connectAccount(gateway, 'google-drive', { account: 'second.user@example.com' });
      });

      test('a refresh that fails for now', async () => {
        await changeConnection(gateway, 'google-drive', target.connectionId, PAST);
        await simulate(gateway, 'POST', '/faults', {
          match: { origin: 'token' },
          action: { status: 503, body: '{"error":"temporarily_unavailable"}' },
        });
        const failure = await call();
        await simulate(gateway, 'DELETE', '/faults');
        expect(failure).toMatchObject({ status: 503, code: 'token_refresh_unavailable' });
        expect(failure.retryAfter).toMatch(/^\d+$/);
      });

      test('an OAuth client that is refused', async () => {
        const own = await connectAccount(gateway, 'google-calendar', { account: 'editor@workspace.example' });
        await changeConnection(gateway, 'google-calendar', own, PAST);
        await simulate(gateway, 'POST', '/faults', {
          match: { origin: 'token' },
          action: { oauthError: { status: 401, error: 'invalid_client' } },
        });
        const through = { providerConfigKey: 'google-calendar', connectionId: own };
        const failure = await failureOf(nango.get({ ...through, endpoint: '/calendar/v3/users/me/calendarList' }));
        await simulate(gateway, 'DELETE', '/faults');
        expect(failure).toMatchObject({ status: 424, code: 'integration_credentials_rejected' });
      });

      test('a grant that has ended: proxied calls and readers of credentials get its error, others see it in errors', async () => {
        // Another one: the proxy remembers for half a minute that a refresh of the first must wait.
        target.connectionId = await connectAccount(gateway, 'google-drive', { account: 'second.user@example.com' });
        await changeConnection(gateway, 'google-drive', target.connectionId, PAST);
        await simulate(gateway, 'POST', '/grants/kill', { account: 'second.user@example.com', reason: 'user_revoked' });
        const failure = await call();
        expect(failure).toMatchObject({ status: 424, code: 'reauthorization_required' });
        expect(failure.connection).toMatchObject({
          status: 'reauthorization_required',
          cause: expect.any(String),
          likely_causes: expect.any(Array),
          remedy: expect.any(String),
          since: expect.stringMatching(/Z$/),
        });
        const shown = await nango.getConnection('google-drive', target.connectionId);
        expect(shown.errors).toEqual([{ type: 'auth', log_id: expect.any(String) }]);
        expect(await nango.getMetadata('google-drive', target.connectionId)).toBeNull();
        const reader = withKey(await keyWith(gateway, { can_read_credentials: true }));
        const token = reader.getToken('google-drive', target.connectionId);
        expect(await failureOf(token)).toMatchObject({ status: 424, code: 'reauthorization_required' });
      });

      test('an error of its own passes untouched', async () => {
        const failure = await failureOf(nango.get({ ...drive, endpoint: `${FILES}/none` }));
        expect(failure).toMatchObject({ status: 404, code: undefined });
      });
    });
  });
}
