import type { ApiCall, ApiResult } from '../api/call.ts';
import { API_HEADERS, ApiError } from '../api/envelope.ts';
import { emptyResponse, headerValue } from '../http/exchange.ts';
import { eventText } from '../state/calendar.ts';

function listsTag(header: string, etag: string): boolean {
  return header === '*' || header.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag);
}

/** Sends a resource with its etag, or 304 when the client already has it (RFC 9110 13.1.2). */
export function ifNoneMatch(call: ApiCall, resource: Record<string, unknown>): ApiResult {
  const etag = eventText(resource, 'etag');
  const header = headerValue(call.http.headers, 'if-none-match');
  if (header !== undefined && listsTag(header, etag)) {
    return { response: emptyResponse(304, [['ETag', etag], ...API_HEADERS]) };
  }
  return { resource, headers: [['ETag', etag]] };
}

/**
 * Stops a write to a resource that has changed since the client read it (RFC 9110 13.1.1).
 * @throws {ApiError} 412 `conditionNotMet`
 */
export function requireIfMatch(call: ApiCall, etag: string): void {
  const header = headerValue(call.http.headers, 'if-match');
  if (header === undefined || listsTag(header, etag)) return;
  throw new ApiError({
    code: 412,
    reason: 'conditionNotMet',
    message: 'Precondition Failed',
    location: 'If-Match',
    locationType: 'header',
  });
}
