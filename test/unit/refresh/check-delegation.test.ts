import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { eventFromItem } from '../../../lambdas/gateway/events/event.store.ts';
import type { Integration } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import { checkDelegation } from '../../../lambdas/gateway/tokens/check-delegation.ts';
import { delegatedDomainStore } from '../../../lambdas/gateway/tokens/delegated-domain.store.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { DelegatedDomains } from '../../../lambdas/gateway/tokens/refresh-for-subject.ts';
import { integration, START_SEC } from './support/connection.ts';
import { CALENDAR, DRIVE, delegated, delegationWorld, type Presented, refusal, USER } from './support/delegation.ts';
import { answer, tokens } from './support/refresh-world.ts';

const REF = { accountId: 'default', integrationId: 'drive' };
const DOMAIN = 'one.example';
const NOT_LISTED = refusal('unauthorized_client', 'Client is unauthorized', 401);
const SCOPE_NOT_LISTED = refusal('access_denied', 'Requested client not authorized.');

/** A process that checks, over a table of its own. */
function checker() {
  const world = delegationWorld();
  const memory = new MemoryTable();
  const store = delegatedDomainStore(memory.table);
  const clock = { nowMs: () => world.script.nowMs };
  let drawn = 0;
  const random = { bytes: (length: number) => new Uint8Array(length).fill(++drawn), number: () => 0.5 };
  const { endpointsOf } = world;
  const domains = new DelegatedDomains({ store, clock, random, endpointsOf });
  const deps = { delegation: { tokens: world.tokens, domains }, delegatedDomains: store, endpointsOf, clock };
  return {
    ...world,
    store,
    domains,
    events: () => memory.ofType('event').map(eventFromItem),
    check: (address = USER, organizationId?: string, app: Integration = delegated()) =>
      checkDelegation(deps, app, { address, organizationId, requestId: 'request-1' }),
  };
}

/** The failure that a check ends with. */
async function failure(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayError)) throw new Error(`Expected a GatewayError, got ${String(error)}`);
  return { code: error.code, message: error.message, retryAfterSec: error.retryAfterSec };
}

let world: ReturnType<typeof checker>;
beforeEach(() => {
  world = checker();
});

/** Users and scopes of the requests to the token endpoint. */
const asked = () => world.presented.map(({ claims }) => `${claims.sub} ${claims.scope}`);
/** A token endpoint that lists these scopes, and refuses a request with any other. */
const lists =
  (listed: readonly string[], refused: TokenCallResult) =>
  ({ claims }: Presented) =>
    String(claims.scope)
      .split(' ')
      .every((scope) => listed.includes(scope))
      ? tokens()
      : refused;

describe('a check of whether a service account may act for a user', () => {
  test('a check of whether a service account may act for a user that works asks once for all scopes, and notes the domain as granted', async () => {
    expect(await world.check('USER@One.Example', 'org-1')).toEqual({
      domain: DOMAIN,
      works: true,
      scopes: [
        { scope: DRIVE, status: 'listed' },
        { scope: CALENDAR, status: 'listed' },
      ],
      death: undefined,
    });
    expect(asked()).toEqual([`${USER} ${DRIVE} ${CALENDAR}`]);
    expect(world.presented[0]?.timeoutMs).toBe(8_000);
    expect(await world.store.read(REF, DOMAIN)).toMatchObject({
      status: 'granted',
      organizationId: 'org-1',
      checkedAtEpochSec: START_SEC,
    });
    expect(world.events()).toMatchObject([
      { eventType: 'DelegationGranted', subject: REF, says: { domain: DOMAIN }, requestId: 'request-1' },
    ]);
  });

  test('names the scope that is missing, by asking for each alone', async () => {
    world.script.answer = lists([DRIVE], SCOPE_NOT_LISTED);
    const { death, ...said } = await world.check();
    expect(said).toEqual({
      domain: DOMAIN,
      works: false,
      scopes: [
        { scope: DRIVE, status: 'listed' },
        { scope: CALENDAR, status: 'not_listed' },
      ],
    });
    expect(death).toMatchObject({
      cause: 'delegation_incomplete',
      certain: false,
      providerError: 'access_denied',
      since: new Date(START_SEC * 1000).toISOString(),
    });
    expect(asked()).toEqual([`${USER} ${DRIVE} ${CALENDAR}`, `${USER} ${DRIVE}`, `${USER} ${CALENDAR}`]);
    // Nothing is on record of a domain that was only looked at.
    expect(await world.store.read(REF, DOMAIN)).toBeUndefined();
  });

  test('a domain without any of them is waited for from now on', async () => {
    world.script.answer = () => NOT_LISTED;
    expect(await world.check()).toMatchObject({
      works: false,
      scopes: [{ status: 'not_listed' }, { status: 'not_listed' }],
      death: { cause: 'delegation_pending', certain: true, since: new Date(START_SEC * 1000).toISOString() },
    });
    expect(asked()).toHaveLength(3);
  });

  test('a check of whether a service account may act for a user has no other question where there is one scope', async () => {
    world.script.answer = () => NOT_LISTED;
    const app = delegated({ scopes: [DRIVE] });
    expect((await world.check(USER, undefined, app)).scopes).toEqual([{ scope: DRIVE, status: 'not_listed' }]);
    expect(asked()).toHaveLength(1);
  });

  test('knows nothing of a scope about which there is no answer', async () => {
    world.script.answer = ({ claims }) => (claims.scope === DRIVE ? answer(503, '') : NOT_LISTED);
    expect((await world.check()).scopes.map(({ status }) => status)).toEqual(['unknown', 'not_listed']);
  });

  test.each<[string, TokenCallResult, string]>([
    ['unknown', refusal('invalid_grant', 'Invalid email or User ID'), 'subject_unknown'],
    ['gone', refusal('invalid_grant', 'The account has been deleted'), 'account_unavailable'],
    ['restricted', refusal('access_denied', 'Account restricted'), 'account_restricted'],
    ['under API controls', refusal('admin_policy_enforced'), 'admin_restricted'],
  ])('SA-23: of a user who is %s says that, and nothing of scopes', async (_, refused, cause) => {
    world.script.answer = ({ claims }) => ('sub' in claims ? refused : tokens());
    expect(await world.check()).toMatchObject({
      works: false,
      scopes: [{ status: 'unknown' }, { status: 'unknown' }],
      death: { cause, certain: true },
    });
    expect(asked().filter((one) => one.startsWith(USER))).toHaveLength(1);
  });

  test('ends within what a request of the management API has', async () => {
    world.script.answer = () => {
      world.script.nowMs += 5_000;
      return NOT_LISTED;
    };
    expect((await world.check()).scopes.map(({ status }) => status)).toEqual(['not_listed', 'not_listed']);
    expect(world.presented.map(({ timeoutMs }) => timeoutMs)).toEqual([8_000, 7_000, 2_000]);
  });
});

