import { Duration, Names, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccessLevel,
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  DASHBOARD_FILE_PATH,
  dashboardCacheControl,
  dashboardContentSecurityPolicy,
  ENVIRONMENT,
} from '../../lambdas/gateway/core/contract.ts';
import { acknowledge } from './acknowledge.ts';
import type { GatewayFunction } from './function.ts';

/** One year, as browsers' preload lists require. */
const HSTS_MAX_AGE = Duration.days(365);

/** CloudFront's limit for names of functions and access controls (Amazon CloudFront API Reference). */
const NAME_MAX_LENGTH = 64;

/** Gives the page to every path that names no file; CloudFront Functions, JavaScript runtime 2.0. */
const PAGE_FOR_ITS_OWN_PATHS = `var FILE = new RegExp(${JSON.stringify(DASHBOARD_FILE_PATH)});
function handler(event) {
  var request = event.request;
  if (!FILE.test(request.uri)) request.uri = '/index.html';
  return request;
}
`;

/** The addresses that the page may call, and the retention of its files. */
export interface DashboardSiteProps {
  /** Address of the gateway, without a trailing slash. */
  readonly gatewayUrl: string;
  /** More addresses to call, each with a trailing slash, without which a policy's path does not cover what is below it. */
  readonly otherSources: readonly string[];
  readonly removalPolicy: RemovalPolicy;
}

/**
 * The dashboard's address: a private bucket behind CloudFront. Files are uploaded by `dev/tools/deploy.ts`, not by the
 * template.
 *
 * Each file has its Cache-Control as metadata. Pages and `config.json` are never cached by a browser or an edge, so a
 * new version is effective at once and nothing has to be invalidated. Files below `assets/` have a hash in their names and are
 * cached for ever. A missing file answers 404, which is not cached.
 */
export class DashboardSite extends Construct {
  /** Address of the dashboard, without a trailing slash. */
  readonly origin: string;
  /** Where its files go. */
  readonly bucketName: string;

  constructor(scope: Construct, id: string, props: DashboardSiteProps) {
    super(scope, id);
    const bucket = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy: props.removalPolicy,
    });
    // @ts-expect-error The library's own Bucket misses its IBucket under exactOptionalPropertyTypes (isWebsite).
    const origin = S3BucketOrigin.withOriginAccessControl(bucket, {
      originAccessControl: new S3OriginAccessControl(this, 'AccessControl', {
        originAccessControlName: accountWideName(this, 'Files'),
      }),
      // Without the right to list a bucket, a missing file answers 403 instead of 404. No query reaches the bucket, so nobody gets a
      // list.
      originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
    });
    const behavior = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      compress: true,
      responseHeadersPolicy: this.#headers(props),
    };
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Dashboard of the integration gateway',
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        ...behavior,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: this.#pageForItsOwnPaths() }],
      },
      additionalBehaviors: {
        'assets/*': { ...behavior, cachePolicy: CachePolicy.CACHING_OPTIMIZED },
      },
      errorResponses: [{ httpStatus: 404, ttl: Duration.seconds(0) }],
    });
    this.origin = `https://${distribution.distributionDomainName}`;
    this.bucketName = bucket.bucketName;
    acknowledgeFindings(bucket, distribution);
  }

  /** Sets the origin whose pages may read a function's responses. */
  setOrigin(fn: GatewayFunction): void {
    fn.setEnvironment(ENVIRONMENT.dashboardOrigin, this.origin);
  }

  #pageForItsOwnPaths(): EdgeFunction {
    return new EdgeFunction(this, 'Paths', {
      functionName: accountWideName(this, 'Paths'),
      comment: 'Gives the page to every path of the dashboard that names no file',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(PAGE_FOR_ITS_OWN_PATHS),
    });
  }

  #headers(props: DashboardSiteProps): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: accountWideName(this, 'Headers'),
      securityHeadersBehavior: {
        contentSecurityPolicy: {
          contentSecurityPolicy: dashboardContentSecurityPolicy(props.gatewayUrl, props.otherSources),
          override: true,
        },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: HSTS_MAX_AGE, includeSubdomains: false, override: true },
      },
      customHeadersBehavior: {
        customHeaders: [
          // For responses without one: errors, and files that were uploaded otherwise.
          { header: 'Cache-Control', value: dashboardCacheControl('index.html'), override: false },
          // The popup of a test connection needs its opener (CS-10).
          { header: 'Cross-Origin-Opener-Policy', value: 'same-origin-allow-popups', override: true },
        ],
      },
    });
  }
}

/** CloudFront has no regions: its names are unique in an account, so a stack of the same name in another region needs different ones. */
function accountWideName(site: DashboardSite, what: string): string {
  const { region } = Stack.of(site);
  const maxLength = NAME_MAX_LENGTH - region.length - what.length - 2;
  return `${region}-${Names.uniqueResourceName(site, { maxLength })}-${what}`;
}

function acknowledgeFindings(bucket: Bucket, distribution: Distribution): void {
  acknowledge(bucket, 'AwsSolutions-S1', 'The bucket holds public program files and has one reader, the distribution.');
  acknowledge(distribution, 'AwsSolutions-CFR1', 'Where operators may be is the deployer’s choice.');
  acknowledge(
    distribution,
    'Annotation::@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk',
    'The root is index.html and no query reaches the bucket: nobody can ask for its list.',
  );
  acknowledge(
    distribution,
    'AwsSolutions-CFR2',
    'A web ACL has a monthly price: attaching one is the deployer’s choice.',
  );
  acknowledge(
    distribution,
    'AwsSolutions-CFR3',
    'The site serves program files; what operators do is in the audit trail.',
  );
  acknowledge(
    distribution,
    'AwsSolutions-CFR4',
    'CloudFront decides the TLS versions of its own host name; browsers of this decade negotiate 1.2 or 1.3.',
  );
}
