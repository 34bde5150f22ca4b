/** Everything that holds state: the DynamoDB engine, secrets, keys and buses, behind two endpoints for the functions. */
import type { Server } from 'node:http';
import { type CallCounter, callCounter } from './aws/call-counts.ts';
import { type Kms, openKms } from './aws/kms.ts';
import { openSecretsManager, type SecretsManager } from './aws/secrets-manager.ts';
import { type AwsService, awsEndpoint } from './aws/server.ts';
import type { DataDirectory } from './data-directory.ts';
import { type DynamoDbClient, dynamoDbClient } from './dynamodb/client.ts';
import { countingPassThrough } from './dynamodb/counting-pass-through.ts';
import { type DynamoDbEngine, ENDPOINT_VARIABLE, externalEngine, startEngine } from './dynamodb/engine.ts';
import { ensureTable } from './dynamodb/tables.ts';
import { type EventBus, type EventBusOptions, openEventBus } from './events/bus.ts';
import { closeServer, LOOPBACK, listen } from './network.ts';
import type { LocalStack } from './template/read-stack.ts';
import { LOCAL_ACCOUNT_ID } from './template/references.ts';

export interface DataPlane {
  engine: DynamoDbEngine;
  client: DynamoDbClient;
  /** The engine, or the pass-through that counts in front of it. */
  dynamoDbEndpoint: string;
  awsEndpoint: string;
  /** ARN of each table's stream, by the table's ARN. */
  streamArns: ReadonlyMap<string, string>;
  secrets: SecretsManager;
  kms: Kms;
  bus: EventBus;
  counter: CallCounter;
  stop(): Promise<void>;
}

export interface DataPlaneOptions {
  stack: LocalStack;
  directory: DataDirectory;
  countAwsCalls: boolean;
  invoke: EventBusOptions['invoke'];
  /** Something to tell the person at the console. */
  warn: (message: string) => void;
}

/** Starts the engine of a data folder; it does not need the template, so it may start before there is one. */
export function startDataEngine(directory: DataDirectory, warn: (message: string) => void): Promise<DynamoDbEngine> {
  const elsewhere = process.env[ENDPOINT_VARIABLE];
  if (elsewhere !== undefined && elsewhere !== '') return Promise.resolve(externalEngine(elsewhere));
  return startEngine({
    databasePath: directory.file('dynamodb.sqlite'),
    onStarted: (pid) => directory.noteEngine(pid),
    onDied: (exitCode) => warn(`The DynamoDB engine ended (exit code ${exitCode}) and is started again.`),
  });
}

/** Opens the data plane around a running engine and creates the template's tables, secrets and keys. */
export async function openDataPlane(engine: DynamoDbEngine, options: DataPlaneOptions): Promise<DataPlane> {
  const { stack, directory, warn } = options;
  const client = dynamoDbClient(engine.endpoint, stack.region);
  const streamArns = new Map<string, string>();
  for (const table of stack.tables) {
    const streamArn = await ensureTable(client, table);
    if (streamArn !== undefined) streamArns.set(table.arn, streamArn);
  }
  const secrets = await openSecretsManager({
    statePath: directory.file('secrets.json'),
    arnPrefix: `arn:aws:secretsmanager:${stack.region}:${LOCAL_ACCOUNT_ID}:secret:`,
    templateSecrets: stack.secrets,
  });
  const kms = await openKms(directory.file('kms-keys.json'), stack.keys);
  const bus = openEventBus({
    filePath: directory.file('events.jsonl'),
    region: stack.region,
    buses: stack.buses,
    rules: stack.rules,
    invoke: options.invoke,
    onFailure: warn,
  });
  const counter = callCounter();
  const services = new Map<string, AwsService>([
    ['secretsmanager', secrets],
    ['TrentService', kms],
    ['AWSEvents', bus.service],
  ]);
  const aws = awsEndpoint({ services, counter, onNotEmulated: warn });
  const awsPort = await listen(aws, 0, 'AWS services', 'start again');
  const servers: Server[] = [aws];
  let dynamoDbEndpoint = engine.endpoint;
  if (options.countAwsCalls) {
    const counting = countingPassThrough(engine.endpoint, counter);
    servers.push(counting);
    dynamoDbEndpoint = `http://${LOOPBACK}:${await listen(counting, 0, 'DynamoDB', 'start again')}`;
  }
  return {
    engine,
    client,
    dynamoDbEndpoint,
    awsEndpoint: `http://${LOOPBACK}:${awsPort}`,
    streamArns,
    secrets,
    kms,
    bus,
    counter,
    async stop() {
      await Promise.all(servers.map(closeServer));
      client.close();
      await engine.stop();
    },
  };
}
