import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Item, Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { accountPk } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { periodKeyNumber, periodOfKey } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { scanTable } from '../table/scan.ts';

/** A data key of an account, and the values encrypted with it. */
export interface KeyUsage {
  readonly keyNumber: number;
  /** ISO 8601; undefined where values name a key that has no row. */
  readonly createdAt: string | undefined;
  readonly replacedBy: number | undefined;
  /** Live connections: their next refresh rewrites them. */
  live: number;
  /** Connections that need a new authorization: rewritten when they are connected again. */
  dead: number;
  /** Secrets of webhooks, and keys of what feeds remember: nothing rewrites them by itself. */
  kept: number;
  /** Everything else, such as escrowed tokens, pending revocations and authorizations, places of feeds: settled, written again or gone within days. */
  passing: number;
}

/** An account's keys by number, the current one named. */
export interface AccountKeys {
  readonly current: number | undefined;
  readonly keys: readonly KeyUsage[];
}

/** A sealed value, whatever it is and wherever it lies: format, number of the data key, at least nonce and tag. */
const SEALED = /^v1\.(\d{1,9})\.[A-Za-z0-9_-]{38,}$/;

/**
 * Reads the whole table and counts items under each key of an account; no value is decrypted. Every attribute of every item is looked at,
 * because a key that a forgotten kind of value needs would be lost with it.
 */
export async function readUsage(table: Table, accountId: string, nowMs: number): Promise<AccountKeys> {
  const usage = new Map<number, KeyUsage>();
  for (const item of await keyRows(table, accountId)) {
    usage.set(numberOf(item), newUsage(numberOf(item), item));
  }
  for await (const item of scanTable(table)) {
    if (accountOf(item) !== accountId) continue;
    for (const keyNumber of keysOf(item)) {
      const found = usage.get(keyNumber) ?? newUsage(keyNumber, {});
      usage.set(keyNumber, found);
      found[kindOf(item)]++;
    }
  }
  const keys = [...usage.values()].sort((a, b) => order(a.keyNumber) - order(b.keyNumber));
  return { current: currentOf(usage, nowMs), keys };
}

/** The current key of an account; undefined where this week has none yet. Reads only the keys. */
export async function readCurrentKey(table: Table, accountId: string, nowMs: number): Promise<number | undefined> {
  const rows = await keyRows(table, accountId);
  return currentOf(new Map(rows.map((item) => [numberOf(item), newUsage(numberOf(item), item)])), nowMs);
}

/** The period's key, or the last of its replacements. */
function currentOf(usage: ReadonlyMap<number, KeyUsage>, nowMs: number): number | undefined {
  let keyNumber = periodKeyNumber(nowMs);
  if (usage.get(keyNumber)?.createdAt === undefined) return undefined;
  for (;;) {
    const next = usage.get(keyNumber)?.replacedBy;
    if (next === undefined || next <= keyNumber) return keyNumber;
    keyNumber = next;
  }
}

function numberOf(keyRow: Item): number {
  return Number(String(keyRow.sk).slice('DATAKEY#'.length));
}

/** Sorts keys by age: by period, replacements after the replaced key. */
function order(keyNumber: number): number {
  return periodOfKey(keyNumber) * 1_000 + Math.floor(keyNumber / 10_000_000);
}

async function keyRows(table: Table, accountId: string): Promise<Item[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.tableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :keys)',
      ExpressionAttributeValues: { ':pk': accountPk(accountId), ':keys': 'DATAKEY#' },
      ConsistentRead: true,
    }),
  );
  return Items;
}

function newUsage(keyNumber: number, item: Item): KeyUsage {
  const { createdAt, replacedBy } = item;
  return {
    keyNumber,
    createdAt: typeof createdAt === 'string' ? createdAt : undefined,
    replacedBy: typeof replacedBy === 'number' ? replacedBy : undefined,
    live: 0,
    dead: 0,
    kept: 0,
    passing: 0,
  };
}

/** The account of an item; rows of a feed name it only in their key. */
function accountOf({ accountId, pk }: Item): string {
  return typeof accountId === 'string' ? accountId : decodeURIComponent(String(pk).split('#')[1] ?? '');
}

/** Numbers of the keys that an item's values name. */
export function keysOf(item: Item): Set<number> {
  const numbers = new Set<number>();
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      const number = SEALED.exec(value)?.[1];
      if (number !== undefined) numbers.add(Number(number));
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      for (const one of Object.values(value)) look(one);
    }
  };
  look(item);
  return numbers;
}

function kindOf(item: Item): 'live' | 'dead' | 'kept' | 'passing' {
  if (item.type === 'connection') return item.status === 'active' ? 'live' : 'dead';
  if (item.type === 'webhook' || item.type === 'feed_states_key') return 'kept';
  // A feed's place is written again by each pull; a paused one waits for its connection.
  return item.type === 'feed' && item.feedState === 'paused' ? 'dead' : 'passing';
}
