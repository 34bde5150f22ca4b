/** The issuer's RS256 key: one per data folder, so that tokens stay good across restarts. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { asObject, asString, type JsonObject } from '../../tools/json.ts';
import { readStateFile, writeStateFile } from '../aws/state-file.ts';
import { sha256Base64Url } from './digest.ts';

export interface SigningKey {
  /** The public key as a member of a JWK set (RFC 7517). */
  publicJwk: JsonObject;
  /** A compact JWS over the claims (RFC 7515 section 3.1). */
  sign(claims: JsonObject): string;
}

const MODULUS_BITS = 2048;

/** Reads the key of a data folder, or makes one. @throws Error for a broken file. */
export async function openSigningKey(path: string): Promise<SigningKey> {
  const stored = await readStateFile(path);
  if (stored !== undefined) {
    return signingKey(createPrivateKey(asString(asObject(stored, path).private_key, `${path}: private_key`)));
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  writeStateFile(path, { private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() });
  return signingKey(privateKey);
}

/** A signer of a private RSA key; the key id is the key's thumbprint (RFC 7638). */
export function signingKey(privateKey: KeyObject): SigningKey {
  const { e, n } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (e === undefined || n === undefined) throw new Error('The signing key must be an RSA key.');
  const kid = sha256Base64Url(JSON.stringify({ e, kty: 'RSA', n }));
  const header = encoded({ kid, alg: 'RS256' });
  return {
    publicJwk: { kty: 'RSA', use: 'sig', alg: 'RS256', kid, e, n },
    sign(claims) {
      const input = `${header}.${encoded(claims)}`;
      return `${input}.${sign('RSA-SHA256', Buffer.from(input), privateKey).toString('base64url')}`;
    },
  };
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
