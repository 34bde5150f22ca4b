import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

export interface RawRequest {
  readonly method?: string;
  /** Sent as it is: no URL parser touches it. */
  readonly path: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: Uint8Array | string;
  /** Address of this host to call from. */
  readonly localAddress?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** False when the connection broke before the body's end. */
  readonly complete: boolean;
  /** First value of a header. */
  header(name: string): string | undefined;
  json(): unknown;
}

/** One request whose path and headers go out byte for byte. */
export function rawRequest(origin: string, options: RawRequest): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(origin);
  const body = options.body === undefined ? undefined : Buffer.from(options.body);
  // Node would send others in chunks, which the front door refuses.
  const needsNoLength = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'].includes(options.method ?? 'GET');
  const given = (name: string): boolean => options.headers?.some(([sent]) => sent.toLowerCase() === name) === true;
  const framing: [string, string][] =
    body === undefined && (needsNoLength || given('content-length'))
      ? []
      : [['Content-Length', String(body?.length ?? 0)]];
  const ownHost: [string, string][] = given('host') ? [] : [['Host', host]];
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        method: options.method ?? 'GET',
        path: options.path,
        // Node adds nothing to headers given as an array.
        headers: [...ownHost, ...framing, ...(options.headers ?? [])].flat(),
        agent: false,
        ...(options.localAddress === undefined ? {} : { localAddress: options.localAddress }),
      },
      (incoming) => collect(incoming).then(resolve, reject),
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function collect(incoming: IncomingMessage): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  let complete = true;
  try {
    for await (const chunk of incoming) chunks.push(chunk);
  } catch {
    complete = false;
  }
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
    headers.push([incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '']);
  }
  const body = Buffer.concat(chunks);
  return {
    status: incoming.statusCode ?? 0,
    headers,
    body,
    complete: complete && incoming.complete,
    header: (name) => headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1],
    json: () => JSON.parse(body.toString('utf8')),
  };
}

/**
 * Sends bytes as they are, as a client that follows no rule does, and gives back all that came as text by the time the
 * server closes or the text matches `until`.
 */
export function rawBytes(
  origin: string,
  bytes: string | Uint8Array,
  options: { readonly until?: RegExp; readonly halfClose?: boolean } = {},
): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => {
      if (options.halfClose === true) socket.end(bytes);
      else socket.write(bytes);
    });
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      answer += chunk;
      if (options.until?.test(answer) === true) socket.destroy();
    });
    socket.on('end', () => socket.end());
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    socket.on('close', () => resolve(answer));
  });
}
