import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { startDashboard, type TestDashboard } from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';

/** Most clicks that an operator needs for an answer. */
const CLICKS_MAX = 4;
const END_USER = { id: 'customer-7', email: 'customer.7@example.com' };

describe('an operator who looks after agents, quotas and people', { tags: ['long'] }, () => {
  let dashboard: TestDashboard;
  let test: TestGateway;
  let page: Page;
  let fileId: string;
  let clicks = 0;

  const click = async (role: 'link' | 'button' | 'tab', name: string | RegExp): Promise<void> => {
    clicks += 1;
    await page
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click();
  };
  /** Opens the part of an integration's page that says what going live needs. */
  const openGoingLive = async (): Promise<void> => {
    await click('link', 'Integrations');
    clicks += 1;
    await page.locator('main a[href="/integrations/google-drive"]').first().click();
    await click('tab', 'Going live');
  };
  const fits = () => expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
  const read = async (path: string) => (await test.json('GET', path)).body.data;

  beforeAll(async () => {
    dashboard = await startDashboard();
    ({ test, page } = dashboard);
    const writer = { provider: 'google-drive', unique_key: 'drive-writer', scopes: ['drive'] };
    await test.json('POST', '/integrations', { ...writer, credentials_source: 'test' });
    const connection = await connectAccount(test, 'drive-writer', undefined, { end_user: END_USER });
    const limits = {
      mode: 'enforce',
      allow: ['drive:read', 'drive:write', 'drive:share'],
      approve: ['share'],
      day: { calls: 500 },
      journal: true,
    };
    const made = await test.json('POST', '/account/keys', { name: 'Research agent', right: 'proxy', limits });
    const drive = (method: string, path: string, body: unknown) =>
      test.proxyAs('drive-writer', connection, `/drive/v3/files${path}`, {
        method,
        headers: { authorization: `Bearer ${made.body.data.secret_key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    fileId = (await (await drive('POST', '', { name: 'Plan' })).json()).id;
    await drive('PATCH', `/${fileId}`, { name: 'Plan of an agent' });
    const waits = await drive('POST', `/${fileId}/permissions`, { role: 'reader', type: 'anyone' });
    expect(waits.status).toBe(403);
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    await dashboard.load('/');
    clicks = 0;
  });

  it('reads in at most four clicks what a key may call, as the API has it', async () => {
    await click('link', 'Keys');
    await click('link', 'Research agent');
    const key = (await read('/account/keys')).find(({ name }: { name: string }) => name === 'Research agent');
    await page.getByText(key.limits.allow.join(', ')).first().waitFor();
    await page.getByText('At most 500').waitFor();
    fits();
  });

  it('finds in at most four clicks what an agent did to a file, before and after', async () => {
    await click('button', /^Search/);
    await page.getByRole('searchbox').fill(fileId);
    await page.getByText('2 writes of keys with a journal').waitFor();
    await page.keyboard.press('Enter');
    await click('button', /^Undo drive\.files\.update of/);
    await click('button', 'Show what would be undone');
    const changes = page.getByRole('table', { name: 'Before and after' }).getByRole('row');
    expect(await changes.filter({ hasText: 'name' }).innerText()).toMatch(/Plan\s+Plan of an agent/);
    fits();
  });

  it('sees in at most four clicks which calls wait for approval, as many as the API lists', async () => {
    const waiting = (await read('/approvals')).filter(({ status }: { status: string }) => status === 'pending');
    expect(waiting).toHaveLength(1);
    await click('link', /^Approvals/);
    await page
      .getByRole('button', { name: /^Approve:/ })
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: /^Approve:/ }).count()).toBe(waiting.length);
    fits();
  });

  it('sees in at most four clicks which Cloud projects report security events', async () => {
    const { projects } = await read('/security-events');
    await openGoingLive();
    await click('link', 'All Cloud projects');
    await page.getByRole('heading', { name: 'Security events', level: 1 }).waitFor();
    await page.getByText('Not registered').first().waitFor();
    expect(await page.getByText('Not registered').count()).toBe(projects.length);
    fits();
  });

  it('sees in at most four clicks what erasing a person takes with it, as many connections as the API lists', async () => {
    const own = (await test.json('GET', `/connections?end_user_id=${END_USER.id}`)).body.connections;
    await click('link', 'Connections');
    await click('link', END_USER.email);
    await click('link', 'Erase this person');
    await page.getByRole('heading', { name: 'What goes' }).waitFor();
    expect(own.length).toBeGreaterThan(0);
    expect(
      await page
        .getByRole('listitem')
        .filter({ hasText: /^Connection / })
        .count(),
    ).toBe(own.length);
    fits();
  });

  it('sees in at most four clicks what an integration still needs before it goes live', async () => {
    const { steps } = await read('/integrations/google-drive/readiness');
    await openGoingLive();
    const needed = steps.filter((step: { needed: boolean }) => step.needed);
    for (const { what } of needed) await page.getByText(what).first().waitFor();
    expect(needed.length).toBeGreaterThan(0);
    fits();
  });
});
