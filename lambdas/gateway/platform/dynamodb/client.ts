import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { ConnectionRef } from '../../core/identifiers.ts';
import { AWS_CALL_LIMITS, awsClient, reportOutages } from '../aws-client.ts';

/**
 * Reads stored items without trusting their shape: a row of an unknown form is an error, never a half-read record (F66).
 */
export type Item = Readonly<Record<string, unknown>>;

/** A stored item does not have the form this code writes. */
export class UnreadableItemError extends Error {
  readonly attribute: string;
  constructor(attribute: string) {
    super(`A stored item has an unreadable attribute: ${attribute}`);
    this.name = 'UnreadableItemError';
    this.attribute = attribute;
  }
}

/** Told of a row that a list leaves out: its item, and what of it cannot be read. */
export type OnUnreadable = (item: Item, error: UnreadableItemError) => void;

/** Items as what they store. One that cannot be read is reported and left out, so that it hides no other (CR-10). */
export function readable<T>(items: readonly Item[], read: (item: Item) => T, onUnreadable: OnUnreadable): T[] {
  return items.flatMap((item) => {
    try {
      return [read(item)];
    } catch (error) {
      if (!(error instanceof UnreadableItemError)) throw error;
      onUnreadable(item, error);
      return [];
    }
  });
}

export function str(item: Item, attribute: string): string {
  const value = item[attribute];
  if (typeof value !== 'string') throw new UnreadableItemError(attribute);
  return value;
}

export function optionalStr(item: Item, attribute: string): string | undefined {
  return item[attribute] === undefined || item[attribute] === null ? undefined : str(item, attribute);
}

/** Which connection an item belongs to, from the three attributes that say so. */
export function connectionRefFromItem(item: Item): ConnectionRef {
  return {
    accountId: str(item, 'accountId'),
    integrationId: str(item, 'integrationId'),
    connectionId: str(item, 'connectionId'),
  };
}

export function num(item: Item, attribute: string): number {
  const value = item[attribute];
  if (typeof value !== 'number') throw new UnreadableItemError(attribute);
  return value;
}

export function optionalNum(item: Item, attribute: string): number | undefined {
  return item[attribute] === undefined || item[attribute] === null ? undefined : num(item, attribute);
}

export function bool(item: Item, attribute: string): boolean {
  const value = item[attribute];
  if (typeof value !== 'boolean') throw new UnreadableItemError(attribute);
  return value;
}

export function strings(item: Item, attribute: string): string[] {
  const value = item[attribute];
  if (!Array.isArray(value)) throw new UnreadableItemError(attribute);
  return value.map((element: unknown) => {
    if (typeof element !== 'string') throw new UnreadableItemError(attribute);
    return element;
  });
}

export function numbers(item: Item, attribute: string): number[] {
  const value = item[attribute];
  if (!Array.isArray(value)) throw new UnreadableItemError(attribute);
  return value.map((element: unknown) => {
    if (typeof element !== 'number') throw new UnreadableItemError(attribute);
    return element;
  });
}

export function optionalMap(item: Item, attribute: string): Item | undefined {
  const value = item[attribute];
  if (value === undefined || value === null) return undefined;
  if (!isMap(value)) throw new UnreadableItemError(attribute);
  return value;
}

export function stringMap(item: Item, attribute: string): Record<string, string> {
  const map = optionalMap(item, attribute) ?? {};
  return Object.fromEntries(Object.keys(map).map((key) => [key, str(map, key)]));
}

export function oneOf<T extends string>(item: Item, attribute: string, allowed: readonly T[]): T {
  const value = str(item, attribute);
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new UnreadableItemError(attribute);
  return found;
}

function isMap(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The table as every store sees it. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  /** Told of each row that a list leaves out because it cannot be read. */
  readonly onUnreadable: OnUnreadable;
  /** What the next transaction writes too, for the request at hand; undefined for nothing. */
  readonly beside?: (() => WriteBeside | undefined) | undefined;
}

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One more item of a transaction. */
export interface WriteBeside {
  readonly item: TransactItem;
  /** Called once, with what became of the transaction. */
  ended(outcome: 'written' | 'not_written' | 'unknown'): void;
  /** What to throw where this item's condition did not hold. */
  readonly refusal: () => Error;
}

/** Who is told of what a store does not say itself, and who adds to what it writes. */
export interface TableEvents {
  /** A list leaves out a row that cannot be read. */
  readonly onUnreadable?: OnUnreadable;
  /** A request is refused because the table, or a part of it, has too much to do. */
  readonly onThrottled?: () => void;
  readonly beside?: Table['beside'];
}

/**
 * One client per process, made outside the handler.
 *
 * @param limits of its calls
 */
export function openTable(tableName: string, told: TableEvents = {}, limits = AWS_CALL_LIMITS): Table {
  const { onUnreadable = () => {}, onThrottled, beside } = told;
  const client = awsClient(DynamoDBClient, limits, undefined, onThrottled);
  reportOutages(client, 'its storage');
  return {
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    tableName,
    onUnreadable,
    beside,
  };
}

/** True for the error of a condition that did not hold. */
export function isConditionFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

/**
 * Whether a conditional write was done; false when its condition did not hold.
 *
 * @throws whatever else went wrong
 */
export async function isDone(write: Promise<unknown>): Promise<boolean> {
  return (await unlessRefused(write.then(() => true))) === true;
}

/** What a conditional write returns; undefined when its condition did not hold. */
export async function unlessRefused<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}

/**
 * Which conditions of a cancelled transaction did not hold, by position; undefined for any other failure. A conflict with
 * another transaction counts as no condition: the SDK has repeated it by then.
 */
export function cancelledConditions(error: unknown): boolean[] | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return undefined;
  const reasons: unknown = 'CancellationReasons' in error ? error.CancellationReasons : undefined;
  if (!Array.isArray(reasons)) return undefined;
  const failed = reasons.map(
    (reason: unknown) =>
      typeof reason === 'object' && reason !== null && 'Code' in reason && reason.Code === 'ConditionalCheckFailed',
  );
  return failed.includes(true) ? failed : undefined;
}
