import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { accessibilityProblems, startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { countCalls } from '../../support/roll-up.ts';
import { control } from '../../support/simulator.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

/** Most clicks that an operator needs for an answer. */
const CLICKS_MAX = 4;
/** Proxied calls that fail because Google does, and because of what is called. */
const [FAILED, REFUSED] = [6, 2];

let dashboard: TestDashboard;
let test: TestGateway;
let page: Page;
let receiver: WebhookReceiver;
/** Request id of a call that Google refused. */
let refusedId: string;
let deletedId: string;
let usedKey: string;
/** Whose feed is paused. */
let pausedName: string;

/** A secret key by its name. */
async function makeKey(name: string): Promise<string> {
  const made = await test.json('POST', '/account/keys', { name, right: 'full' });
  return String(made.body.data.secret_key);
}

/** A proxied call. @returns its request id */
async function call(path: string, key: string): Promise<string> {
  const answer = await fetch(`${test.gateway.gatewayUrl}/proxy${path}`, {
    headers: {
      authorization: `Bearer ${key}`,
      'provider-config-key': 'google-drive',
      'connection-id': test.connectionId('google-drive'),
    },
  });
  await answer.arrayBuffer();
  return answer.headers.get('x-request-id') ?? '';
}

beforeAll(async () => {
  [dashboard, receiver] = await Promise.all([startDashboard(), startWebhookReceiver()]);
  ({ test, page } = dashboard);
  usedKey = await makeKey('Backend in use');
  await makeKey('Forgotten script');
  await call('/drive/v3/about?fields=user', usedKey);
  for (let i = 0; i < REFUSED; i += 1) refusedId = await call('/drive/v3/files/no-such-file', usedKey);
  await control(test, 'POST', '/faults', {
    match: { pathPrefix: '/drive/v3/files' },
    times: FAILED,
    action: { apiError: { code: 503, reason: 'backendError' } },
  });
  for (let i = 0; i < FAILED; i += 1) await call('/drive/v3/files', usedKey);
  await countCalls(test);

  deletedId = await connectAccount(test, 'google-calendar', { account: 'viewer@workspace.example' });
  await test.json('DELETE', `/connections/${deletedId}?provider_config_key=google-calendar`);

  const pausedId = await connectAccount(test, 'google-drive', { account: 'editor@workspace.example' });
  for (const connection_id of [pausedId, test.connectionId('google-drive')]) {
    await test.json('POST', '/feeds', { provider_config_key: 'google-drive', connection_id, resource: 'drive' });
  }
  await control(test, 'POST', '/grants/kill', { account: 'editor@workspace.example', reason: 'user_revoked' });
  await test.json('POST', `/connections/${pausedId}/refresh?provider_config_key=google-drive`);
  const feeds = (await test.json('GET', `/feeds?provider_config_key=google-drive&connection_id=${pausedId}`)).body.data;
  pausedName = String(feeds[0].connection_name);
  await test.json('POST', `/feeds/${feeds[0].id}/pull`);

  receiver.answer('/broken', (response) => response.writeHead(500).end('out of order'));
  const hook = await test.json('POST', '/webhooks', { url: `${receiver.address}/broken` });
  await test.json('POST', `/webhooks/${hook.body.data.id}/enable`);
});
afterAll(async () => {
  await dashboard?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

describe('an operator finds out in at most four clicks', () => {
  let clicks = 0;
  const click = async (role: 'link' | 'button' | 'option', name: string | RegExp): Promise<void> => {
    clicks += 1;
    await page
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click();
  };
  beforeEach(async () => {
    clicks = 0;
    await visit(page, '/');
  });
  const fits = () => expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);

  it('which key is unused, as a recount over the API has it', async () => {
    await click('link', 'Secret keys');
    await page
      .getByRole('row', { name: /Forgotten script/ })
      .getByText('No calls in 7 days')
      .waitFor();
    const { rows } = (await test.json('GET', '/usage?by=key')).body.data;
    const counted = rows.reduce((sum: number, row: { calls: number }) => sum + row.calls, 0);
    expect(counted).toBe(1 + REFUSED + FAILED);
    await page
      .getByRole('row', { name: /Backend in use/ })
      .getByText(`${counted} calls in 7 days`)
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    fits();
  });

  it('what failed today and why, for whom, with which key and at which request', async () => {
    await click('link', 'Failed calls');
    const table = page.getByRole('table', { name: 'Failed calls', exact: true });
    await table.getByText('Google: backendError').first().waitFor();
    const listed = (await test.json('GET', '/calls?limit=200')).body.data;
    expect(listed).toHaveLength(FAILED + REFUSED);
    expect(await table.getByRole('row').count()).toBe(listed.length + 1);
    await table.getByText('Backend in use').first().waitFor();
    await table.getByText(listed[0].connection_name).first().waitFor();
    await click('button', /What failed/);
    await click('option', 'Refused (other 4xx)');
    await expect.poll(() => table.getByRole('row').count()).toBe(REFUSED + 1);
    await table.getByText('Google: notFound').first().waitFor();
    fits();
  });

  it('whether it is Google or we, with the evidence, and each column of the hour leads to its calls', async () => {
    await click('link', 'Failed calls');
    const hour = (await test.json('GET', '/usage/minutes')).body.data;
    expect(hour.verdict).toBe('provider');
    await page.getByText(hour.text).waitFor();
    for (const one of hour.evidence) await page.getByText(one).waitFor();
    expect(hour.evidence.join(' ')).toContain('backendError');
    expect(await accessibilityProblems(page)).toEqual([]);
    const minute = hour.minutes.findLast((one: { provider_failed: number }) => one.provider_failed > 0);
    await click('link', new RegExp(`^Show ${minute.time.slice(11, 16)}`));
    const table = page.getByRole('table', { name: 'Failed calls', exact: true });
    const until = new Date(Date.parse(minute.time) + 60_000).toISOString();
    const own = (await test.json('GET', `/calls?since=${minute.time}&until=${until}`)).body.data;
    expect(own.length).toBeGreaterThan(0);
    await expect.poll(() => table.getByRole('row').count()).toBe(own.length + 1);
    fits();
  });

  it('which feeds are behind, why and since when', async () => {
    await click('link', 'Feeds');
    await page.getByText('1 of 2 feeds is behind.').waitFor();
    await page.getByText('Behind', { exact: true }).click();
    clicks += 1;
    const row = page.getByRole('table', { name: 'Feeds' }).getByRole('row').nth(1);
    await row.getByText('Paused').waitFor();
    await row.getByText('Behind: last pull').waitFor();
    await row.getByRole('link', { name: pausedName }).waitFor();
    expect(await page.getByRole('table', { name: 'Feeds' }).getByRole('row').count()).toBe(2);
    expect(await accessibilityProblems(page)).toEqual([]);
    fits();
  });

  it('which webhook fails', async () => {
    await click('link', 'Webhooks');
    await page
      .getByRole('row', { name: /broken/ })
      .getByText(/500|Not verified|failed/i)
      .first()
      .waitFor();
    fits();
  });

  it('which call a request id belongs to, by Enter', async () => {
    await click('button', /^Search/);
    await page.getByRole('searchbox').fill(refusedId);
    await page.keyboard.press('Enter');
    await page.getByText('The call with request id').waitFor();
    const table = page.getByRole('table', { name: 'Calls' });
    await table.getByText('Google: notFound').waitFor();
    await table.getByText('Backend in use').waitFor();
    expect(await table.getByRole('row').count()).toBe(2);
    expect(await page.getByText('No match.').count()).toBe(0);
    fits();
  });

  it('whether a key can be revoked, with its calls of today and the week', async () => {
    await click('link', 'Secret keys');
    await click('button', 'Revoke Backend in use');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It is still used').waitFor();
    await expect.poll(() => dialog.textContent()).toContain(`In the last 7 days${1 + REFUSED + FAILED}`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await click('button', 'Cancel');
    fits();
  });

  it('how to rotate a key: the new one is made, and the old one goes when nobody calls with it', async () => {
    await click('link', 'Secret keys');
    await click('button', 'Create a secret key');
    await page.getByRole('dialog').getByLabel('Name').fill('Script, new');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'secret key', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await click('button', 'Revoke Forgotten script');
    await page.getByRole('dialog').getByText('No proxied call was made with it in the last 7 days.').waitFor();
    await click('button', 'Revoke it');
    await page.getByText('It stops working within a minute.').waitFor();
    fits();
  });

  it('who deleted a connection, also on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, '/audit');
    await page.getByRole('textbox', { name: 'Object' }).fill(deletedId);
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: /deleted/i }).first();
    await row.getByText('First key').waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
    await visit(page, `/connections/google-calendar/${deletedId}`);
    await click('link', 'See who deleted it');
    await page
      .getByRole('row', { name: /deleted/i })
      .getByText('First key')
      .first()
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    fits();
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
