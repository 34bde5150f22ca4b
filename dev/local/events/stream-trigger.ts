/**
 * An event source mapping: hands what passes its filter in a table's stream to a function, as Lambda does. "Using AWS Lambda with
 * Amazon DynamoDB", Polling and batching streams, Reporting batch item failures, Retaining discarded records.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  asObject,
  errorMessage,
  isObject,
  type Json,
  type JsonObject,
  optionalString,
  parseJson,
} from '../../tools/json.ts';
import type { InvocationOutcome } from '../lambda/outcome.ts';
import type { LocalTrigger } from '../template/triggers.ts';
import { matchesPattern, requireExactPattern } from './pattern.ts';
import type { StreamReader } from './stream-reader.ts';

/** Faults for tests. */
export interface TriggerSwitches {
  paused: boolean;
  /** How many times more each batch is handed over. */
  repeat: number;
  reverse: boolean;
}

export interface Trigger {
  readonly name: string;
  readonly switches: TriggerSwitches;
  losePosition(): void;
  /** Ends the polling. A batch in hand is not waited for: it comes again at the next start. */
  stop(): Promise<void>;
}

export interface TriggerOptions {
  trigger: LocalTrigger;
  reader: StreamReader;
  /** Runs the function. */
  invoke: (event: Json) => Promise<InvocationOutcome>;
  /** Takes the message about records that were given up, as the destination on failure. */
  onGivenUp: (message: JsonObject) => void | Promise<void>;
  region: string;
  log: (message: string) => void;
  /**
   * How often the stream's table may have been written to so far. While it was not, an empty stream is read once in twenty times: the
   * engine itself removes rows whose time has come. @default - not known, and each time is one
   */
  writes?: () => number;
  pollIntervalMs?: number;
  /** How retries wait. @default - by the clock */
  pause?: (ms: number, stopped: AbortSignal) => Promise<void>;
}

const POLL_INTERVAL_MS = 250;
/** Five seconds without a write. */
const IDLE_POLLS_MAX = 20;
const RETRY_BASE_MS = 50;
const RETRY_MAX_MS = 2_000;

/** Why records were given up, in the words of the message about them. */
type Condition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

