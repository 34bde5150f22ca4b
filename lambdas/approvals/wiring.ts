import { CALL_HOOKS } from '../features/call-hooks.ts';
import { approvalStore } from '../gateway/approvals/approval.store.ts';
import { LimitsJudge } from '../gateway/calls/judge-limits.ts';
import { ProxyPacing } from '../gateway/calls/proxy-pacing.ts';
import { rateCounter } from '../gateway/calls/rate-counter.store.ts';
import { thresholdReporter } from '../gateway/calls/report-threshold.ts';
import { openCallHooks } from '../gateway/forwarding/call-hooks.ts';
import { retryBudgets } from '../gateway/forwarding/retries.ts';
import { brandSource } from '../gateway/http/html-page.ts';
import { CallerDirectory } from '../gateway/keys/authenticate-caller.ts';
import { secretKeyStore } from '../gateway/keys/secret-key.store.ts';
import { APPROVAL_TEXTS } from '../gateway/languages/approvals.ts';
import { openBuiltTexts, readBuiltFile } from '../gateway/platform/built-file.ts';
import { idTokenVerifier } from '../gateway/platform/oidc/id-token-verifier.ts';
import { PROVIDERS } from '../gateway/providers/catalogue.ts';
import { CHANGES } from '../gateway/providers/changes.ts';
import { DESCRIBED_METHODS } from '../gateway/providers/described.ts';
import { allProviders } from '../gateway/providers/index.ts';
import { AccessTokens } from '../gateway/tokens/access-tokens.ts';
import { makeCallBook, makeFullRefresher, openSharedDependencies } from '../gateway/wiring.ts';
import { signInStore } from './sign-in.store.ts';

/** Opens everything once per cold start. @throws Error naming every wrong setting */
export function openDependencies() {
  const shared = openSharedDependencies('approvals');
  const { config, table, clock } = shared;
  const log = { ...table, tableName: config.callLog.tableName };
  const book = makeCallBook(shared, {
    openJudge: async (deps) =>
      new LimitsJudge({ ...deps, changes: CHANGES, thresholds: thresholdReporter(deps.newItems) }),
    openPacing: async (deps) => new ProxyPacing(deps),
  });
  const directory = new CallerDirectory(shared.callers, clock, book.admission, book.limits);
  const refresher = makeFullRefresher(shared);
  return {
    ...shared,
    book,
    directory,
    refresher,
    tokens: new AccessTokens({ ...shared, directory, refresher }),
    providers: PROVIDERS,
    apiOrigins: config.apiOrigins,
    retryBudgetOf: retryBudgets(),
    hooks: openCallHooks(CALL_HOOKS, shared),
    baseUrl: config.baseUrl,
    approvals: approvalStore(log, table),
    secretKeys: secretKeyStore(table),
    signIns: signInStore(log),
    rates: rateCounter(table),
    idTokens: idTokenVerifier(shared.upstream),
    approvers: config.approvers,
    described: DESCRIBED_METHODS,
    agentSignIn: config.agentSignIn,
    allMethods: allProviders().flatMap(({ methodMeanings = [] }) => methodMeanings),
    brand: brandSource(config.brand, readBuiltFile),
    texts: APPROVAL_TEXTS,
    builtText: openBuiltTexts(),
    // What was approved waits for nobody again.
    holdForApproval: () => Promise.reject(new Error('An approved call asks for approval')),
  };
}
