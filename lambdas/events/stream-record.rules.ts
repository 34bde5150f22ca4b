import {
  EVENT_DETAIL_ATTRIBUTES,
  EVENT_ITEM_TYPE,
  EVENT_SOURCE,
  EVENT_TYPE_ATTRIBUTE,
  HEARTBEAT_EVENT_TYPE,
  HEARTBEAT_SOURCE,
} from '../gateway/core/contract.ts';
import { eventDetail } from '../gateway/events/lifecycle-event.rules.ts';

/** One entry of a `PutEvents` request. */
export interface EventEntry {
  readonly source: string;
  readonly detailType: string;
  /** ISO 8601 UTC. */
  readonly time: string;
  /** JSON text. */
  readonly detail: string;
}

/** One parsed record of the table's stream. */
export interface StreamRecord {
  /** When the item was written; undefined where the record lacks it. */
  readonly writtenAtMs: number | undefined;
  /** The position at which Lambda starts again after a failure. */
  readonly sequenceNumber: string;
  /** Keys of the item, to find it later; empty where the record has none. */
  readonly key: { readonly pk: string; readonly sk: string };
  /** Events of one order keep it: those of one connection, else of one account. */
  readonly order: string;
  readonly eventId: string;
  readonly eventType: string;
  /** Undefined: the item is no valid event, and `problem` says why. */
  readonly entry: EventEntry | undefined;
  readonly problem: string | undefined;
}

/** Members that identify and order an event. */
const REQUIRED = [EVENT_DETAIL_ATTRIBUTES.event_id, EVENT_DETAIL_ATTRIBUTES.account_id, EVENT_TYPE_ATTRIBUTE];

/**
 * Reads one record of the table's stream ("Using AWS Lambda with Amazon DynamoDB", example event).
 *
 * @returns undefined for anything except a new event item: the trigger's filter passes only those, and only those may be sent
 */
export function readStreamRecord(record: unknown): StreamRecord | undefined {
  const change = member(record, 'dynamodb');
  const image = member(change, 'NewImage');
  if (member(record, 'eventName') !== 'INSERT' || text(image, 'type') !== EVENT_ITEM_TYPE) return undefined;
  const keys = member(change, 'Keys');
  const missing = REQUIRED.filter((name) => (text(image, name) ?? '') === '');
  const time = text(image, EVENT_DETAIL_ATTRIBUTES.time) ?? '';
  const problem =
    missing.length > 0
      ? `the item has no ${missing.join(', ')}`
      : Number.isNaN(Date.parse(time))
        ? `${EVENT_DETAIL_ATTRIBUTES.time} is no time`
        : undefined;
  const eventType = text(image, EVENT_TYPE_ATTRIBUTE) ?? '';
  const pk = text(keys, 'pk') ?? '';
  const writtenAtEpochSec = member(change, 'ApproximateCreationDateTime');
  return {
    writtenAtMs: typeof writtenAtEpochSec === 'number' ? writtenAtEpochSec * 1000 : undefined,
    sequenceNumber: String(member(change, 'SequenceNumber') ?? ''),
    key: { pk, sk: text(keys, 'sk') ?? '' },
    order: pk,
    eventId: text(image, EVENT_DETAIL_ATTRIBUTES.event_id) ?? '',
    eventType,
    problem,
    entry:
      problem === undefined
        ? {
            source: sourceOf(eventType),
            detailType: eventType,
            time,
            detail: JSON.stringify(detailOf(eventType, image)),
          }
        : undefined,
  };
}

/** Heartbeats have a source of their own, so that rules for the gateway's events do not match them. */
function sourceOf(eventType: string): string {
  return eventType === HEARTBEAT_EVENT_TYPE ? HEARTBEAT_SOURCE : EVENT_SOURCE;
}

/** The event's detail, from the item in the stream. */
function detailOf(eventType: string, image: unknown): Readonly<Record<string, string>> {
  return eventDetail(eventType, (name) => text(image, name));
}

/** Entries that one `PutEvents` takes. */
const ENTRIES_PER_REQUEST = 10;

/** Bytes of all entries of one request together: the older limit of `PutEvents`, which every region and partition accepts. */
const BYTES_PER_REQUEST = 256 * 1024;

/** Size of an entry as `PutEvents` counts it ("Calculating Amazon EventBridge event entry size"): 14 bytes for the time. */
export function entryBytes({ source, detailType, detail }: EventEntry): number {
  return 14 + Buffer.byteLength(source) + Buffer.byteLength(detailType) + Buffer.byteLength(detail);
}

/**
 * The next request: the oldest records first, and of one order only the first. The bus accepts the entries of a request one by one,
 * so if it accepted only the second of a connection, that one would overtake the first.
 *
 * @param waiting not empty, in the order of the stream
 */
export function nextRequest<T extends { readonly order: string; readonly entry: EventEntry }>(
  waiting: readonly T[],
): T[] {
  const request: T[] = [];
  const orders = new Set<string>();
  let bytes = 0;
  for (const one of waiting) {
    if (request.length === ENTRIES_PER_REQUEST) break;
    if (orders.has(one.order)) continue;
    orders.add(one.order);
    const size = entryBytes(one.entry);
    // One that is too large is sent alone, so that the bus refuses only that one.
    if (request.length > 0 && bytes + size > BYTES_PER_REQUEST) continue;
    request.push(one);
    bytes += size;
  }
  return request;
}

/**
 * Permanent refusals ("PutEventsResultEntry", Amazon EventBridge API reference), which concern the event itself. A denied right is not
 * among them: it concerns the bus and every event, and will be restored.
 */
const FINAL_CODES: ReadonlySet<string> = new Set([
  'InvalidArgument',
  'MalformedDetail',
  'RedactionFailure',
  'RequestEntityTooLarge',
  'ValidationException',
]);

/** Whether this code of the bus is permanent. */
export function isRefusedForGood(code: string): boolean {
  return FINAL_CODES.has(code);
}

function text(map: unknown, name: string): string | undefined {
  const value = member(member(map, name), 'S');
  return typeof value === 'string' ? value : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
