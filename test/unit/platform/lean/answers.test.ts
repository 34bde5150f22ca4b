import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { crc32 as ownCrc32 } from '../../../../lambdas/gateway/platform/lean/crc32.ts';
import { quietNowMs } from '../../../support/quiet-time.ts';
import { connection } from '../../support/connection.ts';
import {
  type Answer,
  compared,
  type Driver,
  inLambda,
  json,
  LIMITS,
  outcomeOf,
  recordingService,
  useDrivers,
} from './clients.ts';

const driverOf = useDrivers();

beforeEach(() => inLambda());
afterEach(() => vi.unstubAllEnvs());

const KEY = { pk: 'a', sk: 'b' };
const table = ({ openTable }: Driver, limits = LIMITS) => openTable('gateway', {}, limits);
const get = (d: Driver) => table(d).client.send(new d.GetCommand({ TableName: 'gateway', Key: KEY }));
const update = (d: Driver) =>
  table(d).client.send(new d.UpdateCommand({ TableName: 'gateway', Key: KEY, UpdateExpression: 'SET a = b' }));
const transact = (d: Driver) =>
  table(d).client.send(new d.TransactWriteCommand({ TransactItems: [{ Put: { TableName: 'gateway', Item: KEY } }] }));
const decrypt = (d: Driver) =>
  d.awsClient(d.KMSClient, LIMITS).send(new d.DecryptCommand({ CiphertextBlob: new Uint8Array(1) }));
const secret = (d: Driver) =>
  d.awsClient(d.SecretsManagerClient, LIMITS).send(new d.GetSecretValueCommand({ SecretId: 'a' }));

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** An item with every type, as DynamoDB sends it. */
const ITEM = {
  pk: { S: 'a' },
  unicode: { S: 'ä 漢字 🎉 \u2028 \u0000' },
  empty: { S: '' },
  zero: { N: '0' },
  negativeZero: { N: '-0' },
  fraction: { N: '0.1' },
  exponent: { N: '1E+21' },
  safe: { N: '9007199254740991' },
  yes: { BOOL: true },
  nothing: { NULL: true },
  bytes: { B: base64('\u0000 bytes') },
  noBytes: { B: '' },
  texts: { SS: ['a', 'ß'] },
  numbers: { NS: ['1', '2.5'] },
  manyBytes: { BS: [base64('a'), base64('bc')] },
  list: { L: [{ S: 'a' }, { L: [] }, { M: {} }, { L: [{ B: base64('x') }] }] },
  map: { M: { a: { M: { b: { L: [] } } }, bytes: { B: base64('y') } } },
};
const { exponent: _, ...READABLE } = ITEM;

