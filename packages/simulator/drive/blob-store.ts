import { readFileSync } from 'node:fs';
import { refusal } from '../api/refusals.ts';
import { sha256Hex } from '../random.ts';
import type { BlobStore } from '../state/drive.ts';
import { blobPath, writePrivateFile } from '../state/state-file.ts';

/**
 * A blob store in memory; with a state path each blob is also a private file alongside it, read back when needed.
 * @param limitBytes bytes of all stored uploads together; more is refused as Google refuses a full Drive
 */
export function createBlobStore(statePath: string | undefined, limitBytes: () => number): BlobStore {
  const blobs = new Map<string, Buffer>();
  let stored = 0;
  const keep = (sha256: string, bytes: Buffer) => {
    blobs.set(sha256, bytes);
    stored += bytes.length;
  };
  return {
    put(bytes) {
      const sha256 = sha256Hex(bytes);
      if (blobs.has(sha256)) return sha256;
      if (stored + bytes.length > limitBytes()) {
        throw refusal('storageFull');
      }
      keep(sha256, bytes);
      if (statePath !== undefined) writePrivateFile(blobPath(statePath, sha256), bytes);
      return sha256;
    },
    get(sha256) {
      const known = blobs.get(sha256);
      if (known !== undefined || statePath === undefined) return known;
      try {
        const bytes = readFileSync(blobPath(statePath, sha256));
        keep(sha256, bytes);
        return bytes;
      } catch {
        return undefined;
      }
    },
    storedBytes: () => stored,
  };
}
