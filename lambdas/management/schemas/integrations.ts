import * as z from 'zod';
import { PROVIDER_IDS } from '../../gateway/providers/provider.rules.ts';
import { hostedDomain, ignoredObject, integrationId, label, revokeParam, scopeText } from './common.ts';

const provider = z.enum(PROVIDER_IDS, { error: `must be one of: ${PROVIDER_IDS.join(', ')}` });

const visibleText = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max, `has at most ${max} characters`)
    .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces');

const oauthType = z.literal('OAUTH2', { error: 'must be OAUTH2' });

const client = z.strictObject({
  type: oauthType,
  client_id: visibleText(255),
  client_secret: visibleText(1000),
  scopes: scopeText.nullish(),
  webhook_secret: z.null().optional(),
});

/** A change of the client: the id may stay away when only the secret is rotated. */
const clientChange = z.strictObject({
  type: oauthType,
  client_id: visibleText(255).optional(),
  client_secret: visibleText(1000).optional(),
  scopes: scopeText.nullish(),
  webhook_secret: z.null().optional(),
});

const ignored = {
  forward_webhooks: z.boolean().optional(),
  integration_config: ignoredObject,
  custom: ignoredObject,
};

const settings = {
  display_name: label.optional(),
  scopes: z.array(z.string().min(1).max(200)).min(1, 'name at least one scope').max(50, 'at most 50 scopes').optional(),
  publishing_status: z.enum(['testing', 'production'], { error: 'must be testing or production' }).optional(),
  audience: z.enum(['external', 'internal'], { error: 'must be external or internal' }).optional(),
  mode: z.enum(['test', 'live'], { error: 'must be test or live' }).optional(),
  include_granted_scopes: z.boolean().optional(),
  hosted_domain: hostedDomain.nullish(),
};

const credentialsSource = z.enum(['own', 'test'], { error: 'must be own or test' }).optional();

/** Body of `POST /integrations`. */
export const createIntegrationBody = z
  .strictObject({
    provider,
    unique_key: integrationId,
    ...settings,
    credentials: client.optional(),
    credentials_source: credentialsSource,
    ...ignored,
  })
  .superRefine((body, context) => {
    const problem = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (body.credentials_source === 'test' && body.credentials !== undefined) {
      problem('credentials', 'leave this out: test credentials are the operator’s');
    }
    if (body.credentials_source !== 'test' && body.credentials === undefined) {
      problem(
        'credentials',
        'is required: {"type":"OAUTH2","client_id","client_secret"}; or set credentials_source to test',
      );
    }
    if (body.scopes !== undefined && hasText(body.credentials?.scopes)) {
      problem('scopes', 'send scopes here or in credentials.scopes, not in both');
    }
  });

/** Body of `POST /integrations/quickstart`. */
export const quickstartBody = z.strictObject({ provider, unique_key: integrationId, ...settings, ...ignored });

/** Body of `PATCH /integrations/{id}`. */
export const updateIntegrationBody = z
  .strictObject({
    unique_key: integrationId.optional(),
    ...settings,
    credentials: clientChange.optional(),
    credentials_source: credentialsSource,
    ...ignored,
  })
  .superRefine((body, context) => {
    const problem = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (body.credentials_source === 'test' && body.credentials !== undefined) {
      problem('credentials', 'leave this out: test credentials are the operator’s');
    }
    if (body.scopes !== undefined && hasText(body.credentials?.scopes)) {
      problem('scopes', 'send scopes here or in credentials.scopes, not in both');
    }
  });

/** Body of `PUT /test-credentials/{provider}`. */
export const testCredentialsBody = z.strictObject({ client_id: visibleText(255), client_secret: visibleText(1000) });

/** Query of `GET /integrations/{id}`. */
export const integrationQuery = z.strictObject({
  include: z
    .union([z.enum(['webhook', 'credentials']), z.array(z.enum(['webhook', 'credentials']))], {
      error: 'must be webhook or credentials',
    })
    .transform((value) => (typeof value === 'string' ? [value] : value))
    .optional(),
});

/** Query of `DELETE /integrations/{id}`. */
export const deleteIntegrationQuery = z.strictObject({ revoke: revokeParam.optional() });

export type CreateIntegrationBody = z.output<typeof createIntegrationBody>;
export type QuickstartBody = z.output<typeof quickstartBody>;
export type UpdateIntegrationBody = z.output<typeof updateIntegrationBody>;

function hasText(scopes: readonly string[] | null | undefined): boolean {
  return scopes !== undefined && scopes !== null && scopes.length > 0;
}
