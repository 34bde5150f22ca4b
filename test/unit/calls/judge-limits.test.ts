import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProviderRequest } from '../../../lambdas/gateway/calls/api-method.rules.ts';
import { LimitsJudge } from '../../../lambdas/gateway/calls/judge-limits.ts';
import { type KeyLimits, type StoredLimits, storedLimits } from '../../../lambdas/gateway/keys/key-limits.rules.ts';
import { CHANGES } from '../../../lambdas/gateway/providers/changes.ts';
import { methodsLeft, methodsNamed, methodsToApprove } from '../../../lambdas/gateway/providers/method-names.rules.ts';
import { googleCalendar, googleDrive } from '../support/google.ts';
import { memoryCallTotals } from '../support/memory-call-totals.ts';
import { secretKeyRecord } from '../support/secret-key.ts';
import { MINUTE_MS, memoryThresholds, START_MS } from './support.ts';

const MEANINGS = [...(googleDrive.methodMeanings ?? []), ...(googleCalendar.methodMeanings ?? [])];
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOON_MS = Math.floor(START_MS / DAY_MS) * DAY_MS + DAY_MS / 2;
const LIST: ProviderRequest = { method: 'GET', target: '/drive/v3/files' };
const REACH = { sourceIp: '203.0.113.7', integrationId: 'drive', connectionId: 'alice', tags: { end_user_id: 'u1' } };

/** A key with these limits, its named methods worked out. */
function limited(limits: Partial<KeyLimits>, keyHash = 'hash') {
  const methods = methodsLeft(limits, MEANINGS);
  const approveMethods = methodsToApprove(limits, MEANINGS);
  const whole: KeyLimits = {
    mode: 'enforce',
    ...limits,
    ...(methods === undefined ? {} : { methods }),
    ...(approveMethods === undefined ? {} : { approveMethods }),
  };
  return secretKeyRecord({ right: 'proxy', keyHash, limits: storedLimits(whole) });
}

/** Processes over one table and one clock. */
function world() {
  const totals = memoryCallTotals();
  const clock = { ms: NOON_MS, nowMs: () => clock.ms };
  const logger = { info() {}, warn() {}, error() {} };
  const process = () => new LimitsJudge({ totals, clock, logger, changes: CHANGES, ...memoryThresholds() });
  return { process, clock, totals };
}

const judge = () => world().process();
const ask = (key: ReturnType<typeof limited>, requests: readonly ProviderRequest[], by = judge()) =>
  by.ask({ key }, { methods: googleDrive.methods, requests }, NOON_MS);

describe('a key of some resources', () => {
  const key = limited({ resources: ['file:doc1', 'file:folder1'] });
  const get = (id: string): ProviderRequest => ({ method: 'GET', target: `/drive/v3/files/${id}` });

  it('a key of some resources may call what names them, and nothing else', () => {
    expect(ask(key, [get('doc1')])).toBeUndefined();
    for (const request of [get('doc2'), LIST, { method: 'GET', target: '/drive/v3/unknown' }]) {
      expect(ask(key, [request])).toMatchObject({
        code: 'limited_by_key',
        details: { limit: { name: 'resources', allowed: ['file:doc1', 'file:folder1'] } },
      });
    }
  });

  it('sends no batch of which one part names another file', () => {
    expect(ask(key, [get('doc1'), get('folder1')])).toBeUndefined();
    expect(ask(key, [get('doc1'), get('doc2')])).toMatchObject({ code: 'limited_by_key' });
  });

  it('a key of some resources is judged by every reading of a path', () => {
    expect(ask(key, [get('doc1%2Fpermissions')])).toMatchObject({ code: 'limited_by_key' });
    expect(ask(key, [{ method: 'DELETE', target: '/drive/v3/files/%74rash' }])).toMatchObject({
      code: 'limited_by_key',
    });
  });

  it('a key that observes its resources refuses nothing', () => {
    const observed = limited({ mode: 'observe', resources: ['file:doc1'] });
    expect(ask(observed, [get('doc2')])).toMatchObject({ isObserved: true, details: { limit: { name: 'resources' } } });
  });
});

