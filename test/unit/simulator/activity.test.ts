import { expect } from 'vitest';
import { control, signIn, test, type User } from './harness.ts';
import { DRIVE, FILES, SECOND } from './names.ts';
import { jsonInit, record, records } from './values.ts';

const ACTIVITY = `${DRIVE}.activity.readonly`;
const QUERY = '/v2/activity:query';

/** Kinds of the activities of a file, newest first. */
async function kindsOf(user: User, id: string, filter?: string) {
  const body = { itemName: `items/${id}`, ...(filter === undefined ? {} : { filter }) };
  const { activities } = await user.post(QUERY, body);
  return records(activities).map(({ primaryActionDetail }) => Object.keys(record(primaryActionDetail))[0]);
}

test('downloads media under /download/, and nothing but media', async ({ owner }) => {
  const upload = { method: 'POST', body: 'the bytes', headers: { 'content-type': 'text/plain' } };
  const { id } = await owner.json(`/upload${FILES}?uploadType=media`, upload);
  const media = await owner.call(`/download${FILES}/${id}?alt=media`);
  expect([media.status, await media.text()]).toEqual([200, 'the bytes']);
  expect(await owner.status(`/download${FILES}`)).toBe(404);
});

test('shows what happened to a file, by time and kind where a filter asks for it', async ({ simulator }) => {
  const user = await signIn(simulator, { scope: `${DRIVE} ${ACTIVITY}` });
  const id = await user.make(FILES, { name: 'old' });
  expect(await kindsOf(user, id)).toEqual(['create']);
  const file = `${FILES}/${id}`;
  await user.patch(file, { name: 'new' });
  await user.post(`${file}/permissions`, { type: 'user', role: 'reader', emailAddress: SECOND });
  await user.post(`${file}/comments?fields=id`, { content: 'c' });
  await control(simulator, 'POST', 'clock', { offsetSec: 1800 });
  await user.patch(file, { trashed: true });
  const detail = 'detail.action_detail_case';
  expect(await kindsOf(user, id)).toEqual(['delete', 'comment', 'permissionChange', 'rename', 'create']);
  expect(await kindsOf(user, id, `${detail}:RENAME`)).toEqual(['rename']);
  expect(await kindsOf(user, id, `-${detail}:(CREATE COMMENT)`)).toEqual(['delete', 'permissionChange', 'rename']);
  const soon = new Date(Date.now() + 900_000).toISOString();
  expect(await kindsOf(user, id, `time > "${soon}" AND ${detail}:DELETE`)).toEqual(['delete']);
  expect(await kindsOf(user, id, `time > ${Date.now() + 7_200_000}`)).toEqual([]);
});

test('shows that a file that is gone was deleted', async ({ simulator }) => {
  const user = await signIn(simulator, { scope: `${DRIVE} ${ACTIVITY}` });
  const id = await user.make(FILES, { name: 'watched' });
  await user.remove(`${FILES}/${id}`);
  expect(await kindsOf(user, id)).toEqual(['delete', 'create']);
});

test('pages through all activities of a Drive, newest first', async ({ simulator }) => {
  const { post } = await signIn(simulator, { scope: `${DRIVE} ${ACTIVITY}` });
  const first = await post(QUERY, { pageSize: 10 });
  const second = await post(QUERY, { pageSize: 10, pageToken: first.nextPageToken });
  const times = [...records(first.activities), ...records(second.activities)].map(({ timestamp }) => String(timestamp));
  expect(times).toHaveLength(20);
  expect(times).toEqual(times.toSorted().reverse());
});

test('needs a scope of its own, and refuses a filter that it cannot read', async ({ simulator, owner }) => {
  expect(await owner.refusal(QUERY, jsonInit('POST', {}))).toBe('403 insufficientPermissions');
  const { status } = await signIn(simulator, { scope: ACTIVITY });
  expect(await status(QUERY, jsonInit('POST', { filter: 'colour = red' }))).toBe(400);
});
