// @module-tag long
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedItemKey } from '../../../lambdas/features/feeds/feed-keys.store.ts';
import { connectAccount, sessionState, setScopes } from '../../support/connect.ts';
import { accessibilityProblems, settled, startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import { connectUser, DRIVE_SCOPE, list, makeIntegration, makeRobot, VIEWER } from '../../support/delegation.ts';
import { fastestMs } from '../../support/fastest.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { control, ownerOf } from '../../support/simulator.ts';
import { pathWithCurl } from '../../support/small-curl/path.ts';
import { changeConnection, changeItem } from '../../support/table.ts';

const SCOPE = 'https://www.googleapis.com/auth/';

describe('connections in the dashboard', () => {
  let test: TestGateway;
  let dashboard: TestDashboard;
  let page: Page;
  let deadId: string;
  beforeAll(async () => {
    dashboard = await startDashboard('/connections');
    ({ test, page } = dashboard);
    const endUser = { id: 'customer-7', email: 'customer.7@example.com' };
    deadId = await connectAccount(
      test,
      'google-calendar',
      { account: 'editor@workspace.example' },
      { end_user: endUser },
    );
    await control(test, 'POST', '/grants/kill', { account: 'editor@workspace.example', reason: 'user_revoked' });
    await test.call(`/connections/${deadId}/refresh?provider_config_key=google-calendar`, { method: 'POST' });
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  /** Walks the connect page and the simulator's consent in a window that was opened. */
  async function consent(popup: Page, account: RegExp | undefined): Promise<void> {
    await popup.getByRole('button', { name: /^(Connect|Continue)/ }).click();
    if (account !== undefined) await popup.getByRole('button', { name: account }).click();
    await popup.getByRole('button', { name: 'Allow' }).click();
  }

  it('connections in the dashboard are made in a window against the simulator', async () => {
    await visit(page, '/connections');
    await page.getByRole('button', { name: 'Create a test connection' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a test connection' });
    await dialog.getByLabel('End user id').fill('tester-1');
    const opened = page.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Open the connect window' }).click();
    await consent(await opened, /second\.user@example\.com/);
    await dialog.getByRole('link', { name: /Open the connection/ }).click();
    for (const text of ['tester-1', 'second.user@example.com']) {
      await page.getByText(text).filter({ visible: true }).first().waitFor();
    }
    expect(new URL(page.url()).pathname).toMatch(/^\/connections\/google-(drive|calendar)\/.+/);
  });

  it('connections in the dashboard say so when the window is closed', async () => {
    await visit(page, '/connections');
    await page.getByRole('button', { name: 'Create a test connection' }).click();
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Open the connect window' }).click();
    const popup = await opened;
    await popup.getByRole('button', { name: /^(Connect|Continue)/ }).waitFor();
    await popup.close();
    await page.getByText('The window was closed before the connection was complete.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  it('connections in the dashboard are one line each, with the id where the pointer or the focus is, and whole at 1024 px', async () => {
    const id = test.connectionId('google-drive');
    for (const width of [1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await visit(page, '/connections');
      const row = page.getByRole('row').filter({ has: page.locator(`a[href$="/${id}"]`) });
      const height = (await row.boundingBox())?.height ?? 0;
      expect(height, String(width)).toBeGreaterThan(24);
      expect(height, String(width)).toBeLessThan(40);
      const shown = row.locator('.row-id');
      const opacity = () => shown.evaluate((element) => getComputedStyle(element).opacity);
      await page.mouse.move(0, 0);
      expect([await shown.innerText(), await opacity()]).toEqual([id, '0']);
      await row.hover();
      expect(await opacity()).toBe('1');
      await page.mouse.move(0, 0);
      await row.getByRole('button', { name: /^Copy connection id/ }).focus();
      expect(await opacity()).toBe('1');
      const cut = await page
        .locator('main table')
        .evaluateAll((tables) =>
          tables.map((table) => (table.parentElement?.scrollWidth ?? 0) - (table.parentElement?.clientWidth ?? 0)),
        );
      expect(Math.max(...cut)).toBeLessThanOrEqual(1);
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('connections in the dashboard are searched and filtered, and the address keeps the filter', async () => {
    await visit(page, '/connections');
    await page.getByLabel('Search').fill('customer-7');
    await expect.poll(() => new URL(page.url()).search).toBe('?search=customer-7');
    await page.getByRole('link', { name: 'customer.7@example.com' }).waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await visit(page, '/connections?cause=user_revoked');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await visit(page, '/connections?cause=admin_restricted');
    await page.getByText('No connection matches.').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('link', { name: 'customer.7@example.com' }).waitFor();
  });

  it('connections in the dashboard are paged, sorted and chosen over pages, and the address keeps page and order', async () => {
    const template = await (await test.call('/connections?limit=1&include=last_used')).json();
    const asked: URLSearchParams[] = [];
    const NOBODY = { email: null, organization: null };
    await page.route(`${test.gateway.gatewayUrl}/connections?**`, (route) => {
      const query = new URL(route.request().url()).searchParams;
      asked.push(query);
      const first = Number(query.get('page') ?? '0') * 50;
      const connections = Array.from({ length: 50 }, (_, index) => ({
        ...template.connections[0],
        id: first + index + 1,
        connection_id: `connection-${first + index}`,
        end_user: { ...NOBODY, id: `user-${first + index}`, display_name: `Person ${first + index}` },
      }));
      return route.fulfill({
        headers: { 'access-control-allow-origin': '*' },
        json: { connections, next_cursor: first === 100 ? null : 'x', total: 150, total_is_complete: true },
      });
    });
    await visit(page, '/connections');
    await page.getByRole('checkbox', { name: /Select Person 3,/ }).check();
    for (const [button, row, text] of [
      ['Next', 'Person 50', 'Page 2: 51 to 100 of 150'],
      ['Next', 'Person 100', 'Page 3: 101 to 150 of 150'],
      ['Previous', 'Person 50', 'Page 2: 51 to 100 of 150'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('link', { name: row, exact: true }).waitFor();
      await page.getByText(text).waitFor();
    }
    await page.getByRole('checkbox', { name: /Select Person 60,/ }).check();
    await page.getByText('2 selected').waitFor();
    expect(new URL(page.url()).search).toBe('?page=2');
    await page.goBack();
    await page.getByText('Page 3').waitFor();
    await page.getByRole('button', { name: /Last used/ }).press('Enter');
    await expect.poll(() => asked.at(-1)?.get('sort')).toMatch(/^-?last_used$/);
    await page.unroute(`${test.gateway.gatewayUrl}/connections?**`);
  });

  it('connections in the dashboard that are dead: from any page to a reconnect link for "bob", by keyboard and by mouse', async () => {
    const end_user = { id: 'customer-7', email: 'customer.7@example.com', display_name: 'Bob <b>Brown</b>' };
    await test.json('PATCH', `/connections/${deadId}?provider_config_key=google-calendar`, { end_user });
    await visit(page, '/');
    await page.keyboard.press('Control+k');
    const box = page.getByRole('searchbox', { name: 'Search users, integrations and keys' });
    await box.fill('bob');
    await page.getByText('1 connection', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Bob <b>Brown</b>');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Search' }).click();
    await box.fill('bob');
    await page.getByRole('button', { name: 'Reconnect link for Bob' }).click();
    const made = page.getByRole('dialog', { name: 'Reconnect links' });
    await made.getByText(/Hello Bob <b>Brown<\/b>,/).waitFor();
    await made.getByText(/#session_token=cs_/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    // A click alongside it loses nothing that is shown once.
    await page.mouse.click(4, 300);
    await made.getByText(/#session_token=cs_/).waitFor();
    await page.keyboard.press('Escape');
    await made.waitFor({ state: 'detached' });
    await visit(page, '/reconnect-links');
    await page.getByText('0 of 1 came back').waitFor();
  });

  it('dead connections: "bob says Drive stopped" takes two clicks from the sign-in to his e-mail with the link', async () => {
    await visit(page, '/');
    await page.evaluate(() => {
      Object.assign(globalThis, { clicks: 0 });
      addEventListener(
        'click',
        (event) => {
          if (event.isTrusted) Object.assign(globalThis, { clicks: Number(Reflect.get(globalThis, 'clicks')) + 1 });
          // No program for e-mail is here to open.
          if (event.target instanceof Element && event.target.closest('a[href^="mailto:"]')) event.preventDefault();
        },
        true,
      );
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bob');
    await page.getByRole('button', { name: 'Reconnect link for Bob' }).click();
    const mail = page.getByRole('link', { name: 'Write an e-mail to customer.7@example.com' });
    await mail.click();
    const [address, query] = (await mail.getAttribute('href'))?.split('?') ?? [];
    expect(address).toBe('mailto:customer.7%40example.com');
    const written = new URLSearchParams(query);
    expect(written.get('subject')).toBe('Please reconnect Google Calendar');
    expect(written.get('body')).toMatch(/^Hello Bob [\s\S]*\/connect\?language=en#session_token=cs_/);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'clicks'))).toBe(2);
    await page.keyboard.press('Escape');
  });

  it('connections in the dashboard without a known account say before the click that a link lasts 30 minutes, and those of a service account get none', async () => {
    const robot = await makeRobot(test, 'linkless');
    await list(test, robot, [DRIVE_SCOPE]);
    const delegated = await makeIntegration(test, robot);
    await connectUser(test, delegated, VIEWER);
    const endUser = { id: 'imported-1', email: 'imported.1@example.com' };
    const account = 'second.user@example.com';
    const id = await connectAccount(test, 'google-drive', { account }, { end_user: endUser });
    await changeConnection(test, 'google-drive', id, { providerAccount: null });
    const dialog = page.getByRole('dialog', { name: /^Reconnect link/ });
    const choose = async (integration: string) => {
      await visit(page, `/connections?integration=${integration}`);
      await page.getByRole('button', { name: 'Select all matches' }).click();
      await page
        .getByRole('status')
        .filter({ hasText: /selected$/ })
        .waitFor();
      await page.getByRole('button', { name: 'Reconnect links', exact: true }).click();
    };
    await choose('google-drive');
    await dialog.getByText('The Google account of one connection is not known').waitFor();
    await dialog.getByText('valid for 30 minutes').waitFor();
    await dialog.getByText('The links are valid for').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Create / }).click();
    await dialog.getByText('the first one ends on').waitFor();
    expect(await dialog.getByText(/got no link/).count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await choose(delegated);
    await dialog.getByText('A service account connects one user of these, who give no consent.').waitFor();
    expect(await dialog.getByRole('button', { name: /^Create / }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('connections in the dashboard that are dead: a user who reads a language that pages do not have is written to in the one that the operator chooses', async () => {
    await changeConnection(test, 'google-calendar', deadId, { language: 'nl' });
    await test.json('PATCH', '/integrations/google-calendar', { public_names: { de: 'Ihre Termine' } });
    await visit(page, '/');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bob');
    await page.getByRole('button', { name: 'Reconnect link for Bob' }).click();
    const made = page.getByRole('dialog', { name: 'Reconnect links' });
    await made.getByText('Our access to Google Calendar has ended.').waitFor();
    const withdrawn = await made.getByText(/\/connect#session_token=cs_/).textContent();
    await made.getByRole('button', { name: /Language of the message/ }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await made.getByText('unser Zugriff auf Ihre Termine ist beendet.').waitFor();
    await made.getByText(/\/connect\?language=de#session_token=cs_/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const token = /#session_token=(\S+)/.exec(withdrawn ?? '')?.[1] ?? '';
    expect(await sessionState(test, token)).toBeUndefined();
    await test.json('PATCH', '/integrations/google-calendar', { public_names: null });
  });

  it('connections in the dashboard have their to-do as a button alongside what is wrong, and filters that a reload keeps', async () => {
    await visit(page, `/connections/google-calendar/${deadId}?tab=calls&calls=failed`);
    await page.getByRole('button', { name: 'Create a reconnect link' }).click();
    await page.getByText(/#session_token=cs_/).waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await settled(page);
    await page.getByRole('button', { name: /Which calls.*Failed calls/ }).waitFor();
    await page
      .getByRole('link', { name: 'customer.7@example.com' })
      .or(page.getByRole('link', { name: 'editor@workspace.example' }))
      .first()
      .click();
    await expect.poll(() => new URL(page.url()).search).toMatch(/^\?search=/);
    // Named by an earlier test, or not: `npm run test:long` runs this one without it.
    await page
      .getByRole('link', { name: /^(Bob|customer\.7@|editor@)/ })
      .first()
      .waitFor();
    await page.goBack();
    await page.getByRole('button', { name: /Which calls.*Failed calls/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?tab=calls&calls=failed');
  });

  it('connections in the dashboard have a first call that runs as it is pasted, and lead to the reference with their ids', async () => {
    const id = test.connectionId('google-drive');
    const expected = await (await test.proxy('google-drive', '/drive/v3/files?pageSize=5')).json();
    const client = pathToFileURL(join(import.meta.dirname, '../../../packages/client/src/index.ts')).href;
    const run = async (command: string, ...args: string[]) => {
      const env = {
        PATH: `${dirname(process.execPath)}:${pathWithCurl()}`,
        GATEWAY_SECRET_KEY: test.gateway.secretKey,
      };
      return (await promisify(execFile)(command, args, { env })).stdout;
    };
    const shown = async (label: string) => {
      await page.getByRole('tab', { name: label }).click();
      return (await page.getByRole('region', { name: `first call in ${label}` }).textContent()) ?? '';
    };
    await visit(page, `/getting-started?connection=${id}`);
    expect(JSON.parse(await run('sh', '-c', await shown('curl')))).toEqual(expected);
    const node = (await shown('Node'))
      .replace("'@integration-gateway/client'", JSON.stringify(client))
      .replace('console.log(data)', 'console.log(JSON.stringify(data))');
    expect(JSON.parse(await run(process.execPath, '--input-type=module', '-e', node))).toEqual(expected);
    expect(new URL(page.url()).searchParams.get('language')).toBe('node');
    const reference = await page.getByRole('link', { name: /All API calls/ }).getAttribute('href');
    expect(reference).toBe(`${test.gateway.gatewayUrl}/docs?provider_config_key=google-drive&connection_id=${id}`);
  });

  it('connections in the dashboard that are dead say why, who can fix them, and are fixed by a reconnect', async () => {
    await visit(page, `/connections/google-calendar/${deadId}`);
    await page.getByText('Needs a new authorization: probably: User removed the app').waitFor();
    await page.getByText('The end user can fix it.').waitFor();
    expect(await page.getByRole('button', { name: 'Refresh now' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Reconnect', exact: true }).click();
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Open the connect window' }).click();
    await consent(await opened, undefined);
    await page.getByRole('dialog').getByText('Connected', { exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    // Nobody has called it, before its grant died or since.
    await page.getByText('Not used yet', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText('Authorized again').waitFor();
    await page.getByText('Needs a new authorization').waitFor();
  });

  it('connections in the dashboard whose refresh is refused say so with the button that begins the remedy', async () => {
    const account = 'viewer@workspace.example';
    const id = await connectAccount(test, 'google-drive', { account });
    const notices = page.getByRole('region', { name: 'Notices' });
    await visit(page, `/connections/google-drive/${id}`);
    await control(test, 'POST', '/faults', {
      id: 'client',
      match: { origin: 'token' },
      action: { oauthError: { status: 401, error: 'invalid_client' } },
    });
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await notices.getByText('Google refuses the OAuth client of this integration').waitFor();
    await notices.getByRole('button', { name: 'Replace the client secret' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/integrations/google-drive');
    await page.getByRole('dialog').waitFor();
    await control(test, 'DELETE', '/faults');
    const path = `/connections/${test.connectionId('google-drive')}/refresh?provider_config_key=google-drive`;
    expect((await test.call(path, { method: 'POST' })).status).toBe(200);

    await visit(page, `/connections/google-drive/${id}`);
    await control(test, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await notices.getByText('This connection needs a new authorization').waitFor();
    await notices.getByRole('button', { name: 'Reconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Open the connect window' }).waitFor();
    expect(await notices.getByRole('button').count()).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Open the connect window' }).waitFor();
  });

  it('connections in the dashboard are refreshed, checked and tried', async () => {
    await visit(page, `/connections/google-drive/${test.connectionId('google-drive')}`);
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await page.getByText('The access token was renewed.').waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('The connection works').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Google answered 200').waitFor();
    const answer = await page.getByRole('region', { name: 'answer' }).textContent();
    expect(answer).toContain('\n  "user": {');
    await page.getByRole('textbox', { name: 'GET' }).fill('drive/v3');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Start with a slash').waitFor();
    await page.getByRole('textbox', { name: 'GET' }).fill('/drive/v3/files/none');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Google answered 404').waitFor();
    await page.getByRole('textbox', { name: 'GET' }).fill('/calendar/v3/calendars/primary');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The gateway answered 403').waitFor();
  });

  it('connections in the dashboard show the calls that failed, new ones by themselves, and all of them once asked for', async () => {
    const call = async (path: string) => (await test.proxy('google-drive', path)).headers.get('x-request-id') ?? '';
    const first = await call('/drive/v3/files/none-such');
    await visit(page, `/connections/google-drive/${test.connectionId('google-drive')}`);
    await page.getByRole('tab', { name: 'Calls' }).click();
    const table = page.getByRole('table', { name: 'Calls' });
    await table.getByText(first).waitFor();
    await table.getByText('Google: notFound').first().waitFor();
    const second = await call('/gmail/v1/users/me');
    await table.getByText(second).waitFor();
    await table.getByText('The gateway: path_not_allowed').waitFor();
    expect(await table.textContent()).not.toContain('none-such');
    await page.getByRole('button', { name: 'Record all calls for an hour' }).click();
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByRole('button', { name: 'Record all calls for an hour' }).waitFor();
  });

  it('CF-26, CF-30: connections in the dashboard show their feeds with state, reason and lag, and a change within three seconds without a reload', async () => {
    const connection_id = test.connectionId('google-calendar');
    const connection = { provider_config_key: 'google-calendar', connection_id };
    const watch = (resource: string, settings = {}) =>
      test.json('POST', '/feeds', { ...connection, resource, ...settings });
    await watch('calendar:en.usa#holiday@group.v.calendar.google.com');
    const { id } = (await watch('calendar:primary', { meaning: true, reminders: [10, 60] })).body.data;
    await visit(page, `/connections/google-calendar/${connection_id}`);
    await page.getByRole('tab', { name: 'Feeds' }).click();
    const feeds = page.getByRole('table', { name: 'Feeds' });
    const primary = feeds.getByRole('row', { name: /calendar:primary/ });
    await primary.getByText('Watching').waitFor();
    await primary.getByText('Reminders: 10, 60 min before').waitFor();
    const holidays = feeds.getByRole('row', { name: /holiday/ });
    await holidays.getByText('Polling').waitFor();
    await holidays.getByText('Google sends no messages for this resource').waitFor();
    const event = { start: { date: '2027-01-01' }, end: { date: '2027-01-02' } };
    const latest = page.getByRole('table', { name: 'Latest changes' });
    const asOwner = await ownerOf(test);
    // The rest between two pulls is over, so that what is measured is the way of one change.
    const rested = async () => {
      const { last_pull_at } = (await test.json('GET', `/feeds/${id}`)).body.data;
      await expect.poll(() => Date.now() - Date.parse(last_pull_at)).toBeGreaterThan(2_000);
    };
    const took = await fastestMs(3_000, rested, async () => {
      const made = await asOwner('POST', '/calendar/v3/calendars/primary/events', event);
      await latest.getByText(made.id).waitFor();
    });
    expect(took).toBeLessThan(3_000);
    await latest.getByText('event, created').first().waitFor();
    await test.json('PUT', `/feeds/${id}/cursors/mirror`, { sequence: 0 });
    await primary.getByText(/mirror: \d+ behind/).waitFor();
    expect(await primary.getByText('-', { exact: true }).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    const until = Math.floor(Date.now() / 1000) + 600;
    await changeItem(test, feedItemKey({ accountId: 'default', feedId: id }), {
      notBeforeEpochSec: until,
      pullAtEpochSec: until,
      waiting: { reason: 'rate_limited', untilEpochSec: until },
    });
    await primary.getByText('Waiting for quota').waitFor();
    await primary.getByText('Next pull: in 10 minutes').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('connections in the dashboard are in the audit trail with who changed them, filtered by the address and exported', async () => {
    await visit(page, '/audit');
    await page.getByRole('textbox', { name: 'Object' }).fill(test.connectionId('google-drive'));
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const table = page.getByRole('table', { name: 'Audit trail' });
    await table.getByText('Every call is recorded for an hour.').waitFor();
    await table.getByText('operator@example.com').first().waitFor();
    expect(new URL(page.url()).search).toContain(`object=${test.connectionId('google-drive')}`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as JSON lines' }).click();
    const lines = (await text(await (await download).createReadStream())).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).connectionId)).toEqual(
      lines.map(() => test.connectionId('google-drive')),
    );
    const { requestId, eventId } = JSON.parse(lines[0] ?? '');
    expect(await table.textContent()).not.toContain(requestId);
    await table.getByRole('row').nth(1).getByRole('rowheader').getByRole('button').click();
    const details = page.getByRole('dialog');
    for (const id of [requestId, eventId, test.connectionId('google-drive')]) {
      await details.getByText(id, { exact: true }).waitFor();
    }
    await details.getByRole('button', { name: 'Copy Request id' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('connections in the dashboard are named in the audit trail as people know them, with whose session it was and where a webhook sends to', async () => {
    const ref = { connection_id: deadId, integration_id: 'google-calendar' };
    await test.json('POST', '/connect/sessions/reconnect', ref);
    const hook = await test.json('POST', '/webhooks', { url: 'https://hooks.example.com/gateway' });
    await visit(page, '/audit');
    const rows = page.getByRole('table', { name: 'Audit trail' }).getByRole('row');
    const webhook = rows.filter({ hasText: 'hooks.example.com' });
    expect(await webhook.first().getByRole('link', { name: 'hooks.example.com' }).getAttribute('href')).toBe(
      `/webhooks/${hook.body.data.id}`,
    );
    await test.json('DELETE', `/webhooks/${hook.body.data.id}`);
    await visit(page, '/audit?type=ConnectSessionCreated');
    const session = rows.filter({ hasText: 'A connect link was created' }).first();
    const { display_name, id } = (await test.json('GET', `/connections/${deadId}?provider_config_key=google-calendar`))
      .body.end_user;
    await session.getByRole('link', { name: display_name ?? id }).waitFor();
    // Whatever names it by an id alone is an address.
    const words = (await session.getByRole('cell').allInnerTexts()).join(' ');
    expect(words).not.toMatch(/[0-9a-f]{12}/);
    await session.getByRole('link', { name: 'What came of it' }).click();
    await page.getByText('No event matches.').waitFor();
    await visit(page, `/audit?object=${hook.body.data.id}`);
    await rows.getByRole('link', { name: 'A deleted webhook' }).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('connections in the dashboard are given files that their user selects', async () => {
    await setScopes(test, 'google-drive', [`${SCOPE}drive.readonly`, `${SCOPE}drive.file`]);
    const id = await connectAccount(test, 'google-drive', { account: 'editor@workspace.example' });
    await visit(page, `/connections/google-drive/${id}`);
    await page.getByRole('button', { name: 'Select files' }).click();
    const dialog = page.getByRole('dialog', { name: 'Select files' });
    const opened = page.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Open the picker' }).click();
    const popup = await opened;
    await popup.getByRole('button', { name: 'Select files' }).click();
    await popup.getByRole('button', { name: 'Allow' }).click();
    for (const box of (await popup.getByRole('checkbox').all()).slice(0, 2)) await box.check();
    await popup.getByRole('button', { name: 'Select', exact: true }).click();
    await dialog.getByText('2 files selected').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText('Files were selected').waitFor();
    await page.getByText('2 files.').waitFor();
    await visit(page, `/connections/google-drive/${test.connectionId('google-drive')}`);
    expect(await page.getByRole('button', { name: 'Select files' }).count()).toBe(0);
  });

  it('connections in the dashboard have links to share that work once, for a new one and for a reconnect', async () => {
    await visit(page, '/connections');
    await page.getByRole('button', { name: 'Share a connect link' }).click();
    await page.getByLabel('End user id').fill('customer-9');
    await page.getByLabel('End user e-mail, optional').fill('not an address');
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('must be an e-mail address').first().waitFor();
    await page.getByLabel('End user e-mail, optional').fill('customer.9@example.com');
    await page.getByRole('button', { name: 'Create the link' }).click();
    const link = await page.getByRole('region', { name: 'connect link', exact: true }).textContent();
    expect(link).toMatch(new RegExp(`^${test.gateway.gatewayUrl}/connect#session_token=`));
    await visit(page, `/connections/google-drive/${test.connectionId('google-drive')}`);
    await page.getByRole('button', { name: 'Reconnect', exact: true }).click();
    await page.getByRole('button', { name: 'Create a link for the end user' }).click();
    const again = await page.getByRole('region', { name: 'connect link', exact: true }).textContent();
    expect(again).toContain('/connect#session_token=');
    expect(again).not.toBe(link);
  });

  it('connections in the dashboard are deleted after a warning of what a revocation ends in addition to them', async () => {
    const account = 'viewer@workspace.example';
    const id = await connectAccount(test, 'google-drive', { account });
    await connectAccount(test, 'google-calendar', { account });
    await visit(page, `/connections/google-drive/${id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('radio', { name: 'Revoke it', exact: true }).check();
    await page.getByText('1 other connection shares this grant.').waitFor();
    await page.getByRole('radio', { name: 'Revoke it if no other connection uses it' }).check();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('The grant was kept because something else uses it.').waitFor();
    await page.getByText('This connection was deleted').waitFor();
    await page.getByText('Deleted', { exact: true }).waitFor();
    expect((await test.call(`/connections/${id}?provider_config_key=google-drive`)).status).toBe(404);
  });

  it('connections in the dashboard that never were are not found', async () => {
    await visit(page, '/connections/google-drive/none');
    await page.getByText('There is no such connection').waitFor();
  });
});
