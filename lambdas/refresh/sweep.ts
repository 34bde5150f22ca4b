import type { Connection } from '../gateway/connections/connection.rules.ts';
import type {
  ConnectionUpkeep,
  DuePosition,
  PendingRevocation,
  RevocationStore,
  UnconfirmedGrantStore,
} from '../gateway/connections/ports.ts';
import type { UnconfirmedGrant } from '../gateway/connections/unconfirmed-grant.rules.ts';
import type { BoundedCache } from '../gateway/core/bounded-cache.ts';
import { epochSecNow } from '../gateway/core/clock.ts';
import { DUE_PARTITIONS, DUE_SHARDS } from '../gateway/core/contract.ts';
import { Gate } from '../gateway/core/gate.ts';
import { type ConnectionRef, type IntegrationRef, integrationRefKey } from '../gateway/core/identifiers.ts';
import {
  DEATH_INCIDENT_WINDOW_SEC,
  DYING_AFTER_DEATHS,
  DYING_CONNECTIONS_KEPT,
  RECORD_DEATHS_TIME_MS,
  RECORDED_DEATHS_PER_SEC,
  SWEEP_BRAKE_AFTER_FAILURES,
  SWEEP_CONCURRENCY,
  SWEEP_PAGE_SIZE,
  SWEEP_RESERVE_MS,
  UNREADABLE_ROW_RETRY_SEC,
} from '../gateway/core/limits.ts';
import type { DueWork } from '../gateway/feature-dependencies.ts';
import type { Integration } from '../gateway/integrations/integration.rules.ts';
import type { IntegrationStore } from '../gateway/integrations/ports.ts';
import type { SliceRun } from '../gateway/ticks/sweep-run.ts';
import { endUnconfirmed } from '../gateway/tokens/end-unconfirmed.ts';
import { refreshBackoffSec } from '../gateway/tokens/freshness.rules.ts';
import { pause, type RefreshOutcome } from '../gateway/tokens/lease.ts';
import type { EscrowStore } from '../gateway/tokens/ports.ts';
import type { ConnectionRefresher } from '../gateway/tokens/refresher.ts';
import { type RevokeGrantDependencies, revokeGrant } from '../gateway/tokens/revoke-grant.ts';
import { type WarnAheadDependencies, warnAhead } from './warn-ahead.ts';

export interface SideWorkDependencies extends RevokeGrantDependencies {
  readonly integrations: IntegrationStore;
  readonly escrow: EscrowStore;
  readonly revocations: RevocationStore;
  readonly unconfirmed: UnconfirmedGrantStore;
  readonly refresher: ConnectionRefresher;
}

/** Adopts or deletes a page of a shard's escrowed tokens; the next tick continues with the rest. */
export async function sweepEscrow(deps: SideWorkDependencies, shard: number, requestId: string): Promise<number> {
  const refs = await deps.escrow.due(shard, epochSecNow(deps.clock), SWEEP_PAGE_SIZE);
  for (const ref of refs) {
    try {
      await settleEscrow(deps, ref, requestId);
    } catch (error) {
      deps.metrics.count('SweepItemFailed');
      deps.logger.error('escrowed tokens could not be settled', { requestId }, error);
    }
  }
  return refs.length;
}

/** Ends a page of a shard's grants: revocations, tried once each (TK-8, F69), and grants that were not confirmed (CS-15). */
export async function sweepEndings(deps: SideWorkDependencies, shard: number, requestId: string): Promise<number> {
  const due = await deps.revocations.due(shard, epochSecNow(deps.clock), SWEEP_PAGE_SIZE);
  for (const ending of due) {
    if (ending.kind === 'revocation') await tryRevocation(deps, ending.ref, requestId);
    else await endOverdue(deps, ending.ref, ending.reconnectSession, requestId);
  }
  return due.length;
}

async function tryRevocation(deps: SideWorkDependencies, ref: ConnectionRef, requestId: string): Promise<void> {
  let pending: PendingRevocation | undefined;
  try {
    pending = await deps.revocations.read(ref);
    if (pending === undefined || pending.retryAtEpochSec > epochSecNow(deps.clock)) return;
    await revokeGrant(deps, pending, requestId);
  } catch (error) {
    deps.metrics.count('SweepItemFailed');
    deps.logger.error('a pending revocation could not be tried', { requestId }, error);
    if (pending === undefined) return;
    const waitSec = refreshBackoffSec(pending.failureCount, undefined, deps.random.number());
    await deps.revocations.postpone(pending, epochSecNow(deps.clock) + waitSec);
  }
}

