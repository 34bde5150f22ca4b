import { describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../../dev/support/memory-table.ts';
import { type AnswerCallsDependencies, answerCalls } from '../../../../lambdas/features/feeds/answer-calls.ts';
import type { AnsweredCall } from '../../../../lambdas/features/feeds/asked-call.rules.ts';
import { feedItemKey, feedOfItemKey } from '../../../../lambdas/features/feeds/feed-keys.store.ts';
import { feedPlaces } from '../../../../lambdas/features/feeds/feed-places.store.ts';
import { parseFeedResource } from '../../../../lambdas/features/feeds/feed-resource.rules.ts';
import { feedSeals } from '../../../../lambdas/features/feeds/feed-seals.store.ts';
import { callOf, type FeedWish, readWish } from '../../../../lambdas/features/feeds/feed-wish.rules.ts';
import { FEED_ANSWERS_MAX_BYTES, FEED_CALLS_PER_QUESTION } from '../../../../lambdas/features/feeds/limits.rules.ts';
import type { CalledFeed, FeedAnswer } from '../../../../lambdas/features/feeds/ports.ts';
import { sealAgain } from '../../../../lambdas/features/feeds/seal-again.ts';
import { cursorContext, statesKeyContext } from '../../../../lambdas/features/feeds/sealed-places.rules.ts';
import { doorJson } from '../../../../lambdas/gateway/core/door.ts';
import type { CipherContext } from '../../../../lambdas/gateway/core/ports.ts';
import { systemRandom } from '../../../../lambdas/gateway/platform/clock.ts';
import { type DataKeys, tokenCipher } from '../../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { refreshTokenContext } from '../../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { connectionRow, integrationRow } from '../../management/support/rows.ts';

const REF = { accountId: 'default', integrationId: 'google-drive', connectionId: 'c-1' };
const context = { requestId: 'r-1', waitUntil: () => {} };
const logger = { info: () => {}, warn: () => {}, error: () => {} };
const AT = { inboxAddress: 'https://gateway.example/inbox/google/channel', nowMs: Date.UTC(2026, 2, 1) };

type Call = (called: CalledFeed, wish: FeedWish) => Promise<FeedAnswer>;

/** The function with a table that has one feed of `drives`, and calls that get the given answer. */
function open(call: Call = async () => ({ kind: 'ok', body: 1 }), of: Partial<AnswerCallsDependencies> = {}) {
  const memory = new MemoryTable();
  memory.put({ ...feedOfItemKey(REF, 'drives'), type: 'feed_place', accountId: 'default', feedId: 'f-1' });
  const made: [CalledFeed, FeedWish][] = [];
  const operation = answerCalls({
    places: feedPlaces(memory.table),
    connections: { read: (ref) => connectionRow(ref) },
    integrations: { get: async () => integrationRow({ integrationId: 'google-drive' }) },
    callerFor: (counted) => ({
      async call(called, wish) {
        made.push([called, wish]);
        const { connection } = called;
        const request = { method: 'GET', target: '/x', status: 200, bytesIn: 0, bytesOut: 1, startedAtMs: 1 };
        counted.made({ connection, provider: 'google-drive', quota: undefined, ...request });
        return call(called, wish);
      },
    }),
    clock: { nowMs: () => AT.nowMs },
    logger,
    ...of,
  });
  const asked = (more: object = {}) => ({
    ...REF,
    feedId: 'f-1',
    resource: 'drives',
    wish: { kind: 'drives' },
    ...more,
  });
  const ask = async (...calls: readonly object[]) => {
    const answer = await operation({ calls }, context, () => {});
    return {
      answers: doorJson(answer as Parameters<typeof doorJson>[0]) as AnsweredCall<FeedAnswer>[],
      headers: Object.fromEntries(answer.headers),
      bytes: (answer.body as Uint8Array).length,
    };
  };
  return { made, asked, ask };
}

describe('the function that makes the calls of feeds', () => {
  test('TB-3: makes the call of a feed whose place says so, and reports its requests and the time', async () => {
    const { asked, ask, made } = open();
    const { answers, headers } = await ask(asked());
    expect(answers).toEqual([
      { made: [expect.objectContaining({ target: '/x', endedAtMs: AT.nowMs })], answer: { kind: 'ok', body: 1 } },
    ]);
    expect(JSON.stringify(answers)).not.toMatch(/access-of|refresh-of|sealed\./);
    expect(headers.date).toBe('Sun, 01 Mar 2026 00:00:00 GMT');
    expect(made[0]?.[0].connection.connectionId).toBe('c-1');
  });

  test.each([
    ['its own', 7_000, 7_000],
    ['that of a question where it has none', undefined, 27_000],
    ['at most that of a question', 900_000, 27_000],
    ['that of a question where it is no time', -1, 27_000],
  ])('TB-4: a call ends within %s', async (_, withinMs, expected) => {
    const { asked, ask, made } = open();
    await ask(asked({ withinMs }));
    expect(made[0]?.[0].endByMs).toBe(AT.nowMs + expected);
  });

  test.each([
    ['of another feed', { feedId: 'f-2' }],
    ['of another resource', { resource: 'drive' }],
    ['at another connection', { connectionId: 'c-2' }],
    ['at another integration', { integrationId: 'other' }],
    ['of another account', { accountId: 'other' }],
  ])('TB-3: a call %s than the place names is not made', async (_, other) => {
    const { asked, ask, made } = open();
    const { answers } = await ask(asked(other));
    expect(answers[0]?.answer).toEqual({ kind: 'unavailable', reason: 'feed_gone' });
    expect(made).toEqual([]);
  });

  test.each([
    ['deleted', { kind: 'unavailable', reason: 'connection_gone' }],
    ['reauthorization_required', { kind: 'dead' }],
  ] as const)('a call for a connection that is %s is not made', async (status, expected) => {
    const { asked, ask, made } = open(undefined, { connections: { read: (ref) => connectionRow({ ...ref, status }) } });
    expect((await ask(asked())).answers[0]?.answer).toEqual(expected);
    expect(made).toEqual([]);
  });

  test('CF-28: a call for another account than its turn has read is not made, so no position meets the history of another', async () => {
    const of = (subject: string) => ({
      connections: {
        read: (ref: typeof REF) => connectionRow({ ...ref, providerAccount: { subject, email: null } }),
      },
    });
    const other = open(undefined, of('account-2'));
    const { answers } = await other.ask(other.asked({ subject: 'account-1' }));
    expect(answers[0]?.answer).toEqual({ kind: 'unavailable', reason: 'account_changed' });
    expect(other.made).toEqual([]);
    const same = open(undefined, of('account-1'));
    await same.ask(same.asked({ subject: 'account-1' }), same.asked());
    expect(same.made).toHaveLength(2);
  });

  test.each([
    ['no call', []],
    ['more calls than fit', Array.from({ length: FEED_CALLS_PER_QUESTION + 1 }, () => open().asked())],
    ['a call without a feed', [{ ...open().asked(), feedId: undefined }]],
    ['a resource that there is not', [open().asked({ resource: 'mail' })]],
    ['a wish that there is not', [open().asked({ wish: { kind: 'delete' } })]],
  ])('TB-2: a question with %s fails as a whole, and nothing is sent', async (_, calls) => {
    const { ask, made } = open();
    await expect(ask(...calls)).rejects.toThrow('of another');
    expect(made).toEqual([]);
  });

  test('a failure of one call fails no other', async () => {
    let calls = 0;
    const { asked, ask } = open(async () => {
      if (calls++ === 0) throw Object.assign(new Error('secret detail'), { name: 'CipherError' });
      return { kind: 'ok', body: 2 };
    });
    const { answers } = await ask(asked(), asked());
    expect(answers.map(({ failed, answer }) => failed ?? answer)).toEqual(['CipherError', { kind: 'ok', body: 2 }]);
    expect(JSON.stringify(answers)).not.toContain('secret detail');
  });

  test('TB-8: answers beyond 5 MB together are left out, the small ones never; one alone that is larger says so', async () => {
    const sizes = [3, 2.5, 0.001, 6].map((megabytes) => megabytes * 1024 * 1024);
    let calls = 0;
    const { asked, ask } = open(async () => ({ kind: 'ok', body: 'x'.repeat(sizes[calls++] ?? 0) }));
    const { answers, bytes } = await ask(...sizes.map(() => asked()));
    expect(bytes).toBeLessThan(FEED_ANSWERS_MAX_BYTES + 1_000);
    expect(answers.map(({ answer, made }) => [answer?.kind, made.length])).toEqual([
      [undefined, 1],
      ['ok', 1],
      ['ok', 1],
      ['unavailable', 1],
    ]);
    expect(answers[3]?.answer).toEqual({ kind: 'unavailable', reason: 'answer_too_large' });
  });
});

describe('wishes of feeds', () => {
  const WISHES: readonly FeedWish[] = [
    { kind: 'start', page: 'p' },
    { kind: 'list', token: 't', page: 'p' },
    { kind: 'list', token: 't', members: 'meaning' },
    { kind: 'list', token: 't', members: 'place' },
    { kind: 'list', log: 'd-1', token: 't' },
    { kind: 'drives', page: 'p' },
    { kind: 'watch', token: 't', id: 'i', secret: 's' },
    { kind: 'stop', id: 'i', resourceId: 'r' },
    { kind: 'starts', fromMs: AT.nowMs, toMs: AT.nowMs + 1, page: 'p' },
    { kind: 'folder' },
    { kind: 'contents', folders: ['a', "b' or name contains 'x"], log: 'd-1', members: 'meaning' },
  ];
  const RESOURCES = ['drive', 'drives', 'drive:d-9', 'folder:f-9', 'calendar:c', 'calendar_list', 'acl:c', 'settings'];

  test('TB-2: each resource has its own wishes, and no request but those of its API and itself', () => {
    const named = (wish: FeedWish) =>
      [wish.kind, 'members' in wish ? wish.members : undefined, 'log' in wish ? wish.log : undefined].join(' ').trim();
    const had = Object.fromEntries(
      RESOURCES.map((text) => {
        const resource = parseFeedResource(text);
        if (resource === undefined) throw new Error(text);
        const calls = WISHES.map((wish) => [named(wish), callOf(resource, wish, AT)] as const);
        for (const [, call] of calls) {
          if (call === undefined) continue;
          const { pathname } = new URL(call.path, 'https://google.example');
          expect(
            pathname.startsWith(text.startsWith('dr') || text.startsWith('fo') ? '/drive/v3/' : '/calendar/v3/'),
          ).toBe(true);
          expect(call.method === 'GET' || /\/(?:watch|stop)$/.test(pathname)).toBe(true);
        }
        return [text, calls.filter(([, call]) => call !== undefined).map(([name]) => name)];
      }),
    );
    const plain = ['start', 'list', 'watch', 'stop'];
    const listed = ['list meaning', 'list place'];
    expect(had).toEqual({
      drive: ['start', 'list', ...listed, 'watch', 'stop'],
      drives: ['start', 'list', ...listed, 'list  d-1', 'drives', 'watch', 'stop'],
      'drive:d-9': ['start', 'list', ...listed, 'watch', 'stop'],
      'folder:f-9': ['start', 'list', ...listed, 'list  d-1', 'watch', 'stop', 'folder', 'contents meaning d-1'],
      'calendar:c': ['start', 'list', 'list meaning', 'watch', 'stop', 'starts'],
      calendar_list: plain,
      'acl:c': plain,
      settings: plain,
    });
  });

  test('TB-2: a wish comes through as it is, and members that it does not have are dropped', () => {
    const forged = {
      method: 'DELETE',
      path: '/drive/v3/files/x',
      address: 'https://evil.example',
      origin: 'x',
      body: {},
    };
    for (const wish of WISHES) {
      expect(readWish(JSON.parse(JSON.stringify({ ...wish, ...forged })))).toEqual(wish);
      const resource = parseFeedResource('folder:f-9');
      const call = resource && callOf(resource, wish, AT);
      expect(JSON.stringify(call ?? {})).not.toContain('evil');
    }
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'list'],
    ['no position', { kind: 'list' }],
    ['a position that is no text', { kind: 'list', token: { toString: 'x' } }],
    ['a channel without a secret', { kind: 'watch', token: 't', id: 'i' }],
    ['a channel to stop without its resource', { kind: 'stop', id: 'i' }],
    ['no moment', { kind: 'starts', fromMs: 'now', toMs: 1 }],
    ['a moment that there is not', { kind: 'starts', fromMs: 0, toMs: 9e15 }],
    ['no folders', { kind: 'contents', folders: [] }],
    ['more folders than a list takes', { kind: 'contents', folders: Array.from({ length: 21 }, () => 'a') }],
    ['folders that are no texts', { kind: 'contents', folders: [1] }],
    ['a member of every object', { kind: 'toString' }],
  ])('TB-2: %s is no wish', (_, value) => {
    expect(readWish(value)).toBeUndefined();
  });

  test('TB-2: ids of folders stay texts in the query of their contents', () => {
    const folder = parseFeedResource('folder:f-9');
    const wish = WISHES.at(-1);
    const call = folder && wish && callOf(folder, wish, AT);
    const q = new URL(call?.path ?? '', 'https://google.example').searchParams.get('q');
    expect(q).toBe(String.raw`('a' in parents or 'b\' or name contains \'x' in parents) and trashed = false`);
  });
});

