import { cloudProjectOf } from '../core/identifiers.ts';
import type { AuthorizationServer } from '../providers/authorization-server.rules.ts';
import { missingScopes, uniqueScopes } from '../providers/scopes.rules.ts';
import { scopesToRequest } from './authorization-url.rules.ts';

/** The scopes that an authorization requests, and those expected afterwards. */
export interface RequestedAccess {
  /** Sent to the provider. */
  readonly askedScopes: readonly string[];
  /** Scopes expected to be granted in the end: the requested ones and those kept from before. */
  readonly expectedScopes: readonly string[];
  /** Whether the new grant should include the earlier one (Google "Incremental authorization"). */
  readonly includeGrantedScopes: boolean;
}

/** Facts for the decision. */
export interface AccessFacts {
  /** The session's scopes, or else the integration's. */
  readonly wantedScopes: readonly string[];
  /** The connection that is authorized again, while its grant is alive. */
  readonly existing: { readonly grantedScopes: readonly string[]; readonly clientId: string } | undefined;
  readonly clientId: string;
  /** The session's choice, which overrides the integration's. */
  readonly includeParameter: boolean | undefined;
  readonly integrationIncludes: boolean;
  readonly server: Pick<AuthorizationServer, 'authorization'>;
}

/**
 * Decides which scopes to request. An active connection that lacks scopes is asked for only those, where including the earlier ones is
 * switched on and they were granted to the same Cloud project: otherwise the provider would not include them.
 */
export function decideAccess(facts: AccessFacts): RequestedAccess {
  const wanted = scopesToRequest(facts.wantedScopes, facts.server);
  const { existing } = facts;
  if (existing === undefined || cloudProjectOf(existing.clientId) !== cloudProjectOf(facts.clientId)) {
    return { askedScopes: wanted, expectedScopes: wanted, includeGrantedScopes: facts.includeParameter ?? false };
  }
  const lacking = missingScopes(wanted, existing.grantedScopes);
  const include = facts.includeParameter ?? (facts.integrationIncludes && lacking.length > 0);
  if (!include) return { askedScopes: wanted, expectedScopes: wanted, includeGrantedScopes: false };
  return {
    askedScopes: lacking.length > 0 ? scopesToRequest(lacking, facts.server) : wanted,
    expectedScopes: uniqueScopes([...existing.grantedScopes, ...wanted]),
    includeGrantedScopes: true,
  };
}

/**
 * The integration's scopes, narrowed by the session or else the browser, neither of which can add one (CS-17). Empty when they name
 * none of the integration's.
 */
export function narrowedScopes(
  integrationScopes: readonly string[],
  fixedBySession: readonly string[] | undefined,
  wishedByBrowser: readonly string[] | undefined,
): string[] {
  const wanted = fixedBySession ?? wishedByBrowser ?? integrationScopes;
  return uniqueScopes(wanted).filter((scope) => missingScopes([scope], integrationScopes).length === 0);
}
