/**
 * `npm run load -- [minutes] [seed]`: mixed traffic on loopback while function processes are killed and the provider, the
 * table and the tokens misbehave. Ends with an error when an acknowledged write is lost, a file is there twice, an answer is
 * not what the provider holds, or a caller sees a failure that contributing/load.md does not name. Writes its figures there.
 */
import assert from 'node:assert/strict';
import { seededRandom } from '../faults/support/disturbances.ts';
import { type FaultWorld, type Subject, startFaultWorld, until } from '../faults/support/fault-world.ts';
import { checkConnection } from '../faults/support/invariants/connection.ts';
import { Ledger } from './ledger.ts';
import { outcomeName, STATED } from './outcome.ts';
import { writeReport } from './report.ts';
import type { Phase, Sample } from './samples.ts';
import { TRAFFIC, type Workplace } from './traffic.ts';
import { TROUBLES } from './trouble.ts';
import { verifyLedger } from './verify.ts';

const CALLERS = 12;
const PROCESSES = 8;
const PAUSE_BETWEEN_TROUBLES_MS = 700;
/** The longest rest that a failing token endpoint is given (I12). */
const RECOVERY_MS = 60_000;

const minutes = Number(process.argv[2] ?? 4);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
if (!(minutes > 0 && minutes <= 60) || !Number.isInteger(seed)) {
  console.error('Usage: npm run load -- [minutes, at most 60] [seed]');
  process.exit(2);
}
console.log(`load for ${minutes} min, ${CALLERS} callers, seed ${seed}`);

await using world = await startFaultWorld({ maxChildren: PROCESSES });
const random = seededRandom(seed);
const place = await furnish(world);
const subjects = [...place.drives, ...place.calendars];
const samples: Sample[] = [];
const troubles = new Map<string, number>();
const unstated = new Map<string, number>();

const unitMs = minutes * 60_000;
await traffic('calm', unitMs / 4);
await Promise.all([traffic('trouble', unitMs / 2), makeTrouble(unitMs / 2)]);
await world.calm();
const calmMs = performance.now();
await traffic('after', unitMs / 4);

await recovered(calmMs + RECOVERY_MS + 5_000);
console.log('comparing with what the provider holds …');
const verified = await verifyLedger(world, place.ledger);
for (const subject of subjects) {
  await checkConnection(world, subject);
  assert.equal((await subject.row()).status, 'active', `I4: ${subject.connectionId} died`);
}
writeReport({ minutes, seed, callers: CALLERS, processes: PROCESSES, samples, troubles, verified });
assert.deepEqual(Object.fromEntries(unstated), {}, 'failures that contributing/load.md does not name');
console.log('nothing lost; every failure is one that contributing/load.md names');

/** Connections of several accounts and both providers. */
async function furnish(of: FaultWorld): Promise<Workplace> {
  const connect = (integrationId: string, account: string) => of.connect({ integrationId, account, expired: false });
  const accounts = ['first.user@example.com', 'second.user@example.com', 'editor@workspace.example'];
  const writer = 'drive-writer';
  const made = await of.gateway.call('/integrations/quickstart', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'google-drive', unique_key: writer, scopes: ['drive'] }),
  });
  assert.equal(made.status, 200, await made.text());
  const drives: Subject[] = [];
  const calendars: Subject[] = [];
  for (const account of accounts) {
    drives.push(await connect(writer, account));
    calendars.push(await connect('google-calendar', account));
  }
  let names = 0;
  return { world: of, drives, calendars, ledger: new Ledger(), random, nextName: () => `load-${seed}-${names++}` };
}

/** Waits, where a run is short, until every connection works again. @throws Error when one does not in time */
async function recovered(deadlineMs: number): Promise<void> {
  for (const subject of subjects) {
    await until(
      `I12: ${subject.connectionId} works`,
      async () => (await subject.call()).ok,
      deadlineMs - performance.now(),
    );
  }
}

/** Callers that work one piece after another until the time is over. */
async function traffic(phase: Phase, durationMs: number): Promise<void> {
  const startedMs = performance.now();
  const progress = setInterval(() => {
    const done = samples.filter((one) => one.phase === phase);
    const failed = done.filter(({ outcome }) => outcome.kind !== 'ok').length;
    console.log(`${phase}: ${done.length} calls, ${failed} failed visibly`);
  }, 10_000);
  const caller = async () => {
    while (performance.now() - startedMs < durationMs) {
      const [work, , act] = choose();
      const begunMs = performance.now();
      const outcome = await act(place);
      const endedMs = performance.now();
      samples.push({ phase, work, outcome, tookMs: endedMs - begunMs, atMs: endedMs - startedMs });
      const name = outcomeName(outcome);
      if (STATED[name] === undefined || (phase === 'calm' && name !== 'ok')) {
        const finding = `${phase}: ${work}: ${name}`;
        unstated.set(finding, (unstated.get(finding) ?? 0) + 1);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: CALLERS }, caller));
  } finally {
    clearInterval(progress);
  }
}

async function makeTrouble(durationMs: number): Promise<void> {
  const endMs = performance.now() + durationMs;
  const restUntilMs = new Map<string, number>();
  while (performance.now() < endMs) {
    const possible = TROUBLES.filter(({ name }) => (restUntilMs.get(name) ?? 0) < performance.now());
    const trouble = possible[Math.floor(random() * possible.length)];
    if (trouble === undefined) throw new Error('There is no trouble to make');
    restUntilMs.set(trouble.name, performance.now() + (trouble.restMs ?? 0));
    troubles.set(trouble.name, (troubles.get(trouble.name) ?? 0) + 1);
    await trouble.start(world, subjects, random);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_BETWEEN_TROUBLES_MS));
  }
}

function choose(): (typeof TRAFFIC)[number] {
  let left = random() * TRAFFIC.reduce((sum, [, share]) => sum + share, 0);
  for (const kind of TRAFFIC) {
    left -= kind[1];
    if (left < 0) return kind;
  }
  throw new Error('Shares of traffic do not add up');
}
