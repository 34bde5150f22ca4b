import { rewriteBatchRequest } from '../../../lambdas/gateway/proxying/batch.rules.ts';
import { googleDrive } from '../support/google.ts';

export const API_ORIGIN = 'https://www.googleapis.com';
/** Every origin of the providers, each a host of its own. */
export const API_ORIGINS = {
  apiOrigin: API_ORIGIN,
  otherOrigins: {
    drive_activity: 'https://driveactivity.googleapis.com',
    caldav: 'https://apidata.googleusercontent.com',
  },
} as const;
export const BASE_URL = 'https://gateway.example.com/v1';
export const SECRET_KEY = `sk_default_${'S'.repeat(43)}`;

/** A batch body of parts under the boundary `b`, lines ending as given. */
export function batchBody(parts: readonly string[], lineBreak = '\r\n'): Uint8Array {
  const text = parts.map((part) => `--b${lineBreak}${part}${lineBreak}`).join('');
  return Buffer.from(`${text}--b--${lineBreak}`, 'latin1');
}

/** A part with its own header block in front of an inner request. */
export function part(inner: string, headers = 'Content-Type: application/http\r\nContent-ID: <1>\r\n'): string {
  return `${headers}\r\n${inner}`;
}

/** Rewrites a Drive batch under the boundary `b`. */
export function rewrite(body: Uint8Array, contentType = 'multipart/mixed; boundary=b') {
  return rewriteBatchRequest({ body, contentType, provider: googleDrive, baseUrl: BASE_URL, apiOrigin: API_ORIGIN });
}

/** An inner request as the provider reads it. */
export interface SeenRequest {
  readonly partHeaders: readonly string[];
  readonly requestLine: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Reads a rewritten batch the strict way of RFC 2046 and RFC 9112, by other means than the code under test. */
export function seenByProvider(batch: { readonly body: Uint8Array; readonly contentType: string }): SeenRequest[] {
  const boundary = /^multipart\/mixed; boundary=([A-Za-z0-9_]+)$/.exec(batch.contentType)?.[1];
  if (boundary === undefined) throw new Error(`No plain boundary in ${batch.contentType}`);
  const pieces = `\r\n${Buffer.from(batch.body).toString('latin1')}`.split(`\r\n--${boundary}`);
  if (pieces.shift() !== '' || pieces.pop() !== '--\r\n') throw new Error('The batch is not framed as it says');
  return pieces.map((piece) => {
    if (!piece.startsWith('\r\n')) throw new Error('A delimiter line goes on');
    const [partHead = '', afterPartHead] = splitOnce(piece.slice(2), '\r\n\r\n');
    const [head = '', body] = splitOnce(afterPartHead, '\r\n\r\n');
    const [requestLine = '', ...headers] = head.split('\r\n');
    return { partHeaders: partHead.split('\r\n'), requestLine, headers, body };
  });
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  if (at === -1) throw new Error(`No blank line in ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + separator.length)];
}
