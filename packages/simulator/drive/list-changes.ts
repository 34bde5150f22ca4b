import { type ApiCall, type ApiResult, booleanParameter, integerParameter } from '../api/call.ts';
import { invalidValue } from '../api/envelope.ts';
import { takePage } from '../api/page-token.ts';
import { sha256Hex } from '../random.ts';
import type { ChangeLog, DriveChange } from '../state/drive.ts';
import { describeFile } from './file-resource.ts';
import { describeDrive, requireDrive } from './shared-drives.ts';
import { callersDrive, isVisible } from './visibility.ts';

/** The shared drive that a call names. @throws {ApiError} 404 when the caller may not know of it */
function driveOf(call: ApiCall): string | undefined {
  const driveId = call.query.get('driveId') ?? call.query.get('teamDriveId');
  return driveId === null ? undefined : requireDrive(call, driveId).drive.id;
}

/** A change log with the number that its page tokens start from, so that no token counts in another log. */
interface NamedLog {
  log: ChangeLog;
  base: number;
}

/** Tokens of a user's own log are below it, those of shared drives above, each from a number of its own. */
const DRIVE_TOKENS = 1_000_000_000;

/** The log that a call reads: the caller's, or that of the shared drive in `driveId`. */
function logOf(call: ApiCall): NamedLog {
  const driveId = driveOf(call);
  if (driveId === undefined) return { log: callersDrive(call).log, base: 0 };
  const place = Number.parseInt(sha256Hex(`log ${driveId}`).slice(0, 5), 16);
  return { log: call.sim.drive.logOf(driveId), base: DRIVE_TOKENS * (place + 1) };
}

/** The call's `pageToken`. @throws {ApiError} 400 when it is missing or none of this log */
function startOf(call: ApiCall, { log, base }: NamedLog): number {
  const token = call.query.get('pageToken') ?? '';
  const seq = Number(token) - base;
  if (!/^\d{1,16}$/.test(token) || seq < 0 || seq > log.next()) throw invalidValue('pageToken');
  return seq;
}

/** Checks the `pageToken` of a watch. @returns the shared drive whose log is watched; `undefined` for the caller's own */
export function requireStartPoint(call: ApiCall): string | undefined {
  startOf(call, logOf(call));
  return driveOf(call);
}

function nextToken({ log, base }: NamedLog): string {
  return String(base + log.next());
}

/** `changes.getStartPageToken`: where a client that wants only what comes later starts. */
export function getStartPageToken(call: ApiCall): ApiResult {
  return { resource: { kind: 'drive#startPageToken', startPageToken: nextToken(logOf(call)) } };
}

/** Whether a change is one of those that the call wants: shared drives only when asked for. */
function isWanted(call: ApiCall, change: DriveChange): boolean {
  const hasDriveId = call.query.has('driveId') || call.query.has('teamDriveId');
  const withDrives =
    hasDriveId ||
    booleanParameter(call, 'includeItemsFromAllDrives', false) ||
    booleanParameter(call, 'includeTeamDriveItems', false);
  if (change.driveId !== null && !withDrives) return false;
  const file = change.fileId === null ? undefined : callersDrive(call).find(change.fileId);
  const isGone = change.removed || (change.fileId !== null && (file === undefined || !isVisible(call, file)));
  if (file !== undefined && !isGone && file.space === 'appDataFolder') return false;
  if (isGone && !booleanParameter(call, 'includeRemoved', true)) return false;
  if (!booleanParameter(call, 'restrictToMyDrive', false)) return true;
  return file !== undefined && file.ownerSub === call.caller.account.sub;
}

function describeChange(call: ApiCall, change: DriveChange): Record<string, unknown> {
  const { fileId, driveId } = change;
  const time = new Date(change.timeMs).toISOString();
  if (fileId === null) {
    const id = driveId ?? '';
    const drive = call.sim.drive.drives().find((entry) => entry.id === id);
    const shown = drive !== undefined && !change.removed && callersDrive(call).find(id) !== undefined;
    return {
      kind: 'drive#change',
      type: 'drive',
      changeType: 'drive',
      time,
      removed: !shown,
      driveId: id,
      teamDriveId: id,
      ...(shown ? { drive: describeDrive(call, drive) } : {}),
    };
  }
  const file = callersDrive(call).find(fileId);
  const isReadable = file !== undefined && isVisible(call, file);
  const removed = change.removed || !isReadable;
  // What has left the log's corpus and can still be read is shown on request, and still counts as removed.
  const shown = isReadable && (!removed || booleanParameter(call, 'includeCorpusRemovals', false));
  return {
    kind: 'drive#change',
    type: 'file',
    changeType: 'file',
    time,
    removed,
    fileId,
    ...(shown ? { file: describeFile(call, file) } : {}),
  };
}

/** `changes.list`: each changed item once, oldest change first; the last page carries `newStartPageToken`. */
export function listChanges(call: ApiCall): ApiResult {
  const named = logOf(call);
  const changes = named.log.from(startOf(call, named)).filter((change) => isWanted(call, change));
  const { page, next } = takePage(changes, 0, integerParameter(call, 'pageSize', 100));
  const nextChange = next === undefined ? undefined : changes[next];
  return {
    resource: {
      kind: 'drive#changeList',
      ...(nextChange === undefined
        ? { newStartPageToken: nextToken(named) }
        : { nextPageToken: String(named.base + nextChange.seq) }),
      changes: page.map((change) => describeChange(call, change)),
    },
  };
}
