import { type ApiCall, integerParameter } from '../api/call.ts';
import { invalidValue } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { sha256Hex } from '../random.ts';
import { endsWithSyncToken } from './sync-rules.ts';
import { encodeSyncToken } from './sync-token.ts';

/** One page of a Calendar collection with the members that lead to what comes after it. */
export interface CalendarPage<T> {
  items: T[];
  /** `nextPageToken` or, on the last page, `nextSyncToken` if the list may end with one; and the collection's `etag`. */
  members: Record<string, string>;
}

const NOT_PART_OF_QUERY = [
  'pageToken',
  'maxResults',
  'fields',
  'access_token',
  'alt',
  'prettyPrint',
  'key',
  'quotaUser',
];

/** What a page token belongs to: the collection and the query's filters. */
function fingerprintOf(call: ApiCall, collection: string): string {
  const filters = [...call.query].filter(([name]) => !NOT_PART_OF_QUERY.includes(name));
  return `${collection} ${JSON.stringify(filters)}`;
}

/**
 * Cuts a collection into pages of 100 or 250 unless `maxResults` says otherwise.
 * @param collection names the user's collection, so that no token works elsewhere
 * @param window kept in the sync token, see {@link encodeSyncToken}
 * @throws {ApiError} 400 for a page token that is not one of this query
 */
export function pageOf<T>(
  call: ApiCall,
  all: readonly T[],
  collection: string,
  sizes: { usual: number; most: number },
  window: Record<string, string> = {},
): CalendarPage<T> {
  const fingerprint = fingerprintOf(call, collection);
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, fingerprint);
  if (offset === undefined) throw invalidValue('pageToken', 'Invalid page token value.');
  const size = Math.min(sizes.most, integerParameter(call, 'maxResults', sizes.usual));
  const { page, next } = takePage(all, offset, size);
  const seq = call.sim.calendar.latestChange();
  const etag = `"p${sha256Hex(`${fingerprint} ${seq} ${offset}`).slice(0, 20)}"`;
  const issuedAtMs = call.sim.clock.nowMs();
  const last: Record<string, string> = endsWithSyncToken(call)
    ? { nextSyncToken: encodeSyncToken({ collection, seq, issuedAtMs, window }) }
    : {};
  const after = next === undefined ? last : { nextPageToken: encodePageToken(next, fingerprint) };
  return { items: page, members: { etag, ...after } };
}
