import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { RETRIES_MAX, RETRY_BUDGET_REPEATS, RETRY_BUDGET_SHARE } from '../../../lambdas/gateway/core/limits.ts';
import { textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { connectAccount } from '../../support/connect.ts';
import { type DelayingProxy, startDelayingProxy } from '../../support/delaying-proxy.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { loadProxy, type ProxyAnswer, type ProxyInvocation } from '../../support/in-process-proxy.ts';
import { withinOneWindow } from '../../support/one-window.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { control, tokenCalls } from '../../support/simulator.ts';
import { changeItem, connectionKey } from '../../support/table.ts';
import { keyOfAccount, keyWith } from '../api/keys.ts';

const INTEGRATION = 'google-drive';
/** Both accounts name their connections alike. */
const CONNECTION_IDS = ['one', 'two', 'three', 'four'];
const EXPIRED_IDS = ['two', 'four'];
const CALLS_EACH = 60;
const OTHER = 'second';
const PEOPLE = { default: 'first.user@example.com', [OTHER]: 'second.user@example.com' };

let gateway: TestGateway;
let upstream: ScriptedUpstream;
const fronts: DelayingProxy[] = [];
type Proxy = (invocation: ProxyInvocation) => Promise<ProxyAnswer>;
let invoke: Proxy;
/** The proxy as a new process has it, with settings of its own. */
let startProcess: (variables: Readonly<Record<string, string>>) => Promise<Proxy>;
let keys: Readonly<Record<string, string>>;

beforeAll(async () => {
  // The functions write metrics to standard output.
  vi.spyOn(console, 'log').mockImplementation(() => {});
  upstream = await startScriptedUpstream();
  gateway = await startTestGateway();
  keys = {
    default: await keyWith(gateway, { can_read_credentials: true }),
    [OTHER]: await keyOfAccount(gateway, OTHER),
  };
  await gateway.json(
    'POST',
    '/integrations/quickstart',
    { provider: INTEGRATION, unique_key: INTEGRATION },
    keys[OTHER],
  );
  const theirs = await connectAccount(gateway, INTEGRATION, { account: PEOPLE[OTHER] });
  const grants = { default: gateway.connectionId(INTEGRATION), [OTHER]: theirs };
  for (const [account, source] of Object.entries(grants)) {
    const read = await gateway.json(
      'GET',
      `/connections/${source}?provider_config_key=${INTEGRATION}&refresh_token=true`,
      undefined,
      keys.default,
    );
    const credentials = { type: 'OAUTH2', refresh_token: textAt(read.body, 'credentials', 'refresh_token') };
    for (const id of CONNECTION_IDS) {
      const body = { provider_config_key: INTEGRATION, connection_id: id, credentials };
      expect((await gateway.json('POST', '/connections', body, keys[account])).status).toBe(201);
    }
  }
  const dynamodb = await startDelayingProxy(gateway.gateway.dynamodbEndpoint, 8);
  const aws = await startDelayingProxy(gateway.gateway.awsEndpoint, 8);
  fronts.push(dynamodb, aws);
  const facts = { dynamodb: dynamodb.origin, aws: aws.origin, googleApi: upstream.origin };
  startProcess = (variables) => loadProxy(gateway, { ...facts, variables });
  invoke = await startProcess({});
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const front of fronts) await front[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
  await upstream?.[Symbol.asyncDispose]();
});

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => [Math.random(), one] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, one]) => one);
}

/** Repeats what the gateway says to repeat: on a busy machine a refresh may outlast its caller's patience. */
async function call(account: string, connectionId: string): Promise<ProxyAnswer> {
  const headers = {
    authorization: `Bearer ${keys[account]}`,
    'provider-config-key': INTEGRATION,
    'connection-id': connectionId,
  };
  for (let attempt = 1; ; attempt++) {
    const answer = await invoke({ path: `/proxy/drive/v3/files/${account}`, headers });
    if (answer.status !== 503 || attempt === 5) return answer;
    await delay(200);
  }
}

/** Whose token each is, by its SHA-256, as the simulator issued them. */
async function owners(): Promise<Map<string, string>> {
  const state = Object(await control(gateway, 'GET', '/state'));
  const tokens: { sha256: string; account: string }[] = state.accessTokens;
  return new Map(tokens.map(({ sha256, account }) => [sha256, account]));
}

/** Everything in the order of chance, all at once; answers by account. */
async function callAll(): Promise<{ account: string; answer: ProxyAnswer }[]> {
  const calls = Object.keys(PEOPLE).flatMap((account) =>
    Array.from({ length: CALLS_EACH }, (_, at) => [account, CONNECTION_IDS[at % CONNECTION_IDS.length] ?? ''] as const),
  );
  return Promise.all(
    shuffled(calls).map(async ([account, connectionId]) => {
      await delay(Math.random() * 100);
      return { account, answer: await call(account, connectionId) };
    }),
  );
}

