import { describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { listAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { delegation } from '../refresh/support/delegation.ts';
import {
  connectedGateway,
  integratedGateway,
  type ManagementGateway,
  managementGateway,
  member,
  secretKey,
  textAt,
} from './support/gateway.ts';

const USER = { id: 'u-1', email: 'first.user@example.com', display_name: 'First', tags: { Plan: 'pro' } };

const create = (gateway: ManagementGateway, body: object, key?: string) =>
  gateway.call('POST', '/connect/sessions', {
    body: { end_user: { id: 'u' }, ...body },
    ...(key === undefined ? {} : { key }),
  });

describe('creating a connect session', () => {
  it('gives a token that is stored only as its digest, in a link that carries it in the fragment', async () => {
    const gateway = integratedGateway();
    const organization = { id: 'o-1' };
    const wanted = { end_user: USER, organization, allowed_integrations: ['drive'], tags: { Team: 'blue' } };
    const reply = await create(gateway, wanted);
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

  it('a new connect session is in the audit trail by whose it is and what it is for, and a connection by its name while it lives', async () => {
    const endUser = { id: 'u-7', email: null, displayName: 'Bob Brown', tags: null, organization: null };
    const gateway = await connectedGateway({ endUser });
    await create(gateway, { end_user: USER, allowed_integrations: ['drive'] });
    // Events of one millisecond are in no order.
    gateway.clock.advanceSec(1);
    await create(gateway, {});
    gateway.clock.advanceSec(1);
    const body = { connection_id: 'first', integration_id: 'drive' };
    await gateway.call('POST', '/connect/sessions/reconnect', { body });
    const trail = async () =>
      listAt((await gateway.call('GET', '/events?type=ConnectSessionCreated')).body, 'data').map((event) => [
        member(event, 'provider_config_key'),
        member(event, 'connection_id'),
        member(event, 'connection_name'),
        member(event, 'end_user_id'),
      ]);
    const others = [
      [null, null, null, 'u'],
      ['drive', null, null, 'u-1'],
    ];
    expect(await trail()).toEqual([['drive', 'first', 'Bob Brown', 'u-7'], ...others]);
    await gateway.call('DELETE', '/connections/first?provider_config_key=drive');
    expect(await trail()).toEqual([['drive', 'first', null, 'u-7'], ...others]);
    // Another connection of the same id is not the one that this was about.
    gateway.clock.advanceSec(1);
    await gateway.addConnection({ createdAt: new Date(gateway.clock.nowMs()).toISOString(), endUser });
    expect(await trail()).toEqual([['drive', 'first', null, 'u-7'], ...others]);
  });

  it('remembers the connections of its end user that need a new authorization, unless it is to create one', async () => {
    const endUser = { id: 'u', email: null, displayName: null, tags: null, organization: null };
    const status = 'reauthorization_required' as const;
    const gateway = await connectedGateway({ endUser, status });
    await gateway.addConnection({ connectionId: 'alive', endUser });
    await gateway.addConnection({ connectionId: 'strange', endUser: { ...endUser, id: 'v' }, status });
    const reusable = async (body: object) => {
      const token = textAt((await create(gateway, body)).body, 'data', 'token');
      return gateway.sessions.get(sha256Hex(token))?.reusable;
    };
    const dead = [{ integrationId: 'drive', connectionId: 'first' }];
    expect(await reusable({})).toEqual(dead);
    expect(await reusable({ allowed_integrations: ['drive'] })).toEqual(dead);
    expect(await reusable({ reuse_connection: false })).toBeUndefined();
    expect(await reusable({ end_user: { id: 'nobody' } })).toBeUndefined();
  });

  it('remembers connections that name their end user only in a tag, newest first, and none of another end user', async () => {
    const byTag = { tags: { end_user_id: 'u' }, endUser: undefined, status: 'reauthorization_required' as const };
    const endUser = (id: string) => ({ id, email: null, displayName: null, tags: null, organization: null });
    const gateway = await connectedGateway({ ...byTag, createdAt: '2026-02-01T00:00:00.000Z' });
    const at = (day: number) => ({ createdAt: `2026-02-0${day}T00:00:00.000Z`, numericId: day });
    await gateway.addConnection({ ...byTag, connectionId: 'both', endUser: endUser('u'), ...at(2) });
    await gateway.addConnection({ ...byTag, connectionId: 'of-v', endUser: endUser('v'), ...at(3) });
    const token = textAt((await create(gateway, { end_user: { id: 'u' } })).body, 'data', 'token');
    expect(gateway.sessions.get(sha256Hex(token))?.reusable).toEqual([
      { integrationId: 'drive', connectionId: 'both' },
      { integrationId: 'drive', connectionId: 'first' },
    ]);
  });

  it('looks for no connections for a session that is refused', async () => {
    const gateway = await connectedGateway();
    const lists = vi.spyOn(gateway.services.lists, 'page');
    expect((await create(gateway, { end_user: { id: 'u' }, return_url: 'https://evil.example' })).status).toBe(400);
    vi.spyOn(gateway.services.rates, 'count').mockResolvedValue(false);
    expect((await create(gateway, { end_user: { id: 'u' } })).status).toBe(429);
    expect(lists).not.toHaveBeenCalled();
  });

  it('never gives the same token twice', async () => {
    const gateway = managementGateway();
    const tokens = new Set<string>();
    for (let i = 0; i < 20; i++) tokens.add(textAt((await create(gateway, {})).body, 'data', 'token'));
    expect(tokens.size).toBe(20);
  });

  it('keeps what the backend fixes for an integration, with scopes in full', async () => {
    const gateway = managementGateway();
    gateway.addIntegration({
      scopes: ['drive.readonly', 'drive.file', 'drive'].map((name) => `https://www.googleapis.com/auth/${name}`),
    });
    const reply = await create(gateway, {
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
    const gateway = integratedGateway();
    const reply = await create(gateway, {
      allowed_integrations: ['drive', 'nope'],
      integrations_config_defaults: { drive: { connection_config: { oauth_scopes_override: 'drive.reed' } } },
      return_url: 'https://app.example/done/',
    });
    expect(reply).toMatchObject({ status: 400, code: 'invalid_body' });
    expect(reply.paths?.toSorted()).toEqual([
      'allowed_integrations[1]',
      'integrations_config_defaults.drive',
      'return_url',
    ]);
    expect(gateway.sessions.size).toBe(0);
  });

  it('CS-17: leaves scopes of the integration out, and adds none', async () => {
    const gateway = integratedGateway({ scopes: ['https://www.googleapis.com/auth/drive.readonly'] });
    const withScopes = (oauth_scopes_override: string) =>
      create(gateway, { integrations_config_defaults: { drive: { connection_config: { oauth_scopes_override } } } });
    expect((await withScopes('openid,drive.readonly')).status).toBe(201);
    const refused = await withScopes('drive.readonly,drive.file');
    expect(refused).toMatchObject({ status: 400, paths: ['integrations_config_defaults.drive'] });
    const missing = 'does not ask for https://www.googleapis.com/auth/drive.file';
    expect(textAt(refused.body, 'error', 'message')).toContain(missing);
  });

  it('narrows the Workspace domain of the integration, and names no other', async () => {
    const gateway = integratedGateway({ hostedDomain: 'workspace.example' });
    gateway.addIntegration({ integrationId: 'any', hostedDomain: '*' });
    const make = (id: string, hd: string) =>
      create(gateway, { integrations_config_defaults: { [id]: { authorization_params: { hd } } } });
    expect((await make('drive', 'Workspace.Example')).status).toBe(201);
    expect((await make('any', 'other.example')).status).toBe(201);
    for (const hd of ['other.example', '*']) {
      expect(await make('drive', hd)).toMatchObject({ status: 400, paths: ['integrations_config_defaults.drive'] });
    }
  });

  it('CS-19: fixes something for allowed integrations only, and looks no others up', async () => {
    const gateway = integratedGateway();
    gateway.addIntegration({ integrationId: 'other' });
    const defaults = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, { authorization_params: {} }]));
    const integrations_config_defaults = defaults('drive', 'other', 'missing');
    const reply = await create(gateway, { allowed_integrations: ['drive'], integrations_config_defaults });
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
      const reply = await create(gateway, { end_user: {}, ...members });
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
        create(gateway, { [name]: Object.fromEntries(ids.slice(0, count).map((id) => [id, {}])) });
      expect((await make(100)).status).toBe(201);
      const refused = await make(101);
      expect(refused).toMatchObject({ status: 400, paths: [name] });
      expect(textAt(refused.body, 'error', 'message')).toContain('names at most 100 integrations');
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
    const gateway = integratedGateway({ integrationId: 'drive' });
    const reply = await gateway.call('POST', '/connect/sessions', { body });
    expect(reply).toMatchObject({ status: 400, paths: [path] });
  });

  it('confines a limited key to its integrations', async () => {
    const gateway = integratedGateway();
    gateway.addIntegration({ integrationId: 'other' });
    const key = gateway.addKey(secretKey('limited'), { integrationIds: ['drive'] });
    expect((await create(gateway, { allowed_integrations: ['other'] }, key)).status).toBe(403);
    await create(gateway, {}, key);
    expect([...gateway.sessions.values()]).toMatchObject([{ allowedIntegrations: ['drive'] }]);
  });
});

describe('creating a reconnect session', () => {
  const body = { connection_id: 'first', integration_id: 'drive', allow_account_change: true };

  it('a reconnect session is for one connection', async () => {
    const gateway = await connectedGateway();
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
    const gateway = await connectedGateway({ status: 'deleted' });
    await gateway.addConnection({ accountId: 'other', connectionId: 'second' });
    for (const connection_id of ['first', 'second', 'third']) {
      const reply = await gateway.call('POST', '/connect/sessions/reconnect', { body: { ...body, connection_id } });
      expect(reply).toMatchObject({ status: 400, code: 'invalid_body', paths: ['connection_id'] });
    }
  });
});

describe('reconnect links', () => {
  const connections = [{ provider_config_key: 'drive', connection_id: 'first' }];

  it('reconnect links call the integration in a message as end users know it, not as operators do', async () => {
    const gateway = await connectedGateway();
    const ask = async () => {
      const body = { connections, message: '{integration}: {link}' };
      const made = await gateway.call('POST', '/connect/reconnect-links', { body });
      return textAt(made.body, 'data', 'links', 0, 'message').split(': ')[0];
    };
    await gateway.call('PATCH', '/integrations/drive', { body: { display_name: 'drive-prod-eu' } });
    expect(await ask()).toBe('drive-prod-eu');
    await gateway.call('PATCH', '/integrations/drive', { body: { public_name: 'Reports in Drive' } });
    expect(await ask()).toBe('Reports in Drive');
  });

  it.each([
    [
      'as their end user read the consent',
      'de',
      undefined,
      'de',
      'Bitte verbinden Sie Ihre Berichte noch einmal',
      '?language=de',
    ],
    [
      'not as it was asked for where that is known',
      'de',
      'ja',
      'de',
      'Bitte verbinden Sie Ihre Berichte noch einmal',
      '?language=de',
    ],
    [
      'in the language asked for where theirs is not known',
      undefined,
      'ja',
      'ja',
      'Your reports の再接続のお願い',
      '?language=ja',
    ],
    ['in English where neither is', undefined, undefined, null, 'Please reconnect Your reports', ''],
    [
      'in English where theirs is one that a later version has',
      'nl',
      undefined,
      null,
      'Please reconnect Your reports',
      '',
    ],
  ] as const)(
    'reconnect links come with a message in a language: %s',
    async (_, known, asked, language, subject, query) => {
      const endUser = { id: 'u', email: null, displayName: 'Ada', tags: null, organization: null };
      const gateway = await connectedGateway({ endUser, ...(known === undefined ? {} : { language: known }) });
      const names = { public_name: 'Your reports', public_names: { de: 'Ihre Berichte' } };
      await gateway.call('PATCH', '/integrations/drive', { body: names });
      const body = { connections, ...(asked === undefined ? {} : { language: asked }) };
      const made = await gateway.call('POST', '/connect/reconnect-links', { body });
      const link = textAt(made.body, 'data', 'links', 0, 'connect_link');
      expect(link).toContain(`/connect${query}#session_token=`);
      expect(made.body).toMatchObject({ data: { links: [{ language, subject }] } });
      const message = textAt(made.body, 'data', 'links', 0, 'message');
      expect(message).toContain('Ada');
      expect(message).toContain(link);
      expect(message).toContain(language === 'de' ? 'Ihre Berichte' : 'Your reports');
    },
  );

  it('reconnect links are refused a language that pages do not have', async () => {
    const gateway = await connectedGateway();
    const reply = await gateway.call('POST', '/connect/reconnect-links', { body: { connections, language: 'nl' } });
    expect(reply).toMatchObject({ status: 400, body: { error: { errors: [{ path: 'language' }] } } });
  });

  it('reconnect links say who made them and whose they are by name, but not to a key that sees a part of the account', async () => {
    const endUser = { id: 'u', email: null, displayName: 'Bob Brown', tags: null, organization: null };
    const gateway = await connectedGateway({ endUser });
    const limited = gateway.addKey(secretKey('limited'), { integrationIds: ['drive'] });
    const maker = gateway.addKey(secretKey('maker'), { name: 'Night shift' });
    const made = await gateway.call('POST', '/connect/reconnect-links', { body: { connections }, key: maker });
    expect(made.body).toMatchObject({ data: { created_by_name: 'Night shift' } });
    const path = `/connect/reconnect-links/${textAt(made.body, 'data', 'id')}`;
    const links = [{ connection_id: 'first', connection_name: 'Bob Brown' }];
    expect((await gateway.call('GET', path)).body).toMatchObject({ data: { created_by_name: 'Night shift', links } });
    expect((await gateway.call('GET', path, { key: limited })).body).toMatchObject({
      data: { created_by_name: null, links },
    });
    const listed = await gateway.call('GET', '/connect/reconnect-links');
    expect(listed.body).toMatchObject({ data: [{ created_by_name: 'Night shift', links: 1 }] });
  });
});

describe('withdrawing reconnect links', () => {
  it('CS-20: withdraws for a limited key what it sees, and no link reads revoked that still opens', async () => {
    const gateway = await connectedGateway();
    gateway.addIntegration({ integrationId: 'other' });
    await gateway.addConnection({ integrationId: 'other', connectionId: 'second' });
    const limited = gateway.addKey(secretKey('limited'), { integrationIds: ['drive'] });
    const connections = [
      { provider_config_key: 'drive', connection_id: 'first' },
      { provider_config_key: 'other', connection_id: 'second' },
    ];
    const { body } = await gateway.call('POST', '/connect/reconnect-links', { body: { connections } });
    const path = `/connect/reconnect-links/${textAt(body, 'data', 'id')}`;
    const tokens = [0, 1].map((i) => textAt(body, 'data', 'links', i, 'connect_link').split('session_token=')[1] ?? '');
    const opens = async (token: string) =>
      [...gateway.sessions.values()].some(({ sessionHash }) => sessionHash === sha256Hex(token));
    const read = async (key?: string) =>
      member((await gateway.call('GET', path, key === undefined ? {} : { key })).body, 'data');

    expect((await gateway.call('DELETE', path, { key: limited })).status).toBe(200);
    expect(await Promise.all(tokens.map(opens))).toEqual([false, true]);
    expect(await read()).toMatchObject({ revoked_at: null, links: [{ state: 'revoked' }, { state: 'waiting' }] });
    expect(await read(limited)).toMatchObject({
      revoked_at: '2026-03-01T12:00:00.000Z',
      links: [{ state: 'revoked' }],
    });

    gateway.clock.advanceSec(60);
    expect((await gateway.call('DELETE', path)).status).toBe(200);
    expect(await Promise.all(tokens.map(opens))).toEqual([false, false]);
    expect(await read()).toMatchObject({
      revoked_at: '2026-03-01T12:01:00.000Z',
      links: [{ state: 'revoked' }, { state: 'revoked' }],
    });
    const [first, second] = await Promise.all([read(limited), read()]);
    expect(first).toMatchObject({ revoked_at: '2026-03-01T12:00:00.000Z' });
    expect(second).toMatchObject({ revoked_at: '2026-03-01T12:01:00.000Z' });
  });

  it('CS-21: a connection whose account is unknown gets no link that lives longer than a session', async () => {
    const gateway = await connectedGateway({ providerAccount: undefined });
    const connections = [{ provider_config_key: 'drive', connection_id: 'first' }];
    const ask = (more: object) => gateway.call('POST', '/connect/reconnect-links', { body: { connections, ...more } });
    for (const more of [{}, { lifetime_sec: 7 * 24 * 3600 }]) {
      expect((await ask(more)).body).toMatchObject({ data: { links: [], refused: [{ connection_id: 'first' }] } });
    }
    expect(gateway.sessions.size).toBe(0);
    expect((await ask({ lifetime_sec: 1800 })).body).toMatchObject({ data: { links: [{ connection_id: 'first' }] } });
  });

  it('creates no link of any kind for users of a service account, and says who can get one', async () => {
    const gateway = await connectedGateway({ delegated: true });
    gateway.addIntegration({ delegation: delegation() });
    const ref = { connection_id: 'first', integration_id: 'drive' };
    const reason = expect.stringContaining('POST /connect/sessions/admin');
    const refused = { status: 400, body: { error: { message: reason } } };
    expect(await create(gateway, { allowed_integrations: ['drive'] })).toMatchObject(refused);
    expect(await gateway.call('POST', '/connect/sessions/reconnect', { body: ref })).toMatchObject(refused);
    const connections = [{ provider_config_key: 'drive', connection_id: 'first' }];
    const links = await gateway.call('POST', '/connect/reconnect-links', { body: { connections } });
    expect(links.body).toMatchObject({ data: { links: [], refused: [{ connection_id: 'first', reason }] } });
    expect(gateway.sessions.size).toBe(0);
  });
});

describe('texts that are shown or mailed', () => {
  const MARKS = [
    '\u0000',
    '\u0007',
    '\r',
    '\n',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u009f',
    '\u202e',
    '\u202a',
    '\u2066',
    '\u2069',
  ];

  it.each(MARKS)('PR-16: names with %j are refused, wherever they are set', async (mark) => {
    const gateway = await connectedGateway();
    const name = `Alice${mark}Smith`;
    const refused = (reply: { readonly status: number }) => expect(reply).toMatchObject({ status: 400 });
    refused(await create(gateway, { end_user: { id: 'u-1', display_name: name } }));
    refused(await create(gateway, { organization: { id: 'o-1', display_name: name } }));
    refused(await gateway.call('PATCH', '/integrations/drive', { body: { display_name: name } }));
    refused(await gateway.call('PATCH', '/integrations/drive', { body: { public_name: name } }));
    refused(await gateway.call('POST', '/account/keys', { body: { name, right: 'read' } }));
    refused(await gateway.call('POST', '/webhooks', { body: { url: 'https://hooks.example.com', description: name } }));
    const connections = [{ provider_config_key: 'drive', connection_id: 'first' }];
    const message = `Dear {name},${mark}{link}`;
    const links = await gateway.call('POST', '/connect/reconnect-links', { body: { connections, message } });
    expect(links.status).toBe(mark === '\n' ? 201 : 400);
  });

  it('PR-16: names of earlier releases end no line of a message', async () => {
    const endUser = { id: 'u', email: null, displayName: 'A\r\nBcc: x\u202e', tags: null, organization: null };
    const gateway = await connectedGateway({ endUser });
    const connections = [{ provider_config_key: 'drive', connection_id: 'first' }];
    const body = { connections, message: 'Dear {name}: {link}' };
    const made = await gateway.call('POST', '/connect/reconnect-links', { body });
    expect(textAt(made.body, 'data', 'links', 0, 'message')).toMatch(/^Dear A {2}Bcc: x : https/);
    const own = await gateway.call('POST', '/connect/reconnect-links', { body: { connections } });
    expect(textAt(own.body, 'data', 'links', 0, 'message')).toMatch(/^Hello A {2}Bcc: x ,\n/);
  });
});
