import http from 'node:http';
import https from 'node:https';

/** A request as it is sent. */
export interface Request {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer with its whole body. */
export interface Response {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

const MAX_SOCKETS = 50;
/** Connections that are gone, by Node's codes; the SDK calls them timed out. */
const GONE = new Set<unknown>(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Sends requests over connections that stay open. The signal limits the time of an answer. */
export class HttpHandler {
  readonly #connectMs: number;
  readonly #agents: Record<string, http.Agent> = {};

  /** @param connectMs until the connection for a request is established */
  constructor(connectMs: number) {
    this.#connectMs = connectMs;
  }

  /** @throws AbortError, TimeoutError without a connection in time, Node's own errors */
  handle(
    request: Request,
    { abortSignal }: { readonly abortSignal?: AbortSignal } = {},
  ): Promise<{ response: Response }> {
    return new Promise((resolve, fail) => {
      if (abortSignal?.aborted) return fail(abortError());
      const { protocol, headers, method, path, port, body } = request;
      const hostname = request.hostname.replace(/^\[(.*)\]$/, '$1');
      const { request: send, Agent } = protocol === 'http:' ? http : https;
      this.#agents[protocol] ??= new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
      const sent = send({ protocol, headers, method, path, port, host: hostname, agent: this.#agents[protocol] });
      const connecting = setTimeout(() => {
        reject(timeoutError(`No connection with ${hostname} stood within ${this.#connectMs} ms`));
      }, this.#connectMs);
      const onAbort = () => reject(abortError());
      const settled = () => {
        clearTimeout(connecting);
        abortSignal?.removeEventListener('abort', onAbort);
      };
      const reject = (error: Error) => {
        settled();
        fail(error);
        sent.destroy();
      };
      abortSignal?.addEventListener('abort', onAbort, { once: true });
      sent.on('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => clearTimeout(connecting));
        else clearTimeout(connecting);
      });
      sent.on('error', (error: Error & { code?: unknown }) => {
        reject(GONE.has(error.code) ? Object.assign(error, { name: 'TimeoutError' }) : error);
      });
      sent.on('response', (answer) => {
        const chunks: Uint8Array[] = [];
        answer.on('data', (chunk: Uint8Array) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          settled();
          const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
          const response = { statusCode: answer.statusCode ?? 0, headers: Object.fromEntries(pairs) };
          resolve({ response: { ...response, body: Buffer.concat(chunks) } });
        });
      });
      sent.end(body);
    });
  }
}

/** As the SDK names it: never repeated. */
export function abortError(): Error {
  return Object.assign(new Error('Request aborted'), { name: 'AbortError' });
}

function timeoutError(message: string): Error {
  return Object.assign(new Error(message), { name: 'TimeoutError' });
}
