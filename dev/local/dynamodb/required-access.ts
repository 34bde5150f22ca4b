/**
 * Which rights an operation of DynamoDB needs. Service Authorization Reference, "Actions, resources, and condition keys for
 * Amazon DynamoDB"; DynamoDB guide, "Using IAM with DynamoDB transactions".
 */

import { asArray, asObject, isObject, type Json, type JsonObject, optionalString } from '../../tools/json.ts';
import { AwsError } from '../aws/aws-error.ts';
import { type RequiredAccess, tableKeyUse } from '../iam/judge.ts';
import type { LocalStack } from '../template/read-stack.ts';
import { LOCAL_ACCOUNT_ID } from '../template/references.ts';

/** Operations on the data of one table or of one of its indexes; the action has the operation's name. */
const DATA_OPERATIONS = new Set(['DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem']);
/** Operations on the data of several tables; the action has the operation's name. */
const BATCH_OPERATIONS = new Set(['BatchGetItem', 'BatchWriteItem']);
/** Operations on a table itself. */
const TABLE_OPERATIONS = new Set([
  'CreateTable',
  'DeleteTable',
  'DescribeContinuousBackups',
  'DescribeTable',
  'DescribeTimeToLive',
  'UpdateTable',
  'UpdateTimeToLive',
]);
/** Operations that name no resource. */
const ACCOUNT_OPERATIONS = new Set(['ListTables']);
/** Actions of a transaction's members. */
const TRANSACTION_ACTIONS: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

/** The rights that a call needs. @throws AwsError NotEmulated for an operation whose rights are unknown here. */
export function dynamoDbAccess(
  stack: Pick<LocalStack, 'region' | 'tables'>,
  operation: string,
  input: JsonObject,
): RequiredAccess[] {
  if (ACCOUNT_OPERATIONS.has(operation)) return [{ action: `dynamodb:${operation}`, resource: '*' }];
  if (TABLE_OPERATIONS.has(operation)) return [onTable(stack, operation, input.TableName)];
  return distinct(
    dataAccess(operation, input).map(({ action, table, index, members }) => ({
      ...onTable(stack, action, table, index),
      ...leadingKeys(stack, table, index, members),
    })),
  ).flatMap((needed) => [needed, ...keyOf(stack, needed)]);
}

/** One action of a call. */
interface DataAccess {
  readonly action: string;
  readonly table: Json | undefined;
  readonly index?: Json | undefined;
  /** Members that name items: each has a `Key`, is or has an `Item`, or has the condition of a query. */
  readonly members: readonly Json[];
}

/** The actions of a call: one of each table of a batch, and one of each member of a transaction, judged by its own key. */
function dataAccess(operation: string, input: JsonObject): DataAccess[] {
  if (DATA_OPERATIONS.has(operation)) {
    return [{ action: operation, table: input.TableName, index: input.IndexName, members: [input] }];
  }
  if (BATCH_OPERATIONS.has(operation)) {
    return Object.entries(asObject(input.RequestItems, 'RequestItems')).map(([table, asked]) => ({
      action: operation,
      table,
      members: membersOfBatch(asked),
    }));
  }
  if (operation === 'TransactWriteItems' || operation === 'TransactGetItems') {
    return asArray(input.TransactItems, 'TransactItems').flatMap((item) =>
      Object.entries(asObject(item, 'TransactItems')).map(([kind, member]) => ({
        action: TRANSACTION_ACTIONS[kind] ?? kind,
        table: isObject(member) ? member.TableName : undefined,
        members: [member],
      })),
    );
  }
  throw new AwsError('NotEmulated', `The rights that DynamoDB ${operation} needs are not known locally.`, 501);
}

/** Keys of a `BatchGetItem`, or the puts and deletes of a `BatchWriteItem`. */
function membersOfBatch(asked: Json): readonly Json[] {
  if (isObject(asked)) return asArray(asked.Keys ?? [], 'Keys').map((Key) => ({ Key }));
  return asArray(asked, 'RequestItems').flatMap((one) => Object.values(asObject(one, 'RequestItems')));
}

/**
 * Partition keys of the items that an action names, which policies may limit: of an index those of the index. An action without
 * any, such as a scan, passes every `ForAllValues`, as it does on AWS. DynamoDB guide, "Using IAM policy conditions for
 * fine-grained access control".
 */
function leadingKeys(
  { tables }: Pick<LocalStack, 'tables'>,
  tableName: Json | undefined,
  indexName: Json | undefined,
  members: readonly Json[],
): Pick<RequiredAccess, 'context'> {
  const table = tables.find(({ name, arn }) => name === tableName || arn === tableName);
  const index = table?.indexes.find(({ name }) => name === indexName);
  const name = (indexName === undefined ? table?.partitionKey : index?.partitionKey) ?? '';
  const keys = members.filter(isObject).flatMap((member) => {
    const item = isObject(member.Key) ? member.Key : member.Item;
    const value = isObject(item) ? item[name] : valueInQuery(member, name);
    const key = isObject(value) ? optionalString(value.S ?? value.N, name) : undefined;
    return key === undefined ? [] : [key];
  });
  return keys.length === 0 ? {} : { context: { 'dynamodb:leadingkeys': [...new Set(keys)] } };
}

/** The value that a query asks an attribute to equal. */
function valueInQuery({ KeyConditionExpression, ...query }: JsonObject, attribute: string): Json | undefined {
  if (typeof KeyConditionExpression !== 'string') return undefined;
  const names = isObject(query.ExpressionAttributeNames) ? query.ExpressionAttributeNames : {};
  const values = isObject(query.ExpressionAttributeValues) ? query.ExpressionAttributeValues : {};
  const equalities = KeyConditionExpression.matchAll(/([#\w.-]+)\s*=\s*(:\w+)/g);
  const [, , value = ''] = [...equalities].find(([, name = '']) => (names[name] ?? name) === attribute) ?? [];
  return values[value];
}

function onTable(
  { region }: Pick<LocalStack, 'region'>,
  action: string,
  table: Json | undefined,
  index?: Json | undefined,
): RequiredAccess {
  const name = optionalString(table, 'TableName') ?? '';
  const arn = name.startsWith('arn:') ? name : `arn:aws:dynamodb:${region}:${LOCAL_ACCOUNT_ID}:table/${name}`;
  const indexName = optionalString(index, 'IndexName');
  return { action: `dynamodb:${action}`, resource: indexName === undefined ? arn : `${arn}/index/${indexName}` };
}

function keyOf(stack: Pick<LocalStack, 'region' | 'tables'>, { resource }: RequiredAccess): RequiredAccess[] {
  const tableArn = resource.replace(/\/index\/[^/]+$/, '');
  const keyArn = stack.tables.find(({ arn }) => arn === tableArn)?.keyArn;
  return keyArn === undefined ? [] : [tableKeyUse(stack, tableArn, keyArn)];
}

function distinct(needed: readonly RequiredAccess[]): RequiredAccess[] {
  return [
    ...new Map(needed.map((one) => [`${one.action} ${one.resource} ${JSON.stringify(one.context)}`, one])).values(),
  ];
}
