import { displayName, findAccount, GROUPS } from '../accounts.ts';
import type { EffectivePermission } from '../state/drive.ts';

function nameOf({ record }: EffectivePermission): string | undefined {
  if (record.type === 'domain') return record.domain ?? undefined;
  if (record.emailAddress === null) return undefined;
  const account = findAccount(record.emailAddress);
  if (account !== undefined) return displayName(account);
  return GROUPS[record.emailAddress]?.name ?? record.emailAddress;
}

/** The Permission resource; `permissionDetails` tell what is inherited and from where. */
export function describePermission(permission: EffectivePermission): Record<string, unknown> {
  const { record, role, sources } = permission;
  const name = nameOf(permission);
  const isPerson = record.type === 'user' || record.type === 'group';
  const details = sources.map(({ permissionType, role: granted, inherited, inheritedFrom }) => ({
    permissionType,
    role: granted,
    inherited,
    ...(inheritedFrom === undefined ? {} : { inheritedFrom }),
  }));
  return {
    kind: 'drive#permission',
    id: record.id,
    type: record.type,
    role,
    ...(name === undefined ? {} : { displayName: name }),
    ...(record.emailAddress === null ? {} : { emailAddress: record.emailAddress }),
    ...(record.domain === null ? {} : { domain: record.domain }),
    ...(isPerson ? { deleted: false } : { allowFileDiscovery: record.allowFileDiscovery }),
    ...(record.type === 'user' ? { pendingOwner: record.pendingOwner } : {}),
    ...(record.expirationTime === null ? {} : { expirationTime: record.expirationTime }),
    ...(record.view === null ? {} : { view: record.view }),
    permissionDetails: details,
    teamDrivePermissionDetails: details.map(({ permissionType, ...rest }) => ({
      teamDrivePermissionType: permissionType,
      ...rest,
    })),
  };
}
