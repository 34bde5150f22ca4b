import type { LifecycleEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import type { Delivery, DeliveryRef } from '../../../lambdas/gateway/webhooks/delivery.rules.ts';
import type { DeliveryStore, WebhookStore } from '../../../lambdas/gateway/webhooks/ports.ts';
import type { Webhook, WebhookRef } from '../../../lambdas/gateway/webhooks/webhook.rules.ts';

const keyOf = ({ accountId, webhookId }: WebhookRef) => `${accountId}#${webhookId}`;

/** Endpoints in memory, with the events of their changes. */
export function memoryWebhooks() {
  const rows = new Map<string, Webhook>();
  const events: LifecycleEvent[] = [];
  const patch = (ref: WebhookRef, change: Partial<Webhook>): Webhook | undefined => {
    const row = rows.get(keyOf(ref));
    if (row === undefined) return undefined;
    const next = { ...row, ...change };
    rows.set(keyOf(ref), next);
    return next;
  };
  const store: WebhookStore = {
    list: async (accountId) => [...rows.values()].filter((row) => row.accountId === accountId),
    get: async (ref) => rows.get(keyOf(ref)),
    async create(webhook, event) {
      if (rows.has(keyOf(webhook))) return false;
      rows.set(keyOf(webhook), webhook);
      events.push(event);
      return true;
    },
    async change(webhook, change, event) {
      const row = rows.get(keyOf(webhook));
      if (row === undefined || row.version !== webhook.version) return false;
      patch(webhook, { ...change, version: row.version + 1, updatedAt: event.occurredAt });
      events.push(event);
      return true;
    },
    async remove(webhook, event) {
      events.push(event);
      return rows.delete(keyOf(webhook));
    },
    async noteSuccess(ref, nowEpochSec) {
      patch(ref, { lastSuccessAtEpochSec: nowEpochSec, failuresInARow: 0, restUntilEpochSec: undefined });
    },
    noteFailure: async (ref) => patch(ref, { failuresInARow: (rows.get(keyOf(ref))?.failuresInARow ?? 0) + 1 }),
    async rest(ref, untilEpochSec) {
      const until = rows.get(keyOf(ref))?.restUntilEpochSec ?? 0;
      if (until < untilEpochSec) patch(ref, { restUntilEpochSec: untilEpochSec });
    },
  };
  return { rows, events, store };
}

/** Deliveries in memory; due ones are found by a partition that `shardOf` names. */
export function memoryDeliveries(shardOf: (ref: WebhookRef) => number = () => 320) {
  const rows = new Map<string, Delivery>();
  const idOf = (ref: DeliveryRef) => `${keyOf(ref)}#${ref.eventId}`;
  const claimed = (delivery: Delivery): boolean => {
    const row = rows.get(idOf(delivery));
    return row !== undefined && row.dueAtEpochSec === delivery.dueAtEpochSec;
  };
  const store: DeliveryStore = {
    async put(delivery) {
      if (rows.has(idOf(delivery))) return false;
      rows.set(idOf(delivery), delivery);
      return true;
    },
    async requeue(delivery) {
      const row = rows.get(idOf(delivery));
      if (row?.state === 'pending') return false;
      rows.set(idOf(delivery), { ...delivery, attempts: row?.attempts ?? [] });
      return true;
    },
    get: async (ref) => rows.get(idOf(ref)),
    async duePage(shard, untilEpochSec, limit, after) {
      const passed = new Set(Array.isArray(after?.passed) ? after.passed : []);
      const due = [...rows.values()]
        .filter((row) => shardOf(row) === shard && (row.dueAtEpochSec ?? Number.POSITIVE_INFINITY) <= untilEpochSec)
        .filter((row) => !passed.has(idOf(row)))
        .sort((a, b) => (a.dueAtEpochSec ?? 0) - (b.dueAtEpochSec ?? 0));
      const refs = due.slice(0, limit);
      return { refs, next: due.length > limit ? { passed: [...passed, ...refs.map(idOf)] } : undefined };
    },
    async claim(delivery, untilEpochSec) {
      const row = rows.get(idOf(delivery));
      if (row === undefined || row.state !== 'pending' || !claimed(delivery)) return false;
      rows.set(idOf(delivery), { ...row, dueAtEpochSec: untilEpochSec });
      return true;
    },
    async move(delivery, state, dueAtEpochSec) {
      if (claimed(delivery)) rows.set(idOf(delivery), { ...delivery, state, dueAtEpochSec });
    },
    async settle(delivery, attempt, state, dueAtEpochSec) {
      if (!claimed(delivery)) return;
      rows.set(idOf(delivery), {
        ...delivery,
        state,
        dueAtEpochSec,
        tries: delivery.tries + 1,
        attempts: [...delivery.attempts, attempt],
      });
    },
    async list(ref, limit, before, state) {
      const found = [...rows.values()]
        .filter((row) => keyOf(row) === keyOf(ref) && (state === undefined || row.state === state))
        .filter((row) => before === undefined || row.eventId < before)
        .sort((a, b) => (a.eventId < b.eventId ? 1 : -1));
      const deliveries = found.slice(0, limit);
      return { deliveries, next: found.length > limit ? deliveries.at(-1)?.eventId : undefined };
    },
  };
  return { rows, store };
}
