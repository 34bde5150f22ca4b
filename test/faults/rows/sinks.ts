import { expect } from 'vitest';
import { INVALID_GRANT, REFRESH, statusesOf, writes } from '../support/fault-world.ts';
import { residentMiB } from '../support/resources.ts';
import type { FaultRow } from '../support/row.ts';

const CALLS = 500;

/** What a preload does to the output of function processes: a reader that never reads, or none at all. */
export const SINKS = {
  stuck: 'process.stdout.write = () => false;',
  gone: "process.stdout.write = () => { throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }); };",
} as const;

/** Logs and metrics that reach nobody; for worlds with such an output. */
export const sinkRows: readonly FaultRow[] = [
  {
    id: 'F72',
    claim: 'requests continue while logs and metrics reach nobody, memory stays bounded, and events are still written',
    runs: 'matrix',
    async run(world) {
      const [subject, dying] = [await world.connect(), await world.connect()];
      for (let i = 0; i < 20; i++) expect((await subject.call()).status).toBe(200);
      const before = residentMiB(world);
      for (let done = 0; done < CALLS; done += 10) {
        expect(await statusesOf(10, () => subject.call())).toEqual(new Set([200]));
      }
      expect(residentMiB(world)).toBeLessThan(before * 1.5);
      await world.provider(REFRESH, INVALID_GRANT, { times: 1 });
      const marking = world.table.add(writes.transition, { kind: 'pass' });
      expect((await dying.call()).status).toBe(424);
      expect(marking.count()).toBe(1);
      expect((await dying.events()).map(({ type }) => type)).toContain('ConnectionReauthorizationRequired');
    },
  },
];
