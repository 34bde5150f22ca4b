import type { ApiCall } from '../api/call.ts';
import { DAY_MS } from '../clock.ts';
import { randomText } from '../random.ts';

/** A session is good for a week. */
export const SESSION_LIFETIME_MS = 7 * DAY_MS;

/** Sessions kept at once; the oldest go first. */
const MAX_SESSIONS = 200;

/** A resumable upload in progress, or finished and still able to repeat its answer. */
export interface UploadSession {
  /** The call that started it: account, fields and metadata count from there. */
  start: ApiCall;
  fileId: string | undefined;
  metadata: Record<string, unknown>;
  contentType: string;
  /** `X-Upload-Content-Length`. */
  announcedBytes: number | undefined;
  chunks: Buffer[];
  receivedBytes: number;
  createdAtMs: number;
  finished: Record<string, unknown> | undefined;
}

/** Open sessions by upload id. */
export type UploadStore = Map<string, UploadSession>;

/** Keeps a session and returns its id, which is its only credential. */
export function openUpload(uploads: UploadStore, session: UploadSession): string {
  const id = `ABPtcP${randomText(60)}`;
  uploads.set(id, session);
  for (const key of uploads.keys()) {
    if (uploads.size <= MAX_SESSIONS) break;
    uploads.delete(key);
  }
  return id;
}

/** A session that is not too old. */
export function findUpload(uploads: UploadStore, id: string, nowMs: number): UploadSession | undefined {
  const session = uploads.get(id);
  if (session === undefined || nowMs - session.createdAtMs < SESSION_LIFETIME_MS) return session;
  uploads.delete(id);
  return undefined;
}
