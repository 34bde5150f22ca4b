import { MemoryTable } from '../../../../dev/support/memory-table.ts';
import { bookReader } from '../../../../lambdas/gateway/calls/book.store.ts';
import { type CallLine, sliceOfConnection } from '../../../../lambdas/gateway/calls/call-line.rules.ts';
import { dayUseWriter } from '../../../../lambdas/gateway/calls/day-use.store.ts';
import type { CallSums } from '../../../../lambdas/gateway/calls/page.rules.ts';
import { pageReader, pageStore } from '../../../../lambdas/gateway/calls/page.store.ts';
import type { UsageQuery } from '../../../../lambdas/gateway/calls/ports.ts';
import { readLastUses, readUsage } from '../../../../lambdas/gateway/calls/read-usage.ts';
import { thresholdReporter } from '../../../../lambdas/gateway/calls/report-threshold.ts';
import { dayOf } from '../../../../lambdas/gateway/calls/usage.rules.ts';
import { usageRows } from '../../../../lambdas/gateway/calls/usage-rows.store.ts';
import { CALL_QUERY_MAX_ROWS } from '../../../../lambdas/gateway/core/contract.ts';
import { newItemWriter } from '../../../../lambdas/gateway/events/event.store.ts';
import type { Table } from '../../../../lambdas/gateway/platform/dynamodb/client.ts';
import {
  endingLimits,
  type OwnQuota,
  projectQuota,
} from '../../../../lambdas/gateway/providers/project-quota.rules.ts';
import type { ApiQuota } from '../../../../lambdas/gateway/providers/provider.rules.ts';
import type { Asked, CallLog, LogWindow } from '../../../../lambdas/roll-up/ports.ts';
import { progressStore } from '../../../../lambdas/roll-up/progress.store.ts';
import { QuotaReporter } from '../../../../lambdas/roll-up/report-quotas.ts';
import { RollUp } from '../../../../lambdas/roll-up/roll-up.ts';

/** 1 March 2026, noon, UTC. */
export const NOON = Date.parse('2026-03-01T12:00:00Z');
export const MINUTE = 60_000;
export const HOUR = 3_600_000;

export type Line = Pick<CallLine, 'account' | 'integration' | 'connection' | 'key' | 'class' | 'endedAtMs' | 'totalMs'>;

/** A log of lines in memory, which answers as Logs Insights does. */
export class MemoryLog implements CallLog {
  readonly lines: { readonly atMs: number; readonly visibleFromMs: number; readonly line: Line }[] = [];
  /** Questions are refused for their number. */
  isBusy = false;
  /** How often a question is answered with that it runs. */
  runs = 0;
  asked = 0;
  nowMs = NOON;
  /** Rows that an answer has at most. */
  mostRows = CALL_QUERY_MAX_ROWS;
  readonly #answers = new Map<string, { rows: readonly CallSums[]; begun: number; runs: number }>();

  askSums = async (window: LogWindow, slices: number, slice: number): Promise<Asked> => {
    const lines = this.#visible(window).filter(
      ({ integration, connection }) => sliceOfConnection(integration, connection) % slices === slice,
    );
    return this.#keep(grouped(lines).slice(0, this.mostRows), 0);
  };

  askBegun = async ({ fromMs, toMs }: LogWindow): Promise<Asked> => {
    const begun = this.#visible({ fromMs, toMs: toMs + HOUR }).filter(({ endedAtMs, totalMs }) => {
      const at = endedAtMs - totalMs;
      return at >= fromMs && at < toMs;
    });
    return this.#keep([], begun.length);
  };

  sums: CallLog['sums'] = async (queryId, take) => {
    const found = this.#answers.get(queryId);
    if (found === undefined) return { kind: 'lost' };
    if (found.runs-- > 0) return { kind: 'running' };
    for (const row of found.rows) take(row);
    return { kind: 'done', rows: found.rows.length };
  };

  begun: CallLog['begun'] = async (queryId, take) => {
    const found = this.#answers.get(queryId);
    if (found === undefined) return { kind: 'lost' };
    take(found.begun);
    return { kind: 'done', rows: 1 };
  };

  /** A call that ends at a moment, and whose line is in the log only so much later. */
  add(atMs: number, line: Partial<Line> = {}, lateMs = 0): void {
    const full: Line = {
      account: 'default',
      integration: 'google-drive',
      connection: 'user-1',
      key: '0a1b2c3d4e5f',
      class: 'ok',
      endedAtMs: atMs,
      totalMs: 100,
      ...line,
    };
    this.lines.push({ atMs, visibleFromMs: atMs + lateMs, line: full });
  }

  /** Every answer is forgotten, as after a week. */
  forget(): void {
    this.#answers.clear();
  }

  #visible({ fromMs, toMs }: LogWindow): Line[] {
    return this.lines
      .filter(({ atMs, visibleFromMs }) => atMs >= fromMs && atMs < toMs && visibleFromMs <= this.nowMs)
      .map(({ line }) => line);
  }

  #keep(rows: readonly CallSums[], begun: number): Asked {
    if (this.isBusy) return { kind: 'busy' };
    this.asked += 1;
    const queryId = `query-${this.asked}`;
    this.#answers.set(queryId, { rows, begun, runs: this.runs });
    return { kind: 'asked', queryId };
  }
}

