import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { RevocationList } from '../../gateway/connections/ports.ts';
import { TABLE } from '../../gateway/core/contract.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import { connectionRefFromItem, readable, type Table } from '../../gateway/platform/dynamodb/client.ts';
import { revocationListKey } from '../../gateway/platform/dynamodb/keys.ts';

/** Index pages read for one answer, of about 3,000 entries each. */
const PAGES_MAX = 4;

/** An account's pending revocations, from the index of an account's rows. */
export function revocationList(table: Table): RevocationList {
  return {
    async pending(accountId) {
      const refs: ConnectionRef[] = [];
      let position: Record<string, unknown> | undefined;
      for (let page = 0; page < PAGES_MAX; page++) {
        const { Items = [], LastEvaluatedKey } = await table.client.send(
          new QueryCommand({
            TableName: table.tableName,
            IndexName: TABLE.indexes.byAccount.name,
            KeyConditionExpression: 'accountListKey = :account',
            ExpressionAttributeValues: { ':account': revocationListKey(accountId) },
            ...(position === undefined ? {} : { ExclusiveStartKey: position }),
          }),
        );
        refs.push(...readable(Items, connectionRefFromItem, table.onUnreadable));
        position = LastEvaluatedKey;
        if (position === undefined) return { refs, complete: true };
      }
      return { refs, complete: false };
    },
  };
}
