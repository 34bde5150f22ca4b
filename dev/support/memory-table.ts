import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { FEATURES } from '../../lambdas/features/index.ts';
import { TABLE } from '../../lambdas/gateway/core/contract.ts';
import type { Table } from '../../lambdas/gateway/platform/dynamodb/client.ts';
import type { ItemKey } from '../../lambdas/gateway/platform/dynamodb/keys.ts';
import {
  Expressions,
  expected,
  type Item,
  ItemRefusal,
  invalid,
  order,
  type Placeholders,
  stored,
} from './expression.ts';
import { fake } from './fake.ts';
import type { TableUnits } from './table-units.ts';

/** DynamoDB guide, "Service, account, and table quotas". */
const PAGE_MAX_BYTES = 1_048_576;
const ITEM_MAX_BYTES = 400 * 1024;
const TRANSACTION_MAX_ITEMS = 100;
const PARTITION_KEY_MAX_BYTES = 2_048;
const SORT_KEY_MAX_BYTES = 1_024;

/** A part of a transaction, or the same as a call of its own. */
interface Write extends Placeholders {
  readonly Key?: Item | undefined;
  readonly Item?: Item | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
}

/** Of the table of everything and of features' tables, whose keys differ. */
const INDEXES: readonly { name: string; partitionKey: string; sortKey: string; projected?: readonly string[] }[] = [
  ...Object.values(TABLE.indexes),
  ...FEATURES.flatMap(({ tables }) => tables.flatMap(({ indexes }) => indexes)),
];
const KEY_TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    INDEXES.flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey].map((name) => [name, 'string'])),
  ),
  dueShard: 'number',
  refreshAt: 'number',
};

/**
 * The one table in memory, for the real stores: it works out their expressions, writes a transaction as a whole or not at all,
 * answers in pages, shows of an index what it projects, and refuses what DynamoDB refuses. Reads are always of now, so nothing
 * that depends on an index being late can be shown on it.
 */
export class MemoryTable {
  /** In the order in which they were first written. */
  readonly items = new Map<string, Item>();
  /** Called once, before the next write, to slip in what somebody else does meanwhile. */
  beforeWrite: (() => void) | undefined;
  /** True for an item whose write gets no answer. */
  fails: (item: Item) => boolean = () => false;
  /** Items that a page of a query looks at. */
  itemsPerPage = Number.POSITIVE_INFINITY;
  /** Counts what calls would take of a table in AWS. @default nothing does */
  units: TableUnits | undefined;
  readonly #partitions = new Map<string, Set<string>>();
  readonly table: Table;

  constructor(onUnreadable: Table['onUnreadable'] = () => {}) {
    const client: Table['client'] = fake({ send: async (command: object) => this.#answer(command) });
    this.table = { client, tableName: 'table', onUnreadable };
  }

  /** The table as a process sees it whose calls pass `step`, which receives the key of the first item in a call. */
  through(step: (call: () => Promise<object>, key: Item) => Promise<object>): Table {
    const { client } = this.table;
    return {
      ...this.table,
      client: fake({ send: (command: never) => step(() => client.send(command), keyIn(command)) }),
    };
  }

  get(key: ItemKey): Item | undefined {
    return this.items.get(keyOf({ ...key }));
  }

  /** Items of a kind, by their attribute `type`. */
  ofType(type: string): Item[] {
    return [...this.items.values()].filter((item) => item.type === type);
  }

  put(item: Item): void {
    const key = keyOf(item);
    const row = stored(item);
    this.#place(key, this.items.get(key), row);
    this.items.set(key, row);
  }

  delete(item: Item): void {
    const key = keyOf(item);
    this.#place(key, this.items.get(key), undefined);
    this.items.delete(key);
  }

  /** Keeps up where an item lies: in its own partition, and in those of the indexes that it has the keys of. */
  #place(key: string, before: Item = {}, after: Item = {}): void {
    for (const { partitionKey, sortKey } of [TABLE, ...INDEXES]) {
      const from = before[sortKey] === undefined ? undefined : before[partitionKey];
      const to = after[sortKey] === undefined ? undefined : after[partitionKey];
      if (from === to) continue;
      if (from !== undefined) this.#partition(partitionKey, from).delete(key);
      if (to !== undefined) this.#partition(partitionKey, to).add(key);
    }
  }

  /** Keys of the items that lie there. */
  #partition(partitionKey: string, value: unknown): Set<string> {
    const name = `${partitionKey} ${value}`;
    const partition = this.#partitions.get(name) ?? new Set<string>();
    this.#partitions.set(name, partition);
    return partition;
  }

