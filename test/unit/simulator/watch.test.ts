import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import {
  api,
  apiFailure,
  apiJson,
  authorize,
  CLIENT,
  control,
  EDITOR,
  exchange,
  jsonInit,
  obtainTokens,
  record,
  SECOND,
  startTestSimulator,
  text,
} from './harness.ts';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function startReceiver(): Promise<{
  address: string;
  received: IncomingHttpHeaders[];
  /** Statuses of the next answers; 200 when they are used up. */
  answers: number[];
}> {
  const received: IncomingHttpHeaders[] = [];
  const answers: number[] = [];
  const server = createServer((message, response) => {
    received.push(message.headers);
    response.writeHead(answers.shift() ?? 200).end();
  });
  closers.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { address: `http://127.0.0.1:${address.port}/hook`, received, answers };
}

async function open(account?: string) {
  const simulator = await startTestSimulator();
  const { accessToken } = await obtainTokens(simulator, {}, account === undefined ? {} : { account });
  const receiver = await startReceiver();
  const watch = (path: string, body: object = {}) =>
    api(
      simulator,
      accessToken,
      path,
      jsonInit('POST', {
        id: 'channel-1',
        type: 'web_hook',
        ...receiver,
        received: undefined,
        answers: undefined,
        token: 'my token',
        ...body,
      }),
    );
  return { simulator, accessToken, receiver, watch };
}

test('opens a channel and sends sync with the channel’s headers', async () => {
  const { receiver, watch } = await open();
  const response = await watch('/drive/v3/changes/watch?pageToken=1000');
  expect(response.status).toBe(200);
  const channel = JSON.parse(await response.text());
  expect(channel).toMatchObject({ kind: 'api#channel', id: 'channel-1', token: 'my token' });
  await vi.waitUntil(() => receiver.received.length === 1, { timeout: 60_000 });
  expect(receiver.received[0]).toMatchObject({
    'x-goog-channel-id': 'channel-1',
    'x-goog-channel-token': 'my token',
    'x-goog-resource-id': channel.resourceId,
    'x-goog-resource-state': 'sync',
    'x-goog-message-number': '1',
  });
});

test('notifies later changes until the channel is stopped', async () => {
  const { simulator, accessToken, receiver, watch } = await open();
  const channel = JSON.parse(await (await watch('/calendar/v3/calendars/primary/events/watch')).text());
  const insert = () =>
    apiJson(
      simulator,
      accessToken,
      '/calendar/v3/calendars/primary/events',
      jsonInit('POST', { start: { date: '2026-12-01' }, end: { date: '2026-12-02' } }),
    );
  await insert();
  await vi.waitUntil(() => receiver.received.length === 2, { timeout: 60_000 });
  expect(receiver.received[1]).toMatchObject({ 'x-goog-resource-state': 'exists', 'x-goog-message-number': '2' });
  const stop = jsonInit('POST', { id: channel.id, resourceId: text(channel.resourceId) });
  expect((await api(simulator, accessToken, '/calendar/v3/channels/stop', stop)).status).toBe(204);
  await insert();
  const again = await watch('/calendar/v3/users/me/calendarList/watch');
  expect(again.status).toBe(200);
  await vi.waitUntil(() => receiver.received.length === 3, { timeout: 60_000 });
  expect(receiver.received[2]?.['x-goog-resource-state']).toBe('sync');
});

test('stops a channel only for the user and client that opened it', async () => {
  const { simulator, watch } = await open();
  const channel = JSON.parse(await (await watch('/drive/v3/changes/watch?pageToken=1000')).text());
  const other = await obtainTokens(simulator, {}, { account: SECOND });
  const stop = jsonInit('POST', { id: channel.id, resourceId: channel.resourceId });
  const failure = await apiFailure(await api(simulator, other.accessToken, '/drive/v3/channels/stop', stop));
  expect(failure.status).toBe(404);
  expect(failure.message).toContain(CLIENT.clientId.split('-')[0]);
});

test('keeps a channel from another client of the same user', async () => {
  const { simulator, watch } = await open();
  const channel = JSON.parse(await (await watch('/drive/v3/changes/watch?pageToken=1000')).text());
  const sibling = { ...CLIENT, clientId: '123456789012-sibling.apps.googleusercontent.com' };
  simulator.upsertClient(sibling);
  const query = await authorize(simulator, { client_id: sibling.clientId });
  const { body } = await exchange(simulator, query.get('code') ?? '', { client_id: sibling.clientId });
  const stop = jsonInit('POST', { id: channel.id, resourceId: channel.resourceId });
  const response = await api(simulator, text(body.access_token), '/drive/v3/channels/stop', stop);
  expect((await apiFailure(response)).reason).toBe('channelUnknown');
});

