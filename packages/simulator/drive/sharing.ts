import { findAccount, GROUPS, type SimAccount } from '../accounts.ts';
import {
  type ApiCall,
  type ApiResult,
  booleanParameter,
  integerParameter,
  jsonBody,
  pathParameter,
} from '../api/call.ts';
import { API_HEADERS, ApiError, badRequest, invalidValue, notFound } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { refusal } from '../api/refusals.ts';
import { emptyResponse } from '../http/exchange.ts';
import {
  type DriveFile,
  type EffectivePermission,
  type PermissionRecord,
  ROLES,
  type Role,
  type UserView,
} from '../state/drive.ts';
import { applyChange } from './apply-change.ts';
import { capabilitiesOf } from './capabilities.ts';
import { rootFolderId } from './dataset.ts';
import { viewOf } from './file-resource.ts';
import { describePermission } from './permission-resource.ts';
import { isAtLeast, isFor, permissionIdOf, strangerPermissionId, userPermission } from './permissions.ts';
import { checkRolePlace } from './shared-drive-rules.ts';
import { requireAdmin } from './shared-drives.ts';
import {
  callersDrive,
  fileNotFound,
  insufficientPermissions,
  refuseAppData,
  requireFile,
  roleOf,
} from './visibility.ts';

const YEAR_MS = 366 * 86_400_000;

function refused(reason: string, message: string): ApiError {
  return new ApiError({ code: 403, reason, message });
}

/** The item whose permissions a call is about; an administrator may name any shared drive of the domain. */
function requireShared(call: ApiCall): DriveFile {
  const fileId = pathParameter(call, 'fileId');
  if (booleanParameter(call, 'useDomainAdminAccess', false)) {
    const file = call.sim.drive.find(fileId);
    requireAdmin(call);
    if (file === undefined || file.driveId !== file.id) throw fileNotFound(fileId);
    return file;
  }
  return requireFile(call, fileId);
}

/** What the caller counts as on an item: an administrator's access is that of a manager. */
function effectiveRole(call: ApiCall, file: DriveFile): Role {
  return booleanParameter(call, 'useDomainAdminAccess', false) ? 'organizer' : (roleOf(call, file) ?? 'reader');
}

function requireSharing(call: ApiCall, file: DriveFile): void {
  refuseAppData(file);
  const role = effectiveRole(call, file);
  if (capabilitiesOf(call.sim.drive, file, call.caller.account, role).canShare !== true) {
    throw insufficientPermissions(file.id);
  }
}

function requirePermission(call: ApiCall, file: DriveFile): EffectivePermission {
  const permissionId = pathParameter(call, 'permissionId');
  const found = call.sim.drive.permissionsOf(file).find(({ record }) => record.id === permissionId);
  if (found !== undefined) return found;
  throw notFound(`Permission not found: ${permissionId}.`, 'permissionId');
}

/** Who may see the list of permissions: who may edit, and every member of a shared drive. */
function requireReading(call: ApiCall, file: DriveFile): void {
  const role = effectiveRole(call, file);
  if (file.driveId === null && !isAtLeast(role, 'writer')) throw insufficientPermissions(file.id);
}

/** `permissions.list`. */
export function listPermissions(call: ApiCall): ApiResult {
  const file = requireShared(call);
  refuseAppData(file);
  requireReading(call, file);
  const all = call.sim.drive.permissionsOf(file);
  const fingerprint = `permissions ${file.id}`;
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, fingerprint);
  if (offset === undefined) throw invalidValue('pageToken');
  // Without a size My Drive's permissions come whole, a shared drive's by the hundred.
  const size = integerParameter(call, 'pageSize', file.driveId === null ? all.length : 100);
  const { page, next } = takePage(all, offset, size);
  return {
    resource: {
      kind: 'drive#permissionList',
      ...(next === undefined ? {} : { nextPageToken: encodePageToken(next, fingerprint) }),
      permissions: page.map(describePermission),
    },
  };
}

/** `permissions.get`: one's own permission is never hidden. */
export function getPermission(call: ApiCall): ApiResult {
  const file = requireShared(call);
  const permission = requirePermission(call, file);
  if (!isFor(permission.record, call.caller.account)) requireReading(call, file);
  return { resource: describePermission(permission) };
}

