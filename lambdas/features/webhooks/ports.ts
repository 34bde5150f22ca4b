/** Ports for endpoints, deliveries and events to replay. */
import type { LifecycleEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { Attempt, Delivery, DeliveryRef, DeliveryState } from './delivery.rules.ts';
import type { Webhook, WebhookEvent, WebhookRef } from './webhook.rules.ts';

/** Attributes of an endpoint that its owner changes; `undefined` removes one. */
export type WebhookChange = Partial<
  Pick<
    Webhook,
    | 'url'
    | 'description'
    | 'types'
    | 'integrationIds'
    | 'status'
    | 'disabledBecause'
    | 'disabledAtEpochSec'
    | 'enabledAtEpochSec'
    | 'lastSuccessAtEpochSec'
    | 'encryptedSecret'
    | 'encryptedPreviousSecret'
    | 'previousSecretUntilEpochSec'
    | 'encryptedEarlierSecret'
    | 'earlierSecretUntilEpochSec'
    | 'failuresInARow'
    | 'restUntilEpochSec'
  >
>;

/** Those secrets of an endpoint that it has, as stored. */
export type SealedSecrets = Readonly<
  Partial<Record<'encryptedSecret' | 'encryptedPreviousSecret' | 'encryptedEarlierSecret', string>>
>;

export interface SecretSeals {
  /** Replaces the stored forms of an endpoint's secrets, which stay the same; false when the record has changed since it was read. */
  resealSecrets(webhook: Webhook, sealed: SealedSecrets): Promise<boolean>;
}

export interface WebhookStore {
  /** Every endpoint of an account, strongly consistent. */
  list(accountId: string): Promise<Webhook[]>;
  /** Strongly consistent. */
  get(ref: WebhookRef): Promise<Webhook | undefined>;
  /** False when one with this id exists. */
  create(webhook: Webhook, event: LifecycleEvent): Promise<boolean>;
  /** Applies a change with its event; false when the record has changed since it was read, or is deleted. */
  change(webhook: Webhook, change: WebhookChange, event: LifecycleEvent): Promise<boolean>;
  remove(webhook: Webhook, event: LifecycleEvent): Promise<boolean>;
  /** Records a 2xx response: the failures in a row are over. */
  noteSuccess(ref: WebhookRef, nowEpochSec: number): Promise<void>;
  /** Counts a failure; undefined when the endpoint is deleted. */
  noteFailure(ref: WebhookRef): Promise<Webhook | undefined>;
  /** Makes an endpoint rest, never shorter than it already does. */
  rest(ref: WebhookRef, untilEpochSec: number): Promise<void>;
}

/** A page of the delivery log. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Id of the event to continue behind; undefined at the end. */
  readonly next: string | undefined;
}

/** Opaque place in a shard of the due index. */
export type DuePlace = Readonly<Record<string, unknown>>;

export interface DeliveryStore {
  /** Stores a new delivery; false when the event was queued for this endpoint before. */
  put(delivery: Delivery): Promise<boolean>;
  /** Stores it even if there was an earlier one, whose attempts stay in the log; false while that one is pending. */
  requeue(delivery: Delivery): Promise<boolean>;
  /** Strongly consistent. */
  get(ref: DeliveryRef): Promise<Delivery | undefined>;
  /** Due deliveries, oldest first, behind `after`: one page of a shard. */
  duePage(
    shard: number,
    untilEpochSec: number,
    limit: number,
    after: DuePlace | undefined,
  ): Promise<{ readonly refs: readonly DeliveryRef[]; readonly next: DuePlace | undefined }>;
  /** Claims a due delivery for one attempt; false when another process has it. */
  claim(delivery: Delivery, untilEpochSec: number): Promise<boolean>;
  /** Moves a delivery without an attempt; `dueAtEpochSec` undefined: it is no longer due. */
  move(delivery: Delivery, state: DeliveryState, dueAtEpochSec: number | undefined): Promise<void>;
  /** Records an attempt of a claimed delivery and its new state. */
  settle(claimed: Delivery, attempt: Attempt, state: DeliveryState, dueAtEpochSec: number | undefined): Promise<void>;
  /** The log of an endpoint, newest event first. */
  list(
    ref: WebhookRef,
    limit: number,
    before: string | undefined,
    state: DeliveryState | undefined,
  ): Promise<DeliveryPage>;
}

/** A page of an account's events, oldest first. */
export interface EventPage {
  readonly events: readonly WebhookEvent[];
  /** Id of the last event read; undefined at the end. */
  readonly next: string | undefined;
}

export interface EventHistory {
  /**
   * Events by their ids, which sort by time.
   *
   * @param from the first id, included
   * @param to the last id, included
   */
  page(accountId: string, from: string, to: string, limit: number): Promise<EventPage>;
}
