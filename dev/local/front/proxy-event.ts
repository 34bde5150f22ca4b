/** One HTTP request -> the event of a Lambda proxy integration. AWS API Gateway guide, "Input format of a Lambda function". */
import type { Json, JsonObject } from '../../tools/json.ts';
import { LOCAL_ACCOUNT_ID } from '../template/references.ts';
import type { AwsIdentity } from './aws-callers.ts';
import { parseQuery } from './query.ts';
import { type ClientConnection, eventHeaders } from './request-headers.ts';
import type { RouteMatch } from './route-table.ts';
import type { RequestTarget } from './target.ts';

/** All data of an event; `body` has the bytes as received. */
export interface ProxyRequest {
  match: RouteMatch;
  method: string;
  target: RequestTarget;
  headers: readonly (readonly [string, string])[];
  body: Buffer;
  client: ClientConnection;
  apiId: string;
  stageName: string;
  requestId: string;
  receivedAt: Date;
  /** Of a route that takes signatures. */
  signer?: { identity: AwsIdentity; accessKey: string };
}

/** Builds the event; bodies are base64 because every media type is binary. Pure. */
export function proxyEvent(request: ProxyRequest): JsonObject {
  const { match, method, target, client } = request;
  const { headers, multiValueHeaders } = eventHeaders(request.headers, client);
  const query = parseQuery(target.query);
  return {
    resource: match.route.resourcePath,
    path: target.path,
    httpMethod: method,
    headers,
    multiValueHeaders,
    queryStringParameters: query.queryStringParameters,
    multiValueQueryStringParameters: query.multiValueQueryStringParameters,
    pathParameters: match.pathParameters,
    stageVariables: null,
    requestContext: requestContext(request),
    body: request.body.length === 0 ? null : request.body.toString('base64'),
    isBase64Encoded: request.body.length > 0,
  };
}

/** The method that API Gateway uses: `X-HTTP-Method-Override` replaces the sent one, and is removed ("Important notes"). */
export function effectiveMethod(method: string, headers: readonly (readonly [string, string])[]): string {
  const override = headers.findLast(([name]) => name.toLowerCase() === 'x-http-method-override')?.[1];
  return override !== undefined && /^[A-Za-z]+$/.test(override) ? override.toUpperCase() : method;
}

function requestContext(request: ProxyRequest): Json {
  const { match, method, client, requestId, apiId, stageName, receivedAt, signer } = request;
  const lastHeader = (name: string): string | null =>
    request.headers.findLast(([sent]) => sent.toLowerCase() === name)?.[1] ?? null;
  return {
    resourceId: match.route.resourcePath,
    resourcePath: match.route.resourcePath,
    httpMethod: method,
    extendedRequestId: requestId,
    requestTime: commonLogTime(receivedAt),
    path: `/${stageName}${request.target.path}`,
    accountId: LOCAL_ACCOUNT_ID,
    protocol: 'HTTP/1.1',
    stage: stageName,
    domainPrefix: apiId,
    requestTimeEpoch: receivedAt.getTime(),
    requestId,
    identity: {
      accessKey: signer?.accessKey ?? null,
      accountId: signer?.identity.accountId ?? null,
      caller: signer?.identity.user ?? null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: client.sourceIp,
      user: signer?.identity.user ?? null,
      userAgent: lastHeader('user-agent'),
      userArn: signer?.identity.userArn ?? null,
    },
    domainName: lastHeader('host') ?? '',
    deploymentId: 'local',
    apiId,
  };
}

/** `20/Nov/2026:13:00:54 +0000`. */
function commonLogTime(time: Date): string {
  const [, day, month, year] = /^\w+, (\d+) (\w+) (\d+)/.exec(time.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time.toISOString().slice(11, 19)} +0000`;
}
