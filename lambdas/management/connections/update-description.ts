import type { Connection, EndUser } from '../../gateway/connections/connection.rules.ts';
import { type FindConnectionDependencies, findConnection } from '../../gateway/connections/find-connection.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { Clock, Random } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/record-event.ts';
import { mirroredTags, withoutMirroredTags } from './mirrored-tags.ts';

const ATTEMPTS = 5;

export interface UpdateDescriptionDependencies extends FindConnectionDependencies {
  readonly connections: ConnectionStore;
  readonly clock: Clock;
  readonly random: Random;
}

export interface DescriptionChange {
  readonly endUser?: EndUser | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** What the metadata becomes, seen from what it is. */
  readonly metadata?: (before: Connection['metadata']) => Readonly<Record<string, unknown>>;
}

/**
 * Changes who a connection belongs to, its tags or its metadata, and says so in one event.
 *
 * @throws GatewayError `unknown_integration`, `unknown_connection`, `conflict`
 */
export async function updateDescription(
  deps: UpdateDescriptionDependencies,
  ref: ConnectionRef,
  change: DescriptionChange,
  request: { readonly requestId: string; readonly actor: string },
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { connection } = await findConnection(deps, ref);
    const endUser = change.endUser ?? connection.endUser;
    const own = change.tags ?? withoutMirroredTags(connection.tags, connection.endUser);
    const next: Connection = {
      ...connection,
      endUser,
      tags: mirroredTags(own, endUser),
      metadata: change.metadata === undefined ? connection.metadata : change.metadata(connection.metadata),
      updatedAt: new Date(deps.clock.nowMs()).toISOString(),
    };
    const event = newEvent(deps.clock, deps.random, 'ConnectionUpdated', {
      subject: ref,
      sequence: connection.sequence + 1,
      endUserId: endUser?.id,
      ...request,
    });
    if (await deps.connections.updateDescription(next, event)) return;
  }
  throw new GatewayError('conflict', 'The connection is being changed by others at the moment. Try again.');
}
