import { describe, expect, it } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { KEY_CACHE_MS } from '../../../lambdas/gateway/core/limits.ts';
import { CallerDirectory } from '../../../lambdas/gateway/keys/authenticate-caller.ts';
import {
  assertSameRole,
  roleWithoutPath,
  type SecretKeyRecord,
  signingRole,
} from '../../../lambdas/gateway/keys/credentials.rules.ts';
import type { CallerQuery, CallerStore } from '../../../lambdas/gateway/keys/ports.ts';
import { DEATH } from '../management/support/rows.ts';
import { integration } from '../refresh/support/connection.ts';
import { connection } from '../support/connection.ts';
import { secretKeyRecord } from '../support/secret-key.ts';
import { callLimits, unlimitedCalls } from '../support/unlimited-calls.ts';

const RANDOM = 'q7Jx0Vw2bB8mH4nT6yR1cE5kZ9sD3fG0aLuPiOxWzYv';
const KEY = `sk_default_${RANDOM}`;
const claim = (secretKey: string) => ({
  secretKey,
  integrationId: 'drive',
  connectionId: 'c-1',
  sourceIp: '192.0.2.1',
});

const record = (fields: Partial<SecretKeyRecord> = {}) => secretKeyRecord({ keyHash: sha256Hex(KEY), ...fields });

/** Nothing waits for confirmation. */
const NONE_WAITS: CallerStore['unconfirmed'] = async () => undefined;

/** A store that holds one key and answers each request for what it was asked. */
function directory(stored: SecretKeyRecord = record()) {
  const asked: (string | undefined)[] = [];
  const clock = { now: 0, nowMs: () => clock.now };
  const store: CallerStore = {
    async load({ keyHash, integration: wanted, connection: ref }) {
      asked.push(keyHash);
      return {
        key: keyHash === stored.keyHash ? stored : undefined,
        integration: wanted === undefined ? undefined : integration({ ...wanted }),
        connection: ref === undefined ? undefined : connection({ ...ref }),
      };
    },
    unconfirmed: NONE_WAITS,
  };
  return { callers: new CallerDirectory(store, clock, unlimitedCalls(clock)), asked, clock };
}

const refusalCode = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof GatewayError ? error.code : error),
  );

describe('a secret key', () => {
  it('AK-2: a secret key is looked up by the digest of all of it, never by a part', async () => {
    const { callers, asked } = directory();
    await callers.resolve(claim(KEY));
    for (let at = 'sk_default_'.length; at < KEY.length; at++) {
      const guess = `${KEY.slice(0, at)}${KEY.charAt(at) === 'A' ? 'B' : 'A'}${KEY.slice(at + 1)}`;
      expect(await refusalCode(callers.resolve(claim(guess)))).toBe('invalid_secret_key');
      expect(asked.at(-1)).toBe(sha256Hex(guess));
    }
    expect(new Set(asked).size).toBe(asked.length);
  });

  it.each<[name: string, fields: Partial<SecretKeyRecord>]>([
    ['belongs to another account than it names', { accountId: 'other' }],
    ['is revoked', { revokedAt: '2026-01-01T00:00:00.000Z' }],
    ['is another one under the same address', { keyHash: sha256Hex(`${KEY}x`) }],
  ])('AK-2: a secret key is refused when the stored one %s', async (_, fields) => {
    const stored = record(fields);
    const clock = { nowMs: () => 0 };
    const load = async () => ({ key: stored, integration: integration(), connection: connection() });
    const callers = new CallerDirectory({ load, unconfirmed: NONE_WAITS }, clock, unlimitedCalls(clock));
    expect(await refusalCode(callers.resolve(claim(KEY)))).toBe('invalid_secret_key');
    // Nor is it remembered as a good one.
    expect(await refusalCode(callers.resolve(claim(KEY)))).toBe('invalid_secret_key');
  });

  it('AK-15: a secret key of an address with too many wrong ones is the only thing read for it; a right one passes', async () => {
    const clock = { nowMs: () => 0 };
    const asked: CallerQuery[] = [];
    const load: CallerStore['load'] = async (query) => {
      asked.push(query);
      return {
        key: query.keyHash === sha256Hex(KEY) ? record() : undefined,
        integration: query.integration && integration({ ...query.integration }),
        connection: query.connection && connection({ ...query.connection }),
      };
    };
    const admission = callLimits(clock, { perKey: 0, perConnection: 0, perAddress: 1 });
    const callers = new CallerDirectory({ load, unconfirmed: NONE_WAITS }, clock, admission);
    const guess = `${KEY.slice(0, -1)}${KEY.endsWith('A') ? 'B' : 'A'}`;
    const attempt = async () => {
      const refused: unknown = await callers.resolve(claim(guess)).catch((error: unknown) => error);
      return refusalCode(Promise.reject(admission.refusal(refused, claim(guess).sourceIp)));
    };
    expect(await attempt()).toBe('invalid_secret_key');
    asked.length = 0;
    expect(await attempt()).toBe('rate_limited');
    expect(asked).toEqual([{ keyHash: sha256Hex(guess), integration: undefined, connection: undefined }]);
    expect((await callers.resolve(claim(KEY))).live.connection.connectionId).toBe('c-1');
  });

  it('CS-15: no call is made for a connection that waits for confirmation, and it is unknown after its deadline', async () => {
    const clock = { now: 0, nowMs: () => clock.now };
    const load: CallerStore['load'] = async ({ integration: wanted }) => ({
      key: record(),
      integration: wanted && integration({ ...wanted }),
      connection: undefined,
    });
    const unconfirmed: CallerStore['unconfirmed'] = async () => fake({ confirmUntilEpochSec: 900 });
    const callers = new CallerDirectory({ load, unconfirmed }, clock, unlimitedCalls(clock));
    expect(await refusalCode(callers.resolve(claim(KEY)))).toBe('confirmation_required');
    clock.now = 900_000;
    expect(await refusalCode(callers.resolve(claim(KEY)))).toBe('unknown_connection');
  });

  it('AK-4: a secret key is asked for again after a minute, to the millisecond', async () => {
    const { callers, asked, clock } = directory();
    await callers.resolve(claim(KEY));
    clock.now = KEY_CACHE_MS - 1;
    await callers.resolve(claim(KEY));
    expect(asked.filter((hash) => hash !== undefined)).toHaveLength(1);
    clock.now = KEY_CACHE_MS;
    await callers.resolve(claim(KEY));
    expect(asked.filter((hash) => hash !== undefined)).toHaveLength(2);
  });
});

