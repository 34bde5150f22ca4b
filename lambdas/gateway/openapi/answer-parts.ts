import * as z from 'zod';
import { DESCRIBED_ERROR } from '../../features/described-error.ts';
import { ERROR_STATUS } from '../core/errors.ts';
import { ASKERS } from '../core/limits.ts';
import { documented } from './documented.ts';

/** Parts of response schemas. They describe and type responses, and validate nothing at run time. */

/** ISO 8601 UTC. */
export const time = documented(() => z.string().meta({ format: 'date-time' }));

export const count = documented(() => z.int().min(0));

export const texts = documented(() => z.array(z.string()));

/** Where the next page begins. */
export const nextCursor = documented(() =>
  z
    .string()
    .nullable()
    .meta({ description: 'Send it as `cursor` for the next page; null at the end. A page ends at 4 MB.' }),
);

/** Text keys and text values. */
export const textMap = documented(() => z.record(z.string(), z.string()));

/** Stored by the caller, returned unchanged. */
export const anyObject = documented(() => z.record(z.string(), z.unknown()));

/** A member of the compatible client that is always an empty object here. */
export const emptyObject = documented(() => z.object({}));

/** An event's members, in lists as on the bus. */
export const eventData = documented(() =>
  z.record(z.string(), z.string()).meta({
    description:
      'What the event says: the detail on the bus, and data of the webhook of its type. Empty members are not sent.',
  }),
);

/** The former member that repeats members of `data`. */
export const formerCause = documented(() =>
  z.string().nullable().meta({
    description:
      'Why a grant died. Of other types deprecated, gone in 0.4.0: read reason, key_id and the like in data.',
  }),
);

export const success = documented(() => z.object({ success: z.literal(true) }).meta({ id: 'Success' }));

export const reviewClass = documented(() => z.enum(['non-sensitive', 'sensitive', 'restricted']));

/** A scope of a provider and what it means. */
export const scope = documented(() =>
  z
    .object({
      scope: z.string(),
      review_class: reviewClass(),
      meaning: z.string().meta({ description: 'What it allows, in words for end users.' }),
    })
    .meta({ id: 'Scope' }),
);

/** One explanation of an end, and the party that can fix it. */
export const likelyCause = documented(() =>
  z
    .object({
      cause: z.string(),
      likelihood: z.number().min(0).max(1),
      who: z.enum(['end_user', 'developer', 'workspace_admin']).meta({ description: 'Who can fix it.' }),
      explanation: z.string(),
      remedy: z.string(),
    })
    .meta({ id: 'LikelyCause' }),
);

/** Why a connection cannot be used and who can fix it. */
export const death = documented(() =>
  z
    .object({
      status: z.literal('reauthorization_required'),
      cause: z
        .string()
        .meta({ description: 'The most likely cause, such as user_revoked; certain says whether it is proven.' }),
      certain: z.boolean().meta({ description: 'Whether the provider’s answer or the stored facts prove the cause.' }),
      what_happened: z
        .string()
        .meta({ description: 'One sentence; begins with “Probably:” unless the cause is certain.' }),
      likely_causes: z.array(likelyCause()),
      remedy: z.string(),
      provider_error: z.string().meta({ description: 'The provider’s own code, such as invalid_grant.' }),
      can_be_checked_again: z.boolean().meta({
        description:
          'Whether the same grant may work again without the user once a restriction is lifted; check with POST /connections/{connectionId}/refresh.',
      }),
      since: time(),
      evidence: z
        .object({
          type: z.string().meta({ description: 'Type of the security event, such as account-disabled.' }),
          reason: z.string().nullable().meta({ description: 'The provider’s own word, such as hijacking.' }),
          stated_at: time(),
        })
        .nullable()
        .meta({
          description:
            'The provider’s signed statement that proves the cause; null if none does. Google sends them when security events are registered.',
        }),
    })
    .meta({ id: 'ConnectionDiagnosis', description: 'Why a connection cannot be used and who can fix it.' }),
);

export const problem = documented(() =>
  z
    .object({ path: z.string(), message: z.string() })
    .meta({ id: 'Problem', description: 'One problem of a request: its place and what to do.' }),
);

/** The limit of a key that refuses a call. */
export const keyLimitStanding = documented(() =>
  z
    .object({
      name: z.string().meta({ description: 'Member of the key’s limits, such as methods or day.units.' }),
      method: z.string().optional().meta({ description: 'The provider’s method that the key may not call.' }),
      member: z
        .string()
        .optional()
        .meta({ description: 'The parameter, member or header for which nobody can approve the call.' }),
      allowed: z.array(z.string()).optional().meta({ description: 'What the key may do, as it was named.' }),
      denied: z.array(z.string()).optional().meta({ description: 'What the key may not do, as it was named.' }),
      most: z.int().optional().meta({ description: 'Of a budget: all of it.' }),
      left: z.int().optional().meta({ description: 'Of a budget: what is left of it.' }),
      resets_at: time().optional().meta({ description: 'Of a budget: when all of it is free again.' }),
    })
    .meta({ id: 'KeyLimitStanding', description: 'The limit of the secret key that refuses the call.' }),
);

/** The limit of a key that says who asks about calls to Google's MCP servers, as a body has it. */
export function askerLimitBody() {
  return { approval: z.enum(ASKERS, { error: 'must be google, gateway or both' }).optional() };
}

/** The same as an answer has it. */
export const askerLimit = documented(() => ({
  approval: z.enum(ASKERS).optional().meta({
    description:
      'Who asks about calls to Google’s MCP servers that approve covers: Google by its own forms, the gateway, or both. Default: gateway.',
  }),
}));

/** The envelope of every failure of the gateway itself. */
export const errorEnvelope = documented(() =>
  z
    .object({
      error: z.object({
        code: z.enum(Object.keys(ERROR_STATUS)),
        message: z.string(),
        status: z.int(),
        request_id: z.string().meta({ description: 'Identifies the request in the gateway’s log.' }),
        applied: z
          .enum(['no', 'unknown'])
          .optional()
          .meta({ description: 'For a failed call to the provider: whether the provider may have carried it out.' }),
        errors: z.array(problem()).optional().meta({ description: 'All problems of the request.' }),
        errors_left_out: z
          .int()
          .optional()
          .meta({ description: 'How many more problems there are; an answer lists at most 100.' }),
        connection: death().optional(),
        limit: keyLimitStanding().optional(),
        ...DESCRIBED_ERROR(),
      }),
    })
    .meta({ id: 'GatewayError' }),
);
