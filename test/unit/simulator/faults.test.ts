import { request } from 'node:http';
import { expect } from 'vitest';
import type { Simulator } from '../../../packages/simulator/index.ts';
import { authorize, codeOf, exchange, refresh } from './flow.ts';
import { control, test, type User } from './harness.ts';
import { CLIENT, DRIVE, FILES, FIRST, SECOND } from './names.ts';
import { jsonInit, text } from './values.ts';

const ABOUT = '/drive/v3/about?fields=kind';

const plant = (simulator: Simulator, ...faults: object[]) => control(simulator, 'POST', 'faults', faults);

/** What arrives of a GET of {@link ABOUT}, and how it ends. */
function rawGet({ simulator, accessToken }: User) {
  const started = performance.now();
  const seen: { status?: number | undefined; length?: string | undefined; received: number } = { received: 0 };
  const headers = { authorization: `Bearer ${accessToken}` };
  return new Promise<typeof seen & { error: string | undefined; tookMs: number }>((resolve) => {
    const settle = (error?: NodeJS.ErrnoException) =>
      resolve({ ...seen, error: error?.code ?? error?.message, tookMs: performance.now() - started });
    const call = request(simulator.endpoints.api_base_url + ABOUT, { headers }, (response) => {
      Object.assign(seen, { status: response.statusCode, length: response.headers['content-length'] });
      response.on('data', (chunk: Buffer) => {
        seen.received += chunk.length;
      });
      response.on('end', () => settle());
      response.on('error', settle);
    });
    call.on('error', settle).end();
  });
}

test('applies a fault the given number of times, after the given number of requests', async ({ owner }) => {
  await plant(owner.simulator, { after: 1, times: 2, match: { origin: 'api' }, action: { status: 503 } });
  const statuses: number[] = [];
  for (let round = 0; round < 4; round += 1) statuses.push(await owner.status(ABOUT));
  expect(statuses).toEqual([200, 503, 503, 200]);
});

test('keeps a lasting fault until it is removed', async ({ simulator, owner }) => {
  await plant(simulator, { id: 'lasting', match: { pathPrefix: '/drive/' }, action: { status: 500 } });
  expect(await owner.status(ABOUT)).toBe(500);
  expect((await control(simulator, 'GET', 'faults')).faults).toMatchObject([{ id: 'lasting' }]);
  await control(simulator, 'DELETE', 'faults/lasting');
  expect(await owner.status(ABOUT)).toBe(200);
});

test.for<[match: object, hitsFirst: boolean, hitsSecond: boolean]>([
  [{ account: FIRST }, true, false],
  [{ clientId: CLIENT.clientId }, true, true],
  [{ clientId: '1-x.apps.googleusercontent.com' }, false, false],
  [{ method: 'post' }, false, false],
  [{ tokenKind: 'access' }, true, true],
  [{ tokenKind: 'refresh' }, false, false],
  [{ origin: 'token' }, false, false],
  [{ pathPrefix: '/drive/v3/about', account: SECOND }, false, true],
])('matches %j', async ([match, hitsFirst, hitsSecond], { simulator, owner, guest }) => {
  await plant(simulator, { match, action: { status: 418 } });
  expect((await owner.status(ABOUT)) === 418).toBe(hitsFirst);
  expect((await guest.status(ABOUT)) === 418).toBe(hitsSecond);
});

test('matches refresh calls by account and token kind', async ({ simulator, owner }) => {
  const error = { error: 'invalid_grant', error_subtype: 'invalid_rapt' };
  const match = { account: FIRST, tokenKind: 'refresh' };
  await plant(simulator, { match, action: { oauthError: { status: 400, ...error } } });
  expect(await refresh(simulator, owner.refreshToken)).toMatchObject({ status: 400, body: error });
});

test('answers with an API error of any reason, once, whatever the token’s own state', async ({ simulator, owner }) => {
  const apiError = { code: 403, reason: 'userRateLimitExceeded' };
  await plant(
    simulator,
    { times: 1, action: { apiError, headers: { 'Retry-After': '7' } } },
    { times: 1, action: { apiError: { code: 401, reason: 'authError' } } },
  );
  const response = await owner.call(ABOUT);
  expect(response.headers.get('retry-after')).toBe('7');
  const errors = [{ domain: 'usageLimits', reason: 'userRateLimitExceeded' }];
  expect(await response.json()).toMatchObject({ error: { code: 403, errors } });
  expect(await owner.refusal(ABOUT)).toBe('401 authError');
  expect(await owner.status(ABOUT)).toBe(200);
});

test('delays the head, also of another fault', async ({ simulator, owner }) => {
  await plant(simulator, { action: { delayMs: 60 } }, { times: 1, action: { status: 503 } });
  expect(await rawGet(owner)).toMatchObject({ status: 503 });
  const answer = await rawGet(owner);
  expect(answer.status).toBe(200);
  expect(answer.tookMs).toBeGreaterThanOrEqual(55);
});

