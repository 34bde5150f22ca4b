/**
 * `npm run soak [-- minutes [seed]]`: a random mix of faults and calls, then calm, then every invariant, and whether
 * sockets, timers, memory and processes are back to where they were. Prints its seed; the same seed makes the same choices.
 */

import assert from 'node:assert/strict';
import { exitWithHelp } from '../../dev/tools/help.ts';
import { setScopes } from '../support/connect.ts';
import { disturb, reauthorizeIfDead, type SoakSubject, seededRandom } from './support/disturbances.ts';
import { SHORT_LEASE_SEC, startFaultWorld } from './support/fault-world.ts';
import { checkConnection } from './support/invariants/connection.ts';
import { checkCanaries, checkDestinations } from './support/invariants/exposure.ts';
import { checkRecovery } from './support/invariants/recovery.ts';
import { isSpoiled, refusedTokens } from './support/invariants/token-calls.ts';
import { checkAttempts, checkBodies } from './support/invariants/transfer.ts';
import { assertBackTo, HEAP_PROBE, measureResources } from './support/resources.ts';

exitWithHelp(import.meta.filename);
/** How the provider treats each account's refresh tokens: as Google does, or as providers that rotate. */
const ROTATIONS = {
  'first.user@example.com': undefined,
  'second.user@example.com': 'strict',
  'editor@workspace.example': 'grace',
  'viewer@workspace.example': undefined,
} as const;
/** Callers read and create. */
const SCOPES: Readonly<Record<string, string>> = {
  'google-drive': 'https://www.googleapis.com/auth/drive.file',
  'google-calendar': 'https://www.googleapis.com/auth/calendar',
};
const CALLERS = 10;
/** Of ten calls one creates something, which must not happen twice. */
const CREATING = 0.1;

const minutes = Number(process.argv[2] ?? 3);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('Usage: node test/faults/soak.ts [minutes] [seed]');
  process.exit(2);
}
console.log(`soak of ${minutes} min, seed ${seed}`);

await using world = await startFaultWorld({ maxChildren: 8, preload: HEAP_PROBE });
const random = seededRandom(seed);
const subjects: SoakSubject[] = [];
for (const [integrationId, scope] of Object.entries(SCOPES)) {
  await setScopes(world.gateway, integrationId, [scope]);
  for (const account of Object.keys(ROTATIONS)) {
    subjects.push({ ...(await world.connect({ integrationId, account })), account });
  }
}
await startRotating();
/** By status, and by the gateway's own error code where it answered itself. */
const answers = new Map<string, number>();
await warmUp();
const before = await measureResources(world);
const endMs = Date.now() + minutes * 60_000;
const done = new Map<string, number>();
let losses = 0;
while (Date.now() < endMs) {
  const { name, loses } = await disturb(world, subjects, random);
  done.set(name, (done.get(name) ?? 0) + 1);
  if (loses) losses++;
  await callAll();
}

await world.calm();
// That a provider rotates is no fault that ends.
await startRotating();
await untilLeasesEnd();
checkTotalTokenCalls();
const recoveredMs = await checkRecovery(world, subjects);
for (const subject of subjects) await checkConnection(world, subject);
const { all } = world.transcripts;
checkAttempts(all, world.ledger.requests);
await checkBodies(world, all);
checkDestinations(world, world.ledger.requests);
await checkCanaries(world);
checkDeaths();
// Every dead connection comes back by its user's consent.
for (const subject of subjects) await reauthorizeIfDead(world, subject);
for (const subject of subjects) assert.equal((await subject.call()).status, 200, `${subject.key} is alive again`);
assert.equal(answers.get('500 internal_error'), undefined, 'a fault became an internal error');

const disturbances = [...done.values()].reduce((sum, count) => sum + count, 0);
console.log(`${disturbances} disturbances: ${list(done)}`);
console.log(`${all.length} calls: ${list(answers)}`);
console.log(`callers served ${(recoveredMs / 1000).toFixed(1)} s after the faults ended`);
console.log(`resources before ${JSON.stringify(before)}`);
console.log(`resources after  ${JSON.stringify(await assertBackTo(world, before))}`);
console.log('all invariants hold');