describe('a connection that needs a new consent', () => {
  it('a connection that needs a new consent is read with each call, so that the consent counts from the next one on', async () => {
    const clock = { nowMs: () => 0 };
    let stored = connection({ status: 'reauthorization_required', death: DEATH });
    const load = async () => ({ key: record(), integration: integration(), connection: stored });
    const callers = new CallerDirectory({ load, unconfirmed: NONE_WAITS }, clock, unlimitedCalls(clock));
    expect((await callers.resolve(claim(KEY))).live.connection.death).toEqual(DEATH);
    stored = connection();
    expect((await callers.resolve(claim(KEY))).live.connection.death).toBeUndefined();
  });
});

/** Welch's t of two samples: how many standard errors their means are apart. */
function welch(a: readonly number[], b: readonly number[]): number {
  const mean = (sample: readonly number[]) => sample.reduce((sum, x) => sum + x, 0) / sample.length;
  const spread = (sample: readonly number[], middle: number) =>
    sample.reduce((sum, x) => sum + (x - middle) ** 2, 0) / (sample.length - 1) / sample.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  return Math.abs(meanA - meanB) / Math.sqrt(spread(a, meanA) + spread(b, meanB));
}

/**
 * The least of three t values of "nearly right" against "all wrong", in random order so that drift meets both; times above the
 * ninth decile are interruptions and left out (Reparaz et al., "dude, is my code constant time?").
 */
async function leakage(judge: (guess: string) => unknown): Promise<number> {
  const near = KEY.slice(0, -1) + (KEY.endsWith('A') ? 'B' : 'A');
  const far = `sk_default_${'0'.repeat(RANDOM.length)}`;
  const results: number[] = [];
  for (let run = 0; run < 3; run++) {
    const times: Record<'near' | 'far', number[]> = { near: [], far: [] };
    for (let i = 0; i < 3000; i++) {
      const kind = Math.random() < 0.5 ? 'near' : 'far';
      const guess = kind === 'near' ? near : far;
      const before = process.hrtime.bigint();
      await judge(guess);
      times[kind].push(Number(process.hrtime.bigint() - before));
    }
    const limit = [...times.near, ...times.far].sort((a, b) => a - b)[2700] ?? 0;
    const undisturbed = (taken: readonly number[]) => taken.filter((t) => t < limit);
    results.push(welch(undisturbed(times.near), undisturbed(times.far)));
  }
  return Math.min(...results);
}

