// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { accessibilityProblems, settled, startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';

describe('undo in the dashboard', () => {
  let dashboard: TestDashboard;
  let page: Page;
  let connection: string;
  let key: string;
  beforeAll(async () => {
    dashboard = await startDashboard('/keys');
    ({ page } = dashboard);
    const { test } = dashboard;
    const writer = { provider: 'google-drive', unique_key: 'drive-writer', scopes: ['drive'] };
    await test.json('POST', '/integrations', { ...writer, credentials_source: 'test' });
    connection = await connectAccount(test, 'drive-writer');
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  const drive = async (key: string | undefined, method: string, path: string, body?: unknown) => {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const answer = await dashboard.test.proxyAs('drive-writer', connection, `/drive/v3/files${path}`, {
      method,
      headers: { ...authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.status === 204 ? undefined : answer.json();
  };

  it('AP-21: shows what would become of each write of a key, and then does it', async () => {
    await page.getByRole('button', { name: 'Create a secret key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Agent');
    await dialog.getByRole('radio', { name: /Keep what its writes change/ }).check();
    await settled(page);
    await page.screenshot({ path: 'dist/screenshots/undo-switch.png' });
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    key = (await page.getByRole('region', { name: 'secret key', exact: true }).textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();
    const [mine, theirs, gone] = [
      await drive(undefined, 'POST', '', { name: 'one' }),
      await drive(undefined, 'POST', '', { name: 'two' }),
      await drive(undefined, 'POST', '', { name: 'three' }),
    ];
    await drive(key, 'PATCH', `/${mine.id}`, { name: 'changed' });
    await drive(key, 'PATCH', `/${theirs.id}`, { name: 'changed' });
    await drive(undefined, 'PATCH', `/${theirs.id}`, { name: 'by a person' });
    await drive(key, 'DELETE', `/${gone.id}`);

    await page.getByRole('row', { name: /Agent/ }).getByText('undoable writes').waitFor();
    await page.getByRole('link', { name: 'Agent', exact: true }).click();
    await page.getByRole('button', { name: 'Undo what it wrote' }).click();
    await dialog.getByRole('button', { name: 'Show what would be undone' }).click();
    await dialog.getByText('1 write would be undone; 1 left alone').waitFor();
    await dialog.getByText('Left alone: somebody else has changed name since').waitFor();
    await dialog.getByText('Cannot be undone: it is gone at Google').waitFor();
    expect((await drive(undefined, 'GET', `/${mine.id}?fields=name`)).name).toBe('changed');
    await settled(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.screenshot({ path: 'dist/screenshots/undo-plan.png' });
    await dialog.getByRole('button', { name: 'Undo 1 write' }).click();
    await dialog.getByText('1 write was undone; 1 left alone').waitFor();
    await settled(page);
    await page.screenshot({ path: 'dist/screenshots/undo-done.png' });
    expect((await drive(undefined, 'GET', `/${mine.id}?fields=name`)).name).toBe('one');
    expect((await drive(undefined, 'GET', `/${theirs.id}?fields=name`)).name).toBe('by a person');
    await page.getByRole('button', { name: 'Done' }).click();
  });

  it('AP-21: shows on a connection’s page what keys wrote there, and takes it back', async () => {
    await visit(page, `/connections/drive-writer/${connection}?tab=writes`);
    const table = page.getByRole('table', { name: 'What keys wrote' });
    const rows = table.getByRole('row');
    await rows.filter({ hasText: 'drive.files.delete' }).getByText('it is gone at Google').waitFor();
    await rows.filter({ hasText: 'an undo' }).first().waitFor();
    expect(await rows.filter({ hasText: 'Agent' }).count()).toBe(3);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        await page.screenshot({ path: `dist/screenshots/writes-${scheme}-${width}.png`, fullPage: true });
      }
    }
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo writes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Show what would be undone' }).click();
    await dialog.getByText('0 writes would be undone; 1 left alone').waitFor();
    await dialog
      .getByRole('button', { name: /Close|Cancel|Done/ })
      .first()
      .click();
  });

  it('AP-21: finds what keys did to one file, and undoes a single write', async () => {
    const { id } = await drive(undefined, 'POST', '', { name: 'kept' });
    const other = await drive(undefined, 'POST', '', { name: 'other' });
    await drive(key, 'PATCH', `/${id}`, { name: 'changed' });
    await drive(key, 'PATCH', `/${other.id}`, { name: 'changed' });
    await page.getByLabel('File or event').fill(id);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    const rows = page.getByRole('table', { name: 'What keys wrote' }).getByRole('row');
    await rows.filter({ hasText: id }).waitFor();
    expect(await rows.filter({ hasText: 'drive.files' }).count()).toBe(1);
    await settled(page);
    await page.screenshot({ path: 'dist/screenshots/writes-on-a-file.png', fullPage: true });
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: /^Undo drive\.files\.update of/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Show what would be undone' }).click();
    await dialog.getByRole('button', { name: 'Undo 1 write' }).click();
    await dialog.getByText('1 write was undone').waitFor();
    const names = await Promise.all([id, other.id].map((one) => drive(undefined, 'GET', `/${one}?fields=name`)));
    expect(names.map(({ name }) => name)).toEqual(['kept', 'changed']);
    await page.getByRole('button', { name: 'Done' }).click();
  });
});
