import { callInside } from '../api/call-inside.ts';
import { ApiError, apiErrorResponse } from '../api/envelope.ts';
import { emptyResponse, jsonResponse, type SimRequest, type SimResponse } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import { admit, type McpCaller, resourceMetadata } from './admission.ts';
import { judgeApproval } from './approval-form.ts';
import {
  CODES,
  eventStreamAnswer,
  faultAnswer,
  introduction,
  type McpRequest,
  readMcpMessage,
  resultAnswer,
} from './protocol.ts';
import { type McpServer, mcpPath, toolsOf } from './servers.ts';
import { argumentProblem, errorResult, type McpTool, ToolError } from './tool.ts';

const ENDPOINT = '/mcp/v1';
const SELF_ENDPOINT = '/mcp/v1self';

/** An endpoint of one of the servers, with the tools it offers. */
interface Endpoint {
  readonly server: McpServer;
  readonly tools: readonly McpTool[];
  /** False at `/mcp/v1self`, which shows no approval forms. */
  readonly canAsk: boolean;
  readonly info: Readonly<Record<string, unknown>>;
}

/** Answers what is below the host of one of Google's MCP servers. */
export async function handleMcp(sim: Simulation, http: SimRequest): Promise<SimResponse> {
  const found = mcpPath(http.path);
  if (found === undefined) return emptyResponse(404);
  const { server, path } = found;
  const offered = toolsOf(sim.state.agents, server);
  if (http.method === 'GET' || http.method === 'HEAD') {
    const document = resourceMetadata(sim, server, path, offered);
    if (document !== undefined) return jsonResponse(200, document, [['Cache-Control', 'public, max-age=3600']]);
  }
  if (path !== ENDPOINT && path !== SELF_ENDPOINT) return emptyResponse(404);
  if (http.method !== 'POST') return emptyResponse(405, [['Allow', 'POST']]);
  const info = { name: server.host, title: server.title, version: '1' };
  const canAsk = path === ENDPOINT;
  const tools = canAsk ? offered : offered.filter(({ self }) => self);
  return answerPost(sim, http, { server, tools, canAsk, info });
}

async function answerPost(sim: Simulation, http: SimRequest, endpoint: Endpoint): Promise<SimResponse> {
  const message = readMcpMessage(http.headers, http.body);
  if (message === 'no answer') return emptyResponse(202);
  if ('fault' in message) return faultAnswer(message.fault);
  const { request } = message;
  const { id, method, isModern } = request;
  if (method === (isModern ? 'server/discover' : 'initialize')) {
    return resultAnswer(request, endpoint.info, introduction(request, endpoint.info));
  }
  if (method === 'ping' && !isModern) return resultAnswer(request, endpoint.info, {});
  if (method === 'tools/list') {
    const kept = isModern ? { ttlMs: 60_000, cacheScope: 'public' } : {};
    return resultAnswer(request, endpoint.info, { tools: endpoint.tools.map(listedTool), ...kept });
  }
  if (method === 'tools/call') return callTool(sim, http, endpoint, request);
  const status = isModern ? 404 : 200;
  return faultAnswer({ status, id, code: CODES.method, message: `Method ${method} not found` });
}

function listedTool({ name, title, description, effect, inputSchema }: McpTool) {
  const annotations = {
    title,
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'change' || effect === 'delete',
    idempotentHint: effect === 'read' || effect === 'delete',
    openWorldHint: true,
  };
  return { name, title, description, inputSchema, annotations };
}

async function callTool(
  sim: Simulation,
  http: SimRequest,
  { server, tools, canAsk, info }: Endpoint,
  request: McpRequest,
): Promise<SimResponse> {
  const { id, params } = request;
  const tool = tools.find(({ name }) => name === params.name);
  if (tool === undefined) {
    return faultAnswer({ status: 200, id, code: CODES.params, message: `Tool ${String(params.name)} not found` });
  }
  const args = params.arguments ?? {};
  if (!isRecord(args)) return faultAnswer({ status: 200, id, code: CODES.params, message: 'Invalid arguments' });
  try {
    const caller = admit(sim, http, server, tool);
    const asked = canAsk ? judgeApproval(sim, { server, tool, args, token: caller.token, request }) : undefined;
    if (asked !== undefined) {
      return 'fault' in asked ? faultAnswer(asked.fault) : resultAnswer(request, info, asked.result);
    }
    const result = async () => resultAnswer(request, info, await runTool(sim, caller, tool, args));
    const change = () =>
      sim.state.agents.toolChanges.find((one) => one.server === server.host && one.name === tool.name);
    const resultInTime = async () => {
      while (change()?.waits === true) await new Promise<void>((look) => sim.state.agents.waiting.add(look));
      return result();
    };
    return eventStreamAnswer(http.headers, request, change()?.progress ?? 0, resultInTime) ?? (await result());
  } catch (error) {
    if (error instanceof ApiError) return apiErrorResponse(error.failure, error.headers);
    throw error;
  }
}

/** Result of a tool that may run; what stands against it is a result too, which the model reads. */
async function runTool(
  sim: Simulation,
  { accessToken }: McpCaller,
  tool: McpTool,
  args: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const problem = argumentProblem(tool.inputSchema, args);
    if (problem !== undefined) throw new ToolError(problem);
    const shown = await tool.run({
      args,
      nowMs: sim.clock.nowMs(),
      async api(call) {
        const answer = await callInside(sim, { accessToken, ...call });
        if (answer.problem !== undefined) throw new ToolError(answer.problem);
        return answer;
      },
    });
    return { content: [{ type: 'text', text: JSON.stringify(shown) }], structuredContent: shown };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return errorResult(error.message);
  }
}
