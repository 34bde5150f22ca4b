import { ApiError } from '../api/envelope.ts';
import { isRecord } from '../parse.ts';

/** Days after which a sync token is too old. */
const SYNC_TOKEN_DAYS = 28;

/** A point in a collection's history. */
interface SyncPoint {
  collection: string;
  seq: number;
  issuedAtMs: number;
}

/** Makes an opaque sync token. */
export function encodeSyncToken(point: SyncPoint): string {
  return Buffer.from(JSON.stringify(point)).toString('base64url');
}

/** 410 that tells the client to start over with a full sync. */
export function fullSyncRequired(): ApiError {
  const message = 'Sync token is no longer valid, a full sync is required.';
  return new ApiError({ code: 410, reason: 'fullSyncRequired', domain: 'calendar', message, location: 'syncToken' });
}

/**
 * Reads a sync token back.
 * @returns the change number it stands for
 * @throws {ApiError} 410 `fullSyncRequired` when it is no token of this collection, from the future, or too old
 */
export function readSyncToken(token: string, collection: string, latestSeq: number, nowMs: number): number {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    throw fullSyncRequired();
  }
  if (!isRecord(value) || value.collection !== collection) throw fullSyncRequired();
  const { seq, issuedAtMs } = value;
  if (typeof seq !== 'number' || typeof issuedAtMs !== 'number' || seq > latestSeq) throw fullSyncRequired();
  if (nowMs - issuedAtMs > SYNC_TOKEN_DAYS * 86_400_000) throw fullSyncRequired();
  return seq;
}
