import { scopesToRequest } from '../../gateway/authorization/authorization-url.rules.ts';
import {
  type ConnectSession,
  requiredDomain,
  type SessionIntegrationDefaults,
} from '../../gateway/authorization/connect-session.rules.ts';
import { type CreatedSession, makeSession } from '../../gateway/authorization/make-session.ts';
import { mayPick, type PickOptions, pickObstacle } from '../../gateway/authorization/pick.rules.ts';
import type { ConnectSessionStore } from '../../gateway/authorization/ports.ts';
import { type LimitRateDependencies, limitRate } from '../../gateway/calls/limit-rate.ts';
import { type Connection, type EndUser, endUserIdOf } from '../../gateway/connections/connection.rules.ts';
import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { agenticObstacle } from '../../gateway/core/agentic.ts';
import { type Problem, refusal } from '../../gateway/core/errors.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import { REUSABLE_CONNECTIONS_MAX } from '../../gateway/core/limits.ts';
import { ownMember } from '../../gateway/core/own-member.ts';
import type { Random } from '../../gateway/core/ports.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import { resolveScopes } from '../../gateway/integrations/resolve-scopes.ts';
import type { Language } from '../../gateway/languages/language.rules.ts';
import type { Providers } from '../../gateway/providers/provider.rules.ts';
import { missingScopes } from '../../gateway/providers/scopes.rules.ts';
import { connectionsOfUser } from '../connections/connections-of-user.ts';
import type { ListConnectionsDependencies } from '../connections/list-connections.ts';
import { mirroredTags } from '../connections/update-description.ts';

export interface CreateSessionDependencies extends LimitRateDependencies, ListConnectionsDependencies {
  readonly sessions: ConnectSessionStore;
  readonly integrations: IntegrationStore;
  readonly connections: ConnectionStore;
  readonly providers: Providers;
  readonly connectReturnUrls: readonly string[];
  /** Origins of apps that may open the connect page in a window and receive its result. */
  readonly connectAllowedOrigins: readonly string[];
  readonly baseUrl: string;
  readonly random: Random;
}

/** Settings of a new session. */
export interface NewSession {
  readonly accountId: string;
  readonly endUser: EndUser | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** Empty = every integration of the account; at most `SESSION_INTEGRATIONS_MAX`. */
  readonly allowedIntegrations: readonly string[];
  /** At most `SESSION_INTEGRATIONS_MAX`; scopes still as written. */
  readonly defaults: Readonly<Record<string, SessionIntegrationDefaults>>;
  /** The existing connection, with the names of the request's members that named it. */
  readonly reconnect: { readonly integrationId: string; readonly connectionId: string } | undefined;
  /** Whether a consent with the account of a connection of the end user that needs one reauthorizes it. @default false */
  readonly mayReuse?: boolean;
  readonly allowAccountChange: boolean;
  readonly returnUrl: string | undefined;
  /** Language of its pages. @default the browser's preference */
  readonly language?: Language | undefined;
  /** Files for its user to pick, for `reconnect` or for a new connection. */
  readonly pick?: PickOptions | undefined;
  /** Whether its grant waits until the backend confirms it (CS-15). */
  readonly confirm: boolean;
  /** Seconds until it ends. @default the life of a session that begins in the app */
  readonly lifetimeSec?: number | undefined;
  /** The batch of reconnect links that it belongs to. */
  readonly batchId?: string | undefined;
  readonly requestId: string;
  readonly actor: string;
}

/**
 * Creates a connect session: a short-lived right of one end user to connect once (CS-1).
 *
 * @throws GatewayError `invalid_body` for unknown integrations, connections, scopes and return URLs, all at once;
 * `rate_limited`
 */
export async function createConnectSession(
  deps: CreateSessionDependencies,
  wanted: NewSession,
): Promise<CreatedSession> {
  const { problems, defaults, existing } = await checkSession(deps, wanted);
  if (problems.length > 0) throw refusal('invalid_body', problems);
  await limitRate(deps, wanted.accountId, 'connect_sessions');

  const { requestId, actor, lifetimeSec, batchId } = wanted;
  const terms = {
    accountId: wanted.accountId,
    endUser: wanted.endUser,
    tags: mirroredTags(wanted.tags, wanted.endUser),
    allowedIntegrations: wanted.allowedIntegrations,
    defaults,
    reconnect: wanted.reconnect,
    reusable: wanted.mayReuse === true ? await reusableOf(deps, wanted) : undefined,
    allowAccountChange: wanted.allowAccountChange,
    returnUrl: wanted.returnUrl,
    language: wanted.language,
    confirm: wanted.confirm,
    pick: wanted.pick,
  };
  return makeSession(deps, terms, { endUserId: endUserOf(wanted, existing), lifetimeSec, batchId, requestId, actor });
}

