import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, UndoWorld } from './undo-world.ts';

let world: UndoWorld;
beforeAll(async () => {
  world = await UndoWorld.start();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const DRIVE = '/drive/v3/files';
const EVENTS = '/calendar/v3/calendars/primary/events';
const SECOND = 'second.user@example.com';

class Killed extends Error {}

/** Ends a process at one of its steps: before it is taken, or after, when only its answer is lost. */
function killAt(step: number, isTaken: boolean) {
  let count = 0;
  const take = async <T>(call: () => Promise<T>): Promise<T> => {
    const at = count++;
    if (at > step) throw new Killed();
    if (at < step) return call();
    if (isTaken) await call();
    throw new Killed();
  };
  world.wire = (send) => take(send);
  world.step = (call) => take(call);
  return () => {
    world.wire = (send) => send();
    world.step = (call) => call();
    return count > step;
  };
}

interface Scene {
  readonly since: number;
  look(): Promise<Json>;
}

/** Writes of kinds whose undo takes several requests, or leaves something each time that it is sent. */
async function scene(): Promise<Scene> {
  const ask: UndoWorld['ask'] = (...all) => world.ask(...all);
  const { id } = await ask('person', 'POST', '/upload/drive/v3/files?uploadType=media&fields=id', 'old', 'text/plain');
  const said = await ask('person', 'POST', `${DRIVE}/${id}/comments?fields=id`, { content: 'x' });
  const time = {
    start: { dateTime: '2027-03-01T10:00:00Z', timeZone: 'UTC' },
    end: { dateTime: '2027-03-01T11:00:00Z', timeZone: 'UTC' },
  };
  const series = await ask('person', 'POST', EVENTS, {
    ...time,
    summary: 's',
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
  });
  const { items } = await ask('person', 'GET', `${EVENTS}/${series.id}/instances`);
  await ask('person', 'PATCH', `${EVENTS}/${items[1].id}`, { summary: 'other' });
  const since = world.clock.nowMs();
  await new Promise((resolve) => setTimeout(resolve, 2));
  await ask('agent', 'PATCH', `/upload/drive/v3/files/${id}?uploadType=media`, 'new', 'text/csv');
  await ask('agent', 'PATCH', `${DRIVE}/${id}`, { name: 'renamed' });
  await ask('agent', 'POST', `${DRIVE}/${id}/permissions`, { type: 'user', role: 'reader', emailAddress: SECOND });
  await ask('agent', 'POST', `${DRIVE}/${id}/comments/${said.id}/replies?fields=id`, { action: 'resolve' });
  await ask('agent', 'DELETE', `${EVENTS}/${series.id}`);
  return {
    since,
    async look() {
      const file = await ask('person', 'GET', `${DRIVE}/${id}?fields=name,md5Checksum,mimeType,permissions(role)`);
      const { revisions } = await ask('person', 'GET', `${DRIVE}/${id}/revisions`);
      const thread = await ask('person', 'GET', `${DRIVE}/${id}/comments/${said.id}?fields=resolved,replies(action)`);
      const instances = await ask('person', 'GET', `${EVENTS}/${series.id}/instances`);
      return {
        file,
        // Each upload would leave one more.
        revisions: revisions.length,
        thread,
        instances: instances.items.map(({ summary }: Json) => summary),
      };
    },
  };
}

const UNDONE = {
  file: {
    name: 'Untitled',
    md5Checksum: '149603e6c03516362a8da23f624db945',
    mimeType: 'text/plain',
    permissions: [{ role: 'owner' }],
  },
  revisions: 3,
  thread: { resolved: false, replies: [{ action: 'resolve' }, { action: 'reopen' }] },
  instances: ['s', 'other', 's'],
};

async function endsAtEveryStep(isTaken: boolean, every: number, from: number): Promise<number> {
  let interrupted = 0;
  for (let step = from; ; step += every) {
    const { since, look } = await scene();
    const revive = killAt(step, isTaken);
    await world.undoOnce(since).catch((error: unknown) => {
      // What the provider does not answer any more ends an undo, too.
      if (!(error instanceof Killed) && Object(error).code !== 'service_unavailable') throw error;
    });
    if (!revive()) return interrupted;
    interrupted++;
    // The lock of the process that is no more.
    world.aheadMs += 31_000;
    const report = await world.undo(since);
    expect([step, report.conflicts, report.notUndoable]).toEqual([step, [], []]);
    expect([step, await look()]).toEqual([step, UNDONE]);
  }
}

describe('an undo that ends at a step', () => {
  test('AP-21: an undo that ends at a step is finished by the next one, which undoes nothing twice, whichever step was the last that was taken', async () => {
    expect(await endsAtEveryStep(true, 4, 1)).toBeGreaterThan(8);
  }, 120_000);

  test('AP-21: an undo that ends at a step is finished likewise where the step was not taken', async () => {
    expect(await endsAtEveryStep(false, 5, 2)).toBeGreaterThan(6);
  }, 120_000);

  test('AP-21: an undo that ends at a step is finished after every step', {
    tags: ['long'],
    timeout: 600_000,
  }, async () => {
    expect(await endsAtEveryStep(true, 1, 0)).toBeGreaterThan(30);
    expect(await endsAtEveryStep(false, 1, 0)).toBeGreaterThan(30);
  });

  test('AP-21: keeps others off its connection for half a minute, and no longer', async () => {
    const { since } = await scene();
    const revive = killAt(12, false);
    await world.undoOnce(since).catch(() => undefined);
    revive();
    await expect(world.undoOnce(since)).rejects.toMatchObject({ code: 'conflict', retryAfterSec: 30 });
    world.aheadMs += 31_000;
    expect((await world.undo(since)).conflicts).toEqual([]);
  });
});
