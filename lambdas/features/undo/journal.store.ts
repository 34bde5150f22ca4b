import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { RowClearing } from '../../gateway/connections/ports.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { type ConnectionRef, connectionRefKey, firstUlidOf, timeOfUlid } from '../../gateway/core/identifiers.ts';
import { CALL_LOG_CLEARED_AT_ONCE } from '../../gateway/core/limits.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import {
  connectionRefFromItem,
  type Item,
  isConditionFailure,
  isDone,
  oneOf,
  optionalStr,
  readable,
  str,
  type Table,
} from '../../gateway/platform/dynamodb/client.ts';
import { IRREVERSIBLE_REASONS, type Irreversible } from '../../gateway/providers/inverse.rules.ts';
import {
  JOURNAL_RETENTION_SEC,
  JOURNAL_ROWS_AT_ONCE,
  JOURNAL_WRITE_TIMEOUT_MS,
  UNDO_LOCK_SEC,
} from './limits.rules.ts';
import type { EndOfWrite, JournalRange, JournalRow, JournalStore, JournalWriter } from './ports.ts';
import { BY_KEY, JOURNAL_TABLE } from './rows.rules.ts';

const { partitionKey: PK, sortKey: SK, timeToLive: TTL } = JOURNAL_TABLE;
const STATES = ['begun', 'done', 'refused', 'unknown'] as const;

/** Partition of a connection's rows. */
function journalPk(ref: ConnectionRef): string {
  return `JOURNAL#${connectionRefKey(ref)}`;
}

/** Partition of the memory of undoing a connection's rows. */
function undoPk(ref: ConnectionRef): string {
  return `UNDO#${connectionRefKey(ref)}`;
}

const LOCK_SK = 'LOCK';
const leftSk = (print: string) => `LEFT#${print}`;

function keyOf(accountId: string, keyId: string): string {
  return `${encodeURIComponent(accountId)}#${keyId}`;
}

/** Text of a ULID's length that sorts before every ULID of a moment. */
function placeBefore(ms: number): string {
  return firstUlidOf(ms).padEnd(26, '0');
}

/** Adds rows to the journal. */
export function journalWriter({ client, tableName }: Pick<Table, 'client' | 'tableName'>): JournalWriter {
  const limit = () => ({ abortSignal: AbortSignal.timeout(JOURNAL_WRITE_TIMEOUT_MS) });
  return {
    async begin(row) {
      await client.send(new PutCommand({ TableName: tableName, Item: toItem(row) }), limit());
    },

    async end(row, outcome) {
      await isDone(client.send(new UpdateCommand({ TableName: tableName, ...endOfRow(row, outcome) }), limit()));
    },
  };
}

/** The members of a row that the end of its write changes: a refused one needs no data. */
function endOfRow(row: Parameters<JournalWriter['end']>[0], { state, notUndoable, sealed }: EndOfWrite) {
  const values: Record<string, unknown> = { ':state': state };
  const sets = ['#state = :state'];
  if (notUndoable !== undefined) {
    sets.push('notUndoable = :reason');
    values[':reason'] = notUndoable;
  }
  if (sealed !== undefined) {
    sets.push('sealed = :sealed');
    values[':sealed'] = sealed;
  }
  const removed = state === 'refused' ? ' REMOVE sealed' : '';
  return {
    Key: { [PK]: journalPk(row), [SK]: row.rowId },
    UpdateExpression: `SET ${sets.join(', ')}${removed}`,
    // A row that was deleted with its connection must not be created again in part.
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: values,
  };
}

