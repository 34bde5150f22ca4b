import type { FaultWorld } from './fault-world.ts';

/** One row of the fault matrix: a fault, and what must hold nevertheless. */
export interface FaultRow {
  readonly id: string;
  readonly claim: string;
  /** Where in addition to the whole matrix: `test` stands for its kind in `npm test`, `long` are the other fast ones, in `npm run test:long`. */
  readonly runs: 'test' | 'long' | 'matrix';
  /** Token calls of a connection beyond one per expiry and one per spoiled answer: leases lost with their process. @default 0 */
  readonly spareTokenCalls?: number;
  /** `forced`: the provider said how long to wait, so callers are served before that only by an operator's refresh. */
  readonly recovery?: 'forced';
  /** Channels that were opened for nothing: their process died, or their feed went, before they were on record. @default 0 */
  readonly orphanChannels?: number;
  /** Messages that may arrive once more: answered, but their process died before it was on record. @default 0 */
  readonly spareDeliveries?: number;
  run(world: FaultWorld): Promise<void>;
}
