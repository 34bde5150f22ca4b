import * as z from 'zod';
import { PROVIDER_IDS } from '../../../gateway/providers/provider.rules.ts';
import { count, nextCursor, reviewClass, scope, success, texts, time } from './common.ts';
import { problem } from './error.ts';

const integration = z
  .object({
    unique_key: z.string().meta({ description: 'Its id: Provider-Config-Key of calls.' }),
    provider: z.enum(PROVIDER_IDS),
    display_name: z.string(),
    logo: z.string(),
    forward_webhooks: z.boolean(),
    created_at: time,
    updated_at: time,
    scopes: texts,
    credentials_source: z.enum(['own', 'test']),
    publishing_status: z.enum(['testing', 'production']),
    audience: z.enum(['external', 'internal']),
    mode: z.enum(['test', 'live']),
    include_granted_scopes: z.boolean(),
    hosted_domain: z
      .string()
      .nullable()
      .meta({ description: 'Workspace domain whose accounts alone may connect; * = any; null = every account.' }),
    testing_seen_at: time.nullable().meta({
      description:
        'Consent that showed Google to treat the app as External and in Testing, whatever publishing_status says: such grants end after seven days. Null where grants do not show it.',
    }),
    credentials_fault: z
      .object({ error: z.string(), since: time, retry_at: time })
      .nullable()
      .meta({ description: 'Present while the provider refuses the OAuth client.' }),
    webhook_url: z.null().optional().meta({ description: 'With include=webhook.' }),
    credentials: z
      .object({
        type: z.literal('OAUTH2'),
        client_id: z.string().nullable(),
        client_secret: z.literal('').meta({ description: 'Always empty: client secrets are never shown.' }),
        scopes: z.string().nullable(),
        webhook_secret: z.null(),
      })
      .optional()
      .meta({ description: 'With include=credentials.' }),
  })
  .meta({ id: 'Integration' });

/** Answer of `GET /integrations`. */
export const integrationList = z
  .object({ data: z.array(integration), next_cursor: nextCursor })
  .meta({ id: 'IntegrationList' });

/** Answer of reading and making an integration. */
export const integrationAnswer = z.object({ data: integration }).meta({ id: 'IntegrationAnswer' });

/** Answer of changing one: what the change leads to comes with it. */
export const changedIntegration = z
  .object({ data: integration, warnings: z.array(problem) })
  .meta({ id: 'ChangedIntegration' });

export const deletedIntegration = success.extend({ deleted_connections: count }).meta({ id: 'DeletedIntegration' });

/** Answer of `GET /integrations/{integrationId}/readiness`. */
export const readiness = z
  .object({
    data: z.object({
      ready: z.boolean(),
      publishing_status: z.enum(['testing', 'production']),
      audience: z.enum(['external', 'internal']),
      redirect_uri: z.string().meta({ description: 'To be registered at Google for the OAuth client.' }),
      javascript_origin: z.string().meta({
        description: 'To be registered only for front ends whose own libraries ask for it: the gateway needs none.',
      }),
      strictest_class: reviewClass,
      scopes: z.array(
        scope.extend({
          reviews: z
            .array(z.enum(['app_verification', 'security_assessment']))
            .meta({ description: 'The steps below that asking for this scope takes.' }),
        }),
      ),
      steps: z.array(
        z.object({
          id: z.string(),
          needed: z.boolean(),
          done: z.boolean().nullable().meta({ description: 'Null where only Google’s console shows it.' }),
          what: z.string(),
        }),
      ),
      alternatives: z
        .array(z.object({ instead_of: texts, scope: z.string(), what: z.string() }))
        .meta({ description: 'Scopes to ask for instead, which need fewer reviews.' }),
      risks: texts,
    }),
  })
  .meta({ id: 'Readiness' });
