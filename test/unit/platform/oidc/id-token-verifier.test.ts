import { describe, expect, it } from 'vitest';
import { idTokenVerifier } from '../../../../lambdas/gateway/platform/oidc/id-token-verifier.ts';
import { ENDPOINTS } from '../../authorization/support.ts';
import { publishedKeys, signed, testKey } from './operator-tokens.ts';

const key = testKey('first');
const CLIENT_ID = '1-client.apps.googleusercontent.com';
const GOOGLE = ['https://accounts.google.com', 'accounts.google.com'];
const OTHER = ['https://accounts.example'];

function claims(changes: object = {}) {
  const nowSec = Math.floor(Date.now() / 1000);
  return { iss: GOOGLE[0], aud: CLIENT_ID, sub: '1', iat: nowSec, exp: nowSec + 300, nonce: 'n', ...changes };
}

function verify(changes: object, issuers: readonly string[]) {
  const verifier = idTokenVerifier(publishedKeys(key).upstream);
  return verifier.verify(ENDPOINTS, signed(key, claims(changes)), CLIENT_ID, issuers);
}

describe('the issuer of an ID token', () => {
  it.each(GOOGLE)('OA-7: the issuer of an ID token is Google as %s', async (iss) => {
    expect(await verify({ iss }, GOOGLE)).toMatchObject({ subject: '1' });
  });

  it.each([
    ...['https://accounts.google.com/', 'http://accounts.google.com', 'Accounts.Google.com'],
    ...['https://accounts.example', undefined],
  ])('OA-7: the issuer of an ID token is not Google as %s', async (iss) => {
    expect(await verify({ iss }, GOOGLE)).toBeUndefined();
  });

  it('OA-7: the issuer of an ID token has no second spelling where it is not Google', async () => {
    expect(await verify({ iss: 'https://accounts.example' }, OTHER)).toMatchObject({ subject: '1' });
    expect(await verify({ iss: 'accounts.example' }, OTHER)).toBeUndefined();
  });
});

it('an ID token gives the Workspace domain where it is a text', async () => {
  expect(await verify({ hd: 'workspace.example' }, GOOGLE)).toMatchObject({ hostedDomain: 'workspace.example' });
  expect(await verify({ hd: ['workspace.example'] }, GOOGLE)).toMatchObject({ hostedDomain: undefined });
});
