import { type Integration, treatedAsTestingSince } from '../../gateway/integrations/integration.rules.ts';
import type { Provider } from '../../gateway/providers/provider.rules.ts';

export type IntegrationPart = 'webhook' | 'credentials';

/** An integration in the API's spelling; the client secret is never in it. */
export function integrationOnTheWire(
  integration: Integration,
  provider: Provider,
  include: readonly IntegrationPart[] = [],
): Record<string, unknown> {
  const fault = integration.clientFault;
  return {
    unique_key: integration.integrationId,
    provider: integration.provider,
    display_name: integration.displayName,
    logo: provider.logoUrl,
    forward_webhooks: false,
    created_at: integration.createdAt,
    updated_at: integration.updatedAt,
    scopes: integration.scopes,
    credentials_source: integration.credentialsSource,
    publishing_status: integration.publishingStatus,
    audience: integration.audience,
    mode: integration.mode,
    include_granted_scopes: integration.includeGrantedScopes,
    hosted_domain: integration.hostedDomain ?? null,
    testing_seen_at: isoTimeOrNull(treatedAsTestingSince(integration)),
    credentials_fault:
      fault === undefined
        ? null
        : { error: fault.error, since: isoTime(fault.sinceEpochSec), retry_at: isoTime(fault.retryAtEpochSec) },
    ...(include.includes('webhook') ? { webhook_url: null } : {}),
    ...(include.includes('credentials') ? { credentials: credentialsOnTheWire(integration) } : {}),
  };
}

function credentialsOnTheWire(integration: Integration): Record<string, unknown> {
  return {
    type: 'OAUTH2',
    client_id: integration.clientId ?? null,
    client_secret: '',
    scopes: integration.scopes.length === 0 ? null : integration.scopes.join(','),
    webhook_secret: null,
  };
}

/** Seconds since the epoch as ISO 8601 UTC. */
export function isoTime(epochSec: number): string {
  return new Date(epochSec * 1000).toISOString();
}

/** The same, null where there is none. */
export function isoTimeOrNull(epochSec: number | undefined): string | null {
  return epochSec === undefined ? null : isoTime(epochSec);
}
