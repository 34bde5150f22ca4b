/** Ports for the provider's statements, the work that follows, and the projects that they are for. */
import type { LifecycleEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { StatedFact } from './evidence.rules.ts';
import type { Statement } from './statement.rules.ts';

/** A Cloud project whose statements the gateway accepts. Times in epoch seconds. */
export interface SecurityProject {
  readonly cloudProject: string;
  /** Accounts of the gateway that registered it, because their integrations have clients of it. */
  readonly accountIds: readonly string[];
  readonly registeredAtEpochSec: number;
  /** Text of the last requested verification. */
  readonly verificationState: string | undefined;
  /** When a statement with that text came. */
  readonly verifiedAtEpochSec: number | undefined;
  readonly lastStatementAtEpochSec: number | undefined;
}

/** The receiver's storage (SH-4). */
export interface StatementInbox {
  /** Strongly consistent; undefined for a project that is not registered. */
  project(cloudProject: string): Promise<SecurityProject | undefined>;
  /** Records that a project's stream works. @param verified the statement answers the last requested verification */
  noteStatement(project: SecurityProject, nowEpochSec: number, verified: boolean): Promise<void>;
  /** Keeps a fact as evidence, unless a later one of its type exists. */
  keepEvidence(statement: Statement): Promise<void>;
  /** Stores a statement, due at once; false when it exists already (RI-11). */
  keep(statement: Statement, isDue: boolean): Promise<boolean>;
}

/** Evidence as a diagnosis reads it. */
export interface EvidenceReader {
  /**
   * Statements about an account, or about the token of a print. Strongly consistent.
   *
   * @param subject undefined where the grant's account is unknown
   */
  facts(
    cloudProject: string,
    subject: string | undefined,
    tokenPrints: readonly string[],
  ): Promise<readonly StatedFact[]>;
}

/** Names a kept statement. */
export type StatementRef = Pick<Statement, 'cloudProject' | 'jti' | 'index'>;

/** A statement that waits for its work. */
export interface DueStatement extends Statement {
  readonly failureCount: number;
}

/** Statements as the schedule works on them. */
export interface StatementQueue {
  /** Strongly consistent; undefined without one, or when its work is done. */
  read(ref: StatementRef): Promise<DueStatement | undefined>;
  due(shard: number, untilEpochSec: number, limit: number): Promise<readonly StatementRef[]>;
  postpone(statement: DueStatement, untilEpochSec: number): Promise<void>;
  /** Its work is done; the record stays. */
  finish(ref: StatementRef): Promise<void>;
}

/** Projects as operators manage them. */
export interface SecurityProjects {
  read(cloudProject: string): Promise<SecurityProject | undefined>;
  /**
   * Registers a project for an account, and expects a verification with this text.
   *
   * @param event reports it, unless the account had registered it before
   */
  register(
    cloudProject: string,
    wish: { readonly accountId: string; readonly state: string | undefined; readonly nowEpochSec: number },
    event: LifecycleEvent,
  ): Promise<SecurityProject>;
  /**
   * Removes the project from an account; if no other has registered it, its statements are refused from now on.
   *
   * @returns false where the account has not registered it
   */
  remove(cloudProject: string, accountId: string, event: LifecycleEvent): Promise<boolean>;
}
