/** Reads a table's stream, shard by shard in order, and remembers how far it came, across restarts. */

import { asArray, asObject, asString, isObject, type Json, type JsonObject, optionalString } from '../../tools/json.ts';
import { readStateFile, writeStateFile } from '../aws/state-file.ts';
import { type DynamoDbClient, DynamoDbError } from '../dynamodb/client.ts';

export interface StreamReader {
  /** The next records of one shard, oldest first; empty when there are none. Does not move the position. */
  read(limit: number): Promise<JsonObject[]>;
  /** Moves the position past the records of the last read, once they were delivered. */
  commit(records: readonly JsonObject[]): void;
  /** Forgets the position, as after a lost checkpoint: the next read starts at the oldest record. */
  losePosition(): void;
}

export interface StreamReaderOptions {
  client: DynamoDbClient;
  streamArn: string;
  positionPath: string;
  /** Where to start without a position: the oldest record, or only what comes after now. */
  startFromOldest: boolean;
}

/** State of one shard. */
interface Shard {
  id: string;
  /** The shard it was split from, which is read first ("DynamoDB Streams", "Reading and processing a stream"). */
  parent: string | undefined;
  /** Sequence number of the last record delivered. */
  position: string | undefined;
  /** Where to begin without a position. */
  origin: 'TRIM_HORIZON' | 'LATEST';
  /** It is closed and everything in it was delivered. */
  isThrough: boolean;
  iterator: string | undefined;
  /** Position after the records just read are committed; none after the last records of a closed shard. */
  next: string | undefined;
}

/** A shard's part of the position file. */
interface Kept {
  position?: string;
  isThrough?: boolean;
}

/** Opens a reader; its position file is written after delivery, so that a crash repeats records instead of losing them. */
export async function openStreamReader(options: StreamReaderOptions): Promise<StreamReader> {
  const { client, streamArn, positionPath } = options;
  let kept: ReadonlyMap<string, Kept> = keptPositions(await readStateFile(positionPath), streamArn);
  let shards = new Map<string, Shard>();
  /** The list of shards is not known, or a closed shard may have left others behind. */
  let isStale = true;
  /** Shards that are new in a later list follow closed ones and are read whole. */
  let origin: Shard['origin'] = options.startFromOldest ? 'TRIM_HORIZON' : 'LATEST';
  /** The shard whose records were read last, and not yet committed. */
  let current: Shard | undefined;
  /** A position lost between a read and its commit stays lost. */
  let lost = false;

  async function listShards(): Promise<void> {
    const described = await describeAll(client, streamArn);
    const startsWithoutPosition = kept.size === 0;
    shards = new Map(
      described.map(({ id, parent, isClosed }) => {
        const { position, isThrough = false } =
          kept.get(id) ?? (described.length === 1 ? kept.get('') : undefined) ?? {};
        const known = shards.get(id);
        const passed = known === undefined && startsWithoutPosition && origin === 'LATEST' && isClosed;
        const fresh = {
          id,
          parent,
          position,
          origin,
          isThrough: isThrough || passed,
          iterator: undefined,
          next: undefined,
        };
        return [id, known ?? fresh];
      }),
    );
    origin = 'TRIM_HORIZON';
    isStale = false;
  }

  /** Shards whose parents are through, the one to continue with first. */
  function readable(): Shard[] {
    const open = [...shards.values()].filter(
      ({ isThrough, parent }) => !isThrough && (parent === undefined || shards.get(parent)?.isThrough !== false),
    );
    const turn = current === undefined ? 0 : Math.max(0, open.indexOf(current));
    return [...open.slice(turn), ...open.slice(0, turn)];
  }

  async function readShard(shard: Shard, limit: number): Promise<JsonObject[]> {
    for (;;) {
      try {
        shard.iterator ??= await openIterator(client, streamArn, shard);
        const reply = await client.call('GetRecords', { ShardIterator: shard.iterator, Limit: limit });
        shard.next = optionalString(reply.NextShardIterator, 'NextShardIterator');
        const records = asArray(reply.Records, 'Records').map((record) => asObject(record, 'Record'));
        if (records.length === 0) goOn(shard);
        return records;
      } catch (error) {
        const code = error instanceof DynamoDbError ? error.code : '';
        const hadIterator = shard.iterator !== undefined;
        shard.iterator = undefined;
        // An iterator lives for minutes: another is opened at the same position.
        if (code === 'ExpiredIteratorException' && hadIterator) continue;
        if (code !== 'TrimmedDataAccessException' || shard.position === undefined) throw error;
        // The position is older than a day, and its records are deleted.
        shard.position = undefined;
        shard.origin = 'TRIM_HORIZON';
      }
    }
  }

  function goOn(shard: Shard): void {
    shard.iterator = shard.next;
    if (shard.next !== undefined) return;
    shard.isThrough = true;
    isStale = true;
    keep();
  }

  function keep(): void {
    kept = new Map(
      [...shards.values()]
        .filter(({ position, isThrough }) => position !== undefined || isThrough)
        .map(({ id, position, isThrough }) => [id, { ...(position === undefined ? {} : { position }), isThrough }]),
    );
    const positions = [...kept].map(([id, { position, isThrough }]): [string, JsonObject] => [
      id,
      { ...(position === undefined ? {} : { sequenceNumber: position }), isThrough: isThrough === true },
    ]);
    writeStateFile(positionPath, { streamArn, shards: Object.fromEntries(positions) });
  }

  return {
    async read(limit) {
      lost = false;
      if (isStale) await listShards();
      for (const shard of readable()) {
        const records = await readShard(shard, limit);
        if (lost) break;
        if (records.length === 0) continue;
        current = shard;
        return records;
      }
      return [];
    },
    commit(records) {
      const last = records.at(-1);
      if (last === undefined || lost || current === undefined) return;
      const shard = current;
      shard.position = asString(asObject(last.dynamodb, 'dynamodb').SequenceNumber, 'SequenceNumber');
      goOn(shard);
      keep();
      // The others have their turn before this one is read again.
      shards.delete(shard.id);
      shards.set(shard.id, shard);
      current = undefined;
    },
    losePosition() {
      lost = true;
      shards.clear();
      kept = new Map();
      current = undefined;
      isStale = true;
      origin = 'TRIM_HORIZON';
    },
  };
}

