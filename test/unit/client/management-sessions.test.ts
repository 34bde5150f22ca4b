import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayClient, GatewayError, UnexpectedAnswerError } from '../../../client/src/index.ts';
import { INTEGRATION_ON_THE_WIRE, managementCall } from './management-answers.ts';
import { gatewayError, json, raw, type Stub, startStub } from './stub.ts';

let stub: Stub;
let client: GatewayClient;
beforeAll(async () => {
  stub = await startStub();
  client = stub.client();
});
afterAll(() => stub.close());
beforeEach(() => {
  stub.arrived.length = 0;
});

const sent = (): [string, string, unknown] => managementCall(stub);

const ref = { providerConfigKey: 'drive', connectionId: 'c' };

describe('connect sessions', () => {
  const created = json(201, {
    data: {
      token: 'cs_x',
      connect_link: 'https://g/connect#session_token=cs_x',
      expires_at: '2026-11-20T00:30:00.000Z',
    },
  });

  it('are made for an end user', async () => {
    stub.answer(created);
    const session = await client.connectSessions.create({
      endUser: { id: 'u', email: 'first.user@example.com' },
      organization: { id: 'o', displayName: 'O' },
      allowedIntegrations: ['drive'],
      defaults: { drive: { scopes: ['a', 'b'], authorizationParams: { login_hint: 'x' } } },
      returnUrl: 'https://app.example/done',
    });
    expect(session).toEqual({
      token: 'cs_x',
      connectLink: 'https://g/connect#session_token=cs_x',
      expiresAt: '2026-11-20T00:30:00.000Z',
    });
    expect(sent()).toEqual([
      'POST',
      '/connect/sessions',
      {
        end_user: { id: 'u', email: 'first.user@example.com' },
        organization: { id: 'o', display_name: 'O' },
        allowed_integrations: ['drive'],
        integrations_config_defaults: {
          drive: { authorization_params: { login_hint: 'x' }, connection_config: { oauth_scopes_override: 'a,b' } },
        },
        return_url: 'https://app.example/done',
      },
    ]);
  });

  it('are made for files to be picked', async () => {
    stub.answer(created);
    const pick = { connectionId: 'c', multiple: true, mimeTypes: ['text/csv'], fileIds: ['f'], folders: false };
    await client.connectSessions.create({ allowedIntegrations: ['drive'], pick });
    expect(sent()).toEqual([
      'POST',
      '/connect/sessions',
      {
        allowed_integrations: ['drive'],
        pick: { connection_id: 'c', multiple: true, mime_types: ['text/csv'], file_ids: ['f'], folders: false },
      },
    ]);
  });

  it('are made for a connection that exists', async () => {
    stub.answer(created);
    await client.connectSessions.reconnect({ providerConfigKey: 'drive', connectionId: 'c', allowAccountChange: true });
    expect(sent()).toEqual([
      'POST',
      '/connect/sessions/reconnect',
      { connection_id: 'c', integration_id: 'drive', allow_account_change: true },
    ]);
  });

  it('are asked how far they are, by their own token', async () => {
    stub.answer(
      json(200, {
        data: {
          endUser: { id: 'u', email: null },
          status: 'connected',
          connection_id: 'c',
          provider_config_key: 'drive',
          error: null,
          isReconnecting: false,
          allowed_integrations: ['drive'],
          picked: [
            { id: 'f', mime_type: 'text/csv', confirmed: true },
            { id: 'g', mime_type: null, confirmed: false },
          ],
        },
      }),
    );
    expect(await client.connectSessions.get('cs_x')).toEqual({
      status: 'connected',
      endUser: { id: 'u' },
      allowedIntegrations: ['drive'],
      isReconnecting: false,
      connection: { connectionId: 'c', providerConfigKey: 'drive' },
      error: undefined,
      picked: [
        { id: 'f', mimeType: 'text/csv', confirmed: true },
        { id: 'g', mimeType: undefined, confirmed: false },
      ],
    });
    expect(stub.last().headers.authorization).toBe('Bearer cs_x');
  });

  it('CS-15: are confirmed with the handle and the signed-in user', async () => {
    stub.answer(
      json(200, {
        data: {
          id: 7,
          connection_id: 'c',
          provider_config_key: 'drive',
          provider: 'google-drive',
          created: '2026-11-20T00:00:00.000Z',
          status: 'active',
          tags: {},
          metadata: null,
          errors: [],
          end_user: { id: 'u' },
          provider_account: null,
          cause: null,
          missing_scopes: ['s'],
          is_reconnect: true,
        },
      }),
    );
    const confirmed = await client.connectSessions.confirm('cf_x', 'u');
    expect(confirmed).toMatchObject({ connectionId: 'c', missingScopes: ['s'], isReconnect: true });
    expect(sent()).toEqual(['POST', '/connect/sessions/confirm', { handle: 'cf_x', end_user_id: 'u' }]);
  });

  it('CS-15: are refused for another user with the gateway’s conflict', async () => {
    stub.answer(gatewayError(409, 'conflict'));
    await expect(client.connectSessions.confirm('cf_x', 'v')).rejects.toMatchObject({ code: 'conflict', status: 409 });
  });

  it('are ended', async () => {
    stub.answer(raw(204, undefined));
    await client.connectSessions.end('cs_x');
    expect(sent()).toEqual(['DELETE', '/connect/session', undefined]);
  });
});

describe('a management call', () => {
  it('rejects with the gateway’s error', async () => {
    stub.answer(gatewayError(404, 'unknown_connection'));
    const error = await client.connections.get(ref).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code: 'unknown_connection', status: 404 });
  });

  it.each<[string, ReturnType<typeof raw>]>([
    ['a web page', raw(200, '<html>')],
    ['a failure of something in front of the gateway', json(502, { message: 'Bad Gateway' })],
    ['a list where an object has to be', json(200, [])],
    ['an object without its data', json(200, {})],
    ['a member of another type', json(200, { data: { ...INTEGRATION_ON_THE_WIRE, unique_key: 1 } })],
  ])('rejects %s', async (_what, responder) => {
    stub.answer(responder);
    await expect(client.integrations.get('drive')).rejects.toBeInstanceOf(UnexpectedAnswerError);
  });

  it('never takes a failure for one of Google: it names the address that answered', async () => {
    stub.answer(json(403, { error: { code: 403, message: 'no' } }));
    const error = await client.integrations.list().catch((reason: unknown) => reason);
    expect(String(error)).toMatch(
      /^UnexpectedAnswerError: http:\/\/127\.0\.0\.1:\d+\/v1\/integrations answered with status 403/,
    );
  });

  it('ends at its time limit and on its signal', async () => {
    stub.answer(() => {});
    await expect(client.integrations.list({ timeoutMs: 30 })).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(client.integrations.list({ signal: AbortSignal.abort(new Error('mine')) })).rejects.toThrow('mine');
  });
});
