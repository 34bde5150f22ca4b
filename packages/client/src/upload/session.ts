import { GatewayError, NetworkError, ProviderError, TimeoutError, UploadError } from '../errors.ts';
import { queryText } from '../http/query.ts';
import { sender } from '../proxy/proxy-call.ts';
import type { ProxyAnswer, ProxyCall } from '../proxy/types.ts';
import type { Settings } from '../settings.ts';
import type { UploadCall } from './types.ts';

/** The provider's answer about the bytes so far. */
export type SessionState<T> =
  | { readonly kind: 'stored'; readonly bytes: number }
  | { readonly kind: 'done'; readonly answer: ProxyAnswer<T> };

/** One resumable upload at the provider (Google Drive API: "Perform a resumable upload"). */
export interface UploadSession<T> {
  /** Sends bytes that start at `offset`. @param totalBytes undefined while the size is not known */
  put(bytes: Uint8Array<ArrayBuffer>, offset: number, totalBytes: number | undefined): Promise<SessionState<T>>;
  /** Asks how many bytes arrived. */
  status(totalBytes: number | undefined): Promise<SessionState<T>>;
}

const RATE_LIMITS = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'sharingRateLimitExceeded']);

/** Starts a session. @throws UploadError when the answer names no place for the bytes */
export async function startSession<T>(
  settings: Settings,
  call: UploadCall,
  size: number | undefined,
): Promise<UploadSession<T>> {
  const start = sender<ProxyCall>(settings, () => call.method ?? 'POST');
  const query = queryText(call.params);
  const { headers } = await start({
    ...common(call),
    endpoint: call.endpoint,
    params: `uploadType=resumable${query === '' ? '' : `&${query}`}`,
    headers: [
      ...new Headers(definedHeaders(call)),
      ['x-upload-content-type', call.contentType],
      ...(size === undefined ? [] : [['x-upload-content-length', String(size)] as const]),
    ],
    data: call.metadata ?? {},
  });
  return openSession<T>(settings, call, sessionEndpoint(headers.get('location')));
}

function openSession<T>(settings: Settings, call: UploadCall, endpoint: string): UploadSession<T> {
  const put = sender<ProxyCall>(settings, () => 'PUT');
  async function state(bytes: Uint8Array<ArrayBuffer>, range: string | undefined): Promise<SessionState<T>> {
    const headers = { 'content-type': call.contentType, 'content-range': range };
    const answer = await put<T>({ ...common(call), endpoint, headers, data: bytes });
    return answer.status === 308 ? { kind: 'stored', bytes: storedBytes(answer.headers) } : { kind: 'done', answer };
  }
  return {
    put(bytes, offset, totalBytes) {
      // No range can name zero bytes; an empty file is sent whole.
      if (bytes.byteLength === 0) return state(bytes, undefined);
      return state(bytes, `bytes ${offset}-${offset + bytes.byteLength - 1}/${totalBytes ?? '*'}`);
    },
    status: (totalBytes) => state(new Uint8Array(), `bytes */${totalBytes ?? '*'}`),
  };
}

/** Whether the same bytes may succeed later, and after how many seconds where the response names them. */
export function isPassing(error: unknown): error is GatewayError | ProviderError | NetworkError | TimeoutError {
  if (error instanceof NetworkError || error instanceof TimeoutError) return true;
  if (error instanceof GatewayError) return error.status === 429 || error.status >= 500;
  if (!(error instanceof ProviderError)) return false;
  if (error.status === 403) return error.reason !== undefined && RATE_LIMITS.has(error.reason);
  return error.status === 408 || error.status === 429 || error.status >= 500;
}

function common({
  providerConfigKey,
  connectionId,
  signal,
  timeoutMs,
}: UploadCall): Pick<ProxyCall, 'providerConfigKey' | 'connectionId' | 'signal' | 'timeoutMs'> {
  return {
    providerConfigKey,
    connectionId,
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function definedHeaders({ headers }: UploadCall): [string, string][] {
  if (headers === undefined) return [];
  const entries = headers instanceof Headers || Array.isArray(headers) ? [...headers] : Object.entries(headers);
  return entries.filter((entry): entry is [string, string] => entry[1] !== undefined);
}

/** Only the path counts: chunks go to the gateway the client was made for, and the secret key to no other host. */
function sessionEndpoint(location: string | null): string {
  const path = location === null ? undefined : /^https?:\/\/[^/?#]+(?:\/[^?#]*)?\/proxy(\/.*)$/.exec(location)?.[1];
  if (path !== undefined) return path;
  throw new UploadError(
    location === null
      ? 'The answer names no address for the bytes: is endpoint an upload path such as /upload/drive/v3/files?'
      : 'The answer names an address outside the gateway; nothing is sent there.',
  );
}

function storedBytes(headers: Headers): number {
  const range = headers.get('range');
  if (range === null) return 0;
  const last = /^bytes=0-(\d{1,15})$/.exec(range.trim())?.[1];
  if (last === undefined) throw new UploadError(`The provider's Range header cannot be read: ${range}`);
  return Number(last) + 1;
}
