import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FULL_KEY, managementGateway, secretKey } from './support/gateway.ts';

const refused = z.object({
  error: z.object({
    message: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
  }),
});

describe('the front of the management API', () => {
  it('answers the health check and nothing else in it', async () => {
    const reply = await managementGateway().call('GET', '/healthz', { key: undefined });
    expect(reply).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' }, body: { status: 'ok' } });
    expect(reply.headers['x-gateway-error']).toBeUndefined();
  });

  it('answers HEAD without a body', async () => {
    const reply = await managementGateway().call('HEAD', '/healthz', { key: undefined });
    expect(reply).toMatchObject({ status: 200, body: undefined });
  });

  it('marks its errors and names the request (PR-8)', async () => {
    const reply = await managementGateway().call('GET', '/nowhere');
    expect(reply).toMatchObject({
      status: 404,
      headers: { 'x-gateway-error': 'not_found', 'x-request-id': 'request-1', 'cache-control': 'no-store' },
      body: { error: { code: 'not_found', status: 404, request_id: 'request-1' } },
    });
  });

  it('says which methods a route takes', async () => {
    const gateway = managementGateway();
    expect(await gateway.call('PUT', '/integrations/drive')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, PATCH, DELETE, HEAD, OPTIONS', 'x-gateway-error': 'method_not_allowed' },
    });
  });

  it('answers OPTIONS without granting another origin anything', async () => {
    const reply = await managementGateway().call('OPTIONS', '/integrations', {
      key: undefined,
      headers: [['Origin', 'https://elsewhere.example']],
    });
    expect(reply.status).toBe(204);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each([
    ['POST', '/sync/trigger'],
    ['GET', '/connection/x'],
  ])('says plainly that it does not have %s %s, to callers with a key', async (method, path) => {
    const gateway = managementGateway();
    expect(await gateway.call(method, path)).toMatchObject({ status: 404, code: 'not_supported' });
    expect((await gateway.call(method, path, { key: undefined })).status).toBe(401);
  });

  it('shows nothing but the request id when something unexpected fails (LG-6)', async () => {
    const gateway = managementGateway();
    gateway.events.failing = true;
    const body = { provider: 'google-drive', unique_key: 'drive' };
    const reply = await gateway.call('POST', '/integrations/quickstart', { body });
    expect(reply).toMatchObject({ status: 500, body: { error: { code: 'internal_error', request_id: 'request-1' } } });
    expect(JSON.stringify(reply.body)).not.toContain('table');
    expect(gateway.integrations.size).toBe(0);
    expect(gateway.logged).toEqual(['request failed']);
  });

  it.each([
    ['another content type', { rawBody: '{}', headers: [['content-type', 'text/plain']] as const }, /Content-Type/],
    [
      'in another character set',
      { rawBody: '{}', headers: [['content-type', 'application/json; charset=utf-16']] as const },
      /in UTF-8/,
    ],
    ['broken JSON', { rawBody: '{"a":' }, /not valid JSON/],
    ['a repeated member', { rawBody: '{"end_user":{},"end_user":{}}' }, /more than once/],
    ['a list', { rawBody: '[]' }, /must be an object/],
    ['no body', {}, /is required/],
  ])('refuses a body that is %s', async (_, options, message) => {
    const reply = await managementGateway().call('POST', '/connect/sessions', options);
    expect(reply).toMatchObject({ status: 400, code: 'invalid_body' });
    expect(refused.parse(reply.body).error.message).toMatch(message);
  });

  it('takes JSON that says it is UTF-8', async () => {
    const headers = [['content-type', 'application/json; charset=utf-8']] as const;
    const rawBody = '{"end_user":{"id":"ü"}}';
    expect((await managementGateway().call('POST', '/connect/sessions', { rawBody, headers })).status).toBe(201);
  });

  it('refuses a query parameter that a route does not have (AK-8)', async () => {
    const { code, body } = await managementGateway().call('GET', '/integrations?debug=1');
    const errors = [{ path: 'debug', message: 'is unknown' }];
    expect([code, body]).toMatchObject(['invalid_query_params', { error: { errors } }]);
  });

  it('names the member that was meant, at any depth, and every other problem of a body with it', async () => {
    const body = { endUser: { id: 'u' }, end_user: { id: '', displayName: 'U' }, allowedIntegrations: [], colour: 1 };
    const reply = await managementGateway().call('POST', '/connect/sessions', { body });
    expect(reply.status).toBe(400);
    const { errors } = refused.parse(reply.body).error;
    expect(new Set(errors.map(({ path, message }) => `${path}: ${message}`))).toEqual(
      new Set([
        'endUser: is unknown; did you mean end_user?',
        'end_user.id: must not be empty',
        'end_user.displayName: is unknown; did you mean display_name?',
        'allowedIntegrations: is unknown; did you mean allowed_integrations?',
        'colour: is unknown',
      ]),
    );
    const query = await managementGateway().call('GET', '/connections?endUserID=u&limt=3');
    expect(refused.parse(query.body).error.errors).toEqual([
      { path: 'endUserID', message: 'is unknown; did you mean end_user_id?' },
      { path: 'limt', message: 'is unknown; did you mean limit?' },
    ]);
  });

  it.each(['/drive/v3/files', '/upload/drive/v3/files', '/calendar/v3/calendars/primary/events', '/batch/drive/v3'])(
    'says of %s that calls to Google go below /proxy',
    async (path) => {
      const reply = await managementGateway().call('GET', path);
      expect(reply).toMatchObject({ status: 404, code: 'not_found' });
      expect(refused.parse(reply.body).error.message).toMatch(/\/proxy before Google's path/);
    },
  );

  it('distinguishes a key without Bearer, a session token and a token of Google from a wrong key', async () => {
    const gateway = managementGateway();
    const message = async (value: string) => {
      const reply = await gateway.call('GET', '/connections', { key: undefined, headers: [['Authorization', value]] });
      expect(reply).toMatchObject({ status: 401, code: 'invalid_secret_key' });
      return refused.parse(reply.body).error.message;
    };
    expect(await message(FULL_KEY)).toMatch(/word Bearer and a space before/);
    // Every text in the form of a key gets this answer, so nobody learns which keys exist.
    expect(await message(secretKey('unknown'))).toBe(await message(FULL_KEY));
    expect(await message('Bearer ya29.a0AfH6')).toMatch(/one of Google's access tokens/);
    expect(await message('Basic dTpw')).toBe(await message('Bearer nonsense'));
  });

  it('accepts a content type without a body', async () => {
    const headers = [['content-type', 'application/json']] as const;
    expect((await managementGateway().call('GET', '/integrations', { headers })).status).toBe(200);
  });
});
