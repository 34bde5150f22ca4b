import { describe, expect, it } from 'vitest';
import { integratedGateway, managementGateway, member, textAt } from './support/gateway.ts';

const OWN = { type: 'OAUTH2', client_id: '123-own.apps.googleusercontent.com', client_secret: 'shh' };
const own = (more: object = {}) => ({ provider: 'google-drive', unique_key: 'drive', credentials: OWN, ...more });

const problems = (body: unknown) => member(body, 'error', 'errors');
const create = (body: object, gateway = managementGateway()) => gateway.call('POST', '/integrations', { body });

describe('creating an integration', () => {
  it('stores the client secret apart and never returns it', async () => {
    const gateway = managementGateway();
    const reply = await create(own(), gateway);
    expect(reply.status).toBe(200);
    expect(member(reply.body, 'data')).toMatchObject({
      unique_key: 'drive',
      provider: 'google-drive',
      display_name: 'Google Drive',
      credentials_source: 'own',
      scopes: ['https://www.googleapis.com/auth/drive.readonly'],
      publishing_status: 'testing',
      audience: 'external',
      mode: 'test',
      forward_webhooks: false,
    });
    expect(JSON.stringify(reply.body)).not.toContain('shh');
    const stored = { clientId: OWN.client_id, clientSecret: 'shh', previousClientSecret: undefined };
    expect([...gateway.secrets]).toEqual([['stack/integration/default/drive/1', stored]]);
    const actor = expect.stringMatching(/^key:[0-9a-f]{12}$/);
    const event = { eventType: 'IntegrationCreated', sequence: 1, requestId: 'request-1', actor };
    expect(gateway.events.all).toMatchObject([event]);
    const shown = await gateway.call('GET', '/integrations/drive?include=credentials');
    expect(member(shown.body, 'data', 'credentials')).toEqual({
      type: 'OAUTH2',
      client_id: OWN.client_id,
      client_secret: '',
      scopes: 'https://www.googleapis.com/auth/drive.readonly',
      webhook_secret: null,
    });
  });

  it('expands short scope names and drops repeats', async () => {
    const scopes = 'drive.file, drive.metadata.readonly,https://www.googleapis.com/auth/drive.file';
    const reply = await create(own({ credentials: { ...OWN, scopes } }));
    expect(member(reply.body, 'data', 'scopes')).toEqual([
      'https://www.googleapis.com/auth/drive.file',
      'https://www.googleapis.com/auth/drive.metadata.readonly',
    ]);
  });

  it('refuses unknown scopes and offers near ones', async () => {
    const reply = await create(own({ scopes: ['drive.fle', 'calendar', 'drive.readonly'] }));
    expect(reply.status).toBe(400);
    expect(problems(reply.body)).toEqual([
      { path: 'scopes', message: 'Google Drive has no scope "drive.fle"; did you mean drive.file?' },
      { path: 'scopes', message: expect.stringMatching(/^Google Drive has no scope "calendar"/) },
    ]);
  });

  it('names every problem of a body at once', async () => {
    const credentials = { client_id: '' };
    const reply = await create({ provider: 'dropbox', unique_key: 'a/b', color: 'red', credentials });
    expect(problems(reply.body)).toEqual([
      { path: 'provider', message: 'must be one of: google-drive, google-calendar' },
      { path: 'unique_key', message: expect.stringContaining('1 to 255 letters') },
      { path: 'credentials.type', message: 'must be OAUTH2' },
      { path: 'credentials.client_id', message: 'must not be empty' },
      { path: 'credentials.client_secret', message: 'is required' },
      { path: 'color', message: 'is unknown' },
    ]);
  });

  it.each([
    ['GOCSPX-abcdefghijklmnopqrstuvwxyz12', 'is a client secret; it goes into client_secret'],
    ['AIzaSyA-1234567890abcdefghijklmnopqrstu', 'is an API key'],
    ['robot@project.iam.gserviceaccount.com', 'is a service account'],
    ['123456789012-abcdefghijklmnopqrstuvwxyz012345', 'is not a client id of Google'],
    ['my-project.apps.googleusercontent.com', 'is not a client id of Google'],
  ])(
    'says of %s instead of a client id what it is, what one looks like and where it is, without repeating it',
    async (clientId, message) => {
      const gateway = managementGateway();
      const credentials = { ...OWN, client_id: clientId };
      gateway.addIntegration();
      for (const reply of [
        await create(own({ credentials }), gateway),
        await gateway.call('PATCH', '/integrations/drive', { body: { credentials } }),
      ]) {
        expect(reply.status).toBe(400);
        const found = problems(reply.body);
        const problem: unknown = Array.isArray(found) ? found[0] : undefined;
        expect(problem).toEqual({ path: 'credentials.client_id', message: expect.stringContaining(message) });
        expect(JSON.stringify(problem)).toMatch(/123456789012-abc….*Google Auth Platform, Clients/);
        expect(JSON.stringify(reply)).not.toContain(clientId);
      }
    },
  );

  it('takes every form of client id that Google has made', async () => {
    for (const [i, name] of ['123456789012', '1-own', '123456789012-0123456789abcdefghijklmnopqrstuv'].entries()) {
      const credentials = { ...OWN, client_id: `${name}.apps.googleusercontent.com` };
      expect((await create(own({ unique_key: `form-${i}`, credentials }))).status).toBe(200);
    }
  });

  it('repeats a client secret in no answer, wherever it was pasted', async () => {
    const secret = 'GOCSPX-abcdefghijklmnopqrstuvwxyz12';
    const credentials = { ...OWN, client_id: secret, client_secret: OWN.client_id };
    const bodies = [
      own({ display_name: secret }),
      own({ unique_key: secret }),
      own({ scopes: [secret] }),
      own({ credentials }),
    ];
    for (const body of bodies) {
      const reply = await create(body);
      expect(reply.status).toBe(400);
      expect(JSON.stringify(reply)).not.toContain(secret);
    }
  });

  it('a new integration is not checked yet, works from the first success of its client on, and is refused while Google refuses it', async () => {
    const gateway = managementGateway();
    const health = async () => member((await gateway.call('GET', '/integrations/drive')).body, 'data', 'health');
    gateway.addIntegration();
    const nothing = { reason: null, certain: null, since: null, who: null, remedy: null };
    expect(await health()).toEqual({ status: 'not_checked_yet', ...nothing });
    gateway.addIntegration({ clientWorksSinceEpochSec: 1_772_366_400 });
    expect(await health()).toMatchObject({ status: 'working', since: '2026-03-01T12:00:00.000Z' });
    const at = { sinceEpochSec: 1_772_366_400, retryAtEpochSec: 1_772_366_460 };
    gateway.addIntegration({ clientFault: { error: 'invalid_client', ...at }, credentialsSource: 'own' });
    const refused = { status: 'refused', reason: 'invalid_client', certain: true, who: 'developer' };
    expect(await health()).toMatchObject(refused);
    gateway.addIntegration({ clientFault: { error: 'unauthorized_client', ...at } });
    expect(await health()).toMatchObject({ status: 'refused', certain: false, who: 'operator' });
  });

  it('accepts the members of the compatible client that mean nothing here', async () => {
    const reply = await create(own({ forward_webhooks: true, integration_config: { a: 1 }, custom: { b: '2' } }));
    expect(reply).toMatchObject({ status: 200, body: { data: { forward_webhooks: false } } });
  });

  it('refuses an id that is taken and leaves its secret alone', async () => {
    const gateway = managementGateway();
    await create(own(), gateway);
    const credentials = { ...OWN, client_id: '456-other.apps.googleusercontent.com', client_secret: 'other' };
    expect((await create(own({ credentials }), gateway)).status).toBe(409);
    expect(gateway.secrets.get('stack/integration/default/drive/1')?.clientSecret).toBe('shh');
  });

  it('takes the record back when the secret cannot be stored', async () => {
    const gateway = managementGateway();
    gateway.failures.secretWrite = true;
    const reply = await create(own(), gateway);
    expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '5' }, code: 'service_unavailable' });
    expect(gateway.integrations.size).toBe(0);
    expect(gateway.events.types()).toEqual(['IntegrationCreated', 'IntegrationDeleted']);
    gateway.failures.secretWrite = false;
    expect((await create(own(), gateway)).status).toBe(200);
  });

  it('needs credentials of its own or a word for the test credentials', async () => {
    const reply = await create(own({ credentials: undefined }));
    expect(reply.paths).toEqual(['credentials']);
    expect(textAt(reply.body, 'error', 'message')).toContain('credentials_source');
  });
});

