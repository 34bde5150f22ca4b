import type { UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import { type ReadToolCall, selfTarget, toolRequest } from '../../gateway/server-tools/tool-call.rules.ts';

/** A request that reads, but for the identity. */
export type ToolReading = Required<Pick<UpstreamPlan, 'origin' | 'method' | 'headers' | 'body'>> & {
  readonly path: string;
};

/**
 * The request that reads what a call of a tool is about, by the tool of the same server that shows such objects. The endpoint that asks
 * no user gets it: reading for a page must not put a form before anybody.
 *
 * @returns undefined where the call names no object
 */
export function readingOf(
  { origin, target }: Pick<UpstreamPlan, 'origin' | 'target'>,
  { tool, known: { about }, args, object }: ReadToolCall,
): ToolReading | undefined {
  if (about === undefined || object === undefined) return undefined;
  const named = about.named.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]] as const]));
  const request = toolRequest({ name: about.shownBy }, Object.fromEntries(named), false);
  return { origin, method: 'POST', path: selfTarget(tool, target), ...request };
}
