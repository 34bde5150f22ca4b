/** Which files of tests have tests with a tag, by their sources: nothing is loaded. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from './run.ts';

/** An import of a file of the project, as the formatter writes it. */
const IMPORT = /\bfrom '(\.[^']+)'|\bimport '(\.[^']+)'/g;

/**
 * Files of tests that name one of the tags, or import a file below `test/` that does. One too many costs its loading. Tests of one too few
 * run in no suite, which the last step of `.ci/run` reports.
 * @returns paths within the project, in order
 */
export function taggedTests(
  tags: readonly string[],
  files: readonly string[] = testFiles(),
  read: (file: string) => string | undefined = readOfProject,
): readonly string[] {
  const names = tags.join('|');
  const tag = new RegExp(`'(?:${names})'|^// @module-tag (?:${names})$`, 'm');
  const known = new Map<string, { readonly isTagged: boolean; readonly imports: readonly string[] }>();
  const look = (file: string) => {
    const text = read(file) ?? '';
    const seen = { isTagged: tag.test(text), imports: importedBy(file, text) };
    known.set(file, seen);
    return seen;
  };
  const reachesTag = (file: string): boolean => {
    const reached = new Set([file]);
    for (const one of reached) {
      const { isTagged, imports } = known.get(one) ?? look(one);
      if (isTagged) return true;
      for (const next of imports) reached.add(next);
    }
    return false;
  };
  return files.filter(reachesTag).toSorted();
}

/** Files of tests that have a tag as a whole, by a comment at their head. @returns paths within the project */
export function filesTagged(tag: string): readonly string[] {
  const comment = new RegExp(`^// @module-tag ${tag}$`, 'm');
  return testFiles().filter((file) => comment.test(readOfProject(file) ?? ''));
}

function testFiles(): readonly string[] {
  return globSync('test/{unit,infrastructure,integration,browser}/**/*.test.ts', { cwd: PROJECT_ROOT });
}

function importedBy(file: string, text: string): readonly string[] {
  return [...text.matchAll(IMPORT)]
    .map(([, from, bare]) => join(dirname(file), from ?? bare ?? ''))
    .filter((one) => one.startsWith('test/'));
}

/** Undefined where there is no such file: texts of tests hold imports of others. */
function readOfProject(file: string): string | undefined {
  const path = join(PROJECT_ROOT, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
