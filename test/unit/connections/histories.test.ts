import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConnectionWorld, HAPPENINGS, type Step } from './support/connection-world.ts';

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...HAPPENINGS, ...(['authorize', 'lease', 'lease', 'store', 'store', 'die', 'mark'] as const)),
  which: fc.constantFrom(0, 0, 0, 1, 2, 3),
  // Most processes read before they write, have the right clock and live.
  isStale: fc.constantFrom(false, false, true),
  skewSec: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: -70_000, max: 70_000 })),
  choice: fc.nat({ max: 60 }),
  crash: fc.option(fc.record({ call: fc.integer({ min: 1, max: 4 }), isDone: fc.boolean() }), {
    nil: undefined,
    freq: 5,
  }),
});

const plain = (what: Step['what'], more: Partial<Step> = {}): Step => ({
  ...{ what, which: 0, isStale: false, skewSec: 0, choice: 1, crash: undefined },
  ...more,
});

/** Histories that chance finds seldom. */
const EXAMPLES: readonly (readonly Step[])[] = [
  // Dies, and lives again.
  [plain('authorize'), plain('lease'), plain('die'), plain('release'), plain('lease'), plain('store')],
  // Is dead, and refused once more when somebody asks for its refresh by hand.
  (['authorize', 'lease', 'die', 'lease', 'release'] as const).map((what) => plain(what, { choice: 0 })),
  // Is used for the first time, or warned of, while it is refreshed.
  [plain('authorize'), plain('lease'), plain('use'), plain('store')],
  [plain('authorize'), plain('lease'), plain('limit'), plain('store', { choice: 2 })],
  [plain('authorize'), plain('pass'), plain('use'), plain('limit', { isStale: true })],
  // Its calls are refused while it is deleted, or authorized again.
  [plain('authorize'), plain('pass'), plain('mark'), plain('delete', { isStale: true }), plain('delete')],
  [plain('authorize'), plain('pass'), plain('mark'), plain('authorize', { isStale: true }), plain('authorize')],
  // Dies of its token's end, which is erased with what it was found by; is made again, and gets another token by a refresh.
  (['authorize', 'lease', 'die', 'authorize', 'lease', 'store'] as const).map((what) => plain(what, { choice: 0 })),
  (['authorize', 'back_up', 'lease', 'die', 'explain', 'restore'] as const).map((what) => plain(what, { choice: 2 })),
  // Was made by an earlier version, and its refresh is overtaken by another that does the same.
  [plain('authorize'), plain('age'), plain('lease'), plain('store', { crash: { call: 1, isDone: true } })],
  [plain('authorize'), plain('age'), plain('lease'), plain('lease', { isStale: true }), plain('store')],
  // Is made again under its name and with its numbers after its row was lost, while it is warned of.
  [
    ...[plain('authorize', { choice: 0 }), plain('lose'), plain('authorize', { choice: 46 })],
    plain('limit', { isStale: true }),
  ],
  // Gets another token while it is authorized again, or deleted.
  (['authorize', 'lease', 'store', 'authorize'] as const).map((what, i) =>
    plain(what, { choice: 0, isStale: i === 3 }),
  ),
  (['authorize', 'lease', 'store', 'delete'] as const).map((what, i) => plain(what, { choice: 0, isStale: i === 3 })),
  // Gets another token while the walk adds the places it lacks.
  [plain('authorize'), plain('unlist', { choice: 2 })],
  // Comes back over its deletion.
  [plain('authorize'), plain('back_up'), plain('delete'), plain('restore'), plain('tick')],
  // Is made again under its name, with the numbers it had.
  [
    plain('authorize'),
    plain('damage'),
    plain('delete_remains'),
    plain('authorize'),
    plain('authorize', { isStale: true }),
  ],
];

/** A last tick, by a process that lives. */
const TICK = plain('tick');

async function play(steps: readonly Step[]): Promise<void> {
  const world = await ConnectionWorld.started();
  for (const [number, one] of [...steps, TICK].entries()) {
    await world.take(one);
    const isRead = one.what === 'tick' || number % 4 === 0;
    await world.check(
      (actual, expected, what) => expect(actual, `${what} after ${one.what} (${number})`).toEqual(expected),
      isRead,
    );
  }
}

const CLAIM =
  'whatever happens to connections, and however the processes end that do it, what is stored next to their rows equals a recount';

test(`${CLAIM}: search entries, places in lists, counters, due entries, what lists know of their health, and the overview`, async () => {
  for (const example of EXAMPLES) await play(example);
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), play), { numRuns: 15 });
});

test(`${CLAIM}, in hundreds of longer histories`, { tags: ['long'] }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), play), { numRuns: 200 });
});
