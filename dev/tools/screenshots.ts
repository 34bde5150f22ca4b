/**
 * `npm run screenshots [-- --into FOLDER]`: takes the dashboard's pictures of README and docs from a gateway that it starts, seeds and
 * ends, so that they show the pages as they are, and writes their captions from what is in sight. Other sizes and themes only go into a
 * given folder.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { WIDTHS } from '../../test/browser/dashboard/looks.ts';
import { seedOperatorsDay } from '../../test/browser/dashboard/operators-day.ts';
import { openDialog, placesOf } from '../../test/browser/dashboard/places.ts';
import build from '../../test/support/built.ts';
import { connectAccount } from '../../test/support/connect.ts';
import { startDashboard, type TestDashboard, visit } from '../../test/support/dashboard.ts';
import { adminLink } from '../../test/support/delegation.ts';
import type { TestGateway } from '../../test/support/gateway.ts';
import { countAgain } from '../../test/support/many-connections.ts';
import { countCalls } from '../../test/support/roll-up.ts';
import { control } from '../../test/support/simulator.ts';
import { startWebhookReceiver } from '../../test/support/webhook-receiver.ts';
import { headingsInSight, IMAGES, writeShown } from './captions.ts';
import { exitWithHelp } from './help.ts';

exitWithHelp(import.meta.filename);
const { into } = parseArgs({ options: { into: { type: 'string' } } }).values;
const INTEGRATIONS = ['google-drive', 'google-calendar'];
const ACCOUNTS = ['first.user@example.com', 'second.user@example.com', 'editor@workspace.example'];
/** The one whose grant dies. */
const DEAD = 'editor@workspace.example';

/** Connections of both integrations with calls, one of which an administrator has blocked. @returns the id of that one */
async function seed(test: TestGateway): Promise<string> {
  let dead = '';
  for (const integrationId of INTEGRATIONS) {
    for (const [index, account] of ACCOUNTS.entries()) {
      const end_user = { id: `customer-${2040 + index}`, email: account };
      const connectionId = await connectAccount(test, integrationId, { account }, { end_user });
      const path = integrationId === 'google-drive' ? '/drive/v3/files' : '/calendar/v3/users/me/calendarList';
      for (let calls = 0; calls < 12 + 7 * index; calls += 1) {
        await (await test.proxyAs(integrationId, connectionId, path)).arrayBuffer();
      }
      if (account === DEAD && integrationId === 'google-drive') dead = connectionId;
    }
  }
  await control(test, 'POST', '/grants/kill', { account: DEAD, reason: 'admin_policy' });
  await test.call(`/connections/${dead}/refresh?provider_config_key=google-drive`, { method: 'POST' });
  await countAgain(test);
  await countCalls(test, 2);
  return dead;
}

async function take(page: Page, path: string, file: string): Promise<void> {
  await visit(page, path);
  await page.screenshot({ path: file });
  console.log(file);
}

/** Takes what is on the page at every width in both themes. */
async function takeLooks(page: Page, name: string, folder: string, isDialog = false): Promise<void> {
  const file = name
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/\W+/g, '-')
    .slice(0, 90);
  for (const width of [...WIDTHS].reverse()) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: isDialog ? 1200 : 900 });
      await page.screenshot({ path: join(folder, `${file}-${width}-${colorScheme}.png`), fullPage: !isDialog });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  console.log(name);
}

/** The pages that end users, administrators and developers open, and those of the simulator. */
async function takeOthers({ browser, test }: TestDashboard, folder: string): Promise<void> {
  const { gatewayUrl, simulatorUrl, simulatorPageAddress } = test.gateway;
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const at = async (name: string, address: string, reached = 'h1'): Promise<void> => {
    await page.goto(address);
    await page.locator(reached).first().waitFor();
    await takeLooks(page, `other-${name}`, folder);
  };
  const session = async (body: object) => (await test.json('POST', '/connect/sessions', body)).body.data.connect_link;
  const end_user = { id: 'customer-2042', display_name: 'First User', email: 'first.user@example.com' };
  await at('connect', await session({ end_user }));
  await at('connect-one', await session({ end_user, allowed_integrations: ['google-drive'] }));
  await page.getByRole('button', { name: /Continue/ }).click();
  await page.getByRole('button', { name: 'first.user@example.com' }).waitFor();
  await takeLooks(page, 'other-google-accounts', folder);
  await page.getByRole('button', { name: 'first.user@example.com' }).click();
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await takeLooks(page, 'other-google-consent', folder);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/\/oauth\/callback/);
  await takeLooks(page, 'other-connected', folder);
  await at('connect-unknown', `${gatewayUrl}/connect#session_token=cs_none`);
  await at('connect-preview', `${gatewayUrl}/connect?preview`);
  await at('callback-denied', `${gatewayUrl}/oauth/callback?state=x&error=access_denied`);
  await at('direct-start', `${gatewayUrl}/oauth/connect/google-drive?connect_session_token=none`);
  await at('administrator', `${gatewayUrl}/connect#session_token=${await adminLink(test, 'drive-domain')}`);
  await at('docs', `${gatewayUrl}/docs`);
  const approvals: { id: string; status: string }[] = (await test.json('GET', '/approvals?about=false')).body.data;
  const waiting = approvals.find(({ status }) => status === 'pending');
  await at('approval-unknown', `${gatewayUrl}/approve/unknown`);
  const link = await test.json('POST', `/approvals/${waiting?.id}/session`);
  await at('approval', link.body.data.url);
  await page.goto(simulatorPageAddress ?? '');
  for (const path of ['', '/faults', '/requests', '/clients', '/agents', '/account?email=first.user%40example.com']) {
    await at(`simulator${path}`, `${simulatorUrl}/__ui${path}`);
  }
  await context.close();
}

/** Every page, tab and dialog of an operator's day, and the pages that end users and developers open. */
async function takeAll(dashboard: TestDashboard, folder: string): Promise<void> {
  const { page, test } = dashboard;
  mkdirSync(folder, { recursive: true });
  await using receiver = await startWebhookReceiver();
  const day = await seedOperatorsDay(test, receiver);
  await takeOthers(dashboard, folder);
  const { addresses, dialogs } = await placesOf(test, day);
  for (const [index, address] of addresses.entries()) {
    await visit(page, address);
    await takeLooks(page, `page-${index}${address}`, folder);
  }
  for (const [index, dialog] of dialogs.entries()) {
    await visit(page, dialog[0]);
    await openDialog(page, dialog);
    await takeLooks(page, `dialog-${index}${dialog.join(' ')}`, folder, true);
    await dashboard.load('/nothing-here');
  }
}

await build();
const dashboard = await startDashboard();
try {
  if (into !== undefined) {
    await takeAll(dashboard, into);
  } else {
    const dead = await seed(dashboard.test);
    const connection = `/connections/google-drive/${dead}`;
    const { page } = dashboard;
    const taken = new Map<string, readonly string[]>();
    const illustrate = async (path: string, file: string) => {
      await take(page, path, join(IMAGES, file));
      taken.set(file, await headingsInSight(page));
    };
    await illustrate('/', 'dashboard-overview.png');
    await page.emulateMedia({ colorScheme: 'dark' });
    await illustrate(connection, 'dashboard-connection.png');
    writeShown(taken);
  }
} finally {
  await dashboard[Symbol.asyncDispose]();
}
process.exit();
