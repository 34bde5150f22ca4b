import type { ApiCall, ApiResult } from '../api/call.ts';
import { ApiError } from '../api/envelope.ts';
import { scopeUrl } from '../oauth/scopes.ts';
import type { DriveFile } from '../state/drive.ts';
import { exportFormats, importFormats, MAX_IMPORT_SIZES } from './export-formats.ts';
import { DRIVE_THEMES } from './shared-drives.ts';
import { describeUser } from './user-resource.ts';

/** Bytes a consumer account has at Google. */
const QUOTA_BYTES = 15 * 1024 ** 3;

/** `about.get`; Google refuses it without `fields`. */
export function getAbout(call: ApiCall): ApiResult {
  if (call.fields === undefined) {
    const message = "The 'fields' parameter is required for this method.";
    throw new ApiError({ code: 400, reason: 'required', message, location: 'fields' });
  }
  const { account, token } = call.caller;
  const own = call.sim.drive.all().filter(({ ownerSub }) => ownerSub === account.sub);
  const bytesOf = (files: readonly DriveFile[]) => files.reduce((sum, file) => sum + (file.content?.size ?? 0), 0);
  const usage = bytesOf(own);
  const inTrash = bytesOf(own.filter((file) => call.sim.drive.isTrashed(file)));
  return {
    resource: {
      kind: 'drive#about',
      user: describeUser(account, account),
      storageQuota: {
        limit: String(QUOTA_BYTES),
        usage: String(usage),
        usageInDrive: String(usage),
        usageInDriveTrash: String(inTrash),
      },
      maxUploadSize: String(call.sim.state.limits.storedBytes),
      appInstalled: token.scopes.includes(scopeUrl('drive.install')),
      canCreateDrives: account.hostedDomain !== undefined,
      canCreateTeamDrives: account.hostedDomain !== undefined,
      driveThemes: DRIVE_THEMES,
      teamDriveThemes: DRIVE_THEMES,
      exportFormats: exportFormats(),
      importFormats: importFormats(),
      maxImportSizes: MAX_IMPORT_SIZES,
      folderColorPalette: ['#ac725e', '#d06b64', '#f83a22', '#fa573c', '#ff7537', '#ffad46'],
    },
  };
}
