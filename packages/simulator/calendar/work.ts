/** Steps that one request may take over all of its series: about 100 ms of processor time. A step is a day or a time that a rule looks at. */
const STEPS_MAX = 400_000;

/** What a found instance costs in steps: it is filtered, sorted and counted. */
export const INSTANCE_STEPS = 6;

/**
 * What one request may do to expand series, whatever their number, so that none holds the process for long (DS-10). It is counted, not
 * timed: a request gets the same answer on every machine.
 */
export class Work {
  /** Steps that are left; none when it is 0 or less. */
  left = STEPS_MAX;
  /** True when instances of a time that has an end were left out. */
  isCut = false;
  /** Steps for one line of a series in a list without an end, which ends somewhere anyway. */
  readonly share: number;

  /** @param lines recurrence lines of all series that a list without an end reads */
  constructor(lines = 1) {
    this.share = Math.floor(STEPS_MAX / Math.max(1, lines));
  }
}
