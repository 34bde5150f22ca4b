import { TABLE } from '../../lambdas/gateway/core/contract.ts';
import type { Item } from './expression.ts';

/** Indexes of the table; an index without `projected` holds keys alone. */
const INDEXES: readonly { name: string; partitionKey: string; sortKey: string; projected?: readonly string[] }[] =
  Object.values(TABLE.indexes);

/** What DynamoDB adds to each item and each index entry that it stores ("DynamoDB item sizes and formats"). */
const STORED_OVERHEAD_BYTES = 100;

/**
 * Units that calls of a table use, by DynamoDB's rules. A write takes one unit for each started KB of the item before or after it,
 * whichever is larger. A read takes one unit for each started 4 KB, or half a unit if it is eventually consistent. Transactions take
 * twice as many. Each index adds the cost of the entry that is written or deleted ("DynamoDB read and write operations", "Using Global
 * Secondary Indexes in DynamoDB").
 */
export class TableUnits {
  /** Write units, those of indexes included. */
  written = 0;
  readonly #byType = new Map<string, number>();
  readonly #byPartition = new Map<string, number>();
  /** Read units of calls that name items, and of queries and scans. */
  readItems = 0;
  queried = 0;

  /** A write of one item, or one that its condition refused, of which nothing has changed. */
  write(before: Item | undefined, after: Item | undefined, inTransaction: boolean): void {
    const bytes = Math.max(bytesOfItem(before), bytesOfItem(after));
    const own = kilobytes(bytes) * (inTransaction ? 2 : 1);
    this.#addTo(String((after ?? before)?.pk), own);
    let units = own;
    for (const index of INDEXES) {
      const [was, is] = [entryOf(before, index), entryOf(after, index)];
      const entry = entryUnits(was, is);
      units += entry;
      if (entry > 0) this.#addTo(String((is ?? was)?.[index.partitionKey]), entry, index.name);
    }
    this.written += units;
    const type = String((after ?? before)?.type);
    this.#byType.set(type, this.of(type) + units);
  }

  /** Write units of items of a type. */
  of(type: string): number {
    return this.#byType.get(type) ?? 0;
  }

  /** Write units by partition key; those of an index begin with its name. */
  byPartition(): ReadonlyMap<string, number> {
    return this.#byPartition;
  }

  #addTo(partition: string, units: number, index?: string): void {
    const name = index === undefined ? partition : `${index} ${partition}`;
    this.#byPartition.set(name, (this.#byPartition.get(name) ?? 0) + units);
  }

  read(item: Item | undefined, isConsistent: boolean): void {
    this.readItems += readUnits(bytesOfItem(item), isConsistent);
  }

  /** A page of a query or scan: what it looked at, whatever a filter lets through. */
  page(items: readonly Item[], isConsistent: boolean): void {
    const bytes = items.reduce((sum, item) => sum + bytesOfItem(item), 0);
    this.queried += readUnits(bytes, isConsistent);
  }
}

/** Bytes that an item takes in storage, with its entries in the indexes. */
export function storedBytes(item: Item): number {
  const entries = INDEXES.map((index) => entryOf(item, index)).filter((entry) => entry !== undefined);
  return [item, ...entries].reduce((sum, one) => sum + bytesOfItem(one) + STORED_OVERHEAD_BYTES, 0);
}

function readUnits(bytes: number, isConsistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5);
}

function kilobytes(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024));
}

/** An entry that moves is taken out and put in. */
function entryUnits(before: Item | undefined, after: Item | undefined): number {
  if (before === undefined && after === undefined) return 0;
  if (before === undefined || after === undefined) return kilobytes(bytesOfItem(before ?? after));
  if (JSON.stringify(before) === JSON.stringify(after)) return 0;
  const stays = INDEX_KEYS.every((name) => before[name] === after[name]);
  if (stays) return kilobytes(Math.max(bytesOfItem(before), bytesOfItem(after)));
  return kilobytes(bytesOfItem(before)) + kilobytes(bytesOfItem(after));
}

const INDEX_KEYS = INDEXES.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);

function entryOf(item: Item | undefined, index: (typeof INDEXES)[number]): Item | undefined {
  const { partitionKey, sortKey, projected = [] } = index;
  if (item?.[partitionKey] === undefined || item[sortKey] === undefined) return undefined;
  const names = ['pk', 'sk', partitionKey, sortKey, ...projected].filter((name) => item[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}

/** Bytes of an item: its attributes' names and values. */
function bytesOfItem(item: Item | undefined): number {
  return Object.entries(item ?? {}).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value), 0);
}

function bytesOf(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === 'string') return Buffer.byteLength(value);
  // A byte for two digits, and one.
  if (typeof value === 'number') return Math.ceil(String(value).replace(/[-.]/g, '').length / 2) + 1;
  if (typeof value !== 'object' || value === null) return 1;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  const parts = value instanceof Set ? [...value] : Object.values(value);
  const names = Array.isArray(value) || value instanceof Set ? [] : Object.keys(value);
  const inside = parts.reduce<number>((sum, part) => sum + bytesOf(part) + 1, 3);
  return inside + names.reduce((sum, name) => sum + Buffer.byteLength(name), 0);
}
