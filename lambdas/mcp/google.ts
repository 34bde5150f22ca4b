/**
 * Tools of Google's own MCP servers, for agentic connections. Built as `google.mjs` and loaded with the first of them. Errors that it throws to the
 * bundle would be of another class, so refusals cross as results.
 */

import { epochSecNow } from '../gateway/core/clock.ts';
import { SERVER_TOOL_PREFIX } from '../gateway/core/contract.ts';
import { type GatewayRequest, type HeaderPairs, headerValue } from '../gateway/core/http-message.ts';
import { type ConnectionRef, sha256Hex } from '../gateway/core/identifiers.ts';
import { SERVER_TOOLS_FETCH_INTERVAL_SEC } from '../gateway/core/limits.ts';
import type { TokenCipher } from '../gateway/core/ports.ts';
import type { Caller } from '../gateway/keys/authenticate-caller.ts';
import { readKeyLimits } from '../gateway/keys/key-limits.rules.ts';
import { GOOGLE_SCOPE_PREFIX } from '../gateway/providers/google/scope-aliases.rules.ts';
import { TOOL_SERVER_CAUSES, type ToolServerRefusal } from '../gateway/providers/google/tool-server-causes.rules.ts';
import type { ProviderId } from '../gateway/providers/provider-ids.rules.ts';
import { HINT_HEADER } from '../gateway/proxying/headers.rules.ts';
import type { UpstreamPlan } from '../gateway/proxying/upstream-request.rules.ts';
import {
  KNOWN_SERVERS,
  type KnownServer,
  type KnownTool,
  offeredName,
  standInFor,
} from '../gateway/server-tools/known-tools.rules.ts';
import { type EndpointKind, offered, type PinnedList, type ServerTool } from '../gateway/server-tools/pins.rules.ts';
import { endpointUrl, type RefreshListDependencies, refreshList } from '../gateway/server-tools/refresh-list.ts';
import { readServerAnswer, serverRequest } from '../gateway/server-tools/server-message.rules.ts';
import type { Agent } from './agent.ts';
import { providerFailure } from './failures.ts';
import { isObject, type JsonObject } from './protocol/messages.rules.ts';
import type { ListedTool, ToolCall, ToolOutcome, ToolResult } from './protocol/tool.rules.ts';
import type { ProviderAnswer, SendDependencies, SendingAs } from './send-as-agent.ts';
import { cut, failureResult, PROVIDER_MESSAGE_MAX_CHARACTERS, UNTRUSTED } from './tools/results.rules.ts';
import { ToolFailure } from './tools/tool-failure.rules.ts';

export interface GoogleToolsDependencies extends RefreshListDependencies {
  readonly cipher: TokenCipher;
  readonly connectLink: SendDependencies['connectLink'];
  /** Sends a call as all calls of agents go. What it throws would be of a class that is not this module's, so refusals are results. */
  readonly send: (
    sending: SendingAs,
    asked: Pick<GatewayRequest, 'method' | 'rawPath' | 'query' | 'headers' | 'body'>,
    plan: UpstreamPlan,
  ) => Promise<{ readonly answer: ProviderAnswer } | { readonly refused: ToolResult }>;
}

/** A tool of Google's own server that an agent has. */
export interface GoogleTool {
  readonly listed: ListedTool;
  readonly known: KnownTool;
  readonly server: KnownServer;
  readonly provider: ProviderId;
  readonly endpoint: EndpointKind;
}

/** Which endpoint serves a client: Google's approval forms need one that can show them (GA-24). */
export function endpointFor(clientCapabilities: JsonObject): EndpointKind {
  const { elicitation } = clientCapabilities;
  // A client that names no mode shows forms ("Elicitation", section "Capabilities").
  const showsForms = isObject(elicitation) && (isObject(elicitation.form) || Object.keys(elicitation).length === 0);
  return showsForms ? 'full' : 'self';
}

