import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equalDigests, sha256Base64url, sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import {
  accountOfSecretKey,
  bearerToken,
  formatSecretKey,
  hintOf,
} from '../../../lambdas/gateway/keys/credentials.rules.ts';
import { elapsedMs } from '../support/connection.ts';

const RANDOM = 'aB3-_'.repeat(8).concat('xyz');

describe('secret keys (AK-1)', () => {
  it('secret keys name their account, though the random part may hold underscores', () => {
    const account = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,62}$/);
    fc.assert(
      fc.property(account, (accountId) => {
        const key = formatSecretKey(accountId, randomBytes(32).toString('base64url'));
        expect(accountOfSecretKey(key)).toBe(accountId);
      }),
    );
    expect(accountOfSecretKey(`sk_a_${'_'.repeat(43)}`)).toBe('a');
  });

  it('secret keys are distinguished by their last four characters', () => {
    expect(hintOf(formatSecretKey('default', RANDOM))).toBe('_xyz');
  });

  it.each([
    // Too short, too long, or with something around it.
    ...[
      '',
      'sk_',
      `sk_default_${RANDOM.slice(1)}`,
      `sk_default_${RANDOM}x`,
      `sk_default_${RANDOM}\n`,
      ` sk_default_${RANDOM}`,
    ],
    // Another prefix, or no account.
    ...[`SK_default_${RANDOM}`, `pk_default_${RANDOM}`, `sk_Default_${RANDOM}`, `sk__${RANDOM}`, `sk_-a_${RANDOM}`],
    ...[`sk_a_b_${RANDOM}`, `sk_${'a'.repeat(64)}_${RANDOM}`, `sk_d\u00e9fault_${RANDOM}`],
    // No base64url.
    ...[`sk_default_${RANDOM.slice(1)}=`, `sk_default_${RANDOM.slice(1)}+`],
  ])('secret keys refuse the form %j', (key) => {
    expect(accountOfSecretKey(key)).toBeUndefined();
  });
});

describe('digests (AK-2)', () => {
  it('digests are those of the standard (FIPS 180-4, RFC 7636 appendix B)', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Hex(Buffer.from('abc'))).toBe(sha256Hex('abc'));
    expect(sha256Base64url('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });

  it('digests compare whole, whatever they have in common', () => {
    const digest = sha256Hex('key');
    expect(equalDigests(digest, digest)).toBe(true);
    for (const other of ['', digest.slice(1), `${digest}0`, digest.toUpperCase(), sha256Hex('Key')]) {
      expect(equalDigests(digest, other)).toBe(false);
    }
    for (let i = 0; i < digest.length; i++) {
      const changed = `${digest.slice(0, i)}${digest[i] === '0' ? '1' : '0'}${digest.slice(i + 1)}`;
      expect(equalDigests(digest, changed)).toBe(false);
    }
  });
});

describe('bearerToken (RFC 6750 section 2.1)', () => {
  it.each(['Bearer abc', 'bearer abc', 'BEARER   abc', 'Bearer abc  '])('reads %j', (value) => {
    expect(bearerToken(value)).toBe('abc');
  });

  it.each([
    ...['', 'abc', 'Bearer', 'Bearer ', 'Bearerabc', 'Bearer a b', 'Bearer a,b', ' Bearer abc', 'Bearer\tabc'],
    ...['Bearer a\n', 'Bearer =a', 'Basic abc'],
  ])('refuses %j', (value) => {
    expect(bearerToken(value)).toBeUndefined();
  });

  it.each([' ', 'a', '=', 'a=', 'a ', '_'])('judges 100 kB of %j in under 50 ms (DS-4)', (unit) => {
    const text = unit.repeat(100_000 / unit.length);
    for (const start of ['', 'Bearer ', 'Bearer a', 'sk_', 'sk_a_']) {
      expect(elapsedMs(() => bearerToken(`${start}${text}\n`))).toBeLessThan(50);
      expect(elapsedMs(() => accountOfSecretKey(start + text))).toBeLessThan(50);
    }
  });
});
