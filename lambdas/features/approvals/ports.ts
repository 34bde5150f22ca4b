import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { LifecycleEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { Approval, ApprovalPart, ApprovalRef, ApprovalState } from './approval.rules.ts';

/** What a step adds to an approval. */
export type ApprovalStep = Partial<
  Pick<Approval, 'decidedBy' | 'decidedAtMs' | 'seen' | 'runId' | 'runUntilMs' | 'createdId' | 'endedAtMs' | 'outcome'>
>;

/** What has to hold in addition to the state before a step. */
export interface StepCondition {
  /** The run that has it. */
  readonly runId?: string;
  /** It has not expired by then. */
  readonly notExpiredAtMs?: number;
  /** The run that had it must have ended by then. */
  readonly runEndedAtMs?: number;
}

/** A part that a step adds. */
export interface SealedPart {
  readonly name: 'result' | 'about';
  readonly sealed: string;
}

/** An approval, and what its address proves: a link of the backend proves that a person is the end user. */
export interface FoundByToken {
  readonly approval: Approval;
  /** Of a link of the backend: who made it. */
  readonly madeBy: string | undefined;
}

/** A link of the customer's backend, for its first browser. */
export interface NewLink {
  readonly tokenHash: string;
  readonly untilMs: number;
  /** As the audit trail names them. */
  readonly madeBy: string;
}

export interface ApprovalStore {
  /** Of one key, newest first: those of the last day. */
  ofKey(accountId: string, keyId: string, sinceMs: number): Promise<readonly Approval[]>;
  /** Ids of the keys that asked in an account and whose approvals may still wait: those of the last day. */
  keysOf(accountId: string, nowMs: number): Promise<readonly string[]>;
  /** Strongly consistent. */
  find(ref: ApprovalRef): Promise<Approval | undefined>;
  /** By the digest of the token in its page's address, and who made it where that is a link of the customer's backend. */
  findByToken(tokenHash: string, nowMs: number): Promise<FoundByToken | undefined>;
  /** Adds a link of the customer's backend, with its event. */
  addLink(ref: ApprovalRef, link: NewLink, event: LifecycleEvent): Promise<void>;
  /** Binds a link to a browser; false where it is another's (AP-34). */
  bindLink(tokenHash: string, browserHash: string): Promise<boolean>;
  /** Whether a link is bound to a browser. */
  isLinkOf(tokenHash: string, browserHash: string): Promise<boolean>;
  /** The one that a digest led to last, whatever became of it. */
  findSame(accountId: string, keyId: string, digest: string): Promise<Approval | undefined>;
  /** Places of a key in which another call may wait, strongly consistent. */
  freeSeats(accountId: string, keyId: string, nowMs: number): Promise<readonly number[]>;
  part(ref: ApprovalRef, part: ApprovalPart): Promise<string | undefined>;
  /**
   * Takes the one wait that a key may hold open, and one of those that all keys may (AP-37).
   *
   * @param first the place that is tried first, of `HELD_WAITS_MAX`
   * @param untilMs when both are free again by themselves
   * @returns the place, which `endWait` gives back; undefined where either is taken
   */
  holdWait(ref: Omit<ApprovalRef, 'ulid'>, first: number, nowMs: number, untilMs: number): Promise<number | undefined>;
  /** Gives both back. @param untilMs of `holdWait`: once that is over they may be another's, and stay */
  endWait(ref: Omit<ApprovalRef, 'ulid'>, place: number, untilMs: number): Promise<void>;
  /**
   * Writes one with all its parts and its event.
   *
   * @param instead the ULID of the one that its digest led to before
   * @returns false when its digest leads to another one meanwhile, or its seat is taken
   */
  create(
    approval: Approval,
    parts: ReadonlyMap<ApprovalPart, string>,
    instead: string | undefined,
    event: LifecycleEvent,
  ): Promise<boolean>;
  /** Takes one step; false when another was taken before. */
  step(
    ref: ApprovalRef & Partial<Pick<Approval, 'seat'>>,
    from: ApprovalState,
    to: ApprovalState,
    adds: ApprovalStep,
    condition?: StepCondition,
    event?: LifecycleEvent,
    part?: SealedPart,
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

/** A sign-in with which a person shows who they are, on its way. */
export interface PendingSignIn {
  readonly approval: ApprovalRef;
  readonly stateHash: string;
  readonly browserHash: string;
  readonly clientId: string;
  readonly nonce: string;
  /** Code verifier and the token of the page, encrypted. */
  readonly sealed: string;
  readonly untilMs: number;
}

/** What the pages keep of browsers. */
export interface SignInStore {
  put(signIn: PendingSignIn): Promise<void>;
  /** Works once; undefined for a sign-in that is unknown, expired or already used. */
  spend(stateHash: string, nowMs: number): Promise<PendingSignIn | undefined>;
  /** A browser has shown that its user is the end user of an approval. */
  prove(browserHash: string, approval: ApprovalRef, untilMs: number): Promise<void>;
  isProven(browserHash: string, approval: ApprovalRef, nowMs: number): Promise<boolean>;
}
