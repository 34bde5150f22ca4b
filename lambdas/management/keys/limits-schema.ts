import * as z from 'zod';
import { DESCRIBED_LIMITS } from '../../features/described-limits.ts';
import { FEATURE_LIMITS_BODY } from '../../features/limits-body.ts';
import { ipNetwork } from '../../gateway/core/ip-networks.ts';
import { KEY_LIMIT_NAMES_MAX } from '../../gateway/core/limits.ts';
import { type KeyLimits, readKeyLimits, type StoredLimits, storedLimits } from '../../gateway/keys/key-limits.rules.ts';
import { askerLimit, askerLimitBody, texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { CHANGE_CLASSES } from '../../gateway/providers/change-classes.rules.ts';
import { allProviders } from '../../gateway/providers/index.ts';
import { methodsLeft, methodsNamed, methodsToApprove } from '../../gateway/providers/method-names.rules.ts';
import { RESOURCE_NAME } from '../../gateway/providers/named-resources.rules.ts';
import type { MethodMeaning } from '../../gateway/providers/provider.rules.ts';
import { amountsAnswer, amountsBody } from '../schemas/budget.ts';
import { connectionId, integrationId } from '../schemas/common.ts';

/** Every method that limits can name, in the order of the catalogue. */
export function allMethods(): readonly MethodMeaning[] {
  return allProviders().flatMap(({ methodMeanings = [] }) => methodMeanings);
}

function listOf<T extends z.ZodType<string>>(one: T) {
  return z
    .array(one)
    .min(1, 'name at least one, or leave this out')
    .max(KEY_LIMIT_NAMES_MAX, `names at most ${KEY_LIMIT_NAMES_MAX}`)
    .optional();
}

const isClass = (name: unknown) => CHANGE_CLASSES.some((known) => known === name);

const methodName = z.string().refine((name) => methodsNamed(name, allMethods()) !== undefined, {
  error: ({ input }) =>
    isClass(input)
      ? `${input} is a class of changes, which only approve takes; allow and deny take methods and sets, such as drive:share`
      : 'names no method; GET /account/limits/catalogue lists methods and sets, and drive.files.* names a group',
});

const nameToApprove = z
  .string()
  .refine(
    (name) => isClass(name) || methodsNamed(name, allMethods()) !== undefined,
    `names no method and none of ${CHANGE_CLASSES.join(', ')}`,
  );

/** Limits of a key in a body. */
export const limitsBody = z.strictObject({
  mode: z.enum(['observe', 'enforce'], { error: 'must be observe or enforce' }),
  // An empty list allows nothing.
  allow: z.array(methodName).max(KEY_LIMIT_NAMES_MAX, `names at most ${KEY_LIMIT_NAMES_MAX}`).optional(),
  deny: listOf(methodName),
  approve: listOf(nameToApprove),
  ...askerLimitBody(),
  integrations: listOf(integrationId),
  connections: listOf(connectionId),
  resources: listOf(
    z
      .string()
      .regex(
        RESOURCE_NAME,
        'must be calendar:<id> or file:<id>, such as calendar:team@example.com; a folder is a file',
      ),
  ),
  end_users: z
    .record(z.string().min(1).max(64), z.string().max(255))
    .refine((tags) => Object.keys(tags).length > 0, 'name at least one tag, or leave this out')
    .refine((tags) => Object.keys(tags).length <= 10, 'names at most 10 tags')
    .optional(),
  sources: listOf(
    z
      .string()
      .refine(
        (source) => ipNetwork(source) !== undefined,
        'must be an IPv4 or IPv6 address or a network such as 203.0.113.0/24',
      ),
  ),
  minute: amountsBody.optional(),
  day: amountsBody.optional(),
  priority: z.literal('background', { error: 'must be background, or left out' }).optional(),
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-12-31T00:00:00Z' })
    .optional(),
  ...FEATURE_LIMITS_BODY,
});

type LimitsBody = z.infer<typeof limitsBody>;

/** Limits of a body as stored, with the methods that remain. */
export function limitsOfBody(body: LimitsBody): StoredLimits {
  const { end_users: endUsers, expires_at: expiresAt, ...same } = body;
  const limits: KeyLimits = JSON.parse(
    JSON.stringify({
      // A disabled feature's limit is omitted.
      ...Object.fromEntries(Object.entries(same).filter(([, value]: readonly [string, unknown]) => value !== false)),
      methods: methodsLeft(body, allMethods()),
      approveMethods: methodsToApprove(body, allMethods()),
      endUsers,
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
    }),
  );
  return storedLimits(limits);
}

/** Limits of a key in a response. */
export const limitsAnswer = documented(() =>
  z
    .object({
      mode: z
        .enum(['observe', 'enforce'])
        .meta({ description: '`observe` lets every call pass and counts those that `enforce` would refuse.' }),
      allow: texts()
        .optional()
        .meta({ description: 'Methods, groups such as drive.files.* and sets such as drive:read that may be called.' }),
      deny: texts().optional().meta({ description: 'The same, that may not be called, whatever is allowed.' }),
      approve: texts().optional().meta({
        description:
          'The same, and classes of changes (delete, share, invite, replace, write), whose calls wait until a person approves them.',
      }),
      ...askerLimit(),
      methods: texts()
        .optional()
        .meta({ description: 'Ids of the methods that are left, worked out when the limits were set; absent: all.' }),
      integrations: texts().optional(),
      connections: texts().optional(),
      resources: texts().optional().meta({
        description: 'Calendars, files and folders that requests may name; everything else is refused.',
      }),
      end_users: z
        .record(z.string(), z.string())
        .optional()
        .meta({ description: 'Tags that a connection must have, with their values.' }),
      sources: texts().optional().meta({ description: 'Addresses and networks that calls may come from.' }),
      minute: amountsAnswer().optional(),
      day: amountsAnswer().optional().meta({ description: 'From midnight to midnight, UTC.' }),
      priority: z.literal('background').optional().meta({
        description: 'Every call counts as one in the background, whatever Gateway-Priority says.',
      }),
      expires_at: time().optional(),
      ...DESCRIBED_LIMITS(),
    })
    .meta({ id: 'KeyLimits', description: 'What the proxied calls of a secret key are limited to.' }),
);

/** Stored limits in the API’s spelling; those of an unknown form let nothing pass, and are shown as such. */
export function limitsOnTheWire(stored: StoredLimits | undefined): AnswerOf<typeof limitsAnswer> | null {
  if (stored === undefined) return null;
  const limits = readKeyLimits(stored);
  if (limits === undefined) return { mode: 'enforce', allow: [], methods: [] };
  const { endUsers, expiresAt, approveMethods: _, ...same } = limits;
  const mutable: AnswerOf<typeof limitsAnswer> = JSON.parse(
    JSON.stringify({ ...same, end_users: endUsers, expires_at: expiresAt }),
  );
  return mutable;
}
