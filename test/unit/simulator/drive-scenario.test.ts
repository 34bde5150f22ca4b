/** The Drive half of the written scenario: 79 calls of Google's own Node client against one simulator, each answer judged. */
import { Readable } from 'node:stream';
import { auth, type drive_v3, drive as driveClient } from '@googleapis/drive';
import { expect } from 'vitest';
import type { Simulator } from '../../../packages/simulator/index.ts';
import { judged, signIn, startTestSimulator, test } from './harness.ts';
import { DRIVE, EDITOR, FIRST, FOLDER, VIEWER } from './names.ts';

const DOCUMENT = 'application/vnd.google-apps.document';
const ALL = { supportsAllDrives: true } as const;

async function driveOf(simulator: Simulator, account: string): Promise<drive_v3.Drive> {
  const scope = ['', '.appdata', '.apps.readonly'].map((name) => DRIVE + name).join(' ');
  const { accessToken } = await signIn(simulator, { scope, account });
  const client = new auth.OAuth2();
  client.setCredentials({ access_token: accessToken });
  const rootUrl = `${simulator.endpoints.api_base_url}/`;
  return driveClient({ version: 'v3', auth: client, rootUrl, retry: false });
}

function idOf(resource: { data: { id?: string | null } }): string {
  const { id } = resource.data;
  if (typeof id !== 'string') throw new Error('The answer has no id.');
  return id;
}

/** Status and first reason of the error that a call must end with. */
async function failureOf(call: Promise<unknown>): Promise<[status: unknown, reason: unknown]> {
  const error: unknown = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error) || !('response' in error)) throw error;
  const { code, errors } = Object(error.response).data.error;
  return [code, errors[0].reason];
}

