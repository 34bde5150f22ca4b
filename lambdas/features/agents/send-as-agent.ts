import type { Call } from '../../gateway/calls/book.ts';
import { endUserIdOf } from '../../gateway/connections/connection.rules.ts';
import { unknownConnection } from '../../gateway/connections/find-connection.ts';
import { SERVER_TOOL_PREFIX } from '../../gateway/core/contract.ts';
import { isGatewayError } from '../../gateway/core/errors.ts';
import type { GatewayRequest, GatewayResponse, HeaderPairs } from '../../gateway/core/http-message.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { CallContext, Clock, Logger } from '../../gateway/core/ports.ts';
import type { DoorDependencies } from '../../gateway/forwarding/door-operations.ts';
import type { CallControl } from '../../gateway/forwarding/proxy-call.ts';
import type { Caller } from '../../gateway/keys/authenticate-caller.ts';
import { isToolDayUsedUp } from '../../gateway/providers/google/tool-server-causes.rules.ts';
import { PROXY_PREFIX } from '../../gateway/proxying/request-line.rules.ts';
import { watchedProgress } from '../../gateway/server-tools/server-message.rules.ts';
import type { ReportProgress } from '../../gateway/server-tools/tool.rules.ts';
import { readToolCall } from '../../gateway/server-tools/tool-call.rules.ts';
import type { Approval } from '../approvals/approval.rules.ts';
import { type OpenDependencies, openPlan } from '../approvals/held-request.ts';
import type { Agent } from './agent.ts';
import { gatewayFailure, providerFailure } from './failures.ts';
import type { ToolAnswer, ToolRequest } from './tools/tool.ts';
import { ToolFailure } from './tools/tool-failure.rules.ts';

/** One tool call ends within this, its requests together: the front door waits 29 seconds. */
export const TOOL_TIMEOUT_MS = 24_000;
/** Bytes of an answer that a tool reads, where it says no other: far above a page of a list. */
export const ANSWER_MAX_BYTES = 4 * 1024 * 1024;
/** Bytes of a failure, in which the provider gives its reason. */
const FAILURE_MAX_BYTES = 64 * 1024;

export interface SendDependencies extends DoorDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where the person behind a connection can grant access again; undefined where that cannot be made. */
  readonly connectLink: (ref: ConnectionRef, agent: Agent, requestId: string) => Promise<string | undefined>;
  /** Where the agent's user connects in an integration; undefined where the app is to say that. */
  readonly newConnectionLink: (integrationId: string, agent: Agent, requestId: string) => Promise<string | undefined>;
}

/** What all requests of one tool call have in common. */
export interface SendingAs {
  readonly agent: Agent;
  readonly ref: ConnectionRef;
  readonly request: Pick<GatewayRequest, 'requestId' | 'sourceIp'>;
  readonly startedAtMs: number;
  /** When the whole call of the tool ends, its requests together. */
  readonly endsAtMs: number;
  /** Of a call to the provider's MCP server, where the client wants to know how far it is. */
  readonly report?: ReportProgress | undefined;
}

/**
 * The agent's connection with all that a call of it needs, if the agent may reach it now. What belongs to another end user by now looks
 * as if it did not exist.
 *
 * @throws GatewayError as `CallerDirectory.resolve`
 */
export async function resolveAgent(
  { directory }: Pick<DoorDependencies, 'directory'>,
  { key, endUserId }: Agent,
  ref: ConnectionRef,
  sourceIp: string,
): Promise<Caller> {
  const caller = await directory.resolve({ ...ref, secretKey: '', key, sourceIp });
  if (endUserIdOf(caller.live.connection) !== endUserId) throw unknownConnection('Connection-Id');
  return caller;
}

/**
 * Sends one request of a tool the way that proxied calls go: limits, budgets, tokens, the call log and all counts are theirs (MC-22).
 * Nothing is repeated: whether a write was done is not known (MC-34).
 *
 * @throws ToolFailure
 */
export async function sendAsAgent(
  deps: SendDependencies,
  sending: SendingAs,
  wanted: ToolRequest,
  context: CallContext,
  maxBytes = ANSWER_MAX_BYTES,
): Promise<ToolAnswer> {
  const asked = {
    method: wanted.method,
    rawPath: PROXY_PREFIX + wanted.path,
    query: wanted.query,
    headers: [['accept', '*/*'], ['accept-encoding', 'identity'], ...(wanted.headers ?? [])] as HeaderPairs,
    body: wanted.body === undefined ? undefined : Buffer.from(wanted.body),
  };
  const answer = await exchangeAsAgent(deps, sending, asked, context, maxBytes, (call, control, caller) =>
    deps.forwardCall(call, control, caller, context),
  );
  if (answer.status >= 400) throw providerFailure(answer.status, answer.headers, answer.body, wanted.method);
  return answer;
}

