/**
 * What the gateway relies on DynamoDB for, each as a small experiment on the stack's own table, with the answer that AWS's
 * documents give: the Amazon DynamoDB Developer Guide ("Guide") and API Reference ("API").
 */
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type DynamoDBDocumentClient,
  GetCommand,
  NumberValue,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { asObject, type JsonObject } from '../../tools/json.ts';

/** A new table of one engine, laid out as the stack's; operations without a partition key work on one partition. */
export interface Bench {
  readonly pk: 'probe';
  put(item: Readonly<Record<string, unknown>>, more?: Partial<PutCommandInput>): Promise<unknown>;
  /** All attributes after the update, if nothing else is asked for. */
  update(given: Partial<UpdateCommandInput> & { readonly sk?: string }): Promise<unknown>;
  /** The item below a sort key. */
  get(sk: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  query(given: Partial<QueryCommandInput>): Promise<Page>;
  transact(items: NonNullable<TransactWriteCommandInput['TransactItems']>, token?: string): Promise<unknown>;
  batchGet(keys: readonly Readonly<Record<string, string>>[]): Promise<unknown>;
  readonly TableName: string;
  /** All records of the table's stream. */
  records(): Promise<readonly JsonObject[]>;
  /** What `DescribeTimeToLive` says. */
  timeToLive(): Promise<unknown>;
}

/** What a query gives, without what it costs. */
export interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly count: number;
  readonly scanned: number;
  readonly last: Readonly<Record<string, unknown>> | undefined;
}

/** One experiment. */
export interface Probe {
  /** What is the case on AWS, in the present tense. */
  readonly claim: string;
  /** Where AWS says so. */
  readonly source: string;
  run(bench: Bench): Promise<unknown>;
  /** What `run` gives on AWS; an error is its name and what comes with it. */
  readonly expected: unknown;
}

/** What a program can read from an error: its name, the stored item and the reasons of a cancelled transaction, without texts. */
export function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { Item, CancellationReasons } = Object.assign({ Item: undefined, CancellationReasons: undefined }, error);
  const reasons: unknown = CancellationReasons;
  return {
    error: error.name,
    ...(Item === undefined ? {} : { item: Item }),
    ...(Array.isArray(reasons)
      ? { reasons: reasons.map(({ Code, Item: item }) => (item ? { Code, item } : Code)) }
      : {}),
  };
}

/** The operations of a bench on one engine's table, apart from its stream and its time to live. */
export function tableOperations(
  client: DynamoDBDocumentClient,
  TableName: string,
): Omit<Bench, 'records' | 'timeToLive'> {
  const pk = 'probe';
  return {
    pk,
    TableName,
    put: (item, more = {}) => client.send(new PutCommand({ TableName, Item: { pk, ...item }, ...more })),
    async update({ sk = 'a', ...given }) {
      const command = new UpdateCommand({ TableName, Key: { pk, sk }, ReturnValues: 'ALL_NEW', ...given });
      return (await client.send(command)).Attributes;
    },
    get: async (sk) => (await client.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }))).Item,
    async query(given) {
      const { Items, Count, ScannedCount, LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk',
          ...given,
          ExpressionAttributeValues: {
            ...(given.KeyConditionExpression === undefined || given.KeyConditionExpression.includes(':pk')
              ? { ':pk': pk }
              : {}),
            ...given.ExpressionAttributeValues,
          },
        }),
      );
      return { items: Items ?? [], count: Count ?? 0, scanned: ScannedCount ?? 0, last: LastEvaluatedKey };
    },
    transact: (TransactItems, ClientRequestToken) =>
      client.send(
        new TransactWriteCommand({
          TransactItems,
          ...(ClientRequestToken === undefined ? {} : { ClientRequestToken }),
        }),
      ),
    async batchGet(Keys) {
      const RequestItems: BatchGetCommandInput['RequestItems'] = { [TableName]: { Keys: [...Keys] } };
      const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand({ RequestItems }));
      return { items: Responses?.[TableName], unprocessed: UnprocessedKeys };
    },
  };
}

