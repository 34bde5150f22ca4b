import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { AwsError } from '../../dev/local/aws/aws-error.ts';
import { openJudge } from '../../dev/local/iam/judge.ts';
import { readAssembly } from '../../dev/local/template/read-stack.ts';
import { ensureAssembly } from '../../dev/tools/assembly.ts';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';
import { FEATURES } from '../../lambdas/features/index.ts';
import {
  FUNCTION_NAMES,
  type FunctionName,
  KEY_FAMILIES,
  type KeyFamily,
  partitionsOf,
} from '../../lambdas/gateway/core/contract.ts';
import { sha256Hex } from '../../lambdas/gateway/core/identifiers.ts';
import {
  TABLE_READS,
  TABLE_WRITES,
  type WriteAction,
  type WriteRights,
} from '../../lambdas/gateway/core/table-rights.ts';
import { connectAccount } from '../support/connect.ts';
import { changeConnection } from '../support/table.ts';
import { useTestGateway } from '../support/use-gateway.ts';

const ACTIONS = ['DeleteItem', 'PutItem', 'UpdateItem'] as const satisfies readonly WriteAction[];
const FAMILIES = Object.keys(KEY_FAMILIES)
  .filter((name): name is KeyFamily => name in KEY_FAMILIES)
  .toSorted();

/** Functions that read any row by its key: feeds, which the rights of queries limit. */
const READS_ANY_ROW = FEATURES.flatMap(({ readsAnyRow }) => readsAnyRow);
const LISTED_READERS = FUNCTION_NAMES.filter(isListedReader);
const LIMITED_READERS = LISTED_READERS.filter((name) => !READS_ANY_ROW.includes(name));

function isListedReader(name: FunctionName): name is keyof typeof TABLE_READS {
  return Object.hasOwn(TABLE_READS, name);
}

const running = useTestGateway();

const mayWriteKeys = (name: FunctionName): boolean =>
  Object.values<readonly KeyFamily[]>(TABLE_WRITES[name]).some((families) => families.includes('key'));

async function stackOfTests() {
  return readAssembly(await ensureAssembly({ mode: 'reuse', step: (_name, work) => work() }));
}

/** What the policy of a function's role says of actions on rows of a family. */
async function policyOf(name: FunctionName): Promise<(action: string, family: KeyFamily) => boolean> {
  const stack = await stackOfTests();
  const [fn] = stack.functions.filter(({ displayName }) => displayName === name);
  const table = stack.tables.find(({ logicalId }) => logicalId.startsWith('GatewayData'));
  if (fn === undefined || table === undefined) throw new Error(`the stack has no function ${name}, or no table`);
  const judge = openJudge(stack, () => {});
  const caller = { kind: 'function', name, roleArn: fn.roleArn, sessionName: name } as const;
  return (action, family) => {
    const context = { 'dynamodb:leadingkeys': [keyIn(family).pk] };
    try {
      judge.require(caller, [{ action: `dynamodb:${action}`, resource: table.arn, context }]);
      return true;
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return false;
    }
  };
}

/** The table as the code of a function reaches it: with the credentials of its role. */
async function asFunction(name: FunctionName): Promise<DynamoDBDocumentClient> {
  const { functions } = await stackOfTests();
  const fn = functions.find(({ displayName }) => displayName === name);
  if (fn === undefined) throw new Error(`the stack has no function ${name}`);
  const client = new DynamoDBClient({
    region: 'us-east-1',
    endpoint: running.gateway.dynamodbEndpoint,
    credentials: running.gateway.credentials.ofFunction(fn),
    maxAttempts: 1,
  });
  return DynamoDBDocumentClient.from(client);
}

/** `done`, or the name of the refusal. */
async function outcome(sent: Promise<unknown>): Promise<string> {
  return sent.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
}

/** A row of a family that no code writes. */
const keyIn = (family: KeyFamily) => ({ pk: partitionsOf(family).replace('*', 'forged'), sk: 'FORGED' });

