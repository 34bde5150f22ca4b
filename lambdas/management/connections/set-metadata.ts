import { findConnection } from '../../gateway/connections/find-connection.ts';
import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import { METADATA_MAX_BYTES } from '../../gateway/core/limits.ts';
import { type UpdateDescriptionDependencies, updateDescription } from './update-description.ts';

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
        { path: 'metadata', message: `would have ${bytes} bytes; a connection carries at most ${METADATA_MAX_BYTES}` },
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
        `${error.message} ${changed} of ${refs.length} connections were changed before.`,
      );
    }
  }
}
