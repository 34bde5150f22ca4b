import { describe, expect, test } from 'vitest';
import type { AnsweredCall, AskedCall } from '../../../../lambdas/features/feeds/asked-call.rules.ts';
import { askingCaller, openableFeeds } from '../../../../lambdas/features/feeds/asking-caller.ts';
import type { Feed } from '../../../../lambdas/features/feeds/feed.rules.ts';
import type { FeedWish } from '../../../../lambdas/features/feeds/feed-wish.rules.ts';
import {
  FEED_CALLS_GATHER_MS,
  FEED_CALLS_PER_QUESTION,
  FEED_WAITING_LOOK_MS,
} from '../../../../lambdas/features/feeds/limits.rules.ts';
import type { FeedAnswer, FeedCallCount, FeedStore } from '../../../../lambdas/features/feeds/ports.ts';
import { isUnreadableRow } from '../../../../lambdas/gateway/connections/find-connection.ts';
import type { DoorQuestion, InnerDoor } from '../../../../lambdas/gateway/core/door.ts';
import { jsonAnswer } from '../../../../lambdas/gateway/core/door.ts';
import { GatewayError } from '../../../../lambdas/gateway/core/errors.ts';
import { connectionRow, integrationRow } from '../../management/support/rows.ts';

const LIST: FeedWish = { kind: 'list', token: 't' };
const MADE = { method: 'GET', target: '/x', status: 200, bytesIn: 0, bytesOut: 9, startedAtMs: 1, endedAtMs: 7 };

/** A question that waits for its answer. */
interface Question {
  readonly calls: readonly AskedCall[];
  readonly withinMs: number;
  readonly answer: (outcomes: readonly AnsweredCall<FeedAnswer>[]) => void;
  readonly fail: (error: unknown) => void;
}

function open() {
  const questions: Question[] = [];
  const counted: Parameters<FeedCallCount['made']>[0][] = [];
  const learned: unknown[] = [];
  const time = { nowMs: 5 };
  const pauses = new Map<number, () => void>();
  const door: InnerDoor = ({ input, withinMs }) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof jsonAnswer>>();
    questions.push({
      calls: (input as { calls: AskedCall[] }).calls,
      withinMs,
      answer: (outcomes) => {
        const { headers, ...answer } = jsonAnswer(outcomes);
        resolve({ ...answer, headers: [...headers, ['date', 'then']] });
      },
      fail: reject,
    });
    return promise as ReturnType<InnerDoor>;
  };
  const caller = askingCaller({
    door,
    counted: { made: (made) => counted.push(made) },
    clock: { nowMs: () => time.nowMs },
    pause: (ms) => new Promise((resolve) => void pauses.set(ms, resolve)),
    learnFrom: (date) => learned.push(date),
    inboxAddress: 'https://gateway.example/inbox/google/channel',
  });
  const call = async (wish = LIST, endByMs = 100_005) => {
    const resource = { kind: 'calendar', id: 'primary' } as const;
    const connection = await connectionRow({ connectionId: 'c-1', integrationId: 'google-calendar' });
    const integration = integrationRow({ integrationId: 'google-calendar', provider: 'google-calendar' });
    const ref = { accountId: 'default', integrationId: 'google-calendar', connectionId: 'c-1' };
    const feed = { accountId: 'default', feedId: 'f-1', connection: ref, resource };
    return caller.call({ feed, connection, integration, requestId: 'r-1', endByMs }, wish);
  };
  /** Lets all work happen that waits for nothing. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const gather = async () => {
    await settle();
    pauses.get(FEED_CALLS_GATHER_MS)?.();
    await settle();
  };
  /** Lets time pass, and the caller look at what waits. */
  const pass = async (ms: number) => {
    time.nowMs += ms;
    pauses.get(FEED_WAITING_LOOK_MS)?.();
    await settle();
  };
  return { questions, counted, learned, call, gather, pass, settle };
}

const ok = (body: unknown): AnsweredCall<FeedAnswer> => ({ made: [MADE], answer: { kind: 'ok', body } });

