import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Item, Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { accountPk } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { periodKeyNumber, periodOfKey } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { scanTable } from '../table/scan.ts';

/** A data key of an account, and what is encrypted under it. */
export interface KeyUsage {
  readonly keyNumber: number;
  /** ISO 8601; undefined where values name a key that has no row. */
  readonly createdAt: string | undefined;
  readonly replacedBy: number | undefined;
  /** Live connections: their next refresh rewrites them. */
  live: number;
  /** Connections that need a new authorization: rewritten when they are connected again. */
  dead: number;
  /** Escrowed tokens, pending revocations, grants that wait for confirmation, pending authorizations: settled or gone within days. */
  passing: number;
}

/** An account's keys by number, the current one named. */
export interface AccountKeys {
  readonly current: number | undefined;
  readonly keys: readonly KeyUsage[];
}

const VALUES = ['encryptedAccessToken', 'encryptedRefreshToken', 'encryptedCodeVerifier', 'encryptedCursor'] as const;
const TYPES = ['connection', 'escrow', 'revocation', 'unconfirmed_grant', 'pending_authorization', 'feed'];

/** Reads the whole table and counts items under each key of an account; no value is decrypted. */
export async function readUsage(table: Table, accountId: string, nowMs: number): Promise<AccountKeys> {
  const usage = new Map<number, KeyUsage>();
  for (const item of await keyRows(table, accountId)) {
    usage.set(numberOf(item), newUsage(numberOf(item), item));
  }
  for await (const item of scanTable(table, { types: TYPES, equal: { accountId } })) {
    for (const keyNumber of keysOf(item)) {
      const found = usage.get(keyNumber) ?? newUsage(keyNumber, {});
      usage.set(keyNumber, found);
      found[kindOf(item)]++;
    }
  }
  const keys = [...usage.values()].sort((a, b) => order(a.keyNumber) - order(b.keyNumber));
  return { current: currentOf(usage, nowMs), keys };
}

/** The key that an account's values are written with now; undefined where this week has none yet. Reads the keys alone. */
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

/** Sorts keys by age: by period, replacements behind what they replaced. */
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
    passing: 0,
  };
}

/** Numbers of the keys that an item's values name. */
export function keysOf(item: Item): Set<number> {
  const numbers = new Set<number>();
  for (const name of VALUES) {
    const match = /^v1\.(\d{1,9})\./.exec(String(item[name] ?? ''));
    if (match?.[1] !== undefined) numbers.add(Number(match[1]));
  }
  return numbers;
}

function kindOf(item: Item): 'live' | 'dead' | 'passing' {
  // A feed's place is written again by each pull; a paused one waits for its connection.
  if (item.type === 'feed') return item.feedState === 'paused' ? 'dead' : 'passing';
  if (item.type !== 'connection') return 'passing';
  return item.status === 'active' ? 'live' : 'dead';
}
