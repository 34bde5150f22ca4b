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
