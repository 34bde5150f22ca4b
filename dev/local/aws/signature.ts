/** Signature Version 4 of requests to paths of unreserved characters. IAM guide, "Create a signed AWS API request". */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AwsCredentials } from './credentials.ts';

const ALGORITHM = 'AWS4-HMAC-SHA256';
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/, ]+)\/(\d{8})\/([^/, ]+)\/([^/, ]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/** The parsed `Authorization` header. */
export interface Authorization {
  accessKeyId: string;
  /** `<yyyymmdd>/<region>/<service>/aws4_request`. */
  scope: readonly [date: string, region: string, service: string];
  signedHeaders: readonly string[];
  signature: string;
}

/** Reads the header; undefined for anything but this algorithm in this form. */
export function readAuthorization(header: string | undefined): Authorization | undefined {
  const [, accessKeyId = '', date = '', region = '', service = '', signedHeaders = '', signature = ''] =
    AUTHORIZATION.exec(header ?? '') ?? [];
  if (signature === '') return undefined;
  return { accessKeyId, scope: [date, region, service], signedHeaders: signedHeaders.split(';'), signature };
}

/** Whether a request was signed with these credentials, host and session token included. */
export function isSignedBy(
  credentials: AwsCredentials,
  { scope, signedHeaders, signature }: Authorization,
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
  body: Uint8Array,
): boolean {
  if (!signedHeaders.includes('host')) return false;
  if (headers['x-amz-security-token'] !== credentials.sessionToken) return false;
  const expected = signatureOf(credentials, scope, signedHeaders, method, path, headers, body);
  return timingSafeEqual(Buffer.from(expected, 'hex'), Buffer.from(signature, 'hex'));
}

/** The headers of a signed JSON call to `/`, for the runner's own calls; DynamoDB alone speaks version 1.0. */
export function signedHeaders(
  credentials: AwsCredentials,
  call: { host: string; region: string; service: string; target: string; body: string },
): Record<string, string> {
  const date = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const headers = {
    'content-type': `application/x-amz-json-${call.service === 'dynamodb' ? '1.0' : '1.1'}`,
    host: call.host,
    'x-amz-date': date,
    'x-amz-target': call.target,
    ...(credentials.sessionToken === undefined ? {} : { 'x-amz-security-token': credentials.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const scope = [date.slice(0, 8), call.region, call.service] as const;
  const signature = signatureOf(credentials, scope, names, 'POST', '/', headers, Buffer.from(call.body));
  const credential = [credentials.accessKeyId, ...scope, 'aws4_request'].join('/');
  const { host: _host, ...sent } = headers;
  return {
    ...sent,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}

function signatureOf(
  { secretAccessKey }: AwsCredentials,
  scope: Authorization['scope'],
  names: readonly string[],
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
  body: Uint8Array,
): string {
  const lines = names.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replaceAll(/ +/g, ' ')}\n`,
  );
  const [bare = '', query = ''] = path.split('?');
  const canonical = [
    method,
    bare,
    query.split('&').sort().join('&'),
    lines.join(''),
    names.join(';'),
    sha256(body),
  ].join('\n');
  const text = [ALGORITHM, headers['x-amz-date'], [...scope, 'aws4_request'].join('/'), sha256(canonical)].join('\n');
  return hmac(signingKey(secretAccessKey, scope), text).toString('hex');
}

/** Signing keys by secret and scope: one a day for each caller and service. */
const signingKeys = new Map<string, Buffer>();
const KEPT_SIGNING_KEYS = 1_000;

function signingKey(secretAccessKey: string, scope: Authorization['scope']): Buffer {
  const name = [secretAccessKey, ...scope].join('/');
  const known = signingKeys.get(name);
  if (known !== undefined) return known;
  const start: Buffer = Buffer.from(`AWS4${secretAccessKey}`);
  const key = [...scope, 'aws4_request'].reduce((previous, part) => hmac(previous, part), start);
  if (signingKeys.size >= KEPT_SIGNING_KEYS) signingKeys.clear();
  signingKeys.set(name, key);
  return key;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
