import { afterEach, describe, expect, it } from 'vitest';
import type { EventBus, EventEntry } from '../../../../local/events/bus.ts';
import { type Pipe, startPipe } from '../../../../local/events/pipe.ts';
import type { StreamReader } from '../../../../local/events/stream-reader.ts';
import { asObject, type JsonObject } from '../../../../local/json.ts';
import type { LocalPipe } from '../../../../local/template/events.ts';
import { lifecycleEvent } from '../fixtures/event.ts';
import { until } from '../fixtures/gateway.ts';

const PIPE: LocalPipe = {
  logicalId: 'Pipe',
  name: 'pipe',
  arn: 'arn:pipe',
  roleArn: 'arn:role',
  streamArn: 'arn:stream',
  tableArn: 'table',
  busArn: 'arn:aws:events:eu-west-1:0:event-bus/bus',
  filters: [{ eventName: ['INSERT'] }],
  batchSize: 4,
  startFromOldest: true,
  maximumRetryAttempts: 1,
  maximumRecordAgeSec: -1,
  bisectOnFailure: true,
  inputTemplate: '{"id": <$.id>, "region": <$.awsRegion>}',
  bus: { source: 'source', detailType: '$.kind', time: undefined, resources: [] },
};

const pipes: Pipe[] = [];
afterEach(() => Promise.all(pipes.splice(0).map((pipe) => pipe.stop())));

function record(id: string, eventName = 'INSERT'): JsonObject {
  return { id, eventName, kind: 'Made', awsRegion: 'engine' };
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

function bus(refuses: (entry: EventEntry, attempt: number) => boolean = () => false) {
  const delivered: EventEntry[] = [];
  let attempts = 0;
  const publish: EventBus['publish'] = async (entry) => {
    attempts += 1;
    if (refuses(entry, attempts)) throw new Error('refused');
    delivered.push(entry);
    return lifecycleEvent('');
  };
  return { delivered, publish, attempts: () => attempts };
}

/** Starts a pipe like {@link PIPE}, and collects what it logs. */
function start(reader: StreamReader, target: Pick<EventBus, 'publish'>, more: Partial<LocalPipe> = {}) {
  const messages: string[] = [];
  const log = (message: string) => void messages.push(message);
  const options = { pipe: { ...PIPE, ...more }, reader, bus: target, region: 'eu-west-1', log, pollIntervalMs: 5 };
  const pipe = startPipe(options);
  pipes.push(pipe);
  return { pipe, switches: pipe.switches, messages };
}

const ids = (entries: readonly EventEntry[]): unknown[] => entries.map((entry) => asObject(entry.detail, 'detail').id);

describe('a pipe', () => {
  it('delivers what passes its filter, transformed, and commits the rest with it', async () => {
    const reader = stream([record('1'), record('2', 'MODIFY'), record('3')]);
    const target = bus();
    start(reader, target);
    await until('the commit', () => reader.committed === 3);
    const entry = { busName: 'bus', source: 'source', detailType: 'Made', time: undefined, resources: [] };
    const detail = (id: string) => ({ detail: { id, region: 'eu-west-1' } });
    expect(target.delivered).toEqual(['1', '3'].map((id) => ({ ...entry, ...detail(id) })));
  });

  it('repeats a batch that failed for a moment', async () => {
    const reader = stream([record('1'), record('2')]);
    const target = bus((_entry, attempt) => attempt === 2);
    start(reader, target);
    await until('the commit', () => reader.committed === 2);
    expect(ids(target.delivered)).toEqual(['1', '1', '2']);
  });

  it.each([
    ['splits a batch until only the refused record is given up', true, ['1', '2', '4'], 1],
    ['gives up the whole batch where splitting is off', false, ['1', '2'], 4],
  ])('%s', async (_claim, bisectOnFailure, delivered, givenUp) => {
    const reader = stream(['1', '2', '3', '4'].map((id) => record(id)));
    const target = bus((entry) => JSON.stringify(entry.detail).includes('"3"'));
    const { messages } = start(reader, target, { maximumRetryAttempts: 0, bisectOnFailure });
    await until('the commit', () => reader.committed === 4);
    expect(new Set(ids(target.delivered))).toEqual(new Set(delivered));
    expect(messages).toEqual([expect.stringContaining(`gave up on ${givenUp} record(s)`)]);
  });

  it('does not commit what it was stopped from delivering', async () => {
    const reader = stream([record('1')]);
    const target = bus(() => true);
    const { pipe } = start(reader, target, { maximumRetryAttempts: -1 });
    await until('a first attempt', () => target.attempts() > 0);
    await pipe.stop();
    expect(reader.committed).toBe(0);
  });

  it('delivers nothing while paused, repeats and reverses as switched', async () => {
    const records = [record('1'), record('2')];
    const reader = stream(records);
    const target = bus();
    const { switches } = start(reader, target);
    await until('the commit', () => reader.committed === 2);
    switches.paused = true;
    records.push(record('3'), record('4'));
    // A pipe beside it that is not paused shows how often this one could have read by now.
    let reads = 0;
    const read = async () => {
      reads += 1;
      return [];
    };
    start({ ...stream([]), read }, bus());
    await until('three reads of the other pipe', () => reads >= 3);
    expect(ids(target.delivered)).toEqual(['1', '2']);
    Object.assign(switches, { repeat: 1, reverse: true });
    switches.paused = false;
    await until('the commit', () => reader.committed === 4);
    expect(ids(target.delivered)).toEqual(['1', '2', '4', '3', '4', '3']);
  });

  it('delivers nothing of a read that a pause came between, and reads it again', async () => {
    const records = [record('1')];
    const reader = stream(records);
    const { read } = reader;
    const underWay = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    reader.read = async (limit) => {
      const found = await read(limit);
      underWay.resolve();
      await mayEnd.promise;
      return found;
    };
    const target = bus();
    const { switches } = start(reader, target);
    await underWay.promise;
    Object.assign(switches, { paused: true, reverse: true });
    records.push(record('2'));
    switches.paused = false;
    mayEnd.resolve();
    await until('the commit', () => reader.committed === 2);
    expect(ids(target.delivered)).toEqual(['2', '1']);
  });

  it('says once that its stream cannot be read, and goes on when it can', async () => {
    const reader = stream([record('1')]);
    const { read } = reader;
    let reads = 0;
    reader.read = async () => {
      reads += 1;
      throw new Error('away');
    };
    const { messages } = start(reader, bus());
    await until('three reads', () => reads >= 3);
    reader.read = read;
    await until('the commit', () => reader.committed === 1);
    expect(messages).toEqual(['pipe: away']);
  });

  it.each([
    [{ filters: [{ a: [{ prefix: 'x' }] }] }, /Pipe\.FilterCriteria\.a/],
    [{ inputTemplate: '{"a": <aws.pipes.event>}' }, /Pipe\.InputTemplate/],
  ])('with %j is refused at the start', (more, message) => {
    expect(() => start(stream([]), bus(), more)).toThrow(message);
  });
});
