import { absent, type MethodEntries, partial, whole } from '../api/coverage.ts';
import { stopChannel, watchChanges, watchFile } from '../api/watch.ts';
import { getAbout } from './about.ts';
import { getProposal, listProposals, resolveProposal } from './access-proposals.ts';
import {
  approve,
  cancelApproval,
  commentApproval,
  decline,
  getApproval,
  listApprovals,
  reassignApproval,
  startApproval,
} from './approvals.ts';
import { getApp, listApps } from './apps.ts';
import { copyFile, createOrUpload, deleteFile, emptyTrash, generateIds, updateOrUpload } from './change-files.ts';
import {
  createComment,
  createReply,
  deleteComment,
  deleteReply,
  getComment,
  getReply,
  listComments,
  listReplies,
  updateComment,
  updateReply,
} from './comments.ts';
import { exportDocument, getOperation, startDownload } from './export-file.ts';
import { getFile } from './get-file.ts';
import { listLabels, modifyLabels } from './labels.ts';
import { getStartPageToken, listChanges } from './list-changes.ts';
import { listFiles } from './list-files.ts';
import { deleteRevision, getRevision, listRevisions, updateRevision } from './revisions.ts';
import {
  createDrive,
  deleteDrive,
  getDrive,
  hideDrive,
  listDrives,
  unhideDrive,
  updateDrive,
} from './shared-drives.ts';
import { createPermission, deletePermission, getPermission, listPermissions, updatePermission } from './sharing.ts';

/** Every method of Drive v3, with how much of it the simulator has; the pages are guides of the Google Drive API. */
export const DRIVE_METHODS: MethodEntries = {
  'drive.about.get': partial('Return user info', 'photos and real quotas', getAbout),
  'drive.accessproposals.get': whole('Manage pending access proposals', getProposal),
  'drive.accessproposals.list': whole('Manage pending access proposals', listProposals),
  'drive.accessproposals.resolve': whole('Manage pending access proposals', resolveProposal),
  'drive.approvals.approve': partial('Manage approvals', 'e-mails', approve),
  'drive.approvals.cancel': partial('Manage approvals', 'e-mails', cancelApproval),
  'drive.approvals.comment': partial('Manage approvals', 'e-mails, and the text is in no answer', commentApproval),
  'drive.approvals.decline': partial('Manage approvals', 'e-mails', decline),
  'drive.approvals.get': whole('Manage approvals', getApproval),
  'drive.approvals.list': whole('Manage approvals', listApprovals),
  'drive.approvals.reassign': partial('Manage approvals', 'e-mails', reassignApproval),
  'drive.approvals.start': partial('Manage approvals', 'e-mails; `lockFile` is not kept', startApproval),
  'drive.apps.get': partial(
    'Return user-installed apps',
    'icons, links and the types an app opens: a simulated app is a Cloud project the user granted',
    getApp,
  ),
  'drive.apps.list': partial(
    'Return user-installed apps',
    'icons, links and the types an app opens: a simulated app is a Cloud project the user granted',
    listApps,
  ),
  'drive.changes.getStartPageToken': whole('Retrieve changes', getStartPageToken),
  'drive.changes.list': whole('Retrieve changes', listChanges),
  'drive.changes.watch': partial(
    'Notifications for resource changes',
    'messages go to addresses on this machine only',
    watchChanges,
  ),
  'drive.channels.stop': whole('Notifications for resource changes', stopChannel),
  'drive.comments.create': whole('Manage comments and replies', createComment),
  'drive.comments.delete': whole('Manage comments and replies', deleteComment),
  'drive.comments.get': whole('Manage comments and replies', getComment),
  'drive.comments.list': whole('Manage comments and replies', listComments),
  'drive.comments.update': whole('Manage comments and replies', updateComment),
  'drive.drives.create': partial('Manage shared drives', "background pictures of one's own", createDrive),
  'drive.drives.delete': whole('Manage shared drives', deleteDrive),
  'drive.drives.get': whole('Manage shared drives', getDrive),
  'drive.drives.hide': whole('Manage shared drives', hideDrive),
  'drive.drives.list': whole('Manage shared drives', listDrives),
  'drive.drives.unhide': whole('Manage shared drives', unhideDrive),
  'drive.drives.update': partial('Manage shared drives', "background pictures of one's own", updateDrive),
  'drive.files.copy': partial('Create and manage files', 'comments of the original (`copyComments`)', copyFile),
  'drive.files.create': partial(
    'Create and manage files',
    'OCR, and conversion of PDF, pictures and the old binary Office formats (they become an empty document)',
    createOrUpload,
  ),
  'drive.files.delete': whole('Trash or delete files and folders', deleteFile),
  'drive.files.download': partial(
    'Download and export files',
    "`downloadUri` leads to Google's host, where there is nothing",
    startDownload,
  ),
  'drive.files.emptyTrash': whole('Trash or delete files and folders', emptyTrash),
  'drive.files.export': partial('Download and export files', 'layout: the formats hold the text alone', exportDocument),
  'drive.files.generateCseToken': absent(
    'Method: files.generateCseToken',
    "needs a customer's own key service, whose answers Google does not document",
  ),
  'drive.files.generateIds': whole('Create and manage files', generateIds),
  'drive.files.get': partial('Return specific fields', 'thumbnails, media metadata of pictures and videos', getFile),
  'drive.files.list': partial(
    'Search for files and folders',
    'relevance of `fullText` (a match is a match)',
    listFiles,
  ),
  'drive.files.listLabels': whole('List labels on a file', listLabels),
  'drive.files.modifyLabels': partial(
    'Set a label field on a file',
    'the Labels API: any label and field id is taken',
    modifyLabels,
  ),
  'drive.files.update': partial('Create and manage files', 'the same as of `files.create`', updateOrUpload),
  'drive.files.watch': partial(
    'Notifications for resource changes',
    'messages go to addresses on this machine only',
    watchFile,
  ),
  'drive.operations.get': partial(
    'Download and export files',
    "`downloadUri` leads to Google's host, where there is nothing",
    getOperation,
  ),
  'drive.permissions.create': partial('Share files, folders, and drives', 'e-mails', createPermission),
  'drive.permissions.delete': whole('Share files, folders, and drives', deletePermission),
  'drive.permissions.get': whole('Share files, folders, and drives', getPermission),
  'drive.permissions.list': whole('Share files, folders, and drives', listPermissions),
  'drive.permissions.update': whole('Share files, folders, and drives', updatePermission),
  'drive.replies.create': whole('Manage comments and replies', createReply),
  'drive.replies.delete': whole('Manage comments and replies', deleteReply),
  'drive.replies.get': whole('Manage comments and replies', getReply),
  'drive.replies.list': whole('Manage comments and replies', listReplies),
  'drive.replies.update': whole('Manage comments and replies', updateReply),
  'drive.revisions.delete': whole('Manage file revisions', deleteRevision),
  'drive.revisions.get': whole('Manage file revisions', getRevision),
  'drive.revisions.list': whole('Manage file revisions', listRevisions),
  'drive.revisions.update': whole('Manage file revisions', updateRevision),
  'drive.teamdrives.create': partial('Manage shared drives', "background pictures of one's own", createDrive),
  'drive.teamdrives.delete': whole('Manage shared drives', deleteDrive),
  'drive.teamdrives.get': whole('Manage shared drives', getDrive),
  'drive.teamdrives.list': whole('Manage shared drives', listDrives),
  'drive.teamdrives.update': partial('Manage shared drives', "background pictures of one's own", updateDrive),
};
