import { createDecipheriv } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { readAssembly } from '../../dev/local/template/read-stack.ts';
import { ensureAssembly } from '../../dev/tools/assembly.ts';
import { FUNCTION_NAMES, type FunctionName, isOfGrants, KEY_PURPOSES } from '../../lambdas/gateway/core/contract.ts';
import { sha256Hex } from '../../lambdas/gateway/core/identifiers.ts';
import type { CipherContext } from '../../lambdas/gateway/core/ports.ts';
import { DATA_KEY_PURPOSES, FUNCTION_POWERS, type Powers } from '../../lambdas/gateway/core/table-rights.ts';
import { connectionItemKey, dataKeyItemKey, secretKeyItemKey } from '../../lambdas/gateway/platform/dynamodb/keys.ts';
import { additionalData } from '../../lambdas/gateway/platform/kms/token-cipher.ts';
import { accessTokenContext, refreshTokenContext } from '../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { connectAccount } from '../support/connect.ts';
import { useTestGateway } from '../support/use-gateway.ts';
import { keyWith } from './api/keys.ts';

const INTEGRATION = 'google-drive';
const running = useTestGateway();
let ref: { readonly accountId: string; readonly integrationId: string; readonly connectionId: string };
/** What the API shows to a key that may read credentials. */
let plain: { readonly refresh_token: string; readonly access_token: string };

beforeAll(async () => {
  const connectionId = await connectAccount(running, INTEGRATION, undefined, { end_user: { id: 'somebody' } });
  ref = { accountId: 'default', integrationId: INTEGRATION, connectionId };
  const reader = await keyWith(running, { can_read_credentials: true });
  const { body } = await running.json('GET', pathOfTokens(), undefined, reader);
  plain = body.credentials;
  expect(plain).toMatchObject({ refresh_token: expect.any(String), access_token: expect.any(String) });
});

const pathOfTokens = () => `/connections/${ref.connectionId}?provider_config_key=${INTEGRATION}&refresh_token=true`;

/** AWS as the code of a function reaches it: with the credentials of its role. */
async function awsOf(name: FunctionName) {
  const stack = await readAssembly(await ensureAssembly({ mode: 'reuse', step: (_name, work) => work() }));
  const fn = stack.functions.find(({ displayName }) => displayName === name);
  if (fn === undefined) throw new Error(`the stack has no function ${name}`);
  const { gateway } = running;
  const credentials = gateway.credentials.ofFunction(fn);
  const common = { region: 'us-east-1', credentials, maxAttempts: 1 };
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ ...common, endpoint: gateway.dynamodbEndpoint }));
  return { table, kms: kmsOf(credentials) };
}

function kmsOf(credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }): KMSClient {
  return new KMSClient({ region: 'us-east-1', endpoint: running.gateway.awsEndpoint, maxAttempts: 1, credentials });
}

type Aws = Awaited<ReturnType<typeof awsOf>>;

