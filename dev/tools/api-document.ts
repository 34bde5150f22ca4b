import { CONNECT_ROUTES } from '../../lambdas/connect/routes.ts';
import { openApiDocument } from '../../lambdas/gateway/openapi/document.ts';
import type { Json } from '../../lambdas/gateway/openapi/json-schema.ts';
import { ROUTES } from '../../lambdas/management/routes/index.ts';
import { CALLBACK_PATHS } from '../../lambdas/oauth-callback/api-document.ts';
import { PROXY_PATHS } from '../../lambdas/proxy/api-document.ts';

/** The gateway's whole API as OpenAPI 3.1, from the route tables of its functions. @param baseUrl of the gateway that serves it */
export function apiDocument(baseUrl: string): Json {
  return openApiDocument(ROUTES, [...CONNECT_ROUTES, ...CALLBACK_PATHS, ...PROXY_PATHS], baseUrl);
}

export { ADDRESS_PLACE } from '../../lambdas/management/reference/document-routes.ts';
