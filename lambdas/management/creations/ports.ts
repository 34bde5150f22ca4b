/** Lets one creation of a kind through at a time, over all processes. */
export interface CreationGate {
  /** Undefined when others held it for as long as a caller waits. @param what kind of thing, and of whose */
  enter(accountId: string, what: string): Promise<EnteredGate | undefined>;
}

/** A gate that is held. */
export interface EnteredGate {
  /** What was created of this kind in the last minute. */
  readonly recent: readonly string[];
  /** @param created the id of what was made; undefined when nothing was */
  leave(created: string | undefined): Promise<void>;
}

/** What is known of requests with an `Idempotency-Key`. */
export interface RequestNotes {
  /**
   * Begins a request that has not been carried out yet, or whose last run is over and made nothing; or says what became of the first one.
   *
   * @param digest of the caller and the key
   * @param requestHash tells requests with one key apart
   */
  begin(
    accountId: string,
    digest: string,
    requestHash: string,
    nowEpochSec: number,
  ): Promise<
    | { readonly kind: 'begun'; readonly run: NotedRun }
    | { readonly kind: 'running' | 'other_request' | 'made' }
    /** @param answer as it was given to `keep` */
    | { readonly kind: 'answered'; readonly answer: string }
  >;
}

/** A run of a request that has a note. */
export interface NotedRun {
  /** Does the work; its first transaction notes that something was made. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Whether something was, or may have been, changed. */
  isMade(): boolean;
  /** Keeps the answer for repeats. @param answer encrypted */
  keep(answer: string): Promise<void>;
  /** The answer cannot be kept; repeats hear that what they want was made. */
  keepNone(): Promise<void>;
  /** Nothing was changed: the key is free again. */
  drop(): Promise<void>;
  /** Over without an answer: the next one looks whether something was made. */
  end(): Promise<void>;
}
