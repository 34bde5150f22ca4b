import { describe, expect, it, test } from 'vitest';
import { readStatementRef } from '../../../../lambdas/features/security-events/due-work.ts';
import { STATEMENT_WORK_SEC } from '../../../../lambdas/features/security-events/limits.rules.ts';
import type { SecurityEvent, Statement } from '../../../../lambdas/features/security-events/statement.rules.ts';
import {
  securityProjects,
  statementInbox,
  statementQueue,
} from '../../../../lambdas/features/security-events/statement.store.ts';
import {
  type StatementWorkDependencies,
  sweepStatements,
  workOnStatement,
} from '../../../../lambdas/features/security-events/work-on-statement.ts';
import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionToItem } from '../../../../lambdas/gateway/connections/connection-item.store.ts';
import { listedRowKey } from '../../../../lambdas/gateway/connections/connection-write.store.ts';
import { listedRowsOf, listedSubject } from '../../../../lambdas/gateway/connections/index-rows.rules.ts';
import { connectionLists } from '../../../../lambdas/gateway/connections/listed-rows.store.ts';
import { keptPrints, printsOfToken, ulid } from '../../../../lambdas/gateway/core/identifiers.ts';
import { connection, integration, START_SEC } from '../../refresh/support/connection.ts';
import {
  answer,
  direct,
  INVALID_GRANT,
  LOST,
  refreshWorld,
  tokens,
  UNSENT,
} from '../../refresh/support/refresh-world.ts';
import { endpointsAt, google } from '../../support/google.ts';

const PROJECT = '123';
const REF = { cloudProject: PROJECT, jti: 'j-1', index: 0 };
const NOBODY = { reason: undefined, subject: undefined, tokenPrint: undefined, state: undefined };
const about = (type: SecurityEvent['type'], more: Partial<SecurityEvent> = {}): SecurityEvent => ({
  ...NOBODY,
  type,
  subject: 'subject-1',
  ...more,
});

/** A connection, a provider that answers so, and a statement that has just come. */
function stated(
  event: SecurityEvent,
  provider: Parameters<typeof refreshWorld>[2] = () => INVALID_GRANT,
  {
    row = connection(),
    issuedAtEpochSec = START_SEC,
  }: { row?: Connection | undefined; issuedAtEpochSec?: number } = {},
) {
  const world = refreshWorld(row, integration(), provider);
  const { table } = world.table.memory;
  world.table.memory.put({
    pk: `SECURITYPROJECT#${PROJECT}`,
    sk: 'PROJECT',
    type: 'security_project',
    accountIds: ['default'],
    registeredAtEpochSec: 1,
  });
  const deps: StatementWorkDependencies = {
    ...world.deps(direct),
    statements: statementQueue(table),
    projects: securityProjects(table),
    lists: connectionLists(table),
    refresher: world.refresher('me', direct),
  };
  for (const listed of row === undefined ? [] : listedRowsOf(listedSubject(row))) {
    const { accountId, integrationId, connectionId } = row ?? connection();
    world.table.memory.put({ ...listedRowKey(accountId, listed), type: 'listed', integrationId, connectionId });
  }
  const inbox = statementInbox(table);
  const take = async (more: Partial<Statement> = {}) => {
    const statement = { ...REF, event, issuedAtEpochSec, receivedAtEpochSec: START_SEC, ...more };
    await inbox.keepEvidence(statement);
    await inbox.keep(statement, true);
  };
  const untilMs = START_SEC * 1000 + 600_000;
  return {
    ...world,
    deps,
    take,
    untilMs,
    work: () => workOnStatement(deps, REF, untilMs, 'run'),
    types: () => world.table.events.map(({ eventType }) => eventType),
    waiting: async () => (await statementQueue(table).read(REF)) !== undefined,
    dueIn: async () => {
      const [item] = world.table.memory.ofType('security_event');
      return Number(item?.refreshAt) - START_SEC;
    },
  };
}

