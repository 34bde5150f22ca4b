/** Built as `agents.mjs` next to the proxy's bundle, and loaded with the first question of the function of assistants. */

import { connectSessionStore } from '../../gateway/authorization/session.store.ts';
import { rateCounter } from '../../gateway/calls/rate-counter.store.ts';
import { connectionLists } from '../../gateway/connections/listed-rows.store.ts';
import { type DoorOperation, jsonAnswer, type ReportPart } from '../../gateway/core/door.ts';
import type { CallContext, Clock } from '../../gateway/core/ports.ts';
import type { DoorDependencies } from '../../gateway/forwarding/door-operations.ts';
import { allProviders } from '../../gateway/providers/index.ts';
import { pinnedListStore } from '../../gateway/server-tools/pinned-list.store.ts';
import type { SharedDependencies } from '../../gateway/wiring.ts';
import { approvalStore } from '../approvals/approval.store.ts';
import { agentNamedBy } from './agent.ts';
import { AgentTokens, type AgentTokensDependencies } from './agent-tokens.ts';
import { type AgentTools, type AgentToolsDependencies, agentTools } from './agent-tools.ts';
import { AgentDirectory } from './authenticate-agent.ts';
import { ConnectLinks } from './connect-links.ts';
import { type AgentOperation, readCall, readQuestion, readWait } from './question.rules.ts';
import { TOOL_TIMEOUT_MS } from './send-as-agent.ts';
import { type AgentSignInSettings, agentsOverRest, signInSettings } from './settings.rules.ts';

/** Verifies access tokens of assistants, from the first on: what it takes is not read before. */
function lazyVerifier(
  { later }: Pick<SharedDependencies, 'later'>,
  settings: AgentSignInSettings,
  clock: Clock,
): AgentTokensDependencies['verifier'] {
  let opened: Promise<AgentTokensDependencies['verifier']> | undefined;
  return {
    async verify(token) {
      opened ??= later<typeof import('./sign-in.lazy.ts')>('sign-in').then(({ agentTokenVerifier, openEgress }) =>
        agentTokenVerifier(openEgress(settings.loopbackIssuer), settings, clock),
      );
      opened.catch(() => {
        opened = undefined;
      });
      return (await opened).verify(token);
    },
  };
}

/** What the function of assistants may ask: each question is judged by the credential that comes with it. */
export function openAgentOperations(
  shared: SharedDependencies & DoorDependencies,
): Readonly<Record<AgentOperation, DoorOperation>> {
  const { config, clock, table, book } = shared;
  const signIn = signInSettings(config);
  const links = new ConnectLinks({
    ...shared,
    baseUrl: config.baseUrl,
    confirmUrl: signIn?.confirmUrl,
    sessions: connectSessionStore(table),
    rates: rateCounter(table),
  });
  const sending: AgentToolsDependencies = {
    ...shared,
    approvals: approvalStore({ ...table, tableName: config.callLog.tableName }, table),
    pinnedLists: pinnedListStore(table),
    google: () => shared.later('google'),
    baseUrl: config.baseUrl,
    connectLink: (...about) => links.reconnect(...about),
    newConnectionLink: (...about) => links.connect(...about),
  };
  const tokens =
    signIn === undefined
      ? undefined
      : new AgentTokens({
          ...shared,
          settings: signIn,
          verifier: lazyVerifier(shared, signIn, clock),
          lists: connectionLists(table),
          allMethods: allProviders().flatMap(({ methodMeanings = [] }) => methodMeanings),
        });
  const agents = new AgentDirectory({
    callers: shared.callers,
    gate: book.admission,
    clock,
    tokens,
    agentsOverRest: agentsOverRest(config),
    integrations: shared.integrations,
  });
  const asked =
    (
      answer: (
        tools: AgentTools,
        rest: ReturnType<typeof readQuestion>['rest'],
        report: ReportPart,
      ) => Promise<unknown>,
      isCounted = true,
    ): DoorOperation =>
    async (input: unknown, context: CallContext, report: ReportPart) => {
      const { rest, headers, sourceIp, withinMs } = readQuestion(input);
      const { requestId } = context;
      const endsAtMs = clock.nowMs() + Math.max(1, Math.min(withinMs, TOOL_TIMEOUT_MS));
      const agent = agentNamedBy(await agents.resolve({ headers }, isCounted), { headers });
      const tools = agentTools(sending, agent, { requestId, sourceIp, endsAtMs }, context);
      return jsonAnswer(await answer(tools, rest, report));
    };
  return {
    judge: asked(async () => null),
    list: asked((tools, { clientCapabilities }) => tools.list(Object(clientCapabilities))),
    call: asked((tools, rest, report) => tools.call(readCall(rest), rest.wantsProgress === true ? report : undefined)),
    // Parts of a call that was counted when it began.
    look: asked((tools, rest) => tools.isUnderWay(readCall(rest)), false),
    decided: asked((tools, rest) => tools.decided(readCall(rest), readWait(rest)), false),
  };
}
