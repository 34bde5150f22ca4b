import { GatewayError, wrongMethod } from '../gateway/core/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway/core/http-message.ts';
import { documented } from '../gateway/openapi/documented.ts';
import { failures, htmlAnswer, pageOperation, textParameter } from '../gateway/openapi/path-parts.ts';
import { type ConnectDependencies, type ConnectRoute, pageNonce } from './dependencies.ts';
import { DIRECT_START_PREFIX, DIRECT_START_ROUTE } from './direct-start.ts';
import { speechFor } from './language.ts';
import { connectPage } from './pages/connect-page.ts';
import { isPreview, previewOf } from './preview.ts';
import { SESSION_ROUTE } from './session-routes.ts';
import { START_ROUTE } from './start-route.ts';

const PAGE_ROUTE: ConnectRoute = {
  pattern: '/connect',
  describe: documented(() => (components) => ({
    get: pageOperation('connectPage', 'Open the hosted connect page', {
      description:
        'Reads the session’s token from the fragment, as in connect_link: #session_token=... Its language follows Accept-Language.',
      parameters: [
        textParameter('language', 'query', false, 'Overrides Accept-Language: en, de, fr, es, pt or ja.'),
        textParameter('theme', 'query', false, 'light or dark; overrides the browser’s preference.'),
        textParameter('preview', 'query', false, 'With any value: shows an example session whose buttons do nothing.'),
      ],
      responses: { '200': htmlAnswer('The page.'), ...failures(components) },
    }),
  })),
  async answer(deps, request) {
    if (request.method !== 'GET') throw wrongMethod('Open this address in a browser.', ['GET']);
    const preview = isPreview(request) ? await previewOf(deps, request) : undefined;
    // Only the dashboard may frame the preview.
    const operators = deps.dashboardOrigin === undefined ? [] : [deps.dashboardOrigin];
    return connectPage({
      ...(await speechFor(deps, request)),
      brand: await deps.brand(),
      baseUrl: deps.baseUrl,
      allowedOrigins: preview === undefined ? deps.connectAllowedOrigins : operators,
      preview,
      script: await deps.builtText('connect-page.js'),
      nonce: pageNonce(deps),
      requestId: request.requestId,
    });
  },
};

export const CONNECT_ROUTES: readonly ConnectRoute[] = [PAGE_ROUTE, SESSION_ROUTE, START_ROUTE, DIRECT_START_ROUTE];

/** The response of the route for a path. @throws GatewayError */
export async function connectRoute(deps: ConnectDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  const { rawPath } = request;
  const route = rawPath.startsWith(DIRECT_START_PREFIX)
    ? DIRECT_START_ROUTE
    : CONNECT_ROUTES.find(({ pattern }) => pattern === rawPath);
  if (route === undefined) throw new GatewayError('not_found', 'There is nothing at this address.');
  return route.answer(deps, request);
}
