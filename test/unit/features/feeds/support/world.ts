import { AsyncLocalStorage } from 'node:async_hooks';
import type { Item } from '../../../../../dev/support/expression.ts';
import { MemoryTable } from '../../../../../dev/support/memory-table.ts';
import {
  type Feed,
  type FeedBatch,
  type FeedProgress,
  type FeedRef,
  type FeedSettings,
  feedShardOf,
  newProgress,
  startsShardOf,
} from '../../../../../lambdas/features/feeds/feed.rules.ts';
import {
  batchFromItem,
  feedFromItem,
  feedStore,
  feedToItem,
} from '../../../../../lambdas/features/feeds/feed.store.ts';
import { newFeedEvent } from '../../../../../lambdas/features/feeds/feed-event.ts';
import { BATCH_SK_PREFIX, feedItemKey, feedOfItemKey } from '../../../../../lambdas/features/feeds/feed-keys.store.ts';
import {
  type FeedCall,
  feedResourceText,
  parseFeedResource,
} from '../../../../../lambdas/features/feeds/feed-resource.rules.ts';
import { callOf, type FeedWish, readWish } from '../../../../../lambdas/features/feeds/feed-wish.rules.ts';
import {
  type FollowConnectionDependencies,
  followConnection,
} from '../../../../../lambdas/features/feeds/follow-connection.ts';
import { inboxStore } from '../../../../../lambdas/features/feeds/inbox.store.ts';
import type { CalledFeed, FeedAnswer, FeedStore } from '../../../../../lambdas/features/feeds/ports.ts';
import { takeMessage } from '../../../../../lambdas/features/feeds/take-message.ts';
import { type FeedTurn, workOnFeed } from '../../../../../lambdas/features/feeds/work-on-feed.ts';
import { sha256Hex, ulid } from '../../../../../lambdas/gateway/core/identifiers.ts';
import { eventFromItem } from '../../../../../lambdas/gateway/events/event.store.ts';
import type {
  LifecycleEvent,
  LifecycleEventType,
} from '../../../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { connectionRow, integrationRow } from '../../../management/support/rows.ts';

/** The process was killed: whatever it still tries fails the same way. */
export class Killed extends Error {}

/** A call has had its effect, and its answer was lost. The process lives on. */
export class AnswerLost extends Error {}

const NO_ANSWER = { kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined } as const;
const START_MS = Date.UTC(2026, 2, 1);
const ADDRESS = 'https://gateway.example/inbox/google/channel';

/** A channel as the provider keeps it. */
export interface Channel {
  readonly id: string;
  readonly token: string;
  readonly endsAtMs: number;
  /** Of several logs the one that it watches. */
  readonly log?: string | undefined;
}

/** Before a call has its effect, other processes take so many steps, and so much time passes. */
export interface Delay {
  readonly steps: number;
  readonly seconds: number;
}

/** What one turn meets, and no other. */
export interface Circumstances {
  /** How far its clock is ahead; negative: behind. */
  readonly skewMs: number;
  /** How long each of its next calls takes. */
  readonly delays: Delay[];
  /** None of its calls to the provider gets an answer. */
  readonly isCutOff: boolean;
}

/**
 * Google with one resource, the gateway's table, its processes and one consumer, under a clock that stands still until somebody moves
 * it. Everything happens in one thread, so a history is the same each time it is played.
 */
