import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A caller's own endpoint for push notifications. */
export interface Receiver extends AsyncDisposable {
  readonly address: string;
  /** Resolves with the headers of the next notification, past ones included. */
  next(): Promise<IncomingHttpHeaders>;
}

/** Listens on loopback for push notifications, which the provider sends past the gateway. */
export async function startReceiver(): Promise<Receiver> {
  const arrived: IncomingHttpHeaders[] = [];
  const waiting: ((headers: IncomingHttpHeaders) => void)[] = [];
  const server = createServer((request, response) => {
    const take = waiting.shift();
    if (take === undefined) arrived.push(request.headers);
    else take(request.headers);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return {
    address: `http://127.0.0.1:${address.port}/notifications`,
    next() {
      const headers = arrived.shift();
      if (headers !== undefined) return Promise.resolve(headers);
      return new Promise((resolve) => waiting.push(resolve));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
