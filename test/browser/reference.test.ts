// @module-tag long
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closePages, launchBrowser } from '../support/browser.ts';
import { accessibilityProblems } from '../support/dashboard.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

describe('the API reference', () => {
  let test: TestGateway;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestGateway(), launchBrowser()]);
    const { connections } = await (await test.call('/connections?integrationId=google-drive')).json();
    page = await (await browser.newContext()).newPage();
    // The browser reports violations of the page's policy here, too.
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const ids = new URLSearchParams({
      provider_config_key: 'google-drive',
      connection_id: connections[0].connection_id,
    });
    await page.goto(`${test.gateway.gatewayUrl}/docs?${ids}`);
    await page.getByText('Authentication', { exact: true }).first().click();
  });
  afterAll(async () => {
    if (browser !== undefined) await closePages(browser);
    await test?.[Symbol.asyncDispose]();
  });

  it('opens with a quick start that needs no script, and leads from each operation to where it is tried', async () => {
    const first = await (await browser.newContext()).newPage();
    first.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await first.goto(`${test.gateway.gatewayUrl}/docs`);
    expect(await first.locator('script').count()).toBe(0);
    expect(await first.getByText(`curl -X POST ${test.gateway.gatewayUrl}/connect/sessions`).isVisible()).toBe(true);
    for (const colorScheme of ['light', 'dark'] as const) {
      await first.emulateMedia({ colorScheme });
      expect(await accessibilityProblems(first), colorScheme).toEqual([]);
    }
    await first.getByRole('link', { name: 'Check connection' }).click();
    await first.getByRole('button', { name: /^execute$/i }).waitFor();
    expect(await first.getByText('Check a connection with one harmless call').isVisible()).toBe(true);
    await first.context().close();
  });

  it('sends a request with the reader’s own key and the ids of the address, slashes kept', async () => {
    await page.locator('.api-key-input').first().fill(test.gateway.secretKey);
    await page.getByRole('button', { name: /^set$/i }).first().click();
    await page.getByText('GET at the provider', { exact: true }).first().click();
    await page.getByText('GET at the provider as the connection’s user.', { exact: true }).first().waitFor();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/proxy/drive/v3/files')),
      page.getByRole('button', { name: /^execute$/i }).click(),
    ]);
    expect(answer.status()).toBe(200);
    await page.getByText('drive#fileList').waitFor();
  });

  it('shows how to send it from a shell, Node and Python', async () => {
    await page.getByRole('button', { name: /^python$/i }).click();
    await page.getByText('import httpx').waitFor();
  });

  it('lists the messages to webhooks, to which the document refers', async () => {
    await page.getByText('Test of an endpoint').first().waitFor({ state: 'attached' });
  });

  it('keeps the key nowhere, and breaks none of its policies', async () => {
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
    expect(kept).not.toContain(test.gateway.secretKey);
    expect(complaints).toEqual([]);
  });

  // The page holds the whole document: axe looks at it for seconds.
  it('breaks no rule of accessibility, light or dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Colours may be on their way from one scheme to the other.
      await expect.poll(() => accessibilityProblems(page), { message: colorScheme }).toEqual([]);
    }
    const { backgroundColor } = await page.evaluate(() => getComputedStyle(document.body));
    expect(backgroundColor).toBe('rgb(22, 29, 38)');
  });
});
