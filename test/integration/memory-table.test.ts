import { type DynamoDBDocumentClient, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MemoryTable } from '../../dev/support/memory-table.ts';
import { tableClient } from '../support/table.ts';
import { useTestGateway } from '../support/use-gateway.ts';

const CONDITIONS = [
  'attribute_not_exists(pk)',
  'attribute_exists(pk) AND NOT epoch = :n',
  'epoch = :n AND #status <> :a',
  '(attribute_not_exists(tries) OR tries < :m) AND #status = :b',
  'epoch BETWEEN :n AND :m OR tries >= :m',
  '#status IN (:a, :b)',
  'size(#list) = :n',
  'begins_with(#status, :b) OR contains(#list, :a)',
  '#map.#part > :n AND tries <= epoch',
  'contains(#status, :a)',
  '#status < :b',
];
const UPDATES = [
  'SET epoch = if_not_exists(epoch, :n) + :m, #status = :a',
  'SET #list = list_append(if_not_exists(#list, :none), :one) REMOVE tries',
  'SET #map = :map',
  'SET #map.#part = :b',
  'SET epoch = epoch - :n',
  'SET #status = :b, accountListKey = :pk, listSortKey = :a REMOVE #map ADD tries :n',
  'ADD tries :m',
  'REMOVE accountListKey, listSortKey',
  'SET accountListKey = :n',
];
const KEYS = ['pk = :pk', 'pk = :pk AND sk > :a', 'pk = :pk AND sk BETWEEN :a AND :b', 'accountListKey = :pk'];

/** What the placeholders of some expressions stand for, those that are used and no others, as DynamoDB wants it. */
function placeholders(pk: string, ...texts: readonly string[]) {
  const lists = { ':none': [], ':one': ['x'] };
  const values = { ':n': 2, ':m': 3, ':a': 'a', ':b': 'é', ':map': { part: 1 }, ...lists, ':pk': pk };
  const names = { '#status': 'status', '#list': 'list', '#map': 'map', '#part': 'part' };
  const used = (all: object) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => new RegExp(`${name}\\b`).test(texts.join(' '))));
  const [ExpressionAttributeValues, ExpressionAttributeNames] = [used(values), used(names)];
  return {
    ...(Object.keys(ExpressionAttributeValues).length === 0 ? {} : { ExpressionAttributeValues }),
    ...(Object.keys(ExpressionAttributeNames).length === 0 ? {} : { ExpressionAttributeNames }),
  };
}

const some = <T>(...all: readonly T[]) => fc.constantFrom(...all);
const item = fc.record(
  {
    epoch: some(1, 2, 3),
    tries: some(2, 4),
    status: some('a', 'ba', 'é'),
    list: some([], ['a'], ['x', 'y']),
    map: some({}, { part: 3 }),
    listed: some('1', '2'),
  },
  { requiredKeys: [] },
);
const write = fc.record({
  kind: some('Put', 'Update', 'Update', 'Delete'),
  sk: some('1', 'b', 'é'),
  item,
  update: some(...UPDATES),
  condition: fc.option(some(...CONDITIONS), { nil: undefined }),
});
const transaction = fc.record({ writes: fc.array(write, { minLength: 1, maxLength: 3 }) });
const query = fc.record({
  key: some(...KEYS),
  filter: fc.option(some(...CONDITIONS.slice(2)), { nil: undefined }),
  ScanIndexForward: fc.boolean(),
  Limit: fc.option(some(1, 2, 3), { nil: undefined }),
});
type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;

function commandOf(TableName: string, pk: string, step: Of<typeof transaction> | Of<typeof query>) {
  if ('key' in step) {
    const { key, filter, ...more } = step;
    return new QueryCommand({
      TableName,
      IndexName: key.startsWith('pk') ? undefined : 'byAccount',
      KeyConditionExpression: key,
      FilterExpression: filter,
      ...placeholders(pk, key, filter ?? ''),
      ...more,
    });
  }
  const TransactItems = step.writes.map(({ kind, sk, item: { listed, ...rest }, update, condition = '' }) => {
    const index = listed === undefined ? {} : { accountListKey: pk, listSortKey: listed };
    const what =
      kind === 'Put'
        ? { Item: { pk, sk, ...rest, ...index } }
        : { Key: { pk, sk }, ...(kind === 'Update' ? { UpdateExpression: update } : {}) };
    const when = condition === '' ? {} : { ConditionExpression: condition };
    return { [kind]: { TableName, ...what, ...when, ...placeholders(pk, condition, kind === 'Update' ? update : '') } };
  });
  return new TransactWriteCommand({ TransactItems });
}

/** What a caller learns of a command. */
async function outcome(client: DynamoDBDocumentClient, command: QueryCommand | TransactWriteCommand) {
  const [answer] = await Promise.allSettled([client.send(Object(command))]);
  const { name, CancellationReasons, Items, Count, LastEvaluatedKey } = Object(
    answer.status === 'fulfilled' ? answer.value : answer.reason,
  );
  return {
    name,
    codes: CancellationReasons?.map(Object).map(({ Code }: { Code: string }) => Code),
    Items,
    Count,
    LastEvaluatedKey,
  };
}

const test = useTestGateway();

let run = 0;
const CLAIM = 'the table in memory of the unit tests answers and refuses as the engine does';
it(CLAIM, () => agrees(40));
it(`${CLAIM}, in hundreds of histories`, { tags: ['long'] }, () => agrees(300));

async function agrees(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(transaction, query), { minLength: 3, maxLength: 12 }), async (steps) => {
      const { table } = new MemoryTable();
      // A partition that nobody else reads.
      const pk = `MEMORY#${run++}`;
      for (const step of steps) {
        const command = commandOf(test.gateway.tableName, pk, step);
        const answer = await outcome(tableClient(test), command);
        expect(await outcome(table.client, command), JSON.stringify(command.input)).toEqual(answer);
      }
    }),
    { numRuns },
  );
}
