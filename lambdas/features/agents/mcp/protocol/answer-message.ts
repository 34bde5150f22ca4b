import { RefusedAtDoor } from '../../../../gateway/core/door.ts';
import { GatewayError } from '../../../../gateway/core/errors.ts';
import { type GatewayRequest, type GatewayResponse, headerValue } from '../../../../gateway/core/http-message.ts';
import { partsOf } from '../../../../gateway/core/parts.ts';
import type { Logger } from '../../../../gateway/core/ports.ts';
import {
  isObject,
  type JsonObject,
  type Progress,
  type ReportProgress,
  type ToolCall,
  type ToolSet,
} from '../../../../gateway/server-tools/tool.rules.ts';
import {
  isLegacyVersion,
  isModern,
  LEGACY_VERSIONS,
  META,
  metaOf,
  modernRefusal,
  type ProgressToken,
  type ProtocolHeaders,
  progressTokenOf,
  type Refusal,
  RPC,
  type RpcId,
  readMessage,
  SUPPORTED_VERSIONS,
} from './messages.rules.ts';

/** Name and description that a server of tools reports to assistants. */
export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly instructions: string;
}

export interface ProtocolDependencies {
  readonly identity: ServerIdentity;
  readonly tools: ToolSet;
  readonly logger: Logger;
}

/** How long a client may cache the description of the server and its tools. */
const LIST_TTL_MS = 60_000;
const KEPT = { ttlMs: LIST_TTL_MS, cacheScope: 'private' } as const;
const CAPABILITIES = { tools: {} } as const;

/**
 * Answers one message of the Model Context Protocol, of either era: no session, nothing remembered between two requests (MC-2 to MC-4). The
 * answer is JSON, or a stream of events that ends with it if a client asks for the progress of its call and the call reports any (GA-23).
 *
 * @throws GatewayError for callers and calls that are refused
 */
export async function answerMessage(deps: ProtocolDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  const message = readMessage(request.body);
  if (message.kind === 'notification' || message.kind === 'reply') return { status: 202, headers: [], body: undefined };
  if (message.kind === 'invalid') return failed(request, message.id, 400, message);
  const { id, method, params } = message;
  const headers: ProtocolHeaders = {
    version: headerValue(request.headers, 'mcp-protocol-version'),
    method: headerValue(request.headers, 'mcp-method'),
    name: headerValue(request.headers, 'mcp-name'),
  };
  const modern = isModern(headers, method, params);
  const refused = modern ? modernRefusal(headers, method, params) : undefined;
  if (refused !== undefined) return failed(request, id, 400, refused);
  const answered = (report?: ReportProgress) => resultMessage(deps, request, { id, method, params, modern, report });
  const token = progressTokenOf(headerValue(request.headers, 'accept'), method, params);
  if (token === undefined) return answered();
  const made = await partsOf<Progress, GatewayResponse>(answered);
  return 'end' in made ? made.end : eventStream(request, id, token, made.parts);
}

interface AskedMessage {
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
  readonly modern: boolean;
  readonly report: ReportProgress | undefined;
}

/** The answer to a request that is well formed. @throws GatewayError for callers and calls that are refused */
async function resultMessage(
  deps: ProtocolDependencies,
  request: GatewayRequest,
  { id, method, params, modern, report }: AskedMessage,
): Promise<GatewayResponse> {
  try {
    const outcome = await (modern ? modernResult : legacyResult)(deps, method, params, report);
    if (outcome === undefined) {
      const unknown = { code: RPC.methodNotFound, message: `This server has no method ${method}.` };
      return failed(request, id, modern ? 404 : 200, unknown);
    }
    return 'refused' in outcome
      ? failed(request, id, 200, outcome.refused)
      : json(request, 200, { jsonrpc: '2.0', id, result: outcome.result });
  } catch (error) {
    if (error instanceof GatewayError && error.code !== 'internal_error') throw error;
    deps.logger.error('a message of an assistant failed', { requestId: request.requestId }, error);
    const text = `The gateway failed. Its log has the details under the request id ${request.requestId}.`;
    return failed(request, id, 200, { code: RPC.internalError, message: text });
  }
}

type Outcome = { readonly result: JsonObject } | { readonly refused: Refusal };

/** Versions with a handshake, which leaves nothing behind: the client says its version in a header from then on. */
async function legacyResult(
  { identity, tools }: ProtocolDependencies,
  method: string,
  params: JsonObject,
  report: ReportProgress | undefined,
): Promise<Outcome | undefined> {
  switch (method) {
    case 'initialize': {
      const { instructions, ...serverInfo } = identity;
      const asked = params.protocolVersion;
      const protocolVersion = isLegacyVersion(asked) ? asked : LEGACY_VERSIONS[0];
      return { result: { protocolVersion, capabilities: CAPABILITIES, serverInfo, instructions } };
    }
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: await tools.list({}) } };
    case 'tools/call':
      return callTool(tools, params, {}, report);
    default:
      return undefined;
  }
}

