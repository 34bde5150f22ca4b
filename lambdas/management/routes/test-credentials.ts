import { GatewayError } from '../../gateway/core/errors.ts';
import { OPERATOR_ACCOUNT_ID } from '../../gateway/keys/authenticate-operator.ts';
import { isProviderId, type ProviderId } from '../../gateway/providers/provider.rules.ts';
import { testCredentialsBody } from '../integrations/integration-routes.ts';
import { keepTestCredentials } from '../integrations/keep-test-credentials.ts';
import { bareRoute, bodyRoute, type Caller, type Route } from '../route.ts';
import { noQuery } from '../schemas/common.ts';
import { testCredentialsOnTheWire } from '../wire/test-credentials.ts';

const PATTERN = '/test-credentials/{provider}';

/** The operator's OAuth clients for test connections: set, looked at without their secret, removed. */
export const testCredentialRoutes: readonly Route[] = [
  bareRoute({
    method: 'GET',
    pattern: PATTERN,
    access: { right: 'full', account: true },
    summary: 'Whether a provider has test credentials, and their client_id; never the secret',
    query: noQuery,
    async handle({ caller, params }, services) {
      const provider = providerOf(caller, params);
      const client = await services.testCredentials.read(provider);
      return { status: 200, body: { data: testCredentialsOnTheWire(provider, client?.clientId) } };
    },
  }),
  bodyRoute({
    method: 'PUT',
    pattern: PATTERN,
    access: { right: 'full', account: true },
    summary: 'Set the OAuth client that quickstart integrations of a provider run on',
    query: noQuery,
    body: testCredentialsBody,
    async handle({ caller, params, body, requestId }, services) {
      const { accountId, actor } = caller;
      const provider = providerOf(caller, params);
      const client = { clientId: body.client_id, clientSecret: body.client_secret };
      await keepTestCredentials(services, { accountId, provider, requestId, actor }, client);
      return { status: 200, body: { data: testCredentialsOnTheWire(provider, client.clientId) } };
    },
  }),
  bareRoute({
    method: 'DELETE',
    pattern: PATTERN,
    access: { right: 'full', account: true },
    summary: 'Remove the test credentials of a provider; integrations on them stop working',
    query: noQuery,
    async handle({ caller, params, requestId }, services) {
      const { accountId, actor } = caller;
      const provider = providerOf(caller, params);
      await keepTestCredentials(services, { accountId, provider, requestId, actor }, undefined);
      return { status: 200, body: { success: true } };
    },
  }),
];

/** The provider a path names. Test credentials serve every account, so only the operators' own may touch them. */
function providerOf({ accountId }: Caller, { provider = '' }: Readonly<Record<string, string>>): ProviderId {
  if (accountId !== OPERATOR_ACCOUNT_ID) {
    throw new GatewayError('forbidden', 'Test credentials belong to the operators of this gateway.');
  }
  if (isProviderId(provider)) return provider;
  throw new GatewayError('not_found', 'There is no such provider. GET /providers lists them.');
}
