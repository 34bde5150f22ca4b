// @module-tag long
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import {
  changeSession,
  connectAccount,
  connectSession,
  finishFlow,
  reconnectSession,
  sessionState,
  setScopes,
  shownConnection,
  shownEvents,
  startFlow,
} from '../../support/connect.ts';
import { control, forgetRequests, requests } from '../../support/simulator.ts';
import { sweep } from '../../support/sweep.ts';
import { changeItem, connectionKey, readConnection, tableClient } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const APP = 'https://app.example';
const RETURN_URL = `${APP}/connected?from=gateway`;
const EDITOR = 'editor@workspace.example';
const VIEWER = 'viewer@workspace.example';

const gateway = useTestGateway({
  environmentOverrides: { CONNECT_ALLOWED_ORIGINS: APP, CONNECT_RETURN_URLS: RETURN_URL },
});

/** A flow that waits for its confirmation: what the finishing browser was given, and what will be the connection. */
interface Waiting {
  readonly integrationId: 'google-drive';
  readonly token: string;
  readonly handle: string;
  readonly connectionId: string;
  readonly page: string;
}

const confirmedSession = (body: Record<string, unknown> = {}) =>
  connectSession(gateway, {
    allowed_integrations: ['google-drive'],
    end_user: { id: 'u-1' },
    return_url: RETURN_URL,
    confirm: true,
    ...body,
  });

async function waiting(body: Record<string, unknown> = {}, choice: object = { account: EDITOR }): Promise<Waiting> {
  return finished(await confirmedSession(body), choice);
}

async function finished(token: string, choice: object): Promise<Waiting> {
  const answer = await finishFlow(await startFlow(gateway, token, 'google-drive'), choice);
  const page = await answer.text();
  if (answer.status !== 200) throw new Error(page);
  const state = await sessionState(gateway, token);
  const connectionId = String(state.connection_id);
  return { integrationId: 'google-drive', token, page, handle: handleOf(page), connectionId };
}

function handleOf(page: string): string {
  const handle = /confirmation_handle=(cf_[A-Za-z0-9_-]{86})"/.exec(page)?.[1];
  if (handle === undefined) throw new Error(`No handle in ${page}`);
  return handle;
}

async function confirm(handle: string, endUserId = 'u-1', key?: string) {
  const body = { handle, end_user_id: endUserId };
  const { status, body: answered } = await gateway.json('POST', '/connect/sessions/confirm', body, key);
  return { status, body: answered };
}

const proxied = (connectionId: string) => gateway.proxyAs('google-drive', connectionId, '/drive/v3/files?pageSize=1');

async function listed(): Promise<string[]> {
  const { connections } = (await gateway.json('GET', '/connections')).body;
  return connections.map(({ connection_id: id }: { connection_id: string }) => id);
}

function waitingKey({ connectionId, token }: Pick<Waiting, 'connectionId' | 'token'>, isReconnect = false) {
  const { pk } = connectionKey('google-drive', connectionId);
  return { pk, sk: isReconnect ? `UNCONFIRMED#${sha256Hex(token)}` : 'UNCONFIRMED' };
}

/** Moves the end of the time for confirming into the past, for the row and for its place in the due index. */
async function letTimePass(one: Waiting, isReconnect = false): Promise<void> {
  const past = Math.floor(Date.now() / 1000) - 1;
  await changeItem(gateway, waitingKey(one, isReconnect), { confirmUntilEpochSec: past, refreshAt: past });
  await changeSession(gateway, one.token, { confirmUntilEpochSec: past });
}

/** Kinds of items under a connection, without its events. */
async function itemsOf(connectionId: string): Promise<string[]> {
  const { Items = [] } = await tableClient(gateway).send(
    new QueryCommand({
      TableName: gateway.gateway.tableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': connectionKey('google-drive', connectionId).pk },
      ConsistentRead: true,
    }),
  );
  return Items.map(({ type }) => String(type)).filter((type) => type !== 'event');
}

