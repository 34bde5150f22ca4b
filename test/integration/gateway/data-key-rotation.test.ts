import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DATA_KEY_ROTATION_SEC } from '../../../lambdas/gateway/core/limits.ts';
import type { Clock } from '../../../lambdas/gateway/core/ports.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { openTable } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { dataKeyItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { kmsDataKeys, tokenCipher } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { accessTokenContext, refreshTokenContext } from '../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { documentedRights, type Ended, failed, localAws, printed, runCommand } from '../../support/command-line.ts';
import { eventually } from '../../support/eventually.ts';
import { sweep } from '../../support/sweep.ts';
import { changeConnection, readConnection, tableClient } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const DAY_MS = 24 * 3600 * 1000;
const LAST_PERIOD = { nowMs: () => Date.now() - 8 * DAY_MS };
/** So long ago that nothing outside the table is kept under its key. */
const LONG_AGO = { nowMs: () => Date.now() - 22 * DAY_MS };
const uncounted = { count: () => {} };
const keyOf = (value: unknown) => String(value).split('.')[1];

const gateway = useTestGateway();
let keyArn: string;
beforeAll(() => {
  for (const [name, value] of Object.entries(localAws(gateway))) vi.stubEnv(name, value);
  keyArn = gateway.gateway.tokenKeyArn;
});
afterAll(() => void vi.unstubAllEnvs());

