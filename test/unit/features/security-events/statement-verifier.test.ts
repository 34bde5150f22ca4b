import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { RISC_CONFIGURATION_MAX_AGE_MS } from '../../../../lambdas/features/security-events/limits.rules.ts';
import { statementVerifier } from '../../../../lambdas/features/security-events/statement-verifier.store.ts';
import type { Upstream, UpstreamRequest } from '../../../../lambdas/gateway/core/http-message.ts';
import { ISSUER_KEYS_COOL_DOWN_MS } from '../../../../lambdas/gateway/core/limits.ts';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let first: Pair;
let second: Pair;

beforeAll(async () => {
  [first, second] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
});

/** An issuer that publishes its configuration and keys, and counts who asks. */
async function issuer(named = 'https://accounts.google.com/') {
  const published = [{ ...(await exportJWK(first.publicKey)), kid: 'k1', alg: 'RS256' }];
  const asked: string[] = [];
  let nowMs = 1_800_000_000_000;
  let isAway = false;
  const upstream: Upstream = {
    async send({ path }: UpstreamRequest) {
      asked.push(path);
      const body = path.endsWith('risc-configuration')
        ? { issuer: named, jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs' }
        : { keys: published };
      const text = Buffer.from(JSON.stringify(body));
      return {
        status: isAway ? 503 : 200,
        headers: [],
        body: (async function* () {
          yield text;
        })(),
      } as unknown as Awaited<ReturnType<Upstream['send']>>;
    },
  } as Upstream;
  const verifier = statementVerifier(upstream, { issuer: 'https://accounts.google.com' }, { nowMs: () => nowMs });
  return {
    asked,
    published,
    verify: verifier.verify,
    pass: (ms: number) => {
      nowMs += ms;
    },
    setAway: (away: boolean) => {
      isAway = away;
    },
  };
}

const signed = (key: Pair, kid: string, claims: Record<string, unknown> = {}) =>
  new SignJWT({ iss: 'https://accounts.google.com/', exp: 1, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid })
    .sign(key.privateKey);

describe('the signature of a statement', () => {
  it.each(['https://accounts.google.com/', 'https://accounts.google.com'])(
    'RI-2: counts long after its exp, with the issuer as discovery spells it: %s',
    async (named) => {
      const { verify } = await issuer(named);
      expect(await verify(await signed(first, 'k1'))).toMatchObject({
        kind: 'signed',
        issuer: named,
        claims: { exp: 1 },
      });
    },
  );

  it('RI-2: the signature of a statement under a key that is new is found by one more look at the keys, and under no key is not valid', async () => {
    const { verify, published, asked, pass } = await issuer();
    expect((await verify(await signed(first, 'k1'))).kind).toBe('signed');
    published.push({ ...(await exportJWK(second.publicKey)), kid: 'k2', alg: 'RS256' });
    pass(ISSUER_KEYS_COOL_DOWN_MS);
    expect((await verify(await signed(second, 'k2'))).kind).toBe('signed');
    expect(asked).toHaveLength(3);
    for (let i = 0; i < 5; i++) expect((await verify(await signed(second, `forged-${i}`))).kind).toBe('invalid');
    expect(asked).toHaveLength(3);
  });

  it('RI-12: costs the issuer one question in a while, however many texts come while it is away', async () => {
    const { verify, asked, setAway, pass } = await issuer();
    setAway(true);
    const texts = Array.from({ length: 20 }, (_, index) => `a.b.${index}`);
    for (const { kind } of await Promise.all(texts.map(verify))) expect(kind).toBe('unavailable');
    for (const text of texts) await verify(text);
    expect(asked).toHaveLength(1);
    pass(ISSUER_KEYS_COOL_DOWN_MS);
    await verify('a.b.c');
    expect(asked).toHaveLength(2);
  });

  it('the signature of a statement is asked for again where the issuer is away, and continues under the keys that are known', async () => {
    const { verify, setAway, pass } = await issuer();
    const token = await signed(first, 'k1');
    setAway(true);
    expect((await verify(token)).kind).toBe('unavailable');
    setAway(false);
    pass(ISSUER_KEYS_COOL_DOWN_MS);
    expect((await verify(token)).kind).toBe('signed');
    setAway(true);
    pass(RISC_CONFIGURATION_MAX_AGE_MS);
    expect((await verify(token)).kind).toBe('signed');
  });

  it.each(['', 'a', 'a.b.c', '..', 'e30.e30.e30'])(
    'RI-12: the signature of a statement of %s is none',
    async (text) => {
      const { verify } = await issuer();
      expect((await verify(text)).kind).toBe('invalid');
    },
  );
});
