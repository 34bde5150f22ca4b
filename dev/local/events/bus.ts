/** The event buses: every event goes to a file, to subscribers, and to the functions of matching rules. */
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import {
  asArray,
  asObject,
  errorMessage,
  isObject,
  type Json,
  type JsonObject,
  optionalString,
  parseJson,
} from '../../tools/json.ts';
import { AwsError } from '../aws/aws-error.ts';
import type { AwsService } from '../aws/server.ts';
import type { RequiredAccess } from '../iam/judge.ts';
import type { Measurements } from '../measurements.ts';
import type { LocalBus, LocalRule } from '../template/events.ts';
import { LOCAL_ACCOUNT_ID } from '../template/references.ts';
import { matchesPattern, requireExactPattern } from './pattern.ts';

/** An event in EventBridge's own envelope. `time` is ISO 8601 in whole seconds. */
export interface LifecycleEvent {
  version: '0';
  id: string;
  'detail-type': string;
  source: string;
  account: string;
  time: string;
  region: string;
  resources: string[];
  detail: Json;
}

/** An event as its producer sends it. */
export interface EventEntry {
  busName: string;
  source: string;
  detailType: string;
  time: string | undefined;
  resources: readonly string[];
  detail: Json;
}

/** Faults for tests. */
export interface BusSwitches {
  /** `PutEvents` answers the entry with this code, as it does for one that it does not take. */
  refuse: ((entry: EventEntry) => string | undefined) | undefined;
}

export interface EventBus {
  readonly switches: BusSwitches;
  /** Accepts an event. @throws Error when the bus is unknown or the time is not a date. */
  publish(entry: EventEntry): Promise<LifecycleEvent>;
  subscribe(listener: (event: LifecycleEvent) => void): void;
  /** `PutEvents` of the EventBridge API, into the same sink. */
  service: AwsService;
}

export interface EventBusOptions {
  /** Events are appended here, one JSON object a line. */
  filePath: string;
  region: string;
  buses: readonly LocalBus[];
  rules: readonly LocalRule[];
  /** Invokes a rule's target function. */
  invoke: (functionArn: string, event: Json) => Promise<unknown>;
  onFailure: (message: string) => void;
  measure: Measurements['add'];
}

/** Opens the buses. @throws Error for a rule whose pattern is not supported. */
export function openEventBus(options: EventBusOptions): EventBus {
  const listeners: ((event: LifecycleEvent) => void)[] = [];
  const switches: BusSwitches = { refuse: undefined };
  for (const rule of options.rules) requireExactPattern(rule.pattern, `${rule.logicalId}.EventPattern`);
  const knownBuses = new Set(['default', ...options.buses.map((bus) => bus.name)]);
  let written: Promise<void> = Promise.resolve();

  async function publish(entry: EventEntry): Promise<LifecycleEvent> {
    if (!knownBuses.has(entry.busName)) throw new Error(`There is no event bus ${entry.busName}.`);
    const event = toEnvelope(entry, options.region);
    const line = `${JSON.stringify(event)}\n`;
    const append = written.then(() => appendFile(options.filePath, line, { mode: 0o600 }));
    // The chain survives a failed write, which its own caller gets.
    written = append.catch(() => {});
    await append;
    for (const listener of listeners) listener(event);
    for (const rule of options.rules) {
      if (rule.busName !== entry.busName || !matchesPattern(rule.pattern, { ...event })) continue;
      for (const functionArn of rule.functionArns) {
        // A rule of the default bus has one dimension, of any other bus two (Monitoring Amazon EventBridge).
        const ofBus: Record<string, string> = rule.busName === 'default' ? {} : { EventBusName: rule.busName };
        const dimensions = { ...ofBus, RuleName: rule.name };
        options.measure({ namespace: 'AWS/Events', metricName: 'Invocations', dimensions, value: 1 });
        options.invoke(functionArn, { ...event }).catch((error: unknown) => {
          options.onFailure(`${rule.logicalId}: ${errorMessage(error)}`);
        });
      }
    }
    return event;
  }

  return {
    switches,
    publish,
    subscribe: (listener) => listeners.push(listener),
    service: {
      access: (operation, input) => putEventsAccess(operation, input, options.region),
      call: (operation, input) => putEvents(operation, input, { publish, switches }),
    },
  };
}

