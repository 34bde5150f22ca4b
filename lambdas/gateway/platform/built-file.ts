import { readFile } from 'node:fs/promises';

/** Files that the build puts next to the bundles; each function has those it serves. */
export type BuiltFileName =
  | 'openapi.json'
  | 'reference.js.br'
  | 'connect-page.js'
  | 'direct-page.js'
  | 'result-page.js'
  | 'logo'
  // The texts of one language.
  | `texts.${string}.json`;

/**
 * A file that the build put next to the function's bundle, by its name. This is the functions' only access to files, and it only
 * reads (CR-4).
 *
 * @throws Error of Node where it is missing: the function was not built by this project's build
 */
export function readBuiltFile(name: BuiltFileName): Promise<Buffer> {
  return readFile(new URL(`./${name}`, import.meta.url));
}

/** The same as text, read once per process: texts are cached, failures are not. */
export function openBuiltTexts(): (name: BuiltFileName) => Promise<string> {
  const kept = new Map<BuiltFileName, string>();
  return async (name) => {
    const text = kept.get(name) ?? (await readBuiltFile(name)).toString('utf8');
    kept.set(name, text);
    return text;
  };
}
