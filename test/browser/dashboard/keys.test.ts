// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../packages/client/src/index.ts';
import { accessibilityProblems, settled, startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

describe('secret keys in the dashboard', () => {
  let test: TestGateway;
  let dashboard: TestDashboard;
  let page: Page;
  let secretKey: string;
  beforeAll(async () => {
    // As high as the dialog of limits: axe takes a label below the edge of its scrolled part for one that nobody sees.
    dashboard = await startDashboard('/keys', {}, { viewport: { width: 1280, height: 1400 } });
    ({ test, page } = dashboard);
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  const keyWorks = async () =>
    (await fetch(`${test.gateway.gatewayUrl}/integrations`, { headers: { authorization: `Bearer ${secretKey}` } }))
      .status;

  it('secret keys in the dashboard are made, shown once and gone with the dialog (UI-6)', async () => {
    await page.getByRole('button', { name: 'Create a secret key' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Create the key' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Name').fill('Reports');
    await dialog.getByRole('radio', { name: /reading integrations/ }).check();
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    secretKey = (await page.getByRole('region', { name: 'secret key', exact: true }).textContent()) ?? '';
    expect(secretKey).toMatch(/^sk_default_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('row', { name: /Reports/ })
      .getByText('operator@example.com')
      .waitFor();
    await page
      .getByRole('row', { name: /First key/ })
      .getByText('The gateway itself')
      .waitFor();
    const remembered = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
    );
    expect((await page.content()) + remembered + page.url()).not.toContain(secretKey);
    expect(await keyWorks()).toBe(200);
  });

  it('LK-15: secret keys in the dashboard are limited by what they may call, with the methods that remain in words, and observe at first', async () => {
    await page.getByRole('button', { name: 'Create a secret key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Calendar bot');
    await dialog.getByRole('button', { name: /Methods it may call/ }).click();
    await page.getByRole('option', { name: /Calendar: read and download/ }).click();
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Units a day').fill('5000');
    await dialog.getByRole('radio', { name: /in the background/ }).check();
    await dialog.getByRole('button', { name: /May call 10 of 105 methods/ }).click();
    await dialog.getByText('Read the events of a calendar').waitFor();
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('row', { name: /Calendar bot/ })
      .getByText('Observed: 10 methods, a budget a day, calls in the background')
      .waitFor();
    const { data } = await (await test.call('/account/keys')).json();
    const { limits } = data.find((key: { name: string }) => key.name === 'Calendar bot');
    expect(limits).toMatchObject({
      mode: 'observe',
      allow: ['calendar:read'],
      day: { units: 5000 },
      priority: 'background',
    });
  });

  it('LK-15: secret keys in the dashboard are limited to everything that the API limits, from a preset on, with what is wrong at its field', async () => {
    const id = test.connectionId('google-calendar');
    await page.setViewportSize({ width: 1280, height: 3200 });
    await page.getByRole('button', { name: 'Create a secret key' }).click();
    const dialog = page.getByRole('dialog');
    const create = dialog.getByRole('button', { name: 'Create the key' });
    await dialog.getByLabel('Name').fill('Bookings');
    await dialog.getByRole('button', { name: 'Agent', exact: true }).click();
    expect(await dialog.getByLabel('Calls a day', { exact: true }).inputValue()).toBe('500');
    expect(await dialog.getByRole('radio', { name: /Observe first/ }).isChecked()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Connections/ }).click();
    await page.getByLabel('Search connections').fill(id.slice(0, 8));
    await page.getByRole('option', { name: new RegExp(`google-calendar · ${id}`) }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: /^Integrations it may call/ }).click();
    await page.getByRole('option', { name: 'google-calendar' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Tags of end users').fill('team');
    await dialog.getByText('Write each tag as name = value.').first().waitFor();
    expect(await create.isDisabled()).toBe(true);
    await dialog.getByLabel('Tags of end users').fill('team = finance');
    await dialog.getByLabel('Bytes a minute', { exact: true }).fill('lots');
    await dialog.getByText('Enter a whole number.').first().waitFor();
    await dialog.getByLabel('Bytes a minute', { exact: true }).fill('1,000,000');
    await dialog.getByLabel('Addresses').fill('not an address');
    await create.click();
    await dialog.getByText('must be an IPv4 or IPv6 address').first().waitFor();
    await dialog.getByLabel('Addresses').fill('203.0.113.0/24');
    await dialog.getByRole('radio', { name: /Enforce/ }).check();
    await create.click();
    await page.getByRole('region', { name: 'secret key', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const { data } = await (await test.call('/account/keys')).json();
    const { limits } = data.find((key: { name: string }) => key.name === 'Bookings');
    const { methods: _, expires_at, ...others } = limits;
    expect(others).toEqual({
      mode: 'enforce',
      allow: ['drive:read', 'calendar:read', 'drive:write', 'calendar:write'],
      approve: ['share', 'invite', 'replace', 'delete'],
      connections: [id],
      integrations: ['google-calendar'],
      end_users: { team: 'finance' },
      sources: ['203.0.113.0/24'],
      minute: { calls: 60, bytes: 1_000_000 },
      day: { calls: 500 },
      journal: true,
    });
    expect(expires_at).toMatch(/T00:00:00\.000Z$/);
    await page.setViewportSize({ width: 1280, height: 1400 });
  });

  it('LK-15: secret keys in the dashboard offer a typed id only after the search, so that no option moves under the pointer', async () => {
    const search = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const isSearch = (url: URL) => url.searchParams.get('q') === 'nobody-yet';
    await page.route(isSearch, async (route) => {
      asked.resolve();
      await search.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Create a secret key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Connections/ }).click();
    await page.getByLabel('Search connections').fill('nobody-yet');
    await asked.promise;
    await page.getByText('Searching', { exact: true }).first().waitFor();
    const typed = page.getByRole('option', { name: /nobody-yet/ });
    expect(await typed.count()).toBe(0);
    search.resolve();
    await typed.click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.unroute(isSearch);
  });

  it('LK-15: secret keys in the dashboard show by method what their limits would have refused, before they are enforced, and keep those that nobody changes', async () => {
    const { data } = await (await test.call('/account/keys')).json();
    const { id } = data.find((key: { name: string }) => key.name === 'Calendar bot');
    const limits = {
      mode: 'observe',
      allow: ['calendar:read'],
      day: { units: 5000, calls: 70 },
      connections: ['team'],
    };
    expect((await test.json('PATCH', `/account/keys/${id}`, { limits })).status).toBe(200);
    await page.route(`${test.gateway.gatewayUrl}/account/keys/${id}/observed`, (route) =>
      route.fulfill({
        headers: { 'access-control-allow-origin': '*' },
        json: {
          data: {
            since: '2026-02-23T00:00:00.000Z',
            counted_until: '2026-03-01T10:00:00.000Z',
            calls: 5120,
            would_refuse: 12,
            rows: [
              { limit: 'methods', method: 'calendar.events.delete', calls: 9, last_at: '2026-02-27T08:12:40.000Z' },
              { limit: 'day.units', method: null, calls: 3, last_at: '2026-02-28T23:50:02.000Z' },
            ],
          },
        },
      }),
    );
    await page.reload();
    await page.getByRole('link', { name: 'Calendar bot' }).click();
    await page.getByRole('button', { name: 'Change the limits' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Of the 5,120 proxied calls of the last 7 days, 12 would have been refused.').waitFor();
    await dialog.getByRole('row', { name: /[A-Z].*.*calendar\.events\.delete.*Methods.*9/ }).waitFor();
    await dialog.getByRole('row', { name: /No method that limits can name.*Units a day.*3/ }).waitFor();
    const typed = (label: string) => dialog.getByLabel(label, { exact: true }).inputValue();
    expect([await typed('Calls a day'), await typed('Units a day')]).toEqual(['70', '5000']);
    await dialog
      .getByRole('button', { name: /^Remove team|^Dismiss team|team/ })
      .first()
      .waitFor();
    // axe takes labels that are scrolled out of sight for missing.
    await page.setViewportSize({ width: 1280, height: 3200 });
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('radio', { name: /Enforce/ }).check();
    await dialog.getByRole('button', { name: 'Save the limits' }).click();
    await page.getByText('Changed the limits of Calendar bot.').waitFor();
    await visit(page, '/keys');
    await page
      .getByRole('row', { name: /Calendar bot/ })
      .getByText('10 methods, 1 connection, a budget a day')
      .waitFor();
    const after = await (await test.call('/account/keys')).json();
    const changed = after.data.find((key: { id: string }) => key.id === id);
    expect(changed.limits).toMatchObject({ ...limits, mode: 'enforce' });
    await page.unroute(`${test.gateway.gatewayUrl}/account/keys/${id}/observed`);
  });

  it('secret keys in the dashboard have a page each, with all of their limits, their use and what they did, also under the address of before', async () => {
    const { data } = await (await test.call('/account/keys')).json();
    const { id } = data.find((key: { name: string }) => key.name === 'Calendar bot');
    await visit(page, `/keys?key=${id.slice(0, 12)}`);
    await page.getByRole('heading', { name: 'Calendar bot', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/keys/${id.slice(0, 12)}`);
    const limits = page.getByRole('tabpanel');
    for (const text of [
      'Enforced: calls outside are refused',
      'calendar:read',
      'team',
      'At most 70',
      'At most 5,000',
    ]) {
      await limits.getByText(text, { exact: true }).waitFor();
    }
    await page.getByRole('button', { name: 'The 10 methods that it may call' }).click();
    await page.getByText('Read the events of a calendar').waitFor();
    await page.getByRole('tab', { name: 'Use', exact: true }).click();
    await page.getByText(/^(No call is counted yet|No calls in the last 14 days, counted until .+)\.$/).waitFor();
    await page.getByRole('link', { name: 'Its failed calls' }).waitFor();
    await page.getByRole('tab', { name: 'What it did' }).click();
    await page.getByText('Nothing that this key wrote is on record').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await visit(page, '/keys/0123456789ab');
    await page.getByText('No key has an id that begins with').waitFor();
    await visit(page, '/keys');
  });

  it('MC-20: secret keys in the dashboard list agent keys as well, each created for one end user and shown once with the settings of an assistant', async () => {
    await page.getByRole('button', { name: 'Create an agent key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Planner');
    await dialog.getByLabel('End user').fill('nobody');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByText('has no connection here').first().waitFor();
    await dialog.getByLabel('End user').fill('first-user');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const key = (await page.getByRole('region', { name: 'agent key', exact: true }).textContent()) ?? '';
    expect(key).toMatch(/^ak_default_/);
    const settings = await page.getByRole('region', { name: 'settings of Claude Code' }).textContent();
    expect(settings).toBe(
      `claude mcp add --transport http google ${test.gateway.gatewayUrl}/mcp --header "Authorization: Bearer ${key}"`,
    );
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('row', { name: /Planner/ })
      .getByText('Assistant of first-user with google-calendar, google-drive')
      .waitFor();
    // AP-20: its writes can be undone unless the operator says otherwise.
    const { data } = await (await test.call('/account/keys')).json();
    const planner = data.find(({ name }: { name: string }) => name === 'Planner');
    expect(planner.limits).toMatchObject({ mode: 'enforce', journal: true });
  });

  it('IA-11: secret keys in the dashboard have IAM roles alongside them, which are registered by their ARN, distinguished and refused when they are none', async () => {
    await page.getByRole('button', { name: 'Register an IAM role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Nightly export');
    expect(await dialog.getByRole('button', { name: 'Register the role' }).isDisabled()).toBe(true);
    await dialog.getByLabel('ARN of the role').fill('arn:aws:iam::111122223333:user/nightly-export');
    await dialog.getByRole('button', { name: 'Register the role' }).click();
    await dialog
      .getByText(/must be the ARN of one IAM role/)
      .first()
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const arn = 'arn:aws:iam::111122223333:role/jobs/nightly-export';
    await dialog.getByLabel('ARN of the role').fill(arn);
    await dialog.getByLabel(/Unique id/).fill('AROAEXAMPLEEXAMPLE123');
    await dialog.getByRole('button', { name: 'Register the role' }).click();
    await page.getByText('Registered Nightly export.').waitFor();
    await page
      .getByRole('row', { name: /Nightly export/ })
      .getByText(`IAM role ${arn}`)
      .waitFor();
    const { data } = await (await test.call('/account/keys')).json();
    const record = data.find((key: { name: string }) => key.name === 'Nightly export');
    expect([record.role_arn, record.role_id]).toEqual([arn, 'AROAEXAMPLEEXAMPLE123']);
  });

  it('secret keys in the dashboard are shown as revoked at once, and revoked', async () => {
    await page.getByRole('button', { name: 'Revoke Reports' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click();
    await page
      .getByRole('row', { name: /Reports/ })
      .getByText(/Revoked/)
      .waitFor();
    await page.getByText('It stops working within a minute.').waitFor();
    const keys = await (await test.call('/account/keys')).json();
    const record = keys.data.find((key: { name: string }) => key.name === 'Reports');
    expect(record.revoked_at).not.toBeNull();
  });

  it('secret keys in the dashboard are shown as active again when the gateway could not revoke them', async () => {
    await page.route(`${test.gateway.gatewayUrl}/account/keys/**`, (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
    );
    await page.getByRole('button', { name: 'Revoke First key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click();
    await page.getByText('No connection to the gateway').waitFor();
    await page.getByRole('button', { name: 'Revoke First key' }).waitFor();
    await page.unroute(`${test.gateway.gatewayUrl}/account/keys/**`);
  });

  it('secret keys in the dashboard need a fresh sign-in when the last one is too long ago, which keeps what was typed and then makes a key that reads tokens (UI-6, AK-17)', async () => {
    const refusal = { code: 'recent_sign_in_required', message: 'Too long ago.', status: 403, request_id: 'one' };
    await page.route(`${test.gateway.gatewayUrl}/account/keys`, (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const headers = {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'x-gateway-error',
        'x-gateway-error': refusal.code,
      };
      return route.fulfill({ status: 403, headers, json: { error: refusal } });
    });
    await page.getByRole('button', { name: 'Create a secret key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Other');
    await page.getByRole('dialog').getByRole('radio', { name: 'Proxied calls only' }).check();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'May read access and refresh tokens' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('Confirm that it is you').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in again' }).click();
    // The issuer asks although it knows this browser.
    await page.getByRole('button', { name: 'Sign in as operator' }).click();
    await settled(page);
    expect(new URL(page.url()).pathname).toBe('/keys');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Other');
    expect(await dialog.getByRole('radio', { name: 'Proxied calls only' }).isChecked()).toBe(true);
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toBe('{}');
    expect(await dialog.getByRole('checkbox', { name: 'May read access and refresh tokens' }).isChecked()).toBe(true);
    await page.unroute(`${test.gateway.gatewayUrl}/account/keys`);
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('region', { name: 'secret key', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Other/ }).getByText('and read access tokens').waitFor();
  });

  it('secret keys in the dashboard that read tokens are refused where operators sign in without a second factor, and say what to do (AK-17)', async () => {
    const refusal = {
      code: 'second_factor_required',
      message: 'Deploy with gateway:operatorMfa=required.',
      status: 403,
      request_id: 'two',
    };
    await page.route(`${test.gateway.gatewayUrl}/account/keys`, (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const headers = {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'x-gateway-error',
        'x-gateway-error': refusal.code,
      };
      return route.fulfill({ status: 403, headers, json: { error: refusal } });
    });
    await page.getByRole('button', { name: 'Create a secret key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Exports');
    await dialog.getByRole('checkbox', { name: 'May read access and refresh tokens' }).check();
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByText('This needs a second factor').waitFor();
    await dialog.getByText('gateway:operatorMfa=required').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.unroute(`${test.gateway.gatewayUrl}/account/keys`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('secret keys in the dashboard stand alongside webhooks, which are made, prove themselves and show what was sent (WH-15, WH-16)', async () => {
    await using receiver = await startWebhookReceiver();
    receiver.answer('/hook', (response) => response.writeHead(401).end('no secret yet'));
    await visit(page, '/webhooks');
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('Endpoint').fill('http://hooks.example.com/');
    await page.getByRole('button', { name: 'Add it' }).click();
    await page.getByRole('dialog').getByText('must use https').first().waitFor();
    await page.getByLabel('Endpoint').fill(`${receiver.address}/hook`);
    await page.getByRole('button', { name: 'Add it' }).click();
    const secret = (await page.getByRole('region', { name: 'webhook secret', exact: true }).textContent()) ?? '';
    await page.getByRole('button', { name: 'Send endpoint.test and enable' }).click();
    await page.getByText('it answered 401 when it received endpoint.test').first().waitFor();
    receiver.answer('/hook', (response) => response.writeHead(204).end());
    await page.getByRole('button', { name: 'Send endpoint.test and enable' }).click();
    await page.getByRole('row', { name: /hook/ }).getByText('Enabled').waitFor();
    const proof = receiver.messages.at(-1);
    expect(await verifyWebhook(proof?.body ?? '', proof?.headers ?? {}, secret)).toMatchObject({
      type: 'endpoint.test',
    });
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('link', { name: /\/hook$/ }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/The test: 204/).waitFor();
    const deliveries = page.getByRole('treegrid', { name: 'Deliveries' });
    await expect.poll(() => deliveries.getByText('endpoint.test').count()).toBe(3);
    const groups = await deliveries.getByText(/^(Given up|Delivered) \(/).allInnerTexts();
    expect(groups).toEqual(['Given up (1)', 'Delivered (2)']);
    await deliveries
      .getByRole('button', { name: /expand/i })
      .first()
      .click();
    await deliveries.getByText(/^401/).waitFor();
    await deliveries.getByText('no secret yet').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
