import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { KEY_PURPOSES, type KeyPurpose } from '../../../lambdas/gateway/core/contract.ts';
import type { Item, Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { accountPk } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { periodKeyNumber, periodOfKey, sealedUnder } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { scanTable } from '../table/scan.ts';

/** Which of an account's data keys. Keys of different purposes have the same numbers. */
export interface KeyName {
  readonly purpose: KeyPurpose;
  readonly keyNumber: number;
}

/** A data key of an account, and the values encrypted with it. */
export interface KeyUsage extends KeyName {
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

/** An account's keys by purpose and number; `current`: the number of each purpose that has a key for this week. */
export interface AccountKeys {
  readonly current: ReadonlyMap<KeyPurpose, number>;
  readonly keys: readonly KeyUsage[];
}

/** Base64url of nonce and tag: no sealed value is shorter. */
const SEALED_MIN_LENGTH = 38;

/**
 * Reads the whole table and counts items under each key of an account; no value is decrypted. Every attribute of every item is looked at,
 * because a key that a forgotten kind of value needs would be lost with it.
 */
export async function readUsage(table: Table, accountId: string, nowMs: number): Promise<AccountKeys> {
  const usage = new Map<string, KeyUsage>();
  for (const key of await keyRows(table, accountId)) usage.set(textOf(key), key);
  for await (const item of scanTable(table)) {
    if (accountOf(item) !== accountId) continue;
    for (const name of keysOf(item)) {
      const found = usage.get(textOf(name)) ?? newUsage(name, {});
      usage.set(textOf(name), found);
      found[kindOf(item)]++;
    }
  }
  const keys = [...usage.values()].sort((a, b) => order(a) - order(b));
  return { current: currentOf(keys, nowMs), keys };
}

/** The account's current key of tokens; undefined where this week has none yet. Reads only the keys. */
export async function readCurrentKey(table: Table, accountId: string, nowMs: number): Promise<number | undefined> {
  return currentOf(await keyRows(table, accountId), nowMs).get('tokens');
}

/** Of each purpose the period's key, or the last of its replacements. */
function currentOf(keys: readonly KeyUsage[], nowMs: number): Map<KeyPurpose, number> {
  const stored = new Map(keys.filter((key) => key.createdAt !== undefined).map((key) => [textOf(key), key]));
  const current = new Map<KeyPurpose, number>();
  for (const purpose of KEY_PURPOSES) {
    let found = stored.get(textOf({ purpose, keyNumber: periodKeyNumber(nowMs) }));
    if (found === undefined) continue;
    while (found.replacedBy !== undefined && found.replacedBy > found.keyNumber) {
      found =
        stored.get(textOf({ purpose, keyNumber: found.replacedBy })) ??
        newUsage({ purpose, keyNumber: found.replacedBy }, {});
    }
    current.set(purpose, found.keyNumber);
  }
  return current;
}

function textOf({ purpose, keyNumber }: KeyName): string {
  return `${purpose} ${keyNumber}`;
}

/** The key that a row's sort key names: `DATAKEY#2955`, `DATAKEYOF#webhooks#2955`. */
function nameOf({ sk }: Item): KeyName | undefined {
  const [kind, ...rest] = String(sk).split('#');
  const purpose = kind === 'DATAKEY' ? 'tokens' : KEY_PURPOSES.find((one) => one === rest[0]);
  return purpose === undefined ? undefined : { purpose, keyNumber: Number(rest.at(-1)) };
}

/** Sorts keys by purpose and age: by period, replacements after the replaced key. */
function order({ keyNumber, purpose }: KeyName): number {
  const ofPurpose = KEY_PURPOSES.indexOf(purpose) * 1e12;
  return ofPurpose + periodOfKey(keyNumber) * 1_000 + Math.floor(keyNumber / 10_000_000);
}

/** The rows of keys, not counted yet. */
async function keyRows(table: Table, accountId: string): Promise<KeyUsage[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.tableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :keys)',
      ExpressionAttributeValues: { ':pk': accountPk(accountId), ':keys': 'DATAKEY' },
      ConsistentRead: true,
    }),
  );
  return Items.flatMap((item) => {
    const name = nameOf(item);
    return name === undefined ? [] : [newUsage(name, item)];
  });
}

function newUsage({ purpose, keyNumber }: KeyName, item: Item): KeyUsage {
  const { createdAt, replacedBy } = item;
  return {
    purpose,
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

/** The keys that an item's values name, each once. */
export function keysOf(item: Item): KeyName[] {
  const names = new Map<string, KeyName>();
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      const under = sealedUnder(value);
      if (under !== undefined && under.bytes.length >= SEALED_MIN_LENGTH) names.set(textOf(under), under);
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      for (const one of Object.values(value)) look(one);
    }
  };
  look(item);
  return [...names.values()];
}

/** Types of rows whose values no time and no refresh replaces. */
const KEPT: ReadonlySet<unknown> = new Set(['webhook', 'feed_states_key', 'client_secret']);

function kindOf(item: Item): 'live' | 'dead' | 'kept' | 'passing' {
  if (item.type === 'connection') return item.status === 'active' ? 'live' : 'dead';
  if (KEPT.has(item.type)) return 'kept';
  // A feed's place is written again by each pull; a paused one waits for its connection.
  return item.type === 'feed' && item.feedState === 'paused' ? 'dead' : 'passing';
}
