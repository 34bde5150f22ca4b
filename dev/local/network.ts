/** Loopback sockets: free ports, listening with a clear message, closing with every connection. */
import { randomInt } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { createServer } from 'node:net';
import { errorCode } from '../tools/json.ts';

/** Every socket of the local runtime binds here, but for the engine's, which is hidden. */
export const LOOPBACK = '127.0.0.1';

/** Whether a `Host` header names this computer, on whatever port. */
export function isLoopbackHost(host: string | undefined): boolean {
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i.test(host ?? '');
}

/**
 * How long a server keeps an idle connection open. Clients must close theirs first, because a request that crosses a close fails. Node's
 * default is 5 s.
 */
const KEEP_ALIVE_MS = 65_000;

/** A loopback address and port. */
export interface LoopbackAddress {
  host: string;
  port: number;
}

/**
 * An address for a process without authentication: free a moment ago and hard to guess. Linux uses all of 127.0.0.0/8 for loopback (RFC
 * 1122 section 3.2.1.3), so a page that tries addresses and ports does not find it; other systems have only 127.0.0.1.
 */
export async function hiddenAddress(): Promise<LoopbackAddress> {
  const [a, b, c] = [randomInt(1, 255), randomInt(256), randomInt(1, 255)];
  return (await freePort(`127.${a}.${b}.${c}`)) ?? (await freePort(LOOPBACK)) ?? { host: LOOPBACK, port: 0 };
}

/** A port that was free a moment ago: bind, note the number, close. Undefined where the address is none of this computer's. */
function freePort(host: string): Promise<LoopbackAddress | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(0, host, () => {
      const port = portOf(server.address());
      server.close(() => resolve({ host, port }));
    });
  });
}

/**
 * Binds a server to a loopback port; 0 lets the system choose. Idle connections stay open for 65 s, or without a limit where the server
 * has set its own to 0.
 * @param howToChange remedy for a port that is taken, for example "choose another with --port".
 * @returns the port bound.
 * @throws Error naming the port and the remedy when it is taken.
 */
export function listen(server: HttpServer, port: number, purpose: string, howToChange: string): Promise<number> {
  if (server.keepAliveTimeout > 0) server.keepAliveTimeout = KEEP_ALIVE_MS;
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const taken = errorCode(error) === 'EADDRINUSE';
      reject(taken ? new Error(`Port ${port} (${purpose}) is taken: ${howToChange}.`) : error);
    });
    server.listen(port, LOOPBACK, () => resolve(portOf(server.address())));
  });
}

/** Stops accepting, cuts every open connection and waits until the server is closed. */
export function closeServer(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function portOf(address: ReturnType<HttpServer['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
