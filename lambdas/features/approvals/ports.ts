import type { ApprovalRef } from '../../gateway/approvals/approval.rules.ts';

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