test.each<[claim: string, body: object, reason: string]>([
  ['no id', { id: undefined }, 'required'],
  ['an address without TLS elsewhere', { address: 'http://198.51.100.7/hook' }, 'push.webhookUrlNotHttps'],
  ['an address that is none', { address: 'hook' }, 'push.webhookUrlNotHttps'],
  ['another type', { type: 'pigeon' }, 'badRequest'],
  ['a past expiration', { expiration: '1000' }, 'badRequest'],
])('refuses a channel with %s', async (_claim, body, reason) => {
  const { receiver, watch } = await open();
  expect(await apiFailure(await watch('/drive/v3/changes/watch?pageToken=1', body))).toMatchObject({
    status: 400,
    reason,
  });
  expect(receiver.received).toEqual([]);
});

test('refuses a channel id in use', async () => {
  const { watch } = await open();
  await watch('/drive/v3/changes/watch?pageToken=1000');
  expect((await apiFailure(await watch('/drive/v3/changes/watch?pageToken=1000'))).reason).toBe('channelIdNotUnique');
});

test('lets a channel on a file live a day at most, and one on changes a week', async () => {
  const { watch } = await open();
  const expiration = String(Date.now() + 30 * 86_400_000);
  const days = async (path: string, id: string) => {
    const channel: unknown = await (await watch(path, { id, expiration })).json();
    return Math.round((Number(record(channel).expiration) - Date.now()) / 86_400_000);
  };
  expect(await days('/drive/v3/files/root/watch', 'of-a-file')).toBe(1);
  expect(await days('/drive/v3/changes/watch?pageToken=1000', 'of-changes')).toBe(7);
});

test('tells the watcher of a shared file what somebody else does to it', async () => {
  const { simulator, accessToken, receiver, watch } = await open();
  const { accessToken: guest } = await obtainTokens(simulator, {}, { account: SECOND });
  const { id } = await apiJson(simulator, accessToken, '/drive/v3/files', jsonInit('POST', { name: 'watched' }));
  const permission = { type: 'user', role: 'writer', emailAddress: SECOND };
  await apiJson(simulator, accessToken, `/drive/v3/files/${text(id)}/permissions`, jsonInit('POST', permission));
  await watch(`/drive/v3/files/${text(id)}/watch`);
  await apiJson(simulator, guest, `/drive/v3/files/${text(id)}`, jsonInit('PATCH', { name: 'renamed' }));
  const states = () => receiver.received.map((headers) => headers['x-goog-resource-state']);
  await vi.waitFor(() => expect(states()).toEqual(['sync', 'update']));
});

test.each<[path: string, usualSec: number, mostSec: number]>([
  ['/drive/v3/changes/watch?pageToken=1000', 3_600, 604_800],
  ['/calendar/v3/calendars/primary/events/watch', 604_800, 604_800],
  ['/calendar/v3/calendars/primary/acl/watch', 604_800, 604_800],
  ['/calendar/v3/users/me/calendarList/watch', 604_800, 604_800],
  ['/calendar/v3/users/me/settings/watch', 604_800, 604_800],
])('lets a channel of %s live %i seconds, and at most %i', async (path, usualSec, mostSec) => {
  const { simulator, watch } = await open();
  const now = await control(simulator, 'POST', 'clock', { now: new Date().toISOString() });
  const endOf = async (body: object) => {
    const { expiration } = JSON.parse(await (await watch(path, body)).text());
    return (Number(expiration) - Date.parse(text(now.now))) / 1000;
  };
  expect(await endOf({ id: 'a' })).toBe(usualSec);
  expect(await endOf({ id: 'b', params: { ttl: '60' } })).toBe(60);
  expect(await endOf({ id: 'c', expiration: String(Date.parse(text(now.now)) + 99 * 86_400_000) })).toBe(mostSec);
});

async function openCalendar() {
  const opened = await open();
  const { simulator, accessToken, receiver, watch } = opened;
  const channel = JSON.parse(await (await watch('/calendar/v3/calendars/primary/events/watch')).text());
  const insert = () =>
    apiJson(
      simulator,
      accessToken,
      '/calendar/v3/calendars/primary/events',
      jsonInit('POST', { start: { date: '2026-12-01' }, end: { date: '2026-12-02' } }),
    );
  const numbers = () => receiver.received.map((headers) => Number(headers['x-goog-message-number']));
  const arrived = (...wanted: number[]) => vi.waitFor(() => expect(numbers()).toEqual(wanted));
  await arrived(1);
  return { ...opened, channel, insert, arrived };
}

test('CF-11: loses messages and sends them twice, as many as it is told', async () => {
  const { simulator, insert, arrived } = await openCalendar();
  await control(simulator, 'POST', 'channels', { drop: 1, double: 1 });
  await insert();
  await insert();
  await arrived(1, 3, 3);
  await insert();
  await arrived(1, 3, 3, 4);
});