export class World {
  nowMs = START_MS;
  readonly memory = new MemoryTable();
  /** The table as nobody is killed at it. */
  readonly table = feedStore(this.memory.table);
  /** Methods of the store that do something else. */
  instead: Partial<FeedStore> = {};
  readonly metrics: string[] = [];
  /** The provider's things by id, with the version of each. */
  readonly things = new Map<string, number>();
  readonly #log: { readonly id: string; readonly at: number }[] = [];
  /** What each thing's times, answers and rest are; what is removed keeps its own. */
  readonly facets = new Map<string, EventFacets>();
  /** What was there at each change, by id and time of the change. */
  readonly history = new Map<string, EventFacets | undefined>();
  /** Places in the log below this are forgotten. */
  forgottenBelow = 0;
  readonly channels = new Map<string, Channel>();
  /** Messages on their way. */
  readonly messages: { readonly channel: Channel; readonly state: string }[] = [];
  readonly calls: FeedCall[] = [];
  grant: 'active' | 'dead' = 'active';
  account = 'account-1';
  /** What the next calls answer instead. */
  readonly script: (FeedAnswer | undefined)[] = [];
  channelLifeSec = 7 * 24 * 3600;
  #number = 1;
  /** Calls to the outside until the running process is killed; undefined: it lives. */
  killAfter: number | undefined;
  killBefore = false;
  /** Calls to the outside until the answer of one is lost, once; undefined: none is. */
  loseAnswerAfter: number | undefined;
  quotaUntil: number | undefined;
  isDayFilling = false;
  /** How many lists the quota was asked for at once. */
  readonly admitted: number[] = [];
  /** How long a process works that nobody gives another time. */
  budgetMs = 600_000;
  /** Feeds that were postponed because a request was refused for quota. */
  readonly blocked: string[] = [];
  pulling = 0;
  mostPulling = 0;
  readonly ref: FeedRef = { accountId: 'default', feedId: ulid(START_MS, new Uint8Array(10)) };
  /** What happens while a call to the provider is under way. */
  during: (() => void | Promise<void>) | undefined;
  /** How far the clocks of all processes are ahead that have no other; negative: behind. */
  skewMs = 0;
  readonly #circumstances = new AsyncLocalStorage<Circumstances>();
  /** Whether no lease can have run out under its holder. */
  isInOrder = true;

  constructor(resource = 'calendar:primary', settings: Partial<FeedSettings> = {}) {
    const parsed = parseFeedResource(resource);
    if (parsed === undefined) throw new Error(`No resource ${resource}`);
    const feed: Feed = {
      ...newProgress(Math.floor(START_MS / 1000)),
      delivery: 'bus',
      safetyIntervalSec: 6 * 3600,
      pollIntervalSec: 300,
      meaning: false,
      seen: false,
      reminders: [],
      ...settings,
      ...this.ref,
      connection: { accountId: 'default', integrationId: 'google-calendar', connectionId: 'c-1' },
      endUserId: undefined,
      resource: parsed,
      epoch: 0,
      lease: undefined,
      createdAt: new Date(START_MS).toISOString(),
    };
    this.#put(feed);
  }

  /** Another feed of the same connection, of which nothing has been read. */
  addFeed(resource: string, settings: Partial<FeedSettings> = {}): FeedRef {
    const parsed = parseFeedResource(resource);
    if (parsed === undefined) throw new Error(`No resource ${resource}`);
    const { accountId, connection } = this.feed;
    const feedId = ulid(this.nowMs, this.#bytes(10));
    const { delivery, safetyIntervalSec, pollIntervalSec, meaning, seen, reminders, endUserId } = this.feed;
    const usual = { delivery, safetyIntervalSec, pollIntervalSec, meaning, seen, reminders, endUserId };
    const progress = newProgress(Math.floor(this.nowMs / 1000));
    const createdAt = new Date(this.nowMs).toISOString();
    const own = {
      accountId,
      feedId,
      connection,
      resource: parsed,
      epoch: 0,
      lease: undefined,
      createdAt,
    };
    this.#put({ ...progress, ...usual, ...settings, ...own });
    return { accountId, feedId };
  }

  #put(feed: Feed): void {
    const { connection, resource, feedId } = feed;
    this.memory.put(feedToItem(feed));
    this.memory.put({ ...feedOfItemKey(connection, feedResourceText(resource)), type: 'feed_place', feedId });
  }

  get feed(): Feed {
    return this.feedOf(this.ref);
  }

  feedOf(ref: FeedRef): Feed {
    const item = this.memory.get(feedItemKey(ref));
    if (item === undefined) throw new Error('The feed is gone');
    return feedFromItem(item);
  }

