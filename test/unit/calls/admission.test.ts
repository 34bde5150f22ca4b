import { expect, it, test } from 'vitest';
import { CallAdmission, type CallLimits } from '../../../lambdas/gateway/calls/admission.ts';
import type { CallTotals } from '../../../lambdas/gateway/calls/ports.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import type { CallSubject } from '../../../lambdas/gateway/core/identifiers.ts';
import { memoryCallTotals } from '../support/memory-call-totals.ts';
import { MINUTE_MS, START_MS } from './support.ts';

const REF = { accountId: 'default', integrationId: 'drive', connectionId: 'c' };
const IP = '192.0.2.1';
const WRONG_KEY = new GatewayError('invalid_secret_key', 'Not a key.');
const NO_LIMITS = { perKey: 0, perConnection: 0, perAddress: 0 };

/** An admission ten seconds after a minute began, with what it counted. */
function admissionWith(limits: Partial<CallLimits>, totals: CallTotals = memoryCallTotals()) {
  const clock = { ms: START_MS + 10_000, nowMs: () => clock.ms };
  const counted: unknown[] = [];
  const metrics = { count: (...entry: unknown[]) => void counted.push(entry) };
  const logger = { info() {}, warn() {}, error() {} };
  return {
    admission: new CallAdmission({ totals, clock, logger, metrics }, { ...NO_LIMITS, ...limits }),
    clock,
    counted,
  };
}

test.each<[string, Partial<CallLimits>, (admission: CallAdmission, nowMs: number) => unknown, string, string]>([
  [
    'of a key',
    { perKey: 2 },
    (admission, nowMs) => admission.countKey('hash', nowMs),
    'key',
    'This secret key has made the 2 calls allowed in a minute. Continue after the time in Retry-After; a deployment sets the limit with gateway:callsPerMinutePerKey.',
  ],
  [
    'on a connection',
    { perConnection: 2 },
    (admission, nowMs) => admission.countConnection('id', REF, 'google-drive', nowMs),
    'connection',
    'This connection has had the 2 calls allowed in a minute. Continue after the time in Retry-After; a deployment sets the limit with gateway:callsPerMinutePerConnection.',
  ],
  [
    'with a wrong key from an address',
    { perAddress: 2 },
    (admission) => {
      const answer = admission.refusal(WRONG_KEY, IP);
      if (answer !== WRONG_KEY) throw answer;
    },
    'address',
    'Too many calls without a valid secret key came from this address. Continue after the time in Retry-After; valid keys keep working.',
  ],
])(
  'DS-2: the third call %s within %j is refused until the minute is over, and counted',
  (_, limits, call, limit, message) => {
    const { admission, clock, counted } = admissionWith(limits);
    call(admission, clock.ms);
    call(admission, clock.ms);
    expect(counted).toEqual([]);
    const refused = { code: 'rate_limited', status: 429, retryAfterSec: 50, message };
    expect(() => call(admission, clock.ms)).toThrow(expect.objectContaining(refused));
    expect(counted).toEqual([['RateLimited', { limit }]]);
    clock.ms += MINUTE_MS;
    expect(() => call(admission, clock.ms)).not.toThrow();
  },
);

it('DS-2: reports calls under their key and under their connection', async () => {
  const totals = memoryCallTotals();
  const { admission, clock } = admissionWith({ perKey: 10, perConnection: 10 }, totals);
  admission.countKey('hash', clock.ms);
  admission.countConnection('id', REF, 'google-drive', clock.ms);
  await admission.pending();
  expect(totals.reports.map(({ subject }) => subject)).toEqual([
    { kind: 'key', keyHash: 'hash' },
    { kind: 'connection', ref: REF },
  ]);
});

it('DS-2: says how many calls a key has left, what the others have reported included, and nothing without a limit', async () => {
  const totals = memoryCallTotals();
  const { admission, clock } = admissionWith({ perKey: 3 }, totals);
  const other = admissionWith({ perKey: 3 }, totals).admission;
  const standing = (left: number) => ({ policy: 'key', quota: 3, windowSec: 60, left, resetSec: 50 });
  expect(admission.standingOfKey('hash', clock.ms)).toEqual(standing(3));
  admission.countKey('hash', clock.ms);
  await admission.pending();
  expect(admission.standingOfKey('hash', clock.ms)).toEqual(standing(2));
  other.countKey('hash', clock.ms);
  await other.pending();
  expect(other.standingOfKey('hash', clock.ms)).toEqual(standing(1));
  // More may have passed in all than one may have.
  for (let i = 0; i < 2; i++) admission.countKey('hash', clock.ms);
  other.countKey('hash', clock.ms);
  await Promise.all([admission.pending(), other.pending()]);
  expect(admission.standingOfKey('hash', clock.ms)).toEqual(standing(0));
  expect(admission.standingOfKey('another', clock.ms)).toEqual(standing(3));
  expect(admissionWith({}).admission.standingOfKey('hash', clock.ms)).toBeUndefined();
});

it('DS-2: an address is suspect once its wrong keys are used up; other refusals and failures count for nobody', () => {
  const { admission, clock, counted } = admissionWith({ perAddress: 1 });
  const others = [new GatewayError('forbidden', 'No.'), new Error('fault'), 'text', { status: 401 }];
  for (const error of [...others, ...others]) expect(admission.refusal(error, IP)).toBe(error);
  expect(admission.isSuspect(IP, clock.ms)).toBe(false);
  expect(admission.refusal(WRONG_KEY, IP)).toBe(WRONG_KEY);
  expect([IP, '192.0.2.2'].map((address) => admission.isSuspect(address, clock.ms))).toEqual([true, false]);
  for (const error of others) expect(admission.refusal(error, IP)).toBe(error);
  expect(counted).toEqual([]);
});

test.each<CallSubject['kind'][][]>([[[]], [['key']], [['connection']], [['key', 'connection']]])(
  'a function waits for the reports under way, of %j, and for none after them',
  async (kinds) => {
    const written = new Map<string, (total: number) => void>();
    const add: CallTotals['add'] = ({ kind }) => new Promise((resolve) => written.set(kind, resolve));
    const { admission, clock } = admissionWith({ perKey: 10, perConnection: 10 }, { add });
    if (kinds.includes('key')) admission.countKey('hash', clock.ms);
    if (kinds.includes('connection')) admission.countConnection('id', REF, 'google-drive', clock.ms);
    expect([...written.keys()]).toEqual(kinds);
    const order: string[] = [];
    const ended = admission.pending()?.then(() => order.push('ended'));
    expect(ended !== undefined).toBe(kinds.length > 0);
    for (const [kind, end] of written) {
      await new Promise(setImmediate);
      order.push(kind);
      end(1);
    }
    await ended;
    expect(order).toEqual(kinds.length > 0 ? [...kinds, 'ended'] : []);
    expect(admission.pending()).toBeUndefined();
  },
);

it('PC-4: a connection may have the limit of its provider where there is one, and else that of all', () => {
  const { admission, clock } = admissionWith({ perConnection: 5, perConnectionOf: { 'google-calendar': 3 } });
  const passing = (provider: 'google-calendar' | 'google-drive') => {
    for (let calls = 0; ; calls++) {
      try {
        admission.countConnection(provider, REF, provider, clock.ms);
      } catch (error) {
        expect(error).toMatchObject({ message: expect.stringContaining(`has had the ${calls} calls allowed`) });
        return calls;
      }
    }
  };
  expect(passing('google-calendar')).toBe(3);
  expect(passing('google-drive')).toBe(5);
});
