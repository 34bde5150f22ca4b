/**
 * Tools of Google's own MCP servers, for agentic connections. Built as `google.mjs` and loaded with the first of them. Errors that it throws to the
 * bundle would be of another class, so refusals cross as results.
 */

import { epochSecNow } from '../../gateway/core/clock.ts';
import { SERVER_TOOLS_FETCH_INTERVAL_SEC } from '../../gateway/core/limits.ts';
import type { Caller } from '../../gateway/keys/authenticate-caller.ts';
import { askerOf, readKeyLimits } from '../../gateway/keys/key-limits.rules.ts';
import { GOOGLE_SCOPE_PREFIX } from '../../gateway/providers/google/scope-aliases.rules.ts';
import type { ProviderId } from '../../gateway/providers/provider-ids.rules.ts';
import type { ServedTool } from '../../gateway/proxying/upstream-request.rules.ts';
import { KNOWN_SERVERS, type KnownTool, offeredName } from '../../gateway/server-tools/known-tools.rules.ts';
import {
  type EndpointKind,
  offered,
  type PinnedList,
  type ServerTool,
  toolHash,
} from '../../gateway/server-tools/pins.rules.ts';
import { endpointUrl, type RefreshListDependencies, refreshList } from '../../gateway/server-tools/refresh-list.ts';
import type { JsonObject, ListedTool, ToolCall, ToolOutcome } from '../../gateway/server-tools/tool.rules.ts';
import { toolRequest } from '../../gateway/server-tools/tool-call.rules.ts';
import type { Agent } from './agent.ts';
import { type ApprovedCallDependencies, continueApproved } from './google/approved-call.ts';
import { endpointFor, openForm, question } from './google/forms.ts';
import {
  failureOf,
  type GoogleToolsDependencies,
  judgedAnswer,
  passed,
  sentToServer,
} from './google/send-to-server.ts';
import { formNeeded } from './google/server-failure.ts';
import type { SendingAs } from './send-as-agent.ts';
import { ToolFailure } from './tools/tool-failure.rules.ts';

export { endedCall } from './google/approved-call.ts';

/** A tool of Google's own server that an agent has. */
export interface GoogleTool {
  readonly listed: ListedTool;
  /** As the account has accepted it. */
  readonly accepted: ServerTool;
  readonly known: KnownTool;
  readonly provider: ProviderId;
  readonly endpoint: EndpointKind;
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
    return [{ listed: listedAs(name, now), accepted: now, known, provider, endpoint }];
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
  deps: ApprovedCallDependencies,
  sending: SendingAs,
  tool: GoogleTool,
  call: ToolCall,
): Promise<ToolOutcome> {
  try {
    return await called(deps, sending, tool, call);
  } catch (error) {
    return { result: failureOf(error) };
  }
}

async function called(
  deps: ApprovedCallDependencies,
  sending: SendingAs,
  { accepted, known, provider, endpoint }: GoogleTool,
  call: ToolCall,
): Promise<ToolOutcome> {
  const url = endpointUrl(deps.endpointsOf(provider).toolServerEndpoint, endpoint);
  if (url === undefined) throw new ToolFailure('not_available', 'This deployment has no MCP server of the provider.');
  const { agent, ref } = sending;
  const opened = await openForm(deps, agent, ref, call);
  if (opened?.held !== undefined) return continueApproved(deps, sending, opened.held, call);
  const asker = askerOf(agent.key);
  const tool: ServedTool = {
    ...{ provider, endpoint, name: known.name, title: accepted.title, description: accepted.description },
    ...{ hash: toolHash(accepted), asksToo: asker === 'both' && endpoint === 'full' },
  };
  const answers = {
    ...(opened?.state === undefined ? {} : { requestState: opened.state }),
    ...(opened === undefined || call.inputResponses === undefined ? {} : { inputResponses: call.inputResponses }),
  };
  const request = toolRequest(tool, call.args, endpoint === 'full', answers, sending.report !== undefined);
  // At the endpoint that asks no user, nobody would be asked.
  const consent = asker === 'google' && endpoint === 'full' ? 'left_to_provider' : 'none';
  const answer = await sentToServer(deps, sending, { ...toServer(url), ...request, tool }, consent);
  const read = await judgedAnswer(deps, sending, answer);
  if (read.resultType !== 'input_required') return passed(read);
  if (endpoint !== 'full') throw formNeeded();
  return question(deps, agent, ref, call, read, undefined);
}

function toServer({ origin, pathname: target }: Pick<URL, 'origin' | 'pathname'>) {
  return { origin, method: 'POST', effectiveMethod: 'POST', target } as const;
}
