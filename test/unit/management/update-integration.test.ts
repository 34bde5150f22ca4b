import { describe, expect, it, vi } from 'vitest';
import { provider as acmeNotes } from '../../../examples/provider/acme-notes/provider.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import type { Provider } from '../../../lambdas/gateway/providers/provider.rules.ts';
import { reportReadiness } from '../../../lambdas/management/integrations/report-readiness.ts';
import { integratedGateway, type ManagementGateway, managementGateway, member } from './support/gateway.ts';
import { integrationRow } from './support/rows.ts';

const OWN = '123-own.apps.googleusercontent.com';
const NEW = '456-new.apps.googleusercontent.com';
const SECRET = 'stack/integration/default/drive/1';

async function withOwnClient(): Promise<ManagementGateway> {
  const gateway = managementGateway();
  const body = { provider: 'google-drive', unique_key: 'drive', ...credentials(OWN, 'first') };
  await gateway.call('POST', '/integrations', { body });
  return gateway;
}

const patch = (gateway: ManagementGateway, body: object) => gateway.call('PATCH', '/integrations/drive', { body });
const credentials = (client_id: string | undefined, client_secret: string | undefined) => ({
  credentials: { type: 'OAUTH2', client_id, client_secret },
});

describe('changing an integration', () => {
  it('keeps the old secret as the previous one when the secret is rotated', async () => {
    const gateway = await withOwnClient();
    const reply = await patch(gateway, credentials(OWN, 'second'));
    expect(reply).toMatchObject({ status: 200, body: { warnings: [] } });
    const stored = { clientId: OWN, clientSecret: 'second', previousClientSecret: 'first' };
    expect(gateway.secrets.get(SECRET)).toEqual(stored);
    await patch(gateway, credentials(undefined, 'third'));
    expect(gateway.secrets.get(SECRET)).toMatchObject({ clientSecret: 'third', previousClientSecret: 'second' });
    expect(JSON.stringify(reply.body)).not.toContain('second');
  });

  it('replaces the names by language all at once, and null or none takes them away', async () => {
    const gateway = await withOwnClient();
    const names = async (public_names: unknown) =>
      member((await patch(gateway, { public_names })).body, 'data', 'public_names');
    expect(await names({ de: ' Ihre Berichte ', ja: 'レポート' })).toEqual({ de: 'Ihre Berichte', ja: 'レポート' });
    expect(member((await patch(gateway, { mode: 'live' })).body, 'data', 'public_names')).toMatchObject({
      ja: 'レポート',
    });
    expect(await names({ fr: 'Vos rapports' })).toEqual({ fr: 'Vos rapports' });
    expect(await names({})).toBeNull();
    await names({ fr: 'Vos rapports' });
    expect(await names(null)).toBeNull();
    expect([...gateway.integrations.values()]).toMatchObject([{ publicNames: undefined }]);
  });

  it.each([
    [{ nl: 'Uw rapporten' }, 'public_names.nl'],
    [{ de: '' }, 'public_names.de'],
    [{ de: 'GOCSPX-secret' }, 'public_names.de'],
    [{ de: 'Berichte\u202e' }, 'public_names.de'],
    ['Berichte', 'public_names'],
  ])('refuses names by language such as %j, and says which', async (public_names, path) => {
    const reply = await patch(await withOwnClient(), { public_names });
    expect(reply.status).toBe(400);
    expect(member(reply.body, 'error', 'errors')).toMatchObject([{ path }]);
  });

  it('changing an integration does not lose the previous secret when the same request is sent twice', async () => {
    const gateway = await withOwnClient();
    await patch(gateway, credentials(OWN, 'second'));
    await patch(gateway, credentials(OWN, 'second'));
    expect(gateway.secrets.get(SECRET)).toMatchObject({ clientSecret: 'second', previousClientSecret: 'first' });
  });

  it('puts the secret of an integration that was restored from another stack under a name of its own', async () => {
    const gateway = managementGateway();
    const foreign = 'other-stack/integration/default/drive/1';
    const row = integrationRow({ integrationId: 'drive', credentialsSource: 'own', clientId: OWN, secretId: foreign });
    gateway.addIntegration(row);
    expect((await patch(gateway, credentials(undefined, 'second'))).status).toBe(200);
    const [stored] = gateway.integrations.values();
    expect(stored?.secretId).toMatch(/^stack\/integration\//);
    expect([...gateway.secrets.keys()]).toEqual([stored?.secretId]);
  });

  it('moves the secret with any change to where the deployment keeps them, before the record names it', async () => {
    const gateway = await withOwnClient();
    const kept = gateway.secrets.get(SECRET);
    gateway.failures.misplaced = SECRET;
    gateway.failures.secretWrite = true;
    const refused = await patch(gateway, { mode: 'live' });
    expect(refused.status).toBe(503);
    expect(JSON.stringify(refused.body)).toContain('was not changed, because its client secret could not be moved');
    expect([...gateway.integrations.values()]).toMatchObject([{ secretId: SECRET, version: 1 }]);
    gateway.failures.secretWrite = false;
    expect((await patch(gateway, { mode: 'live' })).status).toBe(200);
    const [moved] = gateway.integrations.values();
    expect(moved?.secretId).not.toBe(SECRET);
    expect([...gateway.secrets]).toEqual([[moved?.secretId, kept]]);
    await patch(gateway, { mode: 'live' });
    expect([...gateway.secrets.keys()]).toEqual([moved?.secretId]);
  });

  it('moves a secret that is replaced at the same time, with the previous one, and one that is renamed', async () => {
    const gateway = await withOwnClient();
    gateway.failures.misplaced = SECRET;
    expect((await patch(gateway, credentials(undefined, 'second'))).status).toBe(200);
    const [moved] = gateway.integrations.values();
    const stored = { clientId: OWN, clientSecret: 'second', previousClientSecret: 'first' };
    expect([...gateway.secrets]).toEqual([[moved?.secretId, stored]]);
    gateway.failures.misplaced = String(moved?.secretId);
    expect((await patch(gateway, { unique_key: 'files' })).status).toBe(200);
    const [renamed] = gateway.integrations.values();
    expect(renamed?.secretId).not.toBe(moved?.secretId);
    expect([...gateway.secrets]).toEqual([[renamed?.secretId, stored]]);
  });

  it('warns that connections end when the OAuth client changes', async () => {
    const gateway = await withOwnClient();
    await gateway.addConnection({ clientId: OWN });
    const reply = await patch(gateway, credentials(NEW, 'fresh'));
    const message = expect.stringContaining('credentials_changed');
    expect(member(reply.body, 'warnings')).toEqual([{ path: 'credentials.client_id', message }]);
    const stored = { clientId: NEW, clientSecret: 'fresh', previousClientSecret: undefined };
    expect(gateway.secrets.get(SECRET)).toEqual(stored);
  });

  it('needs the secret of a new client', async () => {
    const gateway = await withOwnClient();
    const reply = await patch(gateway, credentials(NEW, undefined));
    expect(member(reply.body, 'error', 'errors')).toEqual([
      { path: 'credentials.client_secret', message: 'is required with a new client_id' },
    ]);
    expect([...gateway.integrations.values()]).toMatchObject([{ clientId: OWN, version: 1 }]);
  });

  it('lifts the mark of a refused client together with new credentials, and only then', async () => {
    const gateway = await withOwnClient();
    const [row] = gateway.integrations.values();
    gateway.addIntegration({ ...row, clientFault: { error: 'invalid_client', sinceEpochSec: 1, retryAtEpochSec: 2 } });
    const faultAfter = async (change: object) =>
      member((await patch(gateway, change)).body, 'data', 'credentials_fault');
    expect(await faultAfter({ display_name: 'Ours' })).not.toBeNull();
    expect(await faultAfter(credentials(OWN, 'second'))).toBeNull();
  });

  it('moves from test credentials to an own client and into live mode', async () => {
    const gateway = integratedGateway();
    const live = await patch(gateway, { mode: 'live' });
    expect(live).toMatchObject({ status: 400, paths: ['mode'] });
    expect((await patch(gateway, { credentials_source: 'own' })).status).toBe(400);
    const wanted = { mode: 'live', publishing_status: 'production' };
    const moved = await patch(gateway, { ...credentials(OWN, 's'), ...wanted });
    expect(member(moved.body, 'data')).toMatchObject({ credentials_source: 'own', ...wanted });
    expect((await patch(gateway, { credentials_source: 'test' })).status).toBe(400);
  });

  it('leaves no client secret behind when it goes back to test credentials', async () => {
    const gateway = await withOwnClient();
    expect((await patch(gateway, { credentials_source: 'test' })).status).toBe(200);
    expect(gateway.secrets.size).toBe(0);
    expect((await patch(gateway, credentials(OWN, 'again'))).status).toBe(200);
    expect([...gateway.secrets.values()]).toMatchObject([{ clientSecret: 'again', previousClientSecret: undefined }]);
  });

  it('says that the request must be repeated when the secret could not be stored', async () => {
    const gateway = await withOwnClient();
    gateway.failures.secretWrite = true;
    const reply = await patch(gateway, credentials(OWN, 'second'));
    expect(reply).toMatchObject({ status: 503, code: 'service_unavailable' });
    gateway.failures.secretWrite = false;
    expect((await patch(gateway, credentials(OWN, 'second'))).status).toBe(200);
    expect(gateway.secrets.get(SECRET)?.clientSecret).toBe('second');
  });

  it('takes a Workspace domain in any case, or any of them, and drops it again', async () => {
    const gateway = await withOwnClient();
    const domainAfter = async (hosted_domain: unknown) =>
      member((await patch(gateway, { hosted_domain })).body, 'data', 'hosted_domain');
    expect(await domainAfter('Workspace.Example')).toBe('workspace.example');
    expect(await domainAfter(undefined)).toBe('workspace.example');
    expect(await domainAfter('*')).toBe('*');
    expect(await domainAfter(null)).toBeNull();
    const long = `${'x'.repeat(255)}.a`;
    for (const hosted_domain of ['', 'example', 'https://a.example', 'a.example/', '*.example', long]) {
      expect(await patch(gateway, { hosted_domain })).toMatchObject({ status: 400, paths: ['hosted_domain'] });
    }
  });

  it('reads again when somebody else was faster, so that nothing is lost', async () => {
    const gateway = await withOwnClient();
    vi.spyOn(gateway.services.integrations, 'update').mockImplementationOnce(async () => {
      const [row] = gateway.integrations.values();
      gateway.addIntegration({ ...row, displayName: 'Theirs', version: 2 });
      return false;
    });
    expect((await patch(gateway, { scopes: ['drive.file'] })).status).toBe(200);
    expect([...gateway.integrations.values()]).toMatchObject([{ displayName: 'Theirs', version: 3 }]);
  });

  it('writes one event a change, numbered on', async () => {
    const gateway = await withOwnClient();
    await patch(gateway, { scopes: ['drive.file'] });
    await patch(gateway, { include_granted_scopes: true });
    expect(gateway.events.all.map(({ eventType, sequence }) => [eventType, sequence])).toEqual([
      ['IntegrationCreated', 1],
      ['IntegrationUpdated', 2],
      ['IntegrationUpdated', 3],
    ]);
  });
});

describe('renaming an integration', () => {
  it('moves the record to the new id, which keeps its secret', async () => {
    const gateway = await withOwnClient();
    const reply = await patch(gateway, { unique_key: 'files' });
    expect(reply).toMatchObject({ status: 200, body: { data: { unique_key: 'files' } } });
    expect([...gateway.secrets.keys()]).toEqual([SECRET]);
    expect(gateway.integrations.values().next().value).toMatchObject({ integrationId: 'files', secretId: SECRET });
    expect((await gateway.call('GET', '/integrations/drive')).status).toBe(404);
    expect(gateway.events.all.at(-1)).toMatchObject({ cause: 'renamed', subject: { integrationId: 'files' } });
  });

  it('renaming an integration with new credentials writes them under a name of their own first, and leaves no other secret behind', async () => {
    const gateway = await withOwnClient();
    const body = { unique_key: 'files', ...credentials(OWN, 'second') };
    gateway.failures.secretWrite = true;
    expect((await patch(gateway, body)).status).toBeGreaterThanOrEqual(500);
    expect(gateway.integrations.values().next().value).toMatchObject({ integrationId: 'drive', secretId: SECRET });
    gateway.failures.secretWrite = false;
    expect((await patch(gateway, body)).status).toBe(200);
    const [row] = gateway.integrations.values();
    expect(row?.secretId).not.toBe(SECRET);
    const stored = { clientId: OWN, clientSecret: 'second', previousClientSecret: 'first' };
    expect([...gateway.secrets]).toEqual([[row?.secretId, stored]]);
  });

  it('leaves no secret behind where the new id was taken meanwhile', async () => {
    const gateway = await withOwnClient();
    vi.spyOn(gateway.services.integrations, 'rename').mockResolvedValue('taken');
    const reply = await patch(gateway, { unique_key: 'files', ...credentials(OWN, 'second') });
    expect(reply.status).toBe(409);
    expect([...gateway.secrets.keys()]).toEqual([SECRET]);
  });

  it('renaming an integration is refused while there are connections', async () => {
    const gateway = await withOwnClient();
    await gateway.addConnection();
    const reply = await patch(gateway, { unique_key: 'files' });
    expect(reply).toMatchObject({ status: 400, paths: ['unique_key'] });
  });

  it('renaming an integration is refused where the new id is in use, and touches nobody’s secret', async () => {
    const gateway = await withOwnClient();
    gateway.addIntegration({ integrationId: 'files' });
    expect((await patch(gateway, { unique_key: 'files' })).status).toBe(409);
    expect([...gateway.secrets.keys()]).toEqual([SECRET]);
  });
});

describe('deleting an integration', () => {
  it('erases its connections, its record and its secret', async () => {
    const gateway = await withOwnClient();
    for (const connectionId of ['a', 'b', 'c']) await gateway.addConnection({ connectionId });
    const kept = await gateway.addConnection({ connectionId: 'd', integrationId: 'other' });
    const reply = await gateway.call('DELETE', '/integrations/drive');
    expect(reply).toMatchObject({ status: 200, body: { success: true, deleted_connections: 3 } });
    expect(gateway.secrets.size).toBe(0);
    const statuses = [...gateway.connections.values()].map(({ status }) => status);
    expect(statuses).toEqual(['deleted', 'deleted', 'deleted', kept.status]);
    const deleted = 'ConnectionDeleted';
    expect(gateway.events.types().slice(1)).toEqual([deleted, deleted, deleted, 'IntegrationDeleted']);
    expect((await gateway.call('DELETE', '/integrations/drive')).status).toBe(404);
  });

  it('frees its id at once, though the name of its secret stays taken', async () => {
    const gateway = await withOwnClient();
    await gateway.call('DELETE', '/integrations/drive');
    const body = { provider: 'google-drive', unique_key: 'drive', ...credentials(OWN, 'second') };
    expect((await gateway.call('POST', '/integrations', { body })).status).toBeLessThan(300);
    expect([...gateway.secrets.values()]).toMatchObject([{ clientSecret: 'second' }]);
  });

  it('continues with the next call when time runs out', async () => {
    const gateway = await withOwnClient();
    for (let i = 0; i < 250; i++) await gateway.addConnection({ connectionId: `c${i}` });
    const { connections } = gateway.services;
    let pages = 0;
    const list: typeof connections.list = async (...args) => {
      if (++pages === 2) gateway.clock.advanceSec(30);
      return connections.list(...args);
    };
    Object.assign(gateway.services, { connections: { ...connections, list } });
    const first = await gateway.call('DELETE', '/integrations/drive');
    expect(first).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(gateway.integrations.size).toBe(1);
    const second = await gateway.call('DELETE', '/integrations/drive');
    expect(second).toMatchObject({ status: 200, body: { deleted_connections: 150 } });
  });
});

describe('readiness', () => {
  const AUTH = 'https://www.googleapis.com/auth/';
  const report = async (fields: object) =>
    (await integratedGateway(fields).call('GET', '/integrations/drive/readiness')).body;
  const readinessAt = (address: string) =>
    reportReadiness(integrationRow(), PROVIDERS['google-drive'], address, 'required');
  const needed = (body: unknown) => {
    const steps = member(body, 'data', 'steps');
    if (!Array.isArray(steps)) throw new Error('no steps');
    return steps.filter((step) => member(step, 'needed') === true).map((step) => member(step, 'id'));
  };

  it('asks verification and assessment for restricted scopes of an external app', async () => {
    const body = await report({});
    expect(member(body, 'data')).toMatchObject({
      ready: false,
      strictest_class: 'restricted',
      redirect_uri: 'https://gateway.example/prod/oauth/callback',
      javascript_origin: 'https://gateway.example',
      publishing_status: 'testing',
      audience: 'external',
      scopes: [{ review_class: 'restricted', reviews: ['app_verification', 'security_assessment'] }],
    });
    expect(needed(body)).toEqual([
      'own_client',
      'redirect_uri',
      'publish_app',
      'own_domain',
      'permitted_app',
      'app_verification',
      'security_assessment',
      'live_mode',
    ]);
    expect(JSON.stringify(member(body, 'data', 'risks'))).toMatch(/seven days/);
  });

  it('names the apps that may have restricted Drive scopes, and drive.file with the picker as the way round', async () => {
    const body = await report({});
    const steps = member(body, 'data', 'steps');
    const permitted = Array.isArray(steps) ? steps.find((step) => member(step, 'id') === 'permitted_app') : undefined;
    expect(permitted).toMatchObject({
      needed: true,
      done: null,
      what: expect.stringMatching(/sync .* back them up.*productivity or education/),
    });
    expect(member(body, 'data', 'alternatives')).toEqual([
      {
        instead_of: ['https://www.googleapis.com/auth/drive.readonly'],
        scope: 'https://www.googleapis.com/auth/drive.file',
        what: expect.stringMatching(/drive\.file.*picker/),
      },
    ]);
  });

  it.each([
    ['an internal app', { audience: 'internal' }],
    ['scopes that need no review', { scopes: [`${AUTH}drive.file`] }],
    ['a provider without restricted scopes', { provider: 'google-calendar', scopes: [`${AUTH}calendar`] }],
  ])('offers %s nothing else', async (_, fields) => {
    const body = await report(fields);
    expect(member(body, 'data', 'alternatives')).toEqual([]);
    expect(needed(body)).not.toContain('permitted_app');
  });

  it('asks no review of an internal app', async () => {
    const body = await report({ audience: 'internal', credentialsSource: 'own', mode: 'live' });
    expect(needed(body)).toEqual(['own_client', 'redirect_uri', 'live_mode']);
    expect(member(body, 'data', 'ready')).toBe(true);
    expect(member(body, 'data', 'risks')).toEqual([]);
    expect(member(body, 'data', 'scopes', 0, 'reviews')).toEqual([]);
  });

  it('says what each capability loses under an address of AWS’s, and under an own domain what needs it verified', async () => {
    const domain = (origin: string) => {
      const { own, losses } = readinessAt(`${origin}/oauth/callback`).domain;
      return { own, losses: losses.map(({ capability }) => capability) };
    };
    const foreign = { own: false, losses: ['app_verification', 'push_messages', 'security_events', 'connect_page'] };
    expect(domain('https://abc.execute-api.eu-west-1.amazonaws.com/v1')).toEqual(foreign);
    expect(domain('http://127.0.0.1:3000')).toEqual(foreign);
    const verifiable = ['app_verification', 'push_messages', 'security_events'];
    expect(domain('https://gateway.example.com')).toEqual({ own: true, losses: verifiable });
    const body = await report({});
    expect(member(body, 'data', 'domain')).toMatchObject({ host: 'gateway.example', own: true });
  });

  it('says nothing of Google to an integration of another provider', () => {
    const address = 'https://abc.execute-api.eu-west-1.amazonaws.com/v1/oauth/callback';
    const provider: Omit<Provider, 'id'> = acmeNotes;
    const { steps, domain, risks } = reportReadiness(
      integrationRow(),
      { ...provider, id: PROVIDERS['google-drive'].id },
      address,
      'required',
    );
    expect(domain.losses.map(({ capability }) => capability)).toEqual(['connect_page']);
    const told = [
      ...steps.filter(({ needed }) => needed).map(({ what }) => what),
      ...domain.losses.map(({ what }) => what),
      ...risks,
    ];
    expect(told.filter((text) => text.includes('Google'))).toEqual([]);
  });

  it('ST-30: names operators without a second factor among the risks, and nothing where it is required or there are none', () => {
    const risks = (mfa: 'required' | 'optional' | undefined) =>
      reportReadiness(integrationRow(), PROVIDERS['google-drive'], 'https://gateway.example.com', mfa).risks.filter(
        (text) => text.includes('gateway:operatorMfa=required'),
      );
    expect([risks('optional').length, risks('required'), risks(undefined)]).toEqual([1, [], []]);
  });

  it('knows that nobody can prove to own an address of API Gateway', async () => {
    const own = (address: string) => readinessAt(address).steps.find(({ id }) => id === 'own_domain')?.done;
    expect(own('https://abc.execute-api.eu-west-1.amazonaws.com/v1/oauth/callback')).toBe(false);
    expect(own('https://gateway.example.com/oauth/callback')).toBeUndefined();
  });

  it('asks no review for scopes that are not sensitive', async () => {
    const body = await report({ scopes: [`${AUTH}drive.file`], publishingStatus: 'production' });
    expect(needed(body)).toEqual(['own_client', 'redirect_uri', 'publish_app', 'live_mode']);
  });
});