/** What the work results in; undefined where AWS refuses a call of it. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === 'AccessDeniedException') return undefined;
    throw error;
  }
}

/** Opens a sealed field of the connection: its row, its data key, KMS. */
function openField({ table, kms }: Aws, context: CipherContext, name: string): Promise<string | undefined> {
  const TableName = running.gateway.tableName;
  return unlessRefused(async () => {
    const { Item: row } = await table.send(new GetCommand({ TableName, Key: connectionItemKey(ref) }));
    const [, number = '', text = ''] = String(row?.[name]).split('.');
    const Key = dataKeyItemKey({ accountId: ref.accountId, purpose: 'tokens' }, Number(number));
    const { Item: dataKey } = await table.send(new GetCommand({ TableName, Key }));
    const EncryptionContext = { account: ref.accountId, purpose: 'tokens' };
    const unwrapped = await kms.send(new DecryptCommand({ CiphertextBlob: dataKey?.wrappedKey, EncryptionContext }));
    const sealed = Buffer.from(text, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', unwrapped.Plaintext ?? Buffer.alloc(32), sealed.subarray(0, 12));
    decipher.setAAD(additionalData(context, Number(number)));
    decipher.setAuthTag(sealed.subarray(-16));
    return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8');
  });
}

/** Makes a key under a text of its own; a copy of the first one where the function cannot read that. @returns the text */
function makeKey({ table }: Aws, name: FunctionName): Promise<string | undefined> {
  const TableName = running.gateway.tableName;
  const text = `sk_default_${name.replaceAll('-', '').padEnd(43, 'x')}`;
  const item = {
    ...secretKeyItemKey(sha256Hex(text)),
    ...{ type: 'secret_key', accountId: 'default', keyHash: sha256Hex(text), name, keyRight: 'full' },
    ...{ canReadCredentials: true, createdAt: new Date().toISOString() },
  };
  return unlessRefused(async () => {
    await table.send(new PutCommand({ TableName, Item: item }));
    return text;
  });
}

/** Whether a key can be given the right to read tokens. */
async function raisesKeys({ table }: Aws): Promise<boolean> {
  const raised = await unlessRefused(() =>
    table.send(
      new UpdateCommand({
        TableName: running.gateway.tableName,
        Key: secretKeyItemKey(sha256Hex(running.gateway.secretKey)),
        UpdateExpression: 'SET canReadCredentials = :no',
        ExpressionAttributeValues: { ':no': false },
      }),
    ),
  );
  return raised !== undefined;
}

/** Whether the provider takes a request with the token. */
async function sends(accessToken: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return (await fetch(`${running.gateway.simulatorUrl}/drive/v3/about?fields=user`, { headers })).ok;
}

/** Whether the key that was made is taken, and shows the refresh token. */
async function showsTokens(key: string): Promise<boolean> {
  const { body } = await running.json('GET', pathOfTokens(), undefined, key);
  return body.credentials?.refresh_token === plain.refresh_token;
}

test.each(FUNCTION_NAMES)(
  'IN-12, TB-1: with its own credentials %s has exactly the powers that the table lists',
  async (name) => {
    const aws = await awsOf(name);
    const refreshToken = await openField(aws, refreshTokenContext(ref), 'encryptedRefreshToken');
    const accessToken = await openField(aws, accessTokenContext(ref), 'encryptedAccessToken');
    const key = await makeKey(aws, name);
    const madeAndTaken = key !== undefined && (await showsTokens(key));
    const seen: Powers = {
      opensRefreshTokens: refreshToken === plain.refresh_token,
      opensAccessTokens: accessToken === plain.access_token,
      sendsAsAnyone: accessToken !== undefined && (await sends(accessToken)),
      makesKeys: madeAndTaken && (await raisesKeys(aws)),
    };
    expect(key === undefined).toBe(!(await raisesKeys(aws)));
    expect(seen).toEqual(FUNCTION_POWERS[name]);
    running.gateway.takeDenials();
  },
);

/** Functions that the feature of the journal lets use its data keys. */
const JOURNALLING: readonly FunctionName[] = ['proxy', 'grants'];

test.each(FUNCTION_NAMES)(
  'IN-12: with its own credentials %s creates and unwraps data keys of its purposes only',
  async (name) => {
    const { kms } = await awsOf(name);
    const operator = kmsOf(running.gateway.credentials.operator);
    const KeyId = running.gateway.tokenKeyArn;
    const seen: string[] = [];
    for (const purpose of KEY_PURPOSES) {
      const EncryptionContext = { account: ref.accountId, purpose };
      const wish = { KeyId, KeySpec: 'AES_256', EncryptionContext } as const;
      const { CiphertextBlob } = await operator.send(new GenerateDataKeyCommand(wish));
      const opened = await unlessRefused(() => kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext })));
      const made = await unlessRefused(() => kms.send(new GenerateDataKeyCommand(wish)));
      expect(made === undefined).toBe(opened === undefined);
      if (opened !== undefined) seen.push(purpose);
      // Another context, or none, is refused whatever the role: by its policy, or by KMS.
      for (const other of [{ ...EncryptionContext, purpose: 'others' }, { account: ref.accountId }, undefined]) {
        const wrong = { CiphertextBlob, ...(other === undefined ? {} : { EncryptionContext: other }) };
        await expect(kms.send(new DecryptCommand(wrong))).rejects.toThrow();
      }
    }
    const journal = JOURNALLING.includes(name) ? ['journal'] : [];
    expect(seen.toSorted()).toEqual([...DATA_KEY_PURPOSES[name], ...journal].toSorted());
    running.gateway.takeDenials();
  },
);