/** Starts the trigger. @throws Error for filters that are not supported. */
export function startTrigger(options: TriggerOptions): Trigger {
  const { trigger, reader, log, pause = pauseByClock } = options;
  for (const filter of trigger.filters) requireExactPattern(filter, `${trigger.logicalId}.FilterCriteria`);
  let paused = false;
  let pauses = 0;
  const switches: TriggerSwitches = {
    ...{ repeat: 0, reverse: false },
    get paused() {
      return paused;
    },
    set paused(value) {
      if (value) pauses++;
      paused = value;
    },
  };
  const stopped = new AbortController();
  // No records could be read while the computer slept or was off: their age counts from here.
  const startedMs = Date.now();
  let failing = false;

  /** Writes before the last read that found nothing; undefined when there may be more to read. */
  let writesRead: number | undefined;
  let idlePolls = 0;
  let losses = 0;

  async function poll(): Promise<void> {
    while (!stopped.signal.aborted) {
      const more = switches.paused || isIdle() ? false : await step();
      if (!more) await pauseByClock(options.pollIntervalMs ?? POLL_INTERVAL_MS, stopped.signal);
    }
  }

  function isIdle(): boolean {
    idlePolls += 1;
    const idle = writesRead !== undefined && writesRead === options.writes?.() && idlePolls < IDLE_POLLS_MAX;
    if (!idle) idlePolls = 0;
    return idle;
  }

  async function step(): Promise<boolean> {
    try {
      const pausesBefore = pauses;
      const writesBefore = options.writes?.();
      const lossesBefore = losses;
      writesRead = undefined;
      const records = await reader.read(trigger.batchSize);
      // Paused meanwhile, even if no longer: the records are read again, with those that have come since.
      if (pauses !== pausesBefore) return false;
      const passing = records.filter((record) => passes(trigger, record));
      const ordered = switches.reverse ? passing.toReversed() : passing;
      for (let round = 0; round <= switches.repeat && ordered.length > 0; round += 1) await handOver(ordered);
      if (stopped.signal.aborted) return false;
      reader.commit(records);
      if (records.length === 0 && losses === lossesBefore) writesRead = writesBefore;
      failing = false;
      return records.length === trigger.batchSize;
    } catch (error) {
      // Once per outage: an unavailable engine is polled four times a second.
      if (!failing && !stopped.signal.aborted) log(`${trigger.logicalId}: ${errorMessage(error)}`);
      failing = true;
      return false;
    }
  }

  /** Hands records over until the function took them or they are given up; returns early when the trigger is stopped. */
  async function handOver(given: readonly JsonObject[]): Promise<void> {
    let records = given;
    for (let attempt = 0; ; attempt += 1) {
      const young = records.filter((record) => !isTooOld(record));
      if (young.length < records.length) {
        await giveUp(
          records.filter((record) => !young.includes(record)),
          'RecordAgeExceeded',
          attempt,
        );
        records = young;
      }
      if (records.length === 0) return;
      const event: Json = { Records: records.map((record) => ({ ...record, ...ownMembers(options) })) };
      const outcome = await untilStopped(options.invoke(event), stopped.signal);
      if (outcome === undefined) return;
      const verdict = judge(outcome, records, trigger);
      if (verdict.failedFrom === undefined) return;
      if (!failing) log(`${trigger.logicalId}: ${verdict.reason}`);
      failing = true;
      if (verdict.isPartial) {
        // Records before the failed one are done: attempts count for the batch that begins with it.
        if (verdict.failedFrom > 0) attempt = 0;
        records = records.slice(verdict.failedFrom);
      } else if (trigger.bisectsOnError && records.length > 1) {
        const middle = Math.ceil(records.length / 2);
        await handOver(records.slice(0, middle));
        if (stopped.signal.aborted) return;
        await handOver(records.slice(middle));
        return;
      }
      if (trigger.maximumRetryAttempts >= 0 && attempt >= trigger.maximumRetryAttempts) {
        await giveUp(records, 'RetryAttemptsExhausted', attempt + 1);
        return;
      }
      await pause(Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** attempt), stopped.signal);
      if (stopped.signal.aborted) return;
    }
  }

  function isTooOld(record: JsonObject): boolean {
    if (trigger.maximumRecordAgeSec < 0) return false;
    const bornMs = Math.max(startedMs, createdMs(record) ?? startedMs);
    return Date.now() - bornMs > trigger.maximumRecordAgeSec * 1000;
  }

  async function giveUp(records: readonly JsonObject[], condition: Condition, invokeCount: number): Promise<void> {
    log(`${trigger.logicalId}: gave up on ${records.length} record(s), which stay in the table: ${condition}`);
    if (trigger.deadLettersArn !== undefined) {
      await options.onGivenUp(failureMessage(trigger, records, condition, invokeCount));
    }
  }

  const running = poll();
  return {
    name: trigger.logicalId,
    switches,
    losePosition() {
      losses += 1;
      writesRead = undefined;
      reader.losePosition();
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

/** Whether a record passes the trigger's filters; without filters everything does. */
export function passes(trigger: LocalTrigger, record: JsonObject): boolean {
  return trigger.filters.length === 0 || trigger.filters.some((filter) => matchesPattern(filter, record));
}

interface Verdict {
  /** Place of the first record to be brought again; undefined: all is done. */
  readonly failedFrom: number | undefined;
  /** The function itself said which one. */
  readonly isPartial: boolean;
  readonly reason: string;
}

/** Lambda's judgement of the end of an invocation. An answer that names no record of the batch counts as a failure of all. */
function judge(outcome: InvocationOutcome, records: readonly JsonObject[], trigger: LocalTrigger): Verdict {
  const all = (reason: string): Verdict => ({ failedFrom: 0, isPartial: false, reason });
  switch (outcome.kind) {
    case 'failed':
      return all(`the function failed: ${outcome.error.errorType}: ${outcome.error.errorMessage}`);
    case 'timed-out':
      return all('the function was killed at its time limit');
    case 'crashed':
      return all(outcome.reason);
    case 'throttled':
      return { failedFrom: 0, isPartial: true, reason: 'the function has too many waiting calls' };
    case 'streaming':
      outcome.body.resume();
      return all('the function streams its answer, which no trigger reads');
    case 'buffered':
      break;
  }
  if (!trigger.reportsFailures) return { failedFrom: undefined, isPartial: false, reason: '' };
  const answer = parseJson(outcome.payload.toString('utf8'), 'The answer');
  const failures: Json | undefined = isObject(answer) ? answer.batchItemFailures : undefined;
  if (!Array.isArray(failures) || failures.length === 0) {
    return { failedFrom: undefined, isPartial: false, reason: '' };
  }
  const places = failures.map((failure) => {
    const identifier = isObject(failure) ? failure.itemIdentifier : undefined;
    return records.findIndex((record) => sequenceNumberOf(record) === identifier);
  });
  if (places.includes(-1)) return all('the function reports a failure of a record that was not in its batch');
  return { failedFrom: Math.min(...places), isPartial: true, reason: 'the function reports records that failed' };
}

/** Members that the engine fills with names of its own. */
function ownMembers({ trigger, region }: TriggerOptions): JsonObject {
  return { awsRegion: region, eventSource: 'aws:dynamodb', eventSourceARN: trigger.streamArn };
}

function sequenceNumberOf(record: JsonObject): string | undefined {
  return optionalString(asObject(record.dynamodb, 'dynamodb').SequenceNumber, 'SequenceNumber');
}

function createdMs(record: JsonObject): number | undefined {
  const created = isObject(record.dynamodb) ? record.dynamodb.ApproximateCreationDateTime : undefined;
  return typeof created === 'number' ? created * 1000 : undefined;
}

/** The message about records that were given up, as Lambda sends it. */
function failureMessage(
  trigger: LocalTrigger,
  records: readonly JsonObject[],
  condition: Condition,
  invokeCount: number,
): JsonObject {
  const arrivals = records.map((record) => new Date(createdMs(record) ?? Date.now()).toISOString());
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn: trigger.functionArn,
      condition,
      approximateInvokeCount: invokeCount,
    },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId: 'local',
      startSequenceNumber: (records[0] && sequenceNumberOf(records[0])) ?? '',
      endSequenceNumber: sequenceNumberOf(records.at(-1) ?? { dynamodb: {} }) ?? '',
      approximateArrivalOfFirstRecord: arrivals[0] ?? '',
      approximateArrivalOfLastRecord: arrivals.at(-1) ?? '',
      batchSize: records.length,
      streamArn: trigger.streamArn,
    },
  };
}

/** The outcome; undefined when the trigger is stopped before. */
async function untilStopped<T>(work: Promise<T>, stopped: AbortSignal): Promise<T | undefined> {
  if (stopped.aborted) return undefined;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = () => resolve(undefined);
  stopped.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    stopped.removeEventListener('abort', stop);
  }
}

async function pauseByClock(ms: number, stopped: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stopped }).catch(() => {});
}
