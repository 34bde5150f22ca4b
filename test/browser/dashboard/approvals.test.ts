// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyWith } from '../../integration/api/keys.ts';
import { approvalTools, WRITING } from '../../integration/approvals/support.ts';
import { accessibilityProblems, startDashboard, type TestDashboard } from '../../support/dashboard.ts';

describe('calls that wait for approval', () => {
  let dashboard: TestDashboard;
  let calls: ReturnType<typeof approvalTools>;
  let key: string;
  beforeAll(async () => {
    dashboard = await startDashboard('/', { rules: true, fresh: true, seedScopes: WRITING });
    calls = approvalTools(dashboard.test);
    key = await keyWith(dashboard.test, {
      name: 'Tidy up',
      right: 'proxy',
      limits: { mode: 'enforce', approve: ['delete'] },
    });
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  it('AP-12, AP-32: calls that wait for approval are decided by the operator who is signed in, in the dialog or the row, who reads what will happen to what', async () => {
    const { page } = dashboard;
    const [kept, gone] = [await calls.newFile('Budget'), await calls.newFile('Draft')];
    const refused = await calls.hold(key, 'DELETE', `/files/${kept}`);
    const approved = await calls.hold(key, 'DELETE', `/files/${gone}`);
    const counted: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/approvals?about=false')) counted.push(request.url());
    });
    await dashboard.load(`/approvals/${approved.approval_id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Draft').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Approve it' }).click();
    await page.getByText('Approved. The call is sent now.').waitFor();
    await expect.poll(() => calls.isThere(gone)).toBe(false);

    await page.getByText('One call waits.').waitFor();
    // The navigation counts what waits, and the decision can be made in the row.
    await page.getByRole('link', { name: /Approvals\s*1\s*call waits/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByText('Show waiting calls only').click();
    await page.getByRole('row', { name: /Waits/ }).getByRole('link', { name: 'Delete “Budget” for good' }).click();
    await dialog.getByText('Show the request').click();
    await dialog.getByText('DELETE /drive/v3/files/').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Refuse: Delete “Budget” for good' }).click();
    await page.getByText('No call waits.').waitFor();
    await page.getByText('Show waiting calls only').click();
    await page.getByRole('row', { name: /Refused/ }).waitFor();
    // The navigation counts by the list that the page has read, and other pages show that count.
    for (const [entry, title] of [
      ['Keys', 'Secret keys'],
      ['Webhooks', 'Webhooks'],
      ['Audit', 'Audit'],
    ] as const) {
      await page.getByRole('link', { name: entry, exact: true }).click();
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    }
    await page.getByRole('link', { name: 'Approvals', exact: true }).waitFor();
    expect(counted).toEqual([]);
    expect(await calls.statusOf(refused.approval_id)).toBe('refused');
    expect(await calls.isThere(kept)).toBe(true);
    expect(dashboard.complaints).toEqual([]);
  });
});
