import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StreamReader } from '../../../dev/local/events/stream-reader.ts';
import { startTrigger } from '../../../dev/local/events/stream-trigger.ts';
import type { InvocationOutcome } from '../../../dev/local/lambda/outcome.ts';
import type { JsonObject } from '../../../dev/tools/json.ts';
import { type ForwardDependencies, forwardEvents, type RefusedEvent } from '../../../lambdas/events/forward-events.ts';
import type { EventEntry } from '../../../lambdas/events/stream-record.rules.ts';
import { EVENT_GIVE_UP_MS, EVENT_PUT_ATTEMPTS, EVENT_PUT_RESERVE_MS } from '../../../lambdas/gateway/core/limits.ts';
import { until } from '../local/fixtures/gateway.ts';
import { eventRecord } from './support/records.ts';

const NOW_MS = 1_800_000_000_000;

/** An event of a connection; its id names both. */
function event(connection: string, sequence: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  const eventId = `${connection}${sequence}`;
  return {
    pk: `CONNECTION#${connection}`,
    sk: `EVENT#${eventId}`,
    type: 'event',
    eventType: 'ConnectionUpdated',
    eventId,
    sequence: String(sequence),
    occurredAt: '2026-11-20T10:00:00Z',
    accountId: 'default',
    ...more,
  };
}

const idOf = ({ detail }: EventEntry): string => JSON.parse(detail).event_id;

/** What the bus does with one request; an entry's id -> its code. */
type Bus = (ids: string[], call: number) => Record<string, string> | Promise<Record<string, string>>;

function world(bus: Bus = () => ({}), more: Partial<ForwardDependencies> = {}) {
  const requests: string[][] = [];
  const taken: string[] = [];
  const refused: RefusedEvent[] = [];
  const waits: number[] = [];
  const counts: (readonly [string, number])[] = [];
  let nowMs = NOW_MS;
  const deps: ForwardDependencies = {
    clock: { nowMs: () => nowMs },
    random: { bytes: () => new Uint8Array(), number: () => 1 },
    logger: { info() {}, warn() {}, error() {} },
    metrics: { count: (name, _dimensions, value = 1) => void counts.push([name, value]) },
    async put(entries) {
      const ids = entries.map(idOf);
      requests.push(ids);
      const codes = await bus(ids, requests.length);
      taken.push(...ids.filter((id) => codes[id] === undefined));
      return ids.map((id) => ({ code: codes[id] }));
    },
    async keepRefused(one) {
      refused.push(one);
    },
    async wait(ms) {
      waits.push(ms);
      nowMs += ms;
    },
    ...more,
  };
  const run = (items: Record<string, unknown>[], writtenAtMs = NOW_MS, deadlineMs = NOW_MS + 60_000) =>
    forwardEvents(
      deps,
      items.map((item) => eventRecord(String(item.eventId), item, writtenAtMs / 1000)),
      deadlineMs,
      'request',
    );
  return { requests, taken, refused, waits, counts, run };
}

const failedFrom = (id: string) => ({ batchItemFailures: [{ itemIdentifier: id }] });
const DONE = { batchItemFailures: [] };
const error = (name: string) => Object.assign(new Error(name), { name });

