import { Link, useLocation } from 'react-router';
import { useFirstSteps, useWaitingCalls } from '../data/use-shared.ts';
import { useWorkplace } from '../gateway/gateway-context.tsx';
import { FIRST_STEPS, isPartOf, type NavigationEntry, navigationOf } from '../model/navigation.ts';

/** The pages by what operators do there; the entry of the page at hand is lit. */
export function Navigation({ isOpen }: { isOpen: boolean }) {
  const { pathname } = useLocation();
  const hasFirstSteps = useFirstSteps() === true || isPartOf(pathname, FIRST_STEPS);
  const waiting = useWaitingCalls();
  const pages = navigationOf(useWorkplace().without);
  const sections = hasFirstSteps ? [...pages, { entries: [FIRST_STEPS] }] : pages;
  return (
    <nav id="navigation" aria-label="Pages" className={isOpen ? 'navigation open' : 'navigation'}>
      <div className="navigation-sections">
        {sections.map(({ heading, entries }) => (
          <section key={entries[0]?.path} aria-label={heading}>
            {heading !== undefined && <p className="navigation-heading">{heading}</p>}
            <ul>
              {entries.map((entry) => (
                <li key={entry.path}>
                  <EntryLink entry={entry} waiting={entry.path === '/approvals' ? waiting : 0} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

function EntryLink({ entry, waiting }: { entry: NavigationEntry; waiting: number }) {
  const { pathname } = useLocation();
  const isHere = isPartOf(pathname, entry);
  return (
    <Link to={entry.path} className={isHere ? 'active' : ''} aria-current={isHere ? 'page' : undefined}>
      {entry.name}
      {waiting > 0 && <WaitingCount count={waiting} />}
    </Link>
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
