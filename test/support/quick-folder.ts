import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where Linux keeps files in memory. */
const IN_MEMORY = '/dev/shm';
/** A run needs much less; containers often have 64 MB there. */
const IN_MEMORY_MIN_BYTES = 1024 ** 3;

/** Folder for temporary ones: in memory where there is room. A gateway replaces small files all the time, and a disk takes 4 ms for each. */
export function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= IN_MEMORY_MIN_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
