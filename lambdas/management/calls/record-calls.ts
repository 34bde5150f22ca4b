import type { Config } from '../../gateway/config.ts';
import { type FindConnectionDependencies, findConnection } from '../../gateway/connections/find-connection.ts';
import { healthWord } from '../../gateway/connections/health.rules.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import { CALL_LOG_RECORDING_SEC } from '../../gateway/core/limits.ts';
import type { Clock, Random } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';

const ATTEMPTS = 5;

export interface RecordCallsDependencies extends FindConnectionDependencies {
  readonly connections: ConnectionStore;
  readonly callLog: Config['callLog'];
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Makes every call of a connection leave a row for an hour from now, or ends that. Warm processes notice with their next read of the
 * row, at most half a minute later.
 *
 * @returns until when, epoch seconds; undefined when ended
 * @throws GatewayError `unknown_integration`, `unknown_connection`, `conflict`
 */
export async function recordCalls(
  deps: RecordCallsDependencies,
  ref: ConnectionRef,
  wanted: boolean,
  request: { readonly requestId: string; readonly actor: string },
): Promise<number | undefined> {
  if (wanted && deps.callLog.mode === 'off') {
    throw new GatewayError('conflict', 'This deployment keeps no call log (gateway:callLog is off).');
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { connection, integration } = await findConnection(deps, ref);
    const nowMs = deps.clock.nowMs();
    const until = wanted ? Math.floor(nowMs / 1000) + CALL_LOG_RECORDING_SEC : undefined;
    const event = newEvent(deps.clock, deps.random, 'ConnectionUpdated', {
      subject: ref,
      sequence: connection.sequence + 1,
      endUserId: connection.endUser?.id,
      says: { reason: wanted ? 'calls_recorded' : 'calls_no_longer_recorded' },
      health: healthWord(connection, integration, Math.floor(nowMs / 1000)),
      ...request,
    });
    const next = { ...connection, callsRecordedUntilEpochSec: until, updatedAt: new Date(nowMs).toISOString() };
    if (await deps.connections.setRecording(next, event)) return until;
  }
  throw new GatewayError('conflict', 'The connection is being changed by others at the moment. Try again.');
}
