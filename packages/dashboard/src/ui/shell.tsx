import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import type { Outage } from '../data/outages.ts';
import { useOnline } from '../data/use-online.ts';
import { useWorkplace } from '../gateway/gateway-context.tsx';
import { describeError } from '../model/describe-error.ts';
import { clockSecLabel } from '../model/time.ts';
import { Navigation } from './navigation.tsx';
import { SearchBox } from './search-box.tsx';
import { SignInEnded } from './sign-in-ended.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** The frame of every page: header, navigation, and the place for the page. */
export function Shell({ children }: { children: ReactNode }) {
  const { session } = useWorkplace();
  const { pathname } = useLocation();
  const [isMenuOpen, setMenuOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link closes the menu.
  useEffect(() => setMenuOpen(false), [pathname]);
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="top-bar">
        <button
          type="button"
          className="menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="navigation"
          onClick={() => setMenuOpen((open) => !open)}
        >
          Menu
        </button>
        <span className="brand">Integration gateway</span>
        <span className="top-bar-end">
          <SearchBox />
          <ThemeSwitch />
          <span className="operator" title={session.operator}>
            {session.isViewer ? `${session.operator} (viewer)` : session.operator}
          </span>
          <button type="button" className="plain-button" onClick={() => void session.signOut()}>
            Sign out
          </button>
        </span>
      </header>
      <Navigation isOpen={isMenuOpen} />
      <main id="main" tabIndex={-1}>
        <OutageBar />
        <Shown>{children}</Shown>
      </main>
      <SignInEnded />
    </div>
  );
}

/** Why what is on the page may be old, and since when; empty while all is refreshed. */
function OutageBar() {
  const isOnline = useOnline();
  const outage = useOutage();
  const text = !isOnline
    ? 'You are offline. This page may be outdated; it reloads when the network is back.'
    : outage === undefined
      ? ''
      : `${describeError(outage.error).title}. Greyed values are of ${clockSecLabel(outage.sinceMs)} UTC; the page tries again by itself.`;
  return (
    <div role="status" className={text === '' ? '' : 'offline-bar'}>
      {text}
    </div>
  );
}

/** The page, greyed while it cannot be refreshed. */
function Shown({ children }: { children: ReactNode }) {
  const isOnline = useOnline();
  const outage = useOutage();
  return <div className={isOnline && outage === undefined ? '' : 'stale'}>{children}</div>;
}

function useOutage(): Outage | undefined {
  const { outages } = useWorkplace();
  return useSyncExternalStore(outages.subscribe, outages.current);
}