test('a team works on files for a day: 79 calls with @googleapis/drive', { timeout: 60_000 }, async () => {
  let calls = 0;
  const simulator = await startTestSimulator({
    observer: judged({
      onRequest: ({ target }) => {
        if (/^\/(?:upload\/)?drive\//.test(target)) calls += 1;
      },
    }),
  });
  const owner = await driveOf(simulator, EDITOR);
  const colleague = await driveOf(simulator, VIEWER);
  const outsider = await driveOf(simulator, FIRST);

  // Who am I, and what can be made of what.
  const { data: about } = await owner.about.get({ fields: 'user,storageQuota,canCreateDrives,importFormats' });
  expect([about.user?.emailAddress, about.canCreateDrives]).toEqual([EDITOR, true]);
  expect((await outsider.about.get({ fields: 'canCreateDrives' })).data).toEqual({ canCreateDrives: false });
  const { data: start } = await owner.changes.getStartPageToken();
  const { data: colleagueStart } = await colleague.changes.getStartPageToken();

  // A folder with a file that is written twice.
  const folder = idOf(await owner.files.create({ requestBody: { name: 'Launch', mimeType: FOLDER } }));
  const { data: generated } = await owner.files.generateIds({ count: 2 });
  const notes = generated.ids?.[0] ?? '';
  const media = (body: string) => ({ mimeType: 'text/plain', body: Readable.from([body]) });
  // The client takes the address of uploads from each call and not from its own settings.
  const upload = { rootUrl: `${simulator.endpoints.api_base_url}/` };
  const asText = { id: notes, name: 'notes.txt', parents: [folder] };
  await owner.files.create({ requestBody: asText, media: media('one') }, upload);
  expect(await failureOf(owner.files.create({ requestBody: { id: notes } }))).toEqual([409, 'fileIdInUse']);
  const fields = 'id,size,md5Checksum,version,headRevisionId';
  const { data: second } = await owner.files.update({ fileId: notes, media: media('two words'), fields }, upload);
  expect(second.size).toBe('9');
  const bytes = await owner.files.get({ fileId: notes, alt: 'media' }, { responseType: 'text' });
  expect(bytes.data).toBe('two words');
  const { data: revisions } = await owner.revisions.list({ fileId: notes, fields: 'revisions(id,size,keepForever)' });
  const first = revisions.revisions?.[0]?.id ?? '';
  expect(revisions.revisions).toHaveLength(2);
  await owner.revisions.update({ fileId: notes, revisionId: first, requestBody: { keepForever: true } });
  const old = await owner.revisions.get({ fileId: notes, revisionId: first, alt: 'media' }, { responseType: 'text' });
  expect(old.data).toBe('one');
  const head = second.headRevisionId ?? '';
  expect((await failureOf(owner.revisions.delete({ fileId: notes, revisionId: head })))[0]).toBe(403);
  await owner.revisions.delete({ fileId: notes, revisionId: first });

  // A document from HTML, exported.
  const html = { mimeType: 'text/html', body: Readable.from(['<p>Plan of the launch</p>']) };
  const document = { name: 'Plan', mimeType: DOCUMENT, parents: [folder] };
  const plan = idOf(await owner.files.create({ requestBody: document, media: html }, upload));
  const exported = await owner.files.export({ fileId: plan, mimeType: 'text/markdown' }, { responseType: 'text' });
  expect(exported.data).toContain('Plan of the launch');
  const copy = idOf(await owner.files.copy({ fileId: plan, requestBody: { name: 'Plan B' } }));
  const mimeType = 'application/vnd.google-apps.shortcut';
  const shortcut = { name: 'To the plan', mimeType, shortcutDetails: { targetId: plan } };
  await owner.files.create({ requestBody: shortcut });
  const { data: download } = await owner.files.download({ fileId: notes });
  expect(download.done).toBe(false);
  const { data: operation } = await owner.operations.get({ name: download.name ?? '' });
  expect(operation).toMatchObject({ done: true, response: { partialDownloadAllowed: true } });

  // Nobody else sees any of it, until it is shared.
  expect(await failureOf(colleague.files.get({ fileId: plan }))).toEqual([404, 'notFound']);
  const permission = { type: 'user', role: 'reader', emailAddress: VIEWER };
  const granted = idOf(await owner.permissions.create({ fileId: folder, requestBody: permission }));
  const rights = 'ownedByMe,capabilities(canEdit,canComment)';
  const { data: seen } = await colleague.files.get({ fileId: plan, fields: rights });
  expect(seen).toEqual({ ownedByMe: false, capabilities: { canEdit: false, canComment: false } });
  const rename = { fileId: plan, requestBody: { name: 'Mine' } };
  expect(await failureOf(colleague.files.update(rename))).toEqual([403, 'insufficientFilePermissions']);
  const comment = { fileId: plan, fields: '*', requestBody: { content: 'When?' } };
  expect((await failureOf(colleague.comments.create(comment)))[0]).toBe(403);
  await owner.permissions.update({ fileId: folder, permissionId: granted, requestBody: { role: 'commenter' } });
  const roles = 'permissions(role,permissionDetails)';
  const { data: permissions } = await owner.permissions.list({ fileId: plan, fields: roles });
  expect(permissions.permissions?.map(({ role }) => role)).toEqual(['owner', 'commenter']);
  const { data: shared } = await colleague.files.list({ q: 'sharedWithMe = true', fields: 'files(id,sharingUser)' });
  expect(shared.files?.map(({ id }) => id)).toContain(folder);

  // A discussion.
  const commentId = idOf(await colleague.comments.create(comment));
  const answer = { fileId: plan, commentId, fields: '*' };
  const replyId = idOf(await owner.replies.create({ ...answer, requestBody: { content: 'Monday' } }));
  await owner.replies.update({ ...answer, replyId, requestBody: { content: 'Tuesday' } });
  await colleague.replies.create({ ...answer, requestBody: { action: 'resolve' } });
  expect((await owner.comments.get(answer)).data).toMatchObject({ resolved: true, content: 'When?' });
  expect((await owner.replies.list(answer)).data.replies).toHaveLength(2);
  expect((await owner.replies.get({ ...answer, replyId })).data.content).toBe('Tuesday');
  await colleague.comments.update({ ...answer, requestBody: { content: 'When exactly?' } });
  expect(await failureOf(owner.comments.delete(answer))).toEqual([403, 'insufficientFilePermissions']);
  await colleague.comments.delete(answer);
  const { data: comments } = await owner.comments.list({ fileId: plan, fields: '*', includeDeleted: true });
  expect(comments.comments).toMatchObject([{ deleted: true }]);

  // Searching.
  const list = async (q: string, more: drive_v3.Params$Resource$Files$List = {}) =>
    (await owner.files.list({ q, fields: 'files(id,name)', ...more })).data.files?.map(({ name }) => name);
  const requestBody = { properties: { stage: 'final' }, appProperties: { key: 'own' }, starred: true };
  await owner.files.update({ fileId: plan, requestBody });
  expect(await list("properties has { key='stage' and value='final' }")).toEqual(['Plan']);
  const documents = `'${folder}' in parents and not mimeType = 'text/plain'`;
  expect(await list(documents, { orderBy: 'name' })).toEqual(['Plan', 'Plan B']);
  expect(await list(`shortcutDetails.targetId = '${plan}'`)).toEqual(['To the plan']);
  expect(await list("fullText contains 'launch' and starred = true")).toEqual(['Plan']);
  expect(await list(`'${VIEWER}' in readers and name = 'notes.txt'`)).toEqual(['notes.txt']);
  expect(await failureOf(owner.files.list({ q: "colour = 'red'" }))).toEqual([400, 'invalid']);
  expect(await failureOf(owner.files.list({ corpora: 'drive' }))).toEqual([403, 'includeTeamDriveItemsRequired']);

  // Labels and an approval.
  const due = [{ fieldId: 'due', setDateValues: ['2027-01-31'] }];
  const labelModifications = [{ labelId: 'review', fieldModifications: due }];
  await owner.files.modifyLabels({ fileId: plan, requestBody: { labelModifications } });
  expect((await owner.files.listLabels({ fileId: plan })).data.labels).toHaveLength(1);
  const { data: approval } = await owner.approvals.start({ fileId: plan, requestBody: { reviewerEmails: [VIEWER] } });
  const ofApproval = { fileId: plan, approvalId: approval.approvalId ?? '', requestBody: { message: 'fine' } };
  expect((await failureOf(owner.approvals.approve(ofApproval)))[0]).toBe(403);
  expect((await colleague.approvals.approve(ofApproval)).data.status).toBe('APPROVED');
  expect((await owner.approvals.list({ fileId: plan })).data.items).toHaveLength(1);

  // A shared drive.
  const works = idOf(await owner.drives.create({ requestId: 'works', requestBody: { name: 'Works' } }));
  expect((await failureOf(outsider.drives.create({ requestId: 'x', requestBody: { name: 'X' } })))[0]).toBe(403);
  const member = { type: 'user', role: 'fileOrganizer', emailAddress: VIEWER };
  await owner.permissions.create({ fileId: works, ...ALL, requestBody: member });
  expect((await colleague.drives.list({ q: "name = 'Works'" })).data.drives).toHaveLength(1);
  await owner.files.update({ fileId: notes, ...ALL, addParents: works, removeParents: folder });
  expect(await failureOf(colleague.files.get({ fileId: notes }))).toEqual([404, 'notFound']);
  const { data: moved } = await colleague.files.get({ fileId: notes, ...ALL, fields: 'driveId,owners,parents' });
  expect(moved).toEqual({ driveId: works, parents: [works] });
  const inDrive = { corpora: 'drive', driveId: works, includeItemsFromAllDrives: true, ...ALL };
  expect(await list('trashed = false', inDrive)).toEqual(['notes.txt']);
  await colleague.drives.hide({ driveId: works });
  expect((await colleague.drives.unhide({ driveId: works })).data.name).toBe('Works');
  await owner.drives.update({ driveId: works, requestBody: { name: 'Old works', themeId: 'abacus' } });
  expect((await failureOf(owner.drives.delete({ driveId: works })))[0]).toBe(403);
  await colleague.files.update({ fileId: notes, ...ALL, requestBody: { trashed: true } });
  await owner.files.emptyTrash({ driveId: works });
  await owner.drives.delete({ driveId: works });
  expect(await failureOf(owner.drives.get({ driveId: works }))).toEqual([404, 'notFound']);

  // What changed, for each of them.
  const page = { pageToken: start.startPageToken ?? '', pageSize: 1000 };
  const { data: changes } = await owner.changes.list(page);
  const byId = new Map(changes.changes?.map(({ fileId, removed }) => [fileId, removed]));
  expect([byId.get(plan), byId.get(copy)]).toEqual([false, false]);
  await owner.permissions.delete({ fileId: folder, permissionId: granted });
  const { data: left } = await colleague.changes.list({ ...page, pageToken: colleagueStart.startPageToken ?? '' });
  expect(left.changes?.find(({ fileId }) => fileId === plan)?.removed).toBe(true);

  // Handing over and cleaning up.
  const next = { type: 'user', role: 'owner', emailAddress: VIEWER };
  await owner.permissions.create({ fileId: copy, transferOwnership: true, requestBody: next });
  expect((await failureOf(owner.files.delete({ fileId: copy })))[0]).toBe(403);
  await colleague.files.delete({ fileId: copy });
  expect((await owner.apps.list()).data.items).toHaveLength(1);
  await owner.files.delete({ fileId: folder });
  expect(await failureOf(owner.files.get({ fileId: plan }))).toEqual([404, 'notFound']);
  expect(calls).toBe(79);
});
