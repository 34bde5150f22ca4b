import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, LOOPBACK, listen } from '../../../../dev/local/network.ts';

/** What went to and came from the token endpoint: the only place where a code verifier can be seen. */
export interface TokenRecorder extends AsyncDisposable {
  readonly url: string;
  /** Parameters of requests and members of answers, by name. */
  readonly seen: { readonly name: string; readonly value: string }[];
  /** Where requests continue to; has to be set before the first. */
  forwardTo(url: string): void;
}

/** A token endpoint on loopback that notes what passes through it. */
export async function startTokenRecorder(): Promise<TokenRecorder> {
  const seen: { name: string; value: string }[] = [];
  let target = '';
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    for (const [name, value] of new URLSearchParams(body.toString())) seen.push({ name, value });
    try {
      const answer = await fetch(target, { method: 'POST', headers: typeOf(incoming), body });
      const text = await answer.text();
      for (const [name, value] of Object.entries(membersOf(text))) {
        if (typeof value === 'string') seen.push({ name, value });
      }
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    } catch {
      // The provider broke the connection: so does this.
      incoming.socket.destroy();
    }
  });
  const port = await listen(server, 0, 'token recorder', 'start again');
  return {
    url: `http://${LOOPBACK}:${port}/token`,
    seen,
    forwardTo(url) {
      target = url;
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

function typeOf({ headers }: IncomingMessage): Record<string, string> {
  return { 'content-type': headers['content-type'] ?? 'application/x-www-form-urlencoded' };
}

function membersOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
