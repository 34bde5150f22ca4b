import { type ReactNode, useEffect, useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useOnline } from '../data/use-online.ts';
import { useWaitingCalls } from '../data/use-waiting-calls.ts';
import { useWorkplace } from '../gateway/gateway-context.tsx';
import { SearchBox } from './search-box.tsx';
import { SignInEnded } from './sign-in-ended.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const PAGES: readonly (readonly [path: string, name: string])[] = [
  ['/', 'Overview'],
  ['/integrations', 'Integrations'],
  ['/connections', 'Connections'],
  ['/calls', 'Failed calls'],
  ['/feeds', 'Feeds'],
  ['/webhooks', 'Webhooks'],
  ['/keys', 'Secret keys'],
  ['/approvals', 'Approvals'],
  ['/audit', 'Audit'],
  ['/getting-started', 'Getting started'],
];

/** The frame of every page: header, navigation, and the place for the page. */
export function Shell({ children }: { children: ReactNode }) {
  const { session } = useWorkplace();
  const { pathname } = useLocation();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const waiting = useWaitingCalls();
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
            {session.operator}
          </span>
          <button type="button" className="plain-button" onClick={() => void session.signOut()}>
            Sign out
          </button>
        </span>
      </header>
      <nav id="navigation" aria-label="Pages" className={isMenuOpen ? 'navigation open' : 'navigation'}>
        <ul>
          {PAGES.map(([path, name]) => (
            <li key={path}>
              <NavLink to={path} end={path === '/'} className={isPartOf(pathname, path) ? 'active' : ''}>
                {name}
                {path === '/approvals' && waiting > 0 && <WaitingCount count={waiting} />}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <main id="main" tabIndex={-1}>
        <OfflineBar />
        {children}
      </main>
      <SignInEnded />
    </div>
  );
}

/** The number of waiting calls; screen readers get the words, too. */
function WaitingCount({ count }: { count: number }) {
  return (
    <span className="nav-count">
      {count}
      <span className="visually-hidden"> {count === 1 ? 'call waits' : 'calls wait'}</span>
    </span>
  );
}

/** The wizard has an address alongside the list it belongs to: an integration may be called anything. */
function isPartOf(pathname: string, path: string): boolean {
  if (path === '/') return pathname === '/';
  return (
    pathname === path ||
    pathname.startsWith(`${path}/`) ||
    (path === '/integrations' && pathname === '/new-integration')
  );
}

function OfflineBar() {
  const isOnline = useOnline();
  return (
    <div role="status" className={isOnline ? '' : 'offline-bar'}>
      {isOnline ? '' : 'You are offline. This page may be outdated; it reloads when the network is back.'}
    </div>
  );
}
