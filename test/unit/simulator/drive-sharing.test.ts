import { beforeEach, expect, test } from 'vitest';
import type { Simulator } from '../../../simulator/index.ts';
import {
  api,
  apiFailure,
  apiJson,
  control,
  EDITOR,
  FIRST,
  type Json,
  jsonInit,
  obtainTokens,
  readJson,
  record,
  records,
  SECOND,
  startTestSimulator,
  text,
} from './harness.ts';

const VIEWER = 'viewer@workspace.example';
const FILES = '/drive/v3/files';
const FOLDER = 'application/vnd.google-apps.folder';

/** One person's calls. */
interface Person {
  json(path: string, init?: RequestInit): Promise<Json>;
  call(path: string, init?: RequestInit): Promise<Response>;
}

let simulator: Simulator;

async function signIn(account: string): Promise<Person> {
  const { accessToken } = await obtainTokens(simulator, {}, { account });
  return {
    json: (path, init = {}) => apiJson(simulator, accessToken, path, init),
    call: (path, init = {}) => api(simulator, accessToken, path, init),
  };
}

beforeEach(async () => {
  simulator = await startTestSimulator();
});

async function make(person: Person, metadata: Json): Promise<string> {
  return text((await person.json(`${FILES}?supportsAllDrives=true`, jsonInit('POST', metadata))).id);
}

function share(person: Person, id: string, permission: Json, query = ''): Promise<Response> {
  return person.call(
    `${FILES}/${id}/permissions?fields=*&supportsAllDrives=true${query}`,
    jsonInit('POST', permission),
  );
}

async function shared(person: Person, id: string, permission: Json, query = ''): Promise<Json> {
  const response = await share(person, id, permission, query);
  const body = await readJson(response);
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body;
}

const search = (q: string, more = '') => `${FILES}?${new URLSearchParams({ q })}&fields=*${more}`;
const userOf = (emailAddress: string, role: string) => ({ type: 'user', role, emailAddress });

test('hides a file from others with 404, and lets a reader read it and no more', async () => {
  const owner = await signIn(FIRST);
  const guest = await signIn(SECOND);
  const id = await make(owner, { name: 'plan' });
  expect(await apiFailure(await guest.call(`${FILES}/${id}`))).toMatchObject({ status: 404, reason: 'notFound' });
  const permission = await shared(owner, id, userOf(SECOND, 'reader'));
  expect(permission).toMatchObject({ kind: 'drive#permission', role: 'reader', emailAddress: SECOND, type: 'user' });
  const seen = await guest.json(`${FILES}/${id}?fields=*`);
  expect(seen).toMatchObject({ shared: true, ownedByMe: false, capabilities: { canEdit: false, canComment: false } });
  expect(record(seen.sharingUser).emailAddress).toBe(FIRST);
  expect(seen.parents).toBeUndefined();
  expect(seen.permissions).toBeUndefined();
  const reason = 'insufficientFilePermissions';
  for (const init of [jsonInit('PATCH', { name: 'mine' }), { method: 'DELETE' }]) {
    expect(await apiFailure(await guest.call(`${FILES}/${id}`, init))).toMatchObject({ status: 403, reason });
  }
  expect(await apiFailure(await guest.call(`${FILES}/${id}/permissions`))).toMatchObject({ status: 403, reason });
  expect(await guest.json(`${FILES}/${id}?fields=starred`, jsonInit('PATCH', { starred: true }))).toEqual({
    starred: true,
  });
  expect(await owner.json(`${FILES}/${id}?fields=starred`)).toEqual({ starred: false });
  expect(records((await guest.json(search('sharedWithMe = true and starred = true'))).files)).toHaveLength(1);
});

