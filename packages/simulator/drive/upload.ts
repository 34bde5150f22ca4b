import { type ApiCall, type ApiResult, jsonBody, parseObject } from '../api/call.ts';
import { defaultFields } from '../api/default-fields.ts';
import { API_HEADERS, badRequest, invalidParameter } from '../api/envelope.ts';
import { selectFields } from '../api/field-selector.ts';
import { emptyResponse, headerValue, mediaType } from '../http/exchange.ts';
import { type BodyPart, MultipartError, parseMultipart, readBoundary } from '../http/multipart.ts';
import { openUpload } from '../state/uploads.ts';
import { createFile, describeWritten, type Media, updateFile } from './write-file.ts';

const DEFAULT_TYPE = 'application/octet-stream';

/** Writes what an upload delivered: a new file, or new bytes for `fileId`. */
function writeUpload(
  call: ApiCall,
  fileId: string | undefined,
  metadata: Record<string, unknown>,
  media: Media,
): Record<string, unknown> {
  const file = fileId === undefined ? createFile(call, metadata, media) : updateFile(call, fileId, metadata, media);
  return describeWritten(call, file);
}

function readRelated(call: ApiCall): { metadata: Record<string, unknown>; media: Media } {
  const boundary = readBoundary(call.http.headers);
  if (mediaType(call.http.headers) !== 'multipart/related' || boundary === undefined) {
    throw badRequest('A multipart upload needs Content-Type multipart/related with a boundary.');
  }
  let parts: BodyPart[];
  try {
    parts = parseMultipart(call.http.body, boundary);
  } catch (error) {
    if (error instanceof MultipartError) throw badRequest(`Malformed multipart body. ${error.message}`);
    throw error;
  }
  const [json, media] = parts;
  if (json === undefined || media === undefined || parts.length !== 2) {
    throw badRequest('A multipart upload has exactly two parts: metadata as JSON, then the media.');
  }
  if (mediaType(json.headers) !== 'application/json') throw badRequest('The first part must be application/json.');
  const contentType = headerValue(media.headers, 'content-type') ?? DEFAULT_TYPE;
  return { metadata: parseObject(json.body.toString('utf8')), media: { contentType, bytes: decodePart(media) } };
}

function decodePart(part: BodyPart): Buffer {
  const encoding = headerValue(part.headers, 'content-transfer-encoding')?.toLowerCase();
  return encoding === 'base64' ? Buffer.from(part.body.toString('latin1'), 'base64') : part.body;
}

function readAnnouncedLength(call: ApiCall): number | undefined {
  const header = headerValue(call.http.headers, 'x-upload-content-length');
  if (header === undefined) return undefined;
  if (!/^\d+$/.test(header)) throw badRequest('X-Upload-Content-Length must be a number of bytes.');
  return Number(header);
}

/** What a resumable upload answers in the end, with the fields of the call that started it. */
function shownOf({ sim, rule, fields }: ApiCall, written: Record<string, unknown>): unknown {
  const resource = selectFields(written, fields ?? defaultFields(rule.id) ?? true);
  sim.observer?.onResource?.({ methodId: rule.id, api: rule.api, schema: rule.response, resource });
  return resource;
}

function startSession(call: ApiCall, fileId: string | undefined): ApiResult {
  const metadata = jsonBody(call.http);
  const contentType = headerValue(call.http.headers, 'x-upload-content-type') ?? DEFAULT_TYPE;
  const uploadId = openUpload(call.sim.uploads, {
    sub: call.caller.account.sub,
    write: (bytes) => shownOf(call, writeUpload(call, fileId, metadata, { contentType, bytes })),
    announcedBytes: readAnnouncedLength(call),
    chunks: [],
    receivedBytes: 0,
    createdAtMs: call.sim.clock.nowMs(),
    finished: undefined,
  });
  const query = new URLSearchParams(call.query);
  query.delete('access_token');
  query.set('uploadType', 'resumable');
  query.set('upload_id', uploadId);
  const path = `/upload/drive/v3/files${fileId === undefined ? '' : `/${fileId}`}`;
  return {
    response: emptyResponse(200, [
      ['Location', `${call.sim.endpoints.api_base_url}${path}?${query}`],
      ['X-GUploader-UploadID', uploadId],
      ...API_HEADERS,
    ]),
  };
}

/** `uploadType` of a call, `upload_protocol` being its other name. */
function readUploadType(call: ApiCall): string {
  const protocol = call.query.get('upload_protocol');
  return call.query.get('uploadType') ?? (protocol === 'raw' ? 'media' : (protocol ?? ''));
}

/** A create or update on the upload path (Drive: "Upload file data"). */
export function handleUpload(call: ApiCall, fileId: string | undefined): ApiResult {
  const uploadType = readUploadType(call);
  if (uploadType === 'resumable') return startSession(call, fileId);
  if (call.upload === 'resumable') throw invalidParameter('uploadType', 'This path takes uploadType=resumable only.');
  if (uploadType === 'media') {
    const contentType = headerValue(call.http.headers, 'content-type') ?? DEFAULT_TYPE;
    return { resource: writeUpload(call, fileId, {}, { contentType, bytes: call.http.body }) };
  }
  if (uploadType !== 'multipart') throw invalidParameter('uploadType', `Invalid value '${uploadType}'.`);
  const { metadata, media } = readRelated(call);
  return { resource: writeUpload(call, fileId, metadata, media) };
}
