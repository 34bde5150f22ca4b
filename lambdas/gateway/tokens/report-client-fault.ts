import type { IntegrationRef } from '../core/identifiers.ts';
import { CLIENT_FAULT_COOL_DOWN_SEC } from '../core/limits.ts';
import { newEvent } from '../events/record-event.ts';
import { explainClientFault } from '../integrations/client-fault.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import { suspect } from '../integrations/suspected-fault.rules.ts';
import { type HeldAttempt, type LeaseHolderDependencies, nowEpochSec, type RefreshOutcome } from './refresh-attempt.ts';
import { putOff, releaseUntouched } from './release-lease.ts';

/** Another process may be faster this often before an answer goes uncounted: the next one counts. */
const ROUNDS = 3;

/**
 * The provider refuses the OAuth client: the integration is marked, with one event, and pauses; no connection is touched
 * (TK-4, F19).
 */
export async function reportClientFault(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  error: string,
  closed: boolean,
): Promise<RefreshOutcome> {
  try {
    const current = await deps.integrations.get(integrationOf(attempt));
    if (current !== undefined) await mark(deps, attempt, current, error, CLIENT_FAULT_COOL_DOWN_SEC);
  } catch (failure) {
    // The next refusal marks it; the caller's answer is the same.
    deps.logger.error('a client fault could not be noted', { requestId: attempt.requestId }, failure);
  }
  await releaseUntouched(deps, attempt, closed);
  return { kind: 'client_fault', error, retryAfterSec: CLIENT_FAULT_COOL_DOWN_SEC };
}

/**
 * The provider refuses this connection's token for a reason in no list: the connection waits by itself, and its integration
 * goes on (TK-4). When three connections got the same answer and none was refreshed meanwhile, the integration is marked,
 * with one event; also then nobody else is paused, because the mark is a guess that the next success takes away.
 */
export async function reportRefusal(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  error: string,
  closed: boolean,
): Promise<RefreshOutcome> {
  try {
    await countRefusal(deps, attempt, error);
  } catch (failure) {
    deps.logger.error('a refusal could not be counted', { requestId: attempt.requestId }, failure);
  }
  return putOff(deps, attempt, { reason: error, retryAfterSec: undefined, closed, refused: true });
}

async function countRefusal(deps: LeaseHolderDependencies, attempt: HeldAttempt, error: string): Promise<void> {
  const ref = integrationOf(attempt);
  for (let round = 0; round < ROUNDS; round++) {
    const current = await deps.integrations.get(ref);
    if (current === undefined || current.clientFault !== undefined) return;
    const before = current.suspectedFault;
    const { next, agreed } = suspect(before, error, attempt.connection.connectionId, nowEpochSec(deps.clock));
    if (next !== before && !(await deps.integrations.noteSuspicion(ref, before, next))) continue;
    if (agreed) await mark(deps, attempt, current, error, 0);
    return;
  }
}

/** A refresh has worked: what is suspected of the client is refuted, and a mark goes with one event. */
export async function reportClientRecovered(deps: LeaseHolderDependencies, attempt: HeldAttempt): Promise<void> {
  const { clientFault, suspectedFault } = attempt.integration;
  if (clientFault === undefined && (suspectedFault === undefined || suspectedFault.refuted)) return;
  const { integrations, clock, random } = deps;
  const ref = integrationOf(attempt);
  try {
    const current = await integrations.get(ref);
    if (current === undefined) return;
    const suspected = current.suspectedFault;
    if (suspected !== undefined && !suspected.refuted) {
      await integrations.noteSuspicion(ref, suspected, { ...suspected, refuted: true });
    }
    if (current.clientFault === undefined) return;
    await integrations.clearClientFault(
      ref,
      newEvent(clock, random, 'IntegrationRecovered', {
        subject: ref,
        sequence: current.sequence + 1,
        cause: current.clientFault.error,
        requestId: attempt.requestId,
      }),
    );
  } catch (failure) {
    deps.logger.error('a recovery could not be noted', { requestId: attempt.requestId }, failure);
  }
}

/** @param pauseSec no token call of the integration for so long; 0 pauses nobody */
async function mark(
  deps: LeaseHolderDependencies,
  attempt: HeldAttempt,
  current: Integration,
  error: string,
  pauseSec: number,
): Promise<void> {
  const { integrations, clock, random, metrics } = deps;
  const now = nowEpochSec(clock);
  const ref = integrationOf(attempt);
  if (current.clientFault === undefined) metrics.count('IntegrationRejected', { error });
  const { explanation, remedy } = explainClientFault(error);
  await integrations.markClientFault(
    ref,
    { error, sinceEpochSec: current.clientFault?.sinceEpochSec ?? now, retryAtEpochSec: now + pauseSec },
    newEvent(clock, random, 'IntegrationCredentialsRejected', {
      subject: ref,
      sequence: current.sequence + 1,
      cause: error,
      remedy: `${explanation} ${remedy} The connections are not at fault.`,
      requestId: attempt.requestId,
    }),
  );
}

function integrationOf({ integration }: HeldAttempt): IntegrationRef {
  return { accountId: integration.accountId, integrationId: integration.integrationId };
}