/** Names of metrics that the functions counted under the stack's namespace. */
function counted(): Set<string> {
  const lines = gateway.gateway.logs().map(({ text }) => text);
  const own = lines.filter((text) => text.includes('"Namespace":"IntegrationGateway/IntegrationGateway"'));
  return new Set(
    own.flatMap((text) => [...text.matchAll(/"Metrics":\[\{"Name":"(\w+)"/g)].map(([, name]) => name ?? '')),
  );
}

// The first, as long as the function has no data key in its memory.
test('CR-6: a sweep that KMS gives no data key fails its item, counts it for an alarm and marks nothing dead', async () => {
  const id = gateway.connectionId('google-drive');
  const before = await readConnection(gateway, 'google-drive', id);
  await changeConnection(gateway, 'google-drive', id, { refreshAt: 1 });
  gateway.gateway.switches.kms.disabled = true;
  expect(await gateway.gateway.tick('refresh')).toMatchObject({ refreshed: 0, dead: 0, failed: 1 });
  expect(counted()).toContain('DataKeyFailed');
  expect(counted()).toContain('SweepItemFailed');
  const after = await readConnection(gateway, 'google-drive', id);
  expect(after).toMatchObject({ status: 'active', encryptedRefreshToken: before.encryptedRefreshToken });

  gateway.gateway.switches.kms.disabled = false;
  await changeConnection(gateway, 'google-drive', id, { refreshAt: 1 });
  expect(await sweep(gateway, { integrationId: 'google-drive', connectionId: id })).toMatchObject({
    refreshed: 1,
    failed: 0,
  });
});

test('CR-5: a row of the last period is read under its own key and rewritten under the new one at its next refresh', async () => {
  const ref = {
    accountId: 'default',
    integrationId: 'google-drive',
    connectionId: gateway.connectionId('google-drive'),
  };
  const table = openTable(gateway.gateway.tableName);
  const now = tokenCipher(kmsDataKeys(table, keyArn, systemClock, uncounted), systemRandom);
  const then = tokenCipher(kmsDataKeys(table, keyArn, LAST_PERIOD, uncounted), systemRandom);
  const row = await readConnection(gateway, ref.integrationId, ref.connectionId);
  const refreshToken = await now.decrypt(refreshTokenContext(ref), String(row.encryptedRefreshToken));
  const accessToken = await now.decrypt(accessTokenContext(ref), String(row.encryptedAccessToken));
  const old = {
    encryptedRefreshToken: await then.encrypt(refreshTokenContext(ref), refreshToken),
    encryptedAccessToken: await then.encrypt(accessTokenContext(ref), accessToken),
  };
  expect(keyOf(old.encryptedRefreshToken)).not.toBe(keyOf(row.encryptedRefreshToken));
  await changeConnection(gateway, ref.integrationId, ref.connectionId, old);
  expect((await gateway.proxy('google-drive', '/drive/v3/files?pageSize=1')).status).toBe(200);

  await changeConnection(gateway, ref.integrationId, ref.connectionId, { refreshAt: 1 });
  expect(await sweep(gateway, ref)).toMatchObject({ refreshed: 1 });
  const after = await readConnection(gateway, ref.integrationId, ref.connectionId);
  expect([keyOf(after.encryptedAccessToken), keyOf(after.encryptedRefreshToken)]).toEqual([
    keyOf(row.encryptedAccessToken),
    keyOf(row.encryptedAccessToken),
  ]);
  expect(await now.decrypt(refreshTokenContext(ref), String(after.encryptedRefreshToken))).toBe(refreshToken);
});

describe('rotation ahead of time', () => {
  function dataKeys(...args: string[]): Promise<Ended> {
    const { tableName } = gateway.gateway;
    const more = args.includes('rotate') ? ['PutItem'] : args.includes('retire') ? ['DeleteItem'] : [];
    const rights = { [tableName]: ['Scan', 'Query', 'UpdateItem', ...more] };
    const onKey = args.includes('rotate') ? ['GenerateDataKeyWithoutPlaintext'] : [];
    const credentials = documentedRights(gateway, 'data-keys', rights, onKey);
    const table = ['--table', tableName];
    return runCommand(['data-keys', ...table, ...args], localAws(gateway, credentials));
  }
  async function status() {
    const { code, out } = await dataKeys('--json', 'status');
    expect(code).toBe(0);
    const { current, keys }: { current: number; keys: { key_number: number; live: number }[] } = JSON.parse(out);
    return { current, liveUnder: (keyNumber: number) => keys.find((one) => one.key_number === keyNumber)?.live };
  }
  const cipherOf = (clock: Clock) =>
    tokenCipher(kmsDataKeys(openTable(gateway.gateway.tableName), keyArn, clock, uncounted), systemRandom);

  /** Its processes keep a key in memory for minutes: new ones do not know it. */
  function replaceRefreshProcesses(): void {
    for (const { pid } of gateway.gateway.children().filter((one) => /refresh/i.test(one.functionName)))
      process.kill(pid);
  }

  test('CR-5: a key is not retired while any row of its account needs it, whatever that row is', async () => {
    const week = (ago: number) => Math.floor(Date.now() / 1000 / DATA_KEY_ROTATION_SEC) - ago;
    const sealed = (keyNumber: number) => `v1.${keyNumber}.${'A'.repeat(40)}`;
    const inAccount = (sk: string) => ({ pk: 'ACCOUNT#default', sk });
    const inFeed = (sk: string) => ({ pk: 'FEED#default#feed', sk });
    // One row under a key of its own each; those of feeds name their account only in their key.
    const rows: Record<string, unknown>[] = [
      { ...inAccount('WEBHOOK#one'), type: 'webhook', accountId: 'default', encryptedSecret: sealed(week(10)) },
      { ...inAccount('WEBHOOK#two'), type: 'webhook', accountId: 'default', encryptedEarlierSecret: sealed(week(11)) },
      { ...inFeed('ITEM#'), type: 'feed_states_key', encryptedKey: sealed(week(12)) },
      { pk: 'CLIENTSECRET#default#id', sk: 'SECRET', type: 'client_secret', sealed: sealed(week(13)) },
      { ...inFeed('ITEM#=folder'), type: 'feed_state', listing: sealed(week(14)) },
      { ...inFeed('LOG#drive'), type: 'feed_log', accountId: 'default', encryptedCursor: sealed(week(15)) },
      { ...inAccount('REQUEST#digest'), type: 'request_note', answer: sealed(week(16)) },
      { ...inAccount('LATER'), type: 'of_a_later_version', values: [{ secret: sealed(week(17)) }] },
    ];
    const keys = [1, ...rows.map((_, i) => 10 + i), 18].map((ago) => ({
      ...dataKeyItemKey({ accountId: 'default', purpose: 'tokens' }, week(ago)),
      ...{ type: 'data_key', accountId: 'default', createdAt: '2026-01-01T00:00:00.000Z' },
    }));
    const others = { pk: 'ACCOUNT#other', sk: 'WEBHOOK#one', accountId: 'other', encryptedSecret: sealed(week(18)) };
    for (const Item of [...rows, ...keys, others]) {
      await tableClient(gateway).send(new PutCommand({ TableName: gateway.gateway.tableName, Item }));
    }

    const { out } = await dataKeys('--json', 'status');
    const shown: { key_number: number; kept: number; passing: number }[] = JSON.parse(out).keys;
    const counts = rows.map((_, i) => shown.find((one) => one.key_number === week(10 + i)));
    expect(counts.map((one) => [one?.kept, one?.passing])).toEqual([
      ...[1, 1, 1, 1].map((kept) => [kept, 0]),
      ...[1, 1, 1, 1].map((passing) => [0, passing]),
    ]);
    const secrets = await dataKeys('--yes', 'retire', String(week(10)));
    expect(secrets).toMatchObject(failed(1, /1 items are under key .*1 webhooks, feeds and client secrets/));
    const lately = await dataKeys('--yes', 'retire', String(week(1)));
    expect(lately).toMatchObject(failed(1, /may still encrypt waiting approvals and changes in the journal/));
    expect(await dataKeys('--yes', 'retire', String(week(18)))).toMatchObject({ code: 0 });

    for (const { pk, sk } of [...rows, ...keys, others]) {
      await tableClient(gateway).send(new DeleteCommand({ TableName: gateway.gateway.tableName, Key: { pk, sk } }));
    }
  });

  test('CR-5: rotate has new writes use a new key, rewrite moves every row, retire waits for that and fails closed', {
    tags: ['long'],
  }, async () => {
    const ref = {
      accountId: 'default',
      integrationId: 'google-calendar',
      connectionId: gateway.connectionId('google-calendar'),
    };
    const both = [ref, { integrationId: 'google-drive', connectionId: gateway.connectionId('google-drive') }];
    const row = await readConnection(gateway, ref.integrationId, ref.connectionId);
    const refreshToken = await cipherOf(systemClock).decrypt(
      refreshTokenContext(ref),
      String(row.encryptedRefreshToken),
    );
    const older = await cipherOf(LONG_AGO).encrypt(refreshTokenContext(ref), refreshToken);
    await changeConnection(gateway, ref.integrationId, ref.connectionId, { encryptedRefreshToken: older });
    const oldest = Number(keyOf(older));
    const before = await status();
    expect(before.liveUnder(oldest)).toBe(1);
    const refused = await dataKeys('--yes', 'retire', String(oldest));
    expect(refused).toMatchObject(failed(1, /1 items are under key/));

    const rotated = await dataKeys('--yes', 'rotate', '--key', keyArn);
    expect(rotated).toMatchObject(printed(`replaces ${before.current}`));
    const { current } = await status();
    expect(current).toBe(before.current + 10_000_000);
    const sealed = await cipherOf(systemClock).encrypt(refreshTokenContext(ref), 'a new one');
    expect(keyOf(sealed)).toBe(String(current));
    expect(await cipherOf(systemClock).decrypt(refreshTokenContext(ref), sealed)).toBe('a new one');

    replaceRefreshProcesses();
    const rewriting = dataKeys('rewrite', '--spread', '1', '--every', '1', '--wait', '80');
    await eventually(async () => {
      await sweep(gateway, ...both);
      for (const one of both) {
        const rewritten = await readConnection(gateway, one.integrationId, one.connectionId);
        expect(keyOf(String(rewritten.encryptedRefreshToken))).toBe(String(current));
      }
    });
    expect(await rewriting).toMatchObject(printed(/current/));
    const after = await status();
    expect(after.liveUnder(current)).toBe(2);
    expect([after.liveUnder(before.current), after.liveUnder(oldest)]).toEqual([0, 0]);
    for (const integrationId of ['google-drive', 'google-calendar']) {
      const path = integrationId === 'google-drive' ? '/drive/v3/files' : '/calendar/v3/users/me/calendarList';
      expect((await gateway.proxy(integrationId, path)).status).toBe(200);
    }

    expect(await dataKeys('--yes', 'retire', String(before.current))).toMatchObject(failed(1, /belongs to this week/));
    expect(await dataKeys('--yes', 'retire', String(oldest))).toMatchObject({ code: 0 });
    await expect(cipherOf(systemClock).decrypt(refreshTokenContext(ref), older)).rejects.toThrow('cannot be decrypted');
  });
});
