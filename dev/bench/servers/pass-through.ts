/** What everything is compared with: the least a Node process can do to pass a call on, with the proxy's agent settings. */
import { Agent, createServer, request as send } from 'node:http';
import { listenAndTell, upstreamPort } from './listen.ts';

const port = upstreamPort();
const agent = new Agent({ keepAlive: true, maxSockets: 256, maxFreeSockets: 64, timeout: 0, scheduling: 'lifo' });

const server = createServer((request, response) => {
  const outgoing = send(
    { agent, hostname: '127.0.0.1', port, method: request.method, path: request.url, headers: request.headers },
    (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders);
      incoming.pipe(response);
    },
  );
  outgoing.on('error', () => response.destroy());
  request.pipe(outgoing);
});
server.keepAliveTimeout = 600_000;
listenAndTell(server);
