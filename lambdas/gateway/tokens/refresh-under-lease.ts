import type { Connection } from '../connections/connection.rules.ts';
import { noteTesting } from './note-grant.ts';
import { recordClientChange, recordDeadGrant } from './record-grant-death.ts';
import type { HeldAttempt, LeaseHolderDependencies, RefreshOutcome } from './refresh-attempt.ts';
import { putOff, releaseUntouched } from './release-lease.ts';
import { reportClientFault, reportClientRecovered, reportRefusal } from './report-client-fault.ts';
import { adoptEscrow, newerEscrow, storeRefreshedTokens } from './store-refreshed-tokens.ts';
import { callTokenEndpoint } from './token-endpoint-call.ts';
import type { TokenJudgement } from './token-response.rules.ts';

/** Refreshes under a lease: one token call (and its permitted repeats), then one write fenced by the lease's epoch. */
export class LeaseHolder {
  readonly #deps: LeaseHolderDependencies;

  constructor(deps: LeaseHolderDependencies) {
    this.#deps = deps;
  }

  async refresh(attempt: HeldAttempt): Promise<RefreshOutcome> {
    const outcome = await this.#refresh(attempt);
    this.#deps.metrics.count('Refresh', { outcome: outcome.kind, cause: causeOf(outcome) });
    return outcome;
  }

  async #refresh(attempt: HeldAttempt): Promise<RefreshOutcome> {
    const { connection, integration, refreshToken } = attempt;
    if (attempt.adopt || attempt.lostHash !== undefined) {
      const escrowed = await newerEscrow(this.#deps, connection);
      if (escrowed !== undefined) return adoptEscrow(this.#deps, attempt, escrowed);
    }
    if (attempt.adopt && connection.death !== undefined) {
      // Nothing to adopt after all, and nobody asked the provider to be asked again.
      await releaseUntouched(this.#deps, attempt, true);
      return { kind: 'dead', connection, death: connection.death };
    }
    const call = await callTokenEndpoint(this.#deps, {
      integration,
      clientId: connection.clientId,
      refreshToken,
      callTimeoutMs: this.#deps.timing.callTimeoutMs,
      untilMs: attempt.callUntilMs,
    });
    switch (call.kind) {
      case 'client_changed':
        return recordClientChange(this.#deps, attempt);
      case 'no_credentials':
        return reportClientFault(this.#deps, attempt, 'credentials_missing', true);
      case 'unanswered':
        return putOff(this.#deps, attempt, { reason: call.reason, retryAfterSec: undefined, closed: !call.ambiguous });
      case 'judged':
        return this.#apply(attempt, call.judgement, call.ambiguous);
    }
  }

  async #apply(attempt: HeldAttempt, judgement: TokenJudgement, ambiguous: boolean): Promise<RefreshOutcome> {
    switch (judgement.kind) {
      case 'tokens': {
        const outcome = await storeRefreshedTokens(this.#deps, attempt, judgement.tokens);
        await reportClientRecovered(this.#deps, attempt);
        if (outcome.kind === 'fresh') await this.#noteTesting(attempt, outcome.connection);
        return outcome;
      }
      case 'dead_grant':
        return recordDeadGrant(this.#deps, attempt, judgement, ambiguous);
      case 'client_fault':
        return reportClientFault(this.#deps, attempt, judgement.error, !ambiguous);
      case 'refused':
        return reportRefusal(this.#deps, attempt, judgement.error, !ambiguous);
      case 'transient':
        return putOff(this.#deps, attempt, {
          reason: judgement.reason,
          retryAfterSec: judgement.retryAfterSec,
          // A 200 that cannot be read may have rotated the token all the same.
          closed: !ambiguous && judgement.reason !== 'unusable_token_response',
        });
    }
  }

  /** A grant may show that the provider treats the app as in Testing only now, or be older than the note of it. */
  async #noteTesting({ integration, requestId }: HeldAttempt, connection: Connection): Promise<void> {
    try {
      await noteTesting(this.#deps, integration, connection, false);
    } catch (error) {
      this.#deps.logger.error('a grant could not be noted', { requestId }, error);
    }
  }
}

function causeOf(outcome: RefreshOutcome): string {
  switch (outcome.kind) {
    case 'dead':
      return outcome.death.cause;
    case 'client_fault':
      return outcome.error;
    case 'transient':
      return outcome.reason;
    default:
      return 'none';
  }
}
