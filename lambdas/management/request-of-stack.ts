import * as z from 'zod';
import type { GatewayRequest } from '../gateway/core/http-message.ts';
import { LOGICAL_ID, STACK_ID } from '../gateway/core/managed-by.rules.ts';

const stackRequest = z.looseObject({
  stack: z.strictObject({ stackId: z.string().regex(STACK_ID), resource: z.string().regex(LOGICAL_ID) }),
  httpMethod: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
  path: z.string().startsWith('/'),
  multiValueQueryStringParameters: z.record(z.string(), z.array(z.string())),
  body: z.string().nullable(),
  requestContext: z.looseObject({ requestId: z.string() }),
});

/** A request of a stack's resource. Nothing else that it might say of its sender is read. @throws ZodError for any other event */
export function requestOfStack(event: unknown): GatewayRequest {
  const { stack, httpMethod, path, multiValueQueryStringParameters, body, requestContext } = stackRequest.parse(event);
  return {
    method: httpMethod,
    rawPath: path,
    query: Object.entries(multiValueQueryStringParameters).flatMap(([name, values]) =>
      values.map((value) => [name, value] as const),
    ),
    headers: body === null ? [] : [['content-type', 'application/json']],
    body: body === null ? undefined : Buffer.from(body),
    requestId: requestContext.requestId,
    sourceIp: '',
    stack,
  };
}
