import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSimulator } from '../../../simulator/index.ts';
import {
  apiJson,
  CLIENT,
  control,
  EDITOR,
  FIRST,
  type Json,
  jsonInit,
  record,
  records,
  SECOND,
  startTestSimulator,
  text,
} from './harness.ts';

const EVENTS = '/calendar/v3/calendars/primary/events';
const DAY = { start: { date: '2026-11-23' }, end: { date: '2026-11-24' } };
const SEED = {
  generated: false,
  now: '2026-11-22T09:00:00Z',
  calendars: [{ owner: FIRST, summary: 'Team', share: [{ with: SECOND, role: 'reader' }] }],
  events: [
    { calendar: FIRST, summary: 'Alone', ...DAY },
    { calendar: 'Team', id: 'standup', summary: 'Stand-up', recurrence: ['RRULE:FREQ=DAILY;COUNT=2'], ...DAY },
  ],
  files: [{ owner: FIRST, folder: 'Reports/2026', name: 'plan.txt', text: 'What to do' }],
};

async function open(options = {}) {
  const simulator = await startTestSimulator(options);
  const as = async (account: string) => {
    const { access_token: token } = await control(simulator, 'POST', 'tokens', { account });
    return (path: string, init: RequestInit = {}) => apiJson(simulator, text(token), path, init);
  };
  return { simulator, as, json: await as(FIRST) };
}

const names = (page: Json) => records(page.items).map(({ summary }) => summary);

test('starts with what a seed holds and nothing else', async () => {
  const { as, json } = await open({ seed: SEED });
  expect(names(await json(EVENTS))).toEqual(['Alone']);
  expect(names(await json('/calendar/v3/users/me/calendarList'))).toEqual([FIRST, 'Team']);
  const second = await as(SECOND);
  const list = records((await second('/calendar/v3/users/me/calendarList')).items);
  const team = list.find(({ summary }) => summary === 'Team');
  expect(team?.accessRole).toBe('reader');
  const path = `/calendar/v3/calendars/${encodeURIComponent(text(team?.id))}/events`;
  expect(records((await second(`${path}?singleEvents=true`)).items).map(({ id }) => id)).toEqual([
    'standup_20261123',
    'standup_20261124',
  ]);
  const found = records((await json(`/drive/v3/files?q=${encodeURIComponent("name = 'plan.txt'")}`)).files);
  expect(found).toMatchObject([{ name: 'plan.txt', mimeType: 'text/plain' }]);
});

test('takes a seed over HTTP, beside what there is', async () => {
  const { simulator, json } = await open();
  const before = records((await json(`${EVENTS}?maxResults=2500`)).items).length;
  const { now: _now, generated: _generated, ...added } = SEED;
  expect(await control(simulator, 'POST', 'seed', added)).toEqual({ calendars: 1, events: 2, files: 1 });
  expect(records((await json(`${EVENTS}?maxResults=2500`)).items)).toHaveLength(before + 1);
  // Seeding leaves no client and no token of its own behind.
  const state = await control(simulator, 'GET', 'state');
  expect(records(state.clients).map(({ clientId }) => clientId)).toEqual([CLIENT.clientId]);
  expect(records(state.accessTokens)).toHaveLength(1);
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
  const folder = mkdtempSync(join(tmpdir(), 'simulator-seed-'));
  try {
    const options = { clients: [CLIENT], seed: SEED, statePath: join(folder, 'sim.json') };
    const first = await startTestSimulator(options);
    await first.close();
    const { json } = await open(options);
    expect(names(await json(EVENTS))).toEqual(['Alone']);
    expect(names(await json('/calendar/v3/users/me/calendarList'))).toEqual([FIRST, 'Team']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('stands still at the time it is given, moves by an offset, and runs again', async () => {
  const { simulator, json } = await open();
  const clock = (body: object) => control(simulator, 'POST', 'clock', body);
  expect(await clock({ now: '2030-01-01T00:00:00+01:00' })).toEqual({
    offsetSec: 0,
    fixed: true,
    now: '2029-12-31T23:00:00.000Z',
  });
  expect((await clock({ offsetSec: 60 })).now).toBe('2029-12-31T23:01:00.000Z');
  expect(await clock({ now: null, offsetSec: 0 })).toMatchObject({ fixed: false });
  await clock({ now: new Date().toISOString() });
  const event = await json(EVENTS, jsonInit('POST', DAY));
  // Also where no time passes, a later version has a later etag.
  expect((await json(`${EVENTS}/${text(event.id)}`, jsonInit('PATCH', { summary: 'x' }))).etag).not.toBe(event.etag);
});

test('goes back to a snapshot: events, files, tokens and clock', async () => {
  const { simulator, json } = await open({ seed: SEED });
  const { snapshot } = await control(simulator, 'POST', 'snapshot');
  await json(EVENTS, jsonInit('POST', { ...DAY, summary: 'Later' }));
  await json('/drive/v3/files', jsonInit('POST', { name: 'later' }));
  await control(simulator, 'POST', 'clock', { offsetSec: 600 });
  const { access_token: late } = await control(simulator, 'POST', 'tokens', { account: EDITOR });
  await control(simulator, 'POST', 'restore', { snapshot });
  expect(names(await json(EVENTS))).toEqual(['Alone']);
  expect(records((await json(`/drive/v3/files?q=${encodeURIComponent("name = 'later'")}`)).files)).toEqual([]);
  expect((await control(simulator, 'GET', 'state')).now).toBe('2026-11-22T09:00:00.000Z');
  const refused = await fetch(`${simulator.endpoints.api_base_url}${EVENTS}`, {
    headers: { authorization: `Bearer ${text(late)}` },
  });
  expect(refused.status).toBe(401);
  const unknown = await fetch(`${simulator.url}/__sim/restore`, { method: 'POST', body: '{"snapshot":"none"}' });
  expect([unknown.status, text(record(await unknown.json()).error)]).toEqual([400, expect.stringContaining('"none"')]);
});

test('resets to how it started: seed and clients stay; tokens, faults and records go', async () => {
  const { simulator, json, as } = await open({ seed: SEED });
  await json(EVENTS, jsonInit('POST', { ...DAY, summary: 'Later' }));
  await control(simulator, 'POST', 'faults', { action: { status: 503 } });
  await control(simulator, 'POST', 'reset');
  expect(await control(simulator, 'GET', 'requests')).toEqual({ requests: [] });
  expect(await control(simulator, 'GET', 'faults')).toEqual({ faults: [] });
  await expect(json(EVENTS)).rejects.toThrow();
  expect(names(await (await as(FIRST))(EVENTS))).toEqual(['Alone']);
});

test('gives tokens without a browser, for the scopes asked, that refresh', async () => {
  const { simulator } = await open();
  const scope = 'https://www.googleapis.com/auth/calendar.readonly';
  const tokens = await control(simulator, 'POST', 'tokens', { account: SECOND, scopes: [scope] });
  expect(tokens).toMatchObject({ scope, token_type: 'Bearer', expires_in: 3599 });
  const answer = await fetch(simulator.endpoints.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: text(tokens.refresh_token),
      client_id: CLIENT.clientId,
      client_secret: CLIENT.clientSecret,
    }),
  });
  expect(record(await answer.json())).toMatchObject({ scope });
  for (const body of [
    { account: 'nobody@example.com' },
    { account: FIRST, scopes: ['x'] },
    { account: FIRST, clientId: 'x' },
  ]) {
    const refused = await fetch(`${simulator.url}/__sim/tokens`, { method: 'POST', body: JSON.stringify(body) });
    expect(refused.status).toBe(400);
  }
});
