export type Theme = 'light' | 'dark';

/** Where a page keeps its token while the browser is at the provider: in this tab, until it is closed. */
export interface TokenMemory {
  /** Takes the token out of the address, or else the tab's. */
  take(): string | undefined;
  /** Takes the token out of the address, if it has one. */
  fromAddress(): string | undefined;
  keep(token: string): void;
  /** The theme that the app requested in the address, now or before; the result page reads it, too. */
  theme(): Theme | undefined;
}

export function tokenMemory(): TokenMemory {
  const name = 'gateway:connect-session';
  const themeName = 'gateway:connect-theme';
  // Storage may be disabled; then a retry needs the link again, and nothing else is lost.
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
  const fromAddress = (): string | undefined => {
    const token = new URLSearchParams(location.hash.slice(1)).get('session_token');
    if (token === null || token === '') return undefined;
    history.replaceState(null, '', location.pathname + location.search);
    keep(token);
    return token;
  };
  return {
    take: () => fromAddress() ?? attempt(() => sessionStorage.getItem(name)),
    fromAddress,
    keep,
    theme() {
      const theme =
        new URLSearchParams(location.search).get('theme') ?? attempt(() => sessionStorage.getItem(themeName));
      if (theme !== 'light' && theme !== 'dark') return undefined;
      attempt(() => {
        sessionStorage.setItem(themeName, theme);
        return undefined;
      });
      return theme;
    },
  };
}
