import { GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError } from '../../errors.ts';
import {
  type Fields,
  fieldsList,
  fieldsOf,
  isFields,
  number,
  optionalNumber,
  optionalText,
  text,
  textList,
  type Unread,
} from '../../http/fields.ts';
import type { ConnectionRef } from '../../http/headers.ts';
import type { CallOptions, CreateOptions, Manage, Sent } from '../../management/manage.ts';
import { readManagedBy } from '../../management/managed-by.ts';
import type * as wire from '../../management/wire.ts';
import type {
  ChangesOptions,
  Feed,
  FeedBatch,
  FeedChange,
  FeedCursor,
  FeedSettings,
  FeedStanding,
  NewFeed,
} from './feed-types.ts';

/**
 * Resources under watch, and their changes. Methods throw GatewayError, NetworkError and TimeoutError; `not_found` for an id that is
 * not the account's.
 */
export class Feeds {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * Puts a resource under watch; the same resource twice gives the first feed.
   *
   * @example
   * const { id } = await client.feeds.create({ ...connection, resource: 'drive' });
   */
  async create(feed: NewFeed, options?: CreateOptions): Promise<Feed> {
    const body = {
      provider_config_key: feed.providerConfigKey,
      connection_id: feed.connectionId,
      resource: feed.resource,
      ...settingsOnTheWire(feed),
    };
    return feedOf(await this.#manage('createFeed', { body, options }));
  }

  /**
   * Feeds of the account, or of one connection, newest first.
   *
   * @example
   * const feeds = await client.feeds.list(connection);
   */
  async list(connection?: ConnectionRef, options?: CallOptions): Promise<Feed[]> {
    const feeds: Feed[] = [];
    let cursor: string | undefined;
    do {
      const query = {
        provider_config_key: connection?.providerConfigKey,
        connection_id: connection?.connectionId,
        cursor,
      };
      const answer = await this.#manage('listFeeds', { query, options });
      feeds.push(...fieldsList(answer.data, 'data').map(readFeed));
      cursor = optionalText(answer, 'next_cursor');
    } while (cursor !== undefined);
    return feeds;
  }

  /**
   * One feed, with its cursors and how it is.
   *
   * @example
   * const { state, cursors } = await client.feeds.get('fd_…');
   */
  async get(id: string, options?: CallOptions): Promise<Feed> {
    return feedOf(await this.#manage('getFeed', { ids: { feedId: id }, options }));
  }

  /**
   * Changes how a feed is delivered, how often it is pulled and whether changes have meanings.
   *
   * @example
   * await client.feeds.update('fd_…', { delivery: 'pull' });
   */
  async update(id: string, settings: FeedSettings, options?: CallOptions): Promise<Feed> {
    return feedOf(
      await this.#manage('updateFeed', { ids: { feedId: id }, body: settingsOnTheWire(settings), options }),
    );
  }

  /**
   * Stops the feed's channels and deletes it.
   *
   * @example
   * await client.feeds.delete('fd_…');
   */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#manage('deleteFeed', { ids: { feedId: id }, options });
  }

  /**
   * Has the feed pulled now.
   *
   * @example
   * await client.feeds.pull('fd_…');
   */
  async pull(id: string, options?: CallOptions): Promise<Feed> {
    return feedOf(await this.#manage('pullFeed', { ids: { feedId: id }, options }));
  }

  /**
   * Notes how far a consumer is; the feed shows its lag.
   *
   * @example
   * await client.feeds.moveCursor('fd_…', 'search-index', 42);
   */
  async moveCursor(id: string, name: string, sequence: number, options?: CallOptions): Promise<FeedCursor> {
    const answer = await this.#manage('moveFeedCursor', { ids: { feedId: id, name }, body: { sequence }, options });
    return readCursor(fieldsOf(answer.data, 'data'));
  }

  /**
   * Forgets a consumer’s place.
   *
   * @example
   * await client.feeds.deleteCursor('fd_…', 'search-index');
   */
  async deleteCursor(id: string, name: string, options?: CallOptions): Promise<void> {
    await this.#manage('deleteFeedCursor', { ids: { feedId: id, name }, options });
  }

  /**
   * The batches of a feed in order, as they arrive; ends only with `follow: false` or an aborted signal. With a cursor's name a batch
   * counts as done when the next one is asked for, so a process that dies in the middle of one gets it again. A place whose batches
   * have run out gives a batch of kind `gap`. A gateway that does not answer is asked again until it does, also at the start; an
   * address whose name is unknown or whose certificate is refused throws there. A paused feed has no batches; `onState` reports it.
   *
   * @example
   * for await (const batch of client.feeds.changes('fd_…', { cursor: 'search-index' })) console.log(batch.changes);
   */
  async *changes(id: string, options: ChangesOptions = {}): AsyncGenerator<FeedBatch, undefined, undefined> {
    const { cursor, follow = true, intervalMs = DEFAULT_INTERVAL_MS, onOutage, onState, ...call } = options;
    let wasReached = false;
    const untilAnswered = async <T>(ask: () => Promise<T>): Promise<T> => {
      for (let attempt = 0; ; attempt++) {
        try {
          const answer = await ask();
          wasReached = true;
          return answer;
        } catch (error) {
          // An address that has never answered is wrong if its name or its certificate shows that, else there is an outage.
          if (!(follow && isPassing(error) && (wasReached || !isWrongAddress(error)))) throw error;
          if (attempt === 0) onOutage?.(error);
          const askedMs = error instanceof GatewayError ? (error.retryAfterSec ?? 0) * 1000 : 0;
          await pause(Math.min(Math.max(intervalMs * 2 ** attempt, askedMs), LONGEST_PAUSE_MS), call.signal);
        }
      }
    };
    let done = options.after ?? 0;
    if (options.after === undefined && cursor !== undefined) {
      done = await untilAnswered(() => this.#placeOf(id, cursor, call));
    }
    let noted = done;
    const note = async () => {
      if (cursor === undefined || done === noted) return;
      await this.moveCursor(id, cursor, done, call);
      noted = done;
    };
    let standing: FeedStanding | undefined;
    try {
      for (;;) {
        const page = await untilAnswered(() => this.#page(id, done, call));
        if (page.standing?.state !== standing?.state || page.standing?.reason !== standing?.reason) {
          standing = page.standing;
          if (standing !== undefined) onState?.(standing);
        }
        for (const batch of page.batches) {
          yield batch;
          done = batch.sequence;
        }
        await untilAnswered(note);
        if (page.hasMore) continue;
        if (!follow) return undefined;
        await pause(intervalMs, call.signal);
      }
    } finally {
      // Left in the middle of a batch: those before it are done.
      if (call.signal?.aborted !== true) await note();
    }
  }

  async #placeOf(id: string, name: string, call: CallOptions): Promise<number> {
    const { cursors } = await this.get(id, call);
    return cursors.find((one) => one.name === name)?.sequence ?? 0;
  }

  async #page(
    id: string,
    after: number,
    options: CallOptions,
  ): Promise<{
    readonly batches: readonly FeedBatch[];
    readonly hasMore: boolean;
    readonly standing: FeedStanding | undefined;
  }> {
    try {
      const answer = await this.#manage('listFeedChanges', { ids: { feedId: id }, query: { after }, options });
      return {
        batches: fieldsList(answer.data, 'data').map(readBatch),
        hasMore: answer.has_more === true,
        standing: isFields(answer.feed) ? readStanding(answer.feed) : undefined,
      };
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'cursor_too_old') throw error;
      const { lastSequence: sequence, ...standing } = await this.get(id, options);
      const gap = { sequence, kind: 'gap', reason: error.code, storedAt: undefined, changes: [] } as const;
      return { batches: [gap], hasMore: false, standing };
    }
  }
}

/** Interval between polls: a change waits half of it on average. */
const DEFAULT_INTERVAL_MS = 1_000;

/** Between two attempts to reach a gateway that does not answer, or that asks for a longer pause. */
const LONGEST_PAUSE_MS = 60_000;

/** Whether the same request may succeed later: no answer, too many requests, or a failure on the gateway's side. */
function isPassing(error: unknown): boolean {
  if (error instanceof NetworkError || error instanceof TimeoutError) return true;
  // A proxy in front of an unavailable gateway answers with its own text.
  const status = error instanceof GatewayError || error instanceof UnexpectedAnswerError ? error.status : undefined;
  return status === 429 || (status ?? 0) >= 500;
}

/** Codes of Node and browsers' runtimes for unknown names and refused certificates. */
const WRONG_ADDRESS =
  /^(?:ENOTFOUND|ERR_TLS_CERT_ALTNAME_INVALID|CERT_HAS_EXPIRED|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER_CERT(?:_LOCALLY)?|VERIFY_LEAF_SIGNATURE))$/;

