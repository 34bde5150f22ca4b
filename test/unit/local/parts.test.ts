import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openCredentialBook } from '../../../dev/local/aws/credentials.ts';
import { readStateFile } from '../../../dev/local/aws/state-file.ts';
import { textConsole } from '../../../dev/local/console.ts';
import { openDataDirectory } from '../../../dev/local/data-directory.ts';
import { differingParts } from '../../../dev/local/dynamodb/tables.ts';
import { functionEnvironment } from '../../../dev/local/lambda/environment.ts';
import { logSink } from '../../../dev/local/lambda/log-lines.ts';
import { identify, isRunning, killIfRunning } from '../../../dev/local/process-identity.ts';
import { openCleanup } from '../../../dev/local/shutdown.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { lifecycleEvent } from './fixtures/event.ts';

describe('the environment of a function', () => {
  const fn = {
    logicalId: 'Fn',
    name: 'Stack-Fn',
    arn: 'arn',
    roleArn: 'arn:aws:iam::000000000000:role/proxy',
    logGroup: '/aws/lambda/Stack-Fn',
    isTraced: false,
    displayName: 'proxy',
    runtime: 'nodejs24.x',
    handler: 'index.handler',
    codeFolder: '/code',
    timeoutSec: 3,
    memoryMb: 128,
    logFormat: 'JSON',
    environment: { BASE_URL: 'https://deployed.example', OWN: '1', AWS_REGION: 'other' },
  } as const;
  const credentials = openCredentialBook();
  const environment = functionEnvironment(fn, {
    region: 'eu-west-1',
    runtimeApi: '127.0.0.1:1',
    awsEndpoint: 'http://aws',
    dynamoDbEndpoint: 'http://ddb',
    credentials,
    emptyConfigFile: '/empty',
    overrides: { BASE_URL: 'http://local', ABSENT: 'x' },
  });

  it('replaces variables the template has and adds none it has not', () => {
    expect(environment).toMatchObject({ BASE_URL: 'http://local', OWN: '1' });
    expect(environment).not.toHaveProperty('ABSENT');
  });

  it('the environment of a function has what the runtime client requires, and nothing that leads to real AWS', () => {
    expect(environment).toMatchObject({
      _HANDLER: 'index.handler',
      LAMBDA_TASK_ROOT: '/code',
      AWS_LAMBDA_RUNTIME_API: '127.0.0.1:1',
      AWS_LAMBDA_FUNCTION_NAME: 'Stack-Fn',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: 'http://aws',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://ddb',
      AWS_CONFIG_FILE: '/empty',
      AWS_SHARED_CREDENTIALS_FILE: '/empty',
      AWS_EC2_METADATA_DISABLED: 'true',
      HOME: '/home/sbx_user1051',
    });
  });
});

describe('credentials', () => {
  const book = openCredentialBook();
  const fn = { displayName: 'proxy', name: 'Stack-Fn', roleArn: 'arn:aws:iam::000000000000:role/proxy' };

  it('credentials are each function’s own, the same ones each time, and known by whose they are', () => {
    const issued = book.ofFunction(fn);
    expect(book.ofFunction({ ...fn })).toEqual(issued);
    const caller = { kind: 'function', name: 'proxy', roleArn: fn.roleArn, sessionName: 'Stack-Fn' };
    expect(book.find(issued.accessKeyId)?.caller).toEqual(caller);
    expect(book.ofFunction({ ...fn, displayName: 'connect' }).accessKeyId).not.toBe(issued.accessKeyId);
    expect(book.find(book.operator.accessKeyId)?.caller.kind).toBe('operator');
  });

  it('credentials are another run’s in no other run', () => {
    expect(book.find(openCredentialBook().operator.accessKeyId)).toBeUndefined();
    expect(book.operator.accessKeyId).toMatch(/^AKIA[0-9A-F]{32}$/);
  });
});

