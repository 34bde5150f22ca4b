import { expect } from 'vitest';
import type { Simulator } from '../../../packages/simulator/index.ts';
import { authorize, authorizeUrl, exchange, refresh } from './flow.ts';
import { callsOf, control, signIn, test, type User } from './harness.ts';
import { DRIVE, FILES, FIRST, FOLDER, SECOND } from './names.ts';
import { text } from './values.ts';

const FILE = `${DRIVE}.file`;
const PICK = { scope: FILE, trigger_onepick: 'true', access_type: 'online' };
const PDF = "mimeType = 'application/pdf'";

/** Ids of the first account's files, by a search with the whole Drive. */
const fileIds = async (user: User, q: string) => (await user.search(q, '&pageSize=5')).map(({ id }) => text(id));

const isThere = async ({ status }: Pick<User, 'status'>, id: string) => (await status(`${FILES}/${id}`)) === 200;

/** The redirect that ends a picker in which these files were selected. */
const pick = (simulator: Simulator, ids: string[] | 'cancel', changes: Record<string, string> = {}) =>
  authorize(simulator, { ...PICK, ...changes }, { account: FIRST, pick: ids });

test('opens what was picked to every token of the project, and to nobody else', async ({ simulator, owner }) => {
  const [picked = '', untouched = ''] = await fileIds(owner, PDF);
  const own = await signIn(simulator, { scope: FILE });
  const foreign = await signIn(simulator, { scope: FILE, account: SECOND });
  expect(await isThere(own, picked)).toBe(false);
  const callback = await pick(simulator, [picked], { allow_multiple: 'true' });
  expect(callback.get('picked_file_ids')).toBe(picked);
  const { body } = await exchange(simulator, callback.get('code') ?? '');
  expect(body).not.toHaveProperty('refresh_token');
  expect(body).not.toHaveProperty('id_token');
  expect(await isThere(callsOf(simulator, text(body.access_token)), picked)).toBe(true);
  expect(await isThere(own, picked)).toBe(true);
  expect(await own.refusal(`${FILES}/${untouched}`)).toBe('404 notFound');
  expect(await isThere(foreign, picked)).toBe(false);
  expect(await own.list(FILES, 'files')).toMatchObject([{ id: picked }]);
});

test('sends a code without ids when nothing is selected, access_denied when cancelled', async ({ simulator }) => {
  const empty = await pick(simulator, []);
  expect([empty.has('code'), empty.has('picked_file_ids')]).toEqual([true, false]);
  const cancelled = await pick(simulator, 'cancel');
  expect([cancelled.get('error'), cancelled.has('code')]).toEqual(['access_denied', false]);
});

test('obeys how many, which types, which files and whether folders may be picked', async ({ simulator, owner }) => {
  const [pdf = '', other = ''] = await fileIds(owner, PDF);
  const [csv = ''] = await fileIds(owner, "mimeType = 'text/csv'");
  const [folder = ''] = await fileIds(owner, `mimeType = '${FOLDER}'`);
  const all = [pdf, other, csv, folder];
  const picked = async (changes?: Record<string, string>) => {
    const several: Record<string, string> = changes === undefined ? {} : { allow_multiple: 'true', ...changes };
    return (await pick(simulator, all, several)).get('picked_file_ids')?.split(',');
  };
  expect(await picked()).toEqual([pdf]);
  expect(await picked({})).toEqual([pdf, other, csv]);
  expect(await picked({ mimetypes: 'text/csv,text/plain' })).toEqual([csv]);
  expect(await picked({ file_ids: other })).toEqual([other]);
  expect(await picked({ allow_folder_selection: 'true' })).toEqual(all);
});

test.for<[claim: string, changes: Record<string, string>]>([
  ['a scope other than drive.file', { scope: `openid ${FILE}` }],
  ['another scope', { scope: DRIVE }],
  ['earlier scopes', { include_granted_scopes: 'true' }],
  ['no shown consent', { prompt: 'select_account' }],
])('refuses a picker with %s', async ([, changes], { simulator }) => {
  const answer = await fetch(authorizeUrl(simulator, { ...PICK, ...changes }), { redirect: 'manual' });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('trigger_onepick');
});

test('opens what lies in a picked folder, or one authorization’s picks, when set so', async ({ simulator, owner }) => {
  const [folder = ''] = await fileIds(owner, `mimeType = '${FOLDER}'`);
  const [child = ''] = await fileIds(owner, `'${folder}' in parents`);
  const own = await signIn(simulator, { scope: FILE });
  const callback = await pick(simulator, [folder], { access_type: 'offline', allow_folder_selection: 'true' });
  const { body } = await exchange(simulator, callback.get('code') ?? '');
  const refreshed = await refresh(simulator, text(body.refresh_token));
  const bringer = callsOf(simulator, text(refreshed.body.access_token));
  const seen = async (user: Pick<User, 'status'>) => [await isThere(user, folder), await isThere(user, child)];
  const hold = (grantsHoldFor: string) =>
    control(simulator, 'POST', 'picker', { foldersOpenChildren: true, grantsHoldFor });
  expect(await seen(own)).toEqual([true, false]);
  await hold('project');
  expect(await seen(own)).toEqual([true, true]);
  await hold('authorization');
  expect(await seen(own)).toEqual([false, false]);
  expect(await seen(bringer)).toEqual([true, true]);
});

test('forgets what was picked when the user removes the app', async ({ simulator, owner }) => {
  const [picked = ''] = await fileIds(owner, PDF);
  await pick(simulator, [picked]);
  await control(simulator, 'POST', 'grants/kill', { account: FIRST, reason: 'user_revoked' });
  expect(await isThere(await signIn(simulator, { scope: FILE }), picked)).toBe(false);
});