describe('a connection whose grant lives', () => {
  it.each([
    [about('tokens-revoked'), 'user_revoked', true],
    [about('account-disabled'), 'account_unavailable', false],
    [about('account-disabled', { reason: 'hijacking' }), 'account_unavailable', false],
    [about('account-purged'), 'account_unavailable', false],
    [about('token-revoked', { tokenPrint: printsOfToken('refresh-0')[0] }), 'token_revoked', true],
    [about('token-revoked', { tokenPrint: printsOfToken('refresh-0')[1] }), 'token_revoked', true],
  ])(
    'RI-10, RI-16: a connection whose grant lives is asked for at once, and dies with its cause if Google refuses it',
    async (event, cause, isErased) => {
      const world = stated(event);
      await world.take();
      expect(await world.work()).toBe(true);
      expect(world.table.row).toMatchObject({ status: 'reauthorization_required', death: { cause, certain: true } });
      expect(world.table.row?.death?.evidence).toMatchObject({ type: event.type });
      expect(world.table.row?.encryptedRefreshToken).toBe(isErased ? undefined : 'enc:refresh-0');
      expect(world.types()).toEqual(['ConnectionSecurityEvent', 'ConnectionReauthorizationRequired']);
      expect(await world.waiting()).toBe(false);
    },
  );

  it('RI-10: continues if Google grants the refresh, whatever was stated', async () => {
    const world = stated(about('tokens-revoked'), () => tokens());
    await world.take();
    expect(await world.work()).toBe(true);
    expect(world.table.row).toMatchObject({ status: 'active', encryptedAccessToken: 'enc:access-1' });
    expect(world.types()).toEqual(['ConnectionSecurityEvent']);
    expect(world.asked).toHaveLength(1);
  });

  it('a connection whose grant lives is left alone by a statement that is older than its consent, about another token, or about another project', async () => {
    const old = stated(about('tokens-revoked'), undefined, { issuedAtEpochSec: connection().consentedAtEpochSec - 1 });
    await old.take();
    const other = stated(about('token-revoked', { tokenPrint: printsOfToken('another token')[0] }));
    await other.take();
    const foreign = stated(about('tokens-revoked'), undefined, {
      row: connection({ clientId: '1234-b.apps.googleusercontent.com' }),
    });
    await foreign.take();
    for (const world of [old, other, foreign]) {
      expect(await world.work()).toBe(true);
      expect([world.asked, world.types(), world.table.row?.status]).toEqual([[], [], 'active']);
    }
  });

  it.each([
    ['while nobody has confirmed it', {}, { unconfirmed: { reconnectSession: undefined } }],
    ['when it was deleted after it was found', { status: 'deleted' }, {}],
    ['when it has moved to a client of another project since', { clientId: '1234-b.apps.googleusercontent.com' }, {}],
    ['when it belongs to another account since', { providerAccount: { subject: 'subject-2', email: null } }, {}],
    ['when its account is not known any more', { providerAccount: undefined }, {}],
  ] as const)('a connection whose grant lives is not touched %s', async (_, now, found) => {
    const world = stated(about('tokens-revoked'), undefined, { row: connection(now) });
    await world.take();
    world.deps.connections.sharingGrant = async () => [{ ...connection(), ...found }];
    expect(await world.work()).toBe(true);
    expect([world.asked, world.types()]).toEqual([[], []]);
  });

  it('a connection whose grant lives is reported for what was stated in the second of its consent', async () => {
    const world = stated(about('tokens-revoked'), undefined, { issuedAtEpochSec: connection().consentedAtEpochSec });
    await world.take();
    expect(await world.work()).toBe(true);
    expect(world.types()).toContain('ConnectionSecurityEvent');
    expect(world.asked).toHaveLength(1);
  });

  it.each([
    ['123456789012', '123456789012-'],
    ['a-client-without-a-number', 'a-client-without-a-number'],
    ['12-a', '12-a'],
    ['a-12', 'a-12'],
  ])(
    'a connection whose grant lives is looked for among the clients of the project %s',
    async (cloudProject, clients) => {
      const world = stated(about('tokens-revoked'));
      await world.take({ cloudProject });
      const asked: unknown[] = [];
      world.deps.connections.sharingGrant = async (...args) => {
        asked.push(args.slice(0, 2));
        return [];
      };
      expect(await workOnStatement(world.deps, { ...REF, cloudProject }, world.untilMs, 'run')).toBe(true);
      expect(asked).toEqual([[clients, 'subject-1']]);
    },
  );

  it('reports each statement by an event of its own, whose id says when the statement came', async () => {
    const world = stated(about('sessions-revoked'));
    for (const jti of ['j-1', 'j-2']) {
      await world.take({ jti });
      await workOnStatement(world.deps, { ...REF, jti }, world.untilMs, 'run');
    }
    const ids = world.table.events.map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(2);
    const time = ulid(START_SEC * 1000, Buffer.alloc(10)).slice(0, 10);
    expect(ids.map((id) => id.slice(0, 10))).toEqual([time, time]);
  });

  it.each(['sessions-revoked', 'account-credential-change-required', 'account-enabled', 'verification'] as const)(
    'RI-10: reports %s by an event only',
    async (type) => {
      const world = stated(about(type));
      await world.take();
      expect(await world.work()).toBe(true);
      expect([world.asked, world.types()]).toEqual([[], ['ConnectionSecurityEvent']]);
    },
  );

  it('says with its event what Google stated, why, and when', async () => {
    const world = stated(about('account-disabled', { reason: 'bulk-account' }), () => tokens());
    await world.take();
    await world.work();
    expect(world.table.events).toMatchObject([
      {
        eventType: 'ConnectionSecurityEvent',
        subject: { accountId: 'default', integrationId: 'drive', connectionId: 'c1' },
        says: {
          security_event: 'account-disabled',
          stated_reason: 'bulk-account',
          stated_at: new Date(START_SEC * 1000).toISOString(),
        },
        occurredAt: new Date(START_SEC * 1000).toISOString(),
        requestId: 'run',
      },
    ]);
  });

  it.each([
    ['hijacking', true],
    ['bulk-account', false],
    [undefined, false],
  ])(
    'sends nothing any more under its access token before Google has answered, after %s',
    async (reason, isDropped) => {
      const row = connection({ accessTokenExpiresAtEpochSec: START_SEC + 3000 });
      const world = stated(about('account-disabled', { reason }), () => LOST, { row });
      await world.take();
      await world.work();
      const expiresAt = world.table.row?.accessTokenExpiresAtEpochSec ?? Number.NaN;
      expect(expiresAt <= START_SEC).toBe(isDropped);
    },
  );
});

