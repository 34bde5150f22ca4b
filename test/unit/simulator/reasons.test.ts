/** The reasons of errors that public clients of Google know: each is produced by a request here, or contributing/simulator-sources.md says why not. */
import { expect } from 'vitest';
import { AS_FAULT, NOT_PRODUCED } from '../../../packages/simulator/data/known-reasons.ts';
import type { Simulator } from '../../../packages/simulator/index.ts';
import { control, signIn, test, type User } from './harness.ts';
import { CALENDARS, EDITOR, EVENTS, FILES, FIRST, FOLDER, LIST, SECOND, VIEWER } from './names.ts';
import { type Json, jsonInit, readJson, record, records, text } from './values.ts';

/** Of Drive and Calendar: GAM's list of reasons, Google's two error guides and the programs that the table of refusals names. */
const KNOWN =
  `abusiveContentRestriction aborted accessNotConfigured activeItemCreationLimitExceeded appNotAuthorizedToFile
applyLabelForbidden authError backendError badGateway badRequest cannotAddParent cannotChangeOrganizer
cannotChangeOrganizerOfInstance cannotChangeOwnAcl cannotChangeOwnerAcl cannotChangeOwnPrimarySubscription cannotCopyFile
cannotDeleteOnlyRevision cannotDeletePermission cannotDeletePrimaryCalendar cannotDeleteResourceWithChildren
cannotModifyInheritedPermission cannotModifyInheritedTeamDrivePermission cannotModifyRestrictedLabel
cannotModifyViewersCanCopyContent cannotMoveTrashedItemIntoTeamDrive cannotMoveTrashedItemOutOfTeamDrive cannotRemoveOwner
cannotSetExpiration cannotSetExpirationOnAnyoneOrDomain cannotShareGroupsWithLink cannotShareUsersWithLink
cannotShareTeamDriveTopFolderWithAnyoneOrDomains cannotShareTeamDriveWithNonGoogleAccounts cannotUpdatePermission
conditionNotMet crossDomainMoveRestriction dailyLimitExceeded deleted domainPolicy downloadQuotaExceeded
download_restricted_for_revision duplicate eventDurationExceedsLimit eventTypeRestriction expirationDatesMustBeInTheFuture
expirationDateNotAllowedForSharedDriveMembers exportSizeLimitExceeded failedPrecondition fieldNotWritable
fileNeverWritable fileNotFound fileIdInUse fileNotDownloadable fileNotExportable
fileOrganizerNotYetEnabledForThisTeamDrive fileOrganizerOnFoldersInSharedDriveOnly fileOrganizerOnNonTeamDriveNotSupported
fileOwnerNotMemberOfTeamDrive fileOwnerNotMemberOfWriterDomain fileWriterTeamDriveMoveInDisabled forbidden
forbiddenForNonOrganizer fullSyncRequired gatewayTimeout generatedIdNotSupported illegalAccessRoleForDefault
illegalKeepForeverModification insufficientAdministratorPrivileges insufficientFilePermissions
insufficientParentPermissions insufficientPermissions internalError invalid invalidArgument invalidInput
invalidLinkVisibility invalidOwnershipTransfer invalidParameter invalidQuery invalidScopeValue invalidSharingRequest
labelMultipleValuesForSingularField labelMutationForbidden labelMutationIllegalSelection labelMutationUnknownField
limitExceeded loginRequired malformedFocusTimeEvent malformedOutOfOfficeEvent malformedWorkingLocationEvent
myDriveHierarchyDepthLimitExceeded noListTeamDrivesAdministratorPrivilege noManageTeamDriveAdministratorPrivilege
notACalendarUser notFound numChildrenInNonRootLimitExceeded operationNotSupported organizerOnNonTeamDriveNotSupported
organizerOnNonTeamDriveItemNotSupported ownerOnTeamDriveItemNotSupported ownershipChangeAcrossDomainNotPermitted
participantIsNeitherOrganizerNorAttendee permissionDenied permissionNotFound propertyCountLimitExceeded
propertyLengthLimitExceeded publishOutNotPermitted queryRequiresAdminCredentials quotaExceeded rateLimitExceeded required
requiredAccessLevel responsePreparationFailure revisionDeletionNotSupported revisionNotFound revisionsNotSupported
serviceNotAvailable shareInNotPermitted shareOutNotPermitted shareOutNotPermittedToUser shareOutWarning
sharingRateLimitExceeded shortcutTargetInvalid storageQuotaExceeded syncTokenWithNonDefaultOrdering
syncTokenWithRequestRestrictions targetUserRoleLimitedByLicenseRestriction teamDriveAlreadyExists
teamDriveDomainUsersOnlyRestriction teamDriveTeamMembersOnlyRestriction teamDriveFileLimitExceeded
teamDriveHierarchyTooDeep teamDriveMembershipRequired teamDrivesFolderMoveInNotSupported
teamDrivesFolderSharingNotSupported teamDrivesParentLimit teamDrivesSharingRestrictionNotAllowed
teamDrivesShortcutFileNotSupported timeRangeEmpty transientError unknownError updatedMinTooLongAgo uploadTooLarge
urlLeaseLimitExceeded userAccess userCannotCreateTeamDrives userRateLimitExceeded`.split(/\s+/);

