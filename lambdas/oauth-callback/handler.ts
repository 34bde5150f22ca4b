import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { FlowFailure } from '../gateway/authorization/flow-failure.ts';
import { pickStore } from '../gateway/authorization/pick.store.ts';
import { connectSessionStore, pendingAuthorizationStore } from '../gateway/authorization/session.store.ts';
import { unconfirmedGrantStore } from '../gateway/connections/unconfirmed-grant.store.ts';
import { CALLBACK_STATES } from '../gateway/core/contract.ts';
import { wrongMethod } from '../gateway/core/errors.ts';
import { type GatewayRequest, type GatewayResponse, headerValue } from '../gateway/core/http-message.ts';
import { bindingCookies, requestFromEvent } from '../gateway/http/front-door.ts';
import { brandSource } from '../gateway/http/html-page.ts';
import { bufferedAnswer, callContext, errorEnvelope, type HandlerContext } from '../gateway/http/middlewares.ts';
import { acceptedLanguage, readTexts } from '../gateway/languages/language.rules.ts';
import { endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { openBuiltTexts, readBuiltFile } from '../gateway/platform/built-file.ts';
import { idTokenVerifier } from '../gateway/platform/oidc/id-token-verifier.ts';
import { PROVIDERS } from '../gateway/providers/catalogue.ts';
import { makeRefresher, openSharedDependencies } from '../gateway/wiring.ts';
import { completeAuthorization, type FlowResult, UNKNOWN_FLOW } from './complete-authorization.ts';
import { resultPage } from './result-page.ts';

const shared = openSharedDependencies('oauth-callback');
const { config, logger, random } = shared;
const dependencies = {
  ...shared,
  sessions: connectSessionStore(shared.table),
  authorizations: pendingAuthorizationStore(shared.table),
  unconfirmed: unconfirmedGrantStore(shared.table),
  picks: pickStore(shared.table),
  refresher: makeRefresher(shared),
  idTokens: idTokenVerifier(shared.upstream),
  providers: PROVIDERS,
};
const builtText = openBuiltTexts();
const brand = brandSource(config.brand, readBuiltFile);

/** `GET /oauth/callback`: the redirect URI registered at the provider. */
async function oauthCallback(event: APIGatewayProxyEvent): Promise<GatewayResponse> {
  const request = requestFromEvent(event);
  if (request.method !== 'GET') {
    throw wrongMethod('The provider sends browsers here with GET.', ['GET']);
  }
  if (request.query.length === 0) return toConnectPage(request.requestId);
  const elsewhere = pathOfOtherSignIn(request);
  if (elsewhere !== undefined) return toOtherSignIn(elsewhere, request);
  const result = await complete(request);
  const nonce = Buffer.from(random.bytes(18)).toString('base64url');
  const { baseUrl, connectReturnUrls } = config;
  const language = result.language ?? acceptedLanguage(headerValue(request.headers, 'accept-language'));
  const [script, texts, shownBrand] = await Promise.all([
    builtText('result-page.js'),
    readTexts(builtText, language),
    brand(),
  ]);
  const { requestId } = request;
  return resultPage(result, {
    language,
    texts,
    brand: shownBrand,
    baseUrl,
    connectReturnUrls,
    script,
    nonce,
    requestId,
  });
}

/**
 * The page that ends a flow removes the code from its address. A user who reloads it or returns requests the bare address, and the
 * connect page shows the state of the session in its tab.
 */
function toConnectPage(requestId: string): GatewayResponse {
  return {
    status: 303,
    headers: [
      ['location', `${config.baseUrl}/connect`],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['x-request-id', requestId],
    ],
    body: undefined,
  };
}

/** Where a browser continues that returns from a sign-in of another function, which alone knows its state. */
function pathOfOtherSignIn({ query }: GatewayRequest): string | undefined {
  const states = query.filter(([name]) => name === 'state').map(([, value]) => value);
  return Object.entries(CALLBACK_STATES).find(([prefix]) => states.some((state) => state.startsWith(prefix)))?.[1];
}

/** Google sends browsers back to this one address; the code is usable only with the verifier and cookie of that sign-in. */
function toOtherSignIn(path: string, { query, requestId }: GatewayRequest): GatewayResponse {
  const kept = query.filter(([name]) => name === 'state' || name === 'code').map(([name, value]) => [name, value]);
  return {
    status: 303,
    headers: [
      ['location', `${config.baseUrl}${path}?${new URLSearchParams(kept)}`],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['x-request-id', requestId],
    ],
    body: undefined,
  };
}

/** A failure before any flow is known still gets a page, because a person sees it. */
async function complete(request: GatewayRequest): Promise<FlowResult> {
  try {
    return await completeAuthorization(dependencies, request, bindingCookies(request.headers));
  } catch (error) {
    logger.error('callback failed', { requestId: request.requestId }, error);
    return { kind: 'failed', failure: new FlowFailure('internal', { cause: error }), ...UNKNOWN_FLOW };
  }
}

export const handler = middy<APIGatewayProxyEvent, GatewayResponse, Error, HandlerContext>()
  .use(callContext(logger, endCallsWithInvocation))
  .use(bufferedAnswer())
  .use(errorEnvelope(logger, 'callback failed'))
  .handler(oauthCallback);
