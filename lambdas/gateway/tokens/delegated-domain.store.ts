import { DeleteCommand, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { DUE_PARTITIONS, TABLE } from '../core/contract.ts';
import type { IntegrationRef } from '../core/identifiers.ts';
import { writeTransition } from '../events/event.store.ts';
import {
  type Item,
  isDone,
  num,
  oneOf,
  optionalNum,
  optionalStr,
  readable,
  str,
  type Table,
} from '../platform/dynamodb/client.ts';
import { delegatedDomainItemKey, delegatedDomainSkPrefix } from '../platform/dynamodb/keys.ts';
import type { DelegatedDomain } from './delegation.rules.ts';
import type { DelegatedDomainStore } from './ports.ts';

const STATUSES = ['granted', 'lost', 'unknown'] as const;

function fromItem(item: Item): DelegatedDomain {
  return {
    accountId: str(item, 'accountId'),
    integrationId: str(item, 'integrationId'),
    domain: str(item, 'domain'),
    status: oneOf(item, 'status', STATUSES),
    sinceEpochSec: num(item, 'sinceEpochSec'),
    probeAtEpochSec: optionalNum(item, 'refreshAt'),
    lookUntilEpochSec: optionalNum(item, 'lookUntil'),
    askedForConnectionId: optionalStr(item, 'askedFor'),
    organizationId: optionalStr(item, 'organizationId'),
    checkedAtEpochSec: optionalNum(item, 'checkedAtEpochSec'),
  };
}

function partitionOf(status: DelegatedDomain['status']): number {
  return status === 'lost' ? DUE_PARTITIONS.lostDomains : DUE_PARTITIONS.workingDomains;
}

/** Domains of integrations that act by a service account, alongside their account. */
export function delegatedDomainStore(table: Table): DelegatedDomainStore {
  const { client, tableName: TableName } = table;
  const list = async (ref: IntegrationRef): Promise<DelegatedDomain[]> => {
    const { pk, sk } = delegatedDomainSkPrefix(ref);
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
        ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
      }),
    );
    return Items.map(fromItem);
  };
  return {
    list,

    async read(ref, domain) {
      const Key = delegatedDomainItemKey(ref, domain);
      const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
      return Item === undefined ? undefined : fromItem(Item);
    },

    async due(untilEpochSec, limit) {
      const dueIn = async (shard: number): Promise<Item[]> => {
        const { Items = [] } = await client.send(
          new QueryCommand({
            TableName,
            IndexName: TABLE.indexes.due.name,
            KeyConditionExpression: 'dueShard = :shard AND refreshAt <= :until',
            ExpressionAttributeValues: { ':shard': shard, ':until': untilEpochSec },
            Limit: limit,
          }),
        );
        return Items;
      };
      const items = await Promise.all([DUE_PARTITIONS.lostDomains, DUE_PARTITIONS.workingDomains].map(dueIn));
      const rows = await Promise.all(
        items.flat().map(async ({ pk, sk }) => {
          const { Item } = await client.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }));
          return Item;
        }),
      );
      // The index may still contain domains that a call has asked about meanwhile.
      return readable(
        rows.filter((row) => row !== undefined),
        fromItem,
        table.onUnreadable,
      ).filter(({ status, probeAtEpochSec }) => status !== 'unknown' && (probeAtEpochSec ?? 0) <= untilEpochSec);
    },

    claimProbe: ({ status, probeAtEpochSec, domain, accountId, integrationId }, next, connectionId, lookUntil) =>
      isDone(
        client.send(
          new UpdateCommand({
            TableName,
            Key: delegatedDomainItemKey({ accountId, integrationId }, domain),
            UpdateExpression: `SET refreshAt = :next, dueShard = :shard${lookUntil === undefined ? '' : ', lookUntil = :look'}${connectionId === undefined ? ' REMOVE askedFor' : ', askedFor = :connection'}`,
            ConditionExpression: `#status = :status AND ${probeAtEpochSec === undefined ? 'attribute_not_exists(refreshAt)' : 'refreshAt = :before'}`,
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':next': next,
              ':shard': partitionOf(status),
              ':status': status,
              ...(connectionId === undefined ? {} : { ':connection': connectionId }),
              ...(probeAtEpochSec === undefined ? {} : { ':before': probeAtEpochSec }),
              ...(lookUntil === undefined ? {} : { ':look': lookUntil }),
            },
          }),
        ),
      ),

    async rest({ probeAtEpochSec, domain, accountId, integrationId }) {
      await isDone(
        client.send(
          new UpdateCommand({
            TableName,
            Key: delegatedDomainItemKey({ accountId, integrationId }, domain),
            UpdateExpression: 'REMOVE dueShard, lookUntil',
            ConditionExpression: 'refreshAt = :before',
            ExpressionAttributeValues: { ':before': probeAtEpochSec ?? 0 },
          }),
        ),
      );
    },

    note: (
      { domain, status, sinceEpochSec, probeAtEpochSec, lookUntilEpochSec, askedForConnectionId, ...ref },
      event,
    ) =>
      writeTransition(
        table,
        {
          Update: {
            TableName,
            Key: delegatedDomainItemKey(ref, domain),
            UpdateExpression: `SET #type = :type, accountId = :account, integrationId = :integration, #domain = :domain, #status = :status, sinceEpochSec = :since, refreshAt = :probe, lookUntil = :look, dueShard = :shard${
              askedForConnectionId === undefined ? ' REMOVE askedFor' : ', askedFor = :connection'
            }`,
            ConditionExpression: 'attribute_not_exists(pk) OR #status <> :status',
            ExpressionAttributeNames: { '#type': 'type', '#domain': 'domain', '#status': 'status' },
            ExpressionAttributeValues: {
              ':type': 'delegated-domain',
              ':account': ref.accountId,
              ':integration': ref.integrationId,
              ':domain': domain,
              ':status': status,
              ':since': sinceEpochSec,
              ':probe': probeAtEpochSec,
              ':look': lookUntilEpochSec,
              ':shard': partitionOf(status),
              ...(askedForConnectionId === undefined ? {} : { ':connection': askedForConnectionId }),
            },
          },
        },
        event,
      ),

    noteCheck: (ref, domain, organizationId, atEpochSec) =>
      isDone(
        client.send(
          new UpdateCommand({
            TableName,
            Key: delegatedDomainItemKey(ref, domain),
            UpdateExpression: `SET #type = :type, accountId = :account, integrationId = :integration, #domain = :domain, #status = if_not_exists(#status, :unknown), sinceEpochSec = if_not_exists(sinceEpochSec, :at), checkedAtEpochSec = :at${
              organizationId === undefined ? '' : ', organizationId = :organization'
            }`,
            ...(organizationId === undefined
              ? {}
              : { ConditionExpression: 'attribute_not_exists(organizationId) OR organizationId = :organization' }),
            ExpressionAttributeNames: { '#type': 'type', '#domain': 'domain', '#status': 'status' },
            ExpressionAttributeValues: {
              ':type': 'delegated-domain',
              ':account': ref.accountId,
              ':integration': ref.integrationId,
              ':domain': domain,
              ':unknown': 'unknown',
              ':at': atEpochSec,
              ...(organizationId === undefined ? {} : { ':organization': organizationId }),
            },
          }),
        ),
      ),

    async forget(ref) {
      for (const { domain } of await list(ref)) {
        await client.send(new DeleteCommand({ TableName, Key: delegatedDomainItemKey(ref, domain) }));
      }
    },
  };
}
