import * as z from 'zod';
import { findIntegration } from '../../gateway/connections/find-connection.ts';
import { GatewayError, type Problem } from '../../gateway/core/errors.ts';
import {
  CLIENT_HEALTH_STATUSES,
  clientHealthOf,
  holdsClientSecret,
  type Integration,
  treatedAsTestingSince,
} from '../../gateway/integrations/integration.rules.ts';
import { resolveScopes } from '../../gateway/integrations/resolve-scopes.ts';
import type { Language } from '../../gateway/languages/language.rules.ts';
import { count, nextCursor, problem, success, texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { INTEGRATION, INTEGRATION_ANSWER } from '../../gateway/openapi/sample.ts';
import { PROVIDER_IDS, type Provider } from '../../gateway/providers/provider.rules.ts';
import { reachedIntegration, reaches } from '../authenticate.ts';
import { pageOf } from '../list-page.ts';
import { judged, type ValidPart } from '../request-input.ts';
import { type Caller, grantRoute, isoTime, isoTimeOrNull, type Route, type RouteCall } from '../route.ts';
import { budgetAnswer, budgetBody, budgetOfBody, budgetOnTheWire } from '../schemas/budget.ts';
import {
  booleanParam,
  clientId,
  clientSecret,
  cursorQuery,
  hostedDomain,
  ignoredObject,
  integrationId,
  label,
  revokeParam,
  scopeText,
} from '../schemas/common.ts';
import { changing, forceQuery, managedByAnswer, managedByOnTheWire } from '../schemas/managed-by.ts';
import { quotaAnswer, quotaBody, quotaOfBody, quotaOnTheWire } from '../schemas/quota.ts';
import type { GrantServices } from '../services.ts';
import { AGENTIC_NEEDS_OWN_CLIENT, createIntegration, type NewIntegration } from './create-integration.ts';
import {
  delegationAnswer,
  delegationBody,
  delegationChangeBody,
  delegationOnTheWire,
  delegationProblems,
} from './delegation-schema.ts';
import { deleteIntegration } from './delete-integration.ts';
import { quotaWarnings } from './quota-risks.ts';
import { changeProblems, type IntegrationChange, updateIntegration } from './update-integration.ts';

const provider = z.enum(PROVIDER_IDS, { error: `must be one of: ${PROVIDER_IDS.join(', ')}` });

const noSecret = (text: string) =>
  holdsClientSecret(text) ? 'holds a client secret, which only credentials.client_secret may' : undefined;

const newIntegrationId = judged(integrationId, noSecret);

const oauthType = z.literal('OAUTH2', { error: 'must be OAUTH2' });

const client = z.strictObject({
  type: oauthType,
  client_id: clientId,
  client_secret: clientSecret,
  scopes: scopeText.nullish(),
  webhook_secret: z.null().optional(),
});

/** A change of the client: the id may be omitted when only the secret is rotated. */
const clientChange = z.strictObject({
  type: oauthType,
  client_id: clientId.optional(),
  client_secret: clientSecret.optional(),
  scopes: scopeText.nullish(),
  webhook_secret: z.null().optional(),
});

const ignored = {
  forward_webhooks: z.boolean().optional(),
  integration_config: ignoredObject,
  custom: ignoredObject,
};

const publicNameIn = judged(label, noSecret).optional();

/** Names for end users by language: a member for each, so that clients have them in their types. */
const publicNames = z.strictObject({
  en: publicNameIn,
  de: publicNameIn,
  fr: publicNameIn,
  es: publicNameIn,
  pt: publicNameIn,
  ja: publicNameIn,
} satisfies Record<Language, unknown>);

const settings = {
  display_name: judged(label, noSecret).optional(),
  public_name: judged(label, noSecret).nullish(),
  public_names: publicNames.nullish(),
  scopes: z.array(z.string().min(1).max(200)).min(1, 'name at least one scope').max(50, 'at most 50 scopes').optional(),
  publishing_status: z.enum(['testing', 'production'], { error: 'must be testing or production' }).optional(),
  audience: z.enum(['external', 'internal'], { error: 'must be external or internal' }).optional(),
  mode: z.enum(['test', 'live'], { error: 'must be test or live' }).optional(),
  include_granted_scopes: z.boolean().optional(),
  hosted_domain: hostedDomain.nullish(),
  budget: budgetBody.nullish(),
  quota: quotaBody.nullish(),
};

const credentialsSource = z.enum(['own', 'test'], { error: 'must be own or test' }).optional();

/** Body of `POST /integrations`. */
const createIntegrationBody = z
  .strictObject({
    provider,
    unique_key: newIntegrationId,
    ...settings,
    kind: z
      .enum(['oauth', 'delegated'], { error: 'must be oauth or delegated' })
      .optional()
      .meta({ description: 'delegated: a service account acts for users of Workspace domains. The default is oauth.' }),
    delegation: delegationBody.optional(),
    agentic: z.boolean().optional().meta({
      description:
        'True where the OAuth client is marked for AI agents at Google: assistants call Google’s MCP servers with it, and the gateway sends no REST calls. Fixed for the life of the integration. The default is false.',
    }),
    credentials: client.optional(),
    credentials_source: credentialsSource,
    ...ignored,
  })
  .superRefine((body, context) => {
    const problem = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (body.agentic === true && body.kind === 'delegated') {
      problem('agentic', 'leave this out: a service account has no OAuth client that could be marked for AI agents');
    }
    if (body.agentic === true && body.credentials_source === 'test') problem('agentic', AGENTIC_NEEDS_OWN_CLIENT);
    if (body.kind === 'delegated') {
      if (body.delegation === undefined) {
        problem('delegation', 'is required: {"service_account","client_id","project_number","via","subjects"}');
      }
      for (const member of ['credentials', 'credentials_source', 'hosted_domain'] as const) {
        if (body[member] !== undefined)
          problem(member, 'leave this out: an integration of kind delegated has no OAuth client');
      }
      return;
    }
    if (body.delegation !== undefined) problem('delegation', 'belongs to integrations of kind delegated');
    if (body.credentials_source === 'test' && body.credentials !== undefined) {
      problem('credentials', 'leave this out: test credentials are the operator’s');
    }
    if (body.credentials_source !== 'test' && body.credentials === undefined) {
      problem(
        'credentials',
        'is required: {"type":"OAUTH2","client_id","client_secret"}; or set credentials_source to test',
      );
    }
    if (body.scopes !== undefined && hasText(body.credentials?.scopes)) {
      problem('scopes', 'send scopes here or in credentials.scopes, not in both');
    }
  });

/** Body of `POST /integrations/quickstart`. */
const quickstartBody = z.strictObject({ provider, unique_key: newIntegrationId, ...settings, ...ignored });

/** Body of `PATCH /integrations/{id}`. */
const updateIntegrationBody = z
  .strictObject({
    unique_key: newIntegrationId.optional(),
    ...settings,
    delegation: delegationChangeBody.optional(),
    agentic: z
      .boolean()
      .optional()
      .meta({ description: 'Fixed when the integration is created; only the present value is accepted.' }),
    credentials: clientChange.optional(),
    credentials_source: credentialsSource,
    ...ignored,
  })
  .superRefine((body, context) => {
    const problem = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (body.credentials_source === 'test' && body.credentials !== undefined) {
      problem('credentials', 'leave this out: test credentials are the operator’s');
    }
    if (body.scopes !== undefined && hasText(body.credentials?.scopes)) {
      problem('scopes', 'send scopes here or in credentials.scopes, not in both');
    }
  });

/** Query of `GET /integrations/{id}`. */
const integrationQuery = z.strictObject({
  include: z
    .union([z.enum(['webhook', 'credentials']), z.array(z.enum(['webhook', 'credentials']))], {
      error: 'must be webhook or credentials',
    })
    .transform((value) => (typeof value === 'string' ? [value] : value))
    .optional(),
});

/** Query of `DELETE /integrations/{id}`. */
const deleteIntegrationQuery = forceQuery.extend({
  revoke: revokeParam.optional(),
  if_unused: booleanParam.optional(),
});

export type CreateIntegrationBody = z.output<typeof createIntegrationBody>;
export type QuickstartBody = z.output<typeof quickstartBody>;
export type UpdateIntegrationBody = z.output<typeof updateIntegrationBody>;

function hasText(scopes: readonly string[] | null | undefined): boolean {
  return scopes !== undefined && scopes !== null && scopes.length > 0;
}

const integrationAnswer = documented(() =>
  z
    .object({
      unique_key: z.string().meta({ description: 'Its id, sent as Provider-Config-Key in calls.' }),
      provider: z.enum(PROVIDER_IDS),
      display_name: z.string(),
      public_name: z.string().nullable().meta({
        description: 'Name on pages that end users see; null = display_name.',
      }),
      public_names: z
        .object({
          en: z.string().optional(),
          de: z.string().optional(),
          fr: z.string().optional(),
          es: z.string().optional(),
          pt: z.string().optional(),
          ja: z.string().optional(),
        } satisfies Record<Language, unknown>)
        .nullable()
        .meta({
          description: 'The name for readers of these languages, instead of public_name; null removes them all.',
        }),
      logo: z.string(),
      forward_webhooks: z.boolean(),
      created_at: time(),
      updated_at: time(),
      scopes: texts(),
      kind: z.enum(['oauth', 'delegated']),
      delegation: delegationAnswer().nullable().meta({ description: 'Null for kind oauth.' }),
      credentials_source: z.enum(['own', 'test']),
      publishing_status: z.enum(['testing', 'production']),
      audience: z.enum(['external', 'internal']),
      mode: z.enum(['test', 'live']),
      include_granted_scopes: z.boolean(),
      hosted_domain: z.string().nullable().meta({
        description:
          'Only accounts of this Workspace domain can connect; * = any Workspace domain; null = every account.',
      }),
      agentic: z.boolean().meta({
        description:
          'Whether the OAuth client is marked for AI agents: no proxy, feeds or file picker, and no REST calls at all.',
      }),
      budget: budgetAnswer().nullable().meta({
        description: 'What the calls of all its connections may take together; null = not limited.',
      }),
      quota: quotaAnswer().nullable().meta({
        description: 'Google’s quotas of its Cloud project; null = those of new projects (GET /quota shows them).',
      }),
      managed_by: managedByAnswer().nullable(),
      testing_seen_at: time().nullable().meta({
        description:
          'Time of a consent which showed that Google treats the app as External and in Testing, whatever publishing_status says: such grants end after seven days. Null if grants do not show this.',
      }),
      credentials_fault: z
        .object({ error: z.string(), since: time(), retry_at: time() })
        .nullable()
        .meta({ description: 'Present while the provider refuses the OAuth client.' }),
      health: z
        .object({
          status: z.enum(CLIENT_HEALTH_STATUSES),
          reason: z.string().nullable().meta({ description: 'Google’s error about the OAuth client.' }),
          certain: z.boolean().nullable().meta({ description: 'For a refusal: false if it is only likely.' }),
          since: time().nullable(),
          who: z
            .enum(['developer', 'operator'])
            .nullable()
            .meta({ description: 'Who can fix a refusal: operator if the integration uses the test credentials.' }),
          remedy: z.string().nullable(),
        })
        .meta({
          id: 'IntegrationHealth',
          description:
            'Whether Google accepts the OAuth client: not_checked_yet until its first success, also after a change of credentials, then working.',
        }),
      webhook_url: z.null().optional().meta({ description: 'With include=webhook.' }),
      credentials: z
        .object({
          type: z.literal('OAUTH2'),
          client_id: z.string().nullable(),
          client_secret: z.literal('').meta({ description: 'Always empty: client secrets are never shown.' }),
          scopes: z.string().nullable(),
          webhook_secret: z.null(),
        })
        .optional()
        .meta({ description: 'With include=credentials.' }),
    })
    .meta({ id: 'Integration' }),
);

const oneIntegration = documented(() => z.object({ data: integrationAnswer() }).meta({ id: 'IntegrationAnswer' }));

const changedIntegration = documented(() =>
  z.object({ data: integrationAnswer(), warnings: z.array(problem()) }).meta({ id: 'ChangedIntegration' }),
);

export type IntegrationPart = 'webhook' | 'credentials';

/** A connect session belongs to one end user, who must not see the domains, budget and quota of the whole integration. */
function asSeenBy({ session }: Caller, integration: Integration): Integration {
  return session === undefined
    ? integration
    : { ...integration, delegation: undefined, budget: undefined, quota: undefined, managedBy: undefined };
}

/** An integration in the API's spelling, without the client secret. */
function integrationOnTheWire(
  integration: Integration,
  provider: Provider,
  include: readonly IntegrationPart[] = [],
): AnswerOf<typeof integrationAnswer> {
  const fault = integration.clientFault;
  return {
    unique_key: integration.integrationId,
    provider: integration.provider,
    display_name: integration.displayName,
    public_name: integration.publicName ?? null,
    public_names: integration.publicNames ?? null,
    logo: provider.logoUrl,
    forward_webhooks: false,
    created_at: integration.createdAt,
    updated_at: integration.updatedAt,
    scopes: integration.scopes,
    kind: integration.delegation === undefined ? 'oauth' : 'delegated',
    delegation: integration.delegation === undefined ? null : delegationOnTheWire(integration.delegation),
    credentials_source: integration.credentialsSource,
    publishing_status: integration.publishingStatus,
    audience: integration.audience,
    mode: integration.mode,
    include_granted_scopes: integration.includeGrantedScopes,
    hosted_domain: integration.hostedDomain ?? null,
    agentic: integration.agentic === true,
    budget: integration.budget === undefined ? null : budgetOnTheWire(integration.budget),
    quota: integration.quota === undefined ? null : quotaOnTheWire(integration.quota),
    managed_by: integration.managedBy === undefined ? null : managedByOnTheWire(integration.managedBy),
    testing_seen_at: isoTimeOrNull(treatedAsTestingSince(integration)),
    credentials_fault:
      fault === undefined
        ? null
        : { error: fault.error, since: isoTime(fault.sinceEpochSec), retry_at: isoTime(fault.retryAtEpochSec) },
    health: healthOnTheWire(integration, provider),
    ...(include.includes('webhook') ? { webhook_url: null } : {}),
    ...(include.includes('credentials') ? { credentials: credentialsOnTheWire(integration) } : {}),
  };
}

function healthOnTheWire(integration: Integration, { server }: Provider): AnswerOf<typeof integrationAnswer>['health'] {
  const { status, reason, certain, sinceEpochSec, who, remedy } = clientHealthOf(integration, server);
  return {
    status,
    reason: reason ?? null,
    certain: certain ?? null,
    since: isoTimeOrNull(sinceEpochSec),
    who: who ?? null,
    remedy: remedy ?? null,
  };
}

function credentialsOnTheWire(integration: Integration): AnswerOf<typeof integrationAnswer>['credentials'] {
  return {
    type: 'OAUTH2',
    client_id: integration.clientId ?? null,
    client_secret: '',
    scopes: integration.scopes.length === 0 ? null : integration.scopes.join(','),
    webhook_secret: null,
  };
}

const tag = 'Integrations';
const pattern = '/integrations/{integrationId}';
const EXAMPLE = { integrationId: INTEGRATION };

/** Integrations: made, listed, shown, changed, deleted. */
export const integrationRoutes: readonly Route<GrantServices>[] = [
  grantRoute({
    method: 'GET',
    pattern: '/integrations',
    access: { right: 'read', session: true },
    query: cursorQuery,
    describe: documented(() => ({
      id: 'listIntegrations',
      tag,
      summary: 'List integrations, newest first',
      answer: z
        .object({ data: z.array(integrationAnswer()), next_cursor: nextCursor() })
        .meta({ id: 'IntegrationList' }),
      errors: [],
      example: { answer: { data: [INTEGRATION_ANSWER], next_cursor: null } },
    })),
    async handle({ caller, query }, services) {
      const { accountId } = caller;
      const all = await services.integrations.list(accountId);
      return pageOf(
        services,
        {
          accountId,
          name: 'integrationListCursor',
          items: all.filter(({ integrationId }) => reaches(caller, integrationId)),
          positionOf: ({ createdAt, integrationId }) => `${createdAt}#${integrationId}`,
          onTheWire: (integration) =>
            integrationOnTheWire(asSeenBy(caller, integration), services.providers[integration.provider]),
        },
        query.cursor,
      );
    },
  }),
  grantRoute({
    method: 'POST',
    pattern: '/integrations',
    access: { right: 'full', account: true, stack: true },
    creates: true,
    body: createIntegrationBody,
    describe: documented(() => ({
      id: 'createIntegration',
      tag,
      summary: 'Create an integration with your own OAuth client, or with the operator’s test credentials',
      answer: changedIntegration(),
      errors: ['conflict', 'service_unavailable'],
      example: {
        body: {
          provider: 'google-drive',
          unique_key: 'drive-reports',
          display_name: 'Reports',
          public_name: 'Your reports in Drive',
          public_names: { de: 'Ihre Berichte in Drive' },
          scopes: ['drive.file'],
          credentials: {
            type: 'OAUTH2',
            client_id: '123456789012-reports.apps.googleusercontent.com',
            client_secret: 'GOCSPX-example',
          },
        },
        answer: {
          data: {
            ...INTEGRATION_ANSWER,
            unique_key: 'drive-reports',
            display_name: 'Reports',
            public_name: 'Your reports in Drive',
            public_names: { de: 'Ihre Berichte in Drive' },
            scopes: ['https://www.googleapis.com/auth/drive.file'],
            credentials_source: 'own',
          },
          warnings: [],
        },
      },
    })),
    furtherProblems: ({ body }, services) =>
      body.provider === undefined
        ? []
        : [
            ...scopeProblems(services.providers[body.provider], body, body.credentials?.scopes),
            ...(body.delegation?.via === undefined
              ? []
              : delegationProblems(services.providers[body.provider], {
                  ...body.delegation,
                  via: body.delegation.via,
                })),
          ],
    handle: (call, services) => create(newIntegration(call, services), services),
  }),
  grantRoute({
    method: 'POST',
    pattern: '/integrations/quickstart',
    access: { right: 'full', account: true },
    creates: true,
    body: quickstartBody,
    describe: documented(() => ({
      id: 'createQuickstartIntegration',
      tag,
      summary: 'Create an integration on the operator’s test credentials',
      description: 'For trials: such an integration stays in test mode until it gets your own OAuth client.',
      answer: changedIntegration(),
      errors: ['conflict'],
      example: {
        body: { provider: 'google-calendar', unique_key: 'calendar-trial' },
        answer: {
          data: {
            ...INTEGRATION_ANSWER,
            unique_key: 'calendar-trial',
            provider: 'google-calendar',
            display_name: 'Google Calendar',
            scopes: ['https://www.googleapis.com/auth/calendar.readonly'],
          },
          warnings: [],
        },
      },
    })),
    furtherProblems: ({ body }, services) =>
      body.provider === undefined ? [] : scopeProblems(services.providers[body.provider], body, undefined),
    handle: (call, services) =>
      create(newIntegration({ ...call, body: { ...call.body, credentials_source: 'test' } }, services), services),
  }),
  grantRoute({
    method: 'GET',
    pattern,
    access: { right: 'read', session: true, stack: true },
    query: integrationQuery,
    describe: documented(() => ({
      id: 'getIntegration',
      tag,
      summary: 'Get an integration',
      answer: oneIntegration(),
      errors: ['unknown_integration'],
      example: { params: EXAMPLE, answer: { data: INTEGRATION_ANSWER } },
    })),
    async handle({ caller, params, query }, services) {
      const ref = reachedIntegration(caller, params);
      if (caller.session !== undefined && query.include !== undefined) {
        throw new GatewayError('forbidden', 'A connect session sees an integration without further parts.');
      }
      const integration = await findIntegration(services, ref);
      const seen = asSeenBy(caller, integration);
      return { data: integrationOnTheWire(seen, services.providers[integration.provider], query.include) };
    },
  }),
  grantRoute({
    method: 'PATCH',
    pattern,
    access: { right: 'full', account: true, stack: true },
    query: forceQuery,
    body: updateIntegrationBody,
    describe: documented(() => ({
      id: 'updateIntegration',
      tag,
      summary: 'Change an integration; a new client_secret under the same client_id is a rotation without downtime',
      description:
        'An integration with connections cannot be renamed. warnings describe the consequences of the change.',
      answer: changedIntegration(),
      errors: ['unknown_integration', 'conflict', 'service_unavailable'],
      example: {
        params: EXAMPLE,
        body: { display_name: 'Google Drive' },
        answer: { data: INTEGRATION_ANSWER, warnings: [] },
      },
    })),
    async furtherProblems({ caller, params, body }, services) {
      const integration = await findIntegration(services, reachedIntegration(caller, params));
      const change = {
        integrationId: body.unique_key,
        client: clientOf(body.credentials),
        credentialsSource: body.credentials_source,
        delegation: undefined,
        agentic: body.agentic,
      };
      return [
        ...scopeProblems(services.providers[integration.provider], body, body.credentials?.scopes),
        ...(await changeProblems(services, integration, change)),
      ];
    },
    async handle(call, services) {
      const ref = reachedIntegration(call.caller, call.params);
      const { integration, warnings } = await updateIntegration(services, ref, changeOf(call));
      return { data: integrationOnTheWire(integration, services.providers[integration.provider]), warnings };
    },
  }),
  grantRoute({
    method: 'DELETE',
    pattern,
    access: { right: 'full', account: true, stack: true },
    query: deleteIntegrationQuery,
    describe: documented(() => ({
      id: 'deleteIntegration',
      tag,
      summary: 'Delete an integration with all its connections; a large one takes several calls',
      description:
        'With many connections the answer is 503 with Retry-After until all are deleted: repeat the call. if_unused=true refuses with 409 while the integration has connections.',
      answer: success().extend({ deleted_connections: count() }).meta({ id: 'DeletedIntegration' }),
      errors: ['unknown_integration', 'conflict', 'service_unavailable'],
      example: { params: { integrationId: 'calendar-trial' }, answer: { success: true, deleted_connections: 0 } },
    })),
    async handle({ caller, params, query, requestId }, services) {
      const ref = reachedIntegration(caller, params);
      const request = {
        ...{ requestId, actor: caller.actor, by: changing(caller, query) },
        ifUnused: query.if_unused === true,
      };
      const deleted = await deleteIntegration(services, ref, query.revoke ?? 'no', request);
      return { success: true, deleted_connections: deleted };
    },
  }),
];

/** Unknown scopes of a provider, as far as they could be parsed. */
function scopeProblems(
  provider: Provider,
  { scopes }: ValidPart<Pick<CreateIntegrationBody, 'scopes'>>,
  ofCredentials: readonly (string | undefined)[] | null | undefined,
): readonly Problem[] {
  const problems: Problem[] = [];
  const check = (written: readonly (string | undefined)[] | null | undefined, path: string) => {
    const readable = (written ?? []).filter((scope) => scope !== undefined);
    if (readable.length > 0) resolveScopes(provider, readable, path, problems);
  };
  check(scopes, 'scopes');
  check(ofCredentials, 'credentials.scopes');
  return problems;
}

type CreateBody = CreateIntegrationBody | (QuickstartBody & { readonly credentials_source: 'test' });

function newIntegration(call: RouteCall<unknown, CreateBody>, services: GrantServices): NewIntegration {
  const { caller, body } = call;
  const credentials = 'credentials' in body ? body.credentials : undefined;
  const listed = credentials?.scopes ?? undefined;
  const fromCredentials = listed !== undefined && listed.length > 0;
  return {
    accountId: caller.accountId,
    integrationId: body.unique_key,
    provider: services.providers[body.provider],
    displayName: body.display_name,
    publicName: body.public_name,
    publicNames: namesOf(body.public_names),
    credentialsSource: body.credentials_source ?? 'own',
    delegation: 'delegation' in body ? body.delegation : undefined,
    agentic: 'agentic' in body ? body.agentic : undefined,
    client:
      credentials === undefined
        ? undefined
        : { clientId: credentials.client_id, clientSecret: credentials.client_secret },
    scopes: fromCredentials ? listed : body.scopes,
    scopesPath: fromCredentials ? 'credentials.scopes' : 'scopes',
    publishingStatus: body.publishing_status,
    audience: body.audience,
    mode: body.mode,
    includeGrantedScopes: body.include_granted_scopes,
    hostedDomain: body.hosted_domain,
    budget: body.budget === undefined ? undefined : { is: budgetOfBody(body.budget) },
    quota: body.quota === undefined ? undefined : { is: quotaOfBody(body.quota) },
    stack: caller.stack,
    requestId: call.requestId,
    actor: caller.actor,
  };
}

/** Names by language without missing ones; empty for null, which removes all. */
function namesOf(names: UpdateIntegrationBody['public_names']): Readonly<Record<string, string>> | undefined {
  if (names === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(names ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function create(wanted: NewIntegration, services: GrantServices) {
  const integration = await createIntegration(services, wanted);
  return {
    data: integrationOnTheWire(integration, wanted.provider),
    warnings: wanted.quota === undefined ? [] : quotaWarnings(services, integration),
  };
}

function clientOf(credentials: ValidPart<UpdateIntegrationBody['credentials']>): IntegrationChange['client'] {
  const { client_id: clientId, client_secret: clientSecret } = credentials ?? {};
  return clientId === undefined && clientSecret === undefined ? undefined : { clientId, clientSecret };
}

function changeOf({
  body,
  caller,
  query,
  requestId,
}: RouteCall<{ readonly force?: boolean | undefined }, UpdateIntegrationBody>): IntegrationChange {
  const { credentials } = body;
  const listed = credentials?.scopes ?? undefined;
  const fromCredentials = listed !== undefined && listed.length > 0;
  return {
    integrationId: body.unique_key,
    displayName: body.display_name,
    publicName: body.public_name,
    publicNames: namesOf(body.public_names),
    credentialsSource: body.credentials_source,
    client: clientOf(credentials),
    delegation: body.delegation,
    agentic: body.agentic,
    scopes: fromCredentials ? listed : body.scopes,
    scopesPath: fromCredentials ? 'credentials.scopes' : 'scopes',
    publishingStatus: body.publishing_status,
    audience: body.audience,
    mode: body.mode,
    includeGrantedScopes: body.include_granted_scopes,
    hostedDomain: body.hosted_domain,
    budget: body.budget === undefined ? undefined : { is: budgetOfBody(body.budget) },
    quota: body.quota === undefined ? undefined : { is: quotaOfBody(body.quota) },
    by: changing(caller, query),
    requestId,
    actor: caller.actor,
  };
}
