import { type ApiCall, type ApiResult, pathParameter } from '../api/call.ts';
import { API_HEADERS, ApiError, apiErrorResponse } from '../api/envelope.ts';
import { parseByteRange } from '../http/byte-range.ts';
import { type HeaderList, headerValue, type SimResponse } from '../http/exchange.ts';
import type { DriveFile, RangeSource } from '../state/drive.ts';
import { capabilitiesOf } from './capabilities.ts';
import { describeFile } from './file-resource.ts';
import { requireContentAccess, requireFile, roleOf } from './visibility.ts';

/** Sends a file's bytes, or the part a Range header names: 200, 206 with Content-Range, or 416 with Google's error. */
export function mediaResponse(rangeHeader: string | undefined, source: RangeSource, contentType: string): SimResponse {
  const headers: HeaderList = [['Content-Type', contentType], ['Accept-Ranges', 'bytes'], ...API_HEADERS];
  const range = parseByteRange(rangeHeader, source.length);
  if (range.kind === 'unsatisfiable') {
    const failure = { code: 416, reason: 'requestedRangeNotSatisfiable', message: 'Request range not satisfiable' };
    return apiErrorResponse(failure, [['Content-Range', `bytes */${source.length}`]]);
  }
  const [start, end] = range.kind === 'whole' ? [0, source.length] : [range.start, range.end];
  if (range.kind === 'part') headers.push(['Content-Range', `bytes ${start}-${end - 1}/${source.length}`]);
  return {
    status: range.kind === 'whole' ? 200 : 206,
    headers,
    body: { length: end - start, chunks: () => source.read(start, end) },
  };
}

function download(call: ApiCall, file: DriveFile): ApiResult {
  requireContentAccess(call);
  const can = capabilitiesOf(call.sim.drive, file, call.caller.account, roleOf(call, file) ?? 'reader');
  if (file.content !== null && can.canDownload !== true) {
    const message = 'This file cannot be downloaded by the user.';
    throw new ApiError({ code: 403, reason: 'cannotDownloadFile', message });
  }
  const source = call.sim.drive.open(file);
  if (source === undefined) {
    const message = 'Only files with binary content can be downloaded. Use Export with Docs Editors files.';
    throw new ApiError({ code: 403, reason: 'fileNotDownloadable', message, location: 'alt' });
  }
  return { response: mediaResponse(headerValue(call.http.headers, 'range'), source, file.mimeType) };
}

/** `files.get`: metadata, or the bytes with `alt=media`. */
export function getFile(call: ApiCall): ApiResult {
  const file = requireFile(call, pathParameter(call, 'fileId'));
  if (call.query.get('alt') === 'media') return download(call, file);
  return { resource: describeFile(call, file) };
}
