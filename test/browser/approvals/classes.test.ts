// @module-tag long
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyWith } from '../../integration/api/keys.ts';
import { approvalTools, WRITING } from '../../integration/approvals/support.ts';
import { closePages, launchBrowser } from '../../support/browser.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

describe('a person who approves in a browser', () => {
  const gateway = useTestGateway({ rules: true, fresh: true, seedScopes: WRITING });
  const tools = approvalTools(gateway);
  let browser: Browser;
  let key: string;
  beforeAll(async () => {
    [browser, key] = await Promise.all([
      launchBrowser(),
      keyWith(gateway, { name: 'Assistant', right: 'proxy', limits: { mode: 'enforce', approve: ['write'] } }),
    ]);
  });
  afterAll(() => browser && closePages(browser));

  const whole = () => gateway.gateway.secretKey;
  const read = async (path: string) => (await tools.drive(whole(), 'GET', path)).body;

  /** A call that waits, and a link to its page. */
  async function waiting(integration: string, method: string, path: string, json?: unknown) {
    const { status, body } = await tools.send(key, integration, method, path, json === undefined ? {} : { json });
    expect([status, body.error.code]).toEqual([403, 'approval_required']);
    const id: string = body.error.approval.approval_id;
    const link = await gateway.json('POST', `/approvals/${id}/session`);
    return { id, url: String(link.body.data.url) };
  }

  async function approve(page: Page, { id, url }: { id: string; url: string }, sentence: string | RegExp) {
    await page.goto(url);
    await page.getByText(sentence).first().waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('It is being done now.').waitFor();
    await expect.poll(() => tools.statusOf(id)).toBe('done');
  }

  test('AP-12: approves a call of each class, and the effect is what the page said', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const file = await tools.newFile('First name');
    await approve(
      page,
      await waiting('google-drive', 'PATCH', `/drive/v3/files/${file}`, { name: 'Second name' }),
      /^Rename First name to Second name/,
    );
    expect((await read(`/files/${file}`)).name).toBe('Second name');

    const sharing = { type: 'anyone', role: 'reader', allowFileDiscovery: true };
    await approve(
      page,
      await waiting('google-drive', 'POST', `/drive/v3/files/${file}/permissions`, sharing),
      'Everyone on the internet can then find and open it.',
    );
    const { permissions } = await read(`/files/${file}/permissions?fields=permissions(type,allowFileDiscovery)`);
    expect(permissions).toContainEqual({ type: 'anyone', allowFileDiscovery: true });

    await approve(
      page,
      await waiting('google-calendar', 'POST', '/calendar/v3/calendars/primary/acl', {
        role: 'reader',
        scope: { type: 'default' },
      }),
      'Everyone on the internet can then see it.',
    );
    const rules = await tools.calendar(whole(), 'GET', '/calendars/primary/acl/default');
    expect(rules.body).toMatchObject({ role: 'reader', scope: { type: 'default' } });

    const times = { start: { dateTime: '2027-03-01T10:00:00Z' }, end: { dateTime: '2027-03-01T11:00:00Z' } };
    const invite = { summary: 'Canoe trip', ...times, attendees: [{ email: 'eve@elsewhere.example' }] };
    await approve(
      page,
      await waiting('google-calendar', 'POST', '/calendar/v3/calendars/primary/events?sendUpdates=all', invite),
      'Google sends e-mail to: eve@elsewhere.example',
    );
    const found = await tools.calendar(whole(), 'GET', '/calendars/primary/events?q=Canoe&fields=items(id,attendees)');
    expect(found.body.items).toMatchObject([{ attendees: [{ email: 'eve@elsewhere.example' }] }]);
    const event = `/calendar/v3/calendars/primary/events/${found.body.items[0].id}`;

    await approve(
      page,
      await waiting('google-calendar', 'PUT', event, { summary: 'Kayak trip', ...times }),
      /^Change the event Canoe trip/,
    );
    const replaced = await tools.send(whole(), 'google-calendar', 'GET', event);
    expect([replaced.body.summary, replaced.body.attendees]).toEqual(['Kayak trip', undefined]);

    await approve(
      page,
      await waiting('google-drive', 'DELETE', `/drive/v3/files/${file}`),
      /^Delete Second name for good/,
    );
    expect(await tools.isThere(file)).toBe(false);
    await context.close();
  });

  test('AP-12: decides on the page itself: not in a frame, by its opener, or by going back', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const file = await tools.newFile('Kept');
    const { id, url } = await waiting('google-drive', 'DELETE', `/drive/v3/files/${file}`);
    await page.goto(url);
    await page.getByRole('button', { name: 'Approve' }).waitFor();

    // Another site, in the browser that the link is bound to: a frame shows nothing, and a popup is out of its reach.
    const other = await context.newPage();
    await other.route('https://other.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${url}"></iframe>` }),
    );
    await other.goto('https://other.example/');
    const frame = other.frames()[1];
    await expect.poll(() => frame?.url()).toMatch(/^chrome-error:/);
    expect(await frame?.getByRole('button').count()).toBe(0);
    const [popup] = await Promise.all([
      other.waitForEvent('popup'),
      other.evaluate((to) => {
        Object.assign(globalThis, { opened: open(to) });
      }, url),
    ]);
    await popup.getByRole('button', { name: 'Approve' }).waitFor();
    const isReachable = await other.evaluate(() => {
      const { opened } = globalThis as unknown as { opened: Window };
      try {
        return !opened.closed && opened.document !== undefined;
      } catch {
        return false;
      }
    });
    expect(isReachable).toBe(false);
    expect(await tools.statusOf(id)).toBe('pending');

    // Who has refused and goes back finds no second decision.
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('Nothing was done, and nothing will be.').waitFor();
    await page.goBack();
    const late = page.getByRole('button', { name: 'Approve' });
    if ((await late.count()) > 0) await late.click();
    await page.getByText('Nothing was done, and nothing will be.').waitFor();
    await popup.getByRole('button', { name: 'Approve' }).click();
    await popup.getByText('Nothing was done, and nothing will be.').waitFor();
    expect(await tools.statusOf(id)).toBe('refused');
    expect(await tools.isThere(file)).toBe(true);
    await context.close();
  });
});
