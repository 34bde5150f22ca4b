import { expect, test } from 'vitest';
import { readZip } from '../../../simulator/http/zip.ts';
import type { Simulator } from '../../../simulator/index.ts';
import {
  api,
  apiFailure,
  apiJson,
  control,
  DRIVE,
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

const FILES = '/drive/v3/files';
const GOOGLE = 'application/vnd.google-apps';

async function signIn(simulator: Simulator, account: string, changes: Record<string, string> = {}) {
  const { accessToken } = await obtainTokens(simulator, changes, { account });
  const call = (path: string, init: RequestInit = {}) => api(simulator, accessToken, path, init);
  const json = (path: string, init: RequestInit = {}) => apiJson(simulator, accessToken, path, init);
  const make = async (metadata: Json) => text((await json(FILES, jsonInit('POST', metadata))).id);
  const upload = (metadata: Json, type: string, bytes: string | Buffer, id?: string, more = '') => {
    const head = `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(metadata)}\r\n--b\r\nContent-Type: ${type}\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n--b--')]);
    const headers = { 'content-type': 'multipart/related; boundary=b' };
    const path = `/upload${FILES}${id === undefined ? '' : `/${id}`}?uploadType=multipart&fields=*${more}`;
    return json(path, { method: id === undefined ? 'POST' : 'PATCH', headers, body });
  };
  return { call, json, make, upload };
}

const share = (email: string, role: string) => jsonInit('POST', { type: 'user', role, emailAddress: email });

test('keeps comments with replies that resolve and reopen them', async () => {
  const simulator = await startTestSimulator();
  const owner = await signIn(simulator, FIRST);
  const guest = await signIn(simulator, SECOND);
  const id = await owner.make({ name: 'discussed' });
  const path = `${FILES}/${id}/comments`;
  const post = (content: string, more: Json = {}) => jsonInit('POST', { content, ...more });
  expect(await apiFailure(await owner.call(path, post('x')))).toMatchObject({ reason: 'required', location: 'fields' });
  await owner.json(`${FILES}/${id}/permissions`, share(SECOND, 'reader'));
  expect(await apiFailure(await guest.call(`${path}?fields=*`, post('x')))).toMatchObject({
    status: 403,
    reason: 'insufficientFilePermissions',
  });
  await owner.json(`${FILES}/${id}/permissions`, share(SECOND, 'commenter'));
  const anchor = '{"r":"head","a":[{"line":{"n":12,"l":18}}]}';
  const made = await guest.json(`${path}?fields=*`, post('a < b, @first.user@example.com', { anchor }));
  expect(made).toMatchObject({ kind: 'drive#comment', anchor, htmlContent: 'a &lt; b, @first.user@example.com' });
  expect(made.mentionedEmailAddresses).toEqual([FIRST]);
  const comment = `${path}/${text(made.id)}`;
  expect(await apiFailure(await owner.call(`${comment}?fields=*`, jsonInit('PATCH', { content: 'y' })))).toMatchObject({
    status: 403,
  });
  const reply = await owner.json(`${comment}/replies?fields=*`, jsonInit('POST', { action: 'resolve' }));
  expect(reply).toMatchObject({ kind: 'drive#reply', action: 'resolve' });
  expect(await guest.json(`${comment}?fields=resolved,replies(action)`)).toEqual({
    resolved: true,
    replies: [{ action: 'resolve' }],
  });
  await guest.json(`${comment}/replies?fields=id`, jsonInit('POST', { action: 'reopen', content: 'not yet' }));
  expect((await guest.json(`${comment}?fields=resolved`)).resolved).toBe(false);
  expect((await owner.call(`${comment}/replies/${text(reply.id)}`, { method: 'DELETE' })).status).toBe(204);
  const replies = await owner.json(`${comment}/replies?fields=replies(content)`);
  expect(records(replies.replies)).toEqual([{ content: 'not yet' }]);
  expect((await guest.call(comment, { method: 'DELETE' })).status).toBe(204);
  expect((await owner.json(`${path}?fields=*`)).comments).toEqual([]);
  const deleted = records((await owner.json(`${path}?fields=*&includeDeleted=true`)).comments);
  expect(deleted).toMatchObject([{ deleted: true }]);
  expect(deleted[0]?.content).toBeUndefined();
  expect((await owner.call(`${comment}?fields=*`)).status).toBe(404);
});

test('keeps every upload as a revision with its bytes', async () => {
  const simulator = await startTestSimulator();
  const owner = await signIn(simulator, FIRST);
  const { id: fileId, headRevisionId: first } = await owner.upload({ name: 'a.txt' }, 'text/plain', 'one');
  const id = text(fileId);
  const { headRevisionId: second } = await owner.upload({}, 'text/plain', 'two', id, '&keepRevisionForever=true');
  expect(second).not.toBe(first);
  await owner.json(`${FILES}/${id}`, jsonInit('PATCH', { name: 'b.txt' }));
  expect(await owner.json(`${FILES}/${id}?fields=headRevisionId`)).toEqual({ headRevisionId: second });
  const path = `${FILES}/${id}/revisions`;
  const revisions = records((await owner.json(`${path}?fields=*`)).revisions);
  expect(revisions).toMatchObject([
    { id: first, keepForever: false, size: '3', originalFilename: 'a.txt' },
    { id: second, keepForever: true },
  ]);
  expect(await (await owner.call(`${path}/${text(first)}?alt=media`)).text()).toBe('one');
  expect(await (await owner.call(`${path}/head?alt=media`)).text()).toBe('two');
  expect((await owner.call(`${path}/${text(second)}`, { method: 'DELETE' })).status).toBe(403);
  const kept = await owner.json(`${path}/${text(first)}?fields=keepForever`, jsonInit('PATCH', { keepForever: true }));
  expect(kept).toEqual({ keepForever: true });
  expect((await owner.call(`${path}/${text(first)}`, { method: 'DELETE' })).status).toBe(204);
  expect((await owner.call(`${path}/${text(first)}`)).status).toBe(404);
  const document = await owner.make({ name: 'd', mimeType: `${GOOGLE}.document` });
  const [only] = records((await owner.json(`${FILES}/${document}/revisions?fields=*`)).revisions);
  expect([only?.size, Object.keys(record(only?.exportLinks)).length > 3]).toEqual([undefined, true]);
  const keep = await owner.call(`${FILES}/${document}/revisions/head`, jsonInit('PATCH', { keepForever: true }));
  expect(await apiFailure(keep)).toMatchObject({ status: 400, reason: 'illegalKeepForeverModification' });
  expect(
    await owner.json(`${FILES}/${document}/revisions/head?fields=published`, jsonInit('PATCH', { published: true })),
  ).toEqual({
    published: true,
  });
});

test('sets, lists and removes labels, all of a call or nothing', async () => {
  const simulator = await startTestSimulator();
  const owner = await signIn(simulator, FIRST);
  const id = await owner.make({ name: 'labelled' });
  const modify = (labelModifications: Json[]) => jsonInit('POST', { labelModifications });
  const fields = [
    { fieldId: 'due', setDateValues: ['2026-12-24'] },
    { fieldId: 'who', setUserValues: [SECOND] },
  ];
  const made = await owner.json(
    `${FILES}/${id}/modifyLabels`,
    modify([{ labelId: 'review', fieldModifications: fields }]),
  );
  expect(records(made.modifiedLabels)).toMatchObject([
    {
      id: 'review',
      fields: { due: { valueType: 'dateString', dateString: ['2026-12-24'] }, who: { valueType: 'user' } },
    },
  ]);
  const wrong = [
    { labelId: 'other' },
    { labelId: 'review', fieldModifications: [{ fieldId: 'due', setDateValues: ['soon'] }] },
  ];
  expect((await owner.call(`${FILES}/${id}/modifyLabels`, modify(wrong))).status).toBe(400);
  expect(records((await owner.json(`${FILES}/${id}/listLabels`)).labels)).toHaveLength(1);
  const shown = await owner.json(`${FILES}/${id}?fields=labelInfo&includeLabels=review,none`);
  expect(records(record(shown.labelInfo).labels)).toHaveLength(1);
  const found = await owner.json(`${FILES}?${new URLSearchParams({ q: "'labels/review' in labels" })}`);
  expect(records(found.files).map((file) => file.id)).toEqual([id]);
  await owner.json(`${FILES}/${id}/modifyLabels`, modify([{ labelId: 'review', removeLabel: true }]));
  expect((await owner.json(`${FILES}/${id}/listLabels`)).labels).toEqual([]);
});

test('approves a file when every reviewer has, and lets nobody else', async () => {
  const simulator = await startTestSimulator();
  const owner = await signIn(simulator, FIRST);
  const reviewer = await signIn(simulator, SECOND);
  const { id: fileId, headRevisionId } = await owner.upload({ name: 'a.txt' }, 'text/plain', 'one');
  const path = `${FILES}/${text(fileId)}/approvals`;
  await owner.json(`${FILES}/${text(fileId)}/permissions`, share(SECOND, 'commenter'));
  const start = jsonInit('POST', { reviewerEmails: [SECOND], message: 'please' });
  const { approvalId } = await owner.json(`${path}:start`, start);
  const one = `${path}/${text(approvalId)}`;
  expect((await owner.call(`${path}:start`, start)).status).toBe(400);
  expect((await owner.call(`${one}:approve`, jsonInit('POST', {}))).status).toBe(403);
  await reviewer.json(`${one}:comment`, jsonInit('POST', { message: 'reading' }));
  expect(await reviewer.json(`${one}:approve`, jsonInit('POST', {}))).toMatchObject({
    status: 'APPROVED',
    approvedRevisionId: headRevisionId,
    reviewerResponses: [{ response: 'APPROVED', reviewer: { emailAddress: SECOND } }],
  });
  expect((await reviewer.call(`${one}:decline`, jsonInit('POST', {}))).status).toBe(400);
  const { approvalId: again } = await owner.json(`${path}:start`, start);
  const change = { replaceReviewers: [{ removedReviewerEmail: SECOND, addedReviewerEmail: FIRST }] };
  const reassigned = await owner.json(`${path}/${text(again)}:reassign`, jsonInit('POST', change));
  expect(records(reassigned.reviewerResponses)).toMatchObject([{ reviewer: { emailAddress: FIRST } }]);
  expect(await owner.json(`${path}/${text(again)}:cancel`, jsonInit('POST', {}))).toMatchObject({
    status: 'CANCELLED',
  });
  expect(records((await owner.json(path)).items).map(({ status }) => status)).toEqual(['APPROVED', 'CANCELLED']);
});

test('keeps an app’s own data apart from the user’s files', async () => {
  const simulator = await startTestSimulator();
  const app = await signIn(simulator, FIRST, { scope: `${DRIVE} ${DRIVE}.appdata` });
  const id = await app.make({ name: 'settings.json', parents: ['appDataFolder'] });
  expect(await app.json(`${FILES}/${id}?fields=spaces`)).toEqual({ spaces: ['appDataFolder'] });
  const list = async (more: string) => records((await app.json(`${FILES}?${more}`)).files).map((file) => file.id);
  expect(await list('spaces=appDataFolder')).toEqual([id]);
  expect(await list(new URLSearchParams({ q: "name = 'settings.json'" }).toString())).toEqual([]);
  expect(
    await list(new URLSearchParams({ q: "'appDataFolder' in parents", spaces: 'appDataFolder' }).toString()),
  ).toEqual([id]);
  const refused = await app.call(`${FILES}/${id}/permissions`, share(SECOND, 'reader'));
  expect(await apiFailure(refused)).toMatchObject({ status: 403, reason: 'notSupportedForAppDataFolderFiles' });
  const plain = await signIn(simulator, SECOND, { scope: DRIVE });
  expect((await plain.call(`${FILES}?spaces=appDataFolder`)).status).toBe(403);
});

test('keeps properties for all and appProperties for the app, and finds both', async () => {
  const simulator = await startTestSimulator();
  const owner = await signIn(simulator, FIRST);
  const id = await owner.make({ name: 'x', properties: { a: '1', b: '2' }, appProperties: { mine: 'yes' } });
  const changed = await owner.json(
    `${FILES}/${id}?fields=properties,appProperties`,
    jsonInit('PATCH', { properties: { a: null } }),
  );
  expect(changed).toEqual({ properties: { b: '2' }, appProperties: { mine: 'yes' } });
  const q = "properties has { key='b' and value='2' } and appProperties has { key='mine' and value='yes' }";
  expect(records((await owner.json(`${FILES}?${new URLSearchParams({ q })}`)).files)).toHaveLength(1);
  const long = jsonInit('PATCH', { properties: { long: 'x'.repeat(130) } });
  expect((await owner.call(`${FILES}/${id}`, long)).status).toBe(400);
});

test('makes a shortcut to a file and finds it by its target', async () => {
  const simulator = await startTestSimulator();
  const owner = await signIn(simulator, FIRST);
  const targetId = await owner.make({ name: 'target', mimeType: 'text/plain' });
  const shortcut = { name: 'way', mimeType: `${GOOGLE}.shortcut`, shortcutDetails: { targetId } };
  const id = await owner.make(shortcut);
  expect(await owner.json(`${FILES}/${id}?fields=shortcutDetails,size`)).toEqual({
    shortcutDetails: { targetId, targetMimeType: 'text/plain' },
  });
  const q = `shortcutDetails.targetId = '${targetId}'`;
  expect(records((await owner.json(`${FILES}?${new URLSearchParams({ q })}`)).files)).toHaveLength(1);
  const again = { ...shortcut, shortcutDetails: { targetId: id } };
  expect((await owner.call(FILES, jsonInit('POST', again))).status).toBe(403);
  expect(
    (await owner.call(FILES, jsonInit('POST', { ...shortcut, shortcutDetails: { targetId: 'nowhere' } }))).status,
  ).toBe(404);
});

test.each<[from: string, type: string, bytes: string, to: string, out: string]>([
  ['text/plain', 'document', 'first\nsecond', 'text/plain', '\ufefffirst\r\nsecond\r\n'],
  ['text/html', 'document', '<body><p>a &amp; b</p><p>c</p></body>', 'text/plain', '\ufeffa & b\r\nc\r\n'],
  ['text/csv', 'spreadsheet', 'a,"b,c"\n1,2\n', 'text/tab-separated-values', 'a\tb,c\n1\t2\n'],
])('converts an upload of %s to a %s', async (from, type, bytes, to, out) => {
  const simulator = await startTestSimulator();
  const owner = await signIn(simulator, FIRST);
  const file = await owner.upload({ name: 'converted', mimeType: `${GOOGLE}.${type}` }, from, bytes);
  expect([file.mimeType, file.size]).toEqual([`${GOOGLE}.${type}`, undefined]);
  const exported = await owner.call(`${FILES}/${text(file.id)}/export?mimeType=${to}`);
  expect(Buffer.from(await exported.arrayBuffer()).toString('utf8')).toBe(out);
});

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';

test.each([
  ['document', `${OFFICE}.wordprocessingml.document`],
  ['document', `${OPEN}.text`],
  ['spreadsheet', `${OFFICE}.spreadsheetml.sheet`],
  ['spreadsheet', `${OPEN}.spreadsheet`],
  ['presentation', `${OFFICE}.presentationml.presentation`],
  ['presentation', `${OPEN}.presentation`],
])('reads the text of its own export of a %s as %s back', async (type, mimeType) => {
  const simulator = await startTestSimulator();
  const owner = await signIn(simulator, FIRST);
  const source = type === 'spreadsheet' ? ['text/csv', 'a,b\n1,2'] : ['text/plain', 'un <deux>\ntrois'];
  const first =
    type === 'presentation'
      ? { id: await owner.make({ name: 'p', mimeType: `${GOOGLE}.${type}` }) }
      : await owner.upload({ mimeType: `${GOOGLE}.${type}` }, source[0] ?? '', source[1] ?? '');
  const read = async (id: unknown, as: string) =>
    Buffer.from(
      await (await owner.call(`${FILES}/${text(id)}/export?mimeType=${encodeURIComponent(as)}`)).arrayBuffer(),
    );
  const office = await read(first.id, mimeType);
  expect(readZip(office).size).toBeGreaterThan(2);
  const second = await owner.upload({ mimeType: `${GOOGLE}.${type}` }, mimeType, office);
  const plain = type === 'spreadsheet' ? 'text/csv' : 'text/plain';
  expect((await read(second.id, plain)).toString('utf8')).toBe((await read(first.id, plain)).toString('utf8'));
});

test('exports a drawing as JPEG and a script as JSON', async () => {
  const simulator = await startTestSimulator();
  const owner = await signIn(simulator, FIRST);
  const drawing = await owner.make({ name: 'd', mimeType: `${GOOGLE}.drawing` });
  const jpeg = await owner.call(`${FILES}/${drawing}/export?mimeType=image/jpeg`);
  expect(Buffer.from(await jpeg.arrayBuffer()).toString('hex')).toMatch(/^ffd8ffe0.*ffd9$/);
  const script = await owner.make({ name: 's', mimeType: `${GOOGLE}.script` });
  const source = await readJson(await owner.call(`${FILES}/${script}/export?mimeType=${GOOGLE}.script%2Bjson`));
  expect(records(source.files)).toMatchObject([{ name: 'Code', type: 'server_js' }]);
});

test('lists the apps of a user: the Cloud projects they let into Drive', async () => {
  const simulator = await startTestSimulator();
  const owner = await signIn(simulator, FIRST, { scope: `${DRIVE} ${DRIVE}.apps.readonly` });
  const apps = await owner.json('/drive/v3/apps');
  expect(records(apps.items)).toMatchObject([{ id: '123456789012', authorized: true, hasDriveWideScope: true }]);
  expect((await owner.json('/drive/v3/apps/123456789012')).kind).toBe('drive#app');
  expect((await owner.call('/drive/v3/apps/1')).status).toBe(404);
});

test('filters activities by time and kind', async () => {
  const simulator = await startTestSimulator();
  const owner = await signIn(simulator, FIRST, { scope: `${DRIVE} ${DRIVE}.activity` });
  const id = await owner.make({ name: 'old' });
  await owner.json(`${FILES}/${id}`, jsonInit('PATCH', { name: 'new' }));
  await owner.json(`${FILES}/${id}/permissions`, share(SECOND, 'reader'));
  await owner.json(`${FILES}/${id}/comments?fields=id`, jsonInit('POST', { content: 'c' }));
  await control(simulator, 'POST', 'clock', { offsetSec: 1800 });
  await owner.call(`${FILES}/${id}`, jsonInit('PATCH', { trashed: true }));
  const kinds = async (filter?: string) => {
    const body = { itemName: `items/${id}`, ...(filter === undefined ? {} : { filter }) };
    const { activities } = await owner.json('/v2/activity:query', jsonInit('POST', body));
    return records(activities).map(({ primaryActionDetail }) => Object.keys(record(primaryActionDetail))[0]);
  };
  expect(await kinds()).toEqual(['delete', 'comment', 'permissionChange', 'rename', 'create']);
  expect(await kinds('detail.action_detail_case:RENAME')).toEqual(['rename']);
  expect(await kinds('-detail.action_detail_case:(CREATE COMMENT)')).toEqual(['delete', 'permissionChange', 'rename']);
  const soon = new Date(Date.now() + 900_000).toISOString();
  expect(await kinds(`time > "${soon}" AND detail.action_detail_case:DELETE`)).toEqual(['delete']);
  expect(await kinds(`time > ${Date.now() + 7_200_000}`)).toEqual([]);
});
