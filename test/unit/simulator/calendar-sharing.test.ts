import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { GROUPS } from '../../../simulator/accounts.ts';
import { type Simulator, startSimulator } from '../../../simulator/index.ts';
import type { AnsweredResource } from '../../../simulator/observer.ts';
import { judgeAnswer } from '../../support/judge-answers.ts';
import {
  api,
  apiFailure,
  apiJson,
  CALENDAR,
  CLIENT,
  control,
  EDITOR,
  FIRST,
  type Json,
  jsonInit,
  obtainTokens,
  records,
  SECOND,
  text,
} from './harness.ts';

const LIST = '/calendar/v3/users/me/calendarList';
const CALENDARS = '/calendar/v3/calendars';
const VIEWER = 'viewer@workspace.example';
const TIMES = { start: { dateTime: '2027-12-01T10:00:00Z' }, end: { dateTime: '2027-12-01T11:00:00Z' } };

let simulator: Simulator;
const problems: string[] = [];
const tokens = new Map<string, string>();
beforeAll(async () => {
  const observer = {
    onRequest: () => undefined,
    onAnswer: () => undefined,
    onIssued: () => undefined,
    onResource: (resource: AnsweredResource) => problems.push(...judgeAnswer(resource)),
  };
  simulator = await startSimulator({ clients: [CLIENT], observer });
  for (const account of [FIRST, SECOND, EDITOR, VIEWER]) {
    tokens.set(account, (await obtainTokens(simulator, {}, { account })).accessToken);
  }
});
afterAll(() => simulator?.close());
afterEach(() => {
  expect(problems.splice(0), 'answers that break the schemas of the discovery document').toEqual([]);
});

function as(account: string) {
  const token = () => tokens.get(account) ?? '';
  return {
    json: (path: string, init: RequestInit = {}) => apiJson(simulator, token(), path, init),
    call: (path: string, init: RequestInit = {}) => api(simulator, token(), path, init),
  };
}

const owner = as(FIRST);
const other = as(SECOND);

/** A secondary calendar of the first user; its path and id. */
async function newCalendar(summary = 'Shared') {
  const calendar = await owner.json(CALENDARS, jsonInit('POST', { summary }));
  const id = text(calendar.id);
  return { id, calendar, path: `${CALENDARS}/${encodeURIComponent(id)}` };
}

function share(path: string, role: string, scope: object = { type: 'user', value: SECOND }) {
  return owner.json(`${path}/acl`, jsonInit('POST', { role, scope }));
}

const byId = (items: unknown, id: string) => records(items).find((entry) => entry.id === id);

test('makes a calendar, lists it for its owner alone, changes and deletes it', async () => {
  const { id, calendar, path } = await newCalendar('Made');
  expect(calendar).toMatchObject({
    kind: 'calendar#calendar',
    summary: 'Made',
    timeZone: 'Europe/Berlin',
    dataOwner: FIRST,
  });
  expect(byId((await owner.json(LIST)).items, id)).toMatchObject({ accessRole: 'owner', summary: 'Made' });
  expect(byId((await other.json(LIST)).items, id)).toBeUndefined();
  expect((await other.call(path)).status).toBe(404);
  const patched = await owner.json(path, jsonInit('PATCH', { description: 'what for', timeZone: 'Asia/Tokyo' }));
  expect(patched).toMatchObject({ summary: 'Made', description: 'what for', timeZone: 'Asia/Tokyo' });
  expect(await owner.json(path, jsonInit('PUT', { summary: 'Replaced' }))).not.toHaveProperty('description');
  expect((await owner.call(path, jsonInit('PATCH', {}, { 'if-match': '"1"' }))).status).toBe(412);
  expect((await owner.call(path, { method: 'DELETE' })).status).toBe(204);
  expect((await owner.call(path)).status).toBe(404);
  expect(byId((await owner.json(`${LIST}?showDeleted=true`)).items, id)).toMatchObject({ deleted: true });
});

