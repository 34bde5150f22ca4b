import { type ConnectSession, reconnectTarget } from '../gateway/authorization/connect-session.rules.ts';
import { narrowedScopes } from '../gateway/authorization/requested-access.rules.ts';
import { GatewayError, refusal } from '../gateway/core/errors.ts';
import { ownMember } from '../gateway/core/own-member.ts';
import type { Integration } from '../gateway/integrations/integration.rules.ts';
import type { ClientIdSource, IntegrationStore } from '../gateway/integrations/ports.ts';

/**
 * The integration a start is for: named by the browser, but only among those its session allows.
 *
 * @throws GatewayError `invalid_body`, `unknown_integration`
 */
export async function chooseIntegration(
  integrations: Pick<IntegrationStore, 'get'>,
  session: ConnectSession,
  wanted: string | undefined,
): Promise<Integration> {
  if (session.admin !== undefined)
    throw refusal('invalid_body', [{ path: 'provider_config_key', message: NO_CONSENT }]);
  const target = reconnectTarget(session);
  const allowed = target === undefined ? session.allowedIntegrations : [target.integrationId];
  const integrationId = wanted ?? (allowed.length === 1 ? allowed[0] : undefined);
  if (integrationId === undefined) {
    throw refusal('invalid_body', [
      { path: 'provider_config_key', message: 'name one of the integrations this session allows' },
    ]);
  }
  if (allowed.length > 0 && !allowed.includes(integrationId)) {
    throw refusal('invalid_body', [
      { path: 'provider_config_key', message: 'this session does not allow that integration' },
    ]);
  }
  const integration = await integrations.get({ accountId: session.accountId, integrationId });
  if (integration === undefined) throw new GatewayError('unknown_integration', 'There is no such integration.');
  if (integration.delegation !== undefined)
    throw refusal('invalid_body', [{ path: 'provider_config_key', message: NO_CONSENT }]);
  return integration;
}

const NO_CONSENT =
  'a service account acts for its users without their consent; an administrator of their domain lists it';

/**
 * The scopes a start is for: the integration's, or those of them that the session or else the browser has chosen (CS-17).
 *
 * @param wished by the browser, in full spelling
 * @throws GatewayError `conflict`, `invalid_query_params` when none of the integration's is left
 */
export function chooseScopes(
  session: ConnectSession,
  integration: Integration,
  wished: readonly string[] | undefined,
): string[] {
  const fixed = ownMember(session.defaults, integration.integrationId)?.scopes;
  const scopes = narrowedScopes(integration.scopes, fixed, wished);
  if (scopes.length > 0) return scopes;
  if (fixed !== undefined) {
    throw new GatewayError(
      'conflict',
      'The app no longer asks for what this connect link is for. Ask the app for a new one.',
      { forEndUser: 'link_outdated' },
    );
  }
  throw refusal('invalid_query_params', [
    {
      path: 'params[oauth_scopes_override]',
      message: 'names none of the integration’s scopes; a link can omit scopes but cannot add any',
    },
  ]);
}

/**
 * The id of the OAuth client to authorize with, without its secret. Test credentials serve no integration that went live (AK-12).
 *
 * @throws GatewayError `integration_credentials_rejected`
 */
export async function usableClientId(source: ClientIdSource, integration: Integration): Promise<string> {
  const isTest = integration.credentialsSource === 'test';
  if (isTest && integration.mode === 'live') {
    throw new GatewayError(
      'integration_credentials_rejected',
      'This integration is live, but still on the shared test credentials. Its developer must add their own OAuth client.',
      { forEndUser: 'app_not_ready' },
    );
  }
  const clientId = await source.clientIdOf(integration);
  if (clientId !== undefined) return clientId;
  throw new GatewayError(
    'integration_credentials_rejected',
    isTest
      ? 'The operator has not set up test credentials for this provider.'
      : 'This integration has no OAuth client id and secret yet.',
    { forEndUser: 'app_not_ready' },
  );
}
