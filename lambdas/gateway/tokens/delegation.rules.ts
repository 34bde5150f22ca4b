import type { Connection } from '../connections/connection.rules.ts';
import type { DeathCause, GrantDeath } from '../core/grant-death.ts';
import type { IntegrationRef } from '../core/identifiers.ts';
import { DELEGATION_PENDING_SEC } from '../core/limits.ts';
import type { AuthorizationServer, DelegationMeaning } from '../providers/authorization-server.rules.ts';
import { deathText } from './diagnosis.rules.ts';

/** What is known of the delegation in one Workspace domain. */
export interface DelegatedDomain extends IntegrationRef {
  readonly domain: string;
  /** `lost`: the provider says that the service account is not listed there. */
  readonly status: 'granted' | 'lost' | 'unknown';
  readonly sinceEpochSec: number;
  /** The provider is asked again from then on, once. */
  readonly probeAtEpochSec: number | undefined;
  /** Of one that works: the schedule asks for it until then, because somebody has called lately. */
  readonly lookUntilEpochSec: number | undefined;
  /** The connection for whose user the provider was asked last. */
  readonly askedForConnectionId: string | undefined;
  /** The organization that checked it first (SA-20). */
  readonly organizationId: string | undefined;
  readonly checkedAtEpochSec: number | undefined;
}

/** About whom a refusal is that says who has to act. */
export type SubjectRefusal = Exclude<DelegationMeaning, 'key_refused' | 'robot_gone' | 'clock' | 'scope_unknown'>;

/** Why a user's connection does not work, by what the provider said of the user; a domain that is not listed is told by its row. */
const CAUSES: Readonly<Record<Exclude<SubjectRefusal, 'not_listed'>, DeathCause>> = {
  scope_not_listed: 'delegation_incomplete',
  user_restricted: 'account_restricted',
  admin_policy: 'admin_restricted',
  subject_gone: 'account_unavailable',
  subject_unknown: 'subject_unknown',
};

/** What is said of a user for whom the provider gives no token (SA-23). */
export function subjectDeath(
  meaning: Exclude<SubjectRefusal, 'not_listed'>,
  refusal: { readonly error: string; readonly certain: boolean },
  nowEpochSec: number,
  server: AuthorizationServer,
): GrantDeath {
  return death(CAUSES[meaning], refusal.error, refusal.certain, nowEpochSec, server);
}

/** What is said of a user whom the integration may not act for any more. */
export function notAllowedDeath(nowEpochSec: number, server: AuthorizationServer): GrantDeath {
  return death('subject_not_allowed', '', true, nowEpochSec, server);
}

/**
 * What is said of every connection of a domain where the service account is not listed: for a day it may only not have spread (SA-2,
 * SA-23). Undefined for a domain that is granted.
 */
export function domainDeath(
  domain: Pick<DelegatedDomain, 'status' | 'sinceEpochSec'> | undefined,
  nowEpochSec: number,
  server: AuthorizationServer,
): GrantDeath | undefined {
  if (domain?.status !== 'lost') return undefined;
  const { sinceEpochSec } = domain;
  const isPending = nowEpochSec - sinceEpochSec < DELEGATION_PENDING_SEC;
  return death(
    isPending ? 'delegation_pending' : 'delegation_missing',
    'unauthorized_client',
    true,
    sinceEpochSec,
    server,
  );
}

/** A connection as it stands while its domain is lost; its row says nothing of that. */
export function underDomain(connection: Connection, lost: GrantDeath | undefined): Connection {
  if (lost === undefined || connection.status !== 'active') return connection;
  return { ...connection, status: 'reauthorization_required', death: lost };
}

function death(
  cause: DeathCause,
  providerError: string,
  certain: boolean,
  sinceEpochSec: number,
  server: AuthorizationServer,
): GrantDeath {
  const text = deathText(cause, server, true) ?? deathText('unknown', server);
  return {
    status: 'reauthorization_required',
    cause,
    certain,
    likelyCauses: [{ cause, likelihood: certain ? 1 : 0.8, ...text }],
    remedy: text.remedy,
    providerError,
    since: new Date(sinceEpochSec * 1000).toISOString(),
  };
}