describe('calls that are asked of another function', () => {
  test('TB-5: fifty calls are two questions, and what comes meanwhile waits for the end of one, however long each takes', async () => {
    const asking = open();
    const calls = Array.from({ length: 2 * FEED_CALLS_PER_QUESTION + 1 }, () => asking.call());
    await asking.gather();
    const sizes = () => asking.questions.map(({ calls: some }) => some.length);
    expect(sizes()).toEqual([FEED_CALLS_PER_QUESTION, FEED_CALLS_PER_QUESTION]);
    asking.questions[1]?.answer(Array.from({ length: FEED_CALLS_PER_QUESTION }, () => ok('second')));
    await asking.settle();
    expect(sizes()).toEqual([FEED_CALLS_PER_QUESTION, FEED_CALLS_PER_QUESTION, 1]);
    asking.questions[0]?.answer(Array.from({ length: FEED_CALLS_PER_QUESTION }, () => ok('first')));
    asking.questions[2]?.answer([ok('third')]);
    const bodies = (await Promise.all(calls)).map((answer) => (answer.kind === 'ok' ? answer.body : answer.kind));
    expect([bodies[0], bodies[FEED_CALLS_PER_QUESTION], bodies.at(-1)]).toEqual(['first', 'second', 'third']);
    expect(asking.counted).toHaveLength(calls.length);
  });

  test('a look for reminders waits for the end of a question, and for no crowd of other calls', async () => {
    const asking = open();
    const calls = Array.from({ length: 3 * FEED_CALLS_PER_QUESTION }, () => asking.call());
    await asking.gather();
    const reminder = asking.call({ kind: 'starts', fromMs: 0, toMs: 1 });
    await asking.settle();
    asking.questions[0]?.answer(Array.from({ length: FEED_CALLS_PER_QUESTION }, () => ok('first')));
    await asking.settle();
    expect(asking.questions[2]?.calls.map(({ wish }) => wish.kind).slice(0, 2)).toEqual(['starts', 'list']);
    asking.questions[2]?.answer(Array.from({ length: FEED_CALLS_PER_QUESTION }, (_, index) => ok(index)));
    expect(await reminder).toEqual({ kind: 'ok', body: 0 });
    expect(calls).toHaveLength(3 * FEED_CALLS_PER_QUESTION);
  });

  test('a question says of which feed and account a call is and what it wants, and no request and nothing sealed', async () => {
    const asking = open();
    const answer = asking.call();
    await asking.gather();
    expect(asking.questions[0]?.calls).toEqual([
      {
        ...{ accountId: 'default', feedId: 'f-1', integrationId: 'google-calendar', connectionId: 'c-1' },
        ...{ subject: 'subject-of-c-1', resource: 'calendar:primary', wish: LIST, withinMs: 27_000 },
      },
    ]);
    asking.questions[0]?.answer([ok(1)]);
    await answer;
  });

  test('TB-9: every request that an answer reports is counted for its connection, with its own times, and the clock gets the date', async () => {
    const asking = open();
    const answer = asking.call();
    await asking.gather();
    asking.questions[0]?.answer([{ made: [{ ...MADE, status: 401 }, MADE], answer: { kind: 'ok', body: 1 } }]);
    expect(await answer).toEqual({ kind: 'ok', body: 1 });
    const { connectionId } = asking.counted[0]?.connection ?? {};
    expect(asking.counted.map(({ status, endedAtMs }) => [status, endedAtMs])).toEqual([
      [401, 7],
      [200, 7],
    ]);
    expect([connectionId, asking.learned]).toEqual(['c-1', ['then']]);
  });

  test('TB-4: a question ends with the last of its calls, and gives each the time that is left of its own', async () => {
    const asking = open();
    const answers = [asking.call(LIST, 8_005), asking.call(LIST, 12_005)];
    await asking.gather();
    expect(asking.questions.map(({ withinMs }) => withinMs)).toEqual([12_000]);
    expect(asking.questions[0]?.calls.map(({ withinMs }) => withinMs)).toEqual([7_000, 11_000]);
    asking.questions[0]?.answer([ok(1), ok(2)]);
    await Promise.all(answers);
  });

  test('TB-4: a call that waits for a question is put off in time, unsent, where its time ends first', async () => {
    const asking = open();
    const first = Array.from({ length: 2 * FEED_CALLS_PER_QUESTION }, () => asking.call());
    await asking.gather();
    const [late, patient] = [asking.call(LIST, 8_005), asking.call(LIST, 60_005)];
    await asking.gather();
    const outcomes: unknown[] = [];
    late.then((answer) => outcomes.push(answer));
    await asking.pass(4_000);
    expect(outcomes).toEqual([]);
    await asking.pass(1_500);
    expect(outcomes).toEqual([{ kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined }]);
    for (const question of asking.questions.slice()) question.answer(question.calls.map(() => ok(1)));
    await Promise.all(first);
    expect(asking.questions[2]?.calls.map(({ withinMs }) => withinMs)).toEqual([27_000]);
    asking.questions[2]?.answer([ok('patient')]);
    expect(await patient).toEqual({ kind: 'ok', body: 'patient' });
  });

  test('TB-4: calls whose answers had no room are asked for again', async () => {
    const asking = open();
    const answers = [asking.call(), asking.call()];
    await asking.gather();
    asking.questions[0]?.answer([{ made: [MADE] }, ok('small')]);
    await asking.settle();
    expect(asking.questions[1]?.calls).toHaveLength(1);
    asking.questions[1]?.answer([ok('large')]);
    expect(await Promise.all(answers)).toEqual([
      { kind: 'ok', body: 'large' },
      { kind: 'ok', body: 'small' },
    ]);
    expect(asking.counted).toHaveLength(3);
  });

  test.each([
    ['no process is free', { applied: 'no', retryAfterSec: 7 } as const, 7, 0],
    ['the answer is lost', { applied: 'unknown' } as const, undefined, 1],
  ])('TB-4: where %s, the call is put off and not repeated', async (_, details, retryAfterSec, requests) => {
    const asking = open();
    const answer = asking.call();
    await asking.gather();
    asking.questions[0]?.fail(new GatewayError('service_unavailable', 'Busy.', details));
    expect(await answer).toEqual({ kind: 'unavailable', reason: 'service_unavailable', retryAfterSec });
    expect([asking.questions.length, asking.counted.length]).toEqual([1, requests]);
  });

  test('a failure of the other function is one of this call, under its own name', async () => {
    const asking = open();
    const [one, other] = [asking.call(), asking.call()];
    await asking.gather();
    asking.questions[0]?.answer([{ made: [], failed: 'UnreadableItemError' }, ok(1)]);
    expect(isUnreadableRow(await one.catch((error: unknown) => error))).toBe(true);
    expect(await other).toMatchObject({ kind: 'ok' });
    const third = asking.call();
    await asking.gather();
    asking.questions[1]?.fail(new TypeError('not allowed'));
    await expect(third).rejects.toThrow('not allowed');
  });
});

