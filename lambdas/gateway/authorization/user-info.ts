import type { ProviderAccount } from '../connections/connection.rules.ts';
import type { Upstream } from '../core/http-message.ts';
import type { ProviderEndpoints } from '../providers/provider.rules.ts';
import { readWithToken } from '../tokens/whole-answer.ts';
import { readAccountClaims, readHostedDomain } from './callback.rules.ts';

/**
 * The account of a token from the provider's user info endpoint (OpenID Connect Core 5.3), in members named by the server's definition;
 * undefined where the provider does not return it.
 */
export async function askUserInfo(
  upstream: Upstream,
  { server, userinfoEndpoint }: ProviderEndpoints,
  accessToken: string,
): Promise<ProviderAccount | undefined> {
  if (userinfoEndpoint === undefined) return undefined;
  const { origin, pathname } = new URL(userinfoEndpoint);
  const answer = await readWithToken(upstream, origin, pathname, accessToken);
  if (answer.kind !== 'answered' || answer.status !== 200) return undefined;
  const { account } = server;
  return account.from === 'userinfo'
    ? readAccount(answer.text, account, false)
    : readAccount(answer.text, { subject: 'sub', email: 'email' }, true);
}

function readAccount(
  text: string,
  names: { readonly subject: string; readonly email?: string },
  isOpenId: boolean,
): ProviderAccount | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const subject = memberOf(json, names.subject);
  // Many APIs number their accounts.
  const sub = typeof subject === 'number' && Number.isSafeInteger(subject) ? String(subject) : subject;
  const account = readAccountClaims(sub, names.email === undefined ? undefined : memberOf(json, names.email));
  if (account === undefined || !isOpenId) return account;
  return { ...account, hostedDomain: readHostedDomain(memberOf(json, 'hd')) };
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, name) ? Reflect.get(json, name) : undefined;
}
