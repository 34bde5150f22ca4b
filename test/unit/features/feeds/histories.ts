import fc from 'fast-check';
import { feedDueAt } from '../../../../lambdas/features/feeds/feed.rules.ts';
import type { Meaning } from '../../../../lambdas/features/feeds/feed-resource.rules.ts';
import { type Disorder, meeting, mishap } from './support/disorder.ts';
import { MeaningOracle } from './support/meaning-oracle.ts';
import { type EventFacets, Mirror, World } from './support/world.ts';

/** One step of a history. */
export type Step =
  | { readonly kind: 'change'; readonly id: string; readonly removed: boolean }
  | { readonly kind: 'deliver'; readonly index: number; readonly wake: boolean; readonly keep: boolean }
  | { readonly kind: 'lose'; readonly index: number }
  | { readonly kind: 'pass'; readonly seconds: number }
  | {
      readonly kind:
        | 'sweep'
        | 'read'
        | 'forget'
        | 'die'
        | 'renew'
        | 'other_account'
        | 'fail'
        | 'two_at_once'
        | 'stall'
        | 'follow';
    }
  /** The next process lives for so many calls to the outside; its last one has its effect, or not. */
  | { readonly kind: 'kill'; readonly after: number; readonly before: boolean }
  /** Something changes while the next call to the provider is under way. */
  | { readonly kind: 'meanwhile'; readonly id: string }
  | { readonly kind: 'disorder'; readonly disorder: Disorder };

const id = fc.integer({ min: 1, max: 8 }).map((number) => `thing-${number}`);
const index = fc.nat({ max: 5 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('change' as const), id, removed: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('deliver' as const), index, wake: fc.boolean(), keep: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('lose' as const), index }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      seconds: fc.constantFrom(1, 61, 3_700, 30_000, 600_000),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('kill' as const), after: fc.nat({ max: 14 }), before: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('meanwhile' as const), id }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('disorder' as const), disorder: meeting }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('disorder' as const), disorder: mishap }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('forget', 'die', 'renew', 'other_account', 'fail', 'two_at_once', 'stall', 'follow'),
    }),
  },
);

/** Random histories of changes, messages, processes and faults. */
export const histories: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 40 });

/** The same with so many changes that most events are reported more than once. */
export const longHistories: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 20, maxLength: 60 });

/**
 * Plays a history, then lets time pass without a single message, and compares the consumer's copy with what the provider has.
 *
 * @param meaning whether the feed says what changed: each change is compared with the last one reported for the same event
 * @returns how often each word was reported
 * @throws Error saying what does not hold
 */
export async function play(steps: readonly Step[], meaning = false): Promise<ReadonlyMap<string, number>> {
  const world = new World('calendar:primary', { meaning });
  const oracle = new MeaningOracle<EventFacets>(
    world,
    'cancelled',
    ({ id, time }) => world.history.get(`${id} ${time}`),
    differencesOfEvents,
  );
  const mirror = new Mirror(world);
  let isMirroring = false;
  // Older than the feed, so that it does not know of them what they were.
  if (meaning) for (const id of ['thing-1', 'thing-4', 'thing-5']) world.change(id);
  if (meaning) world.pass(60);
  for (const step of [...steps, { kind: 'read' } as const]) {
    // Most stay, so that there is more to say of them than that they have gone.
    const stays = meaning && step.kind === 'change' && step.id > 'thing-2';
    const one = stays ? { ...step, removed: false } : step;
    await take(world, one, async () => {
      if (isMirroring) await mirror.read();
    });
    if (!isMirroring && world.feed.state !== 'starting') {
      // Rule 1 of a consumer: list once the place in the history is stored.
      mirror.done = 0;
      mirror.listAll();
      isMirroring = true;
    }
    if (meaning) oracle.check();
    const numbers = world.batches.map(({ sequence }) => sequence);
    if (numbers.some((sequence, position) => sequence !== position + 1)) throw new Error(`Numbers: ${numbers.join()}`);
  }
  world.calm();
  for (let round = 0; round < 60; round++) {
    world.nowMs = Math.max(world.nowMs + 61_000, feedDueAt(world.feed) * 1000);
    await world.sweep();
    if (meaning) oracle.check();
    if (!isMirroring && world.feed.state !== 'starting') {
      mirror.listAll();
      isMirroring = true;
    }
  }
  await mirror.read();
  const wanted = [...world.things].sort().join(' ');
  const copy = [...mirror.copy].sort().join(' ');
  if (wanted !== copy) throw new Error(`The copy has ${copy}; the provider has ${wanted}`);
  const told = world.events.map(({ eventType }) => eventType);
  if (told.some((type, position) => told[position - 1] === type)) throw new Error(`Told twice: ${told.join()}`);
  if (world.isInOrder && world.mostPulling > 1) throw new Error('Two pulls ran at the same time');
  return oracle.words;
}

/** The changes of an event since it was last reported. */
function differencesOfEvents(before: EventFacets | undefined, now: EventFacets, isBack: boolean): Meaning[] {
  if (before === undefined) return isBack ? ['updated'] : [];
  const told: Meaning[] = [];
  if (before.times !== now.times) told.push('moved');
  if (before.answer !== now.answer) told.push('responded');
  if (before.rest !== now.rest || isBack || told.length === 0) told.push('updated');
  return told;
}

async function take(world: World, step: Step, read: () => Promise<void>): Promise<void> {
  switch (step.kind) {
    case 'change':
      return world.change(step.id, step.removed);
    case 'deliver':
      await world.deliver(step.index, step);
      return;
    case 'lose':
      world.messages.splice(step.index, 1);
      return;
    case 'pass':
      return world.pass(step.seconds);
    case 'sweep':
      await world.sweep();
      return;
    case 'read':
      return read();
    case 'forget':
      world.forgetHistory();
      return;
    case 'die':
      world.grant = 'dead';
      return;
    case 'renew':
      world.grant = 'active';
      return;
    case 'other_account':
      world.account = world.account === 'account-1' ? 'account-2' : 'account-1';
      return;
    case 'fail':
      world.script.push({ kind: 'unavailable', reason: 'timeout', retryAfterSec: undefined });
      return;
    case 'follow':
      await world.follow();
      return;
    case 'two_at_once':
      await Promise.all([world.work(true), world.work(true)]);
      return;
    case 'stall':
      // A process sleeps through its lease with an answer in hand, and another one works meanwhile.
      world.during = async () => {
        world.during = undefined;
        world.pulling -= 1;
        world.pass(90);
        await world.work(true);
        world.pulling += 1;
      };
      return;
    case 'disorder':
      await step.disorder.take(world, [world.ref]);
      return;
    case 'kill':
      world.killAfter = step.after;
      world.killBefore = step.before;
      return;
    case 'meanwhile':
      world.during = () => {
        world.during = undefined;
        world.change(step.id);
      };
  }
}
