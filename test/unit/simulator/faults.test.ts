import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { Simulator } from '../../../simulator/index.ts';
import {
  api,
  apiFailure,
  apiJson,
  authorize,
  CLIENT,
  control,
  exchange,
  FIRST,
  jsonInit,
  obtainTokens,
  records,
  refresh,
  SECOND,
  startTestSimulator,
  text,
} from './harness.ts';

const ABOUT = '/drive/v3/about?fields=kind';

async function open(...faults: object[]) {
  const simulator = await startTestSimulator();
  const tokens = await obtainTokens(simulator);
  if (faults.length > 0) await control(simulator, 'POST', 'faults', faults);
  return { simulator, ...tokens };
}

interface RawAnswer {
  status: number | undefined;
  length: string | undefined;
  received: number;
  error: string | undefined;
  tookMs: number;
}

function rawGet(simulator: Simulator, accessToken: string, path: string): Promise<RawAnswer> {
  const started = performance.now();
  return new Promise((resolve) => {
    let status: number | undefined;
    let length: string | undefined;
    let received = 0;
    const settle = (error?: NodeJS.ErrnoException) =>
      resolve({ status, length, received, error: error?.code ?? error?.message, tookMs: performance.now() - started });
    request(
      simulator.endpoints.api_base_url + path,
      { headers: { authorization: `Bearer ${accessToken}` } },
      (response) => {
        status = response.statusCode;
        length = response.headers['content-length'];
        response.on('data', (chunk: Buffer) => {
          received += chunk.length;
        });
        response.on('end', () => settle());
        response.on('error', settle);
      },
    )
      .on('error', settle)
      .end();
  });
}

test('applies a fault the given number of times, after the given number of requests', async () => {
  const { simulator, accessToken } = await open({
    after: 1,
    times: 2,
    match: { origin: 'api' },
    action: { status: 503 },
  });
  const statuses: number[] = [];
  for (let round = 0; round < 4; round += 1) statuses.push((await api(simulator, accessToken, ABOUT)).status);
  expect(statuses).toEqual([200, 503, 503, 200]);
});

test('keeps a lasting fault until it is removed', async () => {
  const { simulator, accessToken } = await open({
    id: 'lasting',
    match: { pathPrefix: '/drive/' },
    action: { status: 500 },
  });
  expect((await api(simulator, accessToken, ABOUT)).status).toBe(500);
  expect(records((await control(simulator, 'GET', 'faults')).faults)).toMatchObject([{ id: 'lasting' }]);
  await control(simulator, 'DELETE', 'faults/lasting');
  expect((await api(simulator, accessToken, ABOUT)).status).toBe(200);
});

test.each<[match: object, hitsFirst: boolean, hitsSecond: boolean]>([
  [{ account: FIRST }, true, false],
  [{ clientId: CLIENT.clientId }, true, true],
  [{ clientId: '1-x.apps.googleusercontent.com' }, false, false],
  [{ method: 'post' }, false, false],
  [{ tokenKind: 'access' }, true, true],
  [{ tokenKind: 'refresh' }, false, false],
  [{ origin: 'token' }, false, false],
  [{ pathPrefix: '/drive/v3/about', account: SECOND }, false, true],
])('matches %j', async (match, hitsFirst, hitsSecond) => {
  const { simulator, accessToken } = await open({ match, action: { status: 418 } });
  await control(simulator, 'DELETE', 'faults');
  const second = await obtainTokens(simulator, {}, { account: SECOND });
  await control(simulator, 'POST', 'faults', { match, action: { status: 418 } });
  expect((await api(simulator, accessToken, ABOUT)).status === 418).toBe(hitsFirst);
  expect((await api(simulator, second.accessToken, ABOUT)).status === 418).toBe(hitsSecond);
});

