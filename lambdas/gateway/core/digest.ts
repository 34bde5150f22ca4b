import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a text (as UTF-8) or of bytes, lower-case hex: how every bearer value is stored. */
export function sha256Hex(value: string | Uint8Array): string {
  return hash('sha256', value, 'hex');
}

/** SHA-256 in base64url, the S256 transformation of PKCE (RFC 7636 section 4.2). */
export function sha256Base64url(text: string | Uint8Array): string {
  return hash('sha256', text, 'base64url');
}

/** Compares two digests without a timing signal; false for different lengths. */
export function equalDigests(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
