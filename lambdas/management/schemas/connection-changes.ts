import * as z from 'zod';
import { METADATA_CONNECTIONS_MAX, METADATA_MAX_BYTES } from '../../gateway/core/limits.ts';
import { connectionId, endUser, ignoredObject, integerParam, integrationId, organization, tags } from './common.ts';

const metadata = z
  .record(z.string().min(1, 'names must not be empty'), z.unknown(), { error: 'must be an object' })
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= METADATA_MAX_BYTES,
    `has at most ${METADATA_MAX_BYTES} bytes as JSON`,
  )
  .refine((value) => !hasEmptyName(value), 'names must not be empty');

const token = z
  .string()
  .min(1, 'must not be empty')
  .max(4096, 'has at most 4096 characters')
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

const moment = z.string().refine((text) => /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)), {
  message: 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z',
});

/** Body of `POST /connections`. */
export const importBody = z.strictObject({
  provider_config_key: integrationId,
  connection_id: connectionId.optional(),
  credentials: z.strictObject({
    type: z.literal('OAUTH2', { error: 'must be OAUTH2' }),
    access_token: token.optional(),
    refresh_token: token,
    expires_at: moment.nullish(),
  }),
  consented_at: moment.optional().meta({ description: 'When the user consented: between 2004 and now.' }),
  metadata: metadata.nullish(),
  connection_config: ignoredObject,
  end_user: endUser.optional(),
  organization: organization.nullish(),
  tags: tags.optional(),
});

/** Body of `PATCH /connections/{id}`. */
export const updateConnectionBody = z.strictObject({
  end_user: endUser.optional(),
  organization: organization.nullish(),
  tags: tags.optional(),
  webhook_url_override: z.string().max(2000).nullish(),
});

/** Body of `POST` and `PATCH /connections/metadata`. */
export const metadataBody = z.strictObject({
  connection_id: z
    .union([connectionId, z.array(connectionId).min(1, 'name at least one').max(METADATA_CONNECTIONS_MAX)], {
      error: `send one connection id or a list of up to ${METADATA_CONNECTIONS_MAX}`,
    })
    .transform((ids) => [...new Set(typeof ids === 'string' ? [ids] : ids)]),
  provider_config_key: integrationId,
  metadata,
});

/** Query of `GET /connections/{id}/events`. */
export const eventsQuery = z.strictObject({
  provider_config_key: integrationId,
  limit: integerParam(1, 200).optional(),
  before: z
    .string()
    .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'send the event_id of an event')
    .optional(),
});

export type UpdateConnectionBody = z.output<typeof updateConnectionBody>;

/** DynamoDB refuses maps with an empty name. */
function hasEmptyName(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasEmptyName);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => name === '' || hasEmptyName(member));
}
