import type { SimAccount } from '../accounts.ts';
import type { DriveStore } from '../state/drive.ts';
import { type DriveFile, FOLDER_TYPE, type Role } from '../state/drive.ts';
import { isAtLeast } from './permissions.ts';

/** What a user may do with an item, each as the API's capability of that name. */
export type Capabilities = Readonly<Record<string, boolean>>;

/** True for content that only readers with more than reading may copy, by the file's or the shared drive's setting. */
function isCopyRestricted(store: DriveStore, file: DriveFile): boolean {
  if (file.extra.copyRequiresWriterPermission === true) return true;
  const drive = file.driveId === null ? undefined : store.drives().find(({ id }) => id === file.driveId);
  return drive?.restrictions.copyRequiresWriterPermission === true;
}

/** True when the content is locked (`contentRestrictions`). */
export function isLocked(file: DriveFile): boolean {
  const restrictions = file.extra.contentRestrictions;
  return Array.isArray(restrictions) && restrictions.some((entry: unknown) => readsReadOnly(entry));
}

function readsReadOnly(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'readOnly' in entry && entry.readOnly === true;
}

/**
 * The capabilities of a role on an item (Google Drive API, "Roles and permissions" and the File resource).
 * @param role what the user has on the item
 */
export function capabilitiesOf(store: DriveStore, file: DriveFile, account: SimAccount, role: Role): Capabilities {
  const has = (wanted: Role) => isAtLeast(role, wanted);
  const isFolder = file.mimeType === FOLDER_TYPE;
  const inDrive = file.driveId !== null;
  const isTop = file.parents.length === 0 && file.space === 'drive';
  const isAppData = file.space === 'appDataFolder';
  const canEdit = has('writer');
  const manages = inDrive ? has('fileOrganizer') : role === 'owner';
  const driveRules = inDrive ? (store.drives().find(({ id }) => id === file.driveId)?.restrictions ?? {}) : {};
  const foldersNeedManager = driveRules.sharingFoldersRequiresOrganizerPermission === true;
  const sharesInDrive = isFolder ? has(foldersNeedManager || isTop ? 'organizer' : 'fileOrganizer') : has('writer');
  const sharesOwn = role === 'owner' || (canEdit && file.extra.writersCanShare !== false);
  const canShare = !isAppData && (inDrive ? sharesInDrive : sharesOwn && !isTop);
  const canCopy = !isFolder && (!isCopyRestricted(store, file) || canEdit);
  const canDownload = !isFolder && (!isCopyRestricted(store, file) || canEdit);
  const trashed = store.isTrashed(file);
  const pendingOwner = store
    .permissionsOf(file)
    .some(({ record }) => record.pendingOwner && record.emailAddress === account.email);
  return {
    canAcceptOwnership: pendingOwner,
    canAddChildren: isFolder && canEdit,
    canAddMyDriveParent: false,
    canChangeCopyRequiresWriterPermission: !isFolder && canEdit,
    canChangeSecurityUpdateEnabled: false,
    canChangeViewersCanCopyContent: !isFolder && canEdit,
    canComment: has('commenter') && !isLocked(file),
    canCopy,
    canDelete: !isTop && (inDrive ? has('organizer') : role === 'owner'),
    canDisableInheritedPermissions: isFolder && !isTop && manages,
    canDownload,
    canEdit,
    canEnableInheritedPermissions: isFolder && !isTop && manages,
    canListChildren: isFolder,
    canModifyContent: canEdit && !isLocked(file),
    canModifyContentRestriction: !isFolder && canEdit,
    canModifyEditorContentRestriction: !isFolder && canEdit,
    canModifyLabels: !isFolder && canEdit,
    canModifyOwnerContentRestriction: !isFolder && role === 'owner',
    canMoveChildrenWithinDrive: isFolder && canEdit,
    canMoveItemOutOfDrive: !isTop && (inDrive ? has('organizer') : role === 'owner'),
    canMoveItemWithinDrive: !isTop && canEdit,
    canReadLabels: !isFolder,
    canReadRevisions: !isFolder && canEdit,
    canRemoveChildren: isFolder && canEdit && !inDrive,
    canRemoveContentRestriction: isLocked(file) && canEdit,
    canRemoveMyDriveParent: !isTop && !inDrive && role === 'owner',
    canRename: canEdit && !isTop,
    canShare,
    canStartApproval: !isFolder && canEdit,
    canTrash: !isTop && !isAppData && manages,
    canUntrash: !isTop && trashed && manages,
    ...(inDrive
      ? {
          canAddFolderFromAnotherDrive: isFolder && has('fileOrganizer'),
          canDeleteChildren: isFolder && has('organizer'),
          canMoveChildrenOutOfDrive: isFolder && has('organizer'),
          canReadDrive: true,
          canTrashChildren: isFolder && has('fileOrganizer'),
        }
      : {}),
  };
}
