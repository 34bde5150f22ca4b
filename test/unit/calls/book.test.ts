import { describe, expect, it } from 'vitest';
import type { Call } from '../../../lambdas/gateway/calls/book.ts';
import { readCallLine } from '../../../lambdas/gateway/calls/call-line.rules.ts';
import { CALL_QUERIES } from '../../../lambdas/gateway/core/contract.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { REFUSALS_TO_FAIL } from '../../../lambdas/gateway/core/limits.ts';
import { ERROR_BODY_MAX_BYTES } from '../../../lambdas/gateway/proxying/error-reason.ts';
import { NOW_EPOCH_SEC } from '../support/connection.ts';
import { gatewayRequest } from '../support/gateway-request.ts';
import { callBooks, callerWith } from './book-support.ts';

const LIST = { method: 'GET', target: '/drive/v3/files?q=canary-query' };

/** A process, its book, and a call that passed `canary-…` texts through wherever a call has room for them. */
function oneProcess(options: Parameters<typeof callBooks>[0] = {}) {
  const books = callBooks(options);
  const book = books.process();
  const begin = (): Call => {
    const call = book.begin(
      gatewayRequest({
        method: 'POST',
        rawPath: '/proxy/drive/v3/files/canary-id',
        query: [['q', 'canary-query']],
        headers: [['X-Canary', 'canary-header']],
        body: Buffer.from('canary-body'),
      }),
    );
    call.isFrom(callerWith());
    call.asked = [LIST];
    call.attempts = 1;
    return call;
  };
  return { ...books, book, begin };
}

describe('a call that succeeds', () => {
  it('BK-21, BK-26: a call that succeeds is one line, made of what it was and nothing it said, and nothing else', () => {
    const { begin, clock, lines, rows, faults } = oneProcess();
    const call = begin();
    call.refreshed = true;
    call.passed(Buffer.from('canary'));
    clock.ms += 42;
    expect(call.ended(200, true)).toBeUndefined();
    expect([rows, faults, lines.length]).toEqual([[], [], 1]);
    expect(lines[0]).not.toContain('canary');
    expect(readCallLine(lines[0] ?? '')).toEqual({
      account: 'default',
      integration: 'drive',
      connection: 'c-1',
      key: 'hash',
      provider: 'google-drive',
      project: '123',
      class: 'ok',
      status: 200,
      endedAtMs: NOW_EPOCH_SEC * 1000 + 42,
      bytesIn: 11,
      bytesOut: 6,
      totalMs: 42,
      refreshed: 1,
      units: 100,
      callId: expect.any(String),
    });
  });

  it('a call that succeeds has an id that no other call has', () => {
    const { begin, loggedCalls } = oneProcess();
    for (let i = 0; i < 20; i++) begin().ended(200, true);
    expect(new Set(loggedCalls().map((line) => line?.callId)).size).toBe(20);
  });

  it('a call that succeeds has no project where the id of its client names none', () => {
    const { book, loggedCalls } = oneProcess();
    const call = book.begin(gatewayRequest({}));
    call.isFrom({ ...callerWith({ clientId: 'own-client' }) });
    call.ended(200, true);
    expect(loggedCalls()[0]).toMatchObject({ project: null, units: 0 });
  });
});

describe('a call that a question by the inner door makes', () => {
  const lineOf = (changes: object, isKnown: boolean) => {
    const { book, lines } = oneProcess();
    const call = book.begin(gatewayRequest(changes));
    if (isKnown) call.isFrom(callerWith());
    call.ended(200, true);
    return lines.map((line) => JSON.parse(line).call);
  };

  it('TB-9: a call that a question by the inner door makes has a mark in its line, by which the count of invocations leaves it out, and no other call has it', () => {
    expect(lineOf({ byInnerDoor: true }, true)).toEqual([expect.objectContaining({ account: 'default', door: 1 })]);
    expect(lineOf({}, true)).toEqual([expect.not.objectContaining({ door: expect.anything() })]);
    expect(CALL_QUERIES.begun).toContain('not ispresent(call.door)');
  });

  it('TB-9: leaves no line where its caller is not known, because its question leaves one', () => {
    expect(lineOf({ byInnerDoor: true }, false)).toEqual([]);
    expect(lineOf({}, false)).toHaveLength(1);
  });
});

