import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TEXTS } from '../../../lambdas/gateway/languages/index.ts';
import { closePages, launchBrowser } from '../../support/browser.ts';
import {
  changeSession,
  connectAccount,
  connectSession,
  reconnectSession,
  sessionState,
  setScopes,
  startFlow,
} from '../../support/connect.ts';
import { accessibilityProblems } from '../../support/dashboard.ts';
import {
  adminLink,
  DOMAIN,
  DRIVE_SCOPE,
  EDITOR,
  list,
  makeIntegration,
  makeRobot,
  type Robot,
} from '../../support/delegation.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { forgetRequests, tokenCalls } from '../../support/simulator.ts';
import { changeItem, tableClient } from '../../support/table.ts';
import {
  chooseAccount,
  endHeading,
  FIRST,
  lowestContrast,
  openConnectPage,
  SECOND,
  watchForTrouble,
} from './support.ts';

const SCOPE = 'https://www.googleapis.com/auth/';
const RETURN_URL = 'http://localhost:4999/done';
const DRIVE = { allowed_integrations: ['google-drive'], end_user: { id: 'u', display_name: 'First User' } };

let gateway: TestGateway;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let trouble: string[];

beforeAll(async () => {
  [gateway, browser] = await Promise.all([
    startTestGateway({ environmentOverrides: { CONNECT_RETURN_URLS: RETURN_URL } }),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  if (browser !== undefined) await closePages(browser);
  await gateway?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  trouble = watchForTrouble(page);
});
afterEach(async () => {
  await context.close();
  expect(trouble).toEqual([]);
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const past = () => Math.floor(Date.now() / 1000) - 1;

/** Continues to the provider as an account. */
async function goOn(account = FIRST): Promise<void> {
  await button(/Continue/).click();
  await chooseAccount(page, account);
}

/** Goes to the provider, consents and comes back. */
async function consent(): Promise<void> {
  await goOn();
  await button('Allow').click();
}

describe('the hosted page', () => {
  test('leads through the consent to a connection and back to the app', async () => {
    const token = await connectSession(gateway, { ...DRIVE, return_url: RETURN_URL });
    await page.route('http://localhost:4999/**', (route) => route.fulfill({ body: 'back in the app' }));
    await openConnectPage(page, gateway, token);
    expect(page.url()).not.toContain(token);
    expect(await page.getByRole('main').innerText()).toMatch(
      /localhost:4999 asks[\s\S]*used in localhost:4999 for First User\.[\s\S]*See and download all Drive files/,
    );
    await consent();
    expect(await endHeading(page)).toBe('Connected');
    expect(new URL(page.url()).search).toBe('');
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'connected' });
    await page.waitForURL(RETURN_URL);
  });

  test('PK-14: leads to the picker and on: nothing selected, then a file, whose id is in no address that is left', {
    tags: ['long'],
  }, async () => {
    await setScopes(gateway, 'google-drive', [`${SCOPE}drive.readonly`, `${SCOPE}drive.file`]);
    const token = await connectSession(gateway, { ...DRIVE, pick: {} });
    await openConnectPage(page, gateway, token);
    expect(await page.getByRole('main').innerText()).toMatch(
      /asks you to select files\. It can then work with those files and no others[\s\S]*only the Drive files used with this app/,
    );
    await button('Select files').click();
    await chooseAccount(page, FIRST);
    await button('Allow').click();
    await button('Cancel').click();
    expect(await endHeading(page)).toBe('No file was selected');
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'cancelled' });
    await button('Select files').click();
    await chooseAccount(page, FIRST);
    await button('Allow').click();
    await page.getByRole('radio').first().check();
    const id = await page.getByRole('radio').first().inputValue();
    await button('Select').click();
    expect(await endHeading(page)).toBe('File selected');
    expect(new URL(page.url()).search).toBe('');
    expect(await page.content()).not.toContain(id);
    expect(await sessionState(gateway, token)).toMatchObject({
      status: 'connected',
      picked: [{ id, confirmed: true }],
    });
    await setScopes(gateway, 'google-drive', [`${SCOPE}drive.readonly`]);
  });

  /** The text of the hosted page and of the direct start that names who gets access. */
  async function userNotes(session: () => Promise<string>): Promise<string[]> {
    const direct = `${gateway.gateway.gatewayUrl}/oauth/connect/google-drive?connect_session_token=`;
    const said = page.locator('#for-whom');
    await openConnectPage(page, gateway, await session());
    const hosted = await said.innerText();
    await page.goto(direct + (await session()));
    return [hosted, await said.innerText()].map((text) => text.replace(/\s+/g, ' '));
  }
  const CLOSE = 'close this page: somebody else would get access to your account.';

  test.each([[{ id: 'u-1', display_name: 'First User', email: FIRST }, `First User (${FIRST})`]])(
    'CS-14: both pages say that the access is for %j in which app, and warn',
    expectUserNote,
  );
  test.each([
    [{ id: 'u-1', display_name: 'First User' }, 'First User'],
    [{ id: 'u-1', email: FIRST }, FIRST],
    [{ id: 'u-1' }, 'the user u-1'],
  ])('CS-14: both pages say so of %j, too', { tags: ['long'] }, expectUserNote);

  async function expectUserNote(end_user: object, words: string): Promise<void> {
    const said = await userNotes(() => connectSession(gateway, { ...DRIVE, end_user, return_url: RETURN_URL }));
    const text = `What you allow is used in localhost:4999 for ${words}. If that is not you, or you did not ask for this, ${CLOSE}`;
    expect(said).toEqual([text, text]);
  }

  test('CS-14: both pages warn where nobody is named', { tags: ['long'] }, async () => {
    const said = await userNotes(() =>
      connectSession(gateway, { ...DRIVE, end_user: undefined, tags: { plan: 'free' } }),
    );
    expect(said).toEqual([`If you did not ask for this, ${CLOSE}`, `If you did not ask for this, ${CLOSE}`]);
  });

  test('CS-14: both pages of a reconnect name the end user of the connection', { tags: ['long'] }, async () => {
    const end_user = { id: 'u-7', display_name: 'Seventh User' };
    const connectionId = await connectAccount(gateway, 'google-drive', {}, { end_user });
    for (const said of await userNotes(() => reconnectSession(gateway, 'google-drive', connectionId))) {
      expect(said).toContain('for Seventh User.');
    }
  });

  test('CS-15: says that nothing is connected where neither a window nor an address takes the handle', async () => {
    const token = await connectSession(gateway, { ...DRIVE, confirm: true, return_url: RETURN_URL });
    await changeSession(gateway, token, { returnUrl: 'https://no-longer-listed.example/' });
    await openConnectPage(page, gateway, token);
    await consent();
    expect(await endHeading(page)).toBe('Nothing is connected');
    expect(await page.getByRole('main').innerText()).not.toMatch(/is ready|close this page/);
    await openConnectPage(page, gateway, token);
    await page.getByRole('heading', { name: 'One step left in the app' }).waitFor();
  });

  test('CS-18: a link opened in the tab of a dead one loads its own session, and leaves no token in the address', async () => {
    const dead = await connectSession(gateway, { ...DRIVE, end_user: { id: 'dead' } });
    const headers = { authorization: `Bearer ${dead}` };
    await fetch(`${gateway.gateway.gatewayUrl}/connect/session`, { method: 'DELETE', headers });
    await openConnectPage(page, gateway, dead);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    const living = await connectSession(gateway, { ...DRIVE, end_user: { id: 'living' } });
    await page.goto(`${gateway.gateway.gatewayUrl}/connect#session_token=${living}`);
    await page.getByText('for the user living').waitFor();
    expect(page.url()).toBe(`${gateway.gateway.gatewayUrl}/connect`);
    await page.reload();
    await page.getByText('for the user living').waitFor();
    await consent();
    expect(await endHeading(page)).toBe('Connected');
    expect(await sessionState(gateway, living)).toMatchObject({ status: 'connected' });
  });

  test('CS-18: a link opened in the tab of a living one takes its place, and in that of none fills it', {
    tags: ['long'],
  }, async () => {
    const session = (id: string) => connectSession(gateway, { ...DRIVE, end_user: { id } });
    await page.goto(`${gateway.gateway.gatewayUrl}/connect`);
    await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
    for (const id of ['first', 'second']) {
      await page.goto(`${gateway.gateway.gatewayUrl}/connect#session_token=${await session(id)}`);
      await page.getByText(`for the user ${id}`).waitFor();
      expect(page.url()).not.toContain('#');
    }
    expect(await page.locator('#for-whom').count()).toBe(1);
  });

  test('names the app as the deployment does', { tags: ['long'] }, async () => {
    await page.route('**/connect/session', async (route) => {
      const answer = await route.fetch();
      const { data } = await answer.json();
      await route.fulfill({ response: answer, json: { data: { ...data, app_name: 'Example CRM' } } });
    });
    await openConnectPage(page, gateway, await connectSession(gateway, DRIVE));
    await page.getByText('Example CRM asks for access to your Google account.').waitFor();
  });

  test('says what is missing after a partial consent, and asks again', { tags: ['long'] }, async () => {
    await setScopes(gateway, 'google-calendar', ['calendar.readonly', 'calendar.events']);
    const token = await connectSession(gateway, { ...DRIVE, allowed_integrations: ['google-calendar'] });
    await openConnectPage(page, gateway, token);
    await goOn();
    await page.getByRole('checkbox').first().uncheck();
    await button('Allow').click();
    expect(await endHeading(page)).toBe('Connected, with less access');
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(['See all calendars and their events.']);
    await button('Choose again').click();
    await button('Allow').click();
    await page.getByRole('heading', { name: /^Connected$/ }).waitFor();
    expect(await sessionState(gateway, token)).toMatchObject({ missing_scopes: [] });
  });

  test('says that access was refused, and a retry connects', { tags: ['long'] }, async () => {
    const token = await connectSession(gateway, DRIVE);
    await openConnectPage(page, gateway, token);
    await goOn();
    await button('Cancel').click();
    expect(await endHeading(page)).toBe('You did not grant access');
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'refused' });
    await button('Try again').click();
    await chooseAccount(page, FIRST);
    await button('Allow').click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
  });

  test('CS-6: names both accounts when the wrong one was chosen', { tags: ['long'] }, async () => {
    const token = await reconnectSession(gateway, 'google-drive', gateway.connectionId('google-drive'));
    await openConnectPage(page, gateway, token);
    expect(await page.getByRole('main').innerText()).toContain(`Use the account ${FIRST}.`);
    await button(/Continue/).click();
    await button('Use another account').click();
    await chooseAccount(page, SECOND);
    await button('Allow').click();
    expect(await endHeading(page)).toBe('That is a different Google account');
    expect(await page.getByRole('alert').innerText()).toMatch(new RegExp(`${FIRST}.*${SECOND}`));
    await button('Try again').click();
    await button('Use another account').waitFor();
    expect(await page.getByRole('main').innerText()).toContain(FIRST);
  });

  test('an integration whose OAuth client Google refuses is not offered, and where it was the only one, its developer has to act', {
    tags: ['long'],
  }, async () => {
    const key = { pk: 'ACCOUNT#default', sk: 'INTEGRATION#google-drive' };
    await changeItem(gateway, key, { clientFault: { error: 'invalid_client', sinceEpochSec: 1, retryAtEpochSec: 1 } });
    try {
      await openConnectPage(page, gateway, await connectSession(gateway, {}));
      expect(await page.getByRole('region').count()).toBe(1);
      await page.getByRole('region', { name: 'Google Calendar' }).waitFor();
      const token = await connectSession(gateway, { ...DRIVE, return_url: RETURN_URL });
      await page.goto('about:blank');
      await openConnectPage(page, gateway, token);
      expect(await page.getByRole('main').innerText()).toMatch(
        /Google does not accept this app.*developer of the app must/,
      );
      expect(await page.getByRole('button').count()).toBe(0);
    } finally {
      const { tableName: TableName } = gateway.gateway;
      await tableClient(gateway).send(
        new UpdateCommand({ TableName, Key: key, UpdateExpression: 'REMOVE clientFault' }),
      );
    }
  });

  test('says that its link has expired', { tags: ['long'] }, async () => {
    const token = await connectSession(gateway, DRIVE);
    await changeSession(gateway, token, { endsAtEpochSec: past() });
    await openConnectPage(page, gateway, token);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('This link has expired');
    expect(await page.getByRole('button').count()).toBe(0);
  });

  test('says that nobody came back from the provider', { tags: ['long'] }, async () => {
    const token = await connectSession(gateway, DRIVE);
    await startFlow(gateway, token);
    await changeSession(gateway, token, { authorizingUntilEpochSec: past() });
    await openConnectPage(page, gateway, token);
    expect(await page.getByRole('alert').innerText()).toContain('did not send you back within ten minutes');
    await page.getByText('Did Google show an error?').click();
    expect(await page.getByText('redirect_uri_mismatch').isVisible()).toBe(true);
  });

  test('says that its link was withdrawn while the page was open', { tags: ['long'] }, async () => {
    const token = await connectSession(gateway, DRIVE);
    await openConnectPage(page, gateway, token);
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${gateway.gateway.gatewayUrl}/connect/session`, { method: 'DELETE', headers });
    await button(/Continue/).click();
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
  });

  test('UI-4: a name that is written from right to left does not turn the words around it', {
    tags: ['long'],
  }, async () => {
    const end_user = { id: 'u', display_name: '\u05D0\u05D1\u05D2 1' };
    const organization = { id: 'o', display_name: 'Example' };
    const token = await connectSession(gateway, { ...DRIVE, end_user, organization });
    await openConnectPage(page, gateway, token);
    const [person, company] = await page.locator('bdi').all();
    expect(await person?.innerText()).toBe(end_user.display_name);
    expect((await company?.boundingBox())?.x).toBeGreaterThan((await person?.boundingBox())?.x ?? Number.NaN);
  });

  test('says what it needs where scripts are switched off, and does not seem to load', async () => {
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(`${gateway.gateway.gatewayUrl}/connect#session_token=x`);
    const text = await plain.getByRole('main').innerText();
    expect(text).toContain('needs JavaScript');
    expect(text).not.toContain('Loading');
    await plain.context().close();
  });

  test('keeps the look the app asked for to the end', { tags: ['long'] }, async () => {
    const token = await connectSession(gateway, DRIVE);
    await page.goto(`${gateway.gateway.gatewayUrl}/connect?theme=dark#session_token=${token}`);
    await goOn();
    await button('Cancel').click();
    await button('Try again').waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  test('anyone who reloads the last page or goes back from it reads that the account is connected', {
    tags: ['long'],
  }, async () => {
    const token = await connectSession(gateway, DRIVE);
    await openConnectPage(page, gateway, token);
    const connected = () => page.getByRole('heading', { name: /^Connected$/ }).waitFor();
    await consent();
    await endHeading(page);
    await page.reload();
    await page.waitForURL(/\/connect$/);
    await connected();
    // The provider's page is there again, and what it sends back is used up.
    await page.goBack();
    await page.goBack();
    await chooseAccount(page, FIRST);
    await button('Allow').click();
    await page.waitForURL(/\/connect$/);
    await connected();
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'connected' });
  });

  test('survives a reload, which has no token in its address', { tags: ['long'] }, async () => {
    await openConnectPage(page, gateway, await connectSession(gateway, DRIVE));
    await page.reload();
    await button('Continue with Google').waitFor();
  });

  test('a second tab learns that the first has finished', { tags: ['long'] }, async () => {
    const token = await connectSession(gateway, DRIVE);
    const second = await context.newPage();
    await openConnectPage(second, gateway, token);
    await openConnectPage(page, gateway, token);
    await goOn();
    await second.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await second.getByText('already started').waitFor();
    await button('Allow').click();
    await second.getByRole('heading', { name: 'Connected' }).waitFor();
  });
});

