import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Item, str, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import {
  EVENT_SK_PREFIX,
  type EventSubject,
  eventPk,
  formerEventPk,
} from '../../../lambdas/gateway/platform/dynamodb/keys.ts';

/**
 * The events of a connection, or of an account, newest first: those that this version wrote and those of versions up to 0.2.0, which
 * lie elsewhere and may be newer after a rollback.
 *
 * @param members attributes that are read in addition to the sort key. @default all
 */
export async function readTrail(table: Table, subject: EventSubject, members?: readonly string[]): Promise<Item[]> {
  const parts = await Promise.all(
    [eventPk(subject), formerEventPk(subject)].map((pk) => readEvents(table, pk, members)),
  );
  return parts.flat().sort((a, b) => (str(a, 'sk') < str(b, 'sk') ? 1 : -1));
}

async function readEvents(table: Table, pk: string, members: readonly string[] | undefined): Promise<Item[]> {
  const found: Item[] = [];
  let position: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :events)',
        ExpressionAttributeValues: { ':pk': pk, ':events': EVENT_SK_PREFIX },
        ...(members === undefined ? {} : projection(['sk', ...members])),
        ConsistentRead: true,
        ...(position === undefined ? {} : { ExclusiveStartKey: position }),
      }),
    );
    found.push(...Items);
    position = LastEvaluatedKey;
  } while (position !== undefined);
  return found;
}

function projection(names: readonly string[]) {
  return {
    ProjectionExpression: names.map((name) => `#${name}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
  };
}
