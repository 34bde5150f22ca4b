/**
 * Which rights an operation of DynamoDB needs. Service Authorization Reference, "Actions, resources, and condition keys for
 * Amazon DynamoDB"; DynamoDB guide, "Using IAM with DynamoDB transactions".
 */
import { AwsError } from '../aws/aws-error.ts';
import { type RequiredAccess, tableKeyUse } from '../iam/judge.ts';
import { asArray, asObject, isObject, type Json, type JsonObject, optionalString } from '../json.ts';
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
/** What each member of a transaction needs. */
const TRANSACTION_ACTIONS: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

/** Tells what a call needs. @throws AwsError NotEmulated for an operation whose rights are not known here. */
export function dynamoDbAccess(
  stack: Pick<LocalStack, 'region' | 'tables'>,
  operation: string,
  input: JsonObject,
): RequiredAccess[] {
  if (ACCOUNT_OPERATIONS.has(operation)) return [{ action: `dynamodb:${operation}`, resource: '*' }];
  if (TABLE_OPERATIONS.has(operation)) return [onTable(stack, operation, input.TableName)];
  return distinct(
    dataAccess(operation, input).map(([name, table, index]) => ({
      ...onTable(stack, name, table, index),
      ...leadingKeys(stack, operation, input),
    })),
  ).flatMap((needed) => [needed, ...keyOf(stack, needed)]);
}

/** The actions of a call, each with the table and perhaps the index that it is on. */
function dataAccess(
  operation: string,
  input: JsonObject,
): [action: string, table: Json | undefined, index?: Json | undefined][] {
  if (DATA_OPERATIONS.has(operation)) return [[operation, input.TableName, input.IndexName]];
  if (BATCH_OPERATIONS.has(operation)) {
    return Object.keys(asObject(input.RequestItems, 'RequestItems')).map((table) => [operation, table]);
  }
  if (operation === 'TransactWriteItems' || operation === 'TransactGetItems') {
    return asArray(input.TransactItems, 'TransactItems').flatMap((item) =>
      Object.entries(asObject(item, 'TransactItems')).map(([kind, member]): [string, Json | undefined] => [
        TRANSACTION_ACTIONS[kind] ?? kind,
        isObject(member) ? member.TableName : undefined,
      ]),
    );
  }
  throw new AwsError('NotEmulated', `The rights that DynamoDB ${operation} needs are not known locally.`, 501);
}

/**
 * Partition keys of the items that an operation names, which policies may limit; a query names none here. DynamoDB guide,
 * "Using IAM policy conditions for fine-grained access control".
 */
function leadingKeys(
  { tables }: Pick<LocalStack, 'tables'>,
  operation: string,
  input: JsonObject,
): Pick<RequiredAccess, 'context'> {
  const named = DATA_OPERATIONS.has(operation)
    ? [input]
    : asArray(input.TransactItems ?? [], 'TransactItems').flatMap((item) =>
        Object.values(asObject(item, 'TransactItems')).filter(isObject),
      );
  const keys = named.flatMap((member) => {
    const item = isObject(member.Key) ? member.Key : member.Item;
    const name = tables.find((table) => table.name === member.TableName)?.partitionKey ?? '';
    const value = isObject(item) ? item[name] : undefined;
    const key = isObject(value) ? optionalString(value.S, name) : undefined;
    return key === undefined ? [] : [key];
  });
  return keys.length === 0 ? {} : { context: { 'dynamodb:leadingkeys': keys } };
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