test('refuses a calendar without title, another’s deletion, and that of a primary calendar', async () => {
  expect(await apiFailure(await owner.call(CALENDARS, jsonInit('POST', {})))).toMatchObject({
    status: 400,
    reason: 'required',
  });
  expect((await owner.call(CALENDARS, jsonInit('POST', { summary: 'x', timeZone: 'Mars/Crater' }))).status).toBe(400);
  expect(await apiFailure(await owner.call(`${CALENDARS}/primary`, { method: 'DELETE' }))).toMatchObject({
    reason: 'cannotDeletePrimaryCalendar',
  });
  const { path } = await newCalendar();
  await share(path, 'writer');
  expect(await apiFailure(await other.call(path, { method: 'DELETE' }))).toMatchObject({
    status: 403,
    reason: 'requiredAccessLevel',
  });
  expect(await apiFailure(await owner.call(`${path}/clear`, { method: 'POST' }))).toMatchObject({ status: 400 });
  const transfer = `${path}/transferOwnership?newDataOwner=${SECOND}&useAdminAccess=true`;
  expect(await apiFailure(await owner.call(transfer, { method: 'POST' }))).toMatchObject({ status: 501 });
});

test('shares by role: a reader reads, a writer writes, an owner shares, nobody else knows of it', async () => {
  const { id, path } = await newCalendar();
  const event = await owner.json(`${path}/events`, jsonInit('POST', { ...TIMES, summary: 'Visible' }));
  const read = async () => (await other.call(`${path}/events/${text(event.id)}`)).status;
  const write = async () => (await other.call(`${path}/events`, jsonInit('POST', TIMES))).status;
  const list = async () => (await other.call(`${path}/acl`)).status;
  expect([await read(), await write(), await list()]).toEqual([404, 404, 404]);
  const rule = await share(path, 'reader');
  expect(rule).toMatchObject({
    kind: 'calendar#aclRule',
    id: `user:${SECOND}`,
    role: 'reader',
    scope: { type: 'user', value: SECOND },
  });
  expect([await read(), await write(), await list()]).toEqual([200, 403, 403]);
  const rulePath = `${path}/acl/${encodeURIComponent(`user:${SECOND}`)}`;
  await owner.json(rulePath, jsonInit('PATCH', { role: 'writer' }));
  expect([await read(), await write(), await list()]).toEqual([200, 200, 403]);
  await owner.json(rulePath, jsonInit('PUT', { role: 'owner' }));
  expect([await read(), await write(), await list()]).toEqual([200, 200, 200]);
  // Sharing alone does not change the other's list.
  expect(byId((await other.json(LIST)).items, id)).toBeUndefined();
  expect(await other.json(LIST, jsonInit('POST', { id }))).toMatchObject({ id, accessRole: 'owner' });
  expect((await owner.call(rulePath, { method: 'DELETE' })).status).toBe(204);
  expect(await read()).toBe(404);
  expect(byId((await other.json(LIST)).items, id)).toBeUndefined();
  expect(records((await owner.json(`${path}/acl`)).items)).toHaveLength(1);
  expect(byId((await owner.json(`${path}/acl?showDeleted=true`)).items, `user:${SECOND}`)).toMatchObject({
    role: 'none',
  });
});

test('shows times only to a freeBusyReader, and no details of private events to a reader', async () => {
  const { path } = await newCalendar();
  const open = await owner.json(`${path}/events`, jsonInit('POST', { ...TIMES, summary: 'Open', location: 'Room' }));
  const hidden = await owner.json(
    `${path}/events`,
    jsonInit('POST', { ...TIMES, summary: 'Secret', visibility: 'private' }),
  );
  await share(path, 'freeBusyReader');
  const busy = await other.json(`${path}/events`);
  expect(busy.accessRole).toBe('freeBusyReader');
  expect(records(busy.items).map((event) => Object.keys(event).sort())[0]).toEqual(
    ['end', 'etag', 'eventType', 'iCalUID', 'id', 'kind', 'sequence', 'start', 'status'].sort(),
  );
  expect(records((await other.json(`${path}/events?q=Open`)).items)).toEqual([]);
  await share(path, 'reader');
  expect((await other.json(`${path}/events/${text(open.id)}`)).summary).toBe('Open');
  const seen = await other.json(`${path}/events/${text(hidden.id)}`);
  expect(seen).toMatchObject({ visibility: 'private', start: expect.anything() });
  expect(seen).not.toHaveProperty('summary');
  await share(path, 'writerWithoutPrivateAccess');
  expect((await other.call(`${path}/events/${text(hidden.id)}`, jsonInit('PATCH', { summary: 'x' }))).status).toBe(403);
  await share(path, 'writer');
  expect((await other.json(`${path}/events/${text(hidden.id)}`)).summary).toBe('Secret');
});

