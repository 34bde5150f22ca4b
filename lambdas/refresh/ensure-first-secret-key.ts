import { FIRST_ACCOUNT_ID } from '../gateway/core/contract.ts';
import { keyIdOf, sha256Hex } from '../gateway/core/identifiers.ts';
import type { Clock, Random } from '../gateway/core/ports.ts';
import { newEvent } from '../gateway/events/lifecycle-event.rules.ts';
import { accountOfSecretKey, formatSecretKey, hintOf } from '../gateway/keys/credentials.rules.ts';
import type { FirstSecretKey, SecretKeyStore } from '../gateway/keys/ports.ts';

export interface FirstKeyDependencies {
  readonly firstSecretKey: FirstSecretKey;
  readonly secretKeys: SecretKeyStore;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Creates the deployment's first secret key, once: the key goes into its secret, only its hash into the table (AK-1). Every step may
 * run twice; a revoked key stays revoked, because its record is never removed.
 */
export async function ensureFirstSecretKey(deps: FirstKeyDependencies, requestId: string): Promise<void> {
  const existing = await deps.firstSecretKey.read();
  const wellFormed = existing !== undefined && accountOfSecretKey(existing) === FIRST_ACCOUNT_ID;
  const secretKey = wellFormed
    ? existing
    : await deps.firstSecretKey.writeOnce(
        formatSecretKey(FIRST_ACCOUNT_ID, Buffer.from(deps.random.bytes(32)).toString('base64url')),
      );
  const keyHash = sha256Hex(secretKey);
  if ((await deps.secretKeys.find(keyHash)) !== undefined) return;
  await deps.secretKeys.create(
    {
      accountId: FIRST_ACCOUNT_ID,
      keyHash,
      name: 'First key',
      right: 'full',
      integrationIds: undefined,
      canReadCredentials: false,
      createdAt: new Date(deps.clock.nowMs()).toISOString(),
      createdBy: 'gateway',
      lastUsedAtEpochSec: undefined,
      hint: hintOf(secretKey),
      revokedAt: undefined,
    },
    newEvent(deps.clock, deps.random, 'SecretKeyCreated', {
      subject: { accountId: FIRST_ACCOUNT_ID },
      sequence: 1,
      says: { key_id: keyIdOf({ keyHash }) },
      requestId,
    }),
  );
}