  get batches(): FeedBatch[] {
    return [...this.memory.items.values()].filter(isBatch).map(batchFromItem);
  }

  get events(): LifecycleEvent[] {
    return this.memory
      .ofType('event')
      .filter((item) => !isBatch(item))
      .map(eventFromItem);
  }

  /** Changes or removes a file or event at the provider, and notifies every open channel. */
  change(id: string, removed = false): void {
    if (removed) this.things.delete(id);
    else this.things.set(id, (this.things.get(id) ?? 0) + 1);
    // No two changes have one time.
    const at = Math.max(this.nowMs, (this.#log.at(-1)?.at ?? 0) + 1);
    this.#log.push({ id, at });
    if (!removed) this.facets.set(id, nextFacets(this.facets.get(id), at));
    this.history.set(`${id} ${new Date(at).toISOString()}`, removed ? undefined : this.facets.get(id));
    for (const channel of this.channels.values()) {
      if (channel.endsAtMs > this.nowMs) this.messages.push({ channel, state: 'exists' });
    }
  }

  /** Google forgets every place in the history that it has named so far. */
  forgetHistory(): void {
    this.#log.push({ id: 'nothing', at: this.nowMs });
    this.forgottenBelow = this.#log.length;
  }

  /** Stores a batch as if it had been pulled long ago. */
  async store(sequence: number): Promise<void> {
    const storedAt = new Date(this.nowMs).toISOString();
    const batch = {
      sequence,
      kind: 'changes',
      reason: undefined,
      changes: [],
      storedAt,
      eventId: `batch-${sequence}`,
      requestId: '',
    } as const;
    await this.set({ sequence: sequence - 1 });
    await this.table.save({ ...this.feed, sequence }, { batches: [batch] });
  }

  /** An event about the feed, for a call of the store. */
  event(eventType: LifecycleEventType): LifecycleEvent {
    const random = { bytes: (length: number) => this.#bytes(length) };
    return newFeedEvent({ clock: this.#clock, random }, eventType, this.feed, { requestId: 'r' });
  }

  /** The grant lives, and nothing goes wrong any more. */
  calm(): void {
    this.grant = 'active';
    this.killAfter = undefined;
    this.loseAnswerAfter = undefined;
    this.during = undefined;
    this.script.length = 0;
    this.skewMs = 0;
  }

  /** Changes the feed's row. */
  async set(progress: Partial<FeedProgress>): Promise<void> {
    this.memory.put(feedToItem({ ...this.feed, ...progress }));
  }

  pass(seconds: number): void {
    this.nowMs += seconds * 1000;
  }

  /** Brings one message to the inbox; the wake-up it leads to is run where `wake` says so. */
  async deliver(index: number, options: { readonly wake: boolean; readonly keep?: boolean }): Promise<number> {
    const message = this.messages[index];
    if (message === undefined) return 0;
    if (options.keep !== true) this.messages.splice(index, 1);
    let woken: FeedRef | undefined;
    const answer = await this.#asProcess(() =>
      this.message(message.channel.id, message.channel.token, (ref) => {
        woken = ref;
      }),
    );
    if (woken !== undefined && options.wake) await this.work(false, this.budgetMs, false, woken);
    return answer ?? 0;
  }

  /** Status of a message with these headers. */
  async message(channelId: string, token: string, wake: (ref: FeedRef) => void = () => {}): Promise<number> {
    const deps = {
      inbox: inboxStore(this.#process()),
      clock: this.#clock,
      logger: silent,
      metrics: { count: () => undefined },
      wake: async (ref: FeedRef) => wake(ref),
    };
    try {
      const { status } = await takeMessage(deps, {
        method: 'POST',
        rawPath: '/inbox/google/channel',
        query: [],
        headers: [
          ['X-Goog-Channel-ID', channelId],
          ['X-Goog-Channel-Token', token],
          ['X-Goog-Resource-State', 'exists'],
        ],
        body: undefined,
        requestId: 'r',
        sourceIp: '192.0.2.1',
      });
      return status;
    } catch (error) {
      if (error instanceof Killed || error instanceof AnswerLost) throw error;
      return typeof error === 'object' && error !== null ? Number(Reflect.get(error, 'status')) : 0;
    }
  }

  /** One process works on the feed; undefined when it was killed on the way. */
  work(asked = false, budgetMs = this.budgetMs, starts = false, ref = this.ref): Promise<FeedTurn | undefined> {
    const request = { requestId: 'r', deadlineMs: this.#clock.nowMs() + budgetMs, asked, starts };
    return this.#asProcess(() => workOnFeed(this.dependencies(), ref, request));
  }

  /** What the sweep of reminders does for this feed. */
  async remind(): Promise<FeedTurn | undefined> {
    const nowSec = Math.floor(this.nowMs / 1000);
    const { refs } = await this.table.due(startsShardOf(this.ref.feedId), nowSec, 1, undefined);
    return refs.length > 0 ? this.work(false, this.budgetMs, true) : undefined;
  }

  /** What the sweep does for a feed: only what the index shows as due. */
  async sweep(ref = this.ref): Promise<FeedTurn | undefined> {
    const nowSec = Math.floor(this.nowMs / 1000);
    const { refs } = await this.table.due(feedShardOf(ref.feedId), nowSec, 100, undefined);
    const isDue = refs.some(({ feedId }) => feedId === ref.feedId);
    return isDue ? this.work(false, this.budgetMs, false, ref) : undefined;
  }

  async #asProcess<T>(run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Killed || error instanceof AnswerLost) return undefined;
      throw error;
    } finally {
      this.killAfter = undefined;
    }
  }

  /** The connection has changed, and one process has its feeds follow; undefined when it was killed on the way. */
  follow(id = `change-${this.#number++}`): Promise<number | undefined> {
    const { connection } = this.feed;
    return this.#asProcess(() => {
      const deps = this.dependencies();
      const request = { requestId: 'r', deadlineMs: this.#clock.nowMs() + 60_000 };
      return followConnection(deps, { connection, id }, request);
    });
  }

  dependencies(): FollowConnectionDependencies {
    const owner = `process-${this.#number++}`;
    return {
      feeds: { ...feedStore(this.#process()), ...this.instead },
      connections: this.#killable({
        read: async () => ({
          ...(await connectionRow({ connectionId: 'c-1', integrationId: 'google-calendar' })),
          status: this.grant === 'active' ? ('active' as const) : ('reauthorization_required' as const),
          providerAccount: { subject: this.account, email: null },
        }),
      }),
      integrations: this.#killable({
        get: async () => integrationRow({ integrationId: 'google-calendar', provider: 'google-calendar' }),
      }),
      caller: this.#killable({
        call: (called: CalledFeed, wish: FeedWish) => this.#answer(this.#callOf(called, wish)),
      }),
      isDayFilling: async () => this.isDayFilling,
      quota: {
        admit: async (_owner, _now, lists = 1) => {
          this.admitted.push(lists);
          return this.quotaUntil !== undefined && this.quotaUntil * 1000 > this.nowMs
            ? { reason: 'rate_limited', untilEpochSec: this.quotaUntil }
            : undefined;
        },
        block: async (_owner, level, until) => {
          this.blocked.push(level);
          this.quotaUntil = until;
        },
      },
      cipher: {
        encrypt: async (_context, text) => `sealed:${text}`,
        decrypt: async (_context, text) => text.replace('sealed:', ''),
      },
      clock: this.#clock,
      random: { bytes: (length) => this.#bytes(length), number: () => 0.5 },
      logger: silent,
      metrics: { count: (name) => this.metrics.push(name) },
      owner,
      pause: async (ms) => {
        this.nowMs += ms;
        await this.#delay();
      },
    };
  }

