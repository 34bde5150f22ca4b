/** Everything that holds state: the DynamoDB engine, secrets, keys and buses, behind two endpoints for the functions. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Json } from '../tools/json.ts';
import { type CallCounter, callCounter } from './aws/call-counts.ts';
import { cloudWatchService } from './aws/cloudwatch.ts';
import type { CredentialBook } from './aws/credentials.ts';
import { type Kms, openKms } from './aws/kms.ts';
import { lambdaService } from './aws/lambda.ts';
import type { Logs } from './aws/logs.ts';
import { openSecretsManager, type SecretsManager } from './aws/secrets-manager.ts';
import { type AwsService, awsEndpoint } from './aws/server.ts';
import { openQueues, type Queues } from './aws/sqs.ts';
import { copyData, type DataDirectory } from './data-directory.ts';
import { type DynamoDbClient, dynamoDbClient } from './dynamodb/client.ts';
import { type DynamoDbEngine, ENDPOINT_VARIABLE, externalEngine, startEngine } from './dynamodb/engine.ts';
import { judgedDynamoDb } from './dynamodb/judged-endpoint.ts';
import { ensureTable } from './dynamodb/tables.ts';
import { type EventBus, openEventBus } from './events/bus.ts';
import { type Judge, openJudge } from './iam/judge.ts';
import type { InvocationOutcome } from './lambda/outcome.ts';
import type { Measurements } from './measurements.ts';
import { closeServer, LOOPBACK, listen } from './network.ts';
import type { LocalStack } from './template/read-stack.ts';
import { LOCAL_ACCOUNT_ID } from './template/references.ts';
import type { Triggers } from './triggers.ts';

export interface DataPlane {
  engine: DynamoDbEngine;
  client: DynamoDbClient;
  /** The endpoint for functions and scripts; the engine behind it does not authenticate. */
  dynamoDbEndpoint: string;
  awsEndpoint: string;
  /** ARN of each table's stream, by the table's ARN. */
  streamArns: ReadonlyMap<string, string>;
  secrets: SecretsManager;
  kms: Kms;
  bus: EventBus;
  queues: Queues;
  counter: CallCounter;
  /** Calls so far that may have changed a table. */
  writes: () => number;
  judge: Judge;
  stop(): Promise<void>;
}

export interface DataPlaneOptions {
  stack: LocalStack;
  directory: DataDirectory;
  book: CredentialBook;
  invoke: (functionArn: string, event: Json) => Promise<Json>;
  run: (functionArn: string, event: Json) => Promise<InvocationOutcome>;
  /** The triggers of functions, once they are open. */
  triggers: () => Triggers;
  /** Whether events reach the functions of rules. */
  rules: boolean;
  /** Measurements as CloudWatch would have them. */
  measurements: Measurements;
  logs: Logs;
  /** Prints a warning on the console. */
  warn: (message: string) => void;
}

/**
 * Starts the engine of a data folder; it does not need the template, so it may start before there is one.
 * @param elsewhere address of an engine that runs already. @default what GATEWAY_DYNAMODB_ENDPOINT says, if anything
 * @throws Error when nothing answers there, or the folder's table is in another engine
 */
export async function startDataEngine(
  directory: DataDirectory,
  elsewhere: string | undefined,
  warn: (message: string) => void,
): Promise<DynamoDbEngine> {
  const endpoint = elsewhere ?? (process.env[ENDPOINT_VARIABLE] || undefined);
  const databasePath = directory.file('dynamodb.sqlite');
  const accessKeyPath = directory.file('dynamodb-access-key.txt');
  const remedy = 'choose another folder with --data, or start over with --fresh.';
  if (endpoint !== undefined) {
    if (existsSync(databasePath)) {
      throw new Error(`The table of ${directory.path} is not at ${endpoint}: leave --dynamodb out, ${remedy}`);
    }
    return externalEngine(endpoint, () => accessKeyIn(accessKeyPath));
  }
  if (existsSync(accessKeyPath)) {
    throw new Error(
      `The table of ${directory.path} is in an engine that runs elsewhere: name it with --dynamodb, ${remedy}`,
    );
  }
  return startEngine({
    databasePath,
    onStarted: (pid) => directory.noteEngine(pid),
    onDied: (exitCode) => warn(`The DynamoDB engine ended (exit code ${exitCode}) and is started again.`),
  });
}