/** As many processes of each function as the faults will need, and their first garbage. */
async function warmUp(): Promise<void> {
  for (let round = 0; round < 40; round++) await callAll();
  await Promise.all([1, 2].map(() => world.gateway.gateway.tick('refresh')));
  const connections = Array.from({ length: 3 }, () => world.gateway.call('/connections?limit=1'));
  await Promise.all((await Promise.all(connections)).map((answer) => answer.arrayBuffer()));
  answers.clear();
}

async function startRotating(): Promise<void> {
  for (const [account, rotateRefreshToken] of Object.entries(ROTATIONS)) {
    if (rotateRefreshToken === undefined) continue;
    await world.provider({ origin: 'token', tokenKind: 'refresh', account }, { rotateRefreshToken });
  }
}

async function callAll(): Promise<void> {
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      const subject = subjects[Math.floor(random() * subjects.length)];
      if (subject === undefined) return;
      const outcome = await callOne(subject, random() < CREATING).then(
        (answer) => `${answer.status} ${answer.headers.get('x-gateway-error') ?? ''}`.trim(),
        () => 'broken off',
      );
      answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
    }),
  );
}

function callOne(subject: SoakSubject, creates: boolean): Promise<Response> {
  if (subject.integrationId === 'google-drive') {
    if (!creates) return subject.call('/drive/v3/about?fields=user');
    return subject.call('/drive/v3/files', { method: 'POST', body: JSON.stringify({ name: 'made by the soak' }) });
  }
  if (!creates) return subject.call();
  const [start, end] = ['2030-01-01T10:00:00Z', '2030-01-01T11:00:00Z'].map((dateTime) => ({ dateTime }));
  const body = JSON.stringify({ summary: 'made by the soak', start, end });
  return subject.call('/calendar/v3/calendars/primary/events', { method: 'POST', body });
}

/** Leases of dead holders end, and two ticks find what is left to do. */
async function untilLeasesEnd(): Promise<void> {
  for (let tick = 0; tick < 2; tick++) {
    await new Promise((resolve) => setTimeout(resolve, (SHORT_LEASE_SEC + 1) * 1000));
    await world.gateway.gateway.tick('refresh');
  }
}

/** I3 over all connections: a process or a write that was lost may cost one token call. */
function checkTotalTokenCalls(): void {
  const calls = subjects.flatMap(({ key }) => world.ledger.tokenCalls(key));
  const expiries = subjects.reduce((sum, subject) => sum + world.expiries(subject.key), 0);
  const refused = subjects.reduce((sum, subject) => sum + refusedTokens(world, subject), 0);
  const spoiled = calls.filter(isSpoiled).length;
  console.log(
    `${calls.length} token calls for ${expiries} expiries, ${refused} refused tokens, ${spoiled} spoiled answers, ${losses} losses`,
  );
  assert.ok(calls.length <= expiries + refused + spoiled + losses, 'I3: too many token calls');
}

/** I4: nothing here revokes a grant, so who learns that it ended lost a rotated token, or was one of too many. */
function checkDeaths(): void {
  const consents = [...world.ledger.issued.values()].filter((token) => token.kind === 'refresh');
  const perAccount = Map.groupBy(consents, ({ sub }) => sub);
  const isCrowded = [...perAccount.values()].some((tokens) => tokens.length > 100);
  const allowed = isCrowded ? ['rotation_lost', 'refresh_token_limit'] : ['rotation_lost'];
  for (const { status, body, key } of world.transcripts.all) {
    if (status !== 424 || body === undefined) continue;
    const { error } = JSON.parse(body.toString('utf8'));
    assert.ok(allowed.includes(error.connection?.cause), `I4: ${key}: ${JSON.stringify(error)}`);
  }
}

function list(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
