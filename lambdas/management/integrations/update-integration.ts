import { findIntegration } from '../../gateway/connections/find-connection.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { agenticChangeProblem } from '../../gateway/core/agentic.ts';
import type { StoredBudget } from '../../gateway/core/budget.ts';
import { GatewayError, type Problem, refusal } from '../../gateway/core/errors.ts';
import type { IntegrationRef } from '../../gateway/core/identifiers.ts';
import { type Changing, managedAfter } from '../../gateway/core/managed-by.rules.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import { type Delegation, storedClientId } from '../../gateway/integrations/delegation.rules.ts';
import {
  type ClientCredentials,
  type CredentialsSource,
  clientHealthWord,
  type Integration,
} from '../../gateway/integrations/integration.rules.ts';
import { resolveScopes } from '../../gateway/integrations/resolve-scopes.ts';
import type { StoredQuota } from '../../gateway/providers/project-quota.rules.ts';
import type { Providers } from '../../gateway/providers/provider.rules.ts';
import {
  AGENTIC_NEEDS_OWN_CLIENT,
  type CreateIntegrationDependencies,
  namesToKeep,
  settingProblems,
  testCredentialProblems,
  withProjectOfQuota,
} from './create-integration.ts';
import { changedDelegation, type DelegationChangeBody, delegationProblems, secretOfKey } from './delegation-schema.ts';
import { hasConnections } from './has-connections.ts';
import { quotaWarnings } from './quota-risks.ts';
import { forgetReplacedSecret, NAMED_BY_CALLS, renameIntegration } from './rename-integration.ts';

const ATTEMPTS = 3;

export interface UpdateIntegrationDependencies extends CreateIntegrationDependencies {
  readonly connections: ConnectionStore;
  readonly providers: Providers;
}

/** The changes; undefined members stay. */
export interface IntegrationChange {
  /** A new id. */
  readonly integrationId: string | undefined;
  readonly displayName: string | undefined;
  /** Null = none. */
  readonly publicName: string | null | undefined;
  /** By language, replacing all former ones; empty = none. */
  readonly publicNames: Readonly<Record<string, string>> | undefined;
  readonly credentialsSource: CredentialsSource | undefined;
  /** A new secret under the same id is a rotation: the old one is kept as the previous one. */
  readonly client: { readonly clientId: string | undefined; readonly clientSecret: string | undefined } | undefined;
  /** For an integration of kind delegated; a new key keeps the former as the previous one. */
  readonly delegation: DelegationChangeBody | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly scopesPath: string;
  readonly publishingStatus: Integration['publishingStatus'] | undefined;
  readonly audience: Integration['audience'] | undefined;
  readonly mode: Integration['mode'] | undefined;
  readonly includeGrantedScopes: boolean | undefined;
  /** Null = none. */
  readonly hostedDomain: string | null | undefined;
  /** Only as it is: it is fixed at creation. */
  readonly agentic: boolean | undefined;
  /** New shared budget of its calls; `is` undefined = unlimited. */
  readonly budget: { readonly is: StoredBudget | undefined } | undefined;
  /** Quota of its Cloud project; `is` undefined = the provider's for new projects. */
  readonly quota: { readonly is: StoredQuota | undefined } | undefined;
  readonly by: Changing;
  readonly requestId: string;
  readonly actor: string;
}

/** The integration after the change, and the effects on its connections. */
export interface UpdatedIntegration {
  readonly integration: Integration;
  readonly warnings: readonly Problem[];
}

/**
 * Changes an integration. Record first, secret second: the record's version separates two writers.
 *
 * @throws GatewayError `unknown_integration`, `invalid_body`, `conflict`, `service_unavailable`
 */
