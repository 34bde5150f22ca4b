import * as z from 'zod';
import { DEATH_CAUSES } from '../../gateway/core/grant-death.ts';
import { CONNECTION_LIST_MAX, COUNTED_ITEMS_MAX } from '../../gateway/core/limits.ts';
import { CONNECTION_SORTS } from '../connections/list-connections.ts';
import { booleanParam, cursor, integerParam, integrationId, revokeParam } from './common.ts';

const text = z.string({ error: 'send one value' }).min(1, 'must not be empty').max(255, 'has at most 255 characters');

/** Integrations with commas between. */
const integrationList = text.transform((list) => list.split(',').filter((id) => id !== ''));

/** Query of `GET /connections`. */
export const listQuery = z
  .strictObject({
    connectionId: text.optional(),
    search: text.optional(),
    endUserId: text.optional(),
    endUserOrganizationId: text.optional(),
    integrationId: integrationList.optional(),
    status: z
      .enum(['active', 'reauthorization_required'], { error: 'must be active or reauthorization_required' })
      .optional(),
    cause: z.enum(DEATH_CAUSES, { error: `must be one of ${DEATH_CAUSES.join(', ')}` }).optional(),
    tags: z
      .record(z.string().max(64), z.string().max(255))
      .refine((tags) => Object.keys(tags).length <= 10, 'at most 10 tags')
      .transform((tags) => Object.fromEntries(Object.entries(tags).map(([key, value]) => [tagName(key), value])))
      .optional(),
    sort: z.enum(CONNECTION_SORTS, { error: `must be one of ${CONNECTION_SORTS.join(', ')}` }).optional(),
    include: text
      .transform((list) => list.split(','))
      .pipe(z.array(z.enum(['total', 'last_used'], { error: 'names total, last_used or both with a comma between' })))
      .optional(),
    limit: integerParam(1, CONNECTION_LIST_MAX).optional(),
    page: integerParam(0, COUNTED_ITEMS_MAX).optional(),
    cursor,
  })
  .superRefine(({ page = 0, limit = CONNECTION_LIST_MAX, cursor }, context) => {
    const problem = (message: string) => context.addIssue({ code: 'custom', path: ['page'], message });
    if (page * limit > COUNTED_ITEMS_MAX) {
      problem(`reaches at most ${COUNTED_ITEMS_MAX} connections; go on with cursor=<next_cursor of the page before>`);
    }
    if (cursor !== undefined && page > 0) problem('send page or cursor, not both');
  });

/** Query of `GET /search`. */
export const searchQuery = z.strictObject({ q: text, limit: integerParam(1, 50).optional() });

/** Query that names the integration of a connection. */
export const ofIntegration = z.strictObject({ provider_config_key: integrationId });

/** Query of `GET /connections/{id}`. */
export const readQuery = z.strictObject({
  provider_config_key: integrationId,
  force_refresh: booleanParam.optional(),
  refresh_token: booleanParam.optional(),
  refresh_github_app_jwt_token: booleanParam.optional(),
});

/** Query of `DELETE /connections/{id}`. */
export const deleteQuery = z.strictObject({
  provider_config_key: integrationId,
  revoke: revokeParam.optional(),
});

/** Query of `GET /revocations`. */
export const revocationsQuery = z.strictObject({
  integrationId: integrationList.optional(),
  limit: integerParam(1, 100).optional(),
});

/** Keys as the compatible client writes them: lower case, two of them renamed. */
function tagName(key: string): string {
  if (key === 'displayName') return 'end_user_display_name';
  if (key === 'email') return 'end_user_email';
  return key.toLowerCase();
}