function required(member: string): ApiError {
  return new ApiError({
    code: 400,
    reason: 'required',
    message: `The permission ${member} field is required.`,
    location: `permission.${member}`,
    locationType: 'other',
  });
}

function readRole(call: ApiCall, file: DriveFile, value: unknown, type: PermissionRecord['type']): Role {
  if (value === undefined) throw required('role');
  const role = ROLES.find((entry) => entry === value);
  if (role === undefined) throw badRequest(`The specified role '${String(value)}' is invalid.`);
  if (role === 'owner' && type !== 'user') throw badRequest('Only a user can be an owner.');
  checkRolePlace(file, role);
  if (role === 'owner' && !booleanParameter(call, 'transferOwnership', false)) {
    const message = "The transferOwnership parameter must be enabled when the permission role is 'owner'.";
    throw new ApiError({ code: 403, reason: 'forbidden', message, location: 'transferOwnership' });
  }
  if ((type === 'anyone' || type === 'domain') && isAtLeast(role, 'fileOrganizer')) {
    throw badRequest(`The role ${role} cannot be given to ${type}.`);
  }
  if (file.driveId === file.id && (type === 'anyone' || type === 'domain')) throw refusal('driveForEveryone');
  return role;
}

function readExpiration(call: ApiCall, value: unknown, type: PermissionRecord['type'], role: Role): string | null {
  if (value === undefined || value === null) return null;
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(moment)) throw badRequest(`Invalid value for: ${String(value)} is not a date-time`);
  if (type !== 'user' && type !== 'group') {
    throw refusal('expirationForEveryone');
  }
  if (isAtLeast(role, 'fileOrganizer')) {
    throw refusal('expirationOfManager');
  }
  const nowMs = call.sim.clock.nowMs();
  if (moment <= nowMs) throw refusal('pastExpiration');
  if (moment > nowMs + YEAR_MS) throw refusal('farExpiration');
  return new Date(moment).toISOString();
}

function readAddress(call: ApiCall, body: Record<string, unknown>, type: 'user' | 'group'): string {
  const address = body.emailAddress;
  if (typeof address !== 'string' || !/^\S+@\S+\.\S+$/.test(address)) {
    if (address === undefined) throw required('emailAddress');
    const message = `The specified emailAddress is invalid or not applicable for the given permission type: ${String(address)}`;
    throw new ApiError({
      code: 400,
      reason: 'invalid',
      message,
      location: 'permission.emailAddress',
      locationType: 'other',
    });
  }
  const lower = address.toLowerCase();
  const isKnown = type === 'user' ? findAccount(lower) !== undefined : GROUPS[lower] !== undefined;
  if (!isKnown && !booleanParameter(call, 'sendNotificationEmail', true)) {
    const message = `Bad Request. User message: "You are trying to invite ${lower}. Since there is no Google account associated with this email address, you must check the "Notify people" box to invite this recipient."`;
    throw new ApiError({ code: 400, reason: 'invalidSharingRequest', message });
  }
  return lower;
}

const TYPES = ['user', 'group', 'domain', 'anyone'] as const;

function readPermission(call: ApiCall, file: DriveFile, body: Record<string, unknown>): PermissionRecord {
  if (body.type === undefined) throw required('type');
  const type = TYPES.find((entry) => entry === body.type);
  if (type === undefined) throw badRequest(`The specified type '${String(body.type)}' is invalid.`);
  const role = readRole(call, file, body.role, type);
  const emailAddress = type === 'user' || type === 'group' ? readAddress(call, body, type) : null;
  const allowFileDiscovery = body.allowFileDiscovery === true && (type === 'domain' || type === 'anyone');
  const domain = type === 'domain' ? body.domain : null;
  if (type === 'domain' && typeof domain !== 'string') throw required('domain');
  const account = emailAddress === null ? undefined : findAccount(emailAddress);
  const ids = {
    user: () => (account === undefined ? strangerPermissionId(emailAddress ?? '') : permissionIdOf(account)),
    group: () => strangerPermissionId(emailAddress ?? ''),
    domain: () => `${strangerPermissionId(String(domain))}k`,
    anyone: () => (allowFileDiscovery ? 'anyone' : 'anyoneWithLink'),
  };
  return {
    id: ids[type](),
    type,
    role,
    emailAddress,
    domain: typeof domain === 'string' ? domain : null,
    allowFileDiscovery,
    expirationTime: readExpiration(call, body.expirationTime, type, role),
    view: body.view === 'published' || body.view === 'metadata' ? body.view : null,
    pendingOwner: body.pendingOwner === true && type === 'user',
  };
}

