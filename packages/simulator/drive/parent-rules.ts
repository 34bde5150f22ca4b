import type { ApiCall } from '../api/call.ts';
import { badRequest } from '../api/envelope.ts';
import { type RefusalName, refusal } from '../api/refusals.ts';
import { type DriveFile, FOLDER_TYPE } from '../state/drive.ts';
import { isAtLeast } from './permissions.ts';
import { requireFile, roleOf } from './visibility.ts';

/** Where an item would be: in My Drive, or in a shared drive. */
type Place = 'myDrive' | 'sharedDrive';

/** An item has one parent: what is answered to a request that leaves it none, or several. */
const PARENT_COUNTS: Readonly<Record<Place, Readonly<Record<'none' | 'several', RefusalName>>>> = {
  myDrive: { none: 'noParent', several: 'moreParents' },
  sharedDrive: { none: 'oneParentInDrive', several: 'oneParentInDrive' },
};

/** What is answered where a folder would hold too much, or lie too deep. */
const SIZES: Readonly<Record<Place, Readonly<Record<'depth' | 'items', RefusalName>>>> = {
  myDrive: { depth: 'tooDeepInMyDrive', items: 'tooManyItems' },
  sharedDrive: { depth: 'tooDeepInDrive', items: 'tooManyInDrive' },
};

function placeOf(...items: readonly DriveFile[]): Place {
  return items.some(({ driveId }) => driveId !== null) ? 'sharedDrive' : 'myDrive';
}

/**
 * Checks that a folder exists and that the caller may put something into it.
 * @throws {ApiError} 404, 403 `parentNotAFolder` or 403 `insufficientParentPermissions`
 */
export function resolveParent(call: ApiCall, parentId: string): DriveFile {
  const parent = requireFile(call, parentId);
  if (parent.mimeType !== FOLDER_TYPE) throw refusal('parentNotAFolder');
  const role = parent.space === 'appDataFolder' ? 'owner' : roleOf(call, parent);
  if (role !== undefined && isAtLeast(role, 'writer')) return parent;
  throw refusal('insufficientParentPermissions');
}

/** The folder named in the body of a create or a copy; My Drive when there is none. */
export function readParent(call: ApiCall, metadata: Record<string, unknown>): DriveFile {
  const { parents } = metadata;
  if (parents === undefined || parents === null) return resolveParent(call, 'root');
  const ids = Array.isArray(parents) ? parents.filter((id) => typeof id === 'string') : [];
  if (!Array.isArray(parents) || ids.length !== parents.length) throw badRequest("Invalid value at 'parents'.");
  const [first = 'root', ...others] = [...new Set(ids)];
  const parent = resolveParent(call, first);
  if (others.length > 0) throw refusal(PARENT_COUNTS[placeOf(parent)].several);
  return parent;
}

/** Where an item goes by `addParents` and `removeParents`; `undefined` when it stays. */
export function readMove(call: ApiCall, file: DriveFile): DriveFile | undefined {
  const ids = (name: string) => [...new Set((call.query.get(name) ?? '').split(',').filter((id) => id !== ''))];
  const removed = ids('removeParents').map((id) => requireFile(call, id).id);
  const added = ids('addParents').map((id) => resolveParent(call, id));
  if (added.length === 0 && removed.length === 0) return undefined;
  const counts = PARENT_COUNTS[placeOf(file, ...added)];
  const kept = file.parents.filter((id) => !removed.includes(id));
  if (added.some(({ id }) => kept.includes(id))) throw refusal('duplicateParent');
  const [folder, ...others] = added;
  if (others.length > 0 || (folder !== undefined && kept.length > 0)) throw refusal(counts.several);
  if (folder === undefined) {
    if (kept.length > 0) return undefined;
    throw refusal(counts.none);
  }
  if (folder.id === file.id || call.sim.drive.foldersOf(folder).includes(file.id)) throw refusal('parentCycle');
  return folder;
}

/** Folders that lie inside each other below an item, the item included. */
function levelsOf(call: ApiCall, file: DriveFile): number {
  if (file.mimeType !== FOLDER_TYPE) return 0;
  const below = call.sim.drive.childrenOf(file.id).map((child) => levelsOf(call, child));
  return 1 + Math.max(0, ...below);
}

/**
 * Checks that an item, with what lies below it, fits into a folder.
 * @throws {ApiError} 403 for a folder that would lie too deep or hold too much
 */
export function checkFits(call: ApiCall, file: DriveFile, parent: DriveFile): void {
  const store = call.sim.drive;
  const { folderDepth, folderChildren, sharedDriveItems, accountItems } = call.sim.state.limits;
  const place = placeOf(parent);
  const isTop = parent.parents.length === 0;
  // Folders above the parent, its root included, are as many as its own level.
  if (store.foldersOf(parent).length + levelsOf(call, file) > folderDepth) throw refusal(SIZES[place].depth);
  const all = store.all();
  if (!isTop && all.length >= folderChildren && store.childrenOf(parent.id).length >= folderChildren) {
    throw refusal('tooManyChildren');
  }
  const most = place === 'sharedDrive' ? sharedDriveItems : accountItems;
  if (all.length < most) return;
  const items = all.filter((one) =>
    place === 'sharedDrive' ? one.driveId === parent.driveId : one.ownerSub === call.caller.account.sub,
  );
  if (items.length >= most) throw refusal(SIZES[place].items);
}