describe('a search in contents', () => {
  const search = (q: string, name = 'q'): ProviderRequest => ({
    method: 'GET',
    target: `/drive/v3/files?fields=files(id)&${name}=${encodeURIComponent(q)}`,
  });
  const looker = limited({ allow: ['drive:metadata'] });
  const SEARCHES = [
    "fullText contains 'secret'",
    "name contains 'a' and FULLTEXT contains 'b'",
    "name contains 'it\\'s' and not fullText contains 'b'",
    "name = '\\\\' and fullText contains 'b'",
    'name contains "it\'s" and fullText contains "b"',
    "fullText contains 'open",
  ];

  it.each(SEARCHES)('LK-20: %s needs the right to read', (q) => {
    for (const request of [
      search(q),
      search(q, '%71'),
      search(q, '$Q'),
      { ...LIST, form: search(q).target.slice(16) },
    ]) {
      expect(ask(looker, [request])).toMatchObject({ code: 'limited_by_key' });
      expect(ask(limited({ allow: ['drive:read'] }), [request])).toBeUndefined();
    }
    expect(ask(limited({ deny: ['drive.files.get#media'] }), [search(q)])).toMatchObject({ code: 'limited_by_key' });
    expect(ask(looker, [LIST, search(q)])).toMatchObject({ code: 'limited_by_key' });
  });

  it.each(["name contains 'fullText'", "name = 'it\\'s fulltext'", "'abc' in parents and trashed = false", ''])(
    'LK-20: %s does not',
    (q) => {
      expect(ask(looker, [search(q)])).toBeUndefined();
      expect(ask(looker, [{ ...LIST, target: `${LIST.target}?fullText=1` }])).toBeUndefined();
    },
  );
});