/** Accounts that a permission newly opens a file to: it enters their "Shared with me". */
function guestsOf(file: DriveFile, record: PermissionRecord, accounts: readonly SimAccount[]): SimAccount[] {
  if (record.type !== 'user' && record.type !== 'group') return [];
  return accounts.filter((account) => isFor(record, account) && file.ownerSub !== account.sub);
}

function withGuests(call: ApiCall, file: DriveFile, record: PermissionRecord): Record<string, UserView> {
  const emails =
    record.type === 'group' ? (GROUPS[record.emailAddress ?? '']?.members ?? []) : [record.emailAddress ?? ''];
  const accounts = emails.flatMap((email) => findAccount(email) ?? []);
  const sharedTime = new Date(call.sim.clock.nowMs()).toISOString();
  const entries = guestsOf(file, record, accounts).map(({ sub }): [string, UserView] => {
    const view = viewOf(file, sub);
    return [
      sub,
      { ...view, sharedTime: view.sharedTime ?? sharedTime, sharedBy: view.sharedBy ?? call.caller.account.sub },
    ];
  });
  return Object.fromEntries(entries);
}

function without(file: DriveFile, permissionId: string): PermissionRecord[] {
  return file.permissions.filter(({ id }) => id !== permissionId);
}

/** Writes the permissions of an item, or the members of a shared drive, for everyone who sees what is below. */
function storePermissions(call: ApiCall, file: DriveFile, changed: DriveFile, detail: Record<string, unknown>): void {
  const store = call.sim.drive;
  const drive = store.drives().find(({ id }) => id === file.id);
  const tree = store.treeOf(file.id).map(({ id }) => id);
  if (drive !== undefined) {
    const apply = () => store.putDrive({ ...drive, members: changed.permissions });
    applyChange(call, { fileIds: tree.slice(1), driveIds: [drive.id], apply });
    return;
  }
  applyChange(call, { fileIds: tree, apply: () => store.put({ ...changed, version: file.version + 1 }) }, 'update', {
    permissionChange: detail,
  });
}

function activityPermission(record: PermissionRecord): Record<string, unknown> {
  const roles: Record<Role, string> = {
    reader: 'VIEWER',
    commenter: 'COMMENTER',
    writer: 'EDITOR',
    fileOrganizer: 'FILE_ORGANIZER',
    organizer: 'ORGANIZER',
    owner: 'OWNER',
  };
  const account = record.emailAddress === null ? undefined : findAccount(record.emailAddress);
  const grantee = {
    user: () => ({
      user: account === undefined ? { unknownUser: {} } : { knownUser: { personName: `people/${account.sub}` } },
    }),
    group: () => ({ group: { email: record.emailAddress ?? '' } }),
    domain: () => ({ domain: { name: record.domain ?? '' } }),
    anyone: () => ({ anyone: {} }),
  };
  return { role: roles[record.role], allowDiscovery: record.allowFileDiscovery, ...grantee[record.type]() };
}

/**
 * Makes a user the owner. In one Workspace domain the owner does it alone; elsewhere the next owner has to agree: they are
 * named with `pendingOwner` and then ask for the role themselves (Google Drive API, "Transfer file ownership").
 */
