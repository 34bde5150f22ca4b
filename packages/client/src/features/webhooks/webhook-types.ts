import type { ManagedBy } from '../../management/managed-by.ts';

/** An endpoint that gets events. Times are ISO 8601 UTC. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly description: string | undefined;
  /** Event types it gets; undefined = all. */
  readonly types: readonly string[] | undefined;
  /** Integrations whose events it gets; undefined = all, and the account's own. */
  readonly integrations: readonly string[] | undefined;
  /** `unproven`, `enabled` or `disabled`. */
  readonly status: string;
  /** `gone`: it answered 410; `failing`: for five days; `requested`. */
  readonly disabledBecause: string | undefined;
  readonly disabledAt: string | undefined;
  readonly enabledAt: string | undefined;
  readonly lastSuccessAt: string | undefined;
  readonly failuresInARow: number;
  /** It failed several times in a row: nothing is sent until then. */
  readonly restingUntil: string | undefined;
  /** Until then the secret before the last rotation signs too. */
  readonly previousSecretUntil: string | undefined;
  /** The CloudFormation stack that declares it; undefined = none. */
  readonly managedBy?: ManagedBy | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A webhook whose secret was made just now. */
export interface WebhookWithSecret extends Webhook {
  /** Signs messages; returned only this once. */
  readonly secret: string;
}

/** A webhook to make. */
export interface NewWebhook {
  /** https, port 443, a host on the public internet. */
  url: string;
  description?: string;
  /** @default all */
  types?: readonly string[];
  /** @default all, and the account's own events */
  integrations?: readonly string[];
}

/** A change of a webhook; `null` takes away. */
export interface WebhookChange {
  url?: string;
  description?: string | null;
  types?: readonly string[] | null;
  integrations?: readonly string[] | null;
}

/** One request to an endpoint and its outcome. */
export interface WebhookAttempt {
  readonly at: string;
  readonly durationMs: number;
  /** HTTP status; undefined where no answer came. */
  readonly status: number | undefined;
  /** Undefined for a success; else such as `answered_with_error`, `timeout`, `name_not_found`. */
  readonly error: string | undefined;
  /** Start of a failed answer. */
  readonly answer: string | undefined;
}

/** One event for one webhook. */
export interface WebhookDelivery {
  /** Also the message's `webhook-id`. */
  readonly eventId: string;
  readonly type: string;
  readonly integrationId: string | undefined;
  /** `pending`, `delivered`, `failed` or `waiting`. */
  readonly state: string;
  readonly queuedAt: string;
  readonly nextAttemptAt: string | undefined;
  /** The latest, oldest first. */
  readonly attempts: readonly WebhookAttempt[];
}

/** Which deliveries. */
export interface WebhookDeliveryQuery {
  state?: 'pending' | 'delivered' | 'failed' | 'waiting';
  /** 1 to 100. @default 50 */
  limit?: number;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
}

/** A page of deliveries. */
export interface WebhookDeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  /** Undefined at the end. */
  readonly nextCursor: string | undefined;
}

/** Which events are to be sent again. */
export interface WebhookReplayRange {
  /** @default when the webhook was disabled last */
  from?: Date | string | undefined;
  /** @default now */
  to?: Date | string | undefined;
}

/** Outcome of one call of a replay. */
export interface WebhookReplay {
  readonly queued: number;
  /** Where the next call continues; undefined at the end. */
  readonly nextFrom: string | undefined;
}
