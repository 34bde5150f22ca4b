import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { DUE_PARTITIONS, DUE_SHARDS, TABLE } from '../../gateway/core/contract.ts';
import { fnv1a } from '../../gateway/core/identifiers.ts';
import { writeTransition } from '../../gateway/events/event.store.ts';
import {
  type Item,
  isDone,
  num,
  oneOf,
  optionalNum,
  optionalStr,
  str,
  strings,
  type Table,
} from '../../gateway/platform/dynamodb/client.ts';
import { keepEvidence } from './evidence.store.ts';
import { securityEventItemKey, securityEventOfKey, securityProjectItemKey } from './keys.store.ts';
import { EVIDENCE_RETENTION_SEC } from './limits.rules.ts';
import type { SecurityProject, SecurityProjects, StatementInbox, StatementQueue, StatementRef } from './ports.ts';
import { SECURITY_EVENT_TYPES, type Statement } from './statement.rules.ts';

/** The receiver's storage: projects, statements and evidence; no connection (SH-4). */
export function statementInbox(table: Table): StatementInbox {
  const { client, tableName } = table;
  return {
    project: (cloudProject) => readProject(table, cloudProject),

    async noteStatement({ cloudProject, verificationState }, nowEpochSec, verified) {
      const note = {
        TableName: tableName,
        Key: securityProjectItemKey(cloudProject),
        UpdateExpression: 'SET lastStatementAtEpochSec = :now',
        // A project that was removed meanwhile must not be created again.
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':now': nowEpochSec },
      };
      await isDone(
        client.send(
          new UpdateCommand(
            verified
              ? {
                  ...note,
                  UpdateExpression: 'SET lastStatementAtEpochSec = :now, verifiedAtEpochSec = :now',
                  // Another verification was requested meanwhile: only that one proves the stream.
                  ConditionExpression: 'verificationState = :state',
                  ExpressionAttributeValues: { ':now': nowEpochSec, ':state': verificationState },
                }
              : note,
          ),
        ),
      );
    },

    keepEvidence: (statement) => keepEvidence(table, statement),

    keep(statement, isDue) {
      const Item = toItem(statement, isDue);
      const put = { TableName: tableName, Item, ConditionExpression: 'attribute_not_exists(pk)' };
      return isDone(client.send(new PutCommand(put)));
    },
  };
}

/** Statements with pending work, in separate partitions of the due index. */
export function statementQueue({ client, tableName }: Table): StatementQueue {
  return {
    async read(ref) {
      const Key = securityEventItemKey(ref);
      const { Item } = await client.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
      if (Item?.dueShard === undefined) return undefined;
      return { ...fromItem(Item, ref), failureCount: optionalNum(Item, 'failureCount') ?? 0 };
    },

    async due(shard, untilEpochSec, limit) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: TABLE.indexes.due.name,
          KeyConditionExpression: 'dueShard = :shard AND refreshAt <= :until',
          ExpressionAttributeValues: { ':shard': DUE_PARTITIONS.securityEvents + shard, ':until': untilEpochSec },
          Limit: limit,
        }),
      );
      return Items.flatMap((item) => securityEventOfKey({ pk: str(item, 'pk'), sk: str(item, 'sk') }) ?? []);
    },

    async postpone(statement, untilEpochSec) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: securityEventItemKey(statement),
            UpdateExpression: 'SET refreshAt = :until, failureCount = :failures',
            ConditionExpression: 'attribute_exists(dueShard)',
            ExpressionAttributeValues: { ':until': untilEpochSec, ':failures': statement.failureCount + 1 },
          }),
        ),
      );
    },

    async finish(ref) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName: tableName,
            Key: securityEventItemKey(ref),
            UpdateExpression: 'REMOVE dueShard, refreshAt, failureCount',
            ConditionExpression: 'attribute_exists(pk)',
          }),
        ),
      );
    },
  };
}

