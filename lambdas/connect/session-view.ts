import type { ConnectSession } from '../shared/domain/connect-session.ts';
import type { EndUser } from '../shared/domain/connection.ts';
import type { Integration } from '../shared/domain/integration.ts';
import type { Provider, ProviderId } from '../shared/domain/provider.ts';
import type { VisibleStatus } from '../shared/use-cases/find-connect-session.ts';

/** What a connect session allows, on the wire: the peer's members first, then ours. */
export function sessionView(
  session: ConnectSession,
  status: VisibleStatus,
  integrations: readonly Integration[],
  providerOf: (id: ProviderId) => Provider,
): Record<string, unknown> {
  return {
    endUser: session.endUser === undefined ? null : endUserView(session.endUser),
    connectUISettings: {},
    allowed_integrations: integrations.map(({ integrationId }) => integrationId),
    isReconnecting: session.reconnect !== undefined,
    status,
    connection_id: session.outcome?.connectionId ?? null,
    provider_config_key: session.outcome?.integrationId ?? null,
    error:
      session.outcome?.errorType === undefined
        ? null
        : { type: session.outcome.errorType, message: session.outcome.message ?? '' },
    expires_at: new Date(session.expiresAtEpochSec * 1000).toISOString(),
    return_url: session.returnUrl ?? null,
    integrations: integrations.map((integration) => integrationView(session, integration, providerOf(integration.provider))),
  };
}

function integrationView(session: ConnectSession, integration: Integration, provider: Provider) {
  const scopes = session.defaults[integration.integrationId]?.scopes ?? integration.scopes;
  return {
    provider_config_key: integration.integrationId,
    display_name: integration.displayName,
    provider: provider.id,
    provider_name: provider.displayName,
    scopes: scopes.map((scope) => ({
      scope,
      meaning: provider.scopes.find((known) => known.scope === scope)?.meaning ?? scope,
    })),
  };
}

function endUserView(endUser: EndUser) {
  return {
    id: endUser.id,
    display_name: endUser.displayName,
    email: endUser.email,
    tags: endUser.tags,
    organization:
      endUser.organization === null
        ? null
        : { id: endUser.organization.id, display_name: endUser.organization.displayName },
  };
}
