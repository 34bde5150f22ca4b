/** One JSON file that holds a service's state: read once, replaced as a whole, never half written. */
import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { errorCode, errorMessage, type Json, parseJson } from '../../tools/json.ts';

/** The remedy for an unreadable data folder. */
export const START_OVER = 'Start over with --fresh, which erases the data folder, or choose another with --data.';

/** Reads the file. @returns undefined when there is none yet. @throws Error saying which file is damaged and how to continue. */
export async function readStateFile(path: string): Promise<Json | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return parseJson(text, path);
  } catch (cause) {
    throw new Error(`${errorMessage(cause)}. ${START_OVER}`, { cause });
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