describe('LA-20: the lean client reads as the SDK does', () => {
  test.each<[string, unknown, (d: Driver) => Promise<unknown>]>([
    ['an item', { Item: READABLE, ConsumedCapacity: { TableName: 'gateway', CapacityUnits: 0.5 } }, get],
    ['no item', {}, get],
    ['a body without a byte', '', get],
    ['members that are null or not known', { Item: null, Attributes: { a: { S: 'b' } }, Other: 1 }, get],
    ['attributes', { Attributes: READABLE }, update],
    [
      'a page',
      { Items: [READABLE, {}], Count: 2, ScannedCount: 3, LastEvaluatedKey: { pk: { S: 'a' }, n: { N: '1' } } },
      (d) => table(d).client.send(new d.QueryCommand({ TableName: 'gateway' })),
    ],
    [
      'a scanned page',
      { Items: [], Count: 0 },
      (d) => table(d).client.send(new d.ScanCommand({ TableName: 'gateway' })),
    ],
    [
      'a removed item',
      { Attributes: READABLE },
      (d) => table(d).client.send(new d.DeleteCommand({ TableName: 'gateway', Key: KEY })),
    ],
    [
      'a replaced item',
      { Attributes: READABLE },
      (d) => table(d).client.send(new d.PutCommand({ TableName: 'gateway', Item: KEY })),
    ],
    [
      'what a batch did not get to',
      {
        Responses: { gateway: [READABLE, { pk: { S: 'b' } }], other: [] },
        UnprocessedKeys: { gateway: { Keys: [{ pk: { S: 'c' }, sk: { N: '1' } }], ConsistentRead: true } },
      },
      (d) => table(d).client.send(new d.BatchGetCommand({ RequestItems: { gateway: { Keys: [KEY] } } })),
    ],
    ['a transaction that was written', {}, transact],
    [
      'a decrypted key',
      { KeyId: 'arn', Plaintext: base64('k'.repeat(32)), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' },
      decrypt,
    ],
    [
      'a data key',
      { KeyId: 'arn', Plaintext: base64('k'.repeat(32)), CiphertextBlob: base64('wrapped') },
      (d) => d.awsClient(d.KMSClient, LIMITS).send(new d.GenerateDataKeyCommand({ KeyId: 'arn' })),
    ],
    [
      'a secret of text',
      { ARN: 'arn', Name: 'n', SecretString: '{"a":"ä"}', VersionStages: ['AWSCURRENT'], CreatedDate: 1.764e9 + 0.123 },
      secret,
    ],
    ['a secret of bytes', { SecretBinary: base64('bytes') }, secret],
    [
      'a number in a row that is beyond 2^53',
      { Item: { n: { N: '9007199254740993' }, m: { N: '-9007199254740993' } } },
      get,
    ],
    ['a number that neither a number nor a BigInt holds', { Item: { n: ITEM.exponent } }, get],
    ['a type that there is none of', { Item: { n: { X: '1' } } }, get],
    ['bytes that are no base64', { Plaintext: 'a*==' }, decrypt],
    ['bytes of a wrong length', { Item: { b: { B: 'abc' } } }, get],
  ])('%s', async (_name, body, act) => {
    await compared(driverOf, json(200, body, { 'content-type': 'application/x-amz-json-1.0' }), act);
  });

  test('16 MB of items (LA-23)', async () => {
    const Items = Array.from({ length: 40 }, (_, n) => ({ n: { N: String(n) }, text: { S: 'x'.repeat(400_000) } }));
    const { outcome } = await compared(driverOf, json(200, { Items, Count: 40 }), (d) =>
      table(d).client.send(new d.QueryCommand({ TableName: 'gateway' })),
    );
    expect(outcome.output).toMatchObject({ Count: 40 });
  });
});

const CONDITION = {
  __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
  message: 'The conditional request failed',
};
const CANCELLED = {
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  Message: 'Transaction cancelled',
  CancellationReasons: [
    { Code: 'None', Item: null, Message: null },
    { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', Item: { ...READABLE } },
  ],
};
const dynamo = (name: string, more: object = {}) => ({
  __type: `com.amazonaws.dynamodb.v20120810#${name}`,
  message: 'why',
  ...more,
});

describe('LA-20: the lean client fails as the SDK does on', () => {
  test.each<[string, Answer, (d: Driver) => Promise<unknown>]>([
    [
      'a condition that did not hold, with the item as DynamoDB types it',
      json(400, { ...CONDITION, Item: READABLE }),
      update,
    ],
    ['a condition that did not hold, without an item', json(400, CONDITION), update],
    ['a cancelled transaction', json(400, CANCELLED), transact],
    ['a throttle', json(400, dynamo('ProvisionedThroughputExceededException')), get],
    ['a throttle by its status', json(429, dynamo('Anything')), get],
    [
      'throttling with reasons',
      json(400, dynamo('ThrottlingException', { throttlingReasons: [{ reason: 'x', resource: 'y' }] })),
      get,
    ],
    ['a limit of requests', json(400, dynamo('RequestLimitExceeded')), get],
    ['a transaction in progress', json(400, dynamo('TransactionInProgressException')), transact],
    ['a conflict of transactions', json(400, dynamo('TransactionConflictException')), update],
    ['a conflict of replicas', json(400, dynamo('ReplicatedWriteConflictException')), update],
    ['an item that is too large', json(400, dynamo('ItemCollectionSizeLimitExceededException')), update],
    ['a table that is not there', json(400, dynamo('ResourceNotFoundException')), get],
    [
      'a request that is not valid',
      json(400, { __type: 'com.amazon.coral.validate#ValidationException', message: 'no' }),
      get,
    ],
    ['a refused right', json(400, { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'no' }), get],
    [
      'credentials that have expired',
      json(400, { __type: 'com.amazon.coral.service#ExpiredTokenException', message: 'no' }),
      get,
    ],
    ['an outage of the service', json(500, dynamo('InternalServerError')), get],
    ['an outage without a word', json(500, ''), get],
    ['an outage without a name', json(503, {}), get],
    ['an outage behind a load balancer', json(502, '<html>Bad Gateway</html>'), get],
    ['a status that is no outage to be waited for', json(501, dynamo('NotImplemented')), get],
    [
      'an error that only a header names',
      json(400, { message: 'no' }, { 'x-amzn-errortype': 'ValidationException:http://x' }),
      get,
    ],
    ['an error that a code names', json(400, { code: 'ValidationException', Message: 'no' }), get],
    ['a redirect', json(301, {}, { location: 'http://127.0.0.1:1/' }), get],
    ['garbage', json(200, '<html>'), get],
    ['half of an answer', json(200, '{"Item":{"pk":'), get],
    ['KMS without the key', json(400, { __type: 'NotFoundException', message: 'no' }), decrypt],
    ['KMS with a disabled key', json(400, { __type: 'DisabledException', message: 'no' }), decrypt],
    ['KMS with another context', json(400, { __type: 'InvalidCiphertextException' }), decrypt],
    ['KMS in trouble', json(500, { __type: 'KMSInternalException', message: 'no' }), decrypt],
    ['KMS in trouble with others', json(400, { __type: 'DependencyTimeoutException', message: 'no' }), decrypt],
    ['KMS without the key material', json(400, { __type: 'KeyUnavailableException', message: 'no' }), decrypt],
    ['KMS that throttles', json(400, { __type: 'ThrottlingException', message: 'no' }), decrypt],
    ['KMS with too many requests', json(400, { __type: 'LimitExceededException', message: 'no' }), decrypt],
    ['a secret that is not there', json(400, { __type: 'ResourceNotFoundException', Message: 'no' }), secret],
    ['a secret that is being deleted', json(400, { __type: 'InvalidRequestException', Message: 'no' }), secret],
    ['a secret that cannot be decrypted', json(400, { __type: 'DecryptionFailure', Message: 'no' }), secret],
    ['Secrets Manager in trouble', json(500, { __type: 'InternalServiceError', Message: 'no' }), secret],
  ])('%s', async (_name, answer, act) => {
    const { outcome } = await compared(driverOf, answer, act);
    expect(outcome.error).toBeDefined();
  });
});

describe('LA-2: the faults of an earlier lean client', () => {
  test('the loser of a lease sees the winner in the item of the error', async () => {
    const winner = { pk: { S: 'a' }, sk: { S: 'b' }, attemptId: { S: 'other' }, b: { B: base64('bytes') } };
    const lease = {
      owner: 'p',
      attemptId: 'a',
      attemptHash: 'h',
      nowEpochSec: 1,
      expiresAtEpochSec: 2,
      evenIfDead: false,
    };
    const { outcome } = await compared(driverOf, json(400, { ...CONDITION, Item: winner }), (d) =>
      d.takeLease(table(d), connection(), lease),
    );
    expect(outcome).toMatchObject({ error: { name: 'UnreadableItemError' } });
    const raw = await outcomeOf(() => update(driverOf('lean')));
    expect(raw.error?.Item).toEqual({ ...winner, b: { B: new Uint8Array(Buffer.from('bytes')) } });
  });

  test.each(['sdk', 'lean'] as const)(
    'a signal of 300 ms ends a call of the %s client that is never answered',
    async (name) => {
      await recordingService(() => {});
      const d = driverOf(name);
      const from = quietNowMs();
      const { error } = await outcomeOf(() =>
        table(d, { ...LIMITS, attempts: 1, answerMs: 15_000 }).client.send(
          new d.PutCommand({ TableName: 'gateway', Item: KEY }),
          {
            abortSignal: AbortSignal.timeout(300),
          },
        ),
      );
      expect(error?.name).toBe('AbortError');
      expect(quietNowMs() - from).toBeLessThan(10_000);
    },
  );
});

describe('LA-23: a checksum of DynamoDB', () => {
  const body = JSON.stringify({ Item: READABLE });
  const withChecksum = (checksum: number) => json(200, body, { 'x-amz-crc32': String(checksum) });

  test.each([0, 1, 2, 255, 70_000])('a checksum of DynamoDB is computed as zlib does, of %i bytes', (length) => {
    const bytes = Buffer.from(Array.from({ length }, (_, n) => (n * 31 + (n >>> 8)) % 256));
    expect(ownCrc32(bytes)).toBe(crc32(bytes));
  });

  test('a checksum of DynamoDB that is right is no matter', async () => {
    await compared(driverOf, withChecksum(crc32(body)), get);
  });

  test('a checksum of DynamoDB that is wrong has the answer asked for again, which the SDK does not do', async () => {
    const requests = await recordingService((response, count, request) =>
      withChecksum(count < 3 ? 1 : crc32(body))(response, count, request),
    );
    const { output } = await outcomeOf(() => get(driverOf('lean')));
    expect(output).toMatchObject({ Item: { pk: 'a' }, $metadata: { attempts: 3 } });
    expect(requests).toHaveLength(3);
  });

  test('a checksum of DynamoDB that stays wrong is an outage, not an item', async () => {
    await recordingService(withChecksum(1));
    const { error } = await outcomeOf(() => get(driverOf('lean')));
    expect(error).toMatchObject({ name: 'GatewayError', code: 'service_unavailable' });
  });
});
