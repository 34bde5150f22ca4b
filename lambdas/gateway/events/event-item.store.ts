import { EVENT_ITEM_TYPE } from '../contract.ts';
import { EVENT_RETENTION_SEC } from '../core/limits.ts';
import { type Item, oneOf, optionalStr, str } from '../platform/dynamodb/item-reader.ts';
import { accountPk, connectionPk, EVENT_SK_PREFIX } from '../platform/dynamodb/keys.ts';
import { LIFECYCLE_EVENT_TYPES, type LifecycleEvent } from './lifecycle-event.rules.ts';

/**
 * An event as its item: outbox and audit trail in one. Every attribute that leaves on the bus is a string and present,
 * because the pipe's template knows no default.
 */
export function eventToItem(event: LifecycleEvent): Record<string, unknown> {
  const { subject } = event;
  const pk = 'connectionId' in subject ? connectionPk(subject) : accountPk(subject.accountId);
  return {
    pk,
    sk: EVENT_SK_PREFIX + event.eventId,
    type: EVENT_ITEM_TYPE,
    eventId: event.eventId,
    eventType: event.eventType,
    sequence: String(event.sequence),
    occurredAt: event.occurredAt,
    accountId: subject.accountId,
    integrationId: 'integrationId' in subject ? subject.integrationId : '',
    connectionId: 'connectionId' in subject ? subject.connectionId : '',
    endUserId: event.endUserId ?? '',
    cause: event.cause ?? '',
    remedy: event.remedy ?? '',
    requestId: event.requestId,
    actor: event.actor ?? '',
    expiresAtEpochSec: Math.floor(Date.parse(event.occurredAt) / 1000) + EVENT_RETENTION_SEC,
  };
}

/** The transaction's part that writes an event; its id makes a repeat visible. */
export function eventPut(tableName: string, event: LifecycleEvent) {
  return {
    Put: { TableName: tableName, Item: eventToItem(event), ConditionExpression: 'attribute_not_exists(pk)' },
  };
}

/** An item as the event it stores. */
export function eventFromItem(item: Item): LifecycleEvent {
  const accountId = str(item, 'accountId');
  const integrationId = str(item, 'integrationId');
  const connectionId = str(item, 'connectionId');
  return {
    eventId: str(item, 'eventId'),
    eventType: oneOf(item, 'eventType', LIFECYCLE_EVENT_TYPES),
    sequence: Number(str(item, 'sequence')),
    occurredAt: str(item, 'occurredAt'),
    subject:
      connectionId !== ''
        ? { accountId, integrationId, connectionId }
        : integrationId !== ''
          ? { accountId, integrationId }
          : { accountId },
    endUserId: emptyToUndefined(optionalStr(item, 'endUserId')),
    cause: emptyToUndefined(optionalStr(item, 'cause')),
    remedy: emptyToUndefined(optionalStr(item, 'remedy')),
    requestId: optionalStr(item, 'requestId') ?? '',
    actor: emptyToUndefined(optionalStr(item, 'actor')),
  };
}

function emptyToUndefined(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
