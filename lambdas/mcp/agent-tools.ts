import { GatewayError } from '../gateway/core/errors.ts';
import type { GatewayRequest } from '../gateway/core/http-message.ts';
import { type ConnectionRef, sha256Hex } from '../gateway/core/identifiers.ts';
import type { CallContext } from '../gateway/core/ports.ts';
import { forwardPlan } from '../gateway/forwarding/proxy-call.ts';
import type { Caller } from '../gateway/keys/authenticate-caller.ts';
import { readKeyLimits } from '../gateway/keys/key-limits.rules.ts';
import type { Agent, MissingConnection } from './agent.ts';
import {
  APPROVAL_STATUS,
  type ApprovalStatusDependencies,
  approvalStatus,
  hasApprovalStatus,
  questionFor,
  repeatedApproval,
  waitForDecision,
} from './approval-status.ts';
import type { GoogleTool, GoogleToolsDependencies } from './google.ts';
import type { JsonObject } from './protocol/messages.rules.ts';
import type { ListedTool, ToolCall, ToolDefinition, ToolOutcome, ToolResult, ToolSet } from './protocol/tool.rules.ts';
import {
  ANSWER_MAX_BYTES,
  countRepeat,
  exchangeAsAgent,
  type Forward,
  resolveAgent,
  type SendDependencies,
  sendAsAgent,
} from './send-as-agent.ts';
import { argumentProblems } from './tools/arguments.rules.ts';
import { failureResult } from './tools/results.rules.ts';
import type { Tool } from './tools/tool.ts';
import { ToolFailure } from './tools/tool-failure.rules.ts';
import { hasTool, TOOLS } from './tools/tool-list.ts';

/** Refusals that say an agent does not reach a connection now: it has no tools of it. */
const OUT_OF_REACH = new Set(['unknown_connection', 'unknown_integration', 'limited_by_key', 'confirmation_required']);

/** How long the same arguments make the same thing: an event that is created twice is created once. */
const ONCE_MS = 3600 * 1000;

export interface AgentToolsDependencies
  extends SendDependencies,
    ApprovalStatusDependencies,
    Omit<GoogleToolsDependencies, 'send'> {
  /** What serves agentic connections, loaded with the first. */
  readonly google: () => Promise<typeof import('./google.ts')>;
}

interface Reached {
  readonly ref: ConnectionRef;
  readonly caller: Caller;
  readonly tools: readonly Tool[];
}

/** The tools that one agent has now: what its key's limits, its connections' scopes and its list of tools leave (MC-21). */
export function agentTools(
  deps: AgentToolsDependencies,
  agent: Agent,
  request: Pick<GatewayRequest, 'requestId' | 'sourceIp'>,
  context: CallContext,
): ToolSet {
  const reach = async (ref: ConnectionRef): Promise<Reached | undefined> => {
    try {
      const caller = await resolveAgent(deps, agent, ref, request.sourceIp);
      return { ref, caller, tools: toolsOf(agent, caller) };
    } catch (error) {
      if (error instanceof GatewayError && OUT_OF_REACH.has(error.code)) return undefined;
      throw error;
    }
  };
  const reachAll = async () => (await Promise.all(agent.connections.map(reach))).filter((one) => one !== undefined);

  /** How calls to the provider's own server are sent. */
  const server: GoogleToolsDependencies = {
    ...deps,
    async send(sending, asked, plan) {
      const forward: Forward = (call, control, caller) => forwardPlan(deps, call, control, caller, plan, context);
      try {
        return { answer: await exchangeAsAgent(deps, sending, asked, context, ANSWER_MAX_BYTES, forward) };
      } catch (error) {
        if (error instanceof ToolFailure) return { refused: failureResult(error) };
        throw error;
      }
    },
  };
  /** Tools of the provider's own server: an agentic connection has no others. */
  const ofServers = async ({ caller }: Reached, clientCapabilities: JsonObject): Promise<readonly GoogleTool[]> => {
    if (caller.integration.agentic !== true) return [];
    const { googleTools } = await deps.google();
    return googleTools(server, agent, caller, clientCapabilities, request.requestId);
  };
  const callOfServer = async (reached: readonly Reached[], call: ToolCall, startedAtMs: number) => {
    for (const one of reached) {
      const tool = (await ofServers(one, call.clientCapabilities)).find(({ listed }) => listed.name === call.name);
      if (tool === undefined) continue;
      const { ref } = one;
      const { callGoogleTool } = await deps.google();
      const outcome = await callGoogleTool(server, { agent, ref, request, startedAtMs }, tool, call);
      logCalled(ref, call.name, 'result' in outcome, startedAtMs);
      return outcome;
    }
    return undefined;
  };
  const logCalled = (
    { accountId, integrationId }: ConnectionRef,
    route: string,
    isFailed: boolean,
    startedAtMs: number,
  ) =>
    deps.logger.info('a tool was called', {
      ...{ requestId: request.requestId, accountId, integrationId, route },
      outcome: isFailed ? 'failed' : 'done',
      durationMs: deps.clock.nowMs() - startedAtMs,
    });

  return {
    async list(clientCapabilities) {
      const reached = await reachAll();
      const all = new Set([...reached.flatMap(({ tools }) => tools), ...missingTools(agent).keys()]);
      const ofProviders: ListedTool[] = TOOLS.filter((tool) => all.has(tool)).map(({ definition }) => definition);
      const ofGoogle = (await Promise.all(reached.map((one) => ofServers(one, clientCapabilities)))).flat();
      const waits = mayWait(agent) && (ofGoogle.length === 0 || ofProviders.length > 0);
      return [...ofProviders, ...ofGoogle.map(({ listed }) => listed), ...(waits ? [APPROVAL_STATUS] : [])];
    },

    async call(call) {
      const startedAtMs = deps.clock.nowMs();
      if (call.name === APPROVAL_STATUS.name) {
        if (!mayWait(agent)) return undefined;
        return judged(APPROVAL_STATUS, call, () => approvalStatus(deps, agent, String(call.args.approval_id)));
      }
      const reached = await reachAll();
      const found = reached.flatMap(({ ref, tools }) => {
        const tool = tools.find(({ definition }) => definition.name === call.name);
        return tool === undefined ? [] : [{ ref, tool }];
      })[0];
      if (found === undefined) {
        const ofServer = await callOfServer(reached, call, startedAtMs);
        return ofServer ?? missingConnection(deps, agent, call.name, request.requestId);
      }
      const { ref, tool } = found;
      const approval = await repeatedApproval(deps, agent, call);
      if (approval !== undefined) {
        return judged(tool.definition, call, async () => {
          await countRepeat(deps, { agent, ref, request, startedAtMs }, approval, context);
          return waitForDecision(deps, approval, call);
        });
      }
      const outcome = await run(tool, call, {
        nowMs: startedAtMs,
        onceId: (nth) => onceId(agent, call, startedAtMs, nth),
        send: (wanted, maxBytes) => sendAsAgent(deps, { agent, ref, request, startedAtMs }, wanted, context, maxBytes),
      });
      logCalled(ref, tool.definition.name, outcome.result.isError === true, startedAtMs);
      const question = questionFor(call, outcome.result);
      return question === undefined ? outcome : { question };
    },
  };
}

