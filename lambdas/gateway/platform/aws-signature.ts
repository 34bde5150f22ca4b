import { createHash, createHmac } from 'node:crypto';

/** Keys that sign an AWS request. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** A request to be signed; names of headers in lower case. */
export interface UnsignedRequest {
  readonly method: string;
  readonly path: string;
  /** As it is sent: encoded, in order of its names. */
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

/** The region and service that a signature is for. */
export interface Scope {
  readonly region: string;
  readonly service: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** Headers that proxies may change, which the SDK leaves unsigned, too. */
const UNSIGNED = new Set(['authorization', 'connection', 'user-agent', 'x-amzn-trace-id']);

/** The request's headers with those that make it a signed one: date, session token, hash of the body, authorization. */
export function signed(request: UnsignedRequest, credentials: Credentials, scope: Scope, date: Date) {
  const { sessionToken } = credentials;
  const headers = {
    ...request.headers,
    'x-amz-date': date.toISOString().replace(/[-:]|\.\d{3}/g, ''),
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
    'x-amz-content-sha256': sha256(request.body),
  };
  return { ...headers, authorization: authorization({ ...request, headers }, credentials, scope) };
}

/**
 * Signature Version 4 of a request that has all its headers.
 *
 * @see "Create a signed AWS API request" in the IAM User Guide
 */
export function authorization(request: UnsignedRequest, credentials: Credentials, { region, service }: Scope): string {
  const { method, path, query = '', headers, body } = request;
  const date = headers['x-amz-date'] ?? '';
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const names = Object.keys(headers)
    .filter((name) => !UNSIGNED.has(name))
    .sort();
  const signedHeaders = names.join(';');
  const lines = names.map((name) => `${name}:${headers[name]?.trim().replace(/\s+/g, ' ')}\n`);
  const canonical = [method, canonicalPath(path), query, lines.join(''), signedHeaders, sha256(body)].join('\n');
  const key = scope.split('/').reduce<Buffer | string>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, [ALGORITHM, date, scope, sha256(canonical)].join('\n')).toString('hex');
  return `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

/** Without empty and dot segments, and with each byte that is not unreserved encoded again. */
function canonicalPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const normalized = `/${segments.join('/')}${segments.length > 0 && path.endsWith('/') ? '/' : ''}`;
  const encoded = encodeURIComponent(normalized).replaceAll('%2F', '/');
  return encoded.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: Buffer | string, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