const ALL = 'supportsAllDrives=true';
const DOCUMENT = 'application/vnd.google-apps.document';
const TIMES = { start: { dateTime: '2027-12-01T10:00:00Z' }, end: { dateTime: '2027-12-01T11:00:00Z' } };
const DAY = { start: { date: '2027-12-01' }, end: { date: '2027-12-02' } };
const TWO_DAYS = { start: { date: '2027-12-01' }, end: { date: '2027-12-03' } };
const DELETE = { method: 'DELETE' };
const post = (body: unknown) => jsonInit('POST', body);
const patch = (body: unknown = {}, headers?: Record<string, string>) => jsonInit('PATCH', body, headers);

/** Users of one simulator: two consumers, and an administrator and a member of one domain. */
interface World {
  simulator: Simulator;
  owner: User;
  guest: User;
  editor: User;
  viewer: User;
}
/** Prepares a refusal and sends the request that is refused. */
type Refused = (world: World) => Promise<Response>;

const userOf = (emailAddress: string, role: string) => ({ type: 'user', role, emailAddress });
const make = (user: User, metadata: Json = { name: 'x' }) => user.make(`${FILES}?${ALL}`, metadata);
const pathOf = async (user: User, metadata?: Json) => `${FILES}/${await make(user, metadata)}`;
const sharedDrive = async (user: User) => text((await user.list('/drive/v3/drives', 'drives'))[0]?.id);
const ofDrive = async (user: User, more: Json = {}) => pathOf(user, { parents: [await sharedDrive(user)], ...more });
const share = (user: User, file: string, permission: Json, query = '') =>
  user.call(`${file}/permissions?${ALL}${query}`, post(permission));
const create = (user: User, metadata: Json) => user.call(`${FILES}?${ALL}`, post(metadata));
const insert = (user: User, event: Json) => user.call(EVENTS, post(event));
const eventOf = async (user: User, event: Json = TIMES) => `${EVENTS}/${await user.make(EVENTS, event)}`;
const deepest = async (user: User, root: string) => {
  let parent = root;
  for (const name of ['one', 'two']) parent = await make(user, { name, mimeType: FOLDER, parents: [parent] });
  return parent;
};
const limit = ({ simulator }: World, limits: Json) => control(simulator, 'POST', 'limits', limits);
const syncToken = async (user: User) =>
  text((await user.json(`${EVENTS}?timeMin=2026-01-01T00:00:00Z&maxResults=2500`)).nextSyncToken);
const moveTo = (user: User, file: string, folder: string, from?: string) =>
  user.call(`${file}?${ALL}&addParents=${folder}${from === undefined ? '' : `&removeParents=${from}`}`, patch());
const revisionOf = async (user: User, file: string) =>
  `${file}/revisions/${text((await user.list(`${file}/revisions`, 'revisions')).at(-1)?.id)}`;