test('shares with a domain and with everyone, and refuses what no rule can be', async () => {
  const { path } = await newCalendar();
  await share(path, 'reader', { type: 'domain', value: 'workspace.example' });
  expect([(await as(EDITOR).call(path)).status, (await other.call(path)).status]).toEqual([200, 404]);
  await share(path, 'freeBusyReader', { type: 'default' });
  expect((await other.call(path)).status).toBe(200);
  const refused = async (body: object) => apiFailure(await owner.call(`${path}/acl`, jsonInit('POST', body)));
  const user = { type: 'user', value: SECOND };
  expect(await refused({ role: 'writer', scope: { type: 'default' } })).toMatchObject({
    reason: 'illegalAccessRoleForDefault',
  });
  expect(await refused({ role: 'king', scope: user })).toMatchObject({ status: 400, reason: 'invalid' });
  expect(await refused({ scope: user })).toMatchObject({ status: 400, reason: 'required' });
  expect(await refused({ role: 'reader' })).toMatchObject({ status: 400, reason: 'required' });
  expect(await refused({ role: 'reader', scope: { type: 'user', value: 'nobody' } })).toMatchObject({
    reason: 'invalid',
  });
  expect(await refused({ role: 'reader', scope: { type: 'user', value: FIRST } })).toMatchObject({
    status: 403,
    reason: 'cannotChangeOwnAcl',
  });
});

test('syncs access lists and calendar lists by token', async () => {
  const { id, path } = await newCalendar();
  const rules = await owner.json(`${path}/acl`);
  const list = await owner.json(LIST);
  await share(path, 'reader');
  await owner.json(
    `${LIST}/${encodeURIComponent(id)}`,
    jsonInit('PATCH', { summaryOverride: 'My name', hidden: true }),
  );
  const since = (collection: string, token: unknown) =>
    owner.json(`${collection}?syncToken=${encodeURIComponent(text(token))}`);
  expect(records((await since(`${path}/acl`, rules.nextSyncToken)).items).map((rule) => rule.role)).toEqual(['reader']);
  const changed = await since(LIST, list.nextSyncToken);
  expect(records(changed.items)).toMatchObject([{ id, summaryOverride: 'My name', hidden: true }]);
  expect(byId((await owner.json(LIST)).items, id)).toBeUndefined();
  const clash = `${LIST}?minAccessRole=owner&syncToken=${encodeURIComponent(text(changed.nextSyncToken))}`;
  expect((await owner.call(clash)).status).toBe(400);
});

test('keeps each user’s own settings for a calendar, colors by id or RGB', async () => {
  const { id, path } = await newCalendar();
  await share(path, 'reader');
  const entry = `${LIST}/${encodeURIComponent(id)}`;
  await other.json(LIST, jsonInit('POST', { id, colorId: '3' }));
  expect(
    await owner.json(`${entry}?colorRgbFormat=true`, jsonInit('PATCH', { backgroundColor: '#16a766' })),
  ).toMatchObject({
    backgroundColor: '#16a766',
    colorId: '8',
  });
  expect(await other.json(entry)).toMatchObject({ colorId: '3', backgroundColor: '#f83a22' });
  const reminders = [{ method: 'email', minutes: 60 }];
  expect((await other.json(entry, jsonInit('PUT', { defaultReminders: reminders }))).defaultReminders).toEqual(
    reminders,
  );
  expect((await other.call(entry, jsonInit('PATCH', { colorId: '77' }))).status).toBe(400);
  expect((await other.call(entry, { method: 'DELETE' })).status).toBe(204);
  expect((await other.call(entry)).status).toBe(404);
  expect((await owner.call(entry)).status).toBe(200);
  expect((await owner.call(`${LIST}/primary`, { method: 'DELETE' })).status).toBe(403);
});

