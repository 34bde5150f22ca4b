/** What the Model Context Protocol says on the wire: versions, error codes, messages (specifications of 2025-06-18, 2025-11-25 and 2026-07-28). */

import { isObject, type JsonObject } from '../../../../gateway/server-tools/tool.rules.ts';

/** Versions with a handshake: `initialize` once, results bare. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18'] as const;
/** Versions in which each request is complete in itself. */
export const MODERN_VERSIONS = ['2026-07-28'] as const;
/** All versions that are spoken, newest first. */
export const SUPPORTED_VERSIONS: readonly string[] = [...MODERN_VERSIONS, ...LEGACY_VERSIONS];

/** Error codes of JSON-RPC 2.0 section 5.1 and, from -32020 on, of the protocol. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** Members of `_meta` that the protocol names. */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

export type RpcId = string | number;

/** A message that was sent. `reply`: an answer to a question, of which the server asks none. */
export type Message =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string }
  | { readonly kind: 'reply' }
  | {
      readonly kind: 'invalid';
      readonly id: RpcId | null;
      readonly code: number;
      readonly message: string;
    };

/** Reads a body (JSON-RPC 2.0 section 4; batches went with 2025-06-18). */
export function readMessage(body: Uint8Array | undefined): Message {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body ?? new Uint8Array()));
  } catch {
    return invalid(null, RPC.parseError, 'The body is not JSON in UTF-8.');
  }
  if (Array.isArray(parsed)) return invalid(null, RPC.invalidRequest, 'Send one message, not a batch.');
  if (!isObject(parsed)) return invalid(null, RPC.invalidRequest, 'A message is a JSON object.');
  const { jsonrpc, id, method, params = {} } = parsed;
  const known = isId(id) ? id : null;
  if (jsonrpc !== '2.0') return invalid(known, RPC.invalidRequest, 'jsonrpc must be "2.0".');
  if (method === undefined && ('result' in parsed || 'error' in parsed)) return { kind: 'reply' };
  if (typeof method !== 'string') return invalid(known, RPC.invalidRequest, 'method must be a string.');
  if (id === undefined) return { kind: 'notification', method };
  if (known === null) return invalid(null, RPC.invalidRequest, 'id must be a string or a whole number.');
  if (!isObject(params)) return invalid(known, RPC.invalidParams, 'params must be an object.');
  return { kind: 'request', id: known, method, params };
}

function invalid(id: RpcId | null, code: number, message: string): Message {
  return { kind: 'invalid', id, code, message };
}

function isId(id: unknown): id is RpcId {
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
}

/** The `_meta` of a request, empty where it has none. */
export function metaOf(params: JsonObject): JsonObject {
  return isObject(params._meta) ? params._meta : {};
}

/** Headers of the protocol as they were sent; undefined: not sent. */
export interface ProtocolHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/**
 * Whether a request is of a version without handshake: its `_meta` names one that is not of 2025, or its header does, or it asks what
 * only such versions have.
 */
export function isModern(headers: ProtocolHeaders, method: string, params: JsonObject): boolean {
  const named = metaOf(params)[META.version];
  if (named !== undefined) return !isLegacyVersion(named);
  if (method === 'server/discover') return true;
  return headers.version !== undefined && !/^2024-|^2025-/.test(headers.version);
}

/** Names the progress of a request in the client's words. */
export type ProgressToken = RpcId;

/**
 * The token of a client that wants to know how far its call is, and can read a stream of events; undefined for all others ("Progress", and
 * "Streamable HTTP", section "Sending messages").
 */
export function progressTokenOf(
  accept: string | undefined,
  method: string,
  params: JsonObject,
): ProgressToken | undefined {
  const { progressToken } = metaOf(params);
  const reads = (accept ?? '').split(',').some((type) => /^\s*text\/event-stream\s*(?:;|$)/i.test(type));
  return method === 'tools/call' && reads && isId(progressToken) ? progressToken : undefined;
}

export function isLegacyVersion(version: unknown): boolean {
  return LEGACY_VERSIONS.some((known) => known === version);
}

/** Why a request of a version without handshake is refused. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject;
}

/**
 * The first thing that is wrong with a modern request, in the order of the specification: a member of `_meta` that is missing, a header
 * that is missing or unequal, the version ("Streamable HTTP", section "Request headers").
 */
export function modernRefusal(headers: ProtocolHeaders, method: string, params: JsonObject): Refusal | undefined {
  const meta = metaOf(params);
  const { [META.version]: version, [META.capabilities]: capabilities } = meta;
  if (typeof version !== 'string') return lacks(META.version);
  if (!isObject(capabilities)) return lacks(META.capabilities);
  const unequal =
    differs('MCP-Protocol-Version', headers.version, version) ??
    differs('Mcp-Method', headers.method, method) ??
    (method === 'tools/call' ? differs('Mcp-Name', decodedHeader(headers.name), params.name) : undefined);
  if (unequal !== undefined) return { code: RPC.headerMismatch, message: unequal };
  if (!MODERN_VERSIONS.some((known) => known === version)) {
    return {
      code: RPC.unsupportedVersion,
      message: `This server speaks ${SUPPORTED_VERSIONS.join(', ')}.`,
      data: { supported: SUPPORTED_VERSIONS, requested: version },
    };
  }
  return undefined;
}

function lacks(member: string): Refusal {
  return { code: RPC.invalidParams, message: `params._meta lacks ${member}.` };
}

function differs(name: string, sent: string | undefined, wanted: unknown): string | undefined {
  if (sent === undefined) return `The header ${name} is missing.`;
  return sent === wanted ? undefined : `The header ${name} differs from the body.`;
}

/** A header's value, which carries what is not ASCII as `=?base64?…?=`. */
function decodedHeader(value: string | undefined): string | undefined {
  const encoded = value === undefined ? undefined : /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}
