/** The echo on loopback, for a gateway that runs on this computer. */
import { createServer } from 'node:http';
import type { GoogleEndpoints } from '../../../../dev/local/google-endpoints.ts';
import { answerEcho } from './answer.ts';

/** A running echo. */
export interface EchoServer extends AsyncDisposable {
  readonly origin: string;
}

/** Starts the echo on a free port of 127.0.0.1. */
export async function startEcho(): Promise<EchoServer> {
  let origin = '';
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const headers: [string, string][] = [];
    for (let i = 0; i + 1 < incoming.rawHeaders.length; i += 2) {
      headers.push([incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '']);
    }
    const answer = answerEcho(
      { method: incoming.method ?? '', target: incoming.url ?? '', headers, body: Buffer.concat(chunks) },
      origin,
    );
    response.writeHead(answer.status, answer.headers.flat());
    // The head of a streamed answer is not to wait for its first part.
    response.flushHeaders();
    try {
      for await (const part of answer.body) {
        if (incoming.method !== 'HEAD') response.write(part);
      }
      response.end();
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    origin,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Google's addresses, all of them at the echo. */
export function echoEndpoints(origin: string): GoogleEndpoints {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    revocation_endpoint: `${origin}/revoke`,
    userinfo_endpoint: `${origin}/userinfo`,
    jwks_uri: `${origin}/certs`,
    api_base_url: origin,
  };
}