const properties = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, 'v']));
const inTomorrows = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Status, reason, domain and location of an answer; `-` for an error without a location. */
async function shown(response: Response): Promise<string> {
  const { errors } = record((await readJson(response)).error);
  const [first = {}] = records(errors);
  return [response.status, first.reason, first.domain, first.location ?? '-'].join(' ');
}

/** A request for each reason that the simulator answers by itself, with status, reason, domain and location of the answer. */
const PRODUCED: readonly (readonly [answer: string, refused: Refused])[] = [
  [
    '403 activeItemCreationLimitExceeded global -',
    async (world) => {
      await limit(world, { accountItems: 1 });
      return create(world.owner, { name: 'x' });
    },
  ],
  [
    '401 authError global Authorization',
    ({ owner }) => fetch(owner.simulator.url + FILES, { headers: { authorization: 'Bearer none' } }),
  ],
  ['400 badRequest global -', ({ owner }) => create(owner, { name: 5 })],
  [
    '403 cannotAddParent global -',
    async ({ owner }) => moveTo(owner, await pathOf(owner), await make(owner, { mimeType: FOLDER })),
  ],
  [
    '403 cannotChangeOrganizer calendar -',
    async ({ owner, guest }) => {
      const id = await owner.make(EVENTS, { ...TIMES, attendees: [{ email: SECOND }] });
      const other = await guest.make(CALENDARS, { summary: 'Other' });
      return guest.call(`${EVENTS}/${id}/move?destination=${encodeURIComponent(other)}`, { method: 'POST' });
    },
  ],
  [
    '400 cannotChangeOrganizerOfInstance calendar -',
    async ({ owner }) => {
      const series = await eventOf(owner, { ...TIMES, ...zoned(), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] });
      const instance = text((await owner.list(`${series}/instances`))[0]?.id);
      const other = await owner.make(CALENDARS, { summary: 'Other' });
      return owner.call(`${EVENTS}/${instance}/move?destination=${encodeURIComponent(other)}`, { method: 'POST' });
    },
  ],
  [
    '403 cannotChangeOwnAcl calendar -',
    ({ owner }) =>
      owner.call(`${CALENDARS}/primary/acl`, post({ role: 'reader', scope: { type: 'user', value: FIRST } })),
  ],
  [
    '403 cannotChangeOwnerAcl calendar -',
    async ({ owner, guest }) => {
      const rule = (value: string, role: string) => post({ role, scope: { type: 'user', value } });
      const path = `${CALENDARS}/${encodeURIComponent(await owner.make(CALENDARS, { summary: 'Shared' }))}/acl`;
      await owner.json(path, rule(SECOND, 'owner'));
      return guest.call(path, rule(FIRST, 'reader'));
    },
  ],
  [
    '403 cannotCopyFile global -',
    async ({ owner }) => owner.call(`${await pathOf(owner, { mimeType: FOLDER })}/copy`, { method: 'POST' }),
  ],
  [
    '403 cannotDeleteOnlyRevision global -',
    async ({ owner }) => owner.call(await revisionOf(owner, await pathOf(owner, { mimeType: 'text/plain' })), DELETE),
  ],
  ['403 cannotDeletePrimaryCalendar calendar -', ({ owner }) => owner.call(`${CALENDARS}/primary`, DELETE)],
  [
    '403 cannotDeleteResourceWithChildren global -',
    async ({ editor }) => {
      const id = await sharedDrive(editor);
      await make(editor, { name: 'x', parents: [id] });
      return editor.call(`/drive/v3/drives/${id}`, DELETE);
    },
  ],
  [
    '403 cannotModifyInheritedPermission global -',
    async ({ owner }) => {
      const folder = await make(owner, { mimeType: FOLDER });
      const { id } = await owner.post(`${FILES}/${folder}/permissions`, userOf(SECOND, 'reader'));
      const file = await pathOf(owner, { name: 'x', parents: [folder] });
      return owner.call(`${file}/permissions/${text(id)}`, DELETE);
    },
  ],
  [
    '403 cannotModifyInheritedTeamDrivePermission global -',
    async ({ editor }) => {
      const drive = `${FILES}/${await sharedDrive(editor)}`;
      const { id } = await editor.post(`${drive}/permissions?${ALL}`, userOf(SECOND, 'reader'));
      return editor.call(`${await ofDrive(editor)}/permissions/${text(id)}?${ALL}`, DELETE);
    },
  ],
  [
    '403 cannotMoveTrashedItemIntoTeamDrive global -',
    async ({ editor }) => {
      const file = await pathOf(editor);
      await editor.patch(file, { trashed: true });
      return moveTo(editor, file, await sharedDrive(editor), 'root');
    },
  ],
  [
    '403 cannotMoveTrashedItemOutOfTeamDrive global -',
    async ({ editor }) => {
      const file = await ofDrive(editor);
      await editor.patch(`${file}?${ALL}`, { trashed: true });
      return moveTo(editor, file, 'root', await sharedDrive(editor));
    },
  ],
  [
    '403 cannotRemoveOwner global -',
    async ({ owner }) => {
      const file = await pathOf(owner);
      const [permission] = await owner.list(`${file}/permissions`, 'permissions');
      return owner.call(`${file}/permissions/${text(permission?.id)}`, DELETE);
    },
  ],
  [
    '403 cannotSetExpiration global -',
    async ({ owner }) =>
      share(owner, await pathOf(owner), { ...userOf(SECOND, 'reader'), expirationTime: inTomorrows(800) }),
  ],
  [
    '403 cannotSetExpirationOnAnyoneOrDomain global -',
    async ({ owner }) =>
      share(owner, await pathOf(owner), { type: 'anyone', role: 'reader', expirationTime: inTomorrows(2) }),
  ],
  [
    '403 cannotShareTeamDriveTopFolderWithAnyoneOrDomains global -',
    async ({ editor }) => share(editor, `${FILES}/${await sharedDrive(editor)}`, { type: 'anyone', role: 'reader' }),
  ],
  [
    '412 conditionNotMet global If-Match',
    async ({ owner }) => owner.call(await eventOf(owner), patch({}, { 'if-match': '"1"' })),
  ],
  [
    '410 deleted global -',
    async ({ owner }) => {
      const event = await eventOf(owner);
      await owner.remove(event);
      return owner.call(event, DELETE);
    },
  ],
  [
    '409 duplicate global -',
    async ({ owner }) => {
      await eventOf(owner, { ...TIMES, id: 'taken' });
      return insert(owner, { ...TIMES, id: 'taken' });
    },
  ],
  [
    '400 eventTypeRestriction calendar -',
    ({ owner }) => insert(owner, { ...DAY, eventType: 'birthday', attendees: [{ email: SECOND }] }),
  ],
  [
    '403 expirationDateNotAllowedForSharedDriveMembers global -',
    async ({ editor }) =>
      share(editor, `${FILES}/${await sharedDrive(editor)}`, {
        ...userOf(SECOND, 'organizer'),
        expirationTime: inTomorrows(2),
      }),
  ],
  [
    '403 exportSizeLimitExceeded global -',
    async (world) => {
      await limit(world, { exportBytes: 1 });
      return world.owner.call(`${await pathOf(world.owner, { mimeType: DOCUMENT })}/export?mimeType=application/pdf`);
    },
  ],
  ['403 fieldNotWritable global -', async ({ owner }) => owner.call(await pathOf(owner), patch({ md5Checksum: 'x' }))],
  [
    '409 fileIdInUse global -',
    async ({ owner }) => {
      const id = await make(owner, { mimeType: 'text/plain' });
      return create(owner, { id, mimeType: 'text/plain' });
    },
  ],
  [
    '403 fileNotDownloadable global alt',
    async ({ owner }) => owner.call(`${await pathOf(owner, { mimeType: DOCUMENT })}?alt=media`),
  ],
  [
    '403 fileNotExportable global -',
    async ({ owner }) =>
      owner.call(`${await pathOf(owner, { mimeType: 'text/plain' })}/export?mimeType=application/pdf`),
  ],
  [
    '403 fileOrganizerOnFoldersInSharedDriveOnly global -',
    async ({ editor }) => share(editor, await ofDrive(editor), userOf(SECOND, 'fileOrganizer')),
  ],
  [
    '403 fileOrganizerOnNonTeamDriveNotSupported global -',
    async ({ owner }) => share(owner, await pathOf(owner, { mimeType: FOLDER }), userOf(SECOND, 'fileOrganizer')),
  ],
  [
    '403 fileOwnerNotMemberOfTeamDrive global -',
    async ({ owner, editor }) => {
      const folder = await make(owner, { mimeType: FOLDER });
      await share(owner, `${FILES}/${folder}`, userOf(EDITOR, 'writer'));
      const file = await pathOf(owner, { name: 'x', parents: [folder] });
      return moveTo(editor, file, await sharedDrive(editor), folder);
    },
  ],
  ['403 forbidden global -', ({ owner }) => fetch(owner.simulator.url + FILES)],
  [
    '403 forbiddenForNonOrganizer calendar -',
    async ({ owner, guest }) => {
      const id = await owner.make(EVENTS, { ...TIMES, attendees: [{ email: SECOND }] });
      return guest.call(`${EVENTS}/${id}`, patch({ summary: 'mine' }));
    },
  ],
  [
    '410 fullSyncRequired calendar syncToken',
    async ({ simulator, owner }) => {
      const token = await syncToken(owner);
      await control(simulator, 'POST', 'cursors/expire');
      return owner.call(`${EVENTS}?syncToken=${token}`);
    },
  ],
  [
    '400 generatedIdNotSupported global -',
    async ({ owner }) => {
      const { ids } = await owner.json(`${FILES}/generateIds?count=1`);
      return create(owner, { id: Array.isArray(ids) ? ids[0] : '', mimeType: DOCUMENT });
    },
  ],
  [
    '400 illegalAccessRoleForDefault calendar -',
    ({ owner }) => owner.call(`${CALENDARS}/primary/acl`, post({ role: 'writer', scope: { type: 'default' } })),
  ],
  [
    '400 illegalKeepForeverModification global -',
    async ({ owner }) => {
      const file = await pathOf(owner, { mimeType: DOCUMENT });
      return owner.call(await revisionOf(owner, file), patch({ keepForever: true }));
    },
  ],
  [
    '403 insufficientAdministratorPrivileges global useDomainAdminAccess',
    ({ viewer }) => viewer.call('/drive/v3/drives?useDomainAdminAccess=true'),
  ],
  [
    '403 insufficientFilePermissions global -',
    async ({ owner, guest }) => {
      const file = await pathOf(owner);
      await share(owner, file, userOf(SECOND, 'reader'));
      return guest.call(file, patch({ name: 'mine' }));
    },
  ],
  [
    '403 insufficientParentPermissions global -',
    async ({ owner, guest }) => {
      const folder = await make(owner, { mimeType: FOLDER });
      await share(owner, `${FILES}/${folder}`, userOf(SECOND, 'reader'));
      return create(guest, { parents: [folder] });
    },
  ],
  [
    '403 insufficientPermissions global -',
    async ({ simulator }) => {
      const reader = await signIn(simulator, { scope: 'https://www.googleapis.com/auth/drive.readonly' });
      return create(reader, { name: 'x' });
    },
  ],
  ['400 invalid global orderBy', ({ owner }) => owner.call(`${FILES}?orderBy=colour`)],
  ['400 invalidParameter global pageSize', ({ owner }) => owner.call(`${FILES}?pageSize=0`)],
  [
    '400 invalidSharingRequest global -',
    async ({ owner }) =>
      share(owner, await pathOf(owner), userOf('nobody@elsewhere.example', 'reader'), '&sendNotificationEmail=false'),
  ],
  [
    '400 malformedFocusTimeEvent calendar -',
    ({ owner }) => insert(owner, { ...TIMES, eventType: 'focusTime', attendees: [{ email: SECOND }] }),
  ],
  [
    '400 malformedOutOfOfficeEvent calendar -',
    ({ owner }) => insert(owner, { ...TIMES, eventType: 'outOfOffice', attendees: [{ email: SECOND }] }),
  ],
  [
    '400 malformedWorkingLocationEvent calendar -',
    ({ owner }) =>
      insert(owner, { ...TWO_DAYS, eventType: 'workingLocation', workingLocationProperties: { type: 'homeOffice' } }),
  ],
  [
    '403 myDriveHierarchyDepthLimitExceeded global -',
    async (world) => {
      const parent = await deepest(world.owner, 'root');
      await limit(world, { folderDepth: 2 });
      return create(world.owner, { mimeType: FOLDER, parents: [parent] });
    },
  ],
  ['404 notFound global fileId', ({ owner }) => owner.call(`${FILES}/nowhere`)],
  [
    '403 numChildrenInNonRootLimitExceeded global -',
    async (world) => {
      const folder = await make(world.owner, { mimeType: FOLDER });
      await limit(world, { folderChildren: 0 });
      return create(world.owner, { parents: [folder] });
    },
  ],
  [
    '403 organizerOnNonTeamDriveNotSupported global -',
    async ({ owner }) => share(owner, await pathOf(owner), userOf(SECOND, 'organizer')),
  ],
  [
    '403 organizerOnNonTeamDriveItemNotSupported global -',
    async ({ editor }) => share(editor, await ofDrive(editor), userOf(SECOND, 'organizer')),
  ],
  [
    '403 ownerOnTeamDriveItemNotSupported global -',
    async ({ editor }) => share(editor, await ofDrive(editor), userOf(VIEWER, 'owner'), '&transferOwnership=true'),
  ],
  [
    '400 ownershipChangeAcrossDomainNotPermitted global -',
    async ({ editor }) => share(editor, await pathOf(editor), userOf(FIRST, 'owner'), '&transferOwnership=true'),
  ],
  ['403 propertyCountLimitExceeded global -', ({ owner }) => create(owner, { properties: properties(31) })],
  ['403 propertyLengthLimitExceeded global -', ({ owner }) => create(owner, { properties: { k: 'v'.repeat(124) } })],
  ['400 required global permission.type', async ({ owner }) => share(owner, await pathOf(owner), { role: 'reader' })],
  [
    '403 requiredAccessLevel calendar -',
    ({ owner }) => owner.call(`${CALENDARS}/en.usa%23holiday%40group.v.calendar.google.com/events`, post(TIMES)),
  ],
  [
    '403 revisionDeletionNotSupported global -',
    async ({ owner }) => owner.call(await revisionOf(owner, await pathOf(owner, { mimeType: DOCUMENT })), DELETE),
  ],
  [
    '403 revisionsNotSupported global -',
    async ({ owner }) => owner.call(`${await pathOf(owner, { mimeType: FOLDER })}/revisions`),
  ],
  [
    '403 shortcutTargetInvalid global -',
    async ({ owner }) => {
      const to = (targetId: string) => ({
        mimeType: 'application/vnd.google-apps.shortcut',
        shortcutDetails: { targetId },
      });
      return create(owner, to(await make(owner, to(await make(owner)))));
    },
  ],
  [
    '403 storageQuotaExceeded global -',
    async (world) => {
      await limit(world, { storedBytes: 10 });
      const body = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'eleven bytes' };
      return world.owner.call('/upload/drive/v3/files?uploadType=media', body);
    },
  ],
  [
    '400 syncTokenWithNonDefaultOrdering calendar orderBy',
    async ({ owner }) => owner.call(`${EVENTS}?syncToken=${await syncToken(owner)}&orderBy=updated`),
  ],
  [
    '400 syncTokenWithRequestRestrictions calendar syncToken',
    async ({ owner }) => owner.call(`${EVENTS}?syncToken=${await syncToken(owner)}&q=x`),
  ],
  [
    '409 teamDriveAlreadyExists global requestId',
    async ({ editor }) => {
      const path = '/drive/v3/drives?requestId=once';
      await editor.post(path, { name: 'One' });
      return editor.call(path, post({ name: 'One' }));
    },
  ],
  [
    '403 teamDriveDomainUsersOnlyRestriction global -',
    async ({ editor }) => {
      await editor.patch(`/drive/v3/drives/${await sharedDrive(editor)}`, { restrictions: { domainUsersOnly: true } });
      return share(editor, await ofDrive(editor), userOf(FIRST, 'reader'));
    },
  ],
  [
    '403 teamDriveTeamMembersOnlyRestriction global -',
    async ({ editor }) => {
      await editor.patch(`/drive/v3/drives/${await sharedDrive(editor)}`, { restrictions: { driveMembersOnly: true } });
      return share(editor, await ofDrive(editor), userOf(FIRST, 'reader'));
    },
  ],
  [
    '403 teamDriveFileLimitExceeded global -',
    async (world) => {
      const drive = await sharedDrive(world.editor);
      await limit(world, { sharedDriveItems: 1 });
      return create(world.editor, { parents: [drive] });
    },
  ],
  [
    '403 teamDriveHierarchyTooDeep global -',
    async (world) => {
      const parent = await deepest(world.editor, await sharedDrive(world.editor));
      await limit(world, { folderDepth: 2 });
      return create(world.editor, { mimeType: FOLDER, parents: [parent] });
    },
  ],
  [
    '403 teamDrivesFolderMoveInNotSupported global -',
    async ({ editor }) => moveTo(editor, await pathOf(editor, { mimeType: FOLDER }), await sharedDrive(editor), 'root'),
  ],
  [
    '403 teamDrivesParentLimit global -',
    async ({ editor }) => {
      const folder = await make(editor, { mimeType: FOLDER, parents: [await sharedDrive(editor)] });
      return moveTo(editor, await ofDrive(editor), folder);
    },
  ],
  [
    '403 teamDrivesSharingRestrictionNotAllowed global -',
    async ({ editor }) => editor.call(`${await ofDrive(editor)}?${ALL}`, patch({ writersCanShare: false })),
  ],
  [
    '400 timeRangeEmpty calendar timeMax',
    ({ owner }) => owner.call(`${EVENTS}?timeMin=2026-10-01T00:00:00Z&timeMax=2026-10-01T00:00:00Z`),
  ],
  [
    '410 updatedMinTooLongAgo calendar updatedMin',
    ({ owner }) => owner.call(`${EVENTS}?updatedMin=2020-01-01T00:00:00Z`),
  ],
  [
    '403 userCannotCreateTeamDrives global -',
    ({ owner }) => owner.call('/drive/v3/drives?requestId=one', post({ name: 'One' })),
  ],
];

