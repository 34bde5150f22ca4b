import { createHash, randomBytes } from 'node:crypto';
import type { LocalGateway } from '../../dev/local/start.ts';

/** State of an operator's browser after a sign-in. */
export interface SignedInOperator {
  readonly accessToken: string;
  readonly idToken: string;
  readonly refreshToken: string;
}

/** Where a gateway's dashboard is. @throws Error when it has none */
export function dashboardUrl(gateway: LocalGateway): string {
  if (gateway.dashboardUrl === null) throw new Error('This gateway has no dashboard.');
  return gateway.dashboardUrl;
}

/**
 * Signs an operator in over HTTP: code, PKCE, state, as the dashboard does.
 * @param press gets through the issuer's page. @returns the address that it sends the browser back to. @default the first local operator
 */
export async function signIn(
  gateway: LocalGateway,
  press: (address: URL) => Promise<string> = pressFirst,
): Promise<SignedInOperator> {
  const origin = dashboardUrl(gateway);
  const { issuer, client_id: clientId } = await jsonOf(await fetch(`${origin}/config.json`));
  const discovery = await jsonOf(await fetch(`${issuer}/.well-known/openid-configuration`));
  const codeVerifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const redirectUri = `${origin}/signed-in`;
  const address = new URL(discovery.authorization_endpoint ?? '');
  address.search = new URLSearchParams({
    client_id: clientId ?? '',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    state,
    nonce: randomBytes(16).toString('base64url'),
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const location = new URL(await press(address));
  if (location.searchParams.get('state') !== state) throw new Error('The issuer sent another state back.');
  const tokens = await jsonOf(
    await fetch(discovery.token_endpoint ?? '', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId ?? '',
        code: location.searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
      }),
    }),
  );
  return {
    accessToken: tokens.access_token ?? '',
    idToken: tokens.id_token ?? '',
    refreshToken: tokens.refresh_token ?? '',
  };
}

async function pressFirst(address: URL): Promise<string> {
  const page = await (await fetch(address)).text();
  const operator = /name="operator" value="([^"]+)" checked/.exec(page)?.[1] ?? '';
  const body = new URLSearchParams({ operator });
  const pressed = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  return pressed.headers.get('location') ?? '';
}

/** The text members of a JSON answer. */
async function jsonOf(response: Response): Promise<Readonly<Record<string, string | undefined>>> {
  const value: unknown = await response.json();
  return Object.fromEntries(
    Object.entries(Object(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
