import { describe, expect, it } from 'vitest';
import { managementGateway, secretKey } from './support/gateway.ts';

const PATH = '/test-credentials/google-drive';
const body = { client_id: '123-new.apps.googleusercontent.com', client_secret: 'GOCSPX-new' };

describe('test credentials', () => {
  it('test credentials are shown by their client id, never with the secret', async () => {
    const gateway = managementGateway();
    const shown = async () => (await gateway.call('GET', PATH)).body;
    expect(await shown()).toEqual({ data: { provider: 'google-drive', configured: true, client_id: '900-test' } });
    gateway.testClient.current = undefined;
    expect(await shown()).toEqual({ data: { provider: 'google-drive', configured: false, client_id: null } });
  });

  it('test credentials are set and removed, each with an event that names the provider and holds no secret', async () => {
    const gateway = managementGateway();
    const set = await gateway.call('PUT', PATH, { body });
    expect(set).toMatchObject({ status: 200, body: { data: { configured: true, client_id: body.client_id } } });
    expect(JSON.stringify(set.body)).not.toContain('GOCSPX-new');
    const stored = { clientId: body.client_id, clientSecret: 'GOCSPX-new' };
    expect(gateway.testClient.current).toMatchObject(stored);
    expect(await gateway.call('DELETE', PATH)).toMatchObject({ status: 200, body: { success: true } });
    expect(gateway.testClient.current).toBeUndefined();
    const event = { cause: 'google-drive', subject: { accountId: 'default' } };
    const types = ['TestCredentialsChanged', 'TestCredentialsRemoved'];
    expect(gateway.events.all).toMatchObject(types.map((eventType) => ({ ...event, eventType })));
    expect(JSON.stringify(gateway.events.all)).not.toContain('GOCSPX-new');
  });

  it('test credentials can be sent again when the secret could not be stored', async () => {
    const gateway = managementGateway();
    gateway.failures.secretWrite = true;
    expect(await gateway.call('PUT', PATH, { body })).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    gateway.failures.secretWrite = false;
    expect((await gateway.call('PUT', PATH, { body })).status).toBe(200);
  });

  it.each([
    ['an empty secret', { ...body, client_secret: '' }, 'client_secret'],
    ['a secret with a space', { ...body, client_secret: 'a b' }, 'client_secret'],
    ['an unknown member', { ...body, scopes: [] }, 'scopes'],
    ['no client id', { client_secret: 'x' }, 'client_id'],
  ])('test credentials are refused with %s', async (_, wrong, path) => {
    const reply = await managementGateway().call('PUT', PATH, { body: wrong });
    expect(reply).toMatchObject({ status: 400, code: 'invalid_body', paths: [path] });
  });

  it('test credentials exist for known providers only', async () => {
    expect(await managementGateway().call('GET', '/test-credentials/dropbox')).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });

  it('test credentials are out of reach for every account but the operators’', async () => {
    const gateway = managementGateway();
    const key = gateway.addKey(secretKey('full', 'other'));
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const options = method === 'PUT' ? { key, body } : { key };
      expect(await gateway.call(method, PATH, options)).toMatchObject({ status: 403, code: 'forbidden' });
    }
    expect(gateway.testClient.current?.clientId).toBe('900-test');
  });
});
