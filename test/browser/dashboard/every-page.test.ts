// @module-tag long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FEATURES } from '../../../packages/dashboard/src/features/index.ts';
import {
  accessibilityProblems,
  COLOR_RULES,
  shapeOf,
  startDashboard,
  type TestDashboard,
  visit,
} from '../../support/dashboard.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { seedOperatorsDay } from './operators-day.ts';
import { openDialog, type Places, placesOf, WIDTHS } from './places.ts';

const APP = join(import.meta.dirname, '../../../packages/dashboard/src/app.tsx');
/** What a test looks at takes minutes on a busy machine: each looks at a part. */
const THIRDS = [
  ['first', 0],
  ['second', 1],
  ['last', 2],
] as const;

describe('the dashboard of three hundred connections', () => {
  let dashboard: TestDashboard;
  let page: Page;
  let receiver: WebhookReceiver;
  let places: Places;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    dashboard = await startDashboard('/', {}, { viewport: { width: 1440, height: 900 } });
    ({ page } = dashboard);
    places = await placesOf(dashboard.test, await seedOperatorsDay(dashboard.test, receiver));
  });
  afterAll(async () => {
    await dashboard?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
  });

  it('the dashboard of three hundred connections has each of its routes among the pages that axe looks at', () => {
    const ofCore = [...readFileSync(APP, 'utf8').matchAll(/<Route path="([^"]+)"/g)].map(([, path = '']) => path);
    const ofFeatures = Object.values(FEATURES).flatMap(({ pages = [] }) => pages.map(({ path }) => path));
    const routes = [...ofCore, ...ofFeatures];
    const looked = [...places.addresses, ...places.dialogs.map(([address]) => address)].map((one) => one.split('?')[0]);
    const isLooked = (route: string) => {
      const pattern = route === '*' ? /^\/nothing-here$/ : new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
      return looked.some((one) => pattern.test(one ?? ''));
    };
    expect(routes.length).toBeGreaterThan(20);
    expect(routes.filter((route) => !isLooked(route))).toEqual([]);
  });

  /**
   * What axe finds on the page at hand at every width in both themes, and whether it is too wide anywhere. In the dark it asks the rules
   * that read colors; all of them where anything but colors differs.
   */
  async function problemsOf(name: string, height: number): Promise<string[]> {
    const found: string[] = [];
    for (const width of WIDTHS) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width, height });
      await drawn(page);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (excess > 0) found.push(`${name}, ${width} px: ${excess} px too wide`);
      const light = await accessibilityProblems(page);
      const shape = await shapeOf(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await drawn(page);
      const isSame = (await shapeOf(page)) === shape;
      const dark = await accessibilityProblems(page, isSame ? COLOR_RULES : undefined);
      found.push(...light.map((problem) => `${name}, ${width} px, light: ${problem}`));
      found.push(...dark.map((problem) => `${name}, ${width} px, dark: ${problem}`));
    }
    return found;
  }

  it.each(THIRDS)(
    'breaks no rule of accessibility at 390, 1024 and 1440 px in both themes on the %s third of the pages and tabs',
    async (_, part) => {
      const found: string[] = [];
      for (const address of thirdOf(places.addresses, part)) {
        await visit(page, address);
        found.push(...(await problemsOf(address, 900)));
      }
      expect(found).toEqual([]);
    },
  );

  it.each(THIRDS)(
    'breaks no rule of accessibility at 390, 1024 and 1440 px in both themes in the %s third of the dialogs',
    async (_, part) => {
      const found: string[] = [];
      for (const dialog of thirdOf(places.dialogs, part)) {
        // Phones leave out columns with some of the buttons: a dialog is opened where there is room, and stays open.
        await page.setViewportSize({ width: 1440, height: 900 });
        await visit(page, dialog[0]);
        await openDialog(page, dialog);
        // As high as the longest dialog: axe takes labels that a dialog has to be scrolled to for hidden ones.
        found.push(...(await problemsOf(dialog.join(' '), 3200)));
        await page.getByRole('dialog').first().waitFor();
        await dashboard.load('/nothing-here');
      }
      expect(found).toEqual([]);
    },
  );
});

function thirdOf<T>(all: readonly T[], part: number): readonly T[] {
  return all.slice(
    Math.round((all.length * part) / THIRDS.length),
    Math.round((all.length * (part + 1)) / THIRDS.length),
  );
}

/** Waits until the page is drawn as its window is now. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}
