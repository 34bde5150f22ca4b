import { findAccount } from '../accounts.ts';
import type { SimulatorState } from '../state/store.ts';

/** Whether a client id is that of a service account. */
export function isDelegate({ delegation }: Pick<SimulatorState, 'delegation'>, clientId: string): boolean {
  return delegation.delegates.some((one) => one.clientId === clientId);
}

/** Whether what a service account was given for a user still stands: it is enabled, so is the user, and it is listed unless tokens outlive that. */
export function isDelegatedTokenLive(
  { delegation }: Pick<SimulatorState, 'delegation'>,
  clientId: string,
  sub: string,
): boolean {
  const { delegates, listings, users, tokensEndWithListing } = delegation;
  if (delegates.find((one) => one.clientId === clientId)?.state !== 'enabled') return false;
  const account = findAccount(sub);
  if (users.some(({ email, state }) => email === account?.email && state !== 'alias')) return false;
  return (
    !tokensEndWithListing || listings.some((one) => one.clientId === clientId && one.domain === account?.hostedDomain)
  );
}
