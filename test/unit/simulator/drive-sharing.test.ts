import { expect } from 'vitest';
import { control, signIn, test, type User } from './harness.ts';
import { FILES, FIRST, FOLDER, SECOND, TEAM, VIEWER } from './names.ts';
import { type Json, jsonInit, records, text } from './values.ts';

const ALL = 'supportsAllDrives=true';
const userOf = (emailAddress: string, role: string) => ({ type: 'user', role, emailAddress });
const make = (user: User, metadata: Json) => user.make(`${FILES}?${ALL}`, metadata);
const pathOf = async (user: User, metadata: Json) => `${FILES}/${await make(user, metadata)}`;
const permissionsOf = (file: string, query = '') => `${file}/permissions?fields=*&${ALL}${query}`;
const share = (user: User, file: string, permission: Json, query = '') =>
  user.post(permissionsOf(file, query), permission);
const refusedShare = (user: User, file: string, permission: Json, query = '') =>
  user.refusal(permissionsOf(file, query), jsonInit('POST', permission));
const idsOf = (files: Json[]) => files.map(({ id }) => id);
const changesSince = async (user: User, token: unknown, more = '') => {
  const page = await user.json(`/drive/v3/changes?pageToken=${text(token)}${more}`);
  const seen = records(page.changes).map(({ fileId, removed }) => [fileId, removed]);
  return { token: page.newStartPageToken, seen };
};

test('hides a file from others with 404, and lets a reader read it and no more', async ({ owner, guest }) => {
  const file = await pathOf(owner, { name: 'plan' });
  expect(await guest.refusal(file)).toBe('404 notFound');
  const permission = { kind: 'drive#permission', ...userOf(SECOND, 'reader') };
  expect(await share(owner, file, userOf(SECOND, 'reader'))).toMatchObject(permission);
  const seen = await guest.json(`${file}?fields=*`);
  expect(seen).toMatchObject({ shared: true, ownedByMe: false, capabilities: { canEdit: false, canComment: false } });
  expect(seen).toMatchObject({ sharingUser: { emailAddress: FIRST } });
  expect([seen.parents, seen.permissions]).toEqual([undefined, undefined]);
  const refused = '403 insufficientFilePermissions';
  expect(await guest.refusal(file, jsonInit('PATCH', { name: 'mine' }))).toBe(refused);
  expect(await guest.refusal(file, { method: 'DELETE' })).toBe(refused);
  expect(await guest.refusal(`${file}/permissions`)).toBe(refused);
  expect(await guest.patch(`${file}?fields=starred`, { starred: true })).toEqual({ starred: true });
  expect(await owner.json(`${file}?fields=starred`)).toEqual({ starred: false });
  expect(await guest.search('sharedWithMe = true and starred = true')).toHaveLength(1);
});

test('inherits a folder’s permission, raises it on one file, and takes it away', async ({ owner, guest }) => {
  const folder = await make(owner, { name: 'box', mimeType: FOLDER });
  const inside = await pathOf(owner, { name: 'inside', parents: [folder] });
  const permissionId = text((await share(owner, `${FILES}/${folder}`, userOf(SECOND, 'reader'))).id);
  expect((await guest.json(`${inside}?fields=parents`)).parents).toEqual([folder]);
  const path = `${inside}/permissions/${permissionId}?fields=*`;
  expect((await owner.json(path)).permissionDetails).toEqual([
    { permissionType: 'file', role: 'reader', inherited: true, inheritedFrom: folder },
  ]);
  expect(await owner.refusal(path, { method: 'DELETE' })).toBe('403 cannotModifyInheritedPermission');
  expect(await owner.patch(path, { role: 'writer' })).toMatchObject({ role: 'writer' });
  await guest.patch(inside, { name: 'edited' });
  const deeper = jsonInit('POST', { name: 'of the guest', parents: [folder] });
  expect(await guest.status(FILES, deeper)).toBe(403);
  expect(await owner.remove(`${FILES}/${folder}/permissions/${permissionId}`)).toBe(204);
  expect([await guest.status(`${FILES}/${folder}`), await guest.status(inside)]).toEqual([404, 200]);
});

