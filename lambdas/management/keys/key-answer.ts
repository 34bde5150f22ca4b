import * as z from 'zod';
import { DESCRIBED_KEY } from '../../features/described-key.ts';
import { FEATURES } from '../../features/index.ts';
import { KEY_EXAMPLE as EXAMPLE_OF_FEATURES } from '../../features/key-example.ts';
import { keyMembersOfFeatures } from '../../features/key-members.ts';
import { type Problem, refusal } from '../../gateway/core/errors.ts';
import { KEY_RIGHTS, type SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import type { StoredLimits } from '../../gateway/keys/key-limits.rules.ts';
import { texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import type { ActorNames } from '../audit/actor-names.ts';
import { unknownIntegrations } from '../integrations/unknown-integrations.ts';
import { isoTimeOrNull } from '../route.ts';
import { managedByAnswer, managedByOnTheWire } from '../schemas/managed-by.ts';
import type { Services } from '../services.ts';
import { limitsAnswer, limitsOfBody, limitsOnTheWire } from './limits-schema.ts';

/** A secret key in a response. */
export const keyAnswer = documented(() =>
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
      ...DESCRIBED_KEY(),
    })
    .meta({ id: 'SecretKey' }),
);

/** A secret key's record in the API's spelling; the id is its digest, and the key itself is not stored. */
export function secretKeyOnTheWire(
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
    ...keyMembersOfFeatures(record),
  };
}

const OWN_EXAMPLE = {
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
};
/** A secret key as examples have it. */
export const KEY_EXAMPLE = documented(() => ({ ...OWN_EXAMPLE, ...EXAMPLE_OF_FEATURES() }));

/** Problems of limits that their schema does not detect. */
export async function limitsProblems(
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
  return FEATURES.filter(({ id }) => without.has(id)).flatMap(({ id, keyLimits, servedLimits }) =>
    set
      .filter((name) => Object.hasOwn(keyLimits, name) || servedLimits.includes(name))
      .map((name) => ({ path: `limits.${name}`, message: `this gateway was deployed without ${id}` })),
  );
}

/** Limits of a body as stored. @throws GatewayError `invalid_body` for unknown integrations and a limit that only a left-out feature applies */
export async function limitsFor(
  services: Services,
  accountId: string,
  limits: Parameters<typeof limitsOfBody>[0],
): Promise<StoredLimits> {
  const problems = await limitsProblems(services, accountId, { limits });
  if (problems.length > 0) throw refusal('invalid_body', problems);
  return limitsOfBody(limits);
}

/** Default limits of features for keys that are bound to one end user, as a part of a sentence. */
export const wordsOfBoundKeys = documented(() =>
  FEATURES.flatMap(({ keyLimits }) => Object.values(keyLimits))
    .map(({ ofBoundKeysWords }) => `, ${ofBoundKeysWords}`)
    .join(''),
);
