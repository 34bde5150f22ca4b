import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { GatewayRequest } from '../core/http-message.ts';

/**
 * A REST API proxy event as a request of the core. Path, multi-value query and multi-value headers are the only members
 * that lose nothing; identity asserted by the front door is not read.
 */
export function requestFromEvent(event: APIGatewayProxyEvent): GatewayRequest {
  return {
    method: event.httpMethod,
    rawPath: event.path,
    query: pairs(event.multiValueQueryStringParameters),
    headers: pairs(event.multiValueHeaders),
    body: bodyBytes(event),
    requestId: event.requestContext.requestId,
    sourceIp: event.requestContext.identity.sourceIp,
  };
}

function pairs(map: Readonly<Record<string, string[] | undefined>> | null): [string, string][] {
  const result: [string, string][] = [];
  for (const [name, values] of Object.entries(map ?? {})) for (const value of values ?? []) result.push([name, value]);
  return result;
}

function bodyBytes(event: APIGatewayProxyEvent): Uint8Array | undefined {
  if (event.body === null || event.body === '') return undefined;
  return Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
}
