import type { Connection } from '../connections/connection.rules.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { epochSecNow } from '../core/clock.ts';
import { whatHappened } from '../core/grant-death.ts';
import { type IntegrationRef, integrationRefKey } from '../core/identifiers.ts';
import {
  CACHE_MAX_ENTRIES,
  DELEGATED_DOMAIN_CACHE_MS,
  DELEGATED_DOMAIN_GRANTED_CACHE_MS,
  DELEGATION_LOOK_FOR_SEC,
  DELEGATION_LOOK_SEC,
  DELEGATION_PROBE_SEC,
  DELEGATION_USE_NOTED_SEC,
} from '../core/limits.ts';
import type { Clock, Random } from '../core/ports.ts';
import { newEvent } from '../events/lifecycle-event.rules.ts';
import { domainOf, isAllowedSubject } from '../integrations/delegation.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { ProviderEndpoints, ProviderId } from '../providers/provider.rules.ts';
import type { DelegatedTokens } from './delegated-token.ts';
import { type DelegatedDomain, domainDeath, notAllowedDeath, subjectDeath, underDomain } from './delegation.rules.ts';
import { markDead, reportClientFault } from './diagnosis.ts';
import {
  type HeldAttempt,
  type LeaseHolderDependencies,
  putOff,
  type RefreshOutcome,
  releaseUntouched,
  type SubjectRefresher,
} from './lease.ts';
import { reportClientRecovered } from './note-grant.ts';
import type { DelegatedDomainStore } from './ports.ts';
import { storeRefreshedTokens } from './token-write.ts';

/** Dependencies of refreshing connections without a person. */
export interface DelegationServices {
  readonly tokens: Pick<DelegatedTokens, 'ask'>;
  readonly domains: DelegatedDomains;
}

/** The integration of a domain, and the connection that asked, where there was one. */
type DomainOwner = IntegrationRef & Pick<Connection, 'provider'> & Partial<Pick<Connection, 'connectionId'>>;

export interface DelegatedDomainsDependencies {
  readonly store: DelegatedDomainStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
}

/** The domains of integrations, cached in a process for some seconds. */
export class DelegatedDomains {
  readonly #deps: DelegatedDomainsDependencies;
  readonly #known = new BoundedCache<{ readonly row: DelegatedDomain | undefined }>(CACHE_MAX_ENTRIES);

  constructor(deps: DelegatedDomainsDependencies) {
    this.#deps = deps;
  }

  /**
   * The outcome for connections of a lost domain, without a call to the provider and without touching their rows. Undefined where the
   * provider has to be asked: the domain is granted or new, or this caller has the one question of ten minutes (SA-23).
   *
   * @param isForced ask in any case; afterwards the domain's row decides, not this process's cache
   */
  async settled(connection: Connection, isForced: boolean): Promise<RefreshOutcome | undefined> {
    const { store, clock, endpointsOf } = this.#deps;
    const domain = domainOfConnection(connection);
    if (isForced) {
      this.forget(connection, domain);
      return undefined;
    }
    const known = await this.#read(connection, domain);
    const now = epochSecNow(clock);
    const death = domainDeath(known, now, endpointsOf(connection.provider).server);
    if (known === undefined || death === undefined) return undefined;
    if (
      (known.probeAtEpochSec ?? 0) <= now &&
      (await store.claimProbe(known, now + DELEGATION_PROBE_SEC, connection.connectionId))
    ) {
      this.forget(connection, domain);
      return undefined;
    }
    const retryAfterSec = Math.max(1, (known.probeAtEpochSec ?? 0) - now);
    return { kind: 'dead', connection: underDomain(connection, death), death, ofDomain: { retryAfterSec } };
  }

  /**
   * Records that the provider accepts the service account for a domain: all its connections are active again.
   *
   * @param isUsed a call for one of its users caused it
   */
  async granted(of: DomainOwner, domain: string, requestId: string, isUsed: boolean): Promise<void> {
    const { store, clock } = this.#deps;
    const known = await this.#read(of, domain);
    const now = epochSecNow(clock);
    const nextEpochSec = now + DELEGATION_LOOK_SEC;
    if (known?.status !== 'granted') return this.#note(of, domain, 'granted', nextEpochSec, requestId);
    const lookUntilEpochSec = now + DELEGATION_LOOK_FOR_SEC;
    const isNoted = (known.lookUntilEpochSec ?? 0) > lookUntilEpochSec - DELEGATION_USE_NOTED_SEC;
    if (!isUsed || isNoted) return;
    await store.claimProbe(known, nextEpochSec, of.connectionId, lookUntilEpochSec);
    this.forget(of, domain);
  }

