import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { GatewayClient, GatewayError } from '../../../packages/client/src/index.ts';
import { connectAccount } from '../../support/connect.ts';
import { control } from '../../support/simulator.ts';
import { seenUpstream, type WriterGateway } from './writers.ts';

const UNIT = 256 * 1024;

/** The client library, over a gateway of the file that calls this. */
export function describeGatewayClient(shared: () => WriterGateway): void {
  describe('the client library', () => {
    let gateway: WriterGateway;
    let client: GatewayClient;
    let drive: { providerConfigKey: string; connectionId: string };
    let calendar: { providerConfigKey: string; connectionId: string };
    beforeAll(() => {
      gateway = shared();
      client = new GatewayClient({ baseUrl: gateway.baseUrl, secretKey: gateway.secretKey });
      drive = { providerConfigKey: gateway.drive.integrationId, connectionId: gateway.drive.connectionId };
      calendar = { providerConfigKey: gateway.calendar.integrationId, connectionId: gateway.calendar.connectionId };
    });

    describe('the library through a running gateway', () => {
      test('iterates every file over its pages', async () => {
        const call = {
          ...drive,
          endpoint: '/drive/v3/files',
          params: { pageSize: 100, fields: 'nextPageToken,files(id)' },
        };
        const files = await client.items<{ id: string }>(call).toArray();
        expect(files.length).toBeGreaterThan(200);
        expect(new Set(files.map(({ id }) => id)).size).toBe(files.length);
      });

      test('iterates events to the sync token, and then what changed since', async () => {
        const endpoint = '/calendar/v3/calendars/primary/events';
        const all = client.items({ ...calendar, endpoint, params: { maxResults: 100 } });
        expect((await all.toArray()).length).toBeGreaterThan(100);
        const data = { summary: 'New', start: { date: '2026-12-01' }, end: { date: '2026-12-02' } };
        const created = await client.post<{ id: string }>({ ...calendar, endpoint, data });
        const changed = client.items<{ id: string }>({
          ...calendar,
          endpoint,
          params: { syncToken: all.nextSyncToken },
        });
        expect((await changed.toArray()).map(({ id }) => id)).toEqual([created.data.id]);
      });

      test('uploads a stream in chunks, through a failure, and downloads it again', async () => {
        const bytes = randomBytes(3 * UNIT + 5);
        const lostAnswer = { match: { method: 'PUT' }, after: 1, times: 1, action: { closeAfterApply: true } };
        await control(gateway.test, 'POST', '/faults', lostAnswer);
        const uploaded = await client.uploadFile<{ id: string; sha256Checksum: string }>({
          ...drive,
          endpoint: '/upload/drive/v3/files',
          params: { fields: 'id,sha256Checksum' },
          metadata: { name: 'library.bin' },
          contentType: 'application/octet-stream',
          body: Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]),
          chunkBytes: UNIT,
        });
        expect(uploaded.data.sha256Checksum).toBe(createHash('sha256').update(bytes).digest('hex'));
        const puts = (await seenUpstream(gateway.test)).filter(({ method }) => method === 'PUT');
        expect(puts.map(({ headers }) => headers['content-range'])).toEqual([
          `bytes 0-${UNIT - 1}/*`,
          `bytes ${UNIT}-${2 * UNIT - 1}/*`,
          'bytes */*',
          `bytes ${2 * UNIT}-${3 * UNIT - 1}/*`,
          `bytes ${3 * UNIT}-${bytes.length - 1}/${bytes.length}`,
        ]);
        const { data } = await client.get({
          ...drive,
          endpoint: `/drive/v3/files/${uploaded.data.id}?alt=media`,
          responseType: 'stream',
        });
        expect(Buffer.from(await new Response(data).arrayBuffer()).equals(bytes)).toBe(true);
      });

      test('distinguishes errors of the gateway from those of Google', async () => {
        const missing = client.get({ ...drive, endpoint: '/drive/v3/files/missing' });
        await expect(missing).rejects.toMatchObject({ name: 'ProviderError', status: 404, reason: 'notFound' });
        const outside = client.get({ ...drive, endpoint: '/gmail/v1/users/me' });
        await expect(outside).rejects.toMatchObject({ name: 'GatewayError', status: 403, code: 'path_not_allowed' });
        const large = client.post({
          ...drive,
          endpoint: '/upload/drive/v3/files?uploadType=media',
          data: Buffer.alloc(5_000_000),
          headers: { 'content-type': 'image/png' },
        });
        await expect(large).rejects.toMatchObject({ name: 'GatewayError', status: 413, code: 'request_too_large' });
      });
    });

    describe('the library on the management API', () => {
      test('reads providers, integrations and connections', async () => {
        const providers = await client.providers.list();
        expect(providers.map(({ name }) => name).sort()).toEqual(['google-calendar', 'google-drive']);
        const integration = await client.integrations.get('drive-writer', { include: ['credentials'] });
        expect(integration).toMatchObject({ provider: 'google-drive', credentialsSource: 'test' });
        const connection = await client.connections.get(drive);
        expect(connection).toMatchObject({ ...drive, status: 'active', missingScopes: [], credentials: undefined });
        const listed: string[] = [];
        for await (const { connectionId } of client.connections.all({ limit: 1 })) listed.push(connectionId);
        expect(listed).toContain(drive.connectionId);
        expect(listed.length).toBeGreaterThanOrEqual(4);
      });

      test('refreshes, checks and describes a connection, and lists its events', async () => {
        expect((await client.connections.refresh(drive)).lastRefreshedAt).toEqual(expect.any(String));
        expect(await client.connections.check(drive)).toMatchObject({ works: true, reason: 'ok' });
        await client.connections.setMetadata(drive, { plan: { Tier: 1 } });
        await client.connections.updateMetadata(drive, { seats: 2 });
        await client.connections.update(drive, { tags: { team: 'blue' } });
        const { metadata, tags } = await client.connections.get(drive);
        expect({ metadata, team: tags.team }).toEqual({ metadata: { plan: { Tier: 1 }, seats: 2 }, team: 'blue' });
        const { events } = await client.connections.events(drive);
        expect(events.map(({ type }) => type)).toContain('ConnectionCreated');
      });

      test('finds dead connections by their cause and counts them in the overview', async () => {
        const connectionId = await connectAccount(gateway.test, 'google-drive', {
          account: 'viewer@workspace.example',
        });
        const before = await client.overview();
        await control(gateway.test, 'POST', '/grants/kill', {
          account: 'viewer@workspace.example',
          reason: 'user_revoked',
        });
        const ref = { providerConfigKey: 'google-drive', connectionId };
        const failure: unknown = await client.connections.refresh(ref).catch((error: unknown) => error);
        const cause = failure instanceof GatewayError ? (failure.connection?.cause ?? '') : '';
        const found = await client.connections.list({ cause });
        expect(found.connections.map((one) => one.connectionId)).toEqual([connectionId]);
        expect((await client.connections.list({ cause: 'credentials_changed' })).connections).toEqual([]);
        const overview = await client.overview();
        expect(overview.statuses.active).toBe(before.statuses.active - 1);
        expect(overview.statuses.reauthorizationRequired).toBe(before.statuses.reauthorizationRequired + 1);
        expect(overview.causes).toContainEqual({ cause, count: 1 });
        const today = overview.changesByDay.at(-1);
        expect(today).toMatchObject({ died: 1, diedByCause: [{ cause, count: 1 }] });
        const { rows, total } = await client.connectionCounts({ providerConfigKey: 'google-drive' });
        expect(rows.at(-1)).toMatchObject({ died: 1, providerConfigKey: 'google-drive' });
        expect(total.created).toBeGreaterThan(0);
      });

      test('makes, lists and revokes secret keys, and tries a call', async () => {
        const made = await client.keys.create({ name: 'Reader', right: 'read', integrationIds: ['google-drive'] });
        const reader = new GatewayClient({ baseUrl: gateway.baseUrl, secretKey: made.secretKey });
        expect((await reader.overview()).integrations).toBe(1);
        await client.keys.revoke(made.id);
        const listed = (await client.keys.list()).find(({ id }) => id === made.id);
        expect(listed).toMatchObject({ name: 'Reader', right: 'read', integrationIds: ['google-drive'] });
        expect(listed?.revokedAt).toBeDefined();
        expect((await client.testCredentials.get('google-drive')).clientId).toContain('.apps.googleusercontent.com');
        const tried = await client.connections.try(drive, '/drive/v3/about?fields=user');
        expect(tried).toMatchObject({ status: 200, truncated: false });
        expect(JSON.parse(tried.body)).toHaveProperty('user.emailAddress');
      });

      test('makes connect sessions and follows them', async () => {
        const session = await client.connectSessions.create({
          endUser: { id: 'second-user' },
          allowedIntegrations: ['drive-writer'],
        });
        expect(session.connectLink).toContain(`${gateway.baseUrl}/connect#`);
        const state = await client.connectSessions.get(session.token);
        expect(state).toMatchObject({
          status: 'pending',
          allowedIntegrations: ['drive-writer'],
          endUser: { id: 'second-user' },
        });
        await client.connectSessions.end(session.token);
        await expect(client.connectSessions.get(session.token)).rejects.toBeInstanceOf(GatewayError);
        const reconnect = await client.connectSessions.reconnect({ ...drive });
        expect((await client.connectSessions.get(reconnect.token)).isReconnecting).toBe(true);
      });
    });
  });
}
