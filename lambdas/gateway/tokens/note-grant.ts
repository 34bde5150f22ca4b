import type { Connection, ProviderAccount } from '../connections/connection.rules.ts';
import { isTestingGrant } from '../connections/health.rules.ts';
import { epochSecNow } from '../core/clock.ts';
import type { Logger } from '../core/ports.ts';
import { type ClearClientFaultDependencies, clearClientFault } from '../integrations/clear-client-fault.ts';
import { type Integration, treatedAsTestingSince } from '../integrations/integration.rules.ts';
import type { IntegrationStore } from '../integrations/ports.ts';
import { onlyIdentityScopes } from '../providers/scopes.rules.ts';
import type { HeldAttempt, LeaseHolderDependencies } from './lease.ts';
import type { ConsentLog } from './ports.ts';

export interface NoteGrantDependencies extends ClearClientFaultDependencies {
  readonly consents: Pick<ConsentLog, 'note'>;
  readonly integrations: Pick<IntegrationStore, 'noteTesting' | 'noteClientWorks' | 'clearClientFault'>;
  readonly logger: Logger;
}

/** A grant just given or confirmed by the provider. */
export type GivenGrant = Pick<
  Connection,
  'clientId' | 'consentedAtEpochSec' | 'grantedScopes' | 'refreshTokenExpiresAtEpochSec'
> & { readonly account: ProviderAccount | undefined };

/**
 * Records facts that a grant implies: its account has consented once more, whatever happens to the connection, and
 * the provider may treat the app as in Testing. A failure to record them fails no consent.
 *
 * @param isConsent the grant comes from a consent of this moment, so that the absence of an announced end is a fact, too
 */
export async function noteGrant(
  deps: NoteGrantDependencies,
  integration: Integration,
  grant: GivenGrant,
  isConsent: boolean,
  requestId: string,
): Promise<void> {
  try {
    await Promise.all([
      noteConsent(deps, grant),
      noteTesting(deps, integration, grant, isConsent),
      isConsent ? noteClientWorks(deps, integration, grant, requestId) : undefined,
    ]);
  } catch (error) {
    deps.logger.error('a grant could not be noted', { requestId }, error);
  }
}

async function noteConsent({ consents }: NoteGrantDependencies, grant: GivenGrant): Promise<void> {
  if (grant.account === undefined) return;
  await consents.note(grant.clientId, grant.account.subject, grant.consentedAtEpochSec);
}

/** Tokens for a code prove that the provider accepts the client, as a refresh does. */
async function noteClientWorks(
  deps: NoteGrantDependencies,
  integration: Integration,
  { consentedAtEpochSec }: GivenGrant,
  requestId: string,
): Promise<void> {
  if (integration.clientFault !== undefined) await clearClientFault(deps, integration, requestId);
  else if (integration.clientWorksSinceEpochSec === undefined)
    await deps.integrations.noteClientWorks(integration, consentedAtEpochSec);
}

/**
 * Written only where it changes the known state: an integration's record is read by every call and written rarely.
 *
 * @param isConsent as above
 */
export async function noteTesting(
  { integrations }: { readonly integrations: Pick<IntegrationStore, 'noteTesting'> },
  integration: Integration,
  grant: Omit<GivenGrant, 'account'>,
  isConsent: boolean,
): Promise<void> {
  const { consentedAtEpochSec } = grant;
  const isKnown = treatedAsTestingSince(integration) !== undefined;
  if (isTestingGrant(grant)) {
    // A grant from before the app was published does not show its current state.
    const isLater = consentedAtEpochSec > (integration.testingOverAtEpochSec ?? 0);
    if (!isKnown && isLater) await integrations.noteTesting(integration, 'seen', consentedAtEpochSec);
    return;
  }
  // A published app's grants have no end, or one that the user chose; grants for sign-in only have none in Testing either.
  if (isKnown && isConsent && !onlyIdentityScopes(grant.grantedScopes)) {
    await integrations.noteTesting(integration, 'over', consentedAtEpochSec);
  }
}

/** A successful refresh refutes suspicions about the client, and removes a mark with one event. */
export async function reportClientRecovered(deps: LeaseHolderDependencies, attempt: HeldAttempt): Promise<void> {
  const { clientFault, suspectedFault, clientWorksSinceEpochSec } = attempt.integration;
  if (clientFault === undefined && clientWorksSinceEpochSec === undefined) await noteFirstSuccess(deps, attempt);
  if (clientFault === undefined && (suspectedFault === undefined || suspectedFault.refuted)) return;
  const { integrations } = deps;
  const { accountId, integrationId } = attempt.integration;
  const ref = { accountId, integrationId };
  try {
    const current = await integrations.get(ref);
    if (current === undefined) return;
    const suspected = current.suspectedFault;
    if (suspected !== undefined && !suspected.refuted) {
      await integrations.noteSuspicion(ref, suspected, { ...suspected, refuted: true });
    }
    await clearClientFault(deps, current, attempt.requestId);
  } catch (failure) {
    deps.logger.error('a recovery could not be noted', { requestId: attempt.requestId }, failure);
  }
}

async function noteFirstSuccess(deps: LeaseHolderDependencies, { integration, requestId }: HeldAttempt): Promise<void> {
  try {
    await deps.integrations.noteClientWorks(integration, epochSecNow(deps.clock));
  } catch (failure) {
    deps.logger.error('the success of a client could not be noted', { requestId }, failure);
  }
}