test('inherits a folder’s permission, raises it on one file, and takes it away everywhere', async () => {
  const owner = await signIn(FIRST);
  const guest = await signIn(SECOND);
  const folder = await make(owner, { name: 'box', mimeType: FOLDER });
  const inside = await make(owner, { name: 'inside', parents: [folder] });
  const { id: permissionId } = await shared(owner, folder, userOf(SECOND, 'reader'));
  expect((await guest.json(`${FILES}/${inside}?fields=capabilities,parents`)).parents).toEqual([folder]);
  const path = `${FILES}/${inside}/permissions/${text(permissionId)}?fields=*`;
  expect((await owner.json(path)).permissionDetails).toEqual([
    { permissionType: 'file', role: 'reader', inherited: true, inheritedFrom: folder },
  ]);
  expect(await apiFailure(await owner.call(path, { method: 'DELETE' }))).toMatchObject({
    status: 403,
    reason: 'cannotModifyInheritedPermission',
  });
  expect(await owner.json(path, jsonInit('PATCH', { role: 'writer' }))).toMatchObject({ role: 'writer' });
  await guest.json(`${FILES}/${inside}`, jsonInit('PATCH', { name: 'edited' }));
  const deeper = await make(guest, { name: 'of the guest', parents: [folder] }).catch(() => 'refused');
  expect(deeper).toBe('refused');
  expect((await owner.call(`${FILES}/${folder}/permissions/${text(permissionId)}`, { method: 'DELETE' })).status).toBe(
    204,
  );
  expect((await guest.call(`${FILES}/${folder}`)).status).toBe(404);
  expect((await guest.call(`${FILES}/${inside}`)).status).toBe(200);
});

test('tells a guest’s change log when a folder’s files come and go', async () => {
  const owner = await signIn(FIRST);
  const guest = await signIn(SECOND);
  const folder = await make(owner, { name: 'box', mimeType: FOLDER });
  const inside = await make(owner, { name: 'inside', parents: [folder] });
  const { startPageToken } = await guest.json('/drive/v3/changes/startPageToken');
  const { id: permissionId } = await shared(owner, folder, userOf(SECOND, 'reader'));
  const changes = async (token: unknown) => {
    const page = await guest.json(`/drive/v3/changes?pageToken=${token}`);
    return {
      token: page.newStartPageToken,
      seen: records(page.changes).map(({ fileId, removed }) => [fileId, removed]),
    };
  };
  const entered = await changes(startPageToken);
  expect(entered.seen).toEqual([
    [folder, false],
    [inside, false],
  ]);
  await owner.call(`${FILES}/${folder}/permissions/${text(permissionId)}`, { method: 'DELETE' });
  expect((await changes(entered.token)).seen).toEqual([
    [folder, true],
    [inside, true],
  ]);
});

test('ends a permission at its expirationTime', async () => {
  const owner = await signIn(FIRST);
  const guest = await signIn(SECOND);
  const id = await make(owner, { name: 'for an hour' });
  const expirationTime = new Date(Date.now() + 3_600_000).toISOString();
  await shared(owner, id, { ...userOf(SECOND, 'reader'), expirationTime });
  expect((await guest.call(`${FILES}/${id}`)).status).toBe(200);
  await control(simulator, 'POST', 'clock', { offsetSec: 3601 });
  const late = await signIn(SECOND);
  expect((await late.call(`${FILES}/${id}`)).status).toBe(404);
});

test.each<[claim: string, permission: Json, status: number, reason: string]>([
  ['no type', { role: 'reader' }, 400, 'required'],
  ['no role', { type: 'anyone' }, 400, 'required'],
  ['no address', { type: 'user', role: 'reader' }, 400, 'required'],
  ['an owner without transferOwnership', userOf(SECOND, 'owner'), 403, 'forbidden'],
  ['a role of shared drives', userOf(SECOND, 'organizer'), 403, 'organizerOnNonTeamDriveNotSupported'],
  [
    'an end in the past',
    { ...userOf(SECOND, 'reader'), expirationTime: '2020-01-01T00:00:00Z' },
    403,
    'expirationDatesMustBeInTheFuture',
  ],
  [
    'an end for everybody',
    { type: 'anyone', role: 'reader', expirationTime: '2030-01-01T00:00:00Z' },
    403,
    'cannotSetExpirationOnAnyoneOrDomain',
  ],
])('refuses a permission with %s', async (_claim, permission, status, reason) => {
  const owner = await signIn(FIRST);
  const id = await make(owner, { name: 'x' });
  expect(await apiFailure(await share(owner, id, permission))).toMatchObject({ status, reason });
});

