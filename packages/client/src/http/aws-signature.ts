/** Signature Version 4 for a gateway whose callers are IAM roles. IAM User Guide, "Create a signed AWS API request". */

/** AWS credentials of one moment, in the words of AWS's SDK. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of a role's session; only users have none. */
  readonly sessionToken?: string | undefined;
}

/** Gives the credentials of one request. Those of AWS's SDK fit as they are, and renew theirs before they end. */
export type AwsCredentialsProvider = () => Promise<AwsCredentials>;

/** Credentials and region of a signature. */
export interface AwsSigner {
  readonly credentials: AwsCredentialsProvider;
  readonly region: string;
}

/** A request before and after it is signed. */
export interface SignableRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: BodyInit | undefined;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** Signed headers. Others may be added or changed on the way, for example by `fetch`. */
const SIGNED: ReadonlySet<string> = new Set([
  'content-type',
  'provider-config-key',
  'connection-id',
  'idempotency-key',
  'x-http-method-override',
]);

/**
 * The request with its signature. The body becomes bytes, because its digest is part of what is signed.
 *
 * @param signal ends the wait for credentials
 * @throws what the provider fails with, TypeError for credentials that are none, the reason of the signal
 */
export async function signedRequest(
  { credentials, region }: AwsSigner,
  request: SignableRequest,
  signal?: AbortSignal,
): Promise<SignableRequest> {
  const { accessKeyId, secretAccessKey, sessionToken } = readCredentials(await before(signal, credentials()));
  const url = new URL(request.url);
  // Signers interpret a raw plus differently. To the gateway it is a space.
  url.search = url.search.replaceAll('+', '%20');
  const whole = new Response(request.body ?? null);
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const headers = new Headers(request.headers);
  const type = whole.headers.get('content-type');
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type);
  const date = new Date().toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  headers.set('x-amz-date', date);
  if (sessionToken !== undefined) headers.set('x-amz-security-token', sessionToken);
  const signed: [string, string][] = [...headers].filter(([name]) => SIGNED.has(name) || name.startsWith('x-amz-'));
  signed.push(['host', url.host]);
  signed.sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...signed.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, ' ')}`),
    '',
    names,
    hex(await crypto.subtle.digest('SHA-256', bytes)),
  ].join('\n');
  const scope = [date.slice(0, 8), region, 'execute-api', 'aws4_request'];
  const digest = hex(await crypto.subtle.digest('SHA-256', utf8(canonical)));
  let key: BufferSource = utf8(`AWS4${secretAccessKey}`);
  for (const part of scope) key = await hmac(key, part);
  const signature = hex(await hmac(key, [ALGORITHM, date, scope.join('/'), digest].join('\n')));
  headers.set(
    'authorization',
    `${ALGORITHM} Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`,
  );
  return { method: request.method, url: url.href, headers, body: request.body === undefined ? undefined : bytes };
}

function readCredentials(given: AwsCredentials): AwsCredentials {
  const { accessKeyId, secretAccessKey, sessionToken } = given ?? {};
  const texts = [accessKeyId, secretAccessKey, ...(sessionToken === undefined ? [] : [sessionToken])];
  if (texts.every((text) => typeof text === 'string' && /^[\x21-\x7e]+$/.test(text))) return given;
  throw new TypeError(
    'awsCredentials gave no credentials: accessKeyId and secretAccessKey, and sessionToken for a role.',
  );
}

/** A value, unless the signal is aborted before it is there. */
function before<Value>(signal: AbortSignal | undefined, value: Promise<Value>): Promise<Value> {
  if (signal === undefined) return value;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Without empty segments, and encoded once more than it is sent. */
function canonicalPath(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const end = segments.length > 0 && path.endsWith('/') ? '/' : '';
  return `/${segments.map(encoded).join('/')}${end}`;
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([a, x], [b, y]) => order(a, b) || order(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Each byte but letters, digits and `-._~` (RFC 3986 section 2.3). */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

async function hmac(secret: BufferSource, text: string): Promise<ArrayBuffer> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  return crypto.subtle.sign('HMAC', key, utf8(text));
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
