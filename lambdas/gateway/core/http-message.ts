import type { StackResource } from './managed-by.rules.ts';

/** Header fields in order, names as sent, repeats kept. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A request as the core sees it, from any front door. */
export interface GatewayRequest {
  readonly method: string;
  /** Path as sent, percent-encoding untouched, without query and without a stage. */
  readonly rawPath: string;
  /** Decoded; values of one key in order. */
  readonly query: readonly (readonly [key: string, value: string])[];
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
  readonly requestId: string;
  readonly sourceIp: string;
  /** Public address of the front door that it came through, without a trailing slash; absent where that is the gateway's base URL. */
  readonly doorUrl?: string;
  /** Its AWS signer, only below `/iam`; `rawPath` is the rest of the path. */
  readonly signer?: AwsSigner;
  /** It was asked for by another function, through the proxy's inner door. */
  readonly byInnerDoor?: true;
  /** The stack's resource that the function of declarations asks for; it came through no front door. */
  readonly stack?: StackResource;
}

/** The signer of a request whose AWS signature the front door has checked, in its terms; empty where it names none. */
export interface AwsSigner {
  /** ARN of a role's session, of a user, or of another principal. */
  readonly arn: string;
  /** Unique id of the role and name of the session, or unique id of the user. */
  readonly id: string;
}

/** A response of the core: bytes, a stream of bytes, or no body at all. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

/** All values of a header, name compared without case. */
export function headerValues(headers: HeaderPairs, name: string): string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  for (const [key, value] of headers) if (isName(key, wanted)) values.push(value);
  return values;
}

/** Most names differ in length, and comparing lengths is cheaper than lower-casing. */
function isName(key: string, wanted: string): boolean {
  return key.length === wanted.length && key.toLowerCase() === wanted;
}

/** The last value of a header, or undefined. */
export function headerValue(headers: HeaderPairs, name: string): string | undefined {
  return headerValues(headers, name).at(-1);
}

/** A request to a provider. The path is sent unchanged: no URL parser rewrites it (PX-2). */
export interface UpstreamRequest {
  /** Scheme, host and port; no path. */
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Wall-clock end of the whole exchange, body included, in milliseconds from now. */
  readonly totalTimeoutMs: number;
}

export interface UpstreamResponse {
  readonly status: number;
  readonly headers: HeaderPairs;
  /** Undecoded bytes, to be read once. Ends with an error when the provider breaks off or stays silent. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection of a body that will not be read. */
  abandon(): void;
}

/** Why an exchange failed before its answer's head. */
export type UpstreamFailureKind = 'unreachable' | 'timeout' | 'invalid_response';

/** `sent` shows whether any byte of the request may have reached the provider: decides if a repeat is safe. */
export class UpstreamError extends Error {
  readonly kind: UpstreamFailureKind;
  readonly sent: boolean;
  /** The connection had served before and was closed during use: a safe method may be retried at once. */
  readonly reusedConnection: boolean;
  constructor(kind: UpstreamFailureKind, sent: boolean, reusedConnection: boolean, cause: unknown) {
    super(`The provider ${kind === 'timeout' ? 'did not answer in time' : 'could not be reached'}`, { cause });
    this.name = 'UpstreamError';
    this.kind = kind;
    this.sent = sent;
    this.reusedConnection = reusedConnection;
  }
}

/** The one way out to a provider. */
export interface Upstream {
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  /** Closes idle connections. */
  close(): void;
}

/** The body as UTF-8, or undefined when it is larger than the maximum (PR-11). */
export async function readCapped(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A request that has ended. */
export interface MadeRequest {
  readonly method: string;
  readonly target: string;
  /** Undefined without an answer. */
  readonly status: number | undefined;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly startedAtMs: number;
}
