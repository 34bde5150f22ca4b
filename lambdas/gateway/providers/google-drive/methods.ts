import { googleMethods } from '../google/methods.ts';
import type { ApiMethod } from '../provider.rules.ts';

/** Units of the project's quota by kind of call (Google, "Usage limits" of the Drive API, May 2026). */
const UNITS = { read: 5, list: 100, download: 200, edit: 50, other: 5 };

/**
 * Every method of Google Drive API v3 with what a call of it takes: ids and paths from its discovery document (revision
 * 20260916). Google names no units of `changes.list`, exports, uploads and watches; they stand here as a list, a download, an edit
 * and another call.
 */
const METHODS = [
  'about.get GET about read',
  'accessproposals.get GET files/{}/accessproposals/{} read',
  'accessproposals.list GET files/{}/accessproposals list',
  'accessproposals.resolve POST files/{}/accessproposals/{}:resolve edit',
  'approvals.approve POST files/{}/approvals/{}:approve edit',
  'approvals.cancel POST files/{}/approvals/{}:cancel edit',
  'approvals.comment POST files/{}/approvals/{}:comment edit',
  'approvals.decline POST files/{}/approvals/{}:decline edit',
  'approvals.get GET files/{}/approvals/{} read',
  'approvals.list GET files/{}/approvals list',
  'approvals.reassign POST files/{}/approvals/{}:reassign edit',
  'approvals.start POST files/{}/approvals:start edit',
  'apps.get GET apps/{} read',
  'apps.list GET apps list',
  'changes.getStartPageToken GET changes/startPageToken other',
  'changes.list GET changes list',
  'changes.watch POST changes/watch other',
  'channels.stop POST channels/stop other',
  'comments.create POST files/{}/comments edit',
  'comments.delete DELETE files/{}/comments/{} edit',
  'comments.get GET files/{}/comments/{} read',
  'comments.list GET files/{}/comments list',
  'comments.update PATCH files/{}/comments/{} edit',
  'drives.create POST drives edit',
  'drives.delete DELETE drives/{} edit',
  'drives.get GET drives/{} read',
  'drives.hide POST drives/{}/hide edit',
  'drives.list GET drives list',
  'drives.unhide POST drives/{}/unhide edit',
  'drives.update PATCH drives/{} edit',
  'files.copy POST files/{}/copy edit',
  'files.create POST files edit',
  'files.delete DELETE files/{} edit',
  'files.download POST files/{}/download download',
  'files.emptyTrash DELETE files/trash edit',
  'files.export GET files/{}/export download',
  'files.generateCseToken GET files/generateCseToken other',
  'files.generateIds GET files/generateIds other',
  'files.get GET files/{} read download',
  'files.list GET files list',
  'files.listLabels GET files/{}/listLabels list',
  'files.modifyLabels POST files/{}/modifyLabels edit',
  'files.update PATCH files/{} edit',
  'files.watch POST files/{}/watch other',
  'operations.get GET operations/{} read',
  'permissions.create POST files/{}/permissions edit',
  'permissions.delete DELETE files/{}/permissions/{} edit',
  'permissions.get GET files/{}/permissions/{} read',
  'permissions.list GET files/{}/permissions list',
  'permissions.update PATCH files/{}/permissions/{} edit',
  'replies.create POST files/{}/comments/{}/replies edit',
  'replies.delete DELETE files/{}/comments/{}/replies/{} edit',
  'replies.get GET files/{}/comments/{}/replies/{} read',
  'replies.list GET files/{}/comments/{}/replies list',
  'replies.update PATCH files/{}/comments/{}/replies/{} edit',
  'revisions.delete DELETE files/{}/revisions/{} edit',
  'revisions.get GET files/{}/revisions/{} read download',
  'revisions.list GET files/{}/revisions list',
  'revisions.update PATCH files/{}/revisions/{} edit',
  'teamdrives.create POST teamdrives edit',
  'teamdrives.delete DELETE teamdrives/{} edit',
  'teamdrives.get GET teamdrives/{} read',
  'teamdrives.list GET teamdrives list',
  'teamdrives.update PATCH teamdrives/{} edit',
];

/** A resumable upload goes on with PUT. */
const UPLOADS = [
  'files.create POST files edit',
  'files.create PUT files edit',
  'files.update PATCH files/{} edit',
  'files.update PUT files/{} edit',
];

/** Where Google's Java and Objective-C clients fetch media. */
const DOWNLOADS = [
  'files.get GET files/{} download',
  'files.export GET files/{}/export download',
  'revisions.get GET files/{}/revisions/{} download',
];

/** The methods of the Drive API, and that of the Drive Activity API, which has quotas of its own. */
export const DRIVE_METHODS: readonly ApiMethod[] = [
  ...googleMethods('drive', '/drive/v3/', METHODS, UNITS),
  ...googleMethods('drive', '/upload/drive/v3/', UPLOADS, UNITS),
  ...googleMethods('drive', '/resumable/upload/drive/v3/', UPLOADS, UNITS),
  ...googleMethods('drive', '/download/drive/v3/', DOWNLOADS, UNITS),
  ['driveactivity.activity.query', 'POST', '/v2/activity:query', 0],
];
