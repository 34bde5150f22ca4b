/** Signature Version 4 of requests as API Gateway judges it. IAM User Guide, "Create a signed AWS API request". */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { LOCAL_ACCOUNT_ID } from '../template/references.ts';
import type { AwsCallers, AwsIdentity } from './aws-callers.ts';
import type { GatewayErrorKind } from './gateway-errors.ts';

/** A request as received: nothing decoded, the stage in its path. */
export interface SignedRequest {
  /** Method on the wire. */
  method: string;
  target: string;
  headers: readonly (readonly [string, string])[];
  body: Uint8Array;
}

/** Data for checking signatures. */
export interface SignatureJudge {
  callers: AwsCallers;
  region: string;
  /** Other accounts that the API's policy lets in. */
  otherAccounts: readonly string[];
  nowMs: number;
}

/** The signer, or why the request is refused: the kind of API Gateway's response and its sentence. */
export type SignatureJudgement =
  | { identity: AwsIdentity; accessKey: string }
  | { refused: GatewayErrorKind; message?: string };

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SERVICE = 'execute-api';
/** How far the clock of a caller may be off. */
const MOST_SKEW_MS = 300_000;
/** The longest that a signed address may be good for, in seconds. */
const MOST_EXPIRES_SEC = 604_800;
const WRONG =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';
const UNKNOWN_TOKEN = 'The security token included in the request is invalid.';

/** The parsed signature, from the header or the address. */
interface Claim {
  accessKeyId: string;
  scope: readonly [date: string, region: string, service: string, end: string];
  signedHeaders: readonly string[];
  signature: string;
  /** `20261123T101112Z`. */
  date: string;
  token: string | undefined;
  /** Seconds that an address is good for; undefined for a header. */
  expiresSec: number | undefined;
}

/** Judges a signature. Pure. */
export function judgeSignature(request: SignedRequest, judge: SignatureJudge): SignatureJudgement {
  const claim = readClaim(request);
  if ('refused' in claim) return claim;
  const [date, region, service, end] = claim.scope;
  if (end !== 'aws4_request' || service !== SERVICE) {
    return incorrect(`Credential should be scoped to correct service: '${SERVICE}'. `);
  }
  if (region !== judge.region) return incorrect('Credential should be scoped to a valid region. ');
  const signedAtMs = timeOf(claim.date);
  if (signedAtMs === undefined || !claim.date.startsWith(date)) {
    return incorrect('Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP. ');
  }
  const untimely = timeProblem(claim, signedAtMs, judge.nowMs);
  if (untimely !== undefined) return { refused: 'invalid-signature', message: untimely };
  const caller = judge.callers.find(claim.accessKeyId);
  if (caller === undefined || caller.credentials.sessionToken !== claim.token) {
    return { refused: 'invalid-signature', message: UNKNOWN_TOKEN };
  }
  const unsigned = unsignedHeader(request, claim);
  if (unsigned !== undefined) {
    return incorrect(`'${unsigned}' must be a 'SignedHeader' in the AWS Authorization. `);
  }
  const expected = Buffer.from(signatureOf(request, claim, caller.credentials.secretAccessKey));
  const given = Buffer.from(claim.signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { refused: 'invalid-signature', message: WRONG };
  }
  if ((caller.endsAtMs ?? Number.POSITIVE_INFINITY) <= judge.nowMs) return { refused: 'expired-token' };
  const { accountId, userArn } = caller.identity;
  if (accountId !== LOCAL_ACCOUNT_ID && !judge.otherAccounts.includes(accountId)) {
    return { refused: 'forbidden', message: `User: ${userArn} is not authorized to perform: execute-api:Invoke` };
  }
  return { identity: caller.identity, accessKey: claim.accessKeyId };
}

const incorrect = (message: string): SignatureJudgement => ({ refused: 'invalid-signature', message });

function readClaim({ headers, target }: SignedRequest): Claim | { refused: GatewayErrorKind; message?: string } {
  const header = (name: string) => headers.find(([sent]) => sent.toLowerCase() === name)?.[1];
  const authorization = header('authorization');
  const query = new Map(queryPairs(target).map(([name, value]) => [name.toLowerCase(), value]));
  if (authorization === undefined) {
    if (query.get('x-amz-algorithm') !== ALGORITHM) return { refused: 'missing-token' };
    return claimOf(
      query.get('x-amz-credential'),
      query.get('x-amz-signedheaders'),
      query.get('x-amz-signature'),
      query.get('x-amz-date'),
      query.get('x-amz-security-token'),
      Number(query.get('x-amz-expires')),
    );
  }
  if (!authorization.startsWith(`${ALGORITHM} `)) {
    return {
      refused: 'invalid-signature',
      message: `Authorization header requires 'Credential' parameter. (Hashed with SHA-256 and encoded with Base64) Authorization=${digest(authorization, 'base64')}`,
    };
  }
  const parts = new Map(
    authorization
      .slice(ALGORITHM.length + 1)
      .split(',')
      .map((part) => part.trim().split('=', 2))
      .map(([name = '', value = '']) => [name, value]),
  );
  return claimOf(
    parts.get('Credential'),
    parts.get('SignedHeaders'),
    parts.get('Signature'),
    header('x-amz-date'),
    header('x-amz-security-token'),
    undefined,
  );
}

