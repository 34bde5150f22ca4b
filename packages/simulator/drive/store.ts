import { ACCOUNTS, type SimAccount } from '../accounts.ts';
import type { SimClock } from '../clock.ts';
import {
  type ChangeLog,
  type DriveFile,
  type DriveStore,
  type EffectivePermission,
  type FileNotes,
  FOLDER_TYPE,
  type SharedDrive,
} from '../state/drive.ts';
import type { SimulatorState } from '../state/store.ts';
import { createBlobStore } from './blob-store.ts';
import { bufferSource } from './content.ts';
import { generateDrive, generateRoot, generateSharedDrives, newFile, rootFolderId } from './dataset.ts';
import { generateContent } from './generated-content.ts';
import { accessOf, combinePermissions, userPermission } from './permissions.ts';

/** Change numbers start here, so that a generated Drive already has a past. */
const FIRST_CHANGE = 1_000;

const NO_NOTES: FileNotes = { comments: [], labels: [], approvals: [], proposals: [] };

/** The root folder of a shared drive: it has the drive's id, and the members are its permissions. */
function driveRoot(drive: SharedDrive): DriveFile {
  return {
    ...newFile({ id: drive.id, name: 'Drive', mimeType: FOLDER_TYPE, time: drive.createdTime, sub: drive.createdBy }),
    ownerSub: null,
    driveId: drive.id,
    permissions: drive.members,
  };
}

/** Who an item concerns at a moment. */
interface Watchers {
  readonly driveId: string | null;
  readonly seenBy: readonly SimAccount[];
  /** Those whose own log has it: their files, and what was shared with them. */
  readonly ownedBy: readonly SimAccount[];
}

