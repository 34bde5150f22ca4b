// @module-tag long
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyWith } from '../../integration/api/keys.ts';
import { approvalTools, WRITING } from '../../integration/approvals/support.ts';
import { closePages, launchBrowser } from '../../support/browser.ts';
import { accessibilityProblems } from '../../support/dashboard.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

describe('the page of an approval in a browser', () => {
  const gateway = useTestGateway({ rules: true, fresh: true, seedScopes: WRITING });
  const tools = approvalTools(gateway);
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser && closePages(browser));

  test('AP-13: the page of an approval in a browser is read and decided on a phone, dark, and has no fault that axe finds', () =>
    isDecided('dark'));
  test(
    'AP-13: the page of an approval in a browser is read and decided on a phone, light, and has no fault that axe finds',
    { tags: ['long'] },
    () => isDecided('light'),
  );

  async function isDecided(colorScheme: 'light' | 'dark'): Promise<void> {
    const key = await keyWith(gateway, {
      name: 'Assistant',
      right: 'proxy',
      limits: { mode: 'enforce', approve: ['delete'] },
    });
    const file = await tools.newFile('Quarterly plan and figures of the whole team.txt');
    const { approval_id: id, url } = await tools.hold(key, 'DELETE', `/files/${file}`);
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    const look = async () => {
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    };
    await page.goto(url);
    await look();
    const link = await gateway.json('POST', `/approvals/${id}/session`);
    await page.goto(link.body.data.url);
    await look();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('It is being done now.').waitFor();
    await look();
    await expect.poll(() => tools.statusOf(id)).toBe('done');
    expect(await tools.isThere(file)).toBe(false);
    await context.close();
  }
});
