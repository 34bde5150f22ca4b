import { join } from 'node:path';
import { expect } from 'vitest';
import { startSimulator } from '../../../packages/simulator/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { refresh } from './flow.ts';
import { control, open, signIn, startTestSimulator, test, type User } from './harness.ts';
import { CALENDAR, CALENDARS, CLIENT, EDITOR, EVENTS, FILES, FIRST, LIST, SECOND } from './names.ts';
import { readJson, text } from './values.ts';

const DAY = { start: { date: '2026-11-23' }, end: { date: '2026-11-24' } };
const SEED = {
  generated: false,
  now: '2026-11-22T09:00:00Z',
  calendars: [
    {
      owner: FIRST,
      summary: 'Team',
      share: [
        { with: SECOND, role: 'reader' },
        { with: 'anyone', role: 'freeBusyReader' },
      ],
    },
  ],
  events: [
    { calendar: FIRST, summary: 'Alone', ...DAY },
    { calendar: 'Team', id: 'standup', summary: 'Stand-up', recurrence: ['RRULE:FREQ=DAILY;COUNT=2'], ...DAY },
  ],
  files: [{ owner: FIRST, folder: 'Reports/2026', name: 'plan.txt', text: 'What to do' }],
};

const namesOf = async ({ list }: User, path = EVENTS) => (await list(path)).map(({ summary }) => summary);

test('starts with what a seed holds and nothing else', async () => {
  const owner = await open({ seed: SEED });
  expect(await namesOf(owner)).toEqual(['Alone']);
  expect(await namesOf(owner, LIST)).toEqual([FIRST, 'Team']);
  const second = await signIn(owner.simulator, { account: SECOND });
  const team = (await second.list(LIST)).find(({ summary }) => summary === 'Team');
  expect(team?.accessRole).toBe('reader');
  const editor = await signIn(owner.simulator, { account: EDITOR });
  expect(await editor.status(`${CALENDARS}/${encodeURIComponent(text(team?.id))}`)).toBe(200);
  const events = `${CALENDARS}/${encodeURIComponent(text(team?.id))}/events?singleEvents=true`;
  expect((await second.list(events)).map(({ id }) => id)).toEqual(['standup_20261123', 'standup_20261124']);
  expect(await owner.search("name = 'plan.txt'")).toMatchObject([{ name: 'plan.txt', mimeType: 'text/plain' }]);
});

test('takes a seed over HTTP, alongside what there is', async ({ simulator, owner }) => {
  const count = async () => (await owner.list(`${EVENTS}?maxResults=2500`)).length;
  const before = await count();
  const { now: _now, generated: _generated, ...added } = SEED;
  expect(await control(simulator, 'POST', 'seed', added)).toEqual({ calendars: 1, events: 2, files: 1 });
  expect(await count()).toBe(before + 1);
  // Seeding leaves no client and no token of its own behind.
  const { clients, accessTokens } = await control(simulator, 'GET', 'state');
  expect(clients).toMatchObject([{ clientId: CLIENT.clientId }]);
  expect(accessTokens).toHaveLength(1);
});

test.each<[seed: object, message: string]>([
  [{ calendar: [] }, 'seed.calendar is not known; use generated, now, clients, calendars, events, files.'],
  [{ events: [{ summary: 'x' }] }, 'seed.events[0].calendar must be a string.'],
  [{ events: [{ calendar: 'None', ...DAY }] }, 'seed.events[0].calendar: no calendar has the id or title "None".'],
  [{ events: [{ calendar: FIRST, start: DAY.start }] }, 'seed.events[0]: Missing end time.'],
  [
    { calendars: [{ owner: 'nobody@example.com', summary: 'x' }] },
    'seed.calendars[0].owner: No account "nobody@example.com".',
  ],
  [
    { calendars: [{ owner: FIRST, summary: 'x', timeZone: 'Mars' }] },
    'seed.calendars[0].timeZone: "Mars" is no IANA time zone.',
  ],
  [
    { calendars: [{ owner: FIRST, summary: 'x', share: [{ with: SECOND, role: 'king' }] }] },
    'seed.calendars[0].share[0]: Invalid access role.',
  ],
  [
    { files: [{ owner: FIRST, name: 'x', text: 'a', base64: 'YQ==' }] },
    'seed.files[0] takes text or base64, not both.',
  ],
  [{ now: 'today' }, 'seed.now must be a time'],
])('refuses the seed %j and says where it is wrong', async (seed, message) => {
  await expect(startSimulator({ seed })).rejects.toThrow(message);
});