  /** The table as a process sees it. */
  #process() {
    return this.memory.through((call) => this.#outside(call));
  }

  /** A call that may be the last thing the process does, before or after its effect. */
  async #outside<T>(call: () => Promise<T>): Promise<T> {
    await this.#delay();
    const isLast = this.killAfter === 0;
    if (this.killAfter !== undefined && this.killAfter < 0) throw new Killed();
    if (this.killAfter !== undefined) this.killAfter -= 1;
    if (isLast && this.killBefore) throw new Killed();
    const result = await call();
    if (isLast) throw new Killed();
    if (this.loseAnswerAfter === undefined) return result;
    this.loseAnswerAfter -= 1;
    if (this.loseAnswerAfter >= 0) return result;
    this.loseAnswerAfter = undefined;
    throw new AnswerLost();
  }

  /** Runs a turn in circumstances of its own. */
  under<T>(circumstances: Circumstances, run: () => T): T {
    return this.#circumstances.run(circumstances, run);
  }

  async #delay(): Promise<void> {
    const { steps, seconds } = this.#circumstances.getStore()?.delays.shift() ?? { steps: 0, seconds: 0 };
    for (let step = 0; step < steps; step++) await Promise.resolve();
    this.pass(seconds);
  }

  readonly #clock = {
    nowMs: () => this.nowMs + (this.#circumstances.getStore()?.skewMs ?? this.skewMs),
  };

  #killable<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => this.#outside(async () => value.apply(target, args));
      },
    });
  }

  /** What another provider than a calendar answers; undefined for what this one does. */
  protected provide(_url: URL, _call: FeedCall): FeedAnswer | undefined {
    return undefined;
  }

  /** The call of a wish, which is read first as the function that makes calls reads it. */
  #callOf({ feed }: CalledFeed, wish: FeedWish): FeedCall {
    const read = readWish(JSON.parse(JSON.stringify(wish)));
    const call = read && callOf(feed.resource, read, { inboxAddress: ADDRESS, nowMs: this.#clock.nowMs() });
    if (call === undefined) throw new Error(`No feed of ${feed.resource.kind} makes this call: ${wish.kind}`);
    return call;
  }

  async #answer(call: FeedCall): Promise<FeedAnswer> {
    this.calls.push(call);
    const isCutOff = this.#circumstances.getStore()?.isCutOff === true;
    const scripted = isCutOff ? NO_ANSWER : this.script.shift();
    if (scripted !== undefined) return scripted;
    if (this.grant === 'dead') return { kind: 'dead' };
    const url = new URL(call.path, 'https://google.example');
    const provided = this.provide(url, call);
    if (provided !== undefined) {
      // Others may run now.
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      await this.during?.();
      return provided;
    }
    if (url.pathname.endsWith('/watch')) return this.#watch(call);
    if (url.pathname.endsWith('/channels/stop')) return this.#stop(call);
    this.pulling += 1;
    this.mostPulling = Math.max(this.mostPulling, this.pulling);
    try {
      const syncToken = url.searchParams.get('syncToken');
      // Others may run now.
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      if (syncToken === null) {
        const token = this.#token(this.#log.length);
        await this.during?.();
        return { kind: 'ok', body: { nextSyncToken: token } };
      }
      const answer = this.#list(syncToken, url.searchParams.get('pageToken'));
      await this.during?.();
      return answer;
    } finally {
      this.pulling -= 1;
    }
  }

  #token(place: number): string {
    return `${this.account}@${place}`;
  }

  #list(token: string, page: string | null): FeedAnswer {
    const [account, place = ''] = token.split('@');
    const from = page === null ? Number(place) : Number(page);
    if (account !== this.account || from < this.forgottenBelow) {
      return { kind: 'refusal', refusal: 'expired', status: 410, retryAfterSec: undefined };
    }
    // Each thing once with its last state, in the order of the log, three to a page.
    const rest = this.#log.slice(from);
    const last = new Map(rest.map(({ id }, index) => [id, index]));
    const shown = rest.map((entry, index) => ({ ...entry, index })).filter(({ id, index }) => last.get(id) === index);
    const items = shown.slice(0, 3).map(({ id, at }) => ({
      id,
      status: this.things.has(id) ? 'confirmed' : 'cancelled',
      updated: new Date(at).toISOString(),
      ...(this.things.has(id) ? shownFacets(this.facets.get(id)) : {}),
    }));
    const next = shown[3];
    return {
      kind: 'ok',
      body:
        next === undefined
          ? { items, nextSyncToken: this.#token(this.#log.length) }
          : { items, nextPageToken: String(from + next.index) },
    };
  }

  #watch({ body = {} }: FeedCall): FeedAnswer {
    const id = String(body.id);
    const endsAtMs = this.nowMs + this.channelLifeSec * 1000;
    this.channels.set(id, { id, token: String(body.token), endsAtMs });
    return { kind: 'ok', body: { resourceId: 'resource', expiration: String(endsAtMs) } };
  }

  #stop({ body = {} }: FeedCall): FeedAnswer {
    const known = this.channels.delete(String(body.id));
    return known
      ? { kind: 'ok', body: undefined }
      : { kind: 'refusal', refusal: 'refused', status: 404, retryAfterSec: undefined };
  }

  #counter = 0;
  #bytes(length: number): Uint8Array {
    const digest = Buffer.from(sha256Hex(`bytes ${this.#counter++}`), 'hex');
    return Uint8Array.from({ length }, (_, index) => digest[index % digest.length] ?? 0);
  }
}

