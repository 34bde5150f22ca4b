import { DUE_PARTITIONS } from '../../gateway/core/contract.ts';
import type { DueWork, DueWorkDependencies } from '../../gateway/feature-dependencies.ts';
import type { StatementRef } from './ports.ts';
import { securityProjects, statementQueue } from './statement.store.ts';
import { sweepStatements, workOnStatement } from './work-on-statement.ts';

/** Statements whose work was asked for by the inbox, and those of which the request was lost. */
export function dueWork(shared: DueWorkDependencies): DueWork {
  const deps = { ...shared, statements: statementQueue(shared.table), projects: securityProjects(shared.table) };
  return {
    firstPartition: DUE_PARTITIONS.securityEvents,
    sweep: (shard, untilMs, requestId) => sweepStatements(deps, shard, untilMs, requestId),
    member: 'statement',
    async asked(wish, untilMs, requestId) {
      const ref = readStatementRef(wish);
      return ref && workOnStatement(deps, ref, untilMs, requestId);
    },
  };
}

/** The statement that the function was called for: `{"cloudProject", "jti", "index"}`. */
export function readStatementRef(wish: unknown): StatementRef | undefined {
  const { cloudProject, jti, index }: Readonly<Record<string, unknown>> = Object(wish);
  if (typeof cloudProject !== 'string' || typeof jti !== 'string' || typeof index !== 'number') return undefined;
  return { cloudProject, jti, index };
}
