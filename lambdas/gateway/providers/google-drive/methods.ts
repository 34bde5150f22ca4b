import { googleMethods } from '../google/methods.ts';
import type { ApiMethod } from '../provider.rules.ts';

/** Units of the project's quota by kind of call; any other call is an edit (Google, "Usage limits" of the Drive API, May 2026). */
const UNITS = { get: 5, list: 100, download: 200, other: 5 };
const EDIT_UNITS = 50;

/**
 * Every method of Google Drive API v3 with the units of a call: ids and paths from its discovery document (revision 20260916). Google
 * publishes no units for `changes.list`, exports, uploads and watches; here they count as a list, a download, an edit and another call.
 */
const METHODS = [
  'about.get GET about',
  'accessproposals.get GET files/{}/accessproposals/{}',
  'accessproposals.list GET files/{}/accessproposals',
  'accessproposals.resolve POST files/{}/accessproposals/{}:resolve',
  'approvals.approve POST files/{}/approvals/{}:approve',
  'approvals.cancel POST files/{}/approvals/{}:cancel',
  'approvals.comment POST files/{}/approvals/{}:comment',
  'approvals.decline POST files/{}/approvals/{}:decline',
  'approvals.get GET files/{}/approvals/{}',
  'approvals.list GET files/{}/approvals',
  'approvals.reassign POST files/{}/approvals/{}:reassign',
  'approvals.start POST files/{}/approvals:start',
  'apps.get GET apps/{}',
  'apps.list GET apps',
  'changes.getStartPageToken GET changes/startPageToken other',
  'changes.list GET changes',
  'changes.watch POST changes/watch other',
  'channels.stop POST channels/stop other',
  'comments.create POST files/{}/comments',
  'comments.delete DELETE files/{}/comments/{}',
  'comments.get GET files/{}/comments/{}',
  'comments.list GET files/{}/comments',
  'comments.update PATCH files/{}/comments/{}',
  'drives.create POST drives',
  'drives.delete DELETE drives/{}',
  'drives.get GET drives/{}',
  'drives.hide POST drives/{}/hide',
  'drives.list GET drives',
  'drives.unhide POST drives/{}/unhide',
  'drives.update PATCH drives/{}',
  'files.copy POST files/{}/copy',
  'files.create POST files',
  'files.delete DELETE files/{}',
  'files.download POST files/{}/download',
  'files.emptyTrash DELETE files/trash',
  'files.export GET files/{}/export download',
  'files.generateCseToken GET files/generateCseToken other',
  'files.generateIds GET files/generateIds other',
  'files.get GET files/{} get download',
  'files.list GET files',
  'files.listLabels GET files/{}/listLabels list',
  'files.modifyLabels POST files/{}/modifyLabels',
  'files.update PATCH files/{}',
  'files.watch POST files/{}/watch other',
  'operations.get GET operations/{}',
  'permissions.create POST files/{}/permissions',
  'permissions.delete DELETE files/{}/permissions/{}',
  'permissions.get GET files/{}/permissions/{}',
  'permissions.list GET files/{}/permissions',
  'permissions.update PATCH files/{}/permissions/{}',
  'replies.create POST files/{}/comments/{}/replies',
  'replies.delete DELETE files/{}/comments/{}/replies/{}',
  'replies.get GET files/{}/comments/{}/replies/{}',
  'replies.list GET files/{}/comments/{}/replies',
  'replies.update PATCH files/{}/comments/{}/replies/{}',
  'revisions.delete DELETE files/{}/revisions/{}',
  'revisions.get GET files/{}/revisions/{} get download',
  'revisions.list GET files/{}/revisions',
  'revisions.update PATCH files/{}/revisions/{}',
  'teamdrives.create POST teamdrives',
  'teamdrives.delete DELETE teamdrives/{}',
  'teamdrives.get GET teamdrives/{}',
  'teamdrives.list GET teamdrives',
  'teamdrives.update PATCH teamdrives/{}',
];

/** A resumable upload continues with PUT. */
const UPLOADS = [
  'files.create POST files',
  'files.create PUT files',
  'files.update PATCH files/{}',
  'files.update PUT files/{}',
];

/** Where Google's Java and Objective-C clients fetch media: their bytes, without `alt=media`. */
const DOWNLOADS = [
  'files.get#media GET files/{} download',
  'files.export GET files/{}/export download',
  'revisions.get#media GET files/{}/revisions/{} download',
];

/** The methods of the Drive API, and that of the Drive Activity API, which has separate quotas. */
export const DRIVE_METHODS: readonly ApiMethod[] = [
  ...googleMethods('drive', '/drive/v3/', METHODS, UNITS, EDIT_UNITS),
  ...googleMethods('drive', '/upload/drive/v3/', UPLOADS, UNITS, EDIT_UNITS),
  ...googleMethods('drive', '/resumable/upload/drive/v3/', UPLOADS, UNITS, EDIT_UNITS),
  ...googleMethods('drive', '/download/drive/v3/', DOWNLOADS, UNITS, EDIT_UNITS),
  ['driveactivity.activity.query', 'POST', '/v2/activity:query', 0],
];
