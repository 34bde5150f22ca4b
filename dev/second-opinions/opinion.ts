/** What an independent program said of the gateway. */
export interface Verdict {
  /** Number of things it judged and found right. */
  readonly passed: number;
  /** One line or paragraph for each thing it found wrong. */
  readonly failures: readonly string[];
}

/** One program that judges the gateway and was not written for it. */
export interface Opinion {
  /** Its name on the command line and in the report. */
  readonly name: string;
  /** What is judged, in a few words. */
  readonly judges: string;
  /**
   * Asks it, telling what is being done now.
   * @throws Error in one sentence when the program cannot run here
   */
  ask(say: (progress: string) => void): Promise<Verdict>;
}
