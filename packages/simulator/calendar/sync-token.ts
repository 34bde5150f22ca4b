import type { ApiCall } from '../api/call.ts';
import { ApiError, invalidValue } from '../api/envelope.ts';
import { count, number, object, parseJson, recordOf, text } from '../parse.ts';

/** Days after which a sync token is too old. */
const SYNC_TOKEN_DAYS = 28;

/** A point in a collection's history. */
export interface SyncPoint {
  collection: string;
  seq: number;
  issuedAtMs: number;
  /** Parameters of the first listing that later ones may not repeat but follow, such as `timeMin`. */
  window: Record<string, string>;
}

/** Makes an opaque sync token. */
export function encodeSyncToken(point: SyncPoint): string {
  return Buffer.from(JSON.stringify(point)).toString('base64url');
}

/** 410, after which the client starts a full sync. */
export function fullSyncRequired(): ApiError {
  const message = 'Sync token is no longer valid, a full sync is required.';
  return new ApiError({ code: 410, reason: 'fullSyncRequired', domain: 'calendar', message, location: 'syncToken' });
}

const syncPoint = object({ collection: text, seq: count, issuedAtMs: number, window: recordOf(text) });

/**
 * Reads a sync token back.
 * @throws {ApiError} 400 `invalid` when it is no sync token; 410 `fullSyncRequired` when it is another collection's, from the
 *   future, or too old
 */
export function readSyncToken(call: ApiCall, token: string, collection: string, latestSeq: number): SyncPoint {
  const { clock, cursors } = call.sim;
  let point: SyncPoint;
  try {
    point = parseJson(Buffer.from(token, 'base64url').toString('utf8'), syncPoint, 'token');
  } catch {
    throw invalidValue('syncToken', 'Invalid sync token value.');
  }
  const isStale =
    clock.nowMs() - point.issuedAtMs > SYNC_TOKEN_DAYS * 86_400_000 || point.issuedAtMs <= cursors.expiredAtMs;
  if (point.collection !== collection || point.seq > latestSeq || isStale) throw fullSyncRequired();
  return point;
}

/** The point that the call's `syncToken` stands for; `undefined` when it has none. */
export function syncPointOf(call: ApiCall, collection: string): SyncPoint | undefined {
  const token = call.query.get('syncToken');
  if (token === null) return undefined;
  return readSyncToken(call, token, collection, call.sim.calendar.latestChange());
}
