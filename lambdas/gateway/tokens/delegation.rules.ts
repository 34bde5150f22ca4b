import type { Connection } from '../connections/connection.rules.ts';
import type { DeathCause, GrantDeath } from '../core/grant-death.ts';
import type { IntegrationRef } from '../core/identifiers.ts';
import { DELEGATION_PENDING_SEC } from '../core/limits.ts';
import type { AuthorizationServer, DelegationMeaning } from '../providers/authorization-server.rules.ts';
import { deathText } from './diagnosis.rules.ts';

/** Known state of the delegation in one Workspace domain. */
export interface DelegatedDomain extends IntegrationRef {
  readonly domain: string;
  /** `lost`: the provider reports that the service account is not listed there. */
  readonly status: 'granted' | 'lost' | 'unknown';
  readonly sinceEpochSec: number;
  /** When the provider is asked again, once. */
  readonly probeAtEpochSec: number | undefined;
  /** For a working domain: the schedule checks it until then, because of a recent call. */
  readonly lookUntilEpochSec: number | undefined;
  /** The connection that the last question was asked with. */
  readonly askedForConnectionId: string | undefined;
  /** The organization that checked it first (SA-20). */
  readonly organizationId: string | undefined;
  readonly checkedAtEpochSec: number | undefined;
}

/** The subject of a refusal, which determines who has to act. */
export type SubjectRefusal = Exclude<DelegationMeaning, 'key_refused' | 'robot_gone' | 'clock' | 'scope_unknown'>;

/** Why a user's connection does not work, by the provider's refusal of the user; an unlisted domain is shown by its own row. */
const CAUSES: Readonly<Record<Exclude<SubjectRefusal, 'not_listed'>, DeathCause>> = {
  scope_not_listed: 'delegation_incomplete',
  user_restricted: 'account_restricted',
  admin_policy: 'admin_restricted',
  subject_gone: 'account_unavailable',
  subject_unknown: 'subject_unknown',
};

/** The death of a connection whose user gets no token from the provider (SA-23). */
export function subjectDeath(
  meaning: Exclude<SubjectRefusal, 'not_listed'>,
  refusal: { readonly error: string; readonly certain: boolean },
  nowEpochSec: number,
  server: AuthorizationServer,
): GrantDeath {
  return death(CAUSES[meaning], refusal.error, refusal.certain, nowEpochSec, server);
}

/** The death of a connection whose user the integration may no longer act for. */
export function notAllowedDeath(nowEpochSec: number, server: AuthorizationServer): GrantDeath {
  return death('subject_not_allowed', '', true, nowEpochSec, server);
}

/**
 * The death of every connection of a domain that does not list the service account: in the first day the listing may not have spread
 * yet (SA-2, SA-23). Undefined for a granted domain.
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

/** A connection's state while its domain is lost, which its row does not show. */
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
