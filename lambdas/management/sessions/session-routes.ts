import * as z from 'zod';
import type { SessionIntegrationDefaults } from '../../gateway/authorization/connect-session.rules.ts';
import { type CreatedSession, makeSession } from '../../gateway/authorization/make-session.ts';
import { isFileId, type PickOptions } from '../../gateway/authorization/pick.rules.ts';
import { limitRate } from '../../gateway/calls/limit-rate.ts';
import type { EndUser } from '../../gateway/connections/connection.rules.ts';
import { findIntegration } from '../../gateway/connections/find-connection.ts';
import { GatewayError, type Problem } from '../../gateway/core/errors.ts';
import { ADMIN_SESSION_LIFETIME_SEC, PICKED_FILES_MAX, SESSION_INTEGRATIONS_MAX } from '../../gateway/core/limits.ts';
import { LANGUAGE_IDS } from '../../gateway/languages/language.rules.ts';
import { time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { CONNECTION, END_USER, INTEGRATION } from '../../gateway/openapi/sample.ts';
import { requireReach } from '../authenticate.ts';
import type { ValidPart } from '../request-input.ts';
import { type Caller, isoTime, type Route, route } from '../route.ts';
import {
  connectionId,
  endUser,
  hostedDomain,
  integrationId,
  organization,
  scopeText,
  tags,
  toEndUser,
} from '../schemas/common.ts';
import type { Services } from '../services.ts';
import {
  checkSession,
  createConnectSession,
  type NewSession,
  type RequestedSession,
} from './create-connect-session.ts';

/** Authorization parameters that a backend may fix for its users; the gateway sets all others. */
const authorizationParams = z.strictObject({
  login_hint: z.string().min(1).max(320).optional(),
  hd: hostedDomain.optional(),
  include_granted_scopes: z.enum(['true', 'false'], { error: 'must be "true" or "false"' }).optional(),
  prompt: z
    .string()
    .regex(/^(consent|select_account)( (consent|select_account))*$/, 'may hold consent and select_account')
    .optional(),
});

/** Language of the session's pages, instead of the browser's preference. */
const language = z.enum(LANGUAGE_IDS, { error: `must be one of: ${LANGUAGE_IDS.join(', ')}` });

/** Something for each of some integrations. */
function perIntegration<Value extends z.ZodType>(value: Value) {
  return z.record(integrationId, value).refine((entries) => Object.keys(entries).length <= SESSION_INTEGRATIONS_MAX, {
    message: `names at most ${SESSION_INTEGRATIONS_MAX} integrations`,
  });
}

const defaults = perIntegration(
  z.strictObject({
    user_scopes: z.string().optional(),
    authorization_params: authorizationParams.optional(),
    connection_config: z.strictObject({ oauth_scopes_override: scopeText.optional() }).optional(),
  }),
);

type Defaults = z.output<typeof defaults>;

/** Ids to show again: with the rest of the request they stay below the limits of browsers and front ends for an address. */
const PICKED_IDS_MAX_LENGTH = 4_000;

const optionalMembers = {
  organization: organization.nullish(),
  allowed_integrations: z
    .array(integrationId)
    .min(1, 'name at least one, or leave this out')
    .max(SESSION_INTEGRATIONS_MAX, `names at most ${SESSION_INTEGRATIONS_MAX}`)
    .optional(),
  integrations_config_defaults: defaults.optional(),
  overrides: perIntegration(z.strictObject({ docs_connect: z.string().max(2000).optional() })).optional(),
  webhook_url_override: z.string().max(2000).nullish(),
  tags: tags.optional(),
  return_url: z.string().max(2000).optional(),
  language: language.optional(),
  confirm: z.boolean().optional(),
};

/** Files for the user to pick. Lists become part of an address, comma-separated. */
const pick = z.strictObject({
  connection_id: connectionId.optional(),
  multiple: z.boolean().optional(),
  mime_types: z
    .array(z.string().regex(/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/, 'is no MIME type, such as application/pdf'))
    .min(1, 'name at least one, or leave this out')
    .max(20, 'names at most 20')
    .optional(),
  file_ids: z
    .array(z.string().refine(isFileId, 'is no file id'))
    .min(1, 'name at least one, or leave this out')
    .max(PICKED_FILES_MAX, `names at most ${PICKED_FILES_MAX}`)
    .refine((ids) => ids.join().length <= PICKED_IDS_MAX_LENGTH, {
      message: `may have ${PICKED_IDS_MAX_LENGTH} characters together, because they travel in an address; ask in several sessions`,
    })
    .optional(),
  folders: z.boolean().optional(),
});

/** Body of `POST /connect/sessions`. */
const createSessionBody = z
  .strictObject({
    end_user: endUser.optional(),
    ...optionalMembers,
    pick: pick.optional(),
    reuse_connection: z.boolean().optional(),
  })
  // A connection has an end user of its own.
  .refine((body) => (body.end_user ?? body.tags ?? body.pick?.connection_id) !== undefined, {
    path: ['end_user'],
    message: 'is required, as {"id": ...}, unless tags name the user of the session',
  });

/** Body of `POST /connect/sessions/reconnect`. */
const reconnectSessionBody = z
  .strictObject({
    connection_id: connectionId,
    integration_id: integrationId,
    end_user: endUser.optional(),
    ...optionalMembers,
    allow_account_change: z.boolean().optional(),
  })
  .omit({ allowed_integrations: true });

/** Body of `POST /connect/sessions/admin`. */
const adminSessionBody = z.strictObject({
  integration_id: integrationId,
  organization: organization.meta({ description: 'The customer whose administrator this is for.' }),
  language: language.optional(),
});

export type CreateSessionBody = z.output<typeof createSessionBody>;
export type ReconnectSessionBody = z.output<typeof reconnectSessionBody>;

const createdSession = documented(() =>
  z
    .object({
      data: z.object({
        token: z.string().meta({ description: 'Opens the session; shown only this once.' }),
        connect_link: z.string().meta({ description: 'Send the end user here.' }),
        expires_at: time(),
      }),
    })
    .meta({ id: 'CreatedConnectSession' }),
);

function created(session: CreatedSession): AnswerOf<typeof createdSession> {
  return {
    data: {
      token: session.token,
      connect_link: session.connectLink,
      expires_at: isoTime(session.expiresAtEpochSec),
    },
  };
}

const tag = 'Connect sessions';
const EXAMPLE = {
  data: {
    token: 'cs_q3J0c2VjcmV0LWV4YW1wbGUtb25seS1ub3QtcmVhbA',
    connect_link: 'https://gateway.example.com/v1/connect#session_token=cs_q3J0c2VjcmV0LWV4YW1wbGUtb25seS1ub3QtcmVhbA',
    expires_at: '2026-03-01T12:30:00.000Z',
  },
};

/** Connect sessions: requested by a backend for one end user. */
export const sessionRoutes: readonly Route[] = [
  route({
    method: 'POST',
    pattern: '/connect/sessions',
    access: { right: 'full' },
    creates: true,
    status: 201,
    body: createSessionBody,
    furtherProblems({ caller, body }, services) {
      const allowed = body.allowed_integrations ?? caller.integrationIds ?? [];
      for (const id of allowed) if (id !== undefined) requireReach(caller, id);
      return sessionProblems(services, caller, body, {
        allowedIntegrations: allowed,
        reconnect: pickTarget(body.pick?.connection_id, allowed),
        pick: body.pick,
      });
    },
    describe: documented(() => ({
      id: 'createConnectSession',
      tag,
      summary: 'Create a connect session for one end user; send the user to its connect_link',
      description:
        'The session is valid for 30 minutes and yields at most one connection. Without allowed_integrations, the end user chooses among all integrations. With confirm, the result waits for POST /connect/sessions/confirm. If the end user has a connection that needs a new authorization, a consent with the same Google account reauthorizes it instead of creating a second one; reuse_connection: false always creates one. With pick, the end user selects files in Google Drive for drive.file, for the given connection_id or for a new connection; GET /connect/session then returns them as picked. A session with pick needs exactly one integration in allowed_integrations.',
      answer: createdSession(),
      errors: [],
      example: { body: { end_user: END_USER, allowed_integrations: [INTEGRATION] }, answer: EXAMPLE },
    })),
    async handle({ caller, body, requestId }, services) {
      const allowed = body.allowed_integrations ?? caller.integrationIds ?? [];
      for (const id of allowed) requireReach(caller, id);
      const wanted = {
        ...sharedMembers(caller, body, requestId),
        allowedIntegrations: allowed,
        reconnect: pickTarget(body.pick?.connection_id, allowed),
        mayReuse: body.pick === undefined && body.reuse_connection !== false,
        allowAccountChange: false,
        pick: body.pick === undefined ? undefined : pickOptions(body.pick),
      };
      return created(await createConnectSession(services, wanted));
    },
  }),
  route({
    method: 'POST',
    pattern: '/connect/sessions/reconnect',
    access: { right: 'full' },
    creates: true,
    status: 201,
    body: reconnectSessionBody,
    furtherProblems({ caller, body }, services) {
      const { integration_id: integrationId, connection_id: connectionId } = body;
      if (integrationId !== undefined) requireReach(caller, integrationId);
      const isNamed = integrationId !== undefined && connectionId !== undefined;
      return sessionProblems(services, caller, body, {
        allowedIntegrations: [integrationId],
        reconnect: isNamed ? { integrationId, connectionId } : undefined,
        pick: undefined,
      });
    },
    describe: documented(() => ({
      id: 'createReconnectSession',
      tag,
      summary: 'Create a connect session that reauthorizes an existing connection',
      answer: createdSession(),
      errors: [],
      example: { body: { integration_id: INTEGRATION, connection_id: CONNECTION }, answer: EXAMPLE },
    })),
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
  route({
    method: 'POST',
    pattern: '/connect/sessions/admin',
    access: { right: 'full' },
    creates: true,
    status: 201,
    body: adminSessionBody,
    describe: documented(() => ({
      id: 'createAdminSession',
      tag,
      summary: 'Create a link for the administrator of a Workspace domain, who lists a service account and checks it',
      description:
        'For integrations of kind delegated. The link is valid for seven days. Its page has what to list at Google and checks it with an address of the domain, scope by scope. A domain belongs to the organization whose administrator checked it first; the links of other organizations answer 409 for it.',
      answer: createdSession(),
      errors: ['unknown_integration', 'not_supported'],
      example: {
        body: { integration_id: 'drive-domain', organization: { id: 'acme', display_name: 'Acme' } },
        answer: { data: { ...EXAMPLE.data, expires_at: '2026-03-08T12:00:00.000Z' } },
      },
    })),
    async handle({ caller, body, requestId }, services) {
      const { integration_id: integrationId, organization: customer, language: spoken } = body;
      requireReach(caller, integrationId);
      const { accountId, actor } = caller;
      const integration = await findIntegration(services, { accountId, integrationId });
      if (integration.delegation === undefined) {
        throw new GatewayError(
          'not_supported',
          'The integration is not of kind delegated: its users consent themselves.',
        );
      }
      await limitRate(services, accountId, 'connect_sessions');
      const terms = {
        accountId,
        endUser: undefined,
        tags: {},
        allowedIntegrations: [integrationId],
        defaults: {},
        reconnect: undefined,
        allowAccountChange: false,
        returnUrl: undefined,
        language: spoken,
        confirm: false,
        admin: { organization: { id: customer.id, displayName: customer.display_name ?? undefined } },
      };
      const lifetimeSec = ADMIN_SESSION_LIFETIME_SEC;
      return created(await makeSession(services, terms, { endUserId: undefined, lifetimeSec, requestId, actor }));
    },
  }),
];

/** Connections are named under their integration; the wrong number of integrations is reported with the rest. */
function pickTarget(
  connectionId: string | undefined,
  allowed: readonly (string | undefined)[],
): NewSession['reconnect'] {
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
    language: body.language,
    confirm: body.confirm ?? false,
    requestId,
    actor: caller.actor,
  };
}

type PartOfBody = ValidPart<CreateSessionBody> | ValidPart<ReconnectSessionBody>;

/** Problems of a session, as far as its body is valid. */
async function sessionProblems(
  services: Services,
  caller: Caller,
  body: PartOfBody,
  members: Pick<RequestedSession, 'allowedIntegrations' | 'reconnect' | 'pick'>,
): Promise<readonly Problem[]> {
  const { problems } = await checkSession(services, {
    accountId: caller.accountId,
    endUser: body.end_user,
    defaults: defaultsOf(body),
    returnUrl: body.return_url,
    confirm: body.confirm ?? false,
    ...members,
  });
  return problems;
}

function defaultsOf(body: PartOfBody): Record<string, SessionIntegrationDefaults> {
  const given: ValidPart<Defaults> = body.integrations_config_defaults ?? {};
  return Object.fromEntries(
    Object.entries(given).map(([id, one]) => {
      const scopes = one?.connection_config?.oauth_scopes_override?.filter((scope) => scope !== undefined);
      const authorizationParams: Record<string, string> = {};
      for (const [name, value] of Object.entries(one?.authorization_params ?? {})) {
        if (value !== undefined) authorizationParams[name] = value;
      }
      return [id, { scopes, authorizationParams }];
    }),
  );
}
