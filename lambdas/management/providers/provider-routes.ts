import * as z from 'zod';
import { GatewayError } from '../../gateway/core/errors.ts';
import { scope, texts } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { SCOPE } from '../../gateway/openapi/sample.ts';
import { PROVIDER_IDS, type Provider, type Providers } from '../../gateway/providers/provider.rules.ts';
import { type Route, route } from '../route.ts';
import { testCredentialsBody } from '../schemas/common.ts';
import { CLIENT_VERDICTS, checkClient } from './check-client.ts';

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
      server: z.object({
        id: z.string(),
        display_name: z.string(),
        has_testing_mode: z
          .boolean()
          .meta({ description: 'Whether the provider reviews apps and ends the grants of unpublished apps.' }),
      }),
      console: z.object({
        clients_url: z.string().meta({ description: 'Where OAuth clients are created.' }),
        enable_api_url: z.string().nullable().meta({ description: 'Where the API is enabled, if necessary.' }),
        enable_tool_server_url: z.string().nullable().meta({
          description:
            'Where the provider’s MCP server is enabled, which agentic integrations need; null = it has none.',
        }),
      }),
      first_call: z.string().meta({ description: 'Path and query of a first call.' }),
      sample_calls: z.array(z.object({ label: z.string(), target: z.string() })),
    })
    .meta({ id: 'Provider' }),
);

/** A catalogue entry in the API's spelling: the meaning of each scope and its review class. */
function providerOnTheWire(provider: Provider): AnswerOf<typeof providerAnswer> {
  return {
    name: provider.id,
    display_name: provider.displayName,
    auth_mode: 'OAUTH2',
    logo_url: provider.logoUrl,
    docs: provider.docsUrl,
    categories: provider.categories,
    default_scopes: provider.defaultScopes,
    // Scopes without review are the better start where a picker compensates for their limits.
    recommended_scopes: provider.picker === undefined ? provider.defaultScopes : [provider.picker.scope],
    has_picker: provider.picker !== undefined,
    server: {
      id: provider.server.id,
      display_name: provider.server.displayName,
      has_testing_mode: provider.server.grants.hasTestingMode === true,
    },
    console: {
      clients_url: provider.console.clientsUrl,
      enable_api_url: provider.console.enableApiUrl ?? null,
      enable_tool_server_url: provider.console.enableToolServerUrl ?? null,
    },
    first_call: provider.firstCall,
    sample_calls: provider.sampleCalls,
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
  server: { id: 'google', display_name: 'Google', has_testing_mode: true },
  console: {
    clients_url: 'https://console.cloud.google.com/auth/clients/create',
    enable_api_url: 'https://console.cloud.google.com/apis/library/drive.googleapis.com',
    enable_tool_server_url: 'https://console.cloud.google.com/apis/library/drivemcp.googleapis.com',
  },
  first_call: '/drive/v3/files?pageSize=5',
  sample_calls: [{ label: 'About the account', target: '/drive/v3/about?fields=user,storageQuota' }],
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
      summary: 'List providers with their scopes, what each means and how strictly it is reviewed',
      answer: z.object({ data: z.array(providerAnswer()) }).meta({ id: 'ProviderList' }),
      errors: [],
      example: { query: { search: 'drive' }, answer: { data: [EXAMPLE] } },
    })),
    handle({ query }, { providers }) {
      const search = query.search?.toLowerCase() ?? '';
      const found = Object.values(providers).filter(
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
      summary: 'Get a provider',
      answer: z.object({ data: providerAnswer() }).meta({ id: 'ProviderAnswer' }),
      errors: ['not_found'],
      example: { params: { provider: 'google-drive' }, answer: { data: EXAMPLE } },
    })),
    handle({ params }, { providers }) {
      return { data: providerOnTheWire(providerOf(providers, params.provider)) };
    },
  }),
  route({
    method: 'POST',
    pattern: '/providers/{provider}/check-client',
    access: { right: 'full' },
    creates: false,
    body: testCredentialsBody,
    describe: documented(() => ({
      id: 'checkClient',
      tag,
      summary: 'Ask a provider whether it accepts an OAuth client, before the client is stored',
      description:
        'The gateway sends the token endpoint a code that was never given. The provider authenticates the client before it refuses the code, so its answer shows whether the client id and the secret are right. Nothing is granted or stored.',
      answer: z.object({
        data: z
          .object({
            verdict: z.enum(CLIENT_VERDICTS).meta({ description: 'unreachable: the provider gave no usable answer.' }),
            error: z.string().nullable().meta({ description: 'Error code of the provider.' }),
            message: z.string(),
          })
          .meta({ id: 'ClientCheck' }),
      }),
      errors: ['not_found'],
      example: {
        params: { provider: 'google-drive' },
        body: { client_id: '123456789012-own.apps.googleusercontent.com', client_secret: 'GOCSPX-example' },
        answer: {
          data: { verdict: 'accepted', error: null, message: 'Google accepts this client id and secret.' },
        },
      },
    })),
    async handle({ params, body }, services) {
      const provider = providerOf(services.providers, params.provider);
      return {
        data: await checkClient(services, provider, { clientId: body.client_id, clientSecret: body.client_secret }),
      };
    },
  }),
];

function providerOf(providers: Providers, id: string | undefined): Provider {
  const provider = Object.values(providers).find((one) => one.id === id);
  if (provider !== undefined) return provider;
  throw new GatewayError('not_found', 'There is no such provider. GET /providers lists them.');
}
