import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { randomText } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import { type SigningKeyRecord, signingKeyRecord } from '../state/records.ts';

let madeKey: Promise<SigningKeyRecord> | undefined;

async function generate(): Promise<SigningKeyRecord> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return signingKeyRecord({ ...(await exportJWK(privateKey)), kid: randomText(15) }, 'signing key');
}

/**
 * The key of this simulator: made at first use, because making one takes longer than starting, and then kept. Simulators
 * of one process share the key, as Google's own tokens have one issuer: suites start hundreds of them.
 */
export async function signingKey(sim: Simulation): Promise<SigningKeyRecord> {
  if (sim.state.signingKey !== null) return sim.state.signingKey;
  madeKey ??= generate();
  sim.state.signingKey = await madeKey;
  sim.state.markChanged();
  return sim.state.signingKey;
}

/** The public half as served at `/oauth2/v3/certs`. */
export async function publicKeySet(sim: Simulation): Promise<{ keys: JWK[] }> {
  const { kty, n, e, kid } = await signingKey(sim);
  return { keys: [{ kty, n, e, kid, alg: 'RS256', use: 'sig' }] };
}

/** Signs ID token claims with RS256. */
export async function signClaims(sim: Simulation, claims: Record<string, unknown>): Promise<string> {
  const key = await signingKey(sim);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT' })
    .sign(await importJWK({ ...key }, 'RS256'));
}
