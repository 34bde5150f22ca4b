import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../gateway/platform/dynamodb/client.ts';
import { readable, str } from '../../gateway/platform/dynamodb/item-reader.ts';
import { accountPk, OPERATOR_SK_PREFIX, operatorItemKey } from '../../gateway/platform/dynamodb/keys.ts';

/** How operators are called in the audit trail: e-mail addresses, by the issuer's name for them. */
export interface OperatorNames {
  all(accountId: string): Promise<ReadonlyMap<string, string>>;
  put(accountId: string, subject: string, email: string): Promise<void>;
}

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
      return new Map(
        readable(Items, (item) => [str(item, 'subject'), str(item, 'email')] as const, onUnreadable),
      );
    },
    async put(accountId, subject, email) {
      const Item = { ...operatorItemKey(accountId, subject), type: 'operator', accountId, subject, email };
      await client.send(new PutCommand({ TableName: tableName, Item }));
    },
  };
}