async function revocations(): Promise<number> {
  return (await requests(gateway, 'token')).filter(({ target }) => target.startsWith('/revoke')).length;
}

async function eventsOf(connectionId: string) {
  return (await shownEvents(gateway, 'google-drive', connectionId))
    .map(({ type, cause, sequence }) => [type, cause, sequence])
    .reverse();
}

describe('a connection that waits for confirmation', () => {
  test('CS-15: serves no call, is in no list and is not refreshed, until the backend confirms its handle', async () => {
    const one = await waiting();
    expect(await sessionState(gateway, one.token)).toMatchObject({
      status: 'pending_confirmation',
      connection_id: one.connectionId,
      provider_config_key: 'google-drive',
      error: null,
    });
    const refused = await proxied(one.connectionId);
    expect([refused.status, refused.headers.get('x-gateway-error')]).toEqual([409, 'confirmation_required']);
    expect((await refused.json()).error.message).toMatch(
      /waits for your backend's confirmation until .*Z\. POST \/connect\/sessions\/confirm with the confirmation_handle/,
    );
    expect(await listed()).not.toContain(one.connectionId);
    expect(await shownConnection(gateway, 'google-drive', one.connectionId)).toMatchObject({
      status: 'pending_confirmation',
      errors: [{ type: 'auth' }],
      end_user: { id: 'u-1' },
      credentials: {},
      provider_account: { email: EDITOR },
    });
    for (const action of ['refresh', 'check']) {
      const path = `/connections/${one.connectionId}/${action}?provider_config_key=google-drive`;
      expect((await gateway.call(path, { method: 'POST' })).status).toBe(409);
    }
    await forgetRequests(gateway);
    await sweep(gateway, one);
    expect(await requests(gateway, 'token')).toEqual([]);
    expect(await eventsOf(one.connectionId)).toEqual([['ConnectionConfirmationPending', null, 0]]);

    const before = await shownConnection(gateway, 'google-drive', one.connectionId);
    const confirmed = await confirm(one.handle);
    expect(confirmed).toMatchObject({
      status: 200,
      body: { data: { connection_id: one.connectionId, status: 'active', missing_scopes: [], is_reconnect: false } },
    });
    expect((await proxied(one.connectionId)).status).toBe(200);
    expect(await listed()).toContain(one.connectionId);
    expect(await shownConnection(gateway, 'google-drive', one.connectionId)).toMatchObject({
      id: before.id,
      status: 'active',
      errors: [],
      consented_at: before.consented_at,
    });
    expect(await sessionState(gateway, one.token)).toMatchObject({ status: 'connected' });
    expect(await eventsOf(one.connectionId)).toEqual([
      ['ConnectionConfirmationPending', null, 0],
      ['ConnectionCreated', null, 1],
    ]);
    expect(await itemsOf(one.connectionId)).toEqual(['connection']);
  });

  test('CS-15: its handle counts once, is kept as a hash and is given to the finishing browser alone', async () => {
    const one = await waiting();
    const state = JSON.stringify(await sessionState(gateway, one.token));
    const { Item } = await tableClient(gateway).send(
      new GetCommand({
        TableName: gateway.gateway.tableName,
        Key: { pk: `SESSION#${sha256Hex(one.token)}`, sk: 'SESSION' },
      }),
    );
    for (const seen of [state, JSON.stringify(Item), ...gateway.gateway.logs().map(({ text }) => text)]) {
      expect(seen).not.toContain(one.handle);
    }
    expect(one.page).toContain(`href="${RETURN_URL}&#38;confirmation_handle=${one.handle}"`);
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(one.handle)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect((await eventsOf(one.connectionId)).filter(([type]) => type === 'ConnectionCreated')).toHaveLength(1);
    // Its link is over, whatever may come of the connection.
    await expect(startFlow(gateway, one.token)).rejects.toThrow('already been used');
  });

  test('CS-15: nobody confirms it with another handle, as another account or without a key', async () => {
    const one = await waiting();
    const other = await waiting({}, { account: VIEWER });
    const tampered = `${one.handle.slice(0, -1)}${one.handle.endsWith('A') ? 'B' : 'A'}`;
    const spliced = one.handle.slice(0, 46) + other.handle.slice(46);
    for (const handle of [tampered, spliced, `cf_${'A'.repeat(86)}`]) {
      expect(await confirm(handle)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
    expect((await confirm('nonsense')).body.error.errors).toMatchObject([{ path: 'handle' }]);
    const session = await connectSession(gateway, {});
    expect((await confirm(one.handle, 'u-1', session)).status).toBe(401);
    expect((await confirm(one.handle)).status).toBe(200);
    expect((await confirm(other.handle)).status).toBe(200);
  });

  test('CS-15: a connection that another end user confirms is refused, erased and revoked at the provider', async () => {
    const one = await waiting({ end_user: { id: 'attacker' } }, { account: 'second.user@example.com' });
    // No other connection of the account: the seeded ones are the first user's.
    await forgetRequests(gateway);
    expect(await confirm(one.handle, 'victim')).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(await revocations()).toBe(1);
    expect(await itemsOf(one.connectionId)).toEqual([]);
    expect((await proxied(one.connectionId)).status).toBe(404);
    expect((await confirm(one.handle, 'attacker')).status).toBe(404);
    expect(await eventsOf(one.connectionId)).toEqual([
      ['ConnectionConfirmationPending', null, 0],
      ['ConnectionNotConfirmed', 'other_end_user', 0],
      ['ConnectionGrantRevoked', 'revoked', 0],
    ]);
  });

  test('CS-15: a dead connection that only a tag gives to its user is used again, and that user confirms it', {
    tags: ['long'],
  }, async () => {
    const account = 'viewer@workspace.example';
    const tags = { end_user_id: 'tagged', plan: 'gold' };
    const connectionId = await connectAccount(gateway, 'google-drive', { account }, { tags, end_user: undefined });
    await control(gateway, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
    await gateway.call(`/connections/${connectionId}/refresh?provider_config_key=google-drive`, { method: 'POST' });
    const one = await waiting({ end_user: { id: 'tagged' }, reuse_connection: true }, { account });
    expect(one.connectionId).toBe(connectionId);
    expect((await confirm(one.handle, 'tagged')).status).toBe(200);
    const { body } = await gateway.json('GET', `/connections/${connectionId}?provider_config_key=google-drive`);
    expect(body).toMatchObject({ status: 'active', end_user: { id: 'tagged' }, tags });
  });

  test('CS-15: unconfirmed after 15 minutes it is revoked and erased by the schedule', async () => {
    const one = await waiting({}, { account: 'second.user@example.com' });
    const { Item } = await tableClient(gateway).send(
      new GetCommand({ TableName: gateway.gateway.tableName, Key: waitingKey(one), ConsistentRead: true }),
    );
    expect(Number(Item?.confirmUntilEpochSec) - Number(Item?.consentedAtEpochSec)).toBe(900);
    expect(Item?.refreshAt).toBe(Item?.confirmUntilEpochSec);
    await letTimePass(one);
    // Over at once, whenever the schedule comes by.
    expect((await confirm(one.handle)).status).toBe(404);
    expect((await proxied(one.connectionId)).status).toBe(404);
    expect(await sessionState(gateway, one.token)).toMatchObject({
      status: 'failed',
      error: { type: 'not_confirmed' },
    });
    await forgetRequests(gateway);
    await sweep(gateway, one);
    expect(await revocations()).toBe(1);
    expect(await itemsOf(one.connectionId)).toEqual([]);
    expect((await eventsOf(one.connectionId)).map(([type, cause]) => [type, cause])).toEqual([
      ['ConnectionConfirmationPending', null],
      ['ConnectionNotConfirmed', 'not_confirmed_in_time'],
      ['ConnectionGrantRevoked', 'revoked'],
    ]);
  });

  test('CS-15: a revocation that the provider does not take waits among the pending ones until it does', {
    tags: ['long'],
  }, async () => {
    const one = await waiting({}, { account: 'second.user@example.com' });
    await letTimePass(one);
    await control(gateway, 'POST', '/faults', {
      match: { origin: 'token', pathPrefix: '/revoke' },
      times: 1,
      action: { status: 503 },
    });
    await sweep(gateway, one);
    expect(await itemsOf(one.connectionId)).toEqual(['revocation']);
    const key = { pk: connectionKey('google-drive', one.connectionId).pk, sk: 'REVOCATION' };
    // Each attempt is put off further when it fails, which on a busy machine it may without the fault.
    await expect
      .poll(async () => {
        if ((await itemsOf(one.connectionId)).length === 0) return 'revoked';
        await changeItem(gateway, key, { refreshAt: Math.floor(Date.now() / 1000) - 1 });
        await sweep(gateway, one);
        return 'tried once more';
      })
      .toBe('revoked');
  });

  test('CS-15: its end does not end a living connection of the same account', { tags: ['long'] }, async () => {
    const living = await connectAccount(gateway, 'google-drive', { account: VIEWER });
    const one = await waiting({}, { account: VIEWER });
    await letTimePass(one);
    await forgetRequests(gateway);
    await sweep(gateway, one);
    expect(await revocations()).toBe(0);
    expect(await itemsOf(one.connectionId)).toEqual([]);
    expect((await proxied(living)).status).toBe(200);
  });

  test('CS-15: the end of one does not end another that waits for the same account; the last one is revoked', {
    tags: ['long'],
  }, async () => {
    const account = 'second.user@example.com';
    const [left, kept] = [await waiting({}, { account }), await waiting({}, { account })];
    await letTimePass(left);
    await forgetRequests(gateway);
    await sweep(gateway, left);
    expect(await itemsOf(left.connectionId)).toEqual([]);
    expect(await revocations()).toBe(0);
    expect((await confirm(kept.handle)).status).toBe(200);
    expect((await proxied(kept.connectionId)).status).toBe(200);
    expect(await shownConnection(gateway, 'google-drive', kept.connectionId)).toMatchObject({ shares_grant_with: 0 });
    await gateway.call(`/connections/${kept.connectionId}?provider_config_key=google-drive&revoke=true`, {
      method: 'DELETE',
    });

    const [one, two] = [await waiting({}, { account }), await waiting({}, { account })];
    await letTimePass(one);
    await letTimePass(two);
    await forgetRequests(gateway);
    await sweep(gateway, one, two);
    expect(await revocations()).toBeGreaterThan(0);
    for (const { connectionId } of [one, two]) expect(await itemsOf(connectionId)).toEqual([]);
  });

  test('CS-15: a backend that wants it no more deletes it', async () => {
    const one = await waiting({}, { account: 'second.user@example.com' });
    const path = `/connections/${one.connectionId}?provider_config_key=google-drive`;
    const deleted = await (await gateway.call(path, { method: 'DELETE' })).json();
    expect(deleted).toMatchObject({ success: true, revocation: { status: 'revoked' } });
    expect(await itemsOf(one.connectionId)).toEqual([]);
    expect((await confirm(one.handle)).status).toBe(404);
  });

  test('says what is missing, and a session of its own asks for it', async () => {
    await setScopes(gateway, 'google-drive', ['drive.readonly', 'drive.file']);
    const one = await waiting({}, { account: EDITOR, scopes: ['https://www.googleapis.com/auth/drive.file'] });
    expect(one.page).toContain('See and download all Drive files.');
    expect(one.page).not.toContain('Choose again');
    const missing = ['https://www.googleapis.com/auth/drive.readonly'];
    expect((await confirm(one.handle)).body.data.missing_scopes).toEqual(missing);
    await setScopes(gateway, 'google-drive', ['drive.readonly']);
  });

  test('CS-15: an account that Google does not name is not kept', async () => {
    const token = await confirmedSession();
    const flow = await startFlow(gateway, token);
    const url = new URL(flow.authorizationUrl);
    url.searchParams.set('scope', 'https://www.googleapis.com/auth/drive.readonly');
    const page = await finishFlow({ ...flow, authorizationUrl: url.href }, { account: EDITOR });
    expect(await page.text()).toContain('The account could not be confirmed');
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'failed', connection_id: null });
  });
});

describe('a reconnect that waits for confirmation', () => {
  const U9 = { end_user: { id: 'u-9' } };

  test('CS-15: leaves the old grant at work until it is confirmed, and takes its place then', async () => {
    const connectionId = await connectAccount(gateway, 'google-drive', { account: EDITOR }, U9);
    const before = await readConnection(gateway, 'google-drive', connectionId);
    const body = { confirm: true, return_url: RETURN_URL };
    const token = await reconnectSession(gateway, 'google-drive', connectionId, body);
    const one = await finished(token, { account: EDITOR });
    expect(one.connectionId).toBe(connectionId);
    expect(await readConnection(gateway, 'google-drive', connectionId)).toEqual(before);
    expect((await proxied(connectionId)).status).toBe(200);
    // Compared with the connection's own end user; the session named none.
    expect(await confirm(one.handle, 'u-9')).toMatchObject({ status: 200, body: { data: { is_reconnect: true } } });
    const after = await readConnection(gateway, 'google-drive', connectionId);
    expect(Number(after.epoch)).toBeGreaterThan(Number(before.epoch));
    expect(after.encryptedRefreshToken).not.toBe(before.encryptedRefreshToken);
    expect((await proxied(connectionId)).status).toBe(200);
    expect((await eventsOf(connectionId)).filter(([, , sequence]) => Number(sequence) > 0)).toEqual([
      ['ConnectionCreated', null, 1],
      ['ConnectionReauthorized', null, 2],
    ]);
  });

  test('CS-15: a reconnect that waits for confirmation and that nobody confirms is erased, and the old grant continues', async () => {
    const connectionId = await connectAccount(gateway, 'google-drive', { account: EDITOR }, U9);
    const before = await readConnection(gateway, 'google-drive', connectionId);
    const body = { confirm: true, return_url: RETURN_URL };
    const tokens = [
      await reconnectSession(gateway, 'google-drive', connectionId, body),
      await reconnectSession(gateway, 'google-drive', connectionId, body),
    ] as const;
    // Two sessions of one connection wait side by side.
    const [first, second] = [
      await finished(tokens[0], { account: EDITOR }),
      await finished(tokens[1], { account: EDITOR }),
    ];
    await letTimePass(first, true);
    await forgetRequests(gateway);
    await sweep(gateway, first);
    expect(await revocations()).toBe(0);
    expect(await itemsOf(connectionId)).toEqual(['connection', 'unconfirmed_grant']);
    const { lastUsedAtEpochSec: _, ...kept } = await readConnection(gateway, 'google-drive', connectionId);
    expect(before).toMatchObject(kept);
    expect((await confirm(second.handle, 'somebody-else')).status).toBe(409);
    expect(await itemsOf(connectionId)).toEqual(['connection']);
    expect((await proxied(connectionId)).status).toBe(200);
  });
});

describe('a session that asks for confirmation', () => {
  const refusal = (body: Record<string, unknown>) => connectSession(gateway, { confirm: true, ...body });

  test('names its end user', async () => {
    await expect(refusal({ end_user: undefined, tags: { a: 'b' }, return_url: RETURN_URL })).rejects.toThrow(
      'is required with confirm',
    );
  });

  test('a session that asks for confirmation without a return URL posts a message to the window that opened it, and without either shows the user that nothing is connected', async () => {
    const token = await refusal({ allowed_integrations: ['google-drive'] });
    const answer = await finishFlow(await startFlow(gateway, token), { account: EDITOR });
    const page = await answer.text();
    expect(page).toMatch(/"nango_oauth_callback_success","payload":\{"confirmationHandle":"cf_[A-Za-z0-9_-]{86}"\}/);
    expect(page).not.toContain('<a ');
    expect(page).toContain('This page cannot reach the app');
  });
});
