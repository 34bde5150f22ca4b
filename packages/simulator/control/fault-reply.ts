import { apiErrorResponse } from '../api/envelope.ts';
import { emptyResponse, type HeaderList, type SimResponse } from '../http/exchange.ts';
import { refusalResponse } from '../oauth/oauth-response.ts';
import type { FaultAction } from '../state/faults.ts';

/** Puts a switch's header fields over those of a real answer, replacing the same names. */
export function overrideHeaders(response: SimResponse, action: FaultAction): SimResponse {
  const { contentType } = action;
  const extra: HeaderList = Object.entries({
    ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
    ...action.headers,
  });
  const names = new Set(extra.map(([name]) => name.toLowerCase()));
  return { ...response, headers: [...response.headers.filter(([name]) => !names.has(name.toLowerCase())), ...extra] };
}

/** Status line used with a raw body when the switch names none. */
const DEFAULT_STATUS = 200;

/** The answer a switch puts in the place of the real one; `undefined` when the request is to be handled. */
export function faultReply(action: FaultAction): SimResponse | undefined {
  const { apiError, oauthError, redirect, rawBody, body, status } = action;
  let reply: SimResponse | undefined;
  if (apiError !== undefined) {
    const { code, reason, message } = apiError;
    reply = apiErrorResponse({ code, reason, message: message ?? reason });
  } else if (oauthError !== undefined) {
    const { status: code, error, error_description, error_subtype } = oauthError;
    reply = refusalResponse({
      status: code,
      error,
      ...(error_description === undefined ? {} : { error_description }),
      ...(error_subtype === undefined ? {} : { error_subtype }),
    });
  } else if (redirect !== undefined) {
    reply = emptyResponse(status ?? 302, [['Location', redirect]]);
  } else if (rawBody !== undefined || body !== undefined || status !== undefined) {
    const bytes = Buffer.from(rawBody ?? body ?? '');
    const type = action.contentType ?? 'text/html; charset=UTF-8';
    const named = Object.keys(action.headers ?? {}).some((name) => name.toLowerCase() === 'content-type');
    reply = {
      status: status ?? DEFAULT_STATUS,
      headers: bytes.length === 0 || named ? [] : [['Content-Type', type]],
      body: bytes,
    };
  }
  reply?.headers.push(...Object.entries(action.headers ?? {}));
  return reply;
}
