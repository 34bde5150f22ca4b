import type { User, UserManager } from 'oidc-client-ts';
import { SIGNED_OUT_PATH } from './return-path.ts';

/** Renewed this long before its end, so that no call starts with a token that ends on the way. */
const RENEW_BEFORE_END_SEC = 60;
/** How long a tab that leaves waits for its refresh token to be revoked. */
const REVOKE_WAIT_MS = 1_000;

/** An operator's sign-in. The access token lives in this object and nowhere else. */
export class Session {
  readonly #users: UserManager;
  readonly #ended = new Set<() => void>();
  readonly #signedOut = new Set<() => void>();
  #user: User;
  #renewing: Promise<void> | undefined;

  constructor(users: UserManager, user: User) {
    this.#users = users;
    this.#user = user;
  }

  /** The operator's name at the issuer. */
  get operator(): string {
    const { email, sub } = this.#user.profile;
    return email ?? sub;
  }

  /**
   * Whether the operator only looks: as the gateway has it of the same sign-in, which refuses everything else (`roleIn` of its verifier).
   */
  get isViewer(): boolean {
    const { gateway_role: role, 'cognito:groups': groups } = this.#user.profile;
    if (role !== undefined) return role !== 'operator';
    return Array.isArray(groups) && groups.includes('viewer') && !groups.includes('operator');
  }

  /** Proves to the gateway how the operator is called; undefined where the issuer gave none. */
  get idToken(): string | undefined {
    return this.#user.id_token;
  }

  /** A token for the gateway, renewed where it is about to end. */
  async accessToken(): Promise<string> {
    if ((this.#user.expires_in ?? 0) < RENEW_BEFORE_END_SEC) await this.renew();
    return this.#user.access_token;
  }

  /** Gets a new token, once for all concurrent callers; after a failure the current token stays and listeners are called. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Notifies all listeners that the gateway no longer accepts the sign-in. */
  end(): void {
    for (const listener of this.#ended) listener();
  }

  /** Calls a listener when the sign-in has ended. @returns lets go of it */
  onEnd(listener: () => void): () => void {
    this.#ended.add(listener);
    return () => this.#ended.delete(listener);
  }

  /** Leaves for the issuer and comes back to this page. @param fresh asks for the password even where the issuer knows the browser */
  async signInAgain(fresh = false): Promise<void> {
    const { pathname, search } = globalThis.location;
    await this.#users.signinRedirect({
      state: `${pathname}${search}`,
      nonce: crypto.randomUUID(),
      ...(fresh ? { prompt: 'login', max_age: 0 } : {}),
    });
  }

  /** Calls a listener when the operator signs out here. @returns lets go of it */
  onSignOut(listener: () => void): () => void {
    this.#signedOut.add(listener);
    return () => this.#signedOut.delete(listener);
  }

  /** Leaves for the page of signed-out operators, because another tab signed out: the issuer's session has ended there. */
  async leave(): Promise<void> {
    const revoked = this.#users.revokeTokens(['refresh_token']).catch(() => {});
    // What is on the page must not stay while an issuer takes its time.
    await Promise.race([revoked, new Promise((resolve) => setTimeout(resolve, REVOKE_WAIT_MS))]);
    globalThis.location.replace(new URL(SIGNED_OUT_PATH, globalThis.location.origin).href);
  }

  /** Ends the session at the issuer too and revokes the refresh token. */
  async signOut(): Promise<void> {
    for (const listener of this.#signedOut) listener();
    const address = new URL(SIGNED_OUT_PATH, globalThis.location.origin).href;
    await this.#users.revokeTokens(['refresh_token']).catch(() => {});
    // Cognito takes `logout_uri`, everyone else the standard name; each ignores the other's.
    const parameters = {
      post_logout_redirect_uri: address,
      extraQueryParams: { client_id: this.#users.settings.client_id, logout_uri: address },
    };
    // An issuer that cannot be reached must not keep the page open as if nothing had happened.
    await this.#users.signoutRedirect(parameters).catch(() => globalThis.location.assign(address));
  }

  async #renew(): Promise<void> {
    if (this.#user.refresh_token === undefined) {
      if (this.#user.expired === true) this.end();
      return;
    }
    try {
      const renewed = await this.#users.signinSilent();
      if (renewed !== null) this.#user = renewed;
    } catch {
      if (this.#user.expired === true) this.end();
    }
  }
}
