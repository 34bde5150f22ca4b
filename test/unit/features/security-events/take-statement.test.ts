import { describe, expect, it } from 'vitest';
import { MemoryTable } from '../../../../dev/support/memory-table.ts';
import { SECURITY_EVENTS_PER_SEC } from '../../../../lambdas/features/security-events/limits.rules.ts';
import { SECURITY_EVENTS_PATH } from '../../../../lambdas/features/security-events/statement.rules.ts';
import { statementInbox, statementQueue } from '../../../../lambdas/features/security-events/statement.store.ts';
import {
  type TakeStatementDependencies,
  takeStatement,
} from '../../../../lambdas/features/security-events/take-statement.ts';
import type { GatewayRequest } from '../../../../lambdas/gateway/core/http-message.ts';

const NOW_SEC = 1_800_000_000;
const ISSUER = 'https://accounts.google.com/';
const PROJECT = '123456789012';
const EVENT = { 'https://schemas.openid.net/secevent/oauth/event-type/tokens-revoked': { subject: { sub: 'u-1' } } };

function world(overrides: Partial<TakeStatementDependencies> = {}, claims: Record<string, unknown> = {}) {
  const memory = new MemoryTable();
  memory.put({
    pk: `SECURITYPROJECT#${PROJECT}`,
    sk: 'PROJECT',
    type: 'security_project',
    accountIds: ['default'],
    registeredAtEpochSec: 1,
  });
  const woken: unknown[] = [];
  const logged: string[] = [];
  const statement = {
    iss: ISSUER,
    aud: `${PROJECT}-a.apps.googleusercontent.com`,
    iat: NOW_SEC,
    jti: 'j-1',
    events: EVENT,
  };
  const deps: TakeStatementDependencies = {
    statements: statementInbox(memory.table),
    verify: async () => ({ kind: 'signed', claims: { ...statement, ...claims }, issuer: ISSUER }),
    clock: { nowMs: () => NOW_SEC * 1000 },
    logger: { info: () => {}, warn: (text) => void logged.push(text), error: (text) => void logged.push(text) },
    metrics: { count: () => {} },
    wake: async (ref) => void woken.push(ref),
    recent: new Map(),
    ...overrides,
  };
  return { memory, woken, logged, deps, take: () => takeStatement(deps, request()) };
}

const failing = () => Promise.reject(new Error('The table is away'));

describe('a statement', () => {
  it('RI-13: a statement is acknowledged only after it is stored: the sender is notified of what cannot be stored, and nothing is woken', async () => {
    for (const name of ['project', 'keepEvidence', 'keep'] as const) {
      const { memory, woken, deps } = world();
      const statements = { ...statementInbox(memory.table), [name]: failing };
      await expect(takeStatement({ ...deps, statements }, request())).rejects.toThrow('The table is away');
      expect(woken).toEqual([]);
    }
  });

  it('RI-13: a statement is acknowledged where only its work could not be started, which the index has', async () => {
    const { memory, logged, take } = world({ wake: failing });
    expect((await take()).status).toBe(202);
    expect(logged).toHaveLength(1);
    const [row] = memory.ofType('security_event');
    expect(row).toMatchObject({ refreshAt: NOW_SEC, dueShard: expect.any(Number) });
    const due = await statementQueue(memory.table).due(Number(row?.dueShard) - 256, NOW_SEC, 10);
    expect(due).toEqual([{ cloudProject: PROJECT, jti: 'j-1', index: 0 }]);
  });

  it('RI-11: a statement that comes again wakes nobody, and keeps what is there', async () => {
    const { memory, woken, take } = world();
    expect([(await take()).status, (await take()).status]).toEqual([202, 202]);
    expect([woken.length, memory.ofType('security_event').length, memory.ofType('evidence').length]).toEqual([1, 1, 1]);
  });

  it.each([
    ['another spelling of the issuer', { iss: 'https://accounts.google.com' }],
    ['no events, as an ID token', { events: undefined }],
    ['an empty list of events', { events: {} }],
    ['no id', { jti: undefined }],
    ['no time', { iat: 'now' }],
    ['no audience', { aud: undefined }],
    ['a project that is not registered', { aud: '1-a.apps.googleusercontent.com' }],
    ['an audience that only begins like a client', { aud: `${PROJECT}-a.apps.googleusercontent.com.evil.example` }],
    ['an audience that names a row', { aud: `${PROJECT}#` }],
  ])('RI-12: a statement with %s is refused with one line, and writes nothing', async (_, claims) => {
    const { memory, logged, woken, take } = world({}, claims);
    await expect(take()).rejects.toMatchObject({ code: 'invalid_body' });
    expect([logged.length, woken.length, memory.ofType('security_event').length]).toEqual([1, 0, 0]);
    expect(memory.ofType('evidence')).toEqual([]);
  });

  it('RI-2: a statement for one of several clients counts for its registered project alone', async () => {
    const aud = ['7-x.apps.googleusercontent.com', `${PROJECT}-b.apps.googleusercontent.com`];
    const { memory, take } = world({}, { aud });
    expect((await take()).status).toBe(202);
    expect(memory.ofType('security_event').map((row) => row.pk)).toEqual([`SECURITYEVENT#${PROJECT}#j-1`]);
  });

  it('RI-14: about a token is kept without any part of the token', async () => {
    const subject = { token_type: 'refresh_token', token_identifier_alg: 'prefix', token: '1//0abcdefghijkl' };
    const events = { 'https://schemas.openid.net/secevent/oauth/event-type/token-revoked': { subject } };
    const { memory, take } = world({}, { events });
    expect((await take()).status).toBe(202);
    expect(JSON.stringify([memory.ofType('security_event'), memory.ofType('evidence')])).not.toContain('abcdef');
  });

  it('a statement whose type is new is taken, and nothing follows from it', async () => {
    const { memory, woken, take } = world({}, { events: { 'https://example.com/new': {} } });
    expect((await take()).status).toBe(202);
    expect([woken.length, memory.ofType('security_event').length]).toEqual([0, 0]);
  });

  it('waits where the keys are out of reach, and is bounded by address and second', async () => {
    const unavailable = world({ verify: async () => ({ kind: 'unavailable' }) });
    await expect(unavailable.take()).rejects.toMatchObject({ code: 'service_unavailable' });
    const { take } = world();
    for (let one = 0; one < SECURITY_EVENTS_PER_SEC; one++) expect((await take()).status).toBe(202);
    await expect(take()).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

function request(): GatewayRequest {
  const body = Buffer.from('a.b.c');
  return {
    method: 'POST',
    rawPath: SECURITY_EVENTS_PATH,
    query: [],
    headers: [],
    body,
    requestId: 'r',
    sourceIp: '::1',
  };
}
