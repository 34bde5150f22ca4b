import { type Browser, chromium } from 'playwright-core';
import { chromiumProgram } from '../../dev/support/chromium.ts';

const PAGE_WAIT_MS = 120_000;

let running: Promise<Browser> | undefined;

/**
 * The browser of this process, which starts with the first call and ends with the process: test files that one worker runs share it.
 * What a file opens there is in contexts of its own, which share nothing, and goes with {@link closePages}.
 * @throws Error when there is no font to write with
 */
export async function launchBrowser(): Promise<Browser> {
  if (running === undefined || !(await running).isConnected()) running = startBrowser();
  return running;
}

/** Closes whatever is open in a browser. The browser stays for the next file. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch(await chromiumProgram());
  // Playwright gives up after 30 s: on a busy machine that ends pages that would have come.
  browser.on('context', (context) => context.setDefaultTimeout(PAGE_WAIT_MS));
  return browser;
}
