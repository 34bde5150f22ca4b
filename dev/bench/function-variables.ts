/** Variables of the proxy function as a deployment sets them, the provider replaced by the bench's upstream. */
import {
  ADDRESS_NAMES,
  addressVariable,
  ENVIRONMENT,
  testCredentialsVariable,
} from '../../lambdas/gateway/core/contract.ts';
import { PROVIDER_IDS } from '../../lambdas/gateway/providers/provider.rules.ts';

/** @param upstreamOrigin loopback address that plays every one of the provider's endpoints */
export function functionVariables(upstreamOrigin: string): Record<string, string> {
  return {
    [ENVIRONMENT.tableName]: 'bench',
    [ENVIRONMENT.baseUrl]: 'https://gateway.example',
    [ENVIRONMENT.tokenKeyArn]: 'arn:aws:kms:us-east-1:000000000000:key/bench',
    [ENVIRONMENT.secretPrefix]: 'bench',
    [ENVIRONMENT.metricNamespace]: 'bench',
    ...Object.fromEntries(PROVIDER_IDS.map((id) => [testCredentialsVariable(id), `bench/${id}`])),
    // Counted as ever, but no measurement meets them.
    [ENVIRONMENT.callsPerMinutePerKey]: '1000000000',
    [ENVIRONMENT.callsPerMinutePerConnection]: '1000000000',
    [addressVariable('google', ADDRESS_NAMES.tokenEndpoint)]: `${upstreamOrigin}/token`,
    [addressVariable('google', ADDRESS_NAMES.apiBaseUrl)]: upstreamOrigin,
  };
}
