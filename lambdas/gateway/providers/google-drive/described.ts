import type { DescribedMethod, Members } from '../described-methods.rules.ts';

/** Parameters that shape the answer, and those that Google ignores since files have one folder. */
const ANSWER: Members = { includeLabels: 'none', includePermissionsForView: 'none', enforceSingleParent: 'none' };
const ALL_DRIVES: Members = { supportsAllDrives: 'none', supportsTeamDrives: 'none' };
const CONTENT: Members = {
  keepRevisionForever: 'flag',
  ocrLanguage: 'text',
  useContentAsIndexableText: 'flag',
};

const FILE: Members = {
  kind: 'none',
  name: 'text',
  description: 'text',
  mimeType: 'text',
  originalFilename: 'text',
  starred: 'flag',
  folderColorRgb: 'text',
  modifiedTime: 'time',
  viewedByMeTime: 'time',
  properties: 'texts',
  appProperties: 'texts',
  copyRequiresWriterPermission: 'flag',
  viewersCanCopyContent: 'flag',
  writersCanShare: 'flag',
  inheritedPermissionsDisabled: 'flag',
  contentRestrictions: [{ readOnly: 'flag', reason: 'text', ownerRestricted: 'flag' }],
  contentHints: { indexableText: 'text' },
  downloadRestrictions: { itemDownloadRestriction: { restrictedForReaders: 'flag', restrictedForWriters: 'flag' } },
};
const NEW_FILE: Members = { ...FILE, id: 'id', createdTime: 'time', parents: ['folder'] };

const DOWNLOADS: Members = { restrictedForReaders: 'flag', restrictedForWriters: 'flag' };
const RESTRICTIONS: Members = {
  adminManagedRestrictions: 'flag',
  copyRequiresWriterPermission: 'flag',
  domainUsersOnly: 'flag',
  downloadRestriction: DOWNLOADS,
  sharingFoldersRequiresOrganizerPermission: 'flag',
};
const DRIVE: Members = {
  kind: 'none',
  name: 'text',
  themeId: 'text',
  colorRgb: 'text',
  backgroundImageFile: { id: 'file', width: 'number', xCoordinate: 'number', yCoordinate: 'number' },
  restrictions: { ...RESTRICTIONS, driveMembersOnly: 'flag' },
};
const TEAM_DRIVE: Members = { ...DRIVE, restrictions: { ...RESTRICTIONS, teamMembersOnly: 'flag' } };

const SHARING: Members = {
  kind: 'none',
  role: 'owner|organizer|fileOrganizer|writer|commenter|reader',
  expirationTime: 'time',
  pendingOwner: 'flag',
  view: 'published|metadata',
};
const SHARING_QUERY: Members = {
  ...ALL_DRIVES,
  enforceExpansiveAccess: 'flag',
  transferOwnership: 'flag',
  useDomainAdminAccess: 'flag',
};
const MESSAGE: Members = { message: 'text' };