describe('a connection of whose token alone Google speaks', () => {
  const TOKEN = 'refresh-0';
  const [BY_PREFIX, BY_HASH] = printsOfToken(TOKEN);
  const named = (tokenPrint = BY_PREFIX) => about('token-revoked', { subject: undefined, tokenPrint });
  /** Where it is found by its token. */
  const places = ({ table }: ReturnType<typeof stated>) =>
    table.memory.ofType('listed').filter(({ pk, left }) => String(pk).includes('#TOKEN#') && left === undefined);

  it.each([
    ['its first characters', BY_PREFIX],
    ['a hash of it', BY_HASH],
  ])(
    'RI-14: a connection of whose token alone Google speaks is found by %s, asked for at once, and found no more once its token is erased',
    async (_, print) => {
      const world = stated(named(print));
      await world.take();
      expect(places(world)).toHaveLength(2);
      expect(await world.work()).toBe(true);
      expect(world.table.row?.death).toMatchObject({ cause: 'token_revoked', certain: true });
      expect([world.table.row?.encryptedRefreshToken, world.table.row?.tokenPrints]).toEqual([undefined, undefined]);
      expect(world.types()).toEqual(['ConnectionSecurityEvent', 'ConnectionReauthorizationRequired']);
      expect([places(world), await world.waiting()]).toEqual([[], false]);
    },
  );

  it.each([
    ['', {}],
    [', and no account of it is known', { providerAccount: undefined }],
  ])(
    'RI-14: a connection of whose token alone Google speaks is found after its death, which was a guess, too%s',
    async (_, changes) => {
      const world = stated(named(), undefined, { row: connection(changes) });
      await world.refresh();
      expect(world.table.row?.death).toMatchObject({ certain: false });
      await world.take();
      expect(await world.work()).toBe(true);
      expect(world.table.row?.death).toMatchObject({ cause: 'token_revoked', certain: true });
      expect([world.table.row?.encryptedRefreshToken, places(world)]).toEqual([undefined, []]);
      expect(world.types()).toContain('ConnectionCauseProven');
    },
  );

  it.each([
    ['of another project', { clientId: '1234-b.apps.googleusercontent.com' }],
    ['whose token only begins alike, as far as it is kept', { encryptedRefreshToken: 'enc:another token' }],
    ['that has another token since', { tokenPrints: keptPrints('another token', true) }],
    ['that an earlier version has made', { tokenPrints: undefined }],
    ['that has no token any more', { encryptedRefreshToken: undefined }],
    ['that was deleted', { status: 'deleted' }],
  ] as const)('RI-14: a connection of whose token alone Google speaks is not one %s', async (_, now) => {
    const world = stated(named(), undefined, { row: connection(now) });
    await world.take();
    expect(await world.work()).toBe(true);
    expect([world.asked, world.types(), await world.waiting()]).toEqual([[], [], false]);
  });

  it('RI-14: a connection of whose token alone Google speaks that an earlier version has made is found from its next refresh on', async () => {
    const world = stated(named(), () => tokens(), { row: connection({ tokenPrints: undefined }) });
    await world.refresh();
    expect(places(world)).toHaveLength(2);
    await world.take({ issuedAtEpochSec: START_SEC + 1 });
    expect(await world.work()).toBe(true);
    expect([world.types(), world.asked.length]).toEqual([['ConnectionSecurityEvent'], 2]);
  });

  it('RI-14: a connection of whose token alone Google speaks is found by the token that replaced another, and not by the other', async () => {
    const world = stated(named(), () => tokens({ refresh_token: 'refresh-1' }));
    await world.refresh();
    await world.take();
    await world.take({ jti: 'j-2', event: named(printsOfToken('refresh-1')[0]) });
    expect(await world.work()).toBe(true);
    expect(world.types()).toEqual([]);
    expect(await workOnStatement(world.deps, { ...REF, jti: 'j-2' }, world.untilMs, 'run')).toBe(true);
    expect(world.types()).toEqual(['ConnectionSecurityEvent']);
  });

  it('RI-14: a connection of whose token alone Google speaks is looked for in every account that has registered the project, and in no other', async () => {
    const world = stated(named());
    await world.take();
    const asked: string[] = [];
    const page: typeof world.deps.lists.page = (accountId, ...rest) => {
      asked.push(accountId);
      return world.deps.lists.page(accountId, ...rest);
    };
    world.table.memory.put({
      ...{ pk: `SECURITYPROJECT#${PROJECT}`, sk: 'PROJECT', type: 'security_project', registeredAtEpochSec: 1 },
      accountIds: ['first', 'default'],
    });
    expect(await workOnStatement({ ...world.deps, lists: { page } }, REF, world.untilMs, 'run')).toBe(true);
    expect(asked).toEqual(['first', 'default']);
    expect(world.table.row?.death).toMatchObject({ cause: 'token_revoked' });
  });
});

