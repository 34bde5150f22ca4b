import type { ReviewClass, ScopeDefinition } from '../provider.rules.ts';
import { GOOGLE_SCOPE_PREFIX } from './scope-aliases.rules.ts';

export { GOOGLE_SCOPE_PREFIX };

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
