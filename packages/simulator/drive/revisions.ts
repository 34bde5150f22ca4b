import { createHash } from 'node:crypto';
import { type ApiCall, type ApiResult, integerParameter, jsonBody, pathParameter } from '../api/call.ts';
import { API_HEADERS, ApiError, badRequest, invalidValue, notFound } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { refusal } from '../api/refusals.ts';
import { emptyResponse, headerValue } from '../http/exchange.ts';
import { type DriveFile, FOLDER_TYPE, type RevisionRecord, SHORTCUT_TYPE } from '../state/drive.ts';
import { applyChange } from './apply-change.ts';
import { exportLinks, isExportable } from './export-formats.ts';
import { mediaResponse } from './get-file.ts';
import { revisionsOf } from './revision-resource.ts';
import { describeSub } from './user-resource.ts';
import { requireContentAccess, requireRole } from './visibility.ts';

/** Revisions of one file that can be kept for good. */
const MAX_KEPT = 200;

/** The file whose revisions a call is about: who may edit it sees them. */
function requireRevised(call: ApiCall): DriveFile {
  const file = requireRole(call, pathParameter(call, 'fileId'), 'writer');
  if (file.mimeType !== FOLDER_TYPE && file.mimeType !== SHORTCUT_TYPE) return file;
  const message = 'The file does not support revisions.';
  throw new ApiError({ code: 403, reason: 'revisionsNotSupported', message });
}

/** The revision a call names; `head` is the latest. */
function requireRevision(call: ApiCall, file: DriveFile): RevisionRecord {
  const revisionId = pathParameter(call, 'revisionId');
  const revisions = revisionsOf(file);
  const found = revisionId === 'head' ? revisions.at(-1) : revisions.find(({ id }) => id === revisionId);
  if (found !== undefined) return found;
  throw notFound(`Revision not found: ${revisionId}.`, 'revisionId');
}

function checksumOf(call: ApiCall, file: DriveFile, revision: RevisionRecord): string | undefined {
  const source = call.sim.drive.openContent(file.id, revision.content);
  if (source === undefined) return undefined;
  const hash = createHash('md5');
  for (const chunk of source.read(0, source.length)) hash.update(chunk);
  return hash.digest('hex');
}

function describeRevision(call: ApiCall, file: DriveFile, revision: RevisionRecord): Record<string, unknown> {
  const md5Checksum = call.fields === undefined ? undefined : checksumOf(call, file, revision);
  return {
    kind: 'drive#revision',
    id: revision.id,
    mimeType: revision.mimeType,
    modifiedTime: revision.modifiedTime,
    lastModifyingUser: describeSub(revision.modifiedBy, call.caller.account),
    ...(revision.content === null
      ? {
          published: revision.published,
          publishAuto: revision.publishAuto,
          publishedOutsideDomain: revision.publishedOutsideDomain,
          ...(revision.published ? { publishedLink: `https://docs.google.com/document/d/e/${file.id}/pub` } : {}),
          ...(isExportable(file.mimeType) ? { exportLinks: exportLinks(file) } : {}),
        }
      : {
          keepForever: revision.keepForever,
          size: String(revision.content.size),
          originalFilename: revision.originalFilename,
          ...(md5Checksum === undefined ? {} : { md5Checksum }),
        }),
  };
}

/** `revisions.list`: oldest first, the last being the content now. */
export function listRevisions(call: ApiCall): ApiResult {
  const file = requireRevised(call);
  const fingerprint = `revisions ${file.id}`;
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, fingerprint);
  if (offset === undefined) throw invalidValue('pageToken');
  const { page, next } = takePage(revisionsOf(file), offset, integerParameter(call, 'pageSize', 200));
  return {
    resource: {
      kind: 'drive#revisionList',
      ...(next === undefined ? {} : { nextPageToken: encodePageToken(next, fingerprint) }),
      revisions: page.map((revision) => describeRevision(call, file, revision)),
    },
  };
}

