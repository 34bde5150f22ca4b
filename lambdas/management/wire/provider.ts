import type { Provider } from '../../gateway/providers/provider.rules.ts';

/** A catalogue entry in the API's spelling: what each scope means and how strictly the provider reviews it. */
export function providerOnTheWire(provider: Provider): Record<string, unknown> {
  return {
    name: provider.id,
    display_name: provider.displayName,
    auth_mode: 'OAUTH2',
    logo_url: provider.logoUrl,
    docs: provider.docsUrl,
    categories: provider.categories,
    default_scopes: provider.defaultScopes,
    // What needs no review is the better start, where a picker makes up for what it does not open.
    recommended_scopes: provider.picker === undefined ? provider.defaultScopes : [provider.picker.scope],
    has_picker: provider.picker !== undefined,
    scopes: provider.scopes.map(({ scope, reviewClass, meaning }) => ({ scope, review_class: reviewClass, meaning })),
  };
}