describe('where a limited key may be used', () => {
  const OTHER_ADDRESS = ['limited_by_key', 'This secret key may not be used from this address.', 'sources'] as const;
  const OTHER_INTEGRATION = [
    'limited_by_key',
    'This secret key is limited to other integrations.',
    'integrations',
  ] as const;
  const OTHER_CONNECTION = ['unknown_connection', '', 'connections'] as const;
  const OTHER_END_USER = ['unknown_connection', '', 'end_users'] as const;
  const ENDED = ['key_expired', `This secret key ended at ${new Date(NOON_MS).toISOString()}.`, 'expires_at'] as const;

  it.each<[string, Partial<KeyLimits>, readonly [code: string, message: string, limit: string] | undefined]>([
    ['its own time', { expiresAt: new Date(NOON_MS + 1).toISOString() }, undefined],
    ['the moment it ends', { expiresAt: new Date(NOON_MS).toISOString() }, ENDED],
    ['an address of its own', { sources: ['203.0.113.7'] }, undefined],
    ['a network of its own', { sources: ['198.51.100.0/24', '203.0.113.0/29'] }, undefined],
    ['another network', { sources: ['203.0.113.8/29', '2001:db8::/32'] }, OTHER_ADDRESS],
    ['an integration of its own', { integrations: ['calendar', 'drive'] }, undefined],
    ['another integration', { integrations: ['calendar'] }, OTHER_INTEGRATION],
    ['a connection of its own', { connections: ['bob', 'alice'] }, undefined],
    ['another connection', { connections: ['alice2'] }, OTHER_CONNECTION],
    ['an end user of its own', { endUsers: { end_user_id: 'u1' } }, undefined],
    ['another end user', { endUsers: { end_user_id: 'u2' } }, OTHER_END_USER],
    ['an end user of its own in another team', { endUsers: { end_user_id: 'u1', team: 'a' } }, OTHER_END_USER],
    ['a connection without the tag', { endUsers: { team: 'a' } }, OTHER_END_USER],
    ['a tag that every object has', { endUsers: { constructor: 'a' } }, OTHER_END_USER],
  ])('LK-10: %s', (_, limits, refused) => {
    const { integrations: allowed } = limits;
    const [code, message, name] = refused ?? [];
    const limit = name === 'integrations' ? { name, allowed } : { name };
    expect(judge().reach(limited(limits), REACH, NOON_MS)).toEqual(
      refused && { code, message, details: { limit }, isObserved: false },
    );
    expect(judge().reach(limited({ ...limits, mode: 'observe' }), REACH, NOON_MS)?.isObserved).toBe(refused && true);
  });

  it('LK-10: an IPv4 address that the door writes as IPv6 is the same address', () => {
    const key = limited({ sources: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = (sourceIp: string) => judge().reach(key, { ...REACH, sourceIp }, NOON_MS)?.code;
    expect(['::ffff:203.0.113.7', '2001:db8::1', '2001:db9::1', 'unknown', ''].map(from)).toEqual([
      undefined,
      undefined,
      'limited_by_key',
      'limited_by_key',
      'limited_by_key',
    ]);
  });

  it('LK-13: a connection that is not there is refused as one that the key may not reach', () => {
    const byId = judge().reach(limited({ connections: ['bob'] }), { ...REACH, tags: undefined }, NOON_MS);
    const byTag = judge().reach(limited({ endUsers: { a: 'b' } }), { ...REACH, tags: undefined }, NOON_MS);
    expect([byId?.code, byTag?.code]).toEqual(['unknown_connection', 'unknown_connection']);
  });

  it.each<StoredLimits>([
    { v: 1, mode: 'enforce', moon: 'full' },
    { v: 2, mode: 'enforce' },
    { v: 1 },
    { v: 1, mode: 'lenient' },
    { v: 1, mode: 'enforce', methods: 'drive.files.list' },
    { v: 1, mode: 'enforce', day: { calls: 0 } },
    { v: 1, mode: 'enforce', day: { moons: 1 } },
    { v: 1, mode: 'enforce', expiresAt: 'tomorrow' },
    { v: 1, mode: 'observe', constructor: 'x' },
    {},
  ])('LK-17: a key with limits that this version does not know is closed: %j', (limits) => {
    const key = secretKeyRecord({ right: 'proxy', limits });
    const closed = {
      code: 'limited_by_key',
      message: expect.stringMatching(/^The limits of this secret key are of a form .* Set its limits again/),
      details: { limit: { name: 'limits' } },
      isObserved: false,
    };
    expect(judge().reach(key, REACH, NOON_MS)).toEqual(closed);
    expect(ask(key, [LIST])).toEqual(closed);
  });
});

const names = [...new Set(MEANINGS.flatMap(({ id, set }) => [id, set, id.replace(/[^.]*$/, '*')]))];
const someNames = fc.array(fc.constantFrom(...names), { maxLength: 6 });
const left = (limits: { allow?: string[]; deny?: string[] }) => methodsLeft(limits, MEANINGS) ?? [];

describe('the methods of a limited key', () => {
  it('LK-11: the methods of a limited key are named by themselves, by group and by set; reading brings looking', () => {
    expect(methodsNamed('drive.files.get', MEANINGS)).toEqual(['drive.files.get']);
    expect(methodsNamed('calendar.acl.*', MEANINGS)).toHaveLength(7);
    expect(methodsNamed('calendar:read', MEANINGS)).toHaveLength(10);
    expect(methodsNamed('calendar:metadata', MEANINGS)).toHaveLength(7);
    for (const name of ['drive', 'drive.files', 'drive:all', 'files.get', '*', '', 'constructor']) {
      expect(methodsNamed(name, MEANINGS)).toBeUndefined();
    }
  });

  it('LK-13: what is denied is denied whatever is allowed, bytes included, and nothing named is not limited', () => {
    expect(left({ allow: ['drive.files.*'], deny: ['drive.files.get'] })).not.toContain('drive.files.get#media');
    expect(left({ deny: ['drive:write'] })).toContain('drive.files.list');
    expect(left({ deny: ['drive:write'] })).not.toContain('drive.files.update');
    expect(left({ allow: [] })).toEqual([]);
    expect(methodsLeft({}, MEANINGS)).toBeUndefined();
  });

  it('LK-17: to deny more or to allow less never lets more pass', () => {
    fc.assert(
      fc.property(someNames, someNames, fc.constantFrom(...names), (allow, deny, more) => {
        const before = new Set(left({ allow: [...allow, more], deny }));
        expect(left({ allow, deny }).every((id) => before.has(id))).toBe(true);
        expect(left({ allow: [...allow, more], deny: [...deny, more] }).every((id) => before.has(id))).toBe(true);
        expect(left({ deny: [...deny, more] }).every((id) => left({ deny }).includes(id))).toBe(true);
      }),
    );
  });

  it('LK-13: a call of no known method is refused by a key that names methods, and passes one that names none', () => {
    const unknown = { method: 'GET', target: '/drive/v3/moons' };
    expect(ask(limited({ deny: ['drive:delete'] }), [unknown])).toEqual({
      code: 'unknown_method',
      message:
        'This secret key is limited to methods of the provider, and this request is none of them in its documented spelling.',
      details: { limit: { name: 'methods', denied: ['drive:delete'] } },
      isObserved: false,
    });
    expect(ask(limited({ minute: { calls: 9 } }), [unknown])).toBeUndefined();
  });

  it('LK-12: a request that may mean two methods passes only a key that may call both', () => {
    const emptied = { method: 'DELETE', target: '/drive/v3/files/%74rash' };
    const [one, other] = ['drive.files.delete', 'drive.files.emptyTrash'];
    expect(ask(limited({ allow: [one] }), [emptied])?.details.limit.method).toBe(other);
    expect(ask(limited({ allow: [other] }), [emptied])?.details.limit.method).toBe(one);
    expect(ask(limited({ allow: [one, other] }), [emptied])).toBeUndefined();
  });

  it('LK-16: a refusal says which limit, which method and what the key may do', () => {
    expect(
      ask(limited({ allow: ['drive:metadata'] }), [{ method: 'GET', target: '/drive/v3/files/1?alt=media' }]),
    ).toEqual({
      code: 'limited_by_key',
      message: 'This secret key may not call drive.files.get#media.',
      details: { limit: { name: 'methods', method: 'drive.files.get#media', allowed: ['drive:metadata'] } },
      isObserved: false,
    });
  });

  const anyRequest = fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT'),
    target: fc.constantFrom(
      ...['/drive/v3/files', '/drive/v3/files/1', '/drive/v3/files/1?alt=media', '/drive/v3/files/trash'],
      ...[
        '/drive/v3/files/%74rash',
        '/drive/v3/files/1/permissions',
        '/upload/drive/v3/files?upload_id=1',
        '/drive/v3/x',
      ],
    ),
  });

  it('LK-17: a batch passes if and only if each of its parts does, and observing judges as enforcing does', () => {
    fc.assert(
      fc.property(someNames, someNames, fc.array(anyRequest, { minLength: 1, maxLength: 5 }), (allow, deny, parts) => {
        const key = limited({ allow, deny });
        const whole = ask(key, parts);
        expect(whole === undefined).toBe(parts.every((one) => ask(key, [one]) === undefined));
        const observed = ask(limited({ allow, deny, mode: 'observe' }), parts);
        expect(observed).toEqual(whole === undefined ? undefined : { ...whole, isObserved: true });
      }),
      { numRuns: 500 },
    );
  });
});