describe('a check fails', () => {
  test.each<[string, string, Integration]>([
    ['a user of another domain', 'user@two.example', delegated()],
    ['a user who is excepted', 'boss@one.example', delegated()],
    ['what is no address', 'one.example', delegated()],
    ['an integration that acts for nobody', USER, integration()],
  ])('SA-20: for %s, before anything is sent', async (_, address, app) => {
    expect(await failure(world.check(address, undefined, app))).toMatchObject({ code: 'subject_not_allowed' });
    expect(world.presented).toEqual([]);
  });

  test('a check fails as the integration’s where its key is refused, in words that say what to do', async () => {
    world.script.answer = () => refusal('invalid_grant', 'Invalid JWT Signature.');
    const { code, message } = await failure(world.check());
    expect(code).toBe('integration_credentials_rejected');
    expect(message).toMatch(/^Google does not accept the key .*, the previous key included\. Make a new key in /);
  });

  test.each<[string, TokenCallResult, number]>([
    ['after what it says', answer(503, '', '30'), 30],
    ['in a second at least', answer(503, '', '0'), 1],
    ['in five seconds where it says nothing', answer(503, ''), 5],
  ])('where Google cannot be asked: to be tried again %s', async (_, said, retryAfterSec) => {
    world.script.answer = () => said;
    expect(await failure(world.check())).toEqual({
      code: 'token_refresh_unavailable',
      message: 'Google could not be asked right now. Try again.',
      retryAfterSec,
    });
  });
});

describe('SA-20: a domain belongs to the organization that checked it first', () => {
  const TAKEN = {
    code: 'conflict',
    message: 'This domain cannot be checked here. Ask the app that sent you.',
  };

  test('others get a conflict before anything is sent, and learn nothing', async () => {
    await world.check(USER, 'org-1');
    expect(await failure(world.check(USER, 'org-2'))).toMatchObject(TAKEN);
    expect(world.presented).toHaveLength(1);
    expect(await world.store.read(REF, DOMAIN)).toMatchObject({ organizationId: 'org-1' });
  });

  test('the organization of a domain may check it again, and so may the operator, who takes it from nobody', async () => {
    await world.check();
    await world.check(USER, 'org-1');
    expect(await world.check(USER, 'org-1')).toMatchObject({ works: true });
    expect(await world.check()).toMatchObject({ works: true });
    expect(await world.store.read(REF, DOMAIN)).toMatchObject({ organizationId: 'org-1' });
    expect(world.events()).toHaveLength(1);
  });

  test('one organization gets the domain if two check it at the same time', async () => {
    let others: Promise<unknown> | undefined;
    world.script.answer = () => {
      others = world.store.noteCheck(REF, DOMAIN, 'org-2', START_SEC);
      return tokens();
    };
    expect(await failure(world.check(USER, 'org-1'))).toMatchObject(TAKEN);
    await others;
    expect(world.events()).toEqual([]);
  });

  test('a check that does not work takes it from nobody', async () => {
    world.script.answer = () => NOT_LISTED;
    await world.check(USER, 'org-1');
    world.script.answer = () => tokens();
    expect(await world.check(USER, 'org-2')).toMatchObject({ works: true });
  });
});

test('SA-23: a check that works brings a lost domain back at once, whatever this process remembers of it', async () => {
  const ask = { probeAtEpochSec: START_SEC + 600, lookUntilEpochSec: 0, askedForConnectionId: 'c1' };
  await world.check();
  // The second one is remembered: it is read, and there is nothing to write.
  await world.check();
  const [event] = world.events();
  if (event === undefined) throw new Error('nothing was told');
  // Another process finds it lost.
  await world.store.note(
    { ...REF, domain: DOMAIN, status: 'lost', sinceEpochSec: START_SEC, ...ask },
    { ...event, eventId: 'another' },
  );
  await world.check();
  expect(await world.store.read(REF, DOMAIN)).toMatchObject({
    status: 'granted',
    probeAtEpochSec: START_SEC + 3600,
    askedForConnectionId: undefined,
  });
});
