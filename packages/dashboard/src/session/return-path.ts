/** What every sign-in asks the issuer for. */
export const SIGN_IN_SCOPE = 'openid email';
/** Where the issuer sends the browser back to. */
export const SIGNED_IN_PATH = '/signed-in';
/** Where the browser lands after a sign-out; nothing there starts a new sign-in by itself. */
export const SIGNED_OUT_PATH = '/signed-out';

/**
 * The path to show after a sign-in. Only a path of this site is accepted, because a state may come from elsewhere.
 *
 * @returns `/` for any other value
 */
export function returnPath(state: unknown, origin: string): string {
  if (typeof state !== 'string' || !state.startsWith('/') || !URL.canParse(state, origin)) return '/';
  const url = new URL(state, origin);
  if (url.origin !== origin || url.pathname === SIGNED_IN_PATH || url.pathname === SIGNED_OUT_PATH) return '/';
  return `${url.pathname}${url.search}`;
}
