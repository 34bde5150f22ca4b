import { expect } from 'vitest';
import { shownEvents } from '../../support/connect.ts';
import { quietNowMs } from '../../support/quiet-time.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { type FaultWorld, type Subject, until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';
import { arrived, busOf, deadLettersOf, describeConnection, eventsOf, isOf, triggerOf } from './events.ts';

/** Invocations with one record before the trigger gives it up, in these runs. */
const ATTEMPTS = 3;

/** Time limit of the events function in these runs; it begins nothing in its last twelve seconds. */
const TIMEOUT_SEC = 16;

/** The stack's trigger gives a record up after 30 repeats, its function runs for a minute; here less, so that rows end. */
export function impatientTrigger(template: string): string {
  return template
    .replace(/"MaximumRetryAttempts": 30\b/, `"MaximumRetryAttempts": ${ATTEMPTS - 1}`)
    .replace(/"Timeout": 60\b/, `"Timeout": ${TIMEOUT_SEC}`);
}

const puts = ({ operation }: AwsCall) => operation === 'PutEvents';

/** Changes of two connections that the trigger hands over together. @returns how many events each has then */
async function changeTogether(
  world: FaultWorld,
  subjects: readonly Subject[],
  values: readonly string[],
): Promise<number> {
  const trigger = triggerOf(world);
  for (const subject of subjects) await arrived(world, subject, 1);
  trigger.paused = true;
  for (const value of values) for (const subject of subjects) await describeConnection(world, subject, value);
  trigger.paused = false;
  return 1 + values.length;
}

/** Each event came, and the first time in the order of the connection. */
function expectInOrder(world: FaultWorld, subject: Subject, count: number): void {
  const firsts = [...new Set(eventsOf(world, subject).map(({ sequence }) => sequence))];
  expect(firsts).toEqual(Array.from({ length: count }, (_, index) => index + 1));
}

/** Events that never reach the bus; for worlds with a trigger that gives up early. */
export const busRows: readonly FaultRow[] = [
  {
    id: 'F73',
    claim: 'an event the bus refuses for ever is queued alone and at once, stays in the table, and stops no other',
    runs: 'matrix',
    async run(world) {
      const [refused, other] = [await world.connect(), await world.connect()];
      world.subjects.delete(refused);
      await arrived(world, refused, 1);
      await arrived(world, other, 1);
      const [trigger, bus] = [triggerOf(world), busOf(world)];
      let tries = 0;
      trigger.paused = true;
      bus.refuse = (entry) => {
        const isRefused = isOf(refused, entry);
        if (isRefused) tries++;
        return isRefused ? 'MalformedDetail' : undefined;
      };
      await describeConnection(world, refused, 'one');
      for (const value of ['one', 'two', 'three']) await describeConnection(world, other, value);
      const startedMs = quietNowMs();
      trigger.paused = false;
      await arrived(world, other, 4);
      expect(quietNowMs() - startedMs).toBeLessThan(10_000);
      expect(eventsOf(world, other).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
      const [, lost] = await refused.events();
      await until('the event is in the queue', () => deadLettersOf(world, String(lost?.id)).length > 0);
      bus.refuse = undefined;
      expect(tries).toBe(1);
      expect(deadLettersOf(world, String(lost?.id))).toEqual([expect.stringContaining('"reason":"MalformedDetail"')]);
      expect(eventsOf(world, refused)).toHaveLength(1);
      expect(await refused.events()).toHaveLength(2);
    },
  },
  {
    id: 'F75',
    claim: 'a lost event shows as a gap in the sequence, and the connection’s own list fills it under the same id',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect();
      world.subjects.delete(subject);
      await arrived(world, subject, 1);
      busOf(world).refuse = ({ detail }) =>
        /"sequence":"?2\b/.test(JSON.stringify(detail)) ? 'InvalidArgument' : undefined;
      await describeConnection(world, subject, 'lost on its way');
      await describeConnection(world, subject, 'arrives');
      await arrived(world, subject, 2);
      expect(eventsOf(world, subject).map(({ sequence }) => sequence)).toEqual([1, 3]);
      const shown = await shownEvents(world.gateway, subject.integrationId, subject.connectionId);
      expect(shown.map(({ sequence }) => sequence).filter((sequence) => sequence > 0)).toEqual([3, 2, 1]);
      const [, lost] = await subject.events();
      expect(JSON.stringify(shown)).toContain(lost?.id);
    },
  },
  {
    id: 'F77',
    claim: 'events of one connection in another order are put right by their sequence, without a gap',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect();
      await arrived(world, subject, 1);
      const trigger = triggerOf(world);
      Object.assign(trigger, { paused: true, reverse: true });
      for (const value of ['one', 'two']) await describeConnection(world, subject, value);
      trigger.paused = false;
      await arrived(world, subject, 3);
      const sequences = eventsOf(world, subject).map(({ sequence }) => sequence);
      expect(sequences).toEqual([1, 3, 2]);
      expect(sequences.toSorted()).toEqual([1, 2, 3]);
    },
  },
  {
    id: 'F118',
    claim: 'a bus that hangs, trickles or cuts its answer gets events again, under their ids and in order',
    runs: 'matrix',
    async run(world) {
      for (const kind of ['hang', 'trickle', 'cut'] as const) {
        const subjects = await world.connectMany(2);
        for (const subject of subjects) await arrived(world, subject, 1);
        world.aws.add(puts, { kind });
        const count = await changeTogether(world, subjects, ['one', 'two']);
        for (const subject of subjects) {
          await arrived(world, subject, count);
          expectInOrder(world, subject, count);
        }
        await world.calm();
      }
    },
  },
  {
    id: 'F119',
    claim: 'a function that dies in the middle of a batch loses none of it and changes no order',
    runs: 'matrix',
    async run(world) {
      const subjects = await world.connectMany(2);
      for (const subject of subjects) await arrived(world, subject, 1);
      const holding = world.aws.add(puts, { kind: 'hold', side: 'after' });
      const count = await changeTogether(world, subjects, ['one', 'two', 'three']);
      await holding.met;
      await world.signalBusy('events', 'SIGKILL');
      holding.release();
      for (const subject of subjects) {
        await arrived(world, subject, count);
        expectInOrder(world, subject, count);
      }
    },
  },
  {
    id: 'F120',
    claim: 'a function that hangs is killed at its time limit, and its batch comes again',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect();
      await arrived(world, subject, 1);
      const holding = world.aws.add(puts, { kind: 'hold', side: 'before' });
      const count = await changeTogether(world, [subject], ['one', 'two']);
      await holding.met;
      await world.signalBusy('events', 'SIGSTOP');
      holding.release('drop');
      await arrived(world, subject, count);
      expectInOrder(world, subject, count);
    },
  },
  {
    id: 'F121',
    claim: 'a bus that does not take one event of a request gets that one again alone, and none behind it overtakes it',
    runs: 'matrix',
    async run(world) {
      const [refused, other] = await world.connectMany(2);
      if (refused === undefined || other === undefined) throw new Error('There are two');
      for (const subject of [refused, other]) await arrived(world, subject, 1);
      let refusals = 0;
      busOf(world).refuse = (entry) => {
        const refuses = isOf(refused, entry) && refusals < 2;
        if (refuses) refusals++;
        return refuses ? 'InternalFailure' : undefined;
      };
      const count = await changeTogether(world, [refused, other], ['one', 'two']);
      for (const subject of [refused, other]) {
        await arrived(world, subject, count);
        expect(eventsOf(world, subject).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
      }
      expect(refusals).toBe(2);
    },
  },
];
