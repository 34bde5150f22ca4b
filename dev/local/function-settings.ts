/** Settings of every function process: endpoints and the variables that differ from AWS. */
import { writeFileSync } from 'node:fs';
import { ENVIRONMENT } from '../../lambdas/gateway/core/contract.ts';
import type { CredentialBook } from './aws/credentials.ts';
import type { Dashboard } from './dashboard/open-dashboard.ts';
import type { DataDirectory } from './data-directory.ts';
import type { DataPlane } from './data-plane.ts';
import { endpointVariables, type GoogleEndpoints } from './google-endpoints.ts';
import { LOCAL_CLIENT_ID } from './issuer/issuer.ts';
import type { FunctionSettings } from './lambda/environment.ts';
import type { EndpointOverride, StartOptions } from './local-gateway.ts';
import type { LocalStack } from './template/read-stack.ts';

/** Values known once everything but the functions runs. */
export interface FunctionSettingsInput {
  options: Pick<
    StartOptions,
    'allowedOrigins' | 'returnUrls' | 'endpointOverrides' | 'environmentOverrides' | 'providerEndpoints'
  >;
  stack: LocalStack;
  plane: DataPlane;
  directory: DataDirectory;
  credentials: CredentialBook;
  endpoints: GoogleEndpoints;
  gatewayUrl: string;
  proxyUrl: string;
  /** The secret of a distribution in front of the function URL. */
  doorSecret: string | undefined;
  dashboard: Dashboard | undefined;
}

/** Puts the settings together; address overrides are asked with the real address. */
export async function functionSettings(input: FunctionSettingsInput): Promise<Omit<FunctionSettings, 'runtimeApi'>> {
  const { options, plane, directory } = input;
  const emptyConfigFile = directory.file('empty-aws-config');
  writeFileSync(emptyConfigFile, '', { mode: 0o600 });
  return {
    region: input.stack.region,
    credentials: input.credentials,
    awsEndpoint: await overridden(plane.awsEndpoint, options.endpointOverrides?.aws),
    dynamoDbEndpoint: await overridden(plane.dynamoDbEndpoint, options.endpointOverrides?.dynamodb),
    emptyConfigFile,
    overrides: {
      [ENVIRONMENT.baseUrl]: input.gatewayUrl,
      [ENVIRONMENT.proxyUrl]: input.proxyUrl,
      // Of an app's own functions, which call the gateway.
      GATEWAY_BASE_URL: input.gatewayUrl,
      ...(input.doorSecret === undefined ? {} : { [ENVIRONMENT.doorSecret]: input.doorSecret }),
      // Receivers of webhooks run on this computer, too.
      [ENVIRONMENT.endpointsToLoopback]: 'true',
      ...endpointVariables(input.endpoints),
      ...Object.assign(
        {},
        ...Object.entries(options.providerEndpoints ?? {}).map(([server, given]) => endpointVariables(given, server)),
      ),
      ...operatorVariables(input.dashboard),
      ...listVariable(ENVIRONMENT.connectAllowedOrigins, options.allowedOrigins),
      ...listVariable(ENVIRONMENT.connectReturnUrls, options.returnUrls),
      ...options.environmentOverrides,
    },
  };
}

/** Comma-separated, as the stack sets it; without any the template's own list stays. */
function listVariable(name: string, values: readonly string[] = []): Record<string, string> {
  return values.length === 0 ? {} : { [name]: values.join(',') };
}

function operatorVariables(dashboard: Dashboard | undefined): Record<string, string> {
  if (dashboard === undefined) return {};
  return {
    [ENVIRONMENT.operatorIssuer]: dashboard.issuer,
    [ENVIRONMENT.operatorClientId]: LOCAL_CLIENT_ID,
    [ENVIRONMENT.dashboardOrigin]: dashboard.url,
  };
}

async function overridden(real: string, override: EndpointOverride | undefined): Promise<string> {
  if (override === undefined) return real;
  return typeof override === 'string' ? override : override(real);
}
