import * as z from 'zod';
import { anyObject, emptyObject, texts, time } from './common.ts';

const described = { scope: z.string(), meaning: z.string() };

/** Answer of `GET /connect/session`. */
export const sessionView = z
  .object({
    data: z.object({
      endUser: anyObject.nullable(),
      connectUISettings: emptyObject,
      allowed_integrations: texts,
      integrations_config_defaults: anyObject,
      isReconnecting: z.boolean(),
      status: z.enum([
        'pending',
        'authorizing',
        'pending_confirmation',
        'connected',
        'cancelled',
        'refused',
        'failed',
        'expired',
      ]),
      connection_id: z.string().nullable(),
      provider_config_key: z.string().nullable(),
      error: z.object({ type: z.string(), message: z.string() }).nullable(),
      missing_scopes: z.array(z.object(described)),
      pick: z
        .object({
          connection_id: z.string().nullable(),
          multiple: z.boolean(),
          mime_types: texts,
          file_ids: texts,
          folders: z.boolean(),
        })
        .nullable(),
      picked: z.array(z.object({ id: z.string(), mime_type: z.string().nullable(), confirmed: z.boolean() })),
      expires_at: time,
      return_url: z.string().nullable(),
      for_whom: z.string().nullable(),
      app_name: z.string().nullable(),
      account_email: z.string().nullable(),
      integrations: z.array(
        z.object({
          provider_config_key: z.string(),
          display_name: z.string(),
          provider: z.string(),
          provider_name: z.string(),
          scopes: z.array(z.object({ ...described, granted: z.boolean() })),
        }),
      ),
    }),
  })
  .meta({ id: 'ConnectSession' });

/** Answer of `POST /connect/authorizations`. */
export const startedAuthorization = z
  .object({ data: z.object({ authorization_url: z.string(), provider_config_key: z.string() }) })
  .meta({ id: 'StartedAuthorization' });