test('keeps a state file as it is when it was seeded before', async () => {
  const options = { seed: SEED, statePath: join(temporaryFolder(), 'sim.json') };
  await (await startTestSimulator(options)).close();
  const owner = await open(options);
  expect(await namesOf(owner)).toEqual(['Alone']);
  expect(await namesOf(owner, LIST)).toEqual([FIRST, 'Team']);
});

test('stands still at the time it is given, moves by an offset, and runs again', async ({ simulator, owner }) => {
  const clock = (body: object) => control(simulator, 'POST', 'clock', body);
  const still = { offsetSec: 0, fixed: true, now: '2029-12-31T23:00:00.000Z' };
  expect(await clock({ now: '2030-01-01T00:00:00+01:00' })).toEqual(still);
  expect((await clock({ offsetSec: 60 })).now).toBe('2029-12-31T23:01:00.000Z');
  expect(await clock({ now: null, offsetSec: 0 })).toMatchObject({ fixed: false });
  await clock({ now: new Date().toISOString() });
  const event = await owner.post(EVENTS, DAY);
  // Also where no time passes, a later version has a later etag.
  expect((await owner.patch(`${EVENTS}/${text(event.id)}`, { summary: 'x' })).etag).not.toBe(event.etag);
});

test('goes back to a snapshot: events, files and who may see them, tokens and clock', async () => {
  const owner = await open({ seed: SEED });
  const { simulator } = owner;
  const { snapshot } = await control(simulator, 'POST', 'snapshot');
  const [[alone], [plan]] = await Promise.all([owner.list(EVENTS), owner.search("name = 'plan.txt'")]);
  await owner.remove(`${EVENTS}/${text(alone?.id)}`);
  await owner.post(EVENTS, { ...DAY, summary: 'Later' });
  await owner.post(FILES, { name: 'later' });
  const shared = `${FILES}/${text(plan?.id)}`;
  await owner.post(`${shared}/permissions`, { type: 'user', role: 'reader', emailAddress: SECOND });
  await control(simulator, 'POST', 'clock', { offsetSec: 600 });
  const late = await signIn(simulator, { account: EDITOR });
  await control(simulator, 'POST', 'restore', { snapshot });
  expect(await namesOf(owner)).toEqual(['Alone']);
  expect(await owner.search("name = 'later'")).toEqual([]);
  expect([await owner.status(shared), await (await signIn(simulator, { account: SECOND })).status(shared)]).toEqual([
    200, 404,
  ]);
  expect((await control(simulator, 'GET', 'state')).now).toBe('2026-11-22T09:00:00.000Z');
  expect(await late.status(EVENTS)).toBe(401);
  const unknown = await fetch(`${simulator.url}/__sim/restore`, { method: 'POST', body: '{"snapshot":"none"}' });
  expect([unknown.status, (await readJson(unknown)).error]).toEqual([400, expect.stringContaining('"none"')]);
});

test('resets to how it started: seed and clients stay; tokens, faults and records go', async () => {
  const owner = await open({ seed: SEED });
  const { simulator } = owner;
  await owner.post(EVENTS, { ...DAY, summary: 'Later' });
  await control(simulator, 'POST', 'faults', { action: { status: 503 } });
  await control(simulator, 'POST', 'reset');
  expect(await control(simulator, 'GET', 'requests')).toEqual({ requests: [] });
  expect(await control(simulator, 'GET', 'faults')).toEqual({ faults: [] });
  expect(await owner.status(EVENTS)).toBe(401);
  expect(await namesOf(await signIn(simulator))).toEqual(['Alone']);
});

test('gives tokens without a browser, for the scopes asked, that refresh', async ({ simulator }) => {
  const scope = `${CALENDAR}.readonly`;
  const tokens = await control(simulator, 'POST', 'tokens', { account: SECOND, scopes: [scope] });
  expect(tokens).toMatchObject({ scope, token_type: 'Bearer', expires_in: 3599 });
  expect((await refresh(simulator, text(tokens.refresh_token))).body).toMatchObject({ scope });
  const refused = [
    { account: 'nobody@example.com' },
    { account: FIRST, scopes: ['x'] },
    { account: FIRST, clientId: 'x' },
  ];
  for (const body of refused.map((one) => JSON.stringify(one)))
    expect((await fetch(`${simulator.url}/__sim/tokens`, { method: 'POST', body })).status).toBe(400);
});
