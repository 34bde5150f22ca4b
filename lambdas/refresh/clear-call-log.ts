import type { CallLogClearing } from '../gateway/call-log/ports.ts';
import type { ConnectionStore } from '../gateway/connections/ports.ts';
import { CALL_LOG_CLEARING_DELAY_SEC, CALL_LOG_CLEARING_ROUNDS } from '../gateway/core/limits.ts';
import type { Clock, Logger } from '../gateway/core/ports.ts';

export interface ClearCallLogDependencies {
  readonly callLog: CallLogClearing;
  readonly connections: Pick<ConnectionStore, 'read'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Deletes rows of the call log whose connection was deleted, a bounded number a tick (CL-15). Nothing of the refresh depends on
 * it, so a failure ends it until the next tick and no more.
 */
export async function clearCallLog(deps: ClearCallLogDependencies, requestId: string): Promise<void> {
  const { callLog, connections, clock, logger } = deps;
  try {
    const laterThanMs = clock.nowMs() - CALL_LOG_CLEARING_DELAY_SEC * 1000;
    let rounds = CALL_LOG_CLEARING_ROUNDS;
    for (const clearing of await callLog.pending()) {
      if (clearing.notedAtMs > laterThanMs) continue;
      const connection = await connections.read(clearing);
      const createdAtMs =
        connection === undefined || connection.status === 'deleted' ? undefined : Date.parse(connection.createdAt);
      // Of a name that belongs to another connection by now, only the rows of the one before; none where nothing was deleted.
      const beforeMs = createdAtMs ?? clock.nowMs();
      const isDeleted = createdAtMs === undefined || createdAtMs > clearing.notedAtMs;
      while (isDeleted && (await callLog.clearSome(clearing, beforeMs))) if (--rounds <= 0) return;
      await callLog.done(clearing);
    }
  } catch (error) {
    logger.error('the call log could not be cleared', { requestId }, error);
  }
}
