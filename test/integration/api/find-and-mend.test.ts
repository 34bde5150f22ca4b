import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchBucketOf } from '../../../lambdas/gateway/connections/search.rules.ts';
import { searchBucketItemKey, searchCheckItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { connectAccount, finishFlow, startFlow } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { changeConnection, tableClient } from '../../support/table.ts';

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

const links = (body: unknown) => call('POST', '/connect/reconnect-links', body);
const tokenOf = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get('session_token') ?? '';

test('CS-1: dead connections get links for days, with words of the operator; each works once and for its own account, and shows who came back', async () => {
  const connected = await connectAccount(
    gateway,
    'google-drive',
    {},
    { end_user: { id: 'user-dead', display_name: HOSTILE } },
  );
  await changeConnection(gateway, 'google-drive', connected, {
    status: 'reauthorization_required',
    cause: 'user_revoked',
    consentedAtEpochSec: 1,
  });
  const made = await links({
    all_dead: { cause: 'user_revoked' },
    lifetime_sec: 7 * 24 * 3600,
    message: 'Dear {name}, {integration} again: {link} {other}',
  });
  expect(made).toMatchObject({ status: 201, body: { data: { refused: [], next_cursor: null } } });
  const { id, links: given, expires_at } = made.body.data;
  expect(given).toHaveLength(1);
  const [{ connect_link, message }] = given;
  expect(message).toBe(`Dear ${HOSTILE}, Google Drive again: ${connect_link} {other}`);
  expect((Date.parse(expires_at) - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
  const state = async () => (await call('GET', `/connect/reconnect-links/${id}`)).body.data.links[0].state;
  expect(await state()).toBe('waiting');

  expect((await finishFlow(await startFlow(gateway, tokenOf(connect_link)))).status).toBe(200);
  expect(await state()).toBe('came_back');
  await expect(startFlow(gateway, tokenOf(connect_link))).rejects.toThrow('already been used');
  expect((await call('GET', '/connect/reconnect-links')).body.data[0]).toMatchObject({ id, links: 1, came_back: 1 });
  expect(JSON.stringify((await call('GET', `/connect/reconnect-links/${id}`)).body)).not.toContain('cs_');
});

test('CS-1: a withdrawn link opens nothing, and what cannot have a link is named while the others get theirs', async () => {
  const drive = gateway.connectionId('google-drive');
  const made = await links({
    connections: [
      { provider_config_key: 'google-drive', connection_id: drive },
      { provider_config_key: 'google-drive', connection_id: 'nobody' },
    ],
  });
  expect(made.body.data).toMatchObject({
    links: [{ connection_id: drive, message: null }],
    refused: [{ connection_id: 'nobody', reason: expect.stringContaining('no such connection') }],
  });
  const { id, links: given } = made.body.data;
  expect(await call('DELETE', `/connect/reconnect-links/${id}`)).toMatchObject({ status: 200 });
  await expect(startFlow(gateway, tokenOf(given[0].connect_link))).rejects.toThrow('withdrawn');
  expect((await call('GET', `/connect/reconnect-links/${id}`)).body.data.links[0].state).toBe('revoked');

  await changeConnection(gateway, 'google-drive', drive, { providerAccount: null });
  const unknown = await links({ connections: [{ provider_config_key: 'google-drive', connection_id: drive }] });
  expect(unknown.body.data).toMatchObject({ links: [], refused: [{ reason: expect.stringContaining('30 minutes') }] });
  const wrong = await links({ connections: [], lifetime_sec: 8 * 24 * 3600, message: 'no link' });
  expect(wrong.status).toBe(400);
  for (const rule of ['name at least one', 'seven days', '{link}']) expect(JSON.stringify(wrong.body)).toContain(rule);
});
