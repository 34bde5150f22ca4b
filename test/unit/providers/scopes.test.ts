import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalScope,
  expandScope,
  isScopeToken,
  missingScopes,
  onlyIdentityScopes,
  parseScopes,
  uniqueScopes,
} from '../../../lambdas/gateway/providers/scopes.rules.ts';
import { elapsedMs } from '../support/connection.ts';

const GOOGLE = 'https://www.googleapis.com/auth/';

describe('one spelling a scope (OA-17)', () => {
  it.each([
    [`${GOOGLE}userinfo.email`, 'email'],
    [`${GOOGLE}userinfo.profile`, 'profile'],
    [`${GOOGLE}drive.appfolder`, `${GOOGLE}drive.appdata`],
    [`${GOOGLE}drive`, `${GOOGLE}drive`],
    ['openid', 'openid'],
  ])('maps %s to %s', (scope, canonical) => {
    expect(canonicalScope(scope)).toBe(canonical);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'takes %s for a scope like any other',
    (scope) => {
      expect(parseScopes(scope)).toEqual([scope]);
    },
  );

  it('one spelling a scope is stable: mapping twice changes nothing', () => {
    fc.assert(fc.property(fc.string(), (scope) => canonicalScope(canonicalScope(scope)) === canonicalScope(scope)));
  });

  it('expands a short name and leaves a full one', () => {
    expect(expandScope('drive.file', GOOGLE)).toBe(`${GOOGLE}drive.file`);
    expect(
      ['openid', 'email', 'profile', 'https://mail.google.com/'].map((scope) => expandScope(scope, GOOGLE)),
    ).toEqual(['openid', 'email', 'profile', 'https://mail.google.com/']);
  });
});

describe('scopes as sets', () => {
  it('drops repeats under any spelling and keeps the order', () => {
    expect(parseScopes(`openid ${GOOGLE}userinfo.email  email,openid ${GOOGLE}drive`)).toEqual([
      'openid',
      'email',
      `${GOOGLE}drive`,
    ]);
    expect(parseScopes(' , ')).toEqual([]);
  });

  it('reports what was asked and not granted, aliases counted as equal', () => {
    expect(
      missingScopes(['email', `${GOOGLE}drive`, `${GOOGLE}calendar`], [`${GOOGLE}userinfo.email`, `${GOOGLE}drive`]),
    ).toEqual([`${GOOGLE}calendar`]);
  });

  it('finds nothing missing where everything was granted, wider or not', () => {
    const scopes = fc.array(
      fc.constantFrom('openid', 'email', `${GOOGLE}userinfo.email`, `${GOOGLE}drive`, `${GOOGLE}calendar`),
    );
    fc.assert(
      fc.property(scopes, scopes, (asked, more) => {
        expect(missingScopes(asked, [...more, ...asked])).toEqual([]);
        expect(missingScopes(asked, [])).toEqual(uniqueScopes(asked));
      }),
    );
  });

  it('distinguishes sign-in alone from access to an API', () => {
    expect(onlyIdentityScopes(['openid', `${GOOGLE}userinfo.email`])).toBe(true);
    expect(onlyIdentityScopes(['openid', `${GOOGLE}drive.file`])).toBe(false);
  });

  it('knows what is legal on the wire', () => {
    expect(isScopeToken(`${GOOGLE}drive.file`)).toBe(true);
    for (const scope of ['', 'a b', 'a"b', 'a\\b', 'caf\u00e9', 'a\n', 'a'.repeat(201)])
      expect(isScopeToken(scope)).toBe(false);
  });

  it.each([' ', ',', 'a ', 'a'])('parses 100 kB of %j in under 50 ms (DS-4)', (unit) => {
    expect(elapsedMs(() => parseScopes(unit.repeat(100_000 / unit.length)))).toBeLessThan(50);
    expect(elapsedMs(() => isScopeToken(unit.repeat(100_000 / unit.length)))).toBeLessThan(50);
  });
});
