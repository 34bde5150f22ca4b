import type { Server } from 'node:http';

/** Listens on a free loopback port, prints it, and ends the process when standard input closes. */
export function listenAndTell(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port');
    process.stdout.write(`${address.port}\n`);
  });
  process.stdin.on('close', () => process.exit(0)).resume();
}

/** The upstream's port, which the bench names in the environment. @throws Error without it */
export function upstreamPort(): number {
  const port = Number(process.env.UPSTREAM_PORT);
  if (!(port > 0)) throw new Error('UPSTREAM_PORT is not set: these servers are started by npm run bench');
  return port;
}
