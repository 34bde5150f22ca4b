import { doorJson, type InnerDoor } from '../../gateway/core/door.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import { headerValue, type MadeRequest } from '../../gateway/core/http-message.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import { isUnderKeyOfTokens } from '../../gateway/core/sealed-fields.ts';
import type { AnsweredCall, AskedCall } from './asked-call.rules.ts';
import type { FeedRef } from './feed.rules.ts';
import { feedResourceText } from './feed-resource.rules.ts';
import { callOf, type FeedWish } from './feed-wish.rules.ts';
import {
  FEED_ANSWER_RESERVE_MS,
  FEED_CALL_LEAST_MS,
  FEED_CALLS_GATHER_MS,
  FEED_CALLS_PER_QUESTION,
  FEED_QUESTION_WITHIN_MS,
  FEED_QUESTIONS_AT_ONCE,
  FEED_WAITING_LOOK_MS,
} from './limits.rules.ts';
import type { CalledFeed, FeedAnswer, FeedCallCount, FeedCaller, FeedStore } from './ports.ts';

export interface AskingDependencies {
  /** Of the function that makes the calls. */
  readonly door: InnerDoor;
  readonly counted: FeedCallCount;
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
  /** Corrects the clock by the time that the other function has from the provider. */
  readonly learnFrom: (date: string | undefined) => void;
  readonly inboxAddress: string;
}

interface Waiting {
  readonly called: CalledFeed;
  readonly wish: FeedWish;
  readonly answered: (answer: FeedAnswer) => void;
  readonly failed: (error: unknown) => void;
}

/** The other function could not make a call because the gateway itself failed; its log has the details. */
class CallFailed extends Error {
  constructor(name: string) {
    super('The function that makes the calls of feeds failed');
    this.name = name;
  }
}

/**
 * Has calls of feeds made by another function, several with one question: this one opens no token (TB-5). Each call is counted here, with
 * the requests that the other function reports.
 */
export function askingCaller(deps: AskingDependencies): FeedCaller {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let isGathering = false;
  let isWatching = false;

  /** Postpones calls whose deadline passes before a question has room for them (TB-4). */
  const dropLate = (): void => {
    const nowMs = deps.clock.nowMs();
    const kept = waiting.splice(0).filter((one) => {
      const isLate = one.called.endByMs - nowMs < FEED_CALL_LEAST_MS + FEED_ANSWER_RESERVE_MS;
      if (isLate) one.answered({ kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined });
      return !isLate;
    });
    waiting.push(...kept);
  };

  const watchWaiting = async (): Promise<void> => {
    if (isWatching) return;
    isWatching = true;
    while (waiting.length > 0) {
      await deps.pause(FEED_WAITING_LOOK_MS);
      dropLate();
    }
    isWatching = false;
  };

  const sendSome = (): void => {
    dropLate();
    while (underWay < FEED_QUESTIONS_AT_ONCE && waiting.length > 0) {
      underWay += 1;
      void ask(waiting.splice(0, FEED_CALLS_PER_QUESTION)).finally(() => {
        underWay -= 1;
        sendSome();
      });
    }
    void watchWaiting();
  };

  const gather = async (): Promise<void> => {
    if (isGathering) return;
    isGathering = true;
    await deps.pause(FEED_CALLS_GATHER_MS);
    isGathering = false;
    sendSome();
  };

  const ask = async (some: readonly Waiting[]): Promise<void> => {
    const nowMs = deps.clock.nowMs();
    const withinMs = Math.min(FEED_QUESTION_WITHIN_MS, Math.max(...some.map(({ called }) => called.endByMs)) - nowMs);
    const calls = some.map((one) =>
      asked(one, Math.min(withinMs, one.called.endByMs - nowMs) - FEED_ANSWER_RESERVE_MS),
    );
    const requestId = some[0]?.called.requestId ?? '';
    try {
      const answer = await deps.door({ operation: 'calls', input: { calls }, requestId, withinMs });
      deps.learnFrom(headerValue(answer.headers, 'date'));
      const answers = doorJson(answer) as readonly AnsweredCall<FeedAnswer>[];
      const leftOut = some.filter((one, index) => !settle(one, answers[index]));
      // The other function answers at least one, so this ends.
      waiting.unshift(...leftOut);
    } catch (error) {
      const answer = unavailable(error);
      for (const one of some) {
        if (answer === undefined) one.failed(error);
        else {
          if (mayHaveBeenMade(error)) countUnknown(one);
          one.answered(answer);
        }
      }
    }
  };

  /** @returns false where the call is to be asked for again */
  const settle = (one: Waiting, outcome: AnsweredCall<FeedAnswer> | undefined): boolean => {
    if (outcome === undefined) one.failed(new Error('An answer without one of its calls'));
    for (const made of outcome?.made ?? []) count(one, made);
    if (outcome?.failed !== undefined) one.failed(new CallFailed(outcome.failed));
    else if (outcome?.answer !== undefined) one.answered(outcome.answer);
    else return outcome === undefined;
    return true;
  };

  const count = ({ called: { connection, integration } }: Waiting, made: MadeRequest): void => {
    deps.counted.made({ connection, provider: integration.provider, quota: integration.quota, ...made });
  };

  /** The answer of a question was lost: its request may have reached the provider. */
  const countUnknown = (one: Waiting): void => {
    const startedAtMs = deps.clock.nowMs();
    const call = callOf(one.called.feed.resource, one.wish, { inboxAddress: deps.inboxAddress, nowMs: startedAtMs });
    if (call === undefined) return;
    count(one, { method: call.method, target: call.path, status: undefined, bytesIn: 0, bytesOut: 0, startedAtMs });
  };

  return {
    call(called, wish) {
      const { promise, resolve, reject } = Promise.withResolvers<FeedAnswer>();
      const one: Waiting = { called, wish, answered: resolve, failed: reject };
      // A reminder has its minute: no crowd of other calls goes first.
      if (wish.kind === 'starts') waiting.unshift(one);
      else waiting.push(one);
      gather().catch(reject);
      return promise;
    },
  };
}