describe('a refresh that Google refuses', () => {
  it('RI-10: a refresh that Google refuses has its certain cause from what was stated since the consent, and from nothing older', async () => {
    const world = stated(about('tokens-revoked'));
    await world.take();
    await world.refresh();
    expect(world.table.row?.death).toMatchObject({ cause: 'user_revoked', certain: true });
    const old = stated(about('tokens-revoked'), undefined, { issuedAtEpochSec: connection().consentedAtEpochSec - 1 });
    await old.take();
    await old.refresh();
    expect(old.table.row?.death).toMatchObject({ certain: false });
    expect(old.table.row?.death?.evidence).toBeUndefined();
  });

  it('a refresh that Google refuses is a guess with a provider that states no such things, whatever is on record', async () => {
    const world = stated(about('tokens-revoked'));
    await world.take();
    const { endsAreStated: _, ...grants } = google.grants;
    const endpointsOf = () => endpointsAt({ server: { ...google, grants } });
    const refresher = world.refresher('me', direct, { endpointsOf });
    await refresher.refresh(connection(), integration(), { wait: false, force: false, requestId: 'request-1' });
    expect(world.table.row?.death).toMatchObject({ cause: 'user_revoked', certain: false });
  });

  it('a refresh that Google refuses is a guess where statements cannot be read, and the log says so', async () => {
    const world = stated(about('tokens-revoked'));
    await world.take();
    world.failing.add('evidence.statedEnd');
    await world.refresh();
    expect(world.table.row?.death).toMatchObject({ certain: false });
    expect(world.table.row?.encryptedRefreshToken).toBe('enc:refresh-0');
    expect(world.logged).toContainEqual(['warn', 'statements of the provider could not be read', { code: 'Away' }]);
  });
});