/** The index may still show a grant that was just confirmed; the row decides. */
async function endOverdue(
  deps: SideWorkDependencies,
  ref: ConnectionRef,
  reconnectSession: string | undefined,
  requestId: string,
): Promise<void> {
  let unconfirmed: UnconfirmedGrant | undefined;
  try {
    unconfirmed = await deps.unconfirmed.read(ref, reconnectSession);
    if (unconfirmed === undefined || unconfirmed.confirmUntilEpochSec > epochSecNow(deps.clock)) return;
    await endUnconfirmed(deps, unconfirmed, 'not_confirmed_in_time', { requestId });
  } catch (error) {
    deps.metrics.count('SweepItemFailed');
    deps.logger.error('an unconfirmed grant could not be ended', { requestId }, error);
    if (unconfirmed === undefined) return;
    const waitSec = refreshBackoffSec(unconfirmed.failureCount, undefined, deps.random.number());
    await deps.unconfirmed.close(unconfirmed, epochSecNow(deps.clock) + waitSec);
  }
}

async function settleEscrow(deps: SideWorkDependencies, ref: ConnectionRef, requestId: string): Promise<void> {
  const escrowed = await deps.escrow.read(ref);
  if (escrowed === undefined) return;
  const connection = await deps.connections.read(ref);
  if (connection === undefined || connection.status === 'deleted' || connection.tokenEpoch >= escrowed.epoch) {
    return deps.escrow.remove(escrowed);
  }
  const integration = await deps.integrations.get(ref);
  if (integration === undefined) return deps.escrow.remove(escrowed);
  // A refusal of the old token does not concern the token that replaced it, so a connection marked dead adopts it, too.
  const outcome = await deps.refresher.refresh(connection, integration, {
    wait: false,
    force: false,
    adopt: true,
    requestId,
  });
  if (outcome.kind === 'fresh' || outcome.kind === 'gone') return deps.escrow.remove(escrowed);
  const waitSec = refreshBackoffSec(0, undefined, deps.random.number());
  await deps.escrow.postpone(escrowed, epochSecNow(deps.clock) + waitSec);
}

export type SweepDependencies = SideWorkDependencies &
  WarnAheadDependencies & {
    readonly upkeep: ConnectionUpkeep;
    /** Consecutive deaths by integration, as seen by this process; a success removes the entry. */
    readonly deathsInARow: BoundedCache<number>;
    /** Work of features. @default none */
    readonly dueWorks?: readonly DueWork[];
    /** Asks about due domains, until the clock shows so many milliseconds. @default none */
    readonly askDomains?: (untilMs: number, requestId: string) => Promise<unknown>;
    /** Waits some milliseconds. @default a timer */
    readonly pause?: (ms: number) => Promise<void>;
  };

/** Outcome of one run. */
export interface SweepReport {
  readonly refreshed: number;
  readonly dead: number;
  readonly putOff: number;
  readonly skipped: number;
  readonly failed: number;
  /** False when time ran out, the provider was rested, or another run had the slice: the next tick continues. */
  readonly finished: boolean;
}

/** Shards that are read at the same time. */
const SHARDS_AT_ONCE = 8;
/** Transient outcomes that are not failures of the token endpoint. */
const NOT_THE_PROVIDERS = new Set([
  'refresh_backoff',
  'refresh_in_progress',
  'conflicting_writes',
  'client_credentials_unavailable',
]);

/**
 * Refreshes what is due in shards of the index. The index is the queue: an entry leaves it only when its work is done or
 * postponed, so a run that dies loses nothing and one bad row never stops the rest (F83 to F88).
 *
 * @param deadlineMs wall-clock end of the function
 */
export async function refreshDueConnections(
  deps: SweepDependencies,
  { shards, due, isHeld, count }: SliceRun,
  deadlineMs: number,
  requestId: string,
): Promise<SweepReport> {
  const run = new Sweep(deps, deadlineMs, requestId, { due, isHeld });
  // A random first shard, so that a crowded one does not always come first.
  const offset = Math.floor(deps.random.number() * shards.length);
  const order = [...shards.slice(offset), ...shards.slice(0, offset)];
  await Promise.all(
    Array.from({ length: SHARDS_AT_ONCE }, async () => {
      for (let shard = order.shift(); shard !== undefined && run.mayGoOn(); shard = order.shift()) {
        await run.sweepShard(shard);
      }
    }),
  );
  await run.recordDeaths(count);
  await run.workOnFeatures(shards);
  await run.askDomains(shards);
  return run.report();
}

