// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAssembly } from '../../../dev/tools/assembly.ts';
import { FEATURE_IDS } from '../../../lambdas/features/index.ts';
import { startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';

/** Pages that show something of features, and those that are of them. */
const PAGES = ['/', '/connections', '/integrations', '/keys', '/audit'];
const GONE = ['/approvals', '/agents', '/feeds', '/webhooks', '/security-events', '/objects/1AbCdEfGh'];

describe('the dashboard of a deployment without features', () => {
  let dashboard: TestDashboard;
  beforeAll(async () => {
    const assemblyFolder = await ensureAssembly({
      mode: 'auto',
      stackOptions: { without: [...FEATURE_IDS] },
      variant: 'lean',
      step: (_name, work) => work(),
    });
    dashboard = await startDashboard('/', { assemblyFolder });
  });
  afterAll(() => dashboard[Symbol.asyncDispose]());

  it('the dashboard of a deployment without features lists none of their pages and asks for none of their routes', async () => {
    const { page, test, complaints } = dashboard;
    const connection = `/connections/google-drive/${test.connectionId('google-drive')}`;
    for (const path of [...PAGES, connection]) await visit(page, path);
    expect(complaints).toEqual([]);
    const names = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts();
    expect(names).toEqual(['Overview', 'Connections', 'Integrations', 'Failed calls', 'Audit', 'Keys']);
    for (const name of ['What agents did', 'Feeds']) expect(await page.getByRole('tab', { name }).count()).toBe(0);
  });

  it.each(GONE)('the dashboard of a deployment without features explains at %s what is left out', async (path) => {
    const { page, complaints } = dashboard;
    complaints.length = 0;
    await visit(page, path);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('This deployment has no such page');
    expect(await page.locator('main').innerText()).toContain('was deployed without');
    expect(complaints).toEqual([]);
  });

  it('the dashboard of a deployment without features offers no limit for a key that would be refused', async () => {
    const { page } = dashboard;
    await visit(page, '/keys');
    expect(await page.getByRole('button', { name: 'Create an agent key' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Create a secret key' }).click();
    const dialog = page.getByRole('dialog').first();
    await dialog.getByText('Nightly job').waitFor();
    const text = await dialog.innerText();
    for (const gone of ['Calls that wait for approval', 'Undo', 'Its writes can be undone']) {
      expect(text).not.toContain(gone);
    }
  });
});
