import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConnectionRef,
  connectionRefKey,
  integrationRefKey,
  isAccountId,
  isConnectionId,
  isIntegrationId,
} from '../../../lambdas/gateway/core/identifiers.ts';
import { elapsedMs } from '../support/connection.ts';

/** Ids made of what separators and prefixes are made of. */
const hostileId = fc.stringMatching(/^[a#%:/0-9\0~-]{0,6}$/);
const ref = fc.record({ accountId: hostileId, integrationId: hostileId, connectionId: hostileId });
const same = (a: ConnectionRef, b: ConnectionRef) =>
  a.accountId === b.accountId && a.integrationId === b.integrationId && a.connectionId === b.connectionId;

describe('keys of identities (AK-6)', () => {
  it('are equal only for equal connections', () => {
    fc.assert(
      fc.property(ref, ref, (a, b) => {
        expect(connectionRefKey(a) === connectionRefKey(b)).toBe(same(a, b));
      }),
      { numRuns: 2000 },
    );
  });

  it('do not move with the place where one id ends and the next begins', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a#%:/]{0,8}$/), fc.nat(8), fc.nat(8), (text, i, j) => {
        const cut = (at: number): ConnectionRef => ({
          accountId: 'x',
          integrationId: text.slice(0, at),
          connectionId: text.slice(at),
        });
        expect(connectionRefKey(cut(i)) === connectionRefKey(cut(j))).toBe(same(cut(i), cut(j)));
        const joined = (at: number) =>
          integrationRefKey({ accountId: text.slice(0, at), integrationId: text.slice(at) });
        expect(joined(i) === joined(j)).toBe(same(cut(i), cut(j)));
      }),
    );
  });
});

describe('what an id may look like', () => {
  it.each(['a', 'default', '0-a', 'a'.repeat(63)])('takes the account %s', (id) => {
    expect(isAccountId(id)).toBe(true);
  });

  it.each(['', '-a', 'A', 'a_b', 'a b', 'a\n', 'caf\u00e9', 'a'.repeat(64)])('refuses the account %j', (id) => {
    expect(isAccountId(id)).toBe(false);
  });

  it.each(['a', 'google drive', '~:.@_-', 'a'.repeat(255)])('takes the integration %s', (id) => {
    expect(isIntegrationId(id)).toBe(true);
  });

  it.each(['', ' ', ' a', 'a ', 'a/b', 'a#b', 'a\nb', 'a\n', 'caf\u00e9', 'a'.repeat(256)])(
    'refuses the integration %j',
    (id) => {
      expect(isIntegrationId(id)).toBe(false);
    },
  );

  it.each(['a', 'user+1@example.com', '[a|b]=c~d:e.f-g_h', 'a b', 'a'.repeat(255)])('takes the connection %s', (id) => {
    expect(isConnectionId(id)).toBe(true);
  });

  it.each([
    '',
    ' a',
    'a ',
    'a,b',
    'a;b',
    'a/b',
    'a\\b',
    'a#b',
    'a?b',
    'a%b',
    "a'b",
    'a"b',
    'a\0',
    '\u{1f600}',
    'a'.repeat(256),
  ])('refuses the connection %j', (id) => {
    expect(isConnectionId(id)).toBe(false);
  });

  it.each([' ', 'a', '-', '#'])('judges 100 kB of %j in under 50 ms (DS-4)', (unit) => {
    for (const judge of [isAccountId, isIntegrationId, isConnectionId]) {
      expect(elapsedMs(() => judge(unit.repeat(100_000)))).toBeLessThan(50);
    }
  });
});
