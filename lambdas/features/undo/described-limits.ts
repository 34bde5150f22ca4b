import * as z from 'zod';
import { documented } from '../../gateway/openapi/documented.ts';

/** The limit `journal` as an answer has it. */
export const describedLimits = documented(() => ({
  journal: z
    .union([z.literal(true), z.literal('required')])
    .optional()
    .meta({
      description:
        'What its writes change is kept for seven days, so that they can be undone; `required`: a write that could not be undone is refused.',
    }),
}));
