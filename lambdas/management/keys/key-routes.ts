import * as z from 'zod';
import { FEATURES } from '../../features/index.ts';
import { readLastUses, readObserved } from '../../gateway/calls/read-usage.ts';
import { FIRST_ACCOUNT_ID } from '../../gateway/core/contract.ts';
import { GatewayError, type Problem, refusal } from '../../gateway/core/errors.ts';
import { keyIdOf, sha256Hex } from '../../gateway/core/identifiers.ts';
import {
  featureLimitsOfAgents,
  readAgentBinding,
  SERVER_TOOL_NAMES,
  type StoredAgent,
  storedAgent,
  TOOL_NAMES,
  withAgentDefaults,
} from '../../gateway/keys/agent.rules.ts';
import { AGENTS_OVER_REST_WARNING, refuseAgentsOverRest } from '../../gateway/keys/agents-over-rest.rules.ts';
import { requireSignInForCredentials } from '../../gateway/keys/authenticate-operator.ts';
import {
  KEY_RIGHTS,
  type KeyRight,
  roleWithoutPath,
  type SecretKeyRecord,
} from '../../gateway/keys/credentials.rules.ts';
import type { StoredLimits } from '../../gateway/keys/key-limits.rules.ts';
import { count, nextCursor, problem, success, texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { allProviders } from '../../gateway/providers/index.ts';
import { PROVIDER_IDS } from '../../gateway/providers/provider.rules.ts';
import { type ActorNames, actorNames, namesOfActors } from '../audit/actor-names.ts';
import { unknownIntegrations } from '../integrations/unknown-integrations.ts';
import { pageOf } from '../list-page.ts';
import { type Caller, isoTimeOrNull, type Route, route } from '../route.ts';
import { connectionId, cursorQuery, endUserId, integrationId, label } from '../schemas/common.ts';
import { changing, forceQuery, managedByAnswer, managedByOnTheWire } from '../schemas/managed-by.ts';
import type { Services } from '../services.ts';
import { AGENTS_ARE_LIMITED, changeKeyLimits, findLiveKey, PROXY_KEYS_ONLY } from './change-key-limits.ts';
import { bindAgent, hasOrdinary, type WantedBinding } from './create-agent.ts';
import { createSecretKey, type NewSecretKey, newAgentKey, newSecretKey } from './create-secret-key.ts';
import { limitsAnswer, limitsBody, limitsOfBody, limitsOnTheWire } from './limits-schema.ts';
import { revokeSecretKey } from './revoke-secret-key.ts';

/** Body of `POST /account/keys`. */
export const createKeyBody = z.strictObject({
  name: label,
  right: z.enum(KEY_RIGHTS, { error: 'must be proxy, read or full' }),
  integration_ids: z
    .array(integrationId)
    .min(1, 'name at least one, or leave this out for all')
    .max(100, 'names at most 100')
    .transform((ids) => [...new Set(ids)])
    .optional(),
  can_read_credentials: z.boolean().optional(),
  limits: limitsBody.optional(),
});

/** Body of `POST /account/roles`. */
export const createRoleBody = createKeyBody.extend({
  role_arn: z
    .string()
    .max(2048)
    .refine(
      (arn) => roleWithoutPath(arn) !== undefined,
      'must be the ARN of one IAM role, such as arn:aws:iam::111122223333:role/nightly-export, without wildcards',
    ),
  role_id: z
    .string()
    .regex(
      /^AROA[A-Z0-9]{12,124}$/,
      'must be the unique id of the role, RoleId of aws iam get-role, which begins with AROA',
    )
    .optional(),
});

/** Body of `PATCH /account/keys/{keyId}`. */
export const changeKeyBody = z.strictObject({ limits: limitsBody.nullable() });

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
  .refine(({ limits }) => limits?.mode !== 'observe', { path: ['limits', 'mode'], message: AGENTS_ARE_LIMITED });

const agentAnswer = documented(() =>
  z
    .object({
      end_user_id: z.string().nullable().meta({
        description: 'Your id of the end user whose connections these are; null: they name none.',
      }),
      connections: z.array(z.object({ integration_id: z.string(), connection_id: z.string() })),
      tools: texts().nullable().meta({ description: 'Tools that it may be given; null = all that its limits leave.' }),
    })
    .meta({ id: 'AgentBinding', description: 'What the key of an assistant is bound to.' }),
);

/** A binding in the API's spelling; one of an unknown form grants nothing, and is shown as such. */
function agentOnTheWire(stored: StoredAgent | undefined): AnswerOf<typeof agentAnswer> | null {
  if (stored === undefined) return null;
  const { endUserId: id, connections = [], tools } = readAgentBinding(stored) ?? {};
  return {
    end_user_id: id ?? null,
    connections: connections.map(({ integrationId: integration_id, connectionId: connection_id }) => {
      return { integration_id, connection_id };
    }),
    tools: tools === undefined ? null : [...tools],
  };
}

const keyAnswer = documented(() =>
  z
    .object({
      id: z.string().meta({ description: 'SHA-256 of the key, hex; of a role, of its ARN without the path.' }),
      name: z.string(),
      right: z.enum(KEY_RIGHTS),
      integration_ids: texts()
        .nullable()
        .meta({ description: 'Integrations to which the key is limited; null = all.' }),
      can_read_credentials: z.boolean(),
      created_at: time(),
      created_by: z.string().nullable().meta({
        description:
          'Who created it: key:<start of the id>, iam:<AWS account>:<role>, operator:<id at the issuer>, stack:<name>, or gateway for the first key; null = unknown.',
      }),
      created_by_name: z
        .string()
        .nullable()
        .meta({ description: 'The key’s or role’s name or the operator’s e-mail address; null if unknown.' }),
      last_used_at: time()
        .nullable()
        .meta({ description: 'A proxied call shows within five minutes, any other within ten.' }),
      revoked_at: time().nullable(),
      hint: z
        .string()
        .nullable()
        .meta({ description: 'The last characters of the key; null on keys created before these were stored.' }),
      is_this_key: z.boolean(),
      limits: limitsAnswer().nullable().meta({ description: 'What its proxied calls are limited to; null = nothing.' }),
      role_arn: z
        .string()
        .nullable()
        .meta({ description: 'The IAM role that calls below /iam, which has no key; null = a secret key.' }),
      role_id: z.string().nullable().meta({ description: 'Unique id that the role must have; null = any.' }),
      managed_by: managedByAnswer().nullable(),
      agent: agentAnswer()
        .nullable()
        .meta({ description: 'Of a key that an assistant has, which works at /mcp alone; null = another key.' }),
    })
    .meta({ id: 'SecretKey' }),
);

/** A secret key's record in the API's spelling; the id is its digest, and the key itself is not stored. */
function secretKeyOnTheWire(
  record: SecretKeyRecord,
  callerKeyHash: string | undefined,
  names: ActorNames,
  proxiedAtEpochSec = 0,
): AnswerOf<typeof keyAnswer> {
  const lastUsedAt = Math.max(record.lastUsedAtEpochSec ?? 0, proxiedAtEpochSec);
  return {
    id: record.keyHash,
    name: record.name,
    right: record.right,
    integration_ids: record.integrationIds ?? null,
    can_read_credentials: record.canReadCredentials,
    created_at: record.createdAt,
    created_by: record.createdBy ?? null,
    created_by_name: names.get(record.createdBy ?? '') ?? null,
    last_used_at: isoTimeOrNull(lastUsedAt === 0 ? undefined : lastUsedAt),
    revoked_at: record.revokedAt ?? null,
    hint: record.hint ?? null,
    is_this_key: record.keyHash === callerKeyHash,
    limits: limitsOnTheWire(record.limits),
    role_arn: record.roleArn ?? null,
    role_id: record.roleId ?? null,
    managed_by: record.managedBy === undefined ? null : managedByOnTheWire(record.managedBy),
    agent: agentOnTheWire(record.agent),
  };
}

const tag = 'Secret keys';
const EXAMPLE = {
  id: 'f3a1c5d2e4b6978801122334455667788990aabbccddeeff0011223344556677',
  name: 'Nightly export',
  right: 'proxy',
  integration_ids: null,
  can_read_credentials: false,
  created_at: '2026-03-01T10:00:00.000Z',
  created_by: 'key:0a1b2c3d4e5f',
  created_by_name: 'First key',
  last_used_at: null,
  revoked_at: null,
  hint: 'nl3x',
  is_this_key: false,
  limits: null,
  role_arn: null,
  role_id: null,
  managed_by: null,
  agent: null,
};
const ROLE = { role_arn: 'arn:aws:iam::111122223333:role/nightly-export', role_id: 'AROAEXAMPLEEXAMPLE123' };
const ROLE_EXAMPLE = {
  ...EXAMPLE,
  id: '97df3588b5a3f24babc3851b372f0ba71a9dcdded43b14b9d06961bfc1707d9d',
  hint: null,
  ...ROLE,
};
const LIMITS = { mode: 'enforce' as const, allow: ['drive:metadata'], deny: ['drive.changes.*'], day: { units: 5000 } };
const LIMITED = {
  ...EXAMPLE,
  limits: { ...LIMITS, methods: ['drive.files.get', 'drive.files.list'] },
};

/** Default limits of agents' keys that features add. */
const FEATURE_LIMIT_WORDS = FEATURES.flatMap(({ keyLimits }) => Object.values(keyLimits))
  .map(({ ofAgentsWords }) => `, ${ofAgentsWords}`)
  .join('');

const AGENT_EXAMPLE = {
  ...EXAMPLE,
  name: 'Assistant of user-42',
  limits: {
    mode: 'enforce' as const,
    allow: ['drive:metadata'],
    methods: ['drive.files.get', 'drive.files.list'],
    minute: { calls: 60 },
    day: { calls: 500, units: 200000, bytes: 100000000 },
    expires_at: '2026-03-31T10:00:00.000Z',
    ...featureLimitsOfAgents({}),
  },
  agent: {
    end_user_id: 'user-42',
    connections: [{ integration_id: 'google-drive', connection_id: 'user-1' }],
    tools: null,
  },
};

const observedAnswer = documented(() =>
  z.object({
    since: time().meta({ description: 'Midnight, UTC, seven days ago with today.' }),
    counted_until: time().nullable().meta({ description: 'Calls that ended before are counted; null = none is yet.' }),
    calls: count().meta({ description: 'Proxied calls of the key since then.' }),
    would_refuse: count().meta({ description: 'Those among them that enforced limits would have refused.' }),
    rows: z.array(
      z.object({
        limit: z.string().meta({ description: 'Such as methods, connections or day.units.' }),
        method: z
          .string()
          .nullable()
          .meta({ description: 'The provider’s id of the method; null: the request is none that limits can name.' }),
        calls: count(),
        last_at: time(),
      }),
    ),
  }),
);
const OBSERVED_DAYS = 7;
const OBSERVED = {
  since: '2026-02-23T00:00:00.000Z',
  counted_until: '2026-03-01T10:00:00.000Z',
  calls: 5120,
  would_refuse: 12,
  rows: [
    { limit: 'methods', method: 'drive.files.update', calls: 9, last_at: '2026-02-27T08:12:40.000Z' },
    { limit: 'day.units', method: 'drive.files.list', calls: 3, last_at: '2026-02-28T23:50:02.000Z' },
  ],
};

/** Problems of limits that their schema does not detect. */
async function limitsProblems(
  services: Services,
  accountId: string,
  body: {
    readonly limits?: { readonly integrations?: readonly (string | undefined)[] | undefined } | null | undefined;
  },
): Promise<readonly Problem[]> {
  return [
    ...(await unknownIntegrations(services, accountId, body.limits?.integrations ?? [], 'limits.integrations')),
    ...leftOutLimits(services, body.limits ?? {}),
  ];
}

/** Limits that only a left-out feature applies. */
function leftOutLimits({ without }: Pick<Services, 'without'>, limits: object): readonly Problem[] {
  const set = Object.entries(limits).flatMap(([name, value]) => (value === undefined || value === false ? [] : [name]));
  return FEATURES.filter(({ id }) => without.has(id)).flatMap(({ id, keyLimits }) =>
    set
      .filter((name) => Object.hasOwn(keyLimits, name))
      .map((name) => ({ path: `limits.${name}`, message: `this gateway was deployed without ${id}` })),
  );
}

/** Limits of a body as stored. @throws GatewayError `invalid_body` for unknown integrations and a limit that only a left-out feature applies */
async function limitsFor(
  services: Services,
  accountId: string,
  limits: Parameters<typeof limitsOfBody>[0],
): Promise<StoredLimits> {
  const problems = await limitsProblems(services, accountId, { limits });
  if (problems.length > 0) throw refusal('invalid_body', problems);
  return limitsOfBody(limits);
}

const WHO_MAY_GIVE =
  'A caller can grant only rights that it has: can_read_credentials can be set by keys that have it, and by operators who signed in with a second factor within the last five minutes.';

/** Problems of a new key or role that its schema does not detect. */
async function newCallerProblems(
  services: Services,
  accountId: string,
  body: Parameters<typeof limitsProblems>[2] & {
    readonly right?: KeyRight | undefined;
    readonly can_read_credentials?: boolean | undefined;
    readonly integration_ids?: readonly (string | undefined)[] | undefined;
  },
): Promise<readonly Problem[]> {
  return [
    ...(await unknownIntegrations(services, accountId, body.integration_ids ?? [], 'integration_ids')),
    ...(await limitsProblems(services, accountId, body)),
    ...misplacedLimits(body),
  ];
}

/** Limits of a key that does more than proxied calls, which they would not limit. */
function misplacedLimits(body: {
  readonly right?: KeyRight | undefined;
  readonly can_read_credentials?: boolean | undefined;
  readonly limits?: unknown;
}): readonly Problem[] {
  const isOther = body.right !== 'proxy' || body.can_read_credentials === true;
  return body.limits !== undefined && isOther ? [{ path: 'limits', message: PROXY_KEYS_ONLY }] : [];
}

/** A new key or role from a body. @throws GatewayError `invalid_body`, `second_factor_required`, `recent_sign_in_required` */
async function newCaller(
  services: Services,
  caller: Caller,
  body: z.output<typeof createKeyBody>,
  requestId: string,
): Promise<Omit<NewSecretKey, 'keyHash'>> {
  const misplaced = misplacedLimits(body);
  if (misplaced.length > 0) throw refusal('invalid_body', misplaced);
  if (caller.stack !== undefined && (body.right !== 'proxy' || body.can_read_credentials === true)) {
    throw new GatewayError('forbidden', 'A stack can create keys and register roles of the right proxy only.');
  }
  if (caller.operator !== undefined && body.can_read_credentials === true) {
    requireSignInForCredentials(caller.operator, services.operatorMfa ?? 'optional', services.clock);
  }
  return {
    accountId: caller.accountId,
    name: body.name,
    right: body.right,
    integrationIds: body.integration_ids,
    canReadCredentials: body.can_read_credentials ?? false,
    limits: body.limits === undefined ? undefined : await limitsFor(services, caller.accountId, body.limits),
    requestId,
    actor: caller.actor,
    stack: caller.stack,
    // Operators govern the account, so they may grant it.
    makerMayReadCredentials: caller.operator !== undefined || caller.key?.canReadCredentials === true,
  };
}

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

/** Secret keys of the account, those of assistants, and roles that call instead of keys: created, listed, limited, revoked. */
export const keyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/account/keys',
    access: { right: 'full', account: true, stack: true },
    query: cursorQuery,
    describe: documented(() => ({
      id: 'listSecretKeys',
      tag,
      summary: 'List secret keys and registered roles, newest first, without their text',
      answer: z.object({ data: z.array(keyAnswer()), next_cursor: nextCursor() }).meta({ id: 'SecretKeyList' }),
      errors: [],
      example: { answer: { data: [EXAMPLE], next_cursor: null } },
    })),
    async handle({ caller, query }, services) {
      const { accountId } = caller;
      const [items, proxied, operators] = await Promise.all([
        services.secretKeys.listAll(accountId),
        readLastUses({ ...services.usage, clock: services.clock }, accountId),
        services.operatorNames.all(accountId),
      ]);
      const names = actorNames(items, operators);
      return pageOf(
        services,
        {
          accountId,
          name: 'secretKeyListCursor',
          items,
          positionOf: ({ createdAt, keyHash }) => `${createdAt}#${keyHash}`,
          onTheWire: (record) => secretKeyOnTheWire(record, caller.key?.keyHash, names, proxied.get(keyIdOf(record))),
        },
        query.cursor,
      );
    },
  }),
  route({
    method: 'POST',
    pattern: '/account/keys',
    access: { right: 'full', account: true, recentSignIn: true, stack: true },
    creates: true,
    status: 201,
    body: createKeyBody,
    furtherProblems: ({ caller, body }, services) => newCallerProblems(services, caller.accountId, body),
    describe: documented(() => ({
      id: 'createSecretKey',
      tag,
      summary: 'Create a secret key; its text is shown only this once',
      description: WHO_MAY_GIVE,
      answer: z
        .object({
          data: keyAnswer().extend({
            secret_key: z.string().meta({ description: 'The key itself, shown only this once.' }),
          }),
        })
        .meta({ id: 'CreatedSecretKey' }),
      errors: ['conflict', 'second_factor_required'],
      example: {
        body: { name: 'Nightly export', right: 'proxy' },
        answer: { data: { ...EXAMPLE, secret_key: 'sk_default_ExampleOnlyExampleOnlyExampleOnlyExampleOnl' } },
      },
    })),
    async handle({ caller, body, requestId }, services) {
      const { secretKey, stored } = newSecretKey(services.random, caller.accountId);
      const wanted = await newCaller(services, caller, body, requestId);
      const record = await createSecretKey(services, { ...wanted, ...stored });
      const names = await namesOfActors(services, caller.accountId);
      return { data: { ...secretKeyOnTheWire(record, caller.key?.keyHash, names), secret_key: secretKey } };
    },
  }),
  route({
    method: 'POST',
    pattern: '/account/roles',
    access: { right: 'full', account: true, recentSignIn: true, stack: true },
    creates: true,
    status: 201,
    body: createRoleBody,
    furtherProblems: ({ caller, body }, services) => newCallerProblems(services, caller.accountId, body),
    describe: documented(() => ({
      id: 'registerRole',
      tag,
      summary: 'Let an IAM role call instead of a secret key, below /iam',
      description: `The role signs its calls as AWS services expect it (Signature Version 4, service execute-api). It is listed, limited and revoked with the secret keys. A role that was revoked can be registered again. ${WHO_MAY_GIVE}`,
      answer: z.object({ data: keyAnswer() }).meta({ id: 'RegisteredRole' }),
      errors: ['conflict', 'second_factor_required'],
      example: { body: { name: 'Nightly export', right: 'proxy', ...ROLE }, answer: { data: ROLE_EXAMPLE } },
    })),
    async handle({ caller, body, requestId }, services) {
      if (caller.accountId !== FIRST_ACCOUNT_ID) {
        throw new GatewayError(
          'forbidden',
          `Only the account ${FIRST_ACCOUNT_ID} can register roles: use secret keys.`,
        );
      }
      const record = await createSecretKey(services, {
        ...(await newCaller(services, caller, body, requestId)),
        // The body's schema has validated it.
        keyHash: sha256Hex(roleWithoutPath(body.role_arn) ?? ''),
        roleArn: body.role_arn,
        roleId: body.role_id,
      });
      const names = await namesOfActors(services, caller.accountId);
      return { data: secretKeyOnTheWire(record, caller.key?.keyHash, names) };
    },
  }),
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
      tag,
      summary: 'Create a key for an assistant, which calls tools at /mcp; its text is shown only this once',
      description: `The key is bound to the connections of one end user, at most one of each provider, and works only at /mcp. It always has limits. Defaults: 60 calls a minute, 500 calls, 200,000 units and 100 MB a day, 30 days of life${FEATURE_LIMIT_WORDS} and, where no methods are named, reading. It is listed, limited and revoked with the secret keys. Several connections of one provider need the tag agent: primary on one of them, or are named themselves.`,
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
          name: AGENT_EXAMPLE.name,
          connections: AGENT_EXAMPLE.agent.connections,
          limits: { mode: 'enforce', allow: ['drive:metadata'] },
        },
        answer: {
          data: {
            ...AGENT_EXAMPLE,
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
      if (callsRest) refuseAgentsOverRest(services.agentsOverRest);
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
  route({
    method: 'PATCH',
    pattern: '/account/keys/{keyId}',
    access: { right: 'full', account: true, recentSignIn: true, stack: true },
    query: forceQuery,
    body: changeKeyBody,
    furtherProblems: ({ caller, body }, services) => limitsProblems(services, caller.accountId, body),
    describe: documented(() => ({
      id: 'updateSecretKey',
      tag,
      summary: 'Set or take away the limits of a secret key or role; they hold everywhere within a minute',
      description:
        'The limits are replaced as a whole; null takes them away. Only keys with the right proxy can have limits. A method that a later version of the gateway adds is not among those that named limits leave, until they are set again.',
      answer: z.object({ data: keyAnswer() }).meta({ id: 'ChangedSecretKey' }),
      errors: ['not_found', 'conflict'],
      example: { params: { keyId: EXAMPLE.id }, body: { limits: LIMITS }, answer: { data: LIMITED } },
    })),
    async handle({ caller, params, query, body, requestId }, services) {
      const limits = body.limits === null ? undefined : await limitsFor(services, caller.accountId, body.limits);
      const request = { requestId, actor: caller.actor, by: changing(caller, query) };
      const record = await changeKeyLimits(
        ...([services, caller.accountId, params.keyId ?? '', limits] as const),
        body.limits ?? undefined,
        request,
      );
      const [names, uses] = await Promise.all([
        namesOfActors(services, caller.accountId),
        readLastUses({ ...services.usage, clock: services.clock }, caller.accountId),
      ]);
      return { data: secretKeyOnTheWire(record, caller.key?.keyHash, names, uses.get(keyIdOf(record))) };
    },
  }),
  route({
    method: 'GET',
    pattern: '/account/keys/{keyId}/observed',
    access: { right: 'full', account: true },
    describe: documented(() => ({
      id: 'readObservedCalls',
      tag,
      summary: 'Get which calls of a week the limits of a secret key or role would have refused, by limit and method',
      description:
        'Limits with the mode observe let every call pass and count what enforce would refuse. A call is here within five minutes of its end. Calls that earlier limits of the key observed are among them: last_at says how old they are.',
      answer: z.object({ data: observedAnswer() }).meta({ id: 'ObservedCalls' }),
      errors: ['not_found'],
      example: { params: { keyId: EXAMPLE.id }, answer: { data: OBSERVED } },
    })),
    async handle({ caller, params }, services) {
      const { keyHash } = await findLiveKey(services, caller.accountId, params.keyId ?? '');
      const deps = { ...services.usage, clock: services.clock };
      const observed = await readObserved(deps, caller.accountId, keyIdOf({ keyHash }), OBSERVED_DAYS);
      return {
        data: {
          since: new Date(observed.sinceMs).toISOString(),
          counted_until: isoTimeOrNull(observed.countedUntilMs && Math.floor(observed.countedUntilMs / 1000)),
          calls: observed.calls,
          would_refuse: observed.rows.reduce((sum, { calls }) => sum + calls, 0),
          rows: observed.rows.map(({ limit, method, calls, lastEpochSec }) => ({
            limit,
            method: method ?? null,
            calls,
            last_at: new Date(lastEpochSec * 1000).toISOString(),
          })),
        },
      };
    },
  }),
  route({
    method: 'GET',
    pattern: '/account/limits/catalogue',
    access: { right: 'full', account: true },
    describe: documented(() => ({
      id: 'listLimitMethods',
      tag,
      summary: 'List the methods and sets that limits of keys can name',
      answer: z
        .object({
          data: z.array(
            z
              .object({
                id: z
                  .string()
                  .meta({ description: 'The provider’s id of the method; #media: where it answers with bytes.' }),
                set: z.string().meta({ description: 'The set that it belongs to, such as drive:read.' }),
                meaning: z.string(),
                provider: z.string(),
              })
              .meta({ id: 'LimitMethod' }),
          ),
        })
        .meta({ id: 'LimitMethodList' }),
      errors: [],
      example: {
        answer: {
          data: [
            {
              id: 'drive.files.list',
              set: 'drive:metadata',
              meaning: 'Search and list files',
              provider: 'google-drive',
            },
          ],
        },
      },
    })),
    handle: async () => ({
      data: allProviders().flatMap(({ id: provider, methodMeanings = [] }) =>
        methodMeanings.map((method) => ({ ...method, provider })),
      ),
    }),
  }),
  route({
    method: 'DELETE',
    pattern: '/account/keys/{keyId}',
    access: { right: 'full', account: true, stack: true },
    describe: documented(() => ({
      id: 'revokeSecretKey',
      tag,
      summary: 'Revoke a secret key or role; it stops working everywhere within a minute',
      answer: success(),
      errors: ['not_found', 'conflict'],
      example: { params: { keyId: EXAMPLE.id }, answer: { success: true } },
    })),
    async handle({ caller, params, requestId }, services) {
      const request = { requestId, actor: caller.actor, stack: caller.stack };
      await revokeSecretKey(services, caller.accountId, params.keyId ?? '', request);
      return { success: true };
    },
  }),
];