const CONDITION_FAILED = { error: 'ConditionalCheckFailedException' };
const REFUSED = { error: 'ValidationException' };
const WRITES = 'API, UpdateItem, "UpdateExpression"';
const CONDITIONS = 'Guide, "Condition and filter expressions, operators, and functions in DynamoDB"';
const TRANSACTIONS = 'API, TransactWriteItems';
const QUERIES = 'API, Query';
const INDEXES = 'Guide, "Using Global Secondary Indexes in DynamoDB"';
const LIMITS = 'Guide, "Quotas in Amazon DynamoDB"';

const sortKeys = ({ items }: Page): unknown[] => items.map(({ sk }) => sk);

export const PROBES: readonly Probe[] = [
  // Conditions.
  {
    claim: 'a failed condition gives the stored item when asked for it',
    source: 'API, UpdateItem, "ReturnValuesOnConditionCheckFailure"',
    async run({ put, update }) {
      await put({ sk: 'a', epoch: 4, owner: 'first' });
      return update({
        UpdateExpression: 'SET epoch = :next',
        ConditionExpression: 'epoch = :epoch',
        ExpressionAttributeValues: { ':epoch': 3, ':next': 4 },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
    },
    expected: {
      ...CONDITION_FAILED,
      item: { pk: { S: 'probe' }, sk: { S: 'a' }, epoch: { N: '4' }, owner: { S: 'first' } },
    },
  },
  {
    claim: 'a failed condition gives no item when not asked for it',
    source: 'API, PutItem, "ReturnValuesOnConditionCheckFailure"',
    async run({ put }) {
      await put({ sk: 'a' });
      return put({ sk: 'a' }, { ConditionExpression: 'attribute_not_exists(pk)' });
    },
    expected: CONDITION_FAILED,
  },
  {
    claim: 'an update of an item that is not there makes it, and an attribute that is not there meets no comparison',
    source: 'API, UpdateItem',
    async run({ update, get }) {
      await update({ UpdateExpression: 'SET epoch = :one', ExpressionAttributeValues: { ':one': 1 } });
      const later = { ExpressionAttributeValues: { ':n': 5 } };
      const answers = [];
      for (const condition of ['absent < :n', 'absent = :n', 'absent <> :n', 'NOT absent = :n']) {
        answers.push(
          await update({ UpdateExpression: 'SET seen = :n', ConditionExpression: condition, ...later }).then(
            () => `${condition} holds`,
            errorOf,
          ),
        );
      }
      return [await get('a'), ...answers];
    },
    // "<>" and NOT hold for what is not there; an ordering does not.
    expected: [
      { pk: 'probe', sk: 'a', epoch: 1, seen: 5 },
      CONDITION_FAILED,
      CONDITION_FAILED,
      'absent <> :n holds',
      'NOT absent = :n holds',
    ],
  },
  {
    claim: 'values of different types are unequal and in no order, which is no error',
    source: CONDITIONS,
    async run({ put, update }) {
      await put({ sk: 'a', epoch: '3' });
      const given = { UpdateExpression: 'SET seen = :n', ExpressionAttributeValues: { ':n': 3 } };
      return [
        await update({ ...given, ConditionExpression: 'epoch = :n' }).catch(errorOf),
        await update({ ...given, ConditionExpression: 'epoch <= :n' }).catch(errorOf),
      ];
    },
    expected: [CONDITION_FAILED, CONDITION_FAILED],
  },
  {
    claim: 'a path into a map that is not there meets no comparison',
    source: CONDITIONS,
    async run({ put, update }) {
      await put({ sk: 'a', lease: { owner: 'me', until: 7 } });
      const given = (path: string) => ({
        UpdateExpression: 'SET seen = :me',
        ConditionExpression: `${path} = :me`,
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':me': 'me' },
      });
      return [await update(given('lease.#owner')), await update(given('absent.#owner')).catch(errorOf)];
    },
    expected: [{ pk: 'probe', sk: 'a', lease: { owner: 'me', until: 7 }, seen: 'me' }, CONDITION_FAILED],
  },
  {
    claim: 'a condition counts the elements of a list, and AND binds closer than OR',
    source: CONDITIONS,
    async run({ put, update }) {
      await put({ sk: 'a', consents: [1, 2] });
      const given = (ConditionExpression: string) => ({
        UpdateExpression: 'SET seen = :two',
        ConditionExpression,
        ExpressionAttributeValues: { ':two': 2, ':three': 3 },
      });
      return [
        await update(given('size(consents) = :two OR size(consents) = :three AND attribute_exists(absent)')).then(
          () => 'holds',
        ),
        await update(given('(size(consents) = :two OR size(consents) = :three) AND attribute_exists(absent)')).catch(
          errorOf,
        ),
      ];
    },
    expected: ['holds', CONDITION_FAILED],
  },
  // Updates.
  {
    claim: 'every right side of an update sees the item as it was before it',
    source: WRITES,
    async run({ put, update }) {
      await put({ sk: 'a', first: 1, second: 2, consents: [1] });
      return update({
        UpdateExpression:
          'SET #first = #second, #second = #first, made = if_not_exists(made, :zero) + :one, consents = list_append(if_not_exists(consents, :none), :more), fresh = list_append(if_not_exists(fresh, :none), :more) REMOVE nothing ADD uses :minus',
        ExpressionAttributeNames: { '#first': 'first', '#second': 'second' },
        ExpressionAttributeValues: { ':zero': 0, ':one': 1, ':none': [], ':more': [9], ':minus': -1 },
      });
    },
    expected: { pk: 'probe', sk: 'a', first: 2, second: 1, made: 1, consents: [1, 9], fresh: [9], uses: -1 },
  },
  {
    claim: 'an update gives only what it changed when asked for that',
    source: 'API, UpdateItem, "ReturnValues"',
    async run({ put, update }) {
      await put({ sk: 'a', kept: 1, calls: 2 });
      return update({
        UpdateExpression: 'ADD calls :three',
        ExpressionAttributeValues: { ':three': 3 },
        ReturnValues: 'UPDATED_NEW',
      });
    },
    expected: { calls: 5 },
  },
  {
    claim: 'a path whose map is not there cannot be set',
    source: 'Guide, "Using update expressions in DynamoDB"',
    async run({ put, update }) {
      await put({ sk: 'a' });
      return update({ UpdateExpression: 'SET fault.at = :one', ExpressionAttributeValues: { ':one': 1 } });
    },
    expected: REFUSED,
  },
  {
    claim: 'a number is kept to 38 digits, and one of more is refused',
    source: 'Guide, "Supported data types and naming rules in Amazon DynamoDB"',
    async run({ put, get }) {
      await put({ sk: 'a', least: 1e-130, most: 9_007_199_254_740_991 });
      return [
        await get('a'),
        await put({ sk: 'b', exact: NumberValue.from('1'.repeat(38)) }).then(() => 'kept'),
        await put({ sk: 'c', tooLong: NumberValue.from('1'.repeat(39)) }).catch(errorOf),
      ];
    },
    expected: [{ pk: 'probe', sk: 'a', least: 1e-130, most: 9_007_199_254_740_991 }, 'kept', REFUSED],
  },
  ...(
    [
      ['key attributes', { UpdateExpression: 'SET sk = :one', ExpressionAttributeValues: { ':one': 'b' } }],
      [
        'two clauses for one path',
        { UpdateExpression: 'SET n = :one REMOVE n', ExpressionAttributeValues: { ':one': 1 } },
      ],
      ['values nobody uses', { UpdateExpression: 'SET n = :one', ExpressionAttributeValues: { ':one': 1, ':two': 2 } }],
      ['names nobody uses', { UpdateExpression: 'REMOVE n', ExpressionAttributeNames: { '#m': 'm' } }],
      ['reserved words', { UpdateExpression: 'SET status = :one', ExpressionAttributeValues: { ':one': 1 } }],
      ['a value that is not given', { UpdateExpression: 'SET n = :one' }],
      [
        'a number where an index wants a text',
        { UpdateExpression: 'SET grantKey = :one', ExpressionAttributeValues: { ':one': 1 } },
      ],
      [
        'an empty text where an index wants a key',
        { UpdateExpression: 'SET grantKey = :none', ExpressionAttributeValues: { ':none': '' } },
      ],
      ['arithmetic on a text', { UpdateExpression: 'SET t = t + :one', ExpressionAttributeValues: { ':one': 1 } }],
    ] as const
  ).map(
    ([what, given]): Probe => ({
      claim: `an update is refused: ${what}`,
      source: `${WRITES}; Guide, "Reserved words in DynamoDB"`,
      async run({ put, update }) {
        await put({ sk: 'a', t: 'text' });
        return update(given);
      },
      expected: REFUSED,
    }),
  ),
  {
    claim: 'an empty text is kept, except as a key',
    source: 'Guide, "Supported data types and naming rules in Amazon DynamoDB"',
    async run({ put, get }) {
      await put({ sk: 'a', name: '' });
      return [await get('a'), await put({ sk: '' }).catch(errorOf)];
    },
    expected: [{ pk: 'probe', sk: 'a', name: '' }, REFUSED],
  },
  {
    claim: 'an item of more than 400 KB is refused',
    source: LIMITS,
    run: ({ put }) => put({ sk: 'a', text: 'x'.repeat(400 * 1024) }),
    expected: REFUSED,
  },
  // Transactions.
  {
    claim: 'a transaction that is cancelled changes nothing and gives a reason for each of its writes, in order',
    source: `${TRANSACTIONS}, "Errors"`,
    async run({ pk, put, get, transact, TableName }) {
      await put({ sk: 'taken', holder: 'first' });
      const old = 'ALL_OLD' as const;
      const cancelled = await transact([
        { Put: { TableName, Item: { pk, sk: 'new' } } },
        {
          Put: {
            TableName,
            Item: { pk, sk: 'taken' },
            ConditionExpression: 'attribute_not_exists(pk)',
            ReturnValuesOnConditionCheckFailure: old,
          },
        },
        { ConditionCheck: { TableName, Key: { pk, sk: 'other' }, ConditionExpression: 'attribute_exists(pk)' } },
        { Delete: { TableName, Key: { pk, sk: 'third' } } },
      ]).catch(errorOf);
      return [cancelled, await get('new')];
    },
    expected: [
      {
        error: 'TransactionCanceledException',
        reasons: [
          'None',
          {
            Code: 'ConditionalCheckFailed',
            item: { pk: { S: 'probe' }, sk: { S: 'taken' }, holder: { S: 'first' } },
          },
          'ConditionalCheckFailed',
          'None',
        ],
      },
      undefined,
    ],
  },
  {
    claim: 'a write that does not fit its item cancels the transaction with a reason of its own',
    source: `${TRANSACTIONS}, "Errors"`,
    async run({ pk, put, transact, TableName }) {
      await put({ sk: 'a', text: 'x' });
      const add = { UpdateExpression: 'ADD #text :one', ExpressionAttributeNames: { '#text': 'text' } };
      return transact([
        { Put: { TableName, Item: { pk, sk: 'b' } } },
        { Update: { TableName, Key: { pk, sk: 'a' }, ...add, ExpressionAttributeValues: { ':one': 1 } } },
      ]);
    },
    expected: { error: 'TransactionCanceledException', reasons: ['None', 'ValidationError'] },
  },
  {
    claim: 'a transaction writes an item once, and 100 items at most',
    source: TRANSACTIONS,
    async run({ pk, transact, query, TableName }) {
      const puts = (count: number) =>
        Array.from({ length: count }, (_, n) => ({ Put: { TableName, Item: { pk, sk: `${count}-${n}` } } }));
      const [one] = puts(1);
      return [
        await transact([...(one ? [one, { Delete: { TableName, Key: { pk, sk: '1-0' } } }] : [])]).catch(errorOf),
        await transact(puts(101)).catch(errorOf),
        await transact(puts(100)).then(() => 'written'),
        (await query({})).count,
      ];
    },
    expected: [REFUSED, REFUSED, 'written', 100],
  },
  {
    claim: 'a repeated token applies a transaction once, and is refused for another transaction',
    source: `${TRANSACTIONS}, "ClientRequestToken"`,
    async run({ pk, put, get, transact, TableName }) {
      await put({ sk: 'a', n: 0 });
      const increase = (by: number) => [
        {
          Update: {
            TableName,
            Key: { pk, sk: 'a' },
            UpdateExpression: 'SET n = n + :by',
            ExpressionAttributeValues: { ':by': by },
          },
        },
      ];
      await transact(increase(1), 'the-token-of-the-probe');
      await transact(increase(1), 'the-token-of-the-probe');
      return [await transact(increase(2), 'the-token-of-the-probe').catch(errorOf), await get('a')];
    },
    expected: [{ error: 'IdempotentParameterMismatchException' }, { pk: 'probe', sk: 'a', n: 1 }],
  },
  // Reads.
  {
    claim: 'a query gives a partition in the order of UTF-8 bytes, from either end',
    source: `${QUERIES}, "ScanIndexForward"`,
    async run({ put, query }) {
      for (const sk of ['b', 'a', 'B', 'ä', 'a#1', '\u{1F600}', '\uFF5E']) await put({ sk });
      return [
        sortKeys(await query({})),
        sortKeys(await query({ ScanIndexForward: false, Limit: 2 })),
        sortKeys(
          await query({
            KeyConditionExpression: 'pk = :pk AND begins_with(sk, :a)',
            ExpressionAttributeValues: { ':a': 'a' },
          }),
        ),
        sortKeys(
          await query({
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
            ExpressionAttributeValues: { ':first': 'B', ':last': 'a#1' },
          }),
        ),
      ];
    },
    expected: [
      ['B', 'a', 'a#1', 'b', 'ä', '\uFF5E', '\u{1F600}'],
      ['\u{1F600}', '\uFF5E'],
      ['a', 'a#1'],
      ['B', 'a', 'a#1'],
    ],
  },
  {
    claim: 'a limit counts what is read, before a filter takes any of it away',
    source: `${QUERIES}, "Limit" and "ScannedCount"`,
    async run({ put, query }) {
      for (const n of [1, 2, 3, 4, 5]) await put({ sk: `s${n}`, even: n % 2 === 0 });
      const given = { FilterExpression: 'even = :yes', ExpressionAttributeValues: { ':yes': true }, Limit: 3 };
      const first = await query(given);
      const second = await query({ ...given, ExclusiveStartKey: first.last });
      return [first, second];
    },
    expected: [
      { items: [{ pk: 'probe', sk: 's2', even: true }], count: 1, scanned: 3, last: { pk: 'probe', sk: 's3' } },
      { items: [{ pk: 'probe', sk: 's4', even: true }], count: 1, scanned: 2, last: undefined },
    ],
  },
  {
    claim: 'a page ends at 1 MB',
    source: `${QUERIES}; ${LIMITS}`,
    async run({ put, query }) {
      for (const n of [1, 2, 3, 4]) await put({ sk: `s${n}`, text: 'x'.repeat(350 * 1024) });
      const { count, last } = await query({});
      return [count < 4, last !== undefined, (await query({ ExclusiveStartKey: last })).count + count];
    },
    expected: [true, true, 4],
  },
  {
    claim: 'a start key of another form is refused',
    source: `${QUERIES}, "ExclusiveStartKey"`,
    async run({ put, query, pk }) {
      await put({ sk: 'a' });
      return [
        await query({ ExclusiveStartKey: { pk } }).catch(errorOf),
        await query({ ExclusiveStartKey: { pk, sk: 1 } }).catch(errorOf),
      ];
    },
    expected: [REFUSED, REFUSED],
  },
  {
    claim: 'a start key of another partition is refused',
    source: `${QUERIES}, "ExclusiveStartKey": the value that the previous operation of this query gave`,
    run: ({ query }) => query({ ExclusiveStartKey: { pk: 'other', sk: 'a' } }),
    expected: REFUSED,
  },
  {
    claim: 'a start key outside the range of its query is refused',
    source: `${QUERIES}, "ExclusiveStartKey": the value that the previous operation of this query gave`,
    run: ({ query, pk }) =>
      query({
        KeyConditionExpression: 'pk = :pk AND sk <= :last',
        ExpressionAttributeValues: { ':last': 'm' },
        ExclusiveStartKey: { pk, sk: 'n' },
      }),
    expected: REFUSED,
  },
  {
    claim: 'a batch gives the items there are, 100 at most and none twice',
    source: 'API, BatchGetItem',
    async run({ pk, put, batchGet }) {
      await put({ sk: 'a' });
      const keys = (count: number) => Array.from({ length: count }, (_, n) => ({ pk, sk: `s${n}` }));
      return [
        await batchGet([
          { pk, sk: 'a' },
          { pk, sk: 'none' },
        ]),
        await batchGet([
          { pk, sk: 'a' },
          { pk, sk: 'a' },
        ]).catch(errorOf),
        await batchGet(keys(101)).catch(errorOf),
      ];
    },
    expected: [{ items: [{ pk: 'probe', sk: 'a' }], unprocessed: {} }, REFUSED, REFUSED],
  },
  // Indexes.
  {
    claim:
      'an index of keys holds its own keys and the table’s, of those items that have both, in the order of numbers',
    source: `${INDEXES}, "Attribute projections"`,
    async run({ put, update, query }) {
      for (const [sk, refreshAt] of [
        ['a', 100],
        ['b', 9],
        ['c', 20],
      ] as const) {
        await put({ sk, dueShard: 7, refreshAt, secret: 'not projected' });
      }
      await put({ sk: 'd', refreshAt: 1 });
      await update({ sk: 'c', UpdateExpression: 'REMOVE dueShard, refreshAt' });
      const due = {
        IndexName: 'due',
        KeyConditionExpression: 'dueShard = :shard AND refreshAt <= :until',
        ExpressionAttributeValues: { ':shard': 7, ':until': 500 },
      };
      const first = await query({ ...due, Limit: 1 });
      return [(await query(due)).items, first.last, (await query({ ...due, ExclusiveStartKey: first.last })).items];
    },
    expected: [
      [
        { pk: 'probe', sk: 'b', dueShard: 7, refreshAt: 9 },
        { pk: 'probe', sk: 'a', dueShard: 7, refreshAt: 100 },
      ],
      { pk: 'probe', sk: 'b', dueShard: 7, refreshAt: 9 },
      [{ pk: 'probe', sk: 'a', dueShard: 7, refreshAt: 100 }],
    ],
  },
  {
    claim: 'an index holds the attributes it names and no other',
    source: `${INDEXES}, "Attribute projections"`,
    async run({ put, query }) {
      await put({
        sk: 'a',
        grantKey: 'g',
        grantClientId: 'c',
        accountId: 'default',
        consentedAtEpochSec: 5,
        secret: 's',
      });
      const byGrant = {
        IndexName: 'byGrant',
        KeyConditionExpression: 'grantKey = :grant',
        ExpressionAttributeValues: { ':grant': 'g' },
      };
      return (await query(byGrant)).items;
    },
    expected: [
      { pk: 'probe', sk: 'a', grantKey: 'g', grantClientId: 'c', accountId: 'default', consentedAtEpochSec: 5 },
    ],
  },
  {
    claim: 'an index gives neither attributes that it does not hold nor consistent reads',
    source: `${QUERIES}, "Select" and "ConsistentRead"`,
    async run({ query }) {
      const byGrant = {
        IndexName: 'byGrant',
        KeyConditionExpression: 'grantKey = :grant',
        ExpressionAttributeValues: { ':grant': 'g' },
      };
      return [
        await query({ ...byGrant, ConsistentRead: true }).catch(errorOf),
        await query({ ...byGrant, Select: 'ALL_ATTRIBUTES' }).catch(errorOf),
        await query({ ...byGrant, IndexName: 'missing' }).catch(errorOf),
      ];
    },
    expected: [REFUSED, REFUSED, REFUSED],
  },
  // Time to live.
  {
    claim: 'items expire by the attribute of the template, and are read until they are deleted',
    source: 'Guide, "Using time to live (TTL) in DynamoDB"',
    async run({ put, get, timeToLive }) {
      const gone = Math.floor(Date.now() / 1000) - 1;
      await put({ sk: 'a', expiresAtEpochSec: gone });
      const held = await get('a');
      return [await timeToLive(), held === undefined ? 'deleted' : Object.keys(held).toSorted()];
    },
    expected: [{ TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAtEpochSec' }, ['expiresAtEpochSec', 'pk', 'sk']],
  },
  // Streams.
  {
    claim: 'a stream reports changes in order, with the images before and after',
    source: 'Guide, "Change data capture for DynamoDB Streams"; API (streams), StreamRecord',
    async run({ pk, put, update, transact, records, TableName }) {
      await put({ sk: 'a', n: 1 });
      await update({ UpdateExpression: 'SET n = :two', ExpressionAttributeValues: { ':two': 2 } });
      await transact([
        { Put: { TableName, Item: { pk, sk: 'b' }, ConditionExpression: 'attribute_exists(pk)' } },
        { Delete: { TableName, Key: { pk, sk: 'a' } } },
      ]).catch(errorOf);
      await transact([{ Delete: { TableName, Key: { pk, sk: 'a' } } }]);
      await transact([{ Delete: { TableName, Key: { pk, sk: 'a' } } }]);
      return (await records()).map(({ eventName, dynamodb }) => {
        const { NewImage, OldImage, StreamViewType } = asObject(dynamodb, 'dynamodb');
        return { eventName, before: OldImage, after: NewImage, view: StreamViewType };
      });
    },
    expected: [
      { eventName: 'INSERT', before: undefined, after: image(1), view: 'NEW_AND_OLD_IMAGES' },
      { eventName: 'MODIFY', before: image(1), after: image(2), view: 'NEW_AND_OLD_IMAGES' },
      { eventName: 'REMOVE', before: image(2), after: undefined, view: 'NEW_AND_OLD_IMAGES' },
    ],
  },
  {
    claim: 'a stream does not tell of a write that changed nothing',
    source: 'Guide, "Change data capture for DynamoDB Streams"',
    async run({ put, update, records }) {
      await put({ sk: 'a', n: 1 });
      await put({ sk: 'a', n: 1 });
      await update({ UpdateExpression: 'SET n = :one', ExpressionAttributeValues: { ':one': 1 } });
      return (await records()).map(({ eventName }) => eventName);
    },
    expected: ['INSERT'],
  },
];

function image(n: number): unknown {
  return { pk: { S: 'probe' }, sk: { S: 'a' }, n: { N: String(n) } };
}
