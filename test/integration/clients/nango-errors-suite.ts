import { Nango } from '@nangohq/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { CONNECT_SESSIONS_PER_MINUTE } from '../../../lambdas/gateway/core/limits.ts';
import { connectAccount } from '../../support/connect.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { rawRequest } from '../../support/raw-http.ts';
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
    const stage = () => new URL(gateway.gateway.gatewayUrl).pathname.replace(/\/$/, '');
    const control = (connection: typeof drive): [string, string][] => [
      ['Authorization', `Bearer ${gateway.gateway.secretKey}`],
      ['Provider-Config-Key', connection.providerConfigKey],
      ['Connection-Id', connection.connectionId],
    ];
    const json = (body: string, type = 'application/json'): RequestInit => ({
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${gateway.gateway.secretKey}`, 'content-type': type },
    });

    describe('keys', () => {
      test('no Authorization header', async () => {
        expect(await bare('/connections')).toMatchObject({ status: 401, code: 'missing_auth_header' });
        expect(await bare(`/proxy${FILES}`)).toMatchObject({ status: 401, code: 'missing_auth_header' });
      });

      test('every kind of wrong key has one body', async () => {
        const unknown = `sk_default_${'A'.repeat(43)}`;
        const wrong = ['none', 'sk_default_short', unknown, unknown.replace('default', 'other')];
        const failures = await Promise.all([
          ...wrong.map((key) => failureOf(withKey(key).listIntegrations())),
          ...wrong.map((key) => failureOf(withKey(key).get({ ...drive, endpoint: FILES }))),
          bare('/connections', { headers: { authorization: 'Basic abc' } }),
        ]);
        // Not a wrong key but a forgotten word: told of any text in the form of a key, so that nobody learns which keys exist.
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
    });

    describe('what is sent', () => {
      test('control headers that are missing, repeated or not valid', async () => {
        const authorization = `Bearer ${gateway.gateway.secretKey}`;
        expect(await bare(`/proxy${FILES}`, { headers: { authorization } })).toMatchObject({
          status: 400,
          code: 'invalid_headers',
          problems: 2,
        });
        const twice = await rawRequest(gateway.gateway.gatewayUrl, {
          path: `${stage()}/proxy${FILES}`,
          headers: [...control(drive), ['Connection-Id', 'b']],
        });
        expect([twice.status, twice.header('x-gateway-error')]).toEqual([400, 'invalid_headers']);
        const slash = nango.get({ ...drive, connectionId: 'a/b', endpoint: FILES });
        expect(await failureOf(slash)).toMatchObject({ status: 400, code: 'invalid_headers' });
        const override = nango.get({ ...drive, endpoint: FILES, baseUrlOverride: 'https://api.example.com' });
        expect(await failureOf(override)).toMatchObject({ status: 400, code: 'invalid_headers' });
      });

      test('queries, bodies and content types that are not valid', async () => {
        const query = nango.listConnections(undefined, undefined, { limit: 5000 });
        expect(await failureOf(query)).toMatchObject({ status: 400, code: 'invalid_query_params', problems: 1 });
        const deep = nango.listConnections(undefined, undefined, { limit: 2000, page: 6 });
        expect((await failureOf(deep)).message).toMatch(/cursor/);
        const body = nango.createQuickstartIntegration({ provider: 'google-drive', unique_key: 'a/b' });
        expect(await failureOf(body)).toMatchObject({ status: 400, code: 'invalid_body', problems: 1 });
        const session = nango.createConnectSession({ end_user: { id: 'u' }, allowed_integrations: ['none'] });
        expect(await failureOf(session)).toMatchObject({ status: 400, code: 'invalid_body' });
        const pair = nango.createReconnectSession({ connection_id: 'none', integration_id: 'google-drive' });
        expect(await failureOf(pair)).toMatchObject({ status: 400, code: 'invalid_body' });
        expect(await bare('/connect/sessions', json('{"end_user":'))).toMatchObject({
          status: 400,
          code: 'invalid_body',
        });
        expect(await bare('/connect/sessions', json('a=1', 'application/x-www-form-urlencoded'))).toMatchObject({
          status: 400,
          code: 'invalid_body',
        });
      });

      test('names that lead to nothing', async () => {
        const integrations = [
          () => nango.getIntegration({ uniqueKey: 'none' }),
          () => nango.get({ ...drive, providerConfigKey: 'none', endpoint: FILES }),
          () => nango.getConnection('none', drive.connectionId),
          () => nango.deleteConnection('none', drive.connectionId),
          () => nango.deleteIntegration('none'),
        ];
        for (const call of integrations) {
          expect(await failureOf(call())).toMatchObject({ status: 404, code: 'unknown_integration' });
        }
        const connections = [
          () => nango.get({ ...drive, connectionId: 'none', endpoint: FILES }),
          () => nango.getConnection('google-drive', 'none'),
          () => nango.deleteConnection('google-drive', 'none'),
          () => nango.setMetadata('google-drive', 'none', {}),
          () => nango.patchConnection({ connectionId: 'none', provider_config_key: 'google-drive' }, { tags: {} }),
        ];
        for (const call of connections) {
          expect(await failureOf(call())).toMatchObject({ status: 404, code: 'unknown_connection' });
        }
      });

      test('an integration that is there already', async () => {
        const again = nango.createQuickstartIntegration({ provider: 'google-drive', unique_key: 'google-drive' });
        expect(await failureOf(again)).toMatchObject({ status: 409, code: 'conflict' });
      });

      test.each([
        ['another API', '/gmail/v1/users/me/messages', 403, 'path_not_allowed'],
        ['the other provider', '/calendar/v3/calendars/primary', 403, 'path_not_allowed'],
        ['a full address', 'https://www.googleapis.com/drive/v3/files', 400, 'invalid_path'],
      ])('a path that is %s', async (_, endpoint, status, code) => {
        expect(await failureOf(nango.get({ ...drive, endpoint }))).toMatchObject({ status, code });
      });

      test('a path that escapes, which the package itself would fold before sending', async () => {
        const path = `${stage()}/proxy/drive/v3/..%2f..%2foauth2/v3/certs`;
        const answer = await rawRequest(gateway.gateway.gatewayUrl, { path, headers: control(drive) });
        expect([answer.status, answer.header('x-gateway-error')]).toEqual([400, 'invalid_path']);
      });

      test('query parameters and batch parts that rival the identity', async () => {
        const query = nango.get({ ...drive, endpoint: FILES, params: { access_token: 'mine' } });
        expect(await failureOf(query)).toMatchObject({ status: 400, code: 'invalid_query_params' });
        const part = '--b\r\nContent-Type: application/http\r\n\r\nGET /gmail/v1/users/me HTTP/1.1\r\n\r\n--b--\r\n';
        const batch = nango.post({
          ...drive,
          endpoint: '/batch/drive/v3',
          data: part,
          headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
        });
        expect(await failureOf(batch)).toMatchObject({ status: 400, code: 'invalid_body' });
      });

      test('a method that is not proxied, a body that is too large, a proxy path with nothing behind it', async () => {
        const headers = control(drive);
        const method = await rawRequest(gateway.gateway.gatewayUrl, {
          method: 'OPTIONS',
          path: `${stage()}/proxy${FILES}`,
          headers,
        });
        expect([method.status, method.header('x-gateway-error')]).toEqual([405, 'method_not_allowed']);
        const large = nango.post({
          ...drive,
          endpoint: '/upload/drive/v3/files?uploadType=media',
          data: Buffer.alloc(4_500_001),
          headers: { 'Content-Type': 'application/octet-stream' },
        });
        expect(await failureOf(large)).toMatchObject({ status: 413, code: 'request_too_large' });
        expect(await bare('/proxy', { headers })).toMatchObject({ status: 400, code: 'invalid_path' });
      });
    });

    test('more connect sessions than an account may make in a minute', async () => {
      await setRate(gateway, 'connect_sessions', CONNECT_SESSIONS_PER_MINUTE);
      const failure = await failureOf(nango.createConnectSession({ end_user: { id: 'u' } }));
      await setRate(gateway, 'connect_sessions', 0);
      expect(failure).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: expect.stringMatching(/^\d+$/) });
    });

    describe('areas of the peer that are not here', () => {
      const key = 'google-drive';
      test.each<[string, (one: Nango) => Promise<unknown>]>([
        ['triggerSync', (one) => one.triggerSync(key, ['a'], 'c')],
        ['startSync', (one) => one.startSync(key, ['a'], 'c')],
        ['pauseSync', (one) => one.pauseSync(key, ['a'], 'c')],
        ['syncStatus', (one) => one.syncStatus(key, '*', 'c')],
        ['updateSyncConnectionFrequency', (one) => one.updateSyncConnectionFrequency(key, 'a', 'c', 'every hour')],
        [
          'createSyncVariant',
          (one) => one.createSyncVariant({ provider_config_key: key, connection_id: 'c', name: 'a', variant: 'b' }),
        ],
        [
          'deleteSyncVariant',
          (one) => one.deleteSyncVariant({ provider_config_key: key, connection_id: 'c', name: 'a', variant: 'b' }),
        ],
        ['listRecords', (one) => one.listRecords({ providerConfigKey: key, connectionId: 'c', model: 'm' })],
        [
          'pruneRecords',
          (one) => one.pruneRecords({ providerConfigKey: key, connectionId: 'c', model: 'm', untilCursor: 'x' }),
        ],
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

      test('an unknown route is another matter', async () => {
        expect(await bare('/nowhere')).toMatchObject({ status: 404, code: 'not_found' });
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

      test('a grant that has ended: proxied calls and readers of credentials are told, others see it in errors', async () => {
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