/** The tools of an agentic connection: pinned, known, and left by the key's limits, its list of tools and the granted scopes (GA-22). */
export async function googleTools(
  deps: GoogleToolsDependencies,
  agent: Agent,
  { key, integration, live }: Caller,
  clientCapabilities: JsonObject,
  requestId: string,
): Promise<readonly GoogleTool[]> {
  const { provider, accountId } = integration;
  const server = KNOWN_SERVERS[provider];
  if (server === undefined) return [];
  const limits = key.limits === undefined ? undefined : readKeyLimits(key.limits);
  // Limits of a form that is not known leave nothing.
  if (key.limits !== undefined && limits === undefined) return [];
  const endpoint = endpointFor(clientCapabilities);
  const list = await currentList(deps, { accountId, provider, endpoint }, requestId);
  const described = new Map(list === undefined ? [] : offered(list).map((one) => [one.name, one]));
  const { grantedScopes } = live.connection;
  return server.tools.flatMap((known): readonly GoogleTool[] => {
    const now = described.get(known.name);
    const name = offeredName(server, known.name);
    const has =
      (agent.tools === undefined || (name !== undefined && agent.tools.includes(name))) &&
      (limits?.methods === undefined || limits.methods.includes(known.method)) &&
      known.scopes.some((scope) => grantedScopes.includes(GOOGLE_SCOPE_PREFIX + scope));
    if (now === undefined || name === undefined || !has) return [];
    return [{ listed: listedAs(name, now), known, server, provider, endpoint }];
  });
}

function listedAs(name: string, { title, description, inputSchema, annotations }: ServerTool): ListedTool {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
  };
}

async function currentList(
  deps: RefreshListDependencies,
  ref: Parameters<typeof refreshList>[1],
  requestId: string,
): Promise<PinnedList | undefined> {
  const known = await deps.pinnedLists.read(ref);
  const isFresh =
    known !== undefined && epochSecNow(deps.clock) - known.fetchedAtEpochSec < SERVER_TOOLS_FETCH_INTERVAL_SEC;
  return isFresh ? known : refreshList(deps, ref, known, requestId);
}

/** Calls a tool of Google's server as the connection's user, and passes on what it answers: a result, or a form for the user (GA-23, GA-24). */
export async function callGoogleTool(
  deps: GoogleToolsDependencies,
  sending: SendingAs,
  tool: GoogleTool,
  call: ToolCall,
): Promise<ToolOutcome> {
  try {
    return await called(deps, sending, tool, call);
  } catch (error) {
    if (error instanceof ToolFailure) return { result: failureResult(error) };
    throw error;
  }
}

async function called(
  deps: GoogleToolsDependencies,
  sending: SendingAs,
  { known, server, provider, endpoint }: GoogleTool,
  call: ToolCall,
): Promise<ToolOutcome> {
  const url = endpointUrl(deps.endpointsOf(provider).toolServerEndpoint, endpoint);
  if (url === undefined) throw new ToolFailure('not_available', 'This deployment has no MCP server of the provider.');
  const { agent, ref, request } = sending;
  const about = formDigest(agent, ref, call);
  const answers = await formAnswers(deps, ref, call, about);
  const params = { name: known.name, arguments: call.args, ...answers };
  const { headers, body } = serverRequest('tools/call', params, formCapability(endpoint));
  const standIn = standInFor(server, known, call.args);
  const plan = {
    ...{ origin: url.origin, method: 'POST', effectiveMethod: 'POST', target: url.pathname },
    ...{ headers, body, standIn },
  };
  const asked = { method: 'POST', rawPath: SERVER_TOOL_PREFIX + known.name, query: [], headers: [], body };
  const sent = await deps.send(sending, asked, plan);
  if ('refused' in sent) return { result: sent.refused };
  const { answer } = sent;
  const read = readServerAnswer(answer.headers, answer.body);
  if (read.kind === 'error' && read.code === NEEDS_CAPABILITY) throw formNeeded();
  if (answer.status >= 400) throw await serverFailure(answer, () => deps.connectLink(ref, agent, request.requestId));
  if (read.kind === 'unreadable') {
    throw new ToolFailure('upstream_invalid_response', 'Google’s MCP server gave an answer that cannot be read.');
  }
  if (read.kind === 'error') {
    throw new ToolFailure('provider_failed', 'Google’s MCP server refuses the call.', {
      provider_code: read.code,
      provider_message: cut(read.message, PROVIDER_MESSAGE_MAX_CHARACTERS),
    });
  }
  const { resultType, _meta, ...result } = read.result;
  if (resultType !== 'input_required') return { passed: { ...result, _meta: UNTRUSTED } };
  const { inputRequests, requestState } = result;
  if (endpoint !== 'full' || !isObject(inputRequests)) {
    throw formNeeded();
  }
  const state = JSON.stringify({ about, state: typeof requestState === 'string' ? requestState : undefined });
  return { question: { inputRequests, requestState: await deps.cipher.encrypt(formContext(ref), state) } };
}