function isWrongAddress(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    if ('code' in one && typeof one.code === 'string' && WRONG_ADDRESS.test(one.code)) return true;
  }
  return false;
}

function settingsOnTheWire(settings: FeedSettings): Sent<wire.UpdateFeedBody> {
  const { delivery, safetyIntervalSec, pollIntervalSec, meaning, seen, reminders } = settings;
  const intervals = { safety_interval_sec: safetyIntervalSec, poll_interval_sec: pollIntervalSec };
  return { delivery, ...intervals, meaning, seen, reminders: reminders === undefined ? undefined : [...reminders] };
}

function feedOf({ data }: Unread<wire.FeedAnswer>): Feed {
  return readFeed(fieldsOf(data, 'data'));
}

/** A feed as an answer has it. @throws UnexpectedAnswerError */
export function readFeed(fields: Fields): Feed {
  return {
    id: text(fields, 'id'),
    providerConfigKey: text(fields, 'provider_config_key'),
    connectionId: text(fields, 'connection_id'),
    resource: text(fields, 'resource'),
    ...readStanding(fields),
    delivery: text(fields, 'delivery'),
    safetyIntervalSec: number(fields, 'safety_interval_sec'),
    pollIntervalSec: number(fields, 'poll_interval_sec'),
    meaning: fields.meaning === true,
    seen: fields.seen === true,
    reminders: Array.isArray(fields.reminders) ? fields.reminders.filter((one) => typeof one === 'number') : [],
    lastSequence: number(fields, 'last_sequence'),
    lastChangeAt: optionalText(fields, 'last_change_at'),
    lastPullAt: optionalText(fields, 'last_pull_at'),
    nextPullAt: text(fields, 'next_pull_at'),
    channelEndsAt: optionalText(fields, 'channel_ends_at'),
    failedAttempts: number(fields, 'failed_attempts'),
    behindSince: optionalText(fields, 'behind_since'),
    createdAt: text(fields, 'created_at'),
    managedBy: readManagedBy(fields),
    connectionName: optionalText(fields, 'connection_name'),
    lastMessageAt: optionalText(fields, 'last_message_at'),
    drives: Array.isArray(fields.drives) ? textList(fields, 'drives') : undefined,
    cursors: fields.cursors === undefined ? [] : fieldsList(fields.cursors, 'cursors').map(readCursor),
  };
}

