import { expect, test } from 'vitest';
import {
  api,
  apiFailure,
  apiJson,
  DRIVE,
  jsonInit,
  obtainTokens,
  record,
  records,
  startTestSimulator,
} from './harness.ts';

const ACTIVITY = 'https://www.googleapis.com/auth/drive.activity.readonly';
const query = (body: object) => jsonInit('POST', body);

test('downloads media under /download/, and nothing but media', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator, { scope: DRIVE });
  const made = await api(simulator, accessToken, '/upload/drive/v3/files?uploadType=media', {
    method: 'POST',
    body: 'the bytes',
    headers: { 'content-type': 'text/plain' },
  });
  const { id } = record(await made.json());
  const media = await api(simulator, accessToken, `/download/drive/v3/files/${id}?alt=media`);
  expect([media.status, await media.text()]).toEqual([200, 'the bytes']);
  expect((await api(simulator, accessToken, '/download/drive/v3/files')).status).toBe(404);
});

test('tells what happened to a file: made, changed, removed', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator, { scope: `${DRIVE} ${ACTIVITY}` });
  const { id } = await apiJson(simulator, accessToken, '/drive/v3/files', jsonInit('POST', { name: 'watched' }));
  const actions = async () => {
    const { activities } = await apiJson(
      simulator,
      accessToken,
      '/v2/activity:query',
      query({ itemName: `items/${id}` }),
    );
    return records(activities).map(({ primaryActionDetail }) => Object.keys(record(primaryActionDetail))[0]);
  };
  expect(await actions()).toEqual(['create']);
  await api(simulator, accessToken, `/drive/v3/files/${id}`, { method: 'DELETE' });
  expect(await actions()).toEqual(['delete', 'create']);
});

test('pages through all activities of a Drive, newest first', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator, { scope: `${DRIVE} ${ACTIVITY}` });
  const first = await apiJson(simulator, accessToken, '/v2/activity:query', query({ pageSize: 10 }));
  const second = await apiJson(
    simulator,
    accessToken,
    '/v2/activity:query',
    query({ pageSize: 10, pageToken: first.nextPageToken }),
  );
  const times = [...records(first.activities), ...records(second.activities)].map(({ timestamp }) => String(timestamp));
  expect(times).toHaveLength(20);
  expect(times).toEqual(times.toSorted().reverse());
});

test('needs a scope of its own, and refuses a filter that it cannot read', async () => {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator, { scope: DRIVE });
  const refused = await api(simulator, accessToken, '/v2/activity:query', query({}));
  expect(await apiFailure(refused)).toMatchObject({ status: 403, reason: 'insufficientPermissions' });
  const { accessToken: allowed } = await obtainTokens(simulator, { scope: ACTIVITY });
  const unknown = await api(simulator, allowed, '/v2/activity:query', query({ filter: 'colour = red' }));
  expect(unknown.status).toBe(400);
});
