import { describe, expect, test } from 'vitest';
import { CALL_LIMIT_DEFAULTS } from '../../../lambdas/gateway/core/contract.ts';
import { MIN_CALLS_TO_REPORT, RATE_WINDOW_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { connectAccount } from '../../support/connect.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { withinOneWindow } from '../../support/one-window.ts';
import type { ProxyGateway } from '../../support/proxy-gateway.ts';
import { type RawAnswer, rawRequest } from '../../support/raw-http.ts';
import { useProxyGateway } from '../../support/use-gateway.ts';
import { keyOfAccount } from '../api/keys.ts';

const PER_KEY = 40;
const PER_CONNECTION = 10;
const PER_ADDRESS = 4;
const PROCESSES = 4;
/** Twice as many are within the limit of a connection. */
const CALM_CALLS = 5;
const LIMITS = {
  CALLS_PER_MINUTE_PER_KEY: String(PER_KEY),
  CALLS_PER_MINUTE_PER_CONNECTION: String(PER_CONNECTION),
  WRONG_KEYS_PER_MINUTE_PER_ADDRESS: String(PER_ADDRESS),
};

const FILES = '/drive/v3/files';
const CALENDARS = '/calendar/v3/users/me/calendarList';
const unknownKey = (seed: string) => `sk_default_${seed.repeat(43)}`;
/** One call after another. */
async function callMany(count: number, call: () => Promise<RawAnswer>): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = [];
  for (let i = 0; i < count; i++) answers.push(await call());
  return answers;
}

/** A proxied call with another key, also from another address. */
function callWith(proxy: ProxyGateway, key: string, localAddress?: string): Promise<RawAnswer> {
  return rawRequest(proxy.test.gateway.proxyUrl, {
    path: `/proxy${FILES}`,
    headers: [['Authorization', `Bearer ${key}`], ...proxy.identity().slice(1)],
    ...(localAddress === undefined ? {} : { localAddress }),
  });
}

/** AWS calls of the proxy so far, as a text to compare. */
function proxyCalls(proxy: ProxyGateway): string {
  return JSON.stringify(proxy.test.gateway.awsCalls().filter(({ functionName }) => functionName === 'proxy'));
}

const statuses = (answers: readonly RawAnswer[]) => answers.map(({ status }) => status);
const countOf = (answers: readonly RawAnswer[], status: number) =>
  statuses(answers).filter((one) => one === status).length;

