// @module-tag long
// @module-tag first
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FEATURES } from '../../../packages/dashboard/src/features/index.ts';
import { startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { problemsInAnyLook } from './looks.ts';
import { seedOperatorsDay } from './operators-day.ts';
import { openDialog, type Places, placesOf } from './places.ts';

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

  it.each(THIRDS)(
    'breaks no rule of accessibility at 390, 1024 and 1440 px in both themes on the %s third of the pages and tabs',
    async (_, part) => {
      const found: string[] = [];
      for (const address of thirdOf(places.addresses, part)) {
        await visit(page, address);
        found.push(...(await problemsInAnyLook(page, address, { height: 900 })));
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
        found.push(
          ...(await problemsInAnyLook(page, dialog.join(' '), {
            height: 3200,
            dialog: ':is(dialog[open], [role=dialog])',
          })),
        );
        await page.getByRole('dialog').first().waitFor();
        await page.keyboard.press('Escape');
        await expect.poll(() => page.getByRole('dialog').count(), { message: dialog.join(' ') }).toBe(0);
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
