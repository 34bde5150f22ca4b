// @module-tag long
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import { securityEventItemKey } from '../../../../lambdas/features/security-events/keys.store.ts';
import { listedPk } from '../../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { FORGERIES } from '../../../../packages/simulator/risc/statements.ts';
import { connectAccount } from '../../../support/connect.ts';
import { eventually } from '../../../support/eventually.ts';
import { control } from '../../../support/simulator.ts';
import { changeConnection, readConnection, readItem, tableClient } from '../../../support/table.ts';
import { useTestGateway } from '../../../support/use-gateway.ts';

const DRIVE = 'google-drive';
const RECEIVER = '/inbox/google/security-events';

const gateway = useTestGateway();
let cloudProject: string;
let clientId: string;
let receiver: string;

beforeAll(async () => {
  const { body } = await gateway.json('GET', '/security-events');
  expect(body.data.projects).toMatchObject([{ state: 'not_registered' }]);
  cloudProject = body.data.projects[0].cloud_project;
  const registered = await gateway.json('PUT', `/security-events/${cloudProject}`, { verification: 'state-of-tests' });
  expect(registered).toMatchObject({ status: 200, body: { data: { state: 'not_verified' } } });
  const row = await readConnection(gateway, DRIVE, gateway.connectionId(DRIVE));
  clientId = String(row.clientId);
  receiver = body.data.receiver_url;
  await control(gateway, 'POST', '/streams', { register: { clientId, url: receiver } });
});

/** Has the simulator state something. @returns the statuses it was answered with */
async function state(body: Record<string, unknown>): Promise<readonly (number | null)[]> {
  return Object(await control(gateway, 'POST', '/security-events', { clientId, ...body })).answers;
}

/** SHA-256 of the refresh token that an account's last consent has made. */
async function latestTokenOf(account: string): Promise<string> {
  const { refreshTokens } = Object(await control(gateway, 'GET', '/state'));
  return refreshTokens.findLast((one: { readonly account: string }) => one.account === account).sha256;
}

/** Whether the work that follows from a kept statement is done. */
async function isOver(project: string, jti: string): Promise<boolean> {
  const kept = await readItem(gateway, securityEventItemKey({ cloudProject: project, jti, index: 0 }));
  return kept !== undefined && kept.dueShard === undefined;
}

/** What the receiver has written, by type of row. */
async function written(): Promise<Readonly<Record<string, number>>> {
  const { Items = [] } = await tableClient(gateway).send(
    new ScanCommand({
      TableName: gateway.gateway.tableName,
      FilterExpression: '#type IN (:statement, :evidence)',
      ExpressionAttributeNames: { '#type': 'type' },
      ExpressionAttributeValues: { ':statement': 'security_event', ':evidence': 'evidence' },
    }),
  );
  return Object.fromEntries(
    ['security_event', 'evidence'].map((type) => [type, Items.filter((item) => item.type === type).length]),
  );
}

/** A connection's row once it has this status. */
const when = (connectionId: string, status: string) =>
  eventually(async () => {
    const row = await readConnection(gateway, DRIVE, connectionId);
    expect(row.status).toBe(status);
    return row;
  });

async function eventsOf(connectionId: string, type: string): Promise<readonly Record<string, unknown>[]> {
  const path = `/connections/${connectionId}/events?provider_config_key=${DRIVE}`;
  const { body } = await gateway.json('GET', path);
  return body.events.filter((event: { type: string }) => event.type === type);
}

test('RI-10, RI-16: a simulated lockout is a certain cause at once, without a tick and without a call, and ends with the account enabled', async () => {
  const account = 'second.user@example.com';
  const connectionId = await connectAccount(gateway, DRIVE, { account });
  await control(gateway, 'POST', '/grants/kill', { account, reason: 'account_disabled', why: 'hijacking' });
  const row = await when(connectionId, 'reauthorization_required');
  expect(row.death).toMatchObject({
    cause: 'account_unavailable',
    certain: true,
    evidence: { type: 'account-disabled', reason: 'hijacking' },
  });
  // They may work again once the account is enabled.
  expect(row.encryptedRefreshToken).toBeDefined();
  const { body } = await gateway.json('GET', `/connections/${connectionId}?provider_config_key=${DRIVE}`);
  expect(body.health.death ?? body.death).toMatchObject({
    certain: true,
    evidence: { type: 'account-disabled', reason: 'hijacking', stated_at: expect.any(String) },
  });
  const stated = { security_event: 'account-disabled', stated_reason: 'hijacking' };
  expect(await eventsOf(connectionId, 'ConnectionSecurityEvent')).toMatchObject([{ data: stated }]);

  await control(gateway, 'POST', '/grants/restore', { account });
  await when(connectionId, 'active');
  expect(await eventsOf(connectionId, 'ConnectionRecovered')).toHaveLength(1);
});

