import { editDistance } from '../core/edit-distance.ts';
import type { Problem } from '../core/errors.ts';
import type { Provider } from '../providers/provider.rules.ts';
import { canonicalScope, expandScope, uniqueScopes } from '../providers/scopes.rules.ts';
import { holdsClientSecret } from './integration.rules.ts';

/** Most suggestions for an unknown name. */
const SUGGESTIONS_MAX = 3;

/**
 * Scopes in full spelling, checked against a provider's catalogue; problems are added to the list.
 *
 * @param path their place in the request
 */
export function resolveScopes(
  provider: Provider,
  written: readonly string[],
  path: string,
  problems: Problem[],
): string[] {
  const known = new Set(provider.scopes.map(({ scope }) => canonicalScope(scope)));
  const scopes: string[] = [];
  for (const text of written) {
    const scope = canonicalScope(expandScope(text.trim(), provider.server.authorization.scopePrefix));
    if (known.has(scope)) {
      scopes.push(scope);
      continue;
    }
    if (holdsClientSecret(text)) {
      problems.push({ path, message: 'holds a client secret, which only credentials.client_secret may' });
      continue;
    }
    const near = nearestScopes(provider, text.trim());
    const hint = near.length === 0 ? `GET /providers/${provider.id} lists them` : `did you mean ${near.join(' or ')}?`;
    problems.push({
      path,
      message: `${provider.displayName} has no scope ${JSON.stringify(text.slice(0, 200))}; ${hint}`,
    });
  }
  if (written.length === 0) problems.push({ path, message: 'name at least one scope, or omit this for the default' });
  return uniqueScopes(scopes);
}

/** Catalogue scopes whose short names are a few letters away from the given text or contain it. */
function nearestScopes(provider: Provider, written: string): string[] {
  const wanted = shortName(written).toLowerCase().slice(0, 100);
  if (wanted === '') return [];
  return provider.scopes
    .map(({ scope }) => ({ name: shortName(scope), distance: editDistance(wanted, shortName(scope).toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, wanted.length / 3) || name.includes(wanted))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name);
}

function shortName(scope: string): string {
  return scope.slice(scope.lastIndexOf('/') + 1);
}
