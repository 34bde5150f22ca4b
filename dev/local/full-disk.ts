/** Reports a full disk as one: no data is damaged, and erasing it does not help. */
import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from '../tools/json.ts';

/** Messages of the operating system, Node and SQLite when there is no room. */
const NO_ROOM = /ENOSPC|EDQUOT|no space left|disk is full|disk quota/i;

/** Below this a start may fail at anything that it writes. */
const TOO_LITTLE_BYTES = 1024 * 1024;

/**
 * The message for an error that a full disk caused.
 *
 * @param folder the data folder, which need not exist yet
 * @param freeBytes room on the disk of a folder; asked of the file system unless given
 * @returns undefined for an error with another cause
 */
export function fullDiskMessage(
  error: unknown,
  folder: string,
  freeBytes: (folder: string) => number = freeBytesOf,
): string | undefined {
  const path = resolve(folder);
  const free = freeBytes(path);
  if (!saysNoRoom(error) && free >= TOO_LITTLE_BYTES) return undefined;
  const left =
    free < TOO_LITTLE_BYTES ? `${Math.floor(free / 1024)} KB are` : `${Math.floor(free / 1024 / 1024)} MB are`;
  return `The disk is full: ${left} free where ${path} is. Free some space and start again; existing data is kept.`;
}

function saysNoRoom(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (NO_ROOM.test(`${errorCode(at)} ${at.message}`)) return true;
  }
  return false;
}

function freeBytesOf(folder: string): number {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  const { blocks, bavail, bsize } = statfsSync(existing);
  // A file system that has no blocks at all, such as /proc, is not full.
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}