/** `revisions.get`: metadata, or the bytes that the file had then with `alt=media`. */
export function getRevision(call: ApiCall): ApiResult {
  const file = requireRevised(call);
  const revision = requireRevision(call, file);
  if (call.query.get('alt') !== 'media') return { resource: describeRevision(call, file, revision) };
  requireContentAccess(call);
  const source = call.sim.drive.openContent(file.id, revision.content);
  if (source === undefined) {
    const message = 'Only files with binary content can be downloaded. Use Export with Docs Editors files.';
    throw new ApiError({ code: 403, reason: 'fileNotDownloadable', message, location: 'alt' });
  }
  return { response: mediaResponse(headerValue(call.http.headers, 'range'), source, revision.mimeType) };
}

function flagOf(body: Record<string, unknown>, name: string, present: boolean): boolean {
  const value = body[name];
  if (value === undefined) return present;
  if (typeof value !== 'boolean') throw badRequest(`Invalid value at '${name}': true or false is wanted.`);
  return value;
}

function store(call: ApiCall, file: DriveFile, revisions: RevisionRecord[]): void {
  const apply = () => call.sim.drive.put({ ...file, revisions, version: file.version + 1 });
  applyChange(call, { fileIds: [file.id], apply });
}

/** `revisions.update`: `keepForever` of uploaded bytes, publishing of Google's types. */
export function updateRevision(call: ApiCall): ApiResult {
  const file = requireRevised(call);
  const revision = requireRevision(call, file);
  const body = jsonBody(call.http);
  const isUploaded = revision.content !== null;
  const keepForever = flagOf(body, 'keepForever', revision.keepForever);
  const publishes = ['published', 'publishAuto', 'publishedOutsideDomain'].some((name) => body[name] !== undefined);
  if (body.keepForever !== undefined && !isUploaded) {
    const message = 'Only revisions of files with binary content can be kept forever.';
    throw new ApiError({ code: 400, reason: 'illegalKeepForeverModification', message });
  }
  if (publishes && isUploaded) {
    const message = 'Only revisions of Docs Editors files can be published.';
    throw new ApiError({ code: 403, reason: 'fieldNotWritable', message });
  }
  const kept = revisionsOf(file).filter((entry) => entry.keepForever).length;
  if (keepForever && !revision.keepForever && kept >= MAX_KEPT) {
    const message = `A file can have at most ${MAX_KEPT} revisions that are kept forever.`;
    throw new ApiError({ code: 403, reason: 'keepForeverLimitExceeded', message });
  }
  const changed: RevisionRecord = {
    ...revision,
    keepForever,
    published: flagOf(body, 'published', revision.published),
    publishAuto: flagOf(body, 'publishAuto', revision.publishAuto),
    publishedOutsideDomain: flagOf(body, 'publishedOutsideDomain', revision.publishedOutsideDomain),
  };
  store(
    call,
    file,
    revisionsOf(file).map((entry) => (entry.id === revision.id ? changed : entry)),
  );
  return { resource: describeRevision(call, file, changed) };
}

/** `revisions.delete`: of uploaded bytes, and never the one that is the content now; 204. */
export function deleteRevision(call: ApiCall): ApiResult {
  const file = requireRevised(call);
  const revision = requireRevision(call, file);
  if (revision.content === null) {
    const message = 'Revisions of Docs Editors files cannot be deleted.';
    throw new ApiError({ code: 403, reason: 'revisionDeletionNotSupported', message });
  }
  const revisions = revisionsOf(file);
  if (revisions.length === 1) throw refusal('onlyRevision');
  if (revisions.at(-1)?.id === revision.id) {
    const message = 'The head revision of a file cannot be deleted: delete the file instead.';
    throw new ApiError({ code: 403, reason: 'cannotDeleteHeadRevision', message });
  }
  store(
    call,
    file,
    revisions.filter(({ id }) => id !== revision.id),
  );
  return { response: emptyResponse(204, API_HEADERS) };
}
