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

/**
 * What a connection keeps of its refresh token to be found by: what each print is looked up under, a blank between.
 *
 * @param endsAreStated whether the provider ever names a token in a statement; nothing is kept of others
 */
export function keptPrints(refreshToken: string | undefined, endsAreStated: boolean | undefined): string | undefined {
  if (endsAreStated !== true || refreshToken === undefined || refreshToken === '') return undefined;
  return printsOfToken(refreshToken).map(keptPrint).join(' ');
}

/** What a print is looked up under: a part of it, because the token itself tells whose it is. @param print see `tokenPrint` */
export function keptPrint(print: string): string {
  return Buffer.from(print, 'hex').subarray(0, KEPT_PRINT_BYTES).toString('base64url');
}

/** Of a print of 32: two tokens seldom share so many, and each byte is paid for with every write of its connection. */
const KEPT_PRINT_BYTES = 12;

/** Both alphabets of Base64, with padding or without, name the same bytes. */
function plainBase64(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
}
