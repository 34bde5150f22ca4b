import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { comparable, compared, type Driver, inLambda, json, LIMITS, useDrivers } from './clients.ts';

const driverOf = useDrivers();

beforeEach(() => inLambda());
afterEach(() => vi.unstubAllEnvs());

const NOW_SEC = 1_764_000_000;
const REF = { accountId: 'acme', integrationId: 'drive ü', connectionId: 'c#1' };
const KEY = { pk: 'CONNECTION#acme', sk: 'CONNECTION' };

const table = ({ openTable }: Driver) => openTable('gateway', {}, LIMITS);

/** Everything that an attribute may be. */
const ATTRIBUTES: Readonly<Record<string, unknown>> = {
  text: 'plain',
  unicode: 'ä 漢字 🎉 \u2028 "quoted" \\ / \n \t \u0001 \u007f',
  loneSurrogate: 'a\ud800b',
  empty: '',
  zero: 0,
  negativeZero: -0,
  fraction: 0.1,
  tiny: 5e-324,
  large: Number.MAX_SAFE_INTEGER,
  negative: Number.MIN_SAFE_INTEGER,
  beyond: 2n ** 53n + 1n,
  yes: true,
  no: false,
  nothing: null,
  missing: undefined,
  bytes: Uint8Array.from([0, 1, 254, 255]),
  buffer: Buffer.from('a buffer, whose bytes lie in a pool'),
  view: new Uint8Array(Uint8Array.from([9, 9, 1, 2, 3, 9]).buffer, 2, 3),
  noBytes: new Uint8Array(),
  texts: new Set(['a', 'ß']),
  numbers: new Set([1, 2.5, -3]),
  manyBytes: new Set([Uint8Array.from([1]), Uint8Array.from([2, 3])]),
  list: ['a', 1, null, undefined, [], {}, [[]], [{}]],
  nested: { a: { b: { c: [] } }, d: undefined, e: {}, 'key with "quotes" ä': 1 },
  map: new Map<string, unknown>([['k', { v: [1] }]]),
  10: 'keys that are numbers come first',
};

const CONDITION = {
  ConditionExpression: 'epoch = :epoch',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':epoch': 3, ':none': undefined, ':list': ['a', undefined] },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
} as const;

/** Members in an order that is not the service's own, with those that no store uses yet. */
const COMMANDS: readonly (readonly [string, (driver: Driver) => Promise<unknown>])[] = [
  [
    'GetItem',
    (d) =>
      table(d).client.send(
        new d.GetCommand({
          ReturnConsumedCapacity: 'TOTAL',
          ConsistentRead: true,
          Key: KEY,
          TableName: 'gateway',
          ProjectionExpression: '#a',
          ExpressionAttributeNames: { '#a': 'a' },
        }),
      ),
  ],
  [
    'PutItem',
    (d) =>
      table(d).client.send(new d.PutCommand({ Item: { ...KEY, ...ATTRIBUTES }, TableName: 'gateway', ...CONDITION })),
  ],
  [
    'UpdateItem',
    (d) =>
      table(d).client.send(
        new d.UpdateCommand({
          UpdateExpression: 'SET a = :epoch',
          ReturnValues: 'ALL_NEW',
          Key: KEY,
          TableName: 'gateway',
          ...CONDITION,
        }),
      ),
  ],
  [
    'DeleteItem',
    (d) =>
      table(d).client.send(
        new d.DeleteCommand({ ...CONDITION, Key: KEY, TableName: 'gateway', ReturnValues: 'ALL_OLD' }),
      ),
  ],
  [
    'Query',
    (d) =>
      table(d).client.send(
        new d.QueryCommand({
          ExpressionAttributeValues: { ':pk': 'x', ':n': 1 },
          KeyConditionExpression: 'pk = :pk',
          FilterExpression: 'n > :n',
          ExpressionAttributeNames: {},
          TableName: 'gateway',
          Limit: 7,
          ScanIndexForward: false,
          ConsistentRead: false,
          ExclusiveStartKey: { ...KEY, n: 1 },
          IndexName: 'byDue',
          Select: 'COUNT',
        }),
      ),
  ],
  [
    'Scan',
    (d) =>
      table(d).client.send(
        new d.ScanCommand({
          Segment: 1,
          TotalSegments: 4,
          TableName: 'gateway',
          Limit: 9,
          ExclusiveStartKey: KEY,
          ConsistentRead: true,
        }),
      ),
  ],
  [
    'BatchGetItem',
    (d) =>
      table(d).client.send(
        new d.BatchGetCommand({
          ReturnConsumedCapacity: 'NONE',
          RequestItems: {
            gateway: { ConsistentRead: true, Keys: [KEY, { pk: 'b', sk: 2 }], ProjectionExpression: 'pk' },
            other: { Keys: [] },
          },
        }),
      ),
  ],
  [
    'TransactWriteItems',
    (d) =>
      table(d).client.send(
        new d.TransactWriteCommand({
          TransactItems: [
            { Put: { TableName: 'gateway', Item: { ...KEY, ...ATTRIBUTES }, ...CONDITION } },
            { Update: { TableName: 'gateway', Key: KEY, UpdateExpression: 'SET a = :epoch', ...CONDITION } },
            { Delete: { TableName: 'gateway', Key: KEY } },
            { ConditionCheck: { TableName: 'gateway', Key: KEY, ...CONDITION } },
          ],
        }),
      ),
  ],
  [
    'TransactWriteItems with a token',
    (d) =>
      table(d).client.send(
        new d.TransactWriteCommand({
          ClientRequestToken: 'token',
          TransactItems: [{ Delete: { Key: KEY, TableName: 'gateway' } }],
        }),
      ),
  ],
  [
    'Decrypt',
    (d) =>
      d.awsClient(d.KMSClient, LIMITS).send(
        new d.DecryptCommand({
          KeyId: 'arn',
          CiphertextBlob: Buffer.from('wrapped'),
          EncryptionContext: { purpose: 'ü', account: 'acme' },
        }),
      ),
  ],
  [
    'GenerateDataKey',
    (d) =>
      d
        .awsClient(d.KMSClient, LIMITS)
        .send(
          new d.GenerateDataKeyCommand({ KeySpec: 'AES_256', EncryptionContext: { b: '1', a: '2' }, KeyId: 'arn' }),
        ),
  ],
  [
    'GetSecretValue',
    (d) =>
      d
        .awsClient(d.SecretsManagerClient, LIMITS)
        .send(new d.GetSecretValueCommand({ VersionStage: 'AWSCURRENT', SecretId: 'ä/b' })),
  ],
];