test('lets calendar.app.created reach only what the app made', async () => {
  const { accessToken } = await obtainTokens(simulator, { scope: `${CALENDAR}.app.created` });
  const status = async (path: string) => (await api(simulator, accessToken, path)).status;
  const { path } = await newCalendar();
  expect([await status(path), await status(`${path}/events`), await status(`${CALENDARS}/primary`)]).toEqual([
    200, 200, 404,
  ]);
});

/** An event of the first user with the second and somebody outside as guests. */
async function invite(changes: object = {}) {
  const guests = [{ email: SECOND }, { email: 'outside@elsewhere.example' }];
  const event = await owner.json(
    `${CALENDARS}/primary/events?sendUpdates=all`,
    jsonInit('POST', { ...TIMES, summary: 'Meeting', attendees: guests, ...changes }),
  );
  return { event, path: `${CALENDARS}/primary/events/${text(event.id)}` };
}

const answers = (event: Json) =>
  Object.fromEntries(records(event.attendees).map(({ email, responseStatus }) => [email, responseStatus]));

test('brings an invitation to the guest’s calendar, and the guest’s answer to the organizer', async () => {
  const { event, path } = await invite();
  const copy = await other.json(path);
  expect(copy).toMatchObject({ id: event.id, iCalUID: event.iCalUID, organizer: { email: FIRST } });
  expect(copy.organizer).not.toHaveProperty('self');
  expect(records(copy.attendees).find(({ self }) => self === true)).toMatchObject({
    email: SECOND,
    responseStatus: 'needsAction',
  });
  const attendees = records(copy.attendees).map((one) =>
    one.self === true ? { ...one, responseStatus: 'accepted' } : one,
  );
  await other.json(path, jsonInit('PATCH', { attendees }));
  expect(answers(await owner.json(path))).toEqual({ [SECOND]: 'accepted', 'outside@elsewhere.example': 'needsAction' });
});

test('takes an answer alone with attendeesOmitted, and leaves the other guests', async () => {
  const { path } = await invite();
  const answer = {
    attendeesOmitted: true,
    attendees: [{ email: SECOND, responseStatus: 'tentative', comment: 'late' }],
  };
  await other.json(path, jsonInit('PATCH', answer));
  const event = await owner.json(path);
  expect(records(event.attendees)).toHaveLength(2);
  expect(records(event.attendees)[0]).toMatchObject({ responseStatus: 'tentative', comment: 'late' });
  const brief = await owner.json(`${path}?maxAttendees=1`);
  expect(brief).toMatchObject({ attendeesOmitted: true });
  expect(brief).not.toHaveProperty('attendees.1');
});

test('keeps a guest from what is the organizer’s, lets the organizer allow it, and leaves each copy its own', async () => {
  const { path } = await invite();
  const rename = () => other.call(path, jsonInit('PATCH', { summary: 'Mine' }));
  expect(await apiFailure(await rename())).toMatchObject({ status: 403, reason: 'forbiddenForNonOrganizer' });
  await other.json(path, jsonInit('PATCH', { colorId: '5', reminders: { useDefault: false } }));
  expect(await owner.json(path)).not.toHaveProperty('colorId');
  await owner.json(path, jsonInit('PATCH', { guestsCanModify: true, location: 'Room' }));
  expect(await other.json(path)).toMatchObject({ location: 'Room', colorId: '5', reminders: { useDefault: false } });
  expect((await rename()).status).toBe(200);
  expect((await owner.json(path)).summary).toBe('Mine');
});

