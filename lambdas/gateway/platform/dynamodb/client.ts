import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { ConnectionRef } from '../../core/identifiers.ts';
import { AWS_CALL_LIMITS, awsClient, reportOutages } from '../aws-client.ts';

/** A stored item without a trusted shape: a row of an unknown form is an error, never a half-read record (F66). */
export type Item = Readonly<Record<string, unknown>>;

/** A stored item that does not have this version's form. */
export class UnreadableItemError extends Error {
  readonly attribute: string;
  constructor(attribute: string) {
    super(`A stored item has an unreadable attribute: ${attribute}`);
    this.name = 'UnreadableItemError';
    this.attribute = attribute;
  }
}

/** Called for a row that a list leaves out, with the item and the reason. */
export type OnUnreadable = (item: Item, error: UnreadableItemError) => void;

/** Parses items. An unreadable one is reported and left out, so that it hides no other (CR-10). */
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

/** The connection of an item, from its three identity attributes. */
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
  /** Called for each unreadable row that a list leaves out. */
  readonly onUnreadable: OnUnreadable;
  /** An additional item of the next transaction, for the current request; undefined without one. */
  readonly extraWrite?: (() => ExtraWrite | undefined) | undefined;
}

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One more item of a transaction. */
export interface ExtraWrite {
  readonly item: TransactItem;
  /** Called once, with the outcome of the transaction. */
  ended(outcome: 'written' | 'not_written' | 'unknown'): void;
  /** The error to throw where this item's condition failed. */
  readonly refusal: () => Error;
}

/** Callbacks of a table, and its additional writes. */
export interface TableEvents {
  /** A list has left out an unreadable row. */
  readonly onUnreadable?: OnUnreadable;
  /** A request was refused because the table, or a part of it, is overloaded. */
  readonly onThrottled?: () => void;
  readonly extraWrite?: Table['extraWrite'];
}

/**
 * One client per process, made outside the handler.
 *
 * @param limits of its calls
 */
export function openTable(tableName: string, events: TableEvents = {}, limits = AWS_CALL_LIMITS): Table {
  const { onUnreadable = () => {}, onThrottled, extraWrite } = events;
  const client = awsClient(DynamoDBClient, limits, undefined, onThrottled);
  reportOutages(client, 'its storage');
  return {
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    tableName,
    onUnreadable,
    extraWrite,
  };
}

/** True for the error of a failed condition. */
export function isConditionFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

/**
 * Whether a conditional write succeeded; false when its condition failed.
 *
 * @throws every other error
 */
export async function isDone(write: Promise<unknown>): Promise<boolean> {
  return (await unlessRefused(write.then(() => true))) === true;
}

/** The result of a conditional write; undefined when its condition failed. */
export async function unlessRefused<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}

/**
 * Which conditions of a cancelled transaction failed, by position; undefined for any other failure. A conflict with another transaction
 * counts as no condition: the SDK has retried it by then.
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