export async function updateIntegration(
  deps: UpdateIntegrationDependencies,
  ref: IntegrationRef,
  change: IntegrationChange,
): Promise<UpdatedIntegration> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const current = await findIntegration(deps, ref);
    const { next, secret } = await plan(deps, current, change);
    const warnings = [
      ...(await foresee(deps, current, next)),
      ...(change.quota === undefined ? [] : quotaWarnings(deps, next)),
    ];
    if (next.integrationId !== current.integrationId) {
      if (!(await renameIntegration(deps, current, next, secret, change))) continue;
      return { integration: next, warnings };
    }
    const event = newEvent(deps.clock, deps.random, 'IntegrationUpdated', {
      subject: ref,
      sequence: next.sequence,
      health: clientHealthWord(next),
      requestId: change.requestId,
      actor: change.actor,
    });
    const isMoved = secret !== undefined && isElsewhere(deps, current) && next.secretId !== current.secretId;
    // The record always points to a secret.
    if (isMoved && next.secretId !== undefined) await moveSecret(deps, next.secretId, secret, change.requestId);
    if (!(await deps.integrations.update(next, current.version, event))) {
      if (isMoved) await forgetReplacedSecret(deps, next, current, change.requestId);
      continue;
    }
    if (!isMoved) await keepSecret(deps, next, secret, change.requestId);
    await forgetReplacedSecret(deps, current, next, change.requestId);
    return { integration: next, warnings };
  }
  throw new GatewayError('conflict', 'The integration is being changed by others at the moment. Try again.');
}

async function plan(
  deps: UpdateIntegrationDependencies,
  current: Integration,
  change: IntegrationChange,
): Promise<{ readonly next: Integration; readonly secret: ClientCredentials | undefined }> {
  const managedBy = managedAfter(current.managedBy, change.by, 'integration');
  const provider = deps.providers[current.provider];
  const problems: Problem[] = [];
  const scopes =
    change.scopes === undefined ? current.scopes : resolveScopes(provider, change.scopes, change.scopesPath, problems);
  const source = change.client === undefined ? (change.credentialsSource ?? current.credentialsSource) : 'own';
  problems.push(...(await changeProblems(deps, current, change)));
  problems.push(...settingProblems(provider, change.publishingStatus, change.client?.clientId));
  const { changed: secret, stored } = await planSecret(deps, current, change, source);
  // Any change moves a secret to where the deployment keeps them.
  const toKeep = secret ?? (isElsewhere(deps, current) ? stored : undefined);
  const delegation =
    current.delegation === undefined
      ? undefined
      : changedDelegation(current.delegation, change.delegation ?? {}, Math.floor(deps.clock.nowMs() / 1000));
  if (delegation !== undefined) {
    const { via, audience } = delegation;
    problems.push(
      ...delegationProblems(provider, {
        via,
        ...(audience === undefined ? {} : { audience }),
        ...(change.delegation?.key === undefined ? {} : { key: change.delegation.key }),
      }),
    );
    if (via === 'key' && delegation.keyId === undefined) {
      problems.push({ path: 'delegation.key', message: 'is required with via key: the JSON file of the key' });
    }
  }
  const ref = { accountId: current.accountId, integrationId: change.integrationId ?? current.integrationId };
  const own = source === 'own';
  const next = await withProjectOfQuota(deps.credentials, {
    ...current,
    ...ref,
    displayName: change.displayName ?? current.displayName,
    publicName: change.publicName === undefined ? current.publicName : (change.publicName ?? undefined),
    publicNames: change.publicNames === undefined ? current.publicNames : namesToKeep(change.publicNames),
    credentialsSource: source,
    clientId: own ? (secret?.clientId ?? current.clientId) : undefined,
    secretId: own ? secretIdOf(deps, current, ref, toKeep, delegation) : undefined,
    scopes,
    delegation,
    publishingStatus: change.publishingStatus ?? current.publishingStatus,
    audience: change.audience ?? current.audience,
    mode: change.mode ?? current.mode,
    includeGrantedScopes: change.includeGrantedScopes ?? current.includeGrantedScopes,
    hostedDomain: change.hostedDomain === undefined ? current.hostedDomain : (change.hostedDomain ?? undefined),
    budget: change.budget === undefined ? current.budget : change.budget.is,
    quota: change.quota === undefined ? current.quota : change.quota.is,
    managedBy,
    // New credentials are tried at once, without the old ones' cool-down.
    clientFault: secret === undefined && own && change.delegation === undefined ? current.clientFault : undefined,
    clientWorksSinceEpochSec:
      secret === undefined && source === current.credentialsSource ? current.clientWorksSinceEpochSec : undefined,
    suspectedFault: secret === undefined && own ? current.suspectedFault : undefined,
    // Evidence from the former client's grants does not apply to another app.
    ...(own && (secret?.clientId ?? current.clientId) === current.clientId
      ? {}
      : { testingSeenAtEpochSec: undefined, testingOverAtEpochSec: undefined }),
    sequence: current.sequence + 1,
    version: current.version + 1,
    updatedAt: new Date(deps.clock.nowMs()).toISOString(),
  });
  if (!own) problems.push(...(await testCredentialProblems(deps.credentials, next, provider)));
  if (problems.length > 0) throw refusal('invalid_body', problems);
  return { next, secret: next.secretId === undefined ? secret : toKeep };
}

