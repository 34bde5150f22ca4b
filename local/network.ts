/** Loopback sockets: free ports, listening with a clear message, closing with every connection. */
import type { Server as HttpServer } from 'node:http';
import { createServer } from 'node:net';
import { errorCode } from './json.ts';

/** Every socket of the local runtime binds here and nowhere else. */
export const LOOPBACK = '127.0.0.1';

/** A port that was free a moment ago: bind, note the number, close. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const port = portOf(server.address());
      server.close(() => resolve(port));
    });
  });
}

/**
 * Binds a server to a loopback port; 0 lets the system choose.
 * @param howToChange what to tell someone whose port is taken, for example "choose another with --port".
 * @returns the port bound.
 * @throws Error naming the port and the remedy when it is taken.
 */
export function listen(server: HttpServer, port: number, purpose: string, howToChange: string): Promise<number> {
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
