/** Variables of the proxy function as a deployment sets them, the provider replaced by the bench's upstream. */
import { ENVIRONMENT } from '../lambdas/gateway/contract.ts';

/** @param upstreamOrigin loopback address that plays every one of the provider's endpoints */
export function functionVariables(upstreamOrigin: string): Record<string, string> {
  return {
    [ENVIRONMENT.tableName]: 'bench',
    [ENVIRONMENT.baseUrl]: 'https://gateway.example',
    [ENVIRONMENT.tokenKeyArn]: 'arn:aws:kms:us-east-1:000000000000:key/bench',
    [ENVIRONMENT.secretPrefix]: 'bench',
    [ENVIRONMENT.metricNamespace]: 'bench',
    [ENVIRONMENT.googleDriveTestCredentialsArn]: 'bench/google-drive',
    [ENVIRONMENT.googleCalendarTestCredentialsArn]: 'bench/google-calendar',
    // Counted as ever, but no measurement meets them.
    [ENVIRONMENT.callsPerMinutePerKey]: '1000000000',
    [ENVIRONMENT.callsPerMinutePerConnection]: '1000000000',
    [ENVIRONMENT.googleTokenEndpoint]: `${upstreamOrigin}/token`,
    [ENVIRONMENT.googleApiBaseUrl]: upstreamOrigin,
  };
}
