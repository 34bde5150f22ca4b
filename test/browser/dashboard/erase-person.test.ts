// @module-tag long
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectAccount, connectSession, sessionState } from '../../support/connect.ts';
import { accessibilityProblems, startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { control } from '../../support/simulator.ts';
import { readConnection } from '../../support/table.ts';

describe('erasing a person in the dashboard', () => {
  let test: TestGateway;
  let dashboard: TestDashboard;
  let page: Page;
  beforeAll(async () => {
    dashboard = await startDashboard('/connections');
    ({ test, page } = dashboard);
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  it('shows everything that goes and stays, erases it after the id was typed, and gives a record', async () => {
    const end_user = { id: 'person-1', email: 'person.1@example.com', display_name: 'Paula Person' };
    const ids = [
      await connectAccount(test, 'google-drive', {}, { end_user }),
      await connectAccount(test, 'google-calendar', { account: 'second.user@example.com' }, { end_user }),
      await connectAccount(test, 'google-drive', {}, { end_user: undefined, tags: { end_user_id: 'person-1' } }),
    ];
    const session = await connectSession(test, { end_user });
    // Known by its tag only, as Nango's client names end users.
    await visit(page, `/connections/google-drive/${ids[2]}`);
    await page.getByRole('link', { name: 'Erase this person' }).click();
    await page.getByRole('heading', { name: 'What goes' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'google-calendar' }).waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'under google-drive' }).count()).toBe(2);
    await page.getByText('The audit trail, with the end user id: 400 days.').waitFor();
    await page.getByText('Logs of the functions in CloudWatch, with ids of connections: 30 days').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Erase this person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 connections, 0 agent keys').waitFor();
    expect(await dialog.getByRole('button', { name: 'Erase for good' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type the end user id to confirm').fill('person-1');
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByText('This person is erased').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the record' }).click();
    const record = JSON.parse(await readFile(await (await saved).path(), 'utf8'));
    expect(record).toMatchObject({ end_user_id: 'person-1', is_complete: true, erased_by: expect.any(String) });
    expect(record.steps.map(({ what, is_done }: { what: string; is_done: boolean }) => [what, is_done])).toEqual([
      ['connect sessions', true],
      ['second search', true],
      ['connection', true],
      ['connection', true],
      ['connection', true],
    ]);
    expect(await sessionState(test, session)).toBeUndefined();
    for (const filter of ['end_user_id=person-1', 'tags[end_user_id]=person-1']) {
      expect((await test.json('GET', `/connections?${filter}`)).body.connections).toEqual([]);
    }
  });

  it('security events of each Cloud project show their state, and are registered, verified and stopped', async () => {
    await visit(page, '/security-events');
    await page.getByText('Not registered: the gateway refuses its events').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: /^Register/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/security-events register \d+ --key-file key\.json/).waitFor();
    await dialog.getByRole('button', { name: 'Call Google’s API yourself instead' }).click();
    const requests = (await dialog.getByRole('region', { name: 'requests to Google' }).textContent()) ?? '';
    expect(requests).toContain(`${test.gateway.gatewayUrl}/inbox/`);
    expect(requests).toMatch(/stream:verify\s+\{\s+"state": "[0-9a-f-]{36}"/);
    await dialog.getByText('Waiting for Google’s verification').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    // What Google does with the two requests.
    const quoted = (name: string) => new RegExp(`"${name}": "([^"]+)"`).exec(requests)?.[1];
    const { clientId } = await readConnection(test, 'google-drive', test.connectionId('google-drive'));
    await control(test, 'POST', '/streams', { register: { clientId, url: quoted('url') } });
    const verification = { clientId, type: 'verification', state: quoted('state') };
    expect(await control(test, 'POST', '/security-events', verification)).toMatchObject({ answers: [202] });
    await dialog.getByText('Google’s verification has come').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).last().click();
    await page.getByText(/^Verified/).waitFor();
    await page.getByRole('button', { name: /^Stop accepting/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop accepting' }).click();
    await page.getByText('Not registered: the gateway refuses its events').waitFor();
  });
});
