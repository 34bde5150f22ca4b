import * as z from 'zod';
import { isFileId } from '../../gateway/authorization/pick.rules.ts';
import { PICKED_FILES_MAX, SESSION_INTEGRATIONS_MAX } from '../../gateway/core/limits.ts';
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

/** Ids to be shown again: with the rest of the request they stay below what browsers and front ends take of an address. */
const PICKED_IDS_MAX_LENGTH = 4_000;

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

/** What the user is to pick. Lists end up in an address, joined by commas. */
const pick = z.strictObject({
  connection_id: connectionId.optional(),
  multiple: z.boolean().optional(),
  mime_types: z
    .array(z.string().regex(/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/, 'is no MIME type, such as application/pdf'))
    .min(1, 'name at least one, or leave this out')
    .max(20, 'names at most 20')
    .optional(),
  file_ids: z
    .array(z.string().refine(isFileId, 'is no file id'))
    .min(1, 'name at least one, or leave this out')
    .max(PICKED_FILES_MAX, `names at most ${PICKED_FILES_MAX}`)
    .refine((ids) => ids.join().length <= PICKED_IDS_MAX_LENGTH, {
      message: `may have ${PICKED_IDS_MAX_LENGTH} characters together, because they travel in an address; ask in several sessions`,
    })
    .optional(),
  folders: z.boolean().optional(),
});

/** Body of `POST /connect/sessions`. */
export const createSessionBody = z
  .strictObject({ end_user: endUser.optional(), ...optionalMembers, pick: pick.optional() })
  // A connection has an end user of its own.
  .refine((body) => (body.end_user ?? body.tags ?? body.pick?.connection_id) !== undefined, {
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