describe('a connection that has died already', () => {
  /** Dead of a cause that nobody knows. */
  async function dead(event: SecurityEvent, provider: Parameters<typeof stated>[1] = () => INVALID_GRANT) {
    const world = stated(event, provider);
    await world.refresh();
    expect(world.table.row?.death).toMatchObject({ certain: false });
    world.asked.length = 0;
    world.clock.advance(30);
    return world;
  }

  it('RI-10, RI-16: gets its certain cause, once, and loses its tokens where they were revoked', async () => {
    const world = await dead(about('tokens-revoked'));
    await world.take();
    expect(await world.work()).toBe(true);
    expect(world.table.row).toMatchObject({ death: { cause: 'user_revoked', certain: true } });
    expect(world.table.row?.encryptedRefreshToken).toBeUndefined();
    expect(world.asked).toEqual([]);
    const [, , proven] = world.table.events;
    expect(proven?.sequence).toBe(world.table.row?.sequence);
    // The second that is numbered, after the death: what was stated is recorded with the connection's own history.
    expect(proven?.sequence).toBe(connection().sequence + 2);
    expect(proven?.remedy).toMatch(/^The user removed the app .*\. \S/);
    expect(proven).toMatchObject({ eventType: 'ConnectionCauseProven', cause: 'user_revoked', health: 'dead' });
    expect(proven?.remedy).toBe(proven?.remedy?.trim());
    await world.take({ jti: 'j-2' });
    await workOnStatement(world.deps, { ...REF, jti: 'j-2' }, world.untilMs, 'again');
    expect(world.types().filter((type) => type === 'ConnectionCauseProven')).toHaveLength(1);
  });

  it('RI-16: a connection that has died already whose cause was certain keeps it, and loses its tokens once they were revoked', async () => {
    const world = stated(about('tokens-revoked'), () =>
      answer(400, { error: 'invalid_grant', error_subtype: 'invalid_rapt' }),
    );
    await world.refresh();
    const { death } = world.table.row ?? {};
    expect(death).toMatchObject({ cause: 'session_length_over', certain: true });
    await world.take();
    expect(await world.work()).toBe(true);
    expect(world.table.row?.death).toMatchObject({ cause: 'session_length_over', tokensRevoked: true });
    expect(world.table.row?.encryptedRefreshToken).toBeUndefined();
    expect(world.types()).not.toContain('ConnectionCauseProven');
    const again = stated(about('account-purged'), () =>
      answer(400, { error: 'invalid_grant', error_subtype: 'invalid_rapt' }),
    );
    await again.refresh();
    await again.take();
    expect(await again.work()).toBe(true);
    expect(again.table.row?.encryptedRefreshToken).toBe('enc:refresh-0');
  });

  it('keeps its tokens where the account is unavailable, and is tried again when it is enabled', async () => {
    let isEnabled = false;
    const world = await dead(about('account-disabled'), () => (isEnabled ? tokens() : INVALID_GRANT));
    await world.take();
    await world.work();
    expect(world.table.row).toMatchObject({
      death: { cause: 'account_unavailable' },
      encryptedRefreshToken: 'enc:refresh-0',
    });
    isEnabled = true;
    await world.take({ jti: 'j-2', event: about('account-enabled'), issuedAtEpochSec: START_SEC + 30 });
    expect(await workOnStatement(world.deps, { ...REF, jti: 'j-2' }, world.untilMs, 'run')).toBe(true);
    expect(world.table.row).toMatchObject({ status: 'active', death: undefined });
  });

  it('a connection that has died already whose cause is a guess is tried again, too, because the statement that the account was disabled may have been lost', async () => {
    let isEnabled = false;
    const world = await dead(about('account-enabled'), () => (isEnabled ? tokens() : INVALID_GRANT));
    expect(world.table.row?.death).toMatchObject({ certain: false });
    isEnabled = true;
    await world.take({ issuedAtEpochSec: START_SEC + 30 });
    expect(await world.work()).toBe(true);
    expect(world.table.row).toMatchObject({ status: 'active', death: undefined });
  });

  it('a connection that has died already is not asked for when its account is enabled, where its cause was certain and another', async () => {
    const world = stated(about('account-enabled'), () =>
      answer(400, { error: 'invalid_grant', error_subtype: 'invalid_rapt' }),
    );
    await world.refresh();
    world.asked.length = 0;
    await world.take({ issuedAtEpochSec: START_SEC + 30 });
    expect(await world.work()).toBe(true);
    expect(world.asked).toEqual([]);
  });

  it('a connection that has died already is not asked for without tokens, nor written again', async () => {
    const world = await dead(about('tokens-revoked'));
    await world.take();
    await world.work();
    expect(world.table.row?.encryptedRefreshToken).toBeUndefined();
    const { row } = world.table;
    await world.take({ jti: 'j-2' });
    await world.take({ jti: 'j-3', event: about('account-enabled'), issuedAtEpochSec: START_SEC + 30 });
    world.failing.add('connections.explainDeath');
    for (const jti of ['j-2', 'j-3']) {
      expect(await workOnStatement(world.deps, { ...REF, jti }, world.untilMs, 'run')).toBe(true);
    }
    expect(world.asked).toEqual([]);
    expect(world.table.row).toEqual(row);
  });

  it('keeps a guess that no statement proves', async () => {
    const world = await dead(about('tokens-revoked'));
    // An hour and more behind the death it explains nothing.
    await world.take({ issuedAtEpochSec: START_SEC + 4000 });
    expect(await world.work()).toBe(true);
    expect(world.table.row?.death).toMatchObject({ certain: false });
  });

  it.each([
    ['whose cause was a guess', INVALID_GRANT],
    ['whose cause was certain', answer(400, { error: 'invalid_grant', error_subtype: 'invalid_rapt' })],
  ])('%s is looked at again where somebody else has changed it meanwhile', async (_, died) => {
    const world = stated(about('tokens-revoked'), () => died);
    await world.refresh();
    await world.take();
    world.deps.connections.explainDeath = async () => false;
    expect(await world.work()).toBe(false);
    expect(await world.waiting()).toBe(true);
  });
});

