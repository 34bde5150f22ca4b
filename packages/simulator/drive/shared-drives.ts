import { DOMAIN_ADMIN } from '../accounts.ts';
import {
  type ApiCall,
  type ApiResult,
  booleanParameter,
  integerParameter,
  jsonBody,
  pathParameter,
} from '../api/call.ts';
import { API_HEADERS, ApiError, badRequest, invalidValue } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { emptyResponse } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';
import { randomText } from '../random.ts';
import type { Role, SharedDrive } from '../state/drive.ts';
import { applyChange } from './apply-change.ts';
import { isAtLeast, userPermission } from './permissions.ts';
import { compareFlag, compareOrder, compareText, compareTime, startsAWord } from './search-compare.ts';
import { parseSearch, type SearchExpression, SearchSyntaxError } from './search-syntax.ts';
import { callersDrive } from './visibility.ts';

const THEME_IDS = ['abacus', 'blueprint', 'orchard', 'pier'];
const COLORS = ['#009688', '#3f51b5', '#f4511e', '#8e24aa'];

/** Themes that `about.driveThemes` lists. */
export const DRIVE_THEMES = THEME_IDS.map((id, index) => ({
  id,
  backgroundImageLink: `https://ssl.gstatic.com/team_drive_themes/${id}_background.jpg`,
  colorRgb: COLORS[index] ?? '#009688',
}));

function driveNotFound(driveId: string): ApiError {
  return new ApiError({
    code: 404,
    reason: 'notFound',
    message: `Shared drive not found: ${driveId}`,
    location: 'driveId',
  });
}

/**
 * The shared drive a call names, with what the caller is in it; `useDomainAdminAccess` makes an administrator a manager.
 * @throws {ApiError} 404 for who is no member, 403 for `useDomainAdminAccess` of who is no administrator
 */
export function requireDrive(call: ApiCall, driveId: string): { drive: SharedDrive; role: Role } {
  const drive = call.sim.drive.drives().find(({ id }) => id === driveId);
  if (booleanParameter(call, 'useDomainAdminAccess', false)) {
    requireAdmin(call);
    if (drive === undefined) throw driveNotFound(driveId);
    return { drive, role: 'organizer' };
  }
  const root = drive === undefined ? undefined : callersDrive(call).find(drive.id);
  const role = root === undefined ? undefined : callersDrive(call).accessTo(root)?.role;
  if (drive === undefined || role === undefined) throw driveNotFound(driveId);
  return { drive, role };
}

/** Refuses `useDomainAdminAccess` of who is no administrator. */
export function requireAdmin(call: ApiCall): void {
  if (call.caller.account.email === DOMAIN_ADMIN) return;
  const message = 'The user is no administrator of the domain.';
  throw new ApiError({
    code: 403,
    reason: 'insufficientAdministratorPrivileges',
    message,
    location: 'useDomainAdminAccess',
  });
}

function requireManager(call: ApiCall): SharedDrive {
  const { drive, role } = requireDrive(call, idOf(call));
  if (isAtLeast(role, 'organizer')) return drive;
  const message = `The user does not have sufficient permissions for this shared drive: ${drive.id}.`;
  throw new ApiError({ code: 403, reason: 'insufficientFilePermissions', message });
}

/** `driveId`, or `teamDriveId` on the paths of before. */
function idOf(call: ApiCall): string {
  return call.path.driveId ?? pathParameter(call, 'teamDriveId');
}

const RESTRICTIONS = [
  'adminManagedRestrictions',
  'copyRequiresWriterPermission',
  'domainUsersOnly',
  'driveMembersOnly',
  'sharingFoldersRequiresOrganizerPermission',
];

