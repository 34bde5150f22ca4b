import * as z from 'zod';
import { answered } from './answered.ts';
import type { Declaring } from './ports.ts';

const known = z.looseObject({
  id: z.string(),
  role_arn: z.string().nullable(),
  role_id: z.string().nullable(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  limits: z.looseObject({}).nullable(),
  managed_by: z.looseObject({ stack_id: z.string(), resources: z.array(z.string()) }).nullable(),
});
const list = z.looseObject({ data: z.array(known), next_cursor: z.string().nullable() });

/** A role or key, as the API lists it. */
export type ListedCaller = z.output<typeof known>;

export const callerPath = (id: string) => `/account/keys/${id}`;

/** Roles and keys that are not revoked. @param property that a failure names */
export async function liveCallers(declaring: Declaring, property: string): Promise<readonly ListedCaller[]> {
  const found: ListedCaller[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = cursor === null ? {} : { cursor };
    const page: z.output<typeof list> = list.parse(
      await answered(declaring, { method: 'GET', path: '/account/keys', query }, property),
    );
    found.push(...page.data.filter(({ revoked_at }) => revoked_at === null));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}
