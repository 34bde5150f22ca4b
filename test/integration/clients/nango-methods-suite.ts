import { Nango } from '@nangohq/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { finishFlow, startFlow } from '../../support/connect.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { keyWith, refreshTokenOf } from '../api/keys.ts';
import { failureOf } from './nango-failures.ts';

const ISO = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
const OWN_CLIENT = { type: 'OAUTH2', client_id: '1-own.apps.googleusercontent.com', client_secret: 's' } as const;

/** Every management method of the compatible package, over a gateway of the file that calls this. */
export function describeMethods(title: string, shared: () => TestGateway): void {
  describe(title, () => {
    let gateway: TestGateway;
    let nango: Nango;
    let connectionId: string;
    beforeAll(() => {
      gateway = shared();
      nango = new Nango({ host: `${gateway.gateway.gatewayUrl}/`, secretKey: gateway.gateway.secretKey });
      connectionId = gateway.connectionId('google-drive');
    });

    describe('integrations', () => {
      const integration = {
        unique_key: 'google-drive',
        provider: 'google-drive',
        display_name: 'Google Drive',
        logo: expect.stringMatching(/^https:/),
        forward_webhooks: false,
        created_at: ISO,
        updated_at: ISO,
      };

      test('listIntegrations hands them on as configs', async () => {
        const { configs } = await nango.listIntegrations();
        expect(configs).toEqual(expect.arrayContaining([expect.objectContaining(integration)]));
      });

      test('getIntegration shows parts that are asked for, never the client secret', async () => {
        const plain = await nango.getIntegration({ uniqueKey: 'google-drive' });
        expect(plain.data).toMatchObject(integration);
        expect(plain.data).not.toHaveProperty('credentials');
        const withClient = await nango.getIntegration({ uniqueKey: 'google-drive' }, { include: ['credentials'] });
        expect(withClient.data.credentials).toMatchObject({ type: 'OAUTH2', client_secret: '', webhook_secret: null });
        const withHook = await nango.getIntegration({ uniqueKey: 'google-drive' }, { include: ['webhook'] });
        expect(withHook.data).toHaveProperty('webhook_url', null);
      });

      test('createIntegration, updateIntegration and deleteIntegration do what they say', async () => {
        const made = await nango.createIntegration({
          provider: 'google-calendar',
          unique_key: 'team calendar',
          display_name: 'Team calendar',
          forward_webhooks: true,
          credentials: { ...OWN_CLIENT, scopes: 'calendar.events,calendar.readonly' },
        });
        expect(made.data).toMatchObject({ unique_key: 'team calendar', provider: 'google-calendar' });
        const renamed = await nango.updateIntegration(
          { uniqueKey: 'team calendar' },
          { unique_key: 'teams', display_name: 'Teams', credentials: OWN_CLIENT },
        );
        expect(renamed.data).toMatchObject({ unique_key: 'teams', display_name: 'Teams' });
        const deleted = await nango.deleteIntegration('teams');
        expect({ status: deleted.status, data: deleted.data }).toMatchObject({ status: 200, data: { success: true } });
        await expect(nango.getIntegration({ uniqueKey: 'teams' })).rejects.toMatchObject({ response: { status: 404 } });
      });

      test('createQuickstartIntegration runs on the test credentials', async () => {
        const made = await nango.createQuickstartIntegration({ provider: 'google-drive', unique_key: 'trial' });
        expect(made.data).toMatchObject({ unique_key: 'trial', provider: 'google-drive' });
        await nango.deleteIntegration('trial');
      });

      test('renaming an integration that has connections is refused', async () => {
        const renaming = nango.updateIntegration({ uniqueKey: 'google-drive' }, { unique_key: 'other' });
        await expect(renaming).rejects.toMatchObject({ response: { status: 400 } });
      });
    });

    test('listProviders and getProvider show the catalogue', async () => {
      const shape = {
        name: 'google-drive',
        display_name: 'Google Drive',
        auth_mode: 'OAUTH2',
        logo_url: expect.stringMatching(/^https:/),
        docs: expect.stringMatching(/^https:/),
        categories: expect.any(Array),
      };
      expect((await nango.listProviders({})).data.map(({ name }) => name)).toEqual(['google-drive', 'google-calendar']);
      expect((await nango.listProviders({ search: 'drive' })).data).toMatchObject([shape]);
      expect((await nango.getProvider({ provider: 'google-drive' })).data).toMatchObject(shape);
    });

    describe('connections', () => {
      test('listConnections takes both of its forms', async () => {
        const item = {
          id: expect.any(Number),
          connection_id: connectionId,
          provider_config_key: 'google-drive',
          provider: 'google-drive',
          errors: [],
          tags: expect.any(Object),
          created: ISO,
        };
        const all = await nango.listConnections();
        expect(all.connections).toEqual(expect.arrayContaining([expect.objectContaining(item)]));
        expect(all.connections.every(({ id }) => Number.isSafeInteger(id))).toBe(true);
        expect((await nango.listConnections(connectionId)).connections).toMatchObject([item]);
        const first = await nango.listConnections(undefined, undefined, { limit: 1, page: 0 });
        const second = await nango.listConnections(undefined, undefined, { limit: 1, page: 1 });
        expect(first.connections).toHaveLength(1);
        expect(second.connections[0]?.connection_id).not.toBe(first.connections[0]?.connection_id);
        const named = await nango.listConnections({ integrationId: ['google-drive', 'google-calendar'], limit: 10 });
        expect(new Set(named.connections.map((one) => one.provider_config_key))).toContain('google-drive');
        // Nango answers an empty list: a misspelled integration looks like one without connections there.
        expect(await failureOf(nango.listConnections({ integrationId: ['google-driv'] }))).toMatchObject({
          status: 400,
          message: expect.stringContaining('google-drive'),
        });
      });

      test('patchConnection describes, and lists find by tags and end user', async () => {
        const changed = await nango.patchConnection(
          { connectionId, provider_config_key: 'google-drive' },
          {
            end_user: { id: 'user-7', email: 'second.user@example.com', display_name: 'Second User' },
            tags: { Team: 'blue' },
          },
        );
        expect(changed).toEqual({ success: true });
        for (const tags of [{ Team: 'blue' }, { email: 'second.user@example.com' }, { displayName: 'Second User' }]) {
          const found = await nango.listConnections({ tags });
          expect(found.connections.map((one) => one.connection_id)).toEqual([connectionId]);
        }
        const found = await nango.listConnections(undefined, undefined, { endUserId: 'user-7' });
        expect(found.connections[0]?.end_user).toEqual({
          id: 'user-7',
          email: 'second.user@example.com',
          display_name: 'Second User',
          tags: null,
          organization: null,
        });
        expect(await nango.waitForConnection('google-drive', 'user-7')).toMatchObject({ connection_id: connectionId });
      });

      test('getConnection keeps tokens inside by default, and getToken then finds none', async () => {
        const connection = await nango.getConnection('google-drive', connectionId);
        expect(connection).toMatchObject({
          connection_id: connectionId,
          provider_config_key: 'google-drive',
          connection_config: {},
          created_at: ISO,
          updated_at: ISO,
          credentials: {},
        });
        expect(await nango.getToken('google-drive', connectionId)).toEqual({});
        expect(await nango.getConnection('google-drive', connectionId, true)).toMatchObject({ credentials: {} });
      });

      test('a key that may read credentials gets them, the refresh token only when asked', async () => {
        const secretKey = await keyWith(gateway, { can_read_credentials: true });
        const reader = new Nango({ host: gateway.gateway.gatewayUrl, secretKey });
        const { credentials } = await reader.getConnection('google-drive', connectionId);
        expect(credentials).toEqual({
          type: 'OAUTH2',
          access_token: expect.stringMatching(/^ya29\./),
          expires_at: ISO,
        });
        expect(await reader.getToken('google-drive', connectionId)).toMatch(/^ya29\./);
        expect(await reader.getRawTokenResponse('google-drive', connectionId)).toBeUndefined();
        const whole = await reader.getConnection('google-drive', connectionId, false, true);
        expect(whole.credentials).toMatchObject({
          refresh_token: expect.stringMatching(/^1\/\/0/),
          raw: { token_type: 'Bearer', scope: expect.stringContaining('drive') },
        });
      });

      test('setMetadata replaces, updateMetadata merges, getMetadata reads', async () => {
        const replaced = await nango.setMetadata('google-drive', connectionId, { folder: 'a', keep: 'no' });
        expect(replaced.status).toBe(201);
        expect(replaced.data).toMatchObject({ connection_id: connectionId, metadata: { folder: 'a', keep: 'no' } });
        await nango.setMetadata('google-drive', [connectionId], { folder: 'a', nested: { x: 1 } });
        const merged = await nango.updateMetadata('google-drive', connectionId, { nested: { y: 2 }, more: 'b' });
        expect(merged.status).toBe(200);
        const now = { folder: 'a', nested: { y: 2 }, more: 'b' };
        expect(await nango.getMetadata('google-drive', connectionId)).toEqual(now);
        const one = nango.updateMetadata('google-drive', [connectionId, 'nobody'], { more: 'c' });
        await expect(one).rejects.toMatchObject({ response: { status: 404 } });
        expect(await nango.getMetadata('google-drive', connectionId)).toEqual(now);
      });

      test('an imported grant is a connection that the package uses and deletes', async () => {
        const refresh_token = await refreshTokenOf(gateway, 'google-drive');
        const made = await gateway.json('POST', '/connections', {
          provider_config_key: 'google-drive',
          connection_id: 'imported: one',
          credentials: { type: 'OAUTH2', access_token: 'ya29.old', refresh_token },
        });
        expect(made.status).toBe(201);
        const target = { providerConfigKey: 'google-drive', connectionId: 'imported: one' };
        expect((await nango.get({ ...target, endpoint: '/drive/v3/files', params: { pageSize: 1 } })).status).toBe(200);
        const deleted = await nango.deleteConnection('google-drive', 'imported: one');
        expect({ status: deleted.status, data: deleted.data }).toMatchObject({ status: 200, data: { success: true } });
        const after = nango.getConnection('google-drive', 'imported: one');
        await expect(after).rejects.toMatchObject({ response: { status: 404 } });
      });
    });

    describe('connect sessions', () => {
      test('createConnectSession leads to a connection of the end user', async () => {
        const { data } = await nango.createConnectSession({
          end_user: { id: 'user-8', email: 'editor@workspace.example', display_name: 'Editor', tags: { plan: 'team' } },
          organization: { id: 'org-1', display_name: 'Workspace' },
          allowed_integrations: ['google-calendar'],
          integrations_config_defaults: { 'google-calendar': { authorization_params: { prompt: 'select_account' } } },
          tags: { source: 'wizard' },
        });
        expect(data).toEqual({
          token: expect.stringMatching(/^cs_[\w-]{43}$/),
          connect_link: expect.any(String),
          expires_at: ISO,
        });
        expect(data.connect_link).toBe(`${gateway.gateway.gatewayUrl}/connect#session_token=${data.token}`);
        const page = await finishFlow(await startFlow(gateway, data.token, 'google-calendar'));
        expect(page.status).toBe(200);
        const connection = await nango.waitForConnection('google-calendar', 'user-8');
        expect(connection).toMatchObject({
          provider_config_key: 'google-calendar',
          end_user: { id: 'user-8', organization: { id: 'org-1', display_name: 'Workspace' } },
          tags: { source: 'wizard', end_user_id: 'user-8', organization_id: 'org-1' },
        });
      });

      test('createReconnectSession renews the same connection', async () => {
        const { data } = await nango.createReconnectSession({
          connection_id: connectionId,
          integration_id: 'google-drive',
        });
        const page = await finishFlow(await startFlow(gateway, data.token));
        expect(page.status).toBe(200);
        expect((await nango.listConnections(connectionId)).connections).toHaveLength(1);
        const target = { providerConfigKey: 'google-drive', connectionId };
        expect((await nango.get({ ...target, endpoint: '/drive/v3/about?fields=user' })).status).toBe(200);
      });

      test('a session reads itself, the integrations it allows and its providers, and ends', async () => {
        const { data } = await nango.createConnectSession({
          end_user: { id: 'u' },
          allowed_integrations: ['google-drive'],
        });
        const session = new Nango({ host: gateway.gateway.gatewayUrl, secretKey: data.token });
        expect((await session.listIntegrations()).configs.map(({ unique_key }) => unique_key)).toEqual([
          'google-drive',
        ]);
        expect((await session.getProvider({ provider: 'google-drive' })).data.name).toBe('google-drive');
        const headers = { authorization: `Bearer ${data.token}` };
        const url = `${gateway.gateway.gatewayUrl}/connect/session`;
        expect((await (await fetch(url, { headers })).json()).data).toMatchObject({
          endUser: { id: 'u' },
          connectUISettings: {},
          allowed_integrations: ['google-drive'],
          isReconnecting: false,
          status: 'pending',
          connection_id: null,
        });
        expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
        expect((await fetch(url, { headers })).status).toBe(401);
      });
    });
  });
}
