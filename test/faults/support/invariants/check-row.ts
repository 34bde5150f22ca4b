import assert from 'node:assert/strict';
import type { FaultWorld, Subject } from '../fault-world.ts';
import type { FaultRow } from '../row.ts';
import { checkConnection } from './connection.ts';
import { checkDeliveries } from './deliveries.ts';
import { checkCanaries, checkDestinations } from './exposure.ts';
import { checkFeeds } from './feeds.ts';
import { checkRecovery } from './recovery.ts';
import { checkTokenCalls } from './token-calls.ts';
import { checkAttempts, checkBodies } from './transfer.ts';

/** What a row permits beyond the invariants, and where its callers and the provider's record begin. */
export interface RowFrame
  extends Pick<FaultRow, 'spareTokenCalls' | 'recovery' | 'orphanChannels' | 'spareDeliveries'> {
  readonly transcriptsFrom: number;
  readonly requestsFrom: number;
  readonly channelsFrom: number;
  readonly feedsFrom: number;
  readonly endpointsFrom: number;
}

/**
 * Checks every invariant once the faults have ended.
 *
 * @returns milliseconds until callers were served again; undefined where the provider or the row forbade them to be
 * @throws AssertionError naming the invariant
 */
export async function checkInvariants(
  world: FaultWorld,
  subjects: readonly Subject[],
  frame: RowFrame,
): Promise<number | undefined> {
  // Before anything here causes refreshes of its own.
  for (const subject of subjects) checkTokenCalls(world, subject, frame.spareTokenCalls ?? 0);
  const recoveredMs = frame.recovery === 'forced' ? undefined : await checkRecovery(world, subjects);
  for (const subject of subjects) await checkConnection(world, subject);
  const feeds = world.feeds.slice(frame.feedsFrom);
  await checkFeeds(world, feeds, frame);
  await checkDeliveries(world, world.endpoints.slice(frame.endpointsFrom), frame.spareDeliveries ?? 0);
  const transcripts = world.transcripts.all.slice(frame.transcriptsFrom);
  const requests = world.ledger.requests.slice(frame.requestsFrom);
  checkAttempts(transcripts, requests);
  await checkBodies(world, transcripts);
  checkDestinations(world, requests);
  await checkCanaries(world);
  assert.ok(
    transcripts.length === 0 || requests.length > 0 || subjects.length === 0,
    'the provider saw nothing at all',
  );
  return recoveredMs;
}
