// @module-tag long
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import {
  goWithin,
  openDashboard,
  settled,
  startDashboard,
  type TestDashboard,
  visit,
} from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';

const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-gateway-error, x-request-id',
};
const PAGES: readonly (readonly [path: string, empty: string])[] = [
  ['/', 'Nothing is set up yet'],
  ['/integrations', 'No integration yet'],
  ['/connections', 'Nobody is connected yet.'],
  ['/agents', 'No agent has a key.'],
  ['/keys', 'There are no secret keys.'],
  ['/getting-started', 'Connect an account first'],
];
/** Texts that would run, break the page or forge markup if they were anything but text. */
const NAUGHTY = [
  '<script>globalThis.injected = 1</script>',
  '"><img src=x onerror="globalThis.injected = 1">',
  "javascript:alert('x')",
  '{{constructor.constructor("globalThis.injected = 1")()}}',
  '\u202etxt.exe\u202c \u0000 \ufeff \u2028 zero\u200bwidth',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u0ba8\u0bbf \u0627\u0644\u0639\u0631\u0628\u064a\u0629 Z\u0351\u036b\u0343\u036a\u0302a\u0334l\u031b\u0363g\u034fo',
  '../../../etc/passwd%00',
  'a'.repeat(400),
];

describe('a page of the dashboard', () => {
  let test: TestGateway;
  let dashboard: TestDashboard;
  let page: Page;
  beforeAll(async () => {
    dashboard = await startDashboard('/', { seed: false });
    ({ test, page } = dashboard);
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());
  beforeEach(() => dashboard.load('/'));

  const api = () => `${test.gateway.gatewayUrl}/**`;
  const answer = (page: Page, respond: (route: Route) => Promise<void>) =>
    page.route(api(), (route) => (route.request().method() === 'OPTIONS' ? route.fallback() : respond(route)));

  it('says when there is nothing, and what to do first', async () => {
    await page.route(`${test.gateway.gatewayUrl}/account/keys`, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ headers: HEADERS, json: { data: [] } }) : route.fallback(),
    );
    for (const [path, empty] of PAGES) {
      await goWithin(page, path);
      await page.getByText(empty).first().waitFor();
    }
  });

  it('shows that it is loading', async () => {
    let held: (() => void)[] = [];
    await answer(page, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.fallback();
    });
    for (const [path] of PAGES) {
      await goWithin(page, path);
      await page
        .locator('[aria-label^="Loading"]')
        .or(page.getByText(/^Loading [a-z]/))
        .first()
        .waitFor();
      for (const go of held) go();
      held = [];
    }
  });

  it('says what failed with the request id, and tries again', async () => {
    let failing = true;
    const error = { code: 'internal_error', message: 'The gateway failed.', status: 500, request_id: 'request-77' };
    await answer(page, (route) =>
      failing
        ? route.fulfill({ status: 500, headers: { ...HEADERS, 'x-gateway-error': error.code }, json: { error } })
        : route.fallback(),
    );
    for (const [path, empty] of PAGES) {
      failing = true;
      await goWithin(page, path);
      await page.getByText('The gateway answered 500').first().waitFor();
      await page.getByText('request-77').first().waitFor();
      failing = false;
      await page.getByRole('button', { name: 'Try again' }).first().click();
      if (path !== '/keys') await page.getByText(empty).first().waitFor();
      else await page.getByText('First key').waitFor();
    }
  });

  it('says when it is offline and loads by itself when it is not any more', async () => {
    const { context } = dashboard;
    // A part of the dashboard that was not fetched before says something else without a network.
    await visit(page, '/keys');
    await page.getByRole('link', { name: 'Getting started' }).click();
    await settled(page);
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByText('No connection to the gateway').waitFor();
    await context.setOffline(false);
    await page.getByText('First key').waitFor();
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
  });

  it('a page of the dashboard that was never opened is fetched by itself when the network is back', async () => {
    // In a browser that has fetched nothing else.
    await using operator = await openDashboard(dashboard.browser, test, '/keys');
    const { page, context } = operator;
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByText('It will load when the network is back.').waitFor();
    await context.setOffline(false);
    await page.getByText('Nobody is connected yet.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/connections');
  });

  it('a page of the dashboard that a new version has replaced says so', async () => {
    await using operator = await openDashboard(dashboard.browser, test, '/keys');
    const { page } = operator;
    await page.route('**/assets/connections-page-*', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByText('the dashboard was updated since you opened it').waitFor();
    await page.unroute('**/assets/connections-page-*');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('Nobody is connected yet.').waitFor();
  });

  it('shows every text from outside as text (UI-4)', async () => {
    const { complaints } = dashboard;
    await answer(page, (route) => respondNaughtily(route));
    for (const path of [
      '/',
      '/integrations',
      '/integrations/one',
      '/integrations/one?tab=live',
      '/integrations/one?tab=credentials',
      '/integrations/one?tab=scopes',
      '/integrations/one?tab=settings',
      '/connections',
      '/connections/one/two',
      '/keys',
      '/getting-started',
    ]) {
      await visit(page, path);
      expect(await page.locator('img[src=x], main script, main iframe').count(), path).toBe(0);
    }
    await goWithin(page, '/');
    await page.getByRole('link', { name: 'Open the integration' }).first().waitFor();
    await page.getByRole('link', { name: 'Show the 2 connections' }).waitFor();
    await visit(page, '/connections/one/two');
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/ answered 200$/).waitFor();
    const shown = await page.locator('main').innerText();
    expect(shown).toContain(NAUGHTY[0]);
    expect(shown).toContain(NAUGHTY[1]);
    expect(await page.evaluate(() => 'injected' in globalThis)).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('a page of the dashboard at an id that looks like markup names it as text', async () => {
    await goWithin(page, `/connections/drive/${encodeURIComponent('<img src=x onerror=alert(1)>')}`);
    await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    await page.goto('/connections/drive/%E0%A4%A');
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  // Last, because the others need a gateway without connections.
  it('lists Getting started until a connection is there and a key has called', async () => {
    const entry = page.locator('#navigation').getByRole('link', { name: 'Getting started' });
    await entry.click();
    await page.getByRole('heading', { name: 'Create an integration' }).waitFor();
    const integration = { provider: 'google-drive', unique_key: 'google-drive', scopes: ['drive.file'] };
    await test.json('POST', '/integrations', { ...integration, credentials_source: 'test' });
    await connectAccount(test, 'google-drive');
    await visit(page, '/getting-started');
    await expect.poll(() => page.getByText('Done', { exact: true }).count()).toBe(4);
    expect(await entry.getAttribute('aria-current')).toBe('page');
    await goWithin(page, '/keys');
    await entry.waitFor({ state: 'detached' });
  });
});

/** An answer of the right shape in which every text is a naughty one. */
function respondNaughtily(route: Route): Promise<void> {
  const { pathname } = new URL(route.request().url());
  return route.fulfill({ headers: HEADERS, json: naughtyAnswer(pathname) });
}

function naughtyAnswer(path: string): unknown {
  const all = NAUGHTY.join(' ');
  const time = '2026-01-01T00:00:00Z';
  const scope = { scope: all, review_class: all, meaning: all };
  const integration = {
    unique_key: NAUGHTY[1],
    provider: NAUGHTY[2],
    display_name: all,
    logo: NAUGHTY[2],
    scopes: NAUGHTY,
    credentials_fault: { error: all, since: time },
    credentials: { client_id: all },
    created_at: all,
    updated_at: time,
    warnings: NAUGHTY,
  };
  const connection = {
    id: 1,
    connection_id: NAUGHTY[1],
    provider_config_key: NAUGHTY[0],
    provider: NAUGHTY[2],
    status: 'reauthorization_required',
    cause: all,
    end_user: { id: all, email: all, display_name: all, organization: { id: all, display_name: all } },
    tags: { [NAUGHTY[0] ?? '']: all },
    provider_account: { subject: all, email: all },
    created: all,
    created_at: all,
    updated_at: time,
    death: {
      status: 'x',
      cause: all,
      remedy: all,
      since: all,
      likely_causes: [{ cause: all, likelihood: 1, who: all, explanation: all, remedy: all }],
    },
    requested_scopes: NAUGHTY,
    granted_scopes: NAUGHTY,
    missing_scopes: NAUGHTY,
    forecasts: { testing_mode_ends_at: all, access_ends_at: all, refresh_token_limit: { live: 99, limit: 100 } },
  };
  if (path === '/quota') {
    const part = { used: 1e15, limit: 1, share: 1e15, forecast: 1e15, forecast_share: 1e15 };
    const project = { provider: all, cloud_project: all, units: part, bytes_out: part };
    return { data: { counted_until: all, day: all, resets_at: all, projects: [project], integrations: [], keys: [] } };
  }
  if (path === '/overview') return { data: naughtyOverview(all, time) };
  if (path.endsWith('/try')) return { data: { status: 200, content_type: all, body: all, duration_ms: 7 } };
  if (path.endsWith('/events'))
    return {
      events: [
        {
          event_id: '1',
          type: all,
          time: all,
          cause: all,
          remedy: all,
          actor: all,
          data: { webhook_id: all, reason: all },
        },
      ],
    };
  if (path.endsWith('/readiness')) {
    const step = { id: all, needed: true, what: all };
    return { data: { ready: false, redirect_uri: NAUGHTY[2], strictest_class: all, steps: [step], risks: NAUGHTY } };
  }
  if (path === '/connections') return { connections: [connection], next_cursor: null };
  if (path.startsWith('/connections/')) return connection;
  if (path === '/account/keys')
    return { data: [{ id: all, name: all, right: all, integration_ids: NAUGHTY, created_at: all }] };
  const provider = {
    name: all,
    display_name: all,
    auth_mode: all,
    logo_url: NAUGHTY[2],
    docs: NAUGHTY[2],
    categories: NAUGHTY,
    default_scopes: NAUGHTY,
    recommended_scopes: NAUGHTY,
    has_picker: true,
    scopes: [scope],
  };
  if (path === '/providers') return { data: [provider] };
  if (path.startsWith('/providers/')) return { data: provider };
  if (path.startsWith('/test-credentials/')) return { data: { provider: all, client_id: all } };
  return { data: path === '/integrations' ? [integration] : integration };
}

function naughtyOverview(all: string, time: string): unknown {
  const ref = { connection_id: NAUGHTY[1], provider_config_key: NAUGHTY[0] };
  return {
    read_at: all,
    counted_at: all,
    integrations: 1,
    statuses: { active: 0, reauthorization_required: 1, failing: 1 },
    health: { working: 0, failing: 1, refused_by_provider: 0, client_refused: 0, dead: 1 },
    by_integration: [],
    attention: ['client', 'incident', 'webhook', 'feed', 'security_events', 'budget', 'account', 'key', all].map(
      (kind) => ({
        kind,
        severity: all,
        title: all,
        explanation: all,
        who: all,
        steps: [all, `${all} `],
        warning: all,
        since: all,
        until: time,
        count: 1,
        total: 2,
        provider_config_key: all,
        state: 'dead',
        reason: all,
        id: all,
      }),
    ),
    causes: [{ cause: all, count: 1 }],
    status_by_day: [{ day: '2026-01-01', active: 0, reauthorization_required: 1 }],
    changes_by_day: [
      {
        day: '2026-01-01',
        created: 1,
        deleted: 0,
        died: 1,
        died_by_cause: [{ cause: all, count: 1 }],
        mended: 0,
        refreshes: { renewed: 0, refused: 1, client_refused: 0, failed: 0 },
      },
    ],
    ending_total: 1,
    ending_by_day: [{ day: '2026-01-01', count: 1 }],
    ending: [{ ...ref, end_user: { id: all, email: all }, ends_at: all, reason: all }],
    rejected_integrations: [{ unique_key: NAUGHTY[1], display_name: all, error: all, since: time }],
    crowded_accounts: [{ ...ref, email: all, live: 99, limit: 100 }],
  };
}
