import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayClient } from '../../../client/src/index.ts';
import { managementCall } from './management-answers.ts';
import { OVERVIEW, OVERVIEW_ON_THE_WIRE } from './overview-answer.ts';
import { gatewayError, json, type Stub, startStub } from './stub.ts';

let stub: Stub;
let client: GatewayClient;
beforeAll(async () => {
  stub = await startStub();
  client = stub.client();
});
afterAll(() => stub.close());
beforeEach(() => {
  stub.arrived.length = 0;
});

const KEY_ON_THE_WIRE = {
  id: 'ab12',
  name: 'Reports',
  right: 'read',
  integration_ids: ['drive'],
  can_read_credentials: true,
  created_at: '2026-10-01T00:00:00.000Z',
  created_by: 'operator:1',
  hint: 'nl3x',
  last_used_at: null,
  revoked_at: null,
  is_this_key: false,
};
const KEY = {
  id: 'ab12',
  name: 'Reports',
  right: 'read',
  integrationIds: ['drive'],
  canReadCredentials: true,
  createdAt: '2026-10-01T00:00:00.000Z',
  createdBy: 'operator:1',
  hint: 'nl3x',
  lastUsedAt: undefined,
  revokedAt: undefined,
  isThisKey: false,
};
const TEST_CREDENTIALS = { provider: 'google-drive', configured: true, client_id: 'client-1' };

describe('secret keys', () => {
  it('are listed without their text', async () => {
    const unlimited = { ...KEY_ON_THE_WIRE, integration_ids: null, is_this_key: true };
    stub.answer(json(200, { data: [KEY_ON_THE_WIRE, unlimited] }));
    expect(await client.keys.list()).toEqual([KEY, { ...KEY, integrationIds: undefined, isThisKey: true }]);
    expect(managementCall(stub)).toEqual(['GET', '/account/keys', undefined]);
  });

  it('are made, with what is left out left to the gateway', async () => {
    stub.answer(json(201, { data: { ...KEY_ON_THE_WIRE, secret_key: 'sk_default_x' } }));
    expect(await client.keys.create({ name: 'Reports', right: 'read' })).toEqual({ ...KEY, secretKey: 'sk_default_x' });
    expect(managementCall(stub)).toEqual(['POST', '/account/keys', { name: 'Reports', right: 'read' }]);
  });

  it('are made for some integrations, with the right to read credentials', async () => {
    stub.answer(json(201, { data: { ...KEY_ON_THE_WIRE, secret_key: 'sk_default_x' } }));
    await client.keys.create({ name: 'R', right: 'full', integrationIds: ['drive'], canReadCredentials: true });
    expect(managementCall(stub)[2]).toEqual({
      name: 'R',
      right: 'full',
      integration_ids: ['drive'],
      can_read_credentials: true,
    });
  });

  it('that come without their text are an answer that cannot be read', async () => {
    stub.answer(json(201, { data: KEY_ON_THE_WIRE }));
    await expect(client.keys.create({ name: 'Reports', right: 'read' })).rejects.toThrow('secret_key');
  });

  it('are revoked by an id that is encoded', async () => {
    stub.answer(json(200, { success: true }));
    await client.keys.revoke('a/b');
    expect(managementCall(stub)).toEqual(['DELETE', '/account/keys/a%2Fb', undefined]);
  });
});

describe('test credentials', () => {
  it('are looked at without their secret', async () => {
    stub.answer(json(200, { data: TEST_CREDENTIALS }));
    expect(await client.testCredentials.get('google-drive')).toEqual({
      provider: 'google-drive',
      clientId: 'client-1',
    });
    expect(managementCall(stub)).toEqual(['GET', '/test-credentials/google-drive', undefined]);
  });

  it('that are not there have no client', async () => {
    stub.answer(json(200, { data: { provider: 'google-drive', configured: false, client_id: null } }));
    expect((await client.testCredentials.get('google-drive')).clientId).toBeUndefined();
  });

  it('are set', async () => {
    stub.answer(json(200, { data: TEST_CREDENTIALS }));
    const set = await client.testCredentials.put('google-drive', { clientId: 'client-1', clientSecret: 's' });
    expect(set).toEqual({ provider: 'google-drive', clientId: 'client-1' });
    expect(managementCall(stub)).toEqual([
      'PUT',
      '/test-credentials/google-drive',
      { client_id: 'client-1', client_secret: 's' },
    ]);
  });

  it('are removed', async () => {
    stub.answer(json(200, { success: true }));
    await client.testCredentials.delete('google-drive');
    expect(managementCall(stub)).toEqual(['DELETE', '/test-credentials/google-drive', undefined]);
  });

  it('that the caller may not touch are a GatewayError', async () => {
    stub.answer(gatewayError(403, 'forbidden'));
    await expect(client.testCredentials.get('google-drive')).rejects.toMatchObject({ code: 'forbidden', status: 403 });
  });
});

describe('the overview', () => {
  it('is read with what it covers', async () => {
    stub.answer(json(200, { data: OVERVIEW_ON_THE_WIRE }));
    expect(await client.overview()).toEqual(OVERVIEW);
    expect(managementCall(stub)).toEqual(['GET', '/overview', undefined]);
  });

  it('that does not say what it covers is an answer that cannot be read', async () => {
    stub.answer(json(200, { data: { ...OVERVIEW_ON_THE_WIRE, statuses: undefined } }));
    await expect(client.overview()).rejects.toThrow('statuses');
  });
});
