import type { ConnectSession, PendingAuthorization } from '../gateway/authorization/connect-session.rules.ts';
import type { FlowFailure } from '../gateway/authorization/flow-failure.ts';
import type { ConnectSessionStore } from '../gateway/authorization/ports.ts';
import type { Clock, Logger, Random } from '../gateway/core/ports.ts';
import { sessionActor } from '../gateway/events/actor.ts';
import { newEvent } from '../gateway/events/record-event.ts';

export interface EndDependencies {
  readonly sessions: ConnectSessionStore;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
}

/** A flow that is known and has failed. */
export interface FailedFlow {
  readonly pending: PendingAuthorization;
  readonly session: ConnectSession | undefined;
  readonly failure: FlowFailure;
  /** The provider sent an error instead of a code. */
  readonly byProvider: boolean;
  readonly requestId: string;
}

/**
 * Notes at the session how its flow ended and writes the event: under the connection, where the flow was for one. What
 * cannot be noted is logged, because the person in front of the page needs the answer all the same.
 */
export async function endFailedFlow(deps: EndDependencies, flow: FailedFlow): Promise<void> {
  const { pending, failure } = flow;
  const { accountId, integrationId, connectionId } = pending;
  const event = newEvent(deps.clock, deps.random, 'AuthorizationFailed', {
    subject: pending.isReconnect ? { accountId, integrationId, connectionId } : { accountId, integrationId },
    sequence: 0,
    endUserId: flow.session?.endUser?.id,
    cause: failure.kind,
    remedy: failure.text.next,
    requestId: flow.requestId,
    actor: sessionActor(pending),
  });
  const isCancelled = failure.kind === 'pick_cancelled';
  const outcome = {
    integrationId,
    connectionId: undefined,
    errorType: isCancelled ? undefined : failure.errorType,
    message: isCancelled ? undefined : failure.message,
  };
  const status = isCancelled ? 'cancelled' : flow.byProvider ? 'refused' : 'failed';
  try {
    await deps.sessions.finish(pending.sessionHash, status, outcome, event);
  } catch (error) {
    deps.logger.error('the end of a flow could not be noted', { requestId: flow.requestId, accountId }, error);
  }
}