/** Registered projects. */
export function securityProjects(table: Table): SecurityProjects {
  const { client, tableName } = table;
  return {
    read: (cloudProject) => readProject(table, cloudProject),

    async register(cloudProject, { accountId, state, nowEpochSec }, event) {
      for (let round = 0; round < ROUNDS; round++) {
        const known = await readProject(table, cloudProject);
        const accountIds = [...new Set([...(known?.accountIds ?? []), accountId])];
        const after: SecurityProject = {
          cloudProject,
          accountIds,
          registeredAtEpochSec: known?.registeredAtEpochSec ?? nowEpochSec,
          verificationState: state ?? known?.verificationState,
          verifiedAtEpochSec: state === undefined ? known?.verifiedAtEpochSec : undefined,
          lastStatementAtEpochSec: known?.lastStatementAtEpochSec,
        };
        const condition = asKnown(known);
        const Update = {
          TableName: tableName,
          Key: securityProjectItemKey(cloudProject),
          UpdateExpression:
            'SET #type = :type, accountIds = :accounts, registeredAtEpochSec = if_not_exists(registeredAtEpochSec, :now)' +
            (state === undefined ? '' : ', verificationState = :state REMOVE verifiedAtEpochSec'),
          ConditionExpression: condition.expression,
          ExpressionAttributeNames: { '#type': 'type' },
          ExpressionAttributeValues: {
            ':type': 'security_project',
            ':accounts': accountIds,
            ':now': nowEpochSec,
            ...(state === undefined ? {} : { ':state': state }),
            ...condition.values,
          },
        };
        const isNew = known?.accountIds.includes(accountId) !== true;
        const written = isNew
          ? await writeTransition(table, { Update }, event)
          : await isDone(client.send(new UpdateCommand(Update)));
        if (written) return after;
      }
      throw new Error('Others register accounts for the same Cloud project at once');
    },

    async remove(cloudProject, accountId, event) {
      const Key = securityProjectItemKey(cloudProject);
      for (let round = 0; round < ROUNDS; round++) {
        const known = await readProject(table, cloudProject);
        if (known?.accountIds.includes(accountId) !== true) return false;
        const others = known.accountIds.filter((one) => one !== accountId);
        const { expression: ConditionExpression, values } = asKnown(known);
        const change =
          others.length === 0
            ? { Delete: { TableName: tableName, Key, ConditionExpression, ExpressionAttributeValues: values } }
            : {
                Update: {
                  TableName: tableName,
                  Key,
                  UpdateExpression: 'SET accountIds = :others',
                  ConditionExpression,
                  ExpressionAttributeValues: { ':others': others, ...values },
                },
              };
        if (await writeTransition(table, change, event)) return true;
      }
      throw new Error('Others register accounts for the same Cloud project at once');
    },
  };
}

/** Concurrent registrations of the same project must not overwrite each other. */
function asKnown(known: SecurityProject | undefined): {
  readonly expression: string;
  readonly values: Readonly<Record<string, unknown>>;
} {
  if (known === undefined) return { expression: 'attribute_not_exists(pk)', values: {} };
  return { expression: 'accountIds = :known', values: { ':known': known.accountIds } };
}

/** Somebody else may be faster this often. */
const ROUNDS = 4;

async function readProject({ client, tableName }: Table, cloudProject: string): Promise<SecurityProject | undefined> {
  const Key = securityProjectItemKey(cloudProject);
  const { Item } = await client.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
  return Item === undefined ? undefined : projectFromItem(Item, cloudProject);
}

function projectFromItem(item: Item, cloudProject: string): SecurityProject {
  return {
    cloudProject,
    accountIds: strings(item, 'accountIds'),
    registeredAtEpochSec: num(item, 'registeredAtEpochSec'),
    verificationState: optionalStr(item, 'verificationState'),
    verifiedAtEpochSec: optionalNum(item, 'verifiedAtEpochSec'),
    lastStatementAtEpochSec: optionalNum(item, 'lastStatementAtEpochSec'),
  };
}

function toItem(statement: Statement, isDue: boolean): Record<string, unknown> {
  const { event, receivedAtEpochSec, issuedAtEpochSec } = statement;
  const key = securityEventItemKey(statement);
  return {
    ...key,
    type: 'security_event',
    eventType: event.type,
    issuedAtEpochSec,
    receivedAtEpochSec,
    ...(event.reason === undefined ? {} : { reason: event.reason }),
    ...(event.subject === undefined ? {} : { subject: event.subject }),
    ...(event.tokenPrint === undefined ? {} : { tokenPrint: event.tokenPrint }),
    ...(isDue
      ? { dueShard: DUE_PARTITIONS.securityEvents + (fnv1a(key.pk) % DUE_SHARDS), refreshAt: receivedAtEpochSec }
      : {}),
    [TABLE.timeToLive]: receivedAtEpochSec + EVIDENCE_RETENTION_SEC,
  };
}

function fromItem(item: Item, ref: StatementRef): Statement {
  return {
    ...ref,
    issuedAtEpochSec: num(item, 'issuedAtEpochSec'),
    receivedAtEpochSec: num(item, 'receivedAtEpochSec'),
    event: {
      type: oneOf(item, 'eventType', SECURITY_EVENT_TYPES),
      reason: optionalStr(item, 'reason'),
      subject: optionalStr(item, 'subject'),
      tokenPrint: optionalStr(item, 'tokenPrint'),
      state: undefined,
    },
  };
}
