import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERYTHING_ON, LITTLE } from '../../../dev/support/option-samples.ts';
import { flatten, onlyResource, resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';
import { errorEnvelope } from '../../../lambdas/gateway/openapi/answer-parts.ts';

const refSchema = z.object({ Ref: z.string() });
const resourceSchema = z.object({ PathPart: z.string(), ParentId: z.unknown() });
const methodSchema = z.looseObject({
  HttpMethod: z.string(),
  AuthorizationType: z.string(),
  ResourceId: z.unknown(),
  Integration: z.looseObject({ Type: z.string(), Uri: z.unknown() }),
});

interface Route {
  readonly method: string;
  readonly functionName: string;
  readonly properties: z.output<typeof methodSchema>;
}

/** Follows each method's resource up to the root; of a path that two functions share, the second has the method before the path. */
function routesOf(template: Template): Record<string, Route> {
  const resources = resourcesOf(template, 'AWS::ApiGateway::Resource');
  const pathOf = (id: unknown): string => {
    const ref = refSchema.safeParse(id);
    const resource = ref.success ? resources[ref.data.Ref] : undefined;
    if (resource === undefined) return '';
    const { PathPart, ParentId } = resourceSchema.parse(resource.Properties);
    return `${pathOf(ParentId)}/${PathPart}`;
  };
  return Object.fromEntries(
    Object.values(resourcesOf(template, 'AWS::ApiGateway::Method')).map((resource) => {
      const properties = methodSchema.parse(resource.Properties);
      const functionName = /<Gateway(\w+)Function\.Arn>/.exec(flatten(properties.Integration.Uri))?.[1] ?? 'none';
      const method = properties.HttpMethod;
      const path = pathOf(properties.ResourceId) || '/';
      return [method === 'ANY' ? path : `${method} ${path}`, { method, functionName, properties }];
    }),
  );
}

/** Paths below which the function of grants serves routes. */
const SHARED_OR_OF_GRANTS = [
  ...['/integrations', '/feeds', '/approvals', '/test-credentials'].flatMap((path) => [
    [path, 'Grants'] as const,
    [`${path}/{proxy+}`, 'Grants'] as const,
  ]),
  ...['/connections/{proxy+}', '/connect/sessions/confirm', '/journal', '/undo'].map(
    (path) => [path, 'Grants'] as const,
  ),
  ...['POST /connections', 'DELETE /connect/sessions'].map((path) => [path, 'Grants'] as const),
  ...['/connections', '/connect/sessions', '/connect/sessions/{proxy+}'].map((path) => [path, 'Management'] as const),
];

const template = await synthesize();
const everything = await synthesize(EVERYTHING_ON);
const routes = routesOf(template);

describe('GatewayApi', () => {
  it('GatewayApi is regional and takes every body as bytes', () => {
    expect(onlyResource(template, 'AWS::ApiGateway::RestApi').Properties).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['*/*'],
      DisableExecuteApiEndpoint: false,
    });
  });

  it('speaks TLS 1.2 with forward secrecy or 1.3 only, under its assigned address as under a domain', () => {
    const policy = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'STRICT' };
    expect(onlyResource(template, 'AWS::ApiGateway::RestApi').Properties).toMatchObject(policy);
    for (const type of ['AWS::ApiGateway::RestApi', 'AWS::ApiGateway::DomainName']) {
      expect(onlyResource(everything, type).Properties).toMatchObject(policy);
    }
  });

  it('TB-1: sends every method of each path to one function, but for two paths', () => {
    expect(Object.fromEntries(Object.entries(routes).map(([path, route]) => [path, route.functionName]))).toEqual({
      '/': 'Management',
      '/{proxy+}': 'Management',
      '/proxy': 'Proxy',
      '/proxy/{proxy+}': 'Proxy',
      '/oauth': 'Management',
      '/oauth/{proxy+}': 'Management',
      '/oauth/callback': 'OAuthCallback',
      '/oauth/connect': 'Management',
      '/oauth/connect/{integrationId}': 'Connect',
      '/approve': 'Management',
      '/approve/{proxy+}': 'Approvals',
      '/connect': 'Connect',
      '/connect/{proxy+}': 'Management',
      '/connect/session': 'Connect',
      '/connect/authorizations': 'Connect',
      '/mcp': 'Mcp',
      '/mcp/{proxy+}': 'Management',
      '/.well-known': 'Management',
      '/.well-known/{proxy+}': 'Mcp',
      '/inbox': 'Management',
      '/inbox/{proxy+}': 'Inbox',
      ...Object.fromEntries(SHARED_OR_OF_GRANTS),
    });
  });

  it('leaves no folder of the path tree to an answer of API Gateway', () => {
    expect(Object.keys(routes).filter((path) => path.startsWith('/'))).toHaveLength(
      Object.keys(resourcesOf(template, 'AWS::ApiGateway::Resource')).length + 1,
    );
  });

  it('GA-23: streams the proxy and assistants for up to 15 minutes and buffers the rest for up to 29 seconds', () => {
    for (const { functionName, properties } of Object.values(routes)) {
      const streams = functionName === 'Proxy' || functionName === 'Mcp';
      expect(properties.Integration).toMatchObject({
        Type: 'AWS_PROXY',
        TimeoutInMillis: streams ? 900_000 : 29_000,
      });
      expect(properties.Integration.ResponseTransferMode).toBe(streams ? 'STREAM' : undefined);
      expect(flatten(properties.Integration.Uri)).toMatch(
        streams ? /\/response-streaming-invocations$/ : /\/invocations$/,
      );
    }
  });

  it('IN-2: GatewayApi has no authorizer, no API key and no CORS answer of its own', () => {
    for (const { properties } of Object.values(routes)) {
      expect(properties.AuthorizationType).toBe('NONE');
      expect(properties.ApiKeyRequired ?? false).toBe(false);
    }
    expect(JSON.stringify(template.toJSON())).not.toMatch(/access-control-/i);
  });

  describe('with iamCallers', () => {
    const signedPaths = [
      ...['/iam', '/iam/proxy', '/iam/proxy/{proxy+}', '/iam/{proxy+}', '/iam/connect', '/iam/connect/{proxy+}'],
      ...SHARED_OR_OF_GRANTS.map(([path]) => path.replace('/', '/iam/')),
    ].sort();

    it('IA-10: checks signatures below /iam, for the same functions, and nowhere else', async () => {
      const signed = routesOf(await synthesize({ iamCallers: true }));
      const byIam = Object.entries(signed).filter(([, { properties }]) => properties.AuthorizationType === 'AWS_IAM');
      expect(byIam.map(([path]) => path).sort()).toEqual(signedPaths);
      expect(Object.keys(signed).sort()).toEqual([...Object.keys(routes), ...signedPaths].sort());
      for (const path of signedPaths) {
        const unsigned = path === '/iam/connect' ? '/' : path.replace('/iam', '') || '/';
        expect([path, signed[path]?.functionName]).toEqual([path, routes[unsigned]?.functionName]);
      }
      expect(signed['/iam/proxy/{proxy+}']?.properties.Integration.ResponseTransferMode).toBe('STREAM');
    });

    it('IA-3: an API with iamCallers has a policy only for other accounts: it lets them in below /iam, and everybody in everywhere else', async () => {
      const policyOf = async (iamCallerAccounts: string[]) =>
        onlyResource(await synthesize({ iamCallers: true, iamCallerAccounts }), 'AWS::ApiGateway::RestApi').Properties
          .Policy;
      expect(await policyOf([])).toBeUndefined();
      const { Statement } = z
        .object({ Statement: z.array(z.looseObject({ Effect: z.string() })) })
        .parse(await policyOf(['444455556666']));
      expect(Statement.map(({ Effect }) => Effect)).toEqual(['Allow', 'Allow']);
      const [everybody, others] = Statement;
      expect(everybody).toMatchObject({ Principal: '*', Action: 'execute-api:Invoke' });
      expect(everybody?.NotResource).toEqual(others?.Resource);
      expect(everybody?.NotResource).toContain('execute-api:/v1/GET/iam/*');
      expect(JSON.stringify(others?.Resource)).not.toContain('/*/');
      expect(JSON.stringify(others?.Principal)).toMatch(/:iam::444455556666:root/);
    });
  });

  it('DS-1: marks the answers that API Gateway gives by itself as the gateway’s, but for one to a body over its own limit, which takes none', () => {
    const codes = Object.values(resourcesOf(template, 'AWS::ApiGateway::GatewayResponse')).map(({ Properties }) => {
      expect(Properties.ResponseParameters).toMatchObject({
        'gatewayresponse.header.x-request-id': 'context.requestId',
      });
      const { 'gatewayresponse.header.x-gateway-error': code } = z
        .record(z.string(), z.string())
        .parse(Properties.ResponseParameters);
      return [Properties.ResponseType, code];
    });
    expect(Object.fromEntries(codes)).toEqual({
      DEFAULT_4XX: "'forbidden'",
      DEFAULT_5XX: "'internal_error'",
      THROTTLED: "'rate_limited'",
      MISSING_AUTHENTICATION_TOKEN: "'method_not_allowed'",
    });
  });

  it('PX-13: answers a method that API Gateway does not have with the functions’ envelope, saying which it has', () => {
    const responses = Object.values(resourcesOf(template, 'AWS::ApiGateway::GatewayResponse'));
    const templated = responses.filter(({ Properties }) => Properties.ResponseTemplates !== undefined);
    expect(templated.map(({ Properties }) => [Properties.ResponseType, Properties.StatusCode])).toEqual([
      ['MISSING_AUTHENTICATION_TOKEN', '405'],
    ]);
    expect(templated[0]?.Properties.ResponseParameters).toMatchObject({
      'gatewayresponse.header.Allow': "'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'",
    });
    const templates = z.object({ 'application/json': z.string() }).parse(templated[0]?.Properties.ResponseTemplates);
    const { error } = errorEnvelope().parse(JSON.parse(templates['application/json']));
    expect(error).toMatchObject({ code: 'method_not_allowed', status: 405, request_id: '$context.requestId' });
    expect(error.message).toMatch(/PROPFIND, REPORT and MKCALENDAR.*\/proxy\/calendar\/v3\//);
  });

  it('LG-7: throttles the stage, traces no data and writes no execution log', () => {
    const silent = { ResourcePath: '/*', HttpMethod: '*', DataTraceEnabled: false, LoggingLevel: 'OFF' };
    expect(onlyResource(template, 'AWS::ApiGateway::Stage').Properties).toMatchObject({
      StageName: 'v1',
      TracingEnabled: false,
      MethodSettings: [{ ...silent, ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 }],
    });
    expect(onlyResource(everything, 'AWS::ApiGateway::Stage').Properties).toMatchObject({
      StageName: 'gateway_2',
      MethodSettings: [{ ...silent, ThrottlingRateLimit: 40_000, ThrottlingBurstLimit: 1 }],
    });
  });

  it('LG-7: logs the route pattern of a request and neither path, query, header nor body', () => {
    const { AccessLogSetting } = onlyResource(everything, 'AWS::ApiGateway::Stage').Properties;
    const { Format } = z.looseObject({ Format: z.string() }).parse(AccessLogSetting);
    expect(Format.match(/\$context[\w.]*/g)?.toSorted()).toEqual([
      '$context.httpMethod',
      '$context.identity.sourceIp',
      '$context.protocol',
      '$context.requestId',
      '$context.requestTime',
      '$context.resourcePath',
      '$context.responseLength',
      '$context.status',
    ]);
  });

  it('sets the account-wide role before its stage when asked to, and only then', async () => {
    const [account] = Object.keys(resourcesOf(everything, 'AWS::ApiGateway::Account'));
    expect(onlyResource(everything, 'AWS::ApiGateway::Stage').DependsOn).toContain(account);
    expect(resourcesOf(await synthesize(LITTLE), 'AWS::ApiGateway::Account')).toEqual({});
  });
});

describe('GatewayDomain', () => {
  it('serves the API at the root of a strict modern-TLS domain and nowhere else', () => {
    expect(onlyResource(everything, 'AWS::ApiGateway::DomainName').Properties).toEqual({
      DomainName: 'gateway.example.com',
      RegionalCertificateArn: EVERYTHING_ON.customDomain?.certificateArn,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    });
    expect(onlyResource(everything, 'AWS::ApiGateway::BasePathMapping').Properties.BasePath).toBeUndefined();
    expect(onlyResource(everything, 'AWS::ApiGateway::RestApi').Properties.DisableExecuteApiEndpoint).toBe(true);
  });
});
