import * as z from 'zod';
import { readLastUses, readObserved } from '../../gateway/calls/read-usage.ts';
import { FIRST_ACCOUNT_ID } from '../../gateway/core/contract.ts';
import { GatewayError, type Problem, refusal } from '../../gateway/core/errors.ts';
import { keyIdOf, sha256Hex } from '../../gateway/core/identifiers.ts';
import { requireSignInForCredentials } from '../../gateway/keys/authenticate-operator.ts';
import { KEY_RIGHTS, type KeyRight, roleWithoutPath } from '../../gateway/keys/credentials.rules.ts';
import { count, nextCursor, success, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import { allProviders } from '../../gateway/providers/index.ts';
import { actorNames, namesOfActors } from '../audit/actor-names.ts';
import { unknownIntegrations } from '../integrations/unknown-integrations.ts';
import { pageOf } from '../list-page.ts';
import { type Caller, isoTimeOrNull, type Route, route } from '../route.ts';
import { cursorQuery, integrationId, label } from '../schemas/common.ts';
import { changing, forceQuery } from '../schemas/managed-by.ts';
import type { Services } from '../services.ts';
import { changeKeyLimits, findLiveKey, PROXY_KEYS_ONLY } from './change-key-limits.ts';
import { createSecretKey, type NewSecretKey, newSecretKey } from './create-secret-key.ts';
import { KEY_EXAMPLE, keyAnswer, limitsFor, limitsProblems, secretKeyOnTheWire } from './key-answer.ts';
import { limitsBody } from './limits-schema.ts';
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

const tag = 'Secret keys';
const ROLE = { role_arn: 'arn:aws:iam::111122223333:role/nightly-export', role_id: 'AROAEXAMPLEEXAMPLE123' };
const roleExample = documented(() => ({
  ...KEY_EXAMPLE(),
  id: '97df3588b5a3f24babc3851b372f0ba71a9dcdded43b14b9d06961bfc1707d9d',
  hint: null,
  ...ROLE,
}));
const LIMITS = { mode: 'enforce' as const, allow: ['drive:metadata'], deny: ['drive.changes.*'], day: { units: 5000 } };
const limited = documented(() => ({
  ...KEY_EXAMPLE(),
  limits: { ...LIMITS, methods: ['drive.files.get', 'drive.files.list'] },
}));

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

/** Secret keys of the account, and roles that call instead of keys: created, listed, limited, revoked. */
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
      example: { answer: { data: [KEY_EXAMPLE()], next_cursor: null } },
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
        answer: { data: { ...KEY_EXAMPLE(), secret_key: 'sk_default_ExampleOnlyExampleOnlyExampleOnlyExampleOnl' } },
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
      example: { body: { name: 'Nightly export', right: 'proxy', ...ROLE }, answer: { data: roleExample() } },
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
      example: { params: { keyId: KEY_EXAMPLE().id }, body: { limits: LIMITS }, answer: { data: limited() } },
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
      example: { params: { keyId: KEY_EXAMPLE().id }, answer: { data: OBSERVED } },
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
      example: { params: { keyId: KEY_EXAMPLE().id }, answer: { success: true } },
    })),
    async handle({ caller, params, requestId }, services) {
      const request = { requestId, actor: caller.actor, stack: caller.stack };
      await revokeSecretKey(services, caller.accountId, params.keyId ?? '', request);
      return { success: true };
    },
  }),
];
