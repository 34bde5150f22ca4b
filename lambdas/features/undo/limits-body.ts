import * as z from 'zod';

/** The limit `journal` as a body has it; `false` switches off what an agent's key otherwise has. */
export const limitsBody = {
  journal: z.union([z.boolean(), z.literal('required')], { error: 'must be true, false or required' }).optional(),
};
