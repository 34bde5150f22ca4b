import type { GatewayRequest } from '../core/http-message.ts';
import { EMAIL_MAX_LENGTH, SUBJECT_MAX_LENGTH } from '../core/limits.ts';
import type { AuthorizationServer } from '../providers/authorization-server.rules.ts';

/** The provider's parameters (RFC 6749 section 4.1.2, RFC 9207 section 2). Unknown ones are ignored. */
export type CallbackQuery =
  | { readonly kind: 'malformed'; readonly message: string }
  | {
      readonly kind: 'answer';
      readonly state: string;
      readonly code: string | undefined;
      readonly issuer: string | undefined;
      readonly error: string | undefined;
      readonly errorDescription: string | undefined;
    };

const SINGLE = ['code', 'state', 'iss', 'error'] as const;

/** Reads the callback's query; a repeated parameter that must be single makes it malformed (OA-9). */
export function readCallbackQuery(query: GatewayRequest['query']): CallbackQuery {
  for (const name of SINGLE) {
    if (query.filter(([key]) => key === name).length > 1) {
      return { kind: 'malformed', message: `The parameter ${name} came twice.` };
    }
  }
  const value = (name: string): string | undefined => {
    const found = query.find(([key]) => key === name)?.[1];
    return found === '' ? undefined : found;
  };
  const state = value('state');
  if (state === undefined || state.length > 512)
    return { kind: 'malformed', message: 'The parameter state is missing.' };
  const code = value('code');
  const error = value('error');
  if (code === undefined && error === undefined) {
    return { kind: 'malformed', message: 'Neither a code nor an error came back.' };
  }
  return {
    kind: 'answer',
    state,
    code,
    issuer: value('iss'),
    error,
    errorDescription: value('error_description'),
  };
}

/** The accepted spellings of this issuer in an answer: the server's list, or only this one where it is not the server's. */
export function issuerSpellingsOf(
  { issuerSpellings }: Pick<AuthorizationServer, 'issuerSpellings'>,
  issuer: string,
): readonly string[] {
  return issuerSpellings.includes(issuer) ? issuerSpellings : [issuer];
}

/** Claims of a signature-checked ID token about the account, as sent: the signature does not validate their types. */
export interface IdTokenClaims {
  readonly subject: unknown;
  readonly email: unknown;
  readonly nonce: unknown;
  /** Workspace domain of the account (`hd`); consumer accounts have none. */
  readonly hostedDomain: string | undefined;
}

/**
 * Whether an account is in the requested Workspace domain; `*` accepts any ("OpenID Connect", developers.google.com:
 * the request parameter `hd` only arranges the account chooser, the claim counts).
 *
 * @param claimed claim `hd` of the ID token
 * @param wanted a domain in any case
 */
export function isInDomain(claimed: string | undefined, wanted: string): boolean {
  if (claimed === undefined || claimed === '') return false;
  return wanted === '*' || claimed.toLowerCase() === wanted.toLowerCase();
}

/** Identity of the grant's account, or why the ID token does not prove it (OA-18). */
export type IdentityJudgement =
  | { readonly kind: 'identified'; readonly subject: string; readonly email: string | null }
  | { readonly kind: 'refused'; readonly reason: string };

/** Binds the ID token to this flow by its nonce (OpenID Connect Core 3.1.3.7). */
export function judgeIdentity(claims: IdTokenClaims, expectedNonce: string): IdentityJudgement {
  if (claims.nonce !== expectedNonce) return { kind: 'refused', reason: 'nonce' };
  const account = readAccountClaims(claims.subject, claims.email);
  return account === undefined ? { kind: 'refused', reason: 'sub' } : { kind: 'identified', ...account };
}

/**
 * The account of `sub` and `email`; undefined for an invalid `sub`. The e-mail is only displayed, so an invalid one is left out (OpenID
 * Connect Core 2 and 5.1).
 */
export function readAccountClaims(
  sub: unknown,
  email: unknown,
): { readonly subject: string; readonly email: string | null } | undefined {
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_MAX_LENGTH) return undefined;
  return { subject: sub, email: typeof email === 'string' && email.length <= EMAIL_MAX_LENGTH ? email : null };
}

/** The Workspace domain in `hd`, null where the account has none; undefined for an invalid value. */
export function readHostedDomain(hd: unknown): string | null | undefined {
  if (hd === undefined || hd === null) return null;
  return typeof hd === 'string' && /^[a-z0-9.-]{1,253}$/i.test(hd) ? hd : undefined;
}
