import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Every file in a folder, at any depth, in a fixed order; the file itself where the path is one, and none where it is not there. */
export function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
