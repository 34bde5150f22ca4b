import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERYTHING_ON } from '../../../dev/support/option-samples.ts';
import {
  flatten,
  gatewayAppIn,
  onlyResource,
  resourcesOf,
  synthesize,
  temporaryFolder,
} from '../../../dev/support/synthesize.ts';
import { InvalidOptionsError, resolveGatewayOptions } from '../../../lib/gateway-options.ts';
import { problemsOfRegion, WITHOUT_FUNCTION_URLS } from '../../../lib/option-values.ts';

const URL_DOOR = { frontDoor: 'function-url' } as const;
const PROXY_DOMAIN = EVERYTHING_ON.proxyDomain;
const REGIONAL_ACL =
  'arn:aws:wafv2:us-east-1:111122223333:regional/webacl/company/0a1b2c3d-0000-4000-8000-000000000000';

const template = await synthesize(URL_DOOR);
const outputsSchema = z.looseObject({ Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })) });
const outputOf = (one: Template, name: string): unknown => outputsSchema.parse(one.toJSON()).Outputs[name]?.Value;
const environmentOf = (one: Template, id: RegExp): Record<string, unknown> => {
  const [, fn] = Object.entries(resourcesOf(one, 'AWS::Lambda::Function')).find(([name]) => id.test(name)) ?? [];
  return z.looseObject({ Variables: z.record(z.string(), z.unknown()) }).parse(fn?.Properties.Environment).Variables;
};
const permissionsOf = (one: Template) =>
  Object.values(resourcesOf(one, 'AWS::Lambda::Permission'))
    .map(({ Properties }) => Properties)
    .filter(({ Principal }) => Principal === '*');

function problemsOf(options: Parameters<typeof resolveGatewayOptions>[0]): readonly string[] {
  try {
    resolveGatewayOptions(options);
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems;
    throw error;
  }
  return [];
}

