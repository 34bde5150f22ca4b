import { createPublicKey, verify } from 'node:crypto';
import { findAccount, type SimAccount } from '../accounts.ts';
import { isRecord } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import type { DelegateRecord } from '../state/delegation.ts';
import { ACCESS_TOKEN_LIFETIME_SEC, issueAccessToken } from './issue-tokens.ts';
import { invalidGrant, type OAuthRefusal } from './oauth-response.ts';
import { expandScopes, findUnknownScope, splitScopes } from './scopes.ts';
import { blockOf } from './token-life.ts';

/** The grant type of an assertion that is signed by a service account (RFC 7523). */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** An assertion lives an hour at most, and clocks may differ by some minutes. */
const ASSERTION_LIFETIME_SEC = 3600;
const CLOCK_TOLERANCE_SEC = 300;

/** Addresses of the token endpoint that Google's own libraries have put into `aud`; the last two are of older releases. */
const GOOGLE_TOKEN_ENDPOINTS: readonly unknown[] = [
  'https://oauth2.googleapis.com/token',
  'https://www.googleapis.com/oauth2/v4/token',
  'https://accounts.google.com/o/oauth2/token',
];

/** The libraries send Google's address whatever endpoint they post to, so it counts here as well as the simulator's own. */
function isTokenEndpoint(sim: Simulation, audience: unknown): boolean {
  return audience === sim.endpoints.token_endpoint || GOOGLE_TOKEN_ENDPOINTS.includes(audience);
}

const UNAUTHORIZED: OAuthRefusal = {
  status: 401,
  error: 'unauthorized_client',
  error_description:
    'Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.',
};

interface Assertion {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  signed: string;
  signature: Buffer;
}

function readAssertion(text: string): Assertion | undefined {
  const [head, body, signature, ...rest] = text.split('.');
  if (head === undefined || body === undefined || signature === undefined || rest.length > 0) return undefined;
  try {
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    const [header, claims] = [read(head), read(body)];
    if (!isRecord(header) || !isRecord(claims)) return undefined;
    return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
  } catch {
    return undefined;
  }
}

function isSignedBy({ ownKey, keys }: DelegateRecord, { header, signed, signature }: Assertion): boolean {
  if (header.alg !== 'RS256') return false;
  const known = [...keys, ownKey].filter(({ id }) => header.kid === undefined || id === header.kid);
  return known.some(({ publicKey }) =>
    verify('RSA-SHA256', Buffer.from(signed), createPublicKey(publicKey), signature),
  );
}

/** What is wrong with the times of an assertion, as Google says it. */
function isInTime({ iat, exp }: Record<string, unknown>, nowSec: number): boolean {
  if (typeof iat !== 'number' || typeof exp !== 'number') return false;
  return exp > nowSec && exp - iat <= ASSERTION_LIFETIME_SEC && iat <= nowSec + CLOCK_TOLERANCE_SEC;
}

/** A user as the token endpoint knows them, or why it gives no token for them. */
function subjectOf(sim: Simulation, address: string): SimAccount | OAuthRefusal {
  const email = address.toLowerCase();
  const state = sim.state.delegation.users.find((user) => user.email === email)?.state;
  if (state === 'alias') return invalidGrant('Not a valid email or user ID.');
  if (state === 'deleted') return invalidGrant('The account has been deleted.');
  const account = findAccount(email);
  if (account === undefined || account.sub === email) return invalidGrant('Invalid email or User ID');
  if (state === 'suspended' || sim.state.disabledSubs.has(account.sub))
    return invalidGrant('Account disabled: suspended');
  if (state === 'restricted') return { status: 400, error: 'access_denied', error_description: 'Account restricted' };
  return account;
}

/**
 * The scopes that an administrator lets the client have by now; undefined where the domain lists nothing for it. One scope that is
 * not listed refuses the request as a whole.
 */
function listed(sim: Simulation, clientId: string, domain: string | undefined): readonly string[] | undefined {
  return sim.state.delegation.listings.find(
    (one) => one.clientId === clientId && one.domain === domain && one.effectiveAtMs <= sim.clock.nowMs(),
  )?.scopes;
}

function accessFor(sim: Simulation, clientId: string, sub: string, scopes: string[]): Record<string, unknown> {
  const authorization = { clientId, sub, scopes, consentedAtMs: sim.clock.nowMs() };
  return {
    access_token: issueAccessToken(sim, authorization, null),
    expires_in: ACCESS_TOKEN_LIFETIME_SEC,
    token_type: 'Bearer',
  };
}

/** `grant_type=…jwt-bearer`: an access token for the service account, or for the user it names; never a refresh token. */
export function exchangeAssertion(sim: Simulation, form: URLSearchParams): Record<string, unknown> | OAuthRefusal {
  const text = form.get('assertion');
  if (text === null) {
    return { status: 400, error: 'invalid_request', error_description: 'Missing required parameter: assertion' };
  }
  const assertion = readAssertion(text);
  if (assertion === undefined) return invalidGrant('Invalid JWT: Failed to decode.');
  const { claims } = assertion;
  const delegate = sim.state.delegation.delegates.find(({ email }) => email === claims.iss);
  if (delegate === undefined || delegate.state === 'deleted') return invalidGrant('Invalid grant: account not found');
  if (!isSignedBy(delegate, assertion)) return invalidGrant('Invalid JWT Signature.');
  if (delegate.state === 'disabled') {
    return { status: 401, error: 'disabled_client', error_description: 'The OAuth client was disabled.' };
  }
  if (!isTokenEndpoint(sim, claims.aud)) return invalidGrant('Invalid JWT: Failed audience check.');
  if (!isInTime(claims, Math.floor(sim.clock.nowMs() / 1000))) {
    return invalidGrant(
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
    );
  }
  const scopes = splitScopes(typeof claims.scope === 'string' ? claims.scope : '');
  if (scopes.length === 0) {
    return { status: 400, error: 'invalid_scope', error_description: 'Empty or missing scope not allowed.' };
  }
  const unknown = findUnknownScope(scopes, sim.moreScopes);
  if (unknown !== undefined) {
    return { status: 400, error: 'invalid_scope', error_description: `${unknown} is not a valid audience string.` };
  }
  if (claims.sub === undefined) return accessFor(sim, delegate.clientId, delegate.email, scopes);
  if (typeof claims.sub !== 'string') return invalidGrant('Invalid JWT: sub must be a string.');
  const account = subjectOf(sim, claims.sub);
  if ('error' in account) return account;
  const granted = listed(sim, delegate.clientId, account.hostedDomain);
  if (granted === undefined || !scopes.some((scope) => granted.includes(scope))) return UNAUTHORIZED;
  if (!scopes.every((scope) => granted.includes(scope))) {
    return { status: 400, error: 'access_denied', error_description: 'Requested client not authorized.' };
  }
  const block = blockOf(sim, account.sub, delegate.clientId);
  if (block === 'admin_policy') {
    const error_description = 'Access to your account data is restricted by policies within your organization.';
    return { status: 400, error: 'admin_policy_enforced', error_description };
  }
  if (block !== undefined) return { status: 400, error: 'access_denied', error_description: 'Account restricted' };
  return accessFor(sim, delegate.clientId, account.sub, expandScopes(scopes));
}