/** Every writing method of the Drive API with the description of its calls for a person (AP-30). */
export const DESCRIBED_IN_DRIVE: Readonly<Record<string, DescribedMethod>> = {
  'accessproposals.resolve': {
    call: 'POST files/{file}/accessproposals/{proposal}:resolve',
    body: {
      action: 'ACCEPT|DENY',
      role: ['writer|commenter|reader'],
      view: 'published|metadata',
      sendNotification: 'flag',
    },
    needs: ['action'],
    implies: [['action=ACCEPT', 'role']],
    never: [
      ['action=DENY', 'role'],
      ['action=DENY', 'view'],
    ],
  },
  'approvals.approve': { call: 'POST files/{file}/approvals/{review}:approve', body: MESSAGE },
  'approvals.cancel': { call: 'POST files/{file}/approvals/{review}:cancel', body: MESSAGE },
  'approvals.comment': { call: 'POST files/{file}/approvals/{review}:comment', body: MESSAGE },
  'approvals.decline': { call: 'POST files/{file}/approvals/{review}:decline', body: MESSAGE },
  'approvals.reassign': {
    call: 'POST files/{file}/approvals/{review}:reassign',
    body: {
      ...MESSAGE,
      addReviewers: [{ addedReviewerEmail: 'address' }],
      replaceReviewers: [{ addedReviewerEmail: 'address', removedReviewerEmail: 'address' }],
    },
  },
  'approvals.start': {
    call: 'POST files/{file}/approvals:start',
    body: {
      ...MESSAGE,
      reviewerEmails: ['address'],
      dueTime: 'time',
      lockFile: 'flag',
      fileContentChangeBehavior: 'RESET_APPROVAL|NO_APPROVAL_ACTION',
    },
  },
  'comments.create': {
    call: 'POST files/{file}/comments',
    body: { kind: 'none', content: 'text', anchor: 'text', quotedFileContent: { mimeType: 'text', value: 'text' } },
  },
  'comments.update': { call: 'PATCH files/{file}/comments/{comment}', body: { kind: 'none', content: 'text' } },
  'comments.delete': { call: 'DELETE files/{file}/comments/{comment}' },
  'replies.create': {
    call: 'POST files/{file}/comments/{comment}/replies',
    body: { kind: 'none', content: 'text', action: 'resolve|reopen' },
  },
  'replies.update': {
    call: 'PATCH files/{file}/comments/{comment}/replies/{reply}',
    body: { kind: 'none', content: 'text' },
  },
  'replies.delete': { call: 'DELETE files/{file}/comments/{comment}/replies/{reply}' },
  'revisions.update': {
    call: 'PATCH files/{file}/revisions/{revision}',
    body: {
      kind: 'none',
      keepForever: 'flag',
      published: 'flag',
      publishAuto: 'flag',
      publishedOutsideDomain: 'flag',
    },
  },
  'revisions.delete': { call: 'DELETE files/{file}/revisions/{revision}' },
  'drives.create': { call: 'POST drives', query: { requestId: 'none' }, body: DRIVE },
  'drives.update': { call: 'PATCH drives/{drive}', query: { useDomainAdminAccess: 'flag' }, body: DRIVE },
  'drives.delete': {
    call: 'DELETE drives/{drive}',
    query: { allowItemDeletion: 'flag', useDomainAdminAccess: 'flag' },
  },
  'drives.hide': { call: 'POST drives/{drive}/hide' },
  'drives.unhide': { call: 'POST drives/{drive}/unhide' },
  'teamdrives.create': { call: 'POST teamdrives', query: { requestId: 'none' }, body: TEAM_DRIVE },
  'teamdrives.update': {
    call: 'PATCH teamdrives/{drive}',
    query: { useDomainAdminAccess: 'flag' },
    body: TEAM_DRIVE,
  },
  'teamdrives.delete': { call: 'DELETE teamdrives/{drive}' },
  'files.copy': {
    call: 'POST files/{file}/copy',
    query: {
      ...ALL_DRIVES,
      ...ANSWER,
      copyComments: 'flag',
      ignoreDefaultVisibility: 'flag',
      keepRevisionForever: 'flag',
      ocrLanguage: 'text',
    },
    body: NEW_FILE,
  },
  'files.create': {
    call: 'POST files',
    query: { ...ALL_DRIVES, ...ANSWER, ...CONTENT, ignoreDefaultVisibility: 'flag' },
    body: { ...NEW_FILE, shortcutDetails: { targetId: 'file' } },
    upload: 'POST files',
    never: [['shortcutDetails', 'media']],
  },
  'files.update': {
    call: 'PATCH files/{file}',
    query: { ...ALL_DRIVES, ...ANSWER, ...CONTENT, addParents: 'folder', removeParents: 'folder' },
    body: { ...FILE, trashed: 'flag' },
    upload: 'PATCH files/{file}',
    never: [
      ['trashed', '?addParents'],
      ['trashed', '?removeParents'],
      ['trashed', 'media'],
    ],
  },
  'files.delete': { call: 'DELETE files/{file}', query: { ...ALL_DRIVES, enforceSingleParent: 'none' } },
  'files.emptyTrash': { call: 'DELETE files/trash', query: { driveId: 'id', enforceSingleParent: 'none' } },
  'files.modifyLabels': {
    call: 'POST files/{file}/modifyLabels',
    body: {
      kind: 'none',
      labelModifications: [
        {
          kind: 'none',
          labelId: 'id',
          removeLabel: 'flag',
          fieldModifications: [
            {
              kind: 'none',
              fieldId: 'id',
              unsetValues: 'flag',
              setDateValues: ['date'],
              setIntegerValues: ['number'],
              setSelectionValues: ['text'],
              setTextValues: ['text'],
              setUserValues: ['address'],
            },
          ],
        },
      ],
    },
  },
  'permissions.create': {
    call: 'POST files/{file}/permissions',
    query: {
      ...SHARING_QUERY,
      enforceSingleParent: 'none',
      emailMessage: 'text',
      moveToNewOwnersRoot: 'flag',
      sendNotificationEmail: 'flag',
    },
    body: {
      ...SHARING,
      type: 'user|group|domain|anyone',
      emailAddress: 'address',
      domain: 'domain',
      allowFileDiscovery: 'flag',
    },
    needs: ['type', 'role'],
    implies: [
      ['type=user', 'emailAddress'],
      ['type=group', 'emailAddress'],
      ['type=domain', 'domain'],
      ['role=owner', '?transferOwnership=true'],
      ['?transferOwnership=true', 'role=owner'],
    ],
    never: [
      ['type=user', 'domain'],
      ['type=user', 'allowFileDiscovery'],
      ['type=group', 'domain'],
      ['type=group', 'allowFileDiscovery'],
      ['type=group', 'role=owner'],
      ['type=group', 'pendingOwner'],
      ['type=domain', 'emailAddress'],
      ['type=domain', 'role=owner'],
      ['type=domain', 'expirationTime'],
      ['type=domain', 'pendingOwner'],
      ['type=domain', '?emailMessage'],
      ['type=anyone', 'emailAddress'],
      ['type=anyone', 'domain'],
      ['type=anyone', 'role=owner'],
      ['type=anyone', 'expirationTime'],
      ['type=anyone', 'pendingOwner'],
      ['type=anyone', '?emailMessage'],
      ['?sendNotificationEmail=false', '?emailMessage'],
    ],
  },
  'permissions.update': {
    call: 'PATCH files/{file}/permissions/{permission}',
    query: { ...SHARING_QUERY, removeExpiration: 'flag' },
    body: SHARING,
    implies: [
      ['role=owner', '?transferOwnership=true'],
      ['?transferOwnership=true', 'role=owner'],
    ],
    never: [['?removeExpiration=true', 'expirationTime']],
  },
  'permissions.delete': {
    call: 'DELETE files/{file}/permissions/{permission}',
    query: { ...ALL_DRIVES, enforceExpansiveAccess: 'flag', useDomainAdminAccess: 'flag' },
  },
};
