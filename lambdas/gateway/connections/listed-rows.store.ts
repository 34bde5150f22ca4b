import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../core/contract.ts';
import { type ConnectionRef, connectionRefKey, type ListName } from '../core/identifiers.ts';
import { LISTED_READS_MAX } from '../core/limits.ts';
import { readable, str, type Table } from '../platform/dynamodb/client.ts';
import { listedPk, searchCheckItemKey } from '../platform/dynamodb/keys.ts';
import { BY_NAME, nameOfPlace, placeOfName } from './index-rows.rules.ts';
import type { ConnectionLists, ListOrder } from './ports.ts';

/** A row as it was read. */
interface ReadRow extends ConnectionRef {
  readonly position: string;
}

interface PartOfList {
  readonly rows: readonly ReadRow[];
  /** All rows before this place were read; undefined at the end. */
  readonly next: string | undefined;
}

/** Rows of other integrations to skip for each wanted one, before whole pages are read. */
const OTHERS_BETWEEN = 10;

/** Lists of some of an account's connections, each a partition of rows that is read from a place on. */
export function connectionLists(table: Table): ConnectionLists {
  const { client, tableName } = table;

  /** Rows of a list behind a place. A list of one integration needs no filter by integration. */
  const query = (
    accountId: string,
    list: ListName,
    integrationIds: readonly string[] | undefined,
    order: ListOrder,
    after: string | undefined,
  ) => {
    const ids = list.kind === 'INTEGRATION' ? undefined : integrationIds;
    const wanted = Object.fromEntries((ids ?? []).map((id, i) => [`:integration${i}`, id]));
    const isWanted = ids === undefined ? '' : ` AND integrationId IN (${Object.keys(wanted).join(', ')})`;
    return {
      TableName: tableName,
      KeyConditionExpression: `pk = :pk${after === undefined ? '' : ` AND sk ${order === 'newest' ? '<' : '>'} :after`}`,
      FilterExpression: `attribute_not_exists(#left)${isWanted}`,
      ExpressionAttributeNames: { '#left': 'left' },
      ExpressionAttributeValues: {
        ':pk': listedPk(accountId, list),
        ...(after === undefined ? {} : { ':after': after }),
        ...wanted,
      },
      ScanIndexForward: order === 'oldest',
    };
  };

  const part = async (
    accountId: string,
    list: ListName,
    integrationIds: readonly string[] | undefined,
    { order, after, count }: { readonly order: ListOrder; readonly after: string | undefined; readonly count: number },
  ): Promise<PartOfList> => {
    const rows: ReadRow[] = [];
    let next = after;
    for (let reads = 0; reads < LISTED_READS_MAX && rows.length <= count; reads++) {
      const isNarrowed = integrationIds !== undefined && list.kind !== 'INTEGRATION';
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          ...query(accountId, list, integrationIds, order, next),
          // Where rows of other integrations lie between, a few more are read first, and then whole pages.
          ...(isNarrowed && reads > 0 ? {} : { Limit: (isNarrowed ? OTHERS_BETWEEN : 1) * (count + 1 - rows.length) }),
        }),
      );
      rows.push(
        ...readable(
          Items,
          (item) => ({
            accountId,
            integrationId: str(item, 'integrationId'),
            connectionId: str(item, 'connectionId'),
            position: str(item, TABLE.sortKey),
          }),
          table.onUnreadable,
        ),
      );
      next = LastEvaluatedKey === undefined ? undefined : str(LastEvaluatedKey, TABLE.sortKey);
      if (next === undefined) break;
    }
    return { rows, next };
  };

  const page: ConnectionLists['page'] = async (accountId, lists, integrationIds, wanted) => {
    const isBefore = (a: string, b: string) => (wanted.order === 'newest' ? a > b : a < b);
    const parts = await Promise.all(lists.map((list) => part(accountId, list, integrationIds, wanted)));
    // Behind the first place to which some list was read, rows may be missing.
    const horizon = parts
      .flatMap(({ next }) => next ?? [])
      .reduce<string | undefined>(
        (first, one) => (first === undefined || isBefore(one, first) ? one : first),
        undefined,
      );
    const seen = new Map(parts.flatMap(({ rows }) => rows).map((row) => [connectionRefKey(row), row]));
    const rows = [...seen.values()]
      .filter(({ position }) => horizon === undefined || !isBefore(horizon, position))
      .sort((a, b) => (isBefore(a.position, b.position) ? -1 : 1));
    const refs = rows.slice(0, wanted.count);
    return { refs, next: refs.length < rows.length ? refs.at(-1)?.position : horizon };
  };

  return {
    page,

    async isComplete(accountId) {
      const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: searchCheckItemKey(accountId) }));
      return Item?.lists === 'complete';
    },

    async passOver(accountId, list, order, after, count) {
      let next = after;
      for (let left = count; left > 0; ) {
        const { Count = 0, LastEvaluatedKey } = await client.send(
          new QueryCommand({ ...query(accountId, list, undefined, order, next), Select: 'COUNT', Limit: left }),
        );
        if (LastEvaluatedKey === undefined) return undefined;
        left -= Count;
        next = str(LastEvaluatedKey, TABLE.sortKey);
      }
      return next;
    },

    async count(accountId, lists, integrationIds) {
      let total = 0;
      for (const list of lists) {
        let start: Record<string, unknown> | undefined;
        for (let reads = 0; ; reads++) {
          if (reads === LISTED_READS_MAX) return { total, complete: false };
          const { Count = 0, LastEvaluatedKey } = await client.send(
            new QueryCommand({
              ...query(accountId, list, integrationIds, 'oldest', undefined),
              Select: 'COUNT',
              ...(start === undefined ? {} : { ExclusiveStartKey: start }),
            }),
          );
          total += Count;
          start = LastEvaluatedKey;
          if (start === undefined) break;
        }
      }
      return { total, complete: true };
    },

    async byName(accountId, integrationIds, isDescending, after, count) {
      const { refs, next } = await page(accountId, [BY_NAME], integrationIds, {
        order: isDescending ? 'newest' : 'oldest',
        after: after === undefined ? undefined : placeOfName(after),
        count,
      });
      return {
        refs: refs.map((ref) => ({ ...ref, place: nameOfPlace(ref.position) })),
        next: next === undefined ? undefined : nameOfPlace(next),
      };
    },
  };
}
