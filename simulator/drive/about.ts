import type { ApiCall, ApiResult } from '../api/call.ts';
import { ApiError } from '../api/envelope.ts';
import { MAX_STORED_BYTES } from './blob-store.ts';
import { exportFormats, importFormats, MAX_IMPORT_SIZES } from './export-formats.ts';
import { describeUser } from './file-resource.ts';
import { callersDrive } from './visibility.ts';

/** Bytes a consumer account has at Google. */
const QUOTA_BYTES = 15 * 1024 ** 3;

/** `about.get`; Google refuses it without `fields`. */
export function getAbout(call: ApiCall): ApiResult {
  if (call.fields === undefined) {
    const message = "The 'fields' parameter is required for this method.";
    throw new ApiError({ code: 400, reason: 'required', message, location: 'fields' });
  }
  const drive = callersDrive(call);
  const usage = drive.files().reduce((sum, file) => sum + (file.content?.size ?? 0), 0);
  return {
    resource: {
      kind: 'drive#about',
      user: describeUser(call.caller.account),
      storageQuota: {
        limit: String(QUOTA_BYTES),
        usage: String(usage),
        usageInDrive: String(usage),
        usageInDriveTrash: '0',
      },
      maxUploadSize: String(MAX_STORED_BYTES),
      appInstalled: false,
      canCreateDrives: call.caller.account.hostedDomain !== undefined,
      canCreateTeamDrives: call.caller.account.hostedDomain !== undefined,
      exportFormats: exportFormats(),
      importFormats: importFormats(),
      maxImportSizes: MAX_IMPORT_SIZES,
      folderColorPalette: ['#ac725e', '#d06b64', '#f83a22', '#fa573c', '#ff7537', '#ffad46'],
    },
  };
}