describe('the budgets of a limited key', () => {
  it('LK-14: the budgets of a limited key let exactly as many calls through in one process as a minute has, and as many again in the next', () => {
    const { process, clock } = world();
    const key = limited({ minute: { calls: 3 } });
    const by = process();
    const call = () => by.ask({ key }, { methods: googleDrive.methods, requests: [LIST] }, clock.ms);
    expect([call(), call(), call()]).toEqual([undefined, undefined, undefined]);
    expect(call()).toMatchObject({
      code: 'rate_limited',
      details: {
        limit: { name: 'minute.calls', most: 3, left: 0, resets_at: new Date(clock.ms + MINUTE_MS).toISOString() },
        retryAfterSec: 60,
      },
    });
    clock.ms += MINUTE_MS;
    expect(call()).toBeUndefined();
  });

  it('LK-14: the budgets of a limited key of a day are reported as used up until midnight UTC, and no client library retries', () => {
    const { process, clock } = world();
    const by = process();
    const key = limited({ day: { units: 250 } });
    const call = () => by.ask({ key }, { methods: googleDrive.methods, requests: [LIST] }, clock.ms);
    expect([call(), call()]).toEqual([undefined, undefined]);
    const resetsAt = new Date(NOON_MS + DAY_MS / 2).toISOString();
    expect(call()).toMatchObject({
      code: 'budget_spent',
      details: { limit: { name: 'day.units', most: 250, left: 50, resets_at: resetsAt } },
    });
    expect(call()?.details.retryAfterSec).toBeUndefined();
    clock.ms += DAY_MS / 2;
    expect(call()).toBeUndefined();
  });

  it('LK-13: weigh a batch as the sum of its parts; LK-16: and a refusal spends nothing', () => {
    const by = judge();
    const key = limited({ minute: { calls: 5, units: 450 } });
    expect(ask(key, [LIST, LIST, LIST, LIST, LIST], by)?.details.limit.name).toBe('minute.units');
    expect(ask(key, [LIST, LIST, LIST, LIST], by)).toBeUndefined();
    expect(ask(key, [LIST, LIST], by)?.details.limit).toMatchObject({ name: 'minute.calls', left: 1 });
    expect(ask(limited({ minute: { calls: 2 } }), [LIST, LIST, LIST])).toMatchObject({
      code: 'budget_spent',
      message: 'This call takes 3 calls, and this secret key has 2 a minute: it can never pass. Split it.',
      details: { rate: { policy: 'key-minute-calls', quota: 2, windowSec: 60, left: 2, resetSec: 60 } },
    });
  });

  it('LK-13: a call of a provider whose methods are not known takes one unit', () => {
    const by = judge();
    const key = limited({ minute: { units: 2 } });
    const call = () => by.ask({ key }, { methods: undefined, requests: [LIST] }, NOON_MS)?.code;
    expect([call(), call(), call()]).toEqual([undefined, undefined, 'rate_limited']);
  });

  it('LK-15: the budgets of a limited key that only observe spend nothing of themselves by what they would refuse', () => {
    const by = judge();
    const key = limited({ mode: 'observe', minute: { units: 150 } });
    expect(ask(key, [LIST], by)).toBeUndefined();
    for (let i = 0; i < 2; i++) {
      expect(ask(key, [LIST], by)).toMatchObject({ isObserved: true, details: { limit: { left: 50 } } });
    }
  });

  it('LK-15: the budgets of a limited key that only observe say which method was asked for, whatever limit would refuse it', () => {
    const by = judge();
    const spent = limited({ mode: 'observe', minute: { units: 1 } });
    const wish = { methods: googleDrive.methods, requests: [LIST] };
    expect(by.ask({ key: spent }, wish, NOON_MS)?.details.limit).toMatchObject({
      name: 'minute.units',
      method: 'drive.files.list',
    });
    const enforced = limited({ mode: 'enforce', minute: { units: 1 } });
    expect(by.ask({ key: enforced }, wish, NOON_MS)?.details.limit.method).toBeUndefined();
    expect(by.methodOf(wish)).toBe('drive.files.list');
    expect(by.methodOf({ ...wish, requests: [] })).toBeUndefined();
  });

  it('LK-16: a call that its key may not make spends nothing of what is shared', () => {
    const by = judge();
    const integration = {
      accountId: 'default',
      integrationId: 'drive',
      budget: { minute: { calls: 1 }, whenSpent: 'stop' },
    };
    const call = (key: ReturnType<typeof limited>) =>
      by.ask({ key, integration }, { methods: googleDrive.methods, requests: [LIST] }, NOON_MS)?.code;
    expect(call(limited({ allow: [] }))).toBe('limited_by_key');
    expect([call(limited({})), call(limited({}))]).toEqual([undefined, 'rate_limited']);
  });

  it('LK-14: the budgets of a limited key are reported with their owner, their measure and their time, and no report starts before the first call', async () => {
    const { process, totals, clock } = world();
    const by = process();
    expect(by.pending()).toBeUndefined();
    const ref = { accountId: 'default', integrationId: 'drive' };
    const budget = () => ({ day: { units: 1_000 }, whenSpent: 'warn' });
    const from = {
      key: limited({ minute: { calls: 9 } }),
      integration: { ...ref, displayName: 'Drive', budget: budget() },
      connection: { ...ref, connectionId: 'alice', health: 'active', budget: budget() },
    };
    by.ask(from, { methods: googleDrive.methods, requests: [LIST] }, clock.ms);
    const pending = by.pending();
    expect(pending).toBeInstanceOf(Promise);
    await pending;
    expect(by.pending()).toBeUndefined();
    expect(totals.reports.map(({ subject, calls }) => [subject, calls])).toEqual([
      [{ kind: 'minute_calls', keyHash: 'hash' }, 1],
      [{ kind: 'day_units', integration: ref }, 100],
      [{ kind: 'day_units', ref: { ...ref, connectionId: 'alice' } }, 100],
    ]);
  });

  it('LK-14: the budgets of a limited key of bytes are used up by answers, and refuse once nothing is left', () => {
    const by = judge();
    const key = limited({ day: { calls: 3, bytes: 1_000 } });
    expect(ask(key, [LIST], by)).toBeUndefined();
    by.answered({ key }, 999, NOON_MS);
    // A call takes no bytes by itself.
    expect(ask(key, [LIST], by)).toBeUndefined();
    by.answered({ key }, 900, NOON_MS);
    const resetsAt = new Date(NOON_MS + DAY_MS / 2).toISOString();
    expect(ask(key, [LIST], by)).toMatchObject({
      code: 'budget_spent',
      message: `This secret key has 1000 bytes a day, of which 0 are left, and this call takes more. All are free again at ${resetsAt}.`,
      details: { limit: { name: 'day.bytes', left: 0 } },
    });
  });

  it('LK-14: the budgets of a limited key are of a key alone', () => {
    const by = judge();
    expect(ask(limited({ minute: { calls: 1 } }, 'a'), [LIST], by)).toBeUndefined();
    expect(ask(limited({ minute: { calls: 1 } }, 'b'), [LIST], by)).toBeUndefined();
    expect(ask(limited({ minute: { calls: 1 } }, 'a'), [LIST], by)?.code).toBe('rate_limited');
  });

  it('LK-14: a process that begins learns with its first call what others have used', async () => {
    const { process, clock } = world();
    const key = limited({ day: { calls: 100 } });
    const spend = async (by: LimitsJudge) => {
      const refused = by.ask({ key }, { methods: googleDrive.methods, requests: [LIST] }, clock.ms);
      await by.pending();
      return refused === undefined;
    };
    const first = process();
    for (let i = 0; i < 100; i++) expect(await spend(first)).toBe(true);
    expect(await spend(first)).toBe(false);
    const second = process();
    expect([await spend(second), await spend(second)]).toEqual([true, false]);
  });

  it('LK-17: processes side by side pass a budget at most by what each has not reported', async () => {
    const turns = fc.array(fc.nat({ max: 7 }), { minLength: 50, maxLength: 600 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), turns, fc.nat({ max: 100 }), async (most, called, stepMs) => {
        const { process, clock } = world();
        const processes = Array.from({ length: 8 }, process);
        const key = limited({ day: { calls: most } });
        let passed = 0;
        for (const turn of called) {
          clock.ms += stepMs;
          const by = processes[turn];
          if (by?.ask({ key }, { methods: googleDrive.methods, requests: [LIST] }, clock.ms) === undefined) passed += 1;
          await by?.pending();
        }
        const unreported = Math.max(1, Math.floor(most / 50));
        expect(passed).toBeLessThanOrEqual(most + 7 * unreported);
        expect(passed).toBeGreaterThanOrEqual(Math.min(most, called.length));
      }),
      { numRuns: 60 },
    );
  });
});

