import type { Provider } from '../providers/provider.rules.ts';
import type { Integration } from './integration.rules.ts';

/** The values that an administrator lists at the provider. */
export interface DelegationForm {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Address of the provider's form, filled in; it replaces nothing that is listed there (SA-2). */
  readonly adminUrl: string;
}

/** The form of an integration; undefined for one without a service account. */
export function delegationForm(
  { delegation, scopes }: Pick<Integration, 'delegation' | 'scopes'>,
  { server }: Pick<Provider, 'server'>,
): DelegationForm | undefined {
  if (delegation === undefined || server.delegation === undefined) return undefined;
  const { clientId } = delegation;
  const fields = new URLSearchParams({ clientIdToAdd: clientId, clientScopeToAdd: scopes.join(',') });
  return { clientId, scopes, adminUrl: `${server.delegation.adminForm}?${fields}` };
}
