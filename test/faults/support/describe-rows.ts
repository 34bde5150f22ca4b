import { afterAll, beforeAll, describe, type TaskMeta, test } from 'vitest';
import { type FaultWorld, startFaultWorld, type WorldOptions } from './fault-world.ts';
import { checkInvariants } from './invariants/check-row.ts';
import type { FaultRow } from './row.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Milliseconds from the end of the faults until callers were served. */
    recoveredMs?: number;
  }
}

/** How rows run. */
export interface RowOptions extends WorldOptions {
  /** Recovery is not waited for where a connection backs off: an operator's refresh shows it at once. @default false */
  readonly quick?: boolean;
}

/** Runs rows one after the other in a world of their own; after each, faults end and the invariants are checked. */
export function describeRows(title: string, rows: readonly FaultRow[], options: RowOptions = {}): void {
  describe(title, () => {
    let world: FaultWorld;
    beforeAll(async () => {
      world = await startFaultWorld(options);
    });
    afterAll(() => world?.[Symbol.asyncDispose]());

    const isLong = ({ runs }: FaultRow) => options.quick === true && runs === 'long';
    const named = (some: readonly FaultRow[]) => some.map((row) => [row.id, row.claim, row] as const);
    test.for(named(rows.filter((row) => !isLong(row))))('%s: %s', ([, , row], { task }) => runRow(row, task));
    test.for(named(rows.filter(isLong)))('%s: %s', { tags: ['long'] }, ([, , row], { task }) => runRow(row, task));

    async function runRow(row: FaultRow, task: { readonly meta: TaskMeta }): Promise<void> {
      const frame = {
        ...row,
        ...(options.quick === true ? { recovery: 'forced' as const } : {}),
        transcriptsFrom: world.transcripts.all.length,
        requestsFrom: world.ledger.requests.length,
        channelsFrom: world.ledger.channels.length,
        feedsFrom: world.feeds.length,
        endpointsFrom: world.endpoints.length,
      };
      world.subjects.clear();
      try {
        await row.run(world);
        await world.calm();
        const recoveredMs = await checkInvariants(world, [...world.subjects], frame);
        if (recoveredMs !== undefined) task.meta.recoveredMs = recoveredMs;
      } finally {
        await world.calm();
        // An account may have twenty endpoints, and every feed of an account is notified of what the next rows change.
        for (const endpoint of world.endpoints.slice(frame.endpointsFrom)) await endpoint.delete();
        await Promise.all(world.feeds.slice(frame.feedsFrom).map((feed) => feed.delete()));
      }
    }
  });
}
