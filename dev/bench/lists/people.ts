/** The connections that the lists' benchmark looks for: people with names, addresses, organizations and tags, some of them dead. */
import type { Connection, EndUser } from '../../../lambdas/gateway/connections/connection.rules.ts';
import type { DeathCause, GrantDeath } from '../../../lambdas/gateway/core/grant-death.ts';
import { idleConnection } from '../sweep/fixtures.ts';

const FIRST_NAMES =
  'Bob Alice Carla Dmitri Elif Fatima Goran Hana Ines Jürgen Kofi Linnéa Mei Noah Olga Priya Quentin Rosa Sven Tariq'.split(
    ' ',
  );
const LAST_NAMES =
  'Brown Almeida Chen Dubois Eriksen Fischer García Haddad Ivanova Jansen Kowalski Lindqvist Müller Nakamura Okafor Patel'.split(
    ' ',
  );
const ORGANIZATIONS = 400;
const CAUSES: readonly DeathCause[] = [
  'user_revoked',
  'password_changed',
  'admin_restricted',
  'unused_six_months',
  'unknown',
];
const PLANS = ['free', 'team', 'enterprise'];
const DAY_SEC = 86_400;
/** Connections are made over this many days. */
const DAYS = 400;
/** One in so many is dead. */
const DEAD_ONE_IN = 10;
/** Of one in so many, a living one, the provider refuses the calls. */
const FAILING_ONE_IN = 100;

/** Multiplied by it, neighbours in number are far from each other in every other respect. */
const SPREAD = 7_919;

/** A connection by its number: the same number makes the same person. @param count how many there are @param nowSec epoch seconds */
export function person(number: number, count: number, nowSec: number): Connection {
  const mixed = (number * SPREAD) % count;
  const first = FIRST_NAMES[mixed % FIRST_NAMES.length] ?? '';
  const last = LAST_NAMES[Math.floor(mixed / FIRST_NAMES.length) % LAST_NAMES.length] ?? '';
  const organization = mixed % ORGANIZATIONS;
  const email = `${ascii(first)}.${ascii(last)}.${number}@company-${organization}.example`;
  const endUser: EndUser = {
    id: `customer-${number}`,
    email,
    displayName: `${first} ${last}`,
    tags: null,
    organization: { id: `org-${organization}`, displayName: `Company ${organization}` },
  };
  const createdSec = nowSec - Math.floor(((count - number) / count) * DAYS * DAY_SEC);
  const createdAt = new Date(createdSec * 1000).toISOString();
  const isDead = mixed % DEAD_ONE_IN === 0;
  const row = idleConnection(number, nowSec + DAY_SEC + ((number * SPREAD) % (29 * DAY_SEC)));
  return {
    ...row,
    connectionId: `conn-${mixed.toString(16).padStart(6, '0')}-${number}`,
    status: isDead ? 'reauthorization_required' : 'active',
    death: isDead ? death(CAUSES[Math.floor(mixed / DEAD_ONE_IN) % CAUSES.length] ?? 'unknown', createdAt) : undefined,
    callFault:
      mixed % FAILING_ONE_IN === 33
        ? { status: 403, reason: 'insufficientPermissions', sinceEpochSec: nowSec - DAY_SEC }
        : undefined,
    providerAccount: { subject: `1${String(number).padStart(20, '0')}`, email },
    lastUsedAtEpochSec: mixed % 5 === 1 ? undefined : nowSec - (mixed % (30 * DAY_SEC)),
    endUser,
    tags: { plan: PLANS[mixed % PLANS.length] ?? '', ticket: `T-${100_000 + number}` },
    createdAt,
    updatedAt: createdAt,
  };
}

export function death(cause: DeathCause, since: string): GrantDeath {
  const remedy = 'Ask the user to connect again.';
  const likely = { cause, likelihood: 0.8, who: 'end_user', explanation: 'The grant has ended.', remedy } as const;
  return {
    status: 'reauthorization_required',
    cause,
    certain: false,
    likelyCauses: [likely],
    remedy,
    providerError: 'invalid_grant',
    since,
  };
}

function ascii(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
}
