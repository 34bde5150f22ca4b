import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { FaultWorld } from '../fault-world.ts';
import { HARNESS_HEADER, type ProviderRequest } from '../ledger.ts';
import type { Transcript } from '../transcripts.ts';

/** A call waits for at most two leases and the writes after them; here a lease is three seconds. */
const DEADLINE_MS = 20_000;
const ATTEMPTS_PER_REQUEST = 1.2;
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);

/**
 * I9: a caller that received 200 got the bytes that the provider has.
 *
 * @throws AssertionError
 */
export async function checkBodies(world: FaultWorld, transcripts: readonly Transcript[]): Promise<void> {
  const truths = new Map<string, string>();
  for (const { key, method, path, status, body } of transcripts) {
    if (method !== 'GET' || status !== 200 || body === undefined) continue;
    const place = `${key} ${path}`;
    const truth = truths.get(place) ?? (await askProvider(world, key, path));
    if (truth === undefined) continue;
    truths.set(place, truth);
    assert.equal(digest(body), truth, `I9: GET ${place}: ${body.toString('utf8').slice(0, 200)}`);
  }
}

/**
 * I10: a call that must not be applied twice reached the provider once, unless its first answer proves that nothing was
 * applied. I11: callers were answered in time, and cost the provider at most 1.2 attempts each, answers of 401 aside.
 *
 * @throws AssertionError
 */
export function checkAttempts(transcripts: readonly Transcript[], requests: readonly ProviderRequest[]): void {
  const attempts = Map.groupBy(requests, ({ tag }) => tag);
  let counted = 0;
  for (const { tag, key, method, path, tookMs } of transcripts) {
    const place = `${method} ${path} of ${key}`;
    assert.ok(tookMs < DEADLINE_MS, `I11: ${place} took ${Math.round(tookMs)} ms`);
    const unproven = (attempts.get(tag) ?? []).filter(({ status }) => status !== 401 && status !== 429);
    counted += unproven.length;
    if (!REPEATABLE.has(method)) assert.ok(unproven.length <= 1, `I10: ${place} arrived ${unproven.length} times`);
  }
  assert.ok(
    counted <= Math.max(1, transcripts.length) * ATTEMPTS_PER_REQUEST,
    `I11: ${counted} attempts for ${transcripts.length} requests`,
  );
}

/** What the provider itself answers to the owner of a connection; undefined where none of its tokens is alive. */
async function askProvider(world: FaultWorld, key: string, path: string): Promise<string | undefined> {
  for (const { token } of world.ledger.accessTokens(key).slice(0, 5)) {
    const answer = await fetch(`${world.gateway.gateway.simulatorUrl}${path}`, {
      headers: { authorization: `Bearer ${token}`, [HARNESS_HEADER]: 'truth' },
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (answer.status === 200) return digest(body);
  }
  return undefined;
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