describe('a call that fails', () => {
  it('CL-12: a call that fails has the same id, times and sizes in its row as in its line', async () => {
    const { begin, clock, rows, loggedCalls } = oneProcess();
    const call = begin();
    call.attempts = 3;
    call.headMs = 7;
    call.failed([]);
    const body = JSON.stringify({ error: { errors: [{ reason: 'notFound' }] } });
    call.passed(Buffer.from(body));
    clock.ms += 9;
    await call.ended(404, true);
    const [line] = loggedCalls();
    expect(line).toMatchObject({ class: 'providerRefused', status: 404, units: 300, bytesOut: body.length });
    expect(rows).toEqual([
      expect.objectContaining({
        callId: line?.callId,
        accountId: line?.account,
        connectionId: line?.connection,
        keyId: line?.key,
        path: '/drive/v3/files/{}',
        reason: 'notFound',
        totalMs: 9,
        headMs: 7,
        attempts: 3,
        bytesIn: 11,
        bytesOut: body.length,
        standsFor: 1,
      }),
    ]);
  });

  it('a call that fails has the reason of its answer’s first 64 KB in its row, and no later one', async () => {
    const { begin, rows } = oneProcess();
    for (const bytesBefore of [ERROR_BODY_MAX_BYTES, ERROR_BODY_MAX_BYTES + 1]) {
      const call = begin();
      call.failed([]);
      call.passed(Buffer.alloc(bytesBefore, ' '));
      call.passed(Buffer.from('{"error":{"errors":[{"reason":"notFound"}]}}'));
      await call.ended(404, true);
    }
    expect(rows.map(({ reason }) => reason)).toEqual(['notFound', undefined]);
  });

  it('says in its row and its line whether it waited for a new access token', async () => {
    const { begin, rows, loggedCalls } = oneProcess();
    for (const refreshed of [false, true]) {
      const call = begin();
      if (refreshed) call.refreshed = true;
      await call.ended(404, true);
    }
    expect(rows.map(({ refreshed }) => refreshed)).toEqual([false, true]);
    expect(loggedCalls().map((line) => line?.refreshed)).toEqual([0, 1]);
  });

  it('CL-11: a call that fails has no pattern of a path in its row that is not below the proxy’s', async () => {
    const { book, rows } = oneProcess();
    for (const rawPath of ['/proxy/drive/v3/files', '/other/drive/v3/files']) {
      const call = book.begin(gatewayRequest({ rawPath }));
      call.isFrom(callerWith());
      await call.ended(404, true);
    }
    expect(rows.map(({ path }) => path)).toEqual(['/drive/v3/files', '{unmatched}']);
  });

  it('a call that fails is counted as the gateway’s where the gateway answered, and marks no connection', async () => {
    const { begin, faults, rows, loggedCalls } = oneProcess();
    for (let i = 0; i <= REFUSALS_TO_FAIL; i++) {
      const call = begin();
      call.attempts = 0;
      call.refused('forbidden', 99);
      expect(call.signal).toBeUndefined();
      await call.ended(401, true);
    }
    expect(faults).toEqual([]);
    expect(rows[0]).toMatchObject({ gatewayCode: 'forbidden', bytesOut: 99 });
    expect(loggedCalls()[0]).toMatchObject({ class: 'gatewayRefused', bytesOut: 99, units: 0 });
  });

  it('a call that fails is counted as successful where it waits for approval, as the list of failed calls leaves it out', async () => {
    const { begin, loggedCalls } = oneProcess();
    const call = begin();
    call.attempts = 0;
    call.refused('approval_required', 99);
    await call.ended(403, true);
    expect(loggedCalls()[0]).toMatchObject({ class: 'ok', status: 403, units: 0 });
  });

  it('marks its connection with others of its kind, and one that succeeds clears it', async () => {
    const { begin, faults } = oneProcess();
    for (let i = 0; i < REFUSALS_TO_FAIL; i++) await begin().ended(401, true);
    await begin().ended(200, true);
    expect(faults).toEqual(['marked 401', 'cleared']);
  });

  it('marks its connection where the reason of a 403 is about the connection, and not where it is about a file', async () => {
    for (const [reason, wanted] of [
      ['insufficientPermissions', ['marked 403']],
      ['insufficientFilePermissions', []],
    ] as const) {
      const { begin, faults } = oneProcess();
      for (let i = 0; i < REFUSALS_TO_FAIL; i++) {
        const call = begin();
        call.failed([]);
        call.passed(Buffer.from(JSON.stringify({ error: { errors: [{ reason }] } })));
        await call.ended(403, true);
      }
      expect(faults, reason).toEqual(wanted);
    }
  });

  it('clears the mark that another process made of its connection', async () => {
    const { book, faults } = oneProcess();
    const call = book.begin(gatewayRequest({}));
    call.isFrom(callerWith({ callFault: { status: 401, reason: undefined, sinceEpochSec: NOW_EPOCH_SEC } }));
    await call.ended(200, true);
    expect(faults).toEqual(['cleared']);
  });
});