function transferOwnership(call: ApiCall, file: DriveFile, record: PermissionRecord): DriveFile {
  const { account } = call.caller;
  const next = findAccount(record.emailAddress ?? '');
  const owner = findAccount(file.ownerSub ?? '');
  if (next === undefined || owner === undefined) {
    throw refused('invalidSharingRequest', 'The new owner must have an account.');
  }
  if (next.sub === owner.sub) return file;
  const isPending = file.permissions.some(({ id, pendingOwner }) => id === record.id && pendingOwner);
  const isAccepting = account.sub === next.sub && isPending;
  if (account.sub !== owner.sub && !isAccepting) throw insufficientPermissions(file.id);
  const isInside = owner.hostedDomain !== undefined && owner.hostedDomain === next.hostedDomain;
  if (owner.hostedDomain !== next.hostedDomain) {
    const message = 'Ownership can only be transferred to another user in the same organization as the current owner.';
    throw new ApiError({ code: 400, reason: 'ownershipChangeAcrossDomainNotPermitted', message });
  }
  if (!isInside && !isAccepting) {
    const message = 'Consent is required to transfer ownership of a file to another user.';
    throw refused('consentRequiredForOwnershipTransfer', message);
  }
  const moves = booleanParameter(call, 'moveToNewOwnersRoot', false);
  return {
    ...file,
    ownerSub: next.sub,
    parents: moves || file.parents[0] === rootFolderId(owner) ? [rootFolderId(next)] : file.parents,
    permissions: [...without(file, record.id), userPermission(owner, 'writer')],
    users: { ...file.users, [next.sub]: { ...viewOf(file, next.sub), sharedTime: null, sharedBy: null } },
  };
}

/** What the effective permission of that id is after a write. */
function answer(call: ApiCall, fileId: string, permissionId: string): ApiResult {
  const file = call.sim.drive.find(fileId);
  const found = file === undefined ? [] : call.sim.drive.permissionsOf(file);
  const permission = found.find(({ record }) => record.id === permissionId);
  if (permission === undefined) throw new Error(`permission ${permissionId} of ${fileId} was not kept`);
  return { resource: describePermission(permission) };
}

/** `permissions.create`; an address that has a permission keeps the higher role. */
export function createPermission(call: ApiCall): ApiResult {
  const file = requireShared(call);
  const body = jsonBody(call.http);
  const record = readPermission(call, file, body);
  if (record.role === 'owner') {
    const changed = transferOwnership(call, file, record);
    storePermissions(call, file, changed, { addedPermissions: [activityPermission(record)] });
    return answer(call, file.id, record.id);
  }
  requireSharing(call, file);
  refuseByDriveRules(call, file, record);
  refuseHigherThanOwn(call, file, record.role);
  const present = file.permissions.find(({ id }) => id === record.id);
  const isOwner = file.ownerSub !== null && record.id === permissionIdOf({ sub: file.ownerSub });
  if (isOwner) return answer(call, file.id, record.id);
  const role = present !== undefined && isAtLeast(present.role, record.role) ? present.role : record.role;
  const changed: DriveFile = {
    ...file,
    permissions: [...without(file, record.id), { ...record, role }],
    users: { ...file.users, ...withGuests(call, file, record) },
  };
  storePermissions(call, file, changed, { addedPermissions: [activityPermission({ ...record, role })] });
  return answer(call, file.id, record.id);
}

/** Restrictions of the shared drive an item is in. */
function refuseByDriveRules(call: ApiCall, file: DriveFile, record: PermissionRecord): void {
  const drive = call.sim.drive.drives().find(({ id }) => id === file.driveId);
  if (drive === undefined) return;
  const isOutside = record.type === 'anyone' || (record.domain ?? record.emailAddress?.split('@')[1]) !== drive.domain;
  if (drive.restrictions.domainUsersOnly === true && isOutside) {
    throw refused(
      'teamDriveDomainUsersOnlyRestriction',
      'Items of this shared drive are for users of its domain only.',
    );
  }
  const isMember = drive.members.some(({ id }) => id === record.id);
  if (drive.restrictions.driveMembersOnly === true && file.id !== drive.id && !isMember) {
    throw refused('teamDriveTeamMembersOnlyRestriction', 'Items of this shared drive are for its members only.');
  }
}

/** 403 for a permission that is changed and removed where it was given. */
function inheritedPermission({ driveId }: DriveFile): ApiError {
  return refusal(driveId === null ? 'inheritedPermission' : 'inheritedDrivePermission');
}

