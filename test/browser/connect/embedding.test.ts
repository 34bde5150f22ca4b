import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embedServer } from '../../../examples/serve-embed.ts';
import { launchBrowser } from '../../support/browser.ts';
import { connectSession, setScopes } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { chooseAccount, FIRST } from './support.ts';

const SCOPE = 'https://www.googleapis.com/auth/';
const settings = { gatewayUrl: '', secretKey: '' };
const server = embedServer(settings);
let openerPolicy = 'unsafe-none';
let embedUrl: string;
let gateway: TestGateway;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  server.prependListener('request', (_, response) => response.setHeader('cross-origin-opener-policy', openerPolicy));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  embedUrl = `http://localhost:${port}`;
  [gateway, browser] = await Promise.all([
    startTestGateway({ environmentOverrides: { CONNECT_ALLOWED_ORIGINS: embedUrl } }),
    launchBrowser(),
  ]);
  Object.assign(settings, { gatewayUrl: gateway.gateway.gatewayUrl, secretKey: gateway.gateway.secretKey });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await browser?.close();
  await gateway?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  openerPolicy = 'unsafe-none';
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(() => context.close());

/** Clicks a button of the page and returns the popup it opens. */
async function popupOf(action: Promise<unknown>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), action]);
  return popup;
}

/** The button of one of the integrations that a page offers. */
function offered(popup: Page, integration: string) {
  return popup.getByRole('region', { name: integration }).getByRole('button', { name: 'Continue with Google' });
}

async function consent(popup: Page, integration = 'Google Drive'): Promise<void> {
  await offered(popup, integration).click();
  await chooseAccount(popup, FIRST);
  await popup.getByRole('button', { name: 'Allow' }).click();
}

async function result(): Promise<Record<string, unknown>> {
  await page.waitForFunction(() => document.getElementById('result')?.textContent?.includes('"status"'));
  return JSON.parse((await page.locator('#result').textContent()) ?? '');
}

