import * as z from 'zod';
import { integrationId, label } from './common.ts';

/** Body of `POST /account/keys`. */
export const createKeyBody = z.strictObject({
  name: label,
  right: z.enum(['proxy', 'read', 'full'], { error: 'must be proxy, read or full' }),
  integration_ids: z
    .array(integrationId)
    .min(1, 'name at least one, or leave this out for all')
    .max(100, 'names at most 100')
    .transform((ids) => [...new Set(ids)])
    .optional(),
  can_read_credentials: z.boolean().optional(),
});