class Sweep {
  readonly #deps: SweepDependencies;
  readonly #deadlineMs: number;
  readonly #requestId: string;
  readonly #gate = new Gate(SWEEP_CONCURRENCY);
  readonly #integrations = new Map<string, Promise<Integration | undefined>>();
  readonly #probes = new Map<string, Promise<void>>();
  readonly #counts = { refreshed: 0, dead: 0, putOff: 0, skipped: 0, failed: 0 };
  readonly #slice: Pick<SliceRun, 'due' | 'isHeld'>;
  readonly #dying: ConnectionRef[] = [];
  #failuresInARow = 0;
  #oldestDueSec = 0;
  #cutShort = false;

  constructor(deps: SweepDependencies, deadlineMs: number, requestId: string, slice: Pick<SliceRun, 'due' | 'isHeld'>) {
    this.#deps = deps;
    this.#deadlineMs = deadlineMs;
    this.#requestId = requestId;
    this.#slice = slice;
  }

  mayGoOn(): boolean {
    const inTime = this.#deps.clock.nowMs() < this.#deadlineMs - SWEEP_RESERVE_MS;
    const go = inTime && this.#failuresInARow < SWEEP_BRAKE_AFTER_FAILURES && this.#slice.isHeld();
    if (!go) this.#cutShort = true;
    return go;
  }

