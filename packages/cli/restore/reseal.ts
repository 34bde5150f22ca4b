import type { CipherContext, TokenCipher } from '../../../lambdas/gateway/core/ports.ts';
import type { Item } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { dataKeyItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';

/** The ciphers of both sides, with rights to the KMS keys that wrap their data keys. */
export interface Ciphers {
  /** Reads what the backup's table holds. */
  readonly from: Pick<TokenCipher, 'decrypt'>;
  /** Writes what the gateway's functions can read. */
  readonly into: Pick<TokenCipher, 'encrypt'>;
}

/** A value is under a data key that the gateway's table cannot have, and nobody named the KMS key to read it with. */
export class KeyDiffersError extends Error {
  constructor() {
    super('The value is encrypted with a data key that the table does not have.');
    this.name = 'KeyDiffersError';
  }
}

/**
 * Encrypted values of the backup as the gateway can read them. A value whose data key came along stays as it is. One whose key
 * cannot come along is decrypted and encrypted again, in this process: the table has another key under its number, or another
 * KMS key wraps the backup's.
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

  /** Whether a value cannot come along, because its key cannot and nobody gave the means to encrypt it again. */
  isLost(accountId: string, ciphertext: string | undefined): boolean {
    return this.#ciphers === undefined && this.mustBeSealed(accountId, ciphertext);
  }

  /** Whether a value is encrypted again on its way. */
  mustBeSealed(accountId: string, ciphertext: string | undefined): boolean {
    if (ciphertext === undefined) return false;
    const { pk, sk } = dataKeyItemKey(accountId, Number(ciphertext.split('.')[1]));
    return this.#otherKmsKey || this.#differing.has(`${pk} ${sk}`);
  }

  /** @throws KeyDiffersError; the cipher's own errors for a value that cannot be read */
  async sealed(context: CipherContext, ciphertext: string): Promise<string> {
    if (!this.mustBeSealed(context.accountId, ciphertext)) return ciphertext;
    if (this.#ciphers === undefined) throw new KeyDiffersError();
    return this.#ciphers.into.encrypt(context, await this.#ciphers.from.decrypt(context, ciphertext));
  }
}
