/**
 * `node bench/sweep.ts [connections]`: how many refreshes one instance of the refresh function does, with a provider that
 * answers after 200 ms and a table after 4 ms, and what that means for ten million connections. Real encryption, real use
 * cases; table and provider are stand-ins that only take time.
 */
import { randomBytes } from 'node:crypto';
import { connectionToItem } from '../lambdas/shared/adapters/dynamodb/connection-item.ts';
import { tokenCipher } from '../lambdas/shared/adapters/kms/token-cipher.ts';
import { systemClock, systemRandom } from '../lambdas/shared/adapters/system.ts';
import { DUE_SHARDS } from '../lambdas/shared/contract.ts';
import type { Connection } from '../lambdas/shared/domain/connection.ts';
import { connectionRefKey } from '../lambdas/shared/domain/identifiers.ts';
import { SWEEP_CONCURRENCY } from '../lambdas/shared/domain/limits.ts';
import { refreshTiming } from '../lambdas/shared/domain/refresh-timing.ts';
import { dueShardOf } from '../lambdas/shared/domain/token-freshness.ts';
import { accessTokenContext, refreshTokenContext } from '../lambdas/shared/use-cases/cipher-contexts.ts';
import { ConnectionRefresher } from '../lambdas/shared/use-cases/refresh/refresh-connection.ts';
import { refreshDueConnections } from '../lambdas/shared/use-cases/refresh/refresh-due-connections.ts';
import { LeaseHolder } from '../lambdas/shared/use-cases/refresh/refresh-under-lease.ts';
import { integration, connection as sample } from '../test/unit/refresh/support/connection.ts';
import { fake } from '../test/unit/refresh/support/refresh-world.ts';

const PROVIDER_MS = 200;
const TABLE_MS = 4;
const WRITE_UNIT_BYTES = 1024;
const DOLLARS_PER_MILLION_WRITES = 0.625;
/** A token of an hour is renewed 12 to 16 minutes before its end. */
const REFRESHES_A_DAY = 31;

const count = Number(process.argv[2] ?? 2_000);
if (!Number.isInteger(count) || count < 1) {
  console.error('Usage: node bench/sweep.ts [connections]');
  process.exit(2);
}

const key = randomBytes(32);
const cipher = tokenCipher({ current: async () => ({ keyNumber: 1, key }), byNumber: async () => key }, systemRandom);
const nowSec = Math.floor(Date.now() / 1000);
const rows = new Map<string, Connection>();
for (let i = 0; i < count; i++) {
  const ref = { accountId: 'default', integrationId: 'drive', connectionId: `connection-${i}` };
  const row = sample({
    ...ref,
    encryptedAccessToken: await cipher.encrypt(accessTokenContext(ref), `ya29.${'a'.repeat(200)}`),
    encryptedRefreshToken: await cipher.encrypt(refreshTokenContext(ref), `1//${'r'.repeat(100)}`),
    accessTokenExpiresAtEpochSec: nowSec + 600,
    refreshAtEpochSec: nowSec - 1,
    consentedAtEpochSec: nowSec - 86_400,
    lastUsedAtEpochSec: nowSec - 60,
  });
  rows.set(connectionRefKey(row), row);
}