test('matches refresh calls by account and token kind', async () => {
  const { simulator, refreshToken } = await open({
    match: { account: FIRST, tokenKind: 'refresh' },
    action: { oauthError: { status: 400, error: 'invalid_grant', error_subtype: 'invalid_rapt' } },
  });
  const { status, body } = await refresh(simulator, refreshToken);
  expect([status, body]).toEqual([400, { error: 'invalid_grant', error_subtype: 'invalid_rapt' }]);
});

test('answers with an API error of any reason', async () => {
  const { simulator, accessToken } = await open({
    action: { apiError: { code: 403, reason: 'userRateLimitExceeded' }, headers: { 'Retry-After': '7' } },
  });
  const response = await api(simulator, accessToken, ABOUT);
  expect(response.headers.get('retry-after')).toBe('7');
  expect(await response.json()).toMatchObject({
    error: { code: 403, errors: [{ domain: 'usageLimits', reason: 'userRateLimitExceeded' }] },
  });
});

test('combines a lasting delay with an answer', async () => {
  const { simulator, accessToken } = await open({ action: { delayMs: 60 } }, { times: 1, action: { status: 503 } });
  expect(await rawGet(simulator, accessToken, ABOUT)).toMatchObject({ status: 503 });
  const answer = await rawGet(simulator, accessToken, ABOUT);
  expect(answer.status).toBe(200);
  expect(answer.tookMs).toBeGreaterThanOrEqual(55);
});

test('answers the token endpoint with HTML, rubbish and nothing, one after the other', async () => {
  const { simulator, refreshToken } = await open(
    { times: 1, action: { status: 403, body: '<html>rate limit</html>' } },
    { times: 1, action: { rawBody: '{"access_token":', contentType: 'application/json' } },
    { times: 1, action: { status: 200 } },
  );
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const call = () => fetch(simulator.endpoints.token_endpoint, { method: 'POST', body });
  const first = await call();
  expect([first.status, first.headers.get('content-type'), await first.text()]).toEqual([
    403,
    'text/html; charset=UTF-8',
    '<html>rate limit</html>',
  ]);
  expect(await (await call()).text()).toBe('{"access_token":');
  const third = await call();
  expect([third.status, await third.text()]).toEqual([200, '']);
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
});

test('lays header fields over a real answer', async () => {
  const { simulator, accessToken } = await open({ action: { headers: { Server: 'other', 'Set-Cookie': 'a=b' } } });
  const response = await api(simulator, accessToken, ABOUT);
  expect([response.status, response.headers.get('server'), response.headers.get('set-cookie')]).toEqual([
    200,
    'other',
    'a=b',
  ]);
});

test('redirects', async () => {
  const { simulator, accessToken } = await open({ action: { redirect: 'http://elsewhere.example/' } });
  const response = await api(simulator, accessToken, ABOUT);
  expect([response.status, response.headers.get('location')]).toEqual([302, 'http://elsewhere.example/']);
});

test('delays the head', async () => {
  const { simulator, accessToken } = await open({ action: { delayMs: 120 } });
  expect((await rawGet(simulator, accessToken, ABOUT)).tookMs).toBeGreaterThanOrEqual(115);
});

test('hangs until the caller gives up, and applies nothing', async () => {
  const { simulator, accessToken } = await open({ match: { method: 'POST' }, action: { hang: true } });
  const init = { ...jsonInit('POST', { name: 'hung' }), signal: AbortSignal.timeout(80) };
  await expect(api(simulator, accessToken, '/drive/v3/files', init)).rejects.toThrow('timeout');
  const found = await apiJson(simulator, accessToken, "/drive/v3/files?q=name%3D'hung'");
  expect(found.files).toEqual([]);
});

test('drips the body at the given rate', async () => {
  const { simulator, accessToken } = await open({ action: { dripBytesPerSec: 200 } });
  const answer = await rawGet(simulator, accessToken, ABOUT);
  expect(answer).toMatchObject({ status: 200, received: 28, error: undefined });
  expect(answer.tookMs).toBeGreaterThan(100);
});