describe('the time of a refusal', () => {
  it('AK-2: the time of a refusal does not tell a key that is right but for its last character from one that is all wrong (t below 4.5)', async () => {
    const { callers } = directory();
    await callers.resolve(claim(KEY));
    expect(await leakage((guess) => callers.resolve(claim(guess)).catch(() => undefined))).toBeLessThan(4.5);
  });

  it('would be seen to tell: a comparison that stops at the first difference is far above', async () => {
    const naive = (guess: string) => {
      // Many times, as an attacker adds up many requests.
      for (let round = 0; round < 60; round++) {
        for (let at = 0; at < KEY.length; at++) if (KEY.charCodeAt(at) !== guess.charCodeAt(at)) break;
      }
    };
    expect(await leakage(naive)).toBeGreaterThan(4.5);
  });
});

describe('an IAM role', () => {
  const ARN = 'arn:aws:iam::111122223333:role/nightly-export';
  const SIGNER = { arn: 'arn:aws:sts::111122223333:assumed-role/nightly-export/session-1', id: 'AROAFIRST:session-1' };
  const stored = (fields: Partial<SecretKeyRecord> = {}) =>
    secretKeyRecord({ keyHash: sha256Hex(ARN), roleArn: ARN, ...fields });
  const byRole = (signer = SIGNER) => ({ ...claim(''), role: signingRole(signer, []) });

  it('IA-11: an IAM role is found by its ARN in one read with the rest of the call, and never by a key', async () => {
    const { callers, asked } = directory(stored());
    expect((await callers.resolve(byRole())).key.roleArn).toBe(ARN);
    await callers.resolve(byRole({ ...SIGNER, arn: SIGNER.arn.replace('session-1', 'session-2') }));
    expect(asked).toEqual([sha256Hex(ARN)]);
    expect(await refusalCode(callers.resolve(claim(ARN)))).toBe('invalid_secret_key');
  });

  it('IA-11: an IAM role of the deployment’s own account alone is accepted', async () => {
    const { callers } = directory(stored({ accountId: 'other' }));
    expect(await refusalCode(callers.resolve(byRole()))).toBe('unknown_role');
  });

  it('IA-11: an IAM role that was made again under the name of another is refused, also while the other is remembered', async () => {
    const { callers } = directory(stored({ roleId: 'AROAFIRST' }));
    expect(await refusalCode(callers.resolve(byRole()))).toBe('accepted');
    expect(await refusalCode(callers.resolve(byRole({ ...SIGNER, id: 'AROASECOND:session-1' })))).toBe('unknown_role');
    expect(await refusalCode(callers.resolve(byRole({ ...SIGNER, id: '' })))).toBe('unknown_role');
  });

  it('IA-13: an IAM role that is revoked is refused within a minute, whatever the process remembers', async () => {
    let record = stored();
    const clock = { now: 0, nowMs: () => clock.now };
    const load: CallerStore['load'] = async () => ({
      key: record,
      integration: integration(),
      connection: connection(),
    });
    const callers = new CallerDirectory({ load, unconfirmed: NONE_WAITS }, clock, unlimitedCalls(clock));
    await callers.resolve(byRole());
    record = stored({ revokedAt: '2026-01-01T00:00:00.000Z' });
    clock.now = 60_000;
    expect(await refusalCode(callers.resolve(byRole()))).toBe('unknown_role');
  });

  it.each([
    'arn:aws:iam::111122223333:user/nightly-export',
    'arn:aws:iam::111122223333:root',
    'arn:aws:iam::111122223333:role/nightly-export',
    'arn:aws:sts::111122223333:federated-user/nightly-export',
    'arn:aws:sts::111122223333:assumed-role/nightly-export',
    'arn:aws:sts::111122223333:assumed-role/nightly-export/a/b',
    'arn:aws:sts::11112222333:assumed-role/nightly-export/a',
    'arn:aws:sts::111122223333:assumed-role/nightly-export/a\narn:aws:sts::111122223333:assumed-role/x/y',
    'arn:aws:sts::111122223333:assumed-role/*/a',
    '',
  ])('IA-11: an IAM role is not what signs as %j', async (arn) => {
    expect(() => signingRole({ arn, id: 'AROA:a' }, [])).toThrow(expect.objectContaining({ code: 'unknown_role' }));
  });

  it.each([
    ['aws-cn', '111122223333', 'nightly-export'],
    ['aws', '111122223334', 'nightly-export'],
    ['aws', '111122223333', 'nightly-export2'],
    ['aws', '111122223333', 'Nightly-export'],
  ])('IA-11: an IAM role is another one in %s, account %s, under the name %s', async (partition, account, name) => {
    const arn = `arn:${partition}:sts::${account}:assumed-role/${name}/session-1`;
    const { callers } = directory(stored());
    expect(await refusalCode(callers.resolve(byRole({ ...SIGNER, arn })))).toBe('unknown_role');
  });

  it('IA-12: signs in the header: a signature in the address is refused, a parameter that only ends like one passes', () => {
    for (const name of ['X-Amz-Signature', 'x-amz-date']) {
      expect(() => signingRole(SIGNER, [[name, '1']])).toThrow(
        expect.objectContaining({
          code: 'invalid_query_params',
          message: 'query: send the signature in the header Authorization',
        }),
      );
    }
    expect(signingRole(SIGNER, [['my-x-amz-date', '1']])).toEqual({ arn: ARN, id: 'AROAFIRST' });
  });

  it('IA-11: an IAM role that is not on record is named in the answer, and so is that nobody signed', () => {
    expect(() => signingRole({ arn: 'arn:aws:iam::111122223333:user/ann', id: 'AIDA' }, [])).toThrow(
      'The gateway knows no such role: arn:aws:iam::111122223333:user/ann. Sign as an IAM role that POST /account/roles has registered.',
    );
    expect(() => signingRole({ arn: '', id: '' }, [])).toThrow(
      'The gateway knows no such role: the request has no AWS signature. Sign',
    );
  });

  it('IA-11: an IAM role of a partition with several parts in its name is a role, too', () => {
    expect(roleWithoutPath('arn:aws-us-gov:iam::111122223333:role/app/x')).toBe(
      'arn:aws-us-gov:iam::111122223333:role/x',
    );
    expect(roleWithoutPath(`x${ARN}`)).toBeUndefined();
    expect(roleWithoutPath('arn:aws-:iam::111122223333:role/x')).toBeUndefined();
  });

  it('IA-11: an IAM role whose record is bound to one role is not reached without any', () => {
    expect(() => assertSameRole(stored({ roleId: 'AROAFIRST' }), undefined)).toThrow(
      expect.objectContaining({ code: 'invalid_secret_key' }),
    );
  });

  it('IA-11: an IAM role is registered by the ARN of one role, whose path is not part of its identity', () => {
    expect(roleWithoutPath(ARN)).toBe(ARN);
    expect(roleWithoutPath('arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/eu-west-1/x_1')).toBe(
      'arn:aws:iam::111122223333:role/x_1',
    );
    const wrong = ['role/*', 'role/a/*/b', 'role/?', 'role/', 'user/a', 'root', 'role/a b', 'role//a\n'];
    expect(wrong.map((rest) => roleWithoutPath(`arn:aws:iam::111122223333:${rest}`))).toEqual(
      wrong.map(() => undefined),
    );
    expect(roleWithoutPath(SIGNER.arn)).toBeUndefined();
    expect(roleWithoutPath('arn:aws:iam::*:role/a')).toBeUndefined();
  });
});

