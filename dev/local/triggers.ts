/** The triggers of the template's functions on the streams of the tables that the engine made, and those made later. */
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { AwsError } from './aws/aws-error.ts';
import type { Queues } from './aws/sqs.ts';
import type { Console } from './console.ts';
import type { DataDirectory } from './data-directory.ts';
import type { DynamoDbClient } from './dynamodb/client.ts';
import type { DynamoDbEngine } from './dynamodb/engine.ts';
import { openStreamReader } from './events/stream-reader.ts';
import { startTrigger, type Trigger } from './events/stream-trigger.ts';
import type { FunctionPools } from './function-pools.ts';
import type { LocalStack } from './template/read-stack.ts';
import type { LocalTrigger } from './template/triggers.ts';

/** A trigger as Lambda's API shows it. */
export interface TriggerMapping {
  uuid: string;
  /** The stream by the engine's own name. */
  streamArn: string;
  trigger: LocalTrigger;
}

export interface Triggers {
  /** Those that run, the newest first. */
  readonly all: readonly Trigger[];
  readonly mappings: readonly TriggerMapping[];
  /**
   * Starts another trigger of a function, on a stream that it does not read yet. One of the same function whose stream is gone ends.
   * @throws AwsError where there is no such function or stream, or the function reads the stream already.
   */
  create(like: LocalTrigger, streamArn: string): Promise<TriggerMapping>;
  stop(): Promise<void>;
}

/** Streams of triggers, and the queue of events that no function accepted. */
interface Streams {
  client: DynamoDbClient;
  /** ARN of each table's stream, by the table's ARN. */
  streamArns: ReadonlyMap<string, string>;
  queues: Queues;
  /** Number of calls so far that may have changed a table; the engine has no other writer. */
  writes: () => number;
  engine: Pick<DynamoDbEngine, 'isElsewhere'>;
}

/** Starts every trigger where it was when it last ran. @throws Error for one that is not supported. */
export async function openTriggers(
  stack: LocalStack,
  { client, streamArns, queues, writes, engine }: Streams,
  pools: FunctionPools,
  directory: DataDirectory,
  screen: Console,
): Promise<Triggers> {
  const running: { readonly mapping: TriggerMapping; readonly started: Trigger }[] = [];

  async function start(trigger: LocalTrigger, streamArn: string): Promise<TriggerMapping> {
    const positionPath = directory.file(`stream-${trigger.logicalId}.json`);
    takePlaceOfPipe(directory, positionPath);
    const reader = await openStreamReader({
      client,
      streamArn,
      positionPath,
      startFromOldest: trigger.startsFromOldest,
    });
    const started = startTrigger({
      trigger,
      reader,
      invoke: (event) => pools.byArn(trigger.functionArn).invoke(JSON.stringify(event)),
      onGivenUp: (message) => queues.put(trigger.deadLettersArn ?? '', JSON.stringify(message)),
      region: stack.region,
      log: (message) => screen.warn(message),
      ...(engine.isElsewhere ? {} : { writes }),
    });
    const mapping = { uuid: randomUUID(), streamArn, trigger };
    running.unshift({ mapping, started });
    return mapping;
  }

  for (const trigger of stack.triggers.filter(({ isEnabled }) => isEnabled)) {
    const streamArn = streamArns.get(trigger.tableArn);
    if (streamArn === undefined) throw new Error(`${trigger.logicalId}: its table has no stream.`);
    await start(trigger, streamArn);
  }
  return {
    get all() {
      return running.map(({ started }) => started);
    },
    get mappings() {
      return running.map(({ mapping }) => mapping);
    },
    async create(like, streamArn) {
      if (running.some(({ mapping }) => mapping.streamArn === streamArn)) {
        throw new AwsError(
          'ResourceConflictException',
          'The event source arn and function provided mapping already exists.',
          409,
        );
      }
      await client.call('DescribeStream', { StreamArn: streamArn }).catch((error: unknown) => {
        throw new AwsError('InvalidParameterValueException', `Cannot access stream ${streamArn}: ${String(error)}`);
      });
      // Both would keep their place in one file; the one before has nothing left to read.
      await Promise.all(running.map(({ mapping, started }) => (mapping.trigger === like ? started.stop() : undefined)));
      return start(like, streamArn);
    },
    async stop() {
      await Promise.all(running.map(({ started }) => started.stop()));
    },
  };
}

/**
 * In a data folder of a version that had a pipe, the trigger continues where that one was. Read again, the stream would bring every event
 * that the engine still has. The pipe's file stays for the version before.
 */
function takePlaceOfPipe(directory: DataDirectory, positionPath: string): void {
  if (existsSync(positionPath)) return;
  const pipes = readdirSync(directory.path).filter((name) => /^pipe-.*\.json$/.test(name));
  const [only] = pipes;
  if (only !== undefined && pipes.length === 1) copyFileSync(directory.file(only), positionPath);
}
