import { TABLE } from '../core/contract.ts';
import type { ConnectionRef } from '../core/identifiers.ts';
import { PICK_RETENTION_SEC } from '../core/limits.ts';
import { pickItemKey } from '../platform/dynamodb/keys.ts';
import type { PickRecord } from './authorized-session.rules.ts';

/** A session whose flow brought a grant is over, whether or not the grant was confirmed. */
export const NOT_YET_CONNECTED = '#status <> :connected AND #status <> :waiting';
/** The values of `NOT_YET_CONNECTED`. */
export const CONNECTED_STATUSES = { ':connected': 'connected', ':waiting': 'pending_confirmation' } as const;

/** The transaction's part that keeps what was picked. */
export function pickPut(tableName: string, ref: ConnectionRef, pick: PickRecord) {
  return {
    Put: {
      TableName: tableName,
      Item: {
        ...pickItemKey(ref, pick.pickId),
        type: 'pick',
        ...ref,
        ...pick,
        [TABLE.timeToLive]: pick.pickedAtEpochSec + PICK_RETENTION_SEC,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}