  /** Records that it is not listed. @returns the connection's state now */
  async lost(connection: Connection, requestId: string): Promise<RefreshOutcome> {
    const { clock, endpointsOf } = this.#deps;
    const domain = domainOfConnection(connection);
    const now = epochSecNow(clock);
    await this.#note(connection, domain, 'lost', now + DELEGATION_PROBE_SEC, requestId);
    const sinceEpochSec = (await this.#read(connection, domain))?.sinceEpochSec ?? now;
    const { server } = endpointsOf(connection.provider);
    const death = domainDeath({ status: 'lost', sinceEpochSec }, now, server);
    if (death === undefined) throw new Error('A lost domain has no cause');
    const ofDomain = { retryAfterSec: DELEGATION_PROBE_SEC };
    return { kind: 'dead', connection: underDomain(connection, death), death, ofDomain };
  }

  async #note(
    { accountId, integrationId, provider, connectionId: askedForConnectionId }: DomainOwner,
    domain: string,
    status: 'granted' | 'lost',
    probeAtEpochSec: number,
    requestId: string,
  ): Promise<void> {
    const { store, clock, random, endpointsOf } = this.#deps;
    const ref = { accountId, integrationId };
    const now = epochSecNow(clock);
    const lost = domainDeath({ status, sinceEpochSec: now }, now, endpointsOf(provider).server);
    const event = newEvent(clock, random, status === 'lost' ? 'DelegationLost' : 'DelegationGranted', {
      subject: ref,
      sequence: 0,
      says: { domain, ...(status === 'lost' ? { provider_error: 'unauthorized_client' } : {}) },
      ...(lost === undefined ? {} : { remedy: `${whatHappened(lost)} ${lost.remedy}` }),
      requestId,
    });
    const lookUntilEpochSec = now + DELEGATION_LOOK_FOR_SEC;
    const asking = { probeAtEpochSec, lookUntilEpochSec, askedForConnectionId };
    const change = { ...ref, domain, status, sinceEpochSec: now, ...asking };
    await store.note(change, event);
    this.forget(ref, domain);
  }

  async #read(ref: IntegrationRef, domain: string): Promise<DelegatedDomain | undefined> {
    const nowMs = this.#deps.clock.nowMs();
    const key = keyOf(ref, domain);
    const known = this.#known.get(key, nowMs);
    if (known !== undefined) return known.row;
    const { accountId, integrationId } = ref;
    const current = await this.#deps.store.read({ accountId, integrationId }, domain);
    const forMs = current?.status === 'granted' ? DELEGATED_DOMAIN_GRANTED_CACHE_MS : DELEGATED_DOMAIN_CACHE_MS;
    this.#known.set(key, { row: current }, nowMs + forMs);
    return current;
  }

  /** Makes the next question about the domain read its row. */
  forget(ref: IntegrationRef, domain: string): void {
    this.#known.delete(keyOf(ref, domain));
  }
}

function keyOf(ref: IntegrationRef, domain: string): string {
  return `${integrationRefKey(ref)}#${domain}`;
}

/** The domain of the user that a delegated connection acts for. */
export function domainOfConnection({ providerAccount }: Connection): string {
  return domainOf(providerAccount?.email ?? '');
}

/**
 * Refreshes a connection without a person: requests a token for the user that its row names. The name is stored where others have a
 * refresh token, and is encrypted for this row only (SA-22).
 */
async function refreshForSubject(
  deps: LeaseHolderDependencies,
  services: DelegationServices,
  attempt: HeldAttempt,
): Promise<RefreshOutcome> {
  const { connection, refreshToken: subject, requestId } = attempt;
  const { integrations, endpointsOf, clock } = deps;
  // The allowed users are read again where the assertion is signed, so that a user removed from the list is refused from now on.
  const integration: Integration = (await integrations.get(attempt.integration)) ?? attempt.integration;
  const { delegation } = integration;
  const { server } = endpointsOf(connection.provider);
  if (delegation === undefined) return reportClientFault(deps, attempt, 'credentials_missing', true);
  if (!isAllowedSubject(subject, delegation.subjects)) {
    return markDead(deps, attempt, notAllowedDeath(epochSecNow(clock), server));
  }
  const answer = await services.tokens.ask({
    integration,
    delegation,
    subject,
    scopes: integration.scopes,
    callTimeoutMs: deps.timing.callTimeoutMs,
    untilMs: attempt.callUntilMs,
  });
  switch (answer.kind) {
    case 'tokens': {
      const tokens = { ...answer.tokens, refreshToken: undefined, grantedScopes: integration.scopes };
      const outcome = await storeRefreshedTokens(deps, attempt, tokens);
      await Promise.all([
        reportClientRecovered(deps, attempt),
        services.domains.granted(
          connection,
          domainOfConnection(connection),
          requestId,
          attempt.usedAtEpochSec !== undefined,
        ),
      ]);
      return outcome;
    }
    case 'client_fault':
      return reportClientFault(deps, attempt, answer.error, true);
    case 'failed':
      return putOff(deps, attempt, {
        reason: answer.reason,
        retryAfterSec: answer.retryAfterSec,
        closed: true,
        // Without an answer there is no refusal to report.
        ...(answer.isAnswer ? { answer: { error: answer.reason, isRefusal: answer.isRefusal === true } } : {}),
      });
    case 'refused': {
      const { meaning } = answer;
      if (meaning !== 'not_listed') {
        return markDead(deps, attempt, subjectDeath(meaning, answer, epochSecNow(clock), server));
      }
      await releaseUntouched(deps, attempt, true);
      return services.domains.lost(connection, requestId);
    }
  }
}

/** The refresher of connections without a person in a process. */
export function subjectRefresher(services: DelegationServices): SubjectRefresher {
  return {
    settled: (connection, isForced) => services.domains.settled(connection, isForced),
    refresh: (deps, attempt) => refreshForSubject(deps, services, attempt),
  };
}