function claimOf(
  credential: string | undefined,
  signedHeaders: string | undefined,
  signature: string | undefined,
  date: string | undefined,
  token: string | undefined,
  expiresSec: number | undefined,
): Claim | { refused: GatewayErrorKind; message?: string } {
  const [accessKeyId = '', day, region, service, end] = (credential ?? '').split('/');
  if (end === undefined || day === undefined || region === undefined || service === undefined) {
    return { refused: 'invalid-signature', message: "Authorization header requires 'Credential' parameter." };
  }
  if (signedHeaders === undefined || signature === undefined || date === undefined) {
    return {
      refused: 'invalid-signature',
      message: "Authorization header requires 'Signature', 'SignedHeaders' and a date.",
    };
  }
  const scope = [day, region, service, end] as const;
  return { accessKeyId, scope, signedHeaders: signedHeaders.split(';'), signature, date, token, expiresSec };
}

/** `20261123T101112Z` in milliseconds since the epoch. */
function timeOf(date: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function timeProblem({ date, expiresSec }: Claim, signedAtMs: number, nowMs: number): string | undefined {
  if (expiresSec !== undefined) {
    if (!(expiresSec > 0 && expiresSec <= MOST_EXPIRES_SEC))
      return 'X-Amz-Expires must be between 1 and 604800 seconds';
    if (signedAtMs + expiresSec * 1000 < nowMs) return 'The signed address has expired';
  } else if (signedAtMs < nowMs - MOST_SKEW_MS) {
    return `Signature expired: ${date} is now earlier than ${compact(nowMs - MOST_SKEW_MS)} (${compact(nowMs)} - 5 min.)`;
  }
  if (signedAtMs <= nowMs + MOST_SKEW_MS) return undefined;
  return `Signature not yet current: ${date} is still later than ${compact(nowMs + MOST_SKEW_MS)} (${compact(nowMs)} + 5 min.)`;
}

const compact = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

/** `host` and every header of AWS's own have to be signed; a signed address has the latter in its query. */
function unsignedHeader({ headers }: SignedRequest, { signedHeaders }: Claim): string | undefined {
  const needed = ['host', ...headers.map(([name]) => name.toLowerCase()).filter((name) => name.startsWith('x-amz-'))];
  return needed.find((name) => !signedHeaders.includes(name));
}

function signatureOf(request: SignedRequest, claim: Claim, secretAccessKey: string): string {
  const { headers, target, method, body } = request;
  const lines = claim.signedHeaders.map((name) => {
    const values = headers
      .filter(([sent]) => sent.toLowerCase() === name)
      .map(([, value]) => value.trim().replaceAll(/ +/g, ' '));
    return `${name}:${values.join(',')}\n`;
  });
  const canonical = [
    method,
    canonicalPath(target.split('?', 1)[0] ?? ''),
    canonicalQuery(target),
    lines.join(''),
    claim.signedHeaders.join(';'),
    // Always of the received body: neither an unsigned payload nor one in signed chunks is accepted (IA-4).
    digest(body, 'hex'),
  ].join('\n');
  const text = [ALGORITHM, claim.date, claim.scope.join('/'), digest(canonical, 'hex')].join('\n');
  const start: Buffer = Buffer.from(`AWS4${secretAccessKey}`);
  const key = claim.scope.reduce((previous, part) => hmac(previous, part), start);
  return hmac(key, text).toString('hex');
}

/** Without empty and dot segments, and encoded once more than it was sent (IA-4). */
function canonicalPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const end = segments.length > 0 && path.endsWith('/') ? '/' : '';
  return `/${segments.map(encoded).join('/')}${end}`;
}

/** Decoded, encoded as AWS does and in order of the encoded names and values. */
function canonicalQuery(target: string): string {
  return queryPairs(target)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([a, x], [b, y]) => order(a, b) || order(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A plus is a space here, as API Gateway reads queries. */
function queryPairs(target: string): (readonly [string, string])[] {
  const at = target.indexOf('?');
  if (at < 0) return [];
  return target
    .slice(at + 1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [decoded(name), decoded(value)] as const;
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Each byte but letters, digits and `-._~` (RFC 3986 section 2.3). */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function digest(data: string | Uint8Array, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(data).digest(encoding);
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