const ESCROWED = {
  ref: REF,
  epoch: 4,
  encryptedAccessToken: 'v1.1.aa',
  encryptedRefreshToken: 'v1.1.bb',
  accessTokenExpiresAtEpochSec: NOW_SEC + 3600,
  grantedScopes: ['a', 'b'],
  createdAtEpochSec: NOW_SEC,
};
const SILENT = { count: () => {}, gauge: () => {}, flush: () => {} };
const CLOCK = { nowMs: () => NOW_SEC * 1000 };

const EVENT = {
  eventId: '01K00000000000000000000000',
  eventType: 'FilesPicked',
  sequence: 3,
  occurredAt: new Date(NOW_SEC * 1000).toISOString(),
  subject: REF,
  endUserId: undefined,
  cause: undefined,
  remedy: undefined,
  requestId: 'r',
} as const;
const OUTCOME = {
  integrationId: REF.integrationId,
  connectionId: REF.connectionId,
  errorType: 'access_denied',
  message: undefined,
  failure: undefined,
  failureWords: { why: 'ä' },
  missingScopes: [],
  pickId: undefined,
};
const PICK = {
  pickId: 'p',
  files: [{ id: 'f', mimeType: undefined, confirmed: true }],
  account: { permissionId: '1', email: null },
  actor: 'end_user',
  pickedAtEpochSec: NOW_SEC,
};

/** Stores of the functions that have the lean client, as they call them. */
const STORES: readonly (readonly [string, (driver: Driver) => Promise<unknown>])[] = [
  ['the records of a caller', (d) => d.batchGet(table(d), [KEY, { pk: 'KEY#1', sk: 'KEY' }])],
  ['escrowed tokens written', (d) => d.escrowStore(table(d)).put(ESCROWED)],
  ['escrowed tokens read', (d) => d.escrowStore(table(d)).read(REF)],
  ['escrowed tokens postponed', (d) => d.escrowStore(table(d)).postpone(ESCROWED, NOW_SEC)],
  ['escrowed tokens removed', (d) => d.escrowStore(table(d)).remove(ESCROWED)],
  ['escrowed tokens that are due', (d) => d.escrowStore(table(d)).due(3, NOW_SEC, 10)],
  ['a consent noted', (d) => d.consentLog(table(d)).note('1-x.apps.googleusercontent.com', 'subject', NOW_SEC)],
  ['consents read', (d) => d.consentLog(table(d)).times('1-x.apps.googleusercontent.com', 'subject')],
  ['a death counted', (d) => d.deathCounter(table(d)).note(REF, NOW_SEC)],
  ['a session looked up', (d) => d.connectSessionStore(table(d)).find('hash')],
  ['a session deleted', (d) => d.connectSessionStore(table(d)).delete('hash')],
  ['a session that failed', (d) => d.connectSessionStore(table(d)).finish('hash', 'failed', OUTCOME, EVENT)],
  ['files picked', (d) => d.pickStore(table(d)).save(REF, PICK, { sessionHash: 'hash', outcome: OUTCOME }, EVENT)],
  ['picked files read', (d) => d.pickStore(table(d)).read(REF, 'p')],
  ['a use counted', (d) => d.rateCounter(table(d)).count('acme', 'authorizations', 5, NOW_SEC)],
  ['a use given back', (d) => d.rateCounter(table(d)).giveBack('acme', 'authorizations', NOW_SEC)],
  ['a secret read', (d) => d.readSecret(d.openSecretsManager(), 'gateway/client')],
  [
    'a data key made',
    (d) =>
      d
        .kmsDataKeys(table(d), 'arn:aws:kms:eu-central-1:1:key/k', CLOCK, SILENT)
        .current({ accountId: 'acme', purpose: 'tokens' }),
  ],
];

