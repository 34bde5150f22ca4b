import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import type { RestoreWishes } from './judge-connection.ts';
import type { Resealer } from './reseal.ts';

/** Context of one restore. */
export interface RestoreContext {
  readonly from: Table;
  readonly into: Table;
  readonly wishes: RestoreWishes;
  readonly dryRun: boolean;
  /** Restored connections are due within so many seconds. */
  readonly spreadSec: number;
  /** Names this backup in the audit trail. */
  readonly runName: string;
  readonly resealer: Resealer;
}

/** The outcome of a row of the backup, and its reason. */
export interface Outcome {
  /** `present`: the table has it, and its own counts. */
  readonly kind: 'restored' | 'present' | 'skipped';
  readonly why: string;
}

export function restored(why = 'missing'): Outcome {
  return { kind: 'restored', why };
}

export function present(why = 'present'): Outcome {
  return { kind: 'present', why };
}

export function skipped(why: string): Outcome {
  return { kind: 'skipped', why };
}
