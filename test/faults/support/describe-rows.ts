import { afterAll, beforeAll, describe, test } from 'vitest';
import { type FaultWorld, startFaultWorld, type WorldOptions } from './fault-world.ts';
import { checkInvariants } from './invariants.ts';
import type { FaultRow } from './row.ts';

/** Runs rows one after the other in a world of their own; after each, faults end and the invariants are checked. */
export function describeRows(title: string, rows: readonly FaultRow[], options: WorldOptions = {}): void {
  describe(title, () => {
    let world: FaultWorld;
    beforeAll(async () => {
      world = await startFaultWorld(options);
    });
    afterAll(() => world?.[Symbol.asyncDispose]());

    test.each(rows.map((row) => [row.id, row.claim, row] as const))('%s: %s', async (_id, _claim, row) => {
      try {
        const subjects = await row.run(world);
        await world.calm();
        for (const subject of subjects) await checkInvariants(world, subject);
      } finally {
        await world.calm();
      }
    });
  });
}
