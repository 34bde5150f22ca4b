import type { InboxDependencies, Messages } from '../../gateway/feature-dependencies.ts';
import type { StatementRef } from './ports.ts';
import { SECURITY_EVENTS_PATH } from './statement.rules.ts';
import { statementInbox } from './statement.store.ts';
import { statementVerifier } from './statement-verifier.store.ts';
import { takeStatement } from './take-statement.ts';

/** Takes Google's statements about accounts and tokens. */
export function messages({ table, config, upstream, issuer, start, ...shared }: InboxDependencies): Messages {
  const deps = {
    ...shared,
    statements: statementInbox(table),
    verify: statementVerifier(upstream, { issuer }, shared.clock).verify,
    wake: (statement: StatementRef) => start(config.setting('refreshFunctionName'), { statement }),
    recent: new Map<string, number>(),
  };
  return { path: SECURITY_EVENTS_PATH, take: (request) => takeStatement(deps, request) };
}
