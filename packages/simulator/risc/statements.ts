import { createHmac, createPublicKey, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { ACCOUNTS, type SimAccount } from '../accounts.ts';
import { jsonResponse, type SimResponse } from '../http/exchange.ts';
import { createIdToken } from '../oauth/id-token.ts';
import { publicKeySet, signingKey } from '../oauth/signing-key.ts';
import type { Simulation } from '../simulation.ts';
import { projectOf } from '../state/store.ts';

export const RISC_CONFIGURATION_PATH = '/.well-known/risc-configuration';

/** Types of security events, short; the first two are OAuth's. */
export const STATEMENT_TYPES = [
  'tokens-revoked',
  'token-revoked',
  'account-disabled',
  'account-enabled',
  'account-purged',
  'sessions-revoked',
  'account-credential-change-required',
  'verification',
] as const;
export type StatementType = (typeof STATEMENT_TYPES)[number];

/** What is wrong with a statement that Google did not make. */
export const FORGERIES = [
  'alg_none',
  'hmac',
  'jku',
  'other_key',
  'unknown_kid',
  'issuer',
  'audience',
  'id_token',
  'no_events',
] as const;
export type Forgery = (typeof FORGERIES)[number];

/** Google's own names of the types ("Protect user accounts with Cross-Account Protection"). */
export function statementTypeUri(type: StatementType): string {
  const ofTokens = type === 'tokens-revoked' || type === 'token-revoked';
  return `https://schemas.openid.net/secevent/${ofTokens ? 'oauth' : 'risc'}/event-type/${type}`;
}

/** `GET /.well-known/risc-configuration`: the issuer is spelled with a slash here and without one in ID tokens, as at Google. */
export function riscConfiguration(sim: Simulation): SimResponse {
  return jsonResponse(200, {
    issuer: `${sim.endpoints.issuer}/`,
    jwks_uri: sim.endpoints.jwks_uri,
    delivery_methods_supported: ['https://schemas.openid.net/secevent/risc/delivery-method/push'],
  });
}

/** What a statement says. */
export interface StatementFacts {
  type: StatementType;
  clientId: string;
  sub?: string | undefined;
  reason?: string | undefined;
  state?: string | undefined;
  token?: { token_identifier_alg: string; token: string } | undefined;
  jti?: string | undefined;
  issuedAtSec?: number | undefined;
}

function claimsOf(sim: Simulation, facts: StatementFacts): Record<string, unknown> {
  const { type, clientId, sub, reason, state, token, jti, issuedAtSec } = facts;
  const account = ACCOUNTS.find((one) => one.sub === sub);
  const named =
    token !== undefined
      ? { subject_type: 'oauth_token', token_type: 'refresh_token', ...token }
      : sub === undefined
        ? undefined
        : type === 'account-purged'
          ? { subject_type: 'id_token_claims', iss: `${sim.endpoints.issuer}/`, sub, email: account?.email }
          : { subject_type: 'iss-sub', iss: `${sim.endpoints.issuer}/`, sub };
  const iat = issuedAtSec ?? Math.floor(sim.clock.nowMs() / 1000);
  return {
    iss: `${sim.endpoints.issuer}/`,
    aud: clientId,
    iat,
    // A short time, because receivers must not check it: a statement reports something that has already happened.
    exp: iat + 60,
    jti: jti ?? randomUUID(),
    events: {
      [statementTypeUri(type)]: {
        ...(named === undefined ? {} : { subject: named }),
        ...(reason === undefined ? {} : { reason }),
        ...(state === undefined ? {} : { state }),
      },
    },
  };
}

/** A statement as Google signs it. */
export async function signStatement(sim: Simulation, facts: StatementFacts): Promise<string> {
  return signed(sim, claimsOf(sim, facts));
}

async function signed(sim: Simulation, claims: Record<string, unknown>): Promise<string> {
  const key = await signingKey(sim);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'secevent+jwt' })
    .sign(await importJWK({ ...key }, 'RS256'));
}

/** A statement with one thing wrong with it. */
export async function forgeStatement(sim: Simulation, facts: StatementFacts, forgery: Forgery): Promise<string> {
  const claims = claimsOf(sim, facts);
  const { kid } = await signingKey(sim);
  switch (forgery) {
    case 'alg_none':
      return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
    case 'hmac': {
      const [jwk = {}] = (await publicKeySet(sim)).keys;
      const pem = createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
      const text = `${part({ alg: 'HS256', kid, typ: 'JWT' })}.${part(claims)}`;
      return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
    }
    case 'jku':
    case 'other_key':
    case 'unknown_kid': {
      const { privateKey, publicKey } = await generateKeyPair('RS256');
      const jwk = await exportJWK(publicKey);
      return new SignJWT(claims)
        .setProtectedHeader({
          alg: 'RS256',
          kid: forgery === 'other_key' ? kid : 'forged',
          ...(forgery === 'jku' ? { jku: 'https://attacker.example/keys', jwk } : {}),
        })
        .sign(privateKey);
    }
    case 'issuer':
      return signed(sim, { ...claims, iss: sim.endpoints.issuer });
    case 'audience':
      return signed(sim, { ...claims, aud: '999999999999-other.apps.googleusercontent.com' });
    case 'no_events': {
      const { events: _, ...rest } = claims;
      return signed(sim, rest);
    }
    case 'id_token': {
      const account: SimAccount | undefined = ACCOUNTS.find((one) => one.sub === facts.sub) ?? ACCOUNTS[0];
      if (account === undefined) throw new Error('There is no account.');
      return createIdToken(sim, facts.clientId, account, ['openid'], 'access-token', undefined);
    }
  }
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Sends a statement about an account to the receivers of all projects, or of one. */
export function stateToProjects(
  sim: Simulation,
  facts: Omit<StatementFacts, 'clientId'>,
  isConcerned: (project: string) => boolean = () => true,
): void {
  for (const project of sim.state.streams.keys()) {
    if (!isConcerned(project)) continue;
    const client = [...sim.state.clients.keys()].find((clientId) => projectOf(clientId) === project);
    if (client === undefined) continue;
    // Signed and sent alongside the request that caused it, as Google does minutes later.
    void signStatement(sim, { ...facts, clientId: client }).then((token) =>
      sim.streams.deliver(project, statementTypeUri(facts.type), token),
    );
  }
}
