/** A pass-through in front of the engine that counts operations; nothing else about a call changes. */
import { Agent, createServer, type Server, request as send } from 'node:http';
import { type CallCounter, callerOf } from '../aws/call-counts.ts';

/** Makes the pass-through; the caller binds and closes it. */
export function countingPassThrough(endpoint: string, counter: CallCounter): Server {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((request, response) => {
    const target = request.headers['x-amz-target'];
    const [service, operation] = typeof target === 'string' ? target.split('.') : [];
    if (service !== undefined && operation !== undefined) {
      counter.record(service.replace(/_\d+$/, ''), operation, callerOf(request.headers['user-agent']));
    }
    const upstream = send(new URL(request.url ?? '/', endpoint), {
      method: request.method,
      headers: request.headers,
      agent,
    });
    upstream.on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
      reply.pipe(response);
      reply.on('error', () => response.destroy());
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  server.on('close', () => agent.destroy());
  return server;
}