describe('values that 0.2.0 sealed', () => {
  const seals = (first: string, after: string) => {
    const asked: DoorQuestion[] = [];
    let isAgain = false;
    const sealed = () => (isAgain ? after : first);
    const door: InnerDoor = async (question) => {
      asked.push(question);
      isAgain = true;
      return jsonAnswer({ count: 1 }) as Awaited<ReturnType<InnerDoor>>;
    };
    const store = {
      read: async () => ({ encryptedCursor: sealed() }),
      logs: async () => [{ encryptedCursor: sealed() }],
      statesKey: async () => sealed(),
      folders: async () => [{ listing: undefined }, { listing: sealed() }],
    } as unknown as FeedStore;
    return { asked, feeds: openableFeeds(store, door) };
  };
  const ref = { accountId: 'default', feedId: 'f-1' };

  test.each(['logs', 'statesKey', 'folders'] as const)(
    'CR-1: %s under keys of tokens are sealed again by the other function and read once more, and others are not',
    async (name) => {
      const { asked, feeds } = seals('v1.1.x', 'cu.1.x');
      expect(JSON.stringify(await feeds[name](ref))).toContain('cu.1.x');
      expect(asked.map(({ operation, input }) => [operation, input])).toEqual([['seal', ref]]);
      const recent = seals('cu.1.x', '');
      await recent.feeds[name](ref);
      expect(recent.asked).toEqual([]);
    },
  );

  test('CR-1: the position of a leased feed under a key of tokens is sealed again and read once more', async () => {
    const { asked, feeds } = seals('v1.1.x', 'cu.1.x');
    expect(await feeds.position({ ...ref, encryptedCursor: 'v1.1.x' } as Feed)).toBe('cu.1.x');
    expect(await feeds.position({ ...ref, encryptedCursor: 'cu.1.y' } as Feed)).toBe('cu.1.y');
    expect(asked).toHaveLength(1);
  });
});
