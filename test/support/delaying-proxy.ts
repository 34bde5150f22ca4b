import { createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { closeServer, LOOPBACK, listen } from '../../dev/local/network.ts';

/** An HTTP server on loopback that passes calls on after a while of its own for each. */
export interface DelayingProxy extends AsyncDisposable {
  readonly origin: string;
  /** How many calls passed. */
  calls(): number;
}

/** Starts one in front of `target`. @param longestMs calls wait up to this, so that they overtake each other */
export async function startDelayingProxy(target: string, longestMs: number): Promise<DelayingProxy> {
  let calls = 0;
  const { hostname, port } = new URL(target);
  const server = createServer(async (incoming, outgoing) => {
    calls++;
    const body = await buffer(incoming);
    await delay(Math.random() * longestMs);
    const onward = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      async (answer) => {
        const text = await buffer(answer);
        await delay(Math.random() * longestMs);
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
      },
    );
    onward.once('error', () => outgoing.destroy());
    onward.end(body);
  });
  const ownPort = await listen(server, 0, 'delaying proxy', 'start again');
  return {
    origin: `http://${LOOPBACK}:${ownPort}`,
    calls: () => calls,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}