test('takes a guest’s copy away with the guest or the event; a guest who deletes it declines', async () => {
  const { path } = await invite();
  expect((await other.call(path, { method: 'DELETE' })).status).toBe(204);
  expect(answers(await owner.json(path))[SECOND]).toBe('declined');
  await owner.json(path, jsonInit('PATCH', { location: 'Room' }));
  expect((await other.json(path)).status).toBe('cancelled');
  const second = await invite();
  await owner.json(second.path, jsonInit('PATCH', { attendees: [] }));
  expect((await other.json(second.path)).status).toBe('cancelled');
  const third = await invite();
  await owner.call(third.path, { method: 'DELETE' });
  expect((await other.json(third.path)).status).toBe('cancelled');
});

test('answers one instance of a series that somebody else organizes', async () => {
  const zone = 'Europe/Berlin';
  const { path } = await invite({
    start: { dateTime: '2027-12-01T10:00:00', timeZone: zone },
    end: { dateTime: '2027-12-01T11:00:00', timeZone: zone },
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
  });
  const instance = `${path}_20271202T090000Z`;
  const answer = { attendeesOmitted: true, attendees: [{ email: SECOND, responseStatus: 'declined' }] };
  await other.json(instance, jsonInit('PATCH', answer));
  expect(answers(await owner.json(instance))[SECOND]).toBe('declined');
  expect(answers(await owner.json(path))[SECOND]).toBe('needsAction');
  expect(answers(await other.json(`${path}_20271203T090000Z`))[SECOND]).toBe('needsAction');
});

test('moves an event with its guests to a calendar that then organizes it', async () => {
  const { path } = await invite();
  const { id } = await newCalendar('Destination');
  const moved = await owner.json(`${path}/move?destination=${encodeURIComponent(id)}`, { method: 'POST' });
  expect(moved).toMatchObject({ organizer: { email: id, self: true, displayName: 'Destination' } });
  expect((await other.json(path)).organizer).toEqual({ email: id, displayName: 'Destination' });
  expect(await apiFailure(await other.call(`${path}/move?destination=primary`, { method: 'POST' }))).toMatchObject({
    status: 403,
    reason: 'cannotChangeOrganizer',
  });
});

test('hides guests from each other where the organizer says so', async () => {
  const { path } = await invite({ guestsCanSeeOtherGuests: false });
  const copy = await other.json(path);
  expect(records(copy.attendees).map(({ email }) => email)).toEqual([SECOND]);
  expect(copy.attendeesOmitted).toBe(true);
  expect(records((await owner.json(path)).attendees)).toHaveLength(2);
});

test('keeps all of this in a state that can be read back', async () => {
  const { event, path } = await invite({ location: 'Room' });
  const { snapshot } = await control(simulator, 'POST', 'snapshot');
  await owner.call(path, { method: 'DELETE' });
  await control(simulator, 'POST', 'restore', { snapshot });
  expect(await other.json(path)).toMatchObject({ id: event.id, status: 'confirmed', location: 'Room' });
});

test('shares with a group, and tells when its members are taken', async () => {
  const team = 'team@workspace.example';
  const { path } = await newCalendar();
  expect((await as(VIEWER).call(path)).status).toBe(404);
  await share(path, 'reader', { type: 'group', value: team });
  expect((await as(VIEWER).call(path)).status).toBe(200);
  expect((await other.call(path)).status).toBe(404);
  const question = { timeMin: '2027-12-01T00:00:00Z', timeMax: '2027-12-02T00:00:00Z', items: [{ id: team }] };
  const ask = (more: object) => owner.json('/calendar/v3/freeBusy', jsonInit('POST', { ...question, ...more }));
  const answer = await ask({});
  const { members } = GROUPS[team] ?? { members: [] };
  expect(answer.groups).toEqual({ [team]: { calendars: members } });
  expect(Object.keys(answer.calendars ?? {})).toEqual(members);
  expect(await ask({ groupExpansionMax: 1 })).toMatchObject({
    groups: { [team]: { errors: [{ domain: 'global', reason: 'groupTooBig' }] } },
    calendars: {},
  });
});
