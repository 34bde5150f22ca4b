import { expect } from 'vitest';
import { shownEvents } from '../../support/connect.ts';
import { until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';
import { arrived, busOf, deadLettersOf, describeConnection, eventsOf, isOf, triggerOf } from './events.ts';

/** Invocations with one record before the trigger gives it up, in these runs. */
const ATTEMPTS = 3;

/** The stack's trigger gives a record up after 30 repeats; here after two, so that the row ends. */
export function impatientTrigger(template: string): string {
  return template.replace(/"MaximumRetryAttempts": 30/, `"MaximumRetryAttempts": ${ATTEMPTS - 1}`);
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
      const startedMs = Date.now();
      trigger.paused = false;
      await arrived(world, other, 4);
      expect(Date.now() - startedMs).toBeLessThan(10_000);
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
];
