import type { Provider } from '../providers/provider.rules.ts';
import { canonicalScope } from '../providers/scopes.rules.ts';
import { fill, type Texts } from './language.rules.ts';

/** Members that identify an end user. */
export interface NamedPerson {
  readonly id: string;
  readonly email: string | null;
  readonly displayName: string | null;
}

/**
 * An end user as a person would recognize them: name and e-mail, else one of them, else the id (CS-14). Name and e-mail together,
 * because many apps let users choose any name.
 */
export function endUserInWords({ common }: Pick<Texts, 'common'>, { id, email, displayName }: NamedPerson): string {
  if (displayName !== null && email !== null) return `${displayName} (${email})`;
  return displayName ?? email ?? fill(common.userWithId, { id });
}

/** A scope in plain words; an unknown one unchanged. */
export function scopeInWords({ scopes }: Pick<Texts, 'scopes'>, provider: Provider, scope: string): string {
  const known = provider.scopes.find((one) => canonicalScope(one.scope) === scope);
  return known === undefined ? scope : (scopes[scope.slice(scope.lastIndexOf('/') + 1)] ?? known.meaning);
}
