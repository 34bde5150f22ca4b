import type { CipherContext, TokenCipher } from '../../../lambdas/gateway/core/ports.ts';
import type { Item } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { dataKeyItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { sealedUnder } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';

/** The ciphers of both sides, with rights to the KMS keys that wrap their data keys. */
export interface Ciphers {
  /** Decrypts values of the backup's table. */
  readonly from: Pick<TokenCipher, 'decrypt'>;
  /** Encrypts values for the gateway's functions. */
  readonly into: Pick<TokenCipher, 'encrypt'>;
}

/** A value is under a data key that the gateway's table cannot have, and no KMS key was given to decrypt it. */
export class KeyDiffersError extends Error {
  constructor() {
    super('The value is encrypted with a data key that the table does not have.');
    this.name = 'KeyDiffersError';
  }
}

/**
 * Converts encrypted values of the backup for the gateway. A value whose data key was copied stays unchanged. One whose key cannot be
 * copied is decrypted and encrypted again, in this process: the table has another key under its number, or another KMS key wraps the
 * backup's.
 */
export class Resealer {
  readonly #ciphers: Ciphers | undefined;
  readonly #otherKmsKey: boolean;
  readonly #differing = new Set<string>();

  /** @param options `ciphers` undefined: nothing is encrypted again. `otherKmsKey`: no data key of the backup comes along. */
  constructor(options: { readonly ciphers: Ciphers | undefined; readonly otherKmsKey: boolean }) {
    this.#ciphers = options.ciphers;
    this.#otherKmsKey = options.otherKmsKey;
  }

  /** Whether data keys of the backup can be used in the table. */
  get keysComeAlong(): boolean {
    return !this.#otherKmsKey;
  }

  /** Notes that the table has another key under the number of a data key's row. */
  noteDiffering({ pk, sk }: Item): void {
    this.#differing.add(`${pk} ${sk}`);
  }

  /** Whether a value is lost, because its key cannot be copied and no KMS key was given to encrypt it again. */
  isLost(accountId: string, ciphertext: string | undefined): boolean {
    return this.#ciphers === undefined && this.mustBeSealed(accountId, ciphertext);
  }

  /** Whether a value is encrypted again on its way. */
  mustBeSealed(accountId: string, ciphertext: string | undefined): boolean {
    if (ciphertext === undefined) return false;
    const under = sealedUnder(ciphertext);
    if (this.#otherKmsKey || under === undefined) return this.#otherKmsKey;
    const { pk, sk } = dataKeyItemKey({ accountId, purpose: under.purpose }, under.keyNumber);
    return this.#differing.has(`${pk} ${sk}`);
  }

  /** @throws KeyDiffersError; the cipher's own errors for a value that cannot be read */
  async sealed(context: CipherContext, ciphertext: string): Promise<string> {
    if (!this.mustBeSealed(context.accountId, ciphertext)) return ciphertext;
    if (this.#ciphers === undefined) throw new KeyDiffersError();
    return this.#ciphers.into.encrypt(context, await this.#ciphers.from.decrypt(context, ciphertext));
  }
}