function toEnvelope(entry: EventEntry, region: string): LifecycleEvent {
  const time = entry.time === undefined ? new Date() : new Date(entry.time);
  if (Number.isNaN(time.getTime())) throw new Error(`The event time ${entry.time} is not a date.`);
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': entry.detailType,
    source: entry.source,
    account: LOCAL_ACCOUNT_ID,
    time: time.toISOString().replace(/\.\d+Z$/, 'Z'),
    region,
    resources: [...entry.resources],
    detail: entry.detail,
  };
}

/** The right to put events on each bus that a call names. */
function putEventsAccess(operation: string, input: JsonObject, region: string): RequiredAccess[] {
  if (operation !== 'PutEvents')
    throw new AwsError('NotEmulated', `EventBridge ${operation} is not emulated locally.`, 501);
  const names = asArray(input.Entries, 'Entries').map(
    (entry) => optionalString(asObject(entry, 'Entry').EventBusName, 'EventBusName') ?? 'default',
  );
  return [...new Set(names)].map((name) => ({
    action: 'events:PutEvents',
    resource: name.startsWith('arn:') ? name : `arn:aws:events:${region}:${LOCAL_ACCOUNT_ID}:event-bus/${name}`,
  }));
}

/** "PutEvents", Amazon EventBridge API reference: entries of one request, and their bytes together before AWS raised the limit. */
const ENTRIES_MAX = 10;
const REQUEST_MAX_BYTES = 256 * 1024;

async function putEvents(
  operation: string,
  input: JsonObject,
  { publish, switches }: Pick<EventBus, 'publish' | 'switches'>,
): Promise<JsonObject> {
  if (operation !== 'PutEvents')
    throw new AwsError('NotEmulated', `EventBridge ${operation} is not emulated locally.`, 501);
  const entries = asArray(input.Entries, 'Entries').map((raw) => asObject(raw, 'Entry'));
  if (entries.length === 0 || entries.length > ENTRIES_MAX) {
    throw new AwsError('ValidationException', `A request has 1 to ${ENTRIES_MAX} entries, not ${entries.length}.`);
  }
  const bytes = entries.reduce((sum, entry) => sum + entryBytes(entry), 0);
  if (bytes > REQUEST_MAX_BYTES) {
    throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.');
  }
  const results: Json[] = [];
  for (const entry of entries) {
    try {
      const detail = parseJson(optionalString(entry.Detail, 'Detail') ?? '', 'Detail');
      if (!isObject(detail)) throw new Error('Detail must be a JSON object.');
      const given: EventEntry = {
        busName: (optionalString(entry.EventBusName, 'EventBusName') ?? 'default').split('/').at(-1) ?? 'default',
        source: optionalString(entry.Source, 'Source') ?? '',
        detailType: optionalString(entry.DetailType, 'DetailType') ?? '',
        time: typeof entry.Time === 'number' ? new Date(entry.Time * 1000).toISOString() : undefined,
        resources: asArray(entry.Resources ?? [], 'Resources').map(String),
        detail,
      };
      const code = switches.refuse?.(given);
      if (code !== undefined) {
        results.push({ ErrorCode: code, ErrorMessage: 'The bus refuses this event.' });
        continue;
      }
      const published = await publish(given);
      results.push({ EventId: published.id });
    } catch (error) {
      results.push({ ErrorCode: 'MalformedDetail', ErrorMessage: errorMessage(error) });
    }
  }
  return {
    FailedEntryCount: results.filter((result) => isObject(result) && 'ErrorCode' in result).length,
    Entries: results,
  };
}

/** "Calculating Amazon EventBridge event entry size". */
function entryBytes(entry: JsonObject): number {
  const size = (value: Json | undefined): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  const resources = asArray(entry.Resources ?? [], 'Resources').reduce<number>((sum, one) => sum + size(one), 0);
  return (
    (entry.Time === undefined ? 0 : 14) + size(entry.Source) + size(entry.DetailType) + size(entry.Detail) + resources
  );
}
