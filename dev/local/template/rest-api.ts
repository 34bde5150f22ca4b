/** API Gateway resources, methods, stage and gateway responses -> the routes the HTTP front serves. */
import { asArray, asNumber, asObject, asString, isObject, type Json, numberOr } from '../../tools/json.ts';
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';

/** One method of one resource. `segments` are the path's parts as written: `proxy`, `{proxy+}`. */
export interface LocalRoute {
  /** `/proxy/{proxy+}`. */
  resourcePath: string;
  segments: readonly string[];
  /** An HTTP method, or `ANY`. */
  method: string;
  functionArn: string;
  streaming: boolean;
  timeoutMs: number;
  /** Accepts only requests with a valid AWS signature. */
  signed: boolean;
}

/** An answer API Gateway gives by itself. */
export interface LocalGatewayResponse {
  /** `DEFAULT_4XX`, `MISSING_AUTHENTICATION_TOKEN`, ... */
  type: string;
  status: number | undefined;
  /** Header name -> `'literal'` or `context.requestId`. */
  headers: Readonly<Record<string, string>>;
  /** Body template for `application/json`, or undefined for API Gateway's own body. */
  template: string | undefined;
}

export interface LocalRestApi {
  id: string;
  stageName: string;
  routes: readonly LocalRoute[];
  gatewayResponses: readonly LocalGatewayResponse[];
  /** Other AWS accounts that the API's policy lets in by routes that take signatures. */
  otherAccounts: readonly string[];
}

const KNOWN = {
  RestApi: [
    'BinaryMediaTypes',
    'Description',
    'DisableExecuteApiEndpoint',
    'EndpointAccessMode',
    'EndpointConfiguration',
    'FailOnWarnings',
    'Name',
    'Policy',
    'SecurityPolicy',
    'Tags',
  ],
  Resource: ['ParentId', 'PathPart', 'RestApiId'],
  Method: [
    'ApiKeyRequired',
    'AuthorizationType',
    'HttpMethod',
    'Integration',
    'OperationName',
    'ResourceId',
    'RestApiId',
  ],
  Integration: ['IntegrationHttpMethod', 'ResponseTransferMode', 'TimeoutInMillis', 'Type', 'Uri'],
  Stage: [
    'AccessLogSetting',
    'DeploymentId',
    'Description',
    'MethodSettings',
    'RestApiId',
    'StageName',
    'Tags',
    'TracingEnabled',
  ],
  GatewayResponse: ['ResponseParameters', 'ResponseTemplates', 'ResponseType', 'RestApiId', 'StatusCode'],
} as const;
const DEFAULT_INTEGRATION_TIMEOUT_MS = 29_000;

/**
 * Reads the REST API of the stack, or undefined when there is none.
 * @throws Error for two APIs, media types other than all-binary, integrations other than a Lambda proxy, authorizers.
 */
export function readRestApi(resources: readonly ResolvedResource[]): LocalRestApi | undefined {
  const ofType = (type: string): ResolvedResource[] =>
    resources.filter((one) => one.type === `AWS::ApiGateway::${type}`);
  const [api, second] = ofType('RestApi');
  if (api === undefined) return undefined;
  if (second !== undefined) throw new Error(`${second.logicalId} is a second REST API; the local runtime serves one.`);
  requireKnownProperties(api.properties, KNOWN.RestApi, api.logicalId);
  if (JSON.stringify(api.properties.BinaryMediaTypes) !== '["*/*"]') {
    throw new Error(`${api.logicalId}.BinaryMediaTypes must be ["*/*"]; text mode is not supported locally.`);
  }
  const [stage, secondStage] = ofType('Stage');
  if (stage === undefined || secondStage !== undefined) throw new Error(`${api.logicalId} needs exactly one stage.`);
  requireKnownProperties(stage.properties, KNOWN.Stage, stage.logicalId);
  const paths = resourcePaths(api, ofType('Resource'));
  return {
    id: api.reference,
    stageName: asString(stage.properties.StageName, `${stage.logicalId}.StageName`),
    routes: ofType('Method').map((method) => readRoute(method, paths)),
    gatewayResponses: ofType('GatewayResponse').map(readGatewayResponse),
    otherAccounts: readOtherAccounts(api.properties.Policy),
  };
}

/** The accounts that a policy names as `arn:aws:iam::<id>:root`. What else it says is not judged locally. */
function readOtherAccounts(policy: Json | undefined): string[] {
  return [...JSON.stringify(policy ?? null).matchAll(/"arn:aws[a-z-]*:iam::(\d{12}):root"/g)].map(([, id = '']) => id);
}

