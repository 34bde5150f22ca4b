import { expect } from 'vitest';
import { jsonRequest } from '../../support/gateway.ts';
import {
  breakWrite,
  type FaultWorld,
  INVALID_GRANT,
  REFRESH,
  SHORT_LEASE_SEC,
  type Subject,
  until,
  writes,
} from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

/** The transaction of change and event, and the way of events to the bus. */
export const eventRows: readonly FaultRow[] = [
  {
    id: 'F81',
    claim: 'a process killed just before or after the transaction leaves both change and event, or neither',
    runs: 'long',
    async run(world) {
      for (const side of ['before', 'after'] as const) {
        const subject = await world.connect();
        await world.provider(REFRESH, INVALID_GRANT);
        const marking = breakWrite(world, subject, writes.transition, { kind: 'hold', side });
        const call = subject.call();
        await marking.met;
        await world.signalBusy('proxy', 'SIGKILL');
        expect((await call).status).toBe(502);
        marking.release();
        const status = side === 'before' ? 'active' : 'reauthorization_required';
        // What was held on its way in may still be applied: a dead process takes nothing back.
        if (side === 'after') expect((await subject.row()).status).toBe(status);
        await consistent(subject);
        await untilDead(subject);
        await consistent(subject);
        expect(
          (await subject.events()).filter(({ type }) => type === 'ConnectionReauthorizationRequired'),
        ).toHaveLength(1);
        await world.calm();
      }
    },
  },
  {
    id: 'F53',
    claim: 'an event the bus refuses for a while arrives later under the same id, and stops no other',
    runs: 'matrix',
    async run(world) {
      const [refused, other] = [await world.connect(), await world.connect()];
      const bus = busOf(world);
      bus.refuse = (entry) => (isOf(refused, entry) ? 'ThrottlingException' : undefined);
      await describeConnection(world, refused, 'one');
      await describeConnection(world, other, 'one');
      bus.refuse = undefined;
      await arrived(world, refused, 2);
      await arrived(world, other, 2);
    },
  },
  {
    id: 'F54',
    claim: 'mutations continue while the bus is down, and its backlog drains',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect();
      const bus = busOf(world);
      bus.refuse = () => 'InternalFailure';
      for (const value of ['one', 'two', 'three']) await describeConnection(world, subject, value);
      bus.refuse = undefined;
      await arrived(world, subject, 4);
    },
  },
  {
    id: 'F55',
    claim: 'events delivered three times and out of order leave a consumer that orders by sequence in the right state',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect();
      const trigger = triggerOf(world);
      Object.assign(trigger, { paused: true, repeat: 2, reverse: true });
      for (const value of ['one', 'two', 'three']) await describeConnection(world, subject, value);
      trigger.paused = false;
      await arrived(world, subject, 4);
      await until('everything came three times', () => eventsOf(world, subject).length >= 10);
      const state = new Map<string, { sequence: number; type: string }>();
      for (const event of eventsOf(world, subject)) {
        const known = state.get(subject.connectionId);
        if (known === undefined || event.sequence > known.sequence) state.set(subject.connectionId, event);
      }
      expect(state.get(subject.connectionId)).toMatchObject({ sequence: 4, type: 'ConnectionUpdated' });
    },
  },
  {
    id: 'F74',
    claim: 'a paused trigger loses nothing and drains in order',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect();
      const trigger = triggerOf(world);
      trigger.paused = true;
      for (const value of ['one', 'two', 'three']) await describeConnection(world, subject, value);
      trigger.paused = false;
      await arrived(world, subject, 4);
      expect(eventsOf(world, subject).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    },
  },
  {
    id: 'F76',
    claim: 'a lost position repeats events under the same ids and skips none',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect();
      await describeConnection(world, subject, 'one');
      await arrived(world, subject, 2);
      world.gateway.gateway.switches.loseStreamPosition();
      await describeConnection(world, subject, 'two');
      await arrived(world, subject, 3);
      await until('repeats came', () => eventsOf(world, subject).length > 3);
      expect(new Set(eventsOf(world, subject).map(({ id }) => id)).size).toBe(3);
    },
  },
  {
    id: 'F78',
    claim: 'token writes, leases, escrow and flows put nothing on the bus',
    runs: 'matrix',
    async run(world) {
      const givenUpBefore = world.gateway.gateway.deadLetters.length;
      const subject = await world.connect();
      await arrived(world, subject, 1);
      expect((await subject.call()).status).toBe(200);
      await world.gateway.gateway.tick('refresh');
      const marker = await world.connect();
      await arrived(world, marker, 1);
      expect(eventsOf(world, subject)).toHaveLength(1);
      expect(world.gateway.gateway.deadLetters.slice(givenUpBefore)).toEqual([]);
      const detail = JSON.stringify(world.gateway.gateway.events);
      for (const forbidden of ['encrypted', 'v1.', 'ya29.', '1//', 'Lease']) expect(detail).not.toContain(forbidden);
    },
  },
  {
    id: 'F79',
    claim: 'a transaction cancelled by a conflict is repeated: one change, one event',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect();
      await world.provider(REFRESH, INVALID_GRANT, { times: 1 });
      const more = { CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }] };
      breakWrite(world, subject, writes.transition, { kind: 'error', name: 'TransactionCanceledException', more }, 3);
      expect((await subject.call()).status).toBe(424);
      expect(await subject.events()).toHaveLength(2);
    },
  },
  {
    id: 'F80',
    claim: 'a transaction whose reply is lost is one change and one event',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect();
      await world.provider(REFRESH, INVALID_GRANT, { times: 1 });
      breakWrite(world, subject, writes.transition, { kind: 'apply_then_drop' });
      expect((await subject.call()).status).toBe(424);
      expect(await subject.events()).toHaveLength(2);
    },
  },
  {
    id: 'F82',
    claim: 'mutations of one connection at once give events with distinct sequence numbers',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect();
      await Promise.all(['one', 'two', 'three'].map((value) => describeConnection(world, subject, value)));
      expect((await subject.events()).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    },
  },
];

