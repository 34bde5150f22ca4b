/**
 * Prints what the lean AWS client sends, what it makes of answers, and where it looks for services: one JSON object a line, which
 * `judge.py` reads. Credentials are made up; nothing leaves the machine.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { Client, Command } from '../../../lambdas/gateway/platform/lean/client.ts';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '../../../lambdas/gateway/platform/lean/document.ts';
import { DynamoDBClient } from '../../../lambdas/gateway/platform/lean/dynamodb.ts';
import { endpointOf, type ServiceName } from '../../../lambdas/gateway/platform/lean/endpoints.ts';
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '../../../lambdas/gateway/platform/lean/kms.ts';
import { GetSecretValueCommand, SecretsManagerClient } from '../../../lambdas/gateway/platform/lean/secrets-manager.ts';
import { closeServer, LOOPBACK, listen } from '../../local/network.ts';

const CONFIG = { maxAttempts: 2, requestHandler: { connectionTimeout: 5_000 } };
const ROLE = {
  AWS_ACCESS_KEY_ID: 'ASIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  AWS_SESSION_TOKEN: 'a session/token+of=some length',
};
const OTHER_ROLE = {
  ...ROLE,
  AWS_ACCESS_KEY_ID: 'ASIAOTHER',
  AWS_SECRET_ACCESS_KEY: 'another',
  AWS_SESSION_TOKEN: 'b',
};
const USER = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'of a user', AWS_SESSION_TOKEN: '' };

const TEN_MINUTES_MS = 600_000;
const KEY = { pk: 'CONNECTION#acme', sk: 'ü#1' };
const TABLE = { TableName: 'gateway' };
const ITEM = {
  ...KEY,
  text: 'ä 漢字 🎉 \u2028 "quoted" \\ / \n \u0001',
  empty: '',
  zero: 0,
  whole: Number.MAX_SAFE_INTEGER,
  negative: -12,
  yes: true,
  nothing: null,
  bytes: Uint8Array.from([0, 1, 254, 255]),
  view: new Uint8Array(Uint8Array.from([9, 9, 1, 2, 3, 9]).buffer, 2, 3),
  texts: new Set(['a']),
  numbers: new Set([7]),
  list: ['a', 1, null, [], {}, [[]]],
  nested: { a: { b: { c: [] } }, 'key with "quotes" ä': 1 },
};
const CONDITION = {
  ConditionExpression: 'epoch = :epoch',
  ExpressionAttributeValues: { ':epoch': 3, ':list': ['a'] },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
};
/** An item as DynamoDB sends it. */
const STORED = {
  pk: { S: 'a' },
  n: { N: '12' },
  yes: { BOOL: true },
  nothing: { NULL: true },
  bytes: { B: 'AAE=' },
  texts: { SS: ['a'] },
  list: { L: [{ S: 'a' }, { M: { b: { B: '' } } }] },
};

/** What is done, and how the service answers; natives are the document client's, as boto3's resource has them too. */
interface Case {
  readonly name: string;
  readonly service: 'dynamodb' | 'kms' | 'secretsmanager';
  readonly operation: string;
  readonly Command: new (input: object) => Command;
  readonly input: object;
  readonly answer?: object;
  readonly region?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** What the service's clock is ahead: its first answer then refuses the signature. */
  readonly skewMs?: number;
}

