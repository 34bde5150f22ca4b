import assert from 'node:assert/strict';
import type { FaultWorld, Subject } from '../fault-world.ts';
import type { ProviderRequest } from '../ledger.ts';

/**
 * I3: token calls per expiry are at most one, plus one for each call whose answer a fault spoiled, plus what the row states
 * for leases that were lost with their process. A token that the API refused counts as an expiry.
 *
 * @param spare calls the row permits beyond
 * @throws AssertionError
 */
export function checkTokenCalls(world: FaultWorld, subject: Subject, spare: number): void {
  const { ledger } = world;
  const calls = ledger.tokenCalls(subject.key);
  const permitted =
    world.expiries(subject.key) + refusedTokens(world, subject) + calls.filter(isSpoiled).length + spare;
  assert.ok(calls.length <= permitted, `I3: ${calls.length} token calls of ${subject.key}, ${permitted} permitted`);
}

/** Access tokens of a connection that the API answered with 401. */
export function refusedTokens({ ledger }: FaultWorld, { key }: Subject): number {
  const tokens = ledger.requests
    .filter(({ facts, status }) => facts.origin === 'api' && status === 401)
    .map(({ facts }) => facts.tokenSha256)
    .filter((sha256) => ledger.ownerOf(sha256) === key);
  return new Set(tokens).size;
}

/** True where a switch kept the gateway from getting new tokens, or from reading them. */
export function isSpoiled({ fault, status }: ProviderRequest): boolean {
  return fault !== undefined && (status !== 200 || fault.rawBody !== undefined);
}