let writes = 0;
let reads = 0;
const table = async <T>(kind: 'read' | 'write', answer: () => T): Promise<T> => {
  if (kind === 'read') reads++;
  else writes++;
  await wait(TABLE_MS);
  return answer();
};
const none = { due: async () => [], read: async () => undefined };
const deps = {
  connections: fake<never>({
    read: (ref: Connection) => table('read', () => rows.get(connectionRefKey(ref))),
    takeLease: (known: Connection, request: { owner: string; expiresAtEpochSec: number }) =>
      table('write', () => ({
        taken: true,
        lease: { owner: request.owner, epoch: known.epoch + 1, expiresAtEpochSec: request.expiresAtEpochSec },
        lostHash: undefined,
      })),
    storeTokens: () => table('write', () => true),
    reschedule: () => table('write', () => undefined),
  }),
  upkeep: fake<never>({
    duePage: async (shard: number, _until: number, limit: number, after: { from: number } | undefined) => {
      const due = [...rows.values()].filter((row) => dueShardOf(row, DUE_SHARDS) === shard);
      const from = after?.from ?? 0;
      const next = from + limit < due.length ? { from: from + limit } : undefined;
      return table('read', () => ({ refs: due.slice(from, from + limit), next }));
    },
  }),
  escrow: fake<never>(none),
  revocations: fake<never>(none),
  integrations: fake<never>({ get: () => table('read', () => integration()) }),
  deaths: { note: async () => 1 },
  audit: { append: async () => {} },
  credentials: {
    get: async () => ({ clientId: sample().clientId, clientSecret: 'secret', previousClientSecret: undefined }),
  },
  tokenEndpoint: fake<never>({
    refresh: async () => {
      await wait(PROVIDER_MS);
      const body = JSON.stringify({ access_token: `ya29.${'b'.repeat(200)}`, token_type: 'Bearer', expires_in: 3599 });
      return { kind: 'answered', response: { status: 200, body, retryAfter: undefined } };
    },
  }),
  endpoints: fake<never>({}),
  cipher,
  clock: systemClock,
  random: systemRandom,
  metrics: { count: () => {} },
  logger: { info: () => {}, warn: () => {}, error: () => {} },
  timing: refreshTiming(),
};
const refresher = new ConnectionRefresher({ ...deps, holder: new LeaseHolder(deps), owner: 'bench' });
const started = performance.now();
const cpuBefore = process.cpuUsage();
const report = await refreshDueConnections(
  { ...deps, refresher },
  { index: 0, count: 1 },
  Date.now() + 300_000,
  'bench',
);
const seconds = (performance.now() - started) / 1000;
const cpu = process.cpuUsage(cpuBefore);
const perMinute = (report.refreshed / seconds) * 60;
const itemBytes = Buffer.byteLength(JSON.stringify(connectionToItem([...rows.values()][0] ?? sample())));
const itemUnits = Math.ceil(itemBytes / WRITE_UNIT_BYTES);
// Lease and store write the row; the store moves its entry of the due index, which is a delete and a put of one unit each.
const unitsPerRefresh = (writes / report.refreshed) * itemUnits + 2;
const dollarsPerMillion = unitsPerRefresh * DOLLARS_PER_MILLION_WRITES;
const keepAlivePerDay = 10_000_000 / 28.5;

console.log(`refreshed ${report.refreshed} of ${count} in ${seconds.toFixed(1)} s, ${SWEEP_CONCURRENCY} at a time`);
console.log(
  `one instance: ${Math.round(perMinute)} refreshes a minute, ${((cpu.user + cpu.system) / 1000 / report.refreshed).toFixed(2)} ms CPU each`,
);
console.log(
  `per refresh: ${(writes / report.refreshed).toFixed(2)} table writes, ${(reads / report.refreshed).toFixed(2)} reads; item ${itemBytes} bytes, ${unitsPerRefresh.toFixed(1)} write units`,
);
console.log(`writes cost $${dollarsPerMillion.toFixed(2)} per million refreshes`);
console.log('');
console.log('ten million connections                     refreshes/min  instances  writes a day');
for (const [name, perDay] of [
  ['all idle, kept alive every 27 to 30 days', keepAlivePerDay],
  ['1 % in use all day, the others kept alive', keepAlivePerDay + 100_000 * REFRESHES_A_DAY],
  ['all in use all day', 10_000_000 * REFRESHES_A_DAY],
] as const) {
  const rate = perDay / 1440;
  const cost = (perDay / 1e6) * dollarsPerMillion;
  console.log(
    `${name.padEnd(44)}${Math.ceil(rate).toString().padStart(12)}${Math.ceil(rate / perMinute)
      .toString()
      .padStart(11)}   $${cost.toFixed(2)}`,
  );
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
