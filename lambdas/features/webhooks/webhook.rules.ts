import { createHmac } from 'node:crypto';
import type { EndpointTargets } from '../../gateway/core/endpoint-targets.ts';
import type { ManagedBy } from '../../gateway/core/managed-by.rules.ts';
import { OPERATOR_EVENT_TYPES } from '../../gateway/events/lifecycle-event.rules.ts';

/** Which endpoint of which account. */
export interface WebhookRef {
  readonly accountId: string;
  readonly webhookId: string;
}

/**
 * `unproven`: has not answered `endpoint.test` yet, and gets nothing else. `enabled`: gets events. `disabled`: gets none; its
 * deliveries wait.
 */
export type WebhookStatus = 'unproven' | 'enabled' | 'disabled';

/** Why an endpoint is disabled: it answered 410, it failed for days, or by request. */
export type DisabledBecause = 'gone' | 'failing' | 'requested';

/** An address of the account that gets events. Times are epoch seconds, those of the record itself ISO 8601. */
export interface Webhook extends WebhookRef {
  readonly url: string;
  readonly description: string | undefined;
  /** Event types it gets; undefined = all. */
  readonly types: readonly string[] | undefined;
  /** Integrations whose events it gets; undefined = all, and those of the account. */
  readonly integrationIds: readonly string[] | undefined;
  readonly status: WebhookStatus;
  readonly disabledBecause: DisabledBecause | undefined;
  readonly disabledAtEpochSec: number | undefined;
  readonly enabledAtEpochSec: number | undefined;
  readonly encryptedSecret: string;
  /** The secret before the last rotation, and until when it also signs. */
  readonly encryptedPreviousSecret: string | undefined;
  readonly previousSecretUntilEpochSec: number | undefined;
  /** The one before that, while its own day lasts: two rotations may overlap. Absent in rows of earlier releases. */
  readonly encryptedEarlierSecret?: string | undefined;
  readonly earlierSecretUntilEpochSec?: number | undefined;
  readonly lastSuccessAtEpochSec: number | undefined;
  readonly failuresInARow: number;
  /** Nothing is sent before this, after several consecutive failures. */
  readonly restUntilEpochSec: number | undefined;
  /** Raised by every requested change of the record. */
  readonly version: number;
  /** The CloudFormation stack that declares it; absent: none. */
  readonly managedBy?: ManagedBy | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Secrets that sign now, as stored, newest first: each for a day after its rotation (WH-17). */
export function signingSecrets(webhook: Webhook, nowEpochSec: number): readonly string[] {
  const former = [
    { encrypted: webhook.encryptedPreviousSecret, untilEpochSec: webhook.previousSecretUntilEpochSec },
    { encrypted: webhook.encryptedEarlierSecret, untilEpochSec: webhook.earlierSecretUntilEpochSec },
  ];
  return [
    webhook.encryptedSecret,
    ...former.flatMap(({ encrypted, untilEpochSec = 0 }) =>
      encrypted !== undefined && untilEpochSec > nowEpochSec ? [encrypted] : [],
    ),
  ];
}

/** An event for webhooks, as on the bus. */
export interface WebhookEvent {
  readonly accountId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly integrationId: string;
  /** The JSON text that is signed and sent. */
  readonly body: string;
}

/** Whether an endpoint wants an event. */
export function wants(webhook: Pick<Webhook, 'types' | 'integrationIds'>, event: Omit<WebhookEvent, 'body'>): boolean {
  return (
    (webhook.types?.includes(event.eventType) ?? !OPERATOR_EVENT_TYPES.has(event.eventType)) &&
    (webhook.integrationIds === undefined || webhook.integrationIds.includes(event.integrationId))
  );
}

/**
 * The message of an event: its type, its time, and under `data` exactly the detail on the bus (Standard Webhooks 1.0.0, "Payload
 * structure").
 */
export function messageBody(eventType: string, occurredAt: string, data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ type: eventType, timestamp: occurredAt, data });
}

/** The displayed form of a secret: `whsec_` and its bytes in base64 (Standard Webhooks 1.0.0, "Signature scheme"). */
export function secretText(bytes: Uint8Array): string {
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

/**
 * Headers of one attempt: the id of the message, the seconds of the attempt, and a `v1` signature for each secret, newest first
 * (Standard Webhooks 1.0.0).
 *
 * @param id the same in all attempts of a message; contains no dot
 * @param secrets from `secretText`
 */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  nowEpochSec: number,
): readonly (readonly [string, string])[] {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${nowEpochSec}.${body}`).digest('base64')}`;
  });
  return [
    ['webhook-id', id],
    ['webhook-timestamp', String(nowEpochSec)],
    ['webhook-signature', signatures.join(' ')],
  ];
}

/** Last labels that no public name has (IANA, "Special-Use Domain Names"; ICANN's `internal`). */
const SPECIAL_NAMES = new Set([
  'alt',
  'arpa',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'mail',
  'onion',
  'private',
  'test',
]);

/**
 * The problem with an endpoint's address, as a sentence that says what to send; undefined for an allowed one. The addresses that its
 * name resolves to are checked at every attempt, by the connection itself (WH-11).
 */
export function webhookUrlProblem(text: string, targets: EndpointTargets): string | undefined {
  if (text.length > 2000) return 'has at most 2000 characters';
  if (!URL.canParse(text)) return 'must be an absolute address such as https://hooks.example.com/gateway';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must contain no user and no password: messages are signed';
  if (text.includes('#')) return 'must not have a fragment: it is never sent';
  if (targets.ownHosts.some((own) => isSameHost(url, own))) return 'is this gateway’s own address';
  if (targets.allowLoopback && isLoopbackHost(url.hostname)) {
    return url.protocol === 'https:' || url.protocol === 'http:' ? undefined : 'must use http or https';
  }
  if (url.protocol !== 'https:') return 'must use https';
  if (url.port !== '') return 'must use port 443, which https has without naming one';
  const host = url.hostname.replace(/\.$/, '');
  if (host.startsWith('[') || isIpv4(host))
    return 'must contain a host name: addresses written as numbers are not allowed';
  const labels = host.split('.');
  if (labels.length < 2 || labels.includes('') || SPECIAL_NAMES.has(labels.at(-1) ?? '')) {
    return 'must be a host on the public internet';
  }
  return undefined;
}

/**
 * Whether an address names one of the gateway's own hosts, in any spelling: a trailing dot, another case, an explicit port (WH-17). On
 * a laptop the port distinguishes the gateway from other programs, and every loopback name reaches it.
 */
function isSameHost(url: URL, own: string): boolean {
  const gateway = new URL(`${url.protocol === 'http:' ? 'http' : 'https'}://${own}`);
  const [host, ownHost] = [url.hostname, gateway.hostname].map((name) => name.replace(/\.$/, ''));
  if (host === undefined || ownHost === undefined) return false;
  if (isLoopbackHost(ownHost)) return isLoopbackHost(host) && url.port === gateway.port;
  return host === ownHost;
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (hostname.startsWith('127.') && isIpv4(hostname));
}

/** A URL writes every IPv4 address as four decimals, and no other host in it ends with a number (URL standard, "host parser"). */
function isIpv4(host: string): boolean {
  return /\.\d+$/.test(host);
}
