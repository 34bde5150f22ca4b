import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { forgetRequests, tokenCalls } from '../../support/simulator.ts';
import { changeConnection } from '../../support/table.ts';
import { useProxyGateway } from '../../support/use-gateway.ts';

// One process, so that a call meets the connection which the call before it has left.
const proxy = useProxyGateway({ maxChildrenPerFunction: 1 });

type Turn = (response: ServerResponse) => void;

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Turn => {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
};
const fine = json(200, { ok: true });
const cut: Turn = (response) => void response.socket?.destroy();
const reason = (code: number, name: string) =>
  json(code, { error: { code, message: name, errors: [{ domain: 'usageLimits', reason: name, message: name }] } });

/** Answers turn after turn; the last one stays. */
function turns(...script: Turn[]): void {
  let turn = 0;
  proxy.upstream.answer((_request, response) => {
    script[Math.min(turn++, script.length - 1)]?.(response);
  });
}

const attempts = () => proxy.upstream.requests.length;

describe('retries the caller asked for', () => {
  const retries = (count: number): [string, string] => ['Retries', String(count)];

  /** Status of a call, and how often the provider was asked for it. */
  async function outcome(...[request]: Parameters<typeof proxy.send>): Promise<[number, number]> {
    const { status } = await proxy.send(request);
    return [status, attempts()];
  }

  test('without Retries nothing is repeated', async () => {
    turns(json(503, {}), fine);
    expect(await outcome({ path: '/drive/v3/files' })).toEqual([503, 1]);
  });

  test.each([
    ['GET', 500],
    ['GET', 429],
    ['PUT', 503],
    ['DELETE', 502],
  ])('a %s is repeated after %i', async (method, status) => {
    turns(json(status, {}), fine);
    expect(await outcome({ method, path: '/drive/v3/files/a', headers: [retries(2)] })).toEqual([200, 2]);
  });

  test.each(['POST', 'PATCH'])('I10: a %s is not repeated after 500, which may have been applied', async (method) => {
    turns(json(500, { applied: 'perhaps' }), fine);
    expect(await outcome({ method, path: '/drive/v3/files/a', headers: [retries(3)], body: '{}' })).toEqual([500, 1]);
  });

  test('I10: a POST is repeated after 429, which proves that nothing was applied', async () => {
    turns(json(429, {}, { 'retry-after': '0' }), fine);
    const body = '{"a":1}';
    expect(await outcome({ method: 'POST', path: '/drive/v3/files', headers: [retries(1)], body })).toEqual([200, 2]);
    expect(proxy.upstream.requests.map((request) => request.body.toString())).toEqual(['{"a":1}', '{"a":1}']);
  });

  test('I10: a POST is repeated on a status the caller declared repeatable', async () => {
    turns(json(500, {}), fine);
    const headers: [string, string][] = [retries(1), ['Retry-On', '500,502']];
    expect(await outcome({ method: 'POST', path: '/drive/v3/files', headers, body: '{}' })).toEqual([200, 2]);
  });

  test("F32: Google's 403 rate limit is repeated", async () => {
    turns(reason(403, 'userRateLimitExceeded'), fine);
    expect(await outcome({ path: '/drive/v3/files', headers: [retries(1)] })).toEqual([200, 2]);
  });

  test("F32: Google's 403 rate limit is repeated when its body is packed", async () => {
    const packed = gzipSync(JSON.stringify({ error: { errors: [{ reason: 'rateLimitExceeded' }] } }));
    turns((response) => void response.writeHead(403, { 'content-encoding': 'gzip' }).end(packed), fine);
    expect(await outcome({ path: '/drive/v3/files', headers: [retries(1)] })).toEqual([200, 2]);
  });

  test('F35: a 403 whose body breaks off while it is judged reaches the caller as a broken 403', async () => {
    turns((response) => {
      response.writeHead(403, { 'content-length': '100' }).write('{"error":');
      setImmediate(() => response.socket?.destroy());
    });
    const answer = await proxy.send({ path: '/drive/v3/files', headers: [retries(1)] });
    expect([answer.status, answer.complete, answer.body.toString()]).toEqual([403, false, '{"error":']);
  });

  test.each(['insufficientPermissions', 'dailyLimitExceeded', 'appNotAuthorizedToFile'])(
    'F32: a 403 %s is not, and its body passes whole',
    async (name) => {
      turns(reason(403, name), fine);
      const answer = await proxy.send({ path: '/drive/v3/files', headers: [retries(3)] });
      expect([answer.status, attempts()]).toEqual([403, 1]);
      expect(JSON.stringify(answer.json())).toContain(name);
    },
  );

  test('the last answer passes when the retries are used up', async () => {
    turns(json(503, { last: true }));
    const answer = await proxy.send({ path: '/drive/v3/files', headers: [retries(2)] });
    expect([answer.status, attempts()]).toEqual([503, 3]);
    expect(answer.json()).toEqual({ last: true });
  });

  test('a Retry-After beyond the budget returns the answer at once', async () => {
    turns(json(429, {}, { 'retry-after': '3600' }), fine);
    const answer = await proxy.send({ path: '/drive/v3/files', headers: [retries(5)] });
    expect([answer.status, answer.header('retry-after'), attempts()]).toEqual([429, '3600', 1]);
  });

  test('five retries are the most: a sixth is refused before anything is sent', async () => {
    // The tests above used up what the process has for repeats: fifty calls that go well earn it back.
    turns(fine);
    for (let i = 0; i < 50; i++) await proxy.send({ path: '/drive/v3/files' });
    turns(json(429, {}, { 'retry-after': '0' }));
    await proxy.send({ path: '/drive/v3/files', headers: [retries(5)] });
    expect(attempts()).toBe(6);
    const refused = await proxy.send({ path: '/drive/v3/files', headers: [retries(6)] });
    expect([refused.status, refused.header('x-gateway-error'), attempts()]).toEqual([400, 'invalid_headers', 6]);
  });
});