describe('attacks', () => {
  test('CS-3: attacker starts, victim finishes', () => refusesAnotherBrowser('attacker'));
  test('CS-3: victim starts, attacker finishes', { tags: ['long'] }, () => refusesAnotherBrowser('victim'));

  async function refusesAnotherBrowser(first: 'attacker' | 'victim'): Promise<void> {
    const other = await browser.newContext();
    const [starter, finisher] = first === 'attacker' ? [other, context] : [context, other];
    const finishing = await finisher.newPage();
    // The finisher's browser has a flow and a cookie of its own.
    await openConnectPage(finishing, gateway, await connectSession(gateway, DRIVE));
    await finishing.getByRole('button', { name: /Continue/ }).click();
    await finishing.waitForURL(/\/o\/oauth2/);
    const starting = await starter.newPage();
    const token = await connectSession(gateway, DRIVE);
    await openConnectPage(starting, gateway, token);
    await starting.getByRole('button', { name: /Continue/ }).click();
    await starting.waitForURL(/\/o\/oauth2/);
    await forgetRequests(gateway);
    await finishing.goto(starting.url());
    await chooseAccount(finishing, SECOND);
    await finishing.getByRole('button', { name: 'Allow' }).click();
    expect(await endHeading(finishing)).toBe('Started in another browser');
    expect(await tokenCalls(gateway)).toEqual([]);
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'failed', connection_id: null });
    await other.close();
  }

  test('OA-10: a hostile error description is text', async () => {
    const words = `</code></script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028alert(3)`;
    const query = new URLSearchParams({ state: 'x', error: 'bad', error_description: words });
    await openConnectPage(page, gateway, await connectSession(gateway, DRIVE));
    await button(/Continue/).click();
    await page.waitForURL(/\/o\/oauth2/);
    query.set('state', new URL(page.url()).searchParams.get('state') ?? '');
    await page.goto(`${gateway.gateway.gatewayUrl}/oauth/callback?${query}`);
    expect(await endHeading(page)).toBe('Google did not grant access');
    expect(await page.locator('code').first().textContent()).toBe(`bad: ${words}`);
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('');
  });

  test('CS-4: a page of another site cannot start a flow, with a form or with a script', async () => {
    const token = await connectSession(gateway, DRIVE);
    const address = `${gateway.gateway.gatewayUrl}/oauth/connect/google-drive`;
    const form = `<form method="post" action="${address}"><input name="connect_session_token" value="${token}"><button>Go</button></form>`;
    await page.route('http://localhost:4999/**', (route) => route.fulfill({ contentType: 'text/html', body: form }));
    await page.goto('http://localhost:4999/evil');
    await button('Go').click();
    await page.getByRole('heading', { name: 'This did not work' }).waitFor();
    await page.goto('http://localhost:4999/evil');
    await page.evaluate((url) => location.assign(url), `${address}?connect_session_token=${token}`);
    await button('Continue with Google').waitFor();
    expect(await context.cookies()).toEqual([]);
    await button('Continue with Google').click();
    await page.waitForURL(/\/o\/oauth2/);
    expect(
      (await context.cookies()).map(({ name, secure, httpOnly, sameSite }) => [name, secure, httpOnly, sameSite]),
    ).toEqual([['__Host-gateway-binding', true, true, 'Lax']]);
  });
});