test('resets the connection in mid-body', async () => {
  const { simulator, accessToken } = await open({ action: { resetAfterBytes: 10 } });
  expect(await rawGet(simulator, accessToken, ABOUT)).toMatchObject({
    status: 200,
    length: '28',
    received: 10,
    error: 'ECONNRESET',
  });
});

test('ends short of the announced length', async () => {
  const { simulator, accessToken } = await open({ action: { truncateAfterBytes: 5 } });
  const answer = await rawGet(simulator, accessToken, ABOUT);
  expect(answer).toMatchObject({ status: 200, length: '28', received: 5 });
  expect(answer.error).toBeDefined();
});

test.each([
  ['closeBeforeApply', 0],
  ['closeAfterApply', 1],
])('%s closes without an answer and leaves %i files', async (action, files) => {
  const { simulator, accessToken } = await open({ times: 1, match: { method: 'POST' }, action: { [action]: true } });
  await expect(api(simulator, accessToken, '/drive/v3/files', jsonInit('POST', { name: 'cut' }))).rejects.toThrow();
  const found = await apiJson(simulator, accessToken, "/drive/v3/files?q=name%3D'cut'");
  expect(found.files).toHaveLength(files);
});

test('rotates strictly: the old refresh token dies at once', async () => {
  const { simulator, refreshToken } = await open({ times: 1, action: { rotateRefreshToken: 'strict' } });
  const { body } = await refresh(simulator, refreshToken);
  expect(text(body.refresh_token)).not.toBe(refreshToken);
  expect((await refresh(simulator, refreshToken)).body.error).toBe('invalid_grant');
  expect((await refresh(simulator, text(body.refresh_token))).status).toBe(200);
});

test('rotates with grace: the old refresh token lives a minute more', async () => {
  const { simulator, refreshToken } = await open({ times: 1, action: { rotateRefreshToken: 'grace' } });
  await refresh(simulator, refreshToken);
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
  await control(simulator, 'POST', 'clock', { offsetSec: 61 });
  expect((await refresh(simulator, refreshToken)).body.error).toBe('invalid_grant');
});

test('answers a refresh with other scopes than were granted, once', async () => {
  const scope = 'https://www.googleapis.com/auth/drive.file';
  const { simulator, refreshToken } = await open({ times: 1, action: { refreshScope: scope } });
  expect((await refresh(simulator, refreshToken)).body.scope).toBe(scope);
  expect((await refresh(simulator, refreshToken)).body.scope).not.toBe(scope);
});

test('leaves the refresh token out of an exchange', async () => {
  const { simulator } = await open({ action: { omitRefreshToken: true } });
  const query = await authorize(simulator);
  const { status, body } = await exchange(simulator, query.get('code') ?? '');
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('refresh_token');
});

test.each([
  ['missing', null],
  ['https://evil.example', 'https://evil.example'],
])('sends iss %s', async (iss, expected) => {
  const { simulator } = await open({ action: { iss } });
  expect((await authorize(simulator)).get('iss')).toBe(expected);
});

test.each<[claim: string, body: object, message: string]>([
  ['no action', { action: {} }, 'must do something'],
  ['an unknown action', { action: { explode: true } }, 'explode is not known'],
  ['an unknown match', { match: { path: '/' }, action: { status: 500 } }, 'match.path is not known'],
  ['a status that is none', { action: { status: 99 } }, 'status code from 200 to 599'],
  ['a negative count', { times: -1, action: { status: 500 } }, 'times must be a whole number'],
])('refuses a fault with %s', async (_claim, body, message) => {
  const { simulator } = await open();
  const response = await fetch(`${simulator.url}/__sim/faults`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(message);
});

test('tells a 401 once fault from the token’s own state', async () => {
  const { simulator, accessToken } = await open({ times: 1, action: { apiError: { code: 401, reason: 'authError' } } });
  expect((await apiFailure(await api(simulator, accessToken, ABOUT))).status).toBe(401);
  expect((await api(simulator, accessToken, ABOUT)).status).toBe(200);
});
