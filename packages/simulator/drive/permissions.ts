import { isInGroup, type SimAccount } from '../accounts.ts';
import { sha256Hex } from '../random.ts';
import {
  type Access,
  type DriveFile,
  type EffectivePermission,
  type PermissionRecord,
  ROLES,
  type Role,
} from '../state/drive.ts';

/** True when a role is at least another. */
export function isAtLeast(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(wanted);
}

/** Id of an account's permissions, on every file the same. */
export function permissionIdOf(account: Pick<SimAccount, 'sub'>): string {
  return account.sub.slice(0, 20);
}

/** Id of the permission of an address that is no account's: 20 digits made from it. */
export function strangerPermissionId(address: string): string {
  return BigInt(`0x${sha256Hex(address.toLowerCase()).slice(0, 16)}`)
    .toString()
    .padStart(20, '0')
    .slice(0, 20);
}

/** A user's permission with nothing but a role. */
export function userPermission(account: SimAccount, role: Role): PermissionRecord {
  return {
    id: permissionIdOf(account),
    type: 'user',
    role,
    emailAddress: account.email,
    domain: null,
    allowFileDiscovery: false,
    expirationTime: null,
    view: null,
    pendingOwner: false,
  };
}

function direct(record: PermissionRecord, permissionType: 'file' | 'member'): EffectivePermission {
  return {
    record,
    role: record.role,
    sources: [{ permissionType, role: record.role, inherited: false, inheritedFrom: undefined }],
  };
}

/** What a folder's permission becomes on an item inside: an owner of the folder is a writer of what is not theirs. */
function inherit(permission: EffectivePermission, folderId: string): EffectivePermission {
  const lower = (role: Role): Role => (role === 'owner' ? 'writer' : role);
  const role = lower(permission.role);
  const record = permission.record.role === role ? permission.record : { ...permission.record, role };
  const sources = permission.sources.map((source) => ({
    ...source,
    role: lower(source.role),
    inherited: true,
    inheritedFrom: source.inheritedFrom ?? folderId,
  }));
  return { record, role, sources };
}

function merge(own: EffectivePermission, inherited: EffectivePermission): EffectivePermission {
  const higher = isAtLeast(own.role, inherited.role) ? own : inherited;
  return { record: higher.record, role: higher.role, sources: [...own.sources, ...inherited.sources] };
}

/**
 * All permissions that count on an item.
 * @param owner the owner's permission; undefined in a shared drive
 * @param folder the folder it lies in, with the permissions that count there
 */
export function combinePermissions(
  file: DriveFile,
  owner: PermissionRecord | undefined,
  folder: { id: string; permissions: readonly EffectivePermission[] } | undefined,
): EffectivePermission[] {
  const isDriveRoot = file.driveId === file.id;
  const own = [...(owner === undefined ? [] : [owner]), ...file.permissions];
  const found = new Map(own.map((record) => [record.id, direct(record, isDriveRoot ? 'member' : 'file')]));
  // Limited access cuts the folders off; who manages a shared drive stays.
  const passes = (permission: EffectivePermission) =>
    file.extra.inheritedPermissionsDisabled !== true || permission.role === 'organizer';
  for (const permission of folder?.permissions.filter(passes) ?? []) {
    const inherited = inherit(permission, folder?.id ?? '');
    const present = found.get(permission.record.id);
    found.set(permission.record.id, present === undefined ? inherited : merge(present, inherited));
  }
  return [...found.values()];
}

/** True when a permission is one of this account's: its own, a group's, its domain's or everybody's. */
export function isFor(permission: PermissionRecord, account: SimAccount): boolean {
  switch (permission.type) {
    case 'user':
      return permission.emailAddress?.toLowerCase() === account.email;
    case 'group':
      return isInGroup(permission.emailAddress ?? '', account);
    case 'domain':
      return account.hostedDomain !== undefined && permission.domain === account.hostedDomain;
    case 'anyone':
      return true;
  }
}

/** True for a permission whose end has come. */
export function isExpired(permission: PermissionRecord, nowMs: number): boolean {
  return permission.expirationTime !== null && Date.parse(permission.expirationTime) <= nowMs;
}

/** What an account may do, by the permissions that count on an item; `undefined` for nothing at all. */
export function accessOf(
  permissions: readonly EffectivePermission[],
  account: SimAccount,
  nowMs: number,
): Access | undefined {
  let access: Access | undefined;
  for (const { record, role } of permissions) {
    if (isExpired(record, nowMs) || !isFor(record, account)) continue;
    const isNamed = record.type === 'user' || record.type === 'group';
    access = {
      role: access !== undefined && isAtLeast(access.role, role) ? access.role : role,
      isNamed: isNamed || access?.isNamed === true,
    };
  }
  return access;
}
