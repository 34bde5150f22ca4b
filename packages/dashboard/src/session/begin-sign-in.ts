import { SigninState, WebStorageStateStore } from 'oidc-client-ts';
import type { DashboardConfig, IssuerEndpoints } from '../config.ts';
import { SIGN_IN_SCOPE, SIGNED_IN_PATH } from './return-path.ts';

/** A request without a response is forgotten after this, as by the library. */
const STALE_AFTER_SEC = 900;

/**
 * Begins a sign-in as the library's `UserManager` does, with 20 % of its code, because a browser waits for it before it leaves.
 * `openSession` reads the response by the state that is stored here.
 *
 * @param path where to return to
 * @returns the issuer's page
 */
export async function beginSignIn(
  { issuer, clientId }: DashboardConfig,
  endpoints: IssuerEndpoints,
  { origin, path }: { readonly origin: string; readonly path: string },
  storage: Storage = sessionStorage,
): Promise<URL> {
  const store = new WebStorageStateStore({ store: storage });
  const request = {
    client_id: clientId,
    redirect_uri: new URL(SIGNED_IN_PATH, origin).href,
    scope: SIGN_IN_SCOPE,
    nonce: crypto.randomUUID(),
  };
  const state = await SigninState.create({
    ...request,
    authority: issuer,
    request_type: 'si:r',
    code_verifier: true,
    data: path,
  });
  if (state.code_challenge === undefined) throw new Error('This browser made no PKCE challenge.');
  await SigninState.clearStaleState(store, STALE_AFTER_SEC);
  await store.set(state.id, state.toStorageString());
  const url = new URL(endpoints.authorization_endpoint);
  const challenge = { code_challenge: state.code_challenge, code_challenge_method: 'S256' };
  for (const [name, value] of Object.entries({ ...request, response_type: 'code', state: state.id, ...challenge })) {
    url.searchParams.append(name, value);
  }
  return url;
}