function readStanding(fields: Fields): FeedStanding {
  return {
    state: text(fields, 'state'),
    reason: optionalText(fields, 'reason'),
    explanation: optionalText(fields, 'explanation'),
    remedy: optionalText(fields, 'remedy'),
  };
}

function readCursor(fields: Fields): FeedCursor {
  return {
    name: text(fields, 'name'),
    sequence: number(fields, 'sequence'),
    lag: number(fields, 'lag'),
    movedAt: text(fields, 'moved_at'),
  };
}

function readBatch(fields: Fields): FeedBatch {
  return {
    sequence: number(fields, 'sequence'),
    kind: fields.kind === 'gap' || fields.kind === 'starts' ? fields.kind : 'changes',
    reason: optionalText(fields, 'reason'),
    storedAt: optionalText(fields, 'stored_at'),
    changes: Array.isArray(fields.changes) ? fields.changes.filter(isFields).map(readChange) : [],
  };
}

function readChange(fields: Fields): FeedChange {
  return {
    id: text(fields, 'id'),
    kind: text(fields, 'kind'),
    removed: fields.removed === true,
    time: optionalText(fields, 'time'),
    mimeType: optionalText(fields, 'mime_type'),
    what: Array.isArray(fields.what) ? textList(fields, 'what') : undefined,
    subtree: fields.subtree === true,
    minutesBefore: optionalNumber(fields, 'minutes_before'),
  };
}

/** Waits; a signal ends it with its reason. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
