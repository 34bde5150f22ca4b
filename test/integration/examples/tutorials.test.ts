// @module-tag long
/** The programs of the tutorials, against the local gateway over HTTP. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { SCOPES_OF_A_FIRST_TRY } from '../../../dev/local/seed.ts';
import { bookingServer } from '../../../examples/booking-page/server.ts';
import { FolderIndexer, searchServer } from '../../../examples/folder-indexer/indexer.ts';
import { type FeedStanding, GatewayClient } from '../../../packages/client/src/index.ts';
import { connectAccount, setScopes } from '../../support/connect.ts';
import { eventually } from '../../support/eventually.ts';
import { control, ownerOf } from '../../support/simulator.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const ROOT = join(import.meta.dirname, '../../..');
const running = useTestGateway();
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A client without options, as the programs make it. */
function client(): GatewayClient {
  vi.stubEnv('GATEWAY_BASE_URL', running.gateway.gatewayUrl);
  vi.stubEnv('GATEWAY_SECRET_KEY', running.gateway.secretKey);
  const gateway = new GatewayClient();
  vi.unstubAllEnvs();
  return gateway;
}

async function listening(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.each([
  ['docs/tutorial-folder-indexer.md', 'examples/folder-indexer/indexer.ts'],
  ['docs/tutorial-booking-page.md', 'examples/booking-page/server.ts'],
])('%s', (page, program) => {
  test('shows its program as it is', () => {
    const code = readFileSync(join(ROOT, program), 'utf8');
    const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
    expect(blocks.length).toBeGreaterThan(2);
    for (const [, block = ''] of blocks) expect(code).toContain(block);
  });
});

describe('the folder indexer', () => {
  test('finds files by their text, follows changes, continues from its file, and says that it is paused', async () => {
    const account = 'viewer@workspace.example';
    const connectionId = await connectAccount(running, 'google-drive', { account });
    const asOwner = await ownerOf(running, account);
    const make = async (name: string, parent: string, mimeType = 'application/vnd.google-apps.folder') =>
      String((await asOwner('POST', '/drive/v3/files', { name, mimeType, parents: [parent] })).id);
    const folderId = await make('Contracts', 'root');
    const below = await make('2027', folderId);
    const lease = await make('lease.txt', below, 'text/plain');
    const { access_token: token } = Object(await control(running, 'POST', '/tokens', { account }));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
    const upload = `${running.gateway.simulatorUrl}/upload/drive/v3/files/${lease}?uploadType=media`;
    await fetch(upload, { method: 'PATCH', headers, body: 'The tenant pays monthly.' });
    const file = join(temporaryFolder(), 'index.json');
    const states: FeedStanding[] = [];
    const start = async () => {
      const indexer = new FolderIndexer(client(), { connectionId, folderId, file });
      const stop = new AbortController();
      const ended = indexer.run(stop.signal, (feed) => void states.push(feed)).catch((error: unknown) => error);
      const url = await listening(searchServer(indexer));
      const search = async (words: string): Promise<string[]> => {
        await running.gateway.tick('feeds');
        const { files } = await (await fetch(`${url}/search?q=${encodeURIComponent(words)}`)).json();
        return files.map(({ name }: { name: string }) => name).sort();
      };
      return { search, end: async () => [stop.abort('over'), await ended] };
    };
    const first = await start();
    await eventually(async () => expect(await first.search('tenant MONTHLY')).toEqual(['lease.txt']));
    await make('late.txt', below, 'text/plain');
    await eventually(async () => expect(await first.search('.txt')).toEqual(['late.txt', 'lease.txt']));
    await first.end();
    await asOwner('DELETE', `/drive/v3/files/${below}`);
    const second = await start();
    await eventually(async () => expect(await second.search('')).toEqual([]));
    await control(running, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
    await control(running, 'POST', '/tokens/expire', { kind: 'access' });
    await running.json('POST', `/connections/${connectionId}/refresh?provider_config_key=google-drive`);
    await eventually(async () => {
      await running.gateway.tick('feeds');
      expect(states.at(-1)).toMatchObject({ state: 'paused', remedy: expect.stringContaining('reconnect') });
    });
    await second.end();
  });
});

describe('the booking page', () => {
  test('offers what the calendar leaves free, books each time once, and closes while the grant is dead', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    await setScopes(running, 'google-calendar', SCOPES_OF_A_FIRST_TRY['google-calendar'] ?? []);
    const page = await listening(bookingServer(client()));
    const day = '2027-03-01';
    const slots = async () => {
      const answer = await fetch(`${page}/?day=${day}`);
      const html = await answer.text();
      return [answer.status, ...[...html.matchAll(/value="(\S+)"/g)].map(([, start]) => start)];
    };
    const book = async (start: string, email = 'visitor@example.com') =>
      (await fetch(`${page}/book`, { method: 'POST', body: new URLSearchParams({ start, email }) })).status;

    // Nobody has connected a calendar: only the log has the link.
    expect(await slots()).toEqual([503]);
    expect(log).toHaveBeenLastCalledWith(expect.stringMatching(/^Connect your calendar: http\S+#session_token=/));

    const account = 'second.user@example.com';
    await connectAccount(running, 'google-calendar', { account }, { end_user: { id: 'booking-page-owner' } });
    const asOwner = await ownerOf(running, account);
    const at = (time: string) => ({ dateTime: `${day}T${time}:00Z` });
    const meeting = { summary: 'busy', start: at('09:15'), end: at('10:00') };
    await asOwner('POST', '/calendar/v3/calendars/primary/events', meeting);
    const [status, ...free] = await slots();
    expect([status, free.length, free[0]]).toEqual([200, 14, `${day}T10:00:00.000Z`]);

    const start = `${day}T11:30:00.000Z`;
    expect((await Promise.all([book(start), book(start)])).sort()).toEqual([201, 409]);
    expect(await slots()).not.toContain(start);
    expect(await book(`${day}T09:00:00.000Z`)).toBe(409);
    expect(await book(`${day}T03:00:00.000Z`)).toBe(409);
    expect(await book(`${day}T12:00:00.000Z`, '<script>')).toBe(400);
    expect(await book('never')).toBe(400);

    await control(running, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
    await control(running, 'POST', '/tokens/expire', { kind: 'access' });
    expect(await slots()).toEqual([503]);
    expect(log).toHaveBeenLastCalledWith(expect.stringMatching(/connect again.* http\S+#session_token=/));
    log.mockRestore();
  });
});
