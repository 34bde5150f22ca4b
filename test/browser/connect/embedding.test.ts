// @module-tag long
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embedServer } from '../../../examples/serve-embed.ts';
import { closePages, launchBrowser } from '../../support/browser.ts';
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
  if (browser !== undefined) await closePages(browser);
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

/** Calls the library as a page does, with options that the example's buttons have not. */
async function connectWith(options: object): Promise<() => Promise<{ ending: unknown; problems: unknown }>> {
  const content = "import { connect } from './browser/index.ts'; Object.assign(window, { connect });";
  await page.addScriptTag({ type: 'module', content });
  await page.waitForFunction(() => Reflect.has(window, 'connect'));
  await page.evaluate(async (given) => {
    const connect = Reflect.get(window, 'connect');
    const { base_url: baseUrl } = await (await fetch('settings')).json();
    const { token: sessionToken } = await (await fetch('session?for=connect', { method: 'POST' })).json();
    const problems: string[] = [];
    const onProblem = (problem: { errorType: string }) => problems.push(problem.errorType);
    const ending = connect({ baseUrl, sessionToken, onProblem, ...given }).then((end: unknown) => ({
      ending: end,
      problems,
    }));
    Object.assign(window, { ending });
  }, options);
  return () => page.evaluate(() => Reflect.get(window, 'ending'));
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

  test('CS-15: connects in a popup, and the app’s backend confirms what came back', async () => {
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#confirm'));
    await consent(popup);
    const confirmed = await result();
    expect(confirmed).toMatchObject({ status: 'confirmed', provider_config_key: 'google-drive' });
    const shown = await gateway.call(`/connections/${confirmed.connection_id}?provider_config_key=google-drive`);
    expect(await shown.json()).toMatchObject({ status: 'active', end_user: { id: 'example-user' } });
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  test('PK-3: a page of a listed origin has its user select files in a popup, and learns which', async () => {
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

  test('PK-14: reports that the user closed the picker, and changes nothing', async () => {
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#pick'));
    await popup.getByRole('button', { name: 'Select files' }).waitFor();
    await popup.close();
    expect(await result()).toEqual({ status: 'cancelled' });
  });

  test('CS-10: connects in a popup under the opener policy same-origin-allow-popups', async () => {
    openerPolicy = 'same-origin-allow-popups';
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#popup'));
    await popup.getByText(`${new URL(embedUrl).host} asks for access`).waitFor();
    await consent(popup, 'Google Calendar');
    expect(await result()).toMatchObject({ status: 'connected', integrationId: 'google-calendar' });
  });

  test('learns that the user closed the popup', async () => {
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#popup'));
    await offered(popup, 'Google Drive').waitFor();
    await popup.close();
    expect(await result()).toEqual({ status: 'closed' });
  });

  test('learns that access was refused when the user gives up', async () => {
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

  test('a popup that the browser blocks becomes a panel over the page, if the page asked for that', async () => {
    await page.addInitScript(() => {
      if (window.top === window && location.hostname === 'localhost') window.open = () => null;
    });
    await page.goto(embedUrl);
    const ended = await connectWith({ whenBlocked: 'frame' });
    const frame = page.frameLocator('iframe');
    await consent(await popupOf(frame.getByRole('button', { name: 'Choose what to connect' }).click()));
    expect(await ended()).toMatchObject({ ending: { status: 'connected' }, problems: [] });
  });

  test('a frame whose window is blocked says so to its reader and to the page, and offers a tab, which connects', async () => {
    await page.addInitScript(() => {
      if (window.top !== window) window.open = () => null;
    });
    await page.goto(embedUrl);
    const ended = await connectWith({ mode: 'frame' });
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Choose what to connect' }).click();
    await frame.getByRole('heading', { name: 'Your browser blocked the window' }).waitFor();
    const tab = await popupOf(frame.getByRole('link', { name: 'Open it in a new tab' }).click());
    await tab.getByText(`${new URL(embedUrl).host} asks for access`).waitFor();
    await consent(tab);
    expect(await ended()).toMatchObject({ ending: { status: 'connected' }, problems: ['popup_blocked'] });
  });

  test('a frame whose window is blocked ends with the link when its reader gives up', async () => {
    await page.addInitScript(() => {
      if (window.top !== window) window.open = () => null;
    });
    await page.goto(embedUrl);
    const ended = await connectWith({ mode: 'frame' });
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Choose what to connect' }).click();
    await frame.getByRole('button', { name: 'Cancel' }).click();
    const connectLink = expect.stringContaining('/connect#session_token=cs_');
    expect(await ended()).toEqual({ ending: { status: 'blocked', connectLink }, problems: ['popup_blocked'] });
  });

  test('connects through a frame to which the browser grants neither cookies nor storage', async () => {
    await page.addInitScript(() => {
      if (window.top === window) return;
      const denied = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      };
      for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, { get: denied });
      Object.defineProperty(Document.prototype, 'cookie', { get: denied, set: denied });
      Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });
    });
    await page.goto(embedUrl);
    const ended = await connectWith({ mode: 'frame' });
    const button = page.frameLocator('iframe').getByRole('button', { name: 'Choose what to connect' });
    await consent(await popupOf(button.click()));
    expect(await ended()).toMatchObject({ ending: { status: 'connected' }, problems: [] });
  });

  const withoutCookies = 'a browser that keeps no cookies learns so before it leaves, and the page with it';
  test(`${withoutCookies}: frame`, () => learnsOfCookies('frame'));
  test(`${withoutCookies}: popup`, () => learnsOfCookies('popup'));

  async function learnsOfCookies(mode: 'popup' | 'frame'): Promise<void> {
    await context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });
    });
    await page.goto(embedUrl);
    const frame = page.frameLocator('iframe');
    let ended = async (): Promise<unknown> => undefined;
    const popup = await popupOf(
      (async () => {
        ended = await connectWith({ mode });
        if (mode === 'frame') await frame.getByRole('button', { name: 'Choose what to connect' }).click();
      })(),
    );
    // The page is notified once its popup knows whose it is.
    await popup.getByText(`${new URL(embedUrl).host} asks for access`).waitFor();
    await offered(popup, 'Google Drive').click();
    await popup.getByText('could not come back from Google. Allow cookies here').waitFor();
    await popup.close();
    if (mode === 'frame') {
      // That the window is closed does not take the place of why.
      await frame.getByText('The window was closed').waitFor();
      await frame.getByRole('button', { name: 'Cancel' }).click();
    }
    expect(await ended()).toEqual({
      ending: { status: 'failed', errorType: 'cookies_blocked', message: expect.stringContaining('Allow cookies') },
      problems: mode === 'frame' ? ['cookies_blocked', 'window_closed'] : ['cookies_blocked'],
    });
  }

  test('a popup outlives the page that opened it: it says that the account is connected and stays for its reader', async () => {
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#popup'));
    await offered(popup, 'Google Drive').waitFor();
    await page.close();
    await consent(popup);
    await popup.getByRole('heading', { name: /^Connected$/ }).waitFor();
    await popup.getByText('You can close this page.').waitFor();
    expect(popup.isClosed()).toBe(false);
  });

  test('CS-15: a popup whose page was loaded again half way says that nothing is connected', async () => {
    await page.goto(embedUrl);
    const popup = await popupOf(page.click('#confirm'));
    await offered(popup, 'Google Drive').waitFor();
    await page.reload();
    await consent(popup);
    await popup.getByRole('heading', { name: 'Nothing is connected' }).waitFor();
    expect(popup.isClosed()).toBe(false);
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

  test('a frame notices that its window was closed, and Escape ends it', async () => {
    await page.goto(embedUrl);
    await page.click('#frame');
    const frame = page.frameLocator('iframe');
    const popup = await popupOf(frame.getByRole('button', { name: 'Choose what to connect' }).click());
    await offered(popup, 'Google Drive').waitFor();
    await popup.close();
    await frame.getByText('The window was closed before you had finished.').waitFor();
    await page.getByText('window_closed').waitFor();
    await frame.getByRole('button', { name: 'Try again' }).press('Escape');
    expect(await result()).toEqual({ status: 'closed' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('frame');
  });
});

describe('a page of a listed origin inside a page of another', () => {
  const inner = () => page.frameLocator('#app');
  const innerResult = async () => {
    await inner().locator('#result').filter({ hasText: '"status"' }).waitFor();
    return JSON.parse((await inner().locator('#result').textContent()) ?? '');
  };
  beforeEach(async () => {
    await page.goto(embedUrl.replace('localhost', '127.0.0.1'));
    // A click before the frame has loaded reaches nobody.
    await page.evaluate((src) => {
      const frame = Object.assign(document.createElement('iframe'), { id: 'app', src, height: '600' });
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      document.body.replaceChildren(frame);
      return loaded.then(() => undefined);
    }, embedUrl);
  });

  test('CS-11: connects in a popup', async () => {
    const popup = await popupOf(inner().locator('#popup').click());
    await popup.getByText(`${new URL(embedUrl).host} asks for access`).waitFor();
    await consent(popup);
    expect(await innerResult()).toMatchObject({ status: 'connected' });
  });

  test('CS-11: learns that the connect page is not framed there, with a link to offer instead', async () => {
    await inner().locator('#frame').click();
    const connectLink = expect.stringContaining('/connect#session_token=cs_');
    expect(await innerResult()).toMatchObject({ status: 'failed', errorType: 'unreachable', connectLink });
  });
});

describe('a page of another origin', () => {
  const foreign = () => embedUrl.replace('localhost', '127.0.0.1');

  test('CS-11: a page of another origin cannot frame the connect page', async () => {
    await page.goto(foreign());
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.click('#frame');
    await refused;
    expect(await page.frameLocator('iframe').getByRole('heading').count()).toBe(0);
    expect(await result()).toMatchObject({
      status: 'failed',
      errorType: 'unreachable',
      connectLink: expect.stringContaining('/connect#session_token=cs_'),
    });
    expect(await page.locator('iframe').count()).toBe(0);
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
