import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { failureMessage, failureText } from '../../../lambdas/gateway/languages/failure-text.rules.ts';
import { TEXTS } from '../../../lambdas/gateway/languages/index.ts';
import { LANGUAGE_IDS } from '../../../lambdas/gateway/languages/language.rules.ts';
import { walkConsent } from '../../../packages/simulator/consent.ts';
import {
  changeSession,
  connectSession,
  consentOnly,
  finishFlow,
  openCallback,
  sessionState,
  setScopes,
  startFlow,
} from '../../support/connect.ts';
import { forgetRequests, tokenCalls } from '../../support/simulator.ts';
import { tableClient } from '../../support/table.ts';
import { useTestGateway } from '../../support/use-gateway.ts';

const DRIVE = { allowed_integrations: ['google-drive'] };
const APP = 'https://app.example';
const APP_NAME = 'Example & <Sons>';
const LOGO = 'data:image/svg+xml;base64,PHN2Zy8+';

const gateway = useTestGateway({
  environmentOverrides: {
    CONNECT_ALLOWED_ORIGINS: APP,
    CONNECT_RETURN_URLS: `${APP}/done`,
    CONNECT_APP_NAME: APP_NAME,
    CONNECT_LOGO: LOGO,
    CONNECT_ACCENT: '#7b1fa2 #691a8a #ffffff,#ab70c3 #b885cc #111111',
  },
});

