import { runInNewContext } from 'node:vm';
import type { Template } from 'aws-cdk-lib/assertions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EVERYTHING_ON } from '../../../dev/support/option-samples.ts';
import { flatten, onlyResource, resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';
import { DASHBOARD_FILE_PATH, dashboardCacheControl } from '../../../lambdas/gateway/core/contract.ts';

const policySchema = z.object({
  ResponseHeadersPolicyConfig: z.looseObject({
    CustomHeadersConfig: z.object({
      Items: z.array(z.object({ Header: z.string(), Value: z.string(), Override: z.boolean() })),
    }),
    SecurityHeadersConfig: z.looseObject({
      ContentSecurityPolicy: z.object({ ContentSecurityPolicy: z.unknown(), Override: z.literal(true) }),
    }),
  }),
});

function headersOf(template: Template) {
  const { Properties } = onlyResource(template, 'AWS::CloudFront::ResponseHeadersPolicy');
  return policySchema.parse(Properties).ResponseHeadersPolicyConfig;
}

function customHeader(header: string) {
  return headersOf(template).CustomHeadersConfig.Items.find((item) => item.Header === header);
}

function policyOf(template: Template): Record<string, string> {
  const { ContentSecurityPolicy } = headersOf(template).SecurityHeadersConfig.ContentSecurityPolicy;
  const directives = flatten(ContentSecurityPolicy).split('; ');
  return Object.fromEntries(directives.map((text) => [text.split(' ')[0], text.split(' ').slice(1).join(' ')]));
}

/** What CloudFront asks the bucket for when a browser asks for a path, by the function as it deploys. */
function edgeFunction(): (path: string) => unknown {
  const { FunctionCode } = onlyResource(template, 'AWS::CloudFront::Function').Properties;
  const result = z.object({ uri: z.string() });
  return (uri) =>
    result.parse(runInNewContext(`${FunctionCode}; handler({ request: ${JSON.stringify({ uri })} })`)).uri;
}

const template = await synthesize();
const { DistributionConfig } = onlyResource(template, 'AWS::CloudFront::Distribution').Properties;

describe('DashboardSite', () => {
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
      .object({
        Statement: z.array(z.looseObject({ Effect: z.string(), Action: z.unknown(), Principal: z.unknown() })),
      })
      .parse(PolicyDocument);
    expect(Statement.filter(({ Effect }) => Effect === 'Allow')).toMatchObject([
      { Action: ['s3:GetObject', 's3:ListBucket'], Principal: { Service: 'cloudfront.amazonaws.com' } },
    ]);
    expect(Statement.filter(({ Effect }) => Effect === 'Deny')).toMatchObject([
      { Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { Condition: { NumericLessThan: { 's3:TlsVersion': 1.2 } } },
    ]);
  });

  it('serves https only, from its bucket alone', () => {
    expect(DistributionConfig).toMatchObject({
      DefaultRootObject: 'index.html',
      DefaultCacheBehavior: { ViewerProtocolPolicy: 'redirect-to-https', AllowedMethods: ['GET', 'HEAD'] },
      Origins: [{ OriginAccessControlId: expect.anything() }],
    });
  });

  it('answers its own paths with its page, and leaves names of files to what is there', () => {
    const asked = edgeFunction();
    const pages = ['/', '/connections/google-drive/first.user@example.com', '/signed-in', '/assets', '/%2e%2e/x'];
    for (const path of pages) expect(asked(path)).toBe('/index.html');
    const files = ['/index.html', '/config.json', '/icon.svg', '/gone.png', '/assets/index-1a2b.js', '/assets/x'];
    for (const path of files) expect(asked(path)).toBe(path);
  });

  it('asks the bucket for what the local dashboard would look for, whatever the path', () => {
    const asked = edgeFunction();
    const isFile = new RegExp(DASHBOARD_FILE_PATH);
    fc.assert(
      fc.property(fc.array(fc.constantFrom('/', 'assets/', 'a', '.', '.js', '%2f', ':', '@')), (parts) => {
        const path = `/${parts.join('')}`;
        expect(asked(path)).toBe(isFile.test(path) ? path : '/index.html');
      }),
      { numRuns: 50 },
    );
  });

  it('answers 404 for a file that is not there, and keeps that nowhere', () => {
    expect(DistributionConfig).toMatchObject({ CustomErrorResponses: [{ ErrorCode: 404, ErrorCachingMinTTL: 0 }] });
    // No page instead of the error, so its status stays; the upload's own header would win, and an error has none.
    expect(JSON.stringify(DistributionConfig)).not.toContain('ResponsePagePath');
    expect(customHeader('Cache-Control')).toMatchObject({ Value: 'no-store', Override: false });
  });

  it('keeps pages nowhere and hashed files as their upload says (UI-5)', () => {
    expect(DistributionConfig).toMatchObject({
      // Managed-CachingDisabled: the edge keeps no page either, so a new version needs no invalidation.
      DefaultCacheBehavior: {
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        FunctionAssociations: [{ EventType: 'viewer-request' }],
      },
      // Managed-CachingOptimized, which keeps to what the object says.
      CacheBehaviors: [{ PathPattern: 'assets/*', CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6' }],
    });
    expect(dashboardCacheControl('assets/index-1a2b.js')).toBe('public, max-age=31536000, immutable');
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
      'frame-src': 'https://<GatewayApi>.execute-api.us-east-1.<AWS::URLSuffix>/v1/connect',
      'form-action': "'self'",
      'base-uri': "'none'",
      'object-src': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
  });

  it('names the custom domain in its policy where there is one', async () => {
    expect(policyOf(await synthesize(EVERYTHING_ON))['connect-src']).toContain(' https://gateway.example.com/ ');
  });

  it('sends the protective headers with every answer (UI-5)', () => {
    expect(headersOf(template).SecurityHeadersConfig).toMatchObject({
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
      ContentTypeOptions: { Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
    });
    expect(customHeader('Cross-Origin-Opener-Policy')).toMatchObject({
      Value: 'same-origin-allow-popups',
      Override: true,
    });
    const [policyId] = Object.keys(resourcesOf(template, 'AWS::CloudFront::ResponseHeadersPolicy'));
    expect(DistributionConfig).toMatchObject({
      DefaultCacheBehavior: { ResponseHeadersPolicyId: { Ref: policyId } },
      CacheBehaviors: [{ ResponseHeadersPolicyId: { Ref: policyId } }],
    });
  });
});
