import { readFile } from 'node:fs/promises';

/**
 * A file that the build put beside the function's bundle, by its name. The only way to a file that the functions have, and it only
 * reads (CR-4).
 *
 * @throws Error of Node where there is none: the function was not built by this project's build
 */
export function readBuiltFile(name: 'openapi.json' | 'reference.js.br'): Promise<Buffer> {
  return readFile(new URL(`./${name}`, import.meta.url));
}