/** Nobody gives away more than they have. */
function refuseHigherThanOwn(call: ApiCall, file: DriveFile, wanted: Role): void {
  if (!isAtLeast(effectiveRole(call, file), wanted)) throw insufficientPermissions(file.id);
}

/** `permissions.update`: changes the role or the expiration, or offers ownership to a person. */
export function updatePermission(call: ApiCall): ApiResult {
  const file = requireShared(call);
  const { record, role: current, sources } = requirePermission(call, file);
  const body = jsonBody(call.http);
  const fixed = ['type', 'emailAddress', 'domain', 'id'].find((name) => {
    const known: Record<string, unknown> = { ...record };
    return body[name] !== undefined && body[name] !== known[name];
  });
  if (fixed !== undefined) {
    const message = `The resource body includes fields which are not directly writable: ${fixed}.`;
    throw refused('fieldNotWritable', message);
  }
  const role = body.role === undefined ? current : readRole(call, file, body.role, record.type);
  if (role === 'owner' && current !== 'owner') {
    storePermissions(call, file, transferOwnership(call, file, record), {
      addedPermissions: [activityPermission({ ...record, role })],
    });
    return answer(call, file.id, record.id);
  }
  requireSharing(call, file);
  refuseHigherThanOwn(call, file, role);
  if (current === 'owner') throw insufficientPermissions(file.id);
  const isOwn = file.permissions.some(({ id }) => id === record.id);
  if (!isOwn && (isAtLeast(current, role) || sources.every(({ inherited }) => !inherited))) {
    throw inheritedPermission(file);
  }
  const removes = booleanParameter(call, 'removeExpiration', false);
  const wanted = readExpiration(call, body.expirationTime, record.type, role);
  const changed: PermissionRecord = {
    ...record,
    role,
    expirationTime: removes ? null : (wanted ?? record.expirationTime),
    pendingOwner: typeof body.pendingOwner === 'boolean' ? body.pendingOwner : record.pendingOwner,
  };
  const permissions = [...without(file, record.id), changed];
  storePermissions(
    call,
    file,
    { ...file, permissions },
    {
      addedPermissions: [activityPermission(changed)],
      removedPermissions: [activityPermission({ ...record, role: current })],
    },
  );
  return answer(call, file.id, record.id);
}

/** `permissions.delete`: by who may share, or one's own to leave; 204. */
export function deletePermission(call: ApiCall): ApiResult {
  const file = requireShared(call);
  const { record, role } = requirePermission(call, file);
  const isOwn = record.type === 'user' && isFor(record, call.caller.account);
  if (!isOwn) requireSharing(call, file);
  if (role === 'owner') throw refused('cannotRemoveOwner', 'The owner of a file cannot be removed.');
  if (!isOwn) refuseHigherThanOwn(call, file, role);
  if (!file.permissions.some(({ id }) => id === record.id)) {
    throw inheritedPermission(file);
  }
  const users = Object.fromEntries(
    Object.entries(file.users).map(([sub, view]) => {
      const account = findAccount(sub);
      const leaves = account !== undefined && isFor(record, account);
      return [sub, leaves ? { ...view, sharedTime: null, sharedBy: null } : view];
    }),
  );
  const changed = { ...file, permissions: without(file, record.id), users };
  storePermissions(call, file, changed, { removedPermissions: [activityPermission({ ...record, role })] });
  return { response: emptyResponse(204, API_HEADERS) };
}

/** True when the caller is one of those who may answer requests for access to a file. */
export function mayShare(call: ApiCall, file: DriveFile): boolean {
  const role = callersDrive(call).accessTo(file)?.role ?? 'reader';
  return capabilitiesOf(call.sim.drive, file, call.caller.account, role).canShare === true;
}

/** Opens a file to an account, as an accepted request for access does. */
export function grantAccess(call: ApiCall, file: DriveFile, account: SimAccount, role: Role): void {
  const record = userPermission(account, role);
  const changed: DriveFile = {
    ...file,
    permissions: [...without(file, record.id), record],
    users: { ...file.users, ...withGuests(call, file, record) },
  };
  storePermissions(call, file, changed, { addedPermissions: [activityPermission(record)] });
}