describe('ST-20: a batch of new events', () => {
  it('goes to the bus in requests of ten, two of one connection never in one', async () => {
    const { requests, run } = world();
    const others = Array.from({ length: 11 }, (_, index) => event(`c${index}-`, 1));
    expect(await run([event('a', 1), event('a', 2), ...others])).toEqual(DONE);
    expect(requests.map((ids) => ids.length)).toEqual([10, 3]);
    expect(requests.map((ids) => ids[0])).toEqual(['a1', 'a2']);
  });

  it('a batch of new events is tried again where the bus took a part: what it took is not put twice', async () => {
    const { requests, waits, run } = world((_ids, call) => (call === 1 ? { b1: 'ThrottlingException' } : {}));
    expect(await run([event('a', 1), event('b', 1), event('b', 2)])).toEqual(DONE);
    expect(requests).toEqual([['a1', 'b1'], ['b1'], ['b2']]);
    expect(waits).toEqual([200]);
  });

  it('a batch of new events is tried again where a request failed whole', async () => {
    const { requests, run } = world((_ids, call) => {
      if (call < 3) throw error('TimeoutError');
      return {};
    });
    expect(await run([event('a', 1), event('b', 1)])).toEqual(DONE);
    expect(requests).toEqual(Array(3).fill(['a1', 'b1']));
  });

  it('ends at an event that the bus does not take, so that nothing behind it overtakes it or is put twice', async () => {
    const { requests, taken, counts, refused, run } = world((ids) =>
      ids.includes('b1') ? { b1: 'InternalFailure' } : {},
    );
    const batch = [event('a', 1), event('b', 1), event('a', 2), event('b', 2)];
    expect(await run(batch)).toEqual(failedFrom('b1'));
    expect(taken).toEqual(['a1']);
    expect(requests).toHaveLength(EVENT_PUT_ATTEMPTS);
    expect(counts).toEqual([['EventNotForwarded', 3]]);
    expect(refused).toEqual([]);
  });

  it.each(['MalformedDetail', 'InvalidArgument'])(
    'queues an event that the bus refuses with %s, and the rest continues',
    async (code) => {
      const { taken, refused, counts, run } = world((ids) => (ids.includes('b1') ? { b1: code } : {}));
      expect(await run([event('a', 1), event('b', 1), event('b', 2)])).toEqual(DONE);
      expect(taken).toEqual(['a1', 'b2']);
      expect(refused).toEqual([
        { eventId: 'b1', eventType: 'ConnectionUpdated', key: { pk: 'CONNECTION#b', sk: 'EVENT#b1' }, reason: code },
      ]);
      expect(counts).toEqual([['EventNotForwarded', 1]]);
    },
  );

  it('finds the one to blame where the bus refuses a request as a whole', async () => {
    const { taken, refused, run } = world((ids) => {
      if (ids.includes('b1')) throw error('ValidationException');
      return {};
    });
    expect(await run([event('a', 1), event('b', 1), event('c', 1)])).toEqual(DONE);
    expect(taken).toEqual(['a1', 'c1']);
    expect(refused).toMatchObject([{ eventId: 'b1', reason: 'ValidationException' }]);
  });

  it('queues an item that is no whole event, without a request', async () => {
    const { requests, refused, run } = world();
    expect(await run([event('a', 1, { accountId: undefined })])).toEqual(DONE);
    expect(requests).toEqual([]);
    expect(refused).toMatchObject([{ eventId: 'a1', reason: 'the item has no accountId' }]);
  });

  it('keeps a refused event for Lambda where the queue does not take it', async () => {
    const { taken, run } = world((ids) => (ids.includes('a1') ? { a1: 'MalformedDetail' } : {}), {
      keepRefused: () => Promise.reject(error('TimeoutError')),
    });
    expect(await run([event('a', 1), event('b', 1)])).toEqual(failedFrom('a1'));
    expect(taken).toEqual(['b1']);
  });

  it('queues an event that the bus leaves out for ten minutes while it takes others', async () => {
    const bus: Bus = (ids) => (ids.includes('b1') ? { b1: 'InternalFailure' } : {});
    const batch = [event('a', 1), event('b', 1), event('b', 2)];
    const young = world(bus);
    expect(await young.run(batch, NOW_MS - EVENT_GIVE_UP_MS + 60_000)).toEqual(failedFrom('b1'));
    const old = world(bus);
    expect(await old.run(batch, NOW_MS - EVENT_GIVE_UP_MS - 1_000)).toEqual(DONE);
    expect(old.refused).toMatchObject([{ eventId: 'b1', reason: 'NotTakenInTime' }]);
    expect(old.taken).toEqual(['a1', 'b2']);
  });

  it('queues nothing, however old, while the bus takes nothing', async () => {
    const { refused, run } = world(() => Promise.reject(error('AccessDeniedException')));
    expect(await run([event('a', 1), event('b', 1)], NOW_MS - 50 * 60_000)).toEqual(failedFrom('a1'));
    expect(refused).toEqual([]);
  });

  it('begins no request that could outlive the function', async () => {
    const { requests, run } = world();
    expect(await run([event('a', 1)], NOW_MS, NOW_MS + EVENT_PUT_RESERVE_MS)).toEqual(failedFrom('a1'));
    expect(requests).toEqual([]);
  });

  it('passes over what is no new event', async () => {
    const { requests, run } = world();
    expect(await run([event('a', 1, { type: 'connection' })])).toEqual(DONE);
    expect(requests).toEqual([]);
  });
});

/** What befalls one call of the function or of the bus. */
const TROUBLES = [
  'none',
  'none',
  'none',
  'refuse',
  'part',
  'crash',
  'crash after',
  'answer lost',
  'queue down',
] as const;
type Trouble = (typeof TROUBLES)[number];

