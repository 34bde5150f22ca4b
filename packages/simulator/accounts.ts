/** A person the simulator can sign in. */
export interface SimAccount {
  /** Google's stable user id: 21 digits. */
  sub: string;
  email: string;
  givenName: string;
  familyName: string;
  /** Workspace domain, absent for consumer accounts. */
  hostedDomain?: string;
  timeZone: string;
}

/** The accounts of every simulator, in the order of the account chooser: two consumers, two of one Workspace. */
export const ACCOUNTS: readonly [SimAccount, ...SimAccount[]] = [
  {
    sub: '104857600000000000011',
    email: 'first.user@example.com',
    givenName: 'First',
    familyName: 'User',
    timeZone: 'Europe/Berlin',
  },
  {
    sub: '104857600000000000022',
    email: 'second.user@example.com',
    givenName: 'Second',
    familyName: 'User',
    timeZone: 'America/New_York',
  },
  {
    sub: '104857600000000000033',
    email: 'editor@workspace.example',
    givenName: 'Workspace',
    familyName: 'Editor',
    hostedDomain: 'workspace.example',
    timeZone: 'Europe/London',
  },
  {
    sub: '104857600000000000044',
    email: 'viewer@workspace.example',
    givenName: 'Workspace',
    familyName: 'Viewer',
    hostedDomain: 'workspace.example',
    timeZone: 'Asia/Tokyo',
  },
];

/** Finds an account by e-mail (any case) or `sub`. */
export function findAccount(hint: string): SimAccount | undefined {
  const wanted = hint.trim().toLowerCase();
  return ACCOUNTS.find((account) => account.email === wanted || account.sub === wanted);
}

/** Full name for display. */
export function displayName(account: SimAccount): string {
  return `${account.givenName} ${account.familyName}`;
}

/** The groups of every simulator, with the e-mail addresses of their members. */
export const GROUPS: Readonly<Record<string, { name: string; members: readonly string[] }>> = {
  'team@workspace.example': { name: 'Team', members: ['editor@workspace.example', 'viewer@workspace.example'] },
};

/** True when an address is a group's and the account is in it. */
export function isInGroup(groupAddress: string, account: Pick<SimAccount, 'email'>): boolean {
  const group = Object.hasOwn(GROUPS, groupAddress) ? GROUPS[groupAddress] : undefined;
  return group?.members.includes(account.email) === true;
}

/** The one administrator of the Workspace domain: calls with `useDomainAdminAccess` are theirs. */
export const DOMAIN_ADMIN = 'editor@workspace.example';
