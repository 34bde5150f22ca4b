import { askUserInfo } from '../../gateway/authorization/user-info.ts';
import type { ProviderAccount } from '../../gateway/connections/connection.rules.ts';
import type { Upstream } from '../../gateway/core/http-message.ts';
import type { ProviderEndpoints } from '../../gateway/providers/provider.rules.ts';
import { uniqueScopes } from '../../gateway/providers/scopes.rules.ts';

/** The account of an imported token; undefined where no identity was granted or the provider does not return it. */
export async function identifyAccount(
  upstream: Upstream,
  endpoints: ProviderEndpoints,
  accessToken: string,
  grantedScopes: readonly string[],
): Promise<ProviderAccount | undefined> {
  const { account } = endpoints.server;
  if (account.from === 'nobody') return undefined;
  const granted = uniqueScopes(grantedScopes);
  const isNamed = account.from === 'userinfo' || granted.includes('openid') || granted.includes('email');
  return isNamed ? askUserInfo(upstream, endpoints, accessToken) : undefined;
}
