import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { serve } from '../support/upstream.ts';
import { apiFailure, control, open, signIn } from './harness.ts';
import { CLIENT, EDITOR, EVENTS, FILES, FIRST, LIST, SECOND, SIBLING } from './names.ts';
import { jsonInit, readJson, text } from './values.ts';

const CHANGES = '/drive/v3/changes/watch?pageToken=1000';
const DAY = { start: { date: '2026-12-01' }, end: { date: '2026-12-02' } };

async function startReceiver() {
  const received: IncomingHttpHeaders[] = [];
  /** Statuses of the next answers; 200 when they are used up. */
  const answers: number[] = [];
  const origin = await serve((message, response) => {
    received.push(message.headers);
    response.writeHead(answers.shift() ?? 200).end();
  });
  return { address: `${origin}/hook`, received, answers };
}

async function openWatching(account?: string) {
  const user = await open(account === undefined ? {} : { account });
  const { address, received, answers } = await startReceiver();
  const channel = { id: 'channel-1', type: 'web_hook', address, token: 'my token' };
  const watch = (path: string, body: object = {}) => user.call(path, jsonInit('POST', { ...channel, ...body }));
  const states = () => received.map((headers) => headers['x-goog-resource-state']);
  return { ...user, received, answers, watch, states, insert: () => user.post(EVENTS, DAY) };
}

/** A channel on the events of a calendar, its first message there. */
async function openCalendar() {
  const opened = await openWatching();
  const channel = await readJson(await opened.watch(`${EVENTS}/watch`));
  const numbers = () => opened.received.map((headers) => Number(headers['x-goog-message-number']));
  const arrived = (...wanted: number[]) => expect.poll(numbers).toEqual(wanted);
  await arrived(1);
  const stop = async () => {
    const body = { id: channel.id, resourceId: channel.resourceId };
    expect(await opened.status('/calendar/v3/channels/stop', jsonInit('POST', body))).toBe(204);
  };
  return { ...opened, channel, arrived, stop };
}

test('opens a channel and sends sync with the channel’s headers', async () => {
  const { received, watch } = await openWatching();
  const channel = await readJson(await watch(CHANGES));
  expect(channel).toMatchObject({ kind: 'api#channel', id: 'channel-1', token: 'my token' });
  await expect.poll(() => received).toHaveLength(1);
  expect(received[0]).toMatchObject({
    'x-goog-channel-id': 'channel-1',
    'x-goog-channel-token': 'my token',
    'x-goog-resource-id': channel.resourceId,
    'x-goog-resource-state': 'sync',
    'x-goog-message-number': '1',
  });
});

test('notifies later changes until the channel is stopped', async () => {
  const { watch, insert, stop, states, arrived } = await openCalendar();
  await insert();
  await arrived(1, 2);
  await stop();
  await insert();
  expect((await watch(`${LIST}/watch`)).status).toBe(200);
  await expect.poll(states).toEqual(['sync', 'exists', 'sync']);
});

test('notifies the watcher of settings that one of them has changed', async () => {
  const { simulator, watch, states } = await openWatching();
  await watch('/calendar/v3/users/me/settings/watch');
  const change = (weekStart: string) =>
    control(simulator, 'POST', 'settings', { account: FIRST, settings: { weekStart } });
  await change('0');
  await change('6');
  await expect.poll(states).toEqual(['sync', 'exists']);
});

test('stops a channel only for the user and client that opened it', async () => {
  const { simulator, watch } = await openWatching();
  const { id, resourceId } = await readJson(await watch(CHANGES));
  const stop = jsonInit('POST', { id, resourceId });
  const other = await signIn(simulator, { account: SECOND });
  const failure = await other.failure('/drive/v3/channels/stop', stop);
  expect(failure.status).toBe(404);
  expect(failure.message).toContain(CLIENT.clientId.split('-')[0]);
  simulator.upsertClient(SIBLING);
  const { refusal } = await signIn(simulator, { clientId: SIBLING.clientId });
  expect(await refusal('/drive/v3/channels/stop', stop)).toBe('404 channelUnknown');
});

test.each<[claim: string, body: object, reason: string]>([
  ['no id', { id: undefined }, 'required'],
  ['an address without TLS elsewhere', { address: 'http://198.51.100.7/hook' }, 'push.webhookUrlNotHttps'],
  ['an address that is none', { address: 'hook' }, 'push.webhookUrlNotHttps'],
  ['another type', { type: 'pigeon' }, 'badRequest'],
  ['a past expiration', { expiration: '1000' }, 'badRequest'],
])('refuses a channel with %s', async (_claim, body, reason) => {
  const { received, watch } = await openWatching();
  expect(await apiFailure(await watch(CHANGES, body))).toMatchObject({ status: 400, reason });
  expect(received).toEqual([]);
});

test('refuses a channel id in use', async () => {
  const { watch } = await openWatching();
  await watch(CHANGES);
  expect((await apiFailure(await watch(CHANGES))).reason).toBe('channelIdNotUnique');
});

test('notifies the watcher of a shared file of what somebody else does to it', async () => {
  const { simulator, post, watch, states } = await openWatching();
  const guest = await signIn(simulator, { account: SECOND });
  const file = `${FILES}/${text((await post(FILES, { name: 'watched' })).id)}`;
  await post(`${file}/permissions`, { type: 'user', role: 'writer', emailAddress: SECOND });
  await watch(`${file}/watch`);
  await guest.patch(file, { name: 'renamed' });
  await expect.poll(states).toEqual(['sync', 'update']);
});

