/** Messages to a provider's MCP server and back, version 2026-07-28: each is complete in itself. */
import { type HeaderPairs, headerValue } from '../core/http-message.ts';
import type { Progress, ReportProgress } from './tool.rules.ts';

const VERSION = '2026-07-28';
const META = 'io.modelcontextprotocol/';
const ID = 1;
/** Names the progress of the one request that an answer belongs to. */
const PROGRESS_TOKEN = 'call';
/** Characters of an event that is read for progress; a longer one is the result. */
const PROGRESS_EVENT_MAX_CHARACTERS = 8 * 1024;
const PROGRESS_TEXT_MAX_CHARACTERS = 300;

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
 * @param wantsProgress whether the server should report progress
 */
export function serverRequest(
  method: 'tools/list' | 'tools/call',
  params: Members,
  capabilities: Members = {},
  wantsProgress = false,
): ServerRequest {
  const _meta = {
    [`${META}protocolVersion`]: VERSION,
    [`${META}clientInfo`]: { name: 'integration-gateway', version: VERSION },
    [`${META}clientCapabilities`]: capabilities,
    ...(wantsProgress ? { progressToken: PROGRESS_TOKEN } : {}),
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
  const messages = isEventStream(headers) ? text.split(EVENT_END).map(dataOf) : [text];
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

/**
 * The bytes of an answer as they came, of which progress is reported on the way: of this request only, and only forwards.
 *
 * @see "Progress", 2026-07-28
 */
export async function* watchedProgress(
  { headers, body }: { readonly headers: HeaderPairs; readonly body: AsyncIterable<Uint8Array> },
  report: ReportProgress,
): AsyncGenerator<Uint8Array> {
  if (!isEventStream(headers)) return yield* body;
  const decoder = new TextDecoder();
  let text = '';
  let last = Number.NEGATIVE_INFINITY;
  for await (const chunk of body) {
    const events = (text + decoder.decode(chunk, { stream: true })).split(EVENT_END);
    text = events.pop() ?? '';
    // Enough to find the end of an event that is too long to be progress.
    if (text.length > PROGRESS_EVENT_MAX_CHARACTERS) text = text.slice(-EVENT_END_MAX_CHARACTERS);
    for (const now of events.map(dataOf).map(progressIn)) {
      if (now === undefined || now.progress <= last) continue;
      last = now.progress;
      report(now);
    }
    yield chunk;
  }
}

function progressIn(message: string): Progress | undefined {
  const { method, params } = membersOf(parsed(message));
  const { progressToken, progress, total, message: text } = membersOf(params);
  if (method !== 'notifications/progress' || progressToken !== PROGRESS_TOKEN || !isNumber(progress)) return undefined;
  return {
    progress,
    ...(isNumber(total) ? { total } : {}),
    ...(typeof text === 'string' ? { message: text.slice(0, PROGRESS_TEXT_MAX_CHARACTERS).toWellFormed() } : {}),
  };
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

function isEventStream(headers: HeaderPairs): boolean {
  return headerValue(headers, 'content-type')?.toLowerCase().startsWith('text/event-stream') === true;
}

const EVENT_END = /\r?\n\r?\n/;
const EVENT_END_MAX_CHARACTERS = 4;

/** Data of an event of a stream (HTML, "Server-sent events", section "Interpreting an event stream"). */
function dataOf(event: string): string {
  return event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');
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
