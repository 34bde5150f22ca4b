// @module-tag long
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { backUp } from '../../support/backup.ts';
import { localAws, runCommand } from '../../support/command-line.ts';
import {
  batchesOf,
  changeDrive,
  type EverydayUse,
  expectEverydayUse,
  loseRows,
  useEveryDay,
} from '../../support/everyday-use.ts';
import { countCalls } from '../../support/roll-up.ts';
import { control, ownerOf } from '../../support/simulator.ts';
import { sweep } from '../../support/sweep.ts';
import { changeItem, readItem } from '../../support/table.ts';
import { useTestGateway, useWebhookReceiver } from '../../support/use-gateway.ts';

const DRIVE = 'google-drive';

type Json = Readonly<Record<string, unknown>>;

const receiver = useWebhookReceiver();
const gateway = useTestGateway({ rules: true });
beforeAll(() => {
  for (const [name, value] of Object.entries(localAws(gateway))) vi.stubEnv(name, value);
});
afterAll(() => void vi.unstubAllEnvs());

async function restore(from: string, ...args: string[]) {
  const { code, out, err } = await runCommand([
    ...['--data', gateway.gateway.dataDir, 'restore', '--from', from, '--spread', '1', '--yes', '--json'],
    ...args,
  ]);
  expect(code, err).toBe(0);
  return JSON.parse(out).kinds;
}

const usage = async () => (await gateway.json('GET', '/usage?by=integration')).body;
const eventIds = async (): Promise<string[]> =>
  (await gateway.json('GET', '/events?limit=200')).body.data.map((one: { event_id: string }) => one.event_id);

test('ST-26: everything that was lost comes back: feeds with cursors and batches, webhooks, usage, events, search and lists', async () => {
  const use = await useEveryDay(gateway, receiver, '/everything');
  const change = (name: string) => changeDrive(gateway, use.feedId, name);
  const [first, second] = [await change('first'), await change('second')];
  await gateway.json('PUT', `/feeds/${use.feedId}/cursors/mirror`, { sequence: 1 });
  await gateway.proxy(DRIVE, '/drive/v3/files?pageSize=1').then((answer) => answer.text());
  await countCalls(gateway);
  expect(JSON.stringify(await usage())).toContain(DRIVE);
  const backup = await backUp(gateway, 'backup-of-everything');
  const before = { usage: await usage(), events: await eventIds() };
  const third = await change('third, which the backup does not have');
  const told = receiver.messages.length;
  await loseRows(gateway, ({ pk }) => !String(pk).startsWith('KEY#'));

  const foreseen = await restore(backup, '--dry-run');
  const done = await restore(backup);
  expect(foreseen).toEqual(done);
  expect(done).toMatchObject({
    connections: { restored: { missing: 2 }, present: {}, skipped: {} },
    feeds: { restored: { missing: 1 } },
    'cursors of feeds': { restored: { missing: 1 } },
    'batches of feeds': { restored: { missing: 2 } },
    webhooks: { restored: { missing: 1 } },
    integrations: { restored: { missing: 2 } },
    usage: { restored: { missing: expect.any(Number) } },
    events: { restored: { missing: before.events.length }, skipped: {} },
  });

  // Events are on record again, and nobody learns of them a second time.
  expect((await eventIds()).filter((id) => before.events.includes(id))).toEqual(before.events);
  expect(JSON.stringify(await usage())).toBe(JSON.stringify(before.usage));
  await sweep(gateway, { integrationId: DRIVE, connectionId: use.connectionId });
  await expectEverydayUse(gateway, receiver, use, 'after everything was lost');
  const again = receiver.messages.slice(told).filter((one) => before.events.includes(one.headers['webhook-id'] ?? ''));
  expect(again).toEqual([]);

  await expectConsumersGoOn(use, { first, second, third });
  expect(await readItem(gateway, { pk: 'ACCOUNT#default', sk: `WEBHOOK#${use.webhookId}` })).toMatchObject({
    status: 'enabled',
    failuresInARow: 0,
  });

  const rerun = await restore(backup);
  for (const kind of Object.values<{ restored: unknown }>(rerun)) expect(kind.restored).toEqual({});
});

