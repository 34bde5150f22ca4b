/**
 * `node test/faults/soak.ts [minutes] [seed]`: a random mix of faults and calls, then calm, then the invariants. Prints its
 * seed; the same seed makes the same choices again.
 */
import assert from 'node:assert/strict';
import { tokenCalls } from '../support/simulator.ts';
import { disturb, seededRandom } from './support/disturbances.ts';
import { type FaultWorld, SHORT_LEASE_SEC, type Subject, startFaultWorld } from './support/fault-world.ts';
import { checkInvariants } from './support/invariants.ts';

const minutes = Number(process.argv[2] ?? 3);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('Usage: node test/faults/soak.ts [minutes] [seed]');
  process.exit(2);
}
console.log(`soak of ${minutes} min, seed ${seed}`);

await using world = await startFaultWorld({ maxChildren: 8 });
const random = seededRandom(seed);
const subjects: Subject[] = [];
for (let i = 0; i < 8; i++) {
  const integrationId = i % 2 === 0 ? 'google-drive' : 'google-calendar';
  const account = i < 4 ? 'first.user@example.com' : 'second.user@example.com';
  subjects.push(await world.connect({ integrationId, account }));
}
const endMs = Date.now() + minutes * 60_000;
/** By status, and by the gateway's own error code where it answered itself. */
const answers = new Map<string, number>();
let disturbances = 0;
while (Date.now() < endMs) {
  await disturb(world, subjects, random);
  disturbances++;
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const subject = subjects[Math.floor(random() * subjects.length)];
      const outcome = await subject?.call().then(
        async (answer) => {
          await answer.arrayBuffer();
          return `${answer.status} ${answer.headers.get('x-gateway-error') ?? ''}`.trim();
        },
        () => 'broken off',
      );
      answers.set(outcome ?? '', (answers.get(outcome ?? '') ?? 0) + 1);
    }),
  );
}
await world.calm();
await settle(world);
for (const subject of subjects) {
  await checkInvariants(world, subject);
  const row = await subject.row();
  // I4: nothing here revokes a grant, so a death can only be a rotation whose answer was lost.
  if (row.status !== 'active') assert.equal(row.cause, 'rotation_lost', `I4: ${subject.connectionId}`);
}
const dead = (await Promise.all(subjects.map((subject) => subject.row()))).filter(
  ({ status }) => status !== 'active',
).length;
console.log(`${disturbances} disturbances, answers ${JSON.stringify(Object.fromEntries([...answers].sort()))}`);
console.log(
  `${(await tokenCalls(world.gateway)).length} token calls on record, ${dead} of ${subjects.length} dead by a lost rotation`,
);
assert.equal(answers.get('500 internal_error'), undefined, 'a fault became an internal error');
console.log('all invariants hold');

/** Leases of dead holders end, and two ticks find what is left to do. */
async function settle(world: FaultWorld): Promise<void> {
  for (let tick = 0; tick < 2; tick++) {
    await new Promise((resolve) => setTimeout(resolve, (SHORT_LEASE_SEC + 1) * 1000));
    await world.gateway.gateway.tick('refresh');
  }
}
