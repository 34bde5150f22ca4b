import assert from 'node:assert/strict';
import type { FaultWorld } from '../faults/support/fault-world.ts';
import { callProxy } from './caller.ts';
import type { Ledger, WrittenFile } from './ledger.ts';

/** What the provider holds, compared with the responses that callers received. */
export interface Verified {
  readonly acknowledged: number;
  /** Calls whose answer was lost: the file may be there or not, but never twice. */
  readonly unsure: number;
  readonly unsureApplied: number;
  readonly deleted: number;
}

/**
 * Asks the provider for every file of the ledger, once all trouble is over.
 *
 * @throws AssertionError naming a file that was lost, doubled, changed or has come back
 */
export async function verifyLedger(world: FaultWorld, ledger: Ledger): Promise<Verified> {
  let unsureApplied = 0;
  for (const file of ledger.files) {
    const found = await findByName(world, file);
    assert.ok(found.length <= 1, `I10: ${file.name} is there ${found.length} times`);
    const [held] = found;
    if (file.id === undefined) {
      unsureApplied += found.length;
      continue;
    }
    if (file.deleted === 'yes') assert.equal(held, undefined, `${file.name} was deleted and is there`);
    if (file.deleted !== 'no') continue;
    assert.ok(held !== undefined, `${file.name} was acknowledged and is lost`);
    assert.equal(held.id, file.id, `${file.name} has another id`);
    assert.ok(file.descriptions.includes(held.description), `${file.name} says ${held.description}`);
    if (file.md5 !== undefined) assert.equal(held.md5Checksum, file.md5, `${file.name} has other content`);
  }
  const acknowledged = ledger.files.filter(({ id }) => id !== undefined);
  return {
    acknowledged: acknowledged.length,
    unsure: ledger.files.length - acknowledged.length,
    unsureApplied,
    deleted: acknowledged.filter(({ deleted }) => deleted === 'yes').length,
  };
}

interface Held {
  readonly id: string;
  readonly description?: string;
  readonly md5Checksum?: string;
}

async function findByName(world: FaultWorld, file: WrittenFile): Promise<readonly Held[]> {
  const query = encodeURIComponent(`name = '${file.name}' and trashed = false`);
  const path = `/drive/v3/files?q=${query}&fields=files(id,description,md5Checksum)`;
  const { outcome, answer } = await callProxy(world, file.subject, path);
  assert.equal(outcome.kind, 'ok', `asking for ${file.name}: ${JSON.stringify(outcome)}`);
  return JSON.parse(answer?.body.toString('utf8') ?? '{}').files;
}
