import type { ConnectionRef } from '../../../lambdas/gateway/core/identifiers.ts';
import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import type { ConnectionHistory } from './judge-connection.ts';
import { readTrail } from './read-trail.ts';

const TURNS = new Set(['ConnectionCreated', 'ConnectionReauthorized', 'ConnectionRestored', 'ConnectionDeleted']);

/** The table's own events about a connection: they outlive the row by 400 days. */
export async function readHistory(table: Table, ref: ConnectionRef, runName: string): Promise<ConnectionHistory> {
  let deleted: boolean | undefined;
  let restoredFromHere = false;
  let lastSequence = 0;
  let grantRevokedAtEpochSec: number | undefined;
  for (const { eventType, sequence, requestId, occurredAt } of await readTrail(table, ref)) {
    if (deleted === undefined && TURNS.has(String(eventType))) deleted = eventType === 'ConnectionDeleted';
    if (eventType === 'ConnectionRestored' && requestId === runName) restoredFromHere = true;
    if (eventType === 'ConnectionGrantRevoked')
      grantRevokedAtEpochSec ??= Math.floor(Date.parse(String(occurredAt)) / 1000);
    lastSequence = Math.max(lastSequence, Number(sequence) || 0);
  }
  return { deleted: deleted === true, restoredFromHere, lastSequence, grantRevokedAtEpochSec };
}