/** What the provider answered, a failure of its own included. */
export interface ProviderAnswer extends ToolAnswer {
  readonly status: number;
}

/** Sends a call of an agent in one of the ways of forwarding. */
export type Forward = (call: Call, control: CallControl, caller: Caller) => Promise<GatewayResponse>;

/**
 * One call of an agent with all that belongs to it: who calls, the time it may take, the log, and what is said where it fails.
 *
 * @param asked as the call log has it; nothing else of the assistant's own request goes along
 * @throws ToolFailure for what the gateway refuses, and for an answer that breaks off or is too large
 */
export async function exchangeAsAgent(
  deps: SendDependencies,
  { agent, ref, request, endsAtMs, report }: SendingAs,
  asked: Omit<GatewayRequest, 'requestId' | 'sourceIp'>,
  context: CallContext,
  maxBytes: number,
  forward: Forward,
): Promise<ProviderAnswer> {
  const call = deps.book.begin({
    ...asked,
    requestId: request.requestId,
    sourceIp: request.sourceIp,
    byInnerDoor: true,
  });
  let status = 500;
  let complete = false;
  try {
    const caller = await resolveAgent(deps, agent, ref, request.sourceIp);
    call.isFrom(caller);
    const withinMs = Math.max(1, endsAtMs - call.startedAtMs);
    const control: CallControl = {
      ...{ retries: 0, retryOn: new Set(), baseUrlOverride: undefined, withinMs },
      ...(report && { watch: (answer) => watchedProgress(answer, report) }),
    };
    const response = await forward(call, control, caller);
    status = response.status;
    const body = await readUpTo(response, status < 400 ? maxBytes : FAILURE_MAX_BYTES);
    complete = body.complete;
    if (asked.rawPath.startsWith(SERVER_TOOL_PREFIX)) call.isToolDayUsedUp = isToolDayUsedUp(status, body.bytes);
    if (!complete && status < 400) {
      const message = `The provider's answer has more than ${maxBytes} bytes, which is more than a tool reads.`;
      throw new ToolFailure('answer_too_large', message);
    }
    return { status, headers: response.headers, body: body.bytes };
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    if (isGatewayError(error)) {
      status = error.status;
      call.refused(error.code, 0);
      const link = () => deps.connectLink(ref, agent, request.requestId);
      throw await gatewayFailure(error, link, deps.logger, request.requestId);
    }
    // The provider broke off in the middle of its answer.
    if (status < 400)
      throw new ToolFailure('upstream_unreachable', 'The provider broke off in the middle of its answer.');
    throw error;
  } finally {
    context.waitUntil(call.ended(status, complete));
  }
}

/**
 * Counts a repeat of a waiting call as the call that it repeats: by the limits of its key, and in the call log (AP-37).
 *
 * @throws ToolFailure where the limits refuse it
 */
export async function countRepeat(
  deps: SendDependencies & OpenDependencies,
  { agent, ref, request: { requestId, sourceIp } }: SendingAs,
  approval: Approval,
  context: CallContext,
): Promise<void> {
  const held = await openPlan(deps, approval);
  if (held === undefined) return;
  const { tool, method, target, headers } = held.plan;
  const standIn = readToolCall(held.plan)?.standIn;
  const [path = ''] = target.split('?', 1);
  const rawPath = tool === undefined ? PROXY_PREFIX + path : SERVER_TOOL_PREFIX + tool.name;
  const of = { method, rawPath, query: [], headers, body: undefined };
  const call = deps.book.begin({ ...of, requestId, sourceIp, byInnerDoor: true });
  let status = 403;
  try {
    const caller = await resolveAgent(deps, agent, ref, sourceIp);
    call.isFrom(caller);
    await call.asks(caller, [standIn ?? { method, target, headers, body: undefined }]);
    call.refused('approval_required', 0);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    status = error.status;
    call.refused(error.code, 0);
    throw await gatewayFailure(error, () => Promise.resolve(undefined), deps.logger, requestId);
  } finally {
    context.waitUntil(call.ended(status, true));
  }
}

async function readUpTo(
  { body }: GatewayResponse,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly complete: boolean }> {
  if (body === undefined) return { bytes: new Uint8Array(), complete: true };
  if (body instanceof Uint8Array) return { bytes: body, complete: true };
  // Leaving the loop lets go of the answer: one that is too large is not read to its end.
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return { bytes: Buffer.concat(chunks), complete: false };
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), complete: true };
}
