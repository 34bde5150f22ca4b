import { explainClientFault } from '../../domain/client-fault.ts';
import { CLIENT_FAULT_COOL_DOWN_SEC } from '../../domain/limits.ts';
import { newEvent } from '../record-event.ts';
import { type HeldAttempt, type LeaseHolderDependencies, nowEpochSec, type RefreshOutcome } from './refresh-attempt.ts';
import { releaseUntouched } from './release-lease.ts';

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
  const { integrations, clock, random } = deps;
  const { integration } = attempt;
  const now = nowEpochSec(clock);
  const ref = { accountId: integration.accountId, integrationId: integration.integrationId };
  try {
    const current = await integrations.get(ref);
    if (current !== undefined) {
      if (current.clientFault === undefined) deps.metrics.count('IntegrationRejected', { error });
      const { explanation, remedy } = explainClientFault(error);
      await integrations.markClientFault(
        ref,
        {
          error,
          sinceEpochSec: current.clientFault?.sinceEpochSec ?? now,
          retryAtEpochSec: now + CLIENT_FAULT_COOL_DOWN_SEC,
        },
        newEvent(clock, random, 'IntegrationCredentialsRejected', {
          subject: ref,
          sequence: current.sequence + 1,
          cause: error,
          remedy: `${explanation} ${remedy} The connections are not at fault.`,
          requestId: attempt.requestId,
        }),
      );
    }
  } catch (failure) {
    // The next refusal marks it; the caller's answer is the same.
    deps.logger.error('a client fault could not be noted', { requestId: attempt.requestId }, failure);
  }
  await releaseUntouched(deps, attempt, closed);
  return { kind: 'client_fault', error, retryAfterSec: CLIENT_FAULT_COOL_DOWN_SEC };
}

/** A marked integration's client works again: the mark goes, with one event. */
export async function reportClientRecovered(deps: LeaseHolderDependencies, attempt: HeldAttempt): Promise<void> {
  if (attempt.integration.clientFault === undefined) return;
  const { integrations, clock, random } = deps;
  const ref = { accountId: attempt.integration.accountId, integrationId: attempt.integration.integrationId };
  try {
    const current = await integrations.get(ref);
    if (current?.clientFault === undefined) return;
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
