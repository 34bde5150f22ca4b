import type { ApiCall } from '../api/call.ts';
import { ApiError } from '../api/envelope.ts';
import { isPicked } from '../oauth/picker.ts';
import { scopeUrl } from '../oauth/scopes.ts';
import { projectOf } from '../state/store.ts';
import type { DriveFile } from './records.ts';
import type { AccountDrive } from './store.ts';

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

/** Ids of the folders above a file, nearest first. */
function ancestors(call: ApiCall, fileId: string): string[] {
  const found: string[] = [];
  for (let next = callersDrive(call).find(fileId)?.parents[0]; next !== undefined && !found.includes(next); ) {
    found.push(next);
    next = callersDrive(call).find(next)?.parents[0];
  }
  return found;
}

/** With `drive.file` alone an app sees the files it made itself and those its user picked for it, and nothing else. */
export function isVisible(call: ApiCall, file: DriveFile): boolean {
  const { token } = call.caller;
  const { scopes, clientId } = token;
  if (WHOLE_DRIVE.some((scope) => scopes.includes(scope))) return true;
  if (!scopes.includes(scopeUrl('drive.file'))) return false;
  return file.appProject === projectOf(clientId) || isPicked(call.sim, token, file.id, (id) => ancestors(call, id));
}

/** The file a call names, if this caller may know of it; else 404 `notFound`, as Google tells no more. */
export function requireFile(call: ApiCall, fileId: string): DriveFile {
  const file = callersDrive(call).find(fileId);
  if (file !== undefined && (fileId === 'root' || isVisible(call, file))) return file;
  const message = `File not found: ${fileId}.`;
  throw new ApiError({ code: 404, reason: 'notFound', message, location: 'fileId' });
}

/** Metadata scopes do not open a file's bytes. */
export function requireContentAccess(call: ApiCall): void {
  if (call.caller.token.scopes.some((scope) => CONTENT.includes(scope))) return;
  const message = 'The user has not granted the app read access to the content of the file.';
  throw new ApiError({ code: 403, reason: 'insufficientPermissions', message });
}
