import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { StartOptions } from '../../dev/local/start.ts';
import { closePages, launchBrowser } from './browser.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';

/** The built dashboard may be on its way while the gateway already answers. */
const BUILD_WAIT_MS = 60_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A signed-in operator's browser. */
export interface OperatorBrowser extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Everything the browser complained of: failed policies, script errors, console errors. */
  readonly complaints: string[];
}

/** A gateway, a browser and an operator who is signed in there, for the tests of one file. */
export interface TestDashboard extends OperatorBrowser {
  readonly test: TestGateway;
  readonly browser: Browser;
  /** Loads a page again in the operator's browser, which stays signed in, with nothing intercepted any more. */
  load(path: string): Promise<void>;
}

/**
 * Starts a gateway and opens its dashboard as an operator. A page asks for a handful of things at once: one process answers them one
 * after the other in less time than three more take to start.
 * @param path begins with a slash
 */
export async function startDashboard(
  path = '/',
  options: Partial<StartOptions> = {},
  contextOptions: BrowserContextOptions = {},
): Promise<TestDashboard> {
  const [test, browser] = await Promise.all([
    startTestGateway({ maxChildrenPerFunction: 1, ...options }),
    launchBrowser(),
  ]);
  const close = async () => {
    await closePages(browser);
    await test[Symbol.asyncDispose]();
  };
  const operator = await openDashboard(browser, test, path, contextOptions).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...operator,
    test,
    browser,
    async load(path) {
      await operator.context.setOffline(false);
      await operator.page.unrouteAll({ behavior: 'ignoreErrors' });
      operator.complaints.length = 0;
      await operator.page.goto(path);
      await settled(operator.page);
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Address of a gateway's dashboard once its files are there. @throws Error when it has none */
export async function dashboardUrl({ gateway }: TestGateway): Promise<string> {
  const url = gateway.dashboardUrl;
  if (url === null) throw new Error('This gateway has no dashboard.');
  const giveUpAt = Date.now() + BUILD_WAIT_MS;
  for (;;) {
    const answer = await fetch(url);
    if (answer.ok) return url;
    if (Date.now() > giveUpAt) throw new Error(`The dashboard answered ${answer.status}: ${await answer.text()}`);
    await delay(200);
  }
}

/** Opens a page of the dashboard in a browser of its own and signs in. @param path begins with a slash */
export async function openDashboard(
  browser: Browser,
  test: TestGateway,
  path = '/',
  options: BrowserContextOptions = {},
): Promise<OperatorBrowser> {
  const url = await dashboardUrl(test);
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  // A spinner would be rendered sixty times a second while a page loads, by the processor that the gateway needs.
  await context.addInitScript(() => {
    const once = new CSSStyleSheet();
    once.replaceSync('*, *::before, *::after { animation-iteration-count: 1 !important }');
    document.adoptedStyleSheets.push(once);
  });
  const page = await context.newPage();
  const complaints = listen(page);
  await page.goto(path);
  await signIn(page);
  return { context, page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** Signs in on the issuer's page and waits for the dashboard. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in as operator' }).click();
  await settled(page);
}

/** Waits until a page of the dashboard shows its data. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.shell main h1').first().waitFor();
  await page.waitForFunction(
    () => document.querySelector('[aria-label^="Loading"]') === null && !/Loading [a-z]/.test(document.body.innerText),
  );
}

/** A page without data of its own: the place between two others. */
const BETWEEN = '/nothing-here';

/**
 * Goes to a page inside the dashboard, as a link does: no reload and no sign-in on the way. The page is drawn again also
 * when it is the one at hand; what it loads may still be on its way.
 */
export async function goWithin(page: Page, path: string): Promise<void> {
  if (new URL(page.url()).pathname !== BETWEEN) await follow(page, BETWEEN);
  if (path !== BETWEEN) await follow(page, path);
}

/** Goes to a page inside the dashboard and waits until it shows its data. */
export async function visit(page: Page, path: string): Promise<void> {
  await goWithin(page, path);
  await settled(page);
}

/** The rules of axe that read colors (axe-core 4, "Rule Descriptions"); all others give the same in every theme. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/**
 * Rules of accessibility that a page breaks (axe-core, WCAG 2.2 A and AA and best practices), each with its elements.
 *
 * @param only these rules @default all
 * @param within selector of the part that is looked at @default the whole page
 */
export async function accessibilityProblems(page: Page, only?: readonly string[], within = 'html'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const look = async ([rules, part]: readonly [readonly string[] | undefined, string]) => {
    // No enabled rule looks into style sheets, which axe would fetch and parse each time: only into media.
    const options = {
      resultTypes: ['violations'],
      preload: { assets: ['media'] },
      ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }),
    };
    // @ts-expect-error The script above puts axe there.
    const { violations } = await globalThis.axe.run(part, options);
    return violations.map(
      (one: { id: string; help: string; nodes: { html: string }[] }) =>
        `${one.id}: ${one.help}: ${one.nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
    );
  };
  return page.evaluate(look, [only, within] as const);
}

/**
 * Everything on a page but its colors, as a text: elements with their places, sizes and visibility.
 *
 * @param within selector of the part that is looked at
 */
export function shapeOf(page: Page, within = 'body'): Promise<string> {
  return page.evaluate(
    (part) =>
      [...document.querySelectorAll(`${part} *`)]
        .map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          const { display, visibility, opacity } = getComputedStyle(one);
          return [one.tagName, x, y, width, height, display, visibility, opacity].join(' ');
        })
        .join('\n'),
    within,
  );
}

async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    document.querySelector('.shell main h1')?.setAttribute('data-left', '');
    history.pushState({ key: crypto.randomUUID() }, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.locator('.shell main h1:not([data-left])').first().waitFor();
}

function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}
