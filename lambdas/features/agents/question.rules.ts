import type { HeaderPairs } from '../../gateway/core/http-message.ts';
import { type HeldWait, isObject, type JsonObject, type ToolCall } from '../../gateway/server-tools/tool.rules.ts';

/** What the function of assistants may ask. */
export const AGENT_OPERATIONS = ['judge', 'list', 'call', 'look', 'decided'] as const;
export type AgentOperation = (typeof AGENT_OPERATIONS)[number];

/** A question of the function of assistants. Only the credential in it proves anything. */
export interface AgentQuestion {
  /** The head of the assistant's request, as far as it says who calls and for which connections. */
  readonly headers: HeaderPairs;
  readonly sourceIp: string;
  /** Milliseconds in which the answer is needed. */
  readonly withinMs: number;
}

/** @throws Error for what the function of assistants does not send */
export function readQuestion(input: unknown): AgentQuestion & { readonly rest: JsonObject } {
  if (!isObject(input)) throw unreadable();
  const { headers, sourceIp, withinMs, ...rest } = input;
  if (!Array.isArray(headers) || !headers.every(isPair)) throw unreadable();
  if (typeof sourceIp !== 'string' || typeof withinMs !== 'number') throw unreadable();
  return { headers, sourceIp, withinMs, rest };
}

/** @throws Error for what is no call */
export function readCall({ call }: JsonObject): ToolCall {
  if (!isObject(call)) throw unreadable();
  const { name, args, clientCapabilities, requestState, inputResponses, wasDeclined } = call;
  if (typeof name !== 'string' || !isObject(args) || !isObject(clientCapabilities)) throw unreadable();
  return {
    ...{ name, args, clientCapabilities },
    requestState: typeof requestState === 'string' ? requestState : undefined,
    inputResponses: isObject(inputResponses) ? inputResponses : undefined,
    wasDeclined: wasDeclined === true,
  };
}

/** @throws Error for what is no place */
export function readWait({ wait }: JsonObject): Pick<HeldWait, 'place' | 'takenUntilMs'> {
  if (!isObject(wait)) throw unreadable();
  const { place, takenUntilMs } = wait;
  if (typeof place !== 'number' || typeof takenUntilMs !== 'number') throw unreadable();
  return { place, takenUntilMs };
}

function isPair(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string');
}

function unreadable(): Error {
  return new Error('The question cannot be read');
}
