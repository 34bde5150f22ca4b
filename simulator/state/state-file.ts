import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseJson } from '../parse.ts';
import { type StateFileRecord, stateFileRecord } from './store.ts';

/** Permission bits of the state file and of stored uploads: the user alone. */
const PRIVATE_FILE_MODE = 0o600;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * Reads a state file.
 * @returns `undefined` when there is none yet
 * @throws {Error} when the file is not readable or not one of this version, saying what to do
 */
export function readStateFile(path: string): StateFileRecord | undefined {
  let json: string;
  try {
    json = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    return parseJson(json, stateFileRecord, 'state');
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${path} is not a state file of this simulator (${detail}). Move it away to start afresh.`, {
      cause,
    });
  }
}

/** Replaces a file in one step, readable by the user alone, so that a crash leaves the old or the new one whole. */
export function writePrivateFile(path: string, data: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, data, { mode: PRIVATE_FILE_MODE });
  renameSync(temporary, path);
}

/** Folder beside the state file that holds uploaded bytes. */
function blobFolder(statePath: string): string {
  return `${statePath}.blobs`;
}

/** Path of one stored upload. */
export function blobPath(statePath: string, sha256: string): string {
  return join(blobFolder(statePath), sha256);
}
