import { headerValue } from '../../gateway/core/http-message.ts';
import type { TriedCall } from '../connections/try-call.ts';

/** A tried call in the API's spelling; header names in lower case, repeats joined by a comma. */
export function triedCallOnTheWire(tried: TriedCall): Record<string, unknown> {
  const headers = new Map<string, string>();
  for (const [name, value] of tried.headers) {
    const before = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return {
    status: tried.status,
    headers: Object.fromEntries(headers),
    content_type: headerValue(tried.headers, 'content-type') ?? null,
    body: tried.body,
    truncated: tried.truncated,
    duration_ms: tried.durationMs,
  };
}
