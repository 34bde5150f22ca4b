import assert from 'node:assert/strict';
import type { FaultWorld, Subject } from './fault-world.ts';

/** Highest epochs seen of each connection of a run. */
const seen = new Map<string, { epoch: number; tokenEpoch: number }>();

/**
 * What holds for every connection once faults have stopped: it is deleted, dead with a cause, or its grant works (I1, I4);
 * epochs never fall (I2); every transition has exactly one event, in order and without gap (I7); no token outlives a delete.
 *
 * @throws AssertionError naming the invariant
 */
export async function checkInvariants(world: FaultWorld, subject: Subject): Promise<void> {
  const row = await subject.row();
  const key = `${subject.integrationId} ${subject.connectionId}`;
  const before = seen.get(key) ?? { epoch: 0, tokenEpoch: 0 };
  const now = { epoch: Number(row.epoch), tokenEpoch: Number(row.tokenEpoch) };
  assert.ok(now.epoch >= before.epoch && now.tokenEpoch >= before.tokenEpoch, `I2: an epoch of ${key} fell`);
  seen.set(key, now);

  const sequences = (await subject.events()).map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    sequences.map((_, i) => i + 1),
    `I7: events of ${key}`,
  );
  assert.equal(row.sequence, sequences.length, `I7: row and events of ${key}`);

  if (row.status === 'deleted') {
    assert.equal(row.encryptedRefreshToken, undefined, `I8: ${key} keeps a token`);
    return;
  }
  if (row.status === 'reauthorization_required') {
    assert.equal(typeof row.cause, 'string', `I1: ${key} died without a cause`);
    return;
  }
  // The stored refresh token is one the provider still takes.
  const { integrationId, connectionId } = subject;
  const answer = await world.gateway.call(
    `/connections/${encodeURIComponent(connectionId)}?provider_config_key=${integrationId}&force_refresh=true`,
  );
  const body = await answer.text();
  assert.equal(answer.status, 200, `I1: ${key}: ${body}`);
  assert.equal((await subject.row()).status, 'active', `I1: ${key}: ${body}`);
}
