import { randomUUID } from 'node:crypto';
import { signed } from '../aws-signature.ts';
import { defaultProvider } from '../environment-credentials.ts';
import { crc32 } from './crc32.ts';
import { type Endpoint, endpointOf, type ServiceName } from './endpoints.ts';
import { abortError, HttpHandler, type Response } from './http.ts';
import { type Failure, failureInfo, StandardRetries } from './retries.ts';
import { asIs, type Shape } from './shapes.ts';

/** The common part of a service's clients. */
export interface Service extends ServiceName {
  /** Version of AWS's JSON protocol. */
  readonly json: '1.0' | '1.1';
  readonly target: string;
  /** Upper bound of the first retry's delay, except after a throttle. */
  readonly delayMs: number;
  /** Errors of the service that are its own fault. */
  readonly ownFaults: readonly string[];
  /** Errors to retry whatever their status. */
  readonly repeated?: readonly string[];
  /** Members of errors that contain more than text and numbers. */
  readonly errorShapes?: Readonly<Record<string, Shape>>;
}

/** The parts of the SDK's configuration that these clients accept. */
export interface ClientConfig {
  readonly maxAttempts: number;
  readonly requestHandler: { readonly connectionTimeout: number };
  readonly region?: string;
}

/** An operation of a service. */
export interface Operation {
  readonly name: string;
  readonly input: Shape;
  readonly output: Shape;
}

/** A call to be sent. */
export interface Command {
  readonly operation: Operation;
  readonly input: unknown;
}

/** The class of an operation's commands. */
export function commandOf(name: string, input: Shape, output: Shape): new (input: object) => Command {
  const operation: Operation = { name, input, output };
  return class {
    readonly operation = operation;
    readonly input: object;
    constructor(value: object) {
      this.input = value;
    }
  };
}

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

type Output = Record<string, unknown> & { $metadata: NonNullable<Failure['$metadata']> };
type Next = (args: { readonly input: unknown }) => Promise<{ readonly output: Output }>;

/** Clocks that differ by this much are corrected: services refuse signatures that are five minutes old. */
const SKEW_MS = 240_000;
/** The date of an answer is ignored when its request was sent so long ago. */
const LONGEST_REQUEST_MS = 900_000;
const HINT =
  '\n  Deserialization error: to see the raw response, inspect the hidden field {error}.$response on this object.';
const credentialsOfEnvironment = defaultProvider();

/**
 * A client of an AWS service with the parts of the SDK's that the proxy's hot path needs, and the same interfaces: it adds 10 KB to a
 * start instead of 240. Only lean bundles contain it (dev/tools/build.ts); test/unit/platform/lean compares it with the SDK.
 */
export class Client {
  readonly config;
  readonly #service: Service;
  readonly #attempts: number;
  readonly #region: string | undefined;
  readonly #middlewares: ((next: Next) => Next)[] = [];
  #endpoint: Endpoint | undefined;
  /** How far the services' clocks are ahead of this one. */
  #clockOffsetMs = 0;

