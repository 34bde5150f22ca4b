import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../core/ports.ts';
import type { CipherContext } from '../../tokens/ciphertexts.rules.ts';
import type { TokenCipher } from '../../tokens/ports.ts';
import type { DataKeys } from './data-keys.ts';

const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A stored value could not be decrypted: one message for every reason (CR-9). */
export class CipherError extends Error {
  constructor(cause?: unknown) {
    super('A stored value cannot be decrypted', { cause });
    this.name = 'CipherError';
  }
}

/**
 * AES-256-GCM per field: `v1.<key number>.<base64url of nonce, ciphertext, tag>`, random 96-bit nonce each time, the
 * place of the value as AAD (CR-1, CR-2; NIST SP 800-38D).
 */
export function tokenCipher(dataKeys: DataKeys, random: Random): TokenCipher {
  return {
    async encrypt(context, plaintext) {
      const { keyNumber, key } = await dataKeys.current(context.accountId);
      const nonce = random.bytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(additionalData(context, keyNumber));
      const sealed = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${FORMAT}.${keyNumber}.${sealed.toString('base64url')}`;
    },

    async decrypt(context, ciphertext) {
      const match = /^v1\.(\d{1,9})\.([A-Za-z0-9_-]+)$/.exec(ciphertext);
      const sealed = Buffer.from(match?.[2] ?? '', 'base64url');
      if (match?.[1] === undefined || sealed.length < NONCE_BYTES + TAG_BYTES) throw new CipherError();
      // Base64 has several spellings of some bytes: only the one that was written is a value of ours.
      if (sealed.toString('base64url') !== match[2]) throw new CipherError();
      const keyNumber = Number(match[1]);
      const key = await dataKeys.byNumber(context.accountId, keyNumber);
      if (key === undefined) throw new CipherError();
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
        decipher.setAAD(additionalData(context, keyNumber));
        decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
        const plain = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString('utf8');
      } catch (error) {
        throw new CipherError(error);
      }
    },
  };
}

/** Each part behind its length in bytes, so that no two places have the same text. */
export function additionalData(context: CipherContext, keyNumber: number): Buffer {
  const parts = [FORMAT, context.accountId, context.integrationId, context.recordId, context.field, String(keyNumber)];
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}
