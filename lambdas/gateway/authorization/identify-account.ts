import type { Connection, ProviderAccount, TokenSet } from '../connections/connection.rules.ts';
import type { Upstream } from '../core/http-message.ts';
import type { ProviderEndpoints } from '../providers/provider.rules.ts';
import { isInDomain, judgeIdentity, readHostedDomain } from './callback.rules.ts';
import type { PendingAuthorization } from './connect-session.rules.ts';
import { FlowFailure } from './flow-failure.ts';
import type { IdTokenVerifier } from './ports.ts';
import { askUserInfo } from './user-info.ts';

export interface IdentifyDependencies {
  readonly idTokens: IdTokenVerifier;
  readonly upstream: Upstream;
}

/**
 * The account that granted access; undefined when no identity was granted (OA-18).
 *
 * @param issuers spellings of the issuer pinned at the start
 * @throws FlowFailure for an ID token that proves nothing, and for an account outside the requested domain
 */
export async function identifyAccount(
  deps: IdentifyDependencies,
  endpoints: ProviderEndpoints,
  pending: PendingAuthorization,
  tokens: TokenSet,
  issuers: readonly string[],
): Promise<ProviderAccount | undefined> {
  const { hostedDomain } = pending;
  const { account } = endpoints.server;
  if (account.from === 'userinfo') return askUserInfo(deps.upstream, endpoints, tokens.accessToken);
  if (tokens.idToken === undefined || account.from === 'nobody') {
    if (hostedDomain !== undefined) throw new FlowFailure('account_unproven');
    return undefined;
  }
  const claims = await deps.idTokens.verify(endpoints, tokens.idToken, pending.clientId, issuers);
  const judgement = claims === undefined ? undefined : judgeIdentity(claims, pending.nonce);
  if (judgement?.kind !== 'identified') throw new FlowFailure('account_unproven');
  if (hostedDomain !== undefined && !isInDomain(claims?.hostedDomain, hostedDomain)) {
    throw wrongDomain(hostedDomain, judgement.email);
  }
  return { subject: judgement.subject, email: judgement.email, hostedDomain: readHostedDomain(claims?.hostedDomain) };
}

function wrongDomain(wanted: string, email: string | null): FlowFailure {
  const [which, yours] =
    wanted === '*'
      ? ['an organization (Google Workspace)', 'your work or school account']
      : [wanted, `your account of ${wanted}`];
  return new FlowFailure('wrong_domain', {
    words: { domain: wanted === '*' ? undefined : wanted, chosen: email ?? undefined },
    text: {
      title: 'That account is not in the right organization',
      happened: `The app accepts only {provider} accounts of ${which}, but you chose ${email ?? 'another one'}. Nothing was connected.`,
      next: `Try again with ${yours}.`,
    },
  });
}

/** The event's remark about the account; undefined when it is the expected one. */
export type AccountRemark = 'account_changed' | 'account_unknown' | 'account_not_known_before' | undefined;

/**
 * Only the backend's permission lets another account, or one without an identity, take over a connection, because a user can remove the
 * identity scopes from the address (CS-6).
 *
 * @param mayChange whether the backend permits another account
 * @throws FlowFailure naming both accounts
 */
export function checkAccount(
  existing: Connection | undefined,
  account: ProviderAccount | undefined,
  mayChange: boolean,
): AccountRemark {
  if (existing === undefined) return account === undefined ? 'account_unknown' : undefined;
  const before = existing.providerAccount;
  // Nothing could be compared: any account may have the connection now, which its history records (CS-21).
  if (before === undefined) return account === undefined ? 'account_unknown' : 'account_not_known_before';
  if (account !== undefined && account.subject === before.subject) return undefined;
  if (mayChange) return account === undefined ? 'account_unknown' : 'account_changed';
  if (account === undefined) throw new FlowFailure('account_unproven');
  throw otherAccount(before.email, account.email);
}

/** The failure that names both accounts: the expected and the chosen one. */
export function otherAccount(expectedEmail: string | null, chosenEmail: string | null): FlowFailure {
  const expected = expectedEmail ?? 'another {provider} account';
  return new FlowFailure('wrong_account', {
    words: { expected: expectedEmail ?? undefined, chosen: chosenEmail ?? undefined },
    text: {
      title: 'That is a different {provider} account',
      happened: `This connection belongs to ${expected}, but you chose ${chosenEmail ?? 'a different account'}. Nothing was changed.`,
      next: `Try again with ${expected}. To connect the other account, go back to the app.`,
    },
  });
}
