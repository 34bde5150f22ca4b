// @module-tag long
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { backUp, backUpAs, rowsOf } from '../../support/backup.ts';
import { runGateway } from '../../support/command-line.ts';
import { type EverydayUse, expectEverydayUse, loseRows, useEveryDay } from '../../support/everyday-use.ts';
import { freePorts } from '../../support/free-ports.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { copyPreparedData } from '../../support/prepared-data.ts';
import { restoreUnderOldName } from '../../support/restored-table.ts';
import { sweep } from '../../support/sweep.ts';
import { useWebhookReceiver } from '../../support/use-gateway.ts';

const DRIVE = 'google-drive';

const receiver = useWebhookReceiver();
const folder = mkdtempSync(join(tmpdir(), 'incidents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A gateway that somebody has been using; it outlives no test. */
async function used(name: string): Promise<{ test: TestGateway; use: EverydayUse; dataDir: string }> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  copyPreparedData(dataDir, true);
  const gateway = await startTestGateway({ dataDir, port: await freePorts(), rules: true });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const use = await useEveryDay(gateway, receiver, `/${name}`);
  await expectEverydayUse(gateway, receiver, use, 'before anything happened');
  return { test: gateway, use, dataDir };
}

async function restore(gateway: TestGateway, from: string, ...args: string[]) {
  const command = ['restore', '--from', from, '--spread', '1', '--yes', '--json', ...args];
  const { code, out, err } = await runGateway(gateway, command);
  expect(code, err).toBe(0);
  return JSON.parse(out).kinds;
}

const isOf = (row: Record<string, unknown>, id: string) => `${row.pk} ${row.sk}`.split(/[# ]/).includes(id);

test('one connection is lost, with all that belongs to it, and comes back alone', async () => {
  const { test, use } = await used('row');
  const backup = await backUp(test, 'before-the-row-was-lost');
  await loseRows(
    test,
    (row) => isOf(row, use.connectionId) || isOf(row, use.feedId) || row.connectionId === use.connectionId,
  );
  const gone = await test.json('GET', `/connections/${use.connectionId}?provider_config_key=${DRIVE}`);
  expect(gone.status).toBe(404);
  const kinds = await restore(test, backup, '--connection', use.connectionId);
  expect(kinds).toMatchObject({ connections: { restored: { missing: 1 } }, feeds: { restored: { missing: 1 } } });
  expect(kinds.webhooks).toEqual({ restored: {}, present: {}, skipped: {} });
  await sweep(test, { integrationId: DRIVE, connectionId: use.connectionId });
  await expectEverydayUse(test, receiver, use, 'after a connection was lost');
});

test('one integration is lost, with its connections, and comes back alone', async () => {
  const { test, use } = await used('integration');
  const backup = await backUp(test, 'before-the-integration-was-lost');
  await loseRows(test, (row) => isOf(row, DRIVE) || row.integrationId === DRIVE || isOf(row, use.feedId));
  const kinds = await restore(test, backup, '--integration', DRIVE);
  expect(kinds).toMatchObject({
    integrations: { restored: { missing: 1 }, present: {} },
    connections: { restored: { missing: 1 }, present: {} },
    feeds: { restored: { missing: 1 } },
  });
  await sweep(test, { integrationId: DRIVE, connectionId: use.connectionId });
  await expectEverydayUse(test, receiver, use, 'after an integration was lost');
});

test('the table is gone and comes back under its name, with a stream that one command leads to the bus', async () => {
  const { test, use } = await used('table');
  const idsTold = () =>
    receiver.messages.filter(({ path }) => path === '/table').map((one) => one.headers['webhook-id']);
  const told = idsTold();
  await restoreUnderOldName(test);
  expect(await runGateway(test, ['events', 'rebind', '--yes', '--json'])).toMatchObject({ code: 0 });
  await expectEverydayUse(test, receiver, use, 'after the table was lost');
  // What was reported before is not reported again.
  expect(idsTold().filter((id, i, all) => told.includes(id) && all.indexOf(id) < i)).toEqual([]);
});

test('a second stack takes over from a backup of the first, whose data keys it cannot have', async () => {
  const { test, use, dataDir } = await used('first-stack');
  const rows = await rowsOf(test);
  await test[Symbol.asyncDispose]();
  // The same Google and the same KMS key; table, secrets and addresses are its own.
  const own = join(folder, 'second-stack');
  mkdirSync(own);
  for (const name of ['gateway-data.json', 'kms-keys.json', 'simulator.json'])
    cpSync(join(dataDir, name), join(own, name));
  const second = await startTestGateway({ dataDir: own, port: await freePorts(), rules: true, seed: false });
  onTestFinished(() => second[Symbol.asyncDispose]());
  // It has been used, and so has made a data key under the number of this week.
  expect((await second.json('POST', '/webhooks', { url: `${receiver.address}/unproven` })).status).toBe(201);
  const backup = await backUpAs(second, 'backup-of-the-first-stack', rows);
  const kinds = await restore(second, backup);
  expect(kinds).toMatchObject({
    'data keys': { skipped: { key_differs: 1 } },
    connections: { restored: { missing: 2 }, skipped: {} },
    feeds: { restored: { missing: 1 } },
    webhooks: { restored: { missing: 1 } },
  });
  await sweep(second, { integrationId: DRIVE, connectionId: use.connectionId });
  await expectEverydayUse(second, receiver, use, 'in the second stack');
});
