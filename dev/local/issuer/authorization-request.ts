/** Judges the query of an authorization request (OpenID Connect Core 3.1.2.1, RFC 7636). Pure. */

/** The one client of the issuer. */
export interface IssuerClient {
  clientId: string;
  /** Exact addresses a code may be sent to. */
  redirectUris: readonly string[];
  /** Exact addresses a sign-out may end at. */
  logoutUris: readonly string[];
}

export interface AuthorizationRequest {
  redirectUri: string;
  state: string | undefined;
  nonce: string | undefined;
  scopes: readonly string[];
  codeChallenge: string;
  prompt: 'none' | 'login' | undefined;
  /** The sign-in may be at most this old. */
  maxAgeSec: number | undefined;
}

export type JudgedRequest =
  | { kind: 'valid'; request: AuthorizationRequest }
  /** The client is informed, because the address that it named is its own. */
  | { kind: 'refused'; redirectUri: string; state: string | undefined; error: string; description: string }
  /** Only the person in front of the browser is informed. */
  | { kind: 'invalid'; message: string };

const KNOWN_SCOPES = new Set(['openid', 'email', 'profile']);

/** The parsed authorization request, or why it is refused; a parameter sent twice is refused (RFC 6749 3.1). */
export function judgeAuthorizationRequest(query: URLSearchParams, client: IssuerClient): JudgedRequest {
  const repeated = [...new Set(query.keys())].filter((name) => query.getAll(name).length > 1);
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== client.clientId || repeated.includes('client_id')) {
    return { kind: 'invalid', message: 'The client_id is not known here.' };
  }
  if (!client.redirectUris.includes(redirectUri) || repeated.includes('redirect_uri')) {
    return { kind: 'invalid', message: 'The redirect_uri is not one of the client’s.' };
  }
  const state = query.get('state') ?? undefined;
  const refused = (error: string, description: string): JudgedRequest => ({
    kind: 'refused',
    redirectUri,
    state,
    error,
    description,
  });
  if (repeated.length > 0) return refused('invalid_request', `Send ${repeated.join(', ')} once.`);
  if (query.get('response_type') !== 'code') return refused('unsupported_response_type', 'Ask for a code.');
  const codeChallenge = query.get('code_challenge') ?? '';
  if (query.get('code_challenge_method') !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    return refused('invalid_request', 'Send a code_challenge with the method S256.');
  }
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (!scopes.includes('openid') || scopes.some((scope) => !KNOWN_SCOPES.has(scope))) {
    return refused('invalid_scope', `Ask for openid and nothing beyond ${[...KNOWN_SCOPES].join(', ')}.`);
  }
  const prompt = query.get('prompt') ?? undefined;
  if (prompt !== undefined && prompt !== 'none' && prompt !== 'login') {
    return refused('invalid_request', 'The prompt may be none or login.');
  }
  const maxAge = query.get('max_age') ?? undefined;
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) {
    return refused('invalid_request', 'max_age is a number of seconds.');
  }
  const nonce = query.get('nonce') ?? undefined;
  const maxAgeSec = maxAge === undefined ? undefined : Number(maxAge);
  return { kind: 'valid', request: { redirectUri, state, nonce, scopes, codeChallenge, prompt, maxAgeSec } };
}

/** The address of the answer, its parameters added to the query. */
export function answerAddress(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
