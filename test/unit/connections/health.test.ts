import { describe, expect, it, test } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import type { CallFault, Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';
import {
  connectionFromItem,
  connectionToItem,
  factsFromItem,
  listedCallFault,
} from '../../../lambdas/gateway/connections/connection-item.store.ts';
import {
  type HealthContext,
  type HealthSubject,
  healthOf,
  healthSubjectOf,
  listedEnd,
  listedFactsOf,
  refusesConnection,
} from '../../../lambdas/gateway/connections/health.rules.ts';
import type { ConnectionStore } from '../../../lambdas/gateway/connections/ports.ts';
import { ENDS_SOON_SEC } from '../../../lambdas/gateway/core/limits.ts';
import { connectionItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { DEATH } from '../management/support/rows.ts';
import { connection, NOW_EPOCH_SEC } from '../support/connection.ts';

const END_OF_TESTING = { kind: 'testing_mode', atEpochSec: NOW_EPOCH_SEC + 7 * 86_400 };
const used = { lastUsedAtEpochSec: NOW_EPOCH_SEC + 60 };
const fault: CallFault = { status: 403, reason: 'insufficientPermissions', sinceEpochSec: NOW_EPOCH_SEC };
const clientFault = { error: 'invalid_client', sinceEpochSec: NOW_EPOCH_SEC, retryAtEpochSec: NOW_EPOCH_SEC };
const death = { ...DEATH, since: '2026-01-01T00:00:00.000Z' };

const published: HealthContext = { clientFault: undefined, publishingStatus: 'production', audience: 'external' };
const testing: HealthContext = { ...published, publishingStatus: 'testing' };
const refused: HealthContext = { ...published, clientFault };
const WEEK_SEC = 7 * 86_400;
const drive = { consentedAtEpochSec: NOW_EPOCH_SEC, grantedScopes: ['https://www.googleapis.com/auth/drive'] };
const of = (fields: Partial<Connection>, integration = published, nowEpochSec = NOW_EPOCH_SEC) =>
  healthOf(healthSubjectOf(connection({ ...drive, ...fields })), integration, nowEpochSec);

/** A refresh that serves a call. */
async function renew(store: ConnectionStore, row: Connection, nowEpochSec: number): Promise<void> {
  const expiresAtEpochSec = nowEpochSec + 30;
  const asked = { owner: 'me', attemptId: 'a', attemptHash: 'h', nowEpochSec, expiresAtEpochSec };
  const taken = await store.takeLease(row, asked);
  if (!taken.taken) throw new Error('The lease was refused');
  await store.storeTokens(row, taken.lease, {
    encryptedAccessToken: 'new',
    encryptedRefreshToken: undefined,
    tokenPrints: row.tokenPrints,
    accessTokenExpiresAtEpochSec: nowEpochSec + 3600,
    grantedScopes: row.grantedScopes,
    refreshAtEpochSec: nowEpochSec + 3000,
    nowEpochSec,
    lastUsedAtEpochSec: nowEpochSec,
  });
}

describe('the health of a connection', () => {
  it('the health of a connection is active once it was used, and not before', () => {
    expect(of(used).status).toBe('active');
    // A new row says that it has just been used.
    expect(of({ lastUsedAtEpochSec: NOW_EPOCH_SEC }).status).toBe('not_used_yet');
  });

  it.each([
    ['in the second of its making', 0],
    ['by a process whose clock lags', -30],
  ])(
    'the health of a connection is active after a call %s, in lists and by itself, whether its token was kept or had to be renewed',
    async (_, lagSec) => {
      const memory = new MemoryTable();
      const store = connectionStore(memory.table);
      for (const [name, call] of [
        ['kept', (row: Connection) => store.noteUse(row, NOW_EPOCH_SEC + lagSec, NOW_EPOCH_SEC + 60)],
        ['renewed', (row: Connection) => renew(store, row, NOW_EPOCH_SEC + lagSec)],
      ] as const) {
        const made = connection({ ...drive, connectionId: name, refreshAtEpochSec: NOW_EPOCH_SEC + 60 });
        const row = { ...made, lastUsedAtEpochSec: NOW_EPOCH_SEC };
        memory.put(connectionToItem(row));
        await call(row);
        const stored = memory.get(connectionItemKey(row)) ?? {};
        const listed = { ...healthSubjectOf(row), facts: factsFromItem(stored) };
        const word = (subject: HealthSubject) => healthOf(subject, published, NOW_EPOCH_SEC).status;
        expect([word(listed), word(healthSubjectOf(connectionFromItem(stored)))], name).toEqual(['active', 'active']);
      }
    },
  );

  it('the health of a connection is active after a first call whose process still has the row of before a refresh', async () => {
    const memory = new MemoryTable();
    const store = connectionStore(memory.table);
    const row = connection({ ...drive, lastUsedAtEpochSec: NOW_EPOCH_SEC, refreshAtEpochSec: NOW_EPOCH_SEC + 60 });
    const now = { ...row, epoch: 2, tokenEpoch: 2, refreshAtEpochSec: NOW_EPOCH_SEC + 3000 };
    memory.put(connectionToItem(now));
    await store.noteUse(row, NOW_EPOCH_SEC, NOW_EPOCH_SEC + 60);
    expect(await store.read(row)).toMatchObject({ ...now, lastUsedAtEpochSec: NOW_EPOCH_SEC + 1 });
    expect(factsFromItem(memory.get(connectionItemKey(row)) ?? {})?.isUsed).toBe(true);
  });

  it('the health of a connection is failing while the provider refuses its calls, with its reason and since when', () => {
    const failing = { status: 'failing', reason: 'insufficientPermissions', sinceEpochSec: NOW_EPOCH_SEC };
    expect(of({ ...used, callFault: fault })).toEqual(failing);
    const without = { ...fault, status: 401, reason: undefined };
    expect(of({ callFault: without }).reason).toBe('401');
  });

  it('ends soon from two days before a known end, and says why', () => {
    const endsAt = NOW_EPOCH_SEC + 30 * 86_400;
    const at = (leftSec: number) => of({ ...used, refreshTokenExpiresAtEpochSec: endsAt }, published, endsAt - leftSec);
    const soon = { status: 'ends_soon', reason: 'time_limited_access', endsAtEpochSec: endsAt };
    expect(at(ENDS_SOON_SEC)).toMatchObject(soon);
    expect(at(ENDS_SOON_SEC + 1)).toMatchObject({ status: 'active', endsAtEpochSec: undefined });
  });

  it('ends soon in Testing for as long as its integration is declared to be, unless a refresh showed otherwise', () => {
    const nowEpochSec = NOW_EPOCH_SEC + WEEK_SEC - 60;
    const soon = { status: 'ends_soon', reason: 'testing_mode', endsAtEpochSec: NOW_EPOCH_SEC + WEEK_SEC };
    expect(of(used, testing, nowEpochSec)).toMatchObject(soon);
    expect(of(used, published, nowEpochSec).status).toBe('active');
    expect(of({ ...used, testingAtConsent: true }, published, nowEpochSec).status).toBe('ends_soon');
    const outlived = { ...used, lastRefreshedAtEpochSec: NOW_EPOCH_SEC + WEEK_SEC + 1 };
    expect(of(outlived, testing, nowEpochSec + 120).status).toBe('active');
  });

  it('the health of a connection is refused by the provider once that was reported, with the provider’s word and since when', () => {
    const refusal = { error: 'org_internal', sinceEpochSec: NOW_EPOCH_SEC, count: 3, tokenEpoch: 1 };
    const told = { ...refusal, toldAtEpochSec: NOW_EPOCH_SEC + 60 };
    expect(of({ ...used, refreshRefusal: refusal }).status).toBe('active');
    const said = { status: 'refused_by_provider', reason: 'org_internal', sinceEpochSec: NOW_EPOCH_SEC };
    expect(of({ ...used, refreshRefusal: told, callFault: fault })).toMatchObject(said);
    expect(of({ ...used, refreshRefusal: told }, refused).status).toBe('client_refused');
    const row = connection({ ...drive, ...used, refreshRefusal: told });
    expect(factsFromItem(connectionToItem(row))?.refusal).toEqual({
      error: 'org_internal',
      sinceEpochSec: NOW_EPOCH_SEC,
    });
    expect(connectionFromItem(connectionToItem(row)).refreshRefusal).toEqual(told);
    // What an earlier version renewed without knowing of it.
    const renewed = { ...connectionToItem(row), tokenEpoch: row.tokenEpoch + 1 };
    expect(connectionFromItem(renewed).refreshRefusal).toBeUndefined();
  });

  it('names what stops every call first: a dead grant, then a refused client, then refused calls', () => {
    const dead = { ...used, callFault: fault, status: 'reauthorization_required', death } as const;
    const ended = { status: 'dead', reason: 'user_revoked', certain: false, sinceEpochSec: NOW_EPOCH_SEC };
    expect(of(dead, refused)).toMatchObject(ended);
    const alive = { ...used, callFault: fault, refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC + 1 };
    expect(of(alive, refused)).toMatchObject({ status: 'client_refused', reason: 'invalid_client' });
    expect(of(alive).status).toBe('failing');
  });

  it('the health of a connection is known of a connection of which a list holds little', () => {
    const little = { cause: undefined, facts: undefined };
    const dead = { status: 'dead', reason: 'unknown', certain: undefined, sinceEpochSec: undefined };
    expect(healthOf({ ...little, status: 'reauthorization_required' }, published, NOW_EPOCH_SEC)).toMatchObject(dead);
    expect(healthOf({ ...little, status: 'active' }, published, NOW_EPOCH_SEC).status).toBe('active');
  });
});

describe('the known end of a grant', () => {
  const chosen = { refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC + 30 * 86_400 };
  const atChosen = { kind: 'time_limited_access', atEpochSec: chosen.refreshTokenExpiresAtEpochSec };
  const signIn = { grantedScopes: ['openid', 'email'] };
  const subject = (fields: Partial<Connection>) => healthSubjectOf(connection({ ...drive, ...fields }));

  test.each([
    ['is the one the provider announced, in Testing too', subject(chosen), testing, atChosen],
    ['is that of Testing where there is no other', subject({}), testing, END_OF_TESTING],
    ['is none in production', subject({}), published, undefined],
    ['is none of a sign-in alone', subject(signIn), testing, undefined],
    ['is none of an integration that is gone', subject({}), undefined, undefined],
    ['is none of a dead grant', subject({ ...chosen, status: 'reauthorization_required', death }), testing, undefined],
    ['is not known where a list does not say', { ...subject(chosen), facts: undefined }, testing, undefined],
  ])('%s', (_, of, app, expected) => {
    expect(listedEnd(of, app)).toEqual(expected);
  });
});

describe('what lists know of a connection', () => {
  it('what lists know of a connection is its use, its end, whether it was warned and its death', () => {
    const nothing = { isUsed: false, end: undefined, limitWarned: false, death: undefined };
    const fresh = { ...nothing, endIfTestingEpochSec: END_OF_TESTING.atEpochSec };
    expect(listedFactsOf(connection(drive))).toEqual(fresh);
    expect(listedFactsOf(connection({ ...drive, ...used, limitWarned: true }))).toEqual({
      ...fresh,
      isUsed: true,
      limitWarned: true,
    });
    expect(listedFactsOf(connection({ ...drive, testingAtConsent: true }))).toEqual({
      ...nothing,
      end: END_OF_TESTING,
      endIfTestingEpochSec: undefined,
    });
  });

  const kinds: readonly Partial<Connection>[] = [
    {},
    used,
    { callFault: fault },
    { refreshTokenExpiresAtEpochSec: NOW_EPOCH_SEC + 30 * 86_400, limitWarned: true },
    { testingAtConsent: true },
    { status: 'reauthorization_required', death },
  ];

  it('what lists know of a connection is what the connection itself says, after a way through its item', () => {
    for (const fields of kinds) {
      const row = connection({ ...drive, ...fields });
      const { itemVersion: _, ...entry } = JSON.parse(JSON.stringify(connectionToItem(row)));
      const { facts, callFault } = healthSubjectOf(row);
      expect([factsFromItem(entry), listedCallFault(entry)]).toEqual([facts, callFault]);
    }
  });

  it('what lists know of a connection is read from the item of an earlier version, and not known from its entry in an index', () => {
    const row = connection({ ...used, status: 'reauthorization_required', death });
    const { revokedAt: _, name: __, ...item } = JSON.parse(JSON.stringify(connectionToItem(row)));
    expect(factsFromItem(item)).toEqual(healthSubjectOf(connectionFromItem(item)).facts);
    const { itemVersion: ___, ...entry } = item;
    expect(factsFromItem(entry)).toBeUndefined();
  });
});

describe('an answer', () => {
  it('refuses the connection when it is 401, or 403 for a reason that concerns every call', () => {
    const ofConnection = [
      ...['insufficientPermissions', 'accessNotConfigured', 'authError', 'domainPolicy', 'insufficientScopes'],
      ...['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'SERVICE_DISABLED'],
    ];
    const others = ['insufficientFilePermissions', 'rateLimitExceeded', 'appNotAuthorizedToFile', '', undefined];
    expect([...ofConnection, ...others].filter((reason) => refusesConnection(403, reason))).toEqual(ofConnection);
    expect([401, 500].filter((status) => refusesConnection(status, undefined))).toEqual([401]);
    expect(refusesConnection(404, 'insufficientPermissions')).toBe(false);
  });
});
