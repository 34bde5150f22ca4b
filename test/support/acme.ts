import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { Provider } from 'oidc-provider';
import { closeServer, listen } from '../../dev/local/network.ts';

/** The OAuth client of the tests at Acme. */
export const ACME_CLIENT = { client_id: 'notes-app', client_secret: 'acme-secret-0123456789-0123456789' };

/**
 * A standard OAuth server that plays Acme, and its API: PKCE is demanded, clients prove themselves by Basic, refresh tokens
 * rotate, and one that is used twice ends its grant (RFC 9700 section 4.14.2).
 */
export interface Acme {
  /** As in the file of `--provider-endpoints`. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** Forms that came to the token endpoint, in order. */
  readonly tokenCalls: readonly URLSearchParams[];
  /** Paths that the API answered, with the account that the token belongs to. */
  readonly apiCalls: readonly string[];
  /** Grants that ended because a refresh token came twice, or was revoked. */
  readonly endedGrants: () => number;
  /** Lets the gateway's address in: its callback is the client's redirect URI. */
  knowClient(redirectUri: string): void;
  /** Signs in and consents as a user would. @returns the redirect to the gateway */
  consent(authorizationUrl: string): Promise<string>;
  /** Presents a refresh token as the client. @returns the status */
  present(refreshToken: string): Promise<number>;
  close(): Promise<void>;
}

/** Starts both on loopback. */
export async function startAcme(): Promise<Acme> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const server: Server = createServer((request, response) => answer(request, response));
  const issuer = await listening(server);
  const tokenCalls: URLSearchParams[] = [];
  const apiCalls: string[] = [];
  let ended = 0;
  let provider: Provider;
  const api = createServer(async (request, response) => {
    const token = await provider.AccessToken.find((request.headers.authorization ?? '').replace('Bearer ', ''));
    const body =
      token === undefined
        ? { error: 'no such token' }
        : request.url === '/v1/me'
          ? { id: token.accountId, email: `${token.accountId}@acme.example` }
          : { notes: ['Buy milk'], asked: request.url };
    if (token !== undefined) apiCalls.push(`${token.accountId} ${request.url}`);
    response.writeHead(token === undefined ? 401 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  const apiUrl = await listening(api);
  const endpoints = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/token/revocation`,
    userinfo_endpoint: `${apiUrl}/v1/me`,
    api_base_url: apiUrl,
    ...ACME_CLIENT,
  };
  return {
    endpoints,
    tokenCalls,
    apiCalls,
    endedGrants: () => ended,
    knowClient(redirectUri) {
      provider = new Provider(issuer, {
        clients: [
          {
            ...ACME_CLIENT,
            redirect_uris: [redirectUri],
            grant_types: ['authorization_code', 'refresh_token'],
            token_endpoint_auth_method: 'client_secret_basic',
          },
        ],
        scopes: ['offline_access', 'profile.read', 'notes.read', 'notes.write'],
        pkce: { required: () => true },
        rotateRefreshToken: true,
        features: { revocation: { enabled: true }, devInteractions: { enabled: true } },
        cookies: { keys: ['acme'] },
        findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
      });
      provider.on('grant.revoked', () => {
        ended++;
      });
      const standard = provider.callback();
      answer = (request, response) => {
        if (request.url === '/token') noteForm(request, tokenCalls);
        standard(request, response);
      };
    },
    consent: (authorizationUrl) => signInAt(authorizationUrl, issuer),
    async present(refreshToken) {
      const { client_id, client_secret } = ACME_CLIENT;
      const reply = await fetch(endpoints.token_endpoint, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
      });
      return reply.status;
    },
    async close() {
      await closeServer(server);
      await closeServer(api);
    },
  };
}

async function listening(server: Server): Promise<string> {
  return `http://127.0.0.1:${await listen(server, 0, 'Acme', 'none')}`;
}

function noteForm(request: IncomingMessage, calls: URLSearchParams[]): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => calls.push(new URLSearchParams(Buffer.concat(chunks).toString())));
}

/** Follows redirects with the server's cookies and answers its two pages, until it sends the browser away. */
export async function signInAt(authorizationUrl: string, issuer: string, login = 'alice'): Promise<string> {
  const cookies = new Map<string, string>();
  let url = authorizationUrl;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 12; step++) {
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    const text = await reply.text();
    if (location !== null) {
      url = new URL(location, url).href;
      form = undefined;
      if (!url.startsWith(issuer)) return url;
      continue;
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
    if (prompt === undefined) throw new Error(`The server shows ${reply.status} ${text.slice(0, 500)}`);
    form = new URLSearchParams({ prompt, login, password: 'x' });
  }
  throw new Error('The server asked again and again.');
}
