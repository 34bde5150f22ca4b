import { isGatewayError } from '../../gateway/core/errors.ts';
import type { GatewayRequest } from '../../gateway/core/http-message.ts';
import { type ConnectionRef, sha256Hex } from '../../gateway/core/identifiers.ts';
import type { CallContext } from '../../gateway/core/ports.ts';
import type { Caller } from '../../gateway/keys/authenticate-caller.ts';
import { readKeyLimits } from '../../gateway/keys/key-limits.rules.ts';
import type {
  HeldWait,
  JsonObject,
  ListedTool,
  ReportProgress,
  ToolCall,
  ToolDefinition,
  ToolOutcome,
  ToolResult,
  ToolSet,
} from '../../gateway/server-tools/tool.rules.ts';
import type { Approval } from '../approvals/approval.rules.ts';
import type { Agent, MissingConnection } from './agent.ts';
import {
  APPROVAL_STATUS,
  type ApprovalStatusDependencies,
  hasApprovalStatus,
  isUnderWay,
  noSuchApproval,
  ownApproval,
  placeToWait,
  questionFor,
  repeatedApproval,
  statusResult,
} from './approval-status.ts';
import type { ApprovedCallDependencies } from './google/approved-call.ts';
import type { GoogleTool } from './google.lazy.ts';
import {
  ANSWER_MAX_BYTES,
  countRepeat,
  exchangeAsAgent,
  type Forward,
  resolveAgent,
  type SendDependencies,
  type SendingAs,
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
    Omit<ApprovalStatusDependencies, 'approvals'>,
    Omit<ApprovedCallDependencies, 'send' | 'approvals'> {
  readonly approvals: ApprovalStatusDependencies['approvals'] & ApprovedCallDependencies['approvals'];
  /** What serves agentic connections, loaded with the first. */
  readonly google: () => Promise<typeof import('./google.lazy.ts')>;
}

interface Reached {
  readonly ref: ConnectionRef;
  readonly caller: Caller;
  readonly tools: readonly Tool[];
}

/** The tools of an agent, of which calls can wait for a person. The asking function waits, not the process that answers. */
export interface AgentTools extends Pick<ToolSet, 'list'> {
  /** Undefined where the agent has no such tool; a place to wait at, before `decided` says what became of the call. */
  call(call: ToolCall, report?: ReportProgress): Promise<ToolOutcome | { readonly wait: HeldWait } | undefined>;
  /** Whether the repeated call still waits. */
  isUnderWay(call: ToolCall): Promise<boolean>;
  /** What became of a call that was waited for; its place is free again. */
  decided(call: ToolCall, wait: Pick<HeldWait, 'place' | 'takenUntilMs'>): Promise<ToolOutcome>;
}

/** The tools that one agent has now: what its key's limits, its connections' scopes and its list of tools leave (MC-21). */
export function agentTools(
  deps: AgentToolsDependencies,
  agent: Agent,
  request: Pick<GatewayRequest, 'requestId' | 'sourceIp'> & { readonly endsAtMs: number },
  context: CallContext,
): AgentTools {
  const { endsAtMs } = request;
  const reach = async (ref: ConnectionRef): Promise<Reached | undefined> => {
    try {
      const caller = await resolveAgent(deps, agent, ref, request.sourceIp);
      return { ref, caller, tools: toolsOf(agent, caller) };
    } catch (error) {
      if (isGatewayError(error) && OUT_OF_REACH.has(error.code)) return undefined;
      throw error;
    }
  };
  const reachAll = async () => (await Promise.all(agent.connections.map(reach))).filter((one) => one !== undefined);

  /** How calls to the provider's own server are sent. */
  const server: ApprovedCallDependencies = {
    ...deps,
    async send(sending, asked, plan, consent) {
      const forward: Forward = (call, control, caller) => {
        call.isApproved = consent === 'given';
        call.isLeftToProvider = consent === 'left_to_provider';
        return deps.forwardPlan(call, control, caller, plan, context);
      };
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
  const callOfServer = async (
    reached: readonly Reached[],
    call: ToolCall,
    startedAtMs: number,
    report: ReportProgress | undefined,
  ) => {
    for (const one of reached) {
      const tool = (await ofServers(one, call.clientCapabilities)).find(({ listed }) => listed.name === call.name);
      if (tool === undefined) continue;
      const { ref } = one;
      const sending = { agent, ref, request, startedAtMs, endsAtMs, report };
      const approval = await repeatedApproval(deps, agent, call);
      if (approval !== undefined) return repeated(sending, approval, call);
      const { callGoogleTool } = await deps.google();
      const outcome = await callGoogleTool(server, sending, tool, call);
      logCalled(ref, call.name, 'result' in outcome, startedAtMs);
      const question = 'result' in outcome ? questionFor(call, outcome.result) : undefined;
      return question === undefined ? outcome : { question };
    }
    return undefined;
  };
  /** A call of a server's tool again, after a person was asked to approve it: its result, once it has ended. */
  const repeated = async (sending: SendingAs, approval: Approval, call: ToolCall) => {
    try {
      await countRepeat(deps, sending, approval, context);
    } catch (error) {
      if (error instanceof ToolFailure) return { result: failureResult(error) };
      throw error;
    }
    const wait = await placeToWait(deps, approval, call);
    return wait === undefined ? outcomeOf(sending.startedAtMs, approval, call) : { wait };
  };
  const outcomeOf = async (startedAtMs: number, approval: Approval, call: ToolCall): Promise<ToolOutcome> =>
    (await ended(startedAtMs, approval, call)) ?? { result: await statusResult(deps, approval) };
  /** What a call that a person approved came to; undefined where the words for any approval say it. */
  const ended = async (startedAtMs: number, approval: Approval, call: ToolCall) => {
    const { state, integrationId, connectionId } = approval;
    const ref = agent.connections.find(
      (one) => one.integrationId === integrationId && one.connectionId === connectionId,
    );
    if ((state !== 'done' && state !== 'failed') || ref === undefined) return undefined;
    const { endedCall } = await deps.google();
    return endedCall(server, { agent, ref, request, startedAtMs, endsAtMs }, approval, call);
  };
  const statusOf = async (call: ToolCall, startedAtMs: number): Promise<ToolOutcome> => {
    const approval = await ownApproval(deps, agent, String(call.args.approval_id));
    const outcome = approval && (await ended(startedAtMs, approval, call));
    if (outcome !== undefined) return outcome;
    return judged(APPROVAL_STATUS, call, async () => {
      if (approval === undefined) throw noSuchApproval();
      return statusResult(deps, approval);
    });
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
      return [...ofProviders, ...ofGoogle.map(({ listed }) => listed), ...(mayWait(agent) ? [APPROVAL_STATUS] : [])];
    },

    async call(call, report) {
      const startedAtMs = deps.clock.nowMs();
      if (call.name === APPROVAL_STATUS.name) {
        if (!mayWait(agent)) return undefined;
        return statusOf(call, startedAtMs);
      }
      const reached = await reachAll();
      const found = reached.flatMap(({ ref, tools }) => {
        const tool = tools.find(({ definition }) => definition.name === call.name);
        return tool === undefined ? [] : [{ ref, tool }];
      })[0];
      if (found === undefined) {
        const ofServer = await callOfServer(reached, call, startedAtMs, report);
        return ofServer ?? missingConnection(deps, agent, call.name, request.requestId);
      }
      const { ref, tool } = found;
      const approval = await repeatedApproval(deps, agent, call);
      if (approval !== undefined) {
        const problem = problemOf(tool.definition, call);
        if (problem !== undefined) return { result: failureResult(problem) };
        return repeated({ agent, ref, request, startedAtMs, endsAtMs }, approval, call);
      }
      const outcome = await run(tool, call, {
        nowMs: startedAtMs,
        onceId: (nth) => onceId(agent, call, startedAtMs, nth),
        send: (wanted, maxBytes) =>
          sendAsAgent(deps, { agent, ref, request, startedAtMs, endsAtMs }, wanted, context, maxBytes),
      });
      logCalled(ref, tool.definition.name, outcome.result.isError === true, startedAtMs);
      const question = questionFor(call, outcome.result);
      return question === undefined ? outcome : { question };
    },

    async isUnderWay(call) {
      const approval = await repeatedApproval(deps, agent, call);
      return approval !== undefined && isUnderWay(approval, deps.clock.nowMs());
    },

    async decided(call, { place, takenUntilMs }) {
      const approval = await repeatedApproval(deps, agent, call);
      if (approval === undefined) return { result: failureResult(noSuchApproval()) };
      await deps.approvals.endWait(approval, place, takenUntilMs);
      return outcomeOf(deps.clock.nowMs(), approval, call);
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
  call: ToolCall,
  answer: () => Promise<ToolResult>,
): Promise<{ readonly result: ToolResult }> {
  try {
    const problem = problemOf(definition, call);
    if (problem !== undefined) throw problem;
    return { result: await answer() };
  } catch (error) {
    if (error instanceof ToolFailure) return { result: failureResult(error) };
    throw error;
  }
}

/** Why arguments do not fit a tool. */
function problemOf(definition: ToolDefinition, { args }: ToolCall): ToolFailure | undefined {
  const problems = argumentProblems(definition, args);
  return problems.length === 0
    ? undefined
    : new ToolFailure('invalid_arguments', `${problems.slice(0, 5).join('; ')}.`);
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
