import * as z from 'zod';
import { readLastUses, readObserved } from '../../gateway/calls/read-usage.ts';
import { FIRST_ACCOUNT_ID } from '../../gateway/core/contract.ts';
import { GatewayError, type Problem } from '../../gateway/core/errors.ts';
import { keyIdOf, sha256Hex } from '../../gateway/core/identifiers.ts';
import { requireSignInForCredentials } from '../../gateway/keys/authenticate-operator.ts';
import {
  KEY_RIGHTS,
  type KeyRight,
  roleWithoutPath,
  type SecretKeyRecord,
} from '../../gateway/keys/credentials.rules.ts';
import { count, nextCursor, success, texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { allProviders } from '../../gateway/providers/index.ts';
import { type ActorNames, actorNames, namesOfActors } from '../audit/actor-names.ts';
import { isoTimeOrNull } from '../integrations/integration-routes.ts';
import { unknownIntegrations } from '../integrations/unknown-integrations.ts';
import { pageOf } from '../list-page.ts';
import { type Caller, type Route, route } from '../route.ts';
import { cursorQuery, integrationId, label } from '../schemas/common.ts';
import type { Services } from '../services.ts';
import { changeKeyLimits, findLiveKey, PROXY_KEYS_ONLY } from './change-key-limits.ts';
import { createSecretKey, type NewSecretKey, newSecretKey } from './create-secret-key.ts';
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
          'Who created it: key:<start of the id>, iam:<AWS account>:<role>, operator:<id at the issuer>, or gateway for the first key; null = unknown.',
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
    })
    .meta({ id: 'SecretKey' }),
);

/** A secret key's record in the API's spelling; the id is its digest, the key itself is stored nowhere. */
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

/** Problems of limits that their schema does not see. */
async function limitsProblems(
  services: Services,
  accountId: string,
  body: {
    readonly limits?: { readonly integrations?: readonly (string | undefined)[] | undefined } | null | undefined;
  },
): Promise<readonly Problem[]> {
  return unknownIntegrations(services, accountId, body.limits?.integrations ?? [], 'limits.integrations');
}

const WHO_MAY_GIVE =
  'A caller can grant only rights that it has: can_read_credentials can be set by keys that have it, and by operators who signed in with a second factor within the last five minutes.';

/** Problems of a new key or role that its schema does not see. */
async function newCallerProblems(
  services: Services,
  accountId: string,
  body: Parameters<typeof limitsProblems>[2] & {
    readonly right?: KeyRight | undefined;
    readonly can_read_credentials?: boolean | undefined;
    readonly integration_ids?: readonly (string | undefined)[] | undefined;
  },
): Promise<readonly Problem[]> {
  const isOther = body.right !== 'proxy' || body.can_read_credentials === true;
  return [
    ...(await unknownIntegrations(services, accountId, body.integration_ids ?? [], 'integration_ids')),
    ...(await limitsProblems(services, accountId, body)),
    ...(body.limits !== undefined && isOther ? [{ path: 'limits', message: PROXY_KEYS_ONLY }] : []),
  ];
}

/** What a body says of a new key or role. @throws GatewayError `second_factor_required`, `recent_sign_in_required` */
function newCaller(
  services: Services,
  caller: Caller,
  body: z.output<typeof createKeyBody>,
  requestId: string,
): Omit<NewSecretKey, 'keyHash'> {
  if (caller.operator !== undefined && body.can_read_credentials === true) {
    requireSignInForCredentials(caller.operator, services.operatorMfa ?? 'optional', services.clock);
  }
  return {
    accountId: caller.accountId,
    name: body.name,
    right: body.right,
    integrationIds: body.integration_ids,
    canReadCredentials: body.can_read_credentials ?? false,
    limits: body.limits === undefined ? undefined : limitsOfBody(body.limits),
    requestId,
    actor: caller.actor,
    // Operators govern the account: the right comes from them.
    makerMayReadCredentials: caller.operator !== undefined || caller.key?.canReadCredentials === true,
  };
}

/** Secret keys of the account, and the roles that call in place of keys: made, listed, limited, revoked. */
export const keyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/account/keys',
    access: { right: 'full', account: true },
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
        services.secretKeys.list(accountId),
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
    access: { right: 'full', account: true, recentSignIn: true },
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
      const record = await createSecretKey(services, { ...newCaller(services, caller, body, requestId), ...stored });
      const names = await namesOfActors(services, caller.accountId);
      return { data: { ...secretKeyOnTheWire(record, caller.key?.keyHash, names), secret_key: secretKey } };
    },
  }),
  route({
    method: 'POST',
    pattern: '/account/roles',
    access: { right: 'full', account: true, recentSignIn: true },
    creates: true,
    status: 201,
    body: createRoleBody,
    furtherProblems: ({ caller, body }, services) => newCallerProblems(services, caller.accountId, body),
    describe: documented(() => ({
      id: 'registerRole',
      tag,
      summary: 'Let an IAM role call in place of a secret key, below /iam',
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
        ...newCaller(services, caller, body, requestId),
        // The body's schema has seen that it is one.
        keyHash: sha256Hex(roleWithoutPath(body.role_arn) ?? ''),
        roleArn: body.role_arn,
        roleId: body.role_id,
      });
      const names = await namesOfActors(services, caller.accountId);
      return { data: secretKeyOnTheWire(record, caller.key?.keyHash, names) };
    },
  }),
  route({
    method: 'PATCH',
    pattern: '/account/keys/{keyId}',
    access: { right: 'full', account: true, recentSignIn: true },
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
    async handle({ caller, params, body, requestId }, services) {
      const limits = body.limits === null ? undefined : limitsOfBody(body.limits);
      const request = { requestId, actor: caller.actor };
      const record = await changeKeyLimits(services, caller.accountId, params.keyId ?? '', limits, request);
      const names = await namesOfActors(services, caller.accountId);
      return { data: secretKeyOnTheWire(record, caller.key?.keyHash, names) };
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
    access: { right: 'full', account: true },
    describe: documented(() => ({
      id: 'revokeSecretKey',
      tag,
      summary: 'Revoke a secret key or role; it stops working everywhere within a minute',
      answer: success(),
      errors: ['not_found', 'conflict'],
      example: { params: { keyId: EXAMPLE.id }, answer: { success: true } },
    })),
    async handle({ caller, params, requestId }, services) {
      await revokeSecretKey(services, caller.accountId, params.keyId ?? '', { requestId, actor: caller.actor });
      return { success: true };
    },
  }),
];
