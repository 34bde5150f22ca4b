import { DeleteCommand, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { CALL_LOG_TABLE, HELD_WAITS_MAX } from '../../gateway/core/contract.ts';
import { type ConnectionRef, firstUlidOf } from '../../gateway/core/identifiers.ts';
import { eventPut, writeTogether } from '../../gateway/events/event.store.ts';
import {
  connectionRefFromItem,
  type Item,
  isDone,
  num,
  oneOf,
  optionalNum,
  optionalStr,
  readable,
  str,
  type Table,
  type TransactItem,
} from '../../gateway/platform/dynamodb/client.ts';
import { APPROVAL_STATES, type Approval, type ApprovalPart, type ApprovalRef, runBefore } from './approval.rules.ts';
import { APPROVAL_KEPT_SEC, APPROVALS_AT_ONCE, APPROVALS_PENDING_MAX } from './limits.rules.ts';
import type { ApprovalStore, ApprovalUpkeep, DueApproval } from './ports.ts';
import { APPROVAL_FAMILIES } from './rows.rules.ts';

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

function seatKey(ref: Omit<ApprovalRef, 'ulid'>, seat: number) {
  return { pk: keyPk(ref), sk: `SEAT#${String(seat).padStart(2, '0')}` };
}

/** The wait that a key holds open. */
function waitKey(ref: Omit<ApprovalRef, 'ulid'>) {
  return { pk: keyPk(ref), sk: 'WAIT' };
}

/** A place for a wait of any key. */
function placeKey(place: number) {
  return { pk: `${APPROVAL_FAMILIES.row}#waits`, sk: `WAIT#${place}` };
}

function connectionPk({ accountId, integrationId, connectionId }: ConnectionRef): string {
  const parts = [accountId, integrationId, connectionId].map(encodeURIComponent);
  return `${APPROVAL_FAMILIES.ofConnection}#${parts.join('#')}`;
}

function duePk(accountId: string): string {
  return `${APPROVAL_FAMILIES.due}#${encodeURIComponent(accountId)}`;
}

/** Milliseconds in an order that texts have, too. */
function dueFrom(ms: number): string {
  return String(ms).padStart(15, '0');
}

function dueKey({ accountId, keyId, ulid }: ApprovalRef, dueAtMs: number) {
  return { pk: duePk(accountId), sk: `${dueFrom(dueAtMs)}#${keyId}#${ulid}` };
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
  /** Frees a place to wait at, unless its time was over and it is another's by now. */
  const giveBack = (Key: { readonly pk: string; readonly sk: string }, untilMs: number) =>
    isDone(
      log.client.send(
        new UpdateCommand({
          TableName: log.tableName,
          Key,
          UpdateExpression: 'SET untilMs = :free',
          ConditionExpression: 'untilMs = :until',
          ExpressionAttributeValues: { ':free': 0, ':until': untilMs },
        }),
      ),
    );
  const duePut = (ref: ApprovalRef, dueAtMs: number, ttl: Readonly<Record<string, number>>): TransactItem => ({
    Put: { TableName: log.tableName, Item: { ...dueKey(ref, dueAtMs), keyId: ref.keyId, approval: ref.ulid, ...ttl } },
  });
  const seatLeft = (ref: ApprovalRef, seat: number): TransactItem => ({
    Update: {
      TableName: log.tableName,
      Key: seatKey(ref, seat),
      UpdateExpression: 'SET untilMs = :left',
      ConditionExpression: 'approval = :this',
      ExpressionAttributeValues: { ':left': 0, ':this': ref.ulid },
    },
  });
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

    async keysOf(accountId, nowMs) {
      const { client, tableName: TableName } = log;
      const keys = new Set<string>();
      let ExclusiveStartKey: Item | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'pk = :pk AND sk >= :from',
            ExpressionAttributeValues: { ':pk': duePk(accountId), ':from': dueFrom(nowMs) },
            ProjectionExpression: 'keyId',
            ExclusiveStartKey,
          }),
        );
        for (const item of Items) keys.add(str(item, 'keyId'));
        ExclusiveStartKey = LastEvaluatedKey;
      } while (ExclusiveStartKey !== undefined);
      return [...keys];
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
      return { approval, madeBy: untilMs === undefined ? undefined : (optionalStr(item, 'madeBy') ?? 'unknown') };
    },

    async addLink({ accountId, keyId, ulid }, { tokenHash, untilMs, madeBy }, event) {
      const ttl = { [CALL_LOG_TABLE.timeToLive]: Math.ceil(untilMs / 1000) };
      const Item = { ...linkKey(tokenHash), accountId, keyId, approval: ulid, untilMs, madeBy, ...ttl };
      await writeTogether(table, [{ Put: { TableName: log.tableName, Item } }, eventPut(table.tableName, event)]);
    },

    async bindLink(tokenHash, browserHash) {
      return isDone(
        log.client.send(
          new UpdateCommand({
            TableName: log.tableName,
            Key: linkKey(tokenHash),
            UpdateExpression: 'SET browserHash = :browser',
            ConditionExpression:
              'attribute_exists(pk) AND (attribute_not_exists(browserHash) OR browserHash = :browser)',
            ExpressionAttributeValues: { ':browser': browserHash },
          }),
        ),
      );
    },

    async isLinkOf(tokenHash, browserHash) {
      const item = await get(linkKey(tokenHash));
      return item !== undefined && optionalStr(item, 'browserHash') === browserHash;
    },

    async findSame(accountId, keyId, digest) {
      const item = await get(sameKey({ accountId, keyId }, digest));
      return item === undefined ? undefined : find({ accountId, keyId, ulid: str(item, 'approval') });
    },

    async part(ref, part) {
      const item = await get(partKey(ref, part));
      return item === undefined ? undefined : str(item, 'sealed');
    },

    async holdWait(ref, first, nowMs, untilMs) {
      const { client, tableName: TableName } = log;
      const ttl = Math.ceil(untilMs / 1000);
      const take = (Key: { readonly pk: string; readonly sk: string }) =>
        isDone(
          client.send(
            new UpdateCommand({
              TableName,
              Key,
              UpdateExpression: `SET untilMs = :until, ${CALL_LOG_TABLE.timeToLive} = :ttl`,
              ConditionExpression: 'attribute_not_exists(untilMs) OR untilMs <= :now',
              ExpressionAttributeValues: { ':until': untilMs, ':ttl': ttl, ':now': nowMs },
            }),
          ),
        );
      if (!(await take(waitKey(ref)))) return undefined;
      for (let tried = 0; tried < HELD_WAITS_MAX; tried++) {
        const place = (first + tried) % HELD_WAITS_MAX;
        if (await take(placeKey(place))) return place;
      }
      await giveBack(waitKey(ref), untilMs);
      return undefined;
    },

    async endWait(ref, place, untilMs) {
      await Promise.all([giveBack(waitKey(ref), untilMs), giveBack(placeKey(place), untilMs)]);
    },

    async freeSeats(accountId, keyId, nowMs) {
      const { client, tableName: TableName } = log;
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :seat)',
          ExpressionAttributeValues: { ':pk': keyPk({ accountId, keyId }), ':seat': 'SEAT#' },
          ConsistentRead: true,
        }),
      );
      const taken = new Set(
        Items.filter((item) => num(item, 'untilMs') > nowMs).map((item) =>
          Number(str(item, 'sk').slice('SEAT#'.length)),
        ),
      );
      return Array.from({ length: APPROVALS_PENDING_MAX }, (_, seat) => seat).filter((seat) => !taken.has(seat));
    },

    async create(approval, parts, instead, event) {
      const { tableName: TableName } = log;
      const { accountId, keyId, ulid } = approval;
      const ttl = { [CALL_LOG_TABLE.timeToLive]: Math.floor(approval.expiresAtMs / 1000) + APPROVAL_KEPT_SEC };
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
        {
          Put: {
            TableName,
            Item: { ...seatKey(approval, approval.seat ?? 0), approval: ulid, untilMs: approval.expiresAtMs, ...ttl },
            ConditionExpression: 'attribute_not_exists(pk) OR untilMs <= :now',
            ExpressionAttributeValues: { ':now': approval.requestedAtMs },
          },
        },
        {
          Put: {
            TableName,
            Item: {
              ...{ pk: connectionPk(approval), sk: ulid, keyId },
              ...{ digest: approval.digest, tokenHash: approval.tokenHash, seat: approval.seat, ...ttl },
            },
          },
        },
        duePut(approval, approval.expiresAtMs, ttl),
        ...[...parts].map(([part, sealed]) => ({
          Put: { TableName, Item: { ...partKey(approval, part), sealed, ...ttl }, ...isNew },
        })),
        eventPut(table.tableName, event),
      ]);
      return failed === undefined;
    },

    async step(ref, from, to, adds, { runId, notExpiredAtMs, runEndedAtMs } = {}, event, part) {
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
      const nowSec = Math.floor(Date.parse(event?.occurredAt ?? '') / 1000);
      const ttl = { [CALL_LOG_TABLE.timeToLive]: nowSec + APPROVAL_KEPT_SEC };
      // What was decided on is kept for as long as the row, which goes a day after the call would have expired.
      const partTtl = { [CALL_LOG_TABLE.timeToLive]: nowSec + (part?.name === 'about' ? 2 : 1) * APPROVAL_KEPT_SEC };
      const failed = await writeTogether(table, [
        change,
        ...(part === undefined
          ? []
          : [{ Put: { TableName, Item: { ...partKey(ref, part.name), sealed: part.sealed, ...partTtl } } }]),
        // Somebody has to look whether it began.
        ...(to === 'approved' && adds.decidedAtMs !== undefined ? [duePut(ref, runBefore(adds.decidedAtMs), ttl)] : []),
        // The seat of a call that has expired is free by its time, and may be another's.
        ...(from === 'pending' && to !== 'expired' && ref.seat !== undefined ? [seatLeft(ref, ref.seat)] : []),
        ...(event === undefined ? [] : [eventPut(table.tableName, event)]),
      ]);
      return failed === undefined;
    },
  };
}