function capabilities(role: Role): Record<string, boolean> {
  const has = (wanted: Role) => isAtLeast(role, wanted);
  return {
    canAddChildren: has('writer'),
    canChangeCopyRequiresWriterPermissionRestriction: has('organizer'),
    canChangeDomainUsersOnlyRestriction: has('organizer'),
    canChangeDownloadRestriction: has('organizer'),
    canChangeDriveBackground: has('organizer'),
    canChangeDriveMembersOnlyRestriction: has('organizer'),
    canChangeSharingFoldersRequiresOrganizerPermissionRestriction: has('organizer'),
    canComment: has('commenter'),
    canCopy: true,
    canDeleteChildren: has('organizer'),
    canDeleteDrive: has('organizer'),
    canDownload: true,
    canEdit: has('writer'),
    canListChildren: true,
    canManageMembers: has('organizer'),
    canReadRevisions: has('writer'),
    canRename: has('writer'),
    canRenameDrive: has('organizer'),
    canResetDriveRestrictions: has('organizer'),
    canShare: has('fileOrganizer'),
    canTrashChildren: has('fileOrganizer'),
  };
}

/** The Drive resource of a shared drive as the caller sees it. */
export function describeDrive(call: ApiCall, drive: SharedDrive): Record<string, unknown> {
  const root = call.sim.drive.find(drive.id);
  const own = root === undefined ? undefined : callersDrive(call).accessTo(root)?.role;
  const role = booleanParameter(call, 'useDomainAdminAccess', false) ? 'organizer' : (own ?? 'reader');
  const shown = Object.fromEntries(RESTRICTIONS.map((name) => [name, drive.restrictions[name] === true]));
  return {
    kind: 'drive#drive',
    id: drive.id,
    name: drive.name,
    ...(drive.themeId === null ? {} : { themeId: drive.themeId }),
    colorRgb: drive.colorRgb,
    backgroundImageLink: drive.backgroundImageLink,
    createdTime: drive.createdTime,
    hidden: drive.hiddenBy.includes(call.caller.account.sub),
    restrictions: {
      ...shown,
      ...(isRecord(drive.restrictions.downloadRestriction)
        ? { downloadRestriction: drive.restrictions.downloadRestriction }
        : {}),
    },
    capabilities: capabilities(role),
  };
}

const FORMER_NAMES: Readonly<Record<string, string>> = {
  canChangeDriveBackground: 'canChangeTeamDriveBackground',
  canChangeDriveMembersOnlyRestriction: 'canChangeTeamMembersOnlyRestriction',
  canDeleteDrive: 'canDeleteTeamDrive',
  canRenameDrive: 'canRenameTeamDrive',
  canResetDriveRestrictions: 'canResetTeamDriveRestrictions',
  driveMembersOnly: 'teamMembersOnly',
};

function rename(members: unknown): Record<string, unknown> {
  const entries = isRecord(members) ? Object.entries(members) : [];
  return Object.fromEntries(entries.map(([name, value]) => [FORMER_NAMES[name] ?? name, value]));
}

/** The same as the TeamDrive resource of before. */
function describeTeamDrive(call: ApiCall, drive: SharedDrive): Record<string, unknown> {
  const { hidden: _hidden, ...described } = describeDrive(call, drive);
  return {
    ...described,
    kind: 'drive#teamDrive',
    restrictions: rename(described.restrictions),
    capabilities: { ...rename(described.capabilities), canRemoveChildren: false },
  };
}

function describeFor(call: ApiCall, drive: SharedDrive): ApiResult {
  const isFormer = call.rule.id.startsWith('drive.teamdrives.');
  return { resource: isFormer ? describeTeamDrive(call, drive) : describeDrive(call, drive) };
}

function readName(body: Record<string, unknown>): string | undefined {
  if (body.name === undefined) return undefined;
  if (typeof body.name === 'string' && body.name.trim() !== '') return body.name;
  throw new ApiError({
    code: 400,
    reason: 'required',
    message: 'The shared drive name is required.',
    location: 'name',
  });
}