test('records in a guest’s change log that a folder’s files come and go', async ({ owner, guest }) => {
  const folder = await make(owner, { name: 'box', mimeType: FOLDER });
  const inside = await make(owner, { name: 'inside', parents: [folder] });
  const { startPageToken } = await guest.json('/drive/v3/changes/startPageToken');
  const { id } = await share(owner, `${FILES}/${folder}`, userOf(SECOND, 'reader'));
  const entered = await changesSince(guest, startPageToken);
  expect(entered.seen).toEqual([folder, inside].map((one) => [one, false]));
  await owner.remove(`${FILES}/${folder}/permissions/${text(id)}`);
  expect((await changesSince(guest, entered.token)).seen).toEqual([folder, inside].map((one) => [one, true]));
});

test('ends a permission at its expirationTime', async ({ simulator, owner, guest }) => {
  const file = await pathOf(owner, { name: 'for an hour' });
  const expirationTime = new Date(Date.now() + 3_600_000).toISOString();
  await share(owner, file, { ...userOf(SECOND, 'reader'), expirationTime });
  expect(await guest.status(file)).toBe(200);
  await control(simulator, 'POST', 'clock', { offsetSec: 3601 });
  expect(await (await signIn(simulator, { account: SECOND })).status(file)).toBe(404);
});

const reader = userOf(SECOND, 'reader');
test.for<[claim: string, permission: Json, refusal: string]>([
  ['no type', { role: 'reader' }, '400 required'],
  ['a type that is none', { type: 'robot', role: 'reader' }, '400 badRequest'],
  ['no role', { type: 'anyone' }, '400 required'],
  ['no address', { type: 'user', role: 'reader' }, '400 required'],
  ['an owner without transferOwnership', userOf(SECOND, 'owner'), '403 forbidden'],
  ['a role of shared drives', userOf(SECOND, 'organizer'), '403 organizerOnNonTeamDriveNotSupported'],
  ['a past end', { ...reader, expirationTime: '2020-01-01T00:00:00Z' }, '400 invalid'],
  [
    'an end for everybody',
    { type: 'anyone', role: 'reader', expirationTime: '2030-01-01T00:00:00Z' },
    '403 cannotSetExpirationOnAnyoneOrDomain',
  ],
])('refuses a permission with %s', async ([, permission, refusal], { owner }) => {
  expect(await refusedShare(owner, await pathOf(owner, { name: 'x' }), permission)).toBe(refusal);
});

test('asks to notify an address without an account', async ({ owner }) => {
  const file = await pathOf(owner, { name: 'x' });
  const stranger = userOf('stranger@elsewhere.example', 'reader');
  const silent = '&sendNotificationEmail=false';
  expect(await refusedShare(owner, file, stranger, silent)).toBe('400 invalidSharingRequest');
  expect(await share(owner, file, stranger)).toMatchObject({ displayName: 'stranger@elsewhere.example' });
});

test('opens a link to everybody unlisted, and a domain’s files to the domain', async ({ editor, viewer, guest }) => {
  const linked = await pathOf(editor, { name: 'linked quux' });
  await share(editor, linked, { type: 'anyone', role: 'reader' });
  expect((await guest.json(`${linked}?fields=name`)).name).toBe('linked quux');
  expect(await guest.search("name contains 'quux'")).toEqual([]);
  const found = await make(editor, { name: 'found quux' });
  const domain = { type: 'domain', role: 'commenter', domain: 'workspace.example', allowFileDiscovery: true };
  await share(editor, `${FILES}/${found}`, domain);
  expect(await guest.status(`${FILES}/${found}`)).toBe(404);
  expect(idsOf(await viewer.search("name contains 'quux'", '&corpora=domain'))).toEqual([found]);
  expect(await editor.search("visibility = 'anyoneWithLink' or visibility = 'domainCanFind'")).toHaveLength(2);
});

test('shares with a group, whose members are found by it', async ({ owner, viewer }) => {
  const id = await make(owner, { name: 'for the team' });
  await share(owner, `${FILES}/${id}`, { type: 'group', role: 'writer', emailAddress: TEAM });
  await viewer.patch(`${FILES}/${id}`, { description: 'by a member' });
  expect(idsOf(await viewer.search(`'${TEAM}' in writers and not 'me' in owners`))).toEqual([id]);
});

test('transfers a file inside a Workspace at once', async ({ editor }) => {
  const file = await pathOf(editor, { name: 'handed over' });
  await share(editor, file, userOf(VIEWER, 'owner'), '&transferOwnership=true');
  const after = await editor.json(`${file}?fields=owners,ownedByMe,capabilities(canEdit,canTrash)`);
  expect(after).toMatchObject({ ownedByMe: false, capabilities: { canEdit: true, canTrash: false } });
  expect(after).toMatchObject({ owners: [{ emailAddress: VIEWER }] });
});