describe('limits of calls in one process (DS-2)', () => {
  const proxy = useProxyGateway({ maxChildrenPerFunction: 1, environmentOverrides: LIMITS });

  test('a connection takes calls below and at its limit; the next is refused without a call to the provider', async () => {
    const answers = await withinOneWindow((attempt) => {
      proxy.upstream.requests.length = 0;
      const [integrationId, path] = attempt === 0 ? ['google-drive', FILES] : ['google-calendar', CALENDARS];
      return callMany(PER_CONNECTION + 2, () => proxy.send({ path }, integrationId));
    });
    expect(statuses(answers)).toEqual([...Array(PER_CONNECTION).fill(200), 429, 429]);
    expect(proxy.upstream.requests).toHaveLength(PER_CONNECTION);
    const refused = answers.at(-1);
    expect(refused?.header('x-gateway-error')).toBe('rate_limited');
    expect(Number(refused?.header('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused?.header('retry-after'))).toBeLessThanOrEqual(RATE_WINDOW_SEC);
    expect(refused?.json()).toMatchObject({
      error: { status: 429, message: expect.stringMatching(/connection .* 10 calls.*callsPerMinutePerConnection/) },
    });
  });

  test('a key makes its calls on all connections together, whatever comes of them', async () => {
    const answers = await withinOneWindow(async () => {
      const key = await keyOfAccount(proxy.test, 'second');
      return callMany(PER_KEY + 1, () => callWith(proxy, key));
    });
    expect(countOf(answers.slice(0, PER_KEY), 404)).toBe(PER_KEY);
    expect(answers.at(-1)?.json()).toMatchObject({
      error: { code: 'rate_limited', message: expect.stringMatching(/secret key .* 40 calls.*callsPerMinutePerKey/) },
    });
    expect((await callWith(proxy, await keyOfAccount(proxy.test, 'second'))).status).toBe(404);
  });

  test('AK-3: wrong keys below the limit of their address get one body; above it they get another', async () => {
    const answers = await withinOneWindow(async (attempt) => {
      // From an address of its own, so that no other test is in the way.
      const from = `127.0.1.${attempt + 1}`;
      const wrong = ['A', 'B', 'C', 'D'].map((seed) => () => callWith(proxy, unknownKey(seed), from));
      const below = await Promise.all(wrong.map((call) => call()));
      const above = await callMany(PER_ADDRESS, () => callWith(proxy, unknownKey('F'), from));
      return { below, above };
    });
    expect(statuses(answers.below)).toEqual([401, 401, 401, 401]);
    const bodies = answers.below.map((answer) => answer.body.toString().replace(/"request_id":"[^"]*"/, ''));
    expect(new Set(bodies).size).toBe(1);
    expect(statuses(answers.above)).toEqual(Array(PER_ADDRESS).fill(429));
    expect(answers.above[0]?.header('x-gateway-error')).toBe('rate_limited');
  });

  test('AK-15: a right key that no process has seen works from an address whose wrong keys are refused', async () => {
    const outcome = await withinOneWindow(async (attempt) => {
      const key = await keyOfAccount(proxy.test, `fourth-${attempt}`);
      const from = `127.0.2.${attempt + 1}`;
      await callMany(PER_ADDRESS + 1, () => callWith(proxy, unknownKey('G'), from));
      return [await callWith(proxy, unknownKey('G'), from), await callWith(proxy, key, from)];
    });
    // The account of the key has no connections.
    expect(statuses(outcome)).toEqual([429, 404]);
  });
});

describe('limits of calls in processes side by side (DS-2)', () => {
  const proxy = useProxyGateway({ maxChildrenPerFunction: PROCESSES, environmentOverrides: LIMITS });

  test('processes side by side learn of each other: the limit holds for all of them together', {
    tags: ['long'],
  }, async () => {
    const answers = await withinOneWindow(async () => {
      const key = await keyOfAccount(proxy.test, 'third');
      const lanes = Array.from({ length: PROCESSES }, () => callMany(PER_KEY, () => callWith(proxy, key)));
      return (await Promise.all(lanes)).flat();
    });
    const through = countOf(answers, 404);
    expect(through).toBeGreaterThanOrEqual(PER_KEY);
    // One call more for each process, or more where telling the table took too long; without telling it would be all.
    expect(through).toBeLessThan(2 * PER_KEY);
    expect(through + countOf(answers, 429)).toBe(answers.length);
  });

  test('DS-2, F64: a flood on one account changes no answer of another', async () => {
    const key = await keyOfAccount(proxy.test, 'fifth');
    const other = asAccount(proxy.test, key);
    const drive = { provider: 'google-drive', unique_key: 'google-drive' };
    await other.json('POST', '/integrations/quickstart', drive, key);
    const connectionId = await connectAccount(other, 'google-drive');
    const calm = (): Promise<RawAnswer> =>
      rawRequest(proxy.test.gateway.proxyUrl, {
        path: `/proxy${FILES}`,
        headers: [
          ['Authorization', `Bearer ${key}`],
          ['Provider-Config-Key', 'google-drive'],
          ['Connection-Id', connectionId],
        ],
      });
    const outcome = await withinOneWindow(async () => {
      const [answers, flood] = await Promise.all([
        callMany(CALM_CALLS, calm),
        callMany(CALM_CALLS * 50, () => proxy.send({ path: FILES })),
      ]);
      return { answers, flood };
    });
    expect(countOf(outcome.flood, 200)).toBeLessThan(2 * PER_CONNECTION);
    expect(statuses(outcome.answers)).toEqual(Array(CALM_CALLS).fill(200));
  });
});

describe('the limits a deployment has', () => {
  const proxy = useProxyGateway({ maxChildrenPerFunction: 1 });

  test('a quiet key costs no table write and no read while it is warm, with the limits a deployment has (DS-2)', async () => {
    expect(CALL_LIMIT_DEFAULTS.perKey).toBeGreaterThan(0);
    // The process takes the second call when what it did alongside the first has ended.
    await callMany(2, () => proxy.send({ path: FILES }));
    const before = proxyCalls(proxy);
    const answers = await callMany(MIN_CALLS_TO_REPORT - 3, () => proxy.send({ path: FILES }));
    expect(countOf(answers, 200)).toBe(answers.length);
    expect(proxyCalls(proxy)).toBe(before);
  });
});

/** The gateway as a backend with another key calls it. */
function asAccount(test: TestGateway, key: string): TestGateway {
  return {
    ...test,
    json: (method, path, body) => test.json(method, path, body, key),
  };
}
