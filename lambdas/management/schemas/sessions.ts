import * as z from 'zod';
import { SESSION_INTEGRATIONS_MAX } from '../../gateway/core/limits.ts';
import {
  connectionId,
  endUser,
  endUserId,
  hostedDomain,
  integrationId,
  organization,
  scopeText,
  tags,
} from './common.ts';

/** Authorization parameters a backend may fix for its users; all others are the gateway's. */
const authorizationParams = z.strictObject({
  login_hint: z.string().min(1).max(320).optional(),
  hd: hostedDomain.optional(),
  include_granted_scopes: z.enum(['true', 'false'], { error: 'must be "true" or "false"' }).optional(),
  prompt: z
    .string()
    .regex(/^(consent|select_account)( (consent|select_account))*$/, 'may hold consent and select_account')
    .optional(),
});

/** Something for each of some integrations. */
function perIntegration<Value extends z.ZodType>(value: Value) {
  return z.record(integrationId, value).refine((entries) => Object.keys(entries).length <= SESSION_INTEGRATIONS_MAX, {
    message: `names at most ${SESSION_INTEGRATIONS_MAX} integrations`,
  });
}

const defaults = perIntegration(
  z.strictObject({
    user_scopes: z.string().optional(),
    authorization_params: authorizationParams.optional(),
    connection_config: z.strictObject({ oauth_scopes_override: scopeText.optional() }).optional(),
  }),
);

const optionalMembers = {
  organization: organization.nullish(),
  allowed_integrations: z
    .array(integrationId)
    .min(1, 'name at least one, or leave this out')
    .max(SESSION_INTEGRATIONS_MAX, `names at most ${SESSION_INTEGRATIONS_MAX}`)
    .optional(),
  integrations_config_defaults: defaults.optional(),
  overrides: perIntegration(z.strictObject({ docs_connect: z.string().max(2000).optional() })).optional(),
  webhook_url_override: z.string().max(2000).nullish(),
  tags: tags.optional(),
  return_url: z.string().max(2000).optional(),
  confirm: z.boolean().optional(),
};

/** Body of `POST /connect/sessions`. */
export const createSessionBody = z
  .strictObject({ end_user: endUser.optional(), ...optionalMembers })
  .refine(({ end_user, tags }) => end_user !== undefined || tags !== undefined, {
    path: ['end_user'],
    message: 'is required, as {"id": ...}, unless tags say whom the session is for',
  });

/** Body of `POST /connect/sessions/reconnect`. */
export const reconnectSessionBody = z
  .strictObject({
    connection_id: connectionId,
    integration_id: integrationId,
    end_user: endUser.optional(),
    ...optionalMembers,
    allow_account_change: z.boolean().optional(),
  })
  .omit({ allowed_integrations: true });

/** Body of `POST /connect/sessions/confirm`. */
export const confirmBody = z.strictObject({
  handle: z.string().min(1, 'must not be empty').max(200, 'is no handle: those are shorter'),
  end_user_id: endUserId,
});

export type CreateSessionBody = z.output<typeof createSessionBody>;
export type ReconnectSessionBody = z.output<typeof reconnectSessionBody>;
