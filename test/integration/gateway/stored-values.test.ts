import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { forgetRequests, requests } from '../../support/simulator.ts';
import { changeConnection, readConnection } from '../../support/table.ts';

const INTEGRATION = 'google-drive';
const OTHER_INTEGRATION = 'google-calendar';
const FIELDS = ['encryptedAccessToken', 'encryptedRefreshToken'] as const;
type Field = (typeof FIELDS)[number];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

/** What a caller and an operator get of a connection whose stored values are what they are now. */
async function outcome(connectionId: string): Promise<readonly unknown[]> {
  const headers = { 'provider-config-key': INTEGRATION, 'connection-id': connectionId };
  const called = await gateway.call('/proxy/drive/v3/files?pageSize=1', { headers });
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