async function modernResult(
  { identity, tools }: ProtocolDependencies,
  method: string,
  params: JsonObject,
  report: ReportProgress | undefined,
): Promise<Outcome | undefined> {
  const { instructions, ...serverInfo } = identity;
  const complete = (outcome: Outcome): Outcome =>
    'refused' in outcome
      ? outcome
      : {
          result: {
            resultType: 'complete',
            ...outcome.result,
            _meta: { ...metaOf(outcome.result), [META.serverInfo]: serverInfo },
          },
        };
  switch (method) {
    case 'server/discover': {
      const result = { supportedVersions: SUPPORTED_VERSIONS, capabilities: CAPABILITIES, instructions, ...KEPT };
      return complete({ result });
    }
    case 'tools/list':
      return complete({ result: { tools: await tools.list(declaredBy(params)), ...KEPT } });
    case 'tools/call':
      return complete(await callTool(tools, params, declaredBy(params), report));
    default:
      return undefined;
  }
}

/** What a client says that it can do, with each request. */
function declaredBy(params: JsonObject): JsonObject {
  const declared = metaOf(params)[META.capabilities];
  return isObject(declared) ? declared : {};
}

async function callTool(
  tools: ToolSet,
  params: JsonObject,
  clientCapabilities: JsonObject,
  report: ReportProgress | undefined,
): Promise<Outcome> {
  const { name, arguments: args = {}, requestState, inputResponses } = params;
  if (typeof name !== 'string') return invalidParams('params.name must be the name of a tool.');
  if (!isObject(args)) return invalidParams('params.arguments must be an object.');
  const call: ToolCall = {
    name,
    args,
    clientCapabilities,
    requestState: typeof requestState === 'string' ? requestState : undefined,
    inputResponses: isObject(inputResponses) ? inputResponses : undefined,
    wasDeclined: isObject(inputResponses) && Object.values(inputResponses).some(isRefusal),
  };
  const outcome = await tools.call(call, report);
  if (outcome === undefined) return invalidParams(`There is no tool ${JSON.stringify(name.slice(0, 128))} here.`);
  if ('passed' in outcome) return { result: outcome.passed };
  return 'result' in outcome
    ? { result: { ...outcome.result } }
    : { result: { resultType: 'input_required', ...outcome.question } };
}

/** An answer to a question that is not `accept` ("Elicitation", section "Response actions"). */
function isRefusal(answer: unknown): boolean {
  return isObject(answer) && (answer.action === 'decline' || answer.action === 'cancel');
}

function invalidParams(message: string): Outcome {
  return { refused: { code: RPC.invalidParams, message } };
}

/** Progress as it comes, and the answer as the last event ("Streamable HTTP", section "Sending messages"). */
function eventStream(
  request: GatewayRequest,
  id: RpcId,
  progressToken: ProgressToken,
  parts: AsyncGenerator<Progress, GatewayResponse>,
): GatewayResponse {
  const { headers } = json(request, 200, {});
  const others = headers.filter(([name]) => name !== 'content-type');
  const body = eventsOf(parts, progressToken, (error) => brokenOff(request, id, error));
  return { status: 200, headers: [['content-type', 'text/event-stream'], ...others], body };
}

async function* eventsOf(
  parts: AsyncGenerator<Progress, GatewayResponse>,
  progressToken: ProgressToken,
  failure: (error: unknown) => GatewayResponse,
): AsyncGenerator<Uint8Array> {
  const event = (message: Uint8Array) =>
    Buffer.concat([Buffer.from('event: message\ndata: '), message, Buffer.from('\n\n')]);
  try {
    for (;;) {
      const next = await parts.next().catch((error: unknown) => ({ done: true, value: failure(error) }) as const);
      if (next.done === true) {
        const { body } = next.value;
        return yield event(body instanceof Uint8Array ? body : new Uint8Array());
      }
      const params = { progressToken, ...next.value };
      yield event(Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })));
    }
  } finally {
    // Also for a client that has gone: what the call began is carried through.
    await parts.return({ status: 200, headers: [], body: undefined });
  }
}

/** A refusal behind progress: the status of the answer has left already. */
function brokenOff(request: GatewayRequest, id: RpcId, error: unknown): GatewayResponse {
  if (!(error instanceof GatewayError)) throw error;
  const { message, ...data } = error instanceof RefusedAtDoor ? detailsAtDoor(error) : detailsOf(error);
  return failed(request, id, 200, { code: RPC.internalError, message, data });
}

interface RefusalDetails {
  readonly code: string;
  readonly message: string;
  readonly retry_after: number | undefined;
  readonly applied: unknown;
}

function detailsOf({ code, message, retryAfterSec, applied }: GatewayError): RefusalDetails {
  return { code, message, retry_after: retryAfterSec, applied };
}

/** The text of the refusal is in the body of the proxy's response. */
function detailsAtDoor({ code, response: { headers, body } }: RefusedAtDoor): RefusalDetails {
  const envelope: unknown = body instanceof Uint8Array ? JSON.parse(Buffer.from(body).toString('utf8')) : undefined;
  const refused = isObject(envelope) && isObject(envelope.error) ? envelope.error : {};
  const wait = headerValue(headers, 'retry-after');
  const retryAfterSec = wait === undefined ? undefined : Number(wait);
  return { code, message: String(refused.message), retry_after: retryAfterSec, applied: refused.applied };
}

function failed(
  request: GatewayRequest,
  id: RpcId | null,
  status: number,
  { code, message, data }: Refusal,
): GatewayResponse {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return json(request, status, { jsonrpc: '2.0', id, error });
}

function json({ requestId }: GatewayRequest, status: number, body: JsonObject): GatewayResponse {
  return {
    status,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['cache-control', 'no-store'],
      ['x-content-type-options', 'nosniff'],
      ['x-request-id', requestId],
    ],
    body: Buffer.from(JSON.stringify(body)),
  };
}