/** Opens Drive over the simulator's state, laid over what is generated. */
export function createDriveStore(
  state: SimulatorState,
  clock: SimClock,
  statePath: string | undefined,
  blobs = createBlobStore(statePath, () => state.limits.storedBytes),
): DriveStore {
  const shared = () => (state.generated ? generateSharedDrives() : { drives: [], files: [] });
  const changes = state.drive;
  let files: Map<string, DriveFile> | undefined;
  let drives: Map<string, SharedDrive> | undefined;
  const permissionCache = new Map<string, EffectivePermission[]>();
  const removed = () => new Set(changes.removedIds);

  // Generated when first asked for: a simulator that is used for sign-in alone starts without it.
  const allFiles = () => {
    if (files !== undefined) return files;
    const gone = removed();
    const generated = state.generated ? [...ACCOUNTS.flatMap(generateDrive), ...shared().files] : [];
    files = new Map(generated.filter(({ id }) => !gone.has(id)).map((file) => [file.id, file]));
    for (const file of changes.files) files.set(file.id, file);
    return files;
  };
  const allDrives = () => {
    if (drives !== undefined) return drives;
    const gone = removed();
    drives = new Map(
      shared()
        .drives.filter(({ id }) => !gone.has(id))
        .map((drive) => [drive.id, drive]),
    );
    for (const drive of changes.drives) drives.set(drive.id, drive);
    return drives;
  };
  const roots = new Map(ACCOUNTS.map((account) => [rootFolderId(account), generateRoot(account)]));
  const find = (id: string): DriveFile | undefined => {
    const known = allFiles().get(id) ?? roots.get(id);
    if (known !== undefined) return known;
    const drive = allDrives().get(id);
    return drive === undefined ? undefined : driveRoot(drive);
  };
  const permissionsOf = (file: DriveFile): EffectivePermission[] => {
    const cached = permissionCache.get(file.id);
    if (cached !== undefined) return cached;
    const owner = ACCOUNTS.find(({ sub }) => sub === file.ownerSub);
    const folder = file.parents[0] === undefined ? undefined : find(file.parents[0]);
    const permissions = combinePermissions(
      file,
      owner === undefined ? undefined : userPermission(owner, 'owner'),
      folder === undefined ? undefined : { id: folder.id, permissions: permissionsOf(folder) },
    );
    permissionCache.set(file.id, permissions);
    return permissions;
  };
  const touched = () => {
    permissionCache.clear();
    state.markChanged();
  };
  const childrenOf = (folderId: string) => [...allFiles().values()].filter(({ parents }) => parents.includes(folderId));
  const foldersOf = (file: DriveFile): string[] => {
    const found: string[] = [];
    for (let next = file.parents[0]; next !== undefined && !found.includes(next); next = find(next)?.parents[0]) {
      found.push(next);
    }
    return found;
  };
  const logOf = (key: string): ChangeLog => ({
    next: () => (changes.logs[key]?.at(-1)?.seq ?? FIRST_CHANGE - 1) + 1,
    from: (seq) => (changes.logs[key] ?? []).filter((entry) => entry.seq >= seq),
  });
  const log = (key: string, entry: { fileId: string | null; driveId: string | null; removed: boolean }) => {
    const seq = logOf(key).next();
    // An item's older entry goes: the log shows each item once, at its latest change.
    const others = (changes.logs[key] ?? []).filter(
      ({ fileId, driveId }) => fileId !== entry.fileId || (fileId === null && driveId !== entry.driveId),
    );
    changes.logs[key] = [...others, { seq, ...entry, timeMs: clock.nowMs() }];
  };
  const accessTo = (file: DriveFile, account: SimAccount) => accessOf(permissionsOf(file), account, clock.nowMs());
  const watchersOf = (id: string): Watchers => {
    const file = find(id);
    if (file === undefined) return { driveId: null, seenBy: [], ownedBy: [] };
    const { driveId } = file;
    const seenBy = ACCOUNTS.filter((account) => accessTo(file, account) !== undefined);
    const root = driveId === null ? undefined : find(driveId);
    // What a member sees in a shared drive is the drive's; what somebody else sees there was shared with them.
    const ownedBy = seenBy.filter((account) => root === undefined || accessTo(root, account) === undefined);
    return { driveId, seenBy, ownedBy };
  };
  /** What an account's own log says of an item; undefined where it says nothing (Google Drive API, "Identify which change log to track"). */
  const ownEntry = (id: string, { sub }: SimAccount, was: Watchers, is: Watchers) => {
    const has = ({ ownedBy }: Watchers) => ownedBy.some((account) => account.sub === sub);
    if (has(is)) return { fileId: id, driveId: null, removed: false };
    // Moved between corpora, or out of reach: the log says the same, and nothing more from then on.
    if (has(was)) return { fileId: id, driveId: null, removed: true };
    const last = changes.logs[sub]?.find(({ fileId }) => fileId === id);
    const isUsed = (find(id)?.users[sub]?.viewedTime ?? null) !== null && last?.removed !== true;
    // Members may be notified of what they use in a shared drive, and must not rely on it.
    return isUsed ? { fileId: id, driveId: is.driveId, removed: false } : undefined;
  };

  return {
    blobs,
    of(sub) {
      const account = ACCOUNTS.find((entry) => entry.sub === sub) ?? ACCOUNTS[0];
      const see = (file: DriveFile | undefined) =>
        file !== undefined && accessTo(file, account) !== undefined ? file : undefined;
      return {
        files: () => [...allFiles().values()].filter((file) => file.space === 'drive' && see(file) !== undefined),
        find: (id) => see(find(id === 'root' ? rootFolderId(account) : id)),
        accessTo: (file) => accessTo(file, account),
        log: logOf(sub),
      };
    },
    open(file) {
      return this.openContent(file.id, file.content);
    },
    openContent(id, content) {
      if (content === null) return undefined;
      if (content.size === 0) return bufferSource(Buffer.alloc(0));
      if (content.kind === 'generated') return generateContent(id, content.key, content.mimeType);
      const bytes = blobs.get(content.key);
      return bytes === undefined ? undefined : bufferSource(bytes);
    },
    all: () => [...allFiles().values()],
    find,
    childrenOf,
    treeOf(id) {
      const file = find(id);
      if (file === undefined) return [];
      return [file, ...childrenOf(id).flatMap((child) => this.treeOf(child.id))];
    },
    permissionsOf,
    isTrashed: (file) => file.trashed || foldersOf(file).some((id) => find(id)?.trashed === true),
    foldersOf,
    drives: () => [...allDrives().values()],
    notes: (fileId) => changes.notes[fileId] ?? NO_NOTES,
    logOf,
    activities: () => changes.activities ?? [],
    change({ fileIds, driveIds = [], apply }) {
      const ids = [...fileIds, ...driveIds];
      const before = ids.map(watchersOf);
      apply();
      permissionCache.clear();
      const told = { seenBy: new Set<SimAccount>(), loggedFor: new Set<SimAccount>() };
      for (const [index, id] of ids.entries()) {
        const is = watchersOf(id);
        const was = before[index] ?? is;
        const isDrive = index >= fileIds.length;
        for (const account of new Set([...was.seenBy, ...is.seenBy])) {
          told.seenBy.add(account);
          const entry = isDrive
            ? { fileId: null, driveId: id, removed: !is.seenBy.includes(account) }
            : ownEntry(id, account, was, is);
          if (entry === undefined) continue;
          log(account.sub, entry);
          told.loggedFor.add(account);
        }
        for (const driveId of new Set([was.driveId, is.driveId])) {
          if (driveId !== null) log(driveId, { fileId: isDrive ? null : id, driveId, removed: is.driveId !== driveId });
        }
      }
      state.markChanged();
      return told;
    },
    put(file) {
      allFiles().set(file.id, file);
      changes.files = [...changes.files.filter(({ id }) => id !== file.id), file];
      touched();
    },
    remove(id) {
      allFiles().delete(id);
      changes.files = changes.files.filter((file) => file.id !== id);
      changes.removedIds.push(id);
      delete changes.notes[id];
      touched();
    },
    putDrive(drive) {
      allDrives().set(drive.id, drive);
      changes.drives = [...changes.drives.filter(({ id }) => id !== drive.id), drive];
      touched();
    },
    removeDrive(id) {
      allDrives().delete(id);
      changes.drives = changes.drives.filter((drive) => drive.id !== id);
      changes.removedIds.push(id);
      touched();
    },
    putNotes(fileId, notes) {
      changes.notes[fileId] = notes;
      state.markChanged();
    },
    putActivity(activity) {
      changes.activities = [...(changes.activities ?? []), activity];
      state.markChanged();
    },
  };
}
