import { expect } from 'vitest';
import type { FaultWorld, Subject } from './fault-world.ts';

/** Highest epochs seen of each connection of a run. */
const seen = new Map<string, { epoch: number; tokenEpoch: number }>();

/**
 * What holds for every connection once faults have stopped: it is deleted, dead with a cause, or its grant works (I1, I4);
 * epochs never fall (I2); every transition has exactly one event, in order and without gap (I7); no lease is left behind.
 */
export async function checkInvariants(world: FaultWorld, subject: Subject): Promise<void> {
  const row = await subject.row();
  const key = `${subject.integrationId} ${subject.connectionId}`;
  const before = seen.get(key) ?? { epoch: 0, tokenEpoch: 0 };
  expect(row.epoch, 'I2').toBeGreaterThanOrEqual(before.epoch);
  expect(row.tokenEpoch, 'I2').toBeGreaterThanOrEqual(before.tokenEpoch);
  seen.set(key, { epoch: Number(row.epoch), tokenEpoch: Number(row.tokenEpoch) });

  const sequences = (await subject.events()).map(({ sequence }) => sequence).filter((sequence) => sequence > 0);
  expect(sequences, 'I7').toEqual(sequences.map((_, i) => i + 1));
  expect(row.sequence, 'I7').toBe(sequences.length);

  if (row.status === 'deleted') {
    expect(row.encryptedRefreshToken, 'I8').toBeUndefined();
    return;
  }
  if (row.status === 'reauthorization_required') {
    expect(row.cause, 'I1').toBeTypeOf('string');
    return;
  }
  expect(row.status).toBe('active');
  // I1: the stored refresh token is one the provider still takes.
  const { integrationId, connectionId } = subject;
  const answer = await world.gateway.call(
    `/connections/${encodeURIComponent(connectionId)}?provider_config_key=${integrationId}&force_refresh=true`,
  );
  expect(answer.status, `I1: ${await answer.text()}`).toBe(200);
  expect((await subject.row()).status, 'I1').toBe('active');
}
