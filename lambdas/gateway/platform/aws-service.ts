import { createHash, createHmac } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';
import { AWS_ANSWER_TIMEOUT_MS, AWS_CONNECT_TIMEOUT_MS } from '../core/limits.ts';
import { defaultProvider } from './environment-credentials.ts';

/** Limits of one call. */
export interface AwsServiceLimits {
  /** Milliseconds from the first packet to a connection, its handshake included. */
  readonly connect: number;
  /** Milliseconds of a whole call, its connection included. */
  readonly call: number;
  readonly answerBytes: number;
}

const LIMITS: AwsServiceLimits = {
  connect: AWS_CONNECT_TIMEOUT_MS,
  call: AWS_ANSWER_TIMEOUT_MS,
  // Far above any answer except those of the log.
  answerBytes: 1_048_576,
};

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** Names for errors without one, which come from a load balancer instead of the service itself. */
const NAMES_BY_STATUS: Readonly<Record<number, string>> = { 413: 'RequestEntityTooLarge' };

/** A service that speaks AWS's JSON protocol: one call, its target in a header. */
export interface AwsService {
  /**
   * Makes one call, without retries, which are up to the caller.
   *
   * @throws Error with the service's own name for an error answer, `TimeoutError` after five seconds or one without a connection,
   * else the system's error
   */
  call(operation: string, input: unknown): Promise<unknown>;
}

/** What is signed: headers in lower case, host among them. */
export interface SignedParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly region: string;
  readonly service: string;
}

interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * `Authorization` of a POST to `/` without a query: Signature Version 4. IAM guide, "Create a signed AWS API request".
 *
 * @param parts its `x-amz-date` is the time that counts
 */
export function authorizationOf({ headers, body, region, service }: SignedParts, keys: Keys): string {
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]?.trim().replaceAll(/ +/g, ' ')}\n`).join('');
  const signedNames = names.join(';');
  const canonical = ['POST', '/', '', lines, signedNames, sha256(body)].join('\n');
  const time = headers['x-amz-date'] ?? '';
  const scope = [time.slice(0, 8), region, service, 'aws4_request'];
  const toSign = [ALGORITHM, time, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<Buffer>(
    (previous, part) => hmac(previous, part),
    Buffer.from(`AWS4${keys.secretAccessKey}`),
  );
  const signature = hmac(key, toSign).toString('hex');
  return `${ALGORITHM} Credential=${keys.accessKeyId}/${scope.join('/')}, SignedHeaders=${signedNames}, Signature=${signature}`;
}

/**
 * Opens a service without its SDK: the clients for two calls of two services would add about 350 KB to every start.
 *
 * @param endpoint its address on AWS; `AWS_ENDPOINT_URL` replaces it, as in the SDKs
 * @param target the prefix of the operation's name, such as `AWSEvents`
 */
export function openAwsService(
  service: string,
  endpoint: string,
  target: string,
  version: '1.0' | '1.1',
  environment: Readonly<Record<string, string | undefined>> = process.env,
  given: Partial<AwsServiceLimits> = {},
): AwsService {
  const limits = { ...LIMITS, ...given };
  const address = new URL(environment.AWS_ENDPOINT_URL || endpoint);
  const credentials = defaultProvider();
  const agent = new Agent({ keepAlive: true });

  return {
    async call(operation, input) {
      const { sessionToken, ...keys } = await credentials();
      const body = JSON.stringify(input);
      const headers: Record<string, string> = {
        'content-type': `application/x-amz-json-${version}`,
        host: address.host,
        'x-amz-date': new Date().toISOString().replaceAll(/[-:]|\.\d+/g, ''),
        'x-amz-target': `${target}.${operation}`,
        ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
      };
      const parts = { headers, body, region: environment.AWS_REGION ?? '', service };
      headers.authorization = authorizationOf(parts, keys);
      const { status, answer, errorType } = await send(address, headers, body, agent, limits);
      if (status === 200) return answer === '' ? {} : JSON.parse(answer);
      throw serviceError(status, answer, errorType);
    },
  };
}

/** The error of an answer, by its name without namespace prefix and without the suffix after a colon in the header. */
function serviceError(status: number, answer: string, errorType: string | undefined): Error {
  let stated: unknown = errorType;
  try {
    const parsed: unknown = JSON.parse(answer);
    const type: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, '__type') : undefined;
    stated = type ?? stated;
  } catch {
    // The service's load balancer answers without JSON.
  }
  const name = typeof stated === 'string' ? stated.split('#').at(-1)?.split(':')[0] : undefined;
  const error = new Error(`The service answered ${status}`);
  error.name = name || (NAMES_BY_STATUS[status] ?? `Status${status}`);
  return error;
}

interface Answer {
  readonly status: number;
  readonly answer: string;
  readonly errorType: string | undefined;
}

function send(
  address: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  agent: Agent,
  limits: AwsServiceLimits,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } };
  const outgoing =
    address.protocol === 'https:'
      ? tlsRequest(address, { ...options, agent })
      : plainRequest(address, { ...options, agent: false });
  const timedOut = (what: string) => () => {
    const error = new Error(`The service ${what} in time`);
    error.name = 'TimeoutError';
    outgoing.destroy(error);
  };
  const whole = setTimeout(timedOut('did not answer'), limits.call);
  const connecting = setTimeout(timedOut('did not take the connection'), limits.connect);
  const connected = () => clearTimeout(connecting);
  const end = () => {
    clearTimeout(whole);
    clearTimeout(connecting);
  };
  outgoing.on('socket', (socket) => {
    if (!socket.connecting) connected();
    else socket.once(address.protocol === 'https:' ? 'secureConnect' : 'connect', connected);
  });
  outgoing.on('error', (error) => {
    end();
    reject(error);
  });
  outgoing.on('response', (incoming) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.answerBytes) outgoing.destroy(new Error('The service answered too much'));
      else chunks.push(chunk);
    });
    incoming.on('error', reject);
    incoming.on('close', () => {
      end();
      // A cut answer is none.
      if (!incoming.complete) reject(Object.assign(new Error('The answer was cut'), { name: 'NetworkingError' }));
      const errorType = incoming.headers['x-amzn-errortype'];
      resolve({
        status: incoming.statusCode ?? 0,
        answer: Buffer.concat(chunks).toString('utf8'),
        errorType: typeof errorType === 'string' ? errorType : undefined,
      });
    });
  });
  outgoing.end(body);
  return promise;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