test('asks to notify an address without an account', async () => {
  const owner = await signIn(FIRST);
  const id = await make(owner, { name: 'x' });
  const stranger = userOf('stranger@elsewhere.example', 'reader');
  const refused = await apiFailure(await share(owner, id, stranger, '&sendNotificationEmail=false'));
  expect(refused).toMatchObject({ status: 400, reason: 'invalidSharingRequest' });
  expect(await shared(owner, id, stranger)).toMatchObject({ displayName: 'stranger@elsewhere.example' });
});

test('opens a link to everybody without listing the file, and a domain’s files to the domain', async () => {
  const owner = await signIn(EDITOR);
  const colleague = await signIn(VIEWER);
  const outsider = await signIn(FIRST);
  const linked = await make(owner, { name: 'linked quux' });
  await shared(owner, linked, { type: 'anyone', role: 'reader' });
  expect((await outsider.json(`${FILES}/${linked}?fields=name`)).name).toBe('linked quux');
  expect(records((await outsider.json(search("name contains 'quux'"))).files)).toEqual([]);
  const found = await make(owner, { name: 'found quux' });
  await shared(owner, found, {
    type: 'domain',
    role: 'commenter',
    domain: 'workspace.example',
    allowFileDiscovery: true,
  });
  expect((await outsider.call(`${FILES}/${found}`)).status).toBe(404);
  const inDomain = await colleague.json(search("name contains 'quux'", '&corpora=domain'));
  expect(records(inDomain.files).map(({ id }) => id)).toEqual([found]);
  const open = await owner.json(search("visibility = 'anyoneWithLink' or visibility = 'domainCanFind'"));
  expect(records(open.files)).toHaveLength(2);
});

test('shares with a group, whose members are found by it', async () => {
  const owner = await signIn(FIRST);
  const member = await signIn(VIEWER);
  const id = await make(owner, { name: 'for the team' });
  await shared(owner, id, { type: 'group', role: 'writer', emailAddress: 'team@workspace.example' });
  await member.json(`${FILES}/${id}`, jsonInit('PATCH', { description: 'by a member' }));
  const q = `'team@workspace.example' in writers and not 'me' in owners`;
  expect(records((await member.json(search(q))).files).map((file) => file.id)).toEqual([id]);
});

test('transfers a file inside a Workspace at once, and between consumers with consent', async () => {
  const editor = await signIn(EDITOR);
  const inside = await make(editor, { name: 'handed over' });
  await shared(editor, inside, userOf(VIEWER, 'owner'), '&transferOwnership=true');
  const after = await editor.json(`${FILES}/${inside}?fields=owners,ownedByMe,capabilities(canEdit,canTrash)`);
  expect(after).toMatchObject({ ownedByMe: false, capabilities: { canEdit: true, canTrash: false } });
  expect(records(after.owners)[0]).toMatchObject({ emailAddress: VIEWER });
  const owner = await signIn(FIRST);
  const next = await signIn(SECOND);
  const id = await make(owner, { name: 'offered' });
  const refused = await share(owner, id, userOf(SECOND, 'owner'), '&transferOwnership=true');
  expect(await apiFailure(refused)).toMatchObject({ status: 403, reason: 'consentRequiredForOwnershipTransfer' });
  const offered = await shared(owner, id, { ...userOf(SECOND, 'writer'), pendingOwner: true });
  expect(offered.pendingOwner).toBe(true);
  expect(await next.json(`${FILES}/${id}?fields=capabilities/canAcceptOwnership`)).toEqual({
    capabilities: { canAcceptOwnership: true },
  });
  const accept = `${FILES}/${id}/permissions/${text(offered.id)}?transferOwnership=true`;
  expect(await next.json(accept, jsonInit('PATCH', { role: 'owner' }))).toMatchObject({ role: 'owner' });
  expect(await next.json(`${FILES}/${id}?fields=ownedByMe`)).toEqual({ ownedByMe: true });
});