/** Reads the journal, and records undone rows. */
export function journalStore(table: Table, clock: Clock): JournalStore {
  const { client, tableName } = table;

  /** Items of a connection's partition in the range. */
  const ofConnection = async (
    ref: ConnectionRef,
    range: JournalRange,
    from: string,
    limit: number,
  ): Promise<readonly Item[]> => {
    const { Items = [] }: { Items?: Item[] | undefined } = await client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :before',
        ExpressionAttributeValues: { ':pk': journalPk(ref), ':from': from, ':before': endOf(range) },
        ScanIndexForward: false,
        Limit: limit,
        ConsistentRead: true,
      }),
    );
    return Items;
  };

  /** The same for a key: the index contains only the rows' keys. */
  const ofKey = async (
    accountId: string,
    keyId: string,
    range: JournalRange,
    from: string,
    limit: number,
  ): Promise<readonly Item[]> => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: BY_KEY.name,
        KeyConditionExpression: `${BY_KEY.partitionKey} = :key AND sk BETWEEN :from AND :before`,
        ExpressionAttributeValues: { ':key': keyOf(accountId, keyId), ':from': from, ':before': endOf(range) },
        ScanIndexForward: false,
        Limit: limit,
      }),
    );
    const wanted = Items.map((item) => ({ pk: str(item, PK), sk: str(item, SK) }));
    const found = new Map<string, Item>();
    let keys = wanted;
    while (keys.length > 0) {
      const { Responses = {}, UnprocessedKeys = {} } = await client.send(
        new BatchGetCommand({ RequestItems: { [tableName]: { Keys: keys, ConsistentRead: true } } }),
      );
      for (const item of Responses[tableName] ?? []) found.set(`${item.pk} ${item.sk}`, item);
      keys = (UnprocessedKeys[tableName]?.Keys ?? []).map((key) => ({ pk: str(key, PK), sk: str(key, SK) }));
    }
    return wanted.flatMap(({ pk, sk }): Item[] => {
      const item = found.get(`${pk} ${sk}`);
      return item === undefined ? [] : [item];
    });
  };

  return {
    async page(range, limit) {
      const oldestMs = clock.nowMs() - JOURNAL_RETENTION_SEC * 1000;
      const rows: JournalRow[] = [];
      let before = range.before;
      for (;;) {
        const from = placeBefore(Math.max(range.fromMs, oldestMs));
        const rest = { ...range, before };
        if (endOf(rest) < from) return rows;
        const count = Math.min(JOURNAL_ROWS_AT_ONCE, limit - rows.length + 1);
        const { of } = range;
        const items: readonly Item[] =
          'keyId' in of
            ? await ofKey(of.accountId, of.keyId, rest, from, count)
            : await ofConnection(of, rest, from, count);
        const isEnd = items.length === 0 || (items.length === 1 && str(items[0] ?? {}, SK) === before);
        const fresh = items.filter((item) => str(item, SK) !== before);
        rows.push(...readable(fresh, fromItem, table.onUnreadable));
        if (isEnd) return rows;
        if (rows.length >= limit) return rows.slice(0, limit);
        before = str(items.at(-1) ?? {}, SK);
      }
    },

    async left(ref, print) {
      const Key = { [PK]: undoPk(ref), [SK]: leftSk(print) };
      const { Item } = await client.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
      return Item === undefined ? undefined : { rowId: str(Item, 'rowId'), sealed: str(Item, 'sealed') };
    },

    async undone({ row, undoneAt, lefts, inverse }) {
      const expires = { [TTL]: epochSecNow(clock) + JOURNAL_RETENTION_SEC };
      const { accountId, integrationId, connectionId } = row;
      const rowId = inverse?.rowId ?? row.rowId;
      await client.send(
        new TransactWriteCommand({
          TransactItems: [
            {
              Update: {
                TableName: tableName,
                Key: { [PK]: journalPk(row), [SK]: row.rowId },
                UpdateExpression: 'SET undoneAt = :at',
                ConditionExpression: 'attribute_exists(pk)',
                ExpressionAttributeValues: { ':at': undoneAt },
              },
            },
            ...lefts.map(({ print, sealed }) => ({
              Put: {
                TableName: tableName,
                Item: {
                  ...{ [PK]: undoPk(row), [SK]: leftSk(print), ...expires },
                  ...{ accountId, integrationId, connectionId, rowId, sealed },
                },
              },
            })),
            ...(inverse === undefined ? [] : [{ Put: { TableName: tableName, Item: toItem(inverse) } }]),
          ],
        }),
      );
    },

    async lock(ref, owner) {
      const now = epochSecNow(clock);
      const { accountId, integrationId, connectionId } = ref;
      return isDone(
        client.send(
          new PutCommand({
            TableName: tableName,
            Item: {
              ...{ [PK]: undoPk(ref), [SK]: LOCK_SK, [TTL]: now + UNDO_LOCK_SEC },
              ...{ accountId, integrationId, connectionId, owner },
            },
            ConditionExpression: 'attribute_not_exists(pk) OR #ttl <= :now',
            ExpressionAttributeNames: { '#ttl': TTL },
            ExpressionAttributeValues: { ':now': now },
          }),
        ),
      );
    },

    async unlock(ref, owner) {
      try {
        await client.send(
          new DeleteCommand({
            TableName: tableName,
            Key: { [PK]: undoPk(ref), [SK]: LOCK_SK },
            ConditionExpression: '#owner = :owner',
            ExpressionAttributeNames: { '#owner': 'owner' },
            ExpressionAttributeValues: { ':owner': owner },
          }),
        );
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
      }
    },
  };
}

