import type { Problem } from '../core/errors.ts';
import type { HeaderPairs } from '../core/http-message.ts';
import { QUOTA_USER_HEADER } from '../providers/google/quota-user.rules.ts';
import { decodeAscii } from './request-line.rules.ts';

/** The longest name that is checked here, with its `$`; escaped it is three times as long. Most names are decided by their length. */
const LONGEST_KEY = '$usedomainadminaccess'.length;
const SHORTEST_KEY = 'userip'.length;
/** Other names for the user whose quota a call uses: a service account's own is one for a whole domain (SA-11). */
const QUOTA_KEYS = /^\$?(?:quotauser|userip)$/;
/** Requests the rights of a domain's administrator, which work if the user is one. */
const ADMIN_KEY = /^\$?usedomainadminaccess$/;

/** A call that a service account makes for a user. */
export interface DelegatedCall {
  /** Represents the user: the connection's id, a digest of the address. */
  readonly quotaUser: string;
  readonly allowsDomainAdmin: boolean;
}

/** Data of a call on such a connection; undefined where a person stands behind it. */
export function delegatedCall(
  connection: { readonly connectionId: string; readonly delegated?: true | undefined },
  integration: { readonly delegation?: { readonly allowsDomainAdmin: boolean } | undefined },
): DelegatedCall | undefined {
  if (connection.delegated !== true) return undefined;
  return { quotaUser: connection.connectionId, allowsDomainAdmin: integration.delegation?.allowsDomainAdmin === true };
}

/** The headers of a call, with the user's quota key instead of the caller's (SA-22). */
export function delegatedHeaders(headers: HeaderPairs, call: DelegatedCall | undefined): HeaderPairs {
  if (call === undefined) return headers;
  return [...headers.filter(([name]) => name.toLowerCase() !== QUOTA_USER_HEADER), [QUOTA_USER_HEADER, call.quotaUser]];
}

function isNear(key: string): boolean {
  return key.length >= SHORTEST_KEY && key.length <= LONGEST_KEY;
}

/** Whether a query key is removed: one that names a quota user. */
export function isQuotaKey(key: string): boolean {
  return isNear(key) && QUOTA_KEYS.test(key.toLowerCase());
}

/** Why a query key may not be sent on a user's behalf, or undefined (SA-21). */
export function adminKeyProblem(key: string, call: DelegatedCall): Problem | undefined {
  if (call.allowsDomainAdmin || !isNear(key) || !ADMIN_KEY.test(key.toLowerCase())) return undefined;
  const message =
    'is not taken on connections of a service account: an administrator as its user would open every shared drive of the domain; remove it';
  return { path: `query.${key}`, message };
}

/** A query or form to send, without the caller's quota keys, and the refused keys. */
export function delegatedQuery(
  raw: string,
  call: DelegatedCall | undefined,
): { readonly query: string; readonly problems: readonly Problem[] } {
  if (call === undefined) return { query: raw, problems: [] };
  const problems: Problem[] = [];
  const kept = raw.split(/[&;]/).filter((pair) => {
    if (pair === '') return false;
    const at = pair.indexOf('=');
    const rawKey = at < 0 ? pair : pair.slice(0, at);
    if (rawKey.length > 3 * LONGEST_KEY) return true;
    const key = decodeAscii(rawKey);
    const problem = adminKeyProblem(key, call);
    if (problem !== undefined) problems.push(problem);
    return !isQuotaKey(key);
  });
  return { query: kept.join('&'), problems };
}
