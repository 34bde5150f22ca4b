import { Link, useLocation } from 'react-router';
import { useFirstSteps } from '../data/use-shared.ts';
import { ENTRY_COUNTS } from '../features/entry-counts.ts';
import { useParts, useWorkplace } from '../gateway/gateway-context.tsx';
import type { NavigationEntry } from '../model/feature-slots.ts';
import { FIRST_STEPS, isPartOf, navigationOf } from '../model/navigation.ts';

/** The pages by what operators do there; the entry of the page at hand is lit. */
export function Navigation({ isOpen }: { isOpen: boolean }) {
  const { pathname } = useLocation();
  const hasFirstSteps = useFirstSteps() === true || isPartOf(pathname, FIRST_STEPS);
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
                  <EntryLink entry={entry} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

function EntryLink({ entry }: { entry: NavigationEntry }) {
  const [Count] = useParts(ENTRY_COUNTS).flatMap((counts) => counts[entry.path] ?? []);
  const { pathname } = useLocation();
  const isHere = isPartOf(pathname, entry);
  return (
    <Link to={entry.path} className={isHere ? 'active' : ''} aria-current={isHere ? 'page' : undefined}>
      {entry.name}
      {Count !== undefined && <Count />}
    </Link>
  );
}