/** No consumer gets a 404, and none waits for a number that it has read already. */
async function expectConsumersGoOn(use: EverydayUse, files: Record<'first' | 'second' | 'third', string>) {
  const { data: feed } = (await gateway.json('GET', `/feeds/${use.feedId}`)).body;
  expect(feed.cursors).toMatchObject([{ name: 'mirror', sequence: 1 }]);
  // One of the kept, the gap, the repeated change and the new one: nobody learns that the consumer is ten million behind.
  expect(feed.cursors[0].lag).toBeLessThanOrEqual(4);
  const named = (await gateway.json('GET', `/feeds/${use.feedId}/changes?name=mirror`)).body.data;
  expect(named[0].sequence).toBe(2);
  const kinds = (await batchesOf(gateway, use.feedId, 0)).map(({ sequence, kind, reason }) => [sequence, kind, reason]);
  expect(kinds.slice(0, 3)).toEqual([
    [1, 'changes', null],
    [2, 'changes', null],
    [10_000_002, 'gap', 'restored'],
  ]);
  // A consumer that had read the third batch, which the backup lacks, gets a gap and then its changes again.
  const [gap, ...later] = await batchesOf(gateway, use.feedId, 3);
  expect(gap).toMatchObject({ kind: 'gap', reason: 'restored' });
  expect(JSON.stringify(later)).toContain(files.third);
  const all = JSON.stringify(await batchesOf(gateway, use.feedId, 0));
  for (const id of [files.first, files.second]) expect(all).toContain(id);
}

test('CR-3, ST-26: what was deleted or revoked since stays so, and what was begun again is added up', async () => {
  const use = await useEveryDay(gateway, receiver, '/deleted-since');
  await changeDrive(gateway, use.feedId, 'before the backup');
  const goes = await useEveryDay(gateway, receiver, '/goes');
  const made = await gateway.json('POST', '/account/keys', { name: 'to be revoked', right: 'read' });
  const { id: keyId } = made.body.data;
  const callsOf = async () => (await usage()).data.rows.find((one: Json) => one.provider_config_key === DRIVE)?.calls;
  const today = new Date().toISOString().slice(0, 10);
  // As versions up to 0.2 counted calls.
  const counted = (calls: number) =>
    changeItem(
      gateway,
      { pk: `USAGE#default#${today}`, sk: `INTEGRATION#${DRIVE}` },
      { type: 'usage', calls, ok: calls },
    );
  await counted(1_000);
  const onPages = (await callsOf()) - 1_000;
  const backup = await backUp(gateway, 'backup-before-deletions');

  // What people take away stays away.
  expect((await gateway.json('DELETE', `/webhooks/${goes.webhookId}`)).status).toBe(200);
  expect((await gateway.json('DELETE', `/account/keys/${keyId}`)).status).toBe(200);
  await loseRows(gateway, ({ type, keyHash }) => type === 'secret_key' && String(keyHash).startsWith(keyId));
  // The row of the feed alone is lost: later batches are still there, and so are its numbers.
  const later = await changeDrive(gateway, use.feedId, 'after the backup');
  const last = (await gateway.json('GET', `/feeds/${use.feedId}`)).body.data.last_sequence;
  await loseRows(gateway, ({ pk, sk }) => pk === `FEED#default#${use.feedId}` && sk === 'FEED');
  // A day's sums are lost, and counted again.
  await loseRows(gateway, ({ pk }) => String(pk).startsWith('USAGE#'));
  await counted(7);
  expect(await callsOf()).toBe(7 + onPages);

  const kinds = await restore(backup, '--include-keys');
  expect(kinds).toMatchObject({
    webhooks: { restored: {}, skipped: { deleted_here: 1 } },
    'secret keys': { restored: {}, skipped: { revoked_here: 1 } },
    feeds: { restored: { missing: 1 } },
    usage: { restored: { added: 1 } },
  });
  expect(await callsOf()).toBe(1_007 + onPages);
  const { data: feed } = (await gateway.json('GET', `/feeds/${use.feedId}`)).body;
  expect(feed.last_sequence).toBe(last);
  await changeDrive(gateway, use.feedId, 'after the restore');
  const [next] = await batchesOf(gateway, use.feedId, last);
  expect(next).toMatchObject({ sequence: last + 1, kind: 'changes' });
  expect(JSON.stringify(await batchesOf(gateway, use.feedId, 0))).toContain(later);

  // A feed that is deleted is as good as never in the backup, until somebody asks for it.
  expect((await gateway.json('DELETE', `/feeds/${use.feedId}`)).status).toBe(200);
  expect((await restore(backup)).feeds).toMatchObject({ restored: {}, skipped: { deleted_here: 1 } });
  expect((await gateway.json('GET', `/feeds/${use.feedId}`)).status).toBe(404);
  expect((await restore(backup, '--include-deleted')).feeds).toMatchObject({ restored: { deleted: 1 } });
  expect((await gateway.json('GET', `/feeds/${use.feedId}`)).status).toBe(200);
  // The audit trail has what became of it here: restored, deleted and restored again. The tests before created and restored it, too.
  const ofFeed = (await gateway.json('GET', `/events?object=${use.feedId}&limit=100`)).body.data;
  const story = ofFeed.filter(({ type }: Json) => type === 'FeedCreated' || type === 'FeedDeleted');
  expect(
    story
      .map(({ type, data }: Json) => [type, Object(data).reason ?? null])
      .reverse()
      .slice(-3),
  ).toEqual([
    ['FeedCreated', 'restored'],
    ['FeedDeleted', null],
    ['FeedCreated', 'restored'],
  ]);
});

