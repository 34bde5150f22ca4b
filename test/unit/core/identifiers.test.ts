import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConnectionRef,
  connectionRefKey,
  integrationRefKey,
  isAccountId,
  isConnectionId,
  isIntegrationId,
  newConnectionId,
} from '../../../lambdas/gateway/core/identifiers.ts';
import { elapsedMs } from '../support/connection.ts';

/** Ids made of what separators and prefixes are made of. */
const hostileId = fc.stringMatching(/^[a#%:/0-9\0~-]{0,6}$/);
const ref = fc.record({ accountId: hostileId, integrationId: hostileId, connectionId: hostileId });
const same = (a: ConnectionRef, b: ConnectionRef) =>
  a.accountId === b.accountId && a.integrationId === b.integrationId && a.connectionId === b.connectionId;

describe('keys of identities (AK-6)', () => {
  it('keys of identities are equal only for equal connections', () => {
    fc.assert(
      fc.property(ref, ref, (a, b) => {
        expect(connectionRefKey(a) === connectionRefKey(b)).toBe(same(a, b));
      }),
      { numRuns: 2000 },
    );
  });

  it('keys of identities do not move with the place where one id ends and the next begins', () => {
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
  const LONG = 'a'.repeat(255);
  it.each([
    [
      'account',
      isAccountId,
      ['a', 'default', '0-a', 'a'.repeat(63)],
      ['', '-a', 'A', 'a_b', 'a b', 'a\n', 'caf\u00e9', 'a'.repeat(64)],
    ],
    [
      'integration',
      isIntegrationId,
      ['a', 'google drive', '~:.@_-', LONG],
      ['', ' ', ' a', 'a ', 'a/b', 'a#b', 'a\nb', 'a\n', 'caf\u00e9', `${LONG}a`],
    ],
    [
      'connection',
      isConnectionId,
      ['a', 'user+1@example.com', '[a|b]=c~d:e.f-g_h', 'a b', LONG],
      ['', ' a', 'a ', ...[...',;/\\#?%\'"\0\u{1f600}'].map((sign) => `a${sign}b`), `${LONG}a`],
    ],
  ] as const)('what an id may look like is judged letter by letter for the id of an %s', (_, judge, right, wrong) => {
    expect(right.filter((id) => !judge(id))).toEqual([]);
    expect(wrong.filter((id) => judge(id))).toEqual([]);
  });

  it.each([' ', 'a', '-', '#'])('judges 100 kB of %j in under 50 ms (DS-4)', (unit) => {
    for (const judge of [isAccountId, isIntegrationId, isConnectionId]) {
      expect(elapsedMs(() => judge(unit.repeat(100_000)))).toBeLessThan(50);
    }
  });
});

const idOf = (bytes: Uint8Array) => newConnectionId({ bytes: () => bytes, number: () => 0 });

it('CS-7: an id holds all random bits but those that would make it look like an option', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 18, maxLength: 18 }), (bytes) => {
      const id = idOf(bytes);
      expect(id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{23}$/);
      expect(id.slice(1)).toBe(Buffer.from(bytes).toString('base64url').slice(1));
    }),
  );
  expect(idOf(new Uint8Array(18).fill(0xfb))).toMatch(/^x/);
});
