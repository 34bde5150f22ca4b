/** Where statements of the provider, what follows from them, and the projects they come for are kept. */
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { StatedFact } from './evidence.rules.ts';
import type { Statement } from './statement.rules.ts';

/** A Cloud project whose statements the gateway takes. Times in epoch seconds. */
export interface SecurityProject {
  readonly cloudProject: string;
  /** Accounts of the gateway whose integrations have clients of it, as they registered. */
  readonly accountIds: readonly string[];
  readonly registeredAtEpochSec: number;
  /** Text that the last verification was asked for with. */
  readonly verificationState: string | undefined;
  /** When a statement with that text came. */
  readonly verifiedAtEpochSec: number | undefined;
  readonly lastStatementAtEpochSec: number | undefined;
}

/** What the receiver reads and writes (SH-4). */
export interface StatementInbox {
  /** Strongly consistent; undefined for a project that is not registered. */
  project(cloudProject: string): Promise<SecurityProject | undefined>;
  /** Notes that a project's stream works. @param verified the statement answers the verification that was asked for last */
  noteStatement(project: SecurityProject, nowEpochSec: number, verified: boolean): Promise<void>;
  /** Keeps a fact as evidence, unless a later one of its type is there. */
  keepEvidence(statement: Statement): Promise<void>;
  /** Keeps a statement, due at once; false when it is there already (RI-11). */
  keep(statement: Statement, isDue: boolean): Promise<boolean>;
}

/** Evidence as a diagnosis reads it. */
export interface EvidenceReader {
  /**
   * What was stated of an account, or of the token that a print names. Strongly consistent.
   *
   * @param subject undefined where nobody knows whose grant it is
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
  /** Strongly consistent; undefined where there is none, or its work is done. */
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
   * @param event reports it, where the account has not registered it before
   */
  register(
    cloudProject: string,
    wish: { readonly accountId: string; readonly state: string | undefined; readonly nowEpochSec: number },
    event: LifecycleEvent,
  ): Promise<SecurityProject>;
  /**
   * Gives the project up for an account; where no other has registered it, its statements are refused from now on.
   *
   * @returns false where the account has not registered it
   */
  remove(cloudProject: string, accountId: string, event: LifecycleEvent): Promise<boolean>;
}
