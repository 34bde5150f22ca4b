import type { CipherContext, TokenCipher } from '../../../../lambdas/gateway/core/ports.ts';

/** Seals nothing, but opens a value only in the place it was made for, as the real one does. */
export const memoryCipher: TokenCipher = {
  async encrypt(context, plaintext) {
    return `sealed.${place(context)}.${Buffer.from(plaintext).toString('base64url')}`;
  },
  async decrypt(context, ciphertext) {
    const [tag, where, text] = ciphertext.split('.');
    if (tag !== 'sealed' || where !== place(context) || text === undefined) {
      throw new Error('A stored value cannot be decrypted');
    }
    return Buffer.from(text, 'base64url').toString('utf8');
  },
};

function place(context: CipherContext): string {
  const { accountId, integrationId, recordId, field } = context;
  return Buffer.from(JSON.stringify([accountId, integrationId, recordId, field])).toString('base64url');
}
