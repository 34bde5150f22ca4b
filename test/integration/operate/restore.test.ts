// @module-tag long
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';
import { connectionFromItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { openTable } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { Resealer } from '../../../packages/cli/restore/reseal.ts';
import { restoreTable } from '../../../packages/cli/restore/restore-table.ts';
import { type AwsCall, startFaultProxy } from '../../faults/support/fault-proxy.ts';
import { backUp, rowsOf } from '../../support/backup.ts';
import { documentedRights, type Ended, failed, localAws, printed, runCommand } from '../../support/command-line.ts';
import { connectAccount } from '../../support/connect.ts';
import { control } from '../../support/simulator.ts';
import { connectionKey, readConnection, tableClient } from '../../support/table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { refreshTokenOf } from '../api/keys.ts';

const DRIVE = 'google-drive';

const gateway = useTestGateway();
beforeAll(() => {
  for (const [name, value] of Object.entries(localAws(gateway))) vi.stubEnv(name, value);
});
afterAll(() => void vi.unstubAllEnvs());

function restore(from: string, ...args: string[]): Promise<Ended> {
  const tables = ['--from', from, '--into', gateway.gateway.tableName, '--spread', '1', '--json'];
  const rights = {
    [from]: ['Scan', 'GetItem', 'Query'],
    [gateway.gateway.tableName]: [
      ...['BatchGetItem', 'GetItem', 'Query'],
      ...['ConditionCheckItem', 'DeleteItem', 'PutItem', 'UpdateItem'],
    ],
  };
  const credentials = documentedRights(gateway, 'restore', rights);
  return runCommand(['restore', ...tables, ...args], localAws(gateway, credentials));
}

/** What a restore says of connections. */
const connectionsOf = ({ out }: Ended) => JSON.parse(out).kinds.connections;

const row = (connectionId: string) => readConnection(gateway, DRIVE, connectionId);
const target = (connectionId: string, action = '') =>
  `/connections/${connectionId}${action}?provider_config_key=${DRIVE}`;

async function call(connectionId: string): Promise<{ status: number; cause: unknown }> {
  const answer = await gateway.proxyAs(DRIVE, connectionId, '/drive/v3/files?pageSize=1');
  const body = await answer.json();
  return { status: answer.status, cause: body.error?.connection?.cause };
}

async function lose(key: { readonly pk: string; readonly sk: string }): Promise<void> {
  await tableClient(gateway).send(new DeleteCommand({ TableName: gateway.gateway.tableName, Key: key }));
}

async function eventsOf(connectionId: string): Promise<string[]> {
  const { body } = await gateway.json('GET', target(connectionId, '/events'));
  return Object(body).events.map((event: { type: string; cause: string | null }) => `${event.type} ${event.cause}`);
}

async function dataKeyRow(): Promise<{ pk: string; sk: string }> {
  const { Items = [] } = await tableClient(gateway).send(
    new QueryCommand({
      TableName: gateway.gateway.tableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :keys)',
      ExpressionAttributeValues: { ':pk': 'ACCOUNT#default', ':keys': 'DATAKEY#' },
    }),
  );
  const [key] = Items;
  return { pk: String(key?.pk), sk: String(key?.sk) };
}

