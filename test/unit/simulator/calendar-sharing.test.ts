import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { GROUPS } from '../../../packages/simulator/accounts.ts';
import { type Simulator, startSimulator } from '../../../packages/simulator/index.ts';
import { judged, noProblems, signIn, type User } from './harness.ts';
import { CALENDAR, CALENDARS, CLIENT, EDITOR, EVENTS, FIRST, HOLIDAYS, LIST, SECOND, VIEWER } from './names.ts';
import { type Json, jsonInit, readJson, records, text } from './values.ts';

const TIMES = { start: { dateTime: '2027-12-01T10:00:00Z' }, end: { dateTime: '2027-12-01T11:00:00Z' } };
const OUTSIDE = 'outside@elsewhere.example';
const POST = { method: 'POST' };

let simulator: Simulator;
let owner: User;
let other: User;
let editor: User;
let viewer: User;
beforeAll(async () => {
  simulator = await startSimulator({ clients: [CLIENT], observer: judged() });
  owner = await signIn(simulator);
  other = await signIn(simulator, { account: SECOND });
  editor = await signIn(simulator, { account: EDITOR });
  viewer = await signIn(simulator, { account: VIEWER });
});
afterAll(() => simulator?.close());
afterEach(noProblems);

/** A secondary calendar of the first user; its path and id. */
async function newCalendar(summary = 'Shared') {
  const calendar = await owner.post(CALENDARS, { summary });
  const id = text(calendar.id);
  return { id, calendar, path: `${CALENDARS}/${encodeURIComponent(id)}` };
}

function share(path: string, role: string, scope: object = { type: 'user', value: SECOND }) {
  return owner.post(`${path}/acl`, { role, scope });
}

const byId = async (user: User, path: string, id: string) => (await user.list(path)).find((entry) => entry.id === id);

test('makes a calendar, lists it for its owner alone, changes and deletes it', async () => {
  const { id, calendar, path } = await newCalendar('Made');
  const made = { kind: 'calendar#calendar', summary: 'Made', timeZone: 'Europe/Berlin', dataOwner: FIRST };
  expect(calendar).toMatchObject(made);
  expect(await byId(owner, LIST, id)).toMatchObject({ accessRole: 'owner', summary: 'Made' });
  expect(await byId(other, LIST, id)).toBeUndefined();
  expect(await other.status(path)).toBe(404);
  const changes = { description: 'what for', timeZone: 'Asia/Tokyo' };
  expect(await owner.patch(path, changes)).toMatchObject({ summary: 'Made', ...changes });
  expect(await owner.put(path, { summary: 'Replaced' })).not.toHaveProperty('description');
  expect(await owner.status(path, jsonInit('PATCH', {}, { 'if-match': '"1"' }))).toBe(412);
  expect(await owner.remove(path)).toBe(204);
  expect(await owner.status(path)).toBe(404);
  expect(await byId(owner, `${LIST}?showDeleted=true`, id)).toMatchObject({ deleted: true });
});

test('refuses a calendar without title, another’s deletion, and that of a primary calendar', async () => {
  const { path } = await newCalendar();
  await share(path, 'writer');
  const remove = { method: 'DELETE' };
  expect(await owner.refusal(CALENDARS, jsonInit('POST', {}))).toBe('400 required');
  expect(await owner.status(CALENDARS, jsonInit('POST', { summary: 'x', timeZone: 'Mars/Crater' }))).toBe(400);
  expect(await owner.refusal(`${CALENDARS}/primary`, remove)).toContain('cannotDeletePrimaryCalendar');
  expect(await other.refusal(path, remove)).toBe('403 requiredAccessLevel');
  expect(await owner.status(`${path}/clear`, POST)).toBe(400);
  expect(await owner.status(`${path}/transferOwnership?newDataOwner=${SECOND}&useAdminAccess=true`, POST)).toBe(501);
});

