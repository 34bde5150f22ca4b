import { beforeEach, describe, expect, it } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import type { LimitsJudge } from '../../../lambdas/gateway/calls/judge-limits.ts';
import { LimitedKeys, type LimitedKeysDependencies } from '../../../lambdas/gateway/calls/limited-keys.ts';
import type { LimitRefusal } from '../../../lambdas/gateway/keys/ports.ts';
import { secretKeyRecord } from '../support/secret-key.ts';

const KEY = secretKeyRecord({ right: 'proxy', keyHash: 'hash' });
const TO = { sourceIp: '203.0.113.7', integrationId: 'drive', connectionId: 'alice', tags: undefined };
const NOW_MS = 1_800_000_000_000;

/** A judge with a fixed refusal and method, the questions it was asked, and the metrics that were counted. */
function keysWith(refusal: LimitRefusal | undefined, method?: string) {
  const asked: unknown[][] = [];
  const counted: unknown[][] = [];
  const judge = fake<LimitsJudge>({
    reach: (...about: unknown[]) => {
      asked.push(['reach', ...about]);
      return refusal;
    },
    ask: (...about: unknown[]) => {
      asked.push(['ask', ...about]);
      return refusal;
    },
    methodOf: () => method,
    answered: (...about: unknown[]) => void asked.push(['answered', ...about]),
    pending: async () => 'settled',
  });
  const opened = Promise.withResolvers<LimitsJudge>();
  const deps = fake<LimitedKeysDependencies>({
    openJudge: () => opened.promise,
    metrics: { count: (...metric: unknown[]) => void counted.push(metric) },
  });
  return { keys: new LimitedKeys(deps), open: () => opened.resolve(judge), asked, counted };
}

function refused(more: Partial<LimitRefusal> = {}, method?: string): LimitRefusal {
  const limit = { name: 'methods', ...(method === undefined ? {} : { method }) };
  return { code: 'limited_by_key', message: 'Not with this key.', details: { limit }, isObserved: false, ...more };
}

describe('a limited key', () => {
  let world: ReturnType<typeof keysWith>;
  beforeEach(() => {
    world = keysWith(undefined);
  });

  it('LK-10: a limited key is asked about where it goes and what it asks, and passes where nothing refuses', async () => {
    world.open();
    const wish = { methods: undefined, requests: [] };
    expect(await world.keys.reach(KEY, TO, NOW_MS)).toBeUndefined();
    expect(await world.keys.ask({ key: KEY }, wish, NOW_MS)).toBeUndefined();
    expect(world.asked).toEqual([
      ['reach', KEY, TO, NOW_MS],
      ['ask', { key: KEY }, wish, NOW_MS],
    ]);
    expect(world.counted).toEqual([]);
  });

  it('waits for its judge, and has nothing to count before that is there', async () => {
    const reached = world.keys.reach(KEY, TO, NOW_MS);
    expect(world.keys.ended({ key: KEY }, 10, NOW_MS)).toBeUndefined();
    expect(world.asked).toEqual([]);
    world.open();
    await reached;
    expect(await world.keys.ended({ key: KEY }, 10, NOW_MS)).toBe('settled');
    expect(world.asked.at(-1)).toEqual(['answered', { key: KEY }, 10, NOW_MS]);
  });

  it('a limited key is refused with the limit in the answer and in a metric', async () => {
    const { keys, open, counted } = keysWith(refused());
    open();
    const said = { code: 'limited_by_key', message: 'Not with this key.', limit: { name: 'methods' } };
    await expect(keys.reach(KEY, TO, NOW_MS)).rejects.toMatchObject(said);
    await expect(keys.ask({ key: KEY }, { methods: undefined, requests: [] }, NOW_MS)).rejects.toMatchObject(said);
    expect(counted).toEqual([
      ['LimitedByKey', { limit: 'methods' }],
      ['LimitedByKey', { limit: 'methods' }],
    ]);
  });

  it('gets for a connection that it may not see the same words as for one that does not exist', async () => {
    const { keys, open } = keysWith(refused({ code: 'unknown_connection', message: 'There is one.' }));
    open();
    const error: unknown = await keys.reach(KEY, TO, NOW_MS).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'unknown_connection', message: expect.stringContaining('Connection-Id') });
    expect(String(error)).not.toContain('There is one.');
  });

  it.each([
    [undefined, 'methods'],
    ['drive.files.delete', 'methods:drive.files.delete'],
  ])('passes where it only observes, and says what would refuse (method %s)', async (method, said) => {
    const { keys, open, counted } = keysWith(refused({ isObserved: true }, method));
    open();
    expect(await keys.reach(KEY, TO, NOW_MS)).toBe(said);
    expect(counted).toEqual([['WouldRefuse', { limit: 'methods' }]]);
  });

  it.each([
    [undefined, 'sources'],
    ['drive.files.list', 'sources:drive.files.list'],
  ])('LK-15: names the method with what was observed before it was known (%s)', async (method, said) => {
    const { keys, open } = keysWith(refused({ isObserved: true }, 'drive.files.delete'), method);
    open();
    const from = { key: KEY, observed: 'sources' };
    expect(await keys.ask(from, { methods: undefined, requests: [] }, NOW_MS)).toBe(said);
  });
});
