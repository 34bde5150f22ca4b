import assert from 'node:assert/strict';
import { sweep } from '../../../support/sweep.ts';
import { type FaultWorld, nowSec, type Subject, until } from '../fault-world.ts';

const RECOVERY_MS = 60_000;
const TICKS = 2;

/**
 * I12: within 60 s of the faults' end callers of every living connection are served, and two ticks leave nothing due.
 *
 * @returns how long it took until callers were served, milliseconds
 * @throws Error naming the connection that did not recover
 */
export async function checkRecovery(world: FaultWorld, subjects: readonly Subject[]): Promise<number> {
  const startedMs = performance.now();
  await Promise.all(
    subjects.map(async (subject) => {
      const { status } = await subject.row();
      if (status !== 'active') return;
      // A death may become known only now.
      const served = async () => [200, 424].includes((await subject.call()).status);
      await until(`I12: ${subject.key} is served`, served, RECOVERY_MS, 100);
    }),
  );
  const tookMs = performance.now() - startedMs;
  let due = await overdue(subjects);
  for (let tick = 0; due.length > 0 && tick < TICKS; tick++) {
    await sweep(world.gateway, ...subjects);
    due = await overdue(subjects);
  }
  assert.deepEqual(due, [], `I12: due after ${TICKS} ticks`);
  return tookMs;
}

async function overdue(subjects: readonly Subject[]): Promise<string[]> {
  const rows = await Promise.all(subjects.map((subject) => subject.row()));
  const now = nowSec();
  // Without a shard a row is not in the index: its connection is dead or deleted.
  return subjects
    .filter((_, i) => rows[i]?.dueShard !== undefined && Number(rows[i]?.refreshAt ?? Infinity) <= now)
    .map(({ key }) => key);
}