  readonly middlewareStack = { add: (middleware: (next: Next) => Next) => void this.#middlewares.push(middleware) };

  constructor(service: Service, { maxAttempts, requestHandler, region }: ClientConfig) {
    this.#service = service;
    this.#attempts = maxAttempts;
    this.#region = region;
    const retries = new StandardRetries(maxAttempts, service.delayMs);
    this.config = {
      requestHandler: new HttpHandler(requestHandler.connectionTimeout),
      retryStrategy: async () => retries,
    };
  }

  /** @throws the service's error, or the reason why there is no answer */
  async send(command: Command, options: SendOptions = {}): Promise<Output> {
    const call: Next = async ({ input }) => ({ output: await this.#call(command.operation, input, options) });
    const { output } = await this.#middlewares.reduce((next, middleware) => middleware(next), call)(command);
    return output;
  }

  async #call({ name, input, output }: Operation, value: unknown, { abortSignal }: SendOptions): Promise<Output> {
    this.#endpoint ??= endpointOf(this.#service, this.#region);
    const { url } = this.#endpoint;
    const body = Buffer.from(JSON.stringify(input(value)));
    const { AWS_LAMBDA_FUNCTION_NAME, AWS_SDK_UA_APP_ID: app, _X_AMZN_TRACE_ID: traceId } = process.env;
    const headers: Record<string, string> = {
      'content-type': `application/x-amz-json-${this.#service.json}`,
      'x-amz-target': `${this.#service.target}.${name}`,
      'content-length': String(body.length),
      host: url.host,
      'user-agent': `integration-gateway lang/js md/nodejs#${process.versions.node}${app ? ` app/${app}` : ''}`,
      'amz-sdk-invocation-id': randomUUID(),
      ...(AWS_LAMBDA_FUNCTION_NAME && traceId ? { 'x-amzn-trace-id': traceId } : {}),
    };
    const strategy = await this.config.retryStrategy();
    let token = await race(strategy.acquireInitialRetryToken(), abortSignal);
    let totalRetryDelay = 0;
    for (let attempts = 1; ; attempts++) {
      headers['amz-sdk-request'] = `attempt=${attempts}; max=${this.#attempts}`;
      try {
        const answer = await this.#attempt(url, headers, body, output, abortSignal);
        strategy.recordSuccess(token);
        Object.assign(answer.$metadata, { attempts, totalRetryDelay });
        return answer;
      } catch (thrown) {
        const error: Failure = thrown instanceof Error ? thrown : new Error(String(thrown));
        try {
          token = await race(strategy.refreshRetryTokenForRetry(token, failureInfo(error)), abortSignal);
        } catch (refused) {
          if (abortSignal?.aborted && refused instanceof Error && refused.name === 'AbortError') throw refused;
          error.$metadata = { ...error.$metadata, attempts, totalRetryDelay };
          throw error;
        }
        totalRetryDelay += token.delayMs;
      }
    }
  }

  async #attempt(
    { protocol, hostname, port, pathname: path }: URL,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    output: Shape,
    abortSignal: AbortSignal | undefined,
  ): Promise<Output> {
    const sentAtMs = Date.now();
    const offsetMs = this.#clockOffsetMs;
    const scope = { region: this.#endpoint?.region ?? '', service: this.#service.host };
    // Lambda changes them in the environment during a process's life.
    const credentials = await credentialsOfEnvironment();
    const request = { protocol, hostname, port, method: 'POST', path, body, headers };
    const withSignature = { ...request, headers: signed(request, credentials, scope, new Date(sentAtMs + offsetMs)) };
    const options = abortSignal === undefined ? {} : { abortSignal };
    const { response } = await this.config.requestHandler.handle(withSignature, options);
    this.#setClock(response, sentAtMs);
    try {
      return this.#outputOf(response, output);
    } catch (thrown) {
      // An untranslatable item is no fault of the answer.
      if (!(thrown instanceof Error) || thrown.name === 'Error') throw thrown;
      const error: Failure = Object.defineProperty(thrown, '$response', { value: response });
      if (error.$metadata === undefined) {
        error.$metadata = metadataOf(response);
        error.message += HINT;
      }
      const isCorrected = Math.abs(this.#clockOffsetMs) >= SKEW_MS && this.#clockOffsetMs !== offsetMs;
      if (isCorrected) error.$metadata.clockSkewCorrected = true;
      throw error;
    }
  }

  #outputOf(response: Response, shape: Shape): Output {
    const { statusCode, headers, body } = response;
    const { 'x-amz-crc32': checksum } = headers;
    if (checksum !== undefined && Number(checksum) !== crc32(body)) throw damagedError(response);
    const data: unknown =
      body.length === 0 ? {} : JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString());
    const members = Object.assign({}, data);
    if (statusCode >= 300) throw this.#errorOf(response, members);
    return Object.assign({}, shape(members), { $metadata: metadataOf(response) });
  }

  /** As in the SDK: the answer's members become the error's. */
  #errorOf(response: Response, data: Record<string, unknown>): Failure {
    const { ownFaults, repeated, errorShapes = {} } = this.#service;
    const { statusCode, headers } = response;
    const code = data.__type ?? data.code ?? data.Code ?? headers['x-amzn-errortype'] ?? 'Unknown';
    const [first = ''] = String(code).split(',');
    const name = first.split(':')[0]?.split('#').at(-1) ?? '';
    const message = data.message ?? data.Message ?? 'UnknownError';
    const { message: _, Message: __, ...others } = data;
    const members = Object.entries(others).map(([key, value]) => [key, (errorShapes[key] ?? asIs)(value)]);
    const isOwn = statusCode >= 500 || ownFaults.includes(name);
    return Object.assign(new Error(String(message)), Object.fromEntries(members), {
      name,
      $fault: isOwn ? 'server' : 'client',
      $metadata: metadataOf(response),
      ...(repeated?.includes(name) ? { $retryable: {} } : {}),
    });
  }

  #setClock({ headers: { date = '', age } }: Response, sentAtMs: number): void {
    const nowMs = Date.now();
    const servicesMs = Date.parse(date);
    if (age !== undefined || Number.isNaN(servicesMs) || nowMs - sentAtMs > LONGEST_REQUEST_MS) return;
    this.#clockOffsetMs = servicesMs - nowMs;
  }
}

function metadataOf({ statusCode, headers }: Response) {
  return { httpStatusCode: statusCode, requestId: headers['x-amzn-requestid'] ?? headers['x-amz-request-id'] };
}

/** Repeated, and an outage when it lasts. */
function damagedError(response: Response): Error {
  const error = new Error('The answer is not the one that the service sent: its checksum differs');
  return Object.assign(error, {
    name: 'ChecksumError',
    code: 'ERR_CHECKSUM',
    $retryable: {},
    $metadata: metadataOf(response),
  });
}

/** A promise that a signal can end. @throws AbortError */
async function race<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortError());
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
