/** An issuer that assistants sign in at, by a library that was not written for this project. */
import { createServer, type RequestListener } from 'node:http';
import { Provider } from 'oidc-provider';
import { closeServer, listen } from '../../local/network.ts';

/** Where clients say that they are sent back. */
export const REDIRECT_URI = 'http://127.0.0.1:9/callback';
/** A client that is registered by hand. */
export const GIVEN_CLIENT = 'given-client';
/** A client whose id is the address of its metadata; nobody asks the network for it. */
export const DOCUMENT_CLIENT = 'https://assistant.example/client.json';

const CLIENT = {
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
} as const;
const SCOPE = 'drive.read drive.write calendar.read calendar.write';

export interface SignInIssuer extends AsyncDisposable {
  readonly issuer: string;
  /** Tokens are for this address from now on. */
  serve(resource: string): void;
}

/** Starts it; every sign-in is of one user, by the pages of a browser that has none. */
export async function startSignInIssuer(): Promise<SignInIssuer> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  const issuer = `http://127.0.0.1:${await listen(server, 0, 'Issuer', 'none')}`;
  return {
    issuer,
    serve(resource) {
      const provider = new Provider(issuer, {
        clients: [{ client_id: GIVEN_CLIENT, ...CLIENT }],
        clientDefaults: { token_endpoint_auth_method: 'none' },
        scopes: ['openid', 'offline_access', ...SCOPE.split(' ')],
        pkce: { required: () => true },
        cookies: { keys: ['opinion'] },
        findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
        fetch: async (url, options) =>
          String(url) === DOCUMENT_CLIENT
            ? new Response(JSON.stringify({ client_id: DOCUMENT_CLIENT, client_name: 'Assistant', ...CLIENT }), {
                headers: { 'content-type': 'application/json' },
              })
            : globalThis.fetch(url, options),
        features: {
          devInteractions: { enabled: true },
          registration: { enabled: true },
          clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
          resourceIndicators: {
            enabled: true,
            getResourceServerInfo: () => ({
              scope: SCOPE,
              audience: resource,
              accessTokenFormat: 'jwt',
              jwt: { sign: { alg: 'RS256' } },
            }),
          },
        },
      });
      answer = provider.callback();
    },
    async [Symbol.asyncDispose]() {
      await closeServer(server);
    },
  };
}
