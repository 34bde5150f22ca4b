import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CALL_SLICES,
  type CallLine,
  callLine,
  classOfCall,
  isHeldCall,
  LINE_CLASSES,
  readCallLine,
  sliceOfConnection,
  strangerLine,
} from '../../../lambdas/gateway/calls/call-line.rules.ts';
import { failureOf } from '../../../lambdas/gateway/calls/call-record.rules.ts';
import { anyText } from '../../support/any-text.ts';

const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const text = fc.oneof(anyText({ minLength: 1 }), fc.stringMatching(/^[\n\r\v\f"\\{}]+$/));

/** Any call, with texts that no id of the gateway may be. */
const calls: fc.Arbitrary<CallLine> = fc.record({
  account: text,
  integration: text,
  connection: text,
  key: fc.stringMatching(/^[0-9a-f]{12}$/),
  provider: text,
  project: fc.option(fc.stringMatching(/^\d{1,15}$/)),
  class: fc.constantFrom(...LINE_CLASSES),
  status: fc.integer({ min: 100, max: 599 }),
  endedAtMs: fc.nat({ max: 8.64e15 }),
  bytesIn: count,
  bytesOut: count,
  totalMs: count,
  refreshed: fc.constantFrom(0, 1),
  units: count,
  callId: fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
});

test('one call is one line, whatever its ids hold, and reads back as it was (BK-26)', () => {
  fc.assert(
    fc.property(calls, (call) => {
      const line = callLine(call);
      expect(line.split(/[\n\r\v\f]/)).toEqual([line]);
      expect(JSON.parse(line).level).toBe('INFO');
      expect(readCallLine(line)).toEqual(call);
    }),
  );
});

test('a line has the members that are counted and none else, whatever its call carries (BK-26)', () => {
  fc.assert(
    fc.property(calls, fc.dictionary(fc.string(), fc.constant('canary-5f0c1d')), (call, more) => {
      const line = callLine({ ...more, ...call });
      expect(Object.keys(JSON.parse(line))).toEqual(['timestamp', 'level', 'call']);
      expect(Object.keys(JSON.parse(line).call).sort()).toEqual([...Object.keys(call), 'slice'].sort());
      expect(line).not.toContain('canary-5f0c1d');
    }),
  );
});

test('a line that reports no call, or not of all of it, is read as none', () => {
  const [call] = fc.sample(calls, { seed: 1, numRuns: 1 });
  if (call === undefined) throw new Error('no sample');
  const other = ['', 'text', 'null', '[]', '{}', '{"call":null}', '{"call":[]}', '{"call":{}}', '"call"'];
  for (const line of other) expect(readCallLine(line), line).toBeUndefined();
  for (const name of Object.keys(call)) {
    for (const value of [undefined, '', -1, 0.5, {}, 'x y']) {
      const line = JSON.stringify({ call: { ...call, [name]: value } });
      const isName = ['account', 'integration', 'connection', 'key', 'provider', 'project'].includes(name);
      if (value === 'x y' && isName) continue;
      expect(readCallLine(line), line).toBeUndefined();
    }
  }
  for (const callId of [`0${call.callId}`, `${call.callId}0`, [call.callId]]) {
    expect(readCallLine(JSON.stringify({ call: { ...call, callId } }))).toBeUndefined();
  }
  expect(readCallLine(callLine(call).slice(0, -1))).toBeUndefined();
});

test.each([
  [399, 'ok', 'gatewayRefused'],
  [400, 'providerRefused', 'gatewayRefused'],
  [429, 'rateLimited', 'gatewayRefused'],
  [499, 'providerRefused', 'gatewayRefused'],
  [500, 'providerFailed', 'gatewayFailed'],
])(
  'a whole answer with %i is %s where it is the provider’s, %s where it is the gateway’s',
  (status, provider, gateway) => {
    const whole = { status, complete: true };
    expect(classOfCall({ ...whole, isGateways: false })).toBe(provider);
    expect(classOfCall({ ...whole, isGateways: true })).toBe(gateway);
  },
);

test('every end of a call has one class, and what the gateway answered itself is not the provider’s', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), fc.boolean(), fc.boolean(), (status, isGateways, complete) => {
      const kind = classOfCall({ status, isGateways, complete });
      expect(LINE_CLASSES).toContain(kind);
      expect(kind === 'gatewayRefused').toBe(isGateways && status < 500);
      expect(kind === 'gatewayFailed').toBe(isGateways && status >= 500);
      if (!isGateways && status < 400) expect(kind).toBe(complete ? 'ok' : 'brokenOff');
    }),
  );
});

test('a call that waits for approval is counted as successful, and the list of failed calls has exactly the other ones', () => {
  const codes = fc.constantFrom(undefined, 'approval_required', 'limited_by_key', 'rate_limited', 'upstream_timeout');
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), codes, fc.boolean(), (status, gatewayCode, complete) => {
      fc.pre(gatewayCode === undefined || status >= 400);
      const isHeld = isHeldCall(gatewayCode);
      const kind = classOfCall({ status, isGateways: gatewayCode !== undefined, isHeld, complete });
      expect(isHeld).toBe(gatewayCode === 'approval_required');
      if (isHeld) expect(kind).toBe('ok');
      expect(kind === 'ok').toBe(failureOf({ status, gatewayCode, complete }) === undefined);
    }),
  );
});

test('a call without a known caller leaves a line with nothing but its times, which counts for nobody (BK-23)', () => {
  const line = strangerLine({ endedAtMs: 1_772_366_400_000, totalMs: 12 });
  expect(JSON.parse(line)).toEqual({
    timestamp: '2026-03-01T12:00:00.000Z',
    level: 'INFO',
    call: { endedAtMs: 1_772_366_400_000, totalMs: 12 },
  });
  expect(readCallLine(line)).toBeUndefined();
});

test('the connections of an integration spread over all slices evenly (BK-24)', () => {
  const counts = Array.from({ length: CALL_SLICES }, () => 0);
  for (let i = 0; i < 64_000; i += 1) {
    const slice = sliceOfConnection('google-drive', `user-${i}`);
    counts[slice] = (counts[slice] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(Math.max(...counts)).toBeLessThan(1_200);
});
