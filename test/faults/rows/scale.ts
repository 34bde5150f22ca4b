import { expect } from 'vitest';
import { DUE_SHARDS } from '../../../lambdas/gateway/core/contract.ts';
import { dueShardOf, spread } from '../../../lambdas/gateway/core/identifiers.ts';
import { SWEEP_CONCURRENCY, SWEEP_PAGE_SIZE } from '../../../lambdas/gateway/core/limits.ts';
import { readConnection } from '../../support/table.ts';
import { writeCopies } from '../support/bulk.ts';
import { type FaultWorld, nowSec, REFRESH, type Subject, until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';
import { eventsOf, triggerOf } from './events.ts';

/** The emulated table reads its whole stream for each batch, so that more rows than this take minutes. */
const MANY = Number(process.env.FAULT_CONNECTIONS ?? 1_200);
const TOKEN_ENDPOINT_MS = 50;
/** Lead of the schedule and its spread, seconds. */
const [LEAD, LEAD_SPREAD] = [720, 240];

/** The other shards are read seven at a time. Each such round waits for at most one page of the crowded shard. */
const CROWD_AHEAD = Math.ceil((DUE_SHARDS - 1) / 7) * SWEEP_PAGE_SIZE + SWEEP_CONCURRENCY;

/** Many connections at once; `FAULT_CONNECTIONS` says how many. */
export const scaleRows: readonly FaultRow[] = [
  {
    id: 'F02',
    claim: `${MANY} tokens that end in one second are renewed spread over minutes, and no caller waits or fails`,
    runs: 'matrix',
    async run(world) {
      const original = await world.connect({ expired: false });
      const ids = Array.from({ length: MANY }, (_, i) => `copy-${i}`);
      // 20 % of them are due now, the rest in the next minutes.
      const expires = nowSec() + LEAD + LEAD_SPREAD * 0.8;
      const refreshAt = new Map(ids.map((id) => [id, dueAt(id, expires)]));
      triggerOf(world).paused = true;
      const copies = await writeCopies(world, original, ids, (connectionId) => ({
        accessTokenExpiresAtEpochSec: expires,
        lastUsedAtEpochSec: nowSec(),
        refreshAt: refreshAt.get(connectionId),
        dueShard: shardOf(connectionId),
      }));
      expect(busiest([...refreshAt.values()], 30), 'starts in any half minute').toBeLessThan((MANY / 8) * 1.35);
      await cannedTokens(world, original);
      const watch = watchEndpoint(world);
      const tick = world.gateway.gateway.tick('refresh');
      const statuses = new Set<number>();
      for (let round = 0; round < 20; round++) {
        const callers = ids.filter((_, i) => i % (MANY / 20) === round).map((id) => callCopy(world, id));
        for (const { status } of await Promise.all(callers)) statuses.add(status);
      }
      const report = asReport(await tick);
      expect(statuses).toEqual(new Set([200]));
      const dueByNow = [...refreshAt.values()].filter((at) => at <= nowSec()).length;
      expect(report.refreshed).toBeGreaterThan(MANY * 0.15);
      expect(report.refreshed).toBeLessThanOrEqual(dueByNow);
      expect(report).toMatchObject({ dead: 0, failed: 0, putOff: 0, finished: true });
      expect(watch.most(), 'token calls at the same time').toBeLessThanOrEqual(SWEEP_CONCURRENCY);
      await copies.remove();
      await drain(world);
    },
  },
  {
    id: 'F85',
    claim: `${MANY} due in one shard hold no other shard up, and are caught up without a refresh too many`,
    runs: 'matrix',
    async run(world) {
      const original = await world.connect({ expired: false });
      const crowded = idsIn(0, MANY, 'crowd');
      const others = Array.from({ length: DUE_SHARDS - 1 }, (_, i) => idsIn(i + 1, 1, 'other')).flat();
      const due = nowSec() - 600;
      triggerOf(world).paused = true;
      const copies = await writeCopies(world, original, [...crowded, ...others], (connectionId) => ({
        lastUsedAtEpochSec: nowSec(),
        refreshAt: due,
        dueShard: shardOf(connectionId),
      }));
      await cannedTokens(world, original);
      const calls = world.ledger.requests.length;
      const ticks = catchUp(world);
      // Awaited below; a failure before that is the one to report.
      ticks.catch(() => undefined);
      const isDone = async (id: string) =>
        Number((await readConnection(world.gateway, 'google-drive', id)).refreshAt) > due;
      let left = others;
      let callsByThen = 0;
      const othersAreRefreshed = async () => {
        // Before the rows are read: calls that begin meanwhile are not those that the others waited for.
        callsByThen = tokenCallsSince(world, calls);
        const done = await Promise.all(left.map(isDone));
        left = left.filter((_, index) => done[index] === false);
        return left.length === 0;
      };
      await until('the other shards are refreshed', othersAreRefreshed, 300_000);
      const { refreshed, rounds } = await ticks;
      expect(callsByThen, 'no shard waits for more than a page of the crowd').toBeLessThan(CROWD_AHEAD + others.length);
      expect(refreshed).toBe(MANY + others.length);
      expect(rounds).toBeLessThanOrEqual(3);
      expect(tokenCallsSince(world, calls)).toBe(MANY + others.length);
      const logs = world.gateway.gateway.logs().map(({ text }) => /"OldestDueAgeSec":(\d+)/.exec(text)?.[1]);
      expect(Math.max(...logs.map((age) => Number(age ?? 0))), 'the age an alarm looks at').toBeGreaterThanOrEqual(600);
      await copies.remove();
      await drain(world);
    },
  },
];

function refOf(connectionId: string) {
  return { accountId: 'default', integrationId: 'google-drive', connectionId };
}

function shardOf(connectionId: string): number {
  return dueShardOf(refOf(connectionId), DUE_SHARDS);
}

function dueAt(connectionId: string, expires: number): number {
  return Math.floor(expires - (LEAD + spread(refOf(connectionId)) * LEAD_SPREAD));
}

/** So many connection ids that fall into one shard. */
function idsIn(shard: number, count: number, prefix: string): string[] {
  const ids: string[] = [];
  for (let i = 0; ids.length < count; i++) if (shardOf(`${prefix}-${i}`) === shard) ids.push(`${prefix}-${i}`);
  return ids;
}

/** Most starts in any window of this many seconds that begins with one. */
function busiest(starts: readonly number[], windowSec: number): number {
  const sorted = starts.toSorted((a, b) => a - b);
  let most = 0;
  let from = 0;
  for (const [i, start] of sorted.entries()) {
    while ((sorted[from] ?? start) <= start - windowSec) from++;
    most = Math.max(most, i - from + 1);
  }
  return most;
}

/** The same living token for everyone, which the simulator need not keep: thousands would fill its state file. */
function cannedTokens(world: FaultWorld, original: Subject): Promise<void> {
  const [alive] = world.ledger.accessTokens(original.key);
  const rawBody = JSON.stringify({ access_token: alive?.token, expires_in: 3599, token_type: 'Bearer' });
  return world.provider(REFRESH, { rawBody, contentType: 'application/json', delayMs: TOKEN_ENDPOINT_MS });
}

/** Counts token calls that are under way together, by the delay each of them takes. */
function watchEndpoint(world: FaultWorld): { most(): number } {
  const from = world.ledger.requests.length;
  return {
    most() {
      const starts = world.ledger.requests
        .slice(from)
        .filter(({ facts }) => facts.path === '/token')
        .map(({ at }) => Date.parse(at));
      return busiest(starts, TOKEN_ENDPOINT_MS);
    },
  };
}

/** The emulated stream is slow to read behind thousands of writes, which would be what these rows measure. */
async function drain(world: FaultWorld): Promise<void> {
  triggerOf(world).paused = false;
  const marker = await world.connect();
  await until('the trigger has caught up', () => eventsOf(world, marker).length > 0, 300_000, 200);
}

function tokenCallsSince(world: FaultWorld, from: number): number {
  return world.ledger.requests.slice(from).filter(({ facts }) => facts.path === '/token').length;
}

function callCopy(world: FaultWorld, connectionId: string): Promise<Response> {
  return world.gateway.call('/proxy/drive/v3/about?fields=user', {
    headers: { 'provider-config-key': 'google-drive', 'connection-id': connectionId },
  });
}

/** Ticks until nothing is left to do. */
async function catchUp(world: FaultWorld): Promise<{ refreshed: number; rounds: number }> {
  let refreshed = 0;
  for (let rounds = 1; ; rounds++) {
    const report = asReport(await world.gateway.gateway.tick('refresh'));
    refreshed += report.refreshed;
    if (report.finished) return { refreshed, rounds };
  }
}

function asReport(value: unknown): { readonly refreshed: number; readonly finished: boolean } {
  if (typeof value !== 'object' || value === null || !('refreshed' in value) || !('finished' in value)) {
    throw new Error(`Not a report: ${JSON.stringify(value)}`);
  }
  return { ...value, refreshed: Number(value.refreshed), finished: value.finished === true };
}
