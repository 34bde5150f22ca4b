// @module-tag long
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeServer, listen } from '../../dev/local/network.ts';
import { ACME_CLIENT, type Acme, startAcme } from '../support/acme.ts';
import { closePages, launchBrowser } from '../support/browser.ts';
import { settled, signIn } from '../support/dashboard.ts';
import { type CopiedGateway, copyWithProviders, type ProjectCopy, startCopy } from '../support/other-providers.ts';

const IDS = ['google-tasks', 'acme-notes'];

describe('providers that are a folder and nothing else', () => {
  let copy: ProjectCopy;
  let acme: Acme;
  let tasks: Server;
  let gateway: CopiedGateway;
  const tasksCalls: string[] = [];
  beforeAll(async () => {
    copy = copyWithProviders(IDS);
    acme = await startAcme();
    tasks = createServer((request, response) => {
      tasksCalls.push(`${request.url} ${request.headers.authorization?.slice(0, 11)}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":"tasks#taskLists"}');
    });
    const tasksUrl = `http://127.0.0.1:${await listen(tasks, 0, 'Tasks', 'none')}`;
    gateway = await startCopy(copy, { google: { tasks_base_url: tasksUrl }, acme: acme.endpoints });
    acme.knowClient(`${gateway.gatewayUrl}/oauth/callback`);
  }, 600_000);
  afterAll(async () => {
    await gateway?.close();
    await acme?.close();
    if (tasks !== undefined) await closeServer(tasks);
    copy?.remove();
  });

  const json = async (path: string, init?: RequestInit) => (await gateway.call(path, init)).json();
  const post = async (path: string, body: object) => {
    const answer = await json(path, { method: 'POST', body: JSON.stringify(body) });
    expect(answer.error).toBeUndefined();
    return answer;
  };

  /** A connection of Acme's by a session, its consent and the callback. */
  async function connectAcme(integrationId: string): Promise<string> {
    const { data: session } = await post('/connect/sessions', {
      end_user: { id: 'alice' },
      allowed_integrations: [integrationId],
    });
    const asSession = { authorization: `Bearer ${session.token}` };
    const start = await gateway.call('/connect/authorizations', { method: 'POST', headers: asSession, body: '{}' });
    const cookie = (start.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const location = await acme.consent((await start.json()).data.authorization_url);
    const page = await fetch(location, { headers: { cookie } });
    const text = await page.text();
    expect([page.status, /said: <code>[^<]*|Acme Notes/.exec(text)?.[0]]).toEqual([200, 'Acme Notes']);
    const { data } = await json('/connect/session', { headers: asSession });
    expect(data).toMatchObject({ status: 'connected', provider_config_key: integrationId });
    return data.connection_id;
  }
  const proxied = (integrationId: string, connectionId: string, path: string) =>
    gateway.call(`/proxy${path}`, {
      headers: { 'provider-config-key': integrationId, 'connection-id': connectionId },
    });

  test('only generated files change alongside the folders', () => {
    expect(copy.changed.toSorted()).toEqual([
      'lambdas/gateway/providers/catalogue.ts',
      'lambdas/gateway/providers/provider-ids.rules.ts',
      'packages/client/src/management/wire.ts',
      'packages/python/src/integration_gateway/_management.py',
      'packages/python/src/integration_gateway/wire.py',
    ]);
  });

  test('the catalogue, the stack and the command line have them', async () => {
    const { data } = await json('/providers');
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['google-drive', 'google-calendar', ...IDS]);
    expect(data[3].server).toEqual({ id: 'acme', display_name: 'Acme', has_testing_mode: false });
    expect(copy.run('packages/cli/cli.ts', 'integrations', 'quickstart', 'nothing', 'x')).toContain(
      'google-drive, google-calendar, google-tasks, acme-notes',
    );
    const template = JSON.parse(
      readFileSync(join(copy.root, 'cdk.out.local', 'IntegrationGateway.template.json'), 'utf8'),
    );
    expect(Object.keys(template.Outputs)).toEqual(
      expect.arrayContaining(['GoogleTasksTestCredentials', 'AcmeNotesTestCredentials']),
    );
    const policies = JSON.stringify(template.Resources);
    for (const name of ['GoogleTasks', 'AcmeNotes']) {
      const secret = template.Outputs[`${name}TestCredentials`].Value;
      // Every function that reads credentials has its name in the policy.
      expect(policies.split(secret).length).toBeGreaterThan(5);
    }
  });

  test('a call of another Google API goes to its own host, and to no other', async () => {
    const { connections } = await json('/connections');
    const found = connections.find(({ provider }: { provider: string }) => provider === 'google-tasks');
    const answer = await proxied('google-tasks', found.connection_id, '/tasks/v1/users/@me/lists?maxResults=2');
    expect([answer.status, await answer.json()]).toEqual([200, { kind: 'tasks#taskLists' }]);
    expect(tasksCalls).toEqual(['/tasks/v1/users/@me/lists?maxResults=2 Bearer ya29']);
    const refused = await proxied('google-tasks', found.connection_id, '/drive/v3/files');
    expect((await refused.json()).error.code).toBe('path_not_allowed');
  });

  test('the wizard of the dashboard shows them and keeps the choice', async () => {
    const browser: Browser = await launchBrowser();
    try {
      const page = await (await browser.newContext({ baseURL: gateway.dashboardUrl })).newPage();
      await page.goto(gateway.dashboardAddress);
      await signIn(page);
      await page.goto('/new-integration');
      await page.getByRole('radio', { name: /Google Tasks/ }).check();
      expect(await page.getByRole('textbox', { name: 'Id', exact: true }).inputValue()).toBe('google-tasks-2');
      await page.getByRole('radio', { name: /Acme Notes/ }).check();
      await page.getByRole('textbox', { name: 'Id', exact: true }).fill('notes-by-wizard');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('checkbox', { name: /notes\.write/ }).check();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Nothing to do at Acme').waitFor();
      await page.goBack();
      await page.goBack();
      expect(await page.getByRole('radio', { name: /Acme Notes/ }).isChecked()).toBe(true);
      for (let step = 0; step < 3; step++) await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('button', { name: 'Create the integration' }).click();
      await page.waitForURL('**/integrations/notes-by-wizard');
      await settled(page);
    } finally {
      await closePages(browser);
    }
    expect((await json('/integrations/notes-by-wizard')).data).toMatchObject({
      provider: 'acme-notes',
      publishing_status: 'production',
      scopes: expect.arrayContaining(['notes.read', 'notes.write']),
    });
  });

  test('a provider of its own: consent, call, rotation without a race, death in its own words', async () => {
    await post('/integrations', {
      provider: 'acme-notes',
      unique_key: 'notes',
      credentials: { type: 'OAUTH2', client_id: ACME_CLIENT.client_id, client_secret: ACME_CLIENT.client_secret },
    });
    const id = await connectAcme('notes');
    const answer = await proxied('notes', id, '/notes/v1/notes?limit=3');
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { notes: ['Buy milk'], asked: '/notes/v1/notes?limit=3' },
    ]);
    expect(acme.apiCalls).toEqual(['alice /v1/me', 'alice /notes/v1/notes?limit=3']);
    const { data } = await json(`/connections/${id}?provider_config_key=notes`).then((one) => ({
      data: one.data ?? one,
    }));
    expect(JSON.stringify(data)).toContain('alice@acme.example');
    const exchange = acme.tokenCalls[0];
    expect([exchange?.has('code_verifier'), exchange?.has('client_secret')]).toEqual([true, false]);

    const refresh = () => gateway.call(`/connections/${id}/refresh?provider_config_key=notes`, { method: 'POST' });
    const statuses = (await Promise.all(Array.from({ length: 6 }, refresh))).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await refresh()).status).toBe(200);
    const presented = acme.tokenCalls.map((form) => form.get('refresh_token')).filter((token) => token !== null);
    // A token that came twice would have ended the grant.
    expect([new Set(presented).size, acme.endedGrants()]).toEqual([presented.length, 0]);
    expect((await proxied('notes', id, '/notes/v1/notes')).status).toBe(200);

    expect(await acme.present(presented[0] ?? '')).toBe(400);
    expect(acme.endedGrants()).toBe(1);
    await refresh();
    const dead = await proxied('notes', id, '/notes/v1/notes');
    const { error } = await dead.json();
    expect([dead.status, error.code, error.connection.cause]).toEqual([
      424,
      'reauthorization_required',
      'user_revoked',
    ]);
    const causes = error.connection.likely_causes.map(({ cause }: { cause: string }) => cause);
    expect(causes).toEqual(['user_revoked', 'unknown', 'admin_restricted', 'account_unavailable']);
    expect(JSON.stringify(error)).toContain('Acme');
    expect(JSON.stringify(error)).not.toContain('Google');
  });

  test('end users read the provider’s name and nothing of Google, in their language', async () => {
    const session = async () => {
      const { data } = await post('/connect/sessions', { end_user: { id: 'alice' }, allowed_integrations: ['notes'] });
      return data.token;
    };
    const browser: Browser = await launchBrowser();
    try {
      for (const [locale, label, asks] of [
        ['en', 'Continue with Acme', 'asks for access to your Acme account.'],
        ['fr', 'Continuer avec Acme', 'demande l’accès à votre compte Acme.'],
      ] as const) {
        const page = await (await browser.newContext({ locale, baseURL: gateway.gatewayUrl })).newPage();
        const addresses = [
          `/connect#session_token=${await session()}`,
          `/oauth/connect/notes?connect_session_token=${await session()}`,
        ];
        for (const address of addresses) {
          await page.goto(address);
          await page.getByRole('button', { name: label }).waitFor();
          const text = await page.locator('main').innerText();
          expect(text).toContain(asks);
          expect(text).not.toContain('Google');
        }
      }
    } finally {
      await closePages(browser);
    }
  });

  test('a grant is revoked with the client’s credentials, which this server wants', async () => {
    const id = await connectAcme('notes');
    const refreshToken = (await json(`/connections/${id}?provider_config_key=notes&refresh_token=true`)).credentials;
    const before = acme.endedGrants();
    const deleted = await json(`/connections/${id}?provider_config_key=notes&revoke=true`, { method: 'DELETE' });
    expect(JSON.stringify(deleted)).toContain('"revoked"');
    expect(acme.endedGrants()).toBe(before + 1);
    expect(await acme.present(refreshToken?.refresh_token ?? 'none')).toBe(400);
  });
});
