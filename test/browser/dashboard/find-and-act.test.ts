// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryItemKey } from '../../../lambdas/features/webhooks/keys.store.ts';
import { connectAccount } from '../../support/connect.ts';
import { accessibilityProblems, startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { putItems } from '../../support/many-connections.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';

describe('an operator finds what happened and acts on it', () => {
  let dashboard: TestDashboard;
  let test: TestGateway;
  let page: Page;
  let connection: string;
  let agent: string;
  beforeAll(async () => {
    dashboard = await startDashboard('/');
    ({ test, page } = dashboard);
    const writer = { provider: 'google-drive', unique_key: 'drive-writer', scopes: ['drive'] };
    await test.json('POST', '/integrations', { ...writer, credentials_source: 'test' });
    const end_user = { id: 'customer-7', display_name: 'Anna Example' };
    connection = await connectAccount(test, 'drive-writer', undefined, { end_user });
    const limits = { mode: 'enforce', approve: ['share'], journal: true };
    const made = await test.json('POST', '/account/keys', { name: 'Research agent', right: 'proxy', limits });
    agent = String(made.body.data.secret_key);
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  const drive = (method: string, path: string, body?: unknown, key = agent) =>
    test.proxyAs('drive-writer', connection, `/drive/v3/files${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const search = async (text: string) => {
    await visit(page, '/');
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill(text);
  };

  it('AP-21: an operator finds which keys changed a file, from its id in the search, and undoes one change', async () => {
    const { id } = await (await drive('POST', '', { name: 'Plan' })).json();
    await drive('PATCH', `/${id}`, { name: 'Plan of an agent' });
    await search(id);
    await page.getByText('2 writes of keys with a journal').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const rows = page.getByRole('table', { name: 'What keys wrote' }).getByRole('row');
    await rows.filter({ hasText: 'drive.files.update' }).getByRole('link', { name: 'Research agent' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/objects/${id}`);
    expect(await rows.filter({ hasText: 'drive.files' }).count()).toBe(2);
    expect(await page.getByLabel('File or event').count()).toBe(0);
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1024, 'light'],
      [1440, 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityProblems(page), String(width)).toEqual([]);
      await rows.getByText('Research agent').first().waitFor();
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: /^Undo drive\.files\.update of/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Show what would be undone' }).click();
    const changes = dialog.getByRole('table', { name: 'Before and after' }).getByRole('row');
    expect(await changes.filter({ hasText: 'name' }).innerText()).toMatch(/name\s+Plan\s+Plan of an agent/);
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Undo 1 write' }).click();
    await dialog.getByText('1 write was undone.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const read = await test.proxyAs('drive-writer', connection, `/drive/v3/files/${id}?fields=name`);
    expect((await read.json()).name).toBe('Plan');
    await search('a-file-that-nobody-changed');
    await page.getByText('No match.').waitFor();
    // In a search field the first one empties it.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').waitFor({ state: 'detached' });
  });

  it('what failed for one person and in which time, without calls that wait for approval', async () => {
    const { id } = await (await drive('POST', '', { name: 'Shared' })).json();
    const waiting = await drive('POST', `/${id}/permissions`, { type: 'anyone', role: 'reader' });
    expect((await waiting.json()).error.code).toBe('approval_required');
    const failing = await drive('GET', '/no-such-file');
    expect(failing.status).toBe(404);
    expect((await test.proxy('google-drive', '/drive/v3/files/no-such-file')).status).toBe(404);
    const failed = () => test.json('GET', '/calls').then(({ body }) => body.data);
    await expect.poll(async () => (await failed()).length).toBe(2);
    await visit(page, '/calls');
    const rows = page.getByRole('table', { name: 'Failed calls', exact: true }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(3);
    await page.setViewportSize({ width: 1024, height: 900 });
    const cut = () =>
      page
        .getByRole('table', { name: 'Failed calls', exact: true })
        .evaluate(({ parentElement: frame }) => (frame?.scrollWidth ?? 0) - (frame?.clientWidth ?? 0));
    await expect.poll(cut).toBeLessThanOrEqual(1);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await page.getByText('approval_required').count()).toBe(0);
    await page.getByRole('button', { name: /^Person/ }).click();
    await page.getByLabel('Search people').fill('anna');
    await page.getByRole('option', { name: /Anna Example.*drive-writer/ }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await rows.getByRole('link', { name: 'Anna Example' }).waitFor();
    expect(new URL(page.url()).searchParams.get('connection')).toBe(connection);
    await page.getByRole('button', { name: /^Time/ }).click();
    await page.getByRole('option', { name: 'Between two times' }).click();
    await page.getByLabel('Until (UTC)').fill('yesterday');
    await page.getByText('Write a time such as 2026-03-01 12:00.').first().waitFor();
    const past = (days: number) =>
      new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 16).replace('T', ' ');
    await page.getByLabel('From (UTC)').fill(past(3));
    await page.getByLabel('Until (UTC)').fill(past(2));
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('No failed call matches.').waitFor();
    await page.getByRole('button', { name: 'Show all failed calls' }).click();
    await expect.poll(() => rows.count()).toBe(3);
    await visit(page, `/connections/drive-writer/${connection}?tab=calls`);
    await page.getByText('waits for a person’s approval, or waited').waitFor();
  });

  it('sends one delivery of a webhook again, or all that failed, and names webhooks by their description', async () => {
    await using receiver = await startWebhookReceiver();
    const { body } = await test.json('POST', '/webhooks', { url: `${receiver.address}/hook`, description: 'Shop' });
    const webhookId = String(body.data.id);
    expect((await test.json('POST', `/webhooks/${webhookId}/enable`)).status).toBe(200);
    const events: { event_id: string; type: string }[] = (await test.json('GET', '/events?limit=200')).body.data;
    const ids = [...new Set(events.filter(({ type }) => !type.startsWith('Webhook')).map((one) => one.event_id))];
    const failed = ids.slice(0, 3);
    expect(failed).toHaveLength(3);
    const at = Math.floor(Date.now() / 1000) - 600;
    await putItems(
      test,
      failed.map((eventId) => ({
        ...deliveryItemKey('default', webhookId, eventId),
        ...{ type: 'webhook_delivery', accountId: 'default', webhookId, eventId },
        ...{ eventType: 'ConnectionCreated', integrationId: '', body: '{}', state: 'failed', tries: 10 },
        attempts: [{ atEpochSec: at, durationMs: 5, status: 500, error: 'answered_with_error' }],
        createdAtEpochSec: at,
      })),
    );
    const states = async () => {
      const { data } = (await test.json('GET', `/webhooks/${webhookId}/deliveries`)).body;
      const found: { event_id: string; state: string }[] = data;
      return failed.map((id) => found.find(({ event_id }) => event_id === id)?.state);
    };
    await visit(page, `/webhooks/${webhookId}`);
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    const table = page.getByRole('treegrid', { name: 'Deliveries' });
    await table.getByText('Given up (3)').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await table
      .getByRole('button', { name: /^Send again: ConnectionCreated of / })
      .first()
      .click();
    await table.getByText('Given up (2)').waitFor();
    expect((await states()).toSorted()).toEqual(['failed', 'failed', 'pending']);
    await table.getByRole('button', { name: 'Send all again: Given up' }).click();
    await page.getByText('2 events are queued; they are sent within about a minute.').waitFor();
    expect(await states()).toEqual(['pending', 'pending', 'pending']);
    await visit(page, '/audit?type=WebhookCreated');
    await page.getByRole('link', { name: 'Shop' }).first().waitFor();
  });
});
