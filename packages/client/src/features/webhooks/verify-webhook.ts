import type { WebhookEvent } from '../../management/wire.ts';

/** A message of the gateway of any type, also one that this version of the library does not know. */
export interface WebhookMessage {
  /** Event type, such as `ConnectionReauthorizationRequired`, or `endpoint.test`. */
  readonly type: string;
  /** When it happened, ISO 8601 UTC. */
  readonly timestamp: string;
  /** The event's detail on the bus; every member of the gateway's events is a text. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Types of messages. */
export type WebhookEventType = WebhookEvent['type'];

/** Members of an event of a type: `data` of its message, `detail` on the bus. */
export type EventData<Type extends WebhookEventType> = Extract<WebhookEvent, { readonly type: Type }>['data'];

/** A request that is no message of the gateway: answer it with 401 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** Options of a verification. */
export interface VerifyWebhookOptions {
  /** Seconds that a message may be old, or ahead of this clock. @default 300 */
  toleranceSec?: number;
  /** @default now */
  now?: Date;
}

/** Headers as `fetch` has them, as Node has them, or as an object of your framework. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const DEFAULT_TOLERANCE_SEC = 300;

/**
 * Verifies a message by Standard Webhooks 1.0.0: its `v1` signature over id, time and body, and that it is not old. Signatures are compared
 * by WebCrypto, in constant time.
 *
 * @param body exactly as it arrived, before any parser
 * @param secret as the gateway showed it, `whsec_…`; several while a rotation is under way
 * @returns the message, distinguished by its `type`; a newer gateway may send types that this version does not know
 * @throws WebhookVerificationError for what is forged, changed, old or incomplete; TypeError for a secret that is none
 */
export async function verifyWebhook(
  body: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  const secrets = (typeof secret === 'string' ? [secret] : secret).map(secretBytes);
  if (secrets.length === 0) throw new TypeError('Give at least one secret.');
  if (id.includes('.')) throw new WebhookVerificationError('The id of the message is malformed.');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('The time of the message is malformed.');
  const nowSec = (options.now ?? new Date()).getTime() / 1000;
  if (Math.abs(nowSec - Number(timestamp)) > (options.toleranceSec ?? DEFAULT_TOLERANCE_SEC)) {
    throw new WebhookVerificationError('The message is too old, or a clock is wrong.');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const candidates = signatures.split(' ').flatMap((part) => (part.startsWith('v1,') ? [decoded(part.slice(3))] : []));
  for (const one of secrets) {
    const key = await crypto.subtle.importKey('raw', one, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const candidate of candidates) {
      if (candidate !== undefined && (await crypto.subtle.verify('HMAC', key, candidate, signed))) return parsed(bytes);
    }
  }
  throw new WebhookVerificationError('No signature of the message is by this secret.');
}

function header(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : onlyOne(Object.entries(headers).flatMap(([key, one]) => (key.toLowerCase() === name ? [one] : [])));
  // Frameworks pass on anything a sender wrote: bytes, lists, unpaired surrogates. The gateway sends none of them.
  if (typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)) return value;
  throw new WebhookVerificationError(`The request has no header ${name} of visible ASCII, or more than one.`);
}

function onlyOne<T>(values: readonly T[]): T | undefined {
  return values.length === 1 ? values[0] : undefined;
}

/** Shorter ones can be guessed; the gateway makes 32 bytes (Standard Webhooks, "Signature scheme"). */
const SECRET_MIN_BYTES = 16;

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes =
    typeof secret === 'string' && secret.startsWith('whsec_') ? decoded(secret.slice('whsec_'.length)) : undefined;
  if (bytes === undefined || bytes.length < SECRET_MIN_BYTES) {
    throw new TypeError('The secret must be as the gateway showed it: whsec_ and base64.');
  }
  return bytes;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

function parsed(bytes: Uint8Array): WebhookEvent {
  const message: unknown = parseJson(new TextDecoder().decode(bytes));
  if (isObject(message) && typeof message.type === 'string' && typeof message.timestamp === 'string') {
    const { type, timestamp, data } = message;
    // The gateway has signed it, so its data has the form of its type.
    if (isObject(data)) return { type, timestamp, data } as unknown as WebhookEvent;
  }
  throw new WebhookVerificationError('The message is signed, but is none of the gateway.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
