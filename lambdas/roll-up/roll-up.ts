import { type CallSums, LEVEL_MS, type Page, PageFold, startOf } from '../gateway/calls/page.rules.ts';
import type { PageStore } from '../gateway/calls/ports.ts';
import { quotaDay } from '../gateway/calls/quota.rules.ts';
import { CALL_QUERY_MAX_ROWS, CALL_QUERY_OLD_MAX_ROWS } from '../gateway/core/contract.ts';
import {
  FEWEST_LINES_SHARE,
  FOLD_BUDGET_MS,
  HOURS_COMPARED_AT_ONCE,
  PROGRESS_WRITE_INTERVAL_MS,
  QUERIES_PER_TICK,
  QUERY_PATIENCE_MS,
  ROLL_UP_RESERVE_MS,
  USAGE_RETENTION_SEC,
} from '../gateway/core/limits.ts';
import type { Clock, Logger, Metrics } from '../gateway/core/ports.ts';
import { PageFolder } from './fold-pages.ts';
import type { CallLog, InvocationCount, ProgressStore } from './ports.ts';
import type { QuotaReporter } from './report-quotas.ts';
import {
  advanced,
  beginning,
  countedUntil,
  divided,
  dueJobs,
  type Fold,
  foldedUntil,
  type Job,
  levelOf,
  owedFolds,
  type Progress,
  READINGS,
  refusedForGood,
  unasked,
  underWay,
  waitsForHours,
} from './windows.rules.ts';

export interface RollUpDependencies {
  readonly log: CallLog;
  readonly invocations: InvocationCount;
  readonly pages: PageStore;
  readonly progress: ProgressStore;
  readonly quotas: Pick<QuotaReporter, 'report'>;
  /** How long the log keeps its lines. */
  readonly logRetentionMs: number;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Outcome of one tick. */
export interface RollUpReport {
  /** Windows whose answers were taken. */
  readonly windows: number;
  /** Calls on the pages that were written. */
  readonly lines: number;
  /** Questions that were asked. */
  readonly asked: number;
  /** ISO 8601: calls that ended before are counted. */
  readonly countedUntil: string;
  /** Whether progress was written: not without changes, and not when another tick was faster. */
  readonly written: boolean;
}

/** An account without calls for this long has no sums that wait for their hour or day. */
const ACCOUNT_KEPT_MS = 3 * LEVEL_MS.day;

/**
 * Turns the lines that calls left in the proxy's log into pages. One tick starts the queries and the next reads the answers, because a
 * query takes seconds and a waiting function costs money.
 *
 * Nothing here is added up across runs: each page is built from all lines of its time. So a tick may die anywhere, run twice, or find
 * late lines, and the sums are those of the lines. Progress is written last, and whatever it lacks is read again (BK-22).
 */
export class RollUp {
  readonly #deps: RollUpDependencies;
  #known:
    | {
        readonly progress: Progress;
        /** As last written for readers. */
        readonly countedUntilMs: number | undefined;
        readonly writtenVersion: number;
        readonly writtenAtMs: number;
      }
    | undefined;

  constructor(deps: RollUpDependencies) {
    this.#deps = deps;
  }

