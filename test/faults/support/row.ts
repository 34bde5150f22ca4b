import type { FaultWorld, Subject } from './fault-world.ts';

/** One row of the fault matrix: a fault, and what must be so all the same. */
export interface FaultRow {
  readonly id: string;
  readonly claim: string;
  /** Fast and important: also part of every `npm test`. */
  readonly fast: boolean;
  /** @returns the connections whose invariants are checked afterwards */
  run(world: FaultWorld): Promise<readonly Subject[]>;
}
