import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A listening loopback server. */
export interface Listener {
  port: number;
  /** `http://127.0.0.1:<port>`, no trailing slash. */
  url: string;
  close(): Promise<void>;
}

/** Header bytes accepted: access tokens and cookies of misdirected requests must still be recorded, not refused. */
const MAX_HEADER_BYTES = 64 * 1024;

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/**
 * Binds a plain HTTP server to 127.0.0.1.
 * @param port 0 picks a free one
 * @throws {Error} with a sentence for people when the port is taken or not allowed
 */
export function listenOnLoopback(port: number, onRequest: RequestListener): Promise<Listener> {
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, onRequest);
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') {
        reject(new Error(`Port ${port} is already in use. Choose another one or stop the other program.`, { cause }));
      } else if (cause.code === 'EACCES') {
        reject(new Error(`Port ${port} may not be used without more rights. Choose one above 1023.`, { cause }));
      } else {
        reject(cause);
      }
    });
    server.listen(port, '127.0.0.1', () => {
      const address: AddressInfo | string | null = server.address();
      if (address === null || typeof address === 'string') {
        reject(new Error('The server has no TCP address.'));
        return;
      }
      resolve({ port: address.port, url: `http://127.0.0.1:${address.port}`, close: () => closeServer(server) });
    });
  });
}
