import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../lambdas/gateway/core/digest.ts';
import { managementGateway, member, secretKey, textAt } from './support/gateway.ts';

const USER = { id: 'u-1', email: 'first.user@example.com', display_name: 'First', tags: { Plan: 'pro' } };

describe('creating a connect session', () => {
  it('gives a token that is stored only as its digest, in a link that carries it in the fragment', async () => {
    const gateway = managementGateway();
    gateway.addIntegration();
    const reply = await gateway.call('POST', '/connect/sessions', {
      body: { end_user: USER, organization: { id: 'o-1' }, allowed_integrations: ['drive'], tags: { Team: 'blue' } },
    });
    expect(reply.status).toBe(201);
    const token = textAt(reply.body, 'data', 'token');
    expect(token).toMatch(/^cs_[A-Za-z0-9_-]{43}$/);
    expect(member(reply.body, 'data')).toEqual({
      token,
      connect_link: `https://gateway.example/prod/connect#session_token=${token}`,
      expires_at: '2026-03-01T12:30:00.000Z',
    });
    expect(JSON.stringify([...gateway.sessions])).not.toContain(token);
    expect(gateway.sessions.get(sha256Hex(token))).toMatchObject({
      accountId: 'default',
      allowedIntegrations: ['drive'],
      status: 'pending',
      endUser: {
        id: 'u-1',
        displayName: 'First',
        tags: { plan: 'pro' },
        organization: { id: 'o-1', displayName: null },
      },
      tags: {
        team: 'blue',
        end_user_id: 'u-1',
        end_user_email: 'first.user@example.com',
        end_user_display_name: 'First',
        organization_id: 'o-1',
      },
    });
  });

  it('never gives the same token twice', async () => {
    const gateway = managementGateway();
    const tokens = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const reply = await gateway.call('POST', '/connect/sessions', { body: { end_user: { id: 'u' } } });
      tokens.add(textAt(reply.body, 'data', 'token'));
    }
    expect(tokens.size).toBe(20);
  });

  it('keeps what the backend fixes for an integration, with scopes in full', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({
      scopes: ['drive.readonly', 'drive.file', 'drive'].map((name) => `https://www.googleapis.com/auth/${name}`),
    });
    const reply = await gateway.call('POST', '/connect/sessions', {
      body: {
        end_user: { id: 'u' },
        integrations_config_defaults: {
          drive: {
            user_scopes: 'ignored',
            authorization_params: { login_hint: 'first.user@example.com', prompt: 'consent' },
            connection_config: { oauth_scopes_override: 'drive.file,drive.readonly' },
          },
        },
        overrides: { drive: { docs_connect: 'https://docs.example' } },
        webhook_url_override: null,
        return_url: 'https://app.example/done',
      },
    });
    expect(reply.status).toBe(201);
    expect([...gateway.sessions.values()]).toMatchObject([
      {
        returnUrl: 'https://app.example/done',
        defaults: {
          drive: {
            scopes: ['https://www.googleapis.com/auth/drive.file', 'https://www.googleapis.com/auth/drive.readonly'],
            authorizationParams: { login_hint: 'first.user@example.com', prompt: 'consent' },
          },
        },
      },
    ]);
  });

  it('names every unknown integration, scope and return URL at once', async () => {
    const gateway = managementGateway();
    gateway.addIntegration();
    const reply = await gateway.call('POST', '/connect/sessions', {
      body: {
        end_user: { id: 'u' },
        allowed_integrations: ['drive', 'nope'],
        integrations_config_defaults: { drive: { connection_config: { oauth_scopes_override: 'drive.reed' } } },
        return_url: 'https://app.example/done/',
      },
    });
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'invalid_body' } } });
    const errors = member(reply.body, 'error', 'errors');
    expect(Array.isArray(errors) && errors.map((error) => member(error, 'path')).sort()).toEqual([
      'allowed_integrations[1]',
      'integrations_config_defaults.drive',
      'return_url',
    ]);
    expect(gateway.sessions.size).toBe(0);
  });

  it('CS-17: leaves scopes of the integration out, and adds none', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ scopes: ['https://www.googleapis.com/auth/drive.readonly'] });
    const withScopes = (oauth_scopes_override: string) =>
      gateway.call('POST', '/connect/sessions', {
        body: {
          end_user: { id: 'u' },
          integrations_config_defaults: { drive: { connection_config: { oauth_scopes_override } } },
        },
      });
    expect((await withScopes('openid,drive.readonly')).status).toBe(201);
    const refused = await withScopes('drive.readonly,drive.file');
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: {
          errors: [
            {
              path: 'integrations_config_defaults.drive',
              message: expect.stringContaining('does not ask for https://www.googleapis.com/auth/drive.file'),
            },
          ],
        },
      },
    });
  });

  it('narrows the Workspace domain of the integration, and names no other', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({ hostedDomain: 'workspace.example' });
    gateway.addIntegration({ integrationId: 'any', hostedDomain: '*' });
    const make = (id: string, hd: string) =>
      gateway.call('POST', '/connect/sessions', {
        body: { end_user: { id: 'u' }, integrations_config_defaults: { [id]: { authorization_params: { hd } } } },
      });
    expect((await make('drive', 'Workspace.Example')).status).toBe(201);
    expect((await make('any', 'other.example')).status).toBe(201);
    for (const hd of ['other.example', '*']) {
      expect(await make('drive', hd)).toMatchObject({
        status: 400,
        body: { error: { errors: [{ path: 'integrations_config_defaults.drive' }] } },
      });
    }
  });

  it('CS-19: fixes something for allowed integrations only, and looks no others up', async () => {
    const gateway = managementGateway();
    gateway.addIntegration();
    gateway.addIntegration({ integrationId: 'other' });
    const defaults = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, { authorization_params: {} }]));
    const body = {
      end_user: { id: 'u' },
      allowed_integrations: ['drive'],
      integrations_config_defaults: defaults('drive', 'other', 'missing'),
    };
    const reply = await gateway.call('POST', '/connect/sessions', { body });
    expect(member(reply.body, 'error', 'errors')).toEqual(
      ['other', 'missing'].map((id) => ({
        path: `integrations_config_defaults.${id}`,
        message: 'is not among the integrations that this session allows',
      })),
    );
  });

  it('CS-19: looks up nothing of a list that is too long, where other members are wrong too', async () => {
    const gateway = managementGateway();
    const ids = Array.from({ length: 101 }, (_, i) => `missing-${i}`);
    for (const members of [
      { allowed_integrations: [...ids, 'a,b'] },
      { integrations_config_defaults: Object.fromEntries(['a,b', ...ids].map((id) => [id, {}])) },
    ]) {
      const reply = await gateway.call('POST', '/connect/sessions', { body: { end_user: {}, ...members } });
      expect(reply.status).toBe(400);
      expect(JSON.stringify(reply.body)).not.toContain('there is no integration');
    }
  });

  it.each(['integrations_config_defaults', 'overrides'])(
    'CS-19: takes %s for 100 integrations at most',
    async (name) => {
      const gateway = managementGateway();
      const ids = Array.from({ length: 101 }, (_, i) => `drive-${i}`);
      for (const integrationId of ids) gateway.addIntegration({ integrationId });
      const make = (count: number) =>
        gateway.call('POST', '/connect/sessions', {
          body: { end_user: { id: 'u' }, [name]: Object.fromEntries(ids.slice(0, count).map((id) => [id, {}])) },
        });
      expect((await make(100)).status).toBe(201);
      expect(await make(101)).toMatchObject({
        status: 400,
        body: { error: { errors: [{ path: name, message: 'names at most 100 integrations' }] } },
      });
    },
  );

  it.each([
    ['neither end user nor tags', {}, 'end_user'],
    ['eleven tags', { tags: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`t${i}`, 'x'])) }, 'tags'],
    ['a tag key that begins with a digit', { tags: { '1a': 'x' } }, 'tags.1a'],
    ['an empty tag', { tags: { a: '' } }, 'tags.a'],
    [
      'an authorization parameter that is ours',
      { tags: {}, integrations_config_defaults: { drive: { authorization_params: { redirect_uri: 'x' } } } },
      'integrations_config_defaults.drive.authorization_params.redirect_uri',
    ],
    ['an end user without an id', { end_user: { email: 'first.user@example.com' } }, 'end_user.id'],
    ['permission to change the account', { tags: {}, allow_account_change: true }, 'allow_account_change'],
  ])('refuses %s', async (_, body, path) => {
    const gateway = managementGateway();
    gateway.addIntegration({ integrationId: 'drive' });
    const reply = await gateway.call('POST', '/connect/sessions', { body });
    expect(reply).toMatchObject({ status: 400, body: { error: { errors: [{ path }] } } });
  });

  it('confines a limited key to its integrations', async () => {
    const gateway = managementGateway();
    gateway.addIntegration();
    gateway.addIntegration({ integrationId: 'other' });
    const key = gateway.addKey(secretKey('limited'), { integrationIds: ['drive'] });
    const other = { end_user: { id: 'u' }, allowed_integrations: ['other'] };
    expect((await gateway.call('POST', '/connect/sessions', { key, body: other })).status).toBe(403);
    await gateway.call('POST', '/connect/sessions', { key, body: { end_user: { id: 'u' } } });
    expect([...gateway.sessions.values()]).toMatchObject([{ allowedIntegrations: ['drive'] }]);
  });
});

describe('creating a reconnect session', () => {
  const body = { connection_id: 'first', integration_id: 'drive', allow_account_change: true };

  it('is for one connection', async () => {
    const gateway = managementGateway();
    gateway.addIntegration();
    await gateway.addConnection();
    const reply = await gateway.call('POST', '/connect/sessions/reconnect', { body });
    expect(reply.status).toBe(201);
    expect([...gateway.sessions.values()]).toMatchObject([
      {
        reconnect: { integrationId: 'drive', connectionId: 'first' },
        allowedIntegrations: ['drive'],
        allowAccountChange: true,
      },
    ]);
  });

  it('refuses a connection that does not exist, as bad input', async () => {
    const gateway = managementGateway();
    gateway.addIntegration();
    await gateway.addConnection({ status: 'deleted' });
    await gateway.addConnection({ accountId: 'other', connectionId: 'second' });
    for (const connection_id of ['first', 'second', 'third']) {
      const reply = await gateway.call('POST', '/connect/sessions/reconnect', { body: { ...body, connection_id } });
      expect(reply).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_body', errors: [{ path: 'connection_id' }] } },
      });
    }
  });
});
