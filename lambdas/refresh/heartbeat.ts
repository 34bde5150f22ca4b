import { FIRST_ACCOUNT_ID, HEARTBEAT_EVENT_TYPE } from '../gateway/core/contract.ts';
import { firstUlidOf } from '../gateway/core/identifiers.ts';
import { HEARTBEAT_INTERVAL_MS } from '../gateway/core/limits.ts';
import type { Clock, Logger } from '../gateway/core/ports.ts';
import type { HeartbeatWriter } from '../gateway/ticks/ports.ts';

export interface HeartbeatDependencies {
  readonly heartbeats: HeartbeatWriter;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Writes one event every ten minutes, so that the path of events (table, stream, function, bus, rule) is used even without changes. An
 * alarm at its far end turns silence into a report of a broken path (ST-22).
 */
export class HeartbeatSender {
  readonly #deps: HeartbeatDependencies;
  #sentEventId: string | undefined;

  constructor(deps: HeartbeatDependencies) {
    this.#deps = deps;
  }

  /** Sends the heartbeat of the current interval, unless this process has. A failure is logged; the next tick tries again. */
  async send(requestId: string): Promise<void> {
    const { heartbeats, clock, logger } = this.#deps;
    const beganAtMs = Math.floor(clock.nowMs() / HEARTBEAT_INTERVAL_MS) * HEARTBEAT_INTERVAL_MS;
    const eventId = firstUlidOf(beganAtMs) + '0'.repeat(16);
    if (eventId === this.#sentEventId) return;
    try {
      const occurredAt = new Date(beganAtMs).toISOString();
      await heartbeats.write({ eventId, eventType: HEARTBEAT_EVENT_TYPE, occurredAt, accountId: FIRST_ACCOUNT_ID });
      this.#sentEventId = eventId;
    } catch (error) {
      logger.error('the heartbeat of events could not be written', { requestId }, error);
    }
  }
}
