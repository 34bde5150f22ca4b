import * as z from 'zod';
import { documented } from '../../gateway/openapi/documented.ts';

/** Members of the envelope of failures. */
export const describedError = documented(() => ({
  approval: z
    .object({
      approval_id: z.string(),
      url: z.string().meta({ description: 'Page where a person decides.' }),
      expires_at: z.string().meta({ format: 'date-time', description: 'When it has waited for too long.' }),
    })
    .meta({ id: 'WaitingApproval', description: 'The approval that the call waits for.' })
    .optional(),
}));