describe('two accounts in one warm process', () => {
  /** Each account asks for a path of its own; the upstream says which token came with it, late and out of order. */
  const tellToken = () =>
    upstream.answer(async (request, response) => {
      const [token = ''] = request.headerValues('authorization').map((value) => value.replace('Bearer ', ''));
      await delay(Math.random() * 20);
      const owner = request.target.split('/').at(-1);
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ owner, token: sha256Hex(token) }));
    });

  async function expectNoMixing(): Promise<void> {
    const answers = await callAll();
    const ownerOf = await owners();
    const seen = answers.map(({ account, answer }) => {
      const { owner, token } = JSON.parse(answer.body);
      return { account, status: answer.status, path: owner, person: ownerOf.get(token) };
    });
    expect(seen).toHaveLength(2 * CALLS_EACH);
    const wrong = seen.filter(
      ({ account, status, path, person }) => status !== 200 || path !== account || person !== Object(PEOPLE)[account],
    );
    expect(wrong).toEqual([]);
  }

  test('AK-7: stored and expired tokens are read and refreshed side by side, and each call goes out with its own account’s', async () => {
    for (const account of Object.keys(PEOPLE)) {
      for (const id of EXPIRED_IDS) {
        const key = { ...connectionKey(INTEGRATION, id), pk: `CONNECTION#${account}#${INTEGRATION}#${id}` };
        await changeItem(gateway, key, { accessTokenExpiresAtEpochSec: 1 });
      }
    }
    const before = (await tokenCalls(gateway)).length;
    tellToken();
    await expectNoMixing();
    // One for each connection: nobody waited for another account's refresh, or took its result.
    expect((await tokenCalls(gateway)).length - before).toBe(2 * EXPIRED_IDS.length);
  });

  test('AK-7: remembered tokens stay with their account under load, and a wrong key alongside them gets none', async () => {
    tellToken();
    const strangers = Array.from({ length: 40 }, async (_, at) => {
      await delay(Math.random() * 100);
      const swapped = at % 2 === 0 ? `${keys.default}x` : String(keys[OTHER]).replace(OTHER, 'default');
      return invoke({
        path: '/proxy/drive/v3/files/stranger',
        headers: { authorization: `Bearer ${swapped}`, 'provider-config-key': INTEGRATION, 'connection-id': 'one' },
      });
    });
    const [refused] = await Promise.all([Promise.all(strangers), expectNoMixing()]);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]));
    expect(upstream.requests.some(({ target }) => target.endsWith('/stranger'))).toBe(false);
    expect(fronts.every((front) => front.calls() > 0)).toBe(true);
  });
});

