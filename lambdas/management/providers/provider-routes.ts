import * as z from 'zod';
import { GatewayError } from '../../gateway/core/errors.ts';
import { PROVIDER_IDS, type Provider } from '../../gateway/providers/provider.rules.ts';
import { scope, texts } from '../openapi/answer-parts.ts';
import { documented } from '../openapi/documented.ts';
import { SCOPE } from '../openapi/sample.ts';
import { type AnswerOf, type Route, route } from '../route.ts';

const providerAnswer = documented(() =>
  z
    .object({
      name: z.enum(PROVIDER_IDS),
      display_name: z.string(),
      auth_mode: z.literal('OAUTH2'),
      logo_url: z.string(),
      docs: z.string(),
      categories: texts(),
      default_scopes: texts(),
      recommended_scopes: texts(),
      has_picker: z.boolean(),
      scopes: z.array(scope()),
    })
    .meta({ id: 'Provider' }),
);

/** A catalogue entry in the API's spelling: what each scope means and how strictly the provider reviews it. */
function providerOnTheWire(provider: Provider): AnswerOf<typeof providerAnswer> {
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

const tag = 'Providers';
const EXAMPLE = {
  name: 'google-drive',
  display_name: 'Google Drive',
  auth_mode: 'OAUTH2',
  logo_url: 'https://ssl.gstatic.com/images/branding/product/2x/drive_2020q4_48dp.png',
  docs: 'https://developers.google.com/workspace/drive/api/reference/rest/v3',
  categories: ['storage'],
  default_scopes: [SCOPE.scope],
  recommended_scopes: ['https://www.googleapis.com/auth/drive.file'],
  has_picker: true,
  scopes: [SCOPE],
};

/** The catalogue. */
export const providerRoutes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/providers',
    access: { right: 'read', session: true },
    query: z.strictObject({ search: z.string().max(255).optional() }),
    describe: documented(() => ({
      id: 'listProviders',
      tag,
      summary: 'Providers with their scopes, what each means and how strictly it is reviewed',
      answer: z.object({ data: z.array(providerAnswer()) }).meta({ id: 'ProviderList' }),
      errors: [],
      example: { query: { search: 'drive' }, answer: { data: [EXAMPLE] } },
    })),
    handle({ query }, { providers }) {
      const search = query.search?.toLowerCase() ?? '';
      const found = providers.filter(
        ({ id, displayName }) => id.includes(search) || displayName.toLowerCase().includes(search),
      );
      return { data: found.map(providerOnTheWire) };
    },
  }),
  route({
    method: 'GET',
    pattern: '/providers/{provider}',
    access: { right: 'read', session: true },
    describe: documented(() => ({
      id: 'getProvider',
      tag,
      summary: 'One provider',
      answer: z.object({ data: providerAnswer() }).meta({ id: 'ProviderAnswer' }),
      errors: ['not_found'],
      example: { params: { provider: 'google-drive' }, answer: { data: EXAMPLE } },
    })),
    handle({ params }, { providers }) {
      const provider = providers.find(({ id }) => id === params.provider);
      if (provider === undefined)
        throw new GatewayError('not_found', 'There is no such provider. GET /providers lists them.');
      return { data: providerOnTheWire(provider) };
    },
  }),
];
