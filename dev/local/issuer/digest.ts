/** Digests and random values of the issuer. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** SHA-256 in base64url: the S256 transformation of a code verifier (RFC 7636 section 4.2). */
export function sha256Base64Url(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** 256 random bits in base64url. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether two texts are equal, in constant time. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
