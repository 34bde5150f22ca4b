import { afterEach, describe, expect, it } from 'vitest';
import type { StreamReader } from '../../../../dev/local/events/stream-reader.ts';
import { startTrigger, type Trigger } from '../../../../dev/local/events/stream-trigger.ts';
import type { InvocationOutcome } from '../../../../dev/local/lambda/outcome.ts';
import type { LocalTrigger } from '../../../../dev/local/template/triggers.ts';
import { asArray, asObject, type Json, type JsonObject } from '../../../../dev/tools/json.ts';
import { until } from '../fixtures/gateway.ts';

const TRIGGER: LocalTrigger = {
  logicalId: 'Trigger',
  functionArn: 'arn:function',
  roleArn: 'arn:role',
  streamArn: 'arn:stream',
  tableArn: 'arn:table',
  filters: [{ eventName: ['INSERT'] }],
  batchSize: 4,
  startsFromOldest: true,
  maximumRetryAttempts: 1,
  maximumRecordAgeSec: -1,
  bisectsOnError: true,
  reportsFailures: true,
  deadLettersArn: 'arn:queue',
  isEnabled: true,
};

const triggers: Trigger[] = [];
afterEach(() => Promise.all(triggers.splice(0).map((trigger) => trigger.stop())));

function record(id: string, eventName = 'INSERT', more: JsonObject = {}): JsonObject {
  return { eventName, awsRegion: 'engine', dynamodb: { SequenceNumber: id, ...more } };
}

/** A stream in memory: a read gives what is not committed yet. */
function stream(records: JsonObject[]): StreamReader & { committed: number } {
  const reader = {
    committed: 0,
    read: async (limit: number) => records.slice(reader.committed, reader.committed + limit),
    commit(delivered: readonly JsonObject[]) {
      reader.committed += delivered.length;
    },
    losePosition() {
      reader.committed = 0;
    },
  };
  return reader;
}

const records = (...ids: string[]): JsonObject[] => ids.map((id) => record(id));
const idsOf = (event: Json): string[] =>
  asArray(asObject(event, 'event').Records, 'Records').map((one) =>
    String(asObject(asObject(one, 'record').dynamodb, 'dynamodb').SequenceNumber),
  );

const answer = (value: Json): InvocationOutcome => ({ kind: 'buffered', payload: Buffer.from(JSON.stringify(value)) });
const DONE = answer({ batchItemFailures: [] });
const failedFrom = (itemIdentifier: Json) => answer({ batchItemFailures: [{ itemIdentifier }] });
const THROWN: InvocationOutcome = { kind: 'failed', error: { errorType: 'Error', errorMessage: 'no' } };

type Answer = (ids: string[], call: number) => InvocationOutcome | Promise<InvocationOutcome>;

/** Starts a trigger like {@link TRIGGER}, and collects what it does. */
function start(
  reader: StreamReader,
  outcome: Answer = () => DONE,
  more: Partial<LocalTrigger> = {},
  writes?: () => number,
) {
  const messages: string[] = [];
  const batches: string[][] = [];
  const givenUp: JsonObject[] = [];
  const events: Json[] = [];
  const trigger = startTrigger({
    trigger: { ...TRIGGER, ...more },
    reader,
    async invoke(event) {
      events.push(event);
      batches.push(idsOf(event));
      return outcome(idsOf(event), batches.length);
    },
    onGivenUp: (message) => void givenUp.push(message),
    region: 'eu-west-1',
    log: (message) => void messages.push(message),
    pollIntervalMs: 5,
    ...(writes === undefined ? {} : { writes }),
  });
  triggers.push(trigger);
  return { trigger, switches: trigger.switches, messages, batches, givenUp, events };
}

