import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { bufferedReply, requestFromEvent } from '../gateway/http/front-door.ts';
import { serveRequest } from './serve-request.ts';
import { openServices } from './wiring.ts';

const services = openServices();

/** The REST API, and an answer for every path that no other function serves. */
async function management(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const response = await serveRequest(requestFromEvent(event), services);
  // A write under way when the function ends would wait for its next call.
  await services.admission.pending();
  return bufferedReply(response);
}

export const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context>().handler(management);
