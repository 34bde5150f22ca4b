import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import {
  type HeaderPairs,
  type Upstream,
  UpstreamError,
  type UpstreamFailureKind,
  type UpstreamRequest,
  type UpstreamResponse,
} from '../../core/http-message.ts';
import { UPSTREAM_CONNECT_TIMEOUT_MS } from '../../core/limits.ts';
import { isPublicAddress, isPublicOrLoopbackAddress, PrivateAddressError, publicLookup } from './address-guard.ts';

/** An origin taken apart for a socket. */
export interface ProviderOrigin {
  readonly secure: boolean;
  readonly hostname: string;
  /** Value of the Host header: with the port where it is not the scheme's default. */
  readonly host: string;
  readonly port: number | undefined;
  /** False for a literal address outside the public internet, unless loopback is allowed. */
  readonly mayBeCalled: boolean;
}

/** Parses origins, each once: they come from the deployment, so there are few. */
function originReader(allowLoopback: boolean): (origin: string) => ProviderOrigin {
  const known = new Map<string, ProviderOrigin>();
  return (origin) => {
    const found = known.get(origin);
    if (found !== undefined) return found;
    const read = readOrigin(origin, allowLoopback);
    known.set(origin, read);
    return read;
  };
}

function readOrigin(origin: string, allowLoopback: boolean): ProviderOrigin {
  const { protocol, hostname, host, port } = new URL(origin);
  const literal = hostname.replace(/^\[|\]$/g, '');
  return {
    secure: protocol === 'https:',
    hostname,
    host,
    port: port === '' ? undefined : Number(port),
    mayBeCalled: allowLoopback || isIP(literal) === 0 || isPublicAddress(literal),
  };
}

/** An older kept connection may have been closed by the provider, or during a freeze of the environment, unnoticed. */
const IDLE_CONNECTION_MS = 20_000;

/**
 * The way out to endpoints that customers name: as to a provider, but each attempt has a connection of its own, so that each resolves its name
 * and is checked against the address that it connects to. On a laptop this computer is allowed in addition to the public internet
 * (WH-11).
 *
 * @param resolve the resolver of names. @default the system's
 */
export function openEndpointEgress(allowLoopback: boolean, resolve?: Parameters<typeof publicLookup>[0]): Upstream {
  const lookup = publicLookup(resolve, allowLoopback ? isPublicOrLoopbackAddress : isPublicAddress);
  return openWay(allowLoopback, { keepAlive: false, lookup });
}

/**
 * The one way out to a provider: plain node:http(s), kept connections, every wait bounded, redirects never followed.
 *
 * @param allowLoopback only where the deployment itself names a loopback provider; otherwise addresses must be public
 */
export function openEgress(allowLoopback: boolean): Upstream {
  return openWay(allowLoopback, { keepAlive: true, lookup: allowLoopback ? undefined : publicLookup() });
}

