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
import { readAssembly } from '../../dev/local/template/read-stack.ts';
import { ensureAssembly } from '../../dev/tools/assembly.ts';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';
import {
  type FunctionName,
  INTERNET_WRITES,
  KEY_FAMILIES,
  type KeyFamily,
  type WriteAction,
} from '../../lambdas/gateway/core/contract.ts';
import { connectAccount } from '../support/connect.ts';
import { changeConnection } from '../support/table.ts';
import { useTestGateway } from '../support/use-gateway.ts';

const ACTIONS = ['DeleteItem', 'PutItem', 'UpdateItem'] as const satisfies readonly WriteAction[];
const FAMILIES = Object.keys(KEY_FAMILIES).filter((name): name is KeyFamily => name in KEY_FAMILIES);
const FACING_THE_INTERNET = ['proxy', 'oauth-callback', 'connect', 'inbox'] as const;

const running = useTestGateway();

/** The table as the code of a function reaches it: with the credentials of its role. */
async function asFunction(name: FunctionName): Promise<DynamoDBDocumentClient> {
  const { functions } = await readAssembly(await ensureAssembly({ mode: 'reuse', step: (_name, work) => work() }));
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

function write(table: DynamoDBDocumentClient, action: WriteAction, family: KeyFamily): Promise<string> {
  const Key = { pk: `${KEY_FAMILIES[family]}#forged`, sk: 'FORGED' };
  const TableName = running.gateway.tableName;
  if (action === 'PutItem') return outcome(table.send(new PutCommand({ TableName, Item: Key })));
  if (action === 'DeleteItem') return outcome(table.send(new DeleteCommand({ TableName, Key })));
  const change = { UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': 1 } };
  return outcome(table.send(new UpdateCommand({ TableName, Key, ...change })));
}

describe('functions that face the internet', () => {
  test.each(FACING_THE_INTERNET)(
    'IN-11, ST-31: %s writes the families of its own work and is refused every other',
    async (name) => {
      const table = await asFunction(name);
      const allowed: Partial<Record<WriteAction, readonly KeyFamily[]>> = INTERNET_WRITES[name];
      for (const action of ACTIONS) {
        for (const family of FAMILIES) {
          const expected = allowed[action]?.includes(family) === true ? 'done' : 'AccessDeniedException';
          expect([action, family, await write(table, action, family)]).toEqual([action, family, expected]);
        }
      }
      running.gateway.takeDenials();
    },
  );

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

  test('IN-11: the families are those of docs/storage-schema.md', () => {
    const page = readFileSync(join(PROJECT_ROOT, 'docs', 'storage-schema.md'), 'utf8');
    const table = page.slice(page.indexOf('| Item | `pk` |'), page.indexOf('Policies tell families'));
    const documented = [...table.matchAll(/^\| \[[^\]]+\]\([^)]+\) \| `([A-Z]+)[#`]/gm)].map(([, family]) => family);
    expect([...new Set(documented)].toSorted()).toEqual(Object.values(KEY_FAMILIES).toSorted());
  });
});