test('RI-10, RI-16: a guess becomes certain when the statement comes after the death, and revoked tokens are erased', async () => {
  const account = 'editor@workspace.example';
  const connectionId = await connectAccount(gateway, DRIVE, { account });
  await control(gateway, 'POST', '/streams', { drop: 1 });
  await control(gateway, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
  await gateway.json('GET', `/connections/${connectionId}?provider_config_key=${DRIVE}&force_refresh=true`);
  const guess = await when(connectionId, 'reauthorization_required');
  expect(guess).toMatchObject({ death: { certain: false }, encryptedRefreshToken: expect.any(String) });

  expect(await state({ type: 'tokens-revoked', account })).toEqual([202]);
  await eventually(async () => {
    const row = await readConnection(gateway, DRIVE, connectionId);
    expect(row.death).toMatchObject({ cause: 'user_revoked', certain: true, evidence: { type: 'tokens-revoked' } });
    expect([row.encryptedRefreshToken, row.encryptedAccessToken]).toEqual([undefined, undefined]);
  });
  expect(await eventsOf(connectionId, 'ConnectionCauseProven')).toMatchObject([
    { data: { cause: 'user_revoked', health: 'dead' } },
  ]);
  // Nothing is left to be refreshed, and the answer says why.
  const again = await gateway.json('POST', `/connections/${connectionId}/refresh?provider_config_key=${DRIVE}`);
  expect(again).toMatchObject({ status: 424, body: { error: { code: 'reauthorization_required' } } });
});

test('RI-16: a disabled account stays the cause, and its tokens are erased once Google reports that it has revoked them too', async () => {
  const account = 'viewer@workspace.example';
  const connectionId = await connectAccount(gateway, DRIVE, { account });
  await control(gateway, 'POST', '/grants/kill', { account, reason: 'account_disabled', why: 'bulk-account' });
  const disabled = { cause: 'account_unavailable', certain: true, evidence: { type: 'account-disabled' } };
  const kept = await when(connectionId, 'reauthorization_required');
  expect(kept).toMatchObject({ death: disabled, encryptedRefreshToken: expect.any(String) });
  expect(await state({ type: 'tokens-revoked', account })).toEqual([202]);
  await eventually(async () => {
    const row = await readConnection(gateway, DRIVE, connectionId);
    expect([row.encryptedRefreshToken, row.encryptedAccessToken]).toEqual([undefined, undefined]);
    expect(row).toMatchObject({ death: disabled });
  });
  expect(await eventsOf(connectionId, 'ConnectionCauseProven')).toEqual([]);
  await control(gateway, 'POST', '/grants/restore', { account });
});

test.each(['prefix', 'hash_base64_sha512_sha512'])(
  'RI-14, RI-16: a statement that names one token by its %s, and no account, is the certain cause of its end alone, at once, without a tick and without a call',
  async (tokenBy) => {
    const account = 'first.user@example.com';
    const another = await connectAccount(gateway, DRIVE, { account });
    const connectionId = await connectAccount(gateway, DRIVE, { account });
    const tokenSha256 = await latestTokenOf(account);
    await control(gateway, 'POST', '/grants/kill', { account, reason: 'password_change' });
    expect(await state({ type: 'token-revoked', tokenSha256, tokenBy })).toEqual([202]);
    const row = await when(connectionId, 'reauthorization_required');
    expect(row).toMatchObject({
      death: { cause: 'token_revoked', certain: true, evidence: { type: 'token-revoked' } },
    });
    expect([row.encryptedRefreshToken, row.tokenPrints]).toEqual([undefined, undefined]);
    const stated = [{ data: { security_event: 'token-revoked' } }];
    expect(await eventsOf(connectionId, 'ConnectionSecurityEvent')).toMatchObject(stated);
    expect(await readConnection(gateway, DRIVE, another)).toMatchObject({ status: 'active' });
    await gateway.json('GET', `/connections/${another}?provider_config_key=${DRIVE}&force_refresh=true`);
    const guess = { death: { certain: false }, encryptedRefreshToken: expect.any(String) };
    expect(await when(another, 'reauthorization_required')).toMatchObject(guess);
    expect(await eventsOf(another, 'ConnectionSecurityEvent')).toEqual([]);
  },
);

test('RI-14: a token that is named too late, and to another project, is found by nobody', async () => {
  const account = 'second.user@example.com';
  const connectionId = await connectAccount(gateway, DRIVE, { account });
  const tokenSha256 = await latestTokenOf(account);
  const project = String(Number(cloudProject) + 1);
  const clientOfIt = `${project}-other.apps.googleusercontent.com`;
  const credentials = { type: 'OAUTH2', client_id: clientOfIt, client_secret: 'GOCSPX-other' };
  await gateway.json('POST', '/integrations', { provider: DRIVE, unique_key: 'other-project', credentials });
  expect((await gateway.json('PUT', `/security-events/${project}`, {})).status).toBe(200);
  await control(gateway, 'POST', '/streams', { register: { clientId: clientOfIt, url: receiver } });
  const said = { type: 'token-revoked', tokenSha256, tokenBy: 'prefix' };
  expect(await state({ ...said, clientId: clientOfIt, jti: 'of-another-project' })).toEqual([202]);
  expect(await state({ ...said, agoSec: 3600, jti: 'of-before' })).toEqual([202]);
  const over = [
    [project, 'of-another-project'],
    [cloudProject, 'of-before'],
  ] as const;
  for (const [of, jti] of over) await eventually(async () => expect(await isOver(of, jti)).toBe(true));
  expect(await readConnection(gateway, DRIVE, connectionId)).toMatchObject({ status: 'active' });
  expect(await eventsOf(connectionId, 'ConnectionSecurityEvent')).toEqual([]);
  expect((await gateway.json('DELETE', `/security-events/${project}`)).status).toBe(200);
  expect((await gateway.json('DELETE', '/integrations/other-project')).status).toBe(200);
});

test('RI-14, RI-16: the proxy, which may delete nothing, takes a token that it erases out of the lists it was found in', async () => {
  const account = 'second.user@example.com';
  const connectionId = await connectAccount(gateway, DRIVE, { account });
  const tokenSha256 = await latestTokenOf(account);
  // Google still grants the refresh that follows.
  expect(await state({ type: 'token-revoked', tokenSha256, tokenBy: 'prefix', jti: 'too-early' })).toEqual([202]);
  await eventually(async () => expect(await isOver(cloudProject, 'too-early')).toBe(true));
  const { tokenPrints, listSortKey: sk } = await readConnection(gateway, DRIVE, connectionId);
  const places = String(tokenPrints)
    .split(' ')
    .map((value) => ({ pk: listedPk('default', { kind: 'TOKEN', value }), sk: String(sk) }));
  const found = async () => (await Promise.all(places.map((one) => readItem(gateway, one)))).map((one) => one?.left);
  expect([places.length, await found()]).toEqual([2, [undefined, undefined]]);

  await control(gateway, 'POST', '/grants/kill', { account, reason: 'password_change' });
  await changeConnection(gateway, DRIVE, connectionId, { accessTokenExpiresAtEpochSec: 1 });
  gateway.gateway.takeDenials();
  expect((await gateway.proxyAs(DRIVE, connectionId, '/drive/v3/files?pageSize=1')).status).toBe(424);
  const row = await readConnection(gateway, DRIVE, connectionId);
  expect(row).toMatchObject({ death: { cause: 'token_revoked', certain: true } });
  expect([row.encryptedRefreshToken, row.tokenPrints, await found()]).toEqual([undefined, undefined, [true, true]]);
  expect(gateway.gateway.takeDenials()).toEqual([]);
});

test('RI-10: a statement that Google does not stand by, and one about an earlier consent, end no connection', async () => {
  const account = 'viewer@workspace.example';
  const connectionId = await connectAccount(gateway, DRIVE, { account });
  expect(await state({ type: 'tokens-revoked', account, agoSec: 3600 })).toEqual([202]);
  expect(await state({ type: 'account-disabled', account, jti: 'premature' })).toEqual([202]);
  await eventually(async () => {
    const told = await eventsOf(connectionId, 'ConnectionSecurityEvent');
    expect(told).toMatchObject([{ data: { security_event: 'account-disabled' } }]);
  });
  expect((await readConnection(gateway, DRIVE, connectionId)).status).toBe('active');
});

test('RI-2, RI-11: a statement is taken long after its exp, and one that comes three times counts once', async () => {
  const account = 'second.user@example.com';
  const before = await written();
  const late = { type: 'sessions-revoked', account, jti: 'thrice', agoSec: 3 * 24 * 3600, times: 3 };
  expect(await state(late)).toEqual([202, 202, 202]);
  const after = await written();
  expect(Number(after.security_event) - Number(before.security_event)).toBe(1);
});

test.each(FORGERIES)('RI-12: %s is refused, and nothing is written', async (forge) => {
  const before = await written();
  expect(await state({ type: 'tokens-revoked', account: 'first.user@example.com', forge })).toEqual([400]);
  expect(await written()).toEqual(before);
});

test('RI-12: what is no token at all is refused, and so is any method but POST', async () => {
  for (const body of ['', '{}', 'a.b.c', '\u0000']) {
    const answer = await fetch(gateway.gateway.gatewayUrl + RECEIVER, { method: 'POST', body });
    expect([body, answer.status]).toEqual([body, 400]);
  }
  expect((await fetch(gateway.gateway.gatewayUrl + RECEIVER)).status).toBe(405);
});

test('RI-5: the answer to the verification that was asked for proves the stream, and another text does not', async () => {
  const project = async () => {
    const { body } = await gateway.json('GET', '/security-events');
    return body.data.projects[0];
  };
  expect(await state({ type: 'verification', state: 'another' })).toEqual([202]);
  expect(await project()).toMatchObject({ state: 'not_verified' });
  expect(await state({ type: 'verification', state: 'state-of-tests' })).toEqual([202]);
  expect(await project()).toMatchObject({ state: 'verified', verified_at: expect.any(String) });
});

test('RI-12: the project of a client that nobody has registered is foreign', async () => {
  expect((await gateway.json('DELETE', `/security-events/${cloudProject}`)).status).toBe(200);
  expect(await state({ type: 'tokens-revoked', account: 'first.user@example.com' })).toEqual([400]);
  expect((await gateway.json('PUT', '/security-events/1', {})).status).toBe(404);
});
