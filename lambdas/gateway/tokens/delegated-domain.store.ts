import { DeleteCommand, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { IntegrationRef } from '../core/identifiers.ts';
import { writeTransition } from '../events/event.store.ts';
import {
  type Item,
  isDone,
  num,
  oneOf,
  optionalNum,
  optionalStr,
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
    probeAtEpochSec: optionalNum(item, 'probeAt'),
    organizationId: optionalStr(item, 'organizationId'),
    checkedAtEpochSec: optionalNum(item, 'checkedAtEpochSec'),
  };
}

/** Domains of integrations that act by a service account, beside their account. */
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

    claimProbe: ({ probeAtEpochSec, domain, ...ref }, next) =>
      isDone(
        client.send(
          new UpdateCommand({
            TableName,
            Key: delegatedDomainItemKey(ref, domain),
            UpdateExpression: 'SET probeAt = :next',
            ConditionExpression: '#status = :lost AND probeAt = :before',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':next': next, ':before': probeAtEpochSec, ':lost': 'lost' },
          }),
        ),
      ),

    note: ({ domain, status, sinceEpochSec, probeAtEpochSec, ...ref }, event) =>
      writeTransition(
        table,
        {
          Update: {
            TableName,
            Key: delegatedDomainItemKey(ref, domain),
            UpdateExpression: `SET #type = :type, accountId = :account, integrationId = :integration, #domain = :domain, #status = :status, sinceEpochSec = :since${
              probeAtEpochSec === undefined ? ' REMOVE probeAt' : ', probeAt = :probe'
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
              ...(probeAtEpochSec === undefined ? {} : { ':probe': probeAtEpochSec }),
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
