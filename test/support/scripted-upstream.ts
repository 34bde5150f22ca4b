import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, LOOPBACK, listen } from '../../dev/local/network.ts';

/** A request as the scripted API received it. */
export interface UpstreamRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  headerValues(name: string): string[];
}

type Script = (request: UpstreamRequest, response: ServerResponse, incoming: IncomingMessage) => void | Promise<void>;

/** A scripted API on loopback, for answers that no well-behaved server gives. */
export interface ScriptedUpstream extends AsyncDisposable {
  readonly origin: string;
  readonly requests: UpstreamRequest[];
  /** The answer to the next requests; stays until replaced. */
  answer(script: Script): void;
}

export async function startScriptedUpstream(): Promise<ScriptedUpstream> {
  let script: Script = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const requests: UpstreamRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const headers: [string, string][] = [];
    for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
      headers.push([incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '']);
    }
    const request: UpstreamRequest = {
      method: incoming.method ?? '',
      target: incoming.url ?? '',
      headers,
      body: Buffer.concat(chunks),
      headerValues: (name) => headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value),
    };
    requests.push(request);
    await script(request, response, incoming);
  });
  const port = await listen(server, 0, 'scripted upstream', 'start again');
  return {
    origin: `http://${LOOPBACK}:${port}`,
    requests,
    answer(next) {
      script = next;
      requests.length = 0;
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}
