import { expect } from 'vitest';
import { test } from './harness.ts';
import { FILES, FOLDER } from './names.ts';
import { jsonInit } from './values.ts';

const UNNAMED = { method: 'POST' };

test('clears what an update sets to null', async ({ owner }) => {
  const told = { description: 'told', folderColorRgb: '#ff0000', properties: { a: 'b' }, appProperties: { c: 'd' } };
  const id = await owner.make(FILES, { name: 'note', ...told });
  const path = `${FILES}/${id}?fields=name,description,folderColorRgb,properties,appProperties`;
  expect(await owner.json(path)).toEqual({ name: 'note', ...told });
  const cleared = { description: null, folderColorRgb: null, properties: null, appProperties: null };
  expect(await owner.patch(path, cleared)).toEqual({ name: 'note' });
});

test('creates a file under My Drive from metadata alone', async ({ owner }) => {
  const file = await owner.post(`${FILES}?fields=*`, { name: 'note', properties: { a: 'b' } });
  expect(file).toMatchObject({ name: 'note', size: '0', properties: { a: 'b' }, version: '1' });
  const root = await owner.json(`${FILES}/root?fields=id`);
  expect(file.parents).toEqual([root.id]);
});

test('changes metadata and moves by addParents and removeParents', async ({ owner: { make, patch } }) => {
  const folder = await make(FILES, { name: 'box', mimeType: FOLDER });
  const file = await make(FILES, { name: 'old' });
  const path = `${FILES}/${file}?addParents=${folder}&removeParents=root&fields=name,parents,starred`;
  const changed = await patch(path, { name: 'new', starred: true });
  expect(changed).toEqual({ name: 'new', parents: [folder], starred: true });
});

test.for([
  ['a read-only field', { size: '3' }],
  ['parents', { parents: ['root'] }],
] as const)('refuses %s in an update', async ([, body], { owner }) => {
  const file = await owner.make(FILES, { name: 'x' });
  expect(await owner.refusal(`${FILES}/${file}`, jsonInit('PATCH', body))).toBe('403 fieldNotWritable');
});

test.for<[claim: string, init: RequestInit]>([
  ['broken JSON', { ...UNNAMED, headers: { 'content-type': 'application/json' }, body: '{' }],
  ['a list', jsonInit('POST', [])],
  ['another media type', { ...UNNAMED, headers: { 'content-type': 'text/plain' }, body: '{}' }],
  ['a name that is no text', jsonInit('POST', { name: 5 })],
  ['a MIME type that fits no header', jsonInit('POST', { mimeType: 'text/€' })],
])('refuses %s as metadata', async ([, init], { owner }) => {
  expect(await owner.status(FILES, init)).toBe(400);
});

test('copies the bytes of a generated file, whatever the copy is called', async ({ owner }) => {
  const [file] = await owner.search("mimeType = 'text/plain' and name contains 'Launch'");
  const copy = await owner.json(`${FILES}/${file?.id}/copy?fields=id,name`, UNNAMED);
  expect(copy.name).toBe(`Copy of ${file?.name}`);
  const bytes = async (id: unknown) => (await owner.call(`${FILES}/${id}?alt=media`)).text();
  await owner.patch(`${FILES}/${file?.id}`, { name: 'renamed.txt' });
  expect(await bytes(copy.id)).toBe(await bytes(file?.id));
});

test('refuses to copy a folder and to delete My Drive', async ({ owner }) => {
  const folder = await owner.make(FILES, { mimeType: FOLDER });
  expect(await owner.status(`${FILES}/${folder}/copy`, UNNAMED)).toBe(403);
  expect(await owner.remove(`${FILES}/root`)).toBe(403);
});

test('empties the trash', async ({ owner: { remove, search } }) => {
  expect((await search('trashed = true')).length).toBeGreaterThan(0);
  expect(await remove(`${FILES}/trash`)).toBe(204);
  expect(await search('trashed = true')).toEqual([]);
});

test('lists changes from a start token, each file once, and gives the next token', async ({ owner }) => {
  const { startPageToken } = await owner.json('/drive/v3/changes/startPageToken');
  const from = (token: unknown, more = '') => owner.json(`/drive/v3/changes?pageToken=${token}${more}`);
  expect(await from(startPageToken)).toMatchObject({ changes: [], newStartPageToken: startPageToken });
  const one = await owner.make(FILES, { name: 'one' });
  const two = await owner.make(FILES, { name: 'two' });
  await owner.patch(`${FILES}/${one}`, { name: 'uno' });
  await owner.remove(`${FILES}/${two}`);
  const page = await from(startPageToken, '&pageSize=1');
  expect(page.changes).toMatchObject([{ fileId: one, removed: false, file: { name: 'uno' } }]);
  const rest = await from(page.nextPageToken);
  expect(rest.changes).toMatchObject([{ fileId: two, removed: true }]);
  const left = await from(startPageToken, '&includeRemoved=false');
  expect(left.changes).toMatchObject([{ fileId: one }]);
  expect(await from(rest.newStartPageToken)).toMatchObject({ changes: [] });
  expect(await owner.status('/drive/v3/changes?pageToken=999999')).toBe(400);
});

test('refuses to convert what Google does not convert', async ({ owner }) => {
  const metadata = '{"mimeType":"application/vnd.google-apps.document"}';
  const body = `--b\r\nContent-Type: application/json\r\n\r\n${metadata}\r\n--b\r\n\r\nx\r\n--b--`;
  const init = { ...UNNAMED, headers: { 'content-type': 'multipart/related; boundary=b' }, body };
  const refusal = await owner.refusal(`/upload${FILES}?uploadType=multipart`, init);
  expect(refusal).toBe('400 conversionUnsupportedConversionPath');
});