describe('quickstart', () => {
  const body = { provider: 'google-calendar', unique_key: 'calendar' };

  it('uses the test credentials and keeps no secret', async () => {
    const gateway = managementGateway();
    const reply = await gateway.call('POST', '/integrations/quickstart', { body });
    expect(reply).toMatchObject({ status: 200, body: { data: { credentials_source: 'test', mode: 'test' } } });
    expect(gateway.secrets.size).toBe(0);
  });

  it('says what to do when there are no test credentials', async () => {
    const gateway = managementGateway();
    gateway.testClient.current = undefined;
    const reply = await gateway.call('POST', '/integrations/quickstart', { body });
    expect(reply).toMatchObject({ status: 400, code: 'invalid_body' });
    expect(JSON.stringify(reply.body)).toContain('your own `credentials`');
    expect(gateway.integrations.size).toBe(0);
  });

  it('refuses test credentials for a live integration', async () => {
    const live = { ...body, mode: 'live' };
    const reply = await managementGateway().call('POST', '/integrations/quickstart', { body: live });
    expect(reply.paths).toEqual(['mode']);
    expect(textAt(reply.body, 'error', 'message')).toContain('not work for a live integration');
  });
});

describe('reading integrations', () => {
  it('lists them newest first and only those of the account', async () => {
    const gateway = integratedGateway({ integrationId: 'old', createdAt: '2026-01-01T00:00:00.000Z' });
    gateway.addIntegration({ integrationId: 'new', createdAt: '2026-02-01T00:00:00.000Z' });
    gateway.addIntegration({ integrationId: 'foreign', accountId: 'other' });
    const reply = await gateway.call('GET', '/integrations');
    expect(member(reply.body, 'data')).toMatchObject([{ unique_key: 'new' }, { unique_key: 'old' }]);
  });

  it('shows a fault of the OAuth client', async () => {
    const times = { sinceEpochSec: 1_767_225_600, retryAtEpochSec: 1_767_225_660 };
    const gateway = integratedGateway({ clientFault: { error: 'invalid_client', ...times } });
    const reply = await gateway.call('GET', '/integrations/drive?include=webhook');
    expect(member(reply.body, 'data')).toMatchObject({
      credentials_fault: {
        error: 'invalid_client',
        since: '2026-01-01T00:00:00.000Z',
        retry_at: '2026-01-01T00:01:00.000Z',
      },
      webhook_url: null,
    });
  });

  it('shows a connect session only what it allows', async () => {
    const gateway = integratedGateway();
    gateway.addIntegration({ integrationId: 'other' });
    const body = { end_user: { id: 'u' }, allowed_integrations: ['drive'] };
    const made = await gateway.call('POST', '/connect/sessions', { body });
    const key = String(member(made.body, 'data', 'token'));
    const listed = await gateway.call('GET', '/integrations', { key });
    expect(member(listed.body, 'data')).toMatchObject([{ unique_key: 'drive' }]);
    expect((await gateway.call('GET', '/integrations/other', { key })).status).toBe(404);
    expect((await gateway.call('GET', '/integrations/drive?include=credentials', { key })).status).toBe(403);
    gateway.clock.advanceSec(1801);
    expect((await gateway.call('GET', '/integrations', { key })).status).toBe(401);
  });
});
