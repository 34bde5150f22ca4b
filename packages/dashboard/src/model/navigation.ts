import { type Feature, isDeployed } from './features.ts';

/** A page in the navigation. */
export interface NavigationEntry {
  readonly path: string;
  readonly name: string;
  /** Paths of pages that belong to it and do not lie below its own. */
  readonly also?: readonly string[];
  /** The page is there as long as the deployment has one of these. */
  readonly features?: readonly Feature[];
}

/** Entries below a heading, or without one. */
export interface NavigationSection {
  readonly heading?: string;
  readonly entries: readonly NavigationEntry[];
}

/** Any of these gives keys something that *Agent keys* shows. */
export const AGENT_KEYS: readonly Feature[] = ['agents', 'approvals', 'undo'];

/** Pages by what operators do there, in their order. */
export const NAVIGATION: readonly NavigationSection[] = [
  {
    entries: [
      { path: '/', name: 'Overview' },
      { path: '/connections', name: 'Connections', also: ['/reconnect-links', '/erase-person'] },
      // The wizards have paths of their own, because an integration may have any name.
      {
        path: '/integrations',
        name: 'Integrations',
        also: ['/new-integration', '/new-delegation', '/security-events'],
      },
    ],
  },
  {
    heading: 'Activity',
    entries: [
      { path: '/calls', name: 'Failed calls' },
      { path: '/feeds', name: 'Feeds' },
      { path: '/webhooks', name: 'Webhooks', features: ['webhooks'] },
      { path: '/audit', name: 'Audit' },
    ],
  },
  {
    heading: 'Agents',
    entries: [
      { path: '/approvals', name: 'Approvals', features: ['approvals'] },
      { path: '/agents', name: 'Agent keys', also: ['/objects'], features: AGENT_KEYS },
    ],
  },
  { entries: [{ path: '/keys', name: 'Keys' }] },
];

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
