import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DynamoDbClient, DynamoDbError } from '../../../../dev/local/dynamodb/client.ts';
import { openStreamReader, type StreamReader } from '../../../../dev/local/events/stream-reader.ts';
import { asObject, asString, type JsonObject } from '../../../../dev/tools/json.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const STREAM = 'arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/1';

/** One shard of a scripted stream; it is closed once `ended`. */
interface Shard {
  id: string;
  parent?: string;
  sequences: number[];
  ended?: boolean;
}

let folder: string;
let shards: Shard[];
/** Shards a page of `DescribeStream` holds. */
let pageSize: number;
/** Oldest sequence number that has not been trimmed. */
let trimmedBelow: number;
let iterators: Map<string, { shard: string; after: number }>;

beforeEach(() => {
  folder = temporaryFolder();
  shards = [];
  pageSize = 100;
  trimmedBelow = 0;
  iterators = new Map();
});

const shardOf = (id: string): Shard => {
  const shard = shards.find((one) => one.id === id);
  if (shard === undefined) throw new DynamoDbError('ResourceNotFoundException', id);
  return shard;
};

/** Answers as "Amazon DynamoDB Streams API Reference" says: pages of shards, closed shards without a next iterator. */
const client: DynamoDbClient = {
  async call(operation, input): Promise<JsonObject> {
    if (operation === 'DescribeStream') {
      const start = shards.findIndex(({ id }) => id === input.ExclusiveStartShardId) + 1;
      const page = shards.slice(start, start + pageSize);
      const last = start + pageSize < shards.length ? page.at(-1)?.id : undefined;
      return {
        StreamDescription: {
          Shards: page.map(({ id, parent, ended, sequences }) => ({
            ShardId: id,
            ...(parent === undefined ? {} : { ParentShardId: parent }),
            SequenceNumberRange: {
              StartingSequenceNumber: String(sequences[0] ?? 0),
              ...(ended === true ? { EndingSequenceNumber: String(sequences.at(-1) ?? 0) } : {}),
            },
          })),
          ...(last === undefined ? {} : { LastEvaluatedShardId: last }),
        },
      };
    }
    if (operation === 'GetShardIterator') {
      const shard = shardOf(asString(input.ShardId, 'ShardId'));
      const at = Number(input.SequenceNumber ?? 0);
      if (input.ShardIteratorType === 'AFTER_SEQUENCE_NUMBER' && at < trimmedBelow) {
        throw new DynamoDbError('TrimmedDataAccessException', 'gone');
      }
      const latest = shard.sequences.at(-1) ?? 0;
      const starts = { TRIM_HORIZON: 0, LATEST: latest, AT_SEQUENCE_NUMBER: at - 1, AFTER_SEQUENCE_NUMBER: at };
      const after = new Map(Object.entries(starts)).get(asString(input.ShardIteratorType, 'ShardIteratorType'));
      if (after === undefined) throw new DynamoDbError('ValidationException', 'ShardIteratorType');
      const name = `iterator-${iterators.size}`;
      iterators.set(name, { shard: shard.id, after });
      return { ShardIterator: name };
    }
    const iterator = iterators.get(asString(input.ShardIterator, 'ShardIterator'));
    if (iterator === undefined) throw new DynamoDbError('ExpiredIteratorException', 'expired');
    const shard = shardOf(iterator.shard);
    const left = shard.sequences.filter((sequence) => sequence > iterator.after && sequence >= trimmedBelow);
    const records = left.slice(0, Number(input.Limit));
    const next = `iterator-${iterators.size}`;
    const isOver = shard.ended === true && records.length === left.length;
    if (!isOver) iterators.set(next, { shard: shard.id, after: records.at(-1) ?? iterator.after });
    return {
      Records: records.map((sequence) => ({ dynamodb: { SequenceNumber: String(sequence) } })),
      ...(isOver ? {} : { NextShardIterator: next }),
    };
  },
  close() {},
};

const open = (startFromOldest = true): Promise<StreamReader> =>
  openStreamReader({ client, streamArn: STREAM, positionPath: join(folder, 'position.json'), startFromOldest });

/** A shard that is open. */
const of = (id: string, ...sequences: number[]): Shard[] => [{ id, sequences }];

const numbers = (records: readonly JsonObject[]): number[] =>
  records.map((record) => Number(asObject(record.dynamodb, 'dynamodb').SequenceNumber));

/** Everything there is, delivered and committed batch by batch. */
async function drain(reader: StreamReader, limit = 10): Promise<number[]> {
  const seen: number[] = [];
  for (let silent = 0; silent <= shards.length; ) {
    const records = await reader.read(limit);
    silent = records.length === 0 ? silent + 1 : 0;
    seen.push(...numbers(records));
    reader.commit(records);
  }
  return seen;
}

