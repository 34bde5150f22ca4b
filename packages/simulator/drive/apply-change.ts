import type { ApiCall } from '../api/call.ts';
import type { Change } from '../state/drive.ts';

/** What watchers of a file are notified of (Google Drive API, "Notifications for resource changes"). */
export type FileNews = 'update' | 'trash' | 'untrash' | 'remove';

/**
 * Applies a change for the caller: adds it to the change log of everyone who sees the item, notifies watchers, and records an activity.
 * @param detail ActionDetail of Drive Activity; `undefined` for changes that are no activity
 */
export function applyChange(
  call: ApiCall,
  change: Change,
  news: FileNews = 'update',
  detail?: Record<string, unknown>,
): void {
  const store = call.sim.drive;
  const [fileId] = change.fileIds;
  const before = fileId === undefined ? undefined : store.find(fileId);
  const drivesOf = () => change.fileIds.flatMap((id) => store.find(id)?.driveId ?? []);
  const drivesBefore = drivesOf();
  const told = store.change(change);
  const drives = new Set([...drivesBefore, ...drivesOf(), ...(change.driveIds ?? [])]);
  for (const account of told.seenBy) {
    const { sub } = account;
    for (const id of change.fileIds) call.sim.channels.notify(sub, `drive/files/${id}`, news);
    if (told.loggedFor.has(account)) call.sim.channels.notify(sub, 'drive/changes', 'change');
    for (const id of drives) call.sim.channels.notify(sub, `drive/changes/${id}`, 'change');
  }
  const file = fileId === undefined ? undefined : (store.find(fileId) ?? before);
  if (file === undefined || detail === undefined || file.space === 'appDataFolder') return;
  store.putActivity({
    timeMs: call.sim.clock.nowMs(),
    sub: call.caller.account.sub,
    fileId: file.id,
    name: file.name,
    mimeType: file.mimeType,
    folders: store.foldersOf(file),
    detail,
  });
}
