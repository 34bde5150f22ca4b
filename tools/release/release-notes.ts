const DATED = /^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/;

interface Section {
  readonly heading: string;
  readonly text: string;
}

function sectionsOf(changes: string): Section[] {
  return changes
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      return { heading: heading.trim(), text: lines.join('\n').trim() };
    });
}

/**
 * What the change log says of a version, as its notes; where there are changes that no version has yet, those.
 *
 * @param changes text of `CHANGELOG.md`
 * @throws Error when the newest version is another one or says no date
 */
export function releaseNotes(changes: string, version: string): { readonly text: string; readonly isVersion: boolean } {
  const sections = sectionsOf(changes);
  const unreleased = sections.find(({ heading }) => heading === 'Unreleased');
  const newest = sections.find(({ heading }) => heading !== 'Unreleased');
  if (newest === undefined || newest.heading.split(' ', 1)[0] !== version || !DATED.test(newest.heading)) {
    throw new Error(
      `CHANGELOG.md: the newest version should be "${version} (year-month-day)" and is "${newest?.heading ?? ''}".`,
    );
  }
  return unreleased === undefined || unreleased.text === ''
    ? { text: `# Integration gateway ${newest.heading}\n\n${newest.text}\n`, isVersion: true }
    : { text: `# Integration gateway, changes since ${newest.heading}\n\n${unreleased.text}\n`, isVersion: false };
}

/**
 * The change log with its unreleased changes under a version of their own.
 * @throws Error when there is nothing to release
 */
export function datedChanges(changes: string, version: string, date: string): string {
  const unreleased = sectionsOf(changes).find(({ heading }) => heading === 'Unreleased');
  if (unreleased === undefined || unreleased.text === '') throw new Error('CHANGELOG.md has no unreleased changes.');
  return changes.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${date})`);
}