test('lets a guest leave, and never the owner', async () => {
  const owner = await signIn(FIRST);
  const guest = await signIn(SECOND);
  const id = await make(owner, { name: 'x' });
  const { id: permissionId } = await shared(owner, id, userOf(SECOND, 'reader'));
  const { id: others } = await shared(owner, id, userOf(VIEWER, 'reader'));
  const ofOthers = await guest.call(`${FILES}/${id}/permissions/${text(others)}`, { method: 'DELETE' });
  expect(await apiFailure(ofOthers)).toMatchObject({ status: 403, reason: 'insufficientFilePermissions' });
  expect((await guest.call(`${FILES}/${id}/permissions/${text(permissionId)}`, { method: 'DELETE' })).status).toBe(204);
  expect((await guest.call(`${FILES}/${id}`)).status).toBe(404);
  const [own] = records((await owner.json(`${FILES}/${id}/permissions`)).permissions);
  expect(own?.role).toBe('owner');
  const refused = await owner.call(`${FILES}/${id}/permissions/${text(own?.id)}`, { method: 'DELETE' });
  expect(await apiFailure(refused)).toMatchObject({ status: 403, reason: 'cannotRemoveOwner' });
});

test('deletes a folder with its owner’s files and sends a guest’s file to the guest', async () => {
  const owner = await signIn(FIRST);
  const guest = await signIn(SECOND);
  const folder = await make(owner, { name: 'box', mimeType: FOLDER });
  await shared(owner, folder, userOf(SECOND, 'writer'));
  const own = await make(owner, { name: 'own', parents: [folder] });
  const theirs = await make(guest, { name: 'theirs', parents: [folder] });
  expect((await owner.json(`${FILES}/${theirs}?fields=capabilities(canEdit,canDelete)`)).capabilities).toEqual({
    canEdit: true,
    canDelete: false,
  });
  expect((await owner.call(`${FILES}/${folder}`, { method: 'DELETE' })).status).toBe(204);
  expect((await owner.call(`${FILES}/${own}`)).status).toBe(404);
  const root = await guest.json(`${FILES}/root?fields=id`);
  expect((await guest.json(`${FILES}/${theirs}?fields=parents`)).parents).toEqual([root.id]);
});

test('answers a request for access', async () => {
  const owner = await signIn(FIRST);
  const guest = await signIn(SECOND);
  const id = await make(owner, { name: 'asked for' });
  const asked = { account: SECOND, fileId: id, role: 'writer', message: 'please' };
  const { proposalId } = await control(simulator, 'POST', 'access-proposals', asked);
  const path = `${FILES}/${id}/accessproposals`;
  expect(records((await owner.json(path)).accessProposals)).toMatchObject([
    { proposalId, requesterEmailAddress: SECOND, requestMessage: 'please', rolesAndViews: [{ role: 'writer' }] },
  ]);
  expect((await guest.call(path)).status).toBe(404);
  const accept = jsonInit('POST', { action: 'ACCEPT', role: ['commenter'] });
  expect((await owner.call(`${path}/${text(proposalId)}:resolve`, accept)).status).toBe(204);
  expect(await guest.json(`${FILES}/${id}?fields=capabilities(canComment,canEdit)`)).toEqual({
    capabilities: { canComment: true, canEdit: false },
  });
  expect((await owner.call(`${path}/${text(proposalId)}`)).status).toBe(404);
});

