/** The event of a proxied GET, with every member API Gateway sends (REST API, AWS_PROXY integration). */
import { CALL_HEADERS } from './sample.ts';

/** @param target the provider's path and query, as sent */
export function proxyEventJson(target: string): string {
  const [path = '', rawQuery = ''] = target.split('?', 2);
  const query = [...new URLSearchParams(rawQuery)];
  const headers = {
    ...CALL_HEADERS,
    Host: 'gateway.example',
    'X-Forwarded-For': '127.0.0.1',
    'X-Forwarded-Proto': 'https',
  };
  return JSON.stringify({
    resource: '/proxy/{proxy+}',
    path: `/proxy${path}`,
    httpMethod: 'GET',
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: Object.fromEntries(query),
    multiValueQueryStringParameters: Object.fromEntries(query.map(([key, value]) => [key, [value]])),
    pathParameters: { proxy: path.slice(1) },
    stageVariables: null,
    requestContext: {
      resourceId: 'bench',
      resourcePath: '/proxy/{proxy+}',
      httpMethod: 'GET',
      extendedRequestId: 'bench',
      requestTime: '20/Nov/2026:13:00:54 +0000',
      path: `/v1/proxy${path}`,
      accountId: '000000000000',
      protocol: 'HTTP/1.1',
      stage: 'v1',
      domainPrefix: 'bench',
      requestTimeEpoch: 1795179654000,
      requestId: 'b0a7c1f2-7e1f-4e0c-9f3e-5d1c2b3a4f50',
      identity: { sourceIp: '127.0.0.1', userAgent: CALL_HEADERS['User-Agent'] },
      domainName: 'gateway.example',
      deploymentId: 'bench',
      apiId: 'bench',
    },
    body: null,
    isBase64Encoded: false,
  });
}

/** The event of a proxied POST of so many bytes, as base64. */
export function uploadEventJson(target: string, bytes: number): string {
  const event: Record<string, unknown> = JSON.parse(proxyEventJson(target));
  const type = 'application/octet-stream';
  return JSON.stringify({
    ...event,
    httpMethod: 'POST',
    headers: { ...CALL_HEADERS, 'Content-Type': type },
    multiValueHeaders: Object.fromEntries(
      Object.entries({ ...CALL_HEADERS, 'Content-Type': type }).map(([name, value]) => [name, [value]]),
    ),
    body: Buffer.alloc(bytes, 7).toString('base64'),
    isBase64Encoded: true,
  });
}