  #answer(command: object): object {
    const { name } = this.table.tableName === 'table' ? command.constructor : Object;
    if (command instanceof GetCommand) return this.#get(command.input);
    if (command instanceof QueryCommand) return this.#query(command.input);
    if (command instanceof ScanCommand) return this.#scan(command.input);
    if (command instanceof BatchGetCommand) {
      const [[tableName, { Keys = [] }] = ['', {}]] = Object.entries(command.input.RequestItems ?? {});
      if (new Set(Keys.map(keyOf)).size < Keys.length) throw invalid('Provided list of item keys contains duplicates');
      for (const key of Keys) this.units?.read(this.items.get(keyOf(key)), isConsistent(command.input.RequestItems));
      return { Responses: { [tableName]: Keys.flatMap((key) => this.items.get(keyOf(key)) ?? []) } };
    }
    if (command instanceof TransactWriteCommand) return this.#transaction(command.input.TransactItems ?? []);
    if (command instanceof BatchWriteCommand) {
      const writes = Object.values(command.input.RequestItems ?? {}).flat();
      for (const { PutRequest, DeleteRequest } of writes)
        this.#write({ ...PutRequest, ...DeleteRequest }, PutRequest === undefined);
      return {};
    }
    if (command instanceof PutCommand || command instanceof UpdateCommand || command instanceof DeleteCommand) {
      const before = this.#item(command.input);
      const after = this.#write(command.input, command instanceof DeleteCommand);
      const { ReturnValues } = command.input;
      if (ReturnValues === undefined) return {};
      return { Attributes: ReturnValues.endsWith('_OLD') ? before : after };
    }
    throw new Error(`${name} is not known to the table in memory`);
  }

  #item({ Item, Key }: Write): Item | undefined {
    return this.items.get(keyOf(Item ?? Key ?? {}));
  }

  #get(input: GetCommand['input']): object {
    const found = this.#item(input);
    this.units?.read(found, input.ConsistentRead ?? false);
    return found === undefined ? {} : { Item: new Expressions(input).projected(input.ProjectionExpression, found) };
  }

  /** What a write leaves, or the reason why it cannot be done. */
  #judged(input: Write, isDelete: boolean): { readonly after: Item | undefined } | { readonly refused: Error } {
    const before = this.#item(input);
    const expressions = new Expressions(input);
    if (!expressions.holds(input.ConditionExpression, before)) {
      return { refused: expected('ConditionalCheckFailedException', 'The conditional request failed') };
    }
    try {
      const { UpdateExpression: update } = input;
      const after =
        update === undefined ? (input.Item ?? before) : expressions.updated(update, before ?? { ...input.Key });
      expressions.refuseUnused();
      if (after !== undefined) this.#check(after);
      return { after: isDelete ? undefined : after };
    } catch (error) {
      if (error instanceof ItemRefusal) return { refused: error };
      throw error;
    }
  }

  #check(item: Item): void {
    if (this.fails(item)) throw new Error('The table is not reachable');
    for (const [name, type] of Object.entries(KEY_TYPES)) {
      const value = item[name];
      if (value !== undefined && (typeof value !== type || value === ''))
        throw new ItemRefusal(`${name} is no ${type}`);
    }
    for (const { partitionKey, sortKey } of INDEXES) {
      refuseLongKey(item[partitionKey], PARTITION_KEY_MAX_BYTES);
      refuseLongKey(item[sortKey], SORT_KEY_MAX_BYTES);
    }
    if (bytesOf(item) > ITEM_MAX_BYTES) throw new ItemRefusal('Item size has exceeded the maximum size');
  }

  #write(
    input: Write & { ReturnValuesOnConditionCheckFailure?: string | undefined },
    isDelete: boolean,
  ): Item | undefined {
    this.#interrupt();
    const before = this.#item(input);
    const judged = this.#judged(input, isDelete);
    this.units?.write(before, 'after' in judged ? judged.after : before, false);
    if ('refused' in judged) {
      const isShown = input.ReturnValuesOnConditionCheckFailure !== undefined && before !== undefined;
      throw isShown ? Object.assign(judged.refused, { Item: marshall(before) }) : judged.refused;
    }
    this.#apply(input, judged.after);
    return judged.after;
  }

  #transaction(
    parts: readonly { [kind in 'Put' | 'Update' | 'Delete' | 'ConditionCheck']?: Write | undefined }[],
  ): object {
    this.#interrupt();
    const writes = parts.map(({ Put, Update, Delete, ConditionCheck }) => ({
      input: Put ?? Update ?? Delete ?? ConditionCheck ?? {},
      isDelete: Delete !== undefined,
      isCheck: ConditionCheck !== undefined,
    }));
    const keys = new Set(writes.map(({ input: { Item, Key } }) => keyOf(Item ?? Key ?? {})));
    if (keys.size < writes.length) throw invalid('Transaction request cannot include multiple operations on one item');
    if (writes.length > TRANSACTION_MAX_ITEMS) throw invalid('A transaction has 100 items at most');
    const judged = writes.map((one) => ({ ...one, result: this.#judged(one.input, one.isDelete) }));
    const codes = judged.map(({ result }) =>
      'after' in result ? 'None' : result.refused instanceof ItemRefusal ? 'ValidationError' : 'ConditionalCheckFailed',
    );
    const isRefused = codes.some((code) => code !== 'None');
    for (const { input, isCheck, result } of judged) {
      const before = this.#item(input);
      this.units?.write(before, isRefused || isCheck || 'refused' in result ? before : result.after, true);
    }
    if (isRefused) {
      const CancellationReasons = codes.map((Code) => ({ Code }));
      throw Object.assign(expected('TransactionCanceledException', 'Transaction cancelled'), { CancellationReasons });
    }
    for (const { input, isCheck, result } of judged) {
      if (!isCheck && 'after' in result) this.#apply(input, result.after);
    }
    return {};
  }

  #apply({ Key = {} }: Write, after: Item | undefined): void {
    if (after === undefined) this.delete(Key);
    else this.put(after);
  }

  #interrupt(): void {
    const { beforeWrite } = this;
    this.beforeWrite = undefined;
    beforeWrite?.();
  }

  /** The first page of an index, in no order. */
  #scan(input: ScanCommand['input']): object {
    const { Limit = Number.POSITIVE_INFINITY, FilterExpression, ProjectionExpression } = input;
    const index = INDEXES.find(({ name }) => name === input.IndexName);
    if (index === undefined) throw new Error('A scan of the table is not known to the table in memory');
    const { partitionKey, sortKey } = index;
    const inIndex = [...this.items.values()].filter((item) => partitionKey in item && sortKey in item);
    const page = inIndex.slice(0, Limit);
    const expressions = new Expressions(input);
    const Items = page
      .filter((item) => expressions.holds(FilterExpression, item))
      .map((item) => expressions.projected(ProjectionExpression, projection(item, index)));
    this.units?.page(
      page.map((item) => projection(item, index)),
      false,
    );
    const { pk, sk } = page.at(-1) ?? {};
    return { Items, ...(page.length < Limit ? {} : { LastEvaluatedKey: { pk, sk } }) };
  }

  #query(input: QueryCommand['input']): object {
    const { KeyConditionExpression = '', FilterExpression, ScanIndexForward = true, ExclusiveStartKey: start } = input;
    const { Limit = Number.POSITIVE_INFINITY, ExpressionAttributeValues: values = {} } = input;
    if (Limit < 1) throw invalid('Limit must be at least 1');
    const index = INDEXES.find(({ name }) => name === input.IndexName);
    const { partitionKey, sortKey } = index ?? TABLE;
    const expressions = new Expressions(input);
    const partition = values[KeyConditionExpression.match(/= (:\w+)/)?.[1] ?? ''];
    refuseLongKey(partition, PARTITION_KEY_MAX_BYTES);
    for (const [, name = ''] of KeyConditionExpression.matchAll(/(:\w+)/g)) {
      if (values[name] !== partition) refuseLongKey(values[name], SORT_KEY_MAX_BYTES);
    }
    const sign = ScanIndexForward ? 1 : -1;
    const compare = (a: Item, b: Item) =>
      sign * (order(a[sortKey], b[sortKey]) || order(a.pk, b.pk) || order(a.sk, b.sk) || 0);
    const found = [...this.#partition(partitionKey, partition)]
      .map((key) => this.items.get(key) ?? {})
      .filter((item) => expressions.holds(KeyConditionExpression, item))
      .filter((item) => start === undefined || compare(item, start) > 0)
      .sort(compare);
    const page: Item[] = [];
    let bytes = 0;
    for (const item of found) {
      if (page.length === Math.min(Limit, this.itemsPerPage) || bytes > PAGE_MAX_BYTES) break;
      page.push(projection(item, index));
      bytes += bytesOf(item);
    }
    this.units?.page(page, input.ConsistentRead ?? false);
    const last = page.at(-1);
    const isEnd = page.length === found.length && page.length < Limit;
    const passing = page.filter((item) => expressions.holds(FilterExpression, item));
    const Items = passing.map((item) => expressions.projected(input.ProjectionExpression, item));
    if (page.length > 0) expressions.refuseUnused();
    return {
      Count: Items.length,
      ...(input.Select === 'COUNT' ? {} : { Items }),
      ...(isEnd || last === undefined
        ? {}
        : {
            LastEvaluatedKey: {
              pk: last.pk,
              sk: last.sk,
              [partitionKey]: last[partitionKey],
              [sortKey]: last[sortKey],
            },
          }),
    };
  }
}