test('shares by role: a reader reads, a writer writes, an owner shares, nobody else knows of it', async () => {
  const { id, path } = await newCalendar();
  const event = `${path}/events/${text((await owner.post(`${path}/events`, { ...TIMES, summary: 'Visible' })).id)}`;
  /** Statuses of reading, writing and looking at who may. */
  const rights = async () => [
    await other.status(event),
    await other.status(`${path}/events`, jsonInit('POST', TIMES)),
    await other.status(`${path}/acl`),
  ];
  expect(await rights()).toEqual([404, 404, 404]);
  const ruleId = `user:${SECOND}`;
  const rule = { kind: 'calendar#aclRule', id: ruleId, role: 'reader', scope: { type: 'user', value: SECOND } };
  expect(await share(path, 'reader')).toMatchObject(rule);
  expect(await rights()).toEqual([200, 403, 403]);
  const rulePath = `${path}/acl/${encodeURIComponent(ruleId)}`;
  await owner.patch(rulePath, { role: 'writer' });
  expect(await rights()).toEqual([200, 200, 403]);
  await owner.put(rulePath, { role: 'owner' });
  expect(await rights()).toEqual([200, 200, 200]);
  // Sharing alone does not change the other's list.
  expect(await byId(other, LIST, id)).toBeUndefined();
  expect(await other.post(LIST, { id })).toMatchObject({ id, accessRole: 'owner' });
  expect(await owner.remove(rulePath)).toBe(204);
  expect(await other.status(event)).toBe(404);
  expect(await byId(other, LIST, id)).toBeUndefined();
  expect(await owner.list(`${path}/acl`)).toHaveLength(1);
  expect(await byId(owner, `${path}/acl?showDeleted=true`, ruleId)).toMatchObject({ role: 'none' });
});

test('shows times only to a freeBusyReader, and no details of private events to a reader', async () => {
  const { path } = await newCalendar();
  const events = `${path}/events`;
  const open = `${events}/${text((await owner.post(events, { ...TIMES, summary: 'Open', location: 'Room' })).id)}`;
  const secret = { ...TIMES, summary: 'Secret', visibility: 'private' };
  const hidden = `${events}/${text((await owner.post(events, secret)).id)}`;
  await share(path, 'freeBusyReader');
  const busy = await other.json(events);
  expect(busy.accessRole).toBe('freeBusyReader');
  const shown = ['end', 'etag', 'eventType', 'iCalUID', 'id', 'kind', 'sequence', 'start', 'status'];
  expect(Object.keys(records(busy.items)[0] ?? {}).sort()).toEqual(shown);
  expect(await other.list(`${events}?q=Open`)).toEqual([]);
  await share(path, 'reader');
  expect((await other.json(open)).summary).toBe('Open');
  const seen = await other.json(hidden);
  expect(seen).toMatchObject({ visibility: 'private', start: expect.anything() });
  expect(seen).not.toHaveProperty('summary');
  await share(path, 'writerWithoutPrivateAccess');
  expect(await other.status(hidden, jsonInit('PATCH', { summary: 'x' }))).toBe(403);
  await share(path, 'writer');
  expect((await other.json(hidden)).summary).toBe('Secret');
});

test('shares with a domain, a group and everyone', async () => {
  const { path } = await newCalendar();
  const statuses = () => Promise.all([editor, viewer, other].map((user) => user.status(path)));
  expect(await statuses()).toEqual([404, 404, 404]);
  await share(path, 'reader', { type: 'group', value: 'team@workspace.example' });
  expect(await viewer.status(path)).toBe(200);
  await share(path, 'reader', { type: 'domain', value: 'workspace.example' });
  expect(await statuses()).toEqual([200, 200, 404]);
  await share(path, 'freeBusyReader', { type: 'default' });
  expect(await statuses()).toEqual([200, 200, 200]);
});