  report(): SweepReport {
    const { metrics } = this.#deps;
    // Published only while something is due: an unused stack pays for no metric.
    if (this.#oldestDueSec > 0) metrics.count('OldestDueAgeSec', {}, this.#oldestDueSec);
    if (this.#failuresInARow >= SWEEP_BRAKE_AFTER_FAILURES) metrics.count('SweepBraked');
    return { ...this.#counts, finished: !this.#cutShort };
  }

  /** One shard: due connections page by page, then its other work. A shard that cannot be read stops no other. */
  async sweepShard(shard: number): Promise<void> {
    const { refreshes, escrow, endings } = partitionsOfShard(shard);
    const { due } = this.#slice;
    try {
      if (due?.has(refreshes) !== false) await this.#refreshShard(shard);
      if (!this.mayGoOn()) return;
      if (await this.#isDue(escrow)) await sweepEscrow(this.#deps, shard, this.#requestId);
      if (await this.#isDue(endings)) await sweepEndings(this.#deps, shard, this.#requestId);
    } catch (error) {
      this.#cutShort = true;
      this.#counts.failed++;
      this.#deps.metrics.count('SweepShardFailed');
      this.#deps.logger.error('a shard of the due index could not be swept', { requestId: this.#requestId }, error);
    }
  }

  /** Whether there is work in a partition: from the run's first look, or from a query of its own. */
  async #isDue(partition: number): Promise<boolean> {
    const { upkeep, clock } = this.#deps;
    return this.#slice.due?.has(partition) ?? upkeep.hasDue(partition, epochSecNow(clock));
  }

  async #refreshShard(shard: number): Promise<void> {
    const untilEpochSec = epochSecNow(this.#deps.clock);
    let position: DuePosition | undefined;
    do {
      const page = await this.#deps.upkeep.duePage(shard, untilEpochSec, SWEEP_PAGE_SIZE, position);
      await Promise.all(page.refs.map((ref) => this.#gate.run(() => this.#one(ref))));
      position = page.next;
    } while (position !== undefined && this.mayGoOn());
  }

  /**
   * Refreshes the connections of dying integrations last, and no faster than the lists of dead connections accept rows. The rest
   * stays due, and the next tick continues.
   *
   * @param slices runs that do this concurrently
   */
  async recordDeaths(slices: number): Promise<void> {
    const { clock } = this.#deps;
    const wait = this.#deps.pause ?? pause;
    const perSec = Math.max(1, Math.floor(RECORDED_DEATHS_PER_SEC / slices));
    const untilMs = clock.nowMs() + RECORD_DEATHS_TIME_MS;
    for (let at = 0; at < this.#dying.length; at += perSec) {
      const startedMs = clock.nowMs();
      if (startedMs >= untilMs) this.#cutShort = true;
      if (startedMs >= untilMs || !this.mayGoOn()) return;
      await Promise.all(this.#dying.slice(at, at + perSec).map((ref) => this.#gate.run(() => this.#work(ref))));
      if (at + perSec < this.#dying.length) await wait(Math.max(0, startedMs + 1_000 - clock.nowMs()));
    }
  }

  /** Work of features, after all due refreshes, so that it delays none (SH-2). */
  async workOnFeatures(shards: readonly number[]): Promise<void> {
    const { dueWorks = [], metrics, logger } = this.#deps;
    const order = dueWorks.flatMap((work) => shards.map((shard) => ({ work, shard })));
    await Promise.all(
      Array.from({ length: SHARDS_AT_ONCE }, async () => {
        for (let next = order.shift(); next !== undefined; next = order.shift()) {
          const { work, shard } = next;
          try {
            if (!(await this.#isDue(work.firstPartition + shard))) continue;
            if (!this.mayGoOn()) return;
            await work.sweep(shard, this.#deadlineMs - SWEEP_RESERVE_MS, this.#requestId);
          } catch (error) {
            this.#cutShort = true;
            metrics.count('SweepShardFailed');
            logger.error('a shard of the due index could not be swept', { requestId: this.#requestId }, error);
          }
        }
      }),
    );
  }

  /** Due domains are in one partition, which belongs to the first shard. */
  async askDomains(shards: readonly number[]): Promise<void> {
    const { askDomains, metrics, logger } = this.#deps;
    if (askDomains === undefined || !shards.includes(0)) return;
    try {
      const isDue = await Promise.all(DOMAIN_PARTITIONS.map((partition) => this.#isDue(partition)));
      if (!isDue.includes(true) || !this.mayGoOn()) return;
      await askDomains(this.#deadlineMs - SWEEP_RESERVE_MS, this.#requestId);
    } catch (error) {
      this.#cutShort = true;
      metrics.count('SweepShardFailed');
      logger.error('domains could not be asked for', { requestId: this.#requestId }, error);
    }
  }

  async #one(ref: ConnectionRef): Promise<void> {
    if ((this.#deps.deathsInARow.get(integrationRefKey(ref), this.#deps.clock.nowMs()) ?? 0) < DYING_AFTER_DEATHS)
      return this.#work(ref);
    if (this.#dying.length < DYING_CONNECTIONS_KEPT) this.#dying.push(ref);
    else this.#cutShort = true;
  }

  /** Deaths and successes predict those of the same integration. */
  #noteFate(ref: IntegrationRef, isDead: boolean): void {
    const key = integrationRefKey(ref);
    const nowMs = this.#deps.clock.nowMs();
    if (isDead)
      this.#deps.deathsInARow.set(
        key,
        (this.#deps.deathsInARow.get(key, nowMs) ?? 0) + 1,
        nowMs + DEATH_INCIDENT_WINDOW_SEC * 1000,
      );
    else this.#deps.deathsInARow.delete(key);
  }

  async #work(ref: ConnectionRef): Promise<void> {
    if (!this.mayGoOn()) return;
    let connection: Connection | undefined;
    try {
      connection = await this.#deps.connections.read(ref);
      await this.#refresh(ref, connection);
    } catch (error) {
      this.#counts.failed++;
      this.#deps.metrics.count('SweepItemFailed');
      this.#deps.logger.error('a due connection could not be refreshed', { requestId: this.#requestId }, error);
      await this.#putOff(ref, connection);
    }
  }

  /** The index may show work that is done, or a dead or deleted connection: the row itself decides (F83). */
  async #refresh(ref: ConnectionRef, connection: Connection | undefined): Promise<void> {
    const { connections, refresher, clock } = this.#deps;
    const now = epochSecNow(clock);
    const dueAt = connection?.refreshAtEpochSec;
    if (connection === undefined || dueAt === undefined || dueAt > now) {
      this.#counts.skipped++;
      return;
    }
    const integration = connection.status === 'active' ? await this.#integration(ref) : undefined;
    if (integration === undefined) {
      await connections.reschedule(connection, undefined);
      this.#counts.skipped++;
      return;
    }
    this.#oldestDueSec = Math.max(this.#oldestDueSec, now - dueAt);
    const warned = await warnAhead(this.#deps, connection, integration, this.#requestId);
    const outcome = await this.#probed(integration, () =>
      refresher.refresh(warned, integration, {
        wait: false,
        force: false,
        budgetMs: Math.max(1_000, this.#deadlineMs - clock.nowMs() - SWEEP_RESERVE_MS / 2),
        requestId: this.#requestId,
      }),
    );
    await this.#note(outcome, connection);
  }

  /**
   * An integration's first refresh runs alone: when its OAuth client is refused, the others of this run are postponed without a request
   * (F19).
   */
  async #probed(ref: IntegrationRef, work: () => Promise<RefreshOutcome>): Promise<RefreshOutcome> {
    const key = integrationRefKey(ref);
    const probe = this.#probes.get(key);
    if (probe !== undefined) {
      await probe;
      return work();
    }
    const first = work();
    const settled = first.then(
      () => undefined,
      () => undefined,
    );
    this.#probes.set(key, settled);
    return first;
  }

  async #note(outcome: RefreshOutcome, connection: Connection): Promise<void> {
    const { connections, clock, random } = this.#deps;
    const now = epochSecNow(clock);
    switch (outcome.kind) {
      case 'fresh':
        this.#failuresInARow = 0;
        this.#noteFate(connection, false);
        // An overlapping tick may have been faster.
        if (outcome.accessToken === undefined) this.#counts.skipped++;
        else this.#counts.refreshed++;
        return;
      case 'dead':
        this.#failuresInARow = 0;
        this.#noteFate(connection, true);
        this.#counts.dead++;
        return;
      case 'transient':
        this.#counts.putOff++;
        // A refusal of one token is an answer: it does not concern the endpoint or other connections.
        if (outcome.refused === true) return;
        if (!NOT_THE_PROVIDERS.has(outcome.reason)) this.#failuresInARow++;
        // An earlier back-off: the index is corrected to match it.
        else if (outcome.reason === 'refresh_backoff')
          await connections.reschedule(connection, now + outcome.retryAfterSec);
        return;
      case 'client_fault':
        this.#counts.putOff++;
        // Spread at random, so that one connection probes the client again and not all of them at once.
        await connections.reschedule(connection, now + outcome.retryAfterSec + Math.floor(random.number() * 60));
        return;
      case 'busy':
        this.#counts.skipped++;
        return;
      case 'gone':
        this.#counts.skipped++;
        await connections.reschedule(connection, undefined);
        return;
    }
  }

  /** A row that always fails is postponed by growing waits, so that it never blocks its page (F87). */
  async #putOff(ref: ConnectionRef, connection: Connection | undefined): Promise<void> {
    const { upkeep, clock, random, logger } = this.#deps;
    const waitSec =
      connection === undefined
        ? UNREADABLE_ROW_RETRY_SEC
        : refreshBackoffSec(connection.failureCount + 2, undefined, random.number());
    try {
      await upkeep.postpone(ref, epochSecNow(clock) + waitSec);
    } catch (error) {
      logger.error('a failing connection could not be put off', { requestId: this.#requestId }, error);
    }
  }

  #integration(ref: IntegrationRef): Promise<Integration | undefined> {
    const key = integrationRefKey(ref);
    const known = this.#integrations.get(key);
    if (known !== undefined) return known;
    const loading = this.#deps.integrations.get({ accountId: ref.accountId, integrationId: ref.integrationId });
    this.#integrations.set(key, loading);
    loading.catch(() => this.#integrations.delete(key));
    return loading;
  }
}

/** One of N equal parts of the due index, as the schedule's input names it. */
export interface Slice {
  readonly index: number;
  readonly count: number;
}

/**
 * Reads `{"slice": {"index": i, "count": N}}`; an event without it means the whole index.
 *
 * @throws Error for a slice that would leave shards out
 */
export function readSlice(event: unknown): Slice {
  const slice = member(event, 'slice');
  if (slice === undefined) return { index: 0, count: 1 };
  const index = member(slice, 'index');
  const count = member(slice, 'count');
  const valid = isWhole(index) && isWhole(count) && DUE_SHARDS % count === 0 && index >= 0 && index < count;
  if (!valid)
    throw new Error(`The slice must be {index, count} with index below count and count a divisor of ${DUE_SHARDS}.`);
  return { index, count };
}

/** The work of a feature that the function was called for, and what of it; undefined for a tick. */
export function readAskedWork(event: unknown, dueWorks: readonly DueWork[]) {
  return dueWorks.map((work) => ({ work, wish: member(event, work.member) })).find(({ wish }) => wish !== undefined);
}

/** The shards of a slice. */
export function shardsOf(slice: Slice): number[] {
  const perSlice = DUE_SHARDS / slice.count;
  return Array.from({ length: perSlice }, (_, i) => slice.index * perSlice + i);
}

/** Partitions of the due index that a sweep reads for a shard. @param dueWorks of the features */
export function kindsOfShard(shard: number, dueWorks: readonly DueWork[] = []): number[] {
  return [
    ...Object.values(partitionsOfShard(shard)),
    ...dueWorks.map(({ firstPartition }) => firstPartition + shard),
    ...(shard === 0 ? DOMAIN_PARTITIONS : []),
  ];
}

const DOMAIN_PARTITIONS = [DUE_PARTITIONS.lostDomains, DUE_PARTITIONS.workingDomains];

function partitionsOfShard(shard: number) {
  return {
    refreshes: shard,
    endings: DUE_SHARDS + shard,
    escrow: 2 * DUE_SHARDS + shard,
  };
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}

function member(value: unknown, name: string): unknown {
  return Object.entries(Object(value)).find(([k]) => k === name)?.[1];
}
