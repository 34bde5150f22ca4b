import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Item, Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { fake } from '../../support/fake.ts';

/** What a table of pages was asked for. */
export interface TableUse {
  readUnits: number;
  writeUnits: number;
  requests: number;
  /** Write units of the partition and second of the virtual clock that had most. */
  hottestSecond: number;
}

const READ_PAGE_BYTES = 1_048_576;

/** Items by sort key. */
class Partition {
  readonly items = new Map<string, { readonly bytes: Buffer; readonly lines: number }>();
  #sorted: readonly string[] | undefined;

  put(sk: string, bytes: Buffer, lines: number): void {
    if (!this.items.has(sk)) this.#sorted = undefined;
    this.items.set(sk, { bytes, lines });
  }

  /** Sort keys in order; sorted once for all pages of a query. */
  get sorted(): readonly string[] {
    this.#sorted ??= [...this.items.keys()].sort();
    return this.#sorted;
  }
}

/**
 * A table of pages and progress whose items lie outside the heap, so that a heap limit is that of the code under measurement. It knows the
 * commands of the page and progress stores, and counts capacity units (DynamoDB guide, "Read and write operations").
 */
export class BufferTable {
  readonly use: TableUse = { readUnits: 0, writeUnits: 0, requests: 0, hottestSecond: 0 };
  readonly #partitions = new Map<string, Partition>();
  readonly #seconds = new Map<string, number>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get table(): Table {
    return fake<Table>({
      client: fake<Table['client']>({ send: this.#send }),
      tableName: 'table',
      onUnreadable: () => {},
    });
  }

  /** Items of a partition whose sort key begins so: one hour of a day becomes the others. */
  copy(partition: string, prefix: RegExp, rename: (sk: string) => string): void {
    const own = this.#partition(partition);
    for (const sk of own.sorted) {
      const item = prefix.test(sk) ? own.items.get(sk) : undefined;
      if (item !== undefined) own.put(rename(sk), item.bytes, item.lines);
    }
  }

  #partition(pk: string): Partition {
    const partition = this.#partitions.get(pk) ?? new Partition();
    this.#partitions.set(pk, partition);
    return partition;
  }

  readonly #send = async (command: unknown): Promise<unknown> => {
    this.use.requests += 1;
    if (command instanceof GetCommand) {
      const { pk, sk } = keyOf(command.input.Key);
      const found = this.#partitions.get(pk)?.items.get(sk)?.bytes;
      this.use.readUnits += Math.max(1, Math.ceil((found?.length ?? 0) / 4096));
      return found === undefined ? {} : { Item: itemOf(found, sk) };
    }
    if (command instanceof PutCommand) return this.#put(command);
    if (command instanceof QueryCommand) return this.#query(command);
    throw new Error(`Not a command of pages: ${String(command)}`);
  };

  #put({ input }: PutCommand): object {
    const { pk, sk } = keyOf(input.Item);
    const own = this.#partition(pk);
    const known = own.items.get(sk);
    const lines = input.ExpressionAttributeValues?.[':lines'];
    if (known !== undefined && lines !== undefined && known.lines > Number(lines)) {
      throw Object.assign(new Error('The conditional request failed'), { name: 'ConditionalCheckFailedException' });
    }
    const bytes = Buffer.from(JSON.stringify(input.Item));
    own.put(sk, bytes, Number(input.Item?.lines));
    const units = Math.max(1, Math.ceil(bytes.length / 1024));
    this.use.writeUnits += units;
    const second = `${pk} ${Math.floor(this.#nowMs() / 1000)}`;
    const sum = (this.#seconds.get(second) ?? 0) + units;
    if (this.#seconds.size > 1_000) this.#seconds.clear();
    this.#seconds.set(second, sum);
    this.use.hottestSecond = Math.max(this.use.hottestSecond, sum);
    return {};
  }

  #query({ input }: QueryCommand): object {
    const values = input.ExpressionAttributeValues ?? {};
    const [pk, from, to] = [values[':pk'], values[':from'], values[':to']].map(String);
    const after = input.ExclusiveStartKey === undefined ? '' : keyOf(input.ExclusiveStartKey).sk;
    const own = this.#partition(pk ?? '');
    const wanted = own.sorted.filter((sk) => sk >= (from ?? '') && sk <= (to ?? '') && sk > after);
    const items: Item[] = [];
    let bytes = 0;
    for (const sk of wanted) {
      const item = own.items.get(sk)?.bytes ?? Buffer.alloc(0);
      if (bytes + item.length > READ_PAGE_BYTES && items.length > 0) {
        this.use.readUnits += Math.ceil(bytes / 4096);
        return { Items: items, LastEvaluatedKey: { pk, sk: items.at(-1)?.sk } };
      }
      bytes += item.length;
      items.push(itemOf(item, sk));
    }
    this.use.readUnits += Math.max(1, Math.ceil(bytes / 4096));
    return { Items: items };
  }
}

function keyOf(key: Item | undefined): { pk: string; sk: string } {
  return { pk: String(key?.pk), sk: String(key?.sk) };
}

function itemOf(bytes: Buffer, sk: string): Item {
  const item: Item = JSON.parse(bytes.toString());
  return { ...item, sk };
}
