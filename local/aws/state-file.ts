/** One JSON file that holds a service's state: read once, replaced as a whole, never half written. */
import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { errorCode, type Json, parseJson } from '../json.ts';

/** Reads the file. @returns undefined when there is none yet. @throws Error naming the file when it is not JSON. */
export async function readStateFile(path: string): Promise<Json | undefined> {
  try {
    return parseJson(await readFile(path, 'utf8'), path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces the file, readable by its owner only. Synchronous, so that a caller that was answered finds its write after
 * a crash, and so that two writes cannot cross.
 */
export function writeStateFile(path: string, state: Json): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(temporary, JSON.stringify(state), { mode: 0o600 });
  renameSync(temporary, path);
}
