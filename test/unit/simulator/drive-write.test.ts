import { expect, test } from 'vitest';
import {
  api,
  apiFailure,
  apiJson,
  jsonInit,
  obtainTokens,
  readJson,
  records,
  startTestSimulator,
  text,
} from './harness.ts';

const FILES = '/drive/v3/files';
const FOLDER = 'application/vnd.google-apps.folder';

async function open() {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator);
  const json = (path: string, init: RequestInit = {}) => apiJson(simulator, accessToken, path, init);
  const call = (path: string, init: RequestInit = {}) => api(simulator, accessToken, path, init);
  return { json, call };
}

test('creates a file under My Drive from metadata alone', async () => {
  const { json } = await open();
  const file = await json(`${FILES}?fields=*`, jsonInit('POST', { name: 'note', properties: { a: 'b' } }));
  expect(file).toMatchObject({ name: 'note', size: '0', properties: { a: 'b' }, version: '1' });
  const root = await json(`${FILES}/root?fields=id`);
  expect(file.parents).toEqual([root.id]);
});

test('creates, fills and empties a folder', async () => {
  const { json, call } = await open();
  const folder = await json(FILES, jsonInit('POST', { name: 'box', mimeType: FOLDER }));
  const inside = await json(FILES, jsonInit('POST', { name: 'in', parents: [folder.id] }));
  const list = () => json(`${FILES}?${new URLSearchParams({ q: `'${text(folder.id)}' in parents` })}`);
  expect(records((await list()).files).map(({ id }) => id)).toEqual([inside.id]);
  expect((await call(`${FILES}/${text(folder.id)}`, { method: 'DELETE' })).status).toBe(204);
  expect((await call(`${FILES}/${text(inside.id)}`)).status).toBe(404);
});

test('uses a generated id once', async () => {
  const { json, call } = await open();
  const { ids } = await json(`${FILES}/generateIds?count=1`);
  const [id] = Array.isArray(ids) ? ids : [];
  expect((await json(FILES, jsonInit('POST', { id, name: 'x' }))).id).toBe(id);
  expect((await apiFailure(await call(FILES, jsonInit('POST', { id })))).status).toBe(409);
});

test('changes metadata and moves by addParents and removeParents', async () => {
  const { json } = await open();
  const folder = await json(FILES, jsonInit('POST', { name: 'box', mimeType: FOLDER }));
  const file = await json(FILES, jsonInit('POST', { name: 'old' }));
  const path = `${FILES}/${text(file.id)}?addParents=${text(folder.id)}&removeParents=root&fields=name,parents,starred`;
  const changed = await json(path, jsonInit('PATCH', { name: 'new', starred: true }));
  expect(changed).toEqual({ name: 'new', parents: [folder.id], starred: true });
});

test.each([
  ['a read-only field', { size: '3' }, 'fieldNotWritable'],
  ['parents', { parents: ['root'] }, 'fieldNotWritable'],
])('refuses %s in an update', async (_claim, body, reason) => {
  const { json, call } = await open();
  const file = await json(FILES, jsonInit('POST', { name: 'x' }));
  const failure = await apiFailure(await call(`${FILES}/${text(file.id)}`, jsonInit('PATCH', body)));
  expect(failure).toMatchObject({ status: 403, reason });
});

test.each([
  ['broken JSON', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
  ['a list', jsonInit('POST', [])],
  ['another media type', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' }],
  ['a name that is no text', jsonInit('POST', { name: 5 })],
  ['a MIME type that fits no header', jsonInit('POST', { mimeType: 'text/€' })],
])('refuses %s as metadata', async (_claim, init) => {
  const { call } = await open();
  expect((await call(FILES, init)).status).toBe(400);
});

test('copies the bytes of a generated file, whatever the copy is called', async () => {
  const { json, call } = await open();
  const list = await json(
    `${FILES}?${new URLSearchParams({ q: "mimeType = 'text/plain' and name contains 'Launch'" })}`,
  );
  const [file] = records(list.files);
  const copy = await json(`${FILES}/${file?.id}/copy?fields=id,name`, { method: 'POST' });
  expect(copy.name).toBe(`Copy of ${file?.name}`);
  const bytes = async (id: unknown) => (await call(`${FILES}/${id}?alt=media`)).text();
  await json(`${FILES}/${text(file?.id)}`, jsonInit('PATCH', { name: 'renamed.txt' }));
  expect(await bytes(copy.id)).toBe(await bytes(file?.id));
});

test('refuses to copy a folder and to delete My Drive', async () => {
  const { json, call } = await open();
  const folder = await json(FILES, jsonInit('POST', { mimeType: FOLDER }));
  expect((await call(`${FILES}/${text(folder.id)}/copy`, { method: 'POST' })).status).toBe(403);
  expect((await call(`${FILES}/root`, { method: 'DELETE' })).status).toBe(403);
});

test('empties the trash', async () => {
  const { json, call } = await open();
  const trashed = `${FILES}?${new URLSearchParams({ q: 'trashed = true' })}`;
  expect(records((await json(trashed)).files).length).toBeGreaterThan(0);
  expect((await call(`${FILES}/trash`, { method: 'DELETE' })).status).toBe(204);
  expect(records((await json(trashed)).files)).toEqual([]);
});

test('lists changes from a start token, each file once, and gives the next token', async () => {
  const { json, call } = await open();
  const { startPageToken } = await json('/drive/v3/changes/startPageToken');
  const from = (token: unknown, more = '') => json(`/drive/v3/changes?pageToken=${token}${more}`);
  expect(await from(startPageToken)).toMatchObject({ changes: [], newStartPageToken: startPageToken });
  const one = await json(FILES, jsonInit('POST', { name: 'one' }));
  const two = await json(FILES, jsonInit('POST', { name: 'two' }));
  await json(`${FILES}/${text(one.id)}`, jsonInit('PATCH', { name: 'uno' }));
  await call(`${FILES}/${text(two.id)}`, { method: 'DELETE' });
  const page = await from(startPageToken, '&pageSize=1');
  expect(records(page.changes)).toMatchObject([{ fileId: one.id, removed: false, file: { name: 'uno' } }]);
  const rest = await from(page.nextPageToken);
  expect(records(rest.changes)).toMatchObject([{ fileId: two.id, removed: true }]);
  expect(records((await from(startPageToken, '&includeRemoved=false')).changes)).toHaveLength(1);
  expect(await from(rest.newStartPageToken)).toMatchObject({ changes: [] });
});

test('refuses a page token from the future', async () => {
  const { call } = await open();
  expect((await call('/drive/v3/changes?pageToken=999999')).status).toBe(400);
});

test('refuses to convert what Google does not convert', async () => {
  const { call } = await open();
  const body =
    '--b\r\nContent-Type: application/json\r\n\r\n{"mimeType":"application/vnd.google-apps.document"}\r\n--b\r\n\r\nx\r\n--b--';
  const init = { method: 'POST', headers: { 'content-type': 'multipart/related; boundary=b' }, body };
  const response = await call('/upload/drive/v3/files?uploadType=multipart', init);
  expect([response.status, (await readJson(response)).error]).toMatchObject([
    400,
    { errors: [{ reason: 'conversionUnsupportedConversionPath' }] },
  ]);
});
