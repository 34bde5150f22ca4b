/** An issuer of access tokens for assistants: its metadata, its keys, and any token that a test wants to bring. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export interface AgentIssuer extends AsyncDisposable {
  readonly issuer: string;
  /** Requests for its documents. */
  readonly asked: string[];
  /** A signed token of it. @param alg of the key */
  sign(claims: JWTPayload, alg?: 'RS256' | 'ES256' | 'PS256'): Promise<string>;
}

export async function startAgentIssuer(): Promise<AgentIssuer> {
  const pairs = new Map(
    await Promise.all(
      (['RS256', 'ES256', 'PS256'] as const).map(async (alg) => [alg, await generateKeyPair(alg)] as const),
    ),
  );
  const keys = await Promise.all(
    [...pairs].map(async ([alg, { publicKey }]) => ({ ...(await exportJWK(publicKey)), kid: alg, use: 'sig' })),
  );
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys },
    };
    const document = documents[request.url ?? ''];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    asked,
    async sign(claims, alg = 'RS256') {
      const pair = pairs.get(alg);
      if (pair === undefined) throw new Error(`No key of ${alg}`);
      return new SignJWT(claims).setProtectedHeader({ alg, kid: alg, typ: 'at+jwt' }).sign(pair.privateKey);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
