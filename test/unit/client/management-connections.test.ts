import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayClient } from '../../../client/src/index.ts';
import { CONNECTION_ON_THE_WIRE, LIST_ITEM_ON_THE_WIRE, managementCall, SUMMARY } from './management-answers.ts';
import { json, type Stub, startStub } from './stub.ts';

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

const ref = { providerConfigKey: 'google drive', connectionId: 'a/b c' };
const REF = '/connections/a%2Fb%20c';
const OF = '?provider_config_key=google%20drive';

describe('connections', () => {
  it('are listed by every filter', async () => {
    stub.answer(json(200, { connections: [LIST_ITEM_ON_THE_WIRE], next_cursor: 'c2' }));
    const filter = {
      search: 'a b',
      endUserId: 'u',
      integrationId: ['drive', 'calendar'],
      status: 'reauthorization_required',
      cause: 'user_revoked',
      tags: { team: 'x' },
      limit: 5,
    } as const;
    const page = { connections: [{ ...SUMMARY, lastUsedAt: undefined }], nextCursor: 'c2' };
    expect(await client.connections.list(filter)).toEqual({ ...page, total: undefined, totalIsComplete: false });
    expect(sent()[1]).toBe(
      '/connections?search=a%20b&endUserId=u&status=reauthorization_required&cause=user_revoked&limit=5&integrationId=drive%2Ccalendar&tags%5Bteam%5D=x',
    );
  });

  it('are iterated from cursor to cursor', async () => {
    stub.answer((request, response) => {
      const next = request.target.includes('cursor=c2') ? null : 'c2';
      return json(200, { connections: [LIST_ITEM_ON_THE_WIRE], next_cursor: next })(request, response);
    });
    const ids: string[] = [];
    for await (const { connectionId } of client.connections.all({ endUserId: 'u' })) ids.push(connectionId);
    expect(ids).toEqual(['user-1', 'user-1']);
    expect(stub.arrived.map(({ target }) => target)).toEqual([
      '/v1/connections?endUserId=u',
      '/v1/connections?endUserId=u&cursor=c2',
    ]);
  });

  it('are read with everything known of them', async () => {
    stub.answer(json(200, CONNECTION_ON_THE_WIRE));
    const connection = await client.connections.get(ref, { forceRefresh: true });
    expect(sent()[1]).toBe(`${REF}${OF}&force_refresh=true`);
    expect(connection).toMatchObject({ ...SUMMARY, missingScopes: ['b'], lastUsedAt: undefined, sharesGrantWith: 2 });
    expect(connection.diagnosis?.likelyCauses[0]).toMatchObject({ cause: 'user_revoked', who: 'end_user' });
    expect(connection.forecasts).toEqual({
      testingModeEndsAt: '2026-11-30T00:00:00.000Z',
      accessEndsAt: undefined,
      refreshTokenLimit: { live: 93, limit: 100 },
    });
    expect(connection.credentials).toBeUndefined();
  });

  it('hand out tokens where the key may read them', async () => {
    const credentials = {
      type: 'OAUTH2',
      access_token: 'at',
      expires_at: '2026-11-20T00:00:00.000Z',
      refresh_token: 'rt',
    };
    stub.answer(json(200, { ...CONNECTION_ON_THE_WIRE, credentials }));
    const { credentials: read } = await client.connections.get(ref, { refreshToken: true });
    expect(read).toEqual({ accessToken: 'at', expiresAt: '2026-11-20T00:00:00.000Z', refreshToken: 'rt' });
    expect(sent()[1]).toBe(`${REF}${OF}&refresh_token=true`);
  });

  it('are imported', async () => {
    stub.answer(json(201, CONNECTION_ON_THE_WIRE));
    await client.connections.import({
      providerConfigKey: 'drive',
      refreshToken: 'rt',
      metadata: { Camel_Case: 1 },
      endUser: { id: 'u', displayName: 'U' },
      organization: { id: 'o' },
    });
    const body = {
      provider_config_key: 'drive',
      credentials: { type: 'OAUTH2', refresh_token: 'rt' },
      metadata: { Camel_Case: 1 },
    };
    expect(sent()).toEqual([
      'POST',
      '/connections',
      { ...body, end_user: { id: 'u', display_name: 'U' }, organization: { id: 'o' } },
    ]);
  });

  it('are changed', async () => {
    stub.answer(json(200, { success: true }));
    await client.connections.update(ref, { tags: { team: 'x' }, endUser: { id: 'u', tags: { a: 'b' } } });
    expect(sent()).toEqual(['PATCH', `${REF}${OF}`, { end_user: { id: 'u', tags: { a: 'b' } }, tags: { team: 'x' } }]);
  });

  it('are deleted, and tell what became of the grant', async () => {
    stub.answer(
      json(200, {
        success: true,
        revocation: { status: 'skipped', reason: 'shared', retry_at: null, shares_grant_with: 1 },
      }),
    );
    expect(await client.connections.delete(ref, { revoke: true })).toEqual({
      status: 'skipped',
      reason: 'shared',
      retryAt: undefined,
      sharesGrantWith: 1,
    });
    expect(sent()).toEqual(['DELETE', `${REF}${OF}&revoke=true`, undefined]);
  });

  it('are refreshed', async () => {
    stub.answer(json(200, CONNECTION_ON_THE_WIRE));
    expect((await client.connections.refresh(ref)).connectionId).toBe('user-1');
    expect(sent()).toEqual(['POST', `${REF}/refresh${OF}`, undefined]);
  });

  it('are tried with one call', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = {
      status: 404,
      headers,
      content_type: 'application/json',
      body: '{}',
      truncated: true,
      duration_ms: 7,
    };
    stub.answer(json(200, { data: answer }));
    expect(await client.connections.try(ref, '/drive/v3/files?pageSize=3')).toEqual({
      status: 404,
      headers,
      contentType: 'application/json',
      body: '{}',
      truncated: true,
      durationMs: 7,
    });
    expect(sent()).toEqual(['POST', `${REF}/try${OF}`, { path: '/drive/v3/files?pageSize=3' }]);
  });

  it('are checked', async () => {
    const data = {
      works: false,
      reason: 'blocked_by_admin',
      message: 'm',
      who: 'workspace_admin',
      remedy: 'r',
      upstream_status: 403,
      connection: null,
    };
    stub.answer(json(200, { data }));
    expect(await client.connections.check(ref)).toEqual({
      works: false,
      reason: 'blocked_by_admin',
      message: 'm',
      who: 'workspace_admin',
      remedy: 'r',
      upstreamStatus: 403,
      diagnosis: undefined,
    });
    expect(sent()).toEqual(['POST', `${REF}/check${OF}`, undefined]);
  });

  it('have a timeline', async () => {
    const event = {
      event_id: 'E2',
      type: 'ConnectionCreated',
      sequence: 1,
      time: '2026-11-20T00:00:00.000Z',
      end_user_id: null,
      cause: null,
      remedy: null,
      actor: 'key:1',
      request_id: 'r',
    };
    stub.answer(json(200, { events: [event], next_before: 'E2' }));
    expect(await client.connections.events(ref, { limit: 1, before: 'E3' })).toEqual({
      events: [
        {
          eventId: 'E2',
          type: 'ConnectionCreated',
          sequence: 1,
          time: '2026-11-20T00:00:00.000Z',
          endUserId: undefined,
          cause: undefined,
          remedy: undefined,
          actor: 'key:1',
          requestId: 'r',
        },
      ],
      nextBefore: 'E2',
    });
    expect(sent()[1]).toBe(`${REF}/events${OF}&limit=1&before=E3`);
  });

  it('carry metadata that is not respelled', async () => {
    stub.answer(json(201, {}));
    await client.connections.setMetadata(
      { providerConfigKey: 'drive', connectionId: ['a', 'b'] },
      { someKey: { other_key: 1 } },
    );
    expect(sent()).toEqual([
      'POST',
      '/connections/metadata',
      { connection_id: ['a', 'b'], provider_config_key: 'drive', metadata: { someKey: { other_key: 1 } } },
    ]);
    await client.connections.updateMetadata({ providerConfigKey: 'drive', connectionId: 'a' }, { k: 1 });
    expect(stub.last()).toMatchObject({ method: 'PATCH', target: '/v1/connections/metadata' });
  });

  it.each(['', '.', '..'])('are refused under the id %j, which an address would lose', async (connectionId) => {
    await expect(client.connections.delete({ ...ref, connectionId })).rejects.toThrow(TypeError);
    expect(stub.arrived).toEqual([]);
  });
});
