import { setTimeout } from 'node:timers/promises';
import { CALL_HOOKS } from '../features/call-hooks.ts';
import { approvalStore } from '../gateway/approvals/approval.store.ts';
import { connectSessionStore } from '../gateway/authorization/session.store.ts';
import { LimitsJudge } from '../gateway/calls/judge-limits.ts';
import type { OpenJudge } from '../gateway/calls/limited-keys.ts';
import type { OpenPacing } from '../gateway/calls/paced-calls.ts';
import { ProxyPacing } from '../gateway/calls/proxy-pacing.ts';
import { rateCounter } from '../gateway/calls/rate-counter.store.ts';
import { thresholdReporter } from '../gateway/calls/report-threshold.ts';
import type { AgentSignInSettings } from '../gateway/config.ts';
import { connectionLists } from '../gateway/connections/listed-rows.store.ts';
import { GatewayError } from '../gateway/core/errors.ts';
import type { CallContext, Clock } from '../gateway/core/ports.ts';
import { openCallHooks } from '../gateway/forwarding/call-hooks.ts';
import { retryBudgets } from '../gateway/forwarding/retries.ts';
import { CallerDirectory } from '../gateway/keys/authenticate-caller.ts';
import { laterModule } from '../gateway/platform/later-module.ts';
import { PROVIDERS } from '../gateway/providers/catalogue.ts';
import { CHANGES } from '../gateway/providers/changes.ts';
import { allProviders } from '../gateway/providers/index.ts';
import { pinnedListStore } from '../gateway/server-tools/pinned-list.store.ts';
import { AccessTokens } from '../gateway/tokens/access-tokens.ts';
import { makeCallBook, makeFullRefresher, openSharedDependencies } from '../gateway/wiring.ts';
import { agentNamedBy } from './agent.ts';
import { AgentTokens, type AgentTokensDependencies } from './agent-tokens.ts';
import { type AgentToolsDependencies, agentTools } from './agent-tools.ts';
import { AgentDirectory } from './authenticate-agent.ts';
import { ConnectLinks } from './connect-links.ts';
import { IDENTITY } from './identity.ts';
import type { ServeDependencies } from './serve-request.ts';

/** Limits are judged with each call: every agent's key has some. */
const openJudge: OpenJudge = async (deps) =>
  new LimitsJudge({ ...deps, changes: CHANGES, thresholds: thresholdReporter(deps.newItems) });

/** Read with the bundle, for agents whose keys are limited to the background. */
const openPacing: OpenPacing = async (deps) => new ProxyPacing(deps);

/** Verifies access tokens of assistants, from the first on: what it takes is not read before. */
function lazyVerifier(settings: AgentSignInSettings, clock: Clock): AgentTokensDependencies['verifier'] {
  let opened: Promise<AgentTokensDependencies['verifier']> | undefined;
  return {
    async verify(token) {
      opened ??= laterModule<typeof import('./sign-in.ts')>('sign-in').then(({ agentTokenVerifier, openEgress }) =>
        agentTokenVerifier(openEgress(settings.loopbackIssuer), settings, clock),
      );
      opened.catch(() => {
        opened = undefined;
      });
      return (await opened).verify(token);
    },
  };
}

/** What this function stands on. @throws Error naming every wrong setting */
export function openMcpDependencies() {
  const shared = openSharedDependencies('mcp');
  const { config, clock, random, metrics, logger, upstream } = shared;
  const book = makeCallBook(shared, { openJudge, openPacing });
  const directory = new CallerDirectory(shared.callers, clock, book.admission, book.limits);
  const links = new ConnectLinks({
    ...shared,
    baseUrl: config.baseUrl,
    confirmUrl: config.agentSignIn?.confirmUrl,
    sessions: connectSessionStore(shared.table),
    rates: rateCounter(shared.table),
  });
  const approvals = approvalStore({ ...shared.table, tableName: config.callLog.tableName }, shared.table);
  const sending: AgentToolsDependencies = {
    approvals,
    pinnedLists: pinnedListStore(shared.table),
    google: () => laterModule('google'),
    cipher: shared.cipher,
    pause: (ms) => setTimeout(ms),
    book,
    directory,
    tokens: new AccessTokens({ ...shared, directory, refresher: makeFullRefresher(shared) }),
    upstream,
    providers: PROVIDERS,
    endpointsOf: config.endpointsOf,
    apiOrigins: config.apiOrigins,
    retryBudgetOf: retryBudgets(),
    hooks: openCallHooks(CALL_HOOKS, shared),
    baseUrl: config.baseUrl,
    clock,
    random,
    metrics,
    logger,
    async holdForApproval(call, caller, plan, why) {
      const read = await laterModule<typeof import('./approvals.ts')>('approvals');
      const described = read.DESCRIBED_METHODS;
      const deps = { ...shared, approvals, baseUrl: config.baseUrl, described };
      const held = await read.holdForApproval(deps, call, caller, plan, why);
      if (held.kind === 'answer') return held.response;
      throw new GatewayError(held.code, held.message, held.details);
    },
    connectLink: (...about) => links.reconnect(...about),
    newConnectionLink: (...about) => links.connect(...about),
  };
  const { agentSignIn } = config;
  const tokens =
    agentSignIn === undefined
      ? undefined
      : new AgentTokens({
          ...shared,
          settings: agentSignIn,
          verifier: lazyVerifier(agentSignIn, clock),
          lists: connectionLists(shared.table),
          allMethods: allProviders().flatMap(({ methodMeanings = [] }) => methodMeanings),
        });
  const agents = new AgentDirectory({
    callers: shared.callers,
    gate: book.admission,
    clock,
    tokens,
    agentsOverRest: config.agentsOverRest,
    integrations: shared.integrations,
  });
  return {
    logger,
    /** For one invocation, whose work alongside the answer is waited for. */
    serving(context: CallContext): ServeDependencies {
      return {
        identity: IDENTITY,
        allowedOrigins: [new URL(config.baseUrl).origin],
        signIn: agentSignIn && { issuer: agentSignIn.issuer, resource: `${config.baseUrl}/mcp` },
        toolsOf: async (request) =>
          agentTools(sending, agentNamedBy(await agents.resolve(request), request), request, context),
        logger,
      };
    },
  };
}