describe('FD-23: 64 calls at once in one process', () => {
  /** What becomes of a call at the provider, by the last part of its path. */
  const ENDS = ['fine', 'fine', 'fine', 'fine', 'fine', 'fine', 'cut', 'broken-off'] as const;
  const CALLS = Array.from({ length: 64 }, (_, at) => ({
    account: at % 2 === 0 ? 'default' : OTHER,
    connectionId: CONNECTION_IDS[Math.floor(at / 2) % CONNECTION_IDS.length] ?? '',
    door: at % 3 === 0 ? ('function-url' as const) : ('rest-api' as const),
    end: ENDS[Math.floor(at / 8) % ENDS.length] ?? 'fine',
    requestId: `call-${at}`,
  }));
  const headersOf = ({ account, connectionId }: { readonly account: string; readonly connectionId: string }) => ({
    authorization: `Bearer ${keys[account]}`,
    'provider-config-key': INTEGRATION,
    'connection-id': connectionId,
  });

  test('LM-10, LM-11: each has its own identity, request id, log lines and end, whatever becomes of the others', async () => {
    const lines: string[] = [];
    const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    upstream.answer(async (request, response) => {
      const [token = ''] = request.headerValues('authorization').map((value) => value.replace('Bearer ', ''));
      await delay(Math.random() * 50);
      if (request.target.endsWith('/cut')) response.socket?.destroy();
      else if (request.target.endsWith('/broken-off')) {
        response.writeHead(200, { 'content-length': 10 }).write('a', () => response.socket?.destroy());
      } else response.writeHead(200).end(sha256Hex(token));
    });
    const answers = await Promise.all(
      shuffled(CALLS).map(async (one) => {
        await delay(Math.random() * 50);
        const path = `/proxy/drive/v3/files/${one.end}`;
        const answer = invoke({ path, headers: headersOf(one), requestId: one.requestId, door: one.door });
        return { ...one, answer: await answer.catch(() => undefined) };
      }),
    ).finally(() => output.mockRestore());
    const ownerOf = await owners();
    for (const { account, end, requestId, answer } of answers) {
      const outcome = [answer?.status, answer?.header('x-request-id'), ownerOf.get(answer?.body ?? '')];
      if (end === 'fine') expect(outcome).toEqual([200, requestId, Object(PEOPLE)[account]]);
      if (end === 'cut')
        expect([...outcome.slice(0, 2), answer?.body]).toEqual([502, requestId, expect.stringContaining(requestId)]);
      if (end === 'broken-off') expect(answer).toBeUndefined();
    }
    const written = lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    // One line for each call, under its own account and connection.
    const counted = written.flatMap(({ call: line }) =>
      line === undefined ? [] : [`${line.account} ${line.connection} ${line.status}`],
    );
    const expected = CALLS.map(
      ({ account, connectionId, end }) => `${account} ${connectionId} ${end === 'cut' ? 502 : 200}`,
    );
    expect(counted.toSorted()).toEqual(expected.toSorted());
    // The line of a failure names the call that failed.
    const failed = written.flatMap(({ message, requestId }) => (message === 'proxied call failed' ? [requestId] : []));
    expect(failed.toSorted()).toEqual(
      CALLS.flatMap(({ end, requestId }) => (end === 'cut' ? [requestId] : [])).toSorted(),
    );
  });

  const statusOfAll = async (process: Proxy, all: readonly ProxyInvocation[]) =>
    (await Promise.all(all.map(process))).map(({ status }) => status).toSorted();

  test('LM-12: a process counts calls of a key and wrong keys of an address exactly, however many are under way', async () => {
    upstream.answer((_request, response) => void response.writeHead(200).end('{}'));
    const [perKey, perAddress] = [40, 8];
    const variables = {
      CALLS_PER_MINUTE_PER_KEY: String(perKey),
      WRONG_KEYS_PER_MINUTE_PER_ADDRESS: String(perAddress),
    };
    // A new process and a new key: what was counted before is not theirs.
    const counted = async () => {
      const process = await startProcess(variables);
      const one = { account: 'default', connectionId: 'one' };
      const right = `Bearer ${await keyWith(gateway, { name: 'counted' })}`;
      const wrong = `Bearer sk_default_${'w'.repeat(43)}`;
      const callsWith = (authorization: string) =>
        CALLS.map(({ door, requestId }) => ({
          path: '/proxy/drive/v3/files/x',
          headers: { ...headersOf(one), authorization },
          door,
          requestId,
        }));
      return [await statusOfAll(process, callsWith(right)), await statusOfAll(process, callsWith(wrong))];
    };
    const of = (passed: number, status: number) => [
      ...Array(passed).fill(status),
      ...Array(CALLS.length - passed).fill(429),
    ];
    expect(await withinOneWindow(counted)).toEqual([of(perKey, 200), of(perAddress, 401)]);
  });

  test('LM-12: 64 calls that are all refused share the repeats of one process', async () => {
    const process = await startProcess({});
    upstream.answer((_request, response) => void response.writeHead(429, { 'retry-after': '0' }).end('{}'));
    upstream.requests.length = 0;
    const headers = { ...headersOf({ account: 'default', connectionId: 'one' }), retries: String(RETRIES_MAX) };
    const path = '/proxy/drive/v3/files/x';
    const answers = await Promise.all(CALLS.map(({ door }) => process({ path, headers, door })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    const repeats = upstream.requests.length - CALLS.length;
    // What a process has at its start, and a share of its first attempts.
    expect(repeats).toBeGreaterThanOrEqual(RETRY_BUDGET_REPEATS);
    expect(repeats).toBeLessThanOrEqual(RETRY_BUDGET_REPEATS + CALLS.length * RETRY_BUDGET_SHARE);
    const spent = answers.filter((answer) => answer.header('x-gateway-retries') === 'budget_spent');
    expect(spent.length).toBeGreaterThanOrEqual(CALLS.length - repeats);
  });

  test('LM-13: one caller that reads nothing slows none of the others, and gets its answer when it reads', async () => {
    const whole = 4 * 1024 * 1024;
    upstream.answer((request, response) => {
      response.writeHead(200).end(request.target.endsWith('/large') ? Buffer.alloc(whole, 1) : '{}');
    });
    const [first, ...others] = CALLS;
    if (first === undefined) throw new Error('There are no calls');
    const stream = new PassThrough();
    let hasEnded = false;
    const reading = vi.spyOn(stream, 'on');
    stream.cork();
    const slow = invoke({ path: '/proxy/drive/v3/files/large', headers: headersOf(first), stream }).then((answer) => {
      hasEnded = true;
      return answer;
    });
    const statuses = await Promise.all(
      others.map(
        async (one) =>
          (await invoke({ path: '/proxy/drive/v3/files/x', headers: headersOf(one), door: one.door })).status,
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await expect.poll(() => reading.mock.calls.some(([event]) => event === 'drain')).toBe(true);
    expect(hasEnded).toBe(false);
    while (stream.writableCorked > 0) stream.uncork();
    expect((await slow).body.length).toBe(whole);
  });
});
