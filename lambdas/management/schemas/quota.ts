import * as z from 'zod';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { type OwnQuota, QUOTA_TIERS, type StoredQuota } from '../../gateway/providers/project-quota.rules.ts';

const most = z.int('must be a whole number').min(1, 'must be at least 1');

/** Quota of a Cloud project in a body: differences from new projects. */
export const quotaBody = z
  .strictObject({
    counted_in: z.enum(['units', 'requests'], { error: 'must be units or requests' }).optional(),
    per_minute: most.optional(),
    per_minute_and_user: most.optional(),
    per_day: most.nullish(),
    bytes_out_per_day: most.nullish(),
    tier: z.enum(QUOTA_TIERS, { error: `must be one of: ${QUOTA_TIERS.join(', ')}` }).optional(),
    billing_account: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the id that the Cloud console shows')
      .optional(),
    until: z.iso.date('must be a date such as 2027-04-01').optional(),
    tool_requests_per_day: most.optional(),
    tool_keys: most.max(10_000, 'must be at most 10000').optional(),
  })
  .refine(({ tier, billing_account: account }) => account === undefined || tier === 'scaled', {
    path: ['billing_account'],
    message: 'belongs to the tier scaled',
  })
  .refine(
    (members) => Object.values(members).some((one) => one !== undefined),
    'name what differs, or send null for the quota of new projects',
  );

/** A body's quota as stored; undefined for null, which removes it. */
export function quotaOfBody(body: z.infer<typeof quotaBody> | null): OwnQuota | undefined {
  if (body === null) return undefined;
  const members: OwnQuota = {
    countedIn: body.counted_in,
    perMinute: body.per_minute,
    perMinuteAndUser: body.per_minute_and_user,
    perDay: body.per_day,
    bytesOutPerDay: body.bytes_out_per_day,
    tier: body.tier,
    billingAccount: body.billing_account,
    until: body.until,
    toolRequestsPerDay: body.tool_requests_per_day,
    toolKeys: body.tool_keys,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** The same as an answer has it. */
export const quotaAnswer = documented(() =>
  z
    .object({
      counted_in: z.enum(['units', 'requests']).optional().meta({
        description: 'Cloud projects from before May 2026 may count requests of Drive. If omitted: units.',
      }),
      per_minute: z.int().optional().meta({ description: 'Units or requests a minute of the project.' }),
      per_minute_and_user: z.int().optional().meta({ description: 'Units or requests a minute of one of its users.' }),
      per_day: z.int().nullable().optional().meta({
        description:
          'Units or requests a day: the threshold that QuotaReached and dayLimit count against; null = none.',
      }),
      bytes_out_per_day: z.int().nullable().optional().meta({
        description: 'The same for bytes of answers; null = none.',
      }),
      tier: z.enum(QUOTA_TIERS).optional().meta({
        description: 'As the Cloud console shows it; internal = the internal-use exception. If omitted: standard.',
      }),
      billing_account: z.string().optional().meta({
        description: 'Of a project in the tier scaled.',
      }),
      until: z.string().optional().meta({
        format: 'date',
        description:
          'First day (UTC) on which the Standard tier counts instead, where it is lower. If omitted: 2027-04-01 for higher limits in the tier standard; otherwise never.',
      }),
      tool_requests_per_day: z.int().optional().meta({
        description: 'Requests a day (Pacific Time) to Google’s MCP server of this API. If omitted: 5000.',
      }),
      tool_keys: z.int().optional().meta({
        description: 'Agent keys that share one half of them evenly. If omitted: 20.',
      }),
    })
    .meta({
      id: 'OwnQuota',
      description:
        'Google’s quotas of the Cloud project, as its console shows them, where they differ from those of new projects.',
    }),
);

/** A stored quota in the API's spelling. */
export function quotaOnTheWire(stored: StoredQuota): AnswerOf<typeof quotaAnswer> {
  const own: Readonly<Record<string, unknown>> = { ...stored };
  const members = {
    counted_in: own.countedIn,
    per_minute: own.perMinute,
    per_minute_and_user: own.perMinuteAndUser,
    per_day: own.perDay,
    bytes_out_per_day: own.bytesOutPerDay,
    tier: own.tier,
    billing_account: own.billingAccount,
    until: own.until,
    tool_requests_per_day: own.toolRequestsPerDay,
    tool_keys: own.toolKeys,
  };
  const read = quotaBody.safeParse(JSON.parse(JSON.stringify(members)));
  const known: AnswerOf<typeof quotaAnswer> = JSON.parse(JSON.stringify(read.success ? read.data : {}));
  return known;
}
