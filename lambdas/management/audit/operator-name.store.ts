import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { OperatorNames } from '../../gateway/keys/ports.ts';
import { readable, str, type Table } from '../../gateway/platform/dynamodb/client.ts';
import { accountPk, OPERATOR_SK_PREFIX, operatorItemKey } from '../../gateway/platform/dynamodb/keys.ts';

/** One item per operator who has signed in. */
export function operatorNames({ client, tableName, onUnreadable }: Table): OperatorNames {
  return {
    async all(accountId) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': accountPk(accountId), ':prefix': OPERATOR_SK_PREFIX },
        }),
      );
      return new Map(readable(Items, (item) => [str(item, 'subject'), str(item, 'email')] as const, onUnreadable));
    },
    async put(accountId, subject, email) {
      const Item = { ...operatorItemKey(accountId, subject), type: 'operator', accountId, subject, email };
      await client.send(new PutCommand({ TableName: tableName, Item }));
    },
  };
}
