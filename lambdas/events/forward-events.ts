import {
  EVENT_GIVE_UP_MS,
  EVENT_PUT_ATTEMPTS,
  EVENT_PUT_BACKOFF_BASE_MS,
  EVENT_PUT_BACKOFF_MAX_MS,
  EVENT_PUT_RESERVE_MS,
} from '../gateway/core/limits.ts';
import type { Clock, Logger, Metrics, Random } from '../gateway/core/ports.ts';
import {
  type EventEntry,
  isRefusedForGood,
  nextRequest,
  readStreamRecord,
  type StreamRecord,
} from './stream-record.rules.ts';

/** The outcome of one entry; a code where the bus refused it. */
export interface PutResult {
  readonly code: string | undefined;
}

/** An event that the bus never accepts, as stored for inspection. Its item stays in the table. */
export interface RefusedEvent {
  readonly eventId: string;
  readonly eventType: string;
  readonly key: { readonly pk: string; readonly sk: string };
  readonly reason: string;
}

export interface ForwardDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Puts entries on the bus; one result each, in order. @throws Error without an answer, or for one without results */
  readonly put: (entries: readonly EventEntry[]) => Promise<readonly PutResult[]>;
  /** Puts an event into the queue of refused ones. */
  readonly keepRefused: (refused: RefusedEvent) => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
}

/** A record to put on the bus. */
interface Waiting extends StreamRecord {
  readonly entry: EventEntry;
}

/** The reply to Lambda, which continues with the first record of these. "Reporting batch item failures", AWS Lambda Developer Guide. */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/**
 * Puts the new events of one batch on the bus: each at least once, those of one connection in order.
 *
 * An event that the bus can never accept is put into the queue by this function and the rest continues, because a record that is
 * reported as failed blocks its whole shard. Transient failures are retried a few times; Lambda delivers the rest, and everything
 * behind it, again for an hour. An event that the bus refuses for ten minutes while it accepts others is queued, too.
 *
 * @param records of the stream, in order
 * @param deadlineMs wall-clock end of the function
 */
export async function forwardEvents(
  deps: ForwardDependencies,
  records: readonly unknown[],
  deadlineMs: number,
  requestId: string,
): Promise<BatchResponse> {
  const { clock, logger, metrics } = deps;
  const events = records.map(readStreamRecord).filter((record) => record !== undefined);
  const unsettled = new Set(events);
  const mayGoOn = () => clock.nowMs() < deadlineMs - EVENT_PUT_RESERVE_MS;

  /** @returns whether the event is now in the queue */
  const refuse = async (record: StreamRecord, reason: string): Promise<boolean> => {
    const { eventId, eventType, key } = record;
    try {
      await deps.keepRefused({ eventId, eventType, key, reason });
    } catch (error) {
      logger.error('an event that the bus refuses could not be queued', { requestId, cause: reason }, error);
      return false;
    }
    logger.error('the bus refuses an event for good', { requestId, cause: reason, outcome: eventType });
    metrics.count('EventNotForwarded');
    return true;
  };

  /** Settles as many as possible of a request. @returns the rest, in order */
  const send = async (request: readonly Waiting[]): Promise<Waiting[]> => {
    const codes = await putAll(deps, request, requestId);
    const left: Waiting[] = [];
    for (const [index, record] of request.entries()) {
      const code = codes[index];
      if (code === undefined || (isRefusedForGood(code) && (await refuse(record, code)))) unsettled.delete(record);
      else left.push(record);
    }
    return left;
  };

  /** Puts events that the bus has refused for too long into the queue, if it accepts others. @returns the rest */
  const refuseOld = async (records: readonly Waiting[]): Promise<Waiting[]> => {
    const left: Waiting[] = [];
    for (const record of records) {
      const isOld = clock.nowMs() - (record.writtenAtMs ?? clock.nowMs()) > EVENT_GIVE_UP_MS;
      if (isOld && (await refuse(record, 'NotTakenInTime'))) unsettled.delete(record);
      else left.push(record);
    }
    return left;
  };

  const hasEntry = (record: StreamRecord): record is Waiting => record.entry !== undefined;
  for (const record of events) {
    if (!hasEntry(record) && (await refuse(record, record.problem ?? ''))) unsettled.delete(record);
  }
  let waiting = events.filter(hasEntry);
  while (waiting.length > 0 && mayGoOn()) {
    const request = nextRequest(waiting);
    let left = await send(request);
    for (let attempt = 1; left.length > 0 && attempt < EVENT_PUT_ATTEMPTS && mayGoOn(); attempt++) {
      const most = Math.min(EVENT_PUT_BACKOFF_MAX_MS, EVENT_PUT_BACKOFF_BASE_MS * 2 ** attempt);
      await deps.wait(most * (0.5 + deps.random.number() / 2));
      left = await send(left);
    }
    if (left.length > 0 && left.length < request.length) left = await refuseOld(left);
    // Everything behind it will be delivered again, so putting it now would only duplicate it.
    if (left.length > 0) break;
    waiting = waiting.filter((record) => !request.includes(record));
  }
  if (unsettled.size > 0) {
    metrics.count('EventNotForwarded', {}, unsettled.size);
    logger.error('events could not be put on the bus and are tried again', { requestId, count: unsettled.size });
  }
  return {
    batchItemFailures: [...unsettled].slice(0, 1).map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })),
  };
}

/**
 * One code for each refused record, by position. For a request that was refused as a whole, no single entry is known to be the reason,
 * so each is put alone.
 */
async function putAll(
  deps: ForwardDependencies,
  request: readonly Waiting[],
  requestId: string,
): Promise<readonly (string | undefined)[]> {
  try {
    const results = await deps.put(request.map(({ entry }) => entry));
    const codes = request.map((_, index) => (results[index] === undefined ? 'NoResult' : results[index].code));
    const first = codes.find((code) => code !== undefined);
    if (first !== undefined) deps.logger.warn('the bus did not take every event', { requestId, code: first });
    return codes;
  } catch (error) {
    const code = error instanceof Error ? error.name : 'Error';
    if (isRefusedForGood(code) && request.length > 1) {
      const codes: (string | undefined)[] = [];
      for (const record of request) codes.push(...(await putAll(deps, [record], requestId)));
      return codes;
    }
    deps.logger.warn('the bus did not take a request', { requestId, code });
    return request.map(() => code);
  }
}
