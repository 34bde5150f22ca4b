import type { EndUser } from '../domain/connection.ts';

/** Tags of a connection with its end user's data among them, as lists filter by tags; given tags win. */
export function mirroredTags(
  tags: Readonly<Record<string, string>>,
  endUser: EndUser | undefined,
): Record<string, string> {
  const mirrored: Record<string, string | null | undefined> = {
    end_user_id: endUser?.id,
    end_user_email: endUser?.email,
    end_user_display_name: endUser?.displayName,
    organization_id: endUser?.organization?.id,
    organization_display_name: endUser?.organization?.displayName,
  };
  const result: Record<string, string> = {};
  for (const [key, value] of Object.entries(mirrored)) {
    if (value !== null && value !== undefined && value !== '') result[key] = value;
  }
  return { ...result, ...tags };
}