test('answers the token endpoint with HTML, rubbish and nothing, one after the other', async ({ simulator, owner }) => {
  await plant(
    simulator,
    { times: 1, action: { status: 403, body: '<html>rate limit</html>' } },
    { times: 1, action: { rawBody: '{"access_token":', contentType: 'application/json' } },
    { times: 1, action: { status: 200 } },
  );
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: owner.refreshToken });
  const call = async () => {
    const answer = await fetch(simulator.endpoints.token_endpoint, { method: 'POST', body });
    return [answer.status, answer.headers.get('content-type'), await answer.text()];
  };
  expect(await call()).toEqual([403, 'text/html; charset=UTF-8', '<html>rate limit</html>']);
  expect((await call())[2]).toBe('{"access_token":');
  expect(await call()).toMatchObject([200, null, '']);
  expect((await refresh(simulator, owner.refreshToken)).status).toBe(200);
});

test('lays header fields over a real answer, and redirects', async ({ simulator, owner }) => {
  await plant(simulator, { times: 1, action: { headers: { Server: 'other', 'Set-Cookie': 'a=b' } } });
  const { status, headers } = await owner.call(ABOUT);
  expect([status, headers.get('server'), headers.get('set-cookie')]).toEqual([200, 'other', 'a=b']);
  await plant(simulator, { action: { redirect: 'http://elsewhere.example/' } });
  const redirected = await owner.call(ABOUT);
  expect([redirected.status, redirected.headers.get('location')]).toEqual([302, 'http://elsewhere.example/']);
});

test('hangs until the caller gives up, and applies nothing', async ({ simulator, owner }) => {
  await plant(simulator, { match: { method: 'POST' }, action: { hang: true } });
  const init = { ...jsonInit('POST', { name: 'hung' }), signal: AbortSignal.timeout(80) };
  await expect(owner.call(FILES, init)).rejects.toThrow('timeout');
  expect(await owner.search("name='hung'")).toEqual([]);
});

test('drips the body at the given rate', async ({ simulator, owner }) => {
  await plant(simulator, { action: { dripBytesPerSec: 200 } });
  const answer = await rawGet(owner);
  expect(answer).toMatchObject({ status: 200, received: 28, error: undefined });
  expect(answer.tookMs).toBeGreaterThan(100);
});

test('resets the connection in mid-body, or ends short of the announced length', async ({ simulator, owner }) => {
  const cut = { status: 200, length: '28' };
  await plant(simulator, { times: 1, action: { resetAfterBytes: 10 } });
  expect(await rawGet(owner)).toMatchObject({ ...cut, received: 10, error: 'ECONNRESET' });
  await plant(simulator, { action: { truncateAfterBytes: 5 } });
  expect(await rawGet(owner)).toMatchObject({ ...cut, received: 5, error: expect.any(String) });
});

test.for([
  ['closeBeforeApply', 0],
  ['closeAfterApply', 1],
] as const)('%s closes without an answer and leaves %i files', async ([action, files], { simulator, owner }) => {
  await plant(simulator, { times: 1, match: { method: 'POST' }, action: { [action]: true } });
  await expect(owner.call(FILES, jsonInit('POST', { name: 'cut' }))).rejects.toThrow();
  expect(await owner.search("name='cut'")).toHaveLength(files);
});

test('rotates strictly: the old refresh token dies at once', async ({ simulator, owner: { refreshToken } }) => {
  await plant(simulator, { times: 1, action: { rotateRefreshToken: 'strict' } });
  const rotated = text((await refresh(simulator, refreshToken)).body.refresh_token);
  expect(rotated).not.toBe(refreshToken);
  expect((await refresh(simulator, refreshToken)).body.error).toBe('invalid_grant');
  expect((await refresh(simulator, rotated)).status).toBe(200);
});

test('rotates with grace: the old token lives a minute more', async ({ simulator, owner: { refreshToken } }) => {
  await plant(simulator, { times: 1, action: { rotateRefreshToken: 'grace' } });
  await refresh(simulator, refreshToken);
  expect((await refresh(simulator, refreshToken)).status).toBe(200);
  await control(simulator, 'POST', 'clock', { offsetSec: 61 });
  expect((await refresh(simulator, refreshToken)).body.error).toBe('invalid_grant');
});

test('answers a refresh with other scopes than were granted, once', async ({ simulator, owner: { refreshToken } }) => {
  const scope = `${DRIVE}.file`;
  await plant(simulator, { times: 1, action: { refreshScope: scope } });
  expect((await refresh(simulator, refreshToken)).body.scope).toBe(scope);
  expect((await refresh(simulator, refreshToken)).body.scope).not.toBe(scope);
});

test('leaves the refresh token out of an exchange', async ({ simulator }) => {
  await plant(simulator, { action: { omitRefreshToken: true } });
  const { status, body } = await exchange(simulator, await codeOf(simulator));
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('refresh_token');
});

test.for([
  ['missing', null],
  ['https://evil.example', 'https://evil.example'],
] as const)('sends iss %s', async ([iss, expected], { simulator }) => {
  await plant(simulator, { action: { iss } });
  expect((await authorize(simulator)).get('iss')).toBe(expected);
});

test.for<[claim: string, body: object, message: string]>([
  ['no action', { action: {} }, 'must do something'],
  ['an unknown action', { action: { explode: true } }, 'explode is not known'],
  ['an unknown match', { match: { path: '/' }, action: { status: 500 } }, 'match.path is not known'],
  ['a status that is none', { action: { status: 99 } }, 'status code from 200 to 599'],
  ['a negative count', { times: -1, action: { status: 500 } }, 'times must be a whole number'],
])('refuses a fault with %s', async ([, body, message], { simulator }) => {
  const response = await fetch(`${simulator.url}/__sim/faults`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(message);
});
