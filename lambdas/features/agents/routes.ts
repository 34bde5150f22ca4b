import * as z from 'zod';
import { refusal } from '../../gateway/core/errors.ts';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import type { Random } from '../../gateway/core/ports.ts';
import { formatSecretKey, hintOf } from '../../gateway/keys/credentials.rules.ts';
import { limitsOfBoundKeys } from '../../gateway/keys/key-limits.rules.ts';
import { problem } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import { PROVIDER_IDS } from '../../gateway/providers/provider.rules.ts';
import { namesOfActors } from '../../management/audit/actor-names.ts';
import { unknownIntegrations } from '../../management/integrations/unknown-integrations.ts';
import { BOUND_KEYS_ARE_LIMITED } from '../../management/keys/change-key-limits.ts';
import { createSecretKey } from '../../management/keys/create-secret-key.ts';
import {
  KEY_EXAMPLE,
  keyAnswer,
  limitsFor,
  limitsProblems,
  secretKeyOnTheWire,
  wordsOfBoundKeys,
} from '../../management/keys/key-answer.ts';
import { limitsBody } from '../../management/keys/limits-schema.ts';
import { type Route, route } from '../../management/route.ts';
import { connectionId, endUserId, integrationId, label } from '../../management/schemas/common.ts';
import { AGENT_KEY_PREFIX, SERVER_TOOL_NAMES, storedAgent, TOOL_NAMES, withAgentDefaults } from './agent.rules.ts';
import { bindAgent, hasOrdinary, type WantedBinding } from './manage-agents.ts';
import { AGENTS_OVER_REST_WARNING, refuseAgentsOverRest } from './over-rest.rules.ts';
import { agentsOverRest } from './settings.rules.ts';

const boundConnection = z.strictObject({ integration_id: integrationId, connection_id: connectionId });

/** Body of `POST /account/agents`. */
export const createAgentBody = z
  .strictObject({
    name: label,
    end_user_id: endUserId.optional(),
    integrations: z
      .array(integrationId)
      .min(1, 'name at least one, or leave this out for all')
      .max(100, 'names at most 100')
      .optional(),
    connections: z
      .array(boundConnection)
      .min(1, 'name at least one')
      .max(PROVIDER_IDS.length, 'names at most one of each provider')
      .optional(),
    tools: z
      .array(z.enum([...TOOL_NAMES, ...SERVER_TOOL_NAMES], { error: 'is no tool' }))
      .min(1, 'name at least one, or leave this out for all that the limits leave')
      .max(TOOL_NAMES.length + SERVER_TOOL_NAMES.length, 'names each tool once')
      .transform((tools) => [...new Set(tools)])
      .optional(),
    limits: limitsBody.optional(),
  })
  .refine(({ end_user_id, connections }) => (end_user_id === undefined) !== (connections === undefined), {
    path: ['end_user_id'],
    message: 'name either an end user or connections',
  })
  .refine(({ integrations, connections }) => integrations === undefined || connections === undefined, {
    path: ['integrations'],
    message: 'goes with end_user_id; connections name their integrations themselves',
  })
  .refine(({ limits }) => limits?.mode !== 'observe', { path: ['limits', 'mode'], message: BOUND_KEYS_ARE_LIMITED });

const agentExample = documented(() => ({
  ...KEY_EXAMPLE(),
  name: 'Assistant of user-42',
  limits: {
    mode: 'enforce' as const,
    allow: ['drive:metadata'],
    methods: ['drive.files.get', 'drive.files.list'],
    minute: { calls: 60 },
    day: { calls: 500, units: 200000, bytes: 100000000 },
    expires_at: '2026-03-31T10:00:00.000Z',
    ...limitsOfBoundKeys({}),
  },
  agent: {
    end_user_id: 'user-42',
    connections: [{ integration_id: 'google-drive', connection_id: 'user-1' }],
    tools: null,
  },
}));

/** The connections that a body requests, without invalid members. */
function wantedBinding(body: {
  readonly end_user_id?: string | undefined;
  readonly integrations?: readonly (string | undefined)[] | undefined;
  readonly connections?:
    | readonly (
        | { readonly integration_id?: string | undefined; readonly connection_id?: string | undefined }
        | undefined
      )[]
    | undefined;
  readonly tools?: readonly (string | undefined)[] | undefined;
}): WantedBinding {
  return {
    endUserId: body.end_user_id,
    integrations: body.integrations?.filter((one) => one !== undefined),
    connections: body.connections?.map((one) => {
      return { integrationId: one?.integration_id ?? '', connectionId: one?.connection_id ?? '' };
    }),
    tools: body.tools?.filter((one) => one !== undefined),
  };
}