const DELETE: ProviderRequest = { method: 'DELETE', target: '/drive/v3/files/1' };
const JSON_TYPE = [['Content-Type', 'application/json']] as const;
const trash = (body: string, length = 0): ProviderRequest => ({
  method: 'PATCH',
  target: '/drive/v3/files/1',
  headers: JSON_TYPE,
  body: Buffer.from(body.padEnd(length)),
});

describe('calls that a person has to approve', () => {
  const codes = (limits: Partial<KeyLimits>, ...requests: ProviderRequest[]) => {
    const refused = ask(limited(limits), requests);
    return [refused?.code, refused?.details.limit.method];
  };

  it('AP-11: deny beats approve, and approve beats allow', () => {
    const approve = ['delete'];
    expect(codes({ approve }, DELETE)).toEqual(['approval_required', 'drive.files.delete']);
    expect(codes({ approve, allow: ['drive:delete'] }, DELETE)).toEqual(['approval_required', 'drive.files.delete']);
    expect(codes({ approve, allow: ['drive:read'] }, DELETE)).toEqual(['limited_by_key', 'drive.files.delete']);
    expect(codes({ approve, deny: ['drive.files.*'] }, DELETE)).toEqual(['limited_by_key', 'drive.files.delete']);
    expect(codes({ approve }, LIST)).toEqual([undefined, undefined]);
  });

  it.each<[string, readonly string[], ProviderRequest, boolean]>([
    ['a method', ['drive.files.delete'], DELETE, true],
    ['a group', ['drive.files.*'], DELETE, true],
    ['a set', ['drive:delete'], DELETE, true],
    ['another set', ['drive:share'], DELETE, false],
    ['a class', ['write'], DELETE, true],
    ['another class', ['share'], DELETE, false],
    ['a class by what the body says', ['delete'], trash('{"trashed":true}'), true],
    ['the same with another body', ['delete'], trash('{"name":"a"}'), false],
    ['reading', ['drive:read'], { method: 'GET', target: '/drive/v3/files/1?alt=media' }, true],
    [
      'a method that also answers with bytes',
      ['drive.files.get'],
      { method: 'GET', target: '/drive/v3/files/1?alt=media' },
      true,
    ],
    [
      'one of two readings of a path',
      ['drive.files.emptyTrash'],
      { method: 'DELETE', target: '/drive/v3/files/%74rash' },
      true,
    ],
  ])('AP-10: %s', (_, approve, request, waits) => {
    expect(codes({ approve }, request)[0]).toBe(waits ? 'approval_required' : undefined);
  });

  it('LK-13: with methods named for approval alone, what is no known method is refused', () => {
    expect(codes({ approve: ['delete'] }, { method: 'GET', target: '/drive/v3/moons' })[0]).toBe('unknown_method');
  });

  it.each<[string, readonly ProviderRequest[], string]>([
    ['part of a batch', [LIST, DELETE], 'not in a batch'],
    ['over 256 KB', [trash('{"trashed":true}', 262_145)], 'at most 262144 bytes'],
    [
      'the start of a resumable upload',
      [{ method: 'PATCH', target: '/upload/drive/v3/files/1?uploadType=resumable', headers: JSON_TYPE }],
      'not as a resumable upload',
    ],
    [
      'a piece of one',
      [{ method: 'PUT', target: '/upload/drive/v3/files/1?upload_id=a', headers: JSON_TYPE }],
      'not as a resumable upload',
    ],
  ])('AP-11: calls that a person has to approve cannot wait as %s', (_, requests, message) => {
    const refused = ask(limited({ approve: ['write'] }), requests);
    expect(refused?.code).toBe('approval_impossible');
    expect(refused?.message).toContain(message);
  });

  it('AP-11: spend nothing, and are judged after all other limits', () => {
    const by = judge();
    const key = limited({ approve: ['delete'], day: { calls: 1 } });
    expect([DELETE, DELETE, LIST].map((one) => ask(key, [one], by)?.code)).toEqual([
      'approval_required',
      'approval_required',
      undefined,
    ]);
    expect(ask(key, [DELETE], by)?.code).toBe('budget_spent');
  });

  it('LK-15: calls that a person has to approve pass and are counted where the key only observes', () => {
    expect(ask(limited({ approve: ['delete'], mode: 'observe' }), [DELETE])).toMatchObject({
      code: 'approval_required',
      details: { limit: { name: 'approve', method: 'drive.files.delete' } },
      isObserved: true,
    });
  });

  it('AP-14: calls that a person has to approve pass once a person has approved them, by all other limits', () => {
    const wish = { methods: googleDrive.methods, requests: [DELETE] };
    const approved = (limits: Partial<KeyLimits>) =>
      judge().ask({ key: limited(limits), isApproved: true }, wish, NOON_MS)?.code;
    expect(approved({ approve: ['delete'] })).toBeUndefined();
    expect(approved({ approve: ['delete'], deny: ['drive:delete'] })).toBe('limited_by_key');
  });

  it('AP-11: more to approve never lets more pass', () => {
    const approvals = fc.array(fc.constantFrom(...names, 'delete', 'share', 'invite', 'replace', 'write'), {
      maxLength: 4,
    });
    const requests = fc.constantFrom<ProviderRequest>(LIST, DELETE, trash('{"trashed":true}'), trash('{"name":"a"}'));
    fc.assert(
      fc.property(someNames, someNames, approvals, approvals, requests, (allow, deny, approve, more, request) => {
        const passes = (named: readonly string[]) =>
          ask(limited({ allow, deny, approve: named }), [request]) === undefined;
        if (passes([...approve, ...more])) expect(passes(approve)).toBe(true);
      }),
    );
  });
});