/** Connections of the session's end user whose grant has ended, newest first. */
async function reusableOf(
  deps: ListConnectionsDependencies,
  { accountId, endUser, tags, allowedIntegrations }: NewSession,
): Promise<ConnectSession['reusable']> {
  const endUserId = endUserIdOf({ endUser, tags });
  if (endUserId === undefined) return undefined;
  const filter = {
    status: 'reauthorization_required',
    ...(allowedIntegrations.length === 0 ? {} : { integrationIds: allowedIntegrations }),
  };
  const found = await connectionsOfUser(deps, accountId, endUserId, filter, REUSABLE_CONNECTIONS_MAX);
  const refs = found.map(({ integrationId, connectionId }) => ({ integrationId, connectionId }));
  return refs.length === 0 ? undefined : refs;
}

/** The session's end user: from its own member, its tags, or its connection. */
function endUserOf(wanted: NewSession, existing: Connection | undefined): string | undefined {
  return endUserIdOf(wanted) ?? existing?.endUser?.id;
}

/** Input of a session's rules; `undefined` replaces an integration with an invalid id. */
export type RequestedSession = Pick<NewSession, 'accountId' | 'defaults' | 'reconnect' | 'returnUrl' | 'confirm'> & {
  readonly endUser: object | undefined;
  readonly pick?: object | undefined;
  readonly allowedIntegrations: readonly (string | undefined)[];
};

/** All problems of a session, and its defaults. */
export async function checkSession(
  deps: CreateSessionDependencies,
  wanted: RequestedSession,
): Promise<{
  readonly problems: readonly Problem[];
  readonly defaults: Record<string, SessionIntegrationDefaults>;
  /** Its existing connection, if any. */
  readonly existing: Connection | undefined;
}> {
  const problems: Problem[] = [];
  const fixed = await checkIntegrations(deps, wanted, problems);
  if (wanted.returnUrl !== undefined && !deps.connectReturnUrls.includes(wanted.returnUrl)) {
    problems.push({
      path: 'return_url',
      message: 'must be exactly one of the URLs that the deployment lists for returning (option connectReturnUrls)',
    });
  }
  const existing =
    wanted.reconnect === undefined
      ? undefined
      : await checkReconnect(
          deps.connections,
          { accountId: wanted.accountId, ...wanted.reconnect },
          wanted.pick === undefined ? 'connection_id' : 'pick.connection_id',
          problems,
        );
  const defaults = wanted.pick === undefined ? fixed : await checkPick(deps, wanted, fixed, existing, problems);
  if (wanted.confirm) checkConfirmable(deps, wanted, existing, problems);
  return { problems, defaults, existing };
}

/**
 * Every integration that the session names must exist, and its defaults must be for allowed ones, which bounds the reads of a request
 * (CS-19); scopes among the defaults must be the integration's (CS-17).
 */
async function checkIntegrations(
  deps: CreateSessionDependencies,
  wanted: RequestedSession,
  problems: Problem[],
): Promise<Record<string, SessionIntegrationDefaults>> {
  const defaults = new Map<string, SessionIntegrationDefaults>();
  const named = new Map<string, string>();
  for (const [i, id] of wanted.allowedIntegrations.entries()) {
    if (id !== undefined) named.set(id, `allowed_integrations[${i}]`);
  }
  if (wanted.reconnect !== undefined) named.set(wanted.reconnect.integrationId, 'integration_id');
  for (const id of Object.keys(wanted.defaults)) {
    const path = `integrations_config_defaults.${id}`;
    if (named.has(id)) continue;
    if (wanted.allowedIntegrations.length === 0) named.set(id, path);
    else problems.push({ path, message: 'is not among the integrations that this session allows' });
  }
  await Promise.all(
    [...named].map(async ([integrationId, path]) => {
      const integration = await deps.integrations.get({ accountId: wanted.accountId, integrationId });
      if (integration === undefined) {
        problems.push({ path, message: 'there is no integration with this unique_key' });
        return;
      }
      if (integration.delegation !== undefined && named.size === 1) {
        problems.push({ path, message: NOBODY_CONSENTS });
        return;
      }
      const given = ownMember(wanted.defaults, integrationId);
      if (given === undefined) return;
      const scopesPath = `integrations_config_defaults.${integrationId}`;
      const scopes =
        given.scopes === undefined
          ? undefined
          : resolveScopes(deps.providers[integration.provider], given.scopes, scopesPath, problems);
      const added = missingScopes(
        scopes ?? [],
        scopesToRequest(integration.scopes, deps.providers[integration.provider].server),
      );
      if (added.length > 0) {
        problems.push({
          path: scopesPath,
          message: `the integration does not ask for ${added.join(' ')}; a session can omit scopes but cannot add any, so add them to the integration first`,
        });
      }
      const { hostedDomain } = integration;
      const { hd } = given.authorizationParams;
      if (hd !== undefined && requiredDomain(hostedDomain, hd) !== hd) {
        problems.push({
          path: scopesPath,
          message: `the integration accepts only accounts of ${hostedDomain}, so hd cannot be ${hd}`,
        });
      }
      defaults.set(integrationId, { ...given, scopes });
    }),
  );
  return Object.fromEntries(defaults);
}

