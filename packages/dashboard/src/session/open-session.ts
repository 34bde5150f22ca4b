import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { DashboardConfig } from '../config.ts';
import { returnPath, SIGN_IN_SCOPE, SIGNED_IN_PATH, SIGNED_OUT_PATH } from './return-path.ts';
import { Session } from './session.ts';
import { shareSignOut } from './share-sign-out.ts';

/** Where a sign-in stands when the page opens. */
export type Opening =
  | { readonly kind: 'signed_in'; readonly session: Session }
  | { readonly kind: 'signed_out'; readonly signIn: () => Promise<void> }
  | { readonly kind: 'failed'; readonly reason: string; readonly signIn: () => Promise<void> }
  /** The browser is on its way to the issuer. */
  | { readonly kind: 'leaving' };

/**
 * Signs an operator in by OpenID Connect: authorization code, PKCE S256, fresh state and nonce (CS-12). Tokens stay in
 * memory (UI-2); only the open request waits in the tab's session storage, so a response begun in another browser, or in
 * another tab, finds no state and is refused.
 */
export async function openSession(config: DashboardConfig, url: URL): Promise<Opening> {
  const users = new UserManager({
    authority: config.issuer,
    client_id: config.clientId,
    ...(config.issuerEndpoints === undefined ? {} : { metadata: { issuer: config.issuer, ...config.issuerEndpoints } }),
    redirect_uri: new URL(SIGNED_IN_PATH, url.origin).href,
    scope: SIGN_IN_SCOPE,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    automaticSilentRenew: false,
    loadUserInfo: false,
    requestTimeoutInSeconds: 15,
  });
  const signIn = (path: string): Promise<void> => users.signinRedirect({ state: path, nonce: crypto.randomUUID() });
  if (url.pathname === SIGNED_OUT_PATH) return { kind: 'signed_out', signIn: () => signIn('/') };
  if (url.pathname !== SIGNED_IN_PATH) {
    await users.clearStaleState();
    await signIn(`${url.pathname}${url.search}`);
    return { kind: 'leaving' };
  }
  try {
    const user = await users.signinRedirectCallback(url.href);
    history.replaceState(null, '', returnPath(user.state, url.origin));
    const session = new Session(users, user);
    shareSignOut(session);
    return { kind: 'signed_in', session };
  } catch (error) {
    // The code must not stay in the address bar, nor be sent again by a reload.
    history.replaceState(null, '', '/');
    return {
      kind: 'failed',
      reason: error instanceof Error ? error.message : String(error),
      signIn: () => signIn('/'),
    };
  }
}
