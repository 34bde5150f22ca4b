import { type Connection, END_USER_TAG, type EndUser } from '../../gateway/connections/connection.rules.ts';
import { type FindConnectionDependencies, findConnection } from '../../gateway/connections/find-connection.ts';
import { healthWord } from '../../gateway/connections/health.rules.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import type { StoredBudget } from '../../gateway/core/budget.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import { METADATA_MAX_BYTES } from '../../gateway/core/limits.ts';
import type { Clock, Random } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';

type Tags = Readonly<Record<string, string>>;

/** Tags of a connection including its end user's data, because lists filter by tags; given tags override. */
export function mirroredTags(tags: Tags, endUser: EndUser | undefined): Record<string, string> {
  return { ...mirrorOf(endUser), ...tags };
}

/** The given tags, without those that only repeat the end user's data. */
function withoutMirroredTags(tags: Tags, endUser: EndUser | undefined): Record<string, string> {
  const mirror = mirrorOf(endUser);
  return Object.fromEntries(Object.entries(tags).filter(([key, value]) => mirror[key] !== value));
}

function mirrorOf(endUser: EndUser | undefined): Record<string, string> {
  const mirror: Record<string, string> = {};
  const add = (key: string, value: string | null | undefined) => {
    if (value !== null && value !== undefined && value !== '') mirror[key] = value;
  };
  add(END_USER_TAG, endUser?.id);
  add('end_user_email', endUser?.email);
  add('end_user_display_name', endUser?.displayName);
  add('organization_id', endUser?.organization?.id);
  add('organization_display_name', endUser?.organization?.displayName);
  return mirror;
}

type Metadata = Readonly<Record<string, unknown>>;

export interface MetadataRequest {
  readonly accountId: string;
  readonly integrationId: string;
  readonly connectionIds: readonly string[];
  /** `merge` keeps members that the new metadata does not name. */
  readonly how: 'replace' | 'merge';
  readonly metadata: Metadata;
  readonly requestId: string;
  readonly actor: string;
}

/**
 * Sets the caller's own metadata of one or more connections. All of them must exist before any is changed.
 *
 * @throws GatewayError `unknown_integration`, `unknown_connection`, `invalid_body`, `conflict`
 */
export async function setMetadata(deps: UpdateDescriptionDependencies, request: MetadataRequest): Promise<void> {
  const { accountId, integrationId, how, metadata } = request;
  const refs = request.connectionIds.map((connectionId) => ({ accountId, integrationId, connectionId }));
  const apply = (before: Metadata | undefined): Metadata => {
    const after = how === 'replace' ? metadata : { ...before, ...metadata };
    const bytes = Buffer.byteLength(JSON.stringify(after));
    if (bytes > METADATA_MAX_BYTES) {
      throw refusal('invalid_body', [
        { path: 'metadata', message: `would have ${bytes} bytes; a connection may have at most ${METADATA_MAX_BYTES}` },
      ]);
    }
    return after;
  };
  const found = await Promise.all(refs.map((ref) => findConnection(deps, ref)));
  for (const { connection } of found) apply(connection.metadata);
  let changed = 0;
  for (const ref of refs) {
    try {
      await updateDescription(deps, ref, { metadata: apply }, request);
      changed++;
    } catch (error) {
      if (changed === 0 || !(error instanceof GatewayError)) throw error;
      throw new GatewayError(
        error.code,
        `${error.message} ${changed} of ${refs.length} connections had already been changed.`,
      );
    }
  }
}

const ATTEMPTS = 5;

export interface UpdateDescriptionDependencies extends FindConnectionDependencies {
  readonly connections: ConnectionStore;
  readonly clock: Clock;
  readonly random: Random;
}

export interface DescriptionChange {
  readonly endUser?: EndUser | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** New budget of its calls; `is` undefined = unlimited. */
  readonly budget?: { readonly is: StoredBudget | undefined };
  /** The new metadata, computed from the current. */
  readonly metadata?: (before: Connection['metadata']) => Readonly<Record<string, unknown>>;
}

/**
 * Changes a connection's end user, tags, metadata or budget, with one event.
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
    const { connection, integration } = await findConnection(deps, ref);
    const endUser = change.endUser ?? connection.endUser;
    const own = change.tags ?? withoutMirroredTags(connection.tags, connection.endUser);
    const next: Connection = {
      ...connection,
      endUser,
      tags: mirroredTags(own, endUser),
      metadata: change.metadata === undefined ? connection.metadata : change.metadata(connection.metadata),
      budget: change.budget === undefined ? connection.budget : change.budget.is,
      updatedAt: new Date(deps.clock.nowMs()).toISOString(),
    };
    const event = newEvent(deps.clock, deps.random, 'ConnectionUpdated', {
      subject: ref,
      sequence: connection.sequence + 1,
      endUserId: endUser?.id,
      health: healthWord(next, integration, epochSecNow(deps.clock)),
      ...request,
    });
    if (await deps.connections.updateDescription(next, connection, event)) return;
  }
  throw new GatewayError('conflict', 'The connection is being changed by others at the moment. Try again.');
}
