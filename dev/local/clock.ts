/** The gateway's time: the machine's, or the simulator's while that is somewhere else. */

/** Epoch milliseconds as the gateway sees them. */
export interface LocalClock {
  nowMs(): number;
  /** How far it is ahead of the machine's clock; 0 unless moved. */
  aheadMs(): number;
  /** Goes by another clock from now on. @param aheadMs how far that one is ahead of the machine's */
  follow(aheadMs: () => number): void;
}

/** Follows the machine's clock until it is moved. */
export function localClock(): LocalClock {
  let ahead = () => 0;
  return {
    nowMs: () => Date.now() + ahead(),
    aheadMs: () => ahead(),
    follow(aheadMs) {
      ahead = aheadMs;
    },
  };
}
