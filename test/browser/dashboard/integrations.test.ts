// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDeclared } from '../../../dev/local/ask-declared.ts';
import { accessibilityProblems, settled, startDashboard, type TestDashboard, visit } from '../../support/dashboard.ts';
import { DOMAIN, DRIVE_SCOPE, EDITOR, list, makeIntegration, makeRobot, VIEWER } from '../../support/delegation.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { control } from '../../support/simulator.ts';

const CLIENT_SECRET = 'canary-secret-1234567890';

describe('integrations in the dashboard', () => {
  let test: TestGateway;
  let dashboard: TestDashboard;
  let page: Page;
  beforeAll(async () => {
    dashboard = await startDashboard('/integrations');
    ({ test, page } = dashboard);
  });
  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  const next = () => page.getByRole('button', { name: 'Next' }).click();

  /** A client at Google, as its console creates or changes one. */
  const addClient = (clientId: string, clientSecret: string) =>
    control(test, 'POST', '/clients', {
      ...{ clientId, clientSecret },
      redirectUris: [`${test.gateway.gatewayUrl}/oauth/callback`],
    });

  async function read(id: string): Promise<Record<string, unknown>> {
    const answer = await test.call(`/integrations/${id}?include=credentials`);
    return (await answer.json()).data;
  }

  it('integrations in the dashboard are made on test credentials in four steps', async () => {
    await visit(page, '/integrations');
    await page.getByRole('link', { name: 'Create an integration' }).click();
    await page.getByRole('radio', { name: /Google Calendar/ }).check();
    expect(await page.getByRole('textbox', { name: 'Id', exact: true }).inputValue()).toBe('google-calendar-2');
    await next();
    await page.getByText('Google verifies the app').waitFor();
    await page.getByRole('checkbox', { name: /^calendar\.readonly/ }).uncheck();
    await page.getByText('Choose at least one scope.').first().waitFor();
    await page.getByRole('checkbox', { name: /^calendar\.freebusy/ }).check();
    await page.getByText('Only non-sensitive scopes').waitFor();
    await next();
    await page.getByText('Nothing to do at Google').waitFor();
    await next();
    await page.getByRole('button', { name: 'Create the integration' }).click();
    await page.getByRole('tab', { name: 'Going live' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/integrations/google-calendar-2');
    expect(await read('google-calendar-2')).toMatchObject({
      credentials_source: 'test',
      scopes: ['https://www.googleapis.com/auth/calendar.freebusy'],
    });
  });

  it('integrations in the dashboard show the page of end users, in each language and look', async () => {
    await visit(page, '/integrations');
    await page.getByRole('button', { name: 'What end users see' }).click();
    const shown = page.frameLocator('iframe[title="Preview of the connect page"]');
    await shown.getByRole('button', { name: 'Continue with Google' }).waitFor();
    await page.getByRole('button', { name: /^Language/ }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await shown.getByRole('button', { name: 'Weiter mit Google' }).waitFor();
    await page.getByRole('button', { name: /^Look/ }).click();
    await page.locator('.preview-choices').getByRole('option', { name: 'Dark' }).click();
    await shown.locator('html[data-theme=dark][lang=de]').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const policy = (await page.request.get('/')).headers()['content-security-policy'];
    expect(policy).toContain(`; frame-src ${test.gateway.gatewayUrl}/connect;`);
    expect(dashboard.complaints).toEqual([]);
  });

  it('integrations in the dashboard keep what was typed when the browser goes back a step, and refuse an id that is taken', async () => {
    await visit(page, '/new-integration');
    const id = page.getByRole('textbox', { name: 'Id', exact: true });
    await id.fill('google-drive');
    await next();
    await page.getByText('There is already an integration with this id.').waitFor();
    await id.fill('typed-before');
    await next();
    await page.getByText('Only non-sensitive scopes').waitFor();
    expect(await page.getByRole('link', { name: 'Integrations' }).getAttribute('class')).toBe('active');
    await page.goBack();
    expect(await id.inputValue()).toBe('typed-before');
    await page.goForward();
    await page.getByText('Only non-sensitive scopes').waitFor();
  });

  it('integrations in the dashboard that do not exist offer nothing to do with them', async () => {
    await visit(page, '/integrations/no-such-one');
    await page.getByText('There is no such integration').waitFor();
    for (const name of ['Create a test connection', 'Share a connect link', 'Try again']) {
      expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    }
  });

  it('integrations in the dashboard are made with a client of their own, step by step at Google', async () => {
    await visit(page, '/new-integration');
    await page.getByRole('radio', { name: /Your own client/ }).check();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill('drive/own');
    await next();
    await page.getByText('Use 1 to 255 letters').waitFor();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill('drive-own');
    await page.getByRole('button', { name: 'Name for end users by language' }).click();
    await page.getByLabel('Name for end users, 日本語').fill(' ファイル ');
    expect(await accessibilityProblems(page)).toEqual([]);
    await next();
    // The first recommendation for Drive needs no review; what does says so, and names it.
    expect(await page.getByRole('checkbox', { name: /^drive\.file/ }).isChecked()).toBe(true);
    await page.getByText('Only non-sensitive scopes').waitFor();
    await page.getByText('files that its users select').waitFor();
    await page.getByRole('checkbox', { name: /^drive\.file/ }).uncheck();
    await page.getByRole('checkbox', { name: /^drive\.readonly/ }).check();
    await page.getByText('drive.file alone needs neither').waitFor();
    await next();
    await page.getByText(`${test.gateway.gatewayUrl}/oauth/callback`).waitFor();
    await next();
    await page.getByText('Paste the client ID').waitFor();
    await page.getByLabel('Client ID').fill('123456789012-own.apps.googleusercontent.com');
    await page.getByLabel('Client secret').fill(CLIENT_SECRET);
    await next();
    await page.getByText('Google does not know this client id.').waitFor();
    const clientId = '123456789012-own.apps.googleusercontent.com';
    await addClient(clientId, 'not-yet-the-same');
    await next();
    await page.getByText('Google knows this client id but refuses the secret.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await addClient(clientId, CLIENT_SECRET);
    await next();
    await page.getByRole('button', { name: 'Create the integration' }).waitFor();
    await page.getByText('Name for end users, 日本語').waitFor();
    expect((await page.content()).includes(CLIENT_SECRET), 'the review shows the secret').toBe(false);
    await page.getByRole('button', { name: 'Create the integration' }).click();
    await page.getByRole('tab', { name: 'Going live' }).waitFor();
    expect(await page.content()).not.toContain(CLIENT_SECRET);
    expect(await read('drive-own')).toMatchObject({
      credentials_source: 'own',
      publishing_status: 'testing',
      public_names: { ja: 'ファイル' },
    });
  });

  it('GA-20, GA-29: integrations in the dashboard are made for AI agents, with Google’s steps in order and the mark that stays', async () => {
    await visit(page, '/new-integration');
    await page.getByRole('radio', { name: /Your own client/ }).check();
    await page.getByRole('radio', { name: /AI agents/ }).check();
    await page.getByText('This cannot be changed later, neither there nor here.').waitFor();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill('drive-agents');
    expect(await accessibilityProblems(page)).toEqual([]);
    await next();
    await next();
    await page.getByText('Enable the MCP server, too').waitFor();
    const steps = await page.locator('ol.steps > li').allTextContents();
    const places = ['Enable the API', 'Enable the MCP server, too', 'mark it for agents'].map((title) =>
      steps.findIndex((step) => step.includes(title)),
    );
    expect(places).toEqual([1, 2, 5]);
    expect(steps[5]).toContain('Use this client for an AI-powered agent');
    await addClient('123456789012-agents.apps.googleusercontent.com', CLIENT_SECRET);
    await page.getByLabel('Client ID').fill('123456789012-agents.apps.googleusercontent.com');
    await page.getByLabel('Client secret').fill(CLIENT_SECRET);
    await next();
    await page.getByText('AI agents only; cannot be changed later').waitFor();
    await page.getByRole('button', { name: 'Create the integration' }).click();
    await page.getByText('AI agents only, with Google’s MCP servers').waitFor();
    await page.getByRole('tab', { name: 'Going live' }).click();
    await page.getByText('Nobody has run this version of the gateway').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await read('drive-agents')).toMatchObject({ agentic: true, credentials_source: 'own' });
  });

  it('integrations in the dashboard lead back to the field that the gateway refuses, and keep what was typed', async () => {
    await visit(page, '/new-integration');
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill('taken-meanwhile');
    for (let step = 0; step < 3; step += 1) await next();
    const taken = { provider: 'google-drive', unique_key: 'taken-meanwhile' };
    await test.json('POST', '/integrations/quickstart', taken);
    await page.getByRole('button', { name: 'Create the integration' }).click();
    await page.getByText('There is already an integration with this unique_key').waitFor();
    const id = page.getByRole('textbox', { name: 'Id', exact: true });
    expect(await id.inputValue()).toBe('taken-meanwhile');
  });

  it('integrations in the dashboard have their secret rotated without showing it', async () => {
    await visit(page, '/integrations/drive-own?tab=credentials');
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('New client secret').inputValue()).toBe('');
    await dialog.getByLabel('Client ID').fill('123456789012-other.apps.googleusercontent.com');
    await dialog.getByText('every connection of this integration will need a new authorization').waitFor();
    await dialog.getByLabel('Client ID').fill('123456789012-own.apps.googleusercontent.com');
    await dialog.getByLabel('New client secret').fill('another-secret');
    await dialog.getByRole('button', { name: 'Replace the secret' }).click();
    await dialog.getByText('Google knows this client id but refuses the secret.').waitFor();
    await addClient('123456789012-own.apps.googleusercontent.com', 'another-secret');
    await dialog.getByRole('button', { name: 'Replace the secret' }).click();
    await page.getByText('The secret was replaced.').waitFor();
  });

  it('integrations in the dashboard have their settings and scopes changed', async () => {
    await visit(page, '/integrations/drive-own?tab=settings');
    await page.getByRole('button', { name: /Publishing status at Google/ }).click();
    await page.getByRole('option', { name: 'In production' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await read('drive-own')).toMatchObject({ publishing_status: 'production' });
    await page.getByLabel('Workspace domain').fill('Workspace.Example');
    await page.getByRole('button', { name: 'Save the domain' }).click();
    // The page shows a change before the gateway has stored it.
    await expect.poll(() => read('drive-own')).toMatchObject({ hosted_domain: 'workspace.example' });
    await page.getByRole('button', { name: 'Name for end users by language' }).click();
    await page.getByLabel('Name for end users, Deutsch').fill(' Ihre Dateien ');
    await page.getByRole('button', { name: 'Save the names by language' }).click();
    await expect.poll(() => read('drive-own')).toMatchObject({ public_names: { de: 'Ihre Dateien', ja: 'ファイル' } });
    await page.getByRole('tab', { name: 'Going live' }).click();
    await page.getByText('Google gives restricted Drive scopes to two kinds of app').waitFor();
    await page.getByText('Request drive.file instead').waitFor();
    await page.getByRole('tab', { name: 'Scopes' }).click();
    await page.getByRole('button', { name: 'Change the scopes' }).click();
    await page.getByRole('checkbox', { name: /^drive\.file/ }).check();
    await page.getByRole('checkbox', { name: /^drive\.readonly/ }).uncheck();
    await page.getByRole('button', { name: 'Save the scopes' }).click();
    await page.getByText('The scopes were saved.').waitFor();
    expect(await read('drive-own')).toMatchObject({ scopes: ['https://www.googleapis.com/auth/drive.file'] });
  });

  it('PC-3: save the quotas of a Cloud project that differ from those of new projects', async () => {
    await visit(page, '/integrations/google-drive?tab=settings');
    await page.getByRole('button', { name: 'Google’s quotas of the Cloud project' }).click();
    await page.getByRole('radio', { name: /^Requests/ }).check();
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    await field('A minute').fill('many');
    await page.getByText('Enter a whole number.').waitFor();
    await field('A minute').fill('12,000');
    await field('A day').fill('none');
    await page.getByRole('button', { name: 'Save the quota' }).click();
    await page.getByText('Different from those of new projects.').waitFor();
    await expect
      .poll(async () => (await read('google-drive')).quota)
      .toEqual({ counted_in: 'requests', per_minute: 12_000, per_day: null });
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('integrations in the dashboard show a change at once and take it back when the gateway refuses', async () => {
    await visit(page, '/integrations/google-drive?tab=settings');
    await page.getByRole('button', { name: /^Mode/ }).click();
    await page.getByRole('option', { name: /^Live/ }).click();
    await page
      .getByText(/test credentials/i)
      .first()
      .waitFor();
    await page
      .locator('main [role=group], main')
      .getByText(/The change conflicts|are not valid|answered 4/)
      .first()
      .waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Mode/ }).textContent()).toContain('Test');
    expect(await read('google-drive')).toMatchObject({ mode: 'test' });
  });

  it('BK-23: integrations in the dashboard say with their calls until when they are counted and which are missing', async () => {
    const usage = `${test.gateway.gatewayUrl}/usage?**`;
    await page.route(usage, async (route) => {
      const answer = await route.fetch();
      const { data } = await answer.json();
      const told = {
        counted_until: '2026-03-01T17:42:00Z',
        missing_calls: 1234,
        incomplete: [{ from: '2026-02-28T09:00:00Z', to: '2026-02-28T12:00:00Z' }],
      };
      await route.fulfill({ response: answer, json: { data: { ...data, ...told } } });
    });
    await visit(page, '/integrations/google-drive');
    await page.getByText('Counted until Mar 1, 2026, 5:42 PM UTC. 1,234 calls of these days').waitFor();
    await page.getByText('Calls since Mar 1, 2026, 5:42 PM UTC are not counted yet.').waitFor();
    await page.getByText('Calls from Feb 28, 2026, 9:00 AM UTC to Feb 28, 2026, 12:00 PM UTC are missing').waitFor();
    await page.unroute(usage);
    await visit(page, '/integrations/google-drive');
    await page.getByText('No call is counted yet; a call is counted within five minutes of its end.').waitFor();
  });

  it('integrations in the dashboard have a page in tabs, to which sections and dialogs of it lead, and the address keeps the tab', async () => {
    await visit(page, '/integrations/google-drive');
    const tab = (name: string) => page.getByRole('tab', { name, selected: true });
    await tab('Overview').waitFor();
    await page.getByRole('button', { name: /steps to do or to check$/ }).click();
    await tab('Going live').waitFor();
    await page.getByRole('link', { name: 'Go to the settings' }).click();
    await tab('Settings').waitFor();
    await page.getByRole('tab', { name: 'Scopes' }).click();
    await page.getByRole('heading', { name: 'Scopes' }).waitFor();
    await page.reload();
    await settled(page);
    await tab('Scopes').waitFor();
    await visit(page, '/integrations/google-drive?do=rotate');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await tab('Overview').waitFor();
    for (const width of [390, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      for (const name of ['Overview', 'Going live', 'Credentials', 'Scopes', 'Settings']) {
        await page.getByRole('tab', { name }).click();
        expect(await accessibilityProblems(page), name).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBe(0);
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('integrations in the dashboard are deleted only after their id was typed', async () => {
    await visit(page, '/integrations/google-calendar-2?tab=settings');
    await page.getByRole('button', { name: 'Delete the integration' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Delete it' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type google-calendar-2 to confirm').fill('google-calendar-2');
    await dialog.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('Deleted Google Calendar.').waitFor();
    expect((await test.call('/integrations/google-calendar-2')).status).toBe(404);
  });

  it('integrations in the dashboard have test credentials that are activated, replaced and removed', async () => {
    await visit(page, '/integrations');
    await page.getByRole('button', { name: 'Remove test credentials of Google Calendar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove them' }).click();
    await page.getByRole('button', { name: 'Activate test credentials of Google Calendar' }).click();
    await page.getByLabel('Client ID').fill('123456789012-mine.apps.googleusercontent.com');
    await page.getByLabel('Client secret').fill(CLIENT_SECRET);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Test credentials of Google Calendar are active.').waitFor();
    await page.getByText('123456789012-mine.apps.googleusercontent.com').waitFor();
    expect(await page.content()).not.toContain(CLIENT_SECRET);
  });

  it('integrations in the dashboard are made for a service account, whose domains can be checked and whose administrators get a link', async () => {
    const robot = await makeRobot(test, 'shown');
    await list(test, robot, [DRIVE_SCOPE]);
    await visit(page, '/integrations');
    await page.getByRole('link', { name: 'Use a service account' }).click();
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    await field('Id').fill('drive-domain');
    await field('Address').fill(robot.email);
    await field('Client ID').fill(robot.clientId);
    await field('Project number').fill('123456789012');
    await page.getByRole('radio', { name: 'By a key' }).check();
    await field('Key file').fill(JSON.stringify(robot.key));
    const create = page.getByRole('button', { name: 'Create the integration' });
    await create.click();
    await page.getByText('Choose at least one scope.').first().waitFor();
    await page.getByRole('checkbox', { name: /^drive(?!\.)/ }).check();
    await page.getByText('Name at least one domain or address: there is no default.').waitFor();
    await field('Domains').fill(`${DOMAIN}\nsecond.example`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await create.click();
    await page.getByRole('tab', { name: 'Service account' }).click();
    await page.getByRole('heading', { name: 'Domains' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/integrations/drive-domain');
    expect(await read('drive-domain')).toMatchObject({
      kind: 'delegated',
      delegation: { via: 'key', subjects: { domains: [DOMAIN, 'second.example'] }, new_subjects_per_hour: 100 },
    });
    expect(await page.content()).not.toContain('PRIVATE KEY');

    await page.getByRole('button', { name: 'Check a domain' }).click();
    await page.getByLabel('Address').last().fill(EDITOR);
    await page.getByRole('dialog').getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText(`It may act for users of ${DOMAIN}.`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: new RegExp(`${DOMAIN}.*Listed`) }).waitFor();
    await page.getByRole('button', { name: 'Create a link for an administrator' }).click();
    await page.getByLabel('Your id of the customer').fill('acme');
    await page.getByRole('dialog').getByRole('button', { name: 'Create the link' }).click();
    await page.getByText(/\/connect#session_token=cs_/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Exceptions').fill(VIEWER);
    await page.getByRole('dialog').getByLabel('New users an hour').fill('7');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await read('drive-domain')).toMatchObject({
      delegation: { subjects: { exceptions: [VIEWER] }, new_subjects_per_hour: 7, key_id: robot.key.private_key_id },
    });
  });

  it('integrations in the dashboard of a service account connect users, and a domain that is lost shows in the overview', async () => {
    const robot = await makeRobot(test, 'lost');
    const integration = await makeIntegration(test, robot, { via: 'key', uniqueKey: 'drive-lost' });
    await visit(page, `/integrations/${integration}`);
    await page.getByRole('button', { name: 'Connect a user' }).click();
    await page.getByRole('dialog').getByLabel('Address').fill(EDITOR);
    await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click();
    await page.waitForURL(/\/connections\/drive-lost\/sub_/);
    const connectionId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await test.proxyAs(integration, connectionId, '/drive/v3/about?fields=user');
    await visit(page, `/connections/${integration}/${connectionId}`);
    // Its user has nothing to consent to.
    await page.getByRole('button', { name: 'Check' }).waitFor();
    expect(await page.getByRole('button', { name: /reconnect/i }).count()).toBe(0);
    await visit(page, '/');
    await page.getByText(new RegExp(`${DOMAIN} does not list the service account of .* yet`)).waitFor();
    await page.getByRole('link', { name: 'Open its domains' }).click();
    await page.getByRole('row', { name: new RegExp(`${DOMAIN}.*Not listed yet`) }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('integrations in the dashboard show the stack that declares them, and so do keys and feeds', async () => {
    await using asker = await askDeclared((event) => test.gateway.tick('declared', event), {
      ...{ stackName: 'shop', region: 'us-east-1' },
    });
    const drive = { Provider: 'google-drive', UniqueKey: 'of-a-stack', Scopes: ['drive.file'] };
    const caller = { RoleArn: 'arn:aws:iam::000000000000:role/sync', Allow: ['drive:read'] };
    const create = { RequestType: 'Create' } as const;
    const made = await asker.send({
      ...{ ...create, LogicalResourceId: 'Drive1', ResourceType: 'Custom::GatewayIntegration' },
      ResourceProperties: drive,
    });
    const registered = await asker.send({
      ...{ ...create, LogicalResourceId: 'SyncCaller1', ResourceType: 'Custom::GatewayCaller' },
      ResourceProperties: caller,
    });
    const feed = await asker.send({
      ...{ ...create, LogicalResourceId: 'Feed1', ResourceType: 'Custom::GatewayFeed' },
      ResourceProperties: {
        ...{ Integration: 'google-drive', ConnectionId: test.connectionId('google-drive'), Resource: 'drive' },
      },
    });
    expect([made.Status, registered.Status, feed.Status]).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
    await visit(page, '/feeds');
    await page.getByText('Declared by the stack shop').waitFor();
    await visit(page, '/integrations/of-a-stack');
    await page.getByText('The stack shop declares this (resource Drive1).').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await visit(page, `/keys/${registered.PhysicalResourceId.slice(0, 12)}`);
    await page.getByText('The stack shop declares this (resource SyncCaller1).').waitFor();
    await visit(page, '/integrations/google-drive');
    await page.getByRole('tab', { name: 'Going live' }).waitFor();
    expect(await page.getByText(/^The stack .* declares this/).count()).toBe(0);
  });
});