describe('ST-20: under random partial failures, crashes and lost answers', () => {
  const anyEvent = fc.record({ connection: fc.constantFrom('a', 'b', 'c'), poison: fc.integer({ max: 9, min: 0 }) });
  const scenario = fc.record({
    events: fc.array(anyEvent, { minLength: 1, maxLength: 40 }),
    batchSize: fc.integer({ min: 1, max: 20 }),
    troubles: fc.array(fc.constantFrom(...TROUBLES), { maxLength: 40 }),
    parts: fc.infiniteStream(fc.boolean()),
  });

  it('each event arrives, those of a connection in order, poison is in the queue, and no repeat is without a failure', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ events, batchSize, troubles, parts }) => {
        const counters = new Map<string, number>();
        const items = events.map(({ connection, poison }) => {
          const sequence = (counters.get(connection) ?? 0) + 1;
          counters.set(connection, sequence);
          return { item: event(connection, sequence), connection, isPoison: poison === 0 };
        });
        const poison = new Set(items.filter(({ isPoison }) => isPoison).map(({ item }) => String(item.eventId)));
        const { taken, queued, failures } = await play(
          items.map(({ item }) => item),
          poison,
          batchSize,
          troubles,
          parts,
        );

        const sane = items.filter(({ isPoison }) => !isPoison).map(({ item }) => String(item.eventId));
        expect(new Set(taken)).toEqual(new Set(sane));
        expect(new Set(queued)).toEqual(poison);
        for (const connection of counters.keys()) {
          const firsts = [...new Set(taken)].filter((id) => id.startsWith(connection));
          expect(firsts).toEqual(sane.filter((id) => id.startsWith(connection)));
        }
        for (const id of sane) expect(taken.filter((one) => one === id).length).toBeLessThanOrEqual(1 + failures);
      }),
      { numRuns: 150 },
    );
  });

  /** Plays events through the local runtime's trigger and the function's own code, with trouble as the script says. */
  async function play(
    items: Record<string, unknown>[],
    poison: ReadonlySet<string>,
    batchSize: number,
    troubles: readonly Trouble[],
    parts: fc.Stream<boolean>,
  ) {
    const script = [...troubles];
    const taken: string[] = [];
    const queued: string[] = [];
    let failures = 0;
    let crash = Promise.withResolvers<InvocationOutcome>();
    const dies = (): Promise<never> => {
      failures++;
      crash.resolve({ kind: 'crashed', reason: 'killed' });
      return new Promise(() => {});
    };
    const deps: ForwardDependencies = {
      clock: { nowMs: () => NOW_MS },
      random: { bytes: () => new Uint8Array(), number: () => 1 },
      logger: { info() {}, warn() {}, error() {} },
      metrics: { count() {} },
      async put(entries) {
        const ids = entries.map(idOf);
        const trouble = script.shift() ?? 'none';
        if (trouble === 'crash') return dies();
        if (trouble === 'refuse') {
          failures++;
          throw error('ThrottlingException');
        }
        const codes = ids.map((id) => {
          if (poison.has(id)) return 'MalformedDetail';
          return trouble === 'part' && parts.next().value ? 'InternalFailure' : undefined;
        });
        if (trouble === 'part') failures++;
        taken.push(...ids.filter((_, index) => codes[index] === undefined));
        if (trouble === 'crash after') return dies();
        if (trouble === 'answer lost') {
          failures++;
          throw error('TimeoutError');
        }
        return codes.map((code) => ({ code }));
      },
      async keepRefused({ eventId }) {
        if (script[0] === 'queue down') {
          script.shift();
          failures++;
          throw error('TimeoutError');
        }
        queued.push(eventId);
      },
      async wait() {},
    };
    const records: JsonObject[] = items.map((item) => eventRecord(String(item.eventId), item));
    let committed = 0;
    const reader: StreamReader = {
      read: async (limit) => records.slice(committed, committed + limit),
      commit(done) {
        committed += done.length;
      },
      losePosition: () => {},
    };
    const trigger = startTrigger({
      trigger: {
        ...{ logicalId: 'T', functionArn: '', roleArn: '', streamArn: '', tableArn: '', filters: [], batchSize },
        ...{ startsFromOldest: true, maximumRetryAttempts: -1, maximumRecordAgeSec: -1, bisectsOnError: true },
        ...{ reportsFailures: true, deadLettersArn: undefined, isEnabled: true },
      },
      reader,
      async invoke(batch) {
        crash = Promise.withResolvers();
        const given: unknown[] = Object(batch).Records;
        const work = forwardEvents(deps, given, NOW_MS + 60_000, 'request');
        const answered = work.then((answer): InvocationOutcome => {
          return { kind: 'buffered', payload: Buffer.from(JSON.stringify(answer)) };
        });
        return Promise.race([answered, crash.promise]);
      },
      onGivenUp: () => {
        throw new Error('nothing is given up here');
      },
      region: 'eu-west-1',
      log: () => {},
      pollIntervalMs: 1,
      pause: async () => {},
    });
    await until('everything is through', () => committed === records.length);
    await trigger.stop();
    return { taken, queued, failures };
  }
});
