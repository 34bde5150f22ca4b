import { expect } from 'vitest';
import { forgetRequests, tokenCalls } from '../../support/simulator.ts';
import type { FaultRow } from '../support/row.ts';

/** Function processes whose clocks are wrong; for worlds with such clocks. */
export const clockRows: readonly FaultRow[] = [
  {
    id: 'F27',
    claim: 'a wrong clock causes no mass refresh, and its processes keep serving',
    runs: 'matrix',
    async run(world) {
      const subject = await world.connect({ expired: false });
      await forgetRequests(world.gateway);
      for (let round = 0; round < 10; round++) expect((await subject.call()).status).toBe(200);
      expect((await tokenCalls(world.gateway)).length).toBeLessThanOrEqual(1);
    },
  },
];
