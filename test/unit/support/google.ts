import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import type { ProviderEndpoints } from '../../../lambdas/gateway/providers/provider.rules.ts';

export const googleDrive = PROVIDERS['google-drive'];
export const googleCalendar = PROVIDERS['google-calendar'];
/** Google's authorization server. */
export const google = googleDrive.server;

/** Google at other addresses. */
export function endpointsAt(addresses: Partial<ProviderEndpoints>): ProviderEndpoints {
  const { apiBaseUrl, ...own } = google.addresses;
  return {
    server: google,
    revocationEndpoint: undefined,
    userinfoEndpoint: undefined,
    jwksUri: undefined,
    ...own,
    apiOrigin: apiBaseUrl,
    otherOrigins: {},
    ...addresses,
  };
}
