import assert from 'node:assert/strict';
import { listedPk } from '../../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { readItem } from '../../../support/table.ts';
import { type FaultWorld, type Subject, until } from '../fault-world.ts';

/** Events come as fast as their trigger retries; its longest pause is two seconds. */
const DELIVERY_MS = 15_000;

/**
 * What the table says of a connection. It is deleted, dead with a cause, or its grant works (I1, I4). Epochs never fell (I2).
 * Every transition has exactly one event, in order and without gap, in the table and on the bus (I7). No token and no due key
 * outlives a delete (I8).
 *
 * @throws AssertionError naming the invariant
 */
export async function checkConnection(world: FaultWorld, subject: Subject): Promise<void> {
  const row = await subject.row();
  const { key } = subject;
  assert.deepEqual(world.fallenEpochs(), [], 'I2: an epoch fell');

  const events = await subject.events();
  const sequences = events.map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    sequences.map((_, i) => i + 1),
    `I7: events of ${key}`,
  );
  assert.equal(row.sequence, sequences.length, `I7: row and events of ${key}`);
  const ids = events.map(({ id }) => id).toSorted();
  await until(`I7: the events of ${key} are on the bus`, () => onBus(world, subject).length >= ids.length, DELIVERY_MS);
  assert.deepEqual(onBus(world, subject), ids, `I7: table and bus of ${key}`);

  assert.deepEqual(await missingPlaces(world, row), [], `RI-14: ${key} is not found by its token`);
  if (row.status === 'deleted') {
    assert.equal(row.encryptedRefreshToken, undefined, `I8: ${key} keeps a token`);
    assert.equal(row.dueShard, undefined, `I8: ${key} is still due`);
    return;
  }
  if (row.status === 'reauthorization_required') {
    assert.equal(typeof row.cause, 'string', `I1: ${key} died without a cause`);
    return;
  }
  // The stored refresh token is one the provider still takes.
  const answer = await world.gateway.call(`${subject.path}&force_refresh=true`);
  const body = await answer.text();
  assert.equal(answer.status, 200, `I1: ${key}: ${body}`);
  assert.equal((await subject.row()).status, 'active', `I1: ${key}: ${body}`);
}

/** Where a connection must be found by its token, and is not. */
async function missingPlaces({ gateway }: FaultWorld, row: Record<string, unknown>): Promise<readonly string[]> {
  const prints = typeof row.tokenPrints === 'string' ? row.tokenPrints.split(' ') : [];
  const places = prints.map((print) => ({
    pk: listedPk(String(row.accountId), { kind: 'TOKEN', value: print }),
    sk: String(row.listSortKey),
  }));
  const found = await Promise.all(places.map((place) => readItem(gateway, place)));
  return places.filter((_, i) => found[i] === undefined || found[i]?.left === true).map(({ pk }) => pk);
}

/** Ids of the transitions of a connection on the bus, each once, sorted. */
function onBus(world: FaultWorld, subject: Subject): string[] {
  const ids = world.gateway.gateway.events.flatMap(({ detail }) => {
    if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return [];
    // Events of feeds are numbered by feed.
    const isOurs = detail.connection_id === subject.connectionId && !detail.feed_id && Number(detail.sequence) > 0;
    return isOurs ? [String(detail.event_id)] : [];
  });
  return [...new Set(ids)].toSorted();
}