describe('a trigger', () => {
  it('leaves a stream in peace while nobody writes, and reads it at the next look after a write', async () => {
    let [looks, writes] = [0, 0];
    const readAt: number[] = [];
    const reader: StreamReader = {
      async read() {
        readAt.push(looks);
        return [];
      },
      commit() {},
      losePosition() {},
    };
    start(reader, undefined, undefined, () => {
      looks += 1;
      return writes;
    });
    await until('sixty looks', () => looks >= 60);
    // One in twenty: the engine removes rows by itself.
    expect(readAt.length).toBeGreaterThan(2);
    expect(readAt.length).toBeLessThan(6);
    const [reads, looked] = [readAt.length, looks];
    writes += 1;
    await until('one more read', () => readAt.length > reads);
    expect(readAt[reads]).toBeLessThanOrEqual(looked + 2);
  });

  it('hands over what passes its filter, as Lambda names it, and commits the rest with it', async () => {
    const reader = stream([record('1'), record('2', 'MODIFY'), record('3')]);
    const { batches, events } = start(reader);
    await until('the commit', () => reader.committed === 3);
    expect(batches).toEqual([['1', '3']]);
    expect(asArray(asObject(events[0] ?? null, 'event').Records, 'Records')[0]).toEqual({
      ...record('1'),
      awsRegion: 'eu-west-1',
      eventSource: 'aws:dynamodb',
      eventSourceARN: 'arn:stream',
    });
  });

  it('brings a batch again from the record that the function reports', async () => {
    const reader = stream(records('1', '2', '3'));
    const { batches } = start(reader, (_ids, call) => (call === 1 ? failedFrom('2') : DONE));
    await until('the commit', () => reader.committed === 3);
    expect(batches).toEqual([
      ['1', '2', '3'],
      ['2', '3'],
    ]);
  });

  it('begins with the oldest record where several are reported', async () => {
    const reader = stream(records('1', '2', '3'));
    const both = answer({ batchItemFailures: [{ itemIdentifier: '3' }, { itemIdentifier: '2' }] });
    const { batches } = start(reader, (_ids, call) => (call === 1 ? both : DONE));
    await until('the commit', () => reader.committed === 3);
    expect(batches[1]).toEqual(['2', '3']);
  });

  it.each<[what: string, outcome: InvocationOutcome]>([
    ['throws', THROWN],
    ['is killed at its time limit', { kind: 'timed-out' }],
    ['dies', { kind: 'crashed', reason: 'the process ended' }],
    ['reports a record that is not in its batch', failedFrom('9')],
    ['reports a failure without a name', failedFrom('')],
  ])('splits a batch in which the function %s until one record stands alone', async (_what, outcome) => {
    const reader = stream(records('1', '2', '3', '4'));
    const { batches, givenUp } = start(reader, (ids) => (ids.includes('3') ? outcome : DONE));
    await until('the commit', () => reader.committed === 4);
    expect(batches).toEqual([['1', '2', '3', '4'], ['1', '2'], ['3', '4'], ['3'], ['3'], ['4']]);
    expect(givenUp).toEqual([
      {
        requestContext: {
          requestId: expect.any(String),
          functionArn: 'arn:function',
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: 2,
        },
        version: '1.0',
        timestamp: expect.any(String),
        DDBStreamBatchInfo: expect.objectContaining({
          startSequenceNumber: '3',
          endSequenceNumber: '3',
          batchSize: 1,
          streamArn: 'arn:stream',
        }),
      },
    ]);
  });

  it('gives a whole batch up where it does not split, and says so', async () => {
    const reader = stream(records('1', '2'));
    const { messages, givenUp } = start(reader, () => THROWN, { bisectsOnError: false, maximumRetryAttempts: 0 });
    await until('the commit', () => reader.committed === 2);
    expect(givenUp).toHaveLength(1);
    expect(messages).toEqual([
      'Trigger: the function failed: Error: no',
      'Trigger: gave up on 2 record(s), which stay in the table: RetryAttemptsExhausted',
    ]);
  });

  it('counts attempts again when the function got further', async () => {
    const reader = stream(records('1', '2', '3'));
    const script: InvocationOutcome[] = [failedFrom('2'), failedFrom('3'), DONE];
    const { batches, givenUp } = start(reader, (_ids, call) => script[call - 1] ?? DONE);
    await until('the commit', () => reader.committed === 3);
    expect(batches).toEqual([['1', '2', '3'], ['2', '3'], ['3']]);
    expect(givenUp).toEqual([]);
  });

  it('gives records up that are too old, and hands the others over', async () => {
    const reader = stream(records('1', '2'));
    let calls = 0;
    const { givenUp } = start(
      reader,
      async () => {
        calls += 1;
        // The age of a record counts from the start of the trigger here; after the first attempt it has passed.
        await until('the age', () => Date.now() > begun + 30);
        return failedFrom('1');
      },
      { maximumRecordAgeSec: 0.02, maximumRetryAttempts: -1 },
    );
    const begun = Date.now();
    await until('the commit', () => reader.committed === 2);
    expect(calls).toBe(1);
    expect(givenUp).toMatchObject([{ requestContext: { condition: 'RecordAgeExceeded' } }]);
  });

  it('a trigger does not count the time in which nobody ran: an old record is handed over', async () => {
    const reader = stream([record('1', 'INSERT', { ApproximateCreationDateTime: 1_000_000 })]);
    const { batches, givenUp } = start(reader, () => DONE, { maximumRecordAgeSec: 3600 });
    await until('the commit', () => reader.committed === 1);
    expect({ batches, givenUp }).toEqual({ batches: [['1']], givenUp: [] });
  });

  it('commits nothing that it was stopped from handing over, and does not wait for a function that hangs', async () => {
    const reader = stream(records('1'));
    const { trigger, batches } = start(reader, () => new Promise(() => {}));
    await until('a first call', () => batches.length > 0);
    await trigger.stop();
    expect(reader.committed).toBe(0);
  });

  it('hands nothing over while paused, repeats and reverses as switched', async () => {
    const all = records('1', '2');
    const reader = stream(all);
    const { switches, batches } = start(reader);
    await until('the commit', () => reader.committed === 2);
    switches.paused = true;
    all.push(...records('3', '4'));
    // A trigger alongside it that is not paused shows how often this one could have read by now.
    let reads = 0;
    const read = async () => {
      reads += 1;
      return [];
    };
    start({ ...stream([]), read });
    await until('three reads of the other trigger', () => reads >= 3);
    expect(batches).toEqual([['1', '2']]);
    Object.assign(switches, { repeat: 1, reverse: true });
    switches.paused = false;
    await until('the commit', () => reader.committed === 4);
    expect(batches.slice(1)).toEqual([
      ['4', '3'],
      ['4', '3'],
    ]);
  });

  it('hands nothing over of a read that a pause came between, and reads it again', async () => {
    const all = records('1');
    const reader = stream(all);
    const { read } = reader;
    const underWay = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    reader.read = async (limit) => {
      const found = await read(limit);
      underWay.resolve();
      await mayEnd.promise;
      return found;
    };
    const { switches, batches } = start(reader);
    await underWay.promise;
    Object.assign(switches, { paused: true, reverse: true });
    all.push(...records('2'));
    switches.paused = false;
    mayEnd.resolve();
    await until('the commit', () => reader.committed === 2);
    expect(batches).toEqual([['2', '1']]);
  });

  it('says once that its stream cannot be read, and continues when it can', async () => {
    const reader = stream(records('1'));
    const { read } = reader;
    let reads = 0;
    reader.read = async () => {
      reads += 1;
      throw new Error('away');
    };
    const { messages } = start(reader);
    await until('three reads', () => reads >= 3);
    reader.read = read;
    await until('the commit', () => reader.committed === 1);
    expect(messages).toEqual(['Trigger: away']);
  });

  it('a trigger with a filter that is not implemented is refused at the start', () => {
    expect(() => start(stream([]), undefined, { filters: [{ a: [{ prefix: 'x' }] }] })).toThrow(
      /Trigger\.FilterCriteria\.a/,
    );
  });
});