/** The text of a new key, which is only in the response, and its stored parts, as those of a secret key. */
function newAgentKey(random: Random, accountId: string) {
  const agentKey = formatSecretKey(accountId, Buffer.from(random.bytes(32)).toString('base64url')).replace(
    /^sk_/,
    AGENT_KEY_PREFIX,
  );
  return { agentKey, stored: { keyHash: sha256Hex(agentKey), hint: hintOf(agentKey) } };
}

/** Keys of assistants. They are listed, limited and revoked with the secret keys. */
export const routes: readonly Route[] = [
  route({
    method: 'POST',
    pattern: '/account/agents',
    access: { right: 'full', account: true, recentSignIn: true },
    creates: true,
    status: 201,
    body: createAgentBody,
    furtherProblems: async ({ caller, body }, services) => [
      ...(await limitsProblems(services, caller.accountId, body)),
      ...(await unknownIntegrations(services, caller.accountId, body.integrations ?? [], 'integrations')),
      ...(body.connections !== undefined || body.end_user_id !== undefined
        ? (await bindAgent(services, caller.accountId, wantedBinding(body))).problems
        : []),
    ],
    describe: documented(() => ({
      id: 'createAgent',
      tag: 'Secret keys',
      summary: 'Create a key for an assistant, which calls tools at /mcp; its text is shown only this once',
      description: `The key is bound to the connections of one end user, at most one of each provider, and works only at /mcp. It always has limits. Defaults: 60 calls a minute, 500 calls, 200,000 units and 100 MB a day, 30 days of life${wordsOfBoundKeys()} and, where no methods are named, reading. It is listed, limited and revoked with the secret keys. Several connections of one provider need the tag agent: primary on one of them, or are named themselves.`,
      answer: z
        .object({
          data: keyAnswer().extend({
            agent_key: z.string().meta({ description: 'The key itself, shown only this once.' }),
            mcp_url: z.string().meta({ description: 'Where assistants call with it.' }),
            warnings: z.array(problem()).meta({
              description: 'What to know before you use the key, such as Google’s rule for AI agents.',
            }),
          }),
        })
        .meta({ id: 'CreatedAgent' }),
      errors: ['conflict'],
      example: {
        body: {
          name: agentExample().name,
          connections: agentExample().agent.connections,
          limits: { mode: 'enforce', allow: ['drive:metadata'] },
        },
        answer: {
          data: {
            ...agentExample(),
            agent_key: 'ak_default_ExampleOnlyExampleOnlyExampleOnlyExampleOnl',
            mcp_url: 'https://gateway.example.com/mcp',
            warnings: [{ path: 'agent.connections', message: AGENTS_OVER_REST_WARNING }],
          },
        },
      },
    })),
    async handle({ caller, body, requestId }, services) {
      const { accountId, actor } = caller;
      const { problems, binding } = await bindAgent(services, accountId, wantedBinding(body));
      const callsRest = await hasOrdinary(services, accountId, binding);
      if (callsRest) refuseAgentsOverRest(agentsOverRest(services.forFeatures.config));
      if (problems.length > 0) throw refusal('invalid_body', problems);
      const { agentKey, stored } = newAgentKey(services.random, accountId);
      const record = await createSecretKey(services, {
        ...stored,
        accountId,
        name: body.name,
        right: 'proxy',
        integrationIds: undefined,
        canReadCredentials: false,
        limits: await limitsFor(
          services,
          accountId,
          withAgentDefaults(body.limits ?? {}, services.clock.nowMs(), services.without),
        ),
        agent: storedAgent(binding),
        requestId,
        actor,
        makerMayReadCredentials: false,
      });
      const names = await namesOfActors(services, accountId);
      const data = secretKeyOnTheWire(record, caller.key?.keyHash, names);
      const warnings = callsRest ? [{ path: 'agent.connections', message: AGENTS_OVER_REST_WARNING }] : [];
      return { data: { ...data, agent_key: agentKey, mcp_url: `${services.baseUrl}/mcp`, warnings } };
    },
  }),
];