function asked({ called: { feed, connection }, wish }: Waiting, withinMs: number): AskedCall {
  const { accountId, feedId, resource } = feed;
  const { integrationId, connectionId } = feed.connection;
  const subject = connection.providerAccount?.subject;
  const ref = { accountId, feedId, integrationId, connectionId };
  return { ...ref, subject, resource: feedResourceText(resource), wish, withinMs };
}

/** The answer to calls whose question had none; undefined for a failure of the gateway itself. */
function unavailable(error: unknown): FeedAnswer | undefined {
  if (!(error instanceof GatewayError) || error.applied === undefined) return undefined;
  return { kind: 'unavailable', reason: error.code, retryAfterSec: error.retryAfterSec };
}

function mayHaveBeenMade(error: unknown): boolean {
  return error instanceof GatewayError && error.applied === 'unknown';
}

/**
 * A store whose sealed values this function can open: where 0.2.0 sealed one under a key of tokens, the other function is asked to seal
 * all of the feed's again, and they are read once more.
 */
export function openableFeeds<Store extends FeedStore>(store: Store, door: InnerDoor): Store {
  const sealAgain = async ({ accountId, feedId }: FeedRef): Promise<void> => {
    const input = { accountId, feedId };
    doorJson(await door({ operation: 'seal', input, requestId: `seal-${feedId}`, withinMs: FEED_QUESTION_WITHIN_MS }));
  };
  const openable = async <Found>(
    ref: FeedRef,
    read: () => Promise<Found>,
    sealedIn: (found: Found) => readonly (string | undefined)[],
  ): Promise<Found> => {
    const found = await read();
    if (!sealedIn(found).some((sealed) => sealed !== undefined && isUnderKeyOfTokens(sealed))) return found;
    await sealAgain(ref);
    return read();
  };
  return {
    ...store,
    async position(feed) {
      const { encryptedCursor } = feed;
      if (encryptedCursor === undefined || !isUnderKeyOfTokens(encryptedCursor)) return encryptedCursor;
      await sealAgain(feed);
      return (await store.read(feed))?.encryptedCursor;
    },
    logs: (ref) =>
      openable(
        ref,
        () => store.logs(ref),
        (logs) => logs.map(({ encryptedCursor }) => encryptedCursor),
      ),
    statesKey: (ref) =>
      openable(
        ref,
        () => store.statesKey(ref),
        (key) => [key],
      ),
    folders: (ref) =>
      openable(
        ref,
        () => store.folders(ref),
        (folders) => folders.map(({ listing }) => listing),
      ),
  };
}
