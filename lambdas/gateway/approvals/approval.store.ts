import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { APPROVAL_FAMILIES, CALL_LOG_TABLE } from '../core/contract.ts';
import { firstUlidOf } from '../core/identifiers.ts';
import { eventPut, writeTogether } from '../events/event.store.ts';
import {
  connectionRefFromItem,
  type Item,
  num,
  oneOf,
  optionalNum,
  optionalStr,
  readable,
  str,
  type Table,
  type TransactItem,
} from '../platform/dynamodb/client.ts';
import { APPROVAL_STATES, type Approval, type ApprovalPart, type ApprovalRef } from './approval.rules.ts';
import type { ApprovalStore } from './ports.ts';

/** Rows go a day after the call would have expired: what became of it is told for that long. */
const KEPT_SEC = 24 * 3600;

function keyPk({ accountId, keyId }: Omit<ApprovalRef, 'ulid'>): string {
  return `${APPROVAL_FAMILIES.row}#${encodeURIComponent(accountId)}#${keyId}`;
}

/** Parts are long, and nothing that lists approvals reads them. */
function partKey({ accountId, keyId, ulid }: ApprovalRef, part: ApprovalPart) {
  return { pk: `${APPROVAL_FAMILIES.part}#${encodeURIComponent(accountId)}#${keyId}`, sk: `${ulid}#${part}` };
}

function linkKey(tokenHash: string) {
  return { pk: `${APPROVAL_FAMILIES.link}#${tokenHash}`, sk: 'LINK' };
}

function sameKey(ref: Omit<ApprovalRef, 'ulid'>, digest: string) {
  return { pk: keyPk(ref), sk: `SAME#${digest}` };
}

/**
 * Approvals, in the call log's table: no backup brings back one that has run.
 *
 * @param log the call log's table
 * @param table the table that events are written to
 */
