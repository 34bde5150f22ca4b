/** A backend that calls one server over one kept connection. */
import { Agent, request as send } from 'node:http';
import { CALL_HEADERS } from './sample.ts';

/** What a call brought. `firstByteMs` counts from the call to the first byte of the body. */
export interface HttpAnswer {
  readonly status: number;
  readonly bytes: number;
  readonly firstByteMs: number;
}

export interface HttpCaller extends Disposable {
  /** One GET, its body read and thrown away. */
  get(target: string): Promise<HttpAnswer>;
}

/** A caller of a loopback port that sends the sample's headers. */
export function httpCaller(port: number): HttpCaller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    get: (target) =>
      new Promise((resolve, reject) => {
        const startedMs = performance.now();
        const outgoing = send(
          { agent, hostname: '127.0.0.1', port, path: target, headers: CALL_HEADERS },
          (incoming) => {
            let bytes = 0;
            let firstByteMs = 0;
            incoming.on('data', (chunk: Buffer) => {
              if (bytes === 0) firstByteMs = performance.now() - startedMs;
              bytes += chunk.length;
            });
            incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, bytes, firstByteMs }));
            incoming.once('error', reject);
          },
        );
        outgoing.once('error', reject);
        outgoing.end();
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