describe('the data folder', () => {
  let [parent, folder] = ['', ''];
  beforeEach(() => {
    parent = temporaryFolder();
    folder = join(parent, 'data');
  });

  it('the data folder is locked while open and free afterwards', () => {
    const first = openDataDirectory(folder, false);
    expect(() => openDataDirectory(folder, false)).toThrow(`Another gateway (process ${process.pid})`);
    first.release();
    openDataDirectory(folder, false).release();
  });

  it('takes over the lock of a process that is gone, also one whose id was used again', () => {
    openDataDirectory(folder, false).release();
    for (const gateway of [{ pid: 2 ** 22 + 1 }, { pid: process.pid, startTicks: '1' }]) {
      writeFileSync(join(folder, 'lock.json'), JSON.stringify({ gateway }));
      openDataDirectory(folder, false).release();
    }
  });

  it.each(['', '{"gateway":{"pi', '[]'])('takes over a lock that names nobody: %j', (lock) => {
    openDataDirectory(folder, false).release();
    writeFileSync(join(folder, 'lock.json'), lock);
    openDataDirectory(folder, false).release();
  });

  it('the data folder whose state is damaged says so, and how to continue', async () => {
    const path = join(parent, 'secrets.json');
    writeFileSync(path, '{"half');
    await expect(readStateFile(path)).rejects.toThrow(/secrets\.json is not valid JSON.*--fresh.*--data/);
  });

  it('the data folder is erased on request, and only when it is ours', () => {
    const data = openDataDirectory(folder, false);
    writeFileSync(data.file('old'), '');
    data.release();
    openDataDirectory(folder, true).release();
    expect(readdirSync(folder)).toEqual(['gateway-data.json', 'lock.sqlite']);
    writeFileSync(join(parent, 'precious'), '');
    for (const fresh of [true, false]) expect(() => openDataDirectory(parent, fresh)).toThrow('--data');
    expect(() => openDataDirectory(join(parent, 'precious'), true)).toThrow('is not a folder');
  });
});

describe('a process identity', () => {
  it('a process identity is that of one process, not of its id', () => {
    const self = identify(process.pid);
    expect(isRunning(self)).toBe(true);
    expect(isRunning({ pid: process.pid, startTicks: '1' })).toBe(false);
  });

  it('a process identity is nobody’s where the system gives no start time: a program that has the id now is not ended for the one before', () => {
    expect(isRunning({ pid: process.pid, startTicks: undefined })).toBe(false);
    killIfRunning({ pid: process.pid, startTicks: undefined });
  });
});

describe('cleaning up', () => {
  it('runs last first, each once, all of it even when one fails', async () => {
    const order: number[] = [];
    const cleanup = openCleanup();
    cleanup.add(() => void order.push(1));
    cleanup.add(() => Promise.reject(new Error('two')));
    cleanup.add(async () => void order.push(3));
    await expect(Promise.all([cleanup.run(), cleanup.run()])).rejects.toThrow('did not end cleanly');
    expect(order).toEqual([3, 1]);
  });

  it('ends at once what is added too late', async () => {
    const order: string[] = [];
    const cleanup = openCleanup();
    await cleanup.run();
    cleanup.add(() => void order.push('late'));
    await cleanup.run();
    expect(order).toEqual(['late']);
  });
});

describe('the difference of tables', () => {
  const attributes = (n: string) => [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'n', AttributeType: n },
  ];
  const keyed = (AttributeName: string) => [{ AttributeName, KeyType: 'HASH' }];
  const index = (...NonKeyAttributes: string[]) => ({
    IndexName: 'i',
    KeySchema: keyed('n'),
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes },
  });
  const table = {
    AttributeDefinitions: attributes('N'),
    KeySchema: keyed('pk'),
    GlobalSecondaryIndexes: [index('b', 'a')],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  };

  it('the difference of tables does not see order, nor what the engine adds', () => {
    const described = {
      ...table,
      TableStatus: 'ACTIVE',
      AttributeDefinitions: table.AttributeDefinitions.toReversed(),
      GlobalSecondaryIndexes: [{ ...index('a', 'b'), ItemCount: 0 }],
    };
    expect(differingParts(table, described)).toEqual([]);
  });

  it.each([
    [{ KeySchema: keyed('n') }, ['keys']],
    [{ GlobalSecondaryIndexes: [] }, ['index i']],
    [{ GlobalSecondaryIndexes: [index('a')] }, ['index i']],
    [{ AttributeDefinitions: attributes('S') }, ['index i']],
    [{ StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }, ['stream']],
  ])('sees %j', (change, expected) => {
    expect(differingParts(table, { ...table, ...change })).toEqual(expected);
  });
});

describe('the console', () => {
  it('prints a step with its time, lines with their function, events with what they are about', async () => {
    const written: string[] = [];
    const screen = textConsole((text) => written.push(text), false);
    expect(await screen.step('do a thing', async () => 7)).toBe(7);
    screen.functionLine({ functionName: 'proxy', text: 'hello' }, false);
    screen.event(lifecycleEvent('ConnectionCreated', { integration_id: 'i', connection_id: 'c' }));
    expect(written.join('')).toMatch(/do a thing +\d+ ms\n\[proxy\] hello\n\[event\] ConnectionCreated i \/ c\n/);
  });
});

describe('the log of functions', () => {
  it('keeps the latest 10,000 lines', () => {
    const logs = logSink(() => {});
    for (let index = 0; index < 10_005; index += 1) logs.line('f', String(index));
    expect([logs.lines().length, logs.lines()[0]?.text, logs.lines().at(-1)?.text]).toEqual([10_000, '5', '10004']);
  });
});