describe('the work on a statement', () => {
  it.each([
    ['an answer that was lost', LOST],
    ['a call that never left', UNSENT],
    ['a client that Google refuses', answer(401, { error: 'invalid_client' })],
  ])('the work on a statement is put off after %s, and done later', async (_, failure) => {
    const replies = [failure, failure];
    const world = stated(about('tokens-revoked'), () => replies.pop() ?? INVALID_GRANT);
    await world.take();
    expect(await world.work()).toBe(false);
    expect(await world.dueIn()).toBeGreaterThan(0);
    world.clock.advance(3600);
    replies.length = 0;
    await workOnStatement(world.deps, REF, world.untilMs + 7_200_000, 'later');
    world.clock.advance(3600);
    await workOnStatement(world.deps, REF, world.untilMs + 14_400_000, 'later');
    expect(world.table.row).toMatchObject({ death: { cause: 'user_revoked' } });
    expect(await world.waiting()).toBe(false);
    // One for the connection, however often the work was tried.
    expect(world.types().filter((type) => type === 'ConnectionSecurityEvent')).toHaveLength(1);
  });

  it('waits longer after each failure, and ends after a day', async () => {
    const world = stated(about('tokens-revoked'), () => LOST);
    await world.take();
    const waits: number[] = [];
    for (let round = 0; round < 3; round++) {
      const before = world.clock.nowMs() / 1000 - START_SEC;
      await workOnStatement(world.deps, REF, Number.POSITIVE_INFINITY, 'run');
      waits.push((await world.dueIn()) - before);
      world.clock.advance(4000);
    }
    expect(waits[0]).toBeGreaterThan(0);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    world.clock.advance(STATEMENT_WORK_SEC);
    await workOnStatement(world.deps, REF, Number.POSITIVE_INFINITY, 'run');
    expect(await world.waiting()).toBe(false);
  });

  it('the work on a statement is counted and logged where it fails, still tries the other connections, and is done later', async () => {
    const world = stated(about('tokens-revoked'), () => INVALID_GRANT);
    const second = connection({ connectionId: 'c2' });
    world.table.memory.put(connectionToItem(second));
    await world.take();
    const { refresh } = world.deps.refresher;
    let fails = true;
    world.deps.refresher.refresh = (one, ...rest) =>
      fails && one.connectionId === 'c1'
        ? Promise.reject(new Error('The table is away'))
        : refresh.call(world.refresher('me', direct), one, ...rest);
    expect(await world.work()).toBe(false);
    expect(world.counted).toContain('SecurityEventWorkFailed');
    expect(world.logged).toContainEqual([
      'error',
      'a security event could not be worked on',
      { requestId: 'run' },
      'The table is away',
    ]);
    expect(world.table.row?.status).toBe('active');
    expect(await world.deps.connections.read(second)).toMatchObject({ status: 'reauthorization_required' });
    fails = false;
    expect(await workOnStatement(world.deps, REF, Number.POSITIVE_INFINITY, 'run')).toBe(true);
    expect(world.table.row?.status).toBe('reauthorization_required');
  });

  it('the work on a statement is done where Google refuses the connection for now: nothing more is to be heard by asking again', async () => {
    const world = stated(about('tokens-revoked'), () => answer(403, { error: 'something_new' }));
    await world.take();
    expect(await world.work()).toBe(true);
    expect([world.asked.length, await world.waiting()]).toEqual([1, false]);
  });

  it.each([
    ['answered by a refresh that began before the statement came', { kind: 'fresh', accessToken: undefined }],
    ['that another process is at', { kind: 'busy' }],
  ] as const)('the work on a statement is done again where it was %s', async (_, outcome) => {
    const world = stated(about('tokens-revoked'));
    await world.take();
    world.deps.refresher.refresh = async (one) => ({ ...outcome, connection: one });
    expect([await world.work(), await world.waiting()]).toEqual([false, true]);
  });

  it('the work on a statement is done where the connection has gone meanwhile', async () => {
    const world = stated(about('tokens-revoked'));
    await world.take();
    world.deps.refresher.refresh = async () => ({ kind: 'gone' });
    expect([await world.work(), await world.waiting()]).toEqual([true, false]);
  });

  it('asks Google again and waits for it, within the time that is left', async () => {
    const world = stated(about('tokens-revoked'));
    await world.take();
    const asked: unknown[] = [];
    world.deps.refresher.refresh = async (one, _, options) => {
      asked.push(options);
      return { kind: 'busy', connection: one };
    };
    const nowMs = world.clock.nowMs();
    for (const leftMs of [600_000, 20_000, 200]) {
      await workOnStatement(world.deps, REF, nowMs + leftMs, 'run');
    }
    const options = { wait: true, force: true, requestId: 'run' };
    expect(asked).toEqual([60_000, 20_000, 1_000].map((budgetMs) => ({ ...options, budgetMs })));
  });

  it('continues past a row that cannot be read, and says so', async () => {
    const world = stated(about('tokens-revoked'));
    world.table.memory.put(connectionToItem(connection({ connectionId: 'c2' })));
    await world.take();
    const { read } = world.deps.connections;
    world.deps.connections.read = (ref) =>
      ref.connectionId === 'c2'
        ? Promise.reject(Object.assign(new Error('damaged'), { name: 'UnreadableItemError' }))
        : read(ref);
    expect(await world.work()).toBe(true);
    expect(world.table.row?.death).toMatchObject({ cause: 'user_revoked' });
    expect(world.logged).toContainEqual([
      'error',
      'a connection that a security event concerns cannot be read',
      {},
      'damaged',
    ]);
    world.deps.connections.read = () => Promise.reject(new Error('The table is away'));
    await world.take({ jti: 'j-2' });
    expect(await workOnStatement(world.deps, { ...REF, jti: 'j-2' }, world.untilMs, 'run')).toBe(false);
  });

  it('passes over an integration that is gone, and a statement whose work is done', async () => {
    const world = stated(about('tokens-revoked'));
    await world.take();
    world.table.integration = undefined;
    expect(await world.work()).toBe(true);
    expect(world.asked).toEqual([]);
    expect(await world.work()).toBeUndefined();
    expect(await workOnStatement(world.deps, { ...REF, jti: 'unknown' }, world.untilMs, 'run')).toBeUndefined();
  });

  it('begins nothing once its time is over', async () => {
    const world = stated(about('tokens-revoked'));
    await world.take();
    expect(await workOnStatement(world.deps, REF, START_SEC * 1000, 'run')).toBe(false);
    expect([world.asked, await world.waiting()]).toEqual([[], true]);
  });
});

