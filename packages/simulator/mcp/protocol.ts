/** Messages of the Model Context Protocol, in the versions of 2025 (with a handshake) and of 2026-07-28 (each request complete in itself). */
import { type HeaderList, headerValue, type SimResponse } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';

const WITH_HANDSHAKE = ['2025-11-25', '2025-06-18'];
const WITHOUT_HANDSHAKE = '2026-07-28';
const VERSIONS = [WITHOUT_HANDSHAKE, ...WITH_HANDSHAKE];
const META = 'io.modelcontextprotocol/';

/** Error codes of JSON-RPC 2.0, and from -32020 on of the protocol. */
export const CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  headers: -32020,
  capability: -32021,
  version: -32022,
} as const;

/** A request that a server has to answer. */
export interface McpRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** True for version 2026-07-28. */
  readonly isModern: boolean;
  /** What the client of this request can do; of versions with a handshake nothing is known. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/** A fault of a message. */
export interface McpFault {
  readonly status: number;
  readonly id: string | number | null;
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What a body holds: a request, a message that wants no answer, or something that is neither. */
export type McpMessage = { request: McpRequest } | { fault: McpFault } | 'no answer';

function fault(id: McpFault['id'], code: number, message: string, data?: McpFault['data']): { fault: McpFault } {
  return { fault: { status: 400, id, code, message, ...(data === undefined ? {} : { data }) } };
}

/** Reads a POST's body and the protocol's headers. */
export function readMcpMessage(headers: HeaderList, body: Buffer): McpMessage {
  let message: unknown;
  try {
    message = JSON.parse(body.toString('utf8'));
  } catch {
    return fault(null, CODES.parse, 'Parse error');
  }
  if (!isRecord(message) || message.jsonrpc !== '2.0') return fault(null, CODES.request, 'Invalid request');
  const { id, method, params = {} } = message;
  if (typeof method !== 'string') {
    return 'result' in message || 'error' in message ? 'no answer' : fault(null, CODES.request, 'Invalid request');
  }
  if (id === undefined) return 'no answer';
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return fault(null, CODES.request, 'Invalid id');
  const known = typeof id === 'string' ? id : Number(id);
  if (!isRecord(params)) return fault(known, CODES.params, 'Invalid params');
  const meta = isRecord(params._meta) ? params._meta : {};
  const sent = headerValue(headers, 'mcp-protocol-version');
  const version = meta[`${META}protocolVersion`] ?? sent;
  const isModern = method === 'server/discover' || (typeof version === 'string' && !/^202[45]-/.test(version));
  const declared = meta[`${META}clientCapabilities`];
  const capabilities = isRecord(declared) ? declared : {};
  const request = { id: known, method, params, isModern, capabilities };
  if (!isModern) return { request };
  return modernFault(request, headers, meta) ?? { request };
}

/** What breaks the rules of 2026-07-28 for a request ("Streamable HTTP", section "Request headers"). */
function modernFault(
  { id, method, params }: McpRequest,
  headers: HeaderList,
  meta: Readonly<Record<string, unknown>>,
): { fault: McpFault } | undefined {
  const version = meta[`${META}protocolVersion`];
  const lacking = ['protocolVersion', 'clientCapabilities'].find((name) => meta[META + name] === undefined);
  if (lacking !== undefined) return fault(id, CODES.params, `_meta has no ${META}${lacking}`);
  const wanted: readonly (readonly [string, unknown])[] = [
    ['MCP-Protocol-Version', version],
    ['Mcp-Method', method],
    ...(method === 'tools/call' ? [['Mcp-Name', params.name] as const] : []),
  ];
  const wrong = wanted.find(([name, value]) => headerValue(headers, name) !== value);
  if (wrong !== undefined) return fault(id, CODES.headers, `Header ${wrong[0]} does not match the body`);
  if (version === WITHOUT_HANDSHAKE) return undefined;
  return fault(id, CODES.version, 'Unsupported protocol version', { supported: VERSIONS, requested: version });
}

function json(status: number, value: unknown): SimResponse {
  return {
    status,
    headers: [
      ['Content-Type', 'application/json; charset=UTF-8'],
      ['Cache-Control', 'no-store'],
      ['Server', 'ESF'],
    ],
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** A request that a client which cannot show forms may not send. */
export function needsForms({ id }: McpRequest): McpFault {
  const data = { requiredCapabilities: { elicitation: { form: {} } } };
  return {
    status: 400,
    id,
    code: CODES.capability,
    message: 'This call needs the client capability elicitation.form',
    data,
  };
}

/** The answer to a message that is at fault. */
export function faultAnswer({ status, id, code, message, data }: McpFault): SimResponse {
  return json(status, { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });
}

/** The answer to a request, in the form of its version. */
export function resultAnswer(
  { id, isModern }: McpRequest,
  serverInfo: Readonly<Record<string, unknown>>,
  result: Readonly<Record<string, unknown>>,
): SimResponse {
  const shown = isModern ? { resultType: 'complete', ...result, _meta: { [`${META}serverInfo`]: serverInfo } } : result;
  return json(200, { jsonrpc: '2.0', id, result: shown });
}

/**
 * A stream of events that ends with the result, for a client that reads one and asks for progress ("Progress", and "Streamable HTTP",
 * section "Sending messages"); `undefined` for any other, and without steps.
 */
export function eventStreamAnswer(
  sent: HeaderList,
  { params }: McpRequest,
  steps: number,
  end: () => Promise<SimResponse>,
): SimResponse | undefined {
  const { progressToken } = isRecord(params._meta) ? params._meta : {};
  const reads = (headerValue(sent, 'accept') ?? '').includes('text/event-stream');
  if (steps === 0 || !reads || !/^(?:string|number)$/.test(typeof progressToken)) return undefined;
  const event = (data: string) => Buffer.from(`event: message\ndata: ${data}\n\n`);
  async function* following() {
    for (let progress = 1; progress <= steps; progress++) {
      const params = { progressToken, progress, total: steps, message: `Step ${progress} of ${steps}` };
      yield event(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }));
    }
    const { body } = await end();
    yield event(Buffer.isBuffer(body) ? body.toString('utf8') : '');
  }
  const headers: HeaderList = [
    ['Content-Type', 'text/event-stream'],
    ['Cache-Control', 'no-store'],
    ['Server', 'ESF'],
    ['Transfer-Encoding', 'chunked'],
  ];
  return { status: 200, headers, body: Buffer.alloc(0), following: following() };
}

/** Results of `initialize` and `server/discover`. */
export function introduction(
  { isModern, params }: McpRequest,
  serverInfo: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const capabilities = { tools: {} };
  if (isModern) return { supportedVersions: VERSIONS, capabilities, ttlMs: 60_000, cacheScope: 'public' };
  const wanted = WITH_HANDSHAKE.find((version) => version === params.protocolVersion);
  return { protocolVersion: wanted ?? WITH_HANDSHAKE[0], capabilities, serverInfo };
}
