/** Variables of the proxy function as a deployment sets them, the provider replaced by the bench's upstream. */
import { ENVIRONMENT } from '../lambdas/shared/contract.ts';

/** @param upstreamOrigin loopback address that plays every one of the provider's endpoints */
export function functionVariables(upstreamOrigin: string): Record<string, string> {
  return {
    [ENVIRONMENT.tableName]: 'bench',
    [ENVIRONMENT.baseUrl]: 'https://gateway.example',
    [ENVIRONMENT.tokenKeyArn]: 'arn:aws:kms:us-east-1:000000000000:key/bench',
    [ENVIRONMENT.secretPrefix]: 'bench',
    [ENVIRONMENT.googleDriveTestCredentialsArn]: 'bench/google-drive',
    [ENVIRONMENT.googleCalendarTestCredentialsArn]: 'bench/google-calendar',
    [ENVIRONMENT.googleTokenEndpoint]: `${upstreamOrigin}/token`,
    [ENVIRONMENT.googleApiBaseUrl]: upstreamOrigin,
  };
}