/** Start and end of a series, which name their zone. */
function zoned(): Json {
  const end = (dateTime: string) => ({ dateTime, timeZone: 'Europe/Berlin' });
  return { start: end('2027-12-01T10:00:00'), end: end('2027-12-01T11:00:00') };
}

test.for(PRODUCED)(
  'a request is answered %s',
  async ([answer, refused], { simulator, owner, guest, editor, viewer }) => {
    expect(await shown(await refused({ simulator, owner, guest, editor, viewer }))).toBe(answer);
  },
);

test.for(AS_FAULT)('a fault answers %s', async (reason, { simulator, owner }) => {
  await control(simulator, 'POST', 'faults', { action: { apiError: { code: 403, reason } } });
  const quota = ['rateLimitExceeded', 'userRateLimitExceeded', 'sharingRateLimitExceeded', 'dailyLimitExceeded'];
  const domain = [...quota, 'quotaExceeded', 'accessNotConfigured'].includes(reason) ? 'usageLimits' : 'global';
  expect(await shown(await owner.call(LIST))).toBe(`403 ${reason} ${domain} -`);
});

test('each reason that public clients know has a request, a fault or a sentence in contributing/simulator-sources.md, and only one of them', () => {
  const produced = PRODUCED.map(([answer]) => answer.split(' ')[1] ?? '');
  const all = [...produced, ...AS_FAULT, ...Object.keys(NOT_PRODUCED)];
  expect(all.sort()).toEqual([...new Set(KNOWN)].sort());
});