function startAgain(token: string, headers: Record<string, string> = {}, body = '{}'): Promise<Response> {
  return fetch(`${gateway.gateway.gatewayUrl}/connect/authorizations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
  });
}

describe('a connect session', () => {
  test('CS-1: only a secret key makes one, and its token is stored as a hash only', async () => {
    const token = await connectSession(gateway, DRIVE);
    for (const bearer of [token, 'nonsense', '']) {
      const answer = await gateway.call('/connect/sessions', {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}` },
      });
      expect(answer.status).toBe(401);
    }
    expect(gateway.gateway.logs().some(({ text }) => text.includes(token))).toBe(false);
  });

  test('CS-1: it allows its own integrations and nothing else', async () => {
    const token = await connectSession(gateway, DRIVE);
    const answer = await startAgain(token, {}, '{"provider_config_key":"google-calendar"}');
    expect(answer.status).toBe(400);
    expect((await sessionState(gateway, token)).allowed_integrations).toEqual(['google-drive']);
  });

  test('IN-9: without a list it offers every integration of its account, which is a query the function may make', async () => {
    const state = await sessionState(gateway, await connectSession(gateway, {}));
    expect(state.allowed_integrations).toEqual(expect.arrayContaining(['google-calendar', 'google-drive']));
    expect(gateway.gateway.takeDenials()).toEqual([]);
  });

  test('LG-1: a person whose connection was deleted is named in no row of the table, the session of the consent included', async () => {
    const person = { id: 'erased-1', display_name: 'Erika Erased', email: 'erika@erased.example' };
    const token = await connectSession(gateway, { ...DRIVE, end_user: person, tags: { team: 'erased-team' } });
    const flow = await startFlow(gateway, token);
    expect((await finishFlow(flow)).status).toBeLessThan(400);
    const state = await sessionState(gateway, token);
    expect(state).toMatchObject({ status: 'connected', endUser: { display_name: 'Erika Erased' } });
    const named = async () => {
      const { Items = [] } = await tableClient(gateway).send(new ScanCommand({ TableName: gateway.gateway.tableName }));
      return Items.filter((item) => /erika|erased-team/i.test(JSON.stringify(item))).map(({ type }) => type);
    };
    expect(await named()).toEqual(expect.arrayContaining(['connection']));
    expect(await named()).not.toContain('connect_session');
    const deleted = await gateway.json(
      'DELETE',
      `/connections/${state.connection_id}?provider_config_key=google-drive`,
    );
    expect(deleted.status).toBe(200);
    expect(await named()).toEqual([]);
    expect((await sessionState(gateway, token)).endUser).toBeNull();
  });

  test('its page names the app as the deployment does', async () => {
    const token = await connectSession(gateway, DRIVE);
    expect((await sessionState(gateway, token)).app_name).toBe(APP_NAME);
    const page = await fetch(`${gateway.gateway.gatewayUrl}/oauth/connect/google-drive?connect_session_token=${token}`);
    expect(await page.text()).toContain('Example &#38; &#60;Sons&#62; asks for access');
  });

  test('CS-1: it ends after 30 minutes, and says so', async () => {
    const token = await connectSession(gateway, DRIVE);
    const remainingMs = Date.parse(String((await sessionState(gateway, token)).expires_at)) - Date.now();
    expect(remainingMs).toBeGreaterThan(29 * 60_000);
    expect(remainingMs).toBeLessThanOrEqual(30 * 60_000);
    await changeSession(gateway, token, { endsAtEpochSec: Math.floor(Date.now() / 1000) - 1 });
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'expired' });
    expect((await startAgain(token)).status).toBe(401);
  });

  test('CS-1: two flows of one session yield one connection', async () => {
    const token = await connectSession(gateway, DRIVE);
    const first = await startFlow(gateway, token);
    const second = await startFlow(gateway, token, undefined, first.cookie);
    const [a, b] = [await consentOnly(first), await consentOnly(second)];
    const answers = await Promise.all([openCallback(a, first.cookie), openCallback(b, first.cookie)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await startAgain(token, { cookie: first.cookie })).status).toBe(409);
  });

  test('it may be started twenty times', async () => {
    const token = await connectSession(gateway, DRIVE);
    const { cookie } = await startFlow(gateway, token);
    for (let i = 1; i < 20; i++) await startFlow(gateway, token, undefined, cookie);
    expect((await startAgain(token, { cookie })).status).toBe(409);
  });

  test('CS-16: three hundred refused starts of one link leave another link working', { tags: ['long'] }, async () => {
    const flooded = await connectSession(gateway, DRIVE);
    const other = await connectSession(gateway, { ...DRIVE, end_user: { id: 'another-user' } });
    // All of them as new browsers, side by side, so that the first start is not done when others arrive.
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const seen: number[] = [];
        for (let i = 0; i < 15; i++) seen.push((await startAgain(flooded)).status);
        return seen;
      }),
    );
    expect(statuses.flat().sort()).toEqual([200, ...Array.from({ length: 299 }, () => 409)]);
    await expect(startFlow(gateway, other)).resolves.toBeDefined();
  });

  test('a start that never comes back is reported as timed out and may be repeated', async () => {
    const token = await connectSession(gateway, DRIVE);
    const { cookie } = await startFlow(gateway, token);
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'authorizing', error: null });
    await changeSession(gateway, token, { authorizingUntilEpochSec: Math.floor(Date.now() / 1000) - 1 });
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'failed', error: { type: 'timed_out' } });
    await expect(startFlow(gateway, token, undefined, cookie)).resolves.toBeDefined();
  });

  test('it can be ended, and an open flow then ends with it', async () => {
    const token = await connectSession(gateway, DRIVE);
    const flow = await startFlow(gateway, token);
    const url = `${gateway.gateway.gatewayUrl}/connect/session`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
    expect((await fetch(url, { headers })).status).toBe(401);
    expect(await (await finishFlow(flow)).text()).toContain('This link has ended');
  });

  test('CS-2: the link carries the token in its fragment, and the token is in no address of a flow', async () => {
    const { body } = await gateway.json('POST', '/connect/sessions', { end_user: { id: 'u' } });
    const { token, connect_link: link } = body.data;
    expect(new URL(link)).toMatchObject({ search: '', hash: `#session_token=${token}` });
    const { authorizationUrl } = await startFlow(gateway, token, 'google-drive');
    expect(authorizationUrl).not.toContain(token);
    const page = await fetch(link);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(gateway.gateway.logs().some(({ text }) => text.includes(token))).toBe(false);
  });

  test('listed origins read a session from their own pages, others do not', async () => {
    const token = await connectSession(gateway, DRIVE);
    const read = (method: string, origin: string) =>
      fetch(`${gateway.gateway.gatewayUrl}/connect/session`, {
        method,
        headers: { origin, authorization: `Bearer ${token}` },
      });
    const listed = await read('GET', APP);
    expect(listed.headers.get('access-control-allow-origin')).toBe(APP);
    expect(listed.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await read('OPTIONS', APP)).headers.get('access-control-allow-headers')).toBe('authorization');
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await read(method, 'https://evil.example');
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test('OA-12: a return URL that the deployment does not list is refused', async () => {
    for (const url of [
      `${APP}/done/`,
      '//app.example/done',
      'JavaScript:alert(1)',
      'https://x@app.example/done',
      `${APP}:444/done`,
    ]) {
      await expect(connectSession(gateway, { return_url: url })).rejects.toThrow('return_url');
    }
    await expect(connectSession(gateway, { return_url: `${APP}/done` })).resolves.toBeDefined();
  });
});