const CASES: readonly Case[] = [
  {
    name: 'GetItem',
    service: 'dynamodb',
    operation: 'GetItem',
    Command: GetCommand,
    input: { ...TABLE, Key: KEY, ConsistentRead: true },
    answer: { Item: STORED },
  },
  {
    name: 'PutItem',
    service: 'dynamodb',
    operation: 'PutItem',
    Command: PutCommand,
    input: { ...TABLE, Item: ITEM, ...CONDITION },
  },
  {
    name: 'UpdateItem',
    service: 'dynamodb',
    operation: 'UpdateItem',
    Command: UpdateCommand,
    input: { ...TABLE, Key: KEY, UpdateExpression: 'SET a = :epoch', ReturnValues: 'ALL_NEW', ...CONDITION },
    answer: { Attributes: STORED },
  },
  {
    name: 'DeleteItem',
    service: 'dynamodb',
    operation: 'DeleteItem',
    Command: DeleteCommand,
    input: { ...TABLE, Key: KEY, ...CONDITION },
  },
  {
    name: 'Query',
    service: 'dynamodb',
    operation: 'Query',
    Command: QueryCommand,
    input: {
      ...TABLE,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'x' },
      ExclusiveStartKey: KEY,
      Limit: 7,
    },
    answer: { Items: [STORED, {}], Count: 2, LastEvaluatedKey: { pk: { S: 'a' } } },
  },
  {
    name: 'Scan',
    service: 'dynamodb',
    operation: 'Scan',
    Command: ScanCommand,
    input: { ...TABLE, Segment: 1, TotalSegments: 4 },
    answer: { Items: [STORED], Count: 1 },
  },
  {
    name: 'BatchGetItem with a key that is left over',
    service: 'dynamodb',
    operation: 'BatchGetItem',
    Command: BatchGetCommand,
    input: { RequestItems: { gateway: { Keys: [KEY, { pk: 'b', sk: 2 }] } } },
    answer: {
      Responses: { gateway: [STORED] },
      UnprocessedKeys: { gateway: { Keys: [{ pk: { S: 'b' }, sk: { N: '2' } }] } },
    },
  },
  {
    name: 'TransactWriteItems',
    service: 'dynamodb',
    operation: 'TransactWriteItems',
    Command: TransactWriteCommand,
    input: {
      ClientRequestToken: 'token',
      TransactItems: [
        { Put: { ...TABLE, Item: ITEM } },
        { Update: { ...TABLE, Key: KEY, UpdateExpression: 'SET a = :epoch', ...CONDITION } },
        { Delete: { ...TABLE, Key: KEY } },
        { ConditionCheck: { ...TABLE, Key: KEY, ...CONDITION } },
      ],
    },
  },
  {
    name: 'an item of 400 KB',
    service: 'dynamodb',
    operation: 'PutItem',
    Command: PutCommand,
    input: { ...TABLE, Item: { ...KEY, text: 'ä'.repeat(100_000), bytes: new Uint8Array(150_000).fill(250) } },
  },
  {
    name: 'Decrypt',
    service: 'kms',
    operation: 'Decrypt',
    Command: DecryptCommand,
    input: {
      KeyId: 'arn',
      CiphertextBlob: Buffer.from('wrapped'),
      EncryptionContext: { purpose: 'ü', account: 'acme' },
    },
    answer: { KeyId: 'arn', Plaintext: 'a2V5' },
  },
  {
    name: 'GenerateDataKey',
    service: 'kms',
    operation: 'GenerateDataKey',
    Command: GenerateDataKeyCommand,
    input: { KeyId: 'arn', KeySpec: 'AES_256', EncryptionContext: { b: '1', a: '2' } },
    answer: { KeyId: 'arn', Plaintext: 'a2V5', CiphertextBlob: 'd3JhcHBlZA==' },
  },
  {
    name: 'GetSecretValue',
    service: 'secretsmanager',
    operation: 'GetSecretValue',
    Command: GetSecretValueCommand,
    input: { SecretId: 'ä/b' },
    answer: { Name: 'n', SecretString: '{"a":"ä"}', SecretBinary: 'AAE=' },
  },
  ...['cn-north-1', 'us-gov-west-1'].map(
    (region): Case => ({
      name: `a call in ${region}`,
      service: 'dynamodb',
      operation: 'GetItem',
      Command: GetCommand,
      input: { ...TABLE, Key: KEY },
      region,
    }),
  ),
  {
    name: "a user's credentials, without a session",
    service: 'kms',
    operation: 'Decrypt',
    Command: DecryptCommand,
    input: { CiphertextBlob: Buffer.from('a') },
    variables: USER,
  },
  {
    name: 'credentials that have changed',
    service: 'dynamodb',
    operation: 'GetItem',
    Command: GetCommand,
    input: { ...TABLE, Key: KEY },
    variables: OTHER_ROLE,
  },
  {
    name: 'a clock ten minutes behind',
    service: 'dynamodb',
    operation: 'GetItem',
    Command: GetCommand,
    input: { ...TABLE, Key: KEY },
    answer: { Item: STORED },
    skewMs: TEN_MINUTES_MS,
  },
];

