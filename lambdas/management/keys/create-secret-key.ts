import { GatewayError, refusal } from '../../gateway/core/errors.ts';
import { keyIdOf, sha256Hex } from '../../gateway/core/identifiers.ts';
import { SECRET_KEYS_MAX } from '../../gateway/core/limits.ts';
import { managedFrom, type StackResource } from '../../gateway/core/managed-by.rules.ts';
import type { Clock, Random } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import {
  formatSecretKey,
  hintOf,
  type KeyRight,
  type SecretKeyRecord,
  type StoredBinding,
} from '../../gateway/keys/credentials.rules.ts';
import type { StoredLimits } from '../../gateway/keys/key-limits.rules.ts';
import type { SecretKeyStore } from '../../gateway/keys/ports.ts';
import { createWithin } from '../creations/create-within.ts';
import type { CreationGate } from '../creations/ports.ts';
import { unknownIntegrations } from '../integrations/unknown-integrations.ts';

export interface SecretKeyDependencies {
  readonly secretKeys: SecretKeyStore;
  readonly integrations: IntegrationStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly creations: CreationGate;
}

export interface NewSecretKey {
  readonly accountId: string;
  readonly name: string;
  readonly right: KeyRight;
  readonly integrationIds: readonly string[] | undefined;
  readonly canReadCredentials: boolean;
  readonly limits: StoredLimits | undefined;
  readonly requestId: string;
  readonly actor: string;
  /** Digest of the key, or of the role's ARN without its path. */
  readonly keyHash: string;
  readonly hint?: string;
  /** For a role that calls instead of a key. */
  readonly roleArn?: string;
  readonly roleId?: string | undefined;
  /** For a key that is bound to one end user. */
  readonly agent?: StoredBinding;
  /** The stack's resource that declares it. */
  readonly stack?: StackResource | undefined;
  /** Whether the creator may grant the right to read credentials, which requires having it (AK-14). */
  readonly makerMayReadCredentials: boolean;
}

/** The text of a new key, which is only in the response, and its stored parts: digest (AK-1) and last characters. */
export function newSecretKey(random: Random, accountId: string) {
  const secretKey = formatSecretKey(accountId, Buffer.from(random.bytes(32)).toString('base64url'));
  return { secretKey, stored: { keyHash: sha256Hex(secretKey), hint: hintOf(secretKey) } };
}

/**
 * Creates a secret key, or registers a role.
 *
 * @throws GatewayError `forbidden` for a right that its creator does not have; `invalid_body`; `conflict` for too many, and for a role
 * that is already registered
 */
export async function createSecretKey(deps: SecretKeyDependencies, wanted: NewSecretKey): Promise<SecretKeyRecord> {
  const { accountId, integrationIds } = wanted;
  if (wanted.canReadCredentials && !wanted.makerMayReadCredentials) {
    throw new GatewayError(
      'forbidden',
      'This secret key may not read credentials, so it cannot create one that may. Create it in the dashboard, or with a key that has can_read_credentials.',
    );
  }
  const problems = await unknownIntegrations(deps, accountId, integrationIds ?? [], 'integration_ids');
  if (problems.length > 0) throw refusal('invalid_body', problems);
  const record: SecretKeyRecord = {
    accountId,
    keyHash: wanted.keyHash,
    name: wanted.name,
    right: wanted.right,
    integrationIds,
    canReadCredentials: wanted.canReadCredentials,
    createdAt: new Date(deps.clock.nowMs()).toISOString(),
    createdBy: wanted.actor,
    lastUsedAtEpochSec: undefined,
    hint: wanted.hint,
    revokedAt: undefined,
    limits: wanted.limits,
    roleArn: wanted.roleArn,
    roleId: wanted.roleId,
    agent: wanted.agent,
    managedBy: wanted.stack && managedFrom(wanted.stack),
  };
  const event = newEvent(deps.clock, deps.random, 'SecretKeyCreated', {
    subject: { accountId },
    sequence: 0,
    says: { key_id: keyIdOf(record) },
    requestId: wanted.requestId,
    actor: wanted.actor,
  });
  await createWithin(deps.creations, accountId, 'secret_key', async (recent) => {
    const known = await deps.secretKeys.listAll(accountId);
    const live = known.filter(({ revokedAt }) => revokedAt === undefined);
    const listed = new Set(known.map(keyIdOf));
    const unlisted = recent.filter((id) => !listed.has(id));
    if (live.length + unlisted.length >= SECRET_KEYS_MAX) {
      throw new GatewayError(
        'conflict',
        `An account has at most ${SECRET_KEYS_MAX} live secret keys. Revoke one first.`,
      );
    }
    if (!(await deps.secretKeys.create(record, event))) {
      if (wanted.roleArn === undefined) throw new Error('A new secret key had the digest of another');
      throw new GatewayError(
        'conflict',
        'This role is registered already: AWS accounts have one role of a name, whatever its path. Revoke it first.',
      );
    }
    return { id: keyIdOf(record) };
  });
  await deps.secretKeys.retireRevoked(accountId);
  return record;
}
