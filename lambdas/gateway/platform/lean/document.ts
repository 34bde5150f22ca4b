import { randomUUID } from 'node:crypto';
import { commandOf } from './client.ts';
import type { DynamoDBClient } from './dynamodb.ts';
import { exact, fromItem, list, mapOf, type Shape, struct, toItem } from './shapes.ts';

const item = { Key: toItem, Item: toItem, ExpressionAttributeValues: toItem, ExclusiveStartKey: toItem };
const CONDITION =
  'ConditionExpression ExpressionAttributeNames ExpressionAttributeValues ReturnValuesOnConditionCheckFailure';
const WRITE = `ReturnValues ReturnConsumedCapacity ReturnItemCollectionMetrics`;
const USED = 'ConsumedCapacity ItemCollectionMetrics';
const EXPRESSIONS = 'ExpressionAttributeNames ExpressionAttributeValues';

const written = struct(`Attributes ${USED}`, { Attributes: fromItem });
const page = struct('Items Count ScannedCount LastEvaluatedKey ConsumedCapacity', {
  Items: list(fromItem),
  LastEvaluatedKey: fromItem,
});

/** Keys to read, by table. */
const keys = (shape: Shape, members = struct): Shape =>
  mapOf(members('Keys ConsistentRead ProjectionExpression ExpressionAttributeNames', { Keys: list(shape) }));

/** A write within a transaction; its members have another order than those of a single write. */
const transacted = list(
  exact('ConditionCheck Put Delete Update', {
    ConditionCheck: exact(`Key TableName ${CONDITION}`, item),
    Put: exact(`Item TableName ${CONDITION}`, item),
    Delete: exact(`Key TableName ${CONDITION}`, item),
    Update: exact(`Key UpdateExpression TableName ${CONDITION}`, item),
  }),
);
const transaction = exact(`TransactItems ReturnConsumedCapacity ReturnItemCollectionMetrics ClientRequestToken`, {
  TransactItems: transacted,
});

/** Replaces the SDK's class of this name: the commands here translate items themselves. */
export const DynamoDBDocumentClient = {
  /** @throws Error for a translation option that the commands here do not support */
  from(client: DynamoDBClient, options: { readonly marshallOptions?: { readonly removeUndefinedValues?: boolean } }) {
    if (JSON.stringify(options) !== '{"marshallOptions":{"removeUndefinedValues":true}}') {
      throw new Error(`The lean client translates items in one way only, not by ${JSON.stringify(options)}`);
    }
    return client;
  },
};

export const GetCommand = commandOf(
  'GetItem',
  exact('TableName Key ConsistentRead ReturnConsumedCapacity ProjectionExpression ExpressionAttributeNames', item),
  struct('Item ConsumedCapacity', { Item: fromItem }),
);

export const PutCommand = commandOf('PutItem', exact(`TableName Item ${WRITE} ${CONDITION}`, item), written);

export const UpdateCommand = commandOf(
  'UpdateItem',
  exact(`TableName Key ${WRITE} UpdateExpression ${CONDITION}`, item),
  written,
);

export const DeleteCommand = commandOf('DeleteItem', exact(`TableName Key ${WRITE} ${CONDITION}`, item), written);

export const QueryCommand = commandOf(
  'Query',
  exact(
    `TableName IndexName Select Limit ConsistentRead ScanIndexForward ExclusiveStartKey ReturnConsumedCapacity ProjectionExpression FilterExpression KeyConditionExpression ${EXPRESSIONS}`,
    item,
  ),
  page,
);

export const ScanCommand = commandOf(
  'Scan',
  exact(
    `TableName IndexName Limit Select ExclusiveStartKey ReturnConsumedCapacity TotalSegments Segment ProjectionExpression FilterExpression ${EXPRESSIONS} ConsistentRead`,
    item,
  ),
  page,
);

export const BatchGetCommand = commandOf(
  'BatchGetItem',
  exact('RequestItems ReturnConsumedCapacity', { RequestItems: keys(toItem, exact) }),
  struct('Responses UnprocessedKeys ConsumedCapacity', {
    Responses: mapOf(list(fromItem)),
    UnprocessedKeys: keys(fromItem),
  }),
);

export const TransactWriteCommand = commandOf(
  'TransactWriteItems',
  // A token of its own lets each call be retried without a second effect.
  (input) => transaction(Object.assign({ ClientRequestToken: randomUUID() }, input)),
  struct(USED),
);