/** Whether calls of an agent can wait for a person, as far as its tools leave it to ask what became of them. */
function mayWait(agent: Agent): boolean {
  const { limits } = agent.key;
  return hasApprovalStatus(agent, limits === undefined ? undefined : readKeyLimits(limits));
}

function toolsOf(agent: Agent, { key, integration, live }: Caller): readonly Tool[] {
  const { provider, agentic } = integration;
  // They call REST APIs, which the tokens of a marked client may not reach (GA-20).
  if (agentic === true) return [];
  return TOOLS.filter((tool) => tool.provider === provider && mayHave(agent, key, tool, live.connection.grantedScopes));
}

function mayHave(
  { tools }: Agent,
  key: Agent['key'],
  tool: Tool,
  grantedScopes: readonly string[] | undefined,
): boolean {
  const limits = key.limits === undefined ? undefined : readKeyLimits(key.limits);
  // Limits of a form that is not known leave nothing.
  if (key.limits !== undefined && limits === undefined) return false;
  return hasTool({ tools, methods: limits?.methods, grantedScopes }, tool);
}

/** Tools that an agent would have if its user had connected. */
function missingTools(agent: Agent): ReadonlyMap<Tool, MissingConnection> {
  const of = (missing: MissingConnection) =>
    TOOLS.filter((tool) => tool.provider === missing.provider && mayHave(agent, agent.key, tool, undefined));
  return new Map(agent.missing.flatMap((missing) => of(missing).map((tool) => [tool, missing] as const)));
}

/** What is said instead of such a tool's result; undefined where there is no such tool. */
async function missingConnection(
  { newConnectionLink }: SendDependencies,
  agent: Agent,
  name: string,
  requestId: string,
): Promise<ToolOutcome | undefined> {
  const [, missing] = [...missingTools(agent)].find(([tool]) => tool.definition.name === name) ?? [];
  if (missing === undefined) return undefined;
  const { integrationId } = missing;
  if (integrationId === undefined) {
    const message = 'The user has several connections of this provider, and none is marked as the one for assistants.';
    return { result: failureResult(new ToolFailure('conflict', message)) };
  }
  const link = await newConnectionLink(integrationId, agent, requestId);
  const failure =
    link === undefined
      ? new ToolFailure(
          'not_connected',
          'The user has not connected this account yet. Ask the user to connect it in the app.',
        )
      : new ToolFailure(
          'not_connected',
          'The user has not connected this account yet. Ask the user to open connect_url.',
          {
            connect_url: link,
          },
        );
  return { result: failureResult(failure) };
}

function run(tool: Tool, call: ToolCall, context: Parameters<Tool['run']>[1]) {
  return judged(tool.definition, call, () => tool.run(call.args, context));
}

/** What a tool answers to arguments that fit it; failures are answers, too. */
async function judged(
  definition: ToolDefinition,
  { args }: ToolCall,
  answer: () => Promise<ToolResult>,
): Promise<{ readonly result: ToolResult }> {
  try {
    const problems = argumentProblems(definition, args);
    if (problems.length > 0) throw new ToolFailure('invalid_arguments', `${problems.slice(0, 5).join('; ')}.`);
    return { result: await answer() };
  } catch (error) {
    if (error instanceof ToolFailure) return { result: failureResult(error) };
    throw error;
  }
}

function onceId({ key }: Agent, { name, args }: ToolCall, nowMs: number, nth: number): string {
  const hour = Math.floor(nowMs / ONCE_MS);
  const text = JSON.stringify([key.keyHash, name, sorted(args), hour, ...(nth === 0 ? [] : [nth])]);
  return sha256Hex(text).slice(0, 40);
}

/** The same arguments are the same in any order. */
function sorted(args: JsonObject): readonly (readonly [string, unknown])[] {
  return Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1));
}
