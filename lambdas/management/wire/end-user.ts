import type * as z from 'zod';
import type { EndUser } from '../../gateway/connections/connection.rules.ts';
import type { endUser, organization } from '../schemas/common.ts';

/** An end user as sent, with the organization that travels beside it. */
export function toEndUser(
  sent: z.output<typeof endUser>,
  sentOrganization: z.output<typeof organization> | undefined,
): EndUser {
  return {
    id: sent.id,
    email: sent.email ?? null,
    displayName: sent.display_name ?? null,
    tags: sent.tags ?? null,
    organization:
      sentOrganization === undefined
        ? null
        : { id: sentOrganization.id, displayName: sentOrganization.display_name ?? null },
  };
}
