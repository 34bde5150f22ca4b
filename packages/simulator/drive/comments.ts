import {
  type ApiCall,
  type ApiResult,
  booleanParameter,
  integerParameter,
  jsonBody,
  pathParameter,
} from '../api/call.ts';
import { API_HEADERS, ApiError, badRequest, invalidParameter, invalidValue, notFound } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { emptyResponse } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';
import { randomText } from '../random.ts';
import { type CommentRecord, type DriveFile, FOLDER_TYPE, type ReplyRecord } from '../state/drive.ts';
import { applyChange } from './apply-change.ts';
import { capabilitiesOf } from './capabilities.ts';
import { escapeXml } from './office-files.ts';
import { describeSub } from './user-resource.ts';
import { insufficientPermissions, refuseAppData, requireFile, roleOf } from './visibility.ts';

/** Longest text of a comment or reply, in characters. */
const MAX_CONTENT = 4096;

/** Comments and replies answer nothing without `fields` (Google Drive API, "Manage comments and replies"). */
function requireFields(call: ApiCall): void {
  if (call.fields !== undefined) return;
  const message = "The 'fields' parameter is required for this method.";
  throw new ApiError({ code: 400, reason: 'required', message, location: 'fields' });
}

function requireCommented(call: ApiCall): DriveFile {
  const file = requireFile(call, pathParameter(call, 'fileId'));
  refuseAppData(file);
  if (file.mimeType === FOLDER_TYPE) throw badRequest('A folder has no comments.');
  return file;
}

function requireCommenting(call: ApiCall): DriveFile {
  const file = requireCommented(call);
  const role = roleOf(call, file) ?? 'reader';
  if (capabilitiesOf(call.sim.drive, file, call.caller.account, role).canComment === true) return file;
  throw insufficientPermissions(file.id);
}

function readContent(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.trim() === '') throw badRequest('The content of a comment is text.');
  if (value.length > MAX_CONTENT) throw badRequest(`The content has more than ${MAX_CONTENT} characters.`);
  return value;
}

function requireContent(value: unknown): string {
  const content = readContent(value);
  if (content !== undefined) return content;
  throw new ApiError({ code: 400, reason: 'required', message: 'Required: content', location: 'content' });
}

function describeRemark(call: ApiCall, remark: CommentRecord | ReplyRecord): Record<string, unknown> {
  const addresses = [...remark.content.matchAll(/@(?<address>[\w.+-]+@[\w-]+\.[\w.-]*\w)/g)];
  return {
    id: remark.id,
    author: describeSub(remark.author, call.caller.account),
    createdTime: remark.createdTime,
    modifiedTime: remark.modifiedTime,
    deleted: remark.deleted,
    ...(remark.deleted
      ? {}
      : {
          content: remark.content,
          htmlContent: escapeXml(remark.content).replaceAll('\n', '<br>'),
          mentionedEmailAddresses: addresses.map(({ groups }) => groups?.address ?? ''),
        }),
  };
}

function describeReply(call: ApiCall, reply: ReplyRecord): Record<string, unknown> {
  const action = reply.action === null ? {} : { action: reply.action };
  return { kind: 'drive#reply', ...describeRemark(call, reply), ...action };
}

function describeComment(call: ApiCall, comment: CommentRecord): Record<string, unknown> {
  const withDeleted = booleanParameter(call, 'includeDeleted', false);
  const { anchor, quotedFileContent, resolved } = comment;
  return {
    kind: 'drive#comment',
    ...describeRemark(call, comment),
    ...(anchor === null ? {} : { anchor }),
    ...(quotedFileContent === null ? {} : { quotedFileContent }),
    ...(resolved === null ? {} : { resolved }),
    replies: comment.replies
      .filter(({ deleted }) => withDeleted || !deleted)
      .map((reply) => describeReply(call, reply)),
  };
}

/** The comment a call names; a deleted one only for who asks for deleted ones. */
function requireComment(call: ApiCall, file: DriveFile): CommentRecord {
  const commentId = pathParameter(call, 'commentId');
  const comment = call.sim.drive.notes(file.id).comments.find(({ id }) => id === commentId);
  const withDeleted = booleanParameter(call, 'includeDeleted', false);
  if (comment !== undefined && (withDeleted || !comment.deleted)) return comment;
  throw notFound(`Comment not found: ${commentId}.`, 'commentId');
}

