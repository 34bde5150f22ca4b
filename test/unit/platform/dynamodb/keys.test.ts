import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEY_PURPOSES } from '../../../../lambdas/gateway/core/contract.ts';
import * as keys from '../../../../lambdas/gateway/platform/dynamodb/keys.ts';

const id = fc.stringMatching(/^[A-Za-z#%:/0-9\0 -]{0,12}$/);
const hostileId = fc.oneof(
  id,
  fc.constantFrom('ACCOUNT#a', 'a#CONNECTION', 'INTEGRATION#a', 'KEY', '#', '%23', 'a#KEY', 'DATAKEY#1'),
);
const connectionRef = fc.record({ accountId: hostileId, integrationId: hostileId, connectionId: hostileId });

describe('keys of the one table (AK-6)', () => {
  it('keys of the one table are equal only for the same kind of item and the same identity', () => {
    const integrationRef = fc.record({ accountId: hostileId, integrationId: hostileId });
    const counted = fc.oneof(
      fc.record({ kind: fc.constant('connection' as const), ref: connectionRef }),
      fc.record({ kind: fc.constant('key' as const), keyHash: hostileId }),
    );
    const made = (kind: string, identity: unknown, key: unknown) => ({
      identity: JSON.stringify([kind, identity]),
      key,
    });
    const item = fc.oneof(
      integrationRef.map((ref) => made('integration', ref, keys.integrationItemKey(ref))),
      connectionRef.map((ref) => made('connection', ref, keys.connectionItemKey(ref))),
      fc
        .tuple(counted, fc.nat(9))
        .map(([subject, window]) => made('calls', [subject, window], keys.callCountItemKey(subject, window))),
      fc
        .tuple(hostileId, fc.constantFrom(...KEY_PURPOSES), fc.nat())
        .map(([accountId, purpose, number]) =>
          made('dataKey', [accountId, purpose, number], keys.dataKeyItemKey({ accountId, purpose }, number)),
        ),
    );
    fc.assert(
      fc.property(item, item, (a, b) => {
        expect(JSON.stringify(a.key) === JSON.stringify(b.key)).toBe(a.identity === b.identity);
      }),
      { numRuns: 3000 },
    );
  });

  it('keys of the one table keep the lists of accounts and the sharers of grants apart', () => {
    const partitions = (account: string) => [
      keys.accountPk(account),
      keys.eventPk({ accountId: account }),
      keys.connectionListKey(account),
      keys.secretKeyListKey(account),
    ];
    fc.assert(
      fc.property(hostileId, hostileId, (a, b) => {
        if (a !== b) for (const pk of partitions(a)) expect(partitions(b)).not.toContain(pk);
        expect(keys.grantKey(a, b) === keys.grantKey(b, a)).toBe(a === b);
      }),
      { numRuns: 1000 },
    );
  });

  it('keys of the one table give a connection back from its partition key', () => {
    fc.assert(
      fc.property(connectionRef, (ref) => {
        expect(keys.connectionRefOfPk(keys.connectionPk(ref))).toEqual(ref);
      }),
    );
    for (const pk of ['', 'ACCOUNT#a', 'CONNECTION', 'CONNECTION#a#b', 'KEY#a#b#c'])
      expect(keys.connectionRefOfPk(pk)).toBeUndefined();
  });
});