test('CF-11: holds messages and lets them arrive in another order', async () => {
  const { simulator, insert, arrived } = await openCalendar();
  await control(simulator, 'POST', 'channels', { hold: true });
  await insert();
  await insert();
  await arrived(1);
  const { released } = await control(simulator, 'POST', 'channels', { hold: false, release: 'reversed' });
  expect(released).toBe(2);
  await vi.waitFor(async () => arrived(1, ...[3, 2]));
});

test('CF-11: repeats a message after 503, and after nothing that is final', async () => {
  const { simulator, receiver, insert, arrived } = await openCalendar();
  await control(simulator, 'POST', 'channels', { repeatAfterMs: 1 });
  receiver.answers.push(503, 500, 204);
  await insert();
  await arrived(1, 2, 2, 2);
  receiver.answers.push(404);
  await insert();
  await insert();
  await arrived(1, 2, 2, 2, 3, 4);
});

test('CF-12: messages may follow on a channel that was stopped; a resource has one id over all its channels', async () => {
  const { simulator, accessToken, channel, watch, insert, arrived } = await openCalendar();
  const stop = jsonInit('POST', { id: channel.id, resourceId: text(channel.resourceId) });
  await api(simulator, accessToken, '/calendar/v3/channels/stop', stop);
  await control(simulator, 'POST', 'channels', { late: 1 });
  await insert();
  await arrived(1, 2);
  const second = await watch('/calendar/v3/calendars/primary/events/watch', { id: 'channel-2' });
  expect(JSON.parse(await second.text()).resourceId).toBe(channel.resourceId);
});

test('CF-9: refuses addresses of a domain that is not verified when it is told to', async () => {
  const { simulator, watch } = await open();
  await control(simulator, 'POST', 'channels', { unauthorized: true });
  const failure = await apiFailure(await watch('/drive/v3/changes/watch?pageToken=1'));
  expect(failure).toMatchObject({ status: 401, reason: 'push.webhookUrlUnauthorized' });
});

test.each(['en.usa#holiday@group.v.calendar.google.com', 'addressbook#contacts@group.v.calendar.google.com'])(
  'CF-7: tells nobody of changes of %s',
  async (calendarId) => {
    const { watch } = await open();
    const response = await watch(`/calendar/v3/calendars/${encodeURIComponent(calendarId)}/events/watch`);
    expect(await apiFailure(response)).toMatchObject({ status: 400, reason: 'pushNotSupportedForRequestedResource' });
  },
);

test('CF-8: sync tokens end when they are told to, and a later one counts', async () => {
  const { simulator, accessToken } = await open();
  const path = '/calendar/v3/calendars/primary/events';
  const list = (query: string) => api(simulator, accessToken, `${path}?maxResults=2500&${query}`);
  const tokenOf = async () => text(record(await (await list('')).json()).nextSyncToken);
  const now = (time: string) => control(simulator, 'POST', 'clock', { now: time });
  await now(new Date().toISOString());
  const first = await tokenOf();
  expect((await list(`syncToken=${first}`)).status).toBe(200);
  await control(simulator, 'POST', 'cursors/expire');
  expect(await apiFailure(await list(`syncToken=${first}`))).toMatchObject({ status: 410, reason: 'fullSyncRequired' });
  await now(new Date(Date.now() + 60_000).toISOString());
  expect((await list(`syncToken=${await tokenOf()}`)).status).toBe(200);
});

test('CF-1: a channel on a shared drive hears of that drive alone, from a page token of its log', async () => {
  const { simulator, accessToken, receiver, watch } = await open(EDITOR);
  const make = (path: string, body: object) => apiJson(simulator, accessToken, path, jsonInit('POST', body));
  const drive = text((await make('/drive/v3/drives?requestId=one', { name: 'Watched' })).id);
  const query = `driveId=${drive}&supportsAllDrives=true&includeItemsFromAllDrives=true`;
  const start = await apiJson(simulator, accessToken, `/drive/v3/changes/startPageToken?${query}`);
  const refused = await watch(`/drive/v3/changes/watch?${query}&pageToken=999999999999`);
  expect((await apiFailure(refused)).status).toBe(400);
  expect((await watch(`/drive/v3/changes/watch?${query}&pageToken=${text(start.startPageToken)}`)).status).toBe(200);
  await make('/drive/v3/files', { name: 'elsewhere' });
  await make('/drive/v3/files?supportsAllDrives=true', { name: 'inside', parents: [drive] });
  const states = () => receiver.received.map((headers) => headers['x-goog-resource-state']);
  await vi.waitFor(() => expect(states()).toEqual(['sync', 'change']));
});