describe('a connection that was deleted and created again under the same id', () => {
  const deleted = connection({ connectionId: 'c-1', integrationId: 'drive', status: 'deleted' });
  const created = connection({ connectionId: 'c-1', integrationId: 'drive', epoch: deleted.epoch + 1 });

  /** A process whose table holds `state.row`; a read that is not consistent sees `state.lagging` where that is set. */
  function process(row: Connection | undefined) {
    const state = { row, lagging: row, reads: 0 };
    const clock = { nowMs: () => 0 };
    const store: CallerStore = {
      async load({ keyHash, integration: wanted, connection: ref, isConsistent }) {
        state.reads++;
        return {
          key: keyHash === undefined ? undefined : record(),
          integration: wanted === undefined ? undefined : integration({ ...wanted }),
          connection: ref === undefined ? undefined : isConsistent === true ? state.row : state.lagging,
        };
      },
      unconfirmed: NONE_WAITS,
    };
    return { callers: new CallerDirectory(store, clock, unlimitedCalls(clock)), state };
  }

  it('works in a process that has answered 404 for it a moment before', async () => {
    const { callers, state } = process(deleted);
    expect(await refusalCode(callers.resolve(claim(KEY)))).toBe('unknown_connection');
    state.row = created;
    state.lagging = created;
    expect((await callers.resolve(claim(KEY))).live.connection).toBe(created);
  });

  it.each([
    ['still shows the deleted row', deleted],
    ['does not show the row yet', undefined],
  ])('works although an eventually consistent read %s', async (_, lagging) => {
    const { callers, state } = process(created);
    state.lagging = lagging;
    expect((await callers.resolve(claim(KEY))).live.connection).toBe(created);
    await callers.resolve(claim(KEY));
    expect(state.reads, 'a warm call reads nothing').toBe(2);
  });
});