const user = { type: 'user', value: SECOND };
test.each<[rule: object, refusal: string]>([
  [{ role: 'writer', scope: { type: 'default' } }, 'illegalAccessRoleForDefault'],
  [{ role: 'king', scope: user }, '400 invalid'],
  [{ scope: user }, '400 required'],
  [{ role: 'reader' }, '400 required'],
  [{ role: 'reader', scope: { type: 'user', value: 'nobody' } }, 'invalid'],
  [{ role: 'reader', scope: { type: 'user', value: FIRST } }, '403 cannotChangeOwnAcl'],
])('refuses to share by %j', async (rule, refusal) => {
  const { path } = await newCalendar();
  expect(await owner.refusal(`${path}/acl`, jsonInit('POST', rule))).toContain(refusal);
});

test('syncs access lists and calendar lists by token', async () => {
  const { id, path } = await newCalendar();
  const rules = await owner.json(`${path}/acl`);
  const list = await owner.json(LIST);
  await share(path, 'reader');
  await owner.patch(`${LIST}/${encodeURIComponent(id)}`, { summaryOverride: 'My name', hidden: true });
  const since = (collection: string, token: unknown) => `${collection}?syncToken=${encodeURIComponent(text(token))}`;
  expect(await owner.list(since(`${path}/acl`, rules.nextSyncToken))).toMatchObject([{ role: 'reader' }]);
  const changed = await owner.json(since(LIST, list.nextSyncToken));
  expect(records(changed.items)).toMatchObject([{ id, summaryOverride: 'My name', hidden: true }]);
  expect(await byId(owner, LIST, id)).toBeUndefined();
  expect(await owner.status(`${since(LIST, changed.nextSyncToken)}&minAccessRole=owner`)).toBe(400);
});

test('keeps each user’s own settings for a calendar, colors by id or RGB', async () => {
  const { id, path } = await newCalendar();
  await share(path, 'reader');
  const entry = `${LIST}/${encodeURIComponent(id)}`;
  await other.post(LIST, { id, colorId: '3' });
  const colored = await owner.patch(`${entry}?colorRgbFormat=true`, { backgroundColor: '#16a766' });
  expect(colored).toMatchObject({ backgroundColor: '#16a766', colorId: '8' });
  expect(await other.json(entry)).toMatchObject({ colorId: '3', backgroundColor: '#f83a22' });
  const defaultReminders = [{ method: 'email', minutes: 60 }];
  expect(await other.put(entry, { defaultReminders })).toMatchObject({ defaultReminders });
  expect(await other.status(entry, jsonInit('PATCH', { colorId: '77' }))).toBe(400);
  expect(await other.remove(entry)).toBe(204);
  expect([await other.status(entry), await owner.status(entry)]).toEqual([404, 200]);
  expect(await owner.remove(`${LIST}/primary`)).toBe(403);
});

test('lets calendar.app.created reach only what the app made', async () => {
  const { status } = await signIn(simulator, { scope: `${CALENDAR}.app.created` });
  const { path } = await newCalendar();
  const reached = [path, `${path}/events`, `${CALENDARS}/primary`];
  expect(await Promise.all(reached.map((one) => status(one)))).toEqual([200, 200, 404]);
});

/** An event of the first user with the second and somebody outside as guests. */
async function invite(changes: object = {}) {
  const attendees = [{ email: SECOND }, { email: OUTSIDE }];
  const event = await owner.post(`${EVENTS}?sendUpdates=all`, { ...TIMES, summary: 'Meeting', attendees, ...changes });
  return { event, path: `${EVENTS}/${text(event.id)}` };
}

const answers = (event: Json) =>
  Object.fromEntries(records(event.attendees).map(({ email, responseStatus }) => [email, responseStatus]));

const answerAlone = (responseStatus: string, more: object = {}) => ({
  attendeesOmitted: true,
  attendees: [{ email: SECOND, responseStatus, ...more }],
});

