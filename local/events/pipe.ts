/** The pipe from a table's stream to a bus: filter, transform, deliver at least once, split what cannot be delivered. */
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage, isObject, type Json, type JsonObject } from '../json.ts';
import type { LocalPipe } from '../template/events.ts';
import type { EventBus, EventEntry } from './bus.ts';
import { fillTemplate, requireKnownPlaceholders, resolveParameter } from './input-template.ts';
import { matchesPattern, requireExactPattern } from './pattern.ts';
import type { StreamReader } from './stream-reader.ts';

/** What a test may do to a pipe. `refuse` makes the delivery of matching events fail. */
export interface PipeSwitches {
  paused: boolean;
  /** How many times more each batch is delivered. */
  repeat: number;
  reverse: boolean;
  refuse: ((entry: EventEntry) => boolean) | undefined;
}

export interface Pipe {
  readonly name: string;
  readonly switches: PipeSwitches;
  losePosition(): void;
  /** Ends the polling and waits for a delivery in hand. */
  stop(): Promise<void>;
}

export interface PipeOptions {
  pipe: LocalPipe;
  reader: StreamReader;
  bus: Pick<EventBus, 'publish'>;
  region: string;
  log: (message: string) => void;
  pollIntervalMs?: number;
}

const POLL_INTERVAL_MS = 250;
const RETRY_BASE_MS = 50;
const RETRY_MAX_MS = 2_000;

/** Starts the pipe. @throws Error for filters, paths or placeholders that are not supported. */
export function startPipe(options: PipeOptions): Pipe {
  const { pipe, reader, log } = options;
  for (const filter of pipe.filters) requireExactPattern(filter, `${pipe.logicalId}.FilterCriteria`);
  if (pipe.inputTemplate !== undefined) requireKnownPlaceholders(pipe.inputTemplate, `${pipe.logicalId}.InputTemplate`);
  let paused = false;
  let pauses = 0;
  const switches: PipeSwitches = {
    ...{ repeat: 0, reverse: false, refuse: undefined },
    get paused() {
      return paused;
    },
    set paused(value) {
      if (value) pauses++;
      paused = value;
    },
  };
  const stopped = new AbortController();
  let failing = false;

  async function poll(): Promise<void> {
    while (!stopped.signal.aborted) {
      const more = switches.paused ? false : await step();
      if (!more) await pause(options.pollIntervalMs ?? POLL_INTERVAL_MS, stopped.signal);
    }
  }

  async function step(): Promise<boolean> {
    try {
      const pausesBefore = pauses;
      const records = await reader.read(pipe.batchSize);
      // Paused meanwhile, even if no longer: the records are read again, with those that have come since.
      if (pauses !== pausesBefore) return false;
      const passing = records.filter((record) => passes(pipe, record));
      await deliverBatch(passing, options, switches, stopped.signal);
      if (stopped.signal.aborted) return false;
      reader.commit(records);
      failing = false;
      return records.length === pipe.batchSize;
    } catch (error) {
      // Once per outage: the engine may be away for a while and is asked four times a second.
      if (!failing && !stopped.signal.aborted) log(`${pipe.name}: ${errorMessage(error)}`);
      failing = true;
      return false;
    }
  }

  const running = poll();
  return {
    name: pipe.name,
    switches,
    losePosition: () => reader.losePosition(),
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

/** Whether a record passes the pipe's filters; without filters everything does. */
export function passes(pipe: LocalPipe, record: JsonObject): boolean {
  return pipe.filters.length === 0 || pipe.filters.some((filter) => matchesPattern(filter, record));
}

/** Turns a stream record into the event the pipe puts on its bus. @throws Error for a path that leads nowhere. */
function toEventEntry(pipe: LocalPipe, record: JsonObject, region: string): EventEntry {
  // The engine puts its own name where AWS puts the region.
  const source: JsonObject = { ...record, awsRegion: region };
  const detail: Json = pipe.inputTemplate === undefined ? source : fillTemplate(pipe.inputTemplate, source);
  if (!isObject(detail)) throw new Error('The detail of an event must be a JSON object.');
  const { bus } = pipe;
  return {
    busName: pipe.busArn.split('/').at(-1) ?? pipe.busArn,
    source: bus.source === undefined ? `Pipe ${pipe.name}` : resolveParameter(bus.source, source),
    detailType: bus.detailType === undefined ? 'Event from aws:dynamodb' : resolveParameter(bus.detailType, source),
    time: bus.time === undefined ? undefined : resolveParameter(bus.time, source),
    resources: bus.resources.map((one) => resolveParameter(one, source)),
    detail,
  };
}

async function deliverBatch(
  records: readonly JsonObject[],
  options: PipeOptions,
  switches: PipeSwitches,
  stopped: AbortSignal,
): Promise<void> {
  if (records.length === 0) return;
  const { pipe, log } = options;
  const ordered = switches.reverse ? records.toReversed() : records;
  for (let round = 0; round <= switches.repeat; round += 1) {
    const failure = await deliverWithRetries(ordered, options, switches, stopped);
    if (failure === undefined || stopped.aborted) continue;
    if (pipe.bisectOnFailure && ordered.length > 1) {
      const middle = Math.ceil(ordered.length / 2);
      await deliverBatch(records.slice(0, middle), options, switches, stopped);
      await deliverBatch(records.slice(middle), options, switches, stopped);
      return;
    }
    log(`${pipe.name}: gave up on ${ordered.length} record(s), which stay in the table: ${failure}`);
  }
}

async function deliverWithRetries(
  records: readonly JsonObject[],
  { pipe, bus, region }: PipeOptions,
  switches: PipeSwitches,
  stopped: AbortSignal,
): Promise<string | undefined> {
  const oldestAt = Date.now();
  for (let attempt = 0; ; attempt += 1) {
    try {
      for (const record of records) {
        const entry = toEventEntry(pipe, record, region);
        if (switches.refuse?.(entry)) throw new Error('the bus refused the event');
        await bus.publish(entry);
      }
      return undefined;
    } catch (error) {
      const ageSec = (Date.now() - oldestAt) / 1000;
      const tooOld = pipe.maximumRecordAgeSec >= 0 && ageSec > pipe.maximumRecordAgeSec;
      const tooOften = pipe.maximumRetryAttempts >= 0 && attempt >= pipe.maximumRetryAttempts;
      if (tooOld || tooOften || stopped.aborted) return errorMessage(error);
      await pause(Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** attempt), stopped);
    }
  }
}

async function pause(ms: number, stopped: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stopped }).catch(() => {});
}
