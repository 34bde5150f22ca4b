/** No query holds the process for long, over HTTP: searches with as many terms as are taken, and lists of series that never rest. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Simulator, startSimulator } from '../../../packages/simulator/index.ts';
import { signIn, type User } from './harness.ts';
import { CLIENT, EVENTS, FILES } from './names.ts';
import { jsonInit } from './values.ts';

let simulator: Simulator;
let user: User;
beforeAll(async () => {
  // No judge of answers listens: its work would count.
  simulator = await startSimulator({ clients: [CLIENT] });
  user = await signIn(simulator);
});
afterAll(() => simulator?.close());

/** Processor time of a request in milliseconds, the least of five: the first ones compile what they run. */
async function costMs(path: string, init: RequestInit = {}): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < 5; run++) {
    const before = process.threadCpuUsage();
    const answer = await user.call(path, init);
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    const { user: own, system } = process.threadCpuUsage(before);
    costs.push((own + system) / 1000);
  }
  return Math.min(...costs);
}

const every = (count: number) => Array.from({ length: count }, (_, at) => at);

describe('DS-10: a search of a hundred terms', () => {
  const TERMS: Readonly<Record<string, (at: number) => string>> = {
    words: (at) => `fullText contains 'zebra${at}'`,
    phrases: (at) => `fullText contains '"the zebra${at}"'`,
    'absent words': (at) => `not fullText contains 'zebra${at}'`,
    names: (at) => `name contains 'b${at}'`,
    writers: (at) => `'x${at}@example.com' in writers`,
    parents: (at) => `'folder${at}' in parents`,
    visibilities: () => "visibility = 'anyoneCanFind'",
    properties: (at) => `properties has { key='a${at}' and value='b' }`,
    times: (at) => `modifiedTime > '2026-01-01T00:00:${String(at % 60).padStart(2, '0')}'`,
  };
  const mixed = (at: number) => Object.values(TERMS)[at % Object.keys(TERMS).length]?.(at) ?? '';

  test.for([...Object.entries(TERMS), ['all of these', mixed] as const])(
    'about %s takes at most 200 ms of processor time',
    async ([, term]) => {
      for (const joined of [' or ', ' and ']) {
        const q = every(100).map(term).join(joined);
        const shared = 'corpora=allDrives&includeItemsFromAllDrives=true&supportsAllDrives=true';
        const path = `${FILES}?pageSize=1000&${shared}&${new URLSearchParams({ q })}`;
        expect(await costMs(path), joined).toBeLessThan(200);
      }
    },
  );
});

describe('DS-10: a series that never rests', () => {
  const all = (count: number) => every(count).join(',');

  test.for([
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;INTERVAL=7',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3',
    `FREQ=DAILY;BYHOUR=${all(24)};BYMINUTE=${all(60)};BYSECOND=${all(60)}`,
    'FREQ=DAILY',
  ])('of %s is listed, asked for its instances and free times within 200 ms of processor time', async (rule) => {
    const end = (dateTime: string) => ({ dateTime, timeZone: 'Europe/Berlin' });
    const times = { start: end('2026-01-01T09:00:00'), end: end('2026-01-01T09:00:01') };
    const made = await user.call(EVENTS, jsonInit('POST', { ...times, recurrence: [`RRULE:${rule}`] }));
    // A rule that is refused cannot hold anything.
    if (made.status !== 200) return expect(made.status).toBe(400);
    const { id } = Object(await made.json());
    onTestFinished(async () => void (await user.remove(`${EVENTS}/${id}`)));
    const span = { timeMin: '2026-01-01T00:00:00Z', timeMax: '2026-04-01T00:00:00Z' };
    const list = `${EVENTS}?maxResults=2500&singleEvents=true`;
    for (const path of [
      list,
      `${list}&orderBy=startTime`,
      `${list}&q=nothing`,
      `${list}&${new URLSearchParams(span)}`,
      `${EVENTS}/${id}/instances?maxResults=2500`,
      `${EVENTS}/${id}/instances?maxResults=2500&${new URLSearchParams(span)}`,
    ]) {
      expect(await costMs(path), path).toBeLessThan(200);
    }
    const question = jsonInit('POST', { ...span, items: [{ id: 'primary' }] });
    expect(await costMs('/calendar/v3/freeBusy', question), 'free times').toBeLessThan(200);
  });
});