it('BK-23: a call whose caller is not known has a line that counts for nobody, and no row', async () => {
  const { book, lines, rows, loggedCalls } = oneProcess({ callLogMode: 'all' });
  const call = book.begin(gatewayRequest({ rawPath: '/proxy/canary' }));
  call.refused('invalid_secret_key', 10);
  await call.ended(401, true);
  expect(lines).toHaveLength(1);
  expect([rows, loggedCalls()]).toEqual([[], [undefined]]);
});

it('CL-13: a call that succeeds has a row while all calls are kept', async () => {
  const { begin, rows } = oneProcess({ callLogMode: 'all' });
  await begin().ended(200, true);
  expect(rows).toHaveLength(1);
});

it('CL-13: a call that succeeds has a row while its connection is recorded, to the second', async () => {
  const { book, rows } = oneProcess();
  for (const callsRecordedUntilEpochSec of [NOW_EPOCH_SEC + 1, NOW_EPOCH_SEC]) {
    const call = book.begin(gatewayRequest({}));
    call.isFrom(callerWith({ callsRecordedUntilEpochSec, connectionId: String(callsRecordedUntilEpochSec) }));
    await call.ended(200, true);
  }
  expect(rows.map(({ connectionId }) => connectionId)).toEqual([String(NOW_EPOCH_SEC + 1)]);
});

it('DS-2: calls from nobody get their failure, until their address has had its share', () => {
  const { book } = oneProcess({ limits: { perAddress: 1 } });
  const failure = new GatewayError('invalid_secret_key', 'Not a key.');
  const answers = [0, 1].map(() => book.begin(gatewayRequest({})).isFromNobody(failure));
  expect(answers).toEqual([failure, expect.objectContaining({ code: 'rate_limited' })]);
});

it('DS-2: a function whose caller is not known ends after the reports that calls before it began', async () => {
  const written = Promise.withResolvers<number>();
  const { book } = oneProcess({ totals: { add: () => written.promise }, limits: { perKey: 10 } });
  book.admission.countKey('hash', NOW_EPOCH_SEC * 1000);
  let hasEnded = false;
  const ended = book
    .begin(gatewayRequest({}))
    .ended(401, true)
    ?.then(() => {
      hasEnded = true;
    });
  await new Promise(setImmediate);
  expect([ended === undefined, hasEnded]).toEqual([false, false]);
  written.resolve(1);
  await ended;
  expect(hasEnded).toBe(true);
});
