import type { AuthorizationRequest } from '../state/flows.ts';
import type { ClientRecord } from '../state/records.ts';
import { readPick } from './picker.ts';
import { findUnknownScope, splitScopes } from './scopes.ts';

/** Why a request ends on an error page of the provider, never in a redirect. */
export interface AuthorizationRefusal {
  status: number;
  error: string;
  description: string;
}

const SINGLE_VALUED = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'code_challenge', 'nonce'];
const PROMPTS = new Set(['none', 'consent', 'select_account']);
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const PLAIN_CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;

function invalid(description: string): AuthorizationRefusal {
  return { status: 400, error: 'invalid_request', description };
}

function readChallenge(query: URLSearchParams): AuthorizationRequest['codeChallenge'] | AuthorizationRefusal {
  const value = query.get('code_challenge');
  const method = query.get('code_challenge_method') ?? 'plain';
  if (value === null) {
    return query.has('code_challenge_method')
      ? invalid('Missing required parameter: code_challenge because code_challenge_method is specified.')
      : undefined;
  }
  if (method === 'S256' && S256_CHALLENGE.test(value)) return { value, method };
  if (method === 'plain' && PLAIN_CHALLENGE.test(value)) return { value, method };
  return method === 'S256' || method === 'plain'
    ? invalid('Invalid parameter value for code_challenge: Invalid length or character.')
    : invalid(`Invalid parameter value for code_challenge_method: ${method} is not a valid CodeChallengeMethod.`);
}

function checkClient(query: URLSearchParams, client: ClientRecord | undefined): AuthorizationRefusal | undefined {
  if (!query.has('client_id')) return invalid('Missing required parameter: client_id');
  if (client === undefined) {
    return { status: 401, error: 'invalid_client', description: 'The OAuth client was not found.' };
  }
  if (client.deleted) return { status: 401, error: 'deleted_client', description: 'The OAuth client was deleted.' };
  if (client.disabled === true) {
    return { status: 401, error: 'disabled_client', description: 'The OAuth client was disabled.' };
  }
  const redirectUri = query.get('redirect_uri');
  if (redirectUri === null) return invalid('Missing required parameter: redirect_uri');
  if (!client.redirectUris.includes(redirectUri)) {
    const description = `The redirect URI in the request, ${redirectUri}, does not match the ones authorized for the OAuth client.`;
    return { status: 400, error: 'redirect_uri_mismatch', description };
  }
  return undefined;
}

function checkParameters(
  query: URLSearchParams,
  prompts: ReadonlySet<string>,
  moreScopes: ReadonlySet<string>,
): AuthorizationRefusal | undefined {
  const responseType = query.get('response_type');
  if (responseType === null) return invalid('Required parameter is missing: response_type');
  if (responseType !== 'code') {
    return { status: 400, error: 'unsupported_response_type', description: `Invalid response_type: ${responseType}` };
  }
  const scopes = splitScopes(query.get('scope') ?? '');
  if (scopes.length === 0) return invalid('Missing required parameter: scope');
  const unknown = findUnknownScope(scopes, moreScopes);
  if (unknown !== undefined) {
    const description = `Some requested scopes were invalid. {invalid=[${unknown}]}`;
    return { status: 400, error: 'invalid_scope', description };
  }
  const accessType = query.get('access_type') ?? 'online';
  if (accessType !== 'online' && accessType !== 'offline') {
    return invalid(`Invalid parameter value for access_type: Invalid value: ${accessType}`);
  }
  const strange = [...prompts].find((prompt) => !PROMPTS.has(prompt));
  if (strange !== undefined) return invalid(`Invalid parameter value for prompt: Invalid prompt: ${strange}`);
  if (prompts.has('none') && prompts.size > 1) return invalid('Invalid parameter value for prompt: none must be alone');
  return undefined;
}

/**
 * Judges an authorization request. Every fault found here is shown to the user and never sent to `redirect_uri`, as at
 * Google (RFC 6749 4.1.2.1 for client and redirect URI; observed behaviour for the rest).
 * @param findClient looks a client up by its id
 * @param moreScopes of APIs that the simulator does not play
 */
export function parseAuthorizationRequest(
  query: URLSearchParams,
  findClient: (clientId: string) => ClientRecord | undefined,
  moreScopes: ReadonlySet<string>,
): AuthorizationRequest | AuthorizationRefusal {
  const repeated = SINGLE_VALUED.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return invalid(`OAuth 2 parameters can only have a single value: ${repeated}`);
  const client = findClient(query.get('client_id') ?? '');
  const prompts = new Set((query.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== ''));
  const refusal = checkClient(query, client) ?? checkParameters(query, prompts, moreScopes);
  if (refusal !== undefined) return refusal;
  const codeChallenge = readChallenge(query);
  if (codeChallenge !== undefined && 'error' in codeChallenge) return codeChallenge;
  if (client === undefined) return invalid('Missing required parameter: client_id');
  const pick = readPick(query);
  if (typeof pick === 'string') return invalid(pick);
  return {
    client,
    redirectUri: query.get('redirect_uri') ?? '',
    scopes: splitScopes(query.get('scope') ?? ''),
    state: query.get('state') ?? undefined,
    nonce: query.get('nonce') ?? undefined,
    offline: query.get('access_type') === 'offline',
    prompts,
    loginHint: query.get('login_hint') ?? undefined,
    hostedDomain: query.get('hd') ?? undefined,
    includeGrantedScopes: query.get('include_granted_scopes') === 'true',
    codeChallenge,
    pick,
  };
}