function openWay(
  allowLoopback: boolean,
  { keepAlive, lookup }: { readonly keepAlive: boolean; readonly lookup: LookupFunction | undefined },
): Upstream {
  const options = { keepAlive, maxSockets: 256, maxFreeSockets: 64, timeout: 0, scheduling: 'lifo' as const };
  const guarded = { ...options, ...(lookup === undefined ? {} : { lookup }) };
  const agents = { 'http:': new HttpAgent(guarded), 'https:': new HttpsAgent(guarded) };
  const idleSince = new WeakMap<object, number>();
  for (const agent of Object.values(agents)) agent.on('free', (socket) => idleSince.set(socket, Date.now()));

  const originOf = originReader(allowLoopback);
  /** Answers that still hold their connection. */
  const answers = new Set<IncomingMessage>();

  const dropStale = (agent: HttpAgent | HttpsAgent, nowMs: number) => {
    for (const sockets of Object.values(agent.freeSockets)) {
      for (const socket of sockets ?? []) {
        if (nowMs - (idleSince.get(socket) ?? nowMs) > IDLE_CONNECTION_MS) socket.destroy();
      }
    }
  };

  return {
    send(request) {
      const { secure, hostname, host, port, mayBeCalled } = originOf(request.origin);
      if (!secure && !allowLoopback) throw new Error('Plain http is for loopback providers only');
      // Names are checked when they are resolved; a literal address is never resolved.
      if (!mayBeCalled) {
        return Promise.reject(new UpstreamError('unreachable', false, false, new PrivateAddressError(hostname)));
      }
      const agent = secure ? agents['https:'] : agents['http:'];
      const start = () => {
        dropStale(agent, Date.now());
        return new Promise<UpstreamResponse>((resolve, reject) => {
          const outgoing = (secure ? httpsRequest : httpRequest)({
            agent,
            hostname,
            port,
            method: request.method,
            path: request.path,
            headers: flatHeaders(request, host, keepAlive),
            setDefaultHeaders: false,
          });
          outgoing.once('response', (incoming) => {
            answers.add(incoming);
            incoming.once('close', () => answers.delete(incoming));
          });
          watch(outgoing, request, resolve, reject);
          outgoing.end(request.body);
          // The event that contained it is garbage by now, in several copies, and the process is idle until the provider answers.
          if ((request.body?.length ?? 0) >= LARGE_BODY_BYTES) setImmediate(collectYoung);
        });
      };
      return isReleasing(answers) ? nextTurn().then(start) : start();
    },
    close() {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

/** Whether a body was just read to its end: its connection is free in the next turn, and a repeat should reuse it. */
function isReleasing(answers: ReadonlySet<IncomingMessage>): boolean {
  for (const { complete, readableLength, readableEnded } of answers) {
    if (complete && readableLength === 0 && !readableEnded) return true;
  }
  return false;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function watch(
  outgoing: ClientRequest,
  request: UpstreamRequest,
  resolve: (response: UpstreamResponse) => void,
  reject: (error: UpstreamError) => void,
): void {
  let kind: UpstreamFailureKind = 'unreachable';
  let bytesBefore = 0;
  let connected = false;
  let socket: Socket | undefined;
  // One timer for all phases, because most calls pass all of them before it fires.
  const totalUntilMs = performance.now() + request.totalTimeoutMs;
  let untilMs = Math.min(totalUntilMs, performance.now() + UPSTREAM_CONNECT_TIMEOUT_MS);
  const ring = () => {
    const leftMs = untilMs - performance.now();
    if (leftMs > 0) {
      timer = setTimeout(ring, Math.ceil(leftMs));
      return;
    }
    kind = 'timeout';
    outgoing.destroy(new Error('deadline'));
  };
  let timer = setTimeout(ring, Math.ceil(untilMs - performance.now()));
  const settle = () => clearTimeout(timer);
  /** A phase that ends earlier than the one before it needs another timer. */
  const nextPhase = (timeoutMs: number) => {
    const before = untilMs;
    untilMs = Math.min(totalUntilMs, performance.now() + timeoutMs);
    if (untilMs >= before) return;
    clearTimeout(timer);
    timer = setTimeout(ring, Math.ceil(untilMs - performance.now()));
  };

  outgoing.on('socket', (assigned: Socket) => {
    socket = assigned;
    bytesBefore = assigned.bytesWritten;
    const ready = () => {
      connected = true;
      nextPhase(request.firstByteTimeoutMs);
    };
    if (!assigned.connecting) ready();
    else assigned.once('encrypted' in assigned ? 'secureConnect' : 'connect', ready);
  });
  const fail = (error: NodeJS.ErrnoException) => {
    settle();
    if (error.code?.startsWith('HPE_') === true) kind = 'invalid_response';
    // Bytes queued for a connection that was never established are counted as written, too.
    const sent = connected && socket !== undefined && socket.bytesWritten > bytesBefore;
    reject(new UpstreamError(kind, sent, outgoing.reusedSocket && error.code !== undefined, error));
  };
  outgoing.on('error', fail);
  // Without a listener Node drops the connection silently, and the caller waits until the deadline.
  outgoing.on('upgrade', (_incoming, upgraded: Socket) => {
    upgraded.destroy();
    kind = 'invalid_response';
    fail(new Error('The provider switched protocols unasked'));
  });
  outgoing.on('response', (incoming) => {
    if (!isFinalStatus(incoming.statusCode)) {
      kind = 'invalid_response';
      outgoing.destroy(new Error(`The provider answered with status ${incoming.statusCode}`));
      return;
    }
    nextPhase(request.totalTimeoutMs);
    incoming.once('close', settle);
    resolve({
      status: incoming.statusCode ?? 0,
      headers: pairs(incoming.rawHeaders),
      body: responseBody(incoming, request.idleTimeoutMs),
      abandon: () => void incoming.destroy(),
    });
  });
}

/** RFC 9110 section 15: the front door sends no other status. */
function isFinalStatus(status = 0): boolean {
  return status >= 200 && status <= 599;
}

/** `rawHeaders` of Node as pairs. */
function pairs(raw: readonly string[]): HeaderPairs {
  const result: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) result.push([raw[i] ?? '', raw[i + 1] ?? '']);
  return result;
}

/** Names and values in order, in Node's form; length and host are computed here and come last. */
function flatHeaders(request: UpstreamRequest, host: string, keepAlive: boolean): string[] {
  const flat: string[] = ['host', host];
  for (const [name, value] of request.headers) flat.push(name, value);
  const takesBody = request.method !== 'GET' && request.method !== 'HEAD';
  if (request.body !== undefined || takesBody) flat.push('content-length', String(request.body?.length ?? 0));
  flat.push('connection', keepAlive ? 'keep-alive' : 'close');
  return flat;
}

/** Measured while 200 MB stream down: 8 MiB let memory grow by 45 MB, 4 MiB by 25 MB, 2 MiB by 15 MB. */
const COLLECT_EVERY_BYTES = 4 * 1024 * 1024;

/** Measured with 25 bodies of 4.4 MB, one after another: without a collection after each memory rose to 206 MB, with it to 123 MB. */
const LARGE_BODY_BYTES = 1024 * 1024;

let collect: (() => void) | undefined;

/** A collection of the young generation, which contains a call's buffers and strings. */
function collectYoung(): void {
  collect ??= youngCollector();
  collect();
}

/**
 * Counts the bytes of one streamed body and frees its buffers on the way. Every read of a socket is a buffer of 64 KB outside V8's
 * heap, and V8 lets 60 to 90 MB of them accumulate before it collects, even in a bare pass-through. A collection of the young
 * generation, which contains them all, takes about 0.5 ms.
 */
function bufferCollector(): (bytes: number) => void {
  let uncollectedBytes = 0;
  return (bytes) => {
    uncollectedBytes += bytes;
    if (uncollectedBytes < COLLECT_EVERY_BYTES) return;
    uncollectedBytes = 0;
    collectYoung();
  };
}

/** V8's own collector; does nothing where this Node does not expose it. */
function youngCollector(): () => void {
  // Loaded lazily, because no start of a function needs it.
  process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
  const gc: unknown = process.getBuiltinModule('node:vm').runInNewContext('gc');
  return typeof gc === 'function' ? () => gc({ type: 'minor' }) : () => {};
}

/**
 * The undecoded bytes of an answer, cut when the provider stays silent. Time in which the reader is busy does not count, because a slow
 * caller is no fault of the provider. Data that has arrived is passed on without a turn of the event loop, so that a small answer
 * leaves in the same write as its head; the iterator of a Node stream would take a turn before its end.
 *
 * @throws Error from the iterator when the provider breaks off or stays silent
 */
async function* responseBody(incoming: IncomingMessage, idleTimeoutMs: number): AsyncGenerator<Uint8Array> {
  const passed = bufferCollector();
  const silence = silenceWatch(incoming, idleTimeoutMs);
  let wake = (): void => {};
  const onEvent = (): void => wake();
  try {
    // Without a listener a broken answer would end like a complete one.
    incoming.on('error', onEvent).on('close', onEvent);
    for (let waits = 0; ; ) {
      const chunk: unknown = incoming.destroyed ? null : incoming.read();
      if (incoming.errored !== null) throw incoming.errored;
      if (chunk instanceof Uint8Array) {
        yield chunk;
        passed(chunk.length);
      } else if (incoming.complete && incoming.readableLength === 0) return;
      else if (incoming.destroyed) throw new Error('The provider broke off in the middle of its answer');
      else {
        if (waits++ === 0) incoming.on('readable', onEvent);
        silence.begins();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        silence.ends();
      }
    }
  } finally {
    silence.close();
    // With an unread rest the connection cannot serve another call.
    if (!incoming.complete) incoming.destroy();
  }
}

/**
 * Destroys an answer whose provider stays silent for too long. One timer serves many waits: hardly one of them lasts until it would
 * fire, and a timer for each chunk would be set and cleared in vain.
 */
function silenceWatch(incoming: IncomingMessage, idleTimeoutMs: number) {
  let sinceMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const ring = (): void => {
    timer = undefined;
    if (sinceMs === undefined) return;
    const leftMs = sinceMs + idleTimeoutMs - performance.now();
    if (leftMs > 0) timer = setTimeout(ring, Math.ceil(leftMs));
    else incoming.destroy(new Error('The provider stopped in the middle of its answer'));
  };
  return {
    begins(): void {
      sinceMs = performance.now();
      timer ??= setTimeout(ring, idleTimeoutMs);
    },
    ends(): void {
      sinceMs = undefined;
    },
    close: () => clearTimeout(timer),
  };
}
