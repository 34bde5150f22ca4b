import type { ReviewClass, ScopeDefinition } from './provider.rules.ts';

/** Prefix of Google's API scopes. */
export const GOOGLE_SCOPE_PREFIX = 'https://www.googleapis.com/auth/';

/** Google names itself both ways ("OpenID Connect", developers.google.com: the `iss` of an ID token). */
export const GOOGLE_ISSUER_SPELLINGS: readonly string[] = ['https://accounts.google.com', 'accounts.google.com'];

/** One catalogue entry. */
export function googleScope(name: string, reviewClass: ReviewClass, meaning: string): ScopeDefinition {
  return { scope: GOOGLE_SCOPE_PREFIX + name, reviewClass, meaning };
}

/** Sign-in scopes, common to every Google provider. */
export const GOOGLE_IDENTITY_SCOPES: readonly ScopeDefinition[] = [
  { scope: 'openid', reviewClass: 'non-sensitive', meaning: 'Know which Google account this is.' },
  { scope: 'email', reviewClass: 'non-sensitive', meaning: 'See the e-mail address of the Google account.' },
  { scope: 'profile', reviewClass: 'non-sensitive', meaning: 'See the name and picture of the Google account.' },
];
