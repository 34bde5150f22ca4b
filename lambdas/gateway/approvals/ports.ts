import type { ConnectionRef } from '../core/identifiers.ts';
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
  /** Ids of the keys that asked in an account and whose approvals may still wait: those of the last day. */
  keysOf(accountId: string, nowMs: number): Promise<readonly string[]>;
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

/** An approval that has to be looked at, and the time at which that was due. */
export interface DueApproval extends ApprovalRef {
  readonly dueAtMs: number;
}

/** What the schedule does with approvals: ends what nobody ended, and deletes what deleted connections leave. */
export interface ApprovalUpkeep extends Pick<ApprovalStore, 'find' | 'step'> {
  /** Some of those whose time has come, oldest first. */
  due(accountId: string, nowMs: number): Promise<readonly DueApproval[]>;
  /** One that need not be looked at again at that time. */
  looked(due: DueApproval): Promise<void>;
  /** @returns whether there is more */
  clearSome(ref: ConnectionRef, beforeMs: number): Promise<boolean>;
}
