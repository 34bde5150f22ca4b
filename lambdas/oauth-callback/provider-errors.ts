import { FlowFailure } from '../gateway/authorization/flow-failure.ts';
import type { FlowFailureKind } from '../gateway/authorization/flow-failure-texts.ts';

/** Names of the callback's `error` that say whose move it is; the list is open, so others are `provider_refused`. */
const CALLBACK_ERRORS: ReadonlyMap<string, FlowFailureKind> = new Map([
  ['access_denied', 'refused'],
  ['admin_policy_enforced', 'admin_blocked'],
  ['org_internal', 'admin_blocked'],
  ['interaction_required', 'sign_in_needed'],
  ['login_required', 'sign_in_needed'],
  ['account_selection_required', 'sign_in_needed'],
  ['consent_required', 'sign_in_needed'],
  ['server_error', 'provider_trouble'],
  ['temporarily_unavailable', 'provider_trouble'],
  ['rate_limit_exceeded', 'provider_trouble'],
  ['invalid_request', 'app_misconfigured'],
  ['invalid_scope', 'app_misconfigured'],
  ['invalid_client', 'app_misconfigured'],
  ['deleted_client', 'app_misconfigured'],
  ['disabled_client', 'app_disabled'],
  ['restricted_client', 'app_misconfigured'],
  ['unauthorized_client', 'app_misconfigured'],
  ['unsupported_response_type', 'app_misconfigured'],
  ['redirect_uri_mismatch', 'app_misconfigured'],
]);

/** Longest text of the provider that is shown. */
const SHOWN_MAX = 300;

/** A refusal that came back from the provider (RFC 6749 section 4.1.2.1). */
export function providerRefusal(error: string, description: string | undefined): FlowFailure {
  const said = description === undefined ? error : `${error}: ${description}`;
  return new FlowFailure(CALLBACK_ERRORS.get(error) ?? 'provider_refused', { providerSaid: said.slice(0, SHOWN_MAX) });
}
