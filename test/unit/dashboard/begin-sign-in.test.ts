import { createHash } from 'node:crypto';
import { InMemoryWebStorage, SigninState } from 'oidc-client-ts';
import { expect, it } from 'vitest';
import { beginSignIn } from '../../../packages/dashboard/src/session/begin-sign-in.ts';

const ISSUER = 'https://issuer.example.com';
const ENDPOINTS = { authorization_endpoint: `${ISSUER}/authorize`, token_endpoint: `${ISSUER}/token` };
const CONFIG = {
  apiBaseUrl: 'https://gateway.example.com',
  proxyUrl: 'https://gateway.example.com',
  issuer: ISSUER,
  clientId: 'dashboard',
  without: new Set<string>(),
  issuerEndpoints: ENDPOINTS,
};
const PLACE = { origin: 'https://dashboard.example.com', path: '/keys?name=x' };

async function begin(storage = new InMemoryWebStorage()) {
  const url = await beginSignIn(CONFIG, ENDPOINTS, PLACE, storage);
  const { state = '', ...asked } = Object.fromEntries(url.searchParams);
  const stored = await SigninState.fromStorageString(storage.getItem(`oidc.${state}`) ?? 'null');
  return { url, state, asked, stored };
}

it('begins a sign-in whose stored state the library reads back, with a challenge of its verifier', async () => {
  const { url, state, asked, stored } = await begin();
  expect(`${url.origin}${url.pathname}`).toBe(`${ISSUER}/authorize`);
  expect(asked).toEqual({
    client_id: 'dashboard',
    redirect_uri: 'https://dashboard.example.com/signed-in',
    response_type: 'code',
    scope: 'openid email',
    nonce: stored.nonce,
    code_challenge: createHash('sha256')
      .update(stored.code_verifier ?? '')
      .digest('base64url'),
    code_challenge_method: 'S256',
  });
  expect(stored).toMatchObject({ id: state, authority: ISSUER, client_id: 'dashboard', data: '/keys?name=x' });
  expect(stored).toMatchObject({ request_type: 'si:r', redirect_uri: asked.redirect_uri, scope: asked.scope });
});

it('begins each sign-in with a state, nonce and verifier of its own, and forgets requests without a response', async () => {
  const storage = new InMemoryWebStorage();
  storage.setItem('oidc.old', JSON.stringify({ id: 'old', created: 1 }));
  const [first, second] = [await begin(storage), await begin(storage)];
  expect(second.state).not.toBe(first.state);
  expect(second.stored.nonce).not.toBe(first.stored.nonce);
  expect(second.stored.code_verifier).not.toBe(first.stored.code_verifier);
  expect(storage.getItem('oidc.old') ?? null).toBeNull();
});
