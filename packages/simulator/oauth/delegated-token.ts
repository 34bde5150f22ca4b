import { findAccount } from '../accounts.ts';
import type { SimulatorState } from '../state/store.ts';

/** Whether a client id is that of a service account. */
export function isDelegate({ delegation }: Pick<SimulatorState, 'delegation'>, clientId: string): boolean {
  return delegation.delegates.some((one) => one.clientId === clientId);
}

/** Whether what a service account was given for a user still stands: the account is enabled, and so is the user. */
export function isDelegatedTokenLive(
  { delegation }: Pick<SimulatorState, 'delegation'>,
  clientId: string,
  sub: string,
): boolean {
  const { delegates, users } = delegation;
  if (delegates.find((one) => one.clientId === clientId)?.state !== 'enabled') return false;
  const email = findAccount(sub)?.email;
  return !users.some((user) => user.email === email && user.state !== 'alias');
}