/** Whether the integration's secret is not where the deployment keeps them. */
function isElsewhere({ clientSecrets }: UpdateIntegrationDependencies, { accountId, secretId }: Integration): boolean {
  return secretId !== undefined && clientSecrets.isOwn(accountId, secretId) && !clientSecrets.isInPlace(secretId);
}

/** The name of a service account key's secret follows the key; undefined without one. */
function secretIdOf(
  deps: UpdateIntegrationDependencies,
  current: Integration,
  ref: IntegrationRef,
  secret: ClientCredentials | undefined,
  delegation: Delegation | undefined,
): string | undefined {
  return delegation?.via === 'aws' ? undefined : secretIdAfter(deps, current, ref, secret);
}

/**
 * An integration keeps one secret, except for new credentials together with a new id, which are written first, for one that moves to
 * another place, and for an integration from another stack.
 */
function secretIdAfter(
  deps: UpdateIntegrationDependencies,
  current: Integration,
  ref: IntegrationRef,
  secret: ClientCredentials | undefined,
): string {
  const isRenamed = ref.integrationId !== current.integrationId;
  const isForeign = current.secretId !== undefined && !deps.clientSecrets.isOwn(current.accountId, current.secretId);
  const isNew = isRenamed || isForeign || isElsewhere(deps, current);
  const kept = isNew && secret !== undefined ? undefined : current.secretId;
  return kept ?? deps.clientSecrets.newName(ref);
}

/** Why a change is impossible: an own client without id or secret, a name that is in use. */
export async function changeProblems(
  deps: Pick<UpdateIntegrationDependencies, 'connections'>,
  current: Integration,
  change: Pick<IntegrationChange, 'integrationId' | 'client' | 'credentialsSource' | 'delegation' | 'agentic'>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const fixed = agenticChangeProblem(current, change.agentic);
  if (fixed !== undefined) problems.push({ path: 'agentic', message: fixed });
  if (current.agentic === true && change.credentialsSource === 'test') {
    problems.push({ path: 'credentials_source', message: AGENTIC_NEEDS_OWN_CLIENT });
  }
  const isRenamedTo = change.integrationId !== undefined && change.integrationId !== current.integrationId;
  if (current.delegation !== undefined) {
    for (const member of ['client', 'credentialsSource'] as const) {
      const path = member === 'client' ? 'credentials' : 'credentials_source';
      const message = 'leave this out: an integration of kind delegated has no OAuth client';
      if (change[member] !== undefined) problems.push({ path, message });
    }
    if (isRenamedTo && (await hasConnections(deps.connections, current))) problems.push(NAMED_BY_CALLS);
    return problems;
  }
  if (change.delegation !== undefined) {
    problems.push({ path: 'delegation', message: 'belongs to integrations of kind delegated' });
  }
  const source = change.client === undefined ? (change.credentialsSource ?? current.credentialsSource) : 'own';
  const clientId = change.client?.clientId ?? current.clientId;
  if (source === 'own' && clientId === undefined) {
    problems.push({
      path: 'credentials.client_id',
      message: 'is required: the integration has no OAuth client of its own yet',
    });
  }
  const isNewClient = clientId === undefined || clientId !== current.clientId;
  if (source === 'own' && isNewClient && change.client?.clientSecret === undefined) {
    problems.push({ path: 'credentials.client_secret', message: 'is required with a new client_id' });
  }
  if (isRenamedTo && (await hasConnections(deps.connections, current))) problems.push(NAMED_BY_CALLS);
  return problems;
}

