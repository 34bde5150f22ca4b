import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { TableCall } from '../../../support/table-recorder.ts';

/** An event as it was written, and what was written with it: all or nothing. */
export interface WrittenEvent {
  readonly event: Readonly<Record<string, unknown>>;
  /** Kinds of the other items of its transaction, by the beginning of their sort key; empty when it was written alone. */
  readonly together: readonly string[];
}

/** Every event among applied calls, in order. */
export function writtenEvents(calls: readonly TableCall[]): WrittenEvent[] {
  return calls.flatMap((call) => {
    const writes = writesOf(call);
    return writes
      .filter(({ item }) => item.type === 'event')
      .map(({ item }) => ({
        event: item,
        together: writes.filter((other) => other.item.type !== 'event').map(({ kind }) => kind),
      }));
  });
}

/** Kinds of items that were changed outside of a transaction with an event. */
export function silentWrites(calls: readonly TableCall[]): string[] {
  return calls
    .map(writesOf)
    .filter((writes) => !writes.some(({ item }) => item.type === 'event'))
    .flatMap((writes) => writes.map(({ kind }) => kind));
}

interface Write {
  readonly kind: string;
  /** Whole for a put, the key alone otherwise. */
  readonly item: Readonly<Record<string, unknown>>;
}

function writesOf({ operation, request }: TableCall): Write[] {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [writeOf(request)];
    case 'TransactWriteItems':
      return list(request.TransactItems).flatMap((item) => Object.values(item).map((part) => writeOf(Object(part))));
    default:
      return [];
  }
}

function writeOf(request: Readonly<Record<string, unknown>>): Write {
  const item = unmarshall(Object(request.Item ?? request.Key));
  const marksClient = request.UpdateExpression === 'SET clientWorksSinceEpochSec = :now';
  // Rows of lists and of sessions by end user have ids alone as sort keys: only the partition says what they are.
  const [family] = String(item.pk).split('#');
  const key = family === 'LISTED' || family === 'SESSIONOF' ? family : (String(item.sk).split('#')[0] ?? '');
  return { kind: marksClient ? 'CLIENT_WORKS' : key, item };
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value : [];
}