describe('frontDoor', () => {
  it('frontDoor is the API alone by default', async () => {
    const defaults = await synthesize();
    expect(resourcesOf(defaults, 'AWS::Lambda::Url')).toEqual({});
    expect(permissionsOf(defaults)).toEqual([]);
    expect(Object.keys(outputsSchema.parse(defaults.toJSON()).Outputs)).not.toContain('ProxyUrl');
  });

  it('FD-1: function-url gives the proxy, and no other function, an address that streams to anyone', () => {
    expect(onlyResource(template, 'AWS::Lambda::Url').Properties).toEqual({
      AuthType: 'NONE',
      InvokeMode: 'RESPONSE_STREAM',
      TargetFunctionArn: { 'Fn::GetAtt': [expect.stringMatching(/^GatewayProxyFunction/), 'Arn'] },
    });
  });

  it('FD-1: everyone may invoke the URL, and the function through it alone, as AWS asks since October 2025', () => {
    const permissions = permissionsOf(template);
    expect(permissions.map(({ Action }) => Action).toSorted()).toEqual([
      'lambda:InvokeFunction',
      'lambda:InvokeFunctionUrl',
    ]);
    for (const { Action, FunctionName, FunctionUrlAuthType, InvokedViaFunctionUrl } of permissions) {
      expect(flatten(FunctionName)).toMatch(/^<GatewayProxyFunction/);
      if (Action === 'lambda:InvokeFunction') expect(InvokedViaFunctionUrl).toBe(true);
      else expect(FunctionUrlAuthType).toBe('NONE');
    }
  });

  it('says where proxied calls go: in an output, and to the function that serves the API’s document', () => {
    const url = { 'Fn::GetAtt': [expect.stringMatching(/^GatewayProxyFunctionFunctionUrl/), 'FunctionUrl'] };
    // The host of https://<id>.lambda-url.<region>.on.aws/, so without its slash.
    const host = { 'Fn::Select': [2, { 'Fn::Split': ['/', url] }] };
    expect(outputOf(template, 'ProxyUrl')).toEqual({ 'Fn::Join': ['', ['https://', host]] });
    expect(environmentOf(template, /^GatewayManagement/).PROXY_URL).toEqual(outputOf(template, 'ProxyUrl'));
    // The function's own environment cannot name its URL, which needs the function first.
    expect(environmentOf(template, /^GatewayProxy/)).not.toHaveProperty('PROXY_URL');
  });

  it('counts failures of both doors together in the alarm of the front door', async () => {
    const alarmOf = (one: Template) =>
      JSON.stringify(
        Object.entries(resourcesOf(one, 'AWS::CloudWatch::Alarm')).find(([id]) => id.includes('FrontDoorErrors'))?.[1],
      );
    for (const metric of ['5XXError', 'Count', 'Url5xxCount', 'UrlRequestCount']) {
      expect(alarmOf(template)).toContain(`"MetricName":"${metric}"`);
    }
    expect(alarmOf(await synthesize())).not.toContain('Url');
  });

  it('FD-22: keeps the API’s route to the proxy, so that callers of the base URL notice nothing', () => {
    const uris = Object.values(resourcesOf(template, 'AWS::ApiGateway::Method')).map(({ Properties }) =>
      JSON.stringify(Properties.Integration),
    );
    const ofProxy = uris.filter((uri) => uri.includes('ProxyFunction'));
    expect(ofProxy.filter((uri) => uri.includes('response-streaming-invocations'))).toHaveLength(2);
  });

  it('FD-22: frontDoor is warned of as long as nothing bounds what floods it', async () => {
    const warnings = async (options: Record<string, unknown>): Promise<string[]> => {
      using folder = temporaryFolder();
      const app = await gatewayAppIn(folder.path, options, false);
      const notes = app.node.findAll().flatMap(({ node }) => node.metadata);
      return notes.flatMap(({ type, data }) => (type === 'aws:cdk:warning' ? [String(data)] : []));
    };
    expect(await warnings(URL_DOOR)).toEqual([expect.stringMatching(/no throttle.*Set gateway:reservedConcurrency/)]);
    expect(await warnings({ ...URL_DOOR, reservedConcurrency: { proxy: 500 } })).toEqual([]);
  });

  it('FD-22: frontDoor is refused in regions that have no function URLs, with what to do', () => {
    for (const region of WITHOUT_FUNCTION_URLS) {
      expect(problemsOfRegion(URL_DOOR, region)).toEqual([
        `frontDoor: ${region} has no function URLs; set rest-api, or deploy to another region`,
      ]);
      expect(problemsOfRegion({ frontDoor: 'rest-api' }, region)).toEqual([]);
    }
    expect(problemsOfRegion(URL_DOOR, 'eu-central-1')).toEqual([]);
  });

  it.each(['cn-north-1', 'cn-northwest-1'])(
    'refuses function URLs and traces in %s, where Lambda has neither',
    (region) => {
      expect(problemsOfRegion({ ...URL_DOOR, tracing: true }, region)).toEqual([
        expect.stringMatching(/^frontDoor: .* has no function URLs/),
        `tracing: functions in ${region} write no traces to X-Ray; leave it false`,
      ]);
      expect(problemsOfRegion({ tracing: false }, region)).toEqual([]);
      expect(problemsOfRegion({ tracing: true }, 'eu-central-1')).toEqual([]);
    },
  );

  it.each([
    [{ proxyDomain: PROXY_DOMAIN }, /^proxyDomain: also set frontDoor to function-url/],
    [{ ...URL_DOOR, proxyWebAcl: EVERYTHING_ON.proxyWebAcl }, /^proxyWebAcl: also set proxyDomain/],
    [{ ...URL_DOOR, webAcl: REGIONAL_ACL }, /^webAcl: a function URL has no web ACL.* set proxyDomain and proxyWebAcl/],
    [
      { ...URL_DOOR, proxyDomain: PROXY_DOMAIN, customDomain: PROXY_DOMAIN },
      /^proxyDomain.domainName: must be another name/,
    ],
    [
      { ...URL_DOOR, proxyDomain: PROXY_DOMAIN, proxyWebAcl: REGIONAL_ACL },
      /^proxyWebAcl: must be the ARN of a global/,
    ],
  ])('refuses %j, which cannot work', (options, problem) => {
    expect(problemsOf(options)).toEqual([expect.stringMatching(problem)]);
  });

  it('takes a web ACL whose rules leave proxied calls alone, and one on either side of the distribution', () => {
    expect(problemsOf({ ...URL_DOOR, webAcl: 'make' })).toEqual([]);
    const { proxyWebAcl } = EVERYTHING_ON;
    expect(problemsOf({ ...URL_DOOR, webAcl: REGIONAL_ACL, proxyDomain: PROXY_DOMAIN, proxyWebAcl })).toEqual([]);
  });

  it('refuses a certificate of proxyDomain that CloudFront cannot read', () => {
    const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/0a1b2c3d-0000-4000-8000-000000000000';
    expect(problemsOfRegion({ ...URL_DOOR, proxyDomain: { certificateArn } }, 'eu-central-1')).toEqual([
      'proxyDomain.certificateArn: must be in us-east-1, where CloudFront reads certificates',
    ]);
  });
});