function resourcePaths(api: ResolvedResource, resources: readonly ResolvedResource[]): Map<string, string[]> {
  const paths = new Map<string, string[]>([[`${api.reference}:root`, []]]);
  let waiting = [...resources];
  while (waiting.length > 0) {
    const next = waiting.filter((resource) => !addPath(resource, paths));
    if (next.length === waiting.length) {
      throw new Error(`These API resources have no parent: ${next.map((one) => one.logicalId).join(', ')}.`);
    }
    waiting = next;
  }
  return paths;
}

function addPath({ logicalId, reference, properties }: ResolvedResource, paths: Map<string, string[]>): boolean {
  requireKnownProperties(properties, KNOWN.Resource, logicalId);
  const parent = paths.get(asString(properties.ParentId, `${logicalId}.ParentId`));
  if (parent === undefined) return false;
  paths.set(reference, [...parent, asString(properties.PathPart, `${logicalId}.PathPart`)]);
  return true;
}

function readRoute({ logicalId, properties }: ResolvedResource, paths: ReadonlyMap<string, string[]>): LocalRoute {
  requireKnownProperties(properties, KNOWN.Method, logicalId);
  const { AuthorizationType: authorization } = properties;
  if ((authorization !== 'NONE' && authorization !== 'AWS_IAM') || properties.ApiKeyRequired === true) {
    throw new Error(`${logicalId} has an authorizer or needs an API key; neither is implemented locally.`);
  }
  const integration = asObject(properties.Integration, `${logicalId}.Integration`);
  requireKnownProperties(integration, KNOWN.Integration, `${logicalId}.Integration`);
  if (integration.Type !== 'AWS_PROXY') {
    throw new Error(`${logicalId}.Integration is ${String(integration.Type)}; only AWS_PROXY runs locally.`);
  }
  const segments = paths.get(asString(properties.ResourceId, `${logicalId}.ResourceId`));
  if (segments === undefined) throw new Error(`${logicalId}.ResourceId is not a resource of this API.`);
  const uri = asString(integration.Uri, `${logicalId}.Integration.Uri`);
  const functionArn = /\/functions\/(arn:[^/]+)\/(?:response-streaming-)?invocations$/.exec(uri)?.[1];
  if (functionArn === undefined) throw new Error(`${logicalId}.Integration.Uri is ${uri}, not a Lambda function.`);
  return {
    resourcePath: `/${segments.join('/')}`,
    segments,
    method: asString(properties.HttpMethod, `${logicalId}.HttpMethod`),
    functionArn,
    streaming: integration.ResponseTransferMode === 'STREAM',
    signed: authorization === 'AWS_IAM',
    timeoutMs: numberOr(integration.TimeoutInMillis, DEFAULT_INTEGRATION_TIMEOUT_MS, `${logicalId}.TimeoutInMillis`),
  };
}

function readGatewayResponse({ logicalId, properties }: ResolvedResource): LocalGatewayResponse {
  requireKnownProperties(properties, KNOWN.GatewayResponse, logicalId);
  const templates = properties.ResponseTemplates;
  const template = isObject(templates) ? templates['application/json'] : undefined;
  if (isObject(templates) && asArray(Object.keys(templates), logicalId).some((type) => type !== 'application/json')) {
    throw new Error(`${logicalId}.ResponseTemplates must be for application/json only.`);
  }
  const status = properties.StatusCode;
  return {
    type: asString(properties.ResponseType, `${logicalId}.ResponseType`),
    status: status === undefined ? undefined : asNumber(status, `${logicalId}.StatusCode`),
    headers: readResponseHeaders(properties.ResponseParameters, logicalId),
    template: template === undefined ? undefined : asString(template, `${logicalId}.ResponseTemplates`),
  };
}

function readResponseHeaders(parameters: Json | undefined, logicalId: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [parameter, value] of Object.entries(isObject(parameters) ? parameters : {})) {
    const name = /^gatewayresponse\.header\.(.+)$/.exec(parameter)?.[1];
    const text = asString(value, `${logicalId}.${parameter}`);
    if (name === undefined || !(text === 'context.requestId' || /^'.*'$/s.test(text))) {
      throw new Error(`${logicalId}.${parameter} must set a header to a quoted literal or to context.requestId.`);
    }
    headers[name] = text;
  }
  return headers;
}