test('CR-3, CR-8: lost and damaged connections come back from a backup and are refreshed before use', async () => {
  const [lost, stale, deleted, renewed, whole] = [
    await connectAccount(gateway, DRIVE, { account: 'first.user@example.com' }),
    await connectAccount(gateway, DRIVE, { account: 'second.user@example.com' }),
    await connectAccount(gateway, DRIVE, { account: 'editor@workspace.example' }),
    await connectAccount(gateway, DRIVE, { account: 'viewer@workspace.example' }),
    gateway.connectionId(DRIVE),
  ];
  const backup = await backUp(gateway, 'backup-of-the-morning');

  // What happens after the backup: tokens rotate, one is deleted, one continues; then the table loses and damages rows.
  const match = { pathPrefix: '/token', account: 'second.user@example.com' };
  await control(gateway, 'POST', '/faults', { match, action: { rotateRefreshToken: 'strict' } });
  for (const id of [stale, renewed]) expect((await gateway.json('POST', target(id, '/refresh'))).status).toBe(200);
  await gateway.json('DELETE', target(deleted));
  const rows = async () => ({
    lost: await row(lost),
    stale: await row(stale),
    renewed: await row(renewed),
    whole: await row(whole),
  });
  const before = await rows();
  await lose(connectionKey(DRIVE, lost));
  await lose(await dataKeyRow());
  await tableClient(gateway).send(
    new UpdateCommand({
      TableName: gateway.gateway.tableName,
      Key: connectionKey(DRIVE, stale),
      UpdateExpression: 'REMOVE encryptedRefreshToken',
    }),
  );

  const foreseen = await restore(backup, '--dry-run');
  expect(connectionsOf(foreseen)).toMatchObject({ restored: { missing: 1, damaged: 1 } });
  expect(await row(lost)).toEqual({});
  const done = await restore(backup, '--yes');
  expect(done).toMatchObject({ code: 0 });
  expect(JSON.parse(done.out)).toMatchObject({
    kinds: {
      connections: {
        restored: { missing: 1, damaged: 1 },
        present: { newer_here: 1, same: 2 },
        skipped: { deleted_here: 1 },
      },
      'data keys': { restored: { missing: 1 } },
    },
    failed: [],
  });

  const after = await rows();
  for (const name of ['lost', 'stale'] as const) {
    expect(Number(after[name].epoch)).toBeGreaterThan(Number(before[name].epoch));
    expect(after[name]).not.toHaveProperty('encryptedAccessToken');
    expect(after[name]).toHaveProperty('dueShard');
  }
  expect([after.renewed, after.whole]).toEqual([before.renewed, before.whole]);
  // Anyone who held the lease of before is fenced off.
  const late = { owner: 'late', epoch: Number(before.lost.epoch) + 1, expiresAtEpochSec: 9_999_999_999 };
  const tokens = {
    encryptedAccessToken: 'v1.1.late',
    encryptedRefreshToken: undefined,
    tokenPrints: undefined,
    accessTokenExpiresAtEpochSec: 9_999_999_999,
    grantedScopes: [],
    refreshAtEpochSec: 1,
    nowEpochSec: 1,
  };
  const store = connectionStore(openTable(gateway.gateway.tableName));
  expect(await store.storeTokens(connectionFromItem(before.lost), late, tokens)).toBe(false);

  expect(await gateway.gateway.tick('refresh')).toMatchObject({ refreshed: 1, dead: 1 });
  expect((await call(lost)).status).toBe(200);
  const dead = await call(stale);
  expect(dead).toEqual({ status: 424, cause: expect.stringMatching(/^[a-z_]+$/) });
  const { body } = await gateway.json('GET', target(stale));
  expect(JSON.stringify(body)).toMatch(/rotation_lost/);
  expect((await gateway.json('GET', target(deleted))).status).toBe(404);
  expect((await eventsOf(lost)).slice(0, 2)).toEqual(['ConnectionRestored missing', 'ConnectionCreated null']);

  const again = await restore(backup, '--yes');
  expect(JSON.parse(again.out)).toMatchObject({ kinds: { connections: { restored: {} } }, failed: [] });
  expect((await eventsOf(lost)).filter((one) => one.startsWith('ConnectionRestored'))).toHaveLength(1);
});

test('CR-3: deleted and newer connections come back only when asked for, and only once from one backup', async () => {
  const [deleted, newer] = [
    await connectAccount(gateway, DRIVE, { account: 'editor@workspace.example' }),
    await connectAccount(gateway, DRIVE, { account: 'viewer@workspace.example' }),
  ];
  const backup = await backUp(gateway, 'backup-of-noon');
  await gateway.json('DELETE', target(deleted));
  await gateway.json('POST', target(newer, '/refresh'));
  expect(connectionsOf(await restore(backup, '--yes', '--connection', deleted))).toEqual({
    restored: {},
    present: {},
    skipped: { deleted_here: 1 },
  });
  const back = await restore(backup, '--yes', '--connection', deleted, '--include-deleted');
  expect(connectionsOf(back)).toMatchObject({ restored: { deleted: 1 } });
  expect((await call(deleted)).status).toBe(200);

  const taken = await restore(backup, '--yes', '--connection', newer, '--overwrite');
  expect(connectionsOf(taken)).toMatchObject({ restored: { overwritten: 1 } });
  expect((await call(newer)).status).toBe(200);
  const twice = await restore(backup, '--yes', '--connection', newer, '--overwrite');
  expect(connectionsOf(twice)).toMatchObject({ restored: {}, present: { restored_before: 1 } });
});

