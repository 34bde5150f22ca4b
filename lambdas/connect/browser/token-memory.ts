/** Where a page keeps the session token while the browser is at the provider: this tab, until it is closed. */
export interface TokenMemory {
  /** Takes the token out of the address, or remembers the tab's. */
  take(): string | undefined;
  keep(token: string): void;
}

/** Runs in the browser, alone: see `inlineScript`. */
export function tokenMemory(): TokenMemory {
  const name = 'gateway:connect-session';
  // Storage may be switched off; then a retry needs the link again, and nothing else is lost.
  const attempt = (action: () => string | null | undefined): string | undefined => {
    try {
      return action() ?? undefined;
    } catch {
      return undefined;
    }
  };
  const keep = (token: string): void => {
    attempt(() => {
      sessionStorage.setItem(name, token);
      return undefined;
    });
  };
  return {
    take() {
      const token = new URLSearchParams(location.hash.slice(1)).get('session_token');
      if (token === null || token === '') return attempt(() => sessionStorage.getItem(name));
      history.replaceState(null, '', location.pathname + location.search);
      keep(token);
      return token;
    },
    keep,
  };
}
