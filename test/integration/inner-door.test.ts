import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  InvokeCommand,
  InvokeWithResponseStreamCommand,
  LambdaClient,
  type LambdaServiceException,
} from '@aws-sdk/client-lambda';
import {
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { readAssembly } from '../../dev/local/template/read-stack.ts';
import { ensureAssembly } from '../../dev/tools/assembly.ts';
import { feedItemKey } from '../../lambdas/features/feeds/feed-keys.store.ts';
import { askedBy, DOOR_ALIASES, FUNCTION_NAMES, type FunctionName } from '../../lambdas/gateway/core/contract.ts';
import { BINDING_COOKIE } from '../../lambdas/gateway/http/front-door.ts';
import { connectionItemKey } from '../../lambdas/gateway/platform/dynamodb/keys.ts';
import { connectAccount } from '../support/connect.ts';
import { forgetRequests, requests } from '../support/simulator.ts';
import { useTestGateway } from '../support/use-gateway.ts';
import { keyWith } from './api/keys.ts';
import { approvalTools } from './approvals/support.ts';

const running = useTestGateway();

async function stack() {
  return readAssembly(await ensureAssembly({ mode: 'reuse', step: (_name, work) => work() }));
}

async function named(wanted: FunctionName) {
  const found = (await stack()).functions.find(({ displayName }) => displayName === wanted);
  if (found === undefined) throw new Error(`the stack has no function ${wanted}`);
  return found;
}

/** Lambda as the code of a function reaches it: with the credentials of its role. */
async function lambdaOf(name: FunctionName, asked: FunctionName = 'proxy') {
  const { gateway } = running;
  const client = new LambdaClient({
    ...{ region: 'us-east-1', endpoint: gateway.awsEndpoint, maxAttempts: 1 },
    credentials: gateway.credentials.ofFunction(await named(name)),
  });
  return { client, asked: (await named(asked)).name };
}

/** The table likewise. */
async function tableOf(name: FunctionName): Promise<DynamoDBDocumentClient> {
  const { gateway } = running;
  const credentials = gateway.credentials.ofFunction(await named(name));
  const endpoint = gateway.dynamodbEndpoint;
  return DynamoDBDocumentClient.from(
    new DynamoDBClient({ region: 'us-east-1', endpoint, credentials, maxAttempts: 1 }),
  );
}

/** An invocation of the proxy, or of another function. @returns what it answered, or the name of Lambda's refusal */
async function invoke(name: FunctionName, event: object, qualifier?: string, asked?: FunctionName) {
  const { client, asked: FunctionName } = await lambdaOf(name, asked);
  const Payload = Buffer.from(JSON.stringify(event));
  const Qualifier = qualifier === undefined ? {} : { Qualifier: qualifier };
  try {
    const { EventStream = [] } = await client.send(
      new InvokeWithResponseStreamCommand({ FunctionName, Payload, ...Qualifier }),
    );
    const chunks: Uint8Array[] = [];
    let error: string | undefined;
    for await (const { PayloadChunk, InvokeComplete } of EventStream) {
      if (PayloadChunk?.Payload !== undefined) chunks.push(PayloadChunk.Payload);
      error = InvokeComplete?.ErrorCode ?? error;
    }
    const [head = '', body = ''] = Buffer.concat(chunks).toString('utf8').split('\0'.repeat(8));
    return { status: head === '' ? undefined : JSON.parse(head).statusCode, body, error };
  } catch (thrown) {
    return { refused: (thrown as LambdaServiceException).name };
  }
}

/** An event as API Gateway makes it of a proxied call with a key, or of one that an IAM role signed. */
function proxyEvent(connectionId: string, resource = '/proxy/{proxy+}') {
  const [prefix = ''] = resource.split('/proxy');
  const headers = {
    Authorization: [`Bearer ${running.gateway.secretKey}`],
    'Provider-Config-Key': ['google-drive'],
    'Connection-Id': [connectionId],
  };
  const identity = {
    sourceIp: '203.0.113.9',
    userArn: 'arn:aws:sts::000000000000:assumed-role/admin/x',
    user: 'AROA:x',
  };
  return {
    ...{ resource, httpMethod: 'POST', path: `${prefix}/proxy/drive/v3/files`, isBase64Encoded: false },
    body: JSON.stringify({ name: 'forged' }),
    ...{ multiValueQueryStringParameters: null, multiValueHeaders: headers },
    requestContext: { requestId: 'forged', identity },
  };
}

const NOT_FOUND = { status: 404, body: expect.stringContaining('"code":"not_found"'), error: undefined };

describe('the inner doors', () => {
  test.each(FUNCTION_NAMES)(
    'TB-2: %s can invoke the proxy and core by its own alias at most, and under no other name',
    async (name) => {
      for (const asked of ['proxy', 'core'] as const) {
        const aliases = DOOR_ALIASES.filter((alias) => askedBy(alias) === asked);
        for (const alias of [...aliases, '$LATEST', undefined]) {
          const answer = await invoke(name, { operation: 'none', requestContext: { requestId: 'r-1' } }, alias, asked);
          const expected = alias === name ? NOT_FOUND : { refused: 'AccessDeniedException' };
          expect([asked, alias, answer]).toEqual([asked, alias, expected]);
        }
      }
      const denials = running.gateway.takeDenials();
      expect(new Set(denials.map(({ action }) => action))).toEqual(new Set(['lambda:InvokeFunction']));
    },
  );

  test('TB-2: a name that the function does not have is refused before any right is asked', async () => {
    expect(await invoke('mcp', {}, 'management')).toEqual({ refused: 'ResourceNotFoundException' });
  });

  test.each(['/proxy/{proxy+}', '/iam/proxy/{proxy+}'])(
    'TB-2: an event of API Gateway for %s that a function forges reaches no connection',
    async (resource) => {
      const connectionId = await connectAccount(running, 'google-drive');
      expect(await invoke('mcp', proxyEvent(connectionId, resource), 'mcp')).toEqual(NOT_FOUND);
      const files = await running.proxyAs('google-drive', connectionId, "/drive/v3/files?q=name='forged'");
      expect((await files.json()).files).toEqual([]);
    },
  );

  describe('with the operations of assistants', () => {
    /** A question of the function of assistants, with a credential. */
    const ask = (operation: string, credential: string | undefined, more: object = {}) => {
      const headers = credential === undefined ? [] : [['authorization', `Bearer ${credential}`]];
      const input = { headers, sourceIp: '203.0.113.9', withinMs: 10_000, ...more };
      return invoke('mcp', { operation, input, requestContext: { requestId: 'r-5' } }, 'mcp');
    };
    const call = { name: 'drive_search_files', args: {}, clientCapabilities: {}, wasDeclined: false };
    const wait = { place: 0, takenUntilMs: Date.now() + 60_000, waitMs: 1 };
    const OPERATIONS = ['judge', 'list', 'call', 'look', 'decided'] as const;
    let agentKey: string;

    beforeAll(async () => {
      const connections = [{ integration_id: 'google-drive', connection_id: running.connectionId('google-drive') }];
      const { body } = await running.json('POST', '/account/agents', { name: 'Assistant', connections });
      agentKey = body.data.agent_key;
    });

    test.each(OPERATIONS)(
      'TB-3: %s is judged by the credential of the one who asks, and no other',
      async (operation) => {
        const { secretKey } = running.gateway;
        for (const credential of [undefined, '', 'ak_default_x', `${agentKey}x`, secretKey]) {
          const answer = await ask(operation, credential, { call, wait });
          expect(answer).toMatchObject({ status: 401, error: undefined });
          expect(answer.body).not.toContain(secretKey);
        }
        expect(await ask(operation, agentKey, { call, wait })).toMatchObject({ status: 200 });
      },
    );

    test('TB-3: a key that is revoked ends the questions of the function as it ends calls', async () => {
      const connections = [{ integration_id: 'google-drive', connection_id: running.connectionId('google-drive') }];
      const { body } = await running.json('POST', '/account/agents', { name: 'Revoked', connections });
      await running.json('DELETE', `/account/keys/${body.data.id}`);
      expect(await ask('call', body.data.agent_key, { call })).toMatchObject({ status: 401 });
    });

    test('TB-9: as many lines have no mark as the proxy was invoked, whatever calls a question makes', async () => {
      const { gateway } = running;
      const linesSince = (start: number) =>
        gateway
          .logs()
          .slice(start)
          .filter(({ functionName, text }) => functionName === 'proxy' && text.includes('"call":{'))
          .map(({ text }) => JSON.parse(text).call);
      const start = gateway.logs().length;
      const search = { ...call, args: { name: 'x' } };
      expect(await ask('call', agentKey, { call: search })).toMatchObject({ status: 200 });
      await expect.poll(() => linesSince(start).length).toBe(2);
      const [ofCall, ofQuestion] = linesSince(start);
      expect(ofCall).toMatchObject({ account: 'default', class: 'ok', door: 1 });
      expect(Object.keys(ofQuestion)).toEqual(['endedAtMs', 'totalMs']);
    });

    test('TB-2: no operation answers with a token, whatever it is asked', async () => {
      const reader = await keyWith(running, { can_read_credentials: true });
      const path = `/connections/${running.connectionId('google-drive')}?provider_config_key=google-drive&refresh_token=true`;
      const { body } = await running.json('GET', path, undefined, reader);
      const { access_token: access, refresh_token: refresh } = body.credentials;
      for (const operation of OPERATIONS) {
        const answer = await ask(operation, agentKey, { call, wait, clientCapabilities: {}, include: ['tokens'] });
        expect([access, refresh].map((token) => String(answer.body).includes(token))).toEqual([false, false]);
      }
    });

    test.each([
      ['no head', { headers: undefined }],
      ['a head of another form', { headers: [['authorization']] }],
      ['no address', { sourceIp: 7 }],
      ['no call', { call: 'drive_search_files' }],
    ])('TB-2: a question with %s is a failure that says nothing', async (_, wrong) => {
      const answer = await ask('call', agentKey, { call, ...wrong });
      expect(answer).toMatchObject({ status: 500, body: expect.stringContaining('"code":"internal_error"') });
    });
  });

  describe('with the operations of approvals', () => {
    const FILE = 'held-at-the-door';
    const ask = (operation: string, input: unknown, alias = 'approvals') =>
      invoke('approvals', { operation, input, requestContext: { requestId: 'r-6' } }, alias);
    const question = { method: 'GET', query: [], headers: [], form: '', language: 'en' };
    const tools = approvalTools(running);
    let approval: { readonly approval_id: string; readonly url: string };

    beforeAll(async () => {
      const key = await keyWith(running, {
        ...{ name: 'Assistant', right: 'proxy' },
        limits: { mode: 'enforce', approve: ['delete'] },
      });
      approval = await tools.hold(key, 'DELETE', `/files/${FILE}`);
    });

    test('TB-3: a run sends nothing that the rows do not say was approved', async () => {
      const id = approval.approval_id;
      for (const [accountId, approvalId, state] of [
        ['default', id, 'pending'],
        ['another', id, 'none'],
        ['default', 'apr_none', 'none'],
      ]) {
        const answer = await ask('run', { accountId, id: approvalId, state: 'approved', decidedBy: 'operator:x' });
        expect(answer).toMatchObject({ status: 200, body: JSON.stringify({ state }) });
      }
      expect((await requests(running, 'api')).filter(({ method }) => method === 'DELETE')).toEqual([]);
    });

    test('TB-3: a page whose browser has proved nothing shows nothing of the call, and its form decides nothing', async () => {
      const { pathname: rawPath } = new URL(approval.url);
      const headers = [
        ['cookie', `${BINDING_COOKIE}=${'chosen-by-the-function'.padEnd(43, '-')}`],
        ['sec-fetch-site', 'same-origin'],
      ];
      const form = 'decision=approve&seen=anything';
      for (const more of [{}, { headers }, { method: 'POST', headers, form }]) {
        const { status, body = '' } = await ask('page', { ...question, ...more, rawPath });
        expect([status, JSON.parse(body).view.kind]).toEqual([200, 'sign_in']);
        expect(body).not.toContain(FILE);
      }
      expect(await tools.statusOf(approval.approval_id)).toBe('pending');
    });

    test('TB-2: neither of the two functions has the operations of the other', async () => {
      expect(await ask('call', {})).toEqual(NOT_FOUND);
      const run = { operation: 'run', input: {}, requestContext: { requestId: 'r-7' } };
      expect(await invoke('mcp', run, 'mcp')).toEqual(NOT_FOUND);
      expect(await ask('run', {}, 'mcp')).toEqual({ refused: 'AccessDeniedException' });
      running.gateway.takeDenials();
    });

    test.each([
      ['no address', {}],
      ['headers of another form', { ...question, rawPath: '/approve/x', headers: [['cookie']] }],
      ['no form', { ...question, rawPath: '/approve/x', form: 1 }],
    ])('TB-2: a page with %s is a failure that says nothing', async (_, input) => {
      expect(await ask('page', input)).toMatchObject({
        status: 500,
        body: expect.stringContaining('"code":"internal_error"'),
      });
    });
  });

  describe('with the operations of feeds', () => {
    const ask = (operation: string, input: unknown) =>
      invoke('feeds', { operation, input, requestContext: { requestId: 'r-8' } }, 'feeds', 'core');
    const LIST = { kind: 'list', token: '1' };
    /** A question with one call of the feed. */
    const call = (more: object = {}) => ask('calls', { calls: [{ ...asked, wish: LIST, ...more }] });
    let asked: { readonly accountId: string; readonly feedId: string; readonly connectionId: string };
    let own: DynamoDBDocumentClient;
    /** What Google's API was asked for since the last time. */
    const sent = async () => {
      const all = await requests(running, 'api');
      await forgetRequests(running);
      return all.map(({ method, target }) => `${method} ${target.replace(/\?.*$/, '')}`);
    };

    beforeAll(async () => {
      const connectionId = await connectAccount(running, 'google-drive');
      const body = { provider_config_key: 'google-drive', connection_id: connectionId, resource: 'drive' };
      const made = await running.json('POST', '/feeds', body);
      const of = { integrationId: 'google-drive', connectionId, resource: 'drive' };
      asked = { accountId: 'default', feedId: made.body.data.id, ...of };
      own = await tableOf('feeds');
      await forgetRequests(running);
    });

    test('TB-3: the call of a feed is made as its user, and its answer contains no token', async () => {
      const answer = await call();
      expect([answer.status, JSON.parse(answer.body ?? '')[0].answer.kind]).toEqual([200, 'ok']);
      const [request] = await requests(running, 'api');
      const [, header = ''] = request?.headers.find(([name]) => name.toLowerCase() === 'authorization') ?? [];
      expect(header).toMatch(/^Bearer \S{20,}$/);
      expect(answer.body).not.toContain(header.replace('Bearer ', ''));
      expect(await sent()).toEqual(['GET /drive/v3/changes']);
    });

    test('TB-3: no call is made for a connection, a resource or a feed that no place names', async () => {
      const connectionId = await connectAccount(running, 'google-drive');
      for (const other of [{ connectionId }, { resource: 'drives' }, { feedId: 'another' }, { accountId: 'another' }]) {
        const { status, body = '' } = await call(other);
        expect([status, JSON.parse(body)[0].answer.reason]).toEqual([200, 'feed_gone']);
      }
      expect(await sent()).toEqual([]);
    });

    test('TB-3: with its own credentials feeds cannot write the place that would grant calls for another connection', async () => {
      const connectionId = await connectAccount(running, 'google-drive');
      const Item = { pk: `FEEDOF#default#google-drive#${connectionId}`, sk: 'drive', ...asked };
      const TableName = running.gateway.tableName;
      const Key = { pk: Item.pk, sk: Item.sk };
      const change = { UpdateExpression: 'SET feedId = :feed', ExpressionAttributeValues: { ':feed': asked.feedId } };
      const attempts = [
        new PutCommand({ TableName, Item }),
        new UpdateCommand({ TableName, Key, ...change }),
        new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item } }] }),
        new BatchWriteCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item } }] } }),
      ];
      for (const attempt of attempts) {
        await expect(own.send(attempt as PutCommand)).rejects.toThrow(
          expect.objectContaining({ name: 'AccessDeniedException' }),
        );
      }
      running.gateway.takeDenials();
      const { body = '' } = await call({ connectionId });
      expect(JSON.parse(body)[0].answer.reason).toBe('feed_gone');
      expect(await sent()).toEqual([]);
    });

    test.each([
      ['a kind of its own', { kind: 'delete', id: 'x' }],
      ['a request', { method: 'DELETE', path: '/drive/v3/files/x' }],
      ['what feeds of calendars want', { kind: 'starts', fromMs: 1, toMs: 2 }],
      ['what feeds of folders want', { kind: 'contents', folders: ['root'] }],
      ['the log of a shared drive', { kind: 'list', log: 'another', token: '1' }],
    ])('TB-2: %s is no wish of this feed, and nothing is sent', async (_, wish) => {
      const { status, body = '' } = await call({ wish });
      expect(status === 500 || JSON.parse(body)[0].failed === 'Error').toBe(true);
      expect(await sent()).toEqual([]);
    });

    test('TB-2: members of a request that come along with a wish change nothing of it', async () => {
      const forged = {
        method: 'DELETE',
        path: '/drive/v3/files/x',
        address: 'https://evil.example',
        body: { id: 'x' },
      };
      await call({ wish: { ...LIST, ...forged }, ...forged, origin: 'https://evil.example' });
      expect(await sent()).toEqual(['GET /drive/v3/changes']);
    });

    test('TB-1, CR-2: a token that feeds copies into a row of its own is not sealed under a key that it may use', async () => {
      const TableName = running.gateway.tableName;
      const Key = connectionItemKey({ ...asked, integrationId: 'google-drive' });
      const { Item: row } = await own.send(new GetCommand({ TableName, Key }));
      const token = String(row?.encryptedRefreshToken);
      expect(token).toMatch(/^v1\./);
      const Item = { pk: feedItemKey(asked).pk, sk: 'LOG#copied', driveId: 'copied', encryptedCursor: token };
      await own.send(new PutCommand({ TableName, Item }));
      const { accountId, feedId } = asked;
      expect(await ask('seal', { accountId, feedId })).toMatchObject({
        status: 500,
        body: expect.stringContaining('"code":"internal_error"'),
      });
      const { Item: after } = await own.send(new GetCommand({ TableName, Key: { pk: Item.pk, sk: Item.sk } }));
      expect(after?.encryptedCursor).toBe(token);
      await own.send(new DeleteCommand({ TableName, Key: { pk: Item.pk, sk: Item.sk } }));
    });

    test('TB-3: a row of a feed that feeds points at another connection gets it no call by the API either', async () => {
      const connectionId = await connectAccount(running, 'google-drive');
      const pull = async (of: string) => {
        const change = { UpdateExpression: 'SET connectionId = :of', ExpressionAttributeValues: { ':of': of } };
        await own.send(new UpdateCommand({ TableName: running.gateway.tableName, Key: feedItemKey(asked), ...change }));
        await forgetRequests(running);
        return (await running.json('POST', `/feeds/${asked.feedId}/pull`)).status;
      };
      expect([await pull(connectionId), await sent()]).toEqual([200, []]);
      expect([await pull(asked.connectionId), await sent()]).toEqual([
        200,
        expect.arrayContaining(['GET /drive/v3/changes']),
      ]);
    });

    test('TB-2: it has no operation of the other doors, and no other function has its', async () => {
      for (const operation of ['call', 'run', 'page']) expect(await ask(operation, {})).toEqual(NOT_FOUND);
      const calls = { operation: 'calls', input: { calls: [asked] }, requestContext: { requestId: 'r-9' } };
      expect(await invoke('mcp', calls, 'mcp')).toEqual(NOT_FOUND);
      expect(await invoke('mcp', calls, 'feeds', 'core')).toEqual({ refused: 'AccessDeniedException' });
      expect(await invoke('feeds', calls, undefined, 'core')).toEqual({ refused: 'AccessDeniedException' });
      running.gateway.takeDenials();
    });
  });

  test.each([
    ['a member of every object', 'toString'],
    ['the prototype', '__proto__'],
    ['a list', ['list']],
    ['nothing', undefined],
  ])('TB-2: an operation whose name is %s is no operation', async (_, operation) => {
    const event = { operation, input: {}, requestContext: { requestId: 'r-2' } };
    expect(await invoke('mcp', event, 'mcp')).toEqual(NOT_FOUND);
  });

  test('TB-2: an event without the members of a request ends as a failure of the function, without an answer', async () => {
    expect(await invoke('mcp', { operation: 'list' }, 'mcp')).toMatchObject({ status: undefined });
  });

  test('TB-8: the local runtime refuses an event of more than 6 MB, as Lambda does', async () => {
    const event = { operation: 'none', requestContext: { requestId: 'r-3' } };
    const most = 6_291_556 - JSON.stringify({ ...event, input: '' }).length;
    expect(await invoke('mcp', { ...event, input: 'x'.repeat(most) }, 'mcp')).toEqual(NOT_FOUND);
    expect(await invoke('mcp', { ...event, input: 'x'.repeat(most + 1) }, 'mcp')).toEqual({
      refused: 'RequestEntityTooLargeException',
    });
  });

  test('TB-7: a buffered invocation of the streaming function is refused, because nothing relies on it', async () => {
    const { client, asked: FunctionName } = await lambdaOf('mcp');
    const Payload = Buffer.from(JSON.stringify({ operation: 'none', requestContext: { requestId: 'r-4' } }));
    await expect(client.send(new InvokeCommand({ FunctionName, Payload, Qualifier: 'mcp' }))).rejects.toThrow(
      'streams its response',
    );
  });
});
