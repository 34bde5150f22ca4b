import { DAY_MS } from '../clock.ts';
import { randomText } from '../random.ts';

/** A session is good for a week. */
export const SESSION_LIFETIME_MS = 7 * DAY_MS;

/** Sessions kept at once; the oldest go first. */
const MAX_SESSIONS = 200;

/** A resumable upload in progress, or finished and still able to repeat its answer. */
export interface UploadSession {
  /** Google account id of who started it. */
  sub: string;
  /** Writes the file with these bytes. @returns the resource, with the fields that the call which started the session asked for */
  write(bytes: Buffer): unknown;
  /** `X-Upload-Content-Length`. */
  announcedBytes: number | undefined;
  chunks: Buffer[];
  receivedBytes: number;
  createdAtMs: number;
  /** What `write` gave; undefined until then. */
  finished: unknown;
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