export function approvalStore(log: Table, table: Table): ApprovalStore {
  const get = async (Key: { readonly pk: string; readonly sk: string }): Promise<Item | undefined> => {
    const { client, tableName: TableName } = log;
    return (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
  };
  const find = async (ref: ApprovalRef) => {
    const item = await get({ pk: keyPk(ref), sk: ref.ulid });
    return item === undefined ? undefined : fromItem(item);
  };
  return {
    find,

    async ofKey(accountId, keyId, sinceMs) {
      const { client, tableName: TableName, onUnreadable } = log;
      const found: Approval[] = [];
      let ExclusiveStartKey: Item | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
            // The rows of digests, which begin with a letter that no time of this age has, come after.
            ExpressionAttributeValues: {
              ':pk': keyPk({ accountId, keyId }),
              ':first': firstUlidOf(sinceMs),
              ':last': '8',
            },
            ScanIndexForward: false,
            ExclusiveStartKey,
          }),
        );
        found.push(...readable(Items, fromItem, onUnreadable));
        ExclusiveStartKey = LastEvaluatedKey;
      } while (ExclusiveStartKey !== undefined);
      return found;
    },

    async findByToken(tokenHash, nowMs) {
      const item = await get(linkKey(tokenHash));
      if (item === undefined) return undefined;
      const untilMs = optionalNum(item, 'untilMs');
      if (untilMs !== undefined && nowMs >= untilMs) return undefined;
      const approval = await find({
        accountId: str(item, 'accountId'),
        keyId: str(item, 'keyId'),
        ulid: str(item, 'approval'),
      });
      if (approval === undefined || (untilMs === undefined && approval.tokenHash !== tokenHash)) return undefined;
      return { approval, isFromBackend: untilMs !== undefined };
    },

    async addLink({ accountId, keyId, ulid }, tokenHash, untilMs) {
      const ttl = { [CALL_LOG_TABLE.timeToLive]: Math.ceil(untilMs / 1000) };
      const Item = { ...linkKey(tokenHash), accountId, keyId, approval: ulid, untilMs, ...ttl };
      await log.client.send(new PutCommand({ TableName: log.tableName, Item }));
    },

    async findSame(accountId, keyId, digest) {
      const item = await get(sameKey({ accountId, keyId }, digest));
      return item === undefined ? undefined : find({ accountId, keyId, ulid: str(item, 'approval') });
    },

    async part(ref, part) {
      const item = await get(partKey(ref, part));
      return item === undefined ? undefined : str(item, 'sealed');
    },

    async create(approval, parts, instead, event) {
      const { tableName: TableName } = log;
      const { accountId, keyId, ulid } = approval;
      const ttl = { [CALL_LOG_TABLE.timeToLive]: Math.floor(approval.expiresAtMs / 1000) + KEPT_SEC };
      const place = { accountId, keyId, approval: ulid, ...ttl };
      const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
      const same: TransactItem = {
        Put: {
          TableName,
          Item: { ...sameKey(approval, approval.digest), ...place },
          ...(instead === undefined
            ? isNew
            : {
                ConditionExpression: 'attribute_not_exists(pk) OR approval = :instead',
                ExpressionAttributeValues: { ':instead': instead },
              }),
        },
      };
      const failed = await writeTogether(table, [
        { Put: { TableName, Item: { ...toItem(approval), ...ttl }, ...isNew } },
        same,
        { Put: { TableName, Item: { ...linkKey(approval.tokenHash), ...place }, ...isNew } },
        ...[...parts].map(([part, sealed]) => ({
          Put: { TableName, Item: { ...partKey(approval, part), sealed, ...ttl }, ...isNew },
        })),
        eventPut(table.tableName, event),
      ]);
      return failed === undefined;
    },

    async step(ref, from, to, adds, { runId, notExpiredAtMs, runEndedAtMs } = {}, event, result) {
      const { tableName: TableName } = log;
      const set = Object.entries({ ...adds, state: to }).filter(([, value]) => value !== undefined);
      const values: Record<string, unknown> = {
        ':from': from,
        ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      };
      const conditions = ['#state = :from'];
      const must = (condition: string, value: unknown) => {
        if (value === undefined) return;
        values[`:must${conditions.length}`] = value;
        conditions.push(condition.replace('?', `:must${conditions.length}`));
      };
      must('runId = ?', runId);
      must('expiresAtMs > ?', notExpiredAtMs);
      must('runUntilMs <= ?', runEndedAtMs);
      const change: TransactItem = {
        Update: {
          TableName,
          Key: { pk: keyPk(ref), sk: ref.ulid },
          UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`,
          ConditionExpression: conditions.join(' AND '),
          ExpressionAttributeNames: Object.fromEntries(set.map(([name]) => [`#${name}`, name])),
          ExpressionAttributeValues: values,
        },
      };
      const ttl = { [CALL_LOG_TABLE.timeToLive]: Math.floor(Date.parse(event?.occurredAt ?? '') / 1000) + KEPT_SEC };
      const failed = await writeTogether(table, [
        change,
        ...(result === undefined
          ? []
          : [{ Put: { TableName, Item: { ...partKey(ref, 'result'), sealed: result, ...ttl } } }]),
        ...(event === undefined ? [] : [eventPut(table.tableName, event)]),
      ]);
      return failed === undefined;
    },
  };
}

function toItem({ ulid, ...approval }: Approval): Record<string, unknown> {
  return { pk: keyPk(approval), sk: ulid, type: 'approval', ...approval };
}

function fromItem(item: Item): Approval {
  return {
    ...connectionRefFromItem(item),
    ulid: str(item, 'sk'),
    keyId: str(item, 'keyId'),
    state: oneOf(item, 'state', APPROVAL_STATES),
    keyHash: str(item, 'keyHash'),
    methodId: str(item, 'methodId'),
    digest: str(item, 'digest'),
    tokenHash: str(item, 'tokenHash'),
    requestedAtMs: num(item, 'requestedAtMs'),
    expiresAtMs: num(item, 'expiresAtMs'),
    decidedBy: optionalStr(item, 'decidedBy'),
    decidedAtMs: optionalNum(item, 'decidedAtMs'),
    seen: optionalStr(item, 'seen'),
    runId: optionalStr(item, 'runId'),
    runUntilMs: optionalNum(item, 'runUntilMs'),
    createdId: optionalStr(item, 'createdId'),
    endedAtMs: optionalNum(item, 'endedAtMs'),
    outcome: optionalStr(item, 'outcome'),
  };
}