test('transfers a file between consumers with consent', async ({ owner, guest }) => {
  const file = await pathOf(owner, { name: 'offered' });
  const transfer = '&transferOwnership=true';
  const refused = await refusedShare(owner, file, userOf(SECOND, 'owner'), transfer);
  expect(refused).toBe('403 consentRequiredForOwnershipTransfer');
  const offered = await share(owner, file, { ...userOf(SECOND, 'writer'), pendingOwner: true });
  expect(offered.pendingOwner).toBe(true);
  const capabilities = { capabilities: { canAcceptOwnership: true } };
  expect(await guest.json(`${file}?fields=capabilities/canAcceptOwnership`)).toEqual(capabilities);
  const accept = `${file}/permissions/${text(offered.id)}?transferOwnership=true`;
  expect(await guest.patch(accept, { role: 'owner' })).toMatchObject({ role: 'owner' });
  expect(await guest.json(`${file}?fields=ownedByMe`)).toEqual({ ownedByMe: true });
});

test('lets a guest leave, and never the owner', async ({ owner, guest }) => {
  const file = await pathOf(owner, { name: 'x' });
  const own = text((await share(owner, file, reader)).id);
  const others = text((await share(owner, file, userOf(VIEWER, 'reader'))).id);
  const remove = { method: 'DELETE' };
  expect(await guest.refusal(`${file}/permissions/${others}`, remove)).toBe('403 insufficientFilePermissions');
  expect(await guest.remove(`${file}/permissions/${own}`)).toBe(204);
  expect(await guest.status(file)).toBe(404);
  const [ofOwner] = await owner.list(`${file}/permissions`, 'permissions');
  expect(ofOwner?.role).toBe('owner');
  expect(await owner.refusal(`${file}/permissions/${text(ofOwner?.id)}`, remove)).toBe('403 cannotRemoveOwner');
});

test('deletes a folder with its owner’s files and sends a guest’s file to the guest', async ({ owner, guest }) => {
  const folder = await make(owner, { name: 'box', mimeType: FOLDER });
  await share(owner, `${FILES}/${folder}`, userOf(SECOND, 'writer'));
  const own = await pathOf(owner, { name: 'own', parents: [folder] });
  const theirs = await pathOf(guest, { name: 'theirs', parents: [folder] });
  const { capabilities } = await owner.json(`${theirs}?fields=capabilities(canEdit,canDelete)`);
  expect(capabilities).toEqual({ canEdit: true, canDelete: false });
  expect(await owner.remove(`${FILES}/${folder}`)).toBe(204);
  expect(await owner.status(own)).toBe(404);
  const root = await guest.json(`${FILES}/root?fields=id`);
  expect((await guest.json(`${theirs}?fields=parents`)).parents).toEqual([root.id]);
});

test('answers a request for access', async ({ simulator, owner, guest }) => {
  const id = await make(owner, { name: 'asked for' });
  const asked = { account: SECOND, fileId: id, role: 'writer', message: 'please' };
  const { proposalId } = await control(simulator, 'POST', 'access-proposals', asked);
  const path = `${FILES}/${id}/accessproposals`;
  expect(await owner.list(path, 'accessProposals')).toMatchObject([
    { proposalId, requesterEmailAddress: SECOND, requestMessage: 'please', rolesAndViews: [{ role: 'writer' }] },
  ]);
  expect(await guest.status(path)).toBe(404);
  const accept = jsonInit('POST', { action: 'ACCEPT', role: ['commenter'] });
  expect(await owner.status(`${path}/${text(proposalId)}:resolve`, accept)).toBe(204);
  const capabilities = { canComment: true, canEdit: false };
  expect(await guest.json(`${FILES}/${id}?fields=capabilities(canComment,canEdit)`)).toEqual({ capabilities });
  expect(await owner.status(`${path}/${text(proposalId)}`)).toBe(404);
});

