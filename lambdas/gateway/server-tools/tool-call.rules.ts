import type { ProviderCall, ServedTool, UpstreamPlan } from '../proxying/upstream-request.rules.ts';
import { type KnownTool, knownTool, standInFor } from './known-tools.rules.ts';
import { isMembers, type Members, parsed, serverRequest } from './server-message.rules.ts';

/** What a client that shows forms says that it can do ("Elicitation", section "Capabilities"). */
export const SHOWS_FORMS: Members = { elicitation: { form: {} } };

/**
 * The request that calls a tool.
 *
 * @param more members next to the arguments, such as the answer to a form
 * @param wantsProgress as `serverRequest` has it
 */
export function toolRequest(
  { name }: Pick<ServedTool, 'name'>,
  args: Members,
  showsForms: boolean,
  more: Members = {},
  wantsProgress = false,
): Required<Pick<UpstreamPlan, 'headers' | 'body'>> {
  const params = { name, arguments: args, ...more };
  return serverRequest('tools/call', params, showsForms ? SHOWS_FORMS : {}, wantsProgress);
}

/** The arguments of such a request; none in anything else. */
export function argumentsIn(body: Uint8Array | undefined): Members {
  const message = parsed(Buffer.from(body ?? []).toString('utf8'));
  const params = isMembers(message) && isMembers(message.params) ? message.params : {};
  return isMembers(params.arguments) ? params.arguments : {};
}

/** What the gateway knows of a call of a tool. */
export interface ReadToolCall {
  readonly tool: ServedTool;
  readonly known: KnownTool;
  readonly args: Members;
  /** The object that the call is about, as far as arguments name one. */
  readonly object: { readonly kind: 'event' | 'file'; readonly id: string } | undefined;
  /** REST request by which the call is judged. */
  readonly standIn: ProviderCall;
}

/** A planned call of a tool as far as the gateway knows it; undefined for a plan of another call, and for a tool that is not known any more. */
export function readToolCall({ tool, body }: Pick<UpstreamPlan, 'tool' | 'body'>): ReadToolCall | undefined {
  const found = tool && knownTool(tool.provider, tool.name);
  if (tool === undefined || found === undefined) return undefined;
  const { server, known } = found;
  const args = argumentsIn(body);
  const id = known.about && args[known.about.named[0]];
  const object = known.about === undefined || typeof id !== 'string' ? undefined : { kind: known.about.kind, id };
  return { tool, known, args, object, standIn: standInFor(server, known, args) };
}

/** Path of a server's endpoint that asks no user, by the path of either. */
export function selfTarget({ endpoint }: Pick<ServedTool, 'endpoint'>, target: string): string {
  return endpoint === 'self' ? target : `${target}self`;
}
