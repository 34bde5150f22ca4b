import type { StoredBudget } from '../../gateway/core/budget.ts';
import { GatewayError, type Problem, refusal } from '../../gateway/core/errors.ts';
import { cloudProjectOf } from '../../gateway/core/identifiers.ts';
import { managedFrom, type StackResource } from '../../gateway/core/managed-by.rules.ts';
import type { Clock, Logger, Random } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import { storedClientId } from '../../gateway/integrations/delegation.rules.ts';
import {
  type ClientCredentials,
  type CredentialsSource,
  clientHealthWord,
  clientIdProblem,
  type Integration,
} from '../../gateway/integrations/integration.rules.ts';
import type { ClientCredentialsSource, ClientSecretStore, IntegrationStore } from '../../gateway/integrations/ports.ts';
import { resolveScopes } from '../../gateway/integrations/resolve-scopes.ts';
import type { StoredQuota } from '../../gateway/providers/project-quota.rules.ts';
import type { Provider } from '../../gateway/providers/provider.rules.ts';
import { type DelegationBody, delegationProblems, newDelegation, secretOfKey } from './delegation-schema.ts';

export interface CreateIntegrationDependencies {
  readonly integrations: IntegrationStore;
  readonly clientSecrets: ClientSecretStore;
  readonly credentials: ClientCredentialsSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A caller's settings; everything optional has a default. */
export interface NewIntegration {
  readonly accountId: string;
  readonly integrationId: string;
  readonly provider: Provider;
  readonly displayName: string | undefined;
  /** Null = none. */
  readonly publicName: string | null | undefined;
  /** By language; none where it is empty. */
  readonly publicNames: Readonly<Record<string, string>> | undefined;
  readonly credentialsSource: CredentialsSource;
  /** The own OAuth client; absent with test credentials. */
  readonly client: { readonly clientId: string; readonly clientSecret: string } | undefined;
  /** A service account that acts for users, instead of an OAuth client. */
  readonly delegation: DelegationBody | undefined;
  readonly scopes: readonly string[] | undefined;
  /** Path of the scopes in the request, for messages. */
  readonly scopesPath: string;
  readonly publishingStatus: Integration['publishingStatus'] | undefined;
  readonly audience: Integration['audience'] | undefined;
  readonly mode: Integration['mode'] | undefined;
  readonly includeGrantedScopes: boolean | undefined;
  /** Null = none. */
  readonly hostedDomain: string | null | undefined;
  /** Whether its OAuth client is marked for AI agents at the provider. */
  readonly agentic: boolean | undefined;
  /** New shared budget of its calls; `is` undefined = unlimited. */
  readonly budget: { readonly is: StoredBudget | undefined } | undefined;
  /** Quota of its Cloud project; `is` undefined = the provider's for new projects. */
  readonly quota: { readonly is: StoredQuota | undefined } | undefined;
  /** The stack's resource that declares it. */
  readonly stack?: StackResource | undefined;
  readonly requestId: string;
  readonly actor: string;
}

/** Said of `agentic` with the operator's OAuth client, which is not marked. */
export const AGENTIC_NEEDS_OWN_CLIENT =
  'an agentic integration has its own OAuth client, marked for AI agents when it was created at Google; send it in credentials';

/** Names by language as stored: absent without any. */
export function namesToKeep(names: Readonly<Record<string, string>> | undefined): Integration['publicNames'] {
  return names === undefined || Object.keys(names).length === 0 ? undefined : names;
}

/**
 * Creates an integration: record first, secret second, because the record's condition separates two creators of one id. If the secret
 * cannot be written, the record is removed.
 *
 * @throws GatewayError `invalid_body`, `conflict`, `service_unavailable`
 */
export async function createIntegration(
  deps: CreateIntegrationDependencies,
  wanted: NewIntegration,
): Promise<Integration> {
  const { provider, client } = wanted;
  const problems: Problem[] = [];
  const scopes =
    wanted.scopes === undefined
      ? provider.defaultScopes
      : resolveScopes(provider, wanted.scopes, wanted.scopesPath, problems);
  const ref = { accountId: wanted.accountId, integrationId: wanted.integrationId };
  const now = new Date(deps.clock.nowMs()).toISOString();
  const delegation =
    wanted.delegation === undefined
      ? undefined
      : newDelegation(wanted.delegation, deps.random, Math.floor(deps.clock.nowMs() / 1000));
  if (wanted.delegation !== undefined) {
    problems.push(...delegationProblems(provider, wanted.delegation));
    if (wanted.delegation.via === 'key' && wanted.delegation.key === undefined) {
      problems.push({ path: 'delegation.key', message: 'is required with via key: the JSON file of the key' });
    }
  }
  const key = wanted.delegation?.key;
  const integration = await withProjectOfQuota(deps.credentials, {
    ...ref,
    provider: provider.id,
    displayName: wanted.displayName ?? provider.displayName,
    publicName: wanted.publicName ?? undefined,
    publicNames: namesToKeep(wanted.publicNames),
    credentialsSource: wanted.credentialsSource,
    clientId: delegation === undefined ? client?.clientId : storedClientId(delegation),
    secretId: client === undefined && key === undefined ? undefined : deps.clientSecrets.newName(ref),
    scopes,
    delegation,
    // A service account's grants do not end with Testing.
    publishingStatus:
      wanted.publishingStatus ?? (hasTestingMode(provider) && delegation === undefined ? 'testing' : 'production'),
    audience: wanted.audience ?? 'external',
    mode: wanted.mode ?? 'test',
    includeGrantedScopes: wanted.includeGrantedScopes ?? false,
    hostedDomain: wanted.hostedDomain ?? undefined,
    agentic: wanted.agentic === true ? true : undefined,
    budget: wanted.budget?.is,
    quota: wanted.quota?.is,
    managedBy: wanted.stack && managedFrom(wanted.stack),
    clientFault: undefined,
    sequence: 1,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
  problems.push(...settingProblems(provider, wanted.publishingStatus, client?.clientId));
  if (integration.agentic === true && provider.console.enableToolServerUrl === undefined) {
    const message = `${provider.displayName} has no MCP server of its own; leave this out`;
    problems.push({ path: 'agentic', message });
  }
  if (integration.credentialsSource === 'test') {
    problems.push(...(await testCredentialProblems(deps.credentials, integration, provider)));
  }
  if (problems.length > 0) throw refusal('invalid_body', problems);
  const created = newEvent(deps.clock, deps.random, 'IntegrationCreated', {
    subject: ref,
    sequence: 1,
    health: clientHealthWord(integration),
    requestId: wanted.requestId,
    actor: wanted.actor,
  });
  if (!(await deps.integrations.create(integration, created))) {
    throw new GatewayError(
      'conflict',
      'There is already an integration with this unique_key. Choose another unique_key, or change that integration.',
    );
  }
  if (client !== undefined && integration.secretId !== undefined) {
    await keepSecret(deps, integration, integration.secretId, { ...client, previousClientSecret: undefined }, wanted);
  }
  if (key !== undefined && integration.secretId !== undefined) {
    const secret = secretOfKey(integration.clientId ?? '', key, undefined);
    await keepSecret(deps, integration, integration.secretId, secret, wanted);
  }
  return integration;
}

/** Stores the project of the quota where the record names no client, because the counting of calls reads no credentials. */
export async function withProjectOfQuota(
  source: ClientCredentialsSource,
  integration: Integration,
): Promise<Integration> {
  if (integration.quota === undefined || integration.clientId !== undefined) return integration;
  const clientId = (await source.get(integration))?.clientId;
  if (clientId === undefined) return integration;
  return { ...integration, quota: { ...integration.quota, cloudProject: cloudProjectOf(clientId) } };
}

/** Why test credentials cannot be used: not set up, or for an integration in production (AK-12). */
export async function testCredentialProblems(
  source: ClientCredentialsSource,
  integration: Integration,
  provider: Provider,
): Promise<Problem[]> {
  if (integration.mode === 'live') {
    const message =
      'test credentials do not work for a live integration; give it its own OAuth client in `credentials`';
    return [{ path: 'mode', message }];
  }
  if ((await source.get(integration)) !== undefined) return [];
  return [
    {
      path: 'provider',
      message: `this gateway has no test credentials for ${provider.displayName}; set {"client_id","client_secret"} of an OAuth client with PUT /test-credentials/${provider.id}, or create the integration with your own \`credentials\``,
    },
  ];
}

async function keepSecret(
  deps: CreateIntegrationDependencies,
  integration: Integration,
  secretId: string,
  credentials: ClientCredentials,
  wanted: NewIntegration,
): Promise<void> {
  try {
    await deps.clientSecrets.create(secretId, credentials);
  } catch (error) {
    const ref = { accountId: integration.accountId, integrationId: integration.integrationId };
    deps.logger.error('client secret could not be written', { requestId: wanted.requestId }, error);
    const deleted = newEvent(deps.clock, deps.random, 'IntegrationDeleted', {
      subject: ref,
      sequence: 2,
      requestId: wanted.requestId,
      actor: wanted.actor,
    });
    await deps.integrations.delete(ref, deleted);
    throw new GatewayError(
      'service_unavailable',
      'The client secret could not be stored, so the integration was not created. Try again in a moment.',
      { cause: error, retryAfterSec: 5 },
    );
  }
}

/** Settings that do not fit the provider: Testing means that grants end after seven days, and a client id has a fixed form. */
export function settingProblems(
  provider: Provider,
  publishingStatus: Integration['publishingStatus'] | undefined,
  clientId: string | undefined,
): readonly Problem[] {
  const { server } = provider;
  const problems: Problem[] = [];
  if (publishingStatus === 'testing' && !hasTestingMode(provider)) {
    problems.push({ path: 'publishing_status', message: `${server.displayName} has no Testing mode; omit this` });
  }
  const message = clientId === undefined ? undefined : clientIdProblem(clientId, server);
  if (message !== undefined) problems.push({ path: 'credentials.client_id', message });
  return problems;
}

function hasTestingMode({ server }: Provider): boolean {
  return server.grants.hasTestingMode === true;
}
