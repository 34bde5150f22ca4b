import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { pendingAuthorizationStore } from '../shared/adapters/dynamodb/authorization-store.ts';
import { connectSessionStore } from '../shared/adapters/dynamodb/session-store.ts';
import { GatewayError } from '../shared/domain/errors.ts';
import { requestFromEvent } from '../shared/http/api-gateway-event.ts';
import { bufferedReply } from '../shared/http/buffered-reply.ts';
import { errorResponse } from '../shared/http/error-response.ts';
import { providerOf } from '../shared/providers/index.ts';
import { layFoundation } from '../shared/wiring.ts';
import { connectRoute } from './routes.ts';

const foundation = layFoundation('connect');
const dependencies = {
  ...foundation,
  sessions: connectSessionStore(foundation.table),
  authorizations: pendingAuthorizationStore(foundation.table),
  endpoints: foundation.config.google,
  baseUrl: foundation.config.baseUrl,
  providerOf,
};

/** `/connect`, `/connect/session`, `/connect/authorizations`, `/oauth/connect/{integrationId}`. */
async function connect(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const request = requestFromEvent(event);
  try {
    return bufferedReply(await connectRoute(dependencies, request));
  } catch (error) {
    if (!(error instanceof GatewayError)) {
      foundation.logger.error('connect request failed', { requestId: request.requestId }, error);
    }
    return bufferedReply(errorResponse(error, request.requestId));
  }
}

export const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context>().handler(connect);
