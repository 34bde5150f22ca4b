import { type ApiCall, type ApiResult, pathParameter } from '../api/call.ts';
import { API_HEADERS, notFound } from '../api/envelope.ts';
import { refusal } from '../api/refusals.ts';
import type { DriveFile } from '../state/drive.ts';
import { exportFile, isExportable } from './export-formats.ts';
import { requireContentAccess, requireFile } from './visibility.ts';

/** The one type of Google's editors that is downloaded by an operation alone. */
const VIDS_TYPE = 'application/vnd.google-apps.vid';

const OPERATION_PREFIX = 'simulated-download-';

/** `files.export`: a Google editor file in another format. */
export function exportDocument(call: ApiCall): ApiResult {
  requireContentAccess(call);
  const file = requireFile(call, pathParameter(call, 'fileId'));
  if (file.mimeType === VIDS_TYPE) throw refusal('exportOfVids');
  if (!isExportable(file.mimeType)) throw refusal('notExportable');
  const mimeType = call.query.get('mimeType') ?? '';
  const body = exportFile(file, mimeType);
  if (body === undefined) throw refusal('conversionNotSupported');
  if (body.length > call.sim.state.limits.exportBytes) throw refusal('exportTooLarge');
  return { response: { status: 200, headers: [['Content-Type', mimeType], ...API_HEADERS], body } };
}

function operation(call: ApiCall, file: DriveFile, done: boolean): ApiResult {
  const downloadUri = `https://drive.usercontent.google.com/download?id=${file.id}`;
  return {
    resource: {
      name: OPERATION_PREFIX + Buffer.from(`${call.caller.account.sub} ${file.id}`).toString('base64url'),
      metadata: { '@type': 'type.googleapis.com/google.apps.drive.v3.DownloadFileMetadata' },
      done,
      ...(done
        ? {
            response: {
              '@type': 'type.googleapis.com/google.apps.drive.v3.DownloadFileResponse',
              downloadUri,
              partialDownloadAllowed: file.content !== null,
            },
          }
        : {}),
    },
  };
}

/** `files.download`: starts an operation, which is done when it is first asked for. */
export function startDownload(call: ApiCall): ApiResult {
  requireContentAccess(call);
  return operation(call, requireFile(call, pathParameter(call, 'fileId')), false);
}

/** `operations.get`: the finished download; its `downloadUri` is on another host, as at Google. */
export function getOperation(call: ApiCall): ApiResult {
  const name = pathParameter(call, 'name');
  const [sub, fileId] = Buffer.from(name.slice(OPERATION_PREFIX.length), 'base64url').toString('utf8').split(' ');
  if (!name.startsWith(OPERATION_PREFIX) || sub !== call.caller.account.sub || fileId === undefined) {
    throw notFound(`Operation not found: ${name}`);
  }
  return operation(call, requireFile(call, fileId), true);
}