function applyBody(drive: SharedDrive, body: Record<string, unknown>): SharedDrive {
  const theme = DRIVE_THEMES.find(({ id }) => id === body.themeId);
  if (body.themeId !== undefined && theme === undefined) throw badRequest(`Unknown theme: ${String(body.themeId)}`);
  if (theme !== undefined && (body.colorRgb !== undefined || body.backgroundImageFile !== undefined)) {
    throw badRequest('themeId excludes colorRgb and backgroundImageFile.');
  }
  const wanted = isRecord(body.restrictions) ? body.restrictions : {};
  const renamed = Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => [name === 'teamMembersOnly' ? 'driveMembersOnly' : name, value]),
  );
  const { themeId: _themeId, ...rest } = drive;
  return {
    ...rest,
    themeId: null,
    name: readName(body) ?? drive.name,
    colorRgb: theme?.colorRgb ?? (typeof body.colorRgb === 'string' ? body.colorRgb : drive.colorRgb),
    backgroundImageLink: theme?.backgroundImageLink ?? drive.backgroundImageLink,
    restrictions: { ...drive.restrictions, ...renamed },
  };
}

/** `drives.create`: by users of a Workspace; the same request id makes no second one (409). */
export function createDrive(call: ApiCall): ApiResult {
  const { account } = call.caller;
  const requestId = call.query.get('requestId') ?? '';
  if (account.hostedDomain === undefined) {
    const message = 'The user cannot create new shared drives.';
    throw new ApiError({ code: 403, reason: 'userCannotCreateTeamDrives', message });
  }
  const isRepeated = (drive: SharedDrive) => drive.createdBy === account.sub && drive.requestId === requestId;
  if (call.sim.drive.drives().some(isRepeated)) {
    const message = 'A shared drive already exists with the provided request ID.';
    throw new ApiError({ code: 409, reason: 'teamDriveAlreadyExists', message, location: 'requestId' });
  }
  const body = jsonBody(call.http);
  const name = readName(body) ?? readName({ name: '' });
  const drive = applyBody(
    {
      id: `0A${randomText(12).slice(0, 14)}PVA`.replace(/[-_]/g, 'x'),
      name: name ?? '',
      createdTime: new Date(call.sim.clock.nowMs()).toISOString(),
      domain: account.hostedDomain,
      themeId: null,
      colorRgb: '#009688',
      backgroundImageLink: DRIVE_THEMES[0]?.backgroundImageLink ?? '',
      restrictions: {},
      createdBy: account.sub,
      requestId,
      hiddenBy: [],
      members: [userPermission(account, 'organizer')],
    },
    body,
  );
  applyChange(call, { fileIds: [], driveIds: [drive.id], apply: () => call.sim.drive.putDrive(drive) });
  return describeFor(call, drive);
}

/** `drives.get`. */
export function getDrive(call: ApiCall): ApiResult {
  return describeFor(call, requireDrive(call, idOf(call)).drive);
}

/** `drives.update`. */
export function updateDrive(call: ApiCall): ApiResult {
  const changed = applyBody(requireManager(call), jsonBody(call.http));
  applyChange(call, { fileIds: [], driveIds: [changed.id], apply: () => call.sim.drive.putDrive(changed) });
  return describeFor(call, changed);
}

/** `drives.delete`: only an empty one, unless an administrator asks for `allowItemDeletion`; 204. */
export function deleteDrive(call: ApiCall): ApiResult {
  const drive = requireManager(call);
  const store = call.sim.drive;
  const items = store.treeOf(drive.id).slice(1);
  const takesItems = booleanParameter(call, 'allowItemDeletion', false);
  if (takesItems && !booleanParameter(call, 'useDomainAdminAccess', false)) {
    throw badRequest('allowItemDeletion is only supported with useDomainAdminAccess.');
  }
  if (!takesItems && items.some((file) => !store.isTrashed(file))) {
    const message = 'A shared drive can only be deleted when it holds no items outside its trash.';
    throw new ApiError({ code: 403, reason: 'cannotDeleteResourceWithChildren', message });
  }
  const apply = () => {
    for (const { id } of items) store.remove(id);
    store.removeDrive(drive.id);
  };
  applyChange(call, { fileIds: items.map(({ id }) => id), driveIds: [drive.id], apply }, 'remove');
  return { response: emptyResponse(204, API_HEADERS) };
}