const NOBODY_CONSENTS =
  'its users are connected by a service account and give no consent, so they get no link; POST /connect/sessions/admin creates one for the administrator of their domain';

async function checkReconnect(
  connections: ConnectionStore,
  ref: ConnectionRef,
  path: string,
  problems: Problem[],
): Promise<Connection | undefined> {
  const connection = await connections.read(ref);
  if (connection !== undefined && connection.status !== 'deleted') return connection;
  problems.push({ path, message: 'there is no such connection under this integration' });
  return undefined;
}

/**
 * A pick is for one integration with the picker's scope, and its session requests only that scope (PK-5, CS-17).
 *
 * @returns the session's defaults with that scope
 */
async function checkPick(
  deps: CreateSessionDependencies,
  wanted: RequestedSession,
  fixed: Record<string, SessionIntegrationDefaults>,
  existing: Connection | undefined,
  problems: Problem[],
): Promise<Record<string, SessionIntegrationDefaults>> {
  const [integrationId] = wanted.allowedIntegrations;
  if (wanted.allowedIntegrations.length !== 1) {
    const message = 'name exactly one integration if files are to be picked';
    problems.push({ path: 'allowed_integrations', message });
  }
  if (wanted.allowedIntegrations.length !== 1 || integrationId === undefined) return fixed;
  const integration = await deps.integrations.get({ accountId: wanted.accountId, integrationId });
  if (integration === undefined) return fixed;
  const provider = deps.providers[integration.provider];
  const { picker } = provider;
  const unpickable = agenticObstacle(integration, 'The file picker opens files for REST calls');
  if (unpickable !== undefined) {
    problems.push({ path: 'pick', message: unpickable });
    return fixed;
  }
  if (picker === undefined) {
    problems.push({ path: 'pick', message: `${provider.displayName} has no file picker` });
    return fixed;
  }
  const say = (path: string, message: string) => problems.push({ path, message });
  if (!mayPick(provider, integration.scopes)) {
    say(
      'pick',
      `the integration does not ask for ${picker.scope}; a session cannot add scopes, so add it to the integration first`,
    );
  }
  const obstacle = existing === undefined ? undefined : pickObstacle(provider, existing);
  if (obstacle !== undefined) say('pick.connection_id', obstacle);
  const given = ownMember(fixed, integrationId);
  if (given?.scopes !== undefined && missingScopes(given.scopes, [picker.scope]).length > 0) {
    say(`integrations_config_defaults.${integrationId}`, `a pick asks for ${picker.scope} alone; omit other scopes`);
  }
  if (wanted.confirm) {
    say(
      'confirm',
      'cannot be combined with pick, which does not prove who owns the account: connect with confirm first, then pick for that connection',
    );
  }
  if (existing === undefined && requiredDomain(integration.hostedDomain, given?.authorizationParams.hd) !== undefined) {
    say('pick', 'does not prove the domain of an account: connect first, then pick for that connection');
  }
  const authorizationParams = given?.authorizationParams ?? {};
  return { ...fixed, [integrationId]: { scopes: [picker.scope], authorizationParams } };
}

/** Confirmation requires an end user to compare, and a way to return the handle to the app. */
function checkConfirmable(
  deps: CreateSessionDependencies,
  wanted: RequestedSession,
  existing: Connection | undefined,
  problems: Problem[],
): void {
  if ((wanted.endUser ?? existing?.endUser) === undefined) {
    problems.push({
      path: 'end_user',
      message:
        'is required with confirm, as {"id": ...}: your backend confirms for which end user the browser came back',
    });
  }
  if (wanted.returnUrl === undefined && deps.connectAllowedOrigins.length === 0) {
    problems.push({
      path: 'confirm',
      message:
        'needs a way back to your app: a return_url, or a page of an origin that the deployment lists (option connectAllowedOrigins)',
    });
  }
}
