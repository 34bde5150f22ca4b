import { epochSecNow } from '../../gateway/core/clock.ts';
import type { Clock } from '../../gateway/core/ports.ts';
import type { Provider, ProviderEndpoints, ProviderId } from '../../gateway/providers/provider.rules.ts';
import type { TokenEndpoint } from '../../gateway/tokens/ports.ts';
import { judgeTokenResponse } from '../../gateway/tokens/token-response.rules.ts';

/** What a server says of a client: its id is unknown, its secret wrong, it is refused for another reason, or nothing is known. */
export const CLIENT_VERDICTS = ['accepted', 'unknown_client_id', 'wrong_secret', 'refused', 'unreachable'] as const;

export interface CheckedClient {
  readonly verdict: (typeof CLIENT_VERDICTS)[number];
  /** The server's error code. */
  readonly error: string | null;
  readonly message: string;
}

export interface CheckClientDependencies {
  readonly tokenEndpoint: Pick<TokenEndpoint, 'exchangeCode'>;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly baseUrl: string;
  readonly clock: Clock;
}

/**
 * Asks the server about a client by a code that it never gave: it authenticates the client first, and refuses the code only afterwards
 * (RFC 6749 sections 4.1.3 and 5.2). Nothing is granted or stored.
 */
export async function checkClient(
  deps: CheckClientDependencies,
  { id, server }: Provider,
  client: { readonly clientId: string; readonly clientSecret: string },
): Promise<CheckedClient> {
  const name = server.displayName;
  const result = await deps.tokenEndpoint.exchangeCode(deps.endpointsOf(id), {
    ...client,
    code: 'client-check',
    redirectUri: `${deps.baseUrl}/oauth/callback`,
    codeVerifier: 'A'.repeat(43),
  });
  const judged =
    result.kind === 'failed' ? undefined : judgeTokenResponse(result.response, epochSecNow(deps.clock), server);
  if (judged?.kind === 'dead_grant' || judged?.kind === 'tokens') {
    return { verdict: 'accepted', error: null, message: `${name} accepts this client id and secret.` };
  }
  if (judged === undefined || judged.kind === 'transient') {
    const message = `${name} could not be asked about the client just now. The first connection will show whether it works.`;
    return { verdict: 'unreachable', error: null, message };
  }
  const { error, description } = judged;
  const { unknownClient } = server.tokens;
  if (error !== 'invalid_client') {
    const said = server.clientFaults?.[error];
    const message =
      said === undefined ? `${name} refuses this client (${error}).` : `${said.explanation} ${said.remedy}`;
    return { verdict: 'refused', error, message };
  }
  if (unknownClient === undefined || description === undefined) {
    return { verdict: 'refused', error, message: `${name} does not accept this client id with this secret.` };
  }
  if (description === unknownClient) {
    const message = `${name} does not know this client id. Copy it again from the client's page ${server.consoleName}.`;
    return { verdict: 'unknown_client_id', error, message };
  }
  const message = `${name} knows this client id but refuses the secret. Copy the secret again, or add a new one ${server.consoleName}.`;
  return { verdict: 'wrong_secret', error, message };
}