describe('LA-20: the lean client sends byte for byte what the SDK sends for', () => {
  test.each(COMMANDS)('%s', async (_, act) => {
    const { requests } = await compared(driverOf, undefined, act);
    expect(requests).toHaveLength(1);
  });

  test.each(STORES)('%s', async (_, act) => {
    const answer = json(200, {
      Plaintext: Buffer.alloc(32, 7).toString('base64'),
      CiphertextBlob: Buffer.from('wrapped').toString('base64'),
      Responses: { gateway: [] },
    });
    const { requests } = await compared(driverOf, answer, act);
    expect(requests.length).toBeGreaterThan(0);
  });

  test('an item of 400 KB of text and bytes (LA-23)', async () => {
    const Item = { ...KEY, text: 'ä'.repeat(100_000), bytes: new Uint8Array(150_000).fill(250) };
    const { requests } = await compared(driverOf, undefined, (d) =>
      table(d).client.send(new d.PutCommand({ TableName: 'gateway', Item })),
    );
    expect(requests[0]?.body.length).toBeGreaterThan(400_000);
  });
});

test('the table of commands holds every operation that the lean client has', async () => {
  const { requests } = await collected();
  const targets = new Set(requests.map(({ headers }) => String(headers['x-amz-target'])));
  const names = Object.keys(driverOf('lean')).filter((name) => name.endsWith('Command'));
  expect(targets.size).toBe(names.length);
});

async function collected() {
  return compared(driverOf, undefined, async (driver) => {
    for (const [, act] of COMMANDS) await act(driver);
  });
}

describe('LA-23: what DynamoDB cannot hold is refused before it is sent:', () => {
  test.each<[string, unknown]>([
    ['a number beyond 2^53', 2 ** 53],
    ['1e21', 1e21],
    ['a number below -2^53', -(2 ** 53)],
    ['not a number', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['an empty set', new Set()],
    ['a set of undefined', new Set([undefined])],
    ['a date', new Date(0)],
    ['a symbol', Symbol('a')],
    ['an instance of a class', new (class Own {})()],
  ])('%s', async (_, value) => {
    const act = (d: Driver) =>
      table(d).client.send(new d.PutCommand({ TableName: 'gateway', Item: { ...KEY, value } }));
    const { requests, outcome } = await compared(driverOf, undefined, act);
    expect(requests).toEqual([]);
    expect(outcome.error).toBeDefined();
  });
});

test('a member that the lean client does not know is an error, not a request without it', async () => {
  const d = driverOf('lean');
  const input = { TableName: 'gateway', Key: KEY, AttributesToGet: ['a'] };
  await expect(table(d).client.send(new d.GetCommand(input))).rejects.toThrow('does not send AttributesToGet');
});

test('a translation of items that the lean client does not make is an error', () => {
  const d = driverOf('lean');
  const client = d.awsClient(d.DynamoDBClient, LIMITS);
  expect(() => d.DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: true } })).toThrow(
    'in one way only',
  );
});

test('LA-20: each call of a transaction has a token of its own, which its repeats keep', async () => {
  const act = async (d: Driver) => {
    const send = () =>
      table(d).client.send(
        new d.TransactWriteCommand({ TransactItems: [{ Delete: { Key: KEY, TableName: 'gateway' } }] }),
      );
    await send();
    await send();
  };
  const answer = (response: Parameters<ReturnType<typeof json>>[0], count: number) =>
    void (count === 1 ? response.writeHead(500).end('{}') : response.end('{}'));
  const { requests } = await compared(driverOf, answer, act);
  const [first, repeat, second] = requests.map(({ body }) => String(JSON.parse(body.toString()).ClientRequestToken));
  expect(repeat).toBe(first);
  expect(second).not.toBe(first);
});

test('LA-20: repeats count up under one id of the call', async () => {
  const answer = (response: Parameters<ReturnType<typeof json>>[0], count: number) =>
    void (count < 3 ? response.writeHead(503).end('{}') : response.end('{}'));
  const { requests } = await compared(driverOf, answer, (d) =>
    table(d).client.send(new d.GetCommand({ TableName: 'gateway', Key: KEY })),
  );
  expect(requests.map(({ headers }) => headers['amz-sdk-request'])).toEqual([
    'attempt=1; max=4',
    'attempt=2; max=4',
    'attempt=3; max=4',
  ]);
  expect(new Set(requests.map(({ headers }) => headers['amz-sdk-invocation-id'])).size).toBe(1);
});

test('LA-21: nothing but the agent is left out of what the lean client signs', async () => {
  const { requests } = await compared(driverOf, undefined, (d) =>
    table(d).client.send(new d.GetCommand({ TableName: 'gateway', Key: KEY })),
  );
  const [request] = requests;
  if (request === undefined) throw new Error('Nothing was sent');
  expect(comparable(request).authorization).toContain(
    'SignedHeaders=amz-sdk-invocation-id;amz-sdk-request;content-length;content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-amz-target,',
  );
});