function write(table: DynamoDBDocumentClient, action: WriteAction, family: KeyFamily): Promise<string> {
  const Key = keyIn(family);
  const TableName = running.gateway.tableName;
  if (action === 'PutItem') return outcome(table.send(new PutCommand({ TableName, Item: Key })));
  if (action === 'DeleteItem') return outcome(table.send(new DeleteCommand({ TableName, Key })));
  const change = { UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': 1 } };
  return outcome(table.send(new UpdateCommand({ TableName, Key, ...change })));
}

describe('rights on the table', () => {
  test.each(FUNCTION_NAMES)(
    'IN-11, ST-31: the policy of %s lets it write the families of its own work and no other',
    async (name) => {
      const allowed: WriteRights = TABLE_WRITES[name];
      const may = await policyOf(name);
      for (const action of ACTIONS) {
        const expected = [...(allowed[action] ?? [])].toSorted();
        expect([action, FAMILIES.filter((family) => may(action, family))]).toEqual([action, expected]);
      }
    },
  );

  test.each(LIMITED_READERS)(
    'IN-11: the policy of %s lets it read the families of its own work and no other',
    async (name) => {
      const may = await policyOf(name);
      for (const action of ['GetItem', 'Query'] as const) {
        const expected = [...TABLE_READS[name][action]].toSorted();
        expect([action, FAMILIES.filter((family) => may(action, family))]).toEqual([action, expected]);
      }
      for (const action of ['BatchGetItem', 'Scan']) {
        expect([action, FAMILIES.filter((family) => may(action, family))]).toEqual([action, []]);
      }
    },
  );

  test.each(LISTED_READERS.filter((name) => READS_ANY_ROW.includes(name)))(
    'IN-11: the policy of %s lets it query the families of its own work and no other, and scan nothing',
    async (name) => {
      const may = await policyOf(name);
      for (const [action, expected] of [
        ['Query', TABLE_READS[name].Query.toSorted()],
        ['Scan', []],
      ] as const)
        expect([action, FAMILIES.filter((family) => may(action, family))]).toEqual([action, expected]);
    },
  );

  test('IN-11, ST-31: with its own credentials each function is refused the rows of secret keys, but for management and refresh', async () => {
    for (const name of FUNCTION_NAMES) {
      const table = await asFunction(name);
      const allowed: WriteRights = TABLE_WRITES[name];
      for (const action of ACTIONS) {
        const expected = allowed[action]?.includes('key') === true ? 'done' : 'AccessDeniedException';
        expect([name, action, await write(table, action, 'key')]).toEqual([name, action, expected]);
      }
    }
    expect(FUNCTION_NAMES.filter(mayWriteKeys)).toEqual(['management', 'refresh']);
    running.gateway.takeDenials();
  });

  test('IN-11, ST-31: connect cannot put a secret key of its own into the table, alone or in a transaction with what it may write', async () => {
    const table = await asFunction('connect');
    const TableName = running.gateway.tableName;
    const key = {
      pk: 'KEY#0a1b',
      sk: 'KEY',
      type: 'secret_key',
      accountId: 'default',
      keyRight: 'can_read_credentials',
    };
    const Put = { TableName, Item: { pk: 'AUTHORIZATION#forged', sk: 'AUTHORIZATION' } };
    const forged = { Put: { TableName, Item: key } };
    expect(await outcome(table.send(new PutCommand(forged.Put)))).toBe('AccessDeniedException');
    expect(await outcome(table.send(new TransactWriteCommand({ TransactItems: [{ Put }, forged] })))).toBe(
      'AccessDeniedException',
    );
    expect(await outcome(table.send(new TransactWriteCommand({ TransactItems: [{ Put }] })))).toBe('done');
    const read = await (await asFunction('management')).send(
      new GetCommand({ TableName, Key: { pk: key.pk, sk: key.sk } }),
    );
    expect(read.Item).toBeUndefined();
    expect(running.gateway.takeDenials().map(({ action, context }) => [action, context])).toEqual([
      ['dynamodb:PutItem', { 'dynamodb:leadingkeys': [key.pk] }],
      ['dynamodb:PutItem', { 'dynamodb:leadingkeys': [key.pk] }],
    ]);
  });

  test.each(['deliver', 'feeds', 'grants'] as const)(
    'IN-11, ST-31, TB-1: %s cannot mint a secret key by copying the row of one under the digest of a text of its own',
    async (name) => {
      const connectionId = await connectAccount(running, 'google-drive', undefined, { end_user: { id: name } });
      const table = await asFunction(name);
      const TableName = running.gateway.tableName;
      const management = await asFunction('management');
      const { Item: row } = await management.send(
        new GetCommand({ TableName, Key: { pk: `KEY#${sha256Hex(running.gateway.secretKey)}`, sk: 'KEY' } }),
      );
      expect(row).toMatchObject({ type: 'secret_key' });
      const text = `sk_default_${name.padEnd(43, 'x')}`;
      const Item = { ...row, pk: `KEY#${sha256Hex(text)}`, keyHash: sha256Hex(text), canReadCredentials: true };
      const written = await outcome(table.send(new PutCommand({ TableName, Item })));
      running.gateway.takeDenials();
      const path = `/connections/${connectionId}?provider_config_key=google-drive&refresh_token=true`;
      const { status, body } = await running.json('GET', path, undefined, text);
      const token = body.credentials?.refresh_token;
      expect({ written, status, token }).toEqual({ written: 'AccessDeniedException', status: 401, token: undefined });
    },
  );

  test('IN-11: connect queries integrations of accounts, and no timeline of a connection', async () => {
    const table = await asFunction('connect');
    const query = (pk: string) =>
      outcome(
        table.send(
          new QueryCommand({
            TableName: running.gateway.tableName,
            KeyConditionExpression: '#p = :pk AND begins_with(sk, :sk)',
            ExpressionAttributeNames: { '#p': 'pk' },
            ExpressionAttributeValues: { ':pk': pk, ':sk': 'A' },
          }),
        ),
      );
    expect([await query('ACCOUNT#default'), await query('CONNECTION#default#a#b')]).toEqual([
      'done',
      'AccessDeniedException',
    ]);
    running.gateway.takeDenials();
  });

  test('IN-11: a connection, its calls and a refresh on demand need nothing that they are refused', async () => {
    const connectionId = await connectAccount(running, 'google-drive', undefined, { end_user: { id: 'somebody' } });
    const call = () => running.proxyAs('google-drive', connectionId, '/drive/v3/about?fields=user');
    expect((await call()).status).toBe(200);
    await changeConnection(running, 'google-drive', connectionId, { accessTokenExpiresAtEpochSec: 1 });
    expect((await call()).status).toBe(200);
    expect(running.gateway.takeDenials()).toEqual([]);
  });

  test('IN-11: the families are those of contributing/storage-schema.md', () => {
    const page = readFileSync(join(PROJECT_ROOT, 'contributing', 'storage-schema.md'), 'utf8');
    const table = page.slice(page.indexOf('| Item | `pk` |'), page.indexOf('Policies tell families'));
    const documented = [...table.matchAll(/^\| \[[^\]]+\]\([^)]+\) \| `([A-Z]+)[#`]/gm)].map(([, family]) => family);
    expect([...new Set(documented)].toSorted()).toEqual(Object.values(KEY_FAMILIES).toSorted());
  });
});