describe('positions that 0.2.0 sealed', () => {
  /** Every account and purpose has its own key. */
  const keys: DataKeys = {
    current: async ({ purpose }) => ({ keyNumber: 1, key: Buffer.alloc(32, purpose) }),
    byNumber: async ({ purpose }) => Buffer.alloc(32, purpose),
  };
  const cipher = tokenCipher(keys, systemRandom);
  const feed = { feedId: 'f-1', connection: REF };
  const KEY = feedItemKey({ accountId: 'default', feedId: 'f-1' });
  const former = (where: CipherContext, text: string) => cipher.encrypt({ ...where, purpose: 'tokens' } as never, text);

  async function stored() {
    const memory = new MemoryTable();
    const put = (sk: string, more: object) => memory.put({ pk: KEY.pk, sk, ...more });
    put(KEY.sk, { ...REF, feedId: 'f-1', encryptedCursor: await former(cursorContext(feed), 'own') });
    put('LOG#d-1', { encryptedCursor: await former(cursorContext(feed), 'of d-1') });
    put('LOG#d-2', { encryptedCursor: await cipher.encrypt(cursorContext(feed), 'of d-2') });
    put('ITEM#', { encryptedKey: await former(statesKeyContext(feed), 'key') });
    put('ITEM#=folder', { listing: await former(cursorContext(feed), 'page') });
    put('ITEM#=listed', { listing: '' });
    put('ITEM#thing', { known: 'x' });
    const seal = sealAgain({ seals: feedSeals(memory.table), cipher, logger });
    const row = (sk: string) => memory.get({ pk: KEY.pk, sk });
    return { memory, row, put, seal: () => seal({ accountId: 'default', feedId: 'f-1' }, context, () => {}) };
  }

  test('CR-1: all values of a feed are sealed under keys of positions, once, and open as before', async () => {
    const { seal, row } = await stored();
    expect(doorJson((await seal()) as never)).toEqual({ count: 4 });
    const places = [
      [KEY.sk, 'encryptedCursor', cursorContext(feed), 'own'],
      ['LOG#d-1', 'encryptedCursor', cursorContext(feed), 'of d-1'],
      ['LOG#d-2', 'encryptedCursor', cursorContext(feed), 'of d-2'],
      ['ITEM#', 'encryptedKey', statesKeyContext(feed), 'key'],
      ['ITEM#=folder', 'listing', cursorContext(feed), 'page'],
    ] as const;
    for (const [sk, name, where, text] of places) {
      const sealed = String(row(sk)?.[name]);
      expect([sk, sealed.slice(0, 3), await cipher.decrypt(where, sealed)]).toEqual([sk, 'cu.', text]);
    }
    expect(doorJson((await seal()) as never)).toEqual({ count: 0 });
  });

  test('CR-2, TB-2: a token that is copied into a row of a feed is not sealed under another key', async () => {
    const { seal, row, put } = await stored();
    const token = await cipher.encrypt(refreshTokenContext(REF), 'the token');
    put('LOG#d-1', { encryptedCursor: token });
    await expect(seal()).rejects.toThrow('cannot be decrypted');
    expect(row('LOG#d-1')?.encryptedCursor).toBe(token);
  });

  test('a feed that there is not is said to be none', async () => {
    const { memory, seal } = await stored();
    memory.delete({ ...KEY });
    await expect(seal()).rejects.toThrow('There is no such feed');
  });
});
