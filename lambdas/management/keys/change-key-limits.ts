import { GatewayError } from '../../gateway/core/errors.ts';
import { keyIdOf } from '../../gateway/core/identifiers.ts';
import { type Changing, managedAfter } from '../../gateway/core/managed-by.rules.ts';
import type { Clock, Random } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { KeyDirectory } from '../../gateway/keys/authenticate-key.ts';
import { nounOf, type SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import { limitsOfBoundKeys, type StoredLimits } from '../../gateway/keys/key-limits.rules.ts';
import type { SecretKeyStore } from '../../gateway/keys/ports.ts';

export interface ChangeLimitsDependencies {
  readonly secretKeys: SecretKeyStore;
  readonly keys: KeyDirectory;
  readonly clock: Clock;
  readonly random: Random;
  /** Ids of features that the deployment leaves out. */
  readonly without: ReadonlySet<string>;
}

/** Message where a key of another right is to be limited: limits would not apply to its calls of the management API. */
export const PROXY_KEYS_ONLY = 'limits are for keys with the right proxy, which make proxied calls and nothing else';

/** Message where a key that is bound to one end user is to be without limits. */
export const BOUND_KEYS_ARE_LIMITED = 'it always has limits, and they are enforced';

/**
 * Sets or removes all limits of a key; within a minute every process applies them.
 *
 * @param keyHash the key's digest, which is its id
 * @param limits undefined: none
 * @param body the limits as the caller named them: an agent's key keeps those of features that are not named
 * @throws GatewayError `not_found` for missing, foreign and revoked keys; `conflict` for a key of another right,
 *   and for one that a stack declares
 */
export async function changeKeyLimits(
  deps: ChangeLimitsDependencies,
  accountId: string,
  keyHash: string,
  given: StoredLimits | undefined,
  body: object | undefined,
  { by, ...request }: { readonly requestId: string; readonly actor: string; readonly by: Changing },
): Promise<SecretKeyRecord> {
  const record = await findLiveKey(deps, accountId, keyHash);
  const managedBy = managedAfter(record.managedBy, by, nounOf(record));
  if (record.right !== 'proxy' || record.canReadCredentials) {
    throw new GatewayError('conflict', `This key has another right: ${PROXY_KEYS_ONLY}. Create one and limit that.`);
  }
  if (record.agent !== undefined && (given === undefined || given.mode === 'observe')) {
    throw new GatewayError('conflict', `This is an agent's key: ${BOUND_KEYS_ARE_LIMITED}.`);
  }
  const isBound = record.agent !== undefined && given !== undefined && body !== undefined;
  const limits = isBound ? { ...given, ...limitsOfBoundKeys(body, deps.without) } : given;
  const event = newEvent(deps.clock, deps.random, 'SecretKeyLimitsChanged', {
    subject: { accountId },
    sequence: 0,
    says: { key_id: keyIdOf({ keyHash }) },
    ...request,
  });
  if (!(await deps.secretKeys.setLimits(accountId, keyHash, limits, event, managedBy))) throw unknownKey();
  deps.keys.forget(keyHash);
  return { ...record, limits, managedBy };
}

/** An account's key that is not revoked. @param keyHash the key's digest, which is its id @throws GatewayError `not_found` */
export async function findLiveKey(
  { secretKeys }: Pick<ChangeLimitsDependencies, 'secretKeys'>,
  accountId: string,
  keyHash: string,
): Promise<SecretKeyRecord> {
  const record = /^[0-9a-f]{64}$/.test(keyHash) ? await secretKeys.find(keyHash) : undefined;
  if (record === undefined || record.accountId !== accountId || record.revokedAt !== undefined) throw unknownKey();
  return record;
}

function unknownKey(): GatewayError {
  return new GatewayError('not_found', 'There is no live secret key with this id.');
}
