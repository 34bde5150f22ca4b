import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { accessibilityProblems, settled, startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { countCalls } from '../../support/roll-up.ts';
import { control } from '../../support/simulator.ts';
import { FAILING_USER, GONE_USER, seedMorning } from './morning.ts';

/** Most clicks that an operator needs for an answer. */
const CLICKS_MAX = 4;
/** Events that a card counts of the week, which is all the time there was. */
const WEEK = [
  ['ConnectionCreated', 'connected'],
  ['ConnectionReauthorizationRequired', 'died'],
  ['ConnectionRecovered', 'came back'],
] as const;
/** Proxied calls that fail because Google does, and because of what is called. */
const [FAILED, REFUSED] = [6, 2];

let dashboard: TestDashboard;
let test: TestGateway;
let page: Page;
/** Request id of a call that Google refused. */
let refusedId: string;
let deletedId: string;
/** Id of its end user. */
let deletedUser: string;
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

/** Calls that fail and do not, a connection that is deleted, and a feed that stands still. */
async function makeDay(): Promise<void> {
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
  const leaving = await test.json('GET', `/connections/${deletedId}?provider_config_key=google-calendar`);
  deletedUser = String(leaving.body.end_user.id);
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
}

beforeAll(async () => {
  dashboard = await startDashboard();
  ({ test, page } = dashboard);
  await makeDay();
  await seedMorning(test);
});
afterAll(async () => {
  await dashboard?.[Symbol.asyncDispose]();
});

describe('an operator of three hundred connections finds out in at most four clicks', { tags: ['long'] }, () => {
  let clicks = 0;
  const clickOn = async (target: Locator): Promise<void> => {
    clicks += 1;
    await target.click();
  };
  const click = async (role: 'link' | 'button' | 'option', name: string | RegExp): Promise<void> => {
    await clickOn(page.getByRole(role, { name, exact: typeof name === 'string' }).first());
  };
  beforeEach(async () => {
    clicks = 0;
    await page.setViewportSize({ width: 1280, height: 900 });
    // What a test that failed left open would cover the page.
    if ((await page.getByRole('dialog').count()) > 0) await dashboard.load('/');
    else await visit(page, '/');
  });
  const fits = () => expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);

  /** The row whose title holds a text. */
  const row = (title: string | RegExp) =>
    page.getByRole('list', { name: 'Needs attention' }).locator('> li').filter({ hasText: title });

  it('what needs attention now is shown without a click, failures first, and each row has its button', async () => {
    const titles = await page.getByRole('list', { name: 'Needs attention' }).locator('> li b').allInnerTexts();
    expect(titles).toEqual([
      'Google refuses the OAuth client of Back office: 16 connections cannot be renewed',
      expect.stringMatching(/^88 connections of .* need a new authorization$/),
      expect.stringMatching(/^6 connections of .* fail$/),
      expect.stringMatching(/^12 connections of .* need a new authorization$/),
      'The webhook to hooks.example.com fails: 9 attempts in a row',
    ]);
    await page.setViewportSize({ width: 1440, height: 900 });
    const heights = await page
      .locator('.attention-row')
      .evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().height));
    expect(heights.filter((height) => height > 36)).toEqual([]);
    expect(await page.locator('.attention-row time').count()).toBe(titles.length);
    await clickOn(row('The webhook to').getByRole('link', { name: 'See its deliveries' }));
    await page
      .getByRole('heading', { name: /hooks\.example\.com/ })
      .first()
      .waitFor();
    fits();
  });

  it('all Testing deaths are fixed in at most four clicks, and nobody is asked to reconnect without a warning', async () => {
    await test.json('PATCH', '/integrations/google-calendar', { publishing_status: 'testing', audience: 'external' });
    await visit(page, '/');
    const incident = row(/^12 connections|12 connections of/);
    // The warning is in sight before anything is clicked; the steps are one click away.
    await incident.getByText('The app is still in Testing').waitFor();
    await clickOn(incident.getByRole('button', { name: /^Details/ }));
    await incident.getByText('Publish the app in the Google Cloud console').waitFor();
    expect(await incident.getByRole('link', { name: 'Publish the app' }).getAttribute('href')).toContain(
      '/auth/audience',
    );
    await clickOn(incident.getByRole('link', { name: 'Create 12 reconnect links' }));
    const dialog = page.getByRole('dialog', { name: 'Reconnect links' });
    await dialog.getByText('is still in Testing: users who reconnect now are disconnected again').waitFor();
    await clickOn(dialog.getByRole('button', { name: 'Create 12 links' }));
    const saved = page.waitForEvent('download');
    await clickOn(dialog.getByRole('button', { name: 'Save 12 links as CSV' }));
    expect((await saved).suggestedFilename()).toBe('reconnect-links.csv');
    fits();
    await page.keyboard.press('Escape');
  });

  it('why somebody cannot sync, who can fix it and where: a connection that fails, and a dead one', async () => {
    await click('button', /^Search/);
    await page.getByRole('searchbox').fill(FAILING_USER);
    await page.keyboard.press('Enter');
    await page.getByText('Google refuses its calls: domainPolicy').waitFor();
    await page.getByText('Ask the Workspace administrator').first().waitFor();
    await page.getByText('Workspace administrator can fix it').waitFor();
    const console = page.getByRole('link', { name: 'Open Google’s console' });
    expect(await console.getAttribute('href')).toMatch(/^https:\/\/admin\.google\.com\//);
    fits();
    await visit(page, '/');
    clicks = 0;
    await click('button', /^Search/);
    await page.getByRole('searchbox').fill(GONE_USER);
    await page.keyboard.press('Enter');
    await page.getByText('Needs a new authorization: User removed the app').first().waitFor();
    await page.getByRole('button', { name: 'Create a reconnect link' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    fits();
  });

  it('an operator of three hundred connections finds out in at most four clicks which key is unused, as a recount over the API has it', async () => {
    await click('link', 'Keys');
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

  it('what failed today and why, for which user, with which key and in which request', async () => {
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

  it('an operator of three hundred connections finds out in at most four clicks which feeds are behind, why and since when', async () => {
    await click('link', 'Feeds');
    await page.getByText('1 of 2 feeds is behind.').waitFor();
    await page.getByText('Behind', { exact: true }).click();
    clicks += 1;
    const row = page.getByRole('table', { name: 'Feeds' }).getByRole('row').nth(1);
    await row.getByText('Paused').waitFor();
    await row.getByText('Behind: last pull').waitFor();
    await row.getByRole('link', { name: pausedName }).waitFor();
    await expect.poll(() => page.getByRole('table', { name: 'Feeds' }).getByRole('row').count()).toBe(2);
    expect(await accessibilityProblems(page)).toEqual([]);
    fits();
  });

  it('an operator of three hundred connections finds out in at most four clicks which webhook fails', async () => {
    await click('link', 'Webhooks');
    await page
      .getByRole('row', { name: /hooks\.example\.com/ })
      .getByText('Failing: 9 in a row')
      .waitFor();
    fits();
  });

  it('an operator of three hundred connections finds out in at most four clicks which call a request id belongs to, by Enter', async () => {
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
    await click('link', 'Keys');
    await click('button', 'Revoke Backend in use');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It is still used').waitFor();
    await expect.poll(() => dialog.textContent()).toContain(`In the last 7 days${1 + REFUSED + FAILED}`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await click('button', 'Cancel');
    fits();
  });

  it('how to rotate a key: the new one is made, and the old one goes when nobody calls with it', async () => {
    await click('link', 'Keys');
    await click('button', 'Create a secret key');
    await page.getByRole('dialog').getByLabel('Name').fill('Script, new');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'secret key', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await click('button', 'Revoke Forgotten script');
    await page.getByRole('dialog').getByText('No proxied call was made with it in the last 7 days.').waitFor();
    await click('button', 'Revoke it');
    await page.getByText('It stops working within a minute.').waitFor();
    await page
      .getByRole('row', { name: /Script, new/ })
      .getByText('operator@example.com')
      .waitFor();
    fits();
  });

  it('who deleted a connection, by its end user, from its own page, and on a phone', async () => {
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: /^Deleted/ }) })
      .getByText('First key');
    await click('link', 'Audit');
    await page.getByRole('textbox', { name: 'Object' }).fill(deletedUser);
    await page.keyboard.press('Enter');
    await row.first().waitFor();
    fits();
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, `/audit?object=${deletedUser}`);
    await row.first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await visit(page, '/');
    clicks = 0;
    await click('button', /^Search/);
    await page.getByRole('searchbox').fill(deletedId);
    await page.getByText('No match.').waitFor();
    await click('link', /Look for it in the audit trail/);
    await row.first().waitFor();
    fits();
    await visit(page, `/connections/google-calendar/${deletedId}`);
    await click('link', 'See who deleted it');
    await row.first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('who revoked a key', async () => {
    await click('link', 'Keys');
    await click('link', 'Who revoked it: Forgotten script');
    await page
      .getByRole('row', { name: /Secret key Forgotten script/ })
      .getByText('operator@example.com')
      .first()
      .waitFor();
    fits();
  });

  it('breaks no rule of accessibility', async () => {
    dashboard.complaints.length = 0;
    for (const path of ['/', '/integrations', '/connections?status=working']) {
      await visit(page, path);
      expect(await accessibilityProblems(page), path).toEqual([]);
    }
    await visit(page, '/connections?status=reauthorization_required&cause=testing_mode_expired&do=reconnect');
    await page.getByText('Reconnecting alone does not last').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await settled(page);
    expect(dashboard.complaints).toEqual([]);
  });
});

describe('a figure', { tags: ['long'] }, () => {
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
    expect([ofDays('calls'), ofDays('calls') - ofDays('ok')]).toEqual([1 + failed, failed]);
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
    const failed = await countFailedCalls();
    await page.getByText(`${1 + failed} calls, ${failed} not successful`).waitFor();
  });
});

describe('a page', { tags: ['long'] }, () => {
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
