import * as z from 'zod';
import { PROVIDER_IDS } from '../../../gateway/providers/provider.rules.ts';
import { nextCursor, scope, texts, time } from './common.ts';

const provider = z
  .object({
    name: z.enum(PROVIDER_IDS),
    display_name: z.string(),
    auth_mode: z.literal('OAUTH2'),
    logo_url: z.string(),
    docs: z.string(),
    categories: texts,
    default_scopes: texts,
    recommended_scopes: texts,
    has_picker: z.boolean(),
    scopes: z.array(scope),
  })
  .meta({ id: 'Provider' });

export const providerList = z.object({ data: z.array(provider) }).meta({ id: 'ProviderList' });
export const providerAnswer = z.object({ data: provider }).meta({ id: 'ProviderAnswer' });

const secretKey = z
  .object({
    id: z.string().meta({ description: 'SHA-256 of the key, hex.' }),
    name: z.string(),
    right: z.enum(['proxy', 'read', 'full']),
    integration_ids: texts.nullable().meta({ description: 'Integrations the key is limited to; null = all.' }),
    can_read_credentials: z.boolean(),
    created_at: time,
    created_by: z.string().nullable().meta({
      description:
        'Who made it: key:<start of the id>, operator:<id at the issuer>, or gateway for the first key; null = not known.',
    }),
    last_used_at: time.nullable(),
    revoked_at: time.nullable(),
    is_this_key: z.boolean(),
  })
  .meta({ id: 'SecretKey' });

export const keyList = z.object({ data: z.array(secretKey), next_cursor: nextCursor }).meta({ id: 'SecretKeyList' });

export const createdKey = z
  .object({
    data: secretKey.extend({ secret_key: z.string().meta({ description: 'The key itself, shown this once.' }) }),
  })
  .meta({ id: 'CreatedSecretKey' });

/** Answer of reading and setting test credentials; the secret is in neither. */
export const testCredentials = z
  .object({
    data: z.object({ provider: z.enum(PROVIDER_IDS), configured: z.boolean(), client_id: z.string().nullable() }),
  })
  .meta({ id: 'TestCredentials' });

export const createdSession = z
  .object({
    data: z.object({
      token: z.string().meta({ description: 'Opens the session; shown this once.' }),
      connect_link: z.string().meta({ description: 'Send the end user here.' }),
      expires_at: time,
    }),
  })
  .meta({ id: 'CreatedConnectSession' });

export const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