/** A mutation with an event. */
export async function describeConnection(world: FaultWorld, subject: Subject, value: string): Promise<void> {
  const answer = await world.gateway.call(subject.path, jsonRequest('PATCH', { tags: { value } }));
  expect(answer.status, await answer.text()).toBe(200);
}

export function eventsOf(world: FaultWorld, subject: Subject): { id: string; type: string; sequence: number }[] {
  return world.gateway.gateway.events.flatMap((event) => {
    const { detail } = event;
    if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return [];
    const sequence = Number(detail.sequence);
    if (detail.connection_id !== subject.connectionId || detail.feed_id || sequence === 0) return [];
    return [{ id: String(detail.event_id), type: event['detail-type'], sequence }];
  });
}

/** Messages of the queue for what was given up that name an event. */
export function deadLettersOf(world: FaultWorld, eventId: string): string[] {
  return world.gateway.gateway.deadLetters.map(({ body }) => body).filter((body) => body.includes(eventId));
}

/** Whether an entry of the bus is of the connection. */
export function isOf(subject: Subject, { detail }: { readonly detail: unknown }): boolean {
  return JSON.stringify(detail).includes(`"${subject.connectionId}"`);
}

/** Waits until this many different transitions of the connection are on the bus. */
export function arrived(world: FaultWorld, subject: Subject, count: number): Promise<void> {
  return until(`${count} events`, () => new Set(eventsOf(world, subject).map(({ id }) => id)).size >= count);
}

export function triggerOf(world: FaultWorld) {
  const { trigger } = world.gateway.gateway.switches;
  if (trigger === undefined) throw new Error('The template has no trigger');
  return trigger;
}

export function busOf(world: FaultWorld) {
  return world.gateway.gateway.switches.bus;
}

/** The row's status and its last event say the same. */
async function consistent(subject: Subject): Promise<void> {
  let row = await subject.row();
  let last = (await subject.events()).at(-1);
  // A transaction of the killed process may land between the two reads: only a row that stood still is compared.
  for (let after = await subject.row(); after.sequence !== row.sequence; after = await subject.row()) {
    row = after;
    last = (await subject.events()).at(-1);
  }
  expect(last?.sequence).toBe(row.sequence);
  expect(last?.type).toBe(row.status === 'active' ? 'ConnectionCreated' : 'ConnectionReauthorizationRequired');
}

/** Calls until the death is on record: at most a lease later. */
function untilDead(subject: Subject): Promise<void> {
  return until(
    'the connection is dead',
    async () => (await subject.call()).status === 424,
    (SHORT_LEASE_SEC + 3) * 1000,
  );
}
