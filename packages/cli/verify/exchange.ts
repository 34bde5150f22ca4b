/** HTTP/1.1 requests whose path and headers go out byte for byte, with the times at which the answer's bytes arrive. */
import { createHash } from 'node:crypto';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** A request; nothing is added to it but `Host` and `Content-Length`. */
export interface Outgoing {
  readonly method?: string;
  /** Path and query as they go out, below the address's own path. */
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array | string;
}

/** An answer, read to its end or to where it broke. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The first 64 KiB of the body. */
  readonly start: Buffer;
  readonly bytes: number;
  /** SHA-256 of the whole body, hexadecimal. */
  readonly sha256: string;
  /** False when the connection broke before the body's end. */
  readonly complete: boolean;
  /** Milliseconds from sending the request to the head, to the first and to the last byte of the body. */
  readonly timesMs: { readonly head: number; readonly first: number; readonly last: number };
  /** First value of a header. */
  header(name: string): string | undefined;
  /** The body as JSON, undefined when it is none. */
  json(): unknown;
}

const KEPT_BYTES = 65_536;

/** The longest a server may be silent, in milliseconds; Lambda's cold start is well inside. */
const SILENCE_MS = 30_000;

/**
 * Sends one request on a connection of its own.
 * @throws Error when no answer came
 */
export function exchange(baseUrl: string, outgoing: Outgoing): Promise<Answer> {
  const { protocol, hostname, port, host, pathname } = new URL(baseUrl);
  const body = outgoing.body === undefined ? undefined : Buffer.from(outgoing.body);
  const framing: [string, string][] = body === undefined ? [] : [['Content-Length', String(body.length)]];
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    let answered = false;
    const request = protocol === 'https:' ? requestHttps : requestHttp;
    const sent = request(
      {
        hostname,
        port,
        method: outgoing.method ?? 'GET',
        path: pathname.replace(/\/$/, '') + outgoing.path,
        // Node adds nothing to headers that are given as a list.
        headers: [['Host', host], ...framing, ...(outgoing.headers ?? [])].flat(),
        agent: false,
      },
      (incoming) => {
        answered = true;
        read(incoming, startedMs).then(resolve, reject);
      },
    );
    sent.setTimeout(SILENCE_MS, () => sent.destroy(new Error(`no byte within ${SILENCE_MS / 1000} s`)));
    // A front door may refuse a large body while it is still being sent: the answer counts, not the broken upload.
    sent.on('error', (error) => {
      if (!answered) reject(error);
    });
    sent.end(body);
  });
}

async function read(incoming: IncomingMessage, startedMs: number): Promise<Answer> {
  const head = performance.now() - startedMs;
  const hash = createHash('sha256');
  const kept: Buffer[] = [];
  let [bytes, keptBytes, complete] = [0, 0, true];
  let [first, last] = [head, head];
  try {
    for await (const chunk of incoming) {
      if (!Buffer.isBuffer(chunk)) continue;
      last = performance.now() - startedMs;
      if (bytes === 0) first = last;
      bytes += chunk.length;
      hash.update(chunk);
      if (keptBytes < KEPT_BYTES) {
        kept.push(chunk.subarray(0, KEPT_BYTES - keptBytes));
        keptBytes += chunk.length;
      }
    }
  } catch {
    complete = false;
  }
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.push([incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '']);
  }
  const start = Buffer.concat(kept);
  return {
    status: incoming.statusCode ?? 0,
    headers,
    start,
    bytes,
    sha256: hash.digest('hex'),
    complete: complete && incoming.complete,
    timesMs: { head, first, last },
    header: (name) => headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1],
    json: () => parsed(start.toString('utf8')),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
