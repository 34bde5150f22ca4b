// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAccount } from '../../support/connect.ts';
import { startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import { control } from '../../support/simulator.ts';

const WORDS = 'Google does not renew the token of this connection (org_internal): the app admits only accounts';

let dashboard: TestDashboard;
let connectionId: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  connectionId = await connectAccount(dashboard.test, 'google-drive', { account: 'editor@workspace.example' });
  await control(dashboard.test, 'POST', '/faults', {
    match: { account: 'editor@workspace.example', tokenKind: 'refresh' },
    action: { oauthError: { status: 403, error: 'org_internal' } },
  });
});
afterAll(() => dashboard?.[Symbol.asyncDispose]());

/** One more refresh that Google refuses, and what anyone who asked for it reads. */
async function refuse(): Promise<string> {
  const { status, body } = await dashboard.test.json(
    'POST',
    `/connections/${connectionId}/refresh?provider_config_key=google-drive`,
  );
  expect([status, body.error.code]).toEqual([503, 'token_refresh_unavailable']);
  return String(body.error.message);
}

test('a connection that Google does not renew says so on its page, in the list and in its filter, with what to do', async () => {
  const { page } = dashboard;
  const path = `/connections/google-drive/${connectionId}`;
  const first = await refuse();
  expect(first).toContain(WORDS);
  await visit(page, path);
  await page.getByText('Google does not renew its token: org_internal').waitFor();
  await page.getByText('Set the app’s audience to External').first().waitFor();
  expect(await page.getByText('Not renewed: Google refuses its token').count()).toBe(0);

  expect([await refuse(), await refuse()]).toEqual([first, first]);
  await visit(page, path);
  await page.getByText('Not renewed: Google refuses its token (org_internal)').first().waitFor();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByText('Google does not renew its token').nth(1).waitFor();

  await visit(page, '/connections?status=refused_by_provider');
  await page.getByText('editor@workspace.example').first().waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  // A consent is no use, whatever stands in the way of the first call.
  const { body } = await dashboard.test.json('GET', '/connections?health=refused_by_provider&include=last_used');
  expect(body.connections).toMatchObject([{ connection_id: connectionId, last_used_at: null }]);
});