test('takes an answer alone with attendeesOmitted, and leaves the other guests', async () => {
  const { path } = await invite();
  await other.patch(path, answerAlone('tentative', { comment: 'late' }));
  const event = await owner.json(path);
  expect(records(event.attendees)).toMatchObject([{ responseStatus: 'tentative', comment: 'late' }, {}]);
  expect(await owner.json(`${path}?maxAttendees=1`)).not.toHaveProperty('attendees.1');
});

test('leaves each copy its own color and reminders, while all else follows the organizer', async () => {
  const { path } = await invite();
  await other.patch(path, { colorId: '5', reminders: { useDefault: false } });
  expect(await owner.json(path)).not.toHaveProperty('colorId');
  await owner.patch(path, { location: 'Room' });
  expect(await other.json(path)).toMatchObject({ location: 'Room', colorId: '5', reminders: { useDefault: false } });
});

test('takes a guest’s copy away with the guest or the event; a guest who deletes it declines', async () => {
  const { path } = await invite();
  expect(await other.remove(path)).toBe(204);
  expect(answers(await owner.json(path))[SECOND]).toBe('declined');
  await owner.patch(path, { location: 'Room' });
  expect((await other.json(path)).status).toBe('cancelled');
  const [second, third] = [await invite(), await invite()];
  await owner.patch(second.path, { attendees: [] });
  expect((await other.json(second.path)).status).toBe('cancelled');
  await owner.remove(third.path);
  expect((await other.json(third.path)).status).toBe('cancelled');
});

test('answers one instance of a series that somebody else organizes', async () => {
  const at = (time: string) => ({ dateTime: `2027-12-01T${time}:00`, timeZone: 'Europe/Berlin' });
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=3'];
  const { path } = await invite({ start: at('10:00'), end: at('11:00'), recurrence });
  const instance = `${path}_20271202T090000Z`;
  await other.patch(instance, answerAlone('declined'));
  expect(answers(await owner.json(instance))[SECOND]).toBe('declined');
  expect(answers(await owner.json(path))[SECOND]).toBe('needsAction');
  expect(answers(await other.json(`${path}_20271203T090000Z`))[SECOND]).toBe('needsAction');
});

test('moves an event with its guests to a calendar that then organizes it', async () => {
  const { path } = await invite();
  const { id } = await newCalendar('Destination');
  const move = (destination: string) => owner.call(`${path}/move?${new URLSearchParams({ destination })}`, POST);
  expect([(await move('nobody@example.com')).status, (await move(HOLIDAYS)).status]).toEqual([404, 403]);
  const moved = await readJson(await move(id));
  expect(moved).toMatchObject({ organizer: { email: id, self: true, displayName: 'Destination' } });
  expect((await other.json(path)).organizer).toEqual({ email: id, displayName: 'Destination' });
  const back = await other.refusal(`${path}/move?destination=primary`, POST);
  expect(back).toBe('403 cannotChangeOrganizer');
});

test('hides guests from each other where the organizer says so', async () => {
  const { path } = await invite({ guestsCanSeeOtherGuests: false });
  const copy = await other.json(path);
  expect(Object.keys(answers(copy))).toEqual([SECOND]);
  expect(copy.attendeesOmitted).toBe(true);
  expect(records((await owner.json(path)).attendees)).toHaveLength(2);
});

test('shows when the members of a group are taken, unless they are too many', async () => {
  const team = 'team@workspace.example';
  const question = { timeMin: '2027-12-01T00:00:00Z', timeMax: '2027-12-02T00:00:00Z', items: [{ id: team }] };
  const answer = await owner.post('/calendar/v3/freeBusy', question);
  const { members } = GROUPS[team] ?? { members: [] };
  expect(answer.groups).toEqual({ [team]: { calendars: members } });
  expect(Object.keys(answer.calendars ?? {})).toEqual(members);
  expect(await owner.post('/calendar/v3/freeBusy', { ...question, groupExpansionMax: 1 })).toMatchObject({
    groups: { [team]: { errors: [{ domain: 'global', reason: 'groupTooBig' }] } },
    calendars: {},
  });
});
