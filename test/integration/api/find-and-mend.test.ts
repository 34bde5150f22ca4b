import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchBucketOf } from '../../../lambdas/gateway/connections/search.rules.ts';
import { searchBucketItemKey, searchCheckItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { tableClient } from '../../support/table.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

async function call(method: string, path: string, body?: unknown, key = gateway.gateway.secretKey) {
  const response = await fetch(`${gateway.gateway.gatewayUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** Connection ids that a search over HTTP finds. */
async function found(text: string, key?: string): Promise<string[]> {
  const { status, body } = await call('GET', `/search?q=${encodeURIComponent(text)}`, undefined, key);
  expect(status).toBe(200);
  return body.data.connections.map((one: { connection_id: string }) => one.connection_id);
}

const HOSTILE = '<img src=x onerror=alert(1)> "Robert\u202E\'); --';

test('a connection is found by every part of what it says, as soon as it says so and no longer', async () => {
  const id = gateway.connectionId('google-drive');
  const path = `/connections/${id}?provider_config_key=google-drive`;
  const rename = (display_name: string) =>
    call('PATCH', path, {
      end_user: { id: 'user-bob', email: 'Bob.Brown@Example.org', display_name },
      organization: { id: 'org-9', display_name: 'Ácme GmbH' },
      tags: { plan: 'Enterprise' },
    });
  expect(await rename('Bobby Brown')).toMatchObject({ status: 200 });
  for (const text of [
    'OB BRO',
    'brown@EXAMPLE',
    'user-bo',
    'acme',
    'org-9',
    'plan=ent',
    id.slice(3, 14).toUpperCase(),
  ]) {
    expect([text, await found(text)]).toEqual([text, [id]]);
  }
  const listed = await call('GET', '/connections?search=BOB&include=total,last_used');
  expect(listed.body).toMatchObject({ total: 1, total_is_complete: true, connections: [{ connection_id: id }] });

  await rename(HOSTILE);
  expect([await found('bobby'), await found('onerror=alert(1)')]).toEqual([[], [id]]);

  const other = gateway.connectionId('google-calendar');
  const limited = await call('POST', '/account/keys', {
    name: 'x',
    right: 'read',
    integration_ids: ['google-calendar'],
  });
  expect(await found('user', limited.body.data.secret_key)).not.toContain(id);
  expect(await found('org-9', limited.body.data.secret_key)).toEqual([]);
  expect(await found(other.slice(0, 12), limited.body.data.secret_key)).toEqual([other]);
});

test('a connection without a search entry, as an earlier version stored it, is found after the next tick', async () => {
  const id = gateway.connectionId('google-calendar');
  const ref = { accountId: 'default', integrationId: 'google-calendar', connectionId: id };
  const { shard, bucket } = searchBucketOf(ref);
  const client = tableClient(gateway);
  const TableName = gateway.gateway.tableName;
  await client.send(new DeleteCommand({ TableName, Key: searchBucketItemKey('default', shard, bucket) }));
  await client.send(new DeleteCommand({ TableName, Key: searchCheckItemKey('default') }));
  expect(await found(id)).toEqual([]);
  await gateway.gateway.tick('refresh');
  expect(await found(id)).toEqual([id]);
});

test('a deleted connection is found no more, and nothing of it stays in the index', async () => {
  const id = gateway.connectionId('google-calendar');
  await call('PATCH', `/connections/${id}?provider_config_key=google-calendar`, {
    end_user: { id: 'user-gone', display_name: 'Gone Tomorrow' },
  });
  expect(await found('gone tom')).toEqual([id]);
  await call('DELETE', `/connections/${id}?provider_config_key=google-calendar`);
  expect(await found('gone tom')).toEqual([]);
});
