import type { SessionIntegrationDefaults } from '../../gateway/authorization/connect-session.rules.ts';
import type { PickOptions } from '../../gateway/authorization/pick.rules.ts';
import type { EndUser } from '../../gateway/connections/connection.rules.ts';
import { requireReach } from '../authenticate.ts';
import { isoTime } from '../integrations/integration-routes.ts';
import { bodyRoute, type Caller, type Route } from '../route.ts';
import { noQuery } from '../schemas/common.ts';
import {
  type CreateSessionBody,
  confirmBody,
  createSessionBody,
  type ReconnectSessionBody,
  reconnectSessionBody,
} from '../schemas/sessions.ts';
import { confirmConnection } from '../sessions/confirm-connection.ts';
import { type CreatedSession, createConnectSession, type NewSession } from '../sessions/create-connect-session.ts';
import { connectionListItem } from '../wire/connection.ts';
import { toEndUser } from '../wire/end-user.ts';

/** Connect sessions: what a backend asks for on behalf of one end user. */
export const sessionRoutes: readonly Route[] = [
  bodyRoute({
    method: 'POST',
    pattern: '/connect/sessions',
    access: { right: 'full' },
    summary: 'A short-lived session for one end user to connect; send the user to connect_link',
    query: noQuery,
    body: createSessionBody,
    async handle({ caller, body, requestId }, services) {
      const allowed = body.allowed_integrations ?? caller.integrationIds ?? [];
      for (const id of allowed) requireReach(caller, id);
      const wanted = {
        ...sharedMembers(caller, body, requestId),
        allowedIntegrations: allowed,
        reconnect: pickTarget(body.pick?.connection_id, allowed),
        allowAccountChange: false,
        pick: body.pick === undefined ? undefined : pickOptions(body.pick),
      };
      return created(await createConnectSession(services, wanted));
    },
  }),
  bodyRoute({
    method: 'POST',
    pattern: '/connect/sessions/reconnect',
    access: { right: 'full' },
    summary: 'The same for an existing connection',
    query: noQuery,
    body: reconnectSessionBody,
    async handle({ caller, body, requestId }, services) {
      const { integration_id: integrationId, connection_id: connectionId } = body;
      requireReach(caller, integrationId);
      const wanted = {
        ...sharedMembers(caller, body, requestId),
        allowedIntegrations: [integrationId],
        reconnect: { integrationId, connectionId },
        allowAccountChange: body.allow_account_change ?? false,
      };
      return created(await createConnectSession(services, wanted));
    },
  }),
  bodyRoute({
    method: 'POST',
    pattern: '/connect/sessions/confirm',
    access: { right: 'full' },
    summary: 'Confirm that the browser which finished a session with confirm belongs to its end user',
    query: noQuery,
    body: confirmBody,
    async handle({ caller, body, requestId }, services) {
      const { accountId, actor } = caller;
      const confirmation = { accountId, handle: body.handle, endUserId: body.end_user_id, requestId, actor };
      const confirmed = await confirmConnection(services, confirmation, (id) => requireReach(caller, id));
      const { connection, missingScopes } = confirmed;
      const data = {
        ...connectionListItem({ ...connection, cause: undefined }),
        missing_scopes: missingScopes,
        is_reconnect: confirmed.isReconnect,
      };
      return { status: 200, body: { data } };
    },
  }),
];

/** Connections are named under their integration; the wrong number of integrations is reported with the rest. */
function pickTarget(connectionId: string | undefined, allowed: readonly string[]): NewSession['reconnect'] {
  const [integrationId] = allowed;
  return connectionId === undefined || integrationId === undefined ? undefined : { integrationId, connectionId };
}

function pickOptions(pick: NonNullable<CreateSessionBody['pick']>): PickOptions {
  return {
    multiple: pick.multiple ?? false,
    mimeTypes: pick.mime_types ?? [],
    fileIds: [...new Set(pick.file_ids)],
    folders: pick.folders ?? false,
  };
}

type SharedMembers = Omit<NewSession, 'allowedIntegrations' | 'reconnect' | 'allowAccountChange' | 'pick'>;

function sharedMembers(
  caller: Caller,
  body: CreateSessionBody | ReconnectSessionBody,
  requestId: string,
): SharedMembers {
  const endUser: EndUser | undefined =
    body.end_user === undefined ? undefined : toEndUser(body.end_user, body.organization ?? undefined);
  return {
    accountId: caller.accountId,
    endUser,
    tags: body.tags ?? {},
    defaults: defaultsOf(body),
    returnUrl: body.return_url,
    confirm: body.confirm ?? false,
    requestId,
    actor: caller.actor,
  };
}

function defaultsOf(body: CreateSessionBody | ReconnectSessionBody): Record<string, SessionIntegrationDefaults> {
  const given = body.integrations_config_defaults ?? {};
  return Object.fromEntries(
    Object.entries(given).map(([id, one]) => {
      const scopes = one.connection_config?.oauth_scopes_override;
      const authorizationParams: Record<string, string> = {};
      for (const [name, value] of Object.entries(one.authorization_params ?? {})) {
        if (value !== undefined) authorizationParams[name] = value;
      }
      return [id, { scopes, authorizationParams }];
    }),
  );
}

function created(session: CreatedSession) {
  return {
    status: 201,
    body: {
      data: {
        token: session.token,
        connect_link: session.connectLink,
        expires_at: isoTime(session.expiresAtEpochSec),
      },
    },
  };
}
