import { ACCOUNTS } from '../accounts.ts';
import type { SimClock } from '../clock.ts';
import type { SimulatorState } from '../state/store.ts';
import { type BlobStore, createBlobStore } from './blob-store.ts';
import { bufferSource, type RangeSource } from './content.ts';
import { generateDrive, generateRoot, rootFolderId } from './dataset.ts';
import { generateContent } from './generated-content.ts';
import type { DriveChange, DriveChanges, DriveFile } from './records.ts';

/** Change numbers start here, so that a generated Drive already has a past. */
const FIRST_CHANGE = 1_000;

/** One account's Drive: generated files with the account's changes laid over them. */
export interface AccountDrive {
  /** Every file but the root folder, in no particular order. */
  files(): DriveFile[];
  /** `root` is the My Drive folder. */
  find(id: string): DriveFile | undefined;
  put(file: DriveFile): void;
  remove(id: string): void;
  /** Number the next change will get. */
  nextChange(): number;
  changesFrom(seq: number): DriveChange[];
}

/** All Drives and the uploaded bytes. */
export interface DriveStore {
  blobs: BlobStore;
  of(sub: string): AccountDrive;
  /** Bytes of a file; `undefined` for types without any. */
  open(file: DriveFile): RangeSource | undefined;
}

function changesOf(state: SimulatorState, sub: string): DriveChanges {
  const known = state.drive.get(sub);
  if (known !== undefined) return known;
  const fresh: DriveChanges = { files: [], removedIds: [], log: [] };
  state.drive.set(sub, fresh);
  return fresh;
}

function openAccount(state: SimulatorState, clock: SimClock, sub: string): AccountDrive {
  const account = ACCOUNTS.find((entry) => entry.sub === sub) ?? ACCOUNTS[0];
  const changes = changesOf(state, sub);
  const files = new Map(generateDrive(account).map((file) => [file.id, file]));
  for (const file of changes.files) files.set(file.id, file);
  for (const id of changes.removedIds) files.delete(id);
  const root = generateRoot(account);
  const nextChange = () => (changes.log.at(-1)?.seq ?? FIRST_CHANGE - 1) + 1;
  const log = (fileId: string, removed: boolean) => {
    const seq = nextChange();
    // A file's older entry goes: the feed shows each file once, at its latest change.
    changes.log = changes.log.filter((entry) => entry.fileId !== fileId);
    changes.log.push({ seq, fileId, removed, timeMs: clock.nowMs() });
    state.markChanged();
  };
  return {
    files: () => [...files.values()],
    find: (id) => (id === 'root' || id === rootFolderId(account) ? root : files.get(id)),
    put(file) {
      files.set(file.id, file);
      changes.files = [...changes.files.filter(({ id }) => id !== file.id), file];
      log(file.id, false);
    },
    remove(id) {
      files.delete(id);
      changes.files = changes.files.filter((file) => file.id !== id);
      changes.removedIds.push(id);
      log(id, true);
    },
    nextChange,
    changesFrom: (seq) => changes.log.filter((entry) => entry.seq >= seq),
  };
}

/** Opens the Drives over the simulator's state; each is generated when first asked for. */
export function createDriveStore(state: SimulatorState, clock: SimClock, statePath: string | undefined): DriveStore {
  const opened = new Map<string, AccountDrive>();
  const blobs = createBlobStore(statePath);
  return {
    blobs,
    of(sub) {
      const known = opened.get(sub) ?? openAccount(state, clock, sub);
      opened.set(sub, known);
      return known;
    },
    open(file) {
      if (file.content === null) return undefined;
      const { kind, key, mimeType, size } = file.content;
      if (size === 0) return bufferSource(Buffer.alloc(0));
      if (kind === 'generated') return generateContent(file.id, key, mimeType);
      const bytes = blobs.get(key);
      return bytes === undefined ? undefined : bufferSource(bytes);
    },
  };
}
