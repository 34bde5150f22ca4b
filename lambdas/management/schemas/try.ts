import * as z from 'zod';

/** Body of `POST /connections/{id}/try`; the proxy's own rules judge the rest of the path. */
export const tryBody = z.strictObject({
  path: z
    .string()
    .max(8000, 'has at most 8000 characters')
    .regex(/^\//, 'begins with a slash: path and query at the provider, such as /drive/v3/files?pageSize=3'),
});