/** The access key under which a data folder is known to an engine that others may use too; made at the first start. */
function accessKeyIn(path: string): string {
  if (!existsSync(path)) writeFileSync(path, `local${randomBytes(8).toString('hex')}`, { mode: 0o600 });
  return readFileSync(path, 'utf8');
}

/** Keeps the data as they are before this version changes tables of the folder, and says where. */
async function copyForEarlierVersion(directory: DataDirectory, warn: (message: string) => void): Promise<void> {
  const copy = await copyData(directory);
  warn(
    `This version changes the indexes of the tables in ${directory.path}, and versions before 0.3.0 do not start on them afterwards. ` +
      `A copy of the data as they were is in ${copy}: such a version starts on it with --data ${copy}. Delete it when you no longer need it.`,
  );
}

/** Opens the data plane around a running engine and creates the template's tables, secrets and keys. */
export async function openDataPlane(engine: DynamoDbEngine, options: DataPlaneOptions): Promise<DataPlane> {
  const { stack, directory, warn } = options;
  const client = dynamoDbClient(engine.endpoint, stack.region, {
    accessKeyId: engine.accessKeyId,
    secretAccessKey: 'local',
  });
  const streamArns = new Map<string, string>();
  const secretsPath = directory.file('secrets.json');
  // Keys and secrets without the table that knows them would be of no use, and a new table would hide that.
  const mayMakeTables = !engine.isElsewhere || !existsSync(secretsPath);
  let copying: Promise<void> | undefined;
  const beforeIndexesChange = () => {
    if (!engine.isElsewhere) copying ??= copyForEarlierVersion(directory, warn);
    return copying ?? Promise.resolve();
  };
  for (const table of stack.tables) {
    const streamArn = await ensureTable(client, table, mayMakeTables, beforeIndexesChange);
    if (streamArn !== undefined) streamArns.set(table.arn, streamArn);
  }
  const secrets = await openSecretsManager({
    statePath: secretsPath,
    region: stack.region,
    arnPrefix: `arn:aws:secretsmanager:${stack.region}:${LOCAL_ACCOUNT_ID}:secret:`,
    templateSecrets: stack.secrets,
  });
  const kms = await openKms(directory.file('kms-keys.json'), stack.keys);
  const bus = openEventBus({
    filePath: directory.file('events.jsonl'),
    region: stack.region,
    buses: stack.buses,
    rules: options.rules ? stack.rules : [],
    invoke: options.invoke,
    onFailure: warn,
    measure: options.measurements.add,
  });
  const queues = openQueues({ queues: stack.queues, filePath: directory.file('dead-letters.jsonl') });
  const counter = callCounter();
  const services = new Map<string, AwsService>([
    ['secretsmanager', secrets],
    ['TrentService', kms],
    ['AWSEvents', bus.service],
    ['AmazonSQS', queues.service],
    ['Logs', options.logs.service],
    ['GraniteServiceVersion20100801', cloudWatchService(options.measurements)],
    [
      'lambda',
      lambdaService({
        region: stack.region,
        functions: stack.functions,
        aliasArns: stack.aliasArns,
        invoke: options.invoke,
        run: options.run,
        onFailure: warn,
        triggers: options.triggers,
      }),
    ],
  ]);
  const judge = openJudge(stack, ({ caller, message }) => warn(`AWS would refuse this call of ${caller}: ${message}`));
  const { book } = options;
  const aws = awsEndpoint({ services, book, judge, counter, onNotEmulated: warn });
  let written = 0;
  const onWritten = () => {
    written += 1;
  };
  const dynamoDb = judgedDynamoDb({ engine, stack, book, judge, counter, onWritten, onNotEmulated: warn });
  const awsPort = await listen(aws, 0, 'AWS services', 'start again');
  const dynamoDbPort = await listen(dynamoDb, 0, 'DynamoDB', 'start again');
  const servers: Server[] = [aws, dynamoDb];
  return {
    engine,
    client,
    dynamoDbEndpoint: `http://${LOOPBACK}:${dynamoDbPort}`,
    awsEndpoint: `http://${LOOPBACK}:${awsPort}`,
    streamArns,
    secrets,
    kms,
    bus,
    queues,
    counter,
    writes: () => written,
    judge,
    async stop() {
      await Promise.all(servers.map(closeServer));
      client.close();
      await engine.stop();
    },
  };
}