function requireReply(call: ApiCall, comment: CommentRecord): ReplyRecord {
  const replyId = pathParameter(call, 'replyId');
  const reply = comment.replies.find(({ id }) => id === replyId);
  if (reply !== undefined && (booleanParameter(call, 'includeDeleted', false) || !reply.deleted)) return reply;
  throw notFound(`Reply not found: ${replyId}.`, 'replyId');
}

/** Only its author changes a remark. */
function requireAuthor(call: ApiCall, file: DriveFile, remark: CommentRecord | ReplyRecord): void {
  if (remark.author !== call.caller.account.sub) throw insufficientPermissions(file.id);
}

function nowText(call: ApiCall): string {
  return new Date(call.sim.clock.nowMs()).toISOString();
}

function storeComment(call: ApiCall, file: DriveFile, comment: CommentRecord, subtype: string): void {
  const { drive } = call.sim;
  const notes = drive.notes(file.id);
  const isNew = notes.comments.every(({ id }) => id !== comment.id);
  const comments = isNew
    ? [...notes.comments, comment]
    : notes.comments.map((entry) => (entry.id === comment.id ? comment : entry));
  const apply = () => drive.putNotes(file.id, { ...notes, comments });
  applyChange(call, { fileIds: [file.id], apply }, 'update', { comment: { post: { subtype }, mentionedUsers: [] } });
}

function readQuoted(value: unknown): Record<string, string> | null {
  if (!isRecord(value)) return null;
  const { mimeType, value: text } = value;
  return {
    ...(typeof mimeType === 'string' ? { mimeType } : {}),
    ...(typeof text === 'string' ? { value: text } : {}),
  };
}

/** `comments.create`: by who has the role commenter or more. */
export function createComment(call: ApiCall): ApiResult {
  requireFields(call);
  const file = requireCommenting(call);
  const body = jsonBody(call.http);
  const time = nowText(call);
  const comment: CommentRecord = {
    id: `AAAA${randomText(9)}`,
    author: call.caller.account.sub,
    content: requireContent(body.content),
    createdTime: time,
    modifiedTime: time,
    deleted: false,
    anchor: typeof body.anchor === 'string' ? body.anchor : null,
    quotedFileContent: readQuoted(body.quotedFileContent),
    resolved: null,
    replies: [],
  };
  storeComment(call, file, comment, 'ADDED');
  return { resource: describeComment(call, comment) };
}

/** `comments.get`. */
export function getComment(call: ApiCall): ApiResult {
  requireFields(call);
  return { resource: describeComment(call, requireComment(call, requireCommented(call))) };
}

function readPage<T>(call: ApiCall, all: readonly T[], key: string): { page: T[]; next: Record<string, string> } {
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, key);
  if (offset === undefined) throw invalidValue('pageToken');
  const { page, next } = takePage(all, offset, integerParameter(call, 'pageSize', 20));
  return { page, next: next === undefined ? {} : { nextPageToken: encodePageToken(next, key) } };
}

/** `comments.list`: the one changed last first. */
export function listComments(call: ApiCall): ApiResult {
  requireFields(call);
  const file = requireCommented(call);
  const start = call.query.get('startModifiedTime');
  const startMs = start === null ? 0 : Date.parse(start);
  if (Number.isNaN(startMs)) throw invalidParameter('startModifiedTime', `Invalid value: ${start}`);
  const withDeleted = booleanParameter(call, 'includeDeleted', false);
  const comments = call.sim.drive
    .notes(file.id)
    .comments.filter(({ deleted, modifiedTime }) => (withDeleted || !deleted) && Date.parse(modifiedTime) >= startMs)
    .toSorted((one, other) => other.modifiedTime.localeCompare(one.modifiedTime));
  const { page, next } = readPage(call, comments, `comments ${file.id} ${start} ${withDeleted}`);
  return {
    resource: { kind: 'drive#commentList', ...next, comments: page.map((comment) => describeComment(call, comment)) },
  };
}