  /**
   * One tick.
   *
   * @param nowMs the time it is for
   * @param deadlineMs by the process clock
   */
  async tick(nowMs: number, deadlineMs: number, requestId: string): Promise<RollUpReport> {
    const remembered = this.#known;
    this.#known = undefined;
    const stored = remembered ?? (await this.#read());
    const writtenVersion = stored?.writtenVersion ?? 0;
    const begun = stored?.progress ?? (await this.#begin(nowMs));
    const run = new Tick(this.#deps, begun, nowMs, deadlineMs, requestId);
    await run.takeAnswers();
    await run.ask();
    await run.foldUp();
    await run.reportQuotas();
    const progress = run.progress;
    // Readers wait for a new count to reach the place where it began.
    const countedUntilMs = countedUntil(progress, nowMs);
    const hasCaughtUp = countedUntilMs !== undefined && remembered?.countedUntilMs === undefined;
    const isNews = remembered === undefined || run.lines > 0 || run.hasFolded || hasCaughtUp || run.owesFolds;
    const mustWrite = isNews || nowMs - remembered.writtenAtMs >= PROGRESS_WRITE_INTERVAL_MS;
    let written = false;
    if (mustWrite) {
      const version = writtenVersion + 1;
      const forReaders =
        countedUntilMs === undefined ? undefined : { countedUntilMs, foldedUntilMs: foldedUntil(progress) };
      written = await this.#deps.progress.write({ ...progress, version }, forReaders, writtenVersion);
      if (written) this.#known = { progress, countedUntilMs, writtenVersion: version, writtenAtMs: nowMs };
    } else {
      this.#known = { ...remembered, progress };
    }
    run.report();
    return {
      windows: run.windows,
      lines: run.lines,
      asked: run.asked,
      countedUntil: new Date(progress.until.first).toISOString(),
      written,
    };
  }

  async #begin(nowMs: number): Promise<Progress> {
    return beginning(nowMs, await this.#deps.progress.callsSince(), oldestLineMs(nowMs, this.#deps.logRetentionMs));
  }

  async #read() {
    const progress = await this.#deps.progress.read();
    return progress === undefined ? undefined : { progress, writtenVersion: progress.version, writtenAtMs: 0 };
  }
}

/** The first whole hour whose lines the log still has. */
function oldestLineMs(nowMs: number, logRetentionMs: number): number {
  return startOf('hour', nowMs - logRetentionMs) + LEVEL_MS.hour;
}

class Tick {
  windows = 0;
  lines = 0;
  asked = 0;
  #late = 0;
  #progress: Progress;
  readonly #deps: RollUpDependencies;
  readonly #nowMs: number;
  readonly #deadlineMs: number;
  readonly #requestId: string;
  readonly #folder: PageFolder;

  constructor(deps: RollUpDependencies, progress: Progress, nowMs: number, deadlineMs: number, requestId: string) {
    this.#deps = deps;
    this.#progress = progress;
    this.#nowMs = nowMs;
    this.#deadlineMs = deadlineMs;
    this.#requestId = requestId;
    const noteLastUses = (accountId: string, day: Page) => this.#noteLastUses(accountId, day);
    this.#folder = new PageFolder({ pages: deps.pages, clock: deps.clock, noteLastUses });
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** Whether pages of hours or days were written. */
  get hasFolded(): boolean {
    return this.#folder.written > 0;
  }

  /** Whether pages of hours or days are still to be built. */
  get owesFolds(): boolean {
    return (this.#progress.folds ?? []).length > 0;
  }

  /** Reads the log's answers: writes pages and advances the progress. */
  async takeAnswers(): Promise<void> {
    await this.#passOverForgotten();
    const before = this.#progress;
    const jobs: Job[] = [];
    const touched = new Set<number>();
    // One at a time, because an answer may be tens of megabytes and all pages share a partition's write capacity.
    for (const job of before.jobs) jobs.push(...(await this.#guarded(job, () => this.#take(job, touched))));
    this.#progress = { ...this.#progress, jobs };
    for (const job of refusedForGood(this.#progress)) await this.#giveUp(job);
    this.#progress = advanced(this.#progress);
    const { first: toMs } = this.#progress.until;
    this.#forgetOld(toMs);
    this.#progress = {
      ...this.#progress,
      folds: owedFolds(this.#progress, before.until.first, toMs, touched),
    };
    await this.#compare();
  }

  /** Builds due pages of hours and days as far as the time of a tick allows; the next tick continues. */
  async foldUp(): Promise<void> {
    const beganAtMs = this.#deps.clock.nowMs();
    const deadlineMs = Math.min(this.#deadlineMs, beganAtMs + FOLD_BUDGET_MS + ROLL_UP_RESERVE_MS);
    const left: Fold[] = [];
    for (const fold of this.#progress.folds ?? []) {
      const isLate = this.#deps.clock.nowMs() > deadlineMs - ROLL_UP_RESERVE_MS;
      const mustWait = isLate || (fold.level === 'day' && waitsForHours(fold, left));
      const rest = mustWait ? fold : await this.#foldOne(fold, deadlineMs);
      if (rest !== undefined) left.push(rest);
    }
    this.#progress = { ...this.#progress, folds: left };
  }

  async #foldOne(fold: Fold, deadlineMs: number): Promise<Fold | undefined> {
    try {
      return await this.#folder.fold(fold, deadlineMs);
    } catch (error) {
      this.#fail('a page could not be summed up', error);
      return fold;
    }
  }

  /** Reports how full the days are whose pages have more calls than before. The next tick repeats what fails. */
  async reportQuotas(): Promise<void> {
    const { quotasDue = [] } = this.#progress;
    const left: { account: string; atMs: number }[] = [];
    for (const one of quotasDue) {
      try {
        await this.#deps.quotas.report(one.account, one.atMs, foldedUntil(this.#progress), this.#requestId);
      } catch (error) {
        this.#fail('the quotas of a day could not be reported', error);
        left.push(one);
      }
    }
    this.#progress = { ...this.#progress, quotasDue: left };
  }

  /** Begins the next questions. */
  async ask(): Promise<void> {
    // The log refuses windows from before it was created until it has answered later ones, so those come first.
    const refused = this.#progress.jobs.filter(({ state }) => state === 'refused');
    const others = this.#progress.jobs.filter(({ state }) => state !== 'refused');
    const room = QUERIES_PER_TICK - underWay(others) - unasked(others.filter(({ reading }) => reading === 'first'));
    let left = QUERIES_PER_TICK;
    const all = [...others, ...dueJobs(this.#progress, this.#nowMs, room), ...refused];
    // Windows that were never read come first, and those whose answers failed last.
    const rank = ({ reading, failures = 0 }: Job): number => (failures > 0 ? 2 : 0) + (reading === 'first' ? 0 : 1);
    const jobs = all
      .toSorted((a, b) => rank(a) - rank(b))
      .map((job) => {
        const wanted = job.queries.flatMap((queryId, slice) => (queryId === null ? [slice] : []));
        const slices = wanted.slice(0, left);
        left -= slices.length;
        return this.#guarded(job, async () => [await this.#askOne(job, slices)]);
      });
    this.#progress = { ...this.#progress, jobs: (await Promise.all(jobs)).flat() };
  }

  /** Publishes metrics and reports. */
  report(): void {
    const { metrics } = this.#deps;
    if (this.#late > 0) metrics.count('LateCalls', {}, this.#late);
    // Time before the first tick is no delay.
    const countedMs = Math.max(this.#progress.until.first, this.#progress.sinceMs);
    const ageSec = Math.floor((this.#nowMs - countedMs) / 1000);
    // Published only when long: an unused stack pays for no metric.
    if (ageSec > BOOK_AGE_TOLD_SEC) metrics.count('BookAgeSec', {}, ageSec);
  }

  /** Lines that left the log cannot be read: the gap is reported to readers, and the count continues. */
  async #passOverForgotten(): Promise<void> {
    const oldestMs = oldestLineMs(this.#nowMs, this.#deps.logRetentionMs);
    const { until } = this.#progress;
    if (READINGS.every((name) => until[name] >= oldestMs)) return;
    if (until.first < oldestMs) await this.#deps.progress.noteGap({ fromMs: until.first, toMs: oldestMs });
    const moved = Object.fromEntries(READINGS.map((name) => [name, Math.max(until[name], oldestMs)]));
    this.#progress = {
      ...this.#progress,
      until: { ...until, ...moved },
      jobs: this.#progress.jobs.filter(({ fromMs }) => fromMs >= oldestMs),
    };
  }

  /** Gives a window up: the gap is reported to readers, and the count continues. */
  async #givenUp(job: Job): Promise<Job> {
    // A stack's first log may be younger than the start of its first tick's range.
    const isGap = job.reading === 'first' && job.toMs > this.#progress.sinceMs;
    if (isGap) await this.#deps.progress.noteGap({ fromMs: job.fromMs, toMs: job.toMs });
    return { ...job, state: 'done', queries: [] };
  }

  async #giveUp(job: Job): Promise<void> {
    const done = await this.#givenUp(job);
    this.#progress = { ...this.#progress, jobs: this.#progress.jobs.map((one) => (one === job ? done : one)) };
  }

  /** A failure stops no other window; it is reported, and the next tick repeats this one. */
  async #guarded(job: Job, work: () => Promise<readonly Job[]>): Promise<readonly Job[]> {
    if (this.#deps.clock.nowMs() > this.#deadlineMs - ROLL_UP_RESERVE_MS) return [job];
    try {
      return await work();
    } catch (error) {
      this.#fail('a window of the log could not be rolled up', error);
      return [{ ...job, failures: (job.failures ?? 0) + 1 }];
    }
  }

  #fail(message: string, error: unknown): void {
    this.#deps.metrics.count('RollUpFailed');
    this.#deps.logger.error(message, { requestId: this.#requestId }, error);
  }

  async #take(job: Job, touched: Set<number>): Promise<readonly Job[]> {
    if (job.state !== 'open' || job.queries.includes(null)) return [job];
    return job.reading === 'begun' ? [await this.#takeBegun(job)] : this.#takeSums(job, touched);
  }

  async #takeBegun(job: Job): Promise<Job> {
    const [queryId] = job.queries;
    if (typeof queryId !== 'string') return job;
    let lines = 0;
    const answer = await this.#deps.log.begun(queryId, (calls) => {
      lines += calls;
    });
    if (answer.kind !== 'done') return this.#again(job, answer.kind === 'lost');
    const { hours } = this.#progress;
    const hour = { startMs: job.fromMs, lines };
    this.#progress = { ...this.#progress, hours: [...hours.filter((one) => one.startMs !== hour.startMs), hour] };
    return { ...job, state: 'done', queries: [] };
  }

  async #takeSums(job: Job, touched: Set<number>): Promise<readonly Job[]> {
    const folds = new Map<string, PageFold>();
    let largest = 0;
    let isTooLong = false;
    for (const queryId of job.queries) {
      if (queryId === null) return [job];
      const answer = await this.#deps.log.sums(queryId, (row) => foldOf(folds, row).addSums(row));
      if (answer.kind !== 'done') return [this.#again(job, answer.kind === 'lost')];
      largest = Math.max(largest, answer.rows);
      isTooLong = answer.rows >= CALL_QUERY_MAX_ROWS || answer.rows === CALL_QUERY_OLD_MAX_ROWS;
      if (isTooLong) break;
    }
    if (levelOf(job) === 'minute') this.#remember(job, largest, isTooLong);
    if (!isTooLong) return [await this.#write(job, folds, touched)];
    const parts = divided(job);
    if (parts.length > 0) return parts;
    this.#fail(
      'a minute has more connections than the log can be asked for',
      new Error(new Date(job.fromMs).toISOString()),
    );
    return [await this.#givenUp(job)];
  }

  async #write(job: Job, folds: ReadonlyMap<string, PageFold>, touched: Set<number>): Promise<Job> {
    const level = levelOf(job);
    for (const [accountId, fold] of folds) {
      const page = fold.page();
      const before = await this.#deps.pages.write(accountId, { level, startMs: job.fromMs }, page);
      if (job.reading !== 'first') this.#late += Math.max(0, page.lines - before);
      this.lines += page.lines;
      this.#seen(accountId, job.fromMs);
      // Also for an unchanged page, because the tick that wrote it may have died before its report.
      this.#owesQuotas(accountId, job.fromMs);
      touched.add(job.fromMs);
    }
    this.windows += 1;
    return { ...job, state: 'done', queries: [] };
  }

  /** Repeats a query whose answer is lost or late. */
  #again(job: Job, isLost: boolean): Job {
    if (!isLost && this.#nowMs - job.askedAtMs < QUERY_PATIENCE_MS) return job;
    return { ...job, queries: job.queries.map(() => null) };
  }

  /** The next queries are divided as this one had to be, or as little as it could have been. */
  #remember({ queries }: Job, largest: number, isTooLong: boolean): void {
    const isShort = largest * 8 < CALL_QUERY_MAX_ROWS;
    const factor = isTooLong ? 4 : isShort ? 0.25 : 1;
    const slices = Math.min(QUERIES_PER_TICK, Math.max(1, queries.length * factor));
    this.#progress = { ...this.#progress, slices };
  }

  #seen(accountId: string, atMs: number): void {
    const { accounts } = this.#progress;
    const latest = Math.max(accounts[accountId] ?? 0, atMs);
    this.#progress = { ...this.#progress, accounts: { ...accounts, [accountId]: latest } };
  }

  #owesQuotas(account: string, atMs: number): void {
    const { quotasDue = [] } = this.#progress;
    const { date } = quotaDay(atMs);
    const others = quotasDue.filter((one) => one.account !== account || quotaDay(one.atMs).date !== date);
    this.#progress = { ...this.#progress, quotasDue: [...others, { account, atMs }] };
  }

  async #askOne(job: Job, slices: readonly number[]): Promise<Job> {
    const { log } = this.#deps;
    const queries = [...job.queries];
    for (const slice of slices) {
      const asked = job.reading === 'begun' ? await log.askBegun(job) : await log.askSums(job, queries.length, slice);
      if (asked.kind === 'refused') return { ...job, state: 'refused' };
      if (asked.kind === 'busy') break;
      queries[slice] = asked.queryId;
      this.asked += 1;
    }
    return slices.length === 0 ? job : { ...job, queries, state: 'open', askedAtMs: this.#nowMs };
  }

  #forgetOld(toMs: number): void {
    const recent = Object.entries(this.#progress.accounts).filter(([, atMs]) => atMs > toMs - ACCOUNT_KEPT_MS);
    this.#progress = { ...this.#progress, accounts: Object.fromEntries(recent) };
  }

  async #noteLastUses(accountId: string, page: Page): Promise<void> {
    const { progress } = this.#deps;
    const known = await progress.lastUses(accountId);
    const uses = new Map(known);
    for (const { kind, ids, lastEpochSec } of page.entries) {
      const [key] = ids;
      if (kind === 'key' && key !== undefined) uses.set(key, Math.max(uses.get(key) ?? 0, lastEpochSec));
    }
    const oldest = Math.floor(this.#nowMs / 1000) - USAGE_RETENTION_SEC;
    await progress.writeLastUses(accountId, new Map([...uses].filter(([, at]) => at > oldest)));
  }

  /** Compares the lines of hours with Lambda's own count. */
  async #compare(): Promise<void> {
    const { hours, wasBusy } = this.#progress;
    const first = Math.min(...hours.map(({ startMs }) => startMs));
    const last = Math.max(...hours.map(({ startMs }) => startMs));
    const isWorthIt = wasBusy || hours.some(({ lines }) => lines > 0) || hours.length >= HOURS_COMPARED_AT_ONCE;
    if (hours.length === 0 || !isWorthIt) return;
    try {
      const counted = await this.#deps.invocations.byHour(first, last + LEVEL_MS.hour);
      const compared = hours.map(({ startMs, lines }) => ({ startMs, lines, invocations: counted.get(startMs) ?? 0 }));
      // Another process may have compared the same hours: each difference is reported once.
      for (const { lines, invocations } of await this.#deps.progress.noteCompared(compared)) {
        if (lines >= invocations * FEWEST_LINES_SHARE) continue;
        this.#deps.metrics.count('MissingCalls', {}, invocations - lines);
      }
      const busy = hours.some(({ startMs, lines }) => startMs === last && lines > 0);
      this.#progress = { ...this.#progress, hours: [], wasBusy: busy };
    } catch (error) {
      this.#fail('lines of calls could not be compared with invocations', error);
    }
  }
}

/** Normal ages are two to four minutes. */
const BOOK_AGE_TOLD_SEC = 600;

function foldOf(folds: Map<string, PageFold>, { account }: CallSums): PageFold {
  const known = folds.get(account);
  if (known !== undefined) return known;
  const made = new PageFold();
  folds.set(account, made);
  return made;
}
