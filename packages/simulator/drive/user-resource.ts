import { ACCOUNTS, displayName, type SimAccount } from '../accounts.ts';
import { permissionIdOf } from './permissions.ts';

/** Drive's User resource of an account, as `caller` sees it. */
export function describeUser(account: SimAccount, caller: SimAccount): Record<string, unknown> {
  return {
    kind: 'drive#user',
    displayName: displayName(account),
    me: account.sub === caller.sub,
    permissionId: permissionIdOf(account),
    emailAddress: account.email,
  };
}

/** The User resource of a Google account id. */
export function describeSub(sub: string, caller: SimAccount): Record<string, unknown> {
  const account = ACCOUNTS.find((entry) => entry.sub === sub);
  if (account !== undefined) return describeUser(account, caller);
  return { kind: 'drive#user', displayName: 'Deleted user', me: false };
}
