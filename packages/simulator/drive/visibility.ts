import type { ApiCall } from '../api/call.ts';
import { ApiError } from '../api/envelope.ts';
import { headerValue } from '../http/exchange.ts';
import { isPicked } from '../oauth/picker.ts';
import { scopeUrl } from '../oauth/scopes.ts';
import { sha256Hex } from '../random.ts';
import type { AccountDrive } from '../state/drive.ts';
import { type DriveFile, FOLDER_TYPE, type Role } from '../state/drive.ts';
import { projectOf } from '../state/store.ts';
import { newFile } from './dataset.ts';
import { isAtLeast } from './permissions.ts';

const WHOLE_DRIVE = ['drive', 'drive.readonly', 'drive.metadata', 'drive.metadata.readonly'].map(scopeUrl);
const CONTENT = [
  'drive',
  'drive.readonly',
  'drive.file',
  'drive.appdata',
  'drive.meet.readonly',
  'drive.photos.readonly',
].map(scopeUrl);

/** The caller's Drive. */
export function callersDrive(call: ApiCall): AccountDrive {
  return call.sim.drive.of(call.caller.account.sub);
}

/** Id of the folder that keeps an app's own data of one user. */
export function appDataFolderId(call: ApiCall): string {
  const key = `${projectOf(call.caller.token.clientId)} ${call.caller.account.sub}`;
  return `1${sha256Hex(`appdata ${key}`).slice(0, 32)}`;
}

function appDataFolder(call: ApiCall): DriveFile {
  const { sub } = call.caller.account;
  const about = { name: 'appDataFolder', mimeType: FOLDER_TYPE, time: '2026-01-01T00:00:00.000Z', sub };
  return { ...newFile({ id: appDataFolderId(call), ...about }), space: 'appDataFolder' };
}

/** With `drive.file` alone an app sees the files it made itself and those its user picked for it, and nothing else. */
export function isVisible(call: ApiCall, file: DriveFile): boolean {
  const { token } = call.caller;
  const { scopes, clientId } = token;
  if (file.space === 'appDataFolder') {
    return scopes.includes(scopeUrl('drive.appdata')) && (file.parents[0] ?? file.id) === appDataFolderId(call);
  }
  if (WHOLE_DRIVE.some((scope) => scopes.includes(scope))) return true;
  if (!scopes.includes(scopeUrl('drive.file'))) return false;
  const isOwn = file.appProject === projectOf(clientId);
  return isOwn || isPicked(call.sim, token, file.id, () => call.sim.drive.foldersOf(file));
}

/** 404, which is all that an account learns of a file that it may not see. */
export function fileNotFound(fileId: string): ApiError {
  const message = `File not found: ${fileId}.`;
  return new ApiError({ code: 404, reason: 'notFound', message, location: 'fileId' });
}

/**
 * True when a call may name items of shared drives; methods without the parameter always may, and so may downloads of bytes: rclone
 * sends none of it with `alt=media`, and downloads from shared drives.
 */
function reachesSharedDrives(call: ApiCall): boolean {
  if (call.rule.id === 'drive.files.get' && call.query.get('alt') === 'media') return true;
  if (!call.rule.parameters.some(({ name }) => name === 'supportsAllDrives')) return true;
  return ['supportsAllDrives', 'supportsTeamDrives'].some((name) => call.query.getAll(name).at(-1) === 'true');
}

/**
 * True unless a link alone opens the file and the call lacks the key of that link (Google Drive API, "Access link-shared files
 * using resource keys"). Who has opened the file before needs none.
 */
function opensWithKey(call: ApiCall, file: DriveFile): boolean {
  const { resourceKey } = file.extra;
  if (typeof resourceKey !== 'string' || callersDrive(call).accessTo(file)?.isNamed === true) return true;
  if ((file.users[call.caller.account.sub]?.viewedTime ?? null) !== null) return true;
  const sent = headerValue(call.http.headers, 'x-goog-drive-resource-keys') ?? '';
  return sent.split(',').some((pair) => pair.trim() === `${file.id}/${resourceKey}`);
}

/** The file a call names, if this caller can see it; otherwise 404 `notFound`, as at Google. */
export function requireFile(call: ApiCall, fileId: string): DriveFile {
  if (fileId === 'appDataFolder' || fileId === appDataFolderId(call)) {
    const folder = appDataFolder(call);
    if (isVisible(call, folder)) return folder;
    const message = 'The granted scopes do not give access to the Application Data folder.';
    throw new ApiError({ code: 403, reason: 'insufficientScopes', message });
  }
  const file = callersDrive(call).find(fileId);
  if (file === undefined || (file.driveId !== null && !reachesSharedDrives(call))) throw fileNotFound(fileId);
  if (!opensWithKey(call, file)) throw fileNotFound(fileId);
  if (fileId === 'root' || isVisible(call, file)) return file;
  throw fileNotFound(fileId);
}

/** What the caller may do with a file; an app's own data is its user's. */
export function roleOf(call: ApiCall, file: DriveFile): Role | undefined {
  return callersDrive(call).accessTo(file)?.role;
}

/** 403 for what a role does not allow. */
export function insufficientPermissions(fileId: string): ApiError {
  const message = `The user does not have sufficient permissions for file ${fileId}.`;
  return new ApiError({ code: 403, reason: 'insufficientFilePermissions', message });
}

/**
 * The file a call names, if the caller has at least a role on it.
 * @throws {ApiError} 404 for a file that is not seen, 403 `insufficientFilePermissions` for a lower role
 */
export function requireRole(call: ApiCall, fileId: string, wanted: Role): DriveFile {
  const file = requireFile(call, fileId);
  const role = roleOf(call, file);
  if (role === undefined || !isAtLeast(role, wanted)) throw insufficientPermissions(file.id);
  return file;
}

/** Refuses what Google does not do with an app's own data. */
export function refuseAppData(file: DriveFile): void {
  if (file.space !== 'appDataFolder') return;
  const message = 'Method not supported for files within the Application Data folder.';
  throw new ApiError({ code: 403, reason: 'notSupportedForAppDataFolderFiles', message });
}

/** Metadata scopes do not open a file's bytes. */
export function requireContentAccess(call: ApiCall): void {
  if (call.caller.token.scopes.some((scope) => CONTENT.includes(scope))) return;
  const message = 'The user has not granted the app read access to the content of the file.';
  throw new ApiError({ code: 403, reason: 'insufficientPermissions', message });
}