test.each<[path: string, usualSec: number, mostSec: number]>([
  [CHANGES, 3_600, 604_800],
  [`${FILES}/root/watch`, 3_600, 86_400],
  [`${EVENTS}/watch`, 604_800, 604_800],
  ['/calendar/v3/calendars/primary/acl/watch', 604_800, 604_800],
  [`${LIST}/watch`, 604_800, 604_800],
  ['/calendar/v3/users/me/settings/watch', 604_800, 604_800],
])('lets a channel of %s live %i seconds, and at most %i', async (path, usualSec, mostSec) => {
  const { simulator, watch } = await openWatching();
  const { now } = await control(simulator, 'POST', 'clock', { now: new Date().toISOString() });
  const nowMs = Date.parse(text(now));
  const lifeSec = async (body: object) => (Number((await readJson(await watch(path, body))).expiration) - nowMs) / 1000;
  expect(await lifeSec({ id: 'a' })).toBe(usualSec);
  expect(await lifeSec({ id: 'b', params: { ttl: '60' } })).toBe(60);
  expect(await lifeSec({ id: 'c', expiration: String(nowMs + 99 * 86_400_000) })).toBe(mostSec);
});

test('loses messages and sends them twice, as many as are set', async () => {
  const { simulator, insert, arrived } = await openCalendar();
  await control(simulator, 'POST', 'channels', { drop: 1, double: 1 });
  await insert();
  await insert();
  await arrived(1, 3, 3);
  await insert();
  await arrived(1, 3, 3, 4);
});

test('holds messages and lets them arrive in another order', async () => {
  const { simulator, insert, arrived } = await openCalendar();
  await control(simulator, 'POST', 'channels', { hold: true });
  await insert();
  await insert();
  await arrived(1);
  const { released } = await control(simulator, 'POST', 'channels', { hold: false, release: 'reversed' });
  expect(released).toBe(2);
  await arrived(1, 3, 2);
});

test('sends nothing to an address that is not on this computer', async () => {
  const { simulator, watch, insert } = await openWatching();
  await control(simulator, 'POST', 'channels', { hold: true });
  expect((await watch(`${EVENTS}/watch`, { address: 'https://app.example.com/hook' })).status).toBe(200);
  await insert();
  const { released } = await control(simulator, 'POST', 'channels', { hold: false, release: 'reversed' });
  expect(released).toBe(0);
});

test('repeats a message after 503, and after nothing that is final', async () => {
  const { simulator, answers, insert, arrived } = await openCalendar();
  await control(simulator, 'POST', 'channels', { repeatAfterMs: 1 });
  answers.push(503, 500, 204);
  await insert();
  await arrived(1, 2, 2, 2);
  answers.push(404);
  await insert();
  await insert();
  await arrived(1, 2, 2, 2, 3, 4);
});

test('messages may follow on a channel that was stopped; a resource has one id over all its channels', async () => {
  const { simulator, channel, watch, insert, arrived, stop } = await openCalendar();
  await stop();
  await control(simulator, 'POST', 'channels', { late: 1 });
  await insert();
  await arrived(1, 2);
  const second = await readJson(await watch(`${EVENTS}/watch`, { id: 'channel-2' }));
  expect(second.resourceId).toBe(channel.resourceId);
});

test('refuses addresses of a domain that is not verified when that is set', async () => {
  const { simulator, watch } = await openWatching();
  await control(simulator, 'POST', 'channels', { unauthorized: true });
  expect(await apiFailure(await watch(CHANGES))).toMatchObject({ status: 401, reason: 'push.webhookUrlUnauthorized' });
});

test.each(['en.usa#holiday@group.v.calendar.google.com', 'addressbook#contacts@group.v.calendar.google.com'])(
  'notifies nobody of changes of %s',
  async (calendarId) => {
    const { watch } = await openWatching();
    const response = await watch(`/calendar/v3/calendars/${encodeURIComponent(calendarId)}/events/watch`);
    expect(await apiFailure(response)).toMatchObject({ status: 400, reason: 'pushNotSupportedForRequestedResource' });
  },
);

test('sync tokens end when that is set, and a later one counts', async () => {
  const { simulator, json, status, refusal } = await open();
  const path = `${EVENTS}?maxResults=2500`;
  const now = (time: number) => control(simulator, 'POST', 'clock', { now: new Date(time).toISOString() });
  await now(Date.now());
  const first = `${path}&syncToken=${text((await json(path)).nextSyncToken)}`;
  expect(await status(first)).toBe(200);
  await control(simulator, 'POST', 'cursors/expire');
  expect(await refusal(first)).toBe('410 fullSyncRequired');
  await now(Date.now() + 60_000);
  expect(await status(`${path}&syncToken=${text((await json(path)).nextSyncToken)}`)).toBe(200);
});

test('a channel on a shared drive is notified of that drive only, from a page token of its log', async () => {
  const { json, post, watch, states } = await openWatching(EDITOR);
  const drive = text((await post('/drive/v3/drives?requestId=one', { name: 'Watched' })).id);
  const query = `driveId=${drive}&supportsAllDrives=true&includeItemsFromAllDrives=true`;
  const start = await json(`/drive/v3/changes/startPageToken?${query}`);
  expect((await watch(`/drive/v3/changes/watch?${query}&pageToken=999999999999`)).status).toBe(400);
  expect((await watch(`/drive/v3/changes/watch?${query}&pageToken=${text(start.startPageToken)}`)).status).toBe(200);
  await post(FILES, { name: 'elsewhere' });
  await post(`${FILES}?supportsAllDrives=true`, { name: 'inside', parents: [drive] });
  await expect.poll(states).toEqual(['sync', 'change']);
});