/** Every shard of a stream, page by page. */
async function describeAll(
  client: DynamoDbClient,
  streamArn: string,
): Promise<{ id: string; parent: string | undefined; isClosed: boolean }[]> {
  const all: { id: string; parent: string | undefined; isClosed: boolean }[] = [];
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const start = after === undefined ? {} : { ExclusiveStartShardId: after };
    const reply = await client.call('DescribeStream', { StreamArn: streamArn, ...start });
    const description = asObject(reply.StreamDescription, 'StreamDescription');
    for (const entry of asArray(description.Shards, 'Shards')) {
      const shard = asObject(entry, 'Shard');
      const range = isObject(shard.SequenceNumberRange) ? shard.SequenceNumberRange : {};
      all.push({
        id: asString(shard.ShardId, 'ShardId'),
        parent: optionalString(shard.ParentShardId, 'ParentShardId'),
        isClosed: range.EndingSequenceNumber !== undefined,
      });
    }
    after = optionalString(description.LastEvaluatedShardId, 'LastEvaluatedShardId');
  }
  return all;
}

async function openIterator(client: DynamoDbClient, streamArn: string, shard: Shard): Promise<string> {
  const from =
    shard.position === undefined
      ? { ShardIteratorType: shard.origin }
      : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: shard.position };
  const opened = await client.call('GetShardIterator', { StreamArn: streamArn, ShardId: shard.id, ...from });
  return asString(opened.ShardIterator, 'ShardIterator');
}

/**
 * Positions by shard; a file of an earlier version knows one, of a stream's only shard, here under ''. A table that was deleted and made
 * again has another stream, whose shards are others as on AWS; in the engine they are the same and begin with the old records.
 */
function keptPositions(stored: Json | undefined, streamArn: string): Map<string, Kept> {
  if (!isObject(stored)) return new Map();
  if (!isObject(stored.shards)) {
    if (stored.streamArn !== streamArn) return new Map();
    const position = optionalString(stored.sequenceNumber, 'sequenceNumber');
    return new Map(position === undefined ? [] : [['', { position }]]);
  }
  return new Map(
    Object.entries(stored.shards).map(([id, shard]) => {
      const { sequenceNumber, isThrough } = asObject(shard, `shards.${id}`);
      const position = optionalString(sequenceNumber, `shards.${id}.sequenceNumber`);
      return [id, { ...(position === undefined ? {} : { position }), isThrough: isThrough === true }];
    }),
  );
}