function endOf({ untilMs, before }: JournalRange): string {
  const end = placeBefore(untilMs);
  return before === undefined || before > end ? end : before;
}

/** Deletes the rows of deleted connections: writes and the memory of undoing them. */
export function journalClearing({ client, tableName }: Pick<Table, 'client' | 'tableName'>): RowClearing {
  return {
    async clearSome(ref, beforeMs) {
      const all = await Promise.all(
        [journalPk(ref), undoPk(ref)].map(async (pk) => {
          const { Items = [] } = await client.send(
            new QueryCommand({
              TableName: tableName,
              KeyConditionExpression: pk === journalPk(ref) ? 'pk = :pk AND sk < :before' : 'pk = :pk',
              ExpressionAttributeValues: {
                ':pk': pk,
                ...(pk === journalPk(ref) ? { ':before': firstUlidOf(beforeMs) } : {}),
              },
              ProjectionExpression: 'pk, sk, rowId',
              Limit: CALL_LOG_CLEARED_AT_ONCE,
            }),
          );
          // Newer rows belong to another connection of the same name.
          const old = Items.filter(({ rowId }) => (timeOfUlid(String(rowId ?? '')) ?? 0) < beforeMs);
          await Promise.all(
            old.map(({ pk: one, sk }) =>
              client.send(new DeleteCommand({ TableName: tableName, Key: { pk: one, sk } })),
            ),
          );
          return old.length === CALL_LOG_CLEARED_AT_ONCE;
        }),
      );
      return all.includes(true);
    },
  };
}

function toItem(row: JournalRow): Record<string, unknown> {
  const { rowId, ...rest } = row;
  return {
    [PK]: journalPk(row),
    [SK]: rowId,
    [BY_KEY.partitionKey]: keyOf(row.accountId, row.keyId),
    [TTL]: Math.floor((timeOfUlid(rowId) ?? 0) / 1000) + JOURNAL_RETENTION_SEC,
    ...rest,
  };
}

function fromItem(item: Item): JournalRow {
  const reason = optionalStr(item, 'notUndoable');
  return {
    rowId: str(item, SK),
    ...connectionRefFromItem(item),
    keyId: str(item, 'keyId'),
    requestId: str(item, 'requestId'),
    method: optionalStr(item, 'method') ?? null,
    state: oneOf(item, 'state', STATES),
    notUndoable: reason === undefined ? undefined : reasonOf(reason),
    sealed: optionalStr(item, 'sealed'),
    undoneAt: optionalStr(item, 'undoneAt'),
    undoes: optionalStr(item, 'undoes'),
  };
}

/** An unknown reason of a later version is still a reason. */
function reasonOf(text: string): Irreversible {
  return IRREVERSIBLE_REASONS.find((one) => one === text) ?? 'no_inverse';
}