const SERVICES: readonly ServiceName[] = [
  { host: 'dynamodb', variable: 'DYNAMODB' },
  { host: 'kms', variable: 'KMS' },
  { host: 'secretsmanager', variable: 'SECRETS_MANAGER' },
];
const REGIONS = [
  'us-east-1',
  'eu-central-1',
  'il-central-1',
  'cn-north-1',
  'cn-northwest-1',
  'us-gov-east-1',
  'us-gov-west-1',
];

let answer: (response: ServerResponse) => void = (response) => response.end('{}');
let received: object[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url: path, headers } = request;
    const body = Buffer.concat(chunks).toString('base64');
    received.push({ method, path, headers, body, receivedAtMs: Date.now() });
    answer(response);
  });
});
const origin = `http://${LOOPBACK}:${await listen(server, 0, 'the recording service', 'start again')}`;
process.env.AWS_ENDPOINT_URL = origin;

for (const one of CASES) print(await play(one));
delete process.env.AWS_ENDPOINT_URL;
for (const service of SERVICES)
  for (const region of REGIONS) for (const endpoint of endpoints(service, region)) print(endpoint);
await closeServer(server);

async function play(one: Case): Promise<object> {
  const { service, input, variables = ROLE, region = 'eu-central-1', skewMs = 0 } = one;
  Object.assign(process.env, variables);
  received = [];
  answer = (response) => {
    const headers = { date: new Date(Date.now() + skewMs).toUTCString() };
    if (skewMs !== 0 && received.length === 1) {
      response.writeHead(403, headers).end(JSON.stringify({ __type: 'x#InvalidSignatureException', message: 'no' }));
    } else response.writeHead(200, headers).end(JSON.stringify(one.answer ?? {}));
  };
  const { $metadata: _, ...output } = await clientOf(service, region).send(new one.Command(input));
  const { name, operation, answer: reply = {} } = one;
  const credentials = [variables.AWS_ACCESS_KEY_ID, variables.AWS_SECRET_ACCESS_KEY, variables.AWS_SESSION_TOKEN];
  return {
    kind: 'call',
    name,
    service,
    operation,
    region,
    credentials,
    skewMs,
    input,
    requests: received,
    answer: reply,
    output,
  };
}

function clientOf(service: Case['service'], region: string): Client {
  if (service === 'kms') return new KMSClient({ ...CONFIG, region });
  return service === 'dynamodb'
    ? new DynamoDBClient({ ...CONFIG, region })
    : new SecretsManagerClient({ ...CONFIG, region });
}

function endpoints(service: ServiceName, region: string): object[] {
  return [false, true].flatMap((fips) =>
    [false, true].map((dualStack) => {
      process.env.AWS_USE_FIPS_ENDPOINT = String(fips);
      process.env.AWS_USE_DUALSTACK_ENDPOINT = String(dualStack);
      const url = endpointOf(service, region).url.origin;
      return { kind: 'endpoint', service: service.host, region, fips, dualStack, url };
    }),
  );
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value, tagged)}\n`);
}

/** Bytes and sets, which JSON does not have. `this` is the holder: a Buffer has become an array of numbers in `value`. */
function tagged(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const own = this[name];
  if (own instanceof Uint8Array) return { $bytes: Buffer.from(own).toString('base64') };
  return own instanceof Set ? { $set: [...own] } : value;
}
