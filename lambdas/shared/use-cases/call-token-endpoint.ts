import type { Integration } from '../domain/integration.ts';
import type { ProviderEndpoints } from '../domain/provider.ts';
import { judgeTokenResponse, type TokenJudgement } from '../domain/token-response.ts';
import type { ClientCredentialsSource, Clock, TokenEndpoint } from '../ports.ts';

/** What came of one refresh at the provider, repeats included. */
export type TokenCallOutcome =
  | {
      readonly kind: 'judged';
      readonly judgement: TokenJudgement;
      /** An earlier try of the same attempt got no complete answer: the provider may have applied it. */
      readonly ambiguousBefore: boolean;
    }
  | { readonly kind: 'unanswered'; readonly reason: string }
  /** The integration has no usable OAuth client. */
  | { readonly kind: 'no_credentials' }
  /** The integration uses another OAuth client than the one the grant was made under. */
  | { readonly kind: 'client_changed' };

interface Dependencies {
  readonly credentials: ClientCredentialsSource;
  readonly tokenEndpoint: TokenEndpoint;
  readonly endpoints: ProviderEndpoints;
  readonly clock: Clock;
}

/**
 * Asks for new tokens: at most one repeat after a failure without a complete answer, and on `invalid_client` the secret is
 * read anew and the previous one tried, once each (TK-4), so that a secret can be rotated without downtime.
 */
export async function callTokenEndpoint(
  deps: Dependencies,
  integration: Integration,
  clientId: string,
  refreshToken: string,
): Promise<TokenCallOutcome> {
  const credentials = await deps.credentials.get(integration);
  if (credentials === undefined) return { kind: 'no_credentials' };
  if (credentials.clientId !== clientId) return { kind: 'client_changed' };
  const outcome = await callWithRepeat(deps, clientId, credentials.clientSecret, refreshToken);
  if (!isInvalidClient(outcome)) return outcome;

  const fresh = await deps.credentials.get(integration, { fresh: true });
  if (fresh === undefined) return { kind: 'no_credentials' };
  if (fresh.clientId !== clientId) return { kind: 'client_changed' };
  const tried = new Set([credentials.clientSecret]);
  let last = outcome;
  for (const secret of [fresh.clientSecret, fresh.previousClientSecret]) {
    if (secret === undefined || tried.has(secret)) continue;
    tried.add(secret);
    last = await callWithRepeat(deps, clientId, secret, refreshToken);
    if (!isInvalidClient(last)) return last;
  }
  return last;
}

async function callWithRepeat(
  deps: Dependencies,
  clientId: string,
  clientSecret: string,
  refreshToken: string,
): Promise<TokenCallOutcome> {
  let ambiguous = false;
  for (let attempt = 0; ; attempt++) {
    const result = await deps.tokenEndpoint.refresh(deps.endpoints, clientId, clientSecret, refreshToken);
    if (result.kind === 'answered') {
      const judgement = judgeTokenResponse(result.response, Math.floor(deps.clock.nowMs() / 1000));
      return { kind: 'judged', judgement, ambiguousBefore: ambiguous };
    }
    ambiguous ||= result.ambiguous;
    if (attempt > 0) return { kind: 'unanswered', reason: result.reason };
  }
}

function isInvalidClient(outcome: TokenCallOutcome): boolean {
  return (
    outcome.kind === 'judged' &&
    outcome.judgement.kind === 'client_fault' &&
    outcome.judgement.error === 'invalid_client'
  );
}
