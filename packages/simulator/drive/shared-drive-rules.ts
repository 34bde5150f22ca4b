import type { ApiCall } from '../api/call.ts';
import { type RefusalName, refusal } from '../api/refusals.ts';
import { type DriveFile, FOLDER_TYPE, type Role } from '../state/drive.ts';
import { capabilitiesOf } from './capabilities.ts';
import { isAtLeast } from './permissions.ts';
import { insufficientPermissions, refuseAppData, roleOf } from './visibility.ts';

/** Members of a File that items in shared drives do not have, and those that only they have (Drive API v3, "Files"). */
const MEMBERS: Readonly<Record<'myDriveOnly' | 'sharedDriveOnly', readonly string[]>> = {
  myDriveOnly: ['owners', 'ownedByMe', 'permissions', 'shared', 'writersCanShare'],
  sharedDriveOnly: ['driveId', 'teamDriveId', 'hasAugmentedPermissions', 'trashedTime', 'trashingUser'],
};

/** Members that a body must not set on an item in a shared drive. */
const NOT_SET: Readonly<Record<string, RefusalName>> = { writersCanShare: 'sharingRestrictionInDrive' };

/** A File resource without what its place does not have. */
export function populated(file: DriveFile, resource: Record<string, unknown>): Record<string, unknown> {
  const missing = file.driveId === null ? MEMBERS.sharedDriveOnly : MEMBERS.myDriveOnly;
  return Object.fromEntries(Object.entries(resource).filter(([name]) => !missing.includes(name)));
}

/**
 * Refuses members of a body that items in shared drives cannot have.
 * @param driveId of the item, or of the folder it is created in
 */
export function checkSettable(driveId: string | null, metadata: Record<string, unknown>): void {
  if (driveId === null) return;
  const name = Object.keys(NOT_SET).find((member) => metadata[member] !== undefined && metadata[member] !== null);
  const row = name === undefined ? undefined : NOT_SET[name];
  if (row !== undefined) throw refusal(row);
}

/** Where a permission is given: in My Drive, on a shared drive itself, or on a folder or a file in one. */
type SharedPlace = 'myDrive' | 'drive' | 'folder' | 'file';

/** Roles that do not exist everywhere, with what is answered where they do not. */
const ROLE_PLACES: Readonly<Partial<Record<Role, Readonly<Partial<Record<SharedPlace, RefusalName>>>>>> = {
  owner: { drive: 'ownerInDrive', folder: 'ownerInDrive', file: 'ownerInDrive' },
  organizer: { myDrive: 'organizerInMyDrive', folder: 'organizerOfItem', file: 'organizerOfItem' },
  fileOrganizer: { myDrive: 'fileOrganizerInMyDrive', file: 'fileOrganizerOfFile' },
};

function placeOf({ id, driveId, mimeType }: DriveFile): SharedPlace {
  if (driveId === null) return 'myDrive';
  if (driveId === id) return 'drive';
  return mimeType === FOLDER_TYPE ? 'folder' : 'file';
}

/** Refuses a role that does not exist where it is given. @throws {ApiError} 403 */
export function checkRolePlace(file: DriveFile, role: Role): void {
  const row = ROLE_PLACES[role]?.[placeOf(file)];
  if (row !== undefined) throw refusal(row);
}

/** A move between My Drive and shared drives, or between two of these. */
interface Crossing {
  file: DriveFile;
  folder: DriveFile;
  role: Role;
  isOwnerMember: boolean;
}

/** What stops a move from one Drive to another, in the order in which it is answered. */
const CROSSINGS: readonly { refused: RefusalName; when(crossing: Crossing): boolean }[] = [
  { refused: 'trashedIntoDrive', when: ({ file, folder }) => file.trashed && folder.driveId !== null },
  { refused: 'trashedOutOfDrive', when: ({ file }) => file.trashed && file.driveId !== null },
  {
    refused: 'folderIntoDrive',
    when: ({ file, folder }) => file.mimeType === FOLDER_TYPE && file.driveId === null && folder.driveId !== null,
  },
  {
    refused: 'ownerNotMember',
    when: ({ file, folder, role, isOwnerMember }) =>
      file.driveId === null && folder.driveId !== null && role === 'writer' && !isOwnerMember,
  },
];

/** True when the owner of a file in My Drive is a member of a shared drive. */
function isOwnerMember(call: ApiCall, file: DriveFile, folder: DriveFile): boolean {
  const root = folder.driveId === null ? undefined : call.sim.drive.find(folder.driveId);
  return root !== undefined && file.ownerSub !== null && call.sim.drive.of(file.ownerSub).accessTo(root) !== undefined;
}

/** Checks a move between My Drive and shared drives. @throws {ApiError} 403 */
export function checkCrossing(call: ApiCall, file: DriveFile, folder: DriveFile): void {
  refuseAppData(file);
  if (file.space !== folder.space) refuseAppData(folder);
  if (file.driveId === folder.driveId) return;
  const role = roleOf(call, file) ?? 'reader';
  const crossing = { file, folder, role, isOwnerMember: isOwnerMember(call, file, folder) };
  const stop = CROSSINGS.find(({ when }) => when(crossing));
  if (stop !== undefined) throw refusal(stop.refused);
  const can = capabilitiesOf(call.sim.drive, file, call.caller.account, role);
  // A writer moves a member's file into a shared drive; out of one, and what is one's own, goes by the capability.
  const asWriter = file.driveId === null && isAtLeast(role, 'writer');
  if (can.canMoveItemOutOfDrive !== true && !asWriter) throw insufficientPermissions(file.id);
}