describe('the browser', () => {
  test('CS-3: a callback without the cookie gives 403, no token call, and the state is used up', async () => {
    const flow = await startFlow(gateway, await connectSession(gateway, DRIVE));
    const location = await consentOnly(flow);
    await forgetRequests(gateway);
    expect((await openCallback(location)).status).toBe(403);
    expect((await openCallback(location, flow.cookie)).status).toBe(400);
    expect(await tokenCalls(gateway)).toEqual([]);
  });

  test('CS-3: two browsers, in either direction, are refused', async () => {
    const attacker = await startFlow(gateway, await connectSession(gateway, DRIVE));
    const victim = await startFlow(gateway, await connectSession(gateway, DRIVE));
    await forgetRequests(gateway);
    expect((await openCallback(await consentOnly(attacker), victim.cookie)).status).toBe(403);
    expect((await openCallback(await consentOnly(victim), attacker.cookie)).status).toBe(403);
    expect(await tokenCalls(gateway)).toEqual([]);
  });

  test('CS-4: no other site can start a session, and no other browser after the first start', async () => {
    const token = await connectSession(gateway, DRIVE);
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await startAgain(token, { 'sec-fetch-site': site });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    const { cookie } = await startFlow(gateway, token);
    expect((await startAgain(token)).status).toBe(409);
    expect((await startAgain(token, { cookie })).status).toBe(200);
  });

  test('CS-5: two tabs of one browser both finish and never swap', async () => {
    const tokens = [
      await connectSession(gateway, { ...DRIVE, end_user: { id: 'tab-1' } }),
      await connectSession(gateway, { allowed_integrations: ['google-calendar'], end_user: { id: 'tab-2' } }),
    ] as const;
    const first = await startFlow(gateway, tokens[0]);
    const second = await startFlow(gateway, tokens[1], undefined, first.cookie);
    expect(second.cookie).toBe(first.cookie);
    const later = await consentOnly(second, { account: 'second.user@example.com' });
    const earlier = await consentOnly(first, { account: 'first.user@example.com' });
    expect((await openCallback(later, second.cookie)).status).toBe(200);
    expect((await openCallback(earlier, second.cookie)).status).toBe(200);
    const [drive, calendar] = await Promise.all(tokens.map((token) => sessionState(gateway, token)));
    expect(drive).toMatchObject({ status: 'connected', provider_config_key: 'google-drive' });
    expect(calendar).toMatchObject({ status: 'connected', provider_config_key: 'google-calendar' });
    expect(drive?.connection_id).not.toBe(calendar?.connection_id);
  });

  test('CS-7: a connection id from the browser is refused', async () => {
    const token = await connectSession(gateway, DRIVE);
    expect((await startAgain(token, {}, '{"connection_id":"chosen"}')).status).toBe(400);
  });

  test('CS-8: a cookie tossed under a similar name does not stand in for the binding cookie', async () => {
    const flow = await startFlow(gateway, await connectSession(gateway, DRIVE));
    const value = flow.cookie.split('=')[1] ?? '';
    const location = await consentOnly(flow);
    const tossed = ['gateway-binding', '__host-gateway-binding', '__Secure-gateway-binding', '__Host-gateway-binding2'];
    const cookie = tossed.map((name) => `${name}=${value}`).join('; ');
    expect((await openCallback(location, cookie)).status).toBe(403);
  });

  test('CS-11: start and callback pages cannot be framed, the connect page only by listed origins, its preview only by the dashboard', async () => {
    const base = gateway.gateway.gatewayUrl;
    const token = await connectSession(gateway, DRIVE);
    const ancestors = async (url: string) =>
      /frame-ancestors ([^;]*)/.exec((await fetch(url)).headers.get('content-security-policy') ?? '')?.[1];
    // The deployment's own dashboard is listed too, where there is one.
    expect(await ancestors(`${base}/connect`)).toMatch(/^https:\/\/app\.example( http:\/\/127\.0\.0\.1:\d+)?$/);
    expect(await ancestors(`${base}/connect?preview`)).toBe(gateway.gateway.dashboardUrl ?? "'none'");
    expect(await ancestors(`${base}/oauth/callback?state=x&code=y`)).toBe("'none'");
    expect(await ancestors(`${base}/oauth/connect/google-drive?connect_session_token=${token}`)).toBe("'none'");
  });
});

