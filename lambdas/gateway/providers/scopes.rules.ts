/**
 * Scopes as sets: aliases that Google returns under another spelling are mapped before anything is compared (OA-17).
 */
import { GOOGLE_SCOPE_ALIASES } from './google/scope-aliases.rules.ts';

/** Scopes that only identify the user (OpenID Connect Core 5.4). */
export const IDENTITY_SCOPES: readonly string[] = ['openid', 'email', 'profile'];

/** The one spelling of a scope used for comparison. */
export function canonicalScope(scope: string): string {
  return GOOGLE_SCOPE_ALIASES.get(scope) ?? scope;
}

/** Full spelling of a scope that may have been written without the server's prefix (`drive.file`). */
export function expandScope(scope: string, prefix: string | undefined): string {
  if (prefix === undefined || scope.includes(':') || IDENTITY_SCOPES.includes(scope)) return scope;
  return prefix + scope;
}

/** Splits a scope value (RFC 6749 section 3.3) and drops repeats under any spelling; order is kept. */
export function parseScopes(value: string): string[] {
  return uniqueScopes(value.split(/[ ,]+/).filter((scope) => scope !== ''));
}

/** Canonical, without repeats, in order of first appearance. */
export function uniqueScopes(scopes: Iterable<string>): string[] {
  const seen = new Set<string>();
  for (const scope of scopes) seen.add(canonicalScope(scope));
  return [...seen];
}

/** Requested scopes that were not granted. */
export function missingScopes(requested: readonly string[], granted: readonly string[]): string[] {
  const have = new Set(uniqueScopes(granted));
  return uniqueScopes(requested).filter((scope) => !have.has(scope));
}

/** Expected scopes for APIs that were not granted; missing sign-in scopes do not count. */
export function missingAccess(expected: readonly string[], granted: readonly string[]): string[] {
  return missingScopes(expected, granted).filter((scope) => !IDENTITY_SCOPES.includes(scope));
}

/** How a set of granted scopes has changed. */
export type ScopeChange = 'scopes_gained' | 'scopes_lost' | 'scopes_gained_and_lost';

/** How a set of scopes differs from the one before; undefined where it does not, whatever the order and the spelling. */
export function scopeChange(before: readonly string[], after: readonly string[]): ScopeChange | undefined {
  const gained = missingScopes(after, before).length > 0;
  const lost = missingScopes(before, after).length > 0;
  if (gained && lost) return 'scopes_gained_and_lost';
  if (gained) return 'scopes_gained';
  return lost ? 'scopes_lost' : undefined;
}

/** True when only sign-in was granted, which permits no API call. */
export function onlyIdentityScopes(granted: readonly string[]): boolean {
  return uniqueScopes(granted).every((scope) => IDENTITY_SCOPES.includes(scope));
}

/** Whether a scope value is legal on the wire (RFC 6749 section 3.3: printable ASCII without space, quote, backslash). */
export function isScopeToken(scope: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(scope);
}
