import {
  WEBHOOK_DISABLE_AFTER_SEC,
  WEBHOOK_DISABLE_MIN_FAILURES,
  WEBHOOK_EXCERPT_MAX_LENGTH,
  WEBHOOK_REST_AFTER_FAILURES,
  WEBHOOK_REST_BASE_SEC,
  WEBHOOK_REST_MAX_SEC,
  WEBHOOK_RETRY_AFTER_MAX_SEC,
  WEBHOOK_RETRY_DELAYS_SEC,
  WEBHOOK_RETRY_JITTER,
} from './limits.rules.ts';
import type { Webhook, WebhookRef } from './webhook.rules.ts';

/**
 * `pending`: due at some time. `delivered`: answered 2xx. `failed`: failed after ten attempts. `waiting`: its endpoint is disabled; a
 * replay sends it.
 */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'waiting';

/** One request to an endpoint and its outcome. */
export interface Attempt {
  readonly atEpochSec: number;
  readonly durationMs: number;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /** Why it failed, as a stable code; undefined for a success. */
  readonly error: string | undefined;
  /** Start of a failed answer, control characters escaped. */
  readonly excerpt: string | undefined;
}

/** Result of an attempt, with members that the log does not keep. */
export interface AttemptResult extends Attempt {
  /** Seconds of the endpoint's `Retry-After`. */
  readonly retryAfterSec: number | undefined;
}

/** Which delivery. */
export interface DeliveryRef extends WebhookRef {
  readonly eventId: string;
}

/** One event for one endpoint. */
export interface Delivery extends DeliveryRef {
  readonly eventType: string;
  readonly integrationId: string;
  /** The message, the same bytes in every attempt. */
  readonly body: string;
  readonly state: DeliveryState;
  /** Attempts since it was last queued. */
  readonly tries: number;
  /** The latest attempts, oldest first. */
  readonly attempts: readonly Attempt[];
  /** When it is due; during an attempt, when its claim ends. Undefined without further work. */
  readonly dueAtEpochSec: number | undefined;
  readonly createdAtEpochSec: number;
}

/** Whether an attempt succeeded: every response other than 2xx has an error. */
export function succeeded(attempt: Pick<Attempt, 'error'>): boolean {
  return attempt.error === undefined;
}

/** Error code of a response; none for 2xx, the only success (Standard Webhooks 1.0.0, "Deliverability and reliability"). */
export function statusError(status: number): string | undefined {
  if (status >= 200 && status <= 299) return undefined;
  if (status >= 300 && status <= 399) return 'redirect_not_followed';
  return status === 410 ? 'gone' : 'answered_with_error';
}

/**
 * Seconds until the next attempt; undefined after the last (WH-13).
 *
 * @param tries attempts made, including this one
 * @param retryAfterSec the endpoint's request; a longer wait of the schedule stays
 * @param chance uniform in [0, 1)
 */
export function retryDelaySec(tries: number, retryAfterSec: number | undefined, chance: number): number | undefined {
  const planned = WEBHOOK_RETRY_DELAYS_SEC[tries - 1];
  if (planned === undefined) return undefined;
  const jittered = planned * (1 + WEBHOOK_RETRY_JITTER * (2 * chance - 1));
  return Math.ceil(Math.max(jittered, Math.min(retryAfterSec ?? 0, WEBHOOK_RETRY_AFTER_MAX_SEC)));
}

/** `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3); undefined for anything else. */
export function retryAfterSec(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000));
}

/** Seconds that an endpoint rests after a failure; undefined below the number of consecutive failures. */
export function restSec(failuresInARow: number): number | undefined {
  if (failuresInARow < WEBHOOK_REST_AFTER_FAILURES) return undefined;
  return Math.min(WEBHOOK_REST_BASE_SEC * 2 ** (failuresInARow - WEBHOOK_REST_AFTER_FAILURES), WEBHOOK_REST_MAX_SEC);
}

/** Why an endpoint is to be disabled after a failure; undefined while attempts continue (WH-14). */
export function disablingReason(
  webhook: Pick<Webhook, 'lastSuccessAtEpochSec' | 'enabledAtEpochSec' | 'failuresInARow'>,
  attempt: Pick<Attempt, 'status'>,
  nowEpochSec: number,
): 'gone' | 'failing' | undefined {
  if (attempt.status === 410) return 'gone';
  const since = Math.max(webhook.lastSuccessAtEpochSec ?? 0, webhook.enabledAtEpochSec ?? 0);
  const failedForLong = nowEpochSec - since >= WEBHOOK_DISABLE_AFTER_SEC;
  return failedForLong && webhook.failuresInARow >= WEBHOOK_DISABLE_MIN_FAILURES ? 'failing' : undefined;
}

/** The remedy for the owner of a disabled endpoint. */
export function disabledRemedy(because: 'gone' | 'failing'): string {
  const reason =
    because === 'gone' ? 'The endpoint answered 410 Gone.' : 'The endpoint did not answer with 2xx for five days.';
  return `${reason} Fix it, enable it again, then replay from the time when it was disabled. Deliveries are kept for 14 days.`;
}

/** The start of a response as one line of text: control and direction characters become escapes (WH-12). */
export function excerptOf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8').slice(0, WEBHOOK_EXCERPT_MAX_LENGTH);
  if (text === '') return undefined;
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