/** Ends and deletes approvals, for the schedule. */
export function approvalUpkeep(log: Table, table: Table): ApprovalUpkeep {
  const { find, step } = approvalStore(log, table);
  const { client, tableName: TableName } = log;
  const remove = (Key: { readonly pk: string; readonly sk: string }) =>
    client.send(new DeleteCommand({ TableName, Key }));
  return {
    find,
    step,

    async due(accountId, nowMs) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk AND sk < :until',
          ExpressionAttributeValues: { ':pk': duePk(accountId), ':until': dueFrom(nowMs + 1) },
          Limit: APPROVALS_AT_ONCE,
        }),
      );
      return Items.map(
        (item): DueApproval => ({
          accountId,
          keyId: str(item, 'keyId'),
          ulid: str(item, 'approval'),
          dueAtMs: Number(str(item, 'sk').slice(0, 15)),
        }),
      );
    },

    async looked(due) {
      await remove(dueKey(due, due.dueAtMs));
    },

    async clearSome(ref, beforeMs) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk AND sk < :before',
          ExpressionAttributeValues: { ':pk': connectionPk(ref), ':before': firstUlidOf(beforeMs) },
          Limit: APPROVALS_AT_ONCE,
        }),
      );
      for (const item of Items) {
        const approval = { accountId: ref.accountId, keyId: str(item, 'keyId'), ulid: str(item, 'sk') };
        const { pk } = partKey(approval, 'request');
        const { Items: parts = [] } = await client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'pk = :pk AND begins_with(sk, :part)',
            ExpressionAttributeValues: { ':pk': pk, ':part': `${approval.ulid}#` },
            ProjectionExpression: 'pk, sk',
          }),
        );
        await Promise.all([
          ...parts.map((part) => remove({ pk, sk: str(part, 'sk') })),
          remove({ pk: keyPk(approval), sk: approval.ulid }),
          // A connection of the same name may have asked the same since, and another call may have the seat.
          ...[sameKey(approval, str(item, 'digest')), seatKey(approval, optionalNum(item, 'seat') ?? 0)].map((Key) =>
            isDone(
              client.send(
                new DeleteCommand({
                  TableName,
                  Key,
                  ConditionExpression: 'approval = :this',
                  ExpressionAttributeValues: { ':this': approval.ulid },
                }),
              ),
            ),
          ),
          remove(linkKey(str(item, 'tokenHash'))),
        ]);
        // Last: what a tick that ends here leaves is found again.
        await remove({ pk: connectionPk(ref), sk: approval.ulid });
      }
      return Items.length === APPROVALS_AT_ONCE;
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
    signedInUser: optionalStr(item, 'signedInUser'),
    methodId: str(item, 'methodId'),
    objectKind: optionalStr(item, 'objectKind'),
    objectId: optionalStr(item, 'objectId'),
    boundTo: optionalStr(item, 'boundTo'),
    seat: optionalNum(item, 'seat'),
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
