/** Lets one creation of a kind through at a time, across all processes. */
export interface CreationGate {
  /** Undefined when others held it for as long as a caller waits. @param what the kind of thing, and its owner */
  enter(accountId: string, what: string): Promise<EnteredGate | undefined>;
}

/** A gate that is held. */
export interface EnteredGate {
  /** Ids of this kind created in the last minute. */
  readonly recent: readonly string[];
  /** @param created the new id; undefined without one */
  leave(created: string | undefined): Promise<void>;
}

/** Stored requests with an `Idempotency-Key`. */
export interface RequestNotes {
  /**
   * Begins a request that was not executed yet, or whose last run is over without a creation; otherwise returns the first one's
   * outcome.
   *
   * @param digest of the caller and the key
   * @param requestHash distinguishes requests with one key
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

/** A run of a stored request. */
export interface NotedRun {
  /** Does the work; its first transaction records the creation. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Whether something was, or may have been, changed. */
  isMade(): boolean;
  /** Keeps the answer for repeats. @param answer encrypted */
  keep(answer: string): Promise<void>;
  /** Records that the response cannot be stored; repeats get an error that the thing was created. */
  keepNone(): Promise<void>;
  /** Nothing was changed, so the key can be used again. */
  drop(): Promise<void>;
  /** Ends without a response: the next request checks whether something was created. */
  end(): Promise<void>;
}