/** The client lacks what the server needs to ask ("Overview", section "Error codes"). */
const NEEDS_CAPABILITY = -32021;

function formNeeded(): ToolFailure {
  const message = 'Google asks the user to approve this in a form, which this client cannot show. Nothing was done.';
  return new ToolFailure('approval_needed', message, { who: 'end_user' });
}

/** What the gateway says that its client can do: no more than the client said. */
function formCapability(endpoint: EndpointKind): JsonObject {
  return endpoint === 'full' ? { elicitation: { form: {} } } : {};
}

/** What a form is bound to: the key, the connection, the tool and its arguments (GA-24). */
function formDigest({ key }: Agent, { integrationId, connectionId }: ConnectionRef, { name, args }: ToolCall): string {
  return sha256Hex(JSON.stringify([key.keyHash, integrationId, connectionId, name, args]));
}

function formContext({ accountId, integrationId, connectionId }: ConnectionRef) {
  return { accountId, integrationId, recordId: connectionId, field: 'providerForm' } as const;
}

/**
 * What goes to Google with a repeat after a form: Google's own state and the user's answers. The gateway adds no answer.
 *
 * @throws ToolFailure `invalid_request` for a state of another call
 */
async function formAnswers(
  { cipher }: GoogleToolsDependencies,
  ref: ConnectionRef,
  { requestState, inputResponses }: ToolCall,
  about: string,
): Promise<JsonObject> {
  if (requestState === undefined) return {};
  const opened = await cipher.decrypt(formContext(ref), requestState).catch(() => '{}');
  const read: unknown = JSON.parse(opened);
  if (!isObject(read) || read.about !== about) {
    throw new ToolFailure('invalid_request', 'requestState belongs to another call. Call the tool again without it.');
  }
  return {
    ...(typeof read.state === 'string' ? { requestState: read.state } : {}),
    ...(inputResponses === undefined ? {} : { inputResponses }),
  };
}

/**
 * A failure of Google's server as an assistant can act on it.
 *
 * @param link makes a link by which the user grants more scopes
 */
async function serverFailure(
  { status, headers, body }: { readonly status: number; readonly headers: HeaderPairs; readonly body: Uint8Array },
  link: () => Promise<string | undefined>,
): Promise<ToolFailure> {
  const [hint, ...scopes] = (headerValue(headers, HINT_HEADER) ?? '').split(' ');
  if (hint === 'missing_scopes') {
    const connectUrl = await link().catch(() => undefined);
    const message =
      'The user has not granted a scope that this tool needs. Ask the user to open connect_url, if there is one.';
    return new ToolFailure('missing_scope', message, {
      status,
      who: 'end_user',
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(connectUrl === undefined ? {} : { connect_url: connectUrl }),
    });
  }
  const refused = readRefusal(status, body);
  const cause = TOOL_SERVER_CAUSES.find(({ is }) => is(refused));
  if (cause === undefined) return providerFailure(status, headers, body, 'POST');
  return new ToolFailure(cause.code, cause.message(refused), {
    status,
    who: cause.who,
    ...(refused.message === '' ? {} : { provider_message: cut(refused.message, PROVIDER_MESSAGE_MAX_CHARACTERS) }),
  });
}

function readRefusal(status: number, body: Uint8Array): ToolServerRefusal {
  const error = errorOf(body);
  const details = Array.isArray(error.details) ? error.details.filter(isObject) : [];
  const errors = Array.isArray(error.errors) ? error.errors.filter(isObject) : [];
  const named = [...details, ...errors].map(({ reason }) => reason).filter((one) => typeof one === 'string');
  const metadata = details.map((one) => one.metadata).find(isObject) ?? {};
  const { service, quota_limit: quotaLimit } = metadata;
  return {
    status,
    reasons: new Set(named),
    message: typeof error.message === 'string' ? error.message : '',
    service: typeof service === 'string' && /^[a-z-]+\.googleapis\.com$/.test(service) ? service : undefined,
    quotaLimit: typeof quotaLimit === 'string' ? quotaLimit : '',
  };
}

function errorOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return isObject(parsed) && isObject(parsed.error) ? parsed.error : {};
  } catch {
    return {};
  }
}
