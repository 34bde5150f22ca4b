// @module-tag long
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeEach, describe, expect, test } from 'vitest';
import { textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { eventPk } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { connectAccount } from '../../support/connect.ts';
import { forgetRequests, requests } from '../../support/simulator.ts';
import { changeConnection, changeItem, readConnection } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const INTEGRATION = 'google-drive';
const OTHER_INTEGRATION = 'google-calendar';
const FIELDS = ['encryptedAccessToken', 'encryptedRefreshToken'] as const;
type Field = (typeof FIELDS)[number];

const gateway = useTestGateway();

/** What a caller and an operator get of a connection whose stored values are what they are now. */
async function outcome(connectionId: string): Promise<readonly unknown[]> {
  const called = await gateway.proxyAs(INTEGRATION, connectionId, '/drive/v3/files?pageSize=1');
  const { error } = await called.json();
  return [called.status, error?.code, error?.message];
}

describe('a stored value that is not this place’s', () => {
  let connectionId: string;
  let own: Record<string, unknown>;
  beforeEach(async () => {
    // A connection of its own for each: a process remembers what it has read for half a minute.
    connectionId = await connectAccount(gateway, INTEGRATION);
    own = await readConnection(gateway, INTEGRATION, connectionId);
    await forgetRequests(gateway);
  });

  /** From other rows, fields and keys; by name, so that each is seen to fail alike. */
  async function foreign(from: string, field: Field): Promise<unknown> {
    const value = String(own[field]);
    switch (from) {
      case 'another connection':
        return (await readConnection(gateway, INTEGRATION, gateway.connectionId(INTEGRATION)))[field];
      case 'another integration':
        return (await readConnection(gateway, OTHER_INTEGRATION, gateway.connectionId(OTHER_INTEGRATION)))[field];
      case 'the other field':
        return own[field === FIELDS[0] ? FIELDS[1] : FIELDS[0]];
      case 'a key that does not exist':
        return value.replace(/^v1\.\d+/, 'v1.1');
      case 'another version':
        return value.replace(/^v1/, 'v2');
      case 'a changed tag':
        return value.slice(0, -4) + (value.endsWith('AAAA') ? 'BBBB' : 'AAAA');
      default:
        return 'no base64!';
    }
  }

  test.each([
    'another connection',
    'another integration',
    'the other field',
    'a key that does not exist',
    'another version',
    'a changed tag',
    'no value at all',
  ])(
    'CR-2, CR-9: an access token from %s: one opaque error, nothing goes upstream, and the connection stays active',
    async (from) => {
      await changeConnection(gateway, INTEGRATION, connectionId, {
        encryptedAccessToken: await foreign(from, 'encryptedAccessToken'),
      });
      const [status, code, message] = await outcome(connectionId);
      expect([status, code]).toEqual([500, 'internal_error']);
      expect(message).not.toMatch(/decrypt|cipher|tag|key|base64/i);
      expect(await requests(gateway, 'api')).toEqual([]);
      expect(await readConnection(gateway, INTEGRATION, connectionId)).toMatchObject({ status: 'active' });
    },
  );

  test('CR-2, CR-9: a refresh token of another connection is refused alike, alarmed and sent nowhere', async () => {
    const moved = await foreign('another connection', 'encryptedRefreshToken');
    await changeConnection(gateway, INTEGRATION, connectionId, {
      encryptedRefreshToken: moved,
      accessTokenExpiresAtEpochSec: 1,
    });
    const [status, code] = await outcome(connectionId);
    expect([status, code]).toEqual([500, 'internal_error']);
    expect(await requests(gateway, 'token')).toEqual([]);
    expect(await readConnection(gateway, INTEGRATION, connectionId)).toMatchObject({ status: 'active' });
    expect(gateway.gateway.logs().some(({ text }) => text.includes('StoredValueUnreadable'))).toBe(true);
  });
});

describe('CR-10: a row that cannot be read', () => {
  const unreadable = () => gateway.gateway.logs().filter(({ text }) => text.includes('StoredValueUnreadable')).length;
  const listed = async (path: string, member: string): Promise<Record<string, unknown>[]> =>
    (await gateway.json('GET', path)).body[member];

  test.each([
    ['a number for the account’s subject', { providerAccount: { subject: 42, email: null } }],
    ['tags that are a list', { tags: ['a'] }],
    ['a form of later code', { itemVersion: 2, provider: 'google-photos' }],
  ])(
    'CR-10: a row that cannot be read of a connection, with %s, hides no other, is counted and can be deleted',
    async (_, damage) => {
      const connectionId = await connectAccount(gateway, INTEGRATION);
      await changeConnection(gateway, INTEGRATION, connectionId, damage);
      const before = unreadable();
      const ids = (await listed('/connections', 'connections')).map((one) => one.connection_id);
      expect(ids).not.toContain(connectionId);
      expect(ids).toContain(gateway.connectionId(INTEGRATION));
      expect(unreadable()).toBeGreaterThan(before);
      expect((await gateway.call('/overview')).status).toBe(200);
      const target = `/connections/${connectionId}?provider_config_key=${INTEGRATION}`;
      const refused = await gateway.call(`${target}&revoke=true`, { method: 'DELETE' });
      expect([refused.status, refused.headers.get('x-gateway-error')]).toEqual([409, 'account_not_known']);
      const deleted = await gateway.call(target, { method: 'DELETE' });
      expect([deleted.status, (await deleted.json()).success]).toEqual([200, true]);
      expect(await readConnection(gateway, INTEGRATION, connectionId)).toEqual({});
      expect((await gateway.call(target, { method: 'DELETE' })).status).toBe(404);
      const { events } = await (await gateway.call(target.replace('?', '/events?'))).json();
      expect(events[0]).toMatchObject({ type: 'ConnectionDeleted', cause: 'record_unreadable' });
    },
  );

  test('CR-10: a row that cannot be read of a connection still has its grant ended by force', async () => {
    const connectionId = await connectAccount(gateway, INTEGRATION, { account: 'second.user@example.com' });
    await changeConnection(gateway, INTEGRATION, connectionId, { metadata: 'text' });
    await forgetRequests(gateway);
    const target = `/connections/${connectionId}?provider_config_key=${INTEGRATION}&revoke=force`;
    const deleted = await (await gateway.call(target, { method: 'DELETE' })).json();
    expect(deleted.revocation).toMatchObject({ status: 'revoked', shares_grant_with: null });
    expect((await requests(gateway, 'token')).map(({ target }) => target)).toEqual(['/revoke']);
  });

  test('CR-10: a row that cannot be read of an integration or a key hides no other, and can be deleted with all that belongs to it', async () => {
    const quickstart = { provider: 'google-drive', unique_key: 'damaged' };
    expect((await gateway.json('POST', '/integrations/quickstart', quickstart)).status).toBe(200);
    const connectionId = await connectAccount(gateway, 'damaged');
    const alsoDamaged = await connectAccount(gateway, 'damaged');
    await changeConnection(gateway, 'damaged', alsoDamaged, { endUser: 'somebody' });
    await changeItem(gateway, { pk: 'ACCOUNT#default', sk: 'INTEGRATION#damaged' }, { scopes: 'all' });
    const made = await gateway.json('POST', '/account/keys', { name: 'damaged', right: 'read' });
    const keyId = textAt(made.body, 'data', 'id');
    await changeItem(gateway, { pk: `KEY#${keyId}`, sk: 'KEY' }, { keyRight: 'everything' });

    const before = unreadable();
    expect((await listed('/integrations', 'data')).map((one) => one.unique_key)).toContain(INTEGRATION);
    expect((await listed('/account/keys', 'data')).map((one) => one.name)).toContain('First key');
    expect(unreadable()).toBe(before + 2);

    expect((await gateway.json('DELETE', `/account/keys/${keyId}`)).status).toBe(200);
    const deleted = await gateway.json('DELETE', '/integrations/damaged');
    expect(deleted).toMatchObject({ status: 200, body: { success: true, deleted_connections: 2 } });
    for (const id of [connectionId, alsoDamaged]) expect(await readConnection(gateway, 'damaged', id)).toEqual({});
    expect((await gateway.json('POST', '/integrations/quickstart', quickstart)).status).toBe(200);
  });

  test('CR-10: a row that cannot be read of a timeline is left out of it', async () => {
    const connectionId = await connectAccount(gateway, INTEGRATION);
    const target = `/connections/${connectionId}/events?provider_config_key=${INTEGRATION}`;
    const [created] = await listed(target, 'events');
    const pk = eventPk({ accountId: 'default', integrationId: INTEGRATION, connectionId });
    await changeItem(gateway, { pk, sk: 'EVENT#00000000000000000000000000' }, { type: 'event', eventType: 7 });
    expect(await listed(target, 'events')).toEqual([created]);
  });
});

describe('the client secret of an integration', () => {
  const send = (method: string, path: string, body?: unknown) => gateway.json(method, path, body);
  const client = (client_secret: string) => ({
    credentials: { type: 'OAUTH2', client_id: '123-again.apps.googleusercontent.com', client_secret },
  });
  const create = (unique_key: string, secret: string) =>
    send('POST', '/integrations', { provider: 'google-drive', unique_key, ...client(secret) });

  test('the client secret of an integration may be made again at once, though Secrets Manager still deletes the one before', async () => {
    gateway.gateway.switches.secrets.deletionMs = 3_600_000;
    for (const secret of ['first', 'second', 'third']) {
      expect((await create('again', secret)).status).toBeLessThan(300);
      expect((await send('PATCH', '/integrations/again', client(`${secret}-rotated`))).status).toBe(200);
      expect((await send('DELETE', '/integrations/again')).status).toBeLessThan(300);
    }
    // Under another id and back again, with the secret that it has and with another one.
    expect((await create('again', 'fourth')).status).toBeLessThan(300);
    expect((await send('PATCH', '/integrations/again', { unique_key: 'other' })).status).toBe(200);
    expect((await send('PATCH', '/integrations/other', { unique_key: 'again', ...client('fifth') })).status).toBe(200);
    expect((await send('PATCH', '/integrations/again', { credentials_source: 'test' })).status).toBe(200);
    expect((await send('PATCH', '/integrations/again', client('sixth'))).status).toBe(200);
    expect((await send('DELETE', '/integrations/again')).status).toBeLessThan(300);
    expect(gateway.gateway.takeDenials()).toEqual([]);
  });

  test('CR-10: goes with its integration, also where the row of that cannot be read', async () => {
    expect((await create('unreadable', 'seventh')).status).toBeLessThan(300);
    const { awsEndpoint: endpoint, credentials } = gateway.gateway;
    const secrets = new SecretsManagerClient({ endpoint, credentials: credentials.operator, region: 'us-east-1' });
    const kept = async () => {
      const { SecretList = [] } = await secrets.send(new ListSecretsCommand({}));
      return SecretList.filter(({ Name }) => Name?.includes('/unreadable/')).length;
    };
    expect(await kept()).toBe(1);
    await changeItem(gateway, { pk: 'ACCOUNT#default', sk: 'INTEGRATION#unreadable' }, { scopes: 'all' });
    expect((await send('DELETE', '/integrations/unreadable')).status).toBe(200);
    expect(await kept()).toBe(0);
    secrets.destroy();
  });
});
