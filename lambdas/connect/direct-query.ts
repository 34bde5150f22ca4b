import { type Problem, refusal } from '../gateway/core/errors.ts';
import type { GatewayRequest } from '../gateway/core/http-message.ts';
import { parseScopes } from '../gateway/providers/scopes.rules.ts';
import type { StartWishes } from './start-authorization.ts';

/** Authorization parameters that a browser may choose where the session does not fix them. */
const OPEN_PARAMETERS = ['login_hint', 'hd', 'include_granted_scopes', 'prompt'] as const;

/** Why a parameter is refused; a prefix ends in `[`. */
const REFUSED: Readonly<Record<string, string>> = {
  connection_id: 'a browser cannot choose the connection; create a reconnect session for it',
  public_key: 'public keys do not exist here; use connect_session_token',
  hmac: 'public keys do not exist here; use connect_session_token',
  'credentials[': 'secrets must not be in an address; set them in the integration',
};

/** Longest value of a parameter. */
const VALUE_MAX_LENGTH = 2048;

/** The parsed address or form of a direct start. */
export interface DirectQuery {
  readonly sessionToken: string | undefined;
  /** Scopes still as written. */
  readonly wishes: StartWishes;
}

/**
 * Reads the parameters that front ends of a compatible peer send; other `params[…]`, `user_scope` and `ws_client_id` have
 * no meaning here.
 *
 * @throws GatewayError `invalid_query_params` naming every problem at once
 */
export function readDirectQuery(query: GatewayRequest['query']): DirectQuery {
  const problems: Problem[] = [];
  const single = (name: string): string | undefined => {
    const values = query.filter(([key]) => key === name).map(([, value]) => value);
    if (values.length > 1) problems.push({ path: name, message: 'came more than once' });
    const [value] = values;
    if (value !== undefined && value.length > VALUE_MAX_LENGTH) problems.push({ path: name, message: 'is too long' });
    return value === '' ? undefined : value;
  };
  for (const [name] of query) {
    const reason = Object.entries(REFUSED).find(([refused]) =>
      refused.endsWith('[') ? name.startsWith(refused) : name === refused,
    );
    if (reason !== undefined) problems.push({ path: name, message: reason[1] });
  }
  const authorizationParams: Record<string, string> = {};
  for (const name of OPEN_PARAMETERS) {
    const value = single(`authorization_params[${name}]`);
    if (value !== undefined) authorizationParams[name] = value;
  }
  const scopes = single('params[oauth_scopes_override]');
  const sessionToken = single('connect_session_token');
  if (problems.length > 0) throw refusal('invalid_query_params', problems);
  return {
    sessionToken,
    wishes: { scopes: scopes === undefined ? undefined : parseScopes(scopes), authorizationParams },
  };
}
