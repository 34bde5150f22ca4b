import { beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { delegatedDomainStore } from '../../../lambdas/gateway/tokens/delegated-domain.store.ts';
import type { DelegatedDomain } from '../../../lambdas/gateway/tokens/delegation.rules.ts';
import {
  DelegatedDomains,
  domainOfConnection,
  subjectRefresher,
} from '../../../lambdas/gateway/tokens/refresh-for-subject.ts';
import type { RefreshOptions } from '../../../lambdas/gateway/tokens/refresher.ts';
import { connection, START_SEC } from './support/connection.ts';
import { CALENDAR, DRIVE, delegated, delegation, delegationWorld, refusal, USER } from './support/delegation.ts';
import { answer, direct, LOST, refreshWorld, tokens } from './support/refresh-world.ts';

const REF = { accountId: 'default', integrationId: 'drive' };
const DOMAIN = 'one.example';
const SINCE = new Date(START_SEC * 1000).toISOString();
const NOT_LISTED = refusal('unauthorized_client', 'Client is unauthorized', 401);

/** The connection of the user; `changes` win. */
function userRow(changes: Partial<Connection> = {}): Connection {
  return connection({
    delegated: true,
    encryptedRefreshToken: `enc:${USER}`,
    encryptedAccessToken: undefined,
    accessTokenExpiresAtEpochSec: 0,
    requestedScopes: [DRIVE],
    grantedScopes: [DRIVE],
    refreshAtEpochSec: undefined,
    providerAccount: { subject: USER, email: USER },
    ...changes,
  });
}

/** Processes that refresh connections of a domain, over one table. */
function domainWorld() {
  const google = delegationWorld();
  const world = refreshWorld(userRow(), delegated());
  const store = delegatedDomainStore(world.table.memory.table);
  const reads: string[] = [];
  const process = (owner: string) => {
    const domains = new DelegatedDomains({
      store: {
        ...store,
        read: (ref, domain) => {
          reads.push(owner);
          return store.read(ref, domain);
        },
      },
      clock: world.clock,
      random: world.random,
      endpointsOf: google.endpointsOf,
    });
    const bySubject = subjectRefresher({ tokens: google.tokens, domains });
    const refresher = world.refresher(owner, direct, { delegation: bySubject });
    return {
      domains,
      settled: (isForced = false) => bySubject.settled(world.table.row ?? userRow(), isForced),
      /** @param known the integration as the process remembers it */
      refresh: (options: Partial<RefreshOptions> = {}, known = world.table.integration ?? delegated()) =>
        refresher.refresh(world.table.row ?? userRow(), known, {
          wait: false,
          force: false,
          requestId: 'request-1',
          ...options,
        }),
    };
  };
  const advance = (sec: number) => {
    world.clock.advance(sec);
    google.script.nowMs = world.clock.nowMs();
  };
  return {
    ...google,
    table: world.table,
    failing: world.failing,
    logged: world.logged,
    counted: world.counted,
    store,
    reads,
    process,
    me: process('me'),
    advance,
    domain: () => store.read(REF, DOMAIN),
    events: () => world.table.integrationEvents.map(({ eventType }) => eventType),
  };
}

let world: ReturnType<typeof domainWorld>;
beforeEach(() => {
  world = domainWorld();
});

describe('a connection without a person', () => {
  test('SA-22: gets a token for the user of its row, for all scopes of its integration', async () => {
    // Nobody’s name in the row but the sealed one is asked for.
    world.table.row = userRow({ providerAccount: { subject: 'x@one.example', email: 'x@one.example' } });
    expect(await world.me.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
    expect(world.presented.map(({ claims }) => [claims.sub, claims.scope])).toEqual([[USER, `${DRIVE} ${CALENDAR}`]]);
    expect(world.table.row).toMatchObject({
      encryptedAccessToken: 'enc:access-1',
      encryptedRefreshToken: `enc:${USER}`,
      accessTokenExpiresAtEpochSec: START_SEC + 3599,
      grantedScopes: [DRIVE, CALENDAR],
      refreshLease: undefined,
    });
  });

  test('SA-25: keeps what it is bound to, whatever the answer holds, and is not due', async () => {
    world.script.answer = () => tokens({ refresh_token: 'refresh-1', scope: 'openid' });
    const outcome = await world.me.refresh();
    expect(world.table.row).toMatchObject({ encryptedRefreshToken: `enc:${USER}`, grantedScopes: [DRIVE, CALENDAR] });
    // Nor is it found by a refresh token, which it has none of; neither in the table nor for who continues with it.
    const unwritten = { refreshAtEpochSec: undefined, tokenPrints: undefined };
    expect(world.table.row).toMatchObject(unwritten);
    expect(outcome).toMatchObject({ kind: 'fresh', connection: unwritten });
  });

  test('takes the time that its refresh has', async () => {
    await world.me.refresh({ budgetMs: 3_000 });
    expect(world.presented[0]?.timeoutMs).toBeLessThanOrEqual(3_000);
  });

  test.each([
    ['taken off the list', delegation({ subjects: { domains: ['two.example'], addresses: [], exceptions: [] } })],
    ['excepted', delegation({ subjects: { domains: [DOMAIN], addresses: [], exceptions: [USER] } })],
  ])(
    'SA-20: a connection without a person of a user who was %s dies before anything is signed, also where a process knows it otherwise',
    async (_, now) => {
      world.table.integration = delegated({ delegation: now });
      expect(await world.me.refresh({}, delegated())).toMatchObject({
        kind: 'dead',
        death: { cause: 'subject_not_allowed', certain: true, since: SINCE },
      });
      expect(world.presented).toEqual([]);
      expect(world.table.row?.death?.cause).toBe('subject_not_allowed');
    },
  );

  test('a connection without a person is the operator’s where its integration has no service account any more', async () => {
    world.table.integration = delegated({ delegation: undefined });
    expect(await world.me.refresh()).toMatchObject({ kind: 'client_fault', error: 'credentials_missing' });
    expect(world.presented).toEqual([]);
  });

  test('a connection without a person is the operator’s, too, in a process that makes no tokens for users, and spends nothing', async () => {
    const without = refreshWorld(userRow(), delegated());
    expect(await without.refresh()).toMatchObject({ kind: 'client_fault', error: 'credentials_missing' });
    expect(without.asked).toEqual([]);
    expect(without.table.row).toMatchObject({ attemptHash: undefined, refreshLease: undefined });
  });

  test('SA-24: a connection without a person is not at fault where the key is: the integration is marked, with one event', async () => {
    world.script.answer = () => refusal('invalid_grant', 'Invalid JWT Signature.');
    expect(await world.me.refresh()).toMatchObject({ kind: 'client_fault', error: 'service_account_key_refused' });
    expect(world.table.row).toMatchObject({ status: 'active', refreshLease: undefined, failureCount: 0 });
    expect(world.table.integration?.clientFault?.error).toBe('service_account_key_refused');
    expect(world.events()).toEqual(['IntegrationCredentialsRejected']);
    // The next success takes the mark away.
    world.script.answer = () => tokens();
    expect(await world.process('another').refresh({ force: true })).toMatchObject({ kind: 'fresh' });
    expect(world.table.integration?.clientFault).toBeUndefined();
    expect(world.events()).toEqual(
      expect.arrayContaining(['IntegrationRecovered', 'DelegationGranted', 'IntegrationCredentialsRejected']),
    );
  });

  test.each<[string, ReturnType<typeof refusal>, string, boolean]>([
    ['unknown', refusal('invalid_grant', 'Not a valid email'), 'subject_unknown', true],
    ['gone', refusal('invalid_grant', 'The account has been deleted'), 'account_unavailable', true],
    ['restricted', refusal('access_denied', 'Account restricted'), 'account_restricted', true],
    ['under API controls', refusal('admin_policy_enforced'), 'admin_restricted', true],
    ['without one of the scopes', refusal('access_denied', ''), 'delegation_incomplete', false],
    ['refused in other words', refusal('invalid_grant', 'Bad Request'), 'subject_unknown', false],
  ])('SA-23: dies where its user is %s, and its domain does not', async (_, said, cause, certain) => {
    world.script.answer = ({ claims }) => ('sub' in claims ? said : tokens());
    expect(await world.me.refresh()).toMatchObject({ kind: 'dead', death: { cause, certain, since: SINCE } });
    expect(world.table.row).toMatchObject({ status: 'reauthorization_required', death: { cause } });
    expect(world.table.events.map(({ eventType }) => eventType)).toEqual(['ConnectionReauthorizationRequired']);
    expect(await world.domain()).toBeUndefined();
  });

  test('lives on where Google refuses its user with a code of another kind, which is shown as it is', async () => {
    world.script.answer = ({ claims }) => ('sub' in claims ? refusal('org_internal', '') : tokens());
    expect(await world.me.refresh()).toMatchObject({ kind: 'transient' });
    expect(world.table.row).toMatchObject({ status: 'active', refreshRefusal: { error: 'org_internal' } });
    expect(world.events()).toEqual([]);
  });

  test('waits where Google cannot be asked, as long as it says', async () => {
    world.script.answer = () => answer(503, '', '120');
    const outcome = await world.me.refresh();
    expect(outcome).toMatchObject({ kind: 'transient', reason: 'http_503' });
    expect(Object(outcome).retryAfterSec).toBeGreaterThanOrEqual(120);
    expect(Object(outcome)).not.toHaveProperty('refused');
    expect(world.table.row).toMatchObject({ status: 'active', failureCount: 1, refreshLease: undefined });
    expect(world.table.row?.refreshRefusal).toMatchObject({ error: 'http_503', count: 0 });
  });

  test.each<[string, string, Partial<typeof world.script>, ReturnType<typeof delegation>?]>([
    ['no service account', 'client_fault', {}],
    [
      'a key that is refused',
      'client_fault',
      { answer: () => refusal('invalid_grant', 'Invalid JWT Signature.') },
      delegation(),
    ],
    ['a domain that does not list it', 'dead', { answer: () => NOT_LISTED }, delegation()],
    ['an outage', 'transient', { answer: () => answer(503, '') }, delegation()],
    ['no answer', 'transient', { answer: () => LOST }, delegation()],
    ['a store of secrets that is away', 'transient', { hasSecrets: false }, delegation()],
  ])('spends nothing with %s: no attempt is left open', async (_, kind, changes, own) => {
    Object.assign(world.script, changes);
    world.table.integration = delegated({ delegation: own });
    expect(await world.me.refresh()).toMatchObject({ kind });
    expect(world.table.row).toMatchObject({ attemptHash: undefined, lostHash: undefined, refreshLease: undefined });
  });

  test('a connection without a person is not reported as refused where Google gives no answer for days', async () => {
    world.script.answer = () => LOST;
    for (let day = 0; day < 3; day++) {
      expect(await world.me.refresh({ force: true })).toMatchObject({
        kind: 'transient',
        reason: 'token_endpoint_timeout',
      });
      world.advance(86_400);
    }
    expect(world.table.row?.refreshRefusal).toBeUndefined();
    expect(world.table.events).toEqual([]);
  });
});

describe('SA-23: a domain that does not list the service account', () => {
  const dead = (cause: string, retryAfterSec: number) => ({
    kind: 'dead',
    connection: { status: 'reauthorization_required', death: { cause } },
    death: { cause, certain: true, providerError: 'unauthorized_client', since: SINCE },
    ofDomain: { retryAfterSec },
  });

  test('a domain that does not list the service account is noted once, with an event that says what to do; the rows of its connections are left alone', async () => {
    world.script.answer = () => NOT_LISTED;
    expect(await world.me.refresh()).toMatchObject(dead('delegation_pending', 600));
    expect(await world.domain()).toEqual<DelegatedDomain>({
      ...REF,
      domain: DOMAIN,
      status: 'lost',
      sinceEpochSec: START_SEC,
      probeAtEpochSec: START_SEC + 600,
      lookUntilEpochSec: START_SEC + 7 * 86_400,
      askedForConnectionId: 'c1',
      organizationId: undefined,
      checkedAtEpochSec: undefined,
    });
    expect(world.table.row).toMatchObject({ status: 'active', failureCount: 0, refreshLease: undefined });
    expect(world.table.integration?.clientFault).toBeUndefined();
    expect(world.table.integrationEvents).toMatchObject([
      {
        eventType: 'DelegationLost',
        sequence: 0,
        subject: REF,
        says: { domain: DOMAIN, provider_error: 'unauthorized_client' },
        remedy: expect.stringMatching(/^The administrator of .* 24 hours\. Ask the administrator to list it/),
        requestId: 'request-1',
      },
    ]);
  });

  test('answers for all of its connections without a question to Google, with the time that is left', async () => {
    world.script.answer = () => NOT_LISTED;
    await world.me.refresh();
    world.advance(599);
    for (const process of [world.me, world.process('another')]) {
      expect(await process.refresh()).toMatchObject(dead('delegation_pending', 1));
    }
    expect(world.presented).toHaveLength(1);
    expect(world.events()).toEqual(['DelegationLost']);
  });

  test('a domain that does not list the service account is asked for again after ten minutes, by one of all processes', async () => {
    world.script.answer = () => NOT_LISTED;
    await world.me.refresh();
    world.advance(600);
    const others = [world.process('another'), world.process('third'), world.me];
    const settled = await Promise.all(others.map((process) => process.settled()));
    expect(settled.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(settled.filter((outcome) => outcome !== undefined)).toMatchObject([
      dead('delegation_pending', 1),
      dead('delegation_pending', 1),
    ]);
    expect(await world.domain()).toMatchObject({ probeAtEpochSec: START_SEC + 1200, askedForConnectionId: 'c1' });
    // Who has the question sees what it wrote.
    const asker = others[settled.indexOf(undefined)];
    expect(await asker?.settled()).toMatchObject(dead('delegation_pending', 600));
  });

  test('a domain that does not list the service account is dead after a day; that it is still not listed is no news', async () => {
    world.script.answer = () => NOT_LISTED;
    await world.me.refresh();
    world.advance(86_399);
    expect(await world.me.refresh()).toMatchObject(dead('delegation_pending', 600));
    world.advance(1);
    expect(await world.me.refresh()).toMatchObject(dead('delegation_missing', 599));
    expect(world.events()).toEqual(['DelegationLost']);
  });

  test('comes back as a whole with the first success, with one event', async () => {
    world.script.answer = () => NOT_LISTED;
    await world.me.refresh();
    world.advance(600);
    world.script.answer = () => tokens();
    expect(await world.me.refresh()).toMatchObject({ kind: 'fresh' });
    expect(await world.domain()).toMatchObject({
      status: 'granted',
      sinceEpochSec: START_SEC + 600,
      // Somebody is asked for in an hour, whether it still works.
      probeAtEpochSec: START_SEC + 600 + 3600,
    });
    expect(world.events()).toEqual(['DelegationLost', 'DelegationGranted']);
    const [, granted] = world.table.integrationEvents;
    expect(granted).toMatchObject({ says: { domain: DOMAIN }, subject: REF });
    expect(granted?.says).not.toHaveProperty('provider_error');
    expect(granted?.remedy).toBeUndefined();
    expect(await world.me.settled()).toBeUndefined();
    expect(await world.process('another').settled()).toBeUndefined();
  });

  test('SA-23, SA-25: a domain that works is due every hour, until a week after its last use, which is noted once a day', async () => {
    const DAY = 86_400;
    const use = () => world.me.refresh({ force: true, usedAtEpochSec: START_SEC });
    await use();
    expect(await world.domain()).toMatchObject({
      status: 'granted',
      probeAtEpochSec: START_SEC + 3600,
      lookUntilEpochSec: START_SEC + 7 * DAY,
    });
    world.advance(DAY - 1);
    await use();
    expect(await world.domain()).toMatchObject({ lookUntilEpochSec: START_SEC + 7 * DAY });
    world.advance(61);
    await world.me.refresh({ force: true });
    expect(await world.domain(), 'by no call').toMatchObject({ lookUntilEpochSec: START_SEC + 7 * DAY });
    await use();
    expect(await world.domain()).toMatchObject({
      status: 'granted',
      probeAtEpochSec: START_SEC + DAY + 60 + 3600,
      lookUntilEpochSec: START_SEC + 8 * DAY + 60,
    });
    expect(world.events()).toEqual(['DelegationGranted']);
  });

  test('a domain that does not list the service account is asked for by hand at any time, and what this process remembers of it counts no more', async () => {
    world.script.answer = () => NOT_LISTED;
    await world.me.refresh();
    expect(await world.me.settled()).toMatchObject(dead('delegation_pending', 600));
    world.script.answer = () => tokens();
    expect(await world.me.refresh({ force: true })).toMatchObject({ kind: 'fresh' });
    expect(world.events()).toEqual(['DelegationLost', 'DelegationGranted']);
  });

  test('a domain that does not list the service account is noted as granted by a question by hand, though this process remembers it as such and has not seen it lost', async () => {
    await world.me.refresh();
    await world.me.settled();
    world.script.answer = () => NOT_LISTED;
    await world.process('another').refresh({ force: true });
    expect(await world.domain()).toMatchObject({ status: 'lost' });
    world.script.answer = () => tokens();
    expect(await world.me.refresh({ force: true })).toMatchObject({ kind: 'fresh' });
    expect(await world.domain()).toMatchObject({ status: 'granted' });
  });

  test('holds up no connection of another domain or integration', async () => {
    world.script.answer = () => NOT_LISTED;
    await world.me.refresh();
    for (const changes of [
      { providerAccount: { subject: 'a', email: 'a@two.example' } },
      { providerAccount: undefined },
      { integrationId: 'other' },
      { accountId: 'other' },
    ]) {
      expect(await world.me.domains.settled(userRow(changes), false)).toBeUndefined();
    }
  });
});

describe('what a process remembers of a domain', () => {
  test('what a process remembers of a domain that is lost ends after a second', async () => {
    world.script.answer = () => NOT_LISTED;
    await world.me.refresh();
    const another = world.process('another');
    world.script.answer = () => tokens();
    await another.refresh({ force: true });
    expect(await world.me.settled()).toMatchObject({ kind: 'dead' });
    world.advance(1);
    expect(await world.me.settled()).toBeUndefined();
  });

  test('what a process remembers of a domain that nobody has met ends after a second', async () => {
    const another = world.process('another');
    expect(await another.settled()).toBeUndefined();
    world.script.answer = () => NOT_LISTED;
    await world.me.refresh();
    expect(await another.settled()).toBeUndefined();
    world.advance(1);
    expect(await another.settled()).toMatchObject({ kind: 'dead' });
  });

  test('what a process remembers of a domain that is granted lasts a minute: tokens of its users read and write nothing of it', async () => {
    await world.me.refresh();
    await world.me.settled();
    const before = world.reads.length;
    world.advance(59);
    await world.me.domains.granted(userRow(), DOMAIN, 'request-2', true);
    expect(await world.me.settled()).toBeUndefined();
    expect(world.reads).toHaveLength(before);
    world.advance(1);
    await world.me.settled();
    expect(world.reads).toHaveLength(before + 1);
    expect(world.events()).toEqual(['DelegationGranted']);
  });
});

test('a connection with a person behind it is refreshed as ever, whatever became of the domain of its address', async () => {
  world.script.answer = () => NOT_LISTED;
  await world.me.refresh();
  world.table.row = connection({ providerAccount: { subject: 'subject-1', email: USER } });
  expect(await world.me.refresh()).toMatchObject({ kind: 'fresh', accessToken: 'access-1' });
});

test('the domain of a connection is its user’s, lower case', () => {
  expect(domainOfConnection(userRow({ providerAccount: { subject: '', email: 'User@One.Example' } }))).toBe(DOMAIN);
  expect(domainOfConnection(userRow({ providerAccount: undefined }))).toBe('');
});