/** The secret to store after the change, where it is another one, and the stored one. */
async function planSecret(
  deps: UpdateIntegrationDependencies,
  current: Integration,
  change: IntegrationChange,
  source: CredentialsSource,
): Promise<{ readonly changed?: ClientCredentials | undefined; readonly stored?: ClientCredentials | undefined }> {
  if (source === 'test') return {};
  const { accountId, secretId } = current;
  const stored = secretId === undefined ? undefined : await deps.clientSecrets.read(accountId, secretId);
  if (current.delegation !== undefined) {
    const key = change.delegation?.key;
    if (key === undefined) return { stored };
    return { changed: secretOfKey(storedClientId(current.delegation), key, stored), stored };
  }
  const clientId = change.client?.clientId ?? current.clientId;
  const clientSecret = change.client?.clientSecret;
  if (clientId === undefined || clientSecret === undefined) return { stored };
  const sameClient = stored?.clientId === clientId;
  if (sameClient && stored.clientSecret === clientSecret) return { stored };
  const previousClientSecret = sameClient ? stored.clientSecret : undefined;
  return { changed: { clientId, clientSecret, previousClientSecret }, stored };
}

/** Effects on grants: they belong to their OAuth client, so another client ends all of them. */
async function foresee(
  deps: UpdateIntegrationDependencies,
  current: Integration,
  next: Integration,
): Promise<Problem[]> {
  const before = current.clientId ?? (await deps.credentials.get(current))?.clientId;
  const after = next.clientId ?? (await deps.credentials.get(next))?.clientId;
  if (before === after || !(await hasConnections(deps.connections, current))) return [];
  return [
    {
      path: 'credentials.client_id',
      message:
        'the connections of this integration belong to the previous OAuth client: at their next refresh they will need a new authorization (cause credentials_changed)',
    },
  ];
}

async function moveSecret(
  deps: UpdateIntegrationDependencies,
  secretId: string,
  secret: ClientCredentials,
  requestId: string,
): Promise<void> {
  try {
    await deps.clientSecrets.create(secretId, secret);
  } catch (error) {
    deps.logger.error('client secret could not be moved', { requestId }, error);
    throw new GatewayError(
      'service_unavailable',
      'The integration was not changed, because its client secret could not be moved to where the deployment keeps them. Send the same request again.',
      { cause: error, retryAfterSec: 5 },
    );
  }
}

async function keepSecret(
  deps: UpdateIntegrationDependencies,
  integration: Integration,
  secret: ClientCredentials | undefined,
  requestId: string,
): Promise<void> {
  if (secret === undefined || integration.secretId === undefined) return;
  try {
    await deps.clientSecrets.write(integration.accountId, integration.secretId, secret);
    // This process has the old one cached.
    await deps.credentials.get(integration, { fresh: true, delegated: integration.delegation !== undefined });
  } catch (error) {
    deps.logger.error('client secret could not be written', { requestId }, error);
    throw new GatewayError(
      'service_unavailable',
      'The integration was changed but its client secret could not be stored. Send the same request again.',
      { cause: error, retryAfterSec: 5 },
    );
  }
}