describe('languages and brand', () => {
  const page = async (path: string, language?: string) => {
    const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language };
    const answer = await fetch(gateway.gateway.gatewayUrl + path, { headers });
    return { answer, text: await answer.text() };
  };

  test('every page speaks the language of the browser, and says which that is', async () => {
    const token = await connectSession(gateway, DRIVE);
    const direct = `/oauth/connect/google-drive?connect_session_token=${token}`;
    for (const [path, words] of [
      ['/connect', TEXTS.de.session.title],
      [direct, TEXTS.de.common.continueWithGoogle],
      [`${direct}&public_key=x`, TEXTS.de.problems.title],
      ['/oauth/callback?state=x&error=access_denied', TEXTS.de.failures.unknown_state.title],
    ] as const) {
      const { answer, text } = await page(path, 'de-CH, en;q=0.5');
      expect(text).toContain('<html lang="de">');
      expect(text).toContain(words);
      expect(answer.headers.get('content-language')).toBe('de');
      expect(answer.headers.get('vary')).toContain('Accept-Language');
    }
    expect((await page('/connect?language=ja', 'de')).text).toContain('<html lang="ja">');
    expect((await page('/connect', 'pt-PT')).text).toContain('<html lang="pt-BR">');
    expect((await page('/connect', 'xx')).text).toContain('<html lang="en">');
  });

  test.each(LANGUAGE_IDS)(
    'the connect page weighs at most 40 KB in %s, its script and style included',
    async (language) => {
      const { text } = await page(`/connect?language=${language}`);
      // With it Lighthouse gives the page 100 of 100 on a phone (contributing/page-weight.md).
      expect(Buffer.byteLength(text.replaceAll(LOGO, ''))).toBeLessThan(40 * 1024);
      expect(text).not.toMatch(/<(?:script|link)[^>]* (?:src|href)="(?!data:)/);
    },
  );

  test('an integration has the name that its reader’s language has for it, else the one for all', async () => {
    const names = { public_name: 'Your reports', public_names: { de: 'Ihre Berichte' } };
    expect(await gateway.json('PATCH', '/integrations/google-drive', names)).toMatchObject({ status: 200 });
    const token = await connectSession(gateway, DRIVE);
    const direct = `/oauth/connect/google-drive?connect_session_token=${token}`;
    for (const [language, name] of [
      ['de', 'Ihre Berichte'],
      ['fr', 'Your reports'],
    ] as const) {
      const { data } = await (await startable('GET', '/connect/session', token, language)).json();
      expect(data.integrations[0].display_name).toBe(name);
      expect((await page(direct, language)).text).toContain(`<h2 id="integration">${name}</h2>`);
    }
    await gateway.json('PATCH', '/integrations/google-drive', { public_name: null, public_names: null });
  });

  test('a session and its failures are shown in the language of the browser, and Google is asked for the same', async () => {
    const token = await connectSession(gateway, DRIVE);
    const state = async (language: string) =>
      (await (await startable('GET', '/connect/session', token, language)).json()).data;
    expect((await state('fr')).integrations[0].scopes[0].meaning).toBe(TEXTS.fr.scopes['drive.readonly']);
    const started = await startable('POST', '/connect/authorizations', token, 'fr');
    const cookie = (started.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const url = new URL((await started.json()).data.authorization_url);
    expect(url.searchParams.get('hl')).toBe('fr');
    const other = await startable('POST', '/connect/authorizations', token, 'es');
    expect((await other.json()).error.message).toBe(TEXTS.es.problems.link_started_elsewhere);
    // The page that ends the flow speaks as the one that started it, whatever the browser asks for by then.
    const back = `/oauth/callback?state=${url.searchParams.get('state')}&error=access_denied`;
    const end = await fetch(gateway.gateway.gatewayUrl + back, { headers: { cookie, 'accept-language': 'en' } });
    const told = (language: 'fr' | 'en') =>
      failureText(TEXTS[language], 'refused', { id: 'google', displayName: 'Google' });
    expect(await end.text()).toContain(`<h1>${told('fr').title}</h1>`);
    for (const language of ['fr', 'en'] as const) {
      expect((await state(language)).error.message).toBe(failureMessage(told(language)));
    }
  });

  const startable = (method: string, path: string, token: string, language: string) =>
    fetch(gateway.gateway.gatewayUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    });

  test('CS-11, OA-11: every page carries the logo and the colours of the deployment, and loads nothing', async () => {
    const token = await connectSession(gateway, DRIVE);
    for (const path of [
      '/connect',
      `/oauth/connect/google-drive?connect_session_token=${token}`,
      '/oauth/connect/google-drive?connect_session_token=none',
      '/oauth/callback?state=x&error=access_denied',
    ]) {
      const { answer, text } = await page(path);
      expect(text).toContain(`<img src="${LOGO}" alt="Example &#38; &#60;Sons&#62;">`);
      expect(text).toContain('--accent:#7b1fa2;--hover:#691a8a;--on-accent:#ffffff;');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).not.toMatch(/(?:src|href)="(?!data:|https:\/\/app\.example\/done)/);
    }
  });
});

