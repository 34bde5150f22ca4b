const DATED = /^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/;

/** Kinds of changes in the order in which a version lists them, after its summary: those that ask the reader to act come first. */
export const KINDS = ['What changes for you', 'Breaking', 'Added', 'Changed', 'Fixed', 'Security'] as const;

interface Section {
  readonly heading: string;
  readonly text: string;
}

function sectionsOf(text: string, level: '## ' | '### '): Section[] {
  return text
    .split(new RegExp(`^${level}`, 'm'))
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      return { heading: heading.trim(), text: lines.join('\n').trim() };
    });
}

/** Changes that no version has yet; empty where every kind is empty. @throws Error naming a heading that is no kind, or out of order */
export function unreleasedChanges(changes: string): string {
  const text = sectionsOf(changes, '## ').find(({ heading }) => heading === 'Unreleased')?.text ?? '';
  const order: readonly string[] = KINDS;
  const kinds = sectionsOf(text, '### ');
  const before = text.split(/^### /m, 1)[0]?.trim() ?? '';
  if (before !== '')
    throw new Error(`CHANGELOG.md: "${before.split('\n')[0]}" stands under no kind (${KINDS.join(', ')}).`);
  let last = -1;
  for (const { heading } of kinds) {
    const place = order.indexOf(heading);
    if (place === -1) throw new Error(`CHANGELOG.md: "${heading}" is no kind (${KINDS.join(', ')}).`);
    if (place <= last) throw new Error(`CHANGELOG.md: "${heading}" stands twice or too late (${KINDS.join(', ')}).`);
    last = place;
  }
  return kinds
    .filter((kind) => kind.text !== '')
    .map((kind) => `### ${kind.heading}\n\n${kind.text}`)
    .join('\n\n');
}

/**
 * What the change log says of a version, as its notes.
 *
 * @param changes text of `CHANGELOG.md`
 * @param version X.Y.Z, or that of a preview, whose notes are the changes since the last version
 * @throws Error when the newest version is another one or says no date
 */
export function releaseNotes(changes: string, version: string): string {
  const newest = sectionsOf(changes, '## ').find(({ heading }) => heading !== 'Unreleased');
  if (newest === undefined || !DATED.test(newest.heading)) {
    throw new Error(`CHANGELOG.md: the newest version says no date: "${newest?.heading ?? ''}".`);
  }
  if (version.includes('-preview.')) {
    const since = unreleasedChanges(changes);
    const text = since === '' ? 'The change log names none.' : since;
    return `# Integration gateway ${version}, changes since ${newest.heading}\n\n${text}\n`;
  }
  if (newest.heading.split(' ', 1)[0] !== version) {
    throw new Error(`CHANGELOG.md: the newest version should be ${version} and is ${newest.heading}.`);
  }
  return `# Integration gateway ${newest.heading}\n\n${newest.text}\n`;
}

/**
 * The change log with its unreleased changes under a version of their own, without kinds that are empty.
 * @throws Error when there is nothing to release
 */
export function datedChanges(changes: string, version: string, date: string): string {
  const unreleased = unreleasedChanges(changes);
  if (unreleased === '') throw new Error('CHANGELOG.md has no unreleased changes, so there is nothing to release.');
  return changes.replace(
    /^## Unreleased\n[\s\S]*?(?=^## )/m,
    () => `## Unreleased\n\n## ${version} (${date})\n\n${unreleased}\n\n`,
  );
}
