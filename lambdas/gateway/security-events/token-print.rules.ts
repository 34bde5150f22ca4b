import { createHash } from 'node:crypto';
import { sha256Hex } from '../core/identifiers.ts';

/** How a statement names a refresh token: by its first 16 characters, or by the hash of its hash. */
export const TOKEN_IDENTIFIERS = ['prefix', 'hash_base64_sha512_sha512'] as const;
export interface TokenIdentifier {
  readonly by: (typeof TOKEN_IDENTIFIERS)[number];
  readonly value: string;
}

/** Under which a token is looked up: a digest of what names it, so that no part of a token is stored (RI-14). */
export function tokenPrint({ by, value }: TokenIdentifier): string {
  return sha256Hex(`${by}:${by === 'prefix' ? value : plainBase64(value)}`);
}

/** The prints of a refresh token: one for each way in which a statement may name it. */
export function printsOfToken(refreshToken: string): readonly string[] {
  const once = createHash('sha512').update(refreshToken).digest();
  const twice = createHash('sha512').update(once).digest('base64');
  return [
    tokenPrint({ by: 'prefix', value: refreshToken.slice(0, PREFIX_LENGTH) }),
    tokenPrint({ by: 'hash_base64_sha512_sha512', value: twice }),
  ];
}

/** Characters of a token's prefix. */
const PREFIX_LENGTH = 16;

/** Both alphabets of Base64, with padding or without, name the same bytes. */
function plainBase64(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
}
