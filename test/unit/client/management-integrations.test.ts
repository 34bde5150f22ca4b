import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayClient } from '../../../client/src/index.ts';
import { INTEGRATION_ON_THE_WIRE, managementCall } from './management-answers.ts';
import { json, SECRET_KEY, type Stub, startStub } from './stub.ts';

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

const sent = (): [string, string, unknown] => managementCall(stub);

describe('integrations', () => {
  it('are listed in the library’s spelling', async () => {
    stub.answer(json(200, { data: [INTEGRATION_ON_THE_WIRE] }));
    expect(await client.integrations.list()).toEqual([
      {
        uniqueKey: 'drive',
        provider: 'google-drive',
        displayName: 'Drive',
        logo: 'https://example.com/drive.svg',
        scopes: ['https://www.googleapis.com/auth/drive.file'],
        credentialsSource: 'own',
        publishingStatus: 'testing',
        audience: 'external',
        mode: 'test',
        includeGrantedScopes: false,
        hostedDomain: 'workspace.example',
        credentialsFault: {
          error: 'invalid_client',
          since: '2026-11-01T00:00:00.000Z',
          retryAt: '2026-11-01T00:01:00.000Z',
        },
        clientId: undefined,
        createdAt: '2026-10-01T00:00:00.000Z',
        updatedAt: '2026-10-02T00:00:00.000Z',
        warnings: [],
      },
    ]);
    expect(sent()).toEqual(['GET', '/integrations', undefined]);
    expect(stub.last().headers).toMatchObject({ authorization: `Bearer ${SECRET_KEY}`, accept: 'application/json' });
  });

  it('are listed to the last page', async () => {
    const first = json(200, { data: [INTEGRATION_ON_THE_WIRE], next_cursor: 'a/b' });
    const last = json(200, { data: [{ ...INTEGRATION_ON_THE_WIRE, unique_key: 'second' }], next_cursor: null });
    stub.answer((...call) => (stub.last().target.includes('cursor=') ? last : first)(...call));
    expect((await client.integrations.list()).map(({ uniqueKey }) => uniqueKey)).toEqual(['drive', 'second']);
    expect(stub.arrived).toHaveLength(2);
    expect(stub.last().target).toMatch(/\/integrations\?cursor=a%2Fb$/);
  });

  it('show their client id where it is asked for', async () => {
    stub.answer(
      json(200, { data: { ...INTEGRATION_ON_THE_WIRE, credentials: { client_id: 'id', client_secret: '' } } }),
    );
    expect((await client.integrations.get('a b', { include: ['credentials'] })).clientId).toBe('id');
    expect(sent()[1]).toBe('/integrations/a%20b?include=credentials');
  });

  it('are made in the spelling of the wire, without what was left out', async () => {
    stub.answer(json(200, { data: INTEGRATION_ON_THE_WIRE }));
    const credentials = { clientId: 'id', clientSecret: 'secret' };
    await client.integrations.create({
      provider: 'google-drive',
      uniqueKey: 'drive',
      credentials,
      publishingStatus: 'testing',
      scopes: ['drive.file'],
    });
    const body = {
      provider: 'google-drive',
      unique_key: 'drive',
      scopes: ['drive.file'],
      publishing_status: 'testing',
    };
    expect(sent()).toEqual([
      'POST',
      '/integrations',
      { ...body, credentials: { type: 'OAUTH2', client_id: 'id', client_secret: 'secret' } },
    ]);
  });

  it('are made on test credentials', async () => {
    stub.answer(json(200, { data: INTEGRATION_ON_THE_WIRE }));
    await client.integrations.createQuickstart({ provider: 'google-drive', uniqueKey: 'drive', displayName: 'Drive' });
    expect(sent()).toEqual([
      'POST',
      '/integrations/quickstart',
      { provider: 'google-drive', unique_key: 'drive', display_name: 'Drive' },
    ]);
  });

  it('are changed, and tell what that leads to', async () => {
    stub.answer(
      json(200, {
        data: INTEGRATION_ON_THE_WIRE,
        warnings: [{ path: 'credentials.client_id', message: 'authorize again' }],
      }),
    );
    const { warnings } = await client.integrations.update('drive', {
      credentials: { clientSecret: 'new' },
      uniqueKey: 'd2',
    });
    expect(warnings).toEqual(['authorize again']);
    expect(sent()).toEqual([
      'PATCH',
      '/integrations/drive',
      { unique_key: 'd2', credentials: { type: 'OAUTH2', client_secret: 'new' } },
    ]);
  });

  it('are deleted, and tell how many connections went with them', async () => {
    stub.answer(json(200, { success: true, deleted_connections: 3 }));
    expect(await client.integrations.delete('drive', { revoke: 'if_last' })).toBe(3);
    expect(sent()).toEqual(['DELETE', '/integrations/drive?revoke=if_last', undefined]);
  });

  it('report what going live needs', async () => {
    const step = { id: 'publish_app', needed: true, done: null, what: 'Publish.' };
    const scope = { scope: 's', review_class: 'restricted', meaning: 'm', reviews: ['app_verification'] };
    stub.answer(
      json(200, {
        data: {
          ready: false,
          publishing_status: 'testing',
          audience: 'external',
          redirect_uri: 'https://g/oauth/callback',
          javascript_origin: 'https://g',
          strictest_class: 'restricted',
          scopes: [scope],
          steps: [step],
          domain: {
            host: 'h',
            own: false,
            losses: [{ capability: 'push_messages', needs: 'verified_domain', what: 'w' }],
          },
          alternatives: [{ instead_of: ['s'], scope: 't', what: 'w' }],
          risks: ['r'],
        },
      }),
    );
    expect(await client.integrations.readiness('drive')).toEqual({
      ready: false,
      publishingStatus: 'testing',
      audience: 'external',
      redirectUri: 'https://g/oauth/callback',
      javascriptOrigin: 'https://g',
      strictestClass: 'restricted',
      scopes: [{ scope: 's', reviewClass: 'restricted', meaning: 'm', reviews: ['app_verification'] }],
      steps: [{ id: 'publish_app', needed: true, done: undefined, what: 'Publish.' }],
      domain: { host: 'h', own: false, losses: [{ capability: 'push_messages', needs: 'verified_domain', what: 'w' }] },
      alternatives: [{ insteadOf: ['s'], scope: 't', what: 'w' }],
      risks: ['r'],
    });
    expect(sent()[1]).toBe('/integrations/drive/readiness');
  });
});

describe('providers', () => {
  const wire = {
    name: 'google-drive',
    display_name: 'Google Drive',
    auth_mode: 'OAUTH2',
    logo_url: 'l',
    docs: 'd',
    categories: ['storage'],
    default_scopes: ['s'],
    recommended_scopes: ['r'],
    has_picker: true,
    scopes: [{ scope: 's', review_class: 'sensitive', meaning: 'm' }],
  };

  it('are listed and read', async () => {
    stub.answer(json(200, { data: [wire] }));
    const [found] = await client.providers.list({ search: 'drive' });
    expect(found).toMatchObject({
      displayName: 'Google Drive',
      authMode: 'OAUTH2',
      defaultScopes: ['s'],
      recommendedScopes: ['r'],
      hasPicker: true,
      scopes: [{ reviewClass: 'sensitive' }],
    });
    expect(sent()[1]).toBe('/providers?search=drive');
    stub.answer(json(200, { data: wire }));
    expect(await client.providers.get('google-drive')).toEqual(found);
  });
});
