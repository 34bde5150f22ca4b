import type { EndUser } from '../../gateway/connections/connection.rules.ts';

type Tags = Readonly<Record<string, string>>;

/** Tags of a connection with its end user's data among them, as lists filter by tags; given tags win. */
export function mirroredTags(tags: Tags, endUser: EndUser | undefined): Record<string, string> {
  return { ...mirrorOf(endUser), ...tags };
}

/** The tags that were given: those that only repeat the end user's data are left out. */
export function withoutMirroredTags(tags: Tags, endUser: EndUser | undefined): Record<string, string> {
  const mirror = mirrorOf(endUser);
  return Object.fromEntries(Object.entries(tags).filter(([key, value]) => mirror[key] !== value));
}

function mirrorOf(endUser: EndUser | undefined): Record<string, string> {
  const mirror: Record<string, string> = {};
  const add = (key: string, value: string | null | undefined) => {
    if (value !== null && value !== undefined && value !== '') mirror[key] = value;
  };
  add('end_user_id', endUser?.id);
  add('end_user_email', endUser?.email);
  add('end_user_display_name', endUser?.displayName);
  add('organization_id', endUser?.organization?.id);
  add('organization_display_name', endUser?.organization?.displayName);
  return mirror;
}