describe('a stream of several shards', () => {
  it('a stream of several shards is read whole, each shard in its order', async () => {
    shards = [...of('a', 1, 4, 5, 9), ...of('b', 2, 3, 7), ...of('c')];
    const seen = await drain(await open(), 2);
    expect([...seen].sort((x, y) => x - y)).toEqual([1, 2, 3, 4, 5, 7, 9]);
    expect(seen.filter((sequence) => [1, 4, 5, 9].includes(sequence))).toEqual([1, 4, 5, 9]);
    expect(seen.filter((sequence) => [2, 3, 7].includes(sequence))).toEqual([2, 3, 7]);
  });

  it('a stream of several shards is described page by page', async () => {
    pageSize = 2;
    shards = Array.from({ length: 5 }, (_, index) => ({ id: `s${index}`, sequences: [index + 1] }));
    expect((await drain(await open())).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('a stream of several shards has no shard read before the one it was split from is through', async () => {
    shards = [
      { id: 'child', parent: 'parent', sequences: [10, 11] },
      { id: 'grandchild', parent: 'child', sequences: [20] },
      { id: 'parent', sequences: [1, 2, 3], ended: true },
    ];
    const reader = await open();
    expect(numbers(await reader.read(2))).toEqual([1, 2]);
    expect(await drain(reader, 2)).toEqual([1, 2, 3, 10, 11]);
    shardOf('child').ended = true;
    expect(await drain(reader, 2)).toEqual([20]);
  });

  it('a stream of several shards has a shard read whose parent is trimmed away', async () => {
    shards = [{ id: 'child', parent: 'long gone', sequences: [10] }];
    expect(await drain(await open())).toEqual([10]);
  });

  it('continues in the shards that follow a closed one, from their oldest record, also where it began at the end', async () => {
    shards = of('a', 1, 2);
    const reader = await open(false);
    expect(await drain(reader)).toEqual([]);
    shardOf('a').sequences.push(3);
    shardOf('a').ended = true;
    shards.push({ id: 'b', parent: 'a', sequences: [4] }, { id: 'c', parent: 'a', sequences: [5] });
    expect(await drain(reader)).toEqual([3, 4, 5]);
  });

  it('gives what was not committed again, and nothing that was, across restarts and in each shard', async () => {
    shards = [
      { id: 'a', sequences: [1, 3] },
      { id: 'b', sequences: [2, 4], ended: true },
      { id: 'c', parent: 'b', sequences: [6] },
    ];
    const first = await open();
    const read = await first.read(1);
    expect(numbers(await first.read(1))).toEqual(numbers(read));
    first.commit(read);
    const second = await open();
    const rest = await drain(second);
    expect([...numbers(read), ...rest].sort()).toEqual([1, 2, 3, 4, 6]);
    shardOf('a').sequences.push(7);
    shardOf('c').sequences.push(8);
    expect((await drain(await open())).sort()).toEqual([7, 8]);
  });

  it('begins again everywhere once its position is lost, also between a read and its commit', async () => {
    shards = [...of('a', 1), ...of('b', 2)];
    const reader = await open(false);
    expect(await drain(reader)).toEqual([]);
    shardOf('a').sequences.push(3);
    expect(await drain(reader)).toEqual([3]);
    reader.losePosition();
    expect((await drain(reader)).sort()).toEqual([1, 2, 3]);
    shardOf('b').sequences.push(4);
    const read = await reader.read(10);
    reader.losePosition();
    reader.commit(read);
    expect((await drain(reader)).sort()).toEqual([1, 2, 3, 4]);
  });

  it('continues after an iterator expired, and after the engine trimmed what lay behind the position', async () => {
    shards = of('a', 1, 2);
    const reader = await open();
    const read = await reader.read(1);
    reader.commit(read);
    iterators.clear();
    expect(await drain(reader)).toEqual([2]);
    iterators.clear();
    trimmedBelow = 5;
    shardOf('a').sequences.push(6);
    expect(await drain(reader)).toEqual([6]);
  });

  it('takes up a position of an earlier version, which knew one shard', async () => {
    shards = of('a', 1, 2, 3);
    writeFileSync(join(folder, 'position.json'), JSON.stringify({ streamArn: STREAM, sequenceNumber: '2' }));
    expect(await drain(await open())).toEqual([3]);
  });

  it('forgets the positions of another stream, whose shards are others', async () => {
    shards = of('a', 1);
    const position = { sequenceNumber: '9', isThrough: false };
    writeFileSync(join(folder, 'position.json'), JSON.stringify({ streamArn: 'other', shards: { b: position } }));
    expect(await drain(await open())).toEqual([1]);
    expect(JSON.parse(readFileSync(join(folder, 'position.json'), 'utf8'))).toMatchObject({ streamArn: STREAM });
  });

  it('continues where it was when the table was made again, whose stream begins with the old records here', async () => {
    shards = of('a', 1, 2, 3);
    const position = { sequenceNumber: '2', isThrough: false };
    writeFileSync(join(folder, 'position.json'), JSON.stringify({ streamArn: 'other', shards: { a: position } }));
    expect(await drain(await open())).toEqual([3]);
  });
});