test('makes, fills, hides, finds and deletes a shared drive', async () => {
  const manager = await signIn(EDITOR);
  const colleague = await signIn(VIEWER);
  const create = '/drive/v3/drives?requestId=one&fields=*';
  const drive = await manager.json(create, jsonInit('POST', { name: 'Works' }));
  const id = text(drive.id);
  expect(drive).toMatchObject({
    kind: 'drive#drive',
    name: 'Works',
    hidden: false,
    capabilities: { canManageMembers: true },
  });
  expect(await apiFailure(await manager.call(create, jsonInit('POST', { name: 'Works' })))).toMatchObject({
    status: 409,
  });
  expect((await colleague.call(`/drive/v3/drives/${id}`)).status).toBe(404);
  expect(await apiFailure(await share(manager, id, { type: 'anyone', role: 'reader' }))).toMatchObject({
    reason: 'cannotShareTeamDriveTopFolderWithAnyoneOrDomains',
  });
  await shared(manager, id, userOf(VIEWER, 'writer'));
  const file = await make(colleague, { name: 'in the drive', parents: [id] });
  expect((await manager.call(`${FILES}/${file}`)).status).toBe(404);
  const seen = await manager.json(`${FILES}/${file}?supportsAllDrives=true&fields=*`);
  expect(seen).toMatchObject({ driveId: id, parents: [id] });
  expect([seen.owners, seen.ownedByMe]).toEqual([undefined, undefined]);
  const inDrive = `&corpora=drive&driveId=${id}&includeItemsFromAllDrives=true&supportsAllDrives=true`;
  expect(records((await manager.json(search('trashed = false', inDrive))).files)).toHaveLength(1);
  expect(records((await manager.json(search("name = 'in the drive'"))).files)).toEqual([]);
  const members = await colleague.json(`${FILES}/${id}/permissions?supportsAllDrives=true&fields=*`);
  expect(records(members.permissions).map(({ role }) => role)).toEqual(['organizer', 'writer']);
  expect((await colleague.call(`${FILES}/${file}?supportsAllDrives=true`, { method: 'DELETE' })).status).toBe(403);
  expect((await manager.call(`/drive/v3/drives/${id}`, { method: 'DELETE' })).status).toBe(403);
  await colleague.json(`/drive/v3/drives/${id}/hide`, { method: 'POST' });
  const drives = async (q: string) =>
    records((await colleague.json(`/drive/v3/drives?${new URLSearchParams({ q })}`)).drives).map(({ name }) => name);
  expect(await drives('hidden = true')).toEqual(['Works']);
  await colleague.json(`/drive/v3/drives/${id}/unhide`, { method: 'POST' });
  expect(await drives("hidden = false and name contains 'work'")).toEqual(['Works']);
  expect((await colleague.call(`/drive/v3/drives/${id}`, jsonInit('PATCH', { name: 'Mine' }))).status).toBe(403);
  await manager.call(`${FILES}/${file}?supportsAllDrives=true`, { method: 'DELETE' });
  expect((await manager.call(`/drive/v3/drives/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await manager.call(`/drive/v3/drives/${id}`)).status).toBe(404);
});

test('keeps shared drives from consumers, and domain-wide access from who is no administrator', async () => {
  const consumer = await signIn(FIRST);
  const refused = await consumer.call('/drive/v3/drives?requestId=x', jsonInit('POST', { name: 'x' }));
  expect((await apiFailure(refused)).status).toBe(403);
  const colleague = await signIn(VIEWER);
  const admin = await signIn(EDITOR);
  const all = '/drive/v3/drives?useDomainAdminAccess=true&q=memberCount%20%3E%201';
  expect((await colleague.call(all)).status).toBe(403);
  expect(records((await admin.json(all)).drives).map(({ name }) => name)).toEqual(['Team projects']);
  expect(await apiFailure(await admin.call('/drive/v3/drives?q=memberCount%20%3E%201'))).toMatchObject({
    status: 400,
    reason: 'invalid',
    location: 'q',
  });
  const former = await admin.json('/drive/v3/teamdrives?fields=*');
  expect(records(former.teamDrives)[0]).toMatchObject({
    kind: 'drive#teamDrive',
    capabilities: { canDeleteTeamDrive: true },
  });
});

test('moves a file into a shared drive, which then owns it, and refuses a folder', async () => {
  const manager = await signIn(EDITOR);
  const colleague = await signIn(VIEWER);
  const [drive] = records((await manager.json('/drive/v3/drives')).drives);
  const id = await make(manager, { name: 'to move' });
  const { startPageToken } = await colleague.json('/drive/v3/changes/startPageToken');
  const move = `?supportsAllDrives=true&addParents=${text(drive?.id)}&removeParents=root&fields=driveId,owners`;
  expect(await manager.json(`${FILES}/${id}${move}`, jsonInit('PATCH', {}))).toEqual({ driveId: drive?.id });
  const everything = '&includeItemsFromAllDrives=true&supportsAllDrives=true';
  const entered = await colleague.json(`/drive/v3/changes?pageToken=${text(startPageToken)}${everything}`);
  expect(records(entered.changes)).toMatchObject([{ fileId: id, removed: false }]);
  expect(records((await colleague.json(`/drive/v3/changes?pageToken=${text(startPageToken)}`)).changes)).toEqual([]);
  const folder = await make(manager, { name: 'box', mimeType: FOLDER });
  expect(await apiFailure(await manager.call(`${FILES}/${folder}${move}`, jsonInit('PATCH', {})))).toMatchObject({
    status: 403,
    reason: 'teamDrivesFolderMoveInNotSupported',
  });
});

test('forgets by a snapshot what was shared since', async () => {
  const owner = await signIn(FIRST);
  const guest = await signIn(SECOND);
  const id = await make(owner, { name: 'x' });
  const { snapshot } = await control(simulator, 'POST', 'snapshot', {});
  await shared(owner, id, userOf(SECOND, 'reader'));
  expect((await guest.call(`${FILES}/${id}`)).status).toBe(200);
  await control(simulator, 'POST', 'restore', { snapshot });
  expect((await guest.call(`${FILES}/${id}`)).status).toBe(404);
  expect((await owner.call(`${FILES}/${id}`)).status).toBe(200);
});

test('refuses what only an administrator, an owner or a manager gives', async () => {
  const manager = await signIn(EDITOR);
  const colleague = await signIn(VIEWER);
  const [drive] = records((await manager.json('/drive/v3/drives')).drives);
  const root = text(drive?.id);
  const id = await make(manager, { name: 'x', parents: [root] });
  const asCommenter = await share(colleague, id, userOf(FIRST, 'reader'));
  expect(await apiFailure(asCommenter)).toMatchObject({ status: 403, reason: 'insufficientFilePermissions' });
  const toOwner = await share(manager, id, userOf(VIEWER, 'owner'), '&transferOwnership=true');
  expect(await apiFailure(toOwner)).toMatchObject({ status: 403, reason: 'ownerOnTeamDriveItemNotSupported' });
  const restrict = jsonInit('PATCH', { restrictions: { domainUsersOnly: true } });
  await manager.json(`/drive/v3/drives/${root}`, restrict);
  expect(await apiFailure(await share(manager, id, userOf(FIRST, 'reader')))).toMatchObject({
    status: 403,
    reason: 'teamDriveDomainUsersOnlyRestriction',
  });
  const asAdmin = await colleague.call(`${FILES}/${root}/permissions?useDomainAdminAccess=true&supportsAllDrives=true`);
  expect(await apiFailure(asAdmin)).toMatchObject({ status: 403, reason: 'insufficientAdministratorPrivileges' });
});

test('asks copiers and downloaders for more than reading where the owner says so', async () => {
  const owner = await signIn(FIRST);
  const guest = await signIn(SECOND);
  const id = await make(owner, { name: 'x.txt', mimeType: 'text/plain', copyRequiresWriterPermission: true });
  await shared(owner, id, userOf(SECOND, 'reader'));
  expect(await apiFailure(await guest.call(`${FILES}/${id}/copy`, { method: 'POST' }))).toMatchObject({
    status: 403,
    reason: 'cannotCopyFile',
  });
  expect((await guest.call(`${FILES}/${id}?alt=media`)).status).toBe(403);
  expect((await owner.call(`${FILES}/${id}?alt=media`)).status).toBe(200);
});

test('shares a calendar with the members of a group too', async () => {
  const owner = await signIn(FIRST);
  const member = await signIn(VIEWER);
  const calendar = text((await owner.json('/calendar/v3/calendars', jsonInit('POST', { summary: 'Team' }))).id);
  const path = `/calendar/v3/calendars/${encodeURIComponent(calendar)}`;
  expect((await member.call(path)).status).toBe(404);
  const rule = { role: 'reader', scope: { type: 'group', value: 'team@workspace.example' } };
  await owner.json(`${path}/acl`, jsonInit('POST', rule));
  expect((await member.json(path)).summary).toBe('Team');
  expect((await (await signIn(SECOND)).call(path)).status).toBe(404);
});
