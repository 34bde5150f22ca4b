import { expect, test } from 'vitest';
import type { Simulator } from '../../../simulator/index.ts';
import {
  api,
  apiFailure,
  apiJson,
  authorize,
  authorizeUrl,
  CLIENT,
  control,
  exchange,
  FIRST,
  obtainTokens,
  records,
  refresh,
  SECOND,
  startTestSimulator,
  text,
} from './harness.ts';

const FILE = 'https://www.googleapis.com/auth/drive.file';
const DRIVE = 'https://www.googleapis.com/auth/drive';
const FOLDER = 'application/vnd.google-apps.folder';
const PICK = { scope: FILE, trigger_onepick: 'true', access_type: 'online' };

/** Ids of the first account's files, by a search with the whole Drive. */
async function fileIds(simulator: Simulator, q: string, account = FIRST): Promise<string[]> {
  const { accessToken } = await obtainTokens(simulator, { scope: DRIVE }, { account });
  const found = await apiJson(simulator, accessToken, `/drive/v3/files?pageSize=5&q=${encodeURIComponent(q)}`);
  return records(found.files).map(({ id }) => text(id));
}

const isThere = async (simulator: Simulator, token: string, id: string) =>
  (await api(simulator, token, `/drive/v3/files/${id}`)).status === 200;

test('brings picked_file_ids with the code and opens those files to every token of the project, and to nobody else', async () => {
  const simulator = await startTestSimulator({
    clients: [CLIENT, { ...CLIENT, clientId: '999999999999-other.apps.googleusercontent.com' }],
  });
  const [picked = '', untouched = ''] = await fileIds(simulator, "mimeType = 'application/pdf'");
  const own = await obtainTokens(simulator, { scope: FILE }, { account: FIRST });
  const foreign = await obtainTokens(simulator, { scope: FILE }, { account: SECOND });
  expect(await isThere(simulator, own.accessToken, picked)).toBe(false);

  const callback = await authorize(simulator, { ...PICK, allow_multiple: 'true' }, { account: FIRST, pick: [picked] });
  expect(callback.get('picked_file_ids')).toBe(picked);
  const { body } = await exchange(simulator, callback.get('code') ?? '');
  expect(body).not.toHaveProperty('refresh_token');
  expect(body).not.toHaveProperty('id_token');

  expect(await isThere(simulator, text(body.access_token), picked)).toBe(true);
  expect(await isThere(simulator, own.accessToken, picked)).toBe(true);
  const refused = await api(simulator, own.accessToken, `/drive/v3/files/${untouched}`);
  expect(await apiFailure(refused)).toMatchObject({ status: 404, reason: 'notFound' });
  expect(await isThere(simulator, foreign.accessToken, picked)).toBe(false);
  const listed = await apiJson(simulator, own.accessToken, '/drive/v3/files');
  expect(records(listed.files).map(({ id }) => id)).toEqual([picked]);
});

test('sends a code without ids when nothing is selected, and access_denied when the picker is cancelled', async () => {
  const simulator = await startTestSimulator();
  const empty = await authorize(simulator, PICK, { account: FIRST, pick: [] });
  expect([empty.has('code'), empty.has('picked_file_ids')]).toEqual([true, false]);
  const cancelled = await authorize(simulator, PICK, { account: FIRST, pick: 'cancel' });
  expect([cancelled.get('error'), cancelled.has('code')]).toEqual(['access_denied', false]);
});

test('obeys how many, which types, which files and whether folders may be picked', async () => {
  const simulator = await startTestSimulator();
  const [pdf = '', other = ''] = await fileIds(simulator, "mimeType = 'application/pdf'");
  const [csv = ''] = await fileIds(simulator, "mimeType = 'text/csv'");
  const [folder = ''] = await fileIds(simulator, `mimeType = '${FOLDER}'`);
  const pick = async (changes: Record<string, string>) => {
    const choice = { account: FIRST, pick: [pdf, other, csv, folder] };
    return (await authorize(simulator, { ...PICK, ...changes }, choice)).get('picked_file_ids');
  };
  expect(await pick({})).toBe(pdf);
  expect(await pick({ allow_multiple: 'true' })).toBe([pdf, other, csv].join(','));
  expect(await pick({ allow_multiple: 'true', mimetypes: 'text/csv,text/plain' })).toBe(csv);
  expect(await pick({ allow_multiple: 'true', file_ids: other })).toBe(other);
  expect(await pick({ allow_multiple: 'true', allow_folder_selection: 'true' })).toBe(
    [pdf, other, csv, folder].join(','),
  );
});

const refused: [claim: string, changes: Record<string, string>][] = [
  ['a scope beside drive.file', { scope: `openid ${FILE}` }],
  ['another scope', { scope: DRIVE }],
  ['earlier scopes', { include_granted_scopes: 'true' }],
  ['no shown consent', { prompt: 'select_account' }],
];
test.each(refused)('refuses a picker with %s', async (_claim, changes) => {
  const simulator = await startTestSimulator();
  const answer = await fetch(authorizeUrl(simulator, { ...PICK, ...changes }), { redirect: 'manual' });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('trigger_onepick');
});

test('opens what lies in a picked folder, or the picks of one authorization only, when told so', async () => {
  const simulator = await startTestSimulator();
  const [folder = ''] = await fileIds(simulator, `mimeType = '${FOLDER}'`);
  const [child = ''] = await fileIds(simulator, `'${folder}' in parents`);
  const own = await obtainTokens(simulator, { scope: FILE }, { account: FIRST });
  const callback = await authorize(
    simulator,
    { ...PICK, access_type: 'offline', allow_folder_selection: 'true' },
    { account: FIRST, pick: [folder] },
  );
  const { body } = await exchange(simulator, callback.get('code') ?? '');
  const bringer = text((await refresh(simulator, text(body.refresh_token))).body.access_token);
  const seen = async (token: string) => [
    await isThere(simulator, token, folder),
    await isThere(simulator, token, child),
  ];
  expect(await seen(own.accessToken)).toEqual([true, false]);
  await control(simulator, 'POST', 'picker', { foldersOpenChildren: true, grantsHoldFor: 'project' });
  expect(await seen(own.accessToken)).toEqual([true, true]);
  await control(simulator, 'POST', 'picker', { foldersOpenChildren: true, grantsHoldFor: 'authorization' });
  expect(await seen(own.accessToken)).toEqual([false, false]);
  expect(await seen(bringer)).toEqual([true, true]);
});

test('forgets what was picked when the user removes the app', async () => {
  const simulator = await startTestSimulator();
  const [picked = ''] = await fileIds(simulator, "mimeType = 'application/pdf'");
  await authorize(simulator, PICK, { account: FIRST, pick: [picked] });
  await control(simulator, 'POST', 'grants/kill', { account: FIRST, reason: 'user_revoked' });
  const own = await obtainTokens(simulator, { scope: FILE }, { account: FIRST });
  expect(await isThere(simulator, own.accessToken, picked)).toBe(false);
});
