import * as z from 'zod';
import { ERROR_STATUS } from '../../../gateway/core/errors.ts';
import { time } from './common.ts';

const CODES = Object.keys(ERROR_STATUS);

const likelyCause = z
  .object({
    cause: z.string(),
    likelihood: z.number().min(0).max(1),
    who: z.enum(['end_user', 'developer', 'workspace_admin']).meta({ description: 'Who can mend it.' }),
    explanation: z.string(),
    remedy: z.string(),
  })
  .meta({ id: 'LikelyCause' });

/** Why a connection cannot be used and who can mend it. */
export const death = z
  .object({
    status: z.literal('reauthorization_required'),
    cause: z.string().meta({ description: 'The most likely cause, such as user_revoked; a guess unless certain.' }),
    certain: z.boolean().meta({ description: 'Whether the provider or the stored facts name the cause beyond doubt.' }),
    what_happened: z
      .string()
      .meta({ description: 'One sentence; begins with “Probably:” unless the cause is certain.' }),
    likely_causes: z.array(likelyCause),
    remedy: z.string(),
    provider_error: z.string().meta({ description: 'The provider’s own code, such as invalid_grant.' }),
    can_be_checked_again: z.boolean().meta({
      description:
        'Whether the same grant may work again without the user, once somebody has lifted a restriction: ask with POST /connections/{connectionId}/refresh.',
    }),
    since: time,
  })
  .meta({ id: 'ConnectionDiagnosis', description: 'Why a connection cannot be used and who can mend it.' });

export const problem = z
  .object({ path: z.string(), message: z.string() })
  .meta({ id: 'Problem', description: 'One problem of a request: where it is and what to do.' });

/** The envelope of every failure that the gateway itself answers with. */
export const errorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(CODES),
      message: z.string(),
      status: z.int(),
      request_id: z.string().meta({ description: 'Find the request in the gateway’s log by this.' }),
      applied: z
        .enum(['no', 'unknown'])
        .optional()
        .meta({ description: 'Of a call to the provider that failed: whether the provider may have acted on it.' }),
      errors: z.array(problem).optional().meta({ description: 'Everything wrong with the request at once.' }),
      errors_left_out: z.int().optional().meta({ description: 'How many more there are: an answer lists a hundred.' }),
      connection: death.optional(),
    }),
  })
  .meta({ id: 'Error' });
