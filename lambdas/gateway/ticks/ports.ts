import type { HEARTBEAT_EVENT_TYPE, SWEEPS } from '../core/contract.ts';

/** A sweep: the name of its function, and for the refresh its slice. */
export interface SweepName {
  readonly sweep: keyof typeof SWEEPS;
  /** @default the first of one */
  readonly slice?: { readonly index: number; readonly count: number };
}

/** When each sweep last came to its end. */
export interface TickBoard {
  /**
   * Records that a sweep has ended. Sweeps that never ended count from the first record of any.
   *
   * @returns when each known sweep last ended, in epoch seconds
   */
  note(done: SweepName, nowEpochSec: number): Promise<readonly SweepEnd[]>;
}

export interface SweepEnd {
  readonly sweep: SweepName['sweep'];
  readonly endedAtEpochSec: number;
}

/** Event items of heartbeats. */
export interface HeartbeatWriter {
  /** Writes the event item of an interval; does nothing where it exists. */
  write(heartbeat: Heartbeat): Promise<void>;
}

/** An event that only proves that the path of events works. */
export interface Heartbeat {
  /** ULID of the interval's beginning: every process makes the same. */
  readonly eventId: string;
  readonly eventType: typeof HEARTBEAT_EVENT_TYPE;
  /** ISO 8601 UTC. */
  readonly occurredAt: string;
  readonly accountId: string;
}

/** The part of the due index for one run of a sweep. */
export interface SliceName {
  /** Function that sweeps. */
  readonly sweeper: string;
  readonly index: number;
  readonly count: number;
}

/** Leases of slices: one run at a time works on each. */
export interface SliceLeases {
  /**
   * Takes the slice, or extends its lease.
   *
   * @param owner names the run
   * @returns false while another run has it
   */
  take(slice: SliceName, owner: string, nowMs: number, leaseMs: number): Promise<boolean>;
  /** Returns the slice, if it is still this run's. */
  release(slice: SliceName, owner: string): Promise<void>;
}

/** The due index as a whole. */
export interface DueIndex {
  /**
   * Partitions with something due, in one read; undefined where the index is too large for that.
   *
   * @param first the first partition of those that count
   * @param last the last one
   */
  duePartitions(first: number, last: number, untilEpochSec: number): Promise<ReadonlySet<number> | undefined>;
}
