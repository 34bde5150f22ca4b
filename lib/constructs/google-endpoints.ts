import { ENVIRONMENT, GOOGLE_ENDPOINT_DEFAULTS } from '../../lambdas/gateway/contract.ts';
import type { GatewayConfig } from '../gateway-options.ts';
import type { GatewayFunction } from './function.ts';

/** Tells a function where Google is: Google's own addresses except those that a deployment replaces. */
export function setGoogleEndpoints(fn: GatewayFunction, overrides: GatewayConfig['googleEndpoints']): void {
  const defaults = GOOGLE_ENDPOINT_DEFAULTS;
  const endpoints = {
    [ENVIRONMENT.googleIssuer]: overrides.issuer ?? defaults[ENVIRONMENT.googleIssuer],
    [ENVIRONMENT.googleAuthorizationEndpoint]:
      overrides.authorizationEndpoint ?? defaults[ENVIRONMENT.googleAuthorizationEndpoint],
    [ENVIRONMENT.googleTokenEndpoint]: overrides.tokenEndpoint ?? defaults[ENVIRONMENT.googleTokenEndpoint],
    [ENVIRONMENT.googleRevocationEndpoint]:
      overrides.revocationEndpoint ?? defaults[ENVIRONMENT.googleRevocationEndpoint],
    [ENVIRONMENT.googleUserinfoEndpoint]: overrides.userinfoEndpoint ?? defaults[ENVIRONMENT.googleUserinfoEndpoint],
    [ENVIRONMENT.googleJwksUri]: overrides.jwksUri ?? defaults[ENVIRONMENT.googleJwksUri],
    [ENVIRONMENT.googleApiBaseUrl]: overrides.apiBaseUrl ?? defaults[ENVIRONMENT.googleApiBaseUrl],
  } satisfies Record<keyof typeof GOOGLE_ENDPOINT_DEFAULTS, string>;
  // Empty where a deployment names none: the function then goes by the API's own address.
  const others = {
    [ENVIRONMENT.googleDriveActivityBaseUrl]: overrides.driveActivityBaseUrl ?? '',
    [ENVIRONMENT.googleCalDavBaseUrl]: overrides.calDavBaseUrl ?? '',
  };
  for (const [name, value] of Object.entries({ ...endpoints, ...others })) {
    fn.setEnvironment(name, value);
  }
}
