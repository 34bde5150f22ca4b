import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  dashboardUrl,
  openDashboard,
  settled,
  signIn,
  startDashboard,
  type TestDashboard,
} from '../../support/dashboard.ts';

describe("an operator's sign-in", () => {
  let dashboard: TestDashboard;
  let page: Page;
  beforeAll(async () => {
    dashboard = await startDashboard('/keys');
    ({ page } = dashboard);
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  it('leads back to the page that was asked for, filter and all', { tags: ['long'] }, async () => {
    const { browser, test } = dashboard;
    await using operator = await openDashboard(browser, test, '/connections?status=active');
    expect(new URL(operator.page.url()).search).toBe('?status=active');
    expect(await operator.page.getByRole('heading', { level: 1 }).textContent()).toBe('Connections');
    expect(operator.complaints).toEqual([]);
  });

  it('leaves no token in web storage, cookies of the dashboard or the address (UI-2, UI-6)', async () => {
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).toBe('[{},{}]');
    expect(await page.evaluate(() => document.cookie)).toBe('');
    expect(page.url()).toBe(`${await dashboardUrl(dashboard.test)}/keys`);
  });

  it('survives a reload without a question (UI-2)', async () => {
    await page.reload();
    await settled(page);
    expect(new URL(page.url()).pathname).toBe('/keys');
  });

  it('sends a fresh state, nonce and S256 challenge each time (CS-12)', async () => {
    const url = await dashboardUrl(dashboard.test);
    const context = await dashboard.browser.newContext();
    const page = await context.newPage();
    const seen: URLSearchParams[] = [];
    for (let time = 0; time < 2; time += 1) {
      await page.goto(url);
      await page.getByRole('button', { name: 'Sign in as operator' }).waitFor();
      seen.push(new URL(page.url()).searchParams);
    }
    await context.close();
    expect(seen.map((params) => params.get('code_challenge_method'))).toEqual(['S256', 'S256']);
    expect(seen.map((params) => params.get('response_type'))).toEqual(['code', 'code']);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const values = seen.map((params) => params.get(name));
      expect(values[0]).toMatch(/.{20,}/);
      expect(values[0]).not.toBe(values[1]);
    }
  });

  it("an operator's sign-in is refused when its response was begun in another browser (CS-12)", async () => {
    const { browser, test } = dashboard;
    const url = await dashboardUrl(test);
    const attacker = await browser.newContext();
    const page = await attacker.newPage();
    await page.goto(url);
    const chosen = page.locator('input[name=operator]').first();
    const form = { operator: (await chosen.getAttribute('value')) ?? '' };
    const answer = await attacker.request.post(page.url(), { form, maxRedirects: 0, headers: { origin: url } });
    const response = answer.headers().location ?? '';
    expect(response).toContain(`${url}/signed-in?`);
    expect(response).toContain('code=');
    const victim = await browser.newContext();
    const victimPage = await victim.newPage();
    await victimPage.goto(response);
    await victimPage.getByRole('heading', { name: 'The sign-in failed' }).waitFor();
    expect(new URL(victimPage.url()).search).toBe('');
    await attacker.close();
    await victim.close();
  });

  it('ends at the issuer too', { tags: ['long'] }, async () => {
    const { browser, test } = dashboard;
    await using operator = await openDashboard(browser, test);
    await operator.page.getByRole('button', { name: 'Sign out' }).click();
    await operator.page.getByRole('heading', { name: 'Signed out' }).waitFor();
    await operator.page.getByRole('button', { name: 'Sign in' }).click();
    await signIn(operator.page);
    expect(new URL(operator.page.url()).pathname).toBe('/');
  });

  it('ends in every tab when it ends in one', async () => {
    const { browser, test } = dashboard;
    await using operator = await openDashboard(browser, test);
    const other = await operator.context.newPage();
    await other.goto('/keys');
    await settled(other);
    await operator.page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Signed out' }).waitFor();
    await operator.page.getByRole('heading', { name: 'Signed out' }).waitFor();
    // Nothing leads back to what was shown.
    await other.goBack();
    expect(await other.getByText('First key').count()).toBe(0);
  });

  it("an operator's sign-in that the gateway no longer takes is renewed once, then asked for", {
    tags: ['long'],
  }, async () => {
    const keys = `${dashboard.test.gateway.gatewayUrl}/account/keys`;
    await dashboard.load('/');
    let refused = 0;
    const refusal = { code: 'invalid_operator_token', message: 'It has ended.', status: 401, request_id: 'one' };
    await page.route(keys, (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      refused += 1;
      return route.fulfill({
        status: 401,
        headers: {
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'x-gateway-error',
          'x-gateway-error': refusal.code,
        },
        json: { error: refusal },
      });
    });
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('dialog', { name: 'Your sign-in has ended' }).waitFor();
    expect(refused).toBe(2);
    await page.unroute(keys);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in again' }).click();
    await page.getByText('First key').waitFor();
    expect(new URL(page.url()).pathname).toBe('/keys');
  });

  it('lets no injected script run (UI-1)', async () => {
    const outcome = await page.evaluate(async () => {
      const said = (attack: () => void): string => {
        try {
          attack();
          return 'let through';
        } catch (error) {
          return String(error);
        }
      };
      const refusals = [
        said(() => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="globalThis.injected = 1">')),
        said(() => document.createElement('a').setAttribute('onclick', 'globalThis.injected = 1')),
        said(() => {
          document.createElement('script').text = 'globalThis.injected = 1';
        }),
        said(() => {
          document.createElement('script').src = 'https://attacker.example/script.js';
        }),
      ];
      const blocked = new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
          if (blockedURI.startsWith('https://attacker.example')) resolve(violatedDirective);
        });
      });
      const sent = await fetch('https://attacker.example/').catch((error: unknown) => String(error));
      return { refusals, blocked: await blocked, sent, injected: 'injected' in globalThis };
    });
    for (const refusal of outcome.refusals) expect(refusal).toMatch(/Trusted(HTML|Script|ScriptURL)/);
    expect(outcome.blocked).toBe('connect-src');
    expect(outcome.sent).toContain('Failed to fetch');
    expect(outcome.injected).toBe(false);
  });
});
