import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { pendingAuthorizationStore } from '../shared/adapters/dynamodb/authorization-store.ts';
import { connectSessionStore } from '../shared/adapters/dynamodb/session-store.ts';
import { idTokenVerifier } from '../shared/adapters/oidc/id-token-verifier.ts';
import { GatewayError } from '../shared/domain/errors.ts';
import { requestFromEvent } from '../shared/http/api-gateway-event.ts';
import { bindingCookies } from '../shared/http/binding-cookie.ts';
import { bufferedReply } from '../shared/http/buffered-reply.ts';
import { errorResponse } from '../shared/http/error-response.ts';
import { completeAuthorization } from '../shared/use-cases/authorization/complete-authorization.ts';
import { layFoundation } from '../shared/wiring.ts';
import { resultPage } from './result-page.ts';

const foundation = layFoundation('oauth-callback');
const { config, logger, random } = foundation;
const dependencies = {
  ...foundation,
  sessions: connectSessionStore(foundation.table),
  authorizations: pendingAuthorizationStore(foundation.table),
  idTokens: idTokenVerifier(foundation.upstream),
  endpoints: config.google,
};

/** `GET /oauth/callback`: the redirect URI registered at the provider. */
async function oauthCallback(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const request = requestFromEvent(event);
  try {
    if (request.method !== 'GET') {
      throw new GatewayError('method_not_allowed', 'The provider sends browsers here with GET.');
    }
    const result = await completeAuthorization(dependencies, request, bindingCookies(request.headers));
    const nonce = Buffer.from(random.bytes(18)).toString('base64url');
    return bufferedReply(resultPage(result, config.baseUrl, nonce, request.requestId));
  } catch (error) {
    if (!(error instanceof GatewayError)) logger.error('callback failed', { requestId: request.requestId }, error);
    return bufferedReply(errorResponse(error, request.requestId));
  }
}

export const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context>().handler(oauthCallback);
