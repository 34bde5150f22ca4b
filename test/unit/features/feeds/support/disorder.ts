import fc from 'fast-check';
import type { FeedRef } from '../../../../../lambdas/features/feeds/feed.rules.ts';
import type { Circumstances, Delay, World } from './world.ts';

/** A step that every model of feeds plays, whatever its feeds watch. */
export interface Disorder {
  readonly name: string;
  readonly take: (world: World, refs: readonly FeedRef[]) => Promise<unknown> | unknown;
}

interface Activity {
  readonly name: string;
  readonly take: (world: World, ref: FeedRef) => Promise<unknown>;
}

const SKEWS_SEC = [0, 0, 0, 90, -90, 3_700, -3_700];

const ASK: Activity = { name: 'ask', take: (world, ref) => world.work(true, undefined, false, ref) };
// The others do nothing unless there is something due.
const activity = fc.constantFrom<Activity>(
  ASK,
  ASK,
  ASK,
  ASK,
  { name: 'work', take: (world, ref) => world.work(false, undefined, false, ref) },
  { name: 'sweep', take: (world, ref) => world.sweep(ref) },
  { name: 'deliver', take: (world) => world.deliver(0, { wake: true }) },
  { name: 'follow', take: (world) => world.follow() },
);

const delay: fc.Arbitrary<Delay> = fc.record({
  // A turn without delays takes about a hundred: one can do all of its work while another waits for a single call.
  steps: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.nat({ max: 80 }) },
    { weight: 2, arbitrary: fc.integer({ min: 200, max: 1_000 }) },
  ),
  seconds: fc.oneof(
    { weight: 20, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(1, 59, 61, 130) },
  ),
});

const circumstances: fc.Arbitrary<Circumstances> = fc.record({
  skewMs: fc.constantFrom(...SKEWS_SEC).map((seconds) => seconds * 1000),
  delays: fc.array(delay, { maxLength: 10 }),
  isCutOff: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

/**
 * Two or three turns meet at one feed. Each has its own clock. Before any call, such as the one that takes the lease of a row that was read,
 * other turns take steps and time passes.
 */
export const meeting: fc.Arbitrary<Disorder> = fc
  .record({
    feed: fc.nat({ max: 2 }),
    turns: fc.array(fc.tuple(activity, circumstances), { minLength: 2, maxLength: 3 }),
  })
  .map(({ feed, turns }) =>
    disorder(`meet at ${feed}: ${turns.map(textOf).join('; ')}`, async (world, refs) => {
      const ref = refs[feed % refs.length] ?? world.ref;
      if (turns.some(([, { skewMs, delays }]) => skewMs !== 0 || delays.some(({ seconds }) => seconds > 0))) {
        world.isInOrder = false;
      }
      // A history is played more than once when it is shrunk.
      const under = (one: Circumstances) => ({ ...one, delays: [...one.delays] });
      await Promise.all(turns.map(([{ take }, one]) => world.under(under(one), () => take(world, ref))));
    }),
  );

function textOf([{ name }, { skewMs, delays, isCutOff }]: readonly [Activity, Circumstances]): string {
  const waits = delays.map(({ steps, seconds }) => `${steps}/${seconds}`).join(' ');
  return `${name}${isCutOff ? ', cut off' : ''}, clock ${skewMs / 1000} s, waits ${waits}`;
}

/** The clocks of all processes are off from here on, until the next of these steps. */
const clockJump: fc.Arbitrary<Disorder> = fc.constantFrom(...SKEWS_SEC).map((seconds) =>
  disorder(`clocks are off by ${seconds} s`, (world) => {
    world.skewMs = seconds * 1000;
    if (seconds !== 0) world.isInOrder = false;
  }),
);

/** One of the next calls has its effect, and its answer is lost: the process that made it does not know which. */
const lostAnswer: fc.Arbitrary<Disorder> = fc.nat({ max: 30 }).map((calls) =>
  disorder(`lose the answer after ${calls} calls`, (world) => {
    world.loseAnswerAfter = calls;
  }),
);

/** What befalls whatever turns come next. */
export const mishap: fc.Arbitrary<Disorder> = fc.oneof(
  { weight: 1, arbitrary: clockJump },
  { weight: 2, arbitrary: lostAnswer },
);

/** Shown by its name where a history fails. */
function disorder(name: string, take: Disorder['take']): Disorder {
  return { name, take: Object.assign(take, { toString: () => name }) };
}
