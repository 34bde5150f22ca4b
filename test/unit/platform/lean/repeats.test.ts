import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Driver, inLambda, outcomeOf, useDrivers } from './clients.ts';

const driverOf = useDrivers();

beforeEach(() => {
  inLambda();
  vi.useFakeTimers({ now: Date.parse('2026-11-23T10:00:00Z'), toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** What a service says, or how it cannot be reached. */
type Reply = { status: number; body?: string; headers?: Record<string, string> } | Error;
type Service = 'DynamoDB' | 'KMS';

/** The dates of requests, as their signatures have them. */
interface Played {
  readonly outcomes: unknown[];
  /** Milliseconds since the first request, of every request. */
  readonly sentAfterMs: readonly number[];
  readonly signedAt: readonly string[];
}

/** A client on a fake clock whose service answers the requests of several calls one after the other, the last reply for good. */
async function play(
  d: Driver,
  replies: readonly Reply[],
  {
    calls = 1,
    attempts = 4,
    service = 'DynamoDB',
    headMs = 0,
  }: { calls?: number; attempts?: number; service?: Service; headMs?: number } = {},
): Promise<Played> {
  const sentAtMs: number[] = [];
  const signedAt: string[] = [];
  const config = { maxAttempts: attempts, requestHandler: { connectionTimeout: 1_000 } };
  const dynamo = new d.DynamoDBClient(config);
  const kms = new d.KMSClient(config);
  const client = service === 'KMS' ? kms : dynamo;
  client.config.requestHandler.handle = async (request) => {
    sentAtMs.push(Date.now());
    signedAt.push(String(request.headers['x-amz-date']));
    const reply = replies[Math.min(sentAtMs.length, replies.length) - 1];
    if (headMs > 0) await new Promise((resolve) => setTimeout(resolve, headMs));
    if (reply === undefined || reply instanceof Error) throw reply ?? new Error('No reply');
    const { status: statusCode, body = '{}', headers = {} } = reply;
    return { response: { statusCode, headers: { ...headers }, body: Buffer.from(body) } } as never;
  };
  const outcomes: unknown[] = [];
  for (let call = 0; call < calls; call++) {
    const sending =
      service === 'KMS'
        ? outcomeOf(() => kms.send(new d.DecryptCommand({ CiphertextBlob: new Uint8Array(1) })))
        : outcomeOf(() =>
            d.DynamoDBDocumentClient.from(dynamo, { marshallOptions: { removeUndefinedValues: true } }).send(
              new d.GetCommand({ TableName: 't', Key: { pk: 'a' } }),
            ),
          );
    let isOver = false;
    void sending.finally(() => {
      isOver = true;
    });
    // The SDK reads files before its first request, for which the clock must not run.
    while (!isOver && sentAtMs.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const stepMs = Math.max(5, headMs / 1000);
    while (!isOver) await vi.advanceTimersByTimeAsync(stepMs);
    outcomes.push(await sending);
  }
  return { outcomes, sentAfterMs: sentAtMs.map((ms) => ms - (sentAtMs[0] ?? 0)), signedAt };
}

/** Plays the same for both clients, under the same chance, and holds them against each other. */
async function compared(
  replies: readonly Reply[],
  options: Parameters<typeof play>[2] = {},
  chance: () => number = () => 1 - Number.EPSILON,
): Promise<Played> {
  const both: Played[] = [];
  const start = Date.now();
  for (const name of ['sdk', 'lean'] as const) {
    vi.setSystemTime(start);
    const random = vi.spyOn(Math, 'random').mockImplementation(chance);
    both.push(await play(driverOf(name), replies, options));
    random.mockRestore();
  }
  const [sdk, lean] = both;
  if (sdk === undefined || lean === undefined) throw new Error('Nothing was played');
  expect(lean).toEqual(sdk);
  return lean;
}

const throttle: Reply = { status: 400, body: '{"__type":"x#ProvisionedThroughputExceededException"}' };
const outage: Reply = { status: 500, body: '{"__type":"x#InternalServerError"}' };
const refused: Reply = { status: 400, body: '{"__type":"x#ValidationException"}' };
const fine: Reply = { status: 200 };
const network = (code: string) => Object.assign(new Error(code), { code });

/** Between requests, in milliseconds, give or take the steps of the clock. */
const between = ({ sentAfterMs }: Played) => sentAfterMs.slice(1).map((ms, n) => ms - (sentAfterMs[n] ?? 0));

describe('LA-22: on a fake clock the lean client waits as long as the SDK after', () => {
  test('outages of DynamoDB: at most 25 ms, then twice that each time', async () => {
    const played = await compared([outage], { attempts: 6 });
    expect(between(played)).toEqual([24, 49, 99, 199, 399]);
  });

  test('outages of KMS: at most 50 ms, then twice that each time', async () => {
    expect(between(await compared([outage], { service: 'KMS' }))).toEqual([49, 99, 199]);
  });

  test('throttles: at most a second, then twice that, and never more than 20', async () => {
    const played = await compared([throttle], { attempts: 8 });
    expect(between(played)).toEqual([999, 1_999, 3_999, 7_999, 15_999, 19_999, 19_999]);
  });

  test('each kind of failure in turn', async () => {
    expect(between(await compared([outage, throttle, outage, fine]))).toEqual([24, 1_999, 99]);
  });

  test.each([0, 0.25, 0.5])('a chance of %f', async (chance) => {
    await compared([throttle, outage, throttle, fine], {}, () => chance);
  });

  test.each([
    'ECONNRESET',
    'ECONNREFUSED',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ])('%s', async (code) => {
    expect((await compared([network(code), fine])).sentAfterMs).toHaveLength(2);
  });

  test('an error whose cause is one of the network', async () => {
    expect((await compared([new Error('sent', { cause: network('EPIPE') }), fine])).sentAfterMs).toHaveLength(2);
  });

  test.each([network('ERR_TLS_CERT_ALTNAME_INVALID'), network('EPROTO'), new Error('other')])(
    'nothing else: %s',
    async (error) => {
      expect((await compared([error])).sentAfterMs).toHaveLength(1);
    },
  );

  test.each([429, 500, 502, 503, 504])('status %i', async (status) => {
    expect((await compared([{ status }, fine])).sentAfterMs).toHaveLength(2);
  });

  test.each([400, 403, 404, 408, 409, 413, 501, 505])(
    'the lean client does not repeat a request after status %i',
    async (status) => {
      expect((await compared([{ status }, fine])).sentAfterMs).toHaveLength(1);
    },
  );

  test.each(
    [
      'BandwidthLimitExceeded EC2ThrottledException LimitExceededException PriorRequestNotComplete ProvisionedThroughputExceededException',
      'RequestLimitExceeded RequestThrottled RequestThrottledException SlowDown ThrottledException Throttling ThrottlingException',
      'TooManyRequestsException TransactionInProgressException TimeoutError RequestTimeout RequestTimeoutException InvalidSignatureException',
      'ReplicatedWriteConflictException TransactionConflictException ConditionalCheckFailedException RequestExpired AccessDeniedException',
    ].flatMap((names) => names.split(' ')),
  )('an error %s', async (name) => {
    await compared([{ status: 400, body: JSON.stringify({ __type: name, message: 'Signature expired: now' }) }, fine]);
    await compared([{ status: 400, body: JSON.stringify({ __type: name, message: 'other' }) }, fine], {
      service: 'KMS',
    });
  });
});

describe('LA-22: a service says when to ask again:', () => {
  test.each<[string, Record<string, string>, number]>([
    ['seconds', { 'retry-after': '2' }, 2_000],
    ['more seconds than five longer than its own delay', { 'retry-after': '60' }, 5_024],
    ['less than its own delay', { 'retry-after': '0' }, 24],
    ['a date', { 'retry-after': 'Mon, 23 Nov 2026 10:00:03 GMT' }, 3_000],
    ['milliseconds', { 'x-amz-retry-after': '700' }, 700],
    ['nonsense', { 'retry-after': 'soon', 'x-amz-retry-after': 'later' }, 24],
  ])('%s', async (_, headers, expected) => {
    const [first = 0] = between(await compared([{ ...(outage as object), status: 500, headers }, fine]));
    expect(Math.abs(first - expected)).toBeLessThanOrEqual(5);
  });
});

describe('LA-4: repeats have a budget', () => {
  test('repeats have a budget that many failing calls use up, and then each is sent once', async () => {
    // 500 / 14 = 35 repeats of outages: eleven calls of four requests, and the twelfth gets the rest.
    const played = await compared([outage], { calls: 20 });
    expect(played.sentAfterMs).toHaveLength(20 + 35);
  });

  test('repeats have a budget of which throttles take less', async () => {
    const played = await compared([throttle], { calls: 40 }, () => 0.001);
    expect(played.sentAfterMs).toHaveLength(40 + 100);
  });

  test('repeats have a budget that successes fill again, by what their last repeat cost', async () => {
    const replies = [...Array<Reply>(55).fill(outage), ...Array<Reply>(30).fill(fine), outage];
    const played = await compared(replies, { calls: 60 }, () => 0);
    expect(played.sentAfterMs).toHaveLength(20 + 35 + 30 + 10 + 2);
  });

  test('a budget of repeats does not count errors that nobody repeats', async () => {
    expect((await compared([refused], { calls: 5 })).sentAfterMs).toHaveLength(5);
  });
});

describe('LA-21: a clock that is wrong', () => {
  const at = (date: string): Record<string, string> => ({ date });

  test('a clock that is wrong by ten minutes is put right by the first answer, and the call repeated once', async () => {
    const skewed: Reply = {
      status: 403,
      body: '{"__type":"x#InvalidSignatureException"}',
      headers: at('Mon, 23 Nov 2026 10:10:00 GMT'),
    };
    const played = await compared([skewed, { ...fine, headers: at('Mon, 23 Nov 2026 10:10:00 GMT') }]);
    expect(played.signedAt).toEqual(['20261123T100000Z', '20261123T101000Z']);
  });

  test('a clock that is wrong by ten minutes the other way is put right, too', async () => {
    const skewed: Reply = {
      status: 400,
      body: '{"__type":"x#RequestExpired"}',
      headers: at('Mon, 23 Nov 2026 09:50:00 GMT'),
    };
    const played = await compared([skewed, fine], { calls: 2 });
    expect(played.signedAt.slice(1)).toEqual(['20261123T095000Z', '20261123T095000Z']);
  });

  test('a clock that is wrong by three minutes is corrected too, but nothing is repeated for it', async () => {
    const late: Reply = { ...refused, headers: at('Mon, 23 Nov 2026 10:03:00 GMT') };
    const played = await compared([late, fine], { calls: 2 });
    expect(played.signedAt).toEqual(['20261123T100000Z', '20261123T100300Z']);
  });

  test.each<[string, Record<string, string>]>([
    ['an answer from a cache', { ...at('Mon, 23 Nov 2026 11:00:00 GMT'), age: '3' }],
    ['an answer without a date', {}],
    ['a date that is none', at('tomorrow')],
  ])('a clock that is wrong is not learnt from %s', async (_, headers) => {
    const played = await compared([{ status: 200, headers }, fine], { calls: 2 });
    expect(played.signedAt).toEqual(['20261123T100000Z', '20261123T100000Z']);
  });

  test('a clock that is wrong is not learnt from an answer that took more than a quarter of an hour', async () => {
    const played = await compared([{ ...fine, headers: at('Mon, 23 Nov 2026 11:00:00 GMT') }, fine], {
      calls: 2,
      headMs: 901_000,
    });
    expect(played.signedAt.at(-1)).toMatch(/^20261123T1015/);
  });
});

describe('LA-21: credentials', () => {
  test.each(['sdk', 'lean'] as const)(
    'credentials that change in the environment sign the next request of the %s client',
    async (name) => {
      const d = driverOf(name);
      const dynamo = new d.DynamoDBClient({ maxAttempts: 2, requestHandler: { connectionTimeout: 1_000 } });
      const seen: string[] = [];
      dynamo.config.requestHandler.handle = async ({ headers }) => {
        seen.push(`${/Credential=(\w+)/.exec(String(headers.authorization))?.[1]} ${headers['x-amz-security-token']}`);
        // Between a request and its repeat, too.
        if (seen.length === 2) inLambda({ AWS_ACCESS_KEY_ID: 'THIRD', AWS_SESSION_TOKEN: '' });
        return {
          response: { statusCode: seen.length === 2 ? 500 : 200, headers: {}, body: Buffer.from('{}') },
        } as never;
      };
      const call = async () => {
        const sending = d.DynamoDBDocumentClient.from(dynamo, {
          marshallOptions: { removeUndefinedValues: true },
        }).send(new d.GetCommand({ TableName: 't', Key: { pk: 'a' } }));
        await vi.advanceTimersByTimeAsync(100);
        await sending;
      };
      await call();
      inLambda({ AWS_ACCESS_KEY_ID: 'SECOND', AWS_SESSION_TOKEN: 'other' });
      await call();
      expect(seen).toEqual(['AKIDEXAMPLE a session/token+of=some length', 'SECOND other', 'THIRD undefined']);
    },
  );

  test.each(['sdk', 'lean'] as const)(
    'credentials that are missing are named by the %s client, and nothing is sent',
    async (name) => {
      inLambda({ AWS_SECRET_ACCESS_KEY: '' });
      const { outcomes, sentAfterMs } = await play(driverOf(name), [fine]);
      expect(outcomes).toMatchObject([{ error: { message: expect.stringContaining('AWS_SECRET_ACCESS_KEY') } }]);
      expect(sentAfterMs).toEqual([]);
    },
  );
});