describe('a page of a listed origin', () => {
  test('connects in a popup, which names the page and closes itself', async () => {
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#popup'));
    await popup.getByText(`${new URL(embedUrl).host} asks for access`).waitFor();
    await consent(popup);
    expect(await result()).toMatchObject({ status: 'connected', integrationId: 'google-drive', missingScopes: [] });
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  test('CS-15: connects in a popup, and the app’s backend confirms what came back', { tags: ['long'] }, async () => {
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#confirm'));
    await consent(popup);
    const confirmed = await result();
    expect(confirmed).toMatchObject({ status: 'confirmed', provider_config_key: 'google-drive' });
    const shown = await gateway.call(`/connections/${confirmed.connection_id}?provider_config_key=google-drive`);
    expect(await shown.json()).toMatchObject({ status: 'active', end_user: { id: 'example-user' } });
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  test('PK-3: has its user select files in a popup, and learns which', { tags: ['long'] }, async () => {
    await setScopes(gateway, 'google-drive', [`${SCOPE}drive.readonly`, `${SCOPE}drive.file`]);
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#pick'));
    await popup.getByRole('button', { name: 'Select files' }).click();
    await chooseAccount(popup, FIRST);
    await popup.getByRole('button', { name: 'Allow' }).click();
    for (const box of (await popup.getByRole('checkbox').all()).slice(0, 2)) await box.check();
    await popup.getByRole('button', { name: 'Select', exact: true }).click();
    const picked = await result();
    expect(picked).toMatchObject({ status: 'picked', integrationId: 'google-drive' });
    expect(picked.files).toEqual(Array.from({ length: 2 }, () => expect.objectContaining({ confirmed: true })));
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  test('PK-14: is told that its user closed the picker, with nothing changed', { tags: ['long'] }, async () => {
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#pick'));
    await popup.getByRole('button', { name: 'Select files' }).waitFor();
    await popup.close();
    expect(await result()).toEqual({ status: 'cancelled' });
  });

  test('CS-10: connects in a popup under the opener policy same-origin-allow-popups', { tags: ['long'] }, async () => {
    openerPolicy = 'same-origin-allow-popups';
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#popup'));
    await popup.getByText(`${new URL(embedUrl).host} asks for access`).waitFor();
    await consent(popup, 'Google Calendar');
    expect(await result()).toMatchObject({ status: 'connected', integrationId: 'google-calendar' });
  });

  test('learns that the user closed the popup', { tags: ['long'] }, async () => {
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#popup'));
    await offered(popup, 'Google Drive').waitFor();
    await popup.close();
    expect(await result()).toEqual({ status: 'closed' });
  });

  test('learns that access was refused when the user gives up', { tags: ['long'] }, async () => {
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#popup'));
    await offered(popup, 'Google Drive').click();
    await chooseAccount(popup, FIRST);
    await popup.getByRole('button', { name: 'Cancel' }).click();
    await popup.getByRole('button', { name: 'Try again' }).waitFor();
    await page.getByText('callback_err').waitFor();
    await popup.close();
    expect(await result()).toMatchObject({ status: 'refused', errorType: 'callback_err' });
  });

  test('learns that the browser blocked the popup, with a link to offer instead', async () => {
    await page.addInitScript(() => {
      window.open = () => null;
    });
    await page.goto(embedUrl);
    await page.click('#popup');
    expect(await result()).toMatchObject({
      status: 'blocked',
      connectLink: expect.stringContaining('/connect#session_token=cs_'),
    });
  });

  test('CS-11: connects through a frame, whose consent runs in a window of its own', async () => {
    await page.goto(embedUrl);
    await page.click('#frame');
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Choose what to connect' }).waitFor();
    expect(await frame.getByText('Did Google show an error?').count()).toBe(0);
    const popup = await popupOf(frame.getByRole('button', { name: 'Choose what to connect' }).click());
    await frame.getByRole('heading', { name: 'Continue in the other window' }).waitFor();
    await popup.getByText(`${new URL(embedUrl).host} asks for access`).waitFor();
    await consent(popup);
    expect(await result()).toMatchObject({ status: 'connected', integrationId: 'google-drive' });
    await expect.poll(() => popup.isClosed()).toBe(true);
    await expect.poll(() => page.locator('iframe').count()).toBe(0);
  });

  test('a frame notices that its window was closed, and Escape ends it', { tags: ['long'] }, async () => {
    await page.goto(embedUrl);
    await page.click('#frame');
    const frame = page.frameLocator('iframe');
    const popup = await popupOf(frame.getByRole('button', { name: 'Choose what to connect' }).click());
    await offered(popup, 'Google Drive').waitFor();
    await popup.close();
    await frame.getByText('The window was closed before you had finished.').waitFor();
    await frame.getByRole('button', { name: 'Try again' }).press('Escape');
    expect(await result()).toEqual({ status: 'closed' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('frame');
  });
});

describe('a page of another origin', () => {
  const foreign = () => embedUrl.replace('localhost', '127.0.0.1');

  test('CS-11: cannot frame the connect page', async () => {
    await page.goto(foreign());
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.click('#frame');
    await refused;
    expect(await page.frameLocator('iframe').getByRole('heading').count()).toBe(0);
  });

  test('CS-9: gets no answer and cannot hand its own session to the connect page', async () => {
    const token = await connectSession(gateway, {});
    await page.goto(foreign());
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(
        ({ base, sessionToken }) => {
          const heard: unknown[] = [];
          Object.assign(window, { heard });
          window.addEventListener('message', (event) => {
            heard.push(event.data);
            if (event.source instanceof Window || event.source !== null) {
              event.source?.postMessage({ type: 'session_token', sessionToken }, { targetOrigin: base });
            }
          });
          window.open(`${base}/connect`, 'attack');
        },
        { base: gateway.gateway.gatewayUrl, sessionToken: token },
      ),
    ]);
    await popup.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
    const heard = await page.evaluate(() => JSON.stringify(Reflect.get(window, 'heard')));
    expect([...new Set(JSON.parse(heard).map((message: unknown) => JSON.stringify(message)))]).toEqual([
      '{"type":"ready"}',
    ]);
  });
});
