import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import type { DeathCause } from '../../../lambdas/gateway/core/grant-death.ts';
import { integrationItemKey, webhookItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { accessibilityProblems, settled, startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { putConnections, putItems } from '../../support/many-connections.ts';
import { changeItem } from '../../support/table.ts';
import { connection } from '../../unit/support/connection.ts';

const NOW_SEC = Math.floor(Date.now() / 1000);
const HOUR = 3600;
const JSON_TYPE = { 'content-type': 'application/json' };
const iso = (epochSec: number) => new Date(epochSec * 1000).toISOString();

/** Three hundred connections as an operator finds them on a bad morning. */
function morning(): Connection[] {
  const all: Connection[] = [];
  const add = (count: number, fieldsOf: (at: number) => Partial<Connection>) => {
    for (let at = 0; at < count; at++) {
      const number = all.length;
      const createdAt = iso(NOW_SEC - 30 * 24 * HOUR + number);
      all.push(
        connection({
          accountId: 'default',
          integrationId: 'google-drive',
          connectionId: `many-${number}`,
          numericId: 5_000_000 + number,
          endUser: {
            id: `user-${number}`,
            email: `user.${number}@example.com`,
            displayName: null,
            tags: null,
            organization: null,
          },
          refreshAtEpochSec: NOW_SEC + 24 * HOUR,
          lastUsedAtEpochSec: NOW_SEC - HOUR,
          lastRefreshedAtEpochSec: NOW_SEC - HOUR,
          createdAt,
          updatedAt: createdAt,
          ...fieldsOf(at),
        }),
      );
    }
  };
  const dead = (cause: DeathCause, sinceEpochSec: number): Partial<Connection> => ({
    status: 'reauthorization_required',
    refreshAtEpochSec: undefined,
    death: {
      status: 'reauthorization_required',
      cause,
      certain: true,
      likelyCauses: [],
      remedy: 'Ask the user to connect again.',
      providerError: 'invalid_grant',
      since: iso(sinceEpochSec),
    },
  });
  add(179, () => ({}));
  add(6, () => ({ callFault: { status: 403, reason: 'domainPolicy', sinceEpochSec: NOW_SEC - 2 * HOUR } }));
  add(16, () => ({ integrationId: 'refused' }));
  add(12, (at) => ({
    integrationId: 'google-calendar',
    provider: 'google-calendar',
    ...dead('testing_mode_expired', NOW_SEC - 3 * HOUR + at * 60),
  }));
  add(87, (at) => dead('user_revoked', NOW_SEC - 10 * HOUR * (at + 1)));
  return all;
}

async function seed(test: TestGateway): Promise<void> {
  const body = {
    unique_key: 'refused',
    provider: 'google-drive',
    display_name: 'Back office',
    credentials_source: 'test',
    scopes: ['drive.readonly'],
  };
  const made = await test.call('/integrations', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
  expect(await made.json()).toMatchObject({ data: { unique_key: 'refused' } });
  const clientFault = { error: 'invalid_client', sinceEpochSec: NOW_SEC - HOUR, retryAtEpochSec: NOW_SEC + HOUR };
  await changeItem(test, integrationItemKey({ accountId: 'default', integrationId: 'refused' }), { clientFault });
  const webhookId = 'wh_01JN8Z4H9V6Q3W2X1Y0ZABCDEF';
  const webhook = {
    ...webhookItemKey('default', webhookId),
    type: 'webhook',
    accountId: 'default',
    webhookId,
    url: 'https://hooks.example.com/gateway',
    status: 'enabled',
    enabledAtEpochSec: NOW_SEC - 48 * HOUR,
    lastSuccessAtEpochSec: NOW_SEC - 5 * HOUR,
    encryptedSecret: 'unread',
    failuresInARow: 9,
    version: 1,
    createdAt: iso(NOW_SEC - 48 * HOUR),
    updatedAt: iso(NOW_SEC - 48 * HOUR),
  };
  await putItems(test, [webhook]);
  await putConnections(test, morning());
}

/** Counts what an operator clicks. */
function clicking() {
  let clicks = 0;
  return {
    async click(target: Locator): Promise<void> {
      clicks++;
      await target.click();
    },
    get clicks() {
      return clicks;
    },
  };
}

describe('the operator’s morning, over three hundred connections', () => {
  let test: TestGateway;
  let dashboard: TestDashboard;
  let page: Page;
  beforeAll(async () => {
    dashboard = await startDashboard('/');
    ({ test, page } = dashboard);
    await seed(test);
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  /** The row whose title holds a text. */
  const row = (title: string | RegExp) =>
    page.getByRole('list', { name: 'Needs attention' }).locator('> li').filter({ hasText: title });

  async function total(query: string): Promise<number> {
    const answer = await test.call(`/connections?include=total&limit=1&${query}`);
    expect(answer.status).toBe(200);
    const { total, total_is_complete } = await answer.json();
    expect(total_is_complete).toBe(true);
    return total;
  }

  it('what needs attention now is told without a click, what does not work first, and each row has its button', async () => {
    await visit(page, '/');
    const titles = await page.getByRole('list', { name: 'Needs attention' }).locator('> li b').allInnerTexts();
    expect(titles).toEqual([
      'Google refuses the OAuth client of Back office: 16 connections cannot be renewed',
      expect.stringMatching(/^6 connections of .* fail$/),
      expect.stringMatching(/^12 connections of .* need a new authorization$/),
      expect.stringMatching(/^87 connections of .* need a new authorization$/),
      'The webhook to hooks.example.com fails: 9 attempts in a row',
    ]);
    const operator = clicking();
    await operator.click(row('The webhook to').getByRole('link', { name: 'See its deliveries' }));
    await page
      .getByRole('heading', { name: /hooks\.example\.com/ })
      .first()
      .waitFor();
    expect(operator.clicks).toBeLessThanOrEqual(4);
  });

  it('all Testing deaths are mended in at most four clicks, and nobody is asked to reconnect without a warning', async () => {
    await test.call('/integrations/google-calendar', {
      method: 'PATCH',
      headers: JSON_TYPE,
      body: JSON.stringify({ publishing_status: 'testing', audience: 'external' }),
    });
    await visit(page, '/');
    const incident = row(/^12 connections|12 connections of/);
    await incident.getByText('Publish the app in the Google Cloud console').waitFor();
    await incident.getByText('The app is still in Testing').waitFor();
    expect(await incident.getByRole('link', { name: 'Publish the app' }).getAttribute('href')).toContain(
      '/auth/audience',
    );
    const operator = clicking();
    await operator.click(incident.getByRole('link', { name: 'Create 12 reconnect links' }));
    const dialog = page.getByRole('dialog', { name: 'Reconnect links' });
    await dialog.getByText('is still in Testing: whoever reconnects now is disconnected again').waitFor();
    await operator.click(dialog.getByRole('button', { name: 'Create 12 links' }));
    const saved = page.waitForEvent('download');
    await operator.click(dialog.getByRole('button', { name: 'Save 12 links as CSV' }));
    expect((await saved).suggestedFilename()).toBe('reconnect-links.csv');
    expect(operator.clicks).toBeLessThanOrEqual(4);
    await page.keyboard.press('Escape');
  });

  it('every figure of the overview and of the cards is that of a recount over the API, and none of them twice', async () => {
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

  it('breaks no rule of accessibility', { tags: ['long'] }, async () => {
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