test('CH-25, ST-26: a feed of drives comes back without its positions in shared drives, reports a second gap when it has new ones, and follows them again', async () => {
  const account = 'editor@workspace.example';
  const { refresh_token } = Object(await control(gateway, 'POST', '/tokens', { account }));
  const connection = { provider_config_key: DRIVE, connection_id: 'editor' };
  const imported = { ...connection, credentials: { type: 'OAUTH2', refresh_token } };
  expect((await gateway.json('POST', '/connections', imported)).status).toBe(201);
  const made = await gateway.json('POST', '/feeds', { ...connection, resource: 'drives', delivery: 'pull' });
  const { id, drives } = made.body.data;
  expect(drives).toHaveLength(1);
  const [driveId] = drives;
  const backup = await backUp(gateway, 'backup-of-drives');
  await loseRows(gateway, ({ pk }) => pk === `FEED#default#${id}`);

  expect(await restore(backup, '--connection', 'editor')).toMatchObject({ feeds: { restored: { missing: 1 } } });
  const told = async () => {
    await gateway.json('POST', `/feeds/${id}/pull`);
    return batchesOf(gateway, id, 0);
  };
  const gap = { kind: 'gap', reason: 'restored' };
  await expect.poll(told).toMatchObject([gap, gap]);
  expect((await gateway.json('GET', `/feeds/${id}`)).body.data).toMatchObject({ drives: [driveId], state: 'watching' });
  const next = await fileIn(account, driveId);
  await expect.poll(async () => JSON.stringify(await told())).toContain(next);
});

/** A new file of a shared drive. @returns its id */
async function fileIn(account: string, driveId: string): Promise<string> {
  const asEditor = await ownerOf(gateway, account);
  const file = { name: 'in the drive', mimeType: 'text/plain', parents: [driveId] };
  return (await asEditor('POST', '/drive/v3/files?supportsAllDrives=true', file)).id;
}
