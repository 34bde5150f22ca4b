import { readAccountClaims, readHostedDomain } from '../../gateway/authorization/callback.rules.ts';
import type { ProviderAccount } from '../../gateway/connections/connection.rules.ts';
import { getAsUser } from '../../gateway/connections/send-small-request.ts';
import type { Upstream } from '../../gateway/core/upstream.ts';
import type { ProviderEndpoints } from '../../gateway/providers/provider.rules.ts';
import { uniqueScopes } from '../../gateway/providers/scopes.rules.ts';

/**
 * Whose grant a token is, as the provider's user info endpoint says (OpenID Connect Core 5.3); undefined where no identity
 * was granted or the provider does not say.
 */
export async function identifyAccount(
  upstream: Upstream,
  endpoints: ProviderEndpoints,
  accessToken: string,
  grantedScopes: readonly string[],
): Promise<ProviderAccount | undefined> {
  const granted = uniqueScopes(grantedScopes);
  if (!granted.includes('openid') && !granted.includes('email')) return undefined;
  const { origin, pathname } = new URL(endpoints.userinfoEndpoint);
  const answer = await getAsUser(upstream, origin, pathname, accessToken);
  if (answer.kind !== 'answered' || answer.status !== 200) return undefined;
  return readAccount(answer.text);
}

function readAccount(text: string): ProviderAccount | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof json !== 'object' || json === null || !('sub' in json)) return undefined;
  const account = readAccountClaims(json.sub, 'email' in json ? json.email : undefined);
  return account === undefined
    ? undefined
    : { ...account, hostedDomain: readHostedDomain('hd' in json ? json.hd : undefined) };
}