function grouped(lines: readonly Line[]): CallSums[] {
  const groups = Map.groupBy(lines, ({ endedAtMs: _, totalMs: __, ...ids }) => JSON.stringify(ids));
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { account, integration, connection, key, class: kind } = first;
    return [
      {
        account,
        integration,
        connection,
        key,
        provider: 'google-drive',
        project: '123456789012',
        class: kind,
        calls: own.length,
        bytesIn: own.length,
        bytesOut: 10 * own.length,
        totalMs: own.reduce((sum, { totalMs }) => sum + totalMs, 0),
        refreshed: 0,
        units: own.length,
        lastEndedAtMs: Math.max(...own.map(({ endedAtMs }) => endedAtMs)),
      },
    ];
  });
}

/** A log, a table and functions that roll the one up into the other. */
export class RollUpWorld {
  readonly memory = new MemoryTable();
  readonly log = new MemoryLog();
  readonly counted: { readonly name: string; readonly value: number }[] = [];
  /** Lambda's count by hour. */
  readonly invocations = new Map<number, number>();
  nowMs = NOON;
  /** Milliseconds that writes of pages have waited. */
  waitedMs = 0;
  /** What Google gives a Cloud project. */
  quota: ApiQuota | undefined;
  /** What an integration says that it gives this one. */
  ownQuota: OwnQuota | undefined;
  /** What becomes of calls once a day is used up. */
  dayLimit: 'warn' | 'stop' = 'warn';
  #rollUp: RollUp | undefined;
  #made = 0;

  /** One more function process, on a table of its own view. */
  process(table: Table = this.memory.table): RollUp {
    return new RollUp({
      log: this.log,
      invocations: { byHour: async () => this.invocations },
      pages: pageStore(table, async (ms) => {
        this.waitedMs += ms;
      }),
      progress: progressStore(table),
      quotas: this.reporter(table),
      logRetentionMs: 7 * 24 * HOUR,
      clock: { nowMs: () => this.nowMs },
      metrics: { count: (name, _, value = 1) => void this.counted.push({ name, value }) },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    });
  }

  /** What reports quotas in one more process. */
  reporter(table: Table = this.memory.table): QuotaReporter {
    return new QuotaReporter({
      pages: pageReader(table, true),
      thresholds: thresholdReporter(newItemWriter(table)),
      newItems: newItemWriter(table),
      dayUse: dayUseWriter(table),
      dayLimit: this.dayLimit,
      quotasOf: async () => ({
        quotaOf: () => projectQuota(this.quota, this.ownQuota, this.nowMs),
        ending: endingLimits(
          [{ provider: 'google-drive', cloudProject: '123456789012', quota: this.ownQuota }],
          () => this.quota,
        ),
      }),
      clock: { nowMs: () => this.nowMs },
      random: { bytes: (length) => new Uint8Array(length).fill(this.#made++ % 256), number: () => 0.5 },
    });
  }

  /** One tick at the present moment. */
  async tick(rollUp?: RollUp) {
    this.#rollUp ??= this.process();
    this.log.nowMs = this.nowMs;
    return (rollUp ?? this.#rollUp).tick(this.nowMs, this.nowMs + 5 * MINUTE, 'request');
  }

  /** A tick each minute, until a moment. */
  async until(ms: number): Promise<void> {
    while (this.nowMs < ms) {
      this.nowMs += MINUTE;
      await this.tick();
    }
  }

  async usage(of: UsageQuery = { by: 'integration' }, days = [dayOf(NOON)], account = 'default') {
    return readUsage(this.#reading(), account, days, of);
  }

  lastUses(account = 'default') {
    return readLastUses(this.#reading(), account);
  }

  /** Calls of an account on a day, by all integrations. */
  async calls(day = dayOf(NOON), account = 'default'): Promise<number> {
    const { rows } = await this.usage({ by: 'integration' }, [day], account);
    return rows.reduce((sum, { counts }) => sum + (counts.calls ?? 0), 0);
  }

  #reading() {
    const { table } = this.memory;
    return {
      pages: pageReader(table),
      book: bookReader(table),
      rows: usageRows(table),
      clock: { nowMs: () => this.nowMs },
    };
  }
}
