import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { flatten, onlyResource, resourcesOf, synthesize } from '../synthesize.ts';

const policySchema = z.object({
  ResponseHeadersPolicyConfig: z.looseObject({
    CustomHeadersConfig: z.object({
      Items: z.array(z.object({ Header: z.string(), Value: z.string(), Override: z.literal(true) })),
    }),
    SecurityHeadersConfig: z.looseObject({
      ContentSecurityPolicy: z.object({ ContentSecurityPolicy: z.unknown(), Override: z.literal(true) }),
    }),
  }),
});

function headersOf(template: Template, name: 'Pages' | 'Assets') {
  const [, resource] =
    Object.entries(resourcesOf(template, 'AWS::CloudFront::ResponseHeadersPolicy')).find(([id]) => id.includes(name)) ??
    [];
  return policySchema.parse(resource?.Properties).ResponseHeadersPolicyConfig;
}

function customHeader(template: Template, name: 'Pages' | 'Assets', header: string): string | undefined {
  return headersOf(template, name).CustomHeadersConfig.Items.find((item) => item.Header === header)?.Value;
}

function policyOf(template: Template, name: 'Pages' | 'Assets' = 'Pages'): Record<string, string> {
  const { ContentSecurityPolicy } = headersOf(template, name).SecurityHeadersConfig.ContentSecurityPolicy;
  const directives = flatten(ContentSecurityPolicy).split('; ');
  return Object.fromEntries(directives.map((text) => [text.split(' ')[0], text.split(' ').slice(1).join(' ')]));
}

describe('DashboardSite', () => {
  let template: Template;
  beforeAll(async () => {
    template = await synthesize();
  });

  it('keeps its files private, encrypted, and reachable over TLS by the distribution alone', () => {
    expect(onlyResource(template, 'AWS::S3::Bucket').Properties).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
    const { PolicyDocument } = onlyResource(template, 'AWS::S3::BucketPolicy').Properties;
    const { Statement } = z
      .object({ Statement: z.array(z.looseObject({ Effect: z.string(), Action: z.string(), Principal: z.unknown() })) })
      .parse(PolicyDocument);
    expect(Statement.filter(({ Effect }) => Effect === 'Allow')).toMatchObject([
      { Action: 's3:GetObject', Principal: { Service: 'cloudfront.amazonaws.com' } },
    ]);
    expect(Statement.filter(({ Effect }) => Effect === 'Deny')).toMatchObject([
      { Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { Condition: { NumericLessThan: { 's3:TlsVersion': 1.2 } } },
    ]);
  });

  it('serves https only and answers its own paths with its page', () => {
    const { DistributionConfig } = onlyResource(template, 'AWS::CloudFront::Distribution').Properties;
    expect(DistributionConfig).toMatchObject({
      DefaultRootObject: 'index.html',
      DefaultCacheBehavior: { ViewerProtocolPolicy: 'redirect-to-https', AllowedMethods: ['GET', 'HEAD'] },
      CustomErrorResponses: [
        { ErrorCode: 403, ResponseCode: 200, ResponsePagePath: '/index.html', ErrorCachingMinTTL: 0 },
      ],
      Origins: [{ OriginAccessControlId: expect.anything() }],
    });
  });

  it('keeps pages nowhere and hashed files for good (UI-5)', () => {
    expect(customHeader(template, 'Pages', 'Cache-Control')).toBe('no-store');
    expect(customHeader(template, 'Assets', 'Cache-Control')).toBe('public, max-age=31536000, immutable');
    const { DistributionConfig } = onlyResource(template, 'AWS::CloudFront::Distribution').Properties;
    const refTo = (name: string) => ({ Ref: expect.stringMatching(`^GatewayDashboardSite${name}`) });
    expect(DistributionConfig).toMatchObject({
      // Managed-CachingDisabled: the edge keeps no page either, so a new version needs no invalidation.
      DefaultCacheBehavior: {
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        ResponseHeadersPolicyId: refTo('Pages'),
      },
      CacheBehaviors: [{ PathPattern: 'assets/*', ResponseHeadersPolicyId: refTo('Assets') }],
    });
  });

  it('lets the page load its own files and call the gateway and the issuer, nothing else (UI-1)', () => {
    expect(policyOf(template)).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src': [
        "'self'",
        'https://<GatewayApi>.execute-api.us-east-1.<AWS::URLSuffix>/v1/',
        '<GatewayDashboardSignInOperators.ProviderURL>/',
        'https://<GatewayDashboardSignInOperatorsDomain>.auth.us-east-1.amazoncognito.com/',
      ].join(' '),
      'form-action': "'self'",
      'base-uri': "'none'",
      'object-src': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
    expect(policyOf(template, 'Assets')).toEqual(policyOf(template));
  });

  it('names the custom domain in its policy where there is one', async () => {
    const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d-0000-4000-8000-000000000000';
    const own = await synthesize({ customDomain: { domainName: 'gateway.example.com', certificateArn } });
    expect(policyOf(own)['connect-src']).toContain(' https://gateway.example.com/ ');
  });

  it.each(['Pages', 'Assets'] as const)('sends the protective headers with %s (UI-5)', (name) => {
    expect(headersOf(template, name).SecurityHeadersConfig).toMatchObject({
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
      ContentTypeOptions: { Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
    });
    expect(customHeader(template, name, 'Cross-Origin-Opener-Policy')).toBe('same-origin-allow-popups');
  });
});
