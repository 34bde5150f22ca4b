import { constants, createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type Upstream, UpstreamError } from '../../../../lambdas/gateway/core/http-message.ts';

export const ISSUER = 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Operators';
export const CLIENT_ID = 'dashboard-client';
export const NOW_EPOCH_SEC = 1_800_000_000;

/** A key of the issuer, or of somebody else. */
export interface TestKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

export function testKey(kid: string): TestKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicJwk = { ...createPublicKey(privateKey).export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
  return { kid, privateKey, publicJwk };
}

/** Claims of a good access token, as Cognito writes them. */
export function claims(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    sub: 'b4c1d2e3-0000-4000-8000-000000000001',
    iss: ISSUER,
    token_use: 'access',
    client_id: CLIENT_ID,
    scope: 'openid email',
    auth_time: NOW_EPOCH_SEC - 60,
    iat: NOW_EPOCH_SEC - 60,
    exp: NOW_EPOCH_SEC + 840,
    ...changes,
  };
}

/** A compact JWS; what the header says in addition to the key's own members is the test's business. */
export function signed(key: TestKey, payload: object, header: object = {}): string {
  const input = `${encoded({ kid: key.kid, alg: 'RS256', ...header })}.${encoded(payload)}`;
  return `${input}.${sign('RSA-SHA256', Buffer.from(input), key.privateKey).toString('base64url')}`;
}

/** A token under PS256, which the key could verify as well. */
export function signedWithPss(key: TestKey, payload: object): string {
  const input = `${encoded({ kid: key.kid, alg: 'PS256' })}.${encoded(payload)}`;
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const signature = sign('sha256', Buffer.from(input), { key: key.privateKey, ...padding });
  return `${input}.${signature.toString('base64url')}`;
}

/** A token whose MAC was made with the public key as the secret (RFC 8725 section 2.1). */
export function macOverPublicKey(key: TestKey, payload: object): string {
  const secret = createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' });
  const input = `${encoded({ kid: key.kid, alg: 'HS256' })}.${encoded(payload)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

export function unsigned(key: TestKey, payload: object): string {
  return `${encoded({ kid: key.kid, alg: 'none' })}.${encoded(payload)}.`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** An issuer whose key set can be changed and taken away; counts who asks. */
export function publishedKeys(...keys: TestKey[]) {
  const answer = undefined as { status: number; text: string } | undefined;
  const state = { keys, down: false, answer, asked: [] as string[] };
  const upstream: Upstream = {
    async send({ origin, path }) {
      state.asked.push(origin + path);
      if (state.down) throw new UpstreamError('unreachable', false, false, undefined);
      const published = JSON.stringify({ keys: state.keys.map((key) => key.publicJwk) });
      const { status, text } = state.answer ?? { status: 200, text: published };
      return { status, headers: [], body: bytes(text), abandon: () => {} };
    },
    close: () => {},
  };
  return { state, upstream };
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