test('SH-3: a sweep does what no wake-up did: each statement of its shard once, whatever becomes of another', async () => {
  const world = stated(about('tokens-revoked'));
  await world.take();
  const shards = Array.from({ length: 64 }, (_, shard) => shard);
  const sweepAll = async () => {
    let found = 0;
    for (const shard of shards) found += await sweepStatements(world.deps, shard, world.untilMs, 'sweep');
    return found;
  };
  const { read } = world.deps.statements;
  world.deps.statements.read = () => Promise.reject(new Error('The table is away'));
  expect(await sweepAll()).toBe(1);
  expect(world.counted).toContain('SecurityEventWorkFailed');
  expect(world.logged).toContainEqual([
    'error',
    'a security event could not be worked on',
    { requestId: 'sweep' },
    'The table is away',
  ]);
  world.deps.statements.read = read;
  expect([await sweepAll(), world.table.row?.death?.cause]).toEqual([1, 'user_revoked']);
  expect(await sweepAll()).toBe(0);
});

test('a sweep whose time is over leaves its statements to the next one', async () => {
  const world = stated(about('tokens-revoked'));
  await world.take();
  const due = await world.dueIn();
  for (let shard = 0; shard < 64; shard++) await sweepStatements(world.deps, shard, START_SEC * 1000, 'sweep');
  expect([world.asked, await world.waiting()]).toEqual([[], true]);
  expect(await world.dueIn(), 'not put off either').toBe(due);
});

test('a request for work names its statement, or nothing', () => {
  expect(readStatementRef({ ...REF, more: 1 })).toEqual(REF);
  for (const wish of [
    undefined,
    null,
    'tick',
    {},
    { ...REF, index: '0' },
    { ...REF, jti: 1 },
    { ...REF, cloudProject: 1 },
  ])
    expect(readStatementRef(wish)).toBeUndefined();
});
