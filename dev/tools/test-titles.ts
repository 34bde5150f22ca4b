import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** One title of a test or of a group of tests, and the file it stands in, relative to the project. */
export interface TestTitle {
  readonly file: string;
  readonly title: string;
}

const QUOTES = ["'", '"', '`'];
/** What Vitest has of each of them. A gateway that a test calls `test` has other members. */
const MODIFIER = /^\.(?:concurrent|each|fails|for|only|runIf|sequential|skip|skipIf|todo)\b|^\s+/;
const TEST_CALL = /(?<![\w.$])(?:describe|it|test)(?=[.(<`])/g;

/**
 * Reads the titles of `describe`, `it` and `test` calls, in all their forms (`.each(…)(…)`, `.only`, `.skipIf(…)(…)`),
 * from the source of a test file. Text in comments is read as well, if it looks like such a call.
 */
export function readTitles(source: string): string[] {
  const titles: string[] = [];
  for (const match of source.matchAll(TEST_CALL)) {
    const title = titleAfter(source, match.index + match[0].length);
    if (title !== undefined) titles.push(title);
  }
  return titles;
}

/** Titles of every test file under a folder, in the order of the files' names. */
export function readTestTitles(projectRoot: string, folder: string): TestTitle[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .flatMap((path) =>
      readTitles(readFileSync(path, 'utf8')).map((title) => ({ file: relative(projectRoot, path), title })),
    );
}

/** Follows the chain of members and calls after the name; the first call that begins with a text names the test. */
function titleAfter(source: string, start: number): string | undefined {
  let at = start;
  while (at < source.length) {
    const member = MODIFIER.exec(source.slice(at, at + 60));
    if (member !== null) {
      at += member[0].length;
    } else if (source[at] === '<') {
      at = source.indexOf('>', at) + 1;
      if (at === 0) return undefined;
    } else if (source[at] === '(') {
      const first = at + 1 + (/^\s*/.exec(source.slice(at + 1))?.[0].length ?? 0);
      if (QUOTES.includes(source[first] ?? '')) return unquote(source.slice(first, endOfText(source, first)));
      at = endOfGroup(source, at);
    } else {
      return undefined;
    }
  }
  return undefined;
}

/** Index after the text that begins at `start` with its quote. */
function endOfText(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === source[start]) return at + 1;
  }
  return source.length;
}

/** Index after the bracket that closes the group beginning at `start`. */
function endOfGroup(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if (QUOTES.includes(character)) at = endOfText(source, at) - 1;
    else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return source.length;
}

function unquote(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}