describe('everyone', () => {
  test('the page is usable with the keyboard, in order, with names for everything', async () => {
    await openConnectPage(page, gateway, await connectSession(gateway, { ...DRIVE, return_url: RETURN_URL }));
    const focused: string[] = [];
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('Tab');
      focused.push(await page.evaluate(() => document.activeElement?.textContent ?? ''));
      expect(await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).toBe(
        'solid',
      );
    }
    expect(focused).toEqual(['Continue with Google', 'Back without connecting', 'Did Google show an error?']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/o\/oauth2/);
  });

  test('a screen reader finds one main heading, a region per integration and a live status', async () => {
    await openConnectPage(page, gateway, await connectSession(gateway, {}));
    const tree = await page.locator('body').ariaSnapshot();
    expect(tree).toContain('- main:');
    expect(tree.match(/heading .* \[level=1\]/g)).toEqual(['heading "Choose what to connect" [level=1]']);
    expect(tree).toContain('region "Google Drive"');
    expect(tree).toContain('region "Google Calendar"');
    expect(await page.locator('#status').getAttribute('role')).toBe('status');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  });

  test('text stands out in dark, and nothing is cut at 320 px', () => standsOut('dark'));
  test('text stands out in light, and nothing is cut at 320 px', { tags: ['long'] }, () => standsOut('light'));

  async function standsOut(colorScheme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 600 });
    await openConnectPage(page, gateway, await connectSession(gateway, { ...DRIVE, return_url: RETURN_URL }));
    await page.getByText('Did Google show an error?').click();
    expect(await lowestContrast(page)).toBeGreaterThanOrEqual(4.5);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.goto(`${gateway.gateway.gatewayUrl}/oauth/callback?state=x&error=access_denied`);
    expect(await lowestContrast(page)).toBeGreaterThanOrEqual(4.5);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  }

  const inLanguage = 'a reader of %s is led through in that language, without a rule broken';
  test.each(['ja-JP', 'de-DE'])(inLanguage, { tags: ['long'] }, leadThrough);

  async function leadThrough(locale: string): Promise<void> {
    const { common, failures } = TEXTS[locale === 'de-DE' ? 'de' : 'ja'];
    const own = await browser.newContext({ locale, viewport: { width: 320, height: 600 } });
    const theirs = await own.newPage();
    await openConnectPage(theirs, gateway, await connectSession(gateway, { ...DRIVE, return_url: RETURN_URL }));
    expect(await accessibilityProblems(theirs)).toEqual([]);
    expect(await theirs.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await theirs.getByRole('button', { name: common.continueWithGoogle }).click();
    await chooseAccount(theirs, FIRST);
    await theirs.getByRole('button', { name: 'Cancel' }).click();
    expect(await endHeading(theirs)).toBe(failures.refused.title);
    expect(await accessibilityProblems(theirs)).toEqual([]);
    await own.close();
  }

  test('nothing is loaded from anywhere else', async () => {
    const hosts = new Set<string>();
    page.on('request', (request) => request.url().startsWith('http') && hosts.add(new URL(request.url()).origin));
    await openConnectPage(page, gateway, await connectSession(gateway, DRIVE));
    expect([...hosts]).toEqual([gateway.gateway.gatewayUrl]);
  });
});

