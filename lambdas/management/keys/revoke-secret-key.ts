import { isUnreadableRow } from '../../gateway/connections/find-connection.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import { keyIdOf } from '../../gateway/core/identifiers.ts';
import { managedWithout, type StackResource } from '../../gateway/core/managed-by.rules.ts';
import type { Clock, Random } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { KeyDirectory } from '../../gateway/keys/authenticate-key.ts';
import { isFirstKey, nounOf, type SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import type { SecretKeyStore } from '../../gateway/keys/ports.ts';

export interface RevokeKeyDependencies {
  readonly secretKeys: SecretKeyStore;
  readonly keys: KeyDirectory;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Revokes a secret key; within a minute no process accepts it (AK-4). A repetition changes nothing.
 *
 * @param keyHash the key's digest, which is its id
 * @throws GatewayError `not_found` for missing and foreign keys; `conflict` for the last key that could create another
 */
export async function revokeSecretKey(
  deps: RevokeKeyDependencies,
  accountId: string,
  keyHash: string,
  {
    stack,
    ...request
  }: { readonly requestId: string; readonly actor: string; readonly stack?: StackResource | undefined },
): Promise<void> {
  const record = /^[0-9a-f]{64}$/.test(keyHash) ? await findReadable(deps.secretKeys, keyHash) : undefined;
  if (record === undefined) throw unknownKey();
  // For an unreadable key the write itself checks the account.
  if (record !== 'unreadable' && record.accountId !== accountId) throw unknownKey();
  if (record !== 'unreadable' && record.revokedAt !== undefined) return;
  if (stack !== undefined && (await staysDeclared(deps, record, stack, request))) return;
  if (record !== 'unreadable' && governs(record)) {
    const others = (await deps.secretKeys.list(accountId)).filter(
      (other) => other.keyHash !== keyHash && governs(other),
    );
    if (others.length === 0) {
      throw new GatewayError(
        'conflict',
        'This is the last key that can create other keys. First create another one with the right full.',
      );
    }
  }
  const event = newEvent(deps.clock, deps.random, 'SecretKeyRevoked', {
    subject: { accountId },
    sequence: 0,
    says: { key_id: keyIdOf({ keyHash }) },
    ...request,
  });
  const revoked = await deps.secretKeys.revoke(
    accountId,
    keyHash,
    { at: event.occurredAt, keepsRow: record === 'unreadable' || isFirstKey(record) },
    event,
  );
  if (!revoked && record === 'unreadable') throw unknownKey();
  deps.keys.forget(keyHash);
}

/** Whether another resource of the same stack declares it, too: then only the claim of this one ends. */
async function staysDeclared(
  { secretKeys, clock, random }: RevokeKeyDependencies,
  record: SecretKeyRecord | 'unreadable',
  stack: StackResource,
  request: { readonly requestId: string; readonly actor: string },
): Promise<boolean> {
  if (record === 'unreadable') throw unknownKey();
  const managedBy = managedWithout(record.managedBy, stack, nounOf(record));
  if (managedBy === undefined) return false;
  const { accountId, keyHash, limits } = record;
  const event = newEvent(clock, random, 'SecretKeyLimitsChanged', {
    subject: { accountId },
    sequence: 0,
    says: { key_id: keyIdOf(record) },
    ...request,
  });
  if (!(await secretKeys.setLimits(accountId, keyHash, limits, event, managedBy))) throw unknownKey();
  return true;
}

/** A key with an unreadable record can still be revoked (CR-10). */
async function findReadable(secretKeys: SecretKeyStore, keyHash: string) {
  try {
    return await secretKeys.find(keyHash);
  } catch (error) {
    if (isUnreadableRow(error)) return 'unreadable';
    throw error;
  }
}

function unknownKey(): GatewayError {
  return new GatewayError('not_found', 'There is no secret key with this id.');
}

/** Whether a key may manage the account. Roles do not count, because they stop working when the option is switched off. */
function governs(key: SecretKeyRecord): boolean {
  return key.right === 'full' && key.integrationIds === undefined && key.roleArn === undefined;
}
