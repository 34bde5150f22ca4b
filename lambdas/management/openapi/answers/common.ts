import * as z from 'zod';

/** Value pieces of answers. They describe what is sent and validate nothing at run time. */

/** ISO 8601 UTC. */
export const time = z.string().meta({ format: 'date-time' });

export const count = z.int().min(0);

export const texts = z.array(z.string());

/** Where the next page begins. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Send it as `cursor` for the next page; null at the end. A page ends at 4 MB.' });

/** Text keys and text values. */
export const textMap = z.record(z.string(), z.string());

/** What the caller stored, as it was sent. */
export const anyObject = z.record(z.string(), z.unknown());

/** A member of the compatible client that is always an empty object here. */
export const emptyObject = z.object({});

export const success = z.object({ success: z.literal(true) }).meta({ id: 'Success' });

export const reviewClass = z.enum(['non-sensitive', 'sensitive', 'restricted']);

export const scope = z
  .object({
    scope: z.string(),
    review_class: reviewClass,
    meaning: z.string().meta({ description: 'What it allows, in an end user’s words.' }),
  })
  .meta({ id: 'Scope' });
