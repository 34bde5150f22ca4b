import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { Approval, ApprovalPart, ApprovalRef, ApprovalState } from './approval.rules.ts';

/** What a step adds to an approval. */
export type ApprovalStep = Partial<
  Pick<Approval, 'decidedBy' | 'decidedAtMs' | 'seen' | 'runId' | 'runUntilMs' | 'createdId' | 'endedAtMs' | 'outcome'>
>;

/** What has to hold besides the state before a step. */
export interface StepCondition {
  /** The run that has it. */
  readonly runId?: string;
  /** It has not expired by then. */
  readonly notExpiredAtMs?: number;
  /** The run that had it must have ended by then. */
  readonly runEndedAtMs?: number;
}

/** An approval, and what its address proves: a link of the backend proves that a person is the end user. */
export interface FoundByToken {
  readonly approval: Approval;
  readonly isFromBackend: boolean;
}

export interface ApprovalStore {
  /** Of one key, newest first: those of the last day. */
  ofKey(accountId: string, keyId: string, sinceMs: number): Promise<readonly Approval[]>;
  /** Strongly consistent. */
  find(ref: ApprovalRef): Promise<Approval | undefined>;
  /** By the digest of the token in its page's address, and whether that is a link of the customer's backend. */
  findByToken(tokenHash: string, nowMs: number): Promise<FoundByToken | undefined>;
  /** Adds a link of the customer's backend, for its first browser. */
  addLink(ref: ApprovalRef, tokenHash: string, untilMs: number): Promise<void>;
  /** The one that a digest led to last, whatever became of it. */
  findSame(accountId: string, keyId: string, digest: string): Promise<Approval | undefined>;
  part(ref: ApprovalRef, part: ApprovalPart): Promise<string | undefined>;
  /**
   * Writes one with all its parts and its event.
   *
   * @param instead the ULID of the one that its digest led to before
   * @returns false when its digest leads to another one meanwhile
   */
  create(
    approval: Approval,
    parts: ReadonlyMap<ApprovalPart, string>,
    instead: string | undefined,
    event: LifecycleEvent,
  ): Promise<boolean>;
  /** Takes one step; false when another was taken before. */
  step(
    ref: ApprovalRef,
    from: ApprovalState,
    to: ApprovalState,
    adds: ApprovalStep,
    condition?: StepCondition,
    event?: LifecycleEvent,
    result?: string,
  ): Promise<boolean>;
}
