import * as z from 'zod';
import { PROVIDER_IDS } from '../../../gateway/providers/provider.rules.ts';
import { anyObject, count, emptyObject, success, textMap, texts, time } from './common.ts';
import { death } from './error.ts';

const organization = z.object({ id: z.string(), display_name: z.string().nullable() });

const endUser = z
  .object({
    id: z.string(),
    display_name: z.string().nullable(),
    email: z.string().nullable(),
    tags: textMap.nullable(),
    organization: organization.nullable(),
  })
  .meta({ id: 'EndUser', description: 'Who a connection belongs to on the integrator’s side.' });

const shared = {
  id: z.int().meta({ description: 'Stable number below 2^53, unique in the account.' }),
  connection_id: z.string(),
  provider_config_key: z.string().meta({ description: 'The integration’s unique_key.' }),
  provider: z.enum(PROVIDER_IDS),
  errors: z
    .array(z.object({ type: z.literal('auth'), log_id: z.string() }))
    .meta({ description: 'Not empty while the connection has to be authorized again, or confirmed first.' }),
  end_user: endUser.nullable(),
  tags: textMap,
  metadata: anyObject.nullable(),
  status: z.enum(['active', 'reauthorization_required']),
  cause: z.string().nullable().meta({ description: 'Why it has to be authorized again.' }),
  provider_account: z
    .object({
      subject: z.string(),
      email: z.string().nullable(),
      hosted_domain: z.string().nullable().optional().meta({
        description: 'Google Workspace domain; null for an account without one, left out where it is not known.',
      }),
    })
    .nullable()
    .meta({ description: 'The account at the provider; null where no identity was granted.' }),
};

const listItem = z
  .object({
    ...shared,
    created: time,
    last_used_at: time.nullable().optional().meta({ description: 'With include=last_used; to ten minutes.' }),
  })
  .meta({ id: 'ConnectionListItem' });

const total = z.int().meta({ description: 'How many connections there are.' });
const totalIsComplete = z.boolean().meta({ description: 'False where there are more than were counted.' });

/** Answer of `GET /search`. */
export const searchAnswer = z
  .object({
    data: z.object({
      connections: z.array(listItem),
      total,
      total_is_complete: totalIsComplete,
      integrations: z.array(
        z.object({ unique_key: z.string(), display_name: z.string(), provider: z.enum(PROVIDER_IDS) }),
      ),
      keys: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          right: z.enum(['proxy', 'read', 'full']),
          revoked_at: time.nullable(),
        }),
      ),
    }),
  })
  .meta({ id: 'SearchAnswer' });

/** Answer of `POST /connect/sessions/confirm`. */
export const confirmedConnection = z
  .object({
    data: z.object({
      ...shared,
      created: time,
      missing_scopes: texts.meta({ description: 'Asked for and not granted; a reconnect session asks again.' }),
      is_reconnect: z.boolean(),
    }),
  })
  .meta({ id: 'ConfirmedConnection' });

/** Answer of `GET /connections`. */
export const connectionList = z
  .object({
    connections: z.array(listItem),
    next_cursor: z.string().nullable().meta({ description: 'Send as cursor for the next page; null at the end.' }),
    total: total.nullable().optional().meta({ description: 'With include=total: how many connections the list has.' }),
    total_is_complete: totalIsComplete.optional(),
  })
  .meta({ id: 'ConnectionList' });

const credentials = z
  .object({
    type: z.literal('OAUTH2'),
    access_token: z.string(),
    expires_at: time,
    refresh_token: z.string().optional(),
    raw: z
      .object({
        access_token: z.string(),
        expires_at: time,
        refresh_token: z.string(),
        token_type: z.literal('Bearer'),
        scope: z.string(),
      })
      .optional(),
  })
  .partial()
  .meta({ id: 'Credentials', description: 'Empty unless the secret key was made with can_read_credentials.' });

/** A connection by itself. */
export const connection = z
  .object({
    ...shared,
    status: z.enum(['active', 'reauthorization_required', 'pending_confirmation']),
    connection_config: emptyObject,
    webhook_url_override: z.null(),
    created_at: time,
    updated_at: time,
    last_fetched_at: time.nullable(),
    credentials,
    death: death.nullable(),
    requested_scopes: texts,
    granted_scopes: texts,
    missing_scopes: texts.meta({ description: 'Asked for and not granted.' }),
    consented_at: time,
    access_token_expires_at: time,
    last_used_at: time.nullable(),
    last_refreshed_at: time.nullable(),
    shares_grant_with: count
      .nullable()
      .meta({ description: 'Other connections that end together with this one’s grant; null when not known.' }),
    forecasts: z
      .object({
        testing_mode_ends_at: time.nullable(),
        access_ends_at: time.nullable(),
        refresh_token_limit: z.object({ live: count, limit: count }).nullable(),
      })
      .meta({ description: 'What lies ahead of the grant.' }),
  })
  .meta({ id: 'Connection' });

/** Answer of `DELETE /connections/{connectionId}`. */
export const deletedConnection = success
  .extend({
    revocation: z.object({
      status: z.enum(['not_requested', 'revoked', 'pending', 'skipped']),
      reason: z.string().nullable(),
      retry_at: time.nullable(),
      shares_grant_with: count.nullable(),
    }),
  })
  .meta({ id: 'DeletedConnection' });

/** Answer of both metadata routes: an echo. */
export const metadataEcho = z
  .object({ connection_id: z.union([z.string(), texts]), provider_config_key: z.string(), metadata: anyObject })
  .meta({ id: 'MetadataEcho' });
