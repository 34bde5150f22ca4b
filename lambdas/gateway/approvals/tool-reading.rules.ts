import type { HeaderPairs } from '../core/http-message.ts';
import type { UpstreamPlan } from '../proxying/upstream-request.rules.ts';
import { readServerAnswer } from '../server-tools/server-message.rules.ts';
import { type ReadToolCall, selfTarget, toolRequest } from '../server-tools/tool-call.rules.ts';
import { jsonObject } from './called-object.rules.ts';
import { isObject, type JsonObject } from './read-call.rules.ts';

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

interface ReadAnswer {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly text: string;
}

/** What a tool shows of one object: its structured content, or a text that is one JSON object; undefined where it shows none. */
export function objectShown({ status, headers, text }: ReadAnswer): JsonObject | undefined {
  if (status !== 200) return undefined;
  const answer = readServerAnswer(headers, Buffer.from(text));
  if (answer.kind !== 'result' || answer.result.isError === true) return undefined;
  const { structuredContent, content } = answer.result;
  if (isObject(structuredContent)) return structuredContent;
  const [only, ...others]: readonly unknown[] = Array.isArray(content) ? content : [];
  if (others.length > 0 || !isObject(only) || typeof only.text !== 'string') return undefined;
  return jsonObject(only.text);
}
