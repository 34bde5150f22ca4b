import { GatewayError } from '../gateway/core/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway/core/http-message.ts';
import { type ConnectDependencies, pageNonce } from './dependencies.ts';
import { DIRECT_START_PREFIX, directStart } from './direct-start.ts';
import { speechFor } from './language.ts';
import { connectPage } from './pages/connect-page.ts';
import { isPreview, previewOf } from './preview.ts';
import { sessionRoute } from './session-routes.ts';
import { startRoute } from './start-route.ts';

/** Routes of the browser's side of connecting. @throws GatewayError */
export async function connectRoute(deps: ConnectDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  const { rawPath, requestId } = request;
  if (rawPath.startsWith(DIRECT_START_PREFIX)) return directStart(deps, request);
  switch (rawPath) {
    case '/connect':
      if (request.method !== 'GET') throw new GatewayError('method_not_allowed', 'Open this address in a browser.');
      return connectPage({
        ...(await speechFor(deps, request)),
        brand: await deps.brand(),
        baseUrl: deps.baseUrl,
        allowedOrigins: deps.connectAllowedOrigins,
        preview: isPreview(request) ? await previewOf(deps, request) : undefined,
        script: await deps.builtText('connect-page.js'),
        nonce: pageNonce(deps),
        requestId,
      });
    case '/connect/session':
      return sessionRoute(deps, request);
    case '/connect/authorizations':
      return startRoute(deps, request);
    default:
      throw new GatewayError('not_found', 'There is nothing at this address.');
  }
}
