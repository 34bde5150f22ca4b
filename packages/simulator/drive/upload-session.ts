import { API_HEADERS, ApiError, badRequest } from '../api/envelope.ts';
import { refusal } from '../api/refusals.ts';
import {
  emptyResponse,
  type HeaderList,
  headerValue,
  jsonResponse,
  type SimRequest,
  type SimResponse,
} from '../http/exchange.ts';
import { bearerToken } from '../oauth/identity-endpoints.ts';
import { findLiveAccessToken } from '../oauth/token-life.ts';
import type { Simulation } from '../simulation.ts';
import { findUpload, type UploadSession } from '../state/uploads.ts';
import { parseUploadRange, type UploadRange } from './content-range.ts';

/** Chunks but the last are multiples of this. */
export const CHUNK_UNIT_BYTES = 256 * 1024;

/** True for a request to a session URI: the upload path with an `upload_id`. */
export function isSessionRequest(http: SimRequest): boolean {
  return /^\/(?:resumable\/)?upload\//.test(http.path) && http.query.has('upload_id');
}

function uploadHeaders(http: SimRequest): HeaderList {
  return [['X-GUploader-UploadID', http.query.get('upload_id') ?? ''], ...API_HEADERS];
}

/** 308 with the bytes stored so far; clients that cannot take a 308 get 200 and the status in a header. */
function unfinished(http: SimRequest, session: UploadSession): SimResponse {
  const headers = uploadHeaders(http);
  if (session.receivedBytes > 0) headers.push(['Range', `bytes=0-${session.receivedBytes - 1}`]);
  if (headerValue(http.headers, 'x-guploader-no-308')?.toLowerCase() !== 'yes') return emptyResponse(308, headers);
  return emptyResponse(200, [['X-HTTP-Status-Code-Override', '308'], ...headers]);
}

function finish(http: SimRequest, session: UploadSession): SimResponse {
  if (session.finished === undefined) {
    session.finished = session.write(Buffer.concat(session.chunks));
    session.chunks = [];
  }
  return jsonResponse(200, session.finished, uploadHeaders(http));
}

function appendChunk(session: UploadSession, range: Extract<UploadRange, { kind: 'chunk' }>, body: Buffer): void {
  if (range.last - range.start + 1 !== body.length) {
    throw badRequest(`The Content-Range names ${range.last - range.start + 1} bytes, the body has ${body.length}.`);
  }
  if (range.start > session.receivedBytes) {
    throw badRequest(
      `Invalid request. According to the Content-Range header, the upload offset is ${range.start} byte(s), which exceeds already uploaded size of ${session.receivedBytes} byte(s).`,
    );
  }
  const isLast = range.total !== undefined && range.last + 1 === range.total;
  if (!isLast && body.length < CHUNK_UNIT_BYTES) {
    throw badRequest(
      `Invalid request. The number of bytes uploaded is required to be equal or greater than ${CHUNK_UNIT_BYTES}, except for the final request. The received request contained ${body.length} bytes, which does not meet this requirement.`,
    );
  }
  const fresh = body.subarray(session.receivedBytes - range.start);
  // Of an odd chunk only whole units are kept; the Range of the response shows the client where to continue.
  const end = isLast ? fresh.length : alignDown(session.receivedBytes + fresh.length) - session.receivedBytes;
  const kept = fresh.subarray(0, Math.max(0, end));
  session.chunks.push(kept);
  session.receivedBytes += kept.length;
}

function alignDown(bytes: number): number {
  return bytes - (bytes % CHUNK_UNIT_BYTES);
}

function checkTotal(session: UploadSession, total: number | undefined): void {
  if (total !== undefined && session.announcedBytes !== undefined && total !== session.announcedBytes) {
    throw badRequest(`X-Upload-Content-Length announced ${session.announcedBytes} bytes, this request says ${total}.`);
  }
}

function receive(sim: Simulation, http: SimRequest, session: UploadSession): SimResponse {
  const range = parseUploadRange(headerValue(http.headers, 'content-range'));
  if (session.finished !== undefined) return finish(http, session);
  if (session.receivedBytes + http.body.length > sim.state.limits.storedBytes) {
    throw refusal('storageFull');
  }
  switch (range.kind) {
    case 'invalid':
      throw badRequest('Failed to parse Content-Range header.');
    case 'whole':
      checkTotal(session, http.body.length);
      session.chunks = [http.body];
      session.receivedBytes = http.body.length;
      return finish(http, session);
    case 'status':
      if (http.body.length > 0) throw badRequest('A status query has no body.');
      checkTotal(session, range.total);
      return range.total === session.receivedBytes ? finish(http, session) : unfinished(http, session);
    case 'chunk':
      checkTotal(session, range.total);
      appendChunk(session, range, http.body);
      return range.total === session.receivedBytes ? finish(http, session) : unfinished(http, session);
  }
}

/**
 * A request to a session URI (Drive: "Perform a resumable upload"). The upload id is the credential; a token may come along, and must
 * then be live and of the user who started.
 * @throws {ApiError} 404 for a session that is gone, 400 for a chunk that does not fit, 401 for a dead token
 */
export function handleSessionRequest(sim: Simulation, http: SimRequest): SimResponse {
  const uploadId = http.query.get('upload_id') ?? '';
  const session = findUpload(sim.uploads, uploadId, sim.clock.nowMs());
  const token = bearerToken(http);
  if (token !== undefined && findLiveAccessToken(sim, token) === undefined) {
    throw new ApiError({
      code: 401,
      reason: 'authError',
      message: 'Invalid Credentials',
      location: 'Authorization',
      locationType: 'header',
    });
  }
  const sub = token === undefined ? undefined : findLiveAccessToken(sim, token)?.sub;
  if (session === undefined || (sub !== undefined && sub !== session.sub)) {
    throw new ApiError({ code: 404, reason: 'notFound', message: 'The upload session was not found or has expired.' });
  }
  if (http.method === 'DELETE') {
    sim.uploads.delete(uploadId);
    return emptyResponse(499, uploadHeaders(http));
  }
  if (http.method === 'PUT' || http.method === 'POST') return receive(sim, http, session);
  throw new ApiError({ code: 405, reason: 'httpMethodNotAllowed', message: 'Use PUT for a session URI.' });
}