describe('what the function of declarations may ask of the functions of the management API', () => {
  const STACK = {
    stackId: 'arn:aws:cloudformation:us-east-1:000000000000:stack/shop/5f1c0d0e-0000-4000-8000-000000000001',
    resource: 'Declared1',
  };

  /** An invocation with the credentials of the role. @returns status and body, or the name of AWS's refusal */
  async function invoke(
    event: object,
    Qualifier?: string,
    of: 'management' | 'grants' = 'management',
  ): Promise<{ status: number | string; body: string }> {
    const { functions } = await readAssembly(await ensureAssembly({ mode: 'reuse', step: (_name, work) => work() }));
    const [own, asked] = ['declared', of].map((name) => functions.find(({ displayName }) => displayName === name));
    if (own === undefined || asked === undefined) throw new Error('a function is missing');
    const { gateway } = running;
    const client = new LambdaClient({
      ...{ region: 'us-east-1', endpoint: gateway.awsEndpoint, maxAttempts: 1 },
      credentials: gateway.credentials.ofFunction(own),
    });
    try {
      const { Payload = new Uint8Array() } = await client.send(
        new InvokeCommand({
          ...{ FunctionName: asked.name, Payload: Buffer.from(JSON.stringify(event)) },
          ...(Qualifier === undefined ? {} : { Qualifier }),
        }),
      );
      const { statusCode, body } = JSON.parse(Buffer.from(Payload).toString('utf8'));
      return { status: statusCode, body };
    } catch (error) {
      return { status: error instanceof Error ? error.name : '', body: '' };
    }
  }

  const asked = (httpMethod: string, path: string, body: object | null = null) => ({
    ...{ stack: STACK, httpMethod, path, multiValueQueryStringParameters: {}, multiValueHeaders: {} },
    ...{ body: body === null ? null : JSON.stringify(body), requestContext: { requestId: 'r-1', identity: {} } },
  });

  test('IN-12: it may declare, and gets no token, no connection and no right beyond proxied calls', async () => {
    const may = (method: string, path: string, body?: object) =>
      invoke(asked(method, path, body), '$LATEST', isOfGrants(method, path) ? 'grants' : 'management');
    expect((await may('GET', `/integrations/${INTEGRATION}`)).status).toBe(200);
    expect((await may('GET', `/connections/${ref.connectionId}`)).status).toBe(403);
    expect((await may('GET', '/connections')).status).toBe(403);
    const role_arn = 'arn:aws:iam::000000000000:role/mine';
    for (const rights of [{ right: 'full' }, { right: 'read' }, { right: 'proxy', can_read_credentials: true }]) {
      expect((await may('POST', '/account/roles', { name: 'mine', role_arn, ...rights })).status).toBe(403);
      expect((await may('POST', '/account/keys', { name: 'mine', ...rights })).status).toBe(403);
    }
    // What no stack, or another one, declares is not its own either.
    expect((await may('DELETE', `/integrations/${INTEGRATION}`)).status).toBe(409);
    expect((await may('DELETE', `/account/keys/${sha256Hex(running.gateway.secretKey)}`)).status).toBe(409);
  });

  test.each(['management', 'grants'] as const)(
    'IN-12: it cannot invoke %s as API Gateway does, nor say through its own name that it is somebody else',
    async (of) => {
      const identity = {
        userArn: 'arn:aws:sts::000000000000:assumed-role/admin/x',
        user: 'AROAX:x',
        sourceIp: '1.2.3.4',
      };
      const forged = {
        ...{ resource: '/iam/{proxy+}', httpMethod: 'GET', path: '/iam/account/keys', body: null },
        ...{
          multiValueQueryStringParameters: null,
          multiValueHeaders: {},
          requestContext: { requestId: 'r', identity },
        },
      };
      expect((await invoke(forged, undefined, of)).status).toBe('AccessDeniedException');
      expect((await invoke(forged, '$LATEST', of)).status).toBe(500);
      // Its name is what makes an event one of a stack: from the front door such a member means nothing.
      const path = of === 'grants' ? `/connections/${ref.connectionId}` : '/connections';
      expect((await invoke({ ...forged, ...asked('GET', path) }, '$LATEST', of)).status).toBe(403);
      running.gateway.takeDenials();
    },
  );
});