test('makes, shares and hides a shared drive; what is in it is found there alone', async ({ editor, viewer }) => {
  const create = '/drive/v3/drives?requestId=one&fields=*';
  const drive = await editor.post(create, { name: 'Works' });
  expect(drive).toMatchObject({ kind: 'drive#drive', hidden: false, capabilities: { canManageMembers: true } });
  expect(await editor.status(create, jsonInit('POST', { name: 'Works' }))).toBe(409);
  const id = text(drive.id);
  const path = `/drive/v3/drives/${id}`;
  expect(await viewer.status(path)).toBe(404);
  const everybody = await refusedShare(editor, `${FILES}/${id}`, { type: 'anyone', role: 'reader' });
  expect(everybody).toContain('cannotShareTeamDriveTopFolderWithAnyoneOrDomains');
  await share(editor, `${FILES}/${id}`, userOf(VIEWER, 'writer'));
  const file = await pathOf(viewer, { name: 'in the drive', parents: [id] });
  const seen = await editor.json(`${file}?${ALL}&fields=*`);
  expect([seen.parents, seen.owners, seen.ownedByMe]).toEqual([[id], undefined, undefined]);
  expect(await editor.search("name = 'in the drive'")).toEqual([]);
  const members = await viewer.list(permissionsOf(`${FILES}/${id}`), 'permissions');
  expect(members.map(({ role }) => role)).toEqual(['organizer', 'writer']);
  expect(await viewer.remove(`${file}?${ALL}`)).toBe(403);
  const drives = async (q: string) =>
    (await viewer.list(`/drive/v3/drives?${new URLSearchParams({ q })}`, 'drives')).map(({ name }) => name);
  await viewer.json(`${path}/hide`, { method: 'POST' });
  expect(await drives('hidden = true')).toEqual(['Works']);
  await viewer.json(`${path}/unhide`, { method: 'POST' });
  expect(await drives("hidden = false and name contains 'work'")).toEqual(['Works']);
  expect(await viewer.status(path, jsonInit('PATCH', { name: 'Mine' }))).toBe(403);
});

test('keeps domain-wide access to shared drives for administrators', async ({ viewer, editor }) => {
  const many = '/drive/v3/drives?q=memberCount%20%3E%201';
  expect(await viewer.status(`${many}&useDomainAdminAccess=true`)).toBe(403);
  expect(await editor.list(`${many}&useDomainAdminAccess=true`, 'drives')).toMatchObject([{ name: 'Team projects' }]);
  expect(await editor.failure(many)).toMatchObject({ status: 400, reason: 'invalid', location: 'q' });
  const [former] = await editor.list('/drive/v3/teamdrives?fields=*', 'teamDrives');
  expect(former).toMatchObject({ kind: 'drive#teamDrive', capabilities: { canDeleteTeamDrive: true } });
});

/** Id of the shared drive that is there from the start. */
const sharedDrive = async (user: User) => text((await user.list('/drive/v3/drives', 'drives'))[0]?.id);

test('moves a file into a shared drive, which then owns it, and refuses a folder', async ({ editor }) => {
  const driveId = await sharedDrive(editor);
  const id = await make(editor, { name: 'to move' });
  const move = `?${ALL}&addParents=${driveId}&removeParents=root&fields=driveId,owners`;
  expect(await editor.patch(`${FILES}/${id}${move}`, {})).toEqual({ driveId });
  const folder = await pathOf(editor, { name: 'box', mimeType: FOLDER });
  const refused = await editor.refusal(folder + move, jsonInit('PATCH', {}));
  expect(refused).toBe('403 teamDrivesFolderMoveInNotSupported');
});

const EVERYTHING = `&includeItemsFromAllDrives=true&${ALL}`;
const REMOVALS = '&includeCorpusRemovals=true';

/** Ids that a log has since a token, each with whether it is removed and whether the file is shown. */
const logSince = async (user: User, token: unknown, more: string) => {
  const page = await user.json(`/drive/v3/changes?pageToken=${text(token)}${more}`);
  return records(page.changes).map(({ fileId, driveId, removed, file }) => [
    fileId ?? driveId,
    removed,
    file !== undefined,
  ]);
};
const startOf = async (user: User, more = '') =>
  (await user.json(`/drive/v3/changes/startPageToken?${ALL}${more}`)).startPageToken;

