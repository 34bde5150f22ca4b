// @module-tag long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems, startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { GONE_USER } from './morning.ts';
import { seedOperatorsDay } from './operators-day.ts';

const APP = join(import.meta.dirname, '../../../packages/dashboard/src/app.tsx');
const LOOKS = ([390, 1024, 1440] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

describe('the dashboard of three hundred connections', { tags: ['long'] }, () => {
  let dashboard: TestDashboard;
  let page: Page;
  let receiver: WebhookReceiver;
  /** Addresses, with the tabs of those that have some. */
  let addresses: readonly string[];
  /** Buttons that open a dialog, by the address of their page; an address alone opens its dialog itself. */
  let dialogs: readonly (readonly [address: string, ...buttons: (string | RegExp)[]])[];

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    dashboard = await startDashboard('/', {}, { viewport: { width: 1440, height: 900 } });
    ({ page } = dashboard);
    const { test } = dashboard;
    const day = await seedOperatorsDay(test, receiver);
    const keys: { id: string; name: string }[] = (await test.json('GET', '/account/keys')).body.data;
    const keyId = keys.find(({ name }) => name === 'Research agent')?.id.slice(0, 12);
    const observing = keys.find(({ name }) => name === 'Nightly job')?.id.slice(0, 12);
    const approvals = (await test.json('GET', '/approvals')).body.data;
    const gone = (await test.json('GET', `/connections?end_user_id=${GONE_USER}`)).body.connections[0].connection_id;
    const writer = `/connections/drive-writer/${day.writerId}`;
    const tabs = (address: string, ...names: string[]) => names.map((name) => `${address}?tab=${name}`);
    addresses = [
      '/',
      '/integrations',
      '/new-integration',
      '/new-delegation',
      ...tabs('/integrations/google-drive', 'overview', 'live', 'credentials', 'scopes', 'settings'),
      ...tabs('/integrations/drive-domain', 'overview', 'live', 'credentials', 'scopes', 'settings'),
      '/integrations/no-such-one',
      '/connections',
      '/connections?status=reauthorization_required',
      ...tabs(writer, 'scopes', 'timeline', 'calls', 'writes', 'feeds', 'try'),
      `/connections/google-drive/${gone}`,
      `/connections/google-drive/${day.paused.id}?tab=feeds`,
      `/connections/google-calendar/${day.deletedId}`,
      '/calls',
      '/feeds',
      '/approvals',
      '/agents',
      '/audit',
      '/webhooks',
      `/webhooks/${day.webhookId}`,
      '/reconnect-links',
      '/erase-person',
      '/erase-person?end_user=customer-7',
      '/security-events',
      '/keys',
      ...tabs(`/keys/${keyId}`, 'limits', 'use', 'writes'),
      `/keys/${observing}`,
      `/objects/${day.fileId}`,
      '/getting-started',
      '/nothing-here',
    ];
    dialogs = [
      ['/', /^Search/],
      ['/connections', 'Create a test connection'],
      ['/connections', 'Share a connect link'],
      [writer, 'Delete'],
      [writer, 'Reconnect'],
      [writer, 'Check'],
      [`/connections/google-drive/${gone}`, 'Create a reconnect link'],
      ['/integrations', 'Replace test credentials of Google Calendar'],
      ['/integrations', 'Remove test credentials of Google Calendar'],
      ['/integrations/google-drive?tab=credentials', 'Use your own client'],
      ['/integrations/calendar-own?tab=credentials', 'Rotate the secret'],
      ['/integrations/google-drive?tab=settings', 'Delete the integration'],
      ['/integrations/drive-domain', 'Connect a user'],
      ['/integrations/drive-domain?tab=credentials', 'Check a domain'],
      ['/integrations/drive-domain?tab=credentials', 'Create a link for an administrator'],
      ['/integrations/drive-domain?tab=credentials', 'Change'],
      ['/security-events', /^Register Cloud project/],
      [`/approvals/${approvals[0].id}`],
      ['/agents', 'Create an agent key'],
      ['/agents', 'Undo what Research agent wrote'],
      ['/keys', 'Create a secret key'],
      ['/keys', 'Register an IAM role'],
      ['/keys', 'Revoke Research agent'],
      [`/keys/${keyId}`, 'Change the limits'],
      [`/keys/${observing}`, 'Change the limits'],
      [`/objects/${day.fileId}`, /^Undo drive\.files\.update/],
      ['/webhooks', 'Add a webhook'],
      [`/webhooks/${day.webhookId}`, 'Replay'],
      [`/webhooks/${day.webhookId}`, 'New secret'],
      [`/webhooks/${day.webhookId}`, 'Delete'],
      ['/reconnect-links', /came back/, 'Withdraw the links'],
      ['/erase-person?end_user=customer-7', 'Erase this person'],
    ];
  });
  afterAll(async () => {
    await dashboard?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
  });

  it('has each of its routes among the pages that axe looks at', () => {
    const routes = [...readFileSync(APP, 'utf8').matchAll(/<Route path="([^"]+)"/g)].map(([, path = '']) => path);
    const looked = [...addresses, ...dialogs.map(([address]) => address)].map((one) => one.split('?')[0]);
    const isLooked = (route: string) => {
      const pattern = route === '*' ? /^\/nothing-here$/ : new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
      return looked.some((one) => pattern.test(one ?? ''));
    };
    expect(routes.length).toBeGreaterThan(20);
    expect(routes.filter((route) => !isLooked(route))).toEqual([]);
  });

  const look = async ({ width, colorScheme }: (typeof LOOKS)[number], height: number): Promise<void> => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
  };

  /** What axe finds on the page at hand, and whether it is too wide. */
  async function problemsOf(name: string): Promise<string[]> {
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const problems = await accessibilityProblems(page);
    if (excess > 0) problems.push(`${excess} px too wide`);
    return problems.map((problem) => `${name}: ${problem}`);
  }

  it.each(LOOKS)('breaks no rule of accessibility on any page or tab at $width px in $colorScheme', async (one) => {
    await look(one, 900);
    const found: string[] = [];
    for (const address of addresses) {
      await visit(page, address);
      found.push(...(await problemsOf(address)));
    }
    expect(found).toEqual([]);
  });

  // Phones leave out columns with some of the buttons.
  it.each(LOOKS.filter(({ width }) => width >= 1024))(
    'breaks no rule of accessibility in any dialog at $width px in $colorScheme',
    async (one) => {
      // As high as the longest dialog: axe takes labels that a dialog has to be scrolled to for hidden ones.
      await look(one, 3200);
      const found: string[] = [];
      for (const [address, ...buttons] of dialogs) {
        await visit(page, address);
        for (const button of buttons) {
          await page
            .getByRole('button', { name: button, exact: typeof button === 'string' })
            .first()
            .click();
        }
        await page.getByRole('dialog').first().waitFor();
        found.push(...(await problemsOf(`${address} ${buttons.at(-1) ?? ''}`)));
        await dashboard.load('/nothing-here');
      }
      expect(found).toEqual([]);
    },
  );
});
