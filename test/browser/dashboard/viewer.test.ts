// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL_OPERATORS } from '../../../dev/local/issuer/operators.ts';
import { connectAccount } from '../../support/connect.ts';
import {
  accessibilityProblems,
  dashboardUrl,
  settled,
  startDashboard,
  type TestDashboard,
  visit,
} from '../../support/dashboard.ts';
import { control } from '../../support/simulator.ts';

const VIEWER = LOCAL_OPERATORS.find(({ groups }) => groups?.includes('viewer'))?.email ?? '';

describe("a viewer's dashboard", () => {
  let dashboard: TestDashboard;
  let page: Page;
  /** Requests to the gateway that are no reading, by method and path. */
  const writes: string[] = [];
  let paths: readonly string[];
  beforeAll(async () => {
    dashboard = await startDashboard();
    const { test, browser } = dashboard;
    const deadId = await connectAccount(test, 'google-drive', { account: 'editor@workspace.example' });
    await control(test, 'POST', '/grants/kill', { account: 'editor@workspace.example', reason: 'admin_policy' });
    await test.call(`/connections/${deadId}/refresh?provider_config_key=google-drive`, { method: 'POST' });
    const keyId = String((await test.json('GET', '/account/keys')).body.data[0].id).slice(0, 12);
    const webhook = await test.json('POST', '/webhooks', { url: 'https://hooks.example.com/gateway' });
    const calendar = `/connections/google-calendar/${test.connectionId('google-calendar')}`;
    paths = [
      '/',
      '/integrations',
      '/new-integration',
      '/new-delegation',
      '/integrations/google-drive',
      '/integrations/google-drive?tab=settings',
      '/integrations/google-drive?do=rotate',
      '/connections',
      '/connections?status=reauthorization_required&do=reconnect',
      calendar,
      `${calendar}?tab=try`,
      `${calendar}?tab=calls`,
      `${calendar}?do=reconnect`,
      `/connections/google-drive/${deadId}`,
      `/connections/google-drive/${deadId}?do=reconnect`,
      '/calls',
      '/feeds',
      '/approvals',
      '/agents',
      '/webhooks',
      `/webhooks/${webhook.body.data.id}`,
      '/reconnect-links',
      '/erase-person?end_user=test-user',
      '/security-events',
      '/keys',
      `/keys/${keyId}`,
      '/audit',
      '/getting-started',
    ];
    const context = await browser.newContext({ baseURL: await dashboardUrl(test), reducedMotion: 'reduce' });
    page = await context.newPage();
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(request.method());
      if (isWrite && origin === new URL(test.gateway.gatewayUrl).origin) writes.push(`${request.method()} ${pathname}`);
    });
    await page.goto('/');
    await page.getByLabel(VIEWER).check();
    await page.getByRole('button', { name: 'Sign in as operator' }).click();
    await settled(page);
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  /** Presses the first enabled button in sight, dialogs included, that was not pressed yet. @returns its name; undefined without one */
  const pressNext = (pressed: readonly string[]) =>
    page.evaluate((done) => {
      const nameOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent ?? '';
      const next = [...document.querySelectorAll<HTMLButtonElement>('main button, [role=dialog] button')].find(
        (one) =>
          !one.disabled &&
          one.getAttribute('aria-disabled') !== 'true' &&
          one.checkVisibility() &&
          !done.includes(nameOf(one)),
      );
      next?.click();
      return next && nameOf(next);
    }, pressed);

  it('names the person as a viewer and sends nothing but reads, whatever is pressed on any page', async () => {
    expect(await page.locator('.operator').textContent()).toBe(`${VIEWER} (viewer)`);
    const pressed: string[] = [];
    for (const path of paths) {
      await visit(page, path);
      const address = page.url();
      const names: string[] = [];
      for (let name = await pressNext(names); name !== undefined; name = await pressNext(names)) {
        names.push(name);
        // The next button is one of the page as it was opened.
        if (page.url() !== address) await visit(page, path);
      }
      pressed.push(...names.map((name) => `${path} ${name}`));
    }
    expect(writes, pressed.join('\n')).toEqual([]);
    expect(pressed.length).toBeGreaterThan(20);
  });

  it('gives the reason with what is grey, and breaks no rule of accessibility', async () => {
    await visit(page, '/keys');
    const create = page.getByRole('button', { name: 'Create a secret key' });
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    const reasonId = (await create.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${reasonId}"]`).textContent()).toContain('You signed in as a viewer');
    expect(await accessibilityProblems(page)).toEqual([]);
    await visit(page, '/new-integration');
    expect(await page.locator('h1').textContent()).toBe('This page is for operators');
  });
});
