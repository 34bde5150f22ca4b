/** Reads a table's stream in order and remembers how far it came, across restarts. */
import { readStateFile, writeStateFile } from '../aws/state-file.ts';
import { type DynamoDbClient, DynamoDbError } from '../dynamodb/client.ts';
import { asArray, asObject, asString, isObject, type JsonObject, optionalString } from '../json.ts';

export interface StreamReader {
  /** The next records, oldest first; empty when there are none. Does not move the position. */
  read(limit: number): Promise<JsonObject[]>;
  /** Moves the position past records that were delivered. */
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

/** Opens a reader; its position file is written after delivery, so that a crash repeats records instead of losing them. */
export async function openStreamReader(options: StreamReaderOptions): Promise<StreamReader> {
  const stored = await readStateFile(options.positionPath);
  const known = isObject(stored) && stored.streamArn === options.streamArn ? stored.sequenceNumber : undefined;
  let position = optionalString(known, `${options.positionPath}.sequenceNumber`);
  let startFromOldest = options.startFromOldest;
  let iterator: string | undefined;
  /** Where the stream goes on once the records just read are committed. */
  let nextIterator: string | undefined;
  /** A position lost between a read and its commit stays lost. */
  let lost = false;

  async function openIterator(): Promise<string> {
    const described = await options.client.call('DescribeStream', { StreamArn: options.streamArn });
    const shards = asArray(asObject(described.StreamDescription, 'StreamDescription').Shards, 'Shards');
    // The engine keeps one shard; more would need an order between them.
    if (shards.length !== 1) throw new Error(`The stream has ${shards.length} shards; the local runtime reads one.`);
    const type = startFromOldest ? 'TRIM_HORIZON' : 'LATEST';
    const from =
      position === undefined
        ? { ShardIteratorType: type }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position };
    const shardId = asString(asObject(shards[0], 'Shard').ShardId, 'ShardId');
    const opened = await options.client.call('GetShardIterator', {
      StreamArn: options.streamArn,
      ShardId: shardId,
      ...from,
    });
    return asString(opened.ShardIterator, 'ShardIterator');
  }

  return {
    async read(limit) {
      lost = false;
      iterator ??= await openIterator();
      try {
        const reply = await options.client.call('GetRecords', { ShardIterator: iterator, Limit: limit });
        const records = asArray(reply.Records, 'Records').map((record) => asObject(record, 'Record'));
        if (lost) {
          iterator = undefined;
          return [];
        }
        nextIterator = optionalString(reply.NextShardIterator, 'NextShardIterator');
        if (records.length === 0) iterator = nextIterator;
        return records;
      } catch (error) {
        // An iterator lives for minutes; the next read opens another at the same position.
        iterator = undefined;
        if (error instanceof DynamoDbError && error.code === 'ExpiredIteratorException') return [];
        throw error;
      }
    },
    commit(records) {
      const last = records.at(-1);
      if (last === undefined || lost) return;
      position = asString(asObject(last.dynamodb, 'dynamodb').SequenceNumber, 'SequenceNumber');
      writeStateFile(options.positionPath, { streamArn: options.streamArn, sequenceNumber: position });
      iterator = nextIterator;
    },
    losePosition() {
      lost = true;
      position = undefined;
      iterator = undefined;
      startFromOldest = true;
    },
  };
}