test('CR-3: a restore that is stopped in the middle is gone on with, and nothing comes back twice', async () => {
  const refreshToken = await refreshTokenOf(gateway, DRIVE);
  // More than are restored at once.
  const ids = Array.from({ length: 80 }, (_, i) => `many-${i}`);
  for (const connection_id of ids) {
    const credentials = { type: 'OAUTH2', refresh_token: refreshToken };
    const made = await gateway.json('POST', '/connections', { provider_config_key: DRIVE, connection_id, credentials });
    expect(made.status).toBe(201);
  }
  const backup = await backUp(gateway, 'backup-of-the-evening');
  for (const id of ids) await lose(connectionKey(DRIVE, id));
  const stopping = new AbortController();
  const first = await restoreTable({
    from: openTable(backup),
    into: openTable(gateway.gateway.tableName),
    wishes: { overwrite: false, includeDeleted: false },
    dryRun: false,
    spreadSec: 1,
    runName: `restore/${backup}`,
    only: {},
    includeKeys: false,
    stop: stopping.signal,
    resealer: new Resealer({ ciphers: undefined, otherKmsKey: false }),
    onProgress: ({ kinds }) => {
      if ((kinds.connections.restored.missing ?? 0) > 0) stopping.abort();
    },
  });
  expect(first).toMatchObject({ stopped: true, failed: [] });
  const before = first.kinds.connections.restored.missing ?? 0;
  expect(before).toBeLessThan(ids.length);
  const second = await restore(backup, '--yes');
  expect(connectionsOf(second)).toMatchObject({ restored: { missing: ids.length - before } });
  for (const id of ids)
    expect(await eventsOf(id)).toEqual(['ConnectionRestored missing', 'ConnectionCreated imported']);
});

test('restore asks, and says what is wrong with a table', async () => {
  expect(await restore('backup-of-noon')).toMatchObject(failed(2, /--yes/));
  expect(await restore('no-such-table', '--yes')).toMatchObject(failed(1, /no such table.*ResourceNotFoundException/s));
  expect(await restore(gateway.gateway.tableName, '--yes')).toMatchObject(failed(2, /same/));
});

test('CR-3: backup and restore are practised on the local gateway, which the commands find by themselves', async () => {
  const local = (...args: string[]) => runCommand(['--data', gateway.gateway.dataDir, ...args]);
  expect(await local('backup', 'practice')).toMatchObject(printed(/^Copied \d+ rows of \S+ into practice\./));
  expect(await local('backup', 'practice')).toMatchObject(failed(1, /already/));
  const id = gateway.connectionId(DRIVE);
  await lose(connectionKey(DRIVE, id));
  expect((await call(id)).status).toBe(404);
  const dryRun = await local('restore', '--from', 'practice', '--connection', id, '--dry-run');
  expect(dryRun).toMatchObject(printed(/^connections\t1 missing\t/m));
  const done = await local('restore', '--from', 'practice', '--connection', id, '--yes');
  expect(done).toMatchObject(printed(/^connections\t1 missing\t/m));
  expect((await call(id)).status).toBe(200);
  expect(await local('data-keys', 'status')).toMatchObject(printed(/current/));

  const nowhere = await runCommand(['--json', '--data', '/nowhere', 'restore', '--from', 'x']);
  expect({ ...nowhere, err: JSON.parse(nowhere.err) }).toMatchObject({
    code: 2,
    out: '',
    err: { error: { code: 'wrong_usage', message: expect.stringMatching(/^No gateway is running from \/nowhere/) } },
  });
});

test('a backup copies every row in transactions, and leaves nothing behind when the table stops answering', async () => {
  const table = await startFaultProxy(gateway.gateway.dynamodbEndpoint);
  onTestFinished(() => table.close());
  const folder = temporaryFolder();
  const running = JSON.parse(readFileSync(join(gateway.gateway.dataDir, 'local.json'), 'utf8'));
  writeFileSync(join(folder, 'local.json'), JSON.stringify({ ...running, dynamodb_endpoint: table.endpoint }));
  const backup = () => runCommand(['--data', folder, 'backup', 'interrupted']);
  const isCopy = ({ operation, body }: AwsCall) => operation === 'TransactWriteItems' && body.includes('"interrupted"');

  table.add(isCopy, { kind: 'error', name: 'InternalServerError', status: 500 }, 1_000);
  expect(await backup()).toMatchObject(failed(3, /does not answer/));
  table.clear();
  expect(await backup()).toMatchObject(printed(/^Copied \d+ rows/));
  const copies = await tableClient(gateway).send(new ScanCommand({ TableName: 'interrupted' }));
  expect(copies.Items?.length).toBe((await rowsOf(gateway)).length);
});
