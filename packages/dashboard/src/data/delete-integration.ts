import type { Gateway } from '../gateway/gateway.ts';
import { GatewayError } from '../gateway/library.ts';
import { pause } from './pause.ts';

/** Each request deletes for some seconds; after this many the operator is asked again. */
const REQUESTS_MAX = 100;

/**
 * Deletes an integration with all its connections: the gateway deletes for some seconds, then asks to be asked again.
 *
 * @param isRevoking also ends the grants at the provider
 */
export async function deleteIntegration(gateway: Gateway, uniqueKey: string, isRevoking: boolean): Promise<void> {
  for (let request = 1; ; request += 1) {
    try {
      await gateway.integrations.delete(uniqueKey, isRevoking ? { revoke: true } : {});
      return;
    } catch (error) {
      const goesOn = error instanceof GatewayError && error.code === 'service_unavailable' && request < REQUESTS_MAX;
      if (!goesOn) throw error;
      await pause((error.retryAfterSec ?? 1) * 1000);
    }
  }
}
