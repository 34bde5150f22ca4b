import type { UnconfirmedGrantStore } from '../authorization/ports.ts';
import { GatewayError } from '../core/errors.ts';
import { type ConnectionRef, isConnectionId, isIntegrationId } from '../core/identifiers.ts';
import type { Clock } from '../core/ports.ts';
import type { UnconfirmedGrant } from './unconfirmed-grant.rules.ts';

/** The grant that will be this connection once it is confirmed; undefined where there is none, or its time is over. */
export async function findUnconfirmed(
  clock: Clock,
  ref: ConnectionRef,
  read: UnconfirmedGrantStore['read'],
): Promise<UnconfirmedGrant | undefined> {
  if (!isConnectionId(ref.connectionId) || !isIntegrationId(ref.integrationId)) return undefined;
  const found = await read(ref);
  return found !== undefined && clock.nowMs() < found.confirmUntilEpochSec * 1000 ? found : undefined;
}

/** Why a connection that waits for confirmation serves nothing yet, and what its backend does about it. */
export function confirmationRequired({ confirmUntilEpochSec }: UnconfirmedGrant): GatewayError {
  return new GatewayError(
    'confirmation_required',
    `This connection waits for your backend's confirmation until ${new Date(confirmUntilEpochSec * 1000).toISOString()}. ` +
      'POST /connect/sessions/confirm with the confirmation_handle that the browser brought back and the end_user_id of the user who is signed in there.',
  );
}
