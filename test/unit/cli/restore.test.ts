import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import type { Item } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { type ConnectionHistory, judgeConnection } from '../../../packages/cli/restore/judge-connection.ts';
import { restoredConnection } from '../../../packages/cli/restore/restored-connection.ts';
import { connection, START_SEC } from '../refresh/support/connection.ts';

const SEALED = `v1.2955.${'A'.repeat(60)}`;
const NEWER = `v1.2955.${'B'.repeat(60)}`;
const BACKUP = connection({ encryptedAccessToken: SEALED, encryptedRefreshToken: SEALED, epoch: 4, tokenEpoch: 4 });
const QUIET: ConnectionHistory = { deleted: false, restoredFromHere: false, lastSequence: 0 };
const PLAIN = { overwrite: false, includeDeleted: false };
const NOW = { epochSec: START_SEC, iso: '2027-01-15T08:00:00.000Z' };

function item(changes: Partial<Connection> = {}, extra: Item = {}): Item {
  const stored = Object.entries({ ...connectionToItem({ ...BACKUP, ...changes }), ...extra });
  return Object.fromEntries(stored.filter(([, value]) => value !== undefined));
}

const judge = (live: Item | undefined, history = QUIET, wishes = PLAIN) =>
  judgeConnection(BACKUP, live, history, wishes).reason;

describe('which rows of a backup come back (CR-3)', () => {
  it.each([
    ['missing', undefined],
    ['same', item()],
    ['same', item({ lastUsedAtEpochSec: START_SEC, refreshAtEpochSec: START_SEC + 9 })],
    ['newer_here', item({ epoch: 5, tokenEpoch: 5, encryptedRefreshToken: NEWER })],
    ['died_since', item({ status: 'reauthorization_required', epoch: 5 })],
    ['deleted_here', item({ status: 'deleted', encryptedRefreshToken: undefined, epoch: 5 })],
    ['damaged', item({ encryptedRefreshToken: undefined })],
    ['damaged', item({ encryptedRefreshToken: 'v1.2955.short' })],
    ['damaged', item({ encryptedRefreshToken: NEWER })],
    ['damaged', item({ encryptedAccessToken: NEWER })],
    ['damaged', item({ epoch: 3, tokenEpoch: 3 })],
    ['damaged', item({ epoch: 4, tokenEpoch: 9 })],
    ['damaged', item({}, { itemVersion: undefined })],
    ['damaged', item({}, { grantedScopes: 7 })],
  ])('%s', (expected, live) => {
    expect(judge(live)).toBe(expected);
  });

  it('a deleted connection whose row is gone already stays deleted, unless it is asked for', () => {
    const deleted = { ...QUIET, deleted: true };
    expect(judge(undefined, deleted)).toBe('deleted_here');
    expect(judge(undefined, deleted, { ...PLAIN, includeDeleted: true })).toBe('deleted');
  });

  it('what the backup calls deleted never comes back', () => {
    const backup = { ...BACKUP, status: 'deleted' } as const;
    const everything = { overwrite: true, includeDeleted: true };
    expect(judgeConnection(backup, undefined, QUIET, everything).reason).toBe('deleted_in_backup');
  });

  it('newer tokens are taken back only when asked for, and once', () => {
    const live = item({ epoch: 5, tokenEpoch: 5, encryptedRefreshToken: NEWER });
    const overwrite = { ...PLAIN, overwrite: true };
    expect(judge(live, QUIET, overwrite)).toBe('overwritten');
    expect(judge(live, { ...QUIET, restoredFromHere: true }, overwrite)).toBe('restored_before');
  });
});

describe('the row that comes back (CR-3)', () => {
  it('the row that comes back has an epoch above both, no access token, no lease, and is due soon', () => {
    const live = item({ epoch: 9, tokenEpoch: 7, sequence: 5 });
    const back = restoredConnection(BACKUP, live, 6, NOW, 300);
    const counted = { epoch: 10, tokenEpoch: 4, failureCount: 0, sequence: 7 };
    const tokens = { encryptedRefreshToken: SEALED, encryptedAccessToken: undefined, refreshLease: undefined };
    expect(back).toMatchObject({ ...counted, ...tokens });
    expect(back.accessTokenExpiresAtEpochSec).toBeLessThan(START_SEC);
    expect(back.refreshAtEpochSec).toBeGreaterThanOrEqual(START_SEC);
    expect(back.refreshAtEpochSec).toBeLessThan(START_SEC + 300);
  });

  it('leaps over every epoch that a writer of a lost row can hold', () => {
    expect(restoredConnection(BACKUP, undefined, 0, NOW, 300).epoch).toBeGreaterThan(1_000_000);
    const damaged = item({}, { itemVersion: undefined, epoch: 40 });
    expect(restoredConnection(BACKUP, damaged, 0, NOW, 300).epoch).toBe(1_000_040);
  });

  it('keeps what was said of the connection since the backup', () => {
    const live = item({ encryptedRefreshToken: NEWER, tags: { plan: 'team' }, metadata: { folder: 'new' } });
    const back = restoredConnection(BACKUP, live, 0, NOW, 300);
    expect([back.tags, back.metadata]).toEqual([{ plan: 'team' }, { folder: 'new' }]);
  });

  it('the row that comes back is not due where the grant was dead in the backup', () => {
    const dead = { ...BACKUP, status: 'reauthorization_required' } as const;
    expect(restoredConnection(dead, undefined, 0, NOW, 300).refreshAtEpochSec).toBeUndefined();
  });
});
