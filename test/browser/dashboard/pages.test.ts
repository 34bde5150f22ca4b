import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import {
  accessibilityProblems,
  dashboardUrl,
  type OperatorBrowser,
  openDashboard,
  settled,
  startDashboard,
  type TestDashboard,
  visit,
} from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { control } from '../../support/simulator.ts';
import { problemsInAnyLook } from './looks.ts';

/** Movement of what is on the page already, as the browser scores it ("Cumulative Layout Shift": good up to 0.1). */
const LAYOUT_SHIFT_MAX = 0.1;

describe('every page of the dashboard', () => {
  let test: TestGateway;
  let dashboard: TestDashboard;
  let browser: Browser;
  let paths: readonly string[];
  beforeAll(async () => {
    dashboard = await startDashboard('/', {}, { colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    ({ test, browser } = dashboard);
    const deadId = await connectAccount(test, 'google-drive', { account: 'editor@workspace.example' });
    await control(test, 'POST', '/grants/kill', { account: 'editor@workspace.example', reason: 'admin_policy' });
    await test.call(`/connections/${deadId}/refresh?provider_config_key=google-drive`, { method: 'POST' });
    const keyId = String((await test.json('GET', '/account/keys')).body.data[0].id).slice(0, 12);
    paths = [
      '/',
      '/integrations',
      '/new-integration',
      '/integrations/google-drive',
      '/connections',
      `/connections/google-calendar/${test.connectionId('google-calendar')}`,
      `/connections/google-drive/${deadId}`,
      '/calls',
      '/feeds',
      '/approvals',
      '/agents',
      '/webhooks',
      '/reconnect-links',
      '/erase-person?end_user=test-user',
      '/security-events',
      '/keys',
      `/keys/${keyId}`,
      '/audit',
      '/getting-started',
      '/nothing-here',
    ];
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  /** Rules the page at hand breaks, and whether it is too wide. */
  async function problemsOf(page: Page, path: string): Promise<string[]> {
    const problems = (await accessibilityProblems(page)).map((problem) => `${path} ${problem}`);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    return excess > 0 ? [...problems, `${path} is ${excess} px too wide`] : problems;
  }

  /** Tables of the page at hand that are wider than the place they have. */
  const cutTables = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll('table')].flatMap((table) => {
        const frame = table.parentElement;
        // Tables that stand for pictures are there for screen readers alone.
        if (frame === null || frame.clientWidth < 50) return [];
        const excess = frame.scrollWidth - frame.clientWidth;
        return excess > 1 ? [`a table is cut by ${excess} px`] : [];
      }),
    );

  /** Entries of the navigation that are lit; the navigation of a phone is closed. */
  const lit = (page: Page) => page.locator('#navigation [aria-current=page]');

  /** Addresses of the page at hand in which a line ends inside a word: what stands before and behind the break. */
  const brokenAddresses = (page: Page) =>
    page.evaluate(() => {
      const broken: string[] = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        const text = node.textContent ?? '';
        if (node.parentElement?.closest('span.wrap')?.textContent?.includes('@') !== true) continue;
        for (let i = 1; i < text.length; i++) {
          const [before, behind] = [i - 1, i].map((at) => {
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            return range.getBoundingClientRect();
          });
          const isWord = /^[\p{L}\p{N}]{2}$/u.test(text.slice(i - 1, i + 1));
          if (isWord && (behind?.top ?? 0) - (before?.top ?? 0) > 8)
            broken.push(`${text.slice(0, i)}|${text.slice(i)}`);
        }
      }
      return broken;
    });

  it('breaks the lines of e-mail addresses behind their signs at 390 px, and not inside words', {
    tags: ['long'],
  }, async () => {
    const { page } = dashboard;
    const shown = page.getByText('editor@workspace.example').filter({ visible: true });
    for (const path of paths.filter((one) => one.startsWith('/connections'))) {
      await visit(page, path);
      if (path.includes('google-drive')) expect(await shown.count()).toBeGreaterThan(0);
      expect(await brokenAddresses(page), path).toEqual([]);
    }
  });

  /** Visits pages, and what is wrong with any of them: by what is asked of each, its headings, its title and its policy. */
  async function expectFlawless(
    { page, complaints }: OperatorBrowser,
    visited: readonly string[],
    problems: (page: Page, path: string) => Promise<readonly string[]>,
  ): Promise<void> {
    const titles = new Set<string>();
    const found: string[] = [];
    for (const path of visited) {
      await visit(page, path);
      expect(await page.locator('h1').count(), path).toBe(1);
      expect(await lit(page).count(), path).toBe(path === '/nothing-here' ? 0 : 1);
      titles.add(await page.title());
      found.push(...(await problems(page, path)));
    }
    expect(titles.size).toBe(visited.length);
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
  }

  it('an overview, a list, one of its entries and a form break no rule of accessibility or policy in dark at 390 px', () =>
    expectFlawless(
      dashboard,
      paths.filter((path) => ['/', '/connections', '/new-integration'].includes(path) || path.startsWith('/keys/')),
      problemsOf,
    ));

  it('every page of the dashboard breaks no rule of accessibility or policy at 390, 1024 and 1440 px in both themes, has one h1 and a title of its own, fits, and shows every column of its tables', {
    tags: ['long'],
  }, async () => {
    await using operator = await openDashboard(browser, test);
    await expectFlawless(operator, paths, (page, path) =>
      problemsInAnyLook(page, path, { height: 900, further: cutTables }),
    );
  });

  it('every page of the dashboard has its menu in sight on a phone, however far the page was scrolled', async () => {
    const { page } = dashboard;
    await visit(page, '/integrations/google-drive?tab=settings');
    await page.getByRole('button', { name: 'Delete the integration' }).scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Menu' }).click();
    const link = page.getByRole('link', { name: 'Keys', exact: true });
    expect((await link.boundingBox())?.y).toBeGreaterThan(48);
    await link.click();
    await page.getByText('First key').waitFor();
    expect(await link.isVisible()).toBe(false);
  });

  it('loaded in light at 1280 px has one h1, a title of its own, breaks no policy, and does not jump', {
    tags: ['long'],
  }, async () => {
    await using operator = await openDashboard(browser, test);
    const { page, complaints } = operator;
    await page.addInitScript(() => {
      Object.assign(globalThis, { shifted: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          if (!('value' in entry) || typeof entry.value !== 'number') continue;
          Object.assign(globalThis, { shifted: Number(Reflect.get(globalThis, 'shifted')) + entry.value });
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const titles = new Set<string>();
    for (const path of paths) {
      await page.goto(path);
      await settled(page);
      expect(await page.locator('h1').count(), path).toBe(1);
      if (path === '/') {
        const tops = page.locator('.figure').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
        expect(new Set(await tops).size, 'figures in one line').toBe(1);
      }
      titles.add(await page.title());
      const shifted = await page.evaluate(() => Number(Reflect.get(globalThis, 'shifted')));
      expect(shifted, path).toBeLessThan(LAYOUT_SHIFT_MAX);
    }
    expect(titles.size).toBe(paths.length);
    expect(complaints).toEqual([]);
  });

  it('breaks none in its dialogs', { tags: ['long'] }, async () => {
    await using operator = await openDashboard(browser, test, '/connections');
    const { page } = operator;
    // As high as the longest dialog: axe takes labels that a dialog has to be scrolled to for hidden ones.
    await page.setViewportSize({ width: 1280, height: 2400 });
    const found: string[] = [];
    for (const [path, button] of [
      ['/connections', 'Create a test connection'],
      ['/connections', 'Share a connect link'],
      ['/keys', 'Create a secret key'],
      [`/connections/google-drive/${test.connectionId('google-drive')}`, 'Delete'],
      [`/connections/google-drive/${test.connectionId('google-drive')}`, 'Reconnect'],
      ['/integrations/google-drive?tab=credentials', 'Use your own client'],
    ] as const) {
      await visit(page, path);
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      found.push(...(await accessibilityProblems(page)).map((problem) => `${button} ${problem}`));
    }
    expect(found).toEqual([]);
  });

  it('every page of the dashboard is reached by keyboard alone, and the focus goes to it', {
    tags: ['long'],
  }, async () => {
    await using operator = await openDashboard(browser, test);
    const { page } = operator;
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.getByRole('link', { name: 'Connections', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.querySelector('h1')?.textContent)).toBe('Connections');
    await page.getByRole('button', { name: 'Create a test connection' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Create a test connection');
  });

  it('says of each address that leads nowhere that there is no such page, and takes the focus there', async () => {
    const { page } = dashboard;
    for (const path of ['/nothing-here', '/nor/there?really']) {
      await visit(page, path);
      await page.getByRole('heading', { name: 'There is no such page', level: 1 }).waitFor();
      const focused = () => page.evaluate(() => document.activeElement?.querySelector('h1')?.textContent);
      await expect.poll(focused).toBe('There is no such page');
    }
  });

  it('comes compressed, as from the deployed site', async () => {
    const url = await dashboardUrl(test);
    const script = /src="([^"]+\.js)"/.exec(await (await fetch(url)).text())?.[1] ?? '';
    const { headers } = await fetch(new URL(script, url));
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['gzip', 'accept-encoding']);
    const plain = await fetch(new URL(script, url), { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
  });

  it('every page of the dashboard is light or dark as the operator chooses, also after a reload', {
    tags: ['long'],
  }, async () => {
    const { page } = dashboard;
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByLabel('Colours').selectOption('Dark');
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.reload();
    await settled(page);
    expect(await background()).toBe(dark);
    await page.getByLabel('Colours').selectOption('Light');
    expect(await background()).not.toBe(dark);
  });

  /** Changes the answer of one route on its way. */
  const change = (path: string, edit: (data: Record<string, unknown>) => void) =>
    dashboard.page.route(`${test.gateway.gatewayUrl}${path}`, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      const json = await response.json();
      edit(json.data);
      await route.fulfill({ response, json });
    });

  it('calls nothing well and shows no figure on the overview before all connections were counted', {
    tags: ['long'],
  }, async () => {
    const { page } = dashboard;
    await dashboard.load('/');
    await change('/overview', (data) => Object.assign(data, { counted_at: null, attention: [] }));
    await change('/quota', (data) => Object.assign(data, { counted_until: null }));
    await visit(page, '/');
    await page.getByText('Not known yet: connections that fail or end soon.').waitFor();
    await page.getByText('Not known yet: the use of quotas.').waitFor();
    expect(await page.getByText('Nothing needs you').count()).toBe(0);
    expect(await page.getByText('All well').count()).toBe(0);
    expect(await page.getByRole('link', { name: /: not counted yet$/ }).allInnerTexts()).toEqual([
      '–',
      '–',
      '–',
      '–',
      '–',
    ]);
    await page.getByText('No known end').waitFor({ state: 'detached' });
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('names on the overview the Cloud project that runs out of its day, with its integrations, and calls small shares well', {
    tags: ['long'],
  }, async () => {
    const { page } = dashboard;
    await dashboard.load('/');
    const part = (share: number, forecast_share: number) => ({
      ...{ used: share * 1000, limit: 1000, share, forecast: forecast_share * 1000, forecast_share },
    });
    const projects = (units: unknown) => [
      {
        ...{ provider: 'google-drive', cloud_project: '123', integrations: ['google-drive'], units },
        ...{ bytes_out: part(0.001, 0.002), busiest_minute: null, units_per_minute_and_user: null },
      },
    ];
    let units = part(0.4, 1.4);
    await change('/overview', (data) => Object.assign(data, { counted_at: new Date().toISOString(), attention: [] }));
    await change('/quota', (data) =>
      Object.assign(data, { counted_until: new Date().toISOString(), projects: projects(units) }),
    );
    await visit(page, '/');
    const row = page.getByRole('list', { name: 'Needs attention' }).locator('> li');
    await row.getByText('Drive units, project 123 (Google Drive): will run out before the day ends').waitFor();
    await page.getByText('1 other limit is below 1 %.').waitFor();
    await row.getByRole('button', { name: /^Details/ }).click();
    await row.getByText('140 % expected by the end of the day').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await row.getByRole('link', { name: 'Show the quotas' }).click();
    await page.locator('#quotas').getByText('140 % expected').waitFor();
    units = part(0.001, 0.002);
    await visit(page, '/');
    await page.getByText('All well: all 2 limits are below 1 %.').waitFor();
    await page.getByText('Nothing needs you').waitFor();
    await dashboard.load('/');
  });

  it.each(['has no answer'])(
    'says within 20 seconds that a refresh %s, greys what it shows, and recovers by itself',
    recoversByItself,
  );
  it.each(['is refused'])(
    'says within 20 seconds that a refresh %s, greys what it shows, and recovers by itself',
    { tags: ['long'] },
    recoversByItself,
  );

  async function recoversByItself(what: string): Promise<void> {
    // The clock of a page stays what it is: a page of its own.
    await using operator = await openDashboard(browser, test, '/nothing-here');
    const { page } = operator;
    // No time passes in the page but what the test lets pass.
    const start = Date.now();
    await page.clock.install({ time: start });
    await page.clock.pauseAt(start + 1_000);
    await visit(page, '/webhooks');
    await page.getByText('Updated just now').waitFor();
    const asked: (() => void)[] = [];
    await page.route(`${test.gateway.gatewayUrl}/webhooks`, async (route) => {
      const answered = new Promise<void>((resolve) => asked.push(resolve));
      if (what === 'has no answer') await answered;
      // When the page gave up or was left, Playwright has ended the route.
      await route.abort('connectionrefused').catch(() => {});
    });
    const bar = page.getByText('tries again by itself');
    for (let seconds = 1; seconds <= 20; seconds += 1) {
      await page.clock.runFor(1_000);
      // The refusal of a request that was sent arrives in the time of the test.
      if (asked.length > 0 && what === 'is refused') break;
    }
    expect(asked).toHaveLength(1);
    await bar.waitFor();
    expect(await page.locator('.stale').getByRole('heading', { name: 'Webhooks', level: 1 }).count()).toBe(1);
    // axe waits by the clock of the page.
    await page.clock.resume();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.unroute(`${test.gateway.gatewayUrl}/webhooks`);
    for (const answer of asked) answer();
    await bar.waitFor({ state: 'detached' });
    expect(await page.locator('.stale').count()).toBe(0);
  }

  it('shows readers of pictures which period they cover', { tags: ['long'] }, async () => {
    await using operator = await openDashboard(browser, test);
    const { page } = operator;
    for (const text of [
      /At the end of each day/,
      'Connections that need a new authorization today, whenever that began.',
      /All attempts of (today|the last \d+ days) \(UTC\)/,
      'The next 7 days (UTC)',
    ]) {
      await page.getByText(text).waitFor();
    }
    await page.getByText('Blocked by an administrator').filter({ visible: true }).first().waitFor();
  });
});
