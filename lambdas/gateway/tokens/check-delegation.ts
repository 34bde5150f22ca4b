import { epochSecNow } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { GrantDeath } from '../core/grant-death.ts';
import { REQUESTED_REFRESH_BUDGET_MS, TOKEN_CALL_TIMEOUT_MS } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import { explainClientFault } from '../integrations/client-fault.rules.ts';
import { domainOf, isAllowedSubject, SUBJECT_NOT_ALLOWED, subjectOf } from '../integrations/delegation.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { ProviderEndpoints, ProviderId } from '../providers/provider.rules.ts';
import type { SubjectAnswer } from './delegated-token.ts';
import { domainDeath, subjectDeath } from './delegation.rules.ts';
import type { DelegatedDomainStore } from './ports.ts';
import type { DelegationServices } from './refresh-for-subject.ts';

export interface CheckDelegationDependencies {
  readonly delegation: DelegationServices;
  readonly delegatedDomains: Pick<DelegatedDomainStore, 'read' | 'noteCheck'>;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
  readonly clock: Clock;
}

/** The result of a check for one scope. */
export const SCOPE_STATES = ['listed', 'not_listed', 'unknown'] as const;

/** Whether a service account may act for a user. */
export interface DelegationCheck {
  readonly domain: string;
  readonly works: boolean;
  readonly scopes: readonly { readonly scope: string; readonly status: (typeof SCOPE_STATES)[number] }[];
  /** Why it does not work. */
  readonly death: GrantDeath | undefined;
}

/**
 * Requests a token for all scopes of an integration, and after a refusal for each scope alone: Google refuses the whole request for one
 * unlisted scope without naming it (SA-3). A domain belongs to the organization that checked it first (SA-20).
 *
 * @throws GatewayError `subject_not_allowed`, `conflict` for a domain that another organization has checked,
 * `integration_credentials_rejected`, `token_refresh_unavailable`
 */
export async function checkDelegation(
  deps: CheckDelegationDependencies,
  integration: Integration,
  asked: { readonly address: string; readonly organizationId: string | undefined; readonly requestId: string },
): Promise<DelegationCheck> {
  const { clock, endpointsOf, delegatedDomains, delegation: services } = deps;
  const { delegation, accountId, integrationId } = integration;
  const subject = subjectOf(asked.address);
  if (delegation === undefined || subject === undefined || !isAllowedSubject(subject, delegation.subjects)) {
    throw new GatewayError(...SUBJECT_NOT_ALLOWED);
  }
  const domain = domainOf(subject);
  const ref = { accountId, integrationId };
  const { organizationId } = asked;
  const owner = (await delegatedDomains.read(ref, domain))?.organizationId;
  if (organizationId !== undefined && owner !== undefined && owner !== organizationId) throw taken();
  const untilMs = clock.nowMs() + REQUESTED_REFRESH_BUDGET_MS;
  const ask = async (scopes: readonly string[]): Promise<SubjectAnswer> =>
    services.tokens.ask({ integration, delegation, subject, scopes, callTimeoutMs: TOKEN_CALL_TIMEOUT_MS, untilMs });
  const { server } = endpointsOf(integration.provider);
  const all = await ask(integration.scopes);
  if (all.kind === 'client_fault') {
    const { explanation, remedy } = explainClientFault(all.error, server);
    throw new GatewayError('integration_credentials_rejected', `${explanation} ${remedy}`);
  }
  if (all.kind === 'failed') {
    throw new GatewayError('token_refresh_unavailable', 'Google could not be asked right now. Try again.', {
      retryAfterSec: Math.max(1, all.retryAfterSec ?? 5),
    });
  }
  if (all.kind === 'tokens') {
    // The first successful check claims the domain, even among concurrent ones.
    if (!(await delegatedDomains.noteCheck(ref, domain, organizationId, epochSecNow(clock)))) throw taken();
    services.domains.forget(ref, domain);
    await services.domains.granted({ ...ref, provider: integration.provider }, domain, asked.requestId, true);
    const scopes = integration.scopes.map((scope) => ({ scope, status: 'listed' as const }));
    return { domain, works: true, scopes, death: undefined };
  }
  const now = epochSecNow(clock);
  const { meaning } = all;
  const isOfList = meaning === 'not_listed' || meaning === 'scope_not_listed';
  const scopes: { scope: string; status: (typeof SCOPE_STATES)[number] }[] = [];
  for (const scope of integration.scopes) {
    const answer = isOfList && integration.scopes.length > 1 ? await ask([scope]) : all;
    scopes.push({ scope, status: stateOf(answer) });
  }
  const death =
    meaning === 'not_listed'
      ? domainDeath({ status: 'lost', sinceEpochSec: now }, now, server)
      : subjectDeath(meaning, all, now, server);
  return { domain, works: false, scopes, death };
}

function stateOf(answer: SubjectAnswer): (typeof SCOPE_STATES)[number] {
  if (answer.kind === 'tokens') return 'listed';
  const isOfList =
    answer.kind === 'refused' && (answer.meaning === 'not_listed' || answer.meaning === 'scope_not_listed');
  return isOfList ? 'not_listed' : 'unknown';
}

/** One error for every holder of the domain, so that another customer's administrator cannot learn who does. */
function taken(): GatewayError {
  return new GatewayError('conflict', 'This domain cannot be checked here. Ask the app that sent you.');
}
