/** Messages to a provider's MCP server and back, version 2026-07-28: each is complete in itself. */
import { type HeaderPairs, headerValue } from '../core/http-message.ts';

const VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol/';
const ID = 1;

/** Members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** A request as it is sent, all but the identity. */
export interface ServerRequest {
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/**
 * One request ("Streamable HTTP", section "Request headers").
 *
 * @param capabilities what the client behind the gateway can do, such as show forms
 */
export function serverRequest(
  method: 'tools/list' | 'tools/call',
  params: Members,
  capabilities: Members = {},
): ServerRequest {
  const _meta = {
    [`${META}protocolVersion`]: VERSION,
    [`${META}clientInfo`]: { name: 'integration-gateway', version: VERSION },
    [`${META}clientCapabilities`]: capabilities,
  };
  const name = typeof params.name === 'string' ? [['mcp-name', params.name] as const] : [];
  return {
    headers: [
      ['content-type', 'application/json'],
      ['accept', 'application/json, text/event-stream'],
      ['accept-encoding', 'identity'],
      ['mcp-protocol-version', VERSION],
      ['mcp-method', method],
      ...name,
    ],
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: ID, method, params: { ...params, _meta } })),
  };
}

/** Code of an error: the client lacks what the server needs to ask ("Overview", section "Error codes"). */
export const NEEDS_CAPABILITY = -32021;

/** What a server answered: a result, a JSON-RPC error, or something that is neither. */
export type ServerAnswer =
  | { readonly kind: 'result'; readonly result: Members }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  | { readonly kind: 'unreadable' };

/** Reads a response, as JSON or as a stream of events that ends with the response. */
export function readServerAnswer(headers: HeaderPairs, body: Uint8Array): ServerAnswer {
  const text = Buffer.from(body).toString('utf8');
  const isStream = headerValue(headers, 'content-type')?.toLowerCase().startsWith('text/event-stream') === true;
  const messages = isStream ? eventsOf(text) : [text];
  for (const message of messages.map(parsed)) {
    if (!isMembers(message) || message.id !== ID) continue;
    if (isMembers(message.result)) return { kind: 'result', result: message.result };
    const { error } = message;
    if (isMembers(error) && typeof error.code === 'number') {
      return { kind: 'error', code: error.code, message: String(error.message ?? '') };
    }
  }
  return { kind: 'unreadable' };
}

/** A response as far as `objectShown` reads it. */
interface WholeAnswer {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly text: string;
}

/** What a tool shows of one object: its structured content, or a text that is one JSON object; undefined where it shows none. */
export function objectShown({ status, headers, text }: WholeAnswer): Members | undefined {
  if (status !== 200) return undefined;
  const answer = readServerAnswer(headers, Buffer.from(text));
  if (answer.kind !== 'result' || answer.result.isError === true) return undefined;
  const { structuredContent, content } = answer.result;
  if (isMembers(structuredContent)) return structuredContent;
  const [only, ...others]: readonly unknown[] = Array.isArray(content) ? content : [];
  if (others.length > 0 || !isMembers(only) || typeof only.text !== 'string') return undefined;
  const shown = parsed(only.text);
  return isMembers(shown) ? shown : undefined;
}

/** Data of the events of a stream (HTML, "Server-sent events", section "Interpreting an event stream"). */
function eventsOf(text: string): readonly string[] {
  return text.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).replace(/^ /, ''))
      .join('\n'),
  );
}

/** A text as JSON; undefined for anything else. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