describe('connections that break', () => {
  test('F38: a POST whose connection broke after it went out is not repeated, and the answer says why', async () => {
    turns(cut, fine);
    const headers: [string, string][] = [['Retries', '3']];
    const answer = await proxy.send({ method: 'POST', path: '/drive/v3/files', headers, body: '{}' });
    expect([answer.status, answer.header('x-gateway-error'), attempts()]).toEqual([502, 'upstream_unreachable', 1]);
    const message = expect.stringMatching(/broke before the answer arrived.*may have been applied/);
    expect(answer.json()).toMatchObject({ error: { applied: 'unknown', message } });
  });

  test('F38: a read whose connection broke after it went out has changed nothing', async () => {
    turns(cut);
    const answer = await proxy.send({ path: '/drive/v3/files' });
    expect([answer.status, answer.header('x-gateway-error')]).toEqual([502, 'upstream_unreachable']);
    expect(answer.json()).toMatchObject({ error: { applied: 'no' } });
  });

  test('a provider’s own failure carries no word of the gateway on whether it was applied', async () => {
    turns(json(502, { error: { code: 502 } }));
    const answer = await proxy.send({ method: 'POST', path: '/drive/v3/files', body: '{}' });
    expect(answer.json()).toEqual({ error: { code: 502 } });
  });

  test('F37: a read on a kept connection that the provider had closed is sent once more on a new one', async () => {
    turns(fine);
    await proxy.send({ path: '/drive/v3/files' });
    turns(cut, fine);
    const answer = await proxy.send({ path: '/drive/v3/files' });
    expect([answer.status, attempts()]).toEqual([200, 2]);
  });

  test('PR-12: an answer that is not HTTP is a 502 of its own kind', async () => {
    turns((response) => void response.socket?.end('this is not http\r\n\r\n'));
    const answer = await proxy.send({ path: '/drive/v3/files/x', method: 'DELETE' });
    expect([answer.status, answer.header('x-gateway-error')]).toEqual([502, 'upstream_invalid_response']);
    expect(answer.json()).toMatchObject({ error: { applied: 'unknown' } });
  });
});

describe('an upstream 401', () => {
  const refused = json(401, { error: { code: 401, errors: [{ reason: 'authError' }] } });
  /** A refresh of the last seconds would, rightly, not be repeated: make it long ago. */
  const longAgo = () =>
    changeConnection(proxy.test, 'google-drive', proxy.test.connectionId('google-drive'), {
      lastRefreshedAtEpochSec: 1,
      forcedRefreshAtEpochSec: 1,
    });

  test('TK-6: one refresh, one replay with the body, whatever Retries says', async () => {
    await longAgo();
    await forgetRequests(proxy.test);
    turns(refused, fine);
    const answer = await proxy.send({ method: 'POST', path: '/drive/v3/files', body: '{"keep":1}' });
    expect([answer.status, attempts()]).toEqual([200, 2]);
    const [first, second] = proxy.upstream.requests;
    expect(second?.body.toString()).toBe('{"keep":1}');
    expect(second?.headerValues('authorization')).not.toEqual(first?.headerValues('authorization'));
    expect(await tokenCalls(proxy.test)).toHaveLength(1);
  });

  test('TK-6: a 401 whose body never ends does not hold the replay back', async () => {
    await longAgo();
    turns((response) => void response.writeHead(401, { 'content-length': '100' }).write('{'), fine);
    expect((await proxy.send({ path: '/drive/v3/files' })).status).toBe(200);
  });

  test("TK-6: the second 401 is the caller's to see", async () => {
    await longAgo();
    turns(refused);
    const answer = await proxy.send({ path: '/drive/v3/files' });
    expect([answer.status, answer.header('x-gateway-error'), attempts()]).toEqual([401, undefined, 2]);
  });

  test('F30: a storm of 401 causes no further refresh', async () => {
    await forgetRequests(proxy.test);
    turns(refused);
    const answers = await Promise.all(Array.from({ length: 10 }, () => proxy.send({ path: '/drive/v3/files' })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await tokenCalls(proxy.test)).toHaveLength(0);
  });

  test('TK-6: a 403 causes no refresh', async () => {
    await longAgo();
    await forgetRequests(proxy.test);
    turns(reason(403, 'insufficientPermissions'));
    expect((await proxy.send({ path: '/drive/v3/files' })).status).toBe(403);
    expect(await tokenCalls(proxy.test)).toHaveLength(0);
  });
});