describe('the direct start of existing front ends', () => {
  const address = (token: string, more = '') =>
    `${gateway.gateway.gatewayUrl}/oauth/connect/google-drive?connect_session_token=${token}${more}`;
  const open = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init });

  test('CS-4, CS-17, OA-13: another site gets a page with one button, whose POST leads on with 303', async () => {
    await setScopes(gateway, 'google-drive', ['drive.readonly', 'drive.file']);
    const token = await connectSession(gateway, { ...DRIVE, end_user: { id: 'u', display_name: '<First> User' } });
    // The second one is not the integration's: a browser cannot widen what is asked (CS-17).
    const page = await open(address(token, '&params[oauth_scopes_override]=drive.file,drive'), {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(page.status).toBe(200);
    expect(page.headers.get('set-cookie')).toBeNull();
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const text = await page.text();
    expect(text).toContain('&#60;First&#62; User');
    expect(text).toContain('only the Drive files used with this app');
    const fields = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      (match): [string, string] => [match[1] ?? '', match[2] ?? ''],
    );
    const action = /action="([^"]*)"/.exec(text)?.[1] ?? '';
    const answer = await open(action, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin', origin: 'null' },
    });
    expect(answer.status).toBe(303);
    const location = answer.headers.get('location') ?? '';
    expect(new URL(location).searchParams.get('scope')).toBe('openid email https://www.googleapis.com/auth/drive.file');
    const callback = (await walkConsent(location)).location;
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect((await openCallback(callback, cookie)).status).toBe(200);
    expect(await sessionState(gateway, token)).toMatchObject({ status: 'connected' });
  });

  test('CS-4: a POST of another site is refused', async () => {
    const token = await connectSession(gateway, DRIVE);
    const body = new URLSearchParams({ connect_session_token: token });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
      { origin: 'https://evil.example' },
    ]) {
      const answer = await open(address('').split('?')[0] ?? '', { method: 'POST', body, headers });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });

  test('a navigation from our own origin is sent on at once', async () => {
    const token = await connectSession(gateway, DRIVE);
    const answer = await open(address(token), { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('set-cookie')).toContain('__Host-');
  });

  test.each([
    'connection_id=x',
    'public_key=x',
    'hmac=x',
    'credentials[oauth_client_secret_override]=x',
    'connect_session_token=again',
    'params[oauth_scopes_override]=no.such.scope',
    'params[oauth_scopes_override]=drive',
  ])('an address with %s is a page with status 400', async (more) => {
    const answer = await open(address(await connectSession(gateway, DRIVE), `&${more}`));
    expect([answer.status, answer.headers.get('x-gateway-error')]).toEqual([400, 'invalid_query_params']);
    expect(await answer.text()).toContain('<h1>This did not work</h1>');
  });

  test('a bad token is 401, an integration outside the session 400', async () => {
    expect((await open(address('cs_nonsense'))).status).toBe(401);
    const token = await connectSession(gateway, { allowed_integrations: ['google-calendar'] });
    expect((await open(address(token))).status).toBe(400);
  });
});
