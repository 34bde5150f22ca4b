import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import type { Endpoint, StoredDelivery } from '../endpoint.ts';
import { type FaultWorld, until } from '../fault-world.ts';

const SWEEPS = 3;
const DELIVERY_MS = 15_000;

/**
 * I16: each event of the bus that an endpoint wants is in its log. Once every wait is over, it was answered 2xx exactly once, or
 * the log says that it was given up or waits. Each message verifies with the published library of Standard Webhooks.
 *
 * @param spare messages that a row permits to arrive once more
 * @throws AssertionError
 */
export async function checkDeliveries(world: FaultWorld, endpoints: readonly Endpoint[], spare: number): Promise<void> {
  let repeats = 0;
  for (const endpoint of endpoints) {
    const wanted = eventsOf(world, endpoint);
    const areKnown = async () => {
      const known = new Set((await endpoint.deliveries()).map(({ eventId }) => eventId));
      return wanted.every((id) => known.has(id));
    };
    await until(`I16: every event of ${endpoint.path} is in its log`, areKnown, DELIVERY_MS);
    const deliveries = await settle(world, endpoint);
    for (const delivery of deliveries) repeats += checkDelivery(endpoint, delivery);
    checkSignatures(endpoint);
  }
  assert.ok(repeats <= spare, `I16: ${repeats} messages arrived again after they had been answered 2xx`);
}

/** Ids of the events on the bus that the endpoint wants. */
function eventsOf({ gateway }: FaultWorld, { types, eventsFrom }: Endpoint): string[] {
  return gateway.gateway.events.slice(eventsFrom).flatMap(({ detail, 'detail-type': type }) => {
    if (!types.includes(type) || typeof detail !== 'object' || detail === null || Array.isArray(detail)) return [];
    return [String(detail.event_id)];
  });
}

/** Sweeps until nothing is to be sent any more (I12). */
async function settle(world: FaultWorld, endpoint: Endpoint): Promise<StoredDelivery[]> {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if ((await endpoint.deliveries()).every(({ state }) => state !== 'pending')) break;
    await endpoint.letTimePass();
    await world.gateway.gateway.tick('deliver');
  }
  const deliveries = await endpoint.deliveries();
  const left = deliveries.filter(({ state }) => state === 'pending');
  assert.deepEqual(left, [], `I12: ${endpoint.path} has deliveries left after ${SWEEPS} sweeps`);
  return deliveries;
}

/** @returns how often a message arrived after it had been answered 2xx */
function checkDelivery(endpoint: Endpoint, { eventId, state }: StoredDelivery): number {
  const taken = endpoint.messages(eventId).filter(({ status = 0 }) => status >= 200 && status <= 299).length;
  if (state === 'delivered') assert.ok(taken > 0, `I16: ${eventId} is marked delivered and never arrived`);
  else assert.equal(taken, 0, `I16: ${eventId} arrived and is marked ${state}`);
  return Math.max(0, taken - 1);
}

function checkSignatures(endpoint: Endpoint): void {
  const judge = new Webhook(endpoint.secret);
  for (const { headers, body } of endpoint.messages()) {
    const { 'webhook-id': id = '', 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
    // Signed again: with a clock that is off the library would call the message old.
    const signature = judge.sign(id, new Date(Number(time) * 1000), body);
    assert.ok(signatures.split(' ').includes(signature), `I16: signature of ${id}`);
  }
}