function setHidden(call: ApiCall, hidden: boolean): ApiResult {
  const { drive } = requireDrive(call, idOf(call));
  const { sub } = call.caller.account;
  const others = drive.hiddenBy.filter((entry) => entry !== sub);
  const changed = { ...drive, hiddenBy: hidden ? [...others, sub] : others };
  call.sim.drive.putDrive(changed);
  return describeFor(call, changed);
}

/** `drives.hide`: from the caller's default view alone. */
export function hideDrive(call: ApiCall): ApiResult {
  return setHidden(call, true);
}

/** `drives.unhide`. */
export function unhideDrive(call: ApiCall): ApiResult {
  return setHidden(call, false);
}

function matchesTerm(call: ApiCall, drive: SharedDrive, term: Extract<SearchExpression, { kind: 'compare' }>): boolean {
  const { field, operator, value } = term;
  const countOf = (role: Role | undefined) =>
    drive.members.filter((member) => role === undefined || member.role === role).length;
  const asNumber = (actual: number) => {
    const wanted = typeof value === 'number' ? value : Number(value);
    if (!Number.isInteger(wanted)) throw new SearchSyntaxError(`${field} needs a number`);
    return compareOrder(actual, wanted, field, operator);
  };
  const isAdmin = booleanParameter(call, 'useDomainAdminAccess', false);
  switch (field) {
    case 'name':
      return compareText(drive.name, term, startsAWord);
    case 'hidden':
      return compareFlag(drive.hiddenBy.includes(call.caller.account.sub), term);
    case 'createdTime':
      return compareTime(drive.createdTime, term);
    case 'memberCount':
      if (isAdmin) return asNumber(countOf(undefined));
      break;
    case 'organizerCount':
      if (isAdmin) return asNumber(countOf('organizer'));
      break;
    case 'orgUnitId':
      if (isAdmin) return compareText('', term);
      break;
  }
  throw new SearchSyntaxError(`${field} ${operator} is not supported`);
}

function matchesDrive(call: ApiCall, drive: SharedDrive, expression: SearchExpression): boolean {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const left = matchesDrive(call, drive, expression.left);
      const right = matchesDrive(call, drive, expression.right);
      return expression.kind === 'and' ? left && right : left || right;
    }
    case 'not':
      return !matchesDrive(call, drive, expression.inner);
    case 'compare':
      return matchesTerm(call, drive, expression);
    default:
      throw new SearchSyntaxError(`${expression.kind} is not supported`);
  }
}

function findDrives(call: ApiCall): SharedDrive[] {
  const isAdmin = booleanParameter(call, 'useDomainAdminAccess', false);
  if (isAdmin) requireAdmin(call);
  const domain = call.caller.account.hostedDomain;
  const visible = call.sim.drive
    .drives()
    .filter((drive) => (isAdmin ? drive.domain === domain : callersDrive(call).find(drive.id) !== undefined));
  const q = call.query.get('q') ?? '';
  if (q === '') return visible;
  try {
    const expression = parseSearch(q);
    return visible.filter((drive) => matchesDrive(call, drive, expression));
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    throw new ApiError({ code: 400, reason: 'invalid', message: 'Invalid Value', location: 'q' });
  }
}

/** `drives.list`: those the caller is a member of, or all of the domain for its administrator. */
export function listDrives(call: ApiCall): ApiResult {
  const found = findDrives(call).sort((one, other) => one.name.localeCompare(other.name));
  const fingerprint = `drives ${call.query.get('q') ?? ''} ${call.query.get('useDomainAdminAccess') ?? ''}`;
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, fingerprint);
  if (offset === undefined) throw invalidValue('pageToken');
  const { page, next } = takePage(found, offset, integerParameter(call, 'pageSize', 10));
  const nextPage = next === undefined ? {} : { nextPageToken: encodePageToken(next, fingerprint) };
  if (call.rule.id.startsWith('drive.teamdrives.')) {
    return {
      resource: {
        kind: 'drive#teamDriveList',
        ...nextPage,
        teamDrives: page.map((drive) => describeTeamDrive(call, drive)),
      },
    };
  }
  return {
    resource: { kind: 'drive#driveList', ...nextPage, drives: page.map((drive) => describeDrive(call, drive)) },
  };
}