/** `comments.update`: the text, by the author. */
export function updateComment(call: ApiCall): ApiResult {
  requireFields(call);
  const file = requireCommenting(call);
  const comment = requireComment(call, file);
  requireAuthor(call, file, comment);
  const content = readContent(jsonBody(call.http).content) ?? comment.content;
  const changed = { ...comment, content, modifiedTime: nowText(call) };
  storeComment(call, file, changed, 'SUBTYPE_UNSPECIFIED');
  return { resource: describeComment(call, changed) };
}

/** `comments.delete`: the text goes, the record stays for `includeDeleted`; 204. */
export function deleteComment(call: ApiCall): ApiResult {
  const file = requireCommented(call);
  const comment = requireComment(call, file);
  requireAuthor(call, file, comment);
  storeComment(call, file, { ...comment, content: '', deleted: true, modifiedTime: nowText(call) }, 'DELETED');
  return { response: emptyResponse(204, API_HEADERS) };
}

/** `replies.create`: text, or an action that resolves or reopens the comment, or both. */
export function createReply(call: ApiCall): ApiResult {
  requireFields(call);
  const file = requireCommenting(call);
  const comment = requireComment(call, file);
  const body = jsonBody(call.http);
  const { action } = body;
  if (action !== undefined && action !== 'resolve' && action !== 'reopen') {
    throw badRequest(`Unknown action: ${String(action)}. Use resolve or reopen.`);
  }
  const time = nowText(call);
  const reply: ReplyRecord = {
    id: `AAAB${randomText(9)}`,
    author: call.caller.account.sub,
    content: action === undefined ? requireContent(body.content) : (readContent(body.content) ?? ''),
    createdTime: time,
    modifiedTime: time,
    deleted: false,
    action: action ?? null,
  };
  const resolved = action === undefined ? comment.resolved : action === 'resolve';
  const subtypes = { resolve: 'RESOLVED', reopen: 'REOPENED' } as const;
  const subtype = action === undefined ? 'REPLY_ADDED' : subtypes[action];
  storeComment(call, file, { ...comment, resolved, modifiedTime: time, replies: [...comment.replies, reply] }, subtype);
  return { resource: describeReply(call, reply) };
}

/** `replies.get`. */
export function getReply(call: ApiCall): ApiResult {
  requireFields(call);
  return { resource: describeReply(call, requireReply(call, requireComment(call, requireCommented(call)))) };
}

/** `replies.list`: oldest first. */
export function listReplies(call: ApiCall): ApiResult {
  requireFields(call);
  const comment = requireComment(call, requireCommented(call));
  const withDeleted = booleanParameter(call, 'includeDeleted', false);
  const replies = comment.replies.filter(({ deleted }) => withDeleted || !deleted);
  const { page, next } = readPage(call, replies, `replies ${comment.id} ${withDeleted}`);
  return { resource: { kind: 'drive#replyList', ...next, replies: page.map((reply) => describeReply(call, reply)) } };
}

function storeReply(call: ApiCall, file: DriveFile, comment: CommentRecord, reply: ReplyRecord, subtype: string): void {
  const replies = comment.replies.map((entry) => (entry.id === reply.id ? reply : entry));
  storeComment(call, file, { ...comment, modifiedTime: reply.modifiedTime, replies }, subtype);
}

/** `replies.update`: the text, by the author. */
export function updateReply(call: ApiCall): ApiResult {
  requireFields(call);
  const file = requireCommenting(call);
  const comment = requireComment(call, file);
  const reply = requireReply(call, comment);
  requireAuthor(call, file, reply);
  const content = readContent(jsonBody(call.http).content) ?? reply.content;
  const changed = { ...reply, content, modifiedTime: nowText(call) };
  storeReply(call, file, comment, changed, 'SUBTYPE_UNSPECIFIED');
  return { resource: describeReply(call, changed) };
}

/** `replies.delete`: 204. */
export function deleteReply(call: ApiCall): ApiResult {
  const file = requireCommented(call);
  const comment = requireComment(call, file);
  const reply = requireReply(call, comment);
  requireAuthor(call, file, reply);
  const deleted = { ...reply, content: '', deleted: true, modifiedTime: nowText(call) };
  storeReply(call, file, comment, deleted, 'REPLY_DELETED');
  return { response: emptyResponse(204, API_HEADERS) };
}
