import { FEATURES } from '../features/index.ts';
import type { FeatureEntry, NavigationEntry } from './feature-slots.ts';
import { inserted, isDeployed } from './features.ts';

/** Entries below a heading, or without one. */
export interface NavigationSection {
  readonly heading?: string;
  readonly entries: readonly NavigationEntry[];
}

/** Pages of the core by what operators do there, in their order. */
const OF_CORE: readonly NavigationSection[] = [
  {
    entries: [
      { path: '/', name: 'Overview' },
      { path: '/connections', name: 'Connections', also: ['/reconnect-links', '/erase-person'] },
      // The wizards have paths of their own, because an integration may have any name.
      {
        path: '/integrations',
        name: 'Integrations',
        also: ['/new-integration', '/new-delegation'],
      },
    ],
  },
  {
    heading: 'Activity',
    entries: [
      { path: '/calls', name: 'Failed calls' },
      { path: '/audit', name: 'Audit' },
    ],
  },
  { heading: 'Agents', entries: [] },
  { entries: [{ path: '/keys', name: 'Keys' }] },
];

/** All pages in their order, with those of features. */
export const NAVIGATION: readonly NavigationSection[] = withEntries().map((section) => ({
  ...section,
  entries: section.entries.map(withPages),
}));

function withEntries(): readonly NavigationSection[] {
  const entries: readonly FeatureEntry[] = Object.entries(FEATURES).flatMap(([id, feature]) =>
    (feature.entries ?? []).map((entry) => ({ features: [id], ...entry })),
  );
  return OF_CORE.map((section) => ({
    ...section,
    entries: entries
      .filter((entry) => entry.section === section.heading)
      .reduce<readonly NavigationEntry[]>(
        (all, entry) => inserted(all, entry, ({ path }) => path === entry.before),
        section.entries,
      ),
  }));
}

/** An entry with the paths of features' pages that belong to it. */
function withPages(entry: NavigationEntry): NavigationEntry {
  const paths = Object.values(FEATURES).flatMap(({ pages = [] }) =>
    pages.filter((page) => page.entry === entry.path).map(({ path }) => path.replace(/\/:.*/, '')),
  );
  return { ...entry, also: [...(entry.also ?? []), ...paths] };
}

/** The pages that a deployment has. @param without features that it leaves out */
export function navigationOf(without: ReadonlySet<string>): readonly NavigationSection[] {
  return NAVIGATION.map((section) => ({
    ...section,
    entries: section.entries.filter(({ features }) => isDeployed(features, without)),
  })).filter(({ entries }) => entries.length > 0);
}

/** The way from nothing to the first call, listed until it is done. */
export const FIRST_STEPS: NavigationEntry = { path: '/getting-started', name: 'Getting started' };

/** Whether an entry is the one of the page at hand. @param pathname path of the page */
export function isPartOf(pathname: string, { path, also = [] }: NavigationEntry): boolean {
  return [path, ...also].some((one) => pathname === one || (one !== '/' && pathname.startsWith(`${one}/`)));
}
