import type { FeedCall } from '../../../../../lambdas/features/feeds/feed-resource.rules.ts';
import type { FeedAnswer } from '../../../../../lambdas/features/feeds/ports.ts';
import { World } from './world.ts';

/** An entry of a log: what changed, and when. */
export interface LogEntry {
  readonly kind: 'file' | 'drive';
  readonly id: string;
  readonly at: number;
}

export const REFUSED: FeedAnswer = { kind: 'refusal', refusal: 'refused', status: 404, retryAfterSec: undefined };
const EXPIRED: FeedAnswer = { kind: 'refusal', refusal: 'expired', status: 410, retryAfterSec: undefined };

/**
 * Google Drive with My Drive, whose log is `own`, and shared drives, each with a log of its own, as "Identify which change log to track"
 * has it. What files there are is the subclass's.
 */
export abstract class DriveLogsWorld extends World {
  /** How long each call takes. */
  callMs = 0;
  pageSize = 3;
  #lastAt = 0;
  readonly #logs = new Map<string, LogEntry[]>();
  readonly #forgotten = new Map<string, number>();

  /** Whether the user may read the log of a shared drive. */
  protected abstract isMemberOf(drive: string): boolean;

  /** An entry as the list of a log's changes shows it now. */
  protected abstract shownChange(entry: LogEntry, log: string): object;

  /** Answers what is about no log; undefined for the rest. */
  protected abstract provideFiles(url: URL): FeedAnswer | undefined;

  /** How many entries a log has. */
  protected lengthOf(log: string): number {
    return this.#entries(log).length;
  }

  protected append(log: string, id: string, kind: LogEntry['kind'] = 'file'): void {
    // No two changes have one time.
    this.#lastAt = Math.max(this.nowMs, this.#lastAt + 1);
    const entries = this.#entries(log);
    entries.push({ kind, id, at: this.#lastAt });
    this.#logs.set(log, entries);
    for (const channel of this.channels.values()) {
      if (channel.log === log && channel.endsAtMs > this.nowMs) this.messages.push({ channel, state: 'change' });
    }
  }

  /** The tokens of a log so far lead nowhere any more. */
  forgetLog(log: string): void {
    this.append(log, 'nothing');
    this.#forgotten.set(log, this.lengthOf(log));
  }

  protected override provide(url: URL, { body = {} }: FeedCall): FeedAnswer | undefined {
    const { pathname, searchParams } = url;
    this.nowMs += this.callMs;
    if (pathname.endsWith('/channels/stop')) return undefined;
    const answer = this.provideFiles(url);
    if (answer !== undefined) return answer;
    const log = searchParams.get('driveId') ?? 'own';
    if (log !== 'own' && !this.isMemberOf(log)) return REFUSED;
    if (pathname.endsWith('/startPageToken')) {
      return { kind: 'ok', body: { startPageToken: this.#tokenOf(log, this.lengthOf(log)) } };
    }
    if (pathname.endsWith('/watch')) {
      const endsAtMs = this.nowMs + this.channelLifeSec * 1000;
      this.channels.set(String(body.id), { id: String(body.id), token: String(body.token), endsAtMs, log });
      return { kind: 'ok', body: { resourceId: `resource of ${log}`, expiration: String(endsAtMs) } };
    }
    return this.#changes(log, searchParams.get('pageToken') ?? '');
  }

  #entries(log: string): LogEntry[] {
    return this.#logs.get(log) ?? [];
  }

  #tokenOf(log: string, at: number): string {
    return `${this.account}|${log}@${at}`;
  }

  #changes(log: string, token: string): FeedAnswer {
    const [named, place = ''] = token.split('@');
    const from = Number(place);
    if (named !== `${this.account}|${log}` || from < (this.#forgotten.get(log) ?? 0)) return EXPIRED;
    const rest = this.#entries(log)
      .slice(from)
      .map((entry, index) => ({ entry, index: from + index }));
    const last = new Map(rest.map(({ entry, index }) => [entry.id, index]));
    const shown = rest.filter(({ entry, index }) => last.get(entry.id) === index);
    const changes = shown.slice(0, this.pageSize).map(({ entry }) => this.shownChange(entry, log));
    const next = shown[this.pageSize];
    const end = { newStartPageToken: this.#tokenOf(log, this.lengthOf(log)) };
    return {
      kind: 'ok',
      body: { changes, ...(next === undefined ? end : { nextPageToken: this.#tokenOf(log, next.index) }) },
    };
  }
}