function isBatch({ sk }: Item): boolean {
  return `${sk}`.startsWith(BATCH_SK_PREFIX);
}

/** Parts of an event by what they are now. */
export interface EventFacets {
  readonly madeAtMs: number;
  readonly changes: number;
  readonly times: number;
  readonly answer: string;
  readonly rest: number;
}

const ANSWERS: readonly string[] = ['accepted', 'declined', 'tentative'];

/** The next change of an event: of its times, its answers, two of its parts, or nothing that anybody names. */
function nextFacets(before: EventFacets | undefined, at: number): EventFacets {
  if (before === undefined) return { madeAtMs: at, changes: 0, times: 0, answer: 'accepted', rest: 0 };
  const changes = before.changes + 1;
  const kind = changes % 5;
  const answers = ANSWERS.indexOf(before.answer) + (kind === 2 || kind === 4 ? 1 : 0);
  return {
    ...before,
    changes,
    times: before.times + (kind === 1 ? 1 : 0),
    answer: ANSWERS[answers % ANSWERS.length] ?? 'accepted',
    rest: before.rest + (kind === 3 || kind === 4 ? 1 : 0),
  };
}

function shownFacets(facets: EventFacets | undefined): object {
  if (facets === undefined) return {};
  return {
    created: new Date(facets.madeAtMs).toISOString(),
    start: { dateTime: `2026-03-01T${facets.times}` },
    summary: `title ${facets.rest}`,
    attendees: [{ email: 'guest@example.com', responseStatus: facets.answer }],
  };
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A consumer that follows the rules of docs/changes.md: a copy of the provider's things, by asking for what batches name. */
export class Mirror {
  readonly #world: World;
  readonly copy = new Map<string, number>();
  done = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Lists everything; what is not there any more goes. */
  listAll(): void {
    this.copy.clear();
    for (const [id, version] of this.#world.things) this.copy.set(id, version);
  }

  async read(): Promise<void> {
    const batches = await this.#world.table.batches(this.#world.ref, this.done, 1_000, 0);
    for (const batch of batches) {
      if (batch.sequence !== this.done + 1) throw new Error(`Batch ${batch.sequence} came behind ${this.done}`);
      if (batch.kind === 'gap') this.listAll();
      for (const { id } of batch.changes) {
        const version = this.#world.things.get(id);
        if (version === undefined) this.copy.delete(id);
        else this.copy.set(id, version);
      }
      this.done = batch.sequence;
    }
  }
}
