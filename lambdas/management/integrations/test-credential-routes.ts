import * as z from 'zod';
import { GatewayError } from '../../gateway/core/errors.ts';
import { OPERATOR_ACCOUNT_ID } from '../../gateway/keys/authenticate-operator.ts';
import { success } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { isProviderId, PROVIDER_IDS, type ProviderId } from '../../gateway/providers/provider.rules.ts';
import { type Caller, grantRoute, type Route } from '../route.ts';
import { testCredentialsBody } from '../schemas/common.ts';
import type { GrantServices } from '../services.ts';
import { keepTestCredentials } from './keep-test-credentials.ts';

const testCredentials = documented(() =>
  z.object({ provider: z.enum(PROVIDER_IDS), configured: z.boolean(), client_id: z.string().nullable() }),
);
const oneOf = documented(() => z.object({ data: testCredentials() }).meta({ id: 'TestCredentials' }));

/** Test credentials in the API's spelling: the client id, never its secret. */
function onTheWire(provider: ProviderId, clientId: string | undefined): AnswerOf<typeof testCredentials> {
  return { provider, configured: clientId !== undefined, client_id: clientId ?? null };
}

const tag = 'Test credentials';
const pattern = '/test-credentials/{provider}';
const params = { provider: 'google-drive' };
const CLIENT_ID = '123456789012-test.apps.googleusercontent.com';
const EXAMPLE = { provider: 'google-drive', configured: true, client_id: CLIENT_ID };

/** The operator's OAuth clients for test connections: set, shown without their secret, removed. */
export const testCredentialRoutes: readonly Route<GrantServices>[] = [
  grantRoute({
    method: 'GET',
    pattern,
    access: { right: 'full', account: true },
    describe: documented(() => ({
      id: 'getTestCredentials',
      tag,
      summary: 'Get whether a provider has test credentials, and their client_id',
      answer: oneOf(),
      errors: ['not_found'],
      example: { params, answer: { data: EXAMPLE } },
    })),
    async handle({ caller, params }, services) {
      const provider = providerOf(caller, params);
      const client = await services.testCredentials.read(provider);
      return { data: onTheWire(provider, client?.clientId) };
    },
  }),
  grantRoute({
    method: 'PUT',
    pattern,
    access: { right: 'full', account: true },
    body: testCredentialsBody,
    describe: documented(() => ({
      id: 'setTestCredentials',
      tag,
      summary: 'Set the OAuth client that quickstart integrations of a provider run on',
      description:
        'Running functions use the new client within five minutes. Connections created with another client end, and their users must connect again.',
      answer: oneOf(),
      errors: ['not_found', 'service_unavailable'],
      example: {
        params,
        body: { client_id: CLIENT_ID, client_secret: 'GOCSPX-example' },
        answer: { data: EXAMPLE },
      },
    })),
    async handle({ caller, params, body, requestId }, services) {
      const { accountId, actor } = caller;
      const provider = providerOf(caller, params);
      const client = { clientId: body.client_id, clientSecret: body.client_secret };
      await keepTestCredentials(services, { accountId, provider, requestId, actor }, client);
      return { data: onTheWire(provider, client.clientId) };
    },
  }),
  grantRoute({
    method: 'DELETE',
    pattern,
    access: { right: 'full', account: true },
    describe: documented(() => ({
      id: 'deleteTestCredentials',
      tag,
      summary: 'Remove the test credentials of a provider; integrations on them stop working',
      answer: success(),
      errors: ['not_found', 'service_unavailable'],
      example: { params, answer: { success: true } },
    })),
    async handle({ caller, params, requestId }, services) {
      const { accountId, actor } = caller;
      const provider = providerOf(caller, params);
      await keepTestCredentials(services, { accountId, provider, requestId, actor }, undefined);
      return { success: true };
    },
  }),
];

/** The provider in a path. Test credentials serve every account, so only operators may change them. */
function providerOf({ accountId }: Caller, { provider = '' }: Readonly<Record<string, string>>): ProviderId {
  if (accountId !== OPERATOR_ACCOUNT_ID) {
    throw new GatewayError('forbidden', 'Test credentials belong to the operators of this gateway.');
  }
  if (isProviderId(provider)) return provider;
  throw new GatewayError('not_found', 'There is no such provider. GET /providers lists them.');
}
