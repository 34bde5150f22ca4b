import { BoundedCache } from '../core/bounded-cache.ts';
import { CACHE_MAX_ENTRIES, KEY_CACHE_MS, USE_NOTE_INTERVAL_SEC } from '../core/limits.ts';
import type { Clock, Logger } from '../core/ports.ts';
import {
  acceptedKey,
  assertSameRole,
  credentialOf,
  type SecretKeyRecord,
  type SigningRole,
  unknownCaller,
} from './credentials.rules.ts';
import type { KeyGate, SecretKeyStore } from './ports.ts';

export interface KeyDirectoryDependencies {
  readonly secretKeys: SecretKeyStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly admission: KeyGate;
}

/** Finds the records of secret keys; a valid one is cached for a minute, an invalid one never. */
export class KeyDirectory {
  readonly #deps: KeyDirectoryDependencies;
  readonly #keys = new BoundedCache<SecretKeyRecord>(CACHE_MAX_ENTRIES);

  constructor(deps: KeyDirectoryDependencies) {
    this.#deps = deps;
  }

  /**
   * The record of a valid key: it exists, matches exactly, belongs to the account that it names and is not revoked (AK-2); or that of a
   * role.
   *
   * @param role that calls instead of a key
   * @throws GatewayError `invalid_secret_key`, the same for every wrong key (AK-3); `unknown_role`; `rate_limited`
   */
  async resolve(secretKey: string, role?: SigningRole): Promise<SecretKeyRecord> {
    const credential = credentialOf(secretKey, role);
    const { keyHash } = credential;
    const { admission } = this.#deps;
    const nowMs = this.#deps.clock.nowMs();
    const remembered = this.#keys.get(keyHash, nowMs);
    if (remembered !== undefined) {
      assertSameRole(remembered, role);
      admission.countKey(keyHash, nowMs);
      return remembered;
    }
    // Whatever its address has sent: a valid key is never refused for others' wrong ones (AK-15).
    const record = acceptedKey(await this.#deps.secretKeys.find(keyHash), credential);
    if (record === undefined) throw unknownCaller(role);
    assertSameRole(record, role);
    this.#keys.set(keyHash, record, nowMs + KEY_CACHE_MS);
    admission.countKey(keyHash, nowMs);
    await this.#noteUse(record, Math.floor(nowMs / 1000));
    return record;
  }

  /** Removes a key that this process revoked from the cache. */
  forget(keyHash: string): void {
    this.#keys.delete(keyHash);
  }

  async #noteUse(record: SecretKeyRecord, nowEpochSec: number): Promise<void> {
    if (nowEpochSec - (record.lastUsedAtEpochSec ?? 0) < USE_NOTE_INTERVAL_SEC) return;
    try {
      await this.#deps.secretKeys.noteUse(record, nowEpochSec);
    } catch (error) {
      // The time of last use is only informative, so a failure to store it fails no request.
      this.#deps.logger.error('use of a key could not be noted', { accountId: record.accountId }, error);
    }
  }
}