describe('the page of an administrator', () => {
  let robot: Robot;
  let integration: string;
  const { admin: words } = TEXTS.en;
  const address = () => page.getByLabel(words.address);
  const check = async (of: string) => {
    await address().fill(of);
    await button(words.checkNow).click();
  };
  const result = () => page.locator('section [role=alert], section [role=status]');

  beforeAll(async () => {
    robot = await makeRobot(gateway, 'admins-page');
    integration = await makeIntegration(gateway, robot, {
      via: 'key',
      scopes: ['drive', 'drive.activity'],
      subjects: { domains: [DOMAIN] },
    });
  });

  test('the page of an administrator has what to list, fills Google’s form, and says of each scope how it stands, from not yet to listed', {
    tags: ['long'],
  }, async () => {
    await openConnectPage(page, gateway, await adminLink(gateway, integration));
    expect(await page.getByText('This link is for Acme.').count()).toBe(1);
    expect(await page.locator('code').allTextContents()).toEqual([
      robot.clientId,
      `${DRIVE_SCOPE},https://www.googleapis.com/auth/drive.activity`,
    ]);
    const form = new URL((await page.getByRole('link', { name: words.openForm }).getAttribute('href')) ?? '');
    expect([
      form.origin + form.pathname,
      form.searchParams.get('clientIdToAdd'),
      form.searchParams.has('overwriteClientId'),
    ]).toEqual(['https://admin.google.com/ac/owl/domainwidedelegation', robot.clientId, false]);
    expect(await page.getByText('Did Google show an error?').isVisible()).toBe(false);

    await check(EDITOR);
    await result().filter({ hasText: words.causes.delegation_pending }).waitFor();
    await list(gateway, robot, [DRIVE_SCOPE]);
    await check(EDITOR);
    await result().filter({ hasText: words.causes.delegation_incomplete }).waitFor();
    expect(await result().locator('li').allTextContents()).toEqual([
      `${DRIVE_SCOPE}: ${words.listed}`,
      `https://www.googleapis.com/auth/drive.activity: ${words.notListed}`,
    ]);
    await list(gateway, robot, [DRIVE_SCOPE, 'https://www.googleapis.com/auth/drive.activity']);
    await check(EDITOR);
    await result()
      .filter({ hasText: `The app can act for users of ${DOMAIN}.` })
      .waitFor();
    await check('someone@other.example');
    await result().filter({ hasText: words.causes.subject_not_allowed }).waitFor();
    await check(`nobody@${DOMAIN}`);
    await result().filter({ hasText: words.causes.subject_unknown }).waitFor();
    await page.goto('about:blank');
    await openConnectPage(page, gateway, await adminLink(gateway, integration, { organization: { id: 'other' } }));
    await check(EDITOR);
    await result().filter({ hasText: words.causes.taken }).waitFor();
  });

  test('copies what is to be listed', { tags: ['long'] }, async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openConnectPage(page, gateway, await adminLink(gateway, integration));
    await button(words.copyClientId).click();
    await button(words.copied).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(robot.clientId);
  });

  test('breaks no rule in dark, and nothing is cut at 320 px', { tags: ['long'] }, () => breaksNoRule('dark'));
  test('breaks no rule in light, and nothing is cut at 320 px', { tags: ['long'] }, () => breaksNoRule('light'));

  async function breaksNoRule(colorScheme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 600 });
    for (const language of ['de', 'ja'] as const) {
      const token = await adminLink(gateway, integration, { language });
      await page.goto(`${gateway.gateway.gatewayUrl}/connect?language=${language}#session_token=${token}`);
      await page.getByLabel(TEXTS[language].admin.address).fill(`nobody@${DOMAIN}`);
      await button(TEXTS[language].admin.checkNow).click();
      await result().filter({ hasText: TEXTS[language].admin.causes.subject_unknown }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await lowestContrast(page)).toBeGreaterThanOrEqual(4.5);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    }
  }
});