test('CH-2: a file that moves between corpora is removed in the log it leaves though it is readable, which includeCorpusRemovals shows', async ({
  editor,
  viewer,
}) => {
  const driveId = await sharedDrive(editor);
  const ofDrive = `&driveId=${driveId}${EVERYTHING}`;
  const id = await make(editor, { name: 'to move' });
  const own = await startOf(editor);
  const members = await startOf(viewer);
  const drives = await startOf(viewer, `&driveId=${driveId}`);
  const file = `${FILES}/${id}?${ALL}`;
  await editor.patch(`${file}&addParents=${driveId}&removeParents=root`, {});
  expect(await logSince(editor, own, '')).toEqual([[id, true, false]]);
  expect(await logSince(editor, own, EVERYTHING)).toEqual([[id, true, false]]);
  expect(await logSince(editor, own, EVERYTHING + REMOVALS)).toEqual([[id, true, true]]);
  // Who only is a member finds it in the drive's log.
  expect(await logSince(viewer, members, EVERYTHING + REMOVALS)).toEqual([]);
  expect(await logSince(viewer, drives, ofDrive)).toEqual([[id, false, true]]);
  // From then on the drive's log has its changes, and the other one none.
  const after = await startOf(editor);
  await editor.patch(file, { name: 'moved' });
  expect(await logSince(editor, after, EVERYTHING + REMOVALS)).toEqual([]);
  const back = await startOf(viewer, `&driveId=${driveId}`);
  await editor.patch(`${file}&addParents=root&removeParents=${driveId}`, {});
  expect(await logSince(viewer, back, ofDrive)).toEqual([[id, true, false]]);
  expect(await logSince(editor, back, ofDrive + REMOVALS)).toEqual([[id, true, true]]);
  expect(await logSince(editor, after, '')).toEqual([[id, false, true]]);
  await editor.remove(file);
  expect(await logSince(editor, after, REMOVALS)).toEqual([[id, true, false]]);
});

test('CH-2: an item that moves from one shared drive to another leaves the log of the first', async ({ editor }) => {
  const first = await sharedDrive(editor);
  const second = text((await editor.post('/drive/v3/drives?requestId=second', { name: 'Second' })).id);
  const id = await make(editor, { name: 'to move', parents: [first] });
  const tokens = await Promise.all([first, second].map((drive) => startOf(editor, `&driveId=${drive}`)));
  await editor.patch(`${FILES}/${id}?${ALL}&addParents=${second}&removeParents=${first}`, {});
  expect(await logSince(editor, tokens[0], `&driveId=${first}${EVERYTHING}`)).toEqual([[id, true, false]]);
  expect(await logSince(editor, tokens[1], `&driveId=${second}${EVERYTHING}`)).toEqual([[id, false, true]]);
});

test('CH-2: a log reports a shared drive that somebody joins and leaves, and none of its files', async ({
  editor,
  viewer,
}) => {
  const drive = text((await editor.post('/drive/v3/drives?requestId=joined', { name: 'Joined' })).id);
  await make(editor, { name: 'was there before', parents: [drive] });
  const before = await startOf(viewer);
  const { id } = await share(editor, `${FILES}/${drive}`, userOf(VIEWER, 'writer'));
  await make(editor, { name: 'came later', parents: [drive] });
  const used = await make(viewer, { name: 'used by the member', parents: [drive] });
  const told = await logSince(viewer, before, EVERYTHING);
  expect(told).toEqual([
    [drive, false, false],
    [used, false, true],
  ]);
  await editor.remove(`${FILES}/${drive}/permissions/${text(id)}?${ALL}`);
  expect((await logSince(viewer, before, EVERYTHING)).at(-1)).toEqual([drive, true, false]);
});

test('refuses what only an administrator, an owner or a manager gives', async ({ editor, viewer }) => {
  const root = await sharedDrive(editor);
  const file = await pathOf(editor, { name: 'x', parents: [root] });
  const toFirst = userOf(FIRST, 'reader');
  expect(await refusedShare(viewer, file, toFirst)).toBe('403 insufficientFilePermissions');
  const toOwner = await refusedShare(editor, file, userOf(VIEWER, 'owner'), '&transferOwnership=true');
  expect(toOwner).toBe('403 ownerOnTeamDriveItemNotSupported');
  await editor.patch(`/drive/v3/drives/${root}`, { restrictions: { domainUsersOnly: true } });
  expect(await refusedShare(editor, file, toFirst)).toBe('403 teamDriveDomainUsersOnlyRestriction');
  const asAdmin = `${FILES}/${root}/permissions?useDomainAdminAccess=true&${ALL}`;
  expect(await viewer.refusal(asAdmin)).toBe('403 insufficientAdministratorPrivileges');
});

test('asks copiers and downloaders for more than reading where the owner says so', async ({ owner, guest }) => {
  const metadata = { name: 'x.txt', mimeType: 'text/plain', copyRequiresWriterPermission: true };
  const file = await pathOf(owner, metadata);
  await share(owner, file, reader);
  expect(await guest.refusal(`${file}/copy`, { method: 'POST' })).toBe('403 cannotCopyFile');
  expect([await guest.status(`${file}?alt=media`), await owner.status(`${file}?alt=media`)]).toEqual([403, 200]);
});
