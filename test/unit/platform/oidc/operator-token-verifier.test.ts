import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operatorTokenVerifier } from '../../../../lambdas/gateway/platform/oidc/operator-token-verifier.ts';
import * as tokens from './operator-tokens.ts';

const { CLIENT_ID, claims, ISSUER, NOW_EPOCH_SEC, publishedKeys, signed, testKey } = tokens;
const key = testKey('first');
const attacker = testKey('first');
const INVALID = { kind: 'invalid' };

function started({ requiresRole = false } = {}) {
  const clock = { ms: NOW_EPOCH_SEC * 1000, nowMs: () => clock.ms };
  const { state, upstream } = publishedKeys(key);
  const verifier = operatorTokenVerifier(upstream, { issuer: ISSUER, clientId: CLIENT_ID, requiresRole }, clock);
  return { clock, state, verify: (token: string) => verifier.verify(token) };
}

describe('an access token of the issuer (AK-13)', () => {
  it('names its operator and when they signed in, by the keys below the issuer’s own address', async () => {
    const { state, verify } = started();
    expect(await verify(signed(key, claims()))).toEqual({
      kind: 'valid',
      operator: {
        subject: 'b4c1d2e3-0000-4000-8000-000000000001',
        authenticatedAtEpochSec: NOW_EPOCH_SEC - 60,
        secondFactor: undefined,
        role: 'operator',
      },
    });
    expect(state.asked).toEqual([`${ISSUER}/.well-known/jwks.json`]);
  });

  it.each([
    [['pwd', 'otp', 'mfa'], true],
    [['pwd'], false],
    [undefined, undefined],
    ['mfa', undefined],
  ])(
    'AK-17: an access token of the issuer with the methods %j says of a second factor: %s',
    async (amr, secondFactor) => {
      const { verify } = started();
      expect(await verify(signed(key, claims({ amr })))).toMatchObject({ kind: 'valid', operator: { secondFactor } });
    },
  );

  it.each([
    ['of no group', {}, 'operator'],
    ['of the group viewer', { 'cognito:groups': ['viewer'] }, 'viewer'],
    ['of both groups', { 'cognito:groups': ['viewer', 'operator'] }, 'operator'],
    ['with groups that are no list', { 'cognito:groups': 'viewer' }, 'none'],
    ['with the role viewer', { gateway_role: 'viewer', 'cognito:groups': ['operator'] }, 'viewer'],
    ['with the role none', { gateway_role: 'none' }, 'none'],
    ['with a role that does not exist', { gateway_role: 'admin' }, 'none'],
    ['with a role that is no text', { gateway_role: ['operator'] }, 'none'],
  ])('%s makes its person what the groups or the role say', async (_, changes, role) => {
    const { verify } = started();
    expect(await verify(signed(key, claims(changes)))).toMatchObject({ kind: 'valid', operator: { role } });
  });

  it('an access token of the issuer of a person of another provider is worth nothing without a role', async () => {
    const { verify } = started();
    const changes = { 'cognito:groups': ['operator', 'eu-central-1_Operators_Company'] };
    expect(await verify(signed(key, claims(changes)))).toMatchObject({ operator: { role: 'none' } });
    const withRole = claims({ ...changes, gateway_role: 'operator' });
    expect(await verify(signed(key, withRole))).toMatchObject({ operator: { role: 'operator' } });
  });

  it('an access token of the issuer without a role is worth nothing where a company’s sign-in sets the role', async () => {
    const { verify } = started({ requiresRole: true });
    for (const groups of [undefined, [], ['operator'], ['viewer']]) {
      const token = signed(key, claims({ 'cognito:groups': groups }));
      expect(await verify(token)).toMatchObject({ operator: { role: 'none' } });
    }
    expect(await verify(signed(key, claims({ gateway_role: 'operator' })))).toMatchObject({
      operator: { role: 'operator' },
    });
  });

  it.each([
    ['true', true],
    ['false', false],
    [true, false],
  ])(
    'AK-17: an access token of the issuer with the statement %j of the company’s sign-in says of a second factor: %s',
    async (stated, secondFactor) => {
      const { verify } = started();
      const token = signed(key, claims({ gateway_role: 'operator', gateway_second_factor: stated }));
      expect(await verify(token)).toMatchObject({ kind: 'valid', operator: { secondFactor } });
    },
  );

  it.each([
    ['an ID token', { token_use: 'id', aud: CLIENT_ID }],
    ['an ID token without a client', { token_use: 'id', aud: CLIENT_ID, client_id: undefined }],
    ['no kind of token at all', { token_use: undefined }],
    ['of another client', { client_id: 'other-client' }],
    ['of a client in aud only', { client_id: undefined, aud: CLIENT_ID }],
    ['of another issuer', { iss: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Other' }],
    ['of the issuer with a slash', { iss: `${ISSUER}/` }],
    ['of no issuer', { iss: undefined }],
    ['expired', { exp: NOW_EPOCH_SEC - 31 }],
    ['without an end', { exp: undefined }],
    ['ending at a text', { exp: String(NOW_EPOCH_SEC + 840) }],
    ['not yet valid', { nbf: NOW_EPOCH_SEC + 31 }],
    ['issued in the future', { iat: NOW_EPOCH_SEC + 31 }],
    ['without a time of issue', { iat: undefined }],
    ['without a time of sign-in', { auth_time: undefined }],
    ['without a subject', { sub: undefined }],
    ['of an empty subject', { sub: '' }],
  ])('an access token of the issuer is refused when it is %s', async (_, changes) => {
    expect(await started().verify(signed(key, claims(changes)))).toEqual(INVALID);
  });

  it('an access token of the issuer may be a little past its times, as clocks differ', async () => {
    const changes = { exp: NOW_EPOCH_SEC - 29, iat: NOW_EPOCH_SEC + 29, nbf: NOW_EPOCH_SEC + 29 };
    expect(await started().verify(signed(key, claims(changes)))).toMatchObject({ kind: 'valid' });
  });
});

describe('a forged token (AK-13)', () => {
  it.each([
    ['without a signature', tokens.unsigned(key, claims())],
    ['with a MAC made from the public key', tokens.macOverPublicKey(key, claims())],
    ['signed by another key of the same id', signed(attacker, claims())],
    ['that brings its own key', signed(attacker, claims(), { jwk: attacker.publicJwk })],
    ['that names a key set of its own', signed(attacker, claims(), { jku: 'https://attacker.example/keys' })],
    ['that names a certificate of its own', signed(attacker, claims(), { x5u: 'https://attacker.example/c' })],
    ['without a key id', signed(key, claims(), { kid: undefined })],
    ['with a key id that is no text', signed(key, claims(), { kid: 1 })],
    ['with an extension that must be understood', signed(key, claims(), { crit: ['b64'], b64: true })],
    ['under another algorithm of the same key', signed(key, claims(), { alg: 'PS256' })],
    ['whose claims were changed', changed(signed(key, claims()))],
    ['whose claims are a list', signed(key, [claims()])],
    ['of two parts', 'a.b'],
    ['of nothing', '..'],
  ])('%s is refused, and no address that it names is asked', async (_, token) => {
    const { state, verify } = started();
    expect(await verify(token)).toEqual(INVALID);
    expect(state.asked.filter((address) => !address.startsWith(ISSUER))).toEqual([]);
  });

  it('a forged token is refused under another algorithm of a key that is published without one', async () => {
    const { state, verify } = started();
    const { alg: _alg, ...publicJwk } = key.publicJwk;
    state.keys = [{ ...key, publicJwk }];
    expect(await verify(signed(key, claims()))).toMatchObject({ kind: 'valid' });
    expect(await verify(tokens.signedWithPss(key, claims()))).toEqual(INVALID);
  });

  it('a forged token is refused whatever text it is', async () => {
    const { verify } = started();
    const part = fc.oneof(
      fc.string(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        expect(await verify(parts.join('.'))).toEqual(INVALID);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the issuer’s keys', () => {
  it('the issuer’s keys are asked for once by many tokens at a time', async () => {
    const { state, verify } = started();
    await Promise.all(Array.from({ length: 20 }, () => verify(signed(key, claims()))));
    expect(state.asked).toHaveLength(1);
  });

  it('the issuer’s keys are asked for once per cool-down by a flood of unknown key ids (F95)', async () => {
    const { clock, state, verify } = started();
    await verify(signed(key, claims()));
    clock.ms += 31_000;
    const flood = Array.from({ length: 50 }, (_, i) => signed(attacker, claims(), { kid: `unknown-${i}` }));
    for (const token of flood) expect(await verify(token)).toEqual(INVALID);
    expect(state.asked).toHaveLength(2);
    clock.ms += 31_000;
    await Promise.all(flood.map(verify));
    expect(state.asked).toHaveLength(3);
  });

  it('the issuer’s keys are found when they have been rotated', async () => {
    const { clock, state, verify } = started();
    await verify(signed(key, claims()));
    const next = testKey('second');
    state.keys = [key, next];
    clock.ms += 31_000;
    expect(await verify(signed(next, claims()))).toMatchObject({ kind: 'valid' });
  });

  it('the issuer’s keys stop counting an hour after the issuer withdrew them', async () => {
    const { clock, state, verify } = started();
    const later = claims({ exp: NOW_EPOCH_SEC + 7200 });
    expect(await verify(signed(key, later))).toMatchObject({ kind: 'valid' });
    state.keys = [testKey('second')];
    clock.ms += 3_601_000;
    expect(await verify(signed(key, later))).toEqual(INVALID);
  });

  it('the issuer’s keys serve from memory while it is down, also past their age (F95)', async () => {
    const { clock, state, verify } = started();
    const token = signed(key, claims({ exp: NOW_EPOCH_SEC + 7200 }));
    await verify(token);
    state.down = true;
    clock.ms += 3_700_000;
    for (let i = 0; i < 5; i++) expect(await verify(token)).toMatchObject({ kind: 'valid' });
    expect(state.asked).toHaveLength(2);
  });

  it.each([
    ['is down', { down: true }],
    ['answers an error', { answer: { status: 503, text: '' } }],
    ['answers something else', { answer: { status: 200, text: '<html>' } }],
    ['answers no key set', { answer: { status: 200, text: '{"keys":1}' } }],
    ['answers without end', { answer: { status: 200, text: ' '.repeat(2_000_000) } }],
  ])(
    'the issuer’s keys are out of reach, which says nothing of the token, when the issuer %s at first',
    async (_, broken) => {
      const { clock, state, verify } = started();
      Object.assign(state, broken);
      expect(await verify(signed(key, claims()))).toEqual({ kind: 'unavailable' });
      expect(await verify(signed(key, claims()))).toEqual({ kind: 'unavailable' });
      expect(state.asked).toHaveLength(1);
      Object.assign(state, { down: false, answer: undefined });
      clock.ms += 31_000;
      expect(await verify(signed(key, claims()))).toMatchObject({ kind: 'valid' });
    },
  );
});

/** The same signature under other claims. */
function changed(token: string): string {
  const [header = '', , signature = ''] = token.split('.');
  const payload = Buffer.from(JSON.stringify(claims({ sub: 'somebody-else' }))).toString('base64url');
  return `${header}.${payload}.${signature}`;
}