/** Whether a batch of reads asks for the present state. */
function isConsistent(tables: BatchGetCommand['input']['RequestItems']): boolean {
  return Object.values(tables ?? {}).some(({ ConsistentRead }) => ConsistentRead === true);
}

function keyIn({ input }: { readonly input: TransactWriteCommand['input'] & Write }): Item {
  const [{ Put, Update, Delete }] = [...(input.TransactItems ?? []), {}];
  return Put?.Item ?? Update?.Key ?? Delete?.Key ?? input.Item ?? input.Key ?? {};
}

/** About as many as the item has in DynamoDB. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let bytes = 3;
  for (const name in value) bytes += name.length + 1 + bytesOf(Reflect.get(value, name));
  return bytes;
}

/** What an index shows of an item. */
function projection(item: Item, index: (typeof INDEXES)[number] | undefined): Item {
  if (index === undefined) return item;
  const names = ['pk', 'sk', index.partitionKey, index.sortKey, ...(index.projected ?? [])];
  return Object.fromEntries(names.flatMap((name) => (name in item ? [[name, item[name]]] : [])));
}

/** Of the table and of its indexes, in what is stored and in what is asked for. */
function refuseLongKey(value: unknown, maxBytes: number): void {
  if (typeof value === 'string' && Buffer.byteLength(value) > maxBytes) {
    throw invalid('One or more parameter values were invalid: size of a key has exceeded its limit');
  }
}

function keyOf({ pk, sk }: Item): string {
  if (typeof pk !== 'string' || typeof sk !== 'string' || pk === '' || sk === '')
    throw invalid('The key is incomplete');
  refuseLongKey(pk, PARTITION_KEY_MAX_BYTES);
  refuseLongKey(sk, SORT_KEY_MAX_BYTES);
  return `${pk}\u0000${sk}`;
}
