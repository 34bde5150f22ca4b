// @module-tag long
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityProblems, startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import { POOL } from '../../support/delegation.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { FAILING_USER, GONE_USER } from './morning.ts';
import { CLIENT_SECRET, type OperatorsDay, seedOperatorsDay } from './operators-day.ts';

/** Most clicks that an operator needs for an answer. */
const CLICKS_MAX = 4;
/** Events that a card counts of the week, which is all the time there was. */
const WEEK = [
  ['ConnectionCreated', 'connected'],
  ['ConnectionReauthorizationRequired', 'died'],
  ['ConnectionReauthorized', 'came back'],
] as const;

let dashboard: TestDashboard;
let test: TestGateway;
let page: Page;
let receiver: WebhookReceiver;
let day: OperatorsDay;
let clicks = 0;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  dashboard = await startDashboard();
  ({ test, page } = dashboard);
  day = await seedOperatorsDay(test, receiver);
});
afterAll(async () => {
  await dashboard?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

/** A question, and how the dashboard answers it. */
interface Question {
  readonly asked: string;
  /** Where the answer is shown. */
  readonly page: string;
  readonly clicks: number;
  /** What answers it, as the API has it. */
  readonly answer: string;
  /** From the overview on. */
  find(): Promise<void>;
}

async function clickOn(target: Locator): Promise<void> {
  clicks += 1;
  await target.click();
}
async function click(role: 'link' | 'button' | 'option' | 'tab' | 'radio', ...names: (string | RegExp)[]) {
  for (const name of names) {
    await clickOn(page.getByRole(role, { name, exact: typeof name === 'string' }).first());
  }
}
/** Types into the search and presses Enter, which opens the only match. */
async function search(text: string): Promise<void> {
  await click('button', /^Search/);
  await page.getByRole('searchbox').fill(text);
  await page.keyboard.press('Enter');
}
const openIntegration = async (id: string, tab: string) => {
  await click('link', 'Integrations');
  await clickOn(page.locator(`main a[href="/integrations/${id}"]`).first());
  await click('tab', tab);
};
const openWebhook = () => click('link', 'Webhooks', new RegExp(`${new URL(receiver.address).host}`));
const dialog = () => page.getByRole('dialog');
const sees = async (...texts: (string | RegExp)[]) => {
  for (const text of texts) await page.getByText(text).filter({ visible: true }).first().waitFor();
};
const row = (name: string | RegExp, table?: string) =>
  (table === undefined ? page : page.getByRole('table', { name: table, exact: true }))
    .getByRole('row')
    .filter({ hasText: name });
const rowsOf = (table: string) => page.getByRole('table', { name: table, exact: true }).getByRole('row');
const attention = (text: string | RegExp) =>
  page.getByRole('list', { name: 'Needs attention' }).locator('> li').filter({ hasText: text });
const read = async (path: string) => (await test.json('GET', path)).body.data;
const keyNamed = async (name: string) =>
  (await read('/account/keys')).find((one: { name: string }) => one.name === name);
const waiting = async () => (await read('/approvals')).filter(({ status }: { status: string }) => status === 'pending');
const total = async (query: string) =>
  (await test.json('GET', `/connections?limit=1&include=total&${query}`)).body.total;
const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The operator's 45 questions; the order matters where one changes what another one reads. */
const QUESTIONS: readonly Question[] = [
  {
    asked: 'Why is this connection dead?',
    page: 'Connection',
    clicks: 1,
    answer: 'the cause of its diagnosis and a button that begins the fix',
    async find() {
      await search(GONE_USER);
      await sees('Needs a new authorization: User removed the app');
      await page.getByRole('button', { name: 'Create a reconnect link' }).waitFor();
      const { body } = await test.json('GET', `/connections?end_user_id=${GONE_USER}`);
      expect(body.connections[0]).toMatchObject({ status: 'reauthorization_required', cause: 'user_revoked' });
    },
  },
  {
    asked: 'Why does this connection fail?',
    page: 'Connection',
    clicks: 1,
    answer: 'Google’s reason, who can fix it and where',
    async find() {
      await search(FAILING_USER);
      const { body } = await test.json('GET', `/connections?end_user_id=${FAILING_USER}`);
      const [{ connection_id }] = body.connections;
      const one = (await test.json('GET', `/connections/${connection_id}?provider_config_key=google-drive`)).body;
      await sees(`Google refuses its calls: ${one.call_fault.reason}`, 'Workspace administrator can fix it');
      const console = page.getByRole('link', { name: 'Open Google’s console' });
      expect(await console.getAttribute('href')).toMatch(/^https:\/\/admin\.google\.com\//);
    },
  },
  {
    asked: 'Who deleted that connection?',
    page: 'Audit',
    clicks: 1,
    answer: 'the key or operator of its last event',
    async find() {
      await click('link', 'Audit');
      await page.getByRole('textbox', { name: 'Object' }).fill(day.deletedUser);
      await page.keyboard.press('Enter');
      const [event] = await read(`/events?object=${day.deletedUser}&type=ConnectionDeleted`);
      await row(event.actor_name)
        .filter({ has: page.getByRole('rowheader', { name: /^Deleted/ }) })
        .first()
        .waitFor();
    },
  },
  {
    asked: 'Who deleted the connection with this id?',
    page: 'Audit',
    clicks: 2,
    answer: 'the same, found by the search',
    async find() {
      await search(day.deletedId);
      await sees('No match.');
      await click('link', /Look for it in the audit trail/);
      const [event] = await read(`/events?object=${day.deletedId}&type=ConnectionDeleted`);
      await row(event.actor_name).first().waitFor();
    },
  },
  {
    asked: 'Which key is unused?',
    page: 'Keys',
    clicks: 1,
    answer: 'the keys without calls in the usage of the week',
    async find() {
      await click('link', 'Keys');
      await row('Forgotten script').getByText('No calls in 7 days').waitFor();
      const { rows } = await read('/usage?by=key');
      const { id } = await keyNamed('Forgotten script');
      expect(rows.filter((one: { key_id: string }) => id.startsWith(one.key_id))).toEqual([]);
    },
  },
  {
    asked: 'How much does each key call?',
    page: 'Key',
    clicks: 3,
    answer: 'its calls by day, as many as its usage counts',
    async find() {
      await click('link', 'Keys', 'Backend in use');
      await click('tab', 'Use');
      const { id } = await keyNamed('Backend in use');
      const { rows } = await read('/usage?by=key');
      const calls = rows
        .filter((one: { key_id: string }) => id.startsWith(one.key_id))
        .reduce((sum: number, one: { calls: number }) => sum + one.calls, 0);
      expect(calls).toBeGreaterThan(1);
      await sees(new RegExp(`\\b${calls} calls, [\\d.]+\\s% not successful`));
    },
  },
  {
    asked: 'Which key is safe to revoke?',
    page: 'Keys',
    clicks: 2,
    answer: 'its calls of today and of the week',
    async find() {
      await click('link', 'Keys');
      await click('button', 'Revoke Backend in use');
      await dialog().getByText('It is still used').waitFor();
      const { id } = await keyNamed('Backend in use');
      const { rows } = await read('/usage?by=key');
      const calls = rows
        .filter((one: { key_id: string }) => id.startsWith(one.key_id))
        .reduce((sum: number, one: { calls: number }) => sum + one.calls, 0);
      await expect.poll(() => dialog().textContent()).toContain(`In the last 7 days${calls}`);
    },
  },
  {
    asked: 'How do I rotate a key safely?',
    page: 'Keys',
    clicks: 4,
    answer: 'the new key works, the old one is revoked once nobody calls with it',
    async find() {
      await click('link', 'Keys');
      await click('button', 'Create a secret key');
      await dialog().getByLabel('Name').fill('Script, new');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'secret key', exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await click('button', 'Revoke Forgotten script');
      await dialog().getByText('No proxied call was made with it in the last 7 days.').waitFor();
      await click('button', 'Revoke it');
      await sees('It stops working within a minute.');
      expect((await keyNamed('Script, new')).revoked_at).toBeNull();
      await expect.poll(async () => (await keyNamed('Forgotten script')).revoked_at).not.toBeNull();
    },
  },
  {
    asked: 'Who revoked that key?',
    page: 'Audit',
    clicks: 2,
    answer: 'the operator of the event',
    async find() {
      await click('link', 'Keys', 'Who revoked it: Forgotten script');
      await row(/A secret key was revoked.*Forgotten script/)
        .getByText('operator@example.com')
        .first()
        .waitFor();
    },
  },
  {
    asked: 'What failed today?',
    page: 'Failed calls',
    clicks: 1,
    answer: 'every failed call with reason, key and person',
    async find() {
      await click('link', 'Failed calls');
      const calls = await read('/calls?limit=200');
      await expect.poll(() => rowsOf('Failed calls').count()).toBe(calls.length + 1);
      await row('Google: backendError', 'Failed calls').getByText('Backend in use').first().waitFor();
      await row(calls[0].connection_name, 'Failed calls').first().waitFor();
    },
  },
  {
    asked: 'Is it Google, or are we the cause?',
    page: 'Failed calls',
    clicks: 1,
    answer: 'the verdict of the last hour with its evidence',
    async find() {
      await click('link', 'Failed calls');
      const hour = await read('/usage/minutes');
      expect(hour.verdict).toBe('provider');
      await sees(hour.text, ...hour.evidence);
    },
  },
  {
    asked: 'Which call has this request id?',
    page: 'Connection',
    clicks: 1,
    answer: 'the call, with its reason and key',
    async find() {
      await search(day.refusedId);
      await sees('The call with request id');
      expect((await read(`/calls/${day.refusedId}`)).request_id).toBe(day.refusedId);
      await row('Google: notFound', 'Calls').getByText('Backend in use').waitFor();
      expect(await rowsOf('Calls').count()).toBe(2);
    },
  },
  {
    asked: 'Why do the calls of one person fail since 10:00?',
    page: 'Failed calls',
    clicks: 3,
    answer: 'the failed calls of the connection, with times and reasons',
    async find() {
      await click('link', 'Failed calls');
      await click('button', /^Person/);
      const id = test.connectionId('google-drive');
      await page.getByLabel('Search people').fill(id);
      await click('option', new RegExp(id));
      const calls = await read(`/calls?limit=200&provider_config_key=google-drive&connection_id=${id}`);
      expect(calls.length).toBeGreaterThan(0);
      await expect.poll(() => rowsOf('Failed calls').count()).toBe(calls.length + 1);
      expect(await rowsOf('Failed calls').locator('time').count()).toBe(calls.length);
    },
  },
  {
    asked: 'How do I record all calls of one connection?',
    page: 'Connection',
    clicks: 3,
    answer: 'when the recording ends',
    async find() {
      await search(FAILING_USER);
      await click('tab', 'Calls');
      await click('button', 'Record all calls for an hour');
      await sees('Every call is recorded.');
      const { body } = await test.json('GET', `/connections?end_user_id=${FAILING_USER}`);
      const id = body.connections[0].connection_id;
      const { log } = (await test.json('GET', `/connections/${id}/calls?provider_config_key=google-drive`)).body;
      expect(log.recording_until).not.toBeNull();
    },
  },
  {
    asked: 'Can I have the list as a file?',
    page: 'Connections',
    clicks: 2,
    answer: 'a line for every connection',
    async find() {
      await click('link', 'Connections');
      const saved = page.waitForEvent('download');
      await click('button', 'Export as CSV');
      const stream = await (await saved).createReadStream();
      const text = (await stream.toArray()).join('');
      expect(text.trim().split('\n')).toHaveLength((await total('sort=created')) + 1);
    },
  },
  {
    asked: 'Which connection has this Google address?',
    page: 'Connection',
    clicks: 1,
    answer: 'the connection of the account',
    async find() {
      await search(day.paused.account);
      await page.waitForURL(`**/connections/google-drive/${day.paused.id}`);
      expect(await total(`search=${day.paused.account}`)).toBe(1);
    },
  },
  {
    asked: 'Which connections does an organization have?',
    page: 'Search',
    clicks: 1,
    answer: 'its connections by the organization’s name',
    async find() {
      await click('button', /^Search/);
      await page.getByRole('searchbox').fill('Acme Corporation');
      const count = await total('end_user_organization_id=acme');
      await dialog().getByText(counted(count, 'connection'), { exact: true }).waitFor();
      await dialog().getByText('Edda Example').first().waitFor();
    },
  },
  {
    asked: 'How do I make a reconnect link?',
    page: 'Connection',
    clicks: 2,
    answer: 'a link for this person',
    async find() {
      const before = (await read('/connect/reconnect-links')).length;
      await search(GONE_USER);
      await click('button', 'Create a reconnect link');
      await dialog()
        .getByText(/session_token=/)
        .first()
        .waitFor();
      expect(await read('/connect/reconnect-links')).toHaveLength(before + 1);
    },
  },
  {
    asked: 'How do all get links whose connections died of Testing?',
    page: 'Connections',
    clicks: 3,
    answer: 'a link for each of them, after a warning',
    async find() {
      const count = await total('provider_config_key=google-calendar&cause=testing_mode_expired');
      const incident = attention(`${count} connections of`);
      await incident.getByText('The app is still in Testing').first().waitFor();
      await clickOn(incident.getByRole('link', { name: `Create ${count} reconnect links` }));
      await dialog().getByText('is still in Testing: users who reconnect now are disconnected again').waitFor();
      await clickOn(dialog().getByRole('button', { name: `Create ${count} links` }));
      const saved = page.waitForEvent('download');
      await clickOn(dialog().getByRole('button', { name: `Save ${count} links as CSV` }));
      expect((await saved).suggestedFilename()).toBe('reconnect-links.csv');
      expect((await read('/connect/reconnect-links'))[0].links).toBe(count);
    },
  },
  {
    asked: 'Which links were sent?',
    page: 'Reconnect links',
    clicks: 2,
    answer: 'every batch with its number of links',
    async find() {
      await click('link', 'Connections', 'Reconnect links that were sent');
      const batches: { came_back: number; links: number }[] = await read('/connect/reconnect-links');
      for (const one of batches) await sees(`${one.came_back} of ${one.links} came back`);
      expect(await page.getByText(/\d+ of \d+ came back/).count()).toBe(batches.length);
    },
  },
  {
    asked: 'Who came back?',
    page: 'Reconnect links',
    clicks: 3,
    answer: 'the people whose consent is newer than their link',
    async find() {
      await click('link', 'Connections', 'Reconnect links that were sent');
      const batches = await read('/connect/reconnect-links');
      const { id } = batches.find((one: { came_back: number }) => one.came_back === 1);
      await clickOn(page.getByText('1 of 1 came back'));
      const [link] = (await read(`/connect/reconnect-links/${id}`)).links;
      expect(link.state).toBe('came_back');
      await page.getByRole('listitem').filter({ hasText: link.connection_name }).getByText('Came back').waitFor();
    },
  },
  {
    asked: 'What is missing for Google’s review?',
    page: 'Integration',
    clicks: 3,
    answer: 'the steps that are needed',
    async find() {
      await openIntegration('google-drive', 'Going live');
      const { steps } = await read('/integrations/google-drive/readiness');
      const needed = steps.filter((step: { needed: boolean }) => step.needed);
      expect(needed.length).toBeGreaterThan(0);
      await sees(...needed.map(({ what }: { what: string }) => what));
    },
  },
  {
    asked: 'How do I change the client secret?',
    page: 'Integration',
    clicks: 4,
    answer: 'the new secret is checked and stored',
    async find() {
      const before = await read('/integrations/calendar-own');
      await openIntegration('calendar-own', 'Credentials');
      await click('button', 'Rotate the secret');
      await dialog().getByLabel('New client secret').fill(CLIENT_SECRET);
      await page.keyboard.press('Enter');
      await sees('The secret was replaced.');
      expect((await read('/integrations/calendar-own')).updated_at).not.toBe(before.updated_at);
    },
  },
  {
    asked: 'How many calls are there a day?',
    page: 'Overview',
    clicks: 0,
    answer: 'the calls by day',
    async find() {
      const { rows } = await read('/usage');
      const calls = rows.reduce((sum: number, one: { calls: number }) => sum + one.calls, 0);
      await sees(new RegExp(`\\b${calls} calls, [\\d.]+\\s% not successful`));
    },
  },
  {
    asked: 'How many refreshes fail?',
    page: 'Overview',
    clicks: 0,
    answer: 'the outcomes by day',
    async find() {
      const { changes_by_day: days } = await read('/overview');
      const refused = days.reduce(
        (sum: number, { refreshes }: { refreshes: Record<string, number> }) =>
          sum + Number(refreshes.refused) + Number(refreshes.client_refused),
        0,
      );
      expect(refused).toBeGreaterThan(0);
      const chart = page.getByRole('table', { name: /^Refreshes by outcome/ });
      await chart.waitFor({ state: 'attached' });
      const shown = await chart
        .locator('tbody tr')
        .evaluateAll((all) => all.map((one) => Number([...one.querySelectorAll('td')].at(-1)?.textContent)));
      expect(shown.reduce((sum, one) => sum + one, 0)).toBe(refused);
    },
  },
  {
    asked: 'Which webhooks fail?',
    page: 'Webhooks',
    clicks: 1,
    answer: 'each with its failures in a row',
    async find() {
      await click('link', 'Webhooks');
      const failing = (await read('/webhooks')).filter(
        (one: { failures_in_a_row: number }) => one.failures_in_a_row > 0,
      );
      expect(failing).toHaveLength(1);
      await row(failing[0].url).getByText(`Failing: ${failing[0].failures_in_a_row} in a row`).waitFor();
    },
  },
  {
    asked: 'How do I resend one delivery?',
    page: 'Webhook',
    clicks: 3,
    answer: 'the delivery is queued, the others stay as they were',
    async find() {
      const failed = async () =>
        (await read(`/webhooks/${day.webhookId}/deliveries?state=failed`)).map(
          (one: { event_id: string }) => one.event_id,
        );
      const before = await failed();
      await openWebhook();
      await clickOn(page.getByRole('button', { name: /^Send again: ConnectionCreated of / }).first());
      await sees(/event is queued/);
      await expect.poll(failed).toHaveLength(before.length - 1);
    },
  },
  {
    asked: 'How do I replay the last hour of a webhook?',
    page: 'Webhook',
    clicks: 4,
    answer: 'the events that are queued again',
    async find() {
      await openWebhook();
      await click('button', 'Replay', 'Queue them');
      const notice = await page
        .getByText(/\d+ events are queued/)
        .first()
        .innerText();
      const queued = Number(/\d+/.exec(notice)?.[0]);
      expect(queued).toBeGreaterThan(3);
      const deliveries: { state: string }[] = await read(`/webhooks/${day.webhookId}/deliveries?limit=100`);
      expect(deliveries.filter(({ state }) => state !== 'failed').length).toBeGreaterThanOrEqual(queued);
    },
  },
  {
    asked: 'How do I rotate a webhook’s secret?',
    page: 'Webhook',
    clicks: 4,
    answer: 'the new secret, and until when the previous one signs',
    async find() {
      await openWebhook();
      await click('button', 'New secret', 'Make it');
      await dialog()
        .getByText(/whsec_/)
        .first()
        .waitFor();
      expect((await read(`/webhooks/${day.webhookId}`)).previous_secret_until).not.toBeNull();
    },
  },
  {
    asked: 'How do I disable a webhook?',
    page: 'Webhook',
    clicks: 3,
    answer: 'its status',
    async find() {
      await openWebhook();
      await click('button', 'Disable');
      await page.getByRole('button', { name: 'Send endpoint.test and enable' }).waitFor();
      expect((await read(`/webhooks/${day.webhookId}`)).status).toBe('disabled');
    },
  },
  {
    asked: 'Which feeds are behind?',
    page: 'Feeds',
    clicks: 2,
    answer: 'each with its state, its person and since when',
    async find() {
      await click('link', 'Feeds');
      const feeds = await read('/feeds');
      const behind = feeds.filter((one: { behind_since: unknown }) => one.behind_since !== null);
      expect(behind).toHaveLength(1);
      await sees(`1 of ${feeds.length} feeds is behind.`);
      await clickOn(page.getByText('Behind', { exact: true }));
      await expect.poll(() => rowsOf('Feeds').count()).toBe(2);
      await row(day.paused.name, 'Feeds').getByText('Behind: last pull').waitFor();
    },
  },
  {
    asked: 'Which agent changed this file?',
    page: 'File or event',
    clicks: 1,
    answer: 'the writes of the journal with the names of their keys',
    async find() {
      await search(day.fileId);
      const writes = await read(`/journal?object_id=${day.fileId}`);
      await expect.poll(() => row('drive.files', 'What keys wrote').count()).toBe(writes.length);
      await row('drive.files.update', 'What keys wrote').getByText('Research agent').waitFor();
    },
  },
  {
    asked: 'How do I undo one write?',
    page: 'File or event',
    clicks: 4,
    answer: 'before and after, then the former name at Google',
    async find() {
      await search(day.fileId);
      await click('button', /^Undo drive\.files\.update of/, 'Show what would be undone');
      const changes = page.getByRole('table', { name: 'Before and after' }).getByRole('row');
      expect(await changes.filter({ hasText: 'name' }).innerText()).toMatch(/Plan\s+Plan of an agent/);
      await click('button', 'Undo 1 write');
      await sees('1 write was undone.');
      const file = await test.proxyAs('drive-writer', day.writerId, `/drive/v3/files/${day.fileId}?fields=name`);
      expect((await file.json()).name).toBe('Plan');
    },
  },
  {
    asked: 'Is anything waiting for me?',
    page: 'Overview',
    clicks: 0,
    answer: 'the number of calls that wait, there and in the navigation',
    async find() {
      const count = (await waiting()).length;
      expect(count).toBe(3);
      await attention(/approval/)
        .first()
        .waitFor();
      await page.getByRole('link', { name: new RegExp(`Approvals\\s*${count}\\s*calls wait`) }).waitFor();
    },
  },
  {
    asked: 'Would I notice a misleading call?',
    page: 'Approvals',
    clicks: 1,
    answer: 'its risks, in red',
    async find() {
      await click('link', /^Approvals/);
      const risks = (await waiting()).flatMap(({ about }: { about: { risks: string[] } }) => about.risks);
      expect(risks.length).toBeGreaterThan(0);
      await sees(...risks);
    },
  },
  {
    asked: 'How do I decide on three waiting calls?',
    page: 'Approvals',
    clicks: 4,
    answer: 'none waits any more, two run and one is refused',
    async find() {
      await click('link', /^Approvals/);
      for (const name of [/^Approve: Delete/, /^Refuse: (?!Delete)/, /^Approve: Delete/]) {
        const before = (await waiting()).length;
        await click('button', name);
        await expect.poll(async () => (await waiting()).length).toBe(before - 1);
        await expect.poll(() => page.getByRole('button', { name: /^Refuse: / }).count()).toBe(before - 1);
      }
      await sees('No call waits.');
    },
  },
  {
    asked: 'Who approved what, and what came of it?',
    page: 'Approvals',
    clicks: 2,
    answer: 'who decided, and the outcome',
    async find() {
      const refused = (await read('/approvals')).find(({ status }: { status: string }) => status === 'refused');
      await click('link', /^Approvals/);
      await clickOn(row('Refused', 'Approvals').getByRole('link').first());
      await dialog().getByText('Decided by').waitFor();
      expect(refused.decided_by).toMatch(/operator/);
      await dialog()
        .getByText(refused.outcome ?? '–')
        .first()
        .waitFor();
    },
  },
  {
    asked: 'How do I limit a key?',
    page: 'Key',
    clicks: 3,
    answer: 'its limits',
    async find() {
      await search('Calendar bot');
      await click('button', 'Change the limits', 'Reads');
      await dialog().getByLabel('Calls a day', { exact: true }).fill('50');
      await page.keyboard.press('Enter');
      await sees('Changed the limits of Calendar bot.');
      expect((await keyNamed('Calendar bot')).limits).toMatchObject({ mode: 'observe', day: { calls: 50 } });
    },
  },
  {
    asked: 'How do I let a key read one calendar only?',
    page: 'Key',
    clicks: 4,
    answer: 'its limits, which name the calendar',
    async find() {
      await search('Calendar bot');
      await click('button', 'Change the limits', 'Reads');
      await click('radio', /^Enforce/);
      await dialog().getByLabel('Calendars, files and folders').fill('calendar:primary');
      await dialog().getByLabel('Calls a day', { exact: true }).press('Enter');
      await sees('Changed the limits of Calendar bot.');
      expect((await keyNamed('Calendar bot')).limits).toMatchObject({
        mode: 'enforce',
        resources: ['calendar:primary'],
      });
    },
  },
  {
    asked: 'What would this limit have refused last week?',
    page: 'Key',
    clicks: 2,
    answer: 'the observed calls by method',
    async find() {
      const { id } = await keyNamed('Nightly job');
      const observed = await read(`/account/keys/${id}/observed`);
      expect(observed.would_refuse).toBe(1);
      await click('link', 'Keys', 'Nightly job');
      await sees(`${observed.would_refuse} would have been refused.`);
    },
  },
  {
    asked: 'Which Cloud project will run out of its day?',
    page: 'Overview',
    clicks: 0,
    answer: 'the project with its integrations',
    async find() {
      const { projects } = await read('/quota');
      const short = projects.filter(({ units }: { units: { share: number } }) => units.share >= 1);
      expect(short).toHaveLength(1);
      await attention(/Drive units, project|quota/i)
        .getByText(/Google Drive|google-drive/)
        .first()
        .waitFor();
    },
  },
  {
    asked: 'How do I add a service account?',
    page: 'Integrations',
    clicks: 4,
    answer: 'the integration with its allowed domains',
    async find() {
      await click('link', 'Integrations', 'Use a service account');
      const field = (name: string) => page.getByRole('textbox', { name, exact: true });
      const { service_account, client_id } = (await read('/integrations/drive-domain')).delegation;
      await field('Id').fill('drive-second');
      await field('Address').fill(service_account);
      await field('Client ID').fill(client_id);
      await field('Project number').fill('123456789012');
      await field('Workload identity pool provider').fill(POOL);
      await field('Domains').fill('third.example');
      await clickOn(page.getByRole('checkbox', { name: /^drive(?!\.)/ }));
      await click('button', 'Create the integration');
      await page.waitForURL('**/integrations/drive-second');
      expect(await read('/integrations/drive-second')).toMatchObject({
        delegation: { via: 'aws', subjects: { domains: ['third.example'] } },
      });
    },
  },
  {
    asked: 'Which administrator has to list what?',
    page: 'Integration',
    clicks: 3,
    answer: 'every configured domain, the client ID and the scopes',
    async find() {
      await openIntegration('drive-domain', 'Service account');
      const { delegation, scopes } = await read('/integrations/drive-domain');
      for (const domain of delegation.subjects.domains) await row(domain).first().waitFor();
      await row('second.example').getByText('Not checked yet').waitFor();
      await sees(delegation.client_id, scopes.join(','));
    },
  },
  {
    asked: 'What does the administrator see?',
    page: 'Integration',
    clicks: 4,
    answer: 'a link to the page of the administrator',
    async find() {
      await openIntegration('drive-domain', 'Service account');
      await click('button', 'Create a link for an administrator');
      await dialog().getByLabel('Your id of the customer').fill('acme');
      await page.keyboard.press('Enter');
      const link = await dialog()
        .getByText(/\/connect#session_token=cs_/)
        .first()
        .innerText();
      const context = await dashboard.browser.newContext();
      const administrator = await context.newPage();
      await administrator.goto(link.trim());
      const { delegation } = await read('/integrations/drive-domain');
      await administrator.getByText(delegation.client_id).first().waitFor();
      await context.close();
    },
  },
  {
    asked: 'How do I register for security events?',
    page: 'Security events',
    clicks: 4,
    answer: 'the state of the Cloud project',
    async find() {
      await click('link', 'Integrations', 'Security events');
      const { projects } = await read('/security-events');
      await sees('Not registered');
      expect(await page.getByText('Not registered').count()).toBe(projects.length);
      await click('button', /^Register Cloud project/, /yourself instead/);
      await sees('The gateway now accepts the events of this project.');
      const after = (await read('/security-events')).projects;
      expect(after.filter(({ state }: { state: string }) => state === 'not_verified')).toHaveLength(1);
    },
  },
  {
    asked: 'How do I erase a person?',
    page: 'Erase a person',
    clicks: 3,
    answer: 'a record, and no connection left',
    async find() {
      const count = await total('end_user_id=customer-7');
      expect(count).toBe(1);
      await search('customer.7@example.com');
      await click('link', 'Erase this person');
      await page.getByRole('heading', { name: 'What goes' }).waitFor();
      expect(
        await page
          .getByRole('listitem')
          .filter({ hasText: /^Connection / })
          .count(),
      ).toBe(count);
      await click('button', 'Erase this person');
      await dialog().getByLabel('Type the end user id to confirm').fill('customer-7');
      await page.keyboard.press('Enter');
      await sees('This person is erased');
      expect(await total('end_user_id=customer-7')).toBe(0);
    },
  },
  {
    asked: 'How do I begin with a client of my own?',
    page: 'Create an integration',
    clicks: 4,
    answer: 'the integration, whose client Google knows',
    async find() {
      await click('link', 'Integrations', 'Create an integration');
      await click('radio', /Your own client/);
      const id = page.getByRole('textbox', { name: 'Id', exact: true });
      await id.fill('drive-own');
      await id.press('Enter');
      // Enter leads to the next step from every field.
      await page.getByRole('checkbox', { name: /^drive\.file/ }).press('Enter');
      await page.getByLabel('Client ID').fill('123456789012-own.apps.googleusercontent.com');
      await page.getByLabel('Client secret').fill(CLIENT_SECRET);
      await page.keyboard.press('Enter');
      await click('button', 'Create the integration');
      await page.waitForURL('**/integrations/drive-own');
      expect(await read('/integrations/drive-own')).toMatchObject({
        credentials_source: 'own',
        scopes: ['https://www.googleapis.com/auth/drive.file'],
      });
    },
  },
];

describe('a figure', () => {
  async function total(query: string): Promise<number> {
    const answer = await test.call(`/connections?include=total&limit=1&${query}`);
    expect(answer.status).toBe(200);
    const { total, total_is_complete } = await answer.json();
    expect(total_is_complete).toBe(true);
    return total;
  }

  async function countFailedCalls(): Promise<number> {
    return (await test.json('GET', '/calls?limit=200')).body.data.length;
  }

  it('a figure of the overview and of the cards is that of a recount over the API, and none is counted twice', async () => {
    await visit(page, '/');
    const figures = [
      ['Working connections', 'health=working'],
      ['Need a new authorization', 'health=dead'],
      ['Failing: Google refuses their calls', 'health=failing'],
      ['Not renewed: Google refuses their tokens', 'health=refused_by_provider'],
      ['Of a client that Google refuses', 'health=client_refused'],
    ] as const;
    let sum = 0;
    for (const [label, query] of figures) {
      const counted = await total(query);
      await page.getByRole('link', { name: `${label}: ${counted}`, exact: true }).waitFor();
      sum += counted;
    }
    expect(sum).toBe(await total('sort=created'));
    expect(await total('health=client_refused')).toBe(16);
    await visit(page, '/integrations');
    for (const id of ['google-drive', 'google-calendar', 'refused']) {
      const lists = [
        ['working', 'working', 'working'],
        ['failing', 'failing', 'failing'],
        ['dead', 'dead', 'reauthorization_required'],
      ] as const;
      for (const [health, words, status] of lists) {
        const counted = await total(`provider_config_key=${id}&health=${health}`);
        const link = page.locator(`main a[href="/connections?status=${status}&integration=${id}"]`);
        expect((await link.innerText()).trim(), `${id} ${health}`).toBe(`${counted} ${words}`);
      }
    }
  });

  it('a figure of calls by day is that of a recount over the API', async () => {
    const failed = await countFailedCalls();
    const rows: Record<string, number>[] = (await test.json('GET', '/usage')).body.data.rows;
    const ofDays = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0);
    expect(failed).toBeGreaterThan(0);
    expect(ofDays('calls') - ofDays('ok')).toBeGreaterThanOrEqual(failed);
    await visit(page, '/');
    const chart = page.getByRole('table', { name: /^Proxied calls over the last/ });
    await chart.waitFor({ state: 'attached' });
    const shown = await chart.locator('tbody tr').evaluateAll((days) =>
      days.flatMap((day) => {
        const counts = [...day.querySelectorAll('td')].map((cell) => Number(cell.textContent));
        return counts.some((count) => count > 0) ? [counts] : [];
      }),
    );
    const byDay = Map.groupBy(rows, ({ day }) => day);
    expect(shown.map(([good, ...others]) => [good, others.reduce((a, b) => a + b, 0)])).toEqual(
      [...byDay.values()].map((ofDay) => {
        const sum = (name: string) => ofDay.reduce((all, row) => all + Number(row[name]), 0);
        return [sum('ok'), sum('calls') - sum('ok')];
      }),
    );
  });

  it('a figure of the week on the card of an integration is that of a recount over the API', async () => {
    await visit(page, '/integrations');
    const recount = async (id: string) => {
      const words = [];
      for (const [type, word] of WEEK) {
        const events = (await test.json('GET', `/events?object=${id}&type=${type}&limit=200`)).body.data;
        words.push(`${events.length} ${word}`);
      }
      return words.join(', ');
    };
    for (const id of ['google-drive', 'google-calendar', 'refused']) {
      const card = page.getByRole('listitem').filter({ has: page.locator(`a[href="/integrations/${id}"]`) });
      await card.getByText(await recount(id), { exact: true }).waitFor();
    }
    const rows: Record<string, unknown>[] = (await test.json('GET', '/usage')).body.data.rows;
    const ofDrive = rows.filter((one) => one.provider_config_key === 'google-drive');
    const [calls, ok] = ['calls', 'ok'].map((name) => ofDrive.reduce((sum, one) => sum + Number(one[name]), 0));
    await page.getByText(`${calls} calls, ${Number(calls) - Number(ok)} not successful`).waitFor();
  });
});

function titleOf({ asked, page, clicks, answer }: Question): string {
  return `“${asked}” is answered on the page ${page} in ${counted(clicks, 'click')}: ${answer}`;
}

describe('an operator of three hundred connections', () => {
  beforeEach(async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    // What a question left open would cover the page.
    if ((await page.getByRole('dialog').count()) > 0) await dashboard.load('/');
    else await visit(page, '/');
    clicks = 0;
  });

  it('sees at once what needs attention: failures first, a line each, with a button and the time', async () => {
    const titles = await page.getByRole('list', { name: 'Needs attention' }).locator('> li b').allInnerTexts();
    expect(titles).toEqual([
      'Google refuses the OAuth client of Back office: 16 connections cannot be renewed',
      expect.stringMatching(/^88 connections of .* need a new authorization$/),
      expect.stringMatching(/^6 connections of .* fail$/),
      expect.stringMatching(/^12 connections of .* need a new authorization$/),
      'The webhook to hooks.example.com fails: 9 attempts in a row',
      'Drive units, project 123456789012 (Back office, Google Drive): the day is used up',
      '3 calls wait for approval',
    ]);
    await page.setViewportSize({ width: 1440, height: 900 });
    const heights = await page
      .locator('.attention-row')
      .evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().height));
    expect(heights.filter((height) => height > 36)).toEqual([]);
    // The warning is in sight before anything is clicked; the steps are one click away.
    const incident = attention('12 connections of');
    await incident.getByRole('button', { name: /^Details/ }).click();
    await incident.getByText('Publish the app in the Google Cloud console').waitFor();
    expect(await incident.getByRole('link', { name: 'Publish the app' }).getAttribute('href')).toContain(
      '/auth/audience',
    );
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it.each(QUESTIONS.map((question) => [titleOf(question), question] as const))('%s', async (_, question) => {
    await question.find();
    expect(clicks).toBe(question.clicks);
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

describe('a page', () => {
  it('loads itself again while nobody types, and says how old it is', async () => {
    let asked = 0;
    await page.route(`${test.gateway.gatewayUrl}/webhooks`, (route) => {
      asked += 1;
      return route.fallback();
    });
    // No time passes in the page but what the test lets pass, from before the page begins to count it.
    const start = Date.now();
    await page.clock.install({ time: start });
    await page.clock.pauseAt(start + 1_000);
    await visit(page, '/webhooks');
    const age = page.getByText(/^(Updated|Not updated)/);
    await page.getByText('Updated just now').waitFor();
    expect(asked).toBe(1);
    await expect.poll(() => aSecondLater(() => age.textContent())).toBe('Updated 10 s ago');
    expect(asked).toBe(1);
    await expect.poll(() => aSecondLater(() => asked)).toBe(2);
    await page.getByText('Updated just now').waitFor();
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByRole('dialog').waitFor();
    await page.clock.runFor(60_000);
    await page.getByText('Not updated while you type').waitFor();
    expect(asked).toBe(2);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => aSecondLater(() => asked)).toBe(3);
    await page.clock.resume();
  });

  async function aSecondLater<T>(look: () => T): Promise<Awaited<T>> {
    await page.clock.runFor(1_000);
    return await look();
  }
});
