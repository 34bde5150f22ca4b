/** Endpoints of an account: each event is signed and sent to all of them. */
export const WEBHOOKS_MAX = 20;
/** Random bytes of an endpoint's secret: Standard Webhooks asks for 24 to 64. */
export const WEBHOOK_SECRET_BYTES = 32;
/** After a rotation messages are signed with the old secret, too, for this long: time for a deployment by the receiver. */
export const WEBHOOK_SECRET_OVERLAP_SEC = 24 * 3600;
/** Tests of one endpoint: enough to try by hand, too few to attack another server through the gateway. */
export const WEBHOOK_TESTS_PER_MINUTE = 10;
/** From the connection to the head of an endpoint's answer. */
export const WEBHOOK_HEAD_TIMEOUT_MS = 10_000;
/** One attempt in all, connection and answer included. */
export const WEBHOOK_TOTAL_TIMEOUT_MS = 15_000;
/** An attempt that an operator waits for, within the management function's 15 seconds. */
export const WEBHOOK_TEST_TIMEOUT_MS = 9_000;
/** Bytes of an endpoint's response that are read; the rest is ignored. */
export const WEBHOOK_ANSWER_MAX_BYTES = 4 * 1024;
/** Characters of them that the delivery log stores. */
export const WEBHOOK_EXCERPT_MAX_LENGTH = 500;
/** Body of a message: above the largest event, below what receivers commonly accept. */
export const WEBHOOK_BODY_MAX_BYTES = 64 * 1024;
/** Seconds to the next attempt after the first, the second and so on: ten attempts over 75 hours (Standard Webhooks, example schedule). */
export const WEBHOOK_RETRY_DELAYS_SEC: readonly number[] = [
  5,
  5 * 60,
  30 * 60,
  2 * 3600,
  5 * 3600,
  10 * 3600,
  14 * 3600,
  20 * 3600,
  24 * 3600,
];
/** Random part of a delay, so that deliveries that failed together are not retried together. */
export const WEBHOOK_RETRY_JITTER = 0.1;
/** A `Retry-After` beyond this counts as this. */
export const WEBHOOK_RETRY_AFTER_MAX_SEC = 24 * 3600;
/** An attempt under way holds its delivery for this long; after a process died it is free then. */
export const WEBHOOK_CLAIM_SEC = 60;
/** How often a process looks for secrets of webhooks that an earlier version stored: deliveries wait for it after a restore. */
export const WEBHOOK_SEAL_CHECK_MS = 300_000;
/** After so many consecutive failures an endpoint rests, and its deliveries wait with it. */
export const WEBHOOK_REST_AFTER_FAILURES = 5;
/** The first rest; it doubles with each further failure. */
export const WEBHOOK_REST_BASE_SEC = 30;
/** The longest rest: an endpoint that recovers gets deliveries again within this. */
export const WEBHOOK_REST_MAX_SEC = 3600;
/** An endpoint without a success for this long, and with the failures below, is disabled. */
export const WEBHOOK_DISABLE_AFTER_SEC = 5 * 24 * 3600;
export const WEBHOOK_DISABLE_MIN_FAILURES = 20;
/** Deliveries stay on record, and wait for a disabled endpoint, this long. */
export const DELIVERY_RETENTION_SEC = 14 * 24 * 3600;
/** Attempts of one delivery that the log shows: those of two whole rounds. */
export const DELIVERY_ATTEMPTS_KEPT = 20;
/** Attempts at the same time in one sweep, and those of them that one endpoint may have. */
export const DELIVERY_CONCURRENCY = 50;
export const DELIVERY_CONCURRENCY_PER_ENDPOINT = 5;
/** A success is recorded on its endpoint at most this often, because each record is a write. */
export const WEBHOOK_SUCCESS_NOTE_SEC = 60;
/** Events that one call of a replay reads: what its function can do in a few seconds. */
export const REPLAY_EVENTS_MAX = 500;