describe('proxyDomain', async () => {
  const { proxyWebAcl } = EVERYTHING_ON;
  const behind = await synthesize({ ...URL_DOOR, dashboard: false, proxyDomain: PROXY_DOMAIN, proxyWebAcl });
  const distribution = z
    .looseObject({
      DistributionConfig: z.looseObject({
        Aliases: z.array(z.string()),
        CustomErrorResponses: z.array(z.looseObject({ ErrorCode: z.number(), ErrorCachingMinTTL: z.number() })),
        DefaultCacheBehavior: z.record(z.string(), z.unknown()),
        Origins: z.array(z.looseObject({ OriginCustomHeaders: z.array(z.record(z.string(), z.unknown())) })),
        WebACLId: z.unknown(),
      }),
    })
    .parse(onlyResource(behind, 'AWS::CloudFront::Distribution').Properties).DistributionConfig;

  it('FD-3: puts a distribution before the URL that keeps no answer, not even a failure, and changes none', () => {
    expect(distribution.Aliases).toEqual(['proxy.example.com']);
    expect(distribution.WebACLId).toBe(proxyWebAcl);
    expect(distribution.DefaultCacheBehavior).toMatchObject({
      // AWS's own policies: CachingDisabled and AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      Compress: false,
      ViewerProtocolPolicy: 'https-only',
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
    });
    expect(distribution.CustomErrorResponses.map(({ ErrorCode }) => ErrorCode)).toEqual([
      400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504,
    ]);
    for (const { ErrorCachingMinTTL } of distribution.CustomErrorResponses) expect(ErrorCachingMinTTL).toBe(0);
  });

  it('FD-21: gives distribution and function the same secret, which the template does not hold', () => {
    const [origin] = distribution.Origins;
    const [header] = origin?.OriginCustomHeaders ?? [];
    const value = flatten(header?.HeaderValue);
    expect(header?.HeaderName).toBe('x-gateway-door');
    expect(value).toMatch(/^\{\{resolve:secretsmanager:<.*Secret.*>:SecretString:::?\}\}$/);
    expect(flatten(environmentOf(behind, /^GatewayProxy/).PROXY_DOOR_SECRET)).toBe(value);
    const secrets = Object.values(resourcesOf(behind, 'AWS::SecretsManager::Secret')).map(
      ({ Properties }) => Properties,
    );
    expect(secrets.filter(({ GenerateSecretString }) => GenerateSecretString !== undefined)).toHaveLength(1);
  });

  it('proxyDomain is where proxied calls go, and an output names the target of its DNS record', () => {
    expect(outputOf(behind, 'ProxyUrl')).toBe('https://proxy.example.com');
    expect(flatten(outputOf(behind, 'ProxyDomainTarget'))).toMatch(/Distribution.*DomainName/);
    expect(environmentOf(behind, /^GatewayProxy/).PROXY_URL).toBe('https://proxy.example.com');
  });
});
