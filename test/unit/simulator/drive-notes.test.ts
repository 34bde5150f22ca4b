import { expect } from 'vitest';
import { readZip } from '../../../packages/simulator/http/zip.ts';
import { signIn, test, type User } from './harness.ts';
import { DRIVE, FILES, FIRST, FOLDER, SECOND } from './names.ts';
import { type Json, jsonInit, record, records, text } from './values.ts';

const GOOGLE = 'application/vnd.google-apps';
const share = (email: string, role: string) => ({ type: 'user', role, emailAddress: email });

/** Uploads metadata and bytes in one multipart body, as a new file or in the place of one. */
function upload(user: User, metadata: Json, type: string, bytes: string | Buffer, id?: string, more = '') {
  const head = `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(metadata)}\r\n--b\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n--b--')]);
  const headers = { 'content-type': 'multipart/related; boundary=b' };
  const path = `/upload${FILES}${id === undefined ? '' : `/${id}`}?uploadType=multipart&fields=*${more}`;
  return user.json(path, { method: id === undefined ? 'POST' : 'PATCH', headers, body });
}

async function bytesOf(user: User, path: string): Promise<Buffer> {
  return Buffer.from(await (await user.call(path)).arrayBuffer());
}

const exportOf = (user: User, id: unknown, type: string) =>
  bytesOf(user, `${FILES}/${text(id)}/export?mimeType=${encodeURIComponent(type)}`);

test('keeps comments with replies that resolve and reopen them', async ({ owner, guest }) => {
  const file = `${FILES}/${await owner.make(FILES, { name: 'discussed' })}`;
  const path = `${file}/comments`;
  const post = (content: string) => jsonInit('POST', { content });
  expect(await owner.failure(path, post('x'))).toMatchObject({ reason: 'required', location: 'fields' });
  await owner.post(`${file}/permissions`, share(SECOND, 'commenter'));
  const anchor = '{"r":"head","a":[{"line":{"n":12,"l":18}}]}';
  const made = await guest.post(`${path}?fields=*`, { content: 'a < b, @first.user@example.com', anchor });
  expect(made).toMatchObject({ kind: 'drive#comment', anchor, htmlContent: 'a &lt; b, @first.user@example.com' });
  expect(made.mentionedEmailAddresses).toEqual([FIRST]);
  const comment = `${path}/${text(made.id)}`;
  expect(await owner.status(`${comment}?fields=*`, jsonInit('PATCH', { content: 'y' }))).toBe(403);
  const reply = await owner.post(`${comment}/replies?fields=*`, { action: 'resolve' });
  expect(reply).toMatchObject({ kind: 'drive#reply', action: 'resolve' });
  const resolved = { resolved: true, replies: [{ action: 'resolve' }] };
  expect(await guest.json(`${comment}?fields=resolved,replies(action)`)).toEqual(resolved);
  await guest.post(`${comment}/replies?fields=id`, { action: 'reopen', content: 'not yet' });
  expect((await guest.json(`${comment}?fields=resolved`)).resolved).toBe(false);
  expect(await owner.remove(`${comment}/replies/${text(reply.id)}`)).toBe(204);
  const left = [{ content: 'not yet' }];
  expect(await owner.list(`${comment}/replies?fields=replies(content)`, 'replies')).toEqual(left);
  expect(await guest.remove(comment)).toBe(204);
  expect(await owner.list(`${path}?fields=*`, 'comments')).toEqual([]);
  const deleted = await owner.list(`${path}?fields=*&includeDeleted=true`, 'comments');
  expect(deleted).toMatchObject([{ deleted: true }]);
  expect(deleted[0]).not.toHaveProperty('content');
  expect(await owner.status(`${comment}?fields=*`)).toBe(404);
});

test('keeps every upload as a revision with its bytes', async ({ owner }) => {
  const { id: fileId, headRevisionId: first } = await upload(owner, { name: 'a.txt' }, 'text/plain', 'one');
  const id = text(fileId);
  const { headRevisionId: second } = await upload(owner, {}, 'text/plain', 'two', id, '&keepRevisionForever=true');
  await owner.patch(`${FILES}/${id}`, { name: 'b.txt' });
  expect(await owner.json(`${FILES}/${id}?fields=headRevisionId`)).toEqual({ headRevisionId: second });
  const path = `${FILES}/${id}/revisions`;
  expect(await owner.list(`${path}?fields=*`, 'revisions')).toMatchObject([
    { id: first, keepForever: false, size: '3', originalFilename: 'a.txt' },
    { id: second, keepForever: true },
  ]);
  expect(await owner.json(`${path}/${text(first)}?fields=id`)).toEqual({ id: first });
  expect(String(await bytesOf(owner, `${path}/head?alt=media`))).toBe('two');
});

test('shows the revision of a document without bytes, to be published and not to be kept', async ({ owner }) => {
  const id = await owner.make(FILES, { name: 'd', mimeType: `${GOOGLE}.document` });
  const revisions = `${FILES}/${id}/revisions`;
  const [only] = await owner.list(`${revisions}?fields=*`, 'revisions');
  expect([only?.size, Object.keys(record(only?.exportLinks)).length > 3]).toEqual([undefined, true]);
  const keep = await owner.refusal(`${revisions}/head`, jsonInit('PATCH', { keepForever: true }));
  expect(keep).toBe('400 illegalKeepForeverModification');
  expect(await owner.patch(`${revisions}/head?fields=published`, { published: true })).toEqual({ published: true });
});

test('sets, lists and removes labels, all of a call or nothing', async ({ owner }) => {
  const id = await owner.make(FILES, { name: 'labelled' });
  const modify = `${FILES}/${id}/modifyLabels`;
  const fields = [
    { fieldId: 'due', setDateValues: ['2026-12-24'] },
    { fieldId: 'who', setUserValues: [SECOND] },
  ];
  const labelled = await owner.post(modify, {
    labelModifications: [{ labelId: 'review', fieldModifications: fields }],
  });
  expect(labelled.modifiedLabels).toMatchObject([
    {
      id: 'review',
      fields: { due: { valueType: 'dateString', dateString: ['2026-12-24'] }, who: { valueType: 'user' } },
    },
  ]);
  const soon = { labelId: 'review', fieldModifications: [{ fieldId: 'due', setDateValues: ['soon'] }] };
  expect(await owner.status(modify, jsonInit('POST', { labelModifications: [{ labelId: 'other' }, soon] }))).toBe(400);
  const folder = await owner.make(FILES, { mimeType: FOLDER });
  const onFolder = jsonInit('POST', { labelModifications: [{ labelId: 'review' }] });
  expect(await owner.status(`${FILES}/${folder}/modifyLabels`, onFolder)).toBe(400);
  expect(await owner.list(`${FILES}/${id}/listLabels`, 'labels')).toHaveLength(1);
  const { labelInfo } = await owner.json(`${FILES}/${id}?fields=labelInfo&includeLabels=review,none`);
  expect(records(record(labelInfo).labels)).toHaveLength(1);
  expect(await owner.search("'labels/review' in labels")).toMatchObject([{ id }]);
  await owner.post(modify, { labelModifications: [{ labelId: 'review', removeLabel: true }] });
  expect(await owner.list(`${FILES}/${id}/listLabels`, 'labels')).toEqual([]);
});

test('approves a file when every reviewer has, and lets nobody else', async ({ owner, guest }) => {
  const { id, headRevisionId } = await upload(owner, { name: 'a.txt' }, 'text/plain', 'one');
  const path = `${FILES}/${text(id)}/approvals`;
  await owner.post(`${FILES}/${text(id)}/permissions`, share(SECOND, 'commenter'));
  const start = { reviewerEmails: [SECOND], message: 'please' };
  const one = `${path}/${text((await owner.post(`${path}:start`, start)).approvalId)}`;
  const nothing = jsonInit('POST', {});
  expect(await owner.status(`${path}:start`, jsonInit('POST', start))).toBe(400);
  expect(await owner.status(`${one}:approve`, nothing)).toBe(403);
  await guest.post(`${one}:comment`, { message: 'reading' });
  expect(await guest.post(`${one}:approve`, {})).toMatchObject({
    status: 'APPROVED',
    approvedRevisionId: headRevisionId,
    reviewerResponses: [{ response: 'APPROVED', reviewer: { emailAddress: SECOND } }],
  });
  expect(await guest.status(`${one}:decline`, nothing)).toBe(400);
  const again = `${path}/${text((await owner.post(`${path}:start`, start)).approvalId)}`;
  const replaceReviewers = [{ removedReviewerEmail: SECOND, addedReviewerEmail: FIRST }];
  const { reviewerResponses } = await owner.post(`${again}:reassign`, { replaceReviewers });
  expect(reviewerResponses).toMatchObject([{ reviewer: { emailAddress: FIRST } }]);
  expect((await owner.post(`${again}:cancel`, {})).status).toBe('CANCELLED');
  expect(await owner.list(path)).toMatchObject([{ status: 'APPROVED' }, { status: 'CANCELLED' }]);
});

test('keeps an app’s own data apart from the user’s files', async ({ guest, simulator }) => {
  const app = await signIn(simulator, { scope: `${DRIVE} ${DRIVE}.appdata` });
  const id = await app.make(FILES, { name: 'settings.json', parents: ['appDataFolder'] });
  expect(await app.json(`${FILES}/${id}?fields=spaces`)).toEqual({ spaces: ['appDataFolder'] });
  expect(await app.list(`${FILES}?spaces=appDataFolder`, 'files')).toMatchObject([{ id }]);
  expect(await app.search("name = 'settings.json'")).toEqual([]);
  expect(await app.search("'appDataFolder' in parents", '&spaces=appDataFolder')).toMatchObject([{ id }]);
  const refused = await app.refusal(`${FILES}/${id}/permissions`, jsonInit('POST', share(SECOND, 'reader')));
  expect(refused).toBe('403 notSupportedForAppDataFolderFiles');
  expect(await guest.status(`${FILES}?spaces=appDataFolder`)).toBe(403);
});

test('keeps properties for all and appProperties for the app, and finds both', async ({ owner }) => {
  const metadata = { name: 'x', properties: { a: '1', b: '2' }, appProperties: { mine: 'yes' } };
  const file = `${FILES}/${await owner.make(FILES, metadata)}`;
  const changed = await owner.patch(`${file}?fields=properties,appProperties`, { properties: { a: null } });
  expect(changed).toEqual({ properties: { b: '2' }, appProperties: { mine: 'yes' } });
  const q = "properties has { key='b' and value='2' } and appProperties has { key='mine' and value='yes' }";
  expect(await owner.search(q)).toHaveLength(1);
});

test('makes a shortcut that shows its target’s type, to a file and to nothing else', async ({ owner }) => {
  const targetId = await owner.make(FILES, { name: 'target', mimeType: 'text/plain' });
  const shortcut = { name: 'way', mimeType: `${GOOGLE}.shortcut` };
  const shortcutTo = (id: string) => ({ ...shortcut, shortcutDetails: { targetId: id } });
  const id = await owner.make(FILES, shortcutTo(targetId));
  const shortcutDetails = { targetId, targetMimeType: 'text/plain' };
  expect(await owner.json(`${FILES}/${id}?fields=shortcutDetails,size`)).toEqual({ shortcutDetails });
  expect(await owner.status(FILES, jsonInit('POST', shortcutTo(id)))).toBe(403);
  expect(await owner.status(FILES, jsonInit('POST', shortcutTo('nowhere')))).toBe(404);
});

test.for<[from: string, type: string, bytes: string, to: string, out: string]>([
  ['text/plain', 'document', 'first\nsecond', 'text/plain', '\ufefffirst\r\nsecond\r\n'],
  ['text/html', 'document', '<body><p>a &amp; b</p><p>c</p></body>', 'text/plain', '\ufeffa & b\r\nc\r\n'],
  ['text/csv', 'spreadsheet', 'a,"b,c"\n1,2\n', 'text/tab-separated-values', 'a\tb,c\n1\t2\n'],
])('converts an upload of %s to a %s', async ([from, type, bytes, to, out], { owner }) => {
  const file = await upload(owner, { name: 'converted', mimeType: `${GOOGLE}.${type}` }, from, bytes);
  expect([file.mimeType, file.size]).toEqual([`${GOOGLE}.${type}`, undefined]);
  expect((await exportOf(owner, file.id, to)).toString('utf8')).toBe(out);
});

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';

test.for([
  ['document', `${OFFICE}.wordprocessingml.document`],
  ['document', `${OPEN}.text`],
  ['spreadsheet', `${OFFICE}.spreadsheetml.sheet`],
  ['spreadsheet', `${OPEN}.spreadsheet`],
  ['presentation', `${OFFICE}.presentationml.presentation`],
  ['presentation', `${OPEN}.presentation`],
] as const)('reads the text of its own export of a %s as %s back', async ([type, office], { owner }) => {
  const mimeType = `${GOOGLE}.${type}`;
  const [plain, content] = type === 'spreadsheet' ? ['text/csv', 'a,b\n1,2'] : ['text/plain', 'un <deux>\ntrois'];
  const first =
    type === 'presentation'
      ? await owner.post(FILES, { name: 'p', mimeType })
      : await upload(owner, { mimeType }, plain, content);
  const exported = await exportOf(owner, first.id, office);
  expect(readZip(exported).size).toBeGreaterThan(2);
  const second = await upload(owner, { mimeType }, office, exported);
  expect(String(await exportOf(owner, second.id, plain))).toBe(String(await exportOf(owner, first.id, plain)));
});

test('exports a drawing as JPEG and a script as JSON', async ({ owner }) => {
  const drawing = await owner.make(FILES, { name: 'd', mimeType: `${GOOGLE}.drawing` });
  expect((await exportOf(owner, drawing, 'image/jpeg')).toString('hex')).toMatch(/^ffd8ffe0.*ffd9$/);
  const script = await owner.make(FILES, { name: 's', mimeType: `${GOOGLE}.script` });
  const { files } = await owner.json(`${FILES}/${script}/export?mimeType=${GOOGLE}.script%2Bjson`);
  expect(files).toMatchObject([{ name: 'Code', type: 'server_js' }]);
});

test('lists the apps of a user: the Cloud projects they let into Drive', async ({ simulator }) => {
  const { json, list, status } = await signIn(simulator, { scope: `${DRIVE} ${DRIVE}.apps.readonly` });
  const app = { id: '123456789012', authorized: true, hasDriveWideScope: true };
  expect(await list('/drive/v3/apps')).toMatchObject([app]);
  expect((await json('/drive/v3/apps/123456789012')).kind).toBe('drive#app');
  expect(await status('/drive/v3/apps/1')).toBe(404);
});
