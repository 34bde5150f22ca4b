import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { dashboardCacheControl, dashboardContentSecurityPolicy, ENVIRONMENT } from '../../lambdas/shared/contract.ts';
import { acknowledge } from './acknowledge.ts';
import type { GatewayFunction } from './function.ts';

/** A year, as browsers' preload lists ask for. */
const HSTS_MAX_AGE = Duration.days(365);

/** Whom the page may call, and what becomes of its files. */
export interface DashboardSiteProps {
  /** Addresses besides its own, each with a trailing slash: a policy's path covers what is below it only then. */
  readonly connectSources: readonly string[];
  readonly removalPolicy: RemovalPolicy;
}

/**
 * The dashboard's address: a private bucket behind CloudFront. Files arrive by `scripts/deploy.ts`, not through the
 * template.
 *
 * Pages and `config.json` are never kept by a browser or an edge, so a new version is there at once and nothing has to be
 * invalidated; files below `assets/` carry a hash in their names and are kept for good.
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
    const origin = S3BucketOrigin.withOriginAccessControl(bucket);
    const behavior = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      compress: true,
    };
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Dashboard of the integration gateway',
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        ...behavior,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        responseHeadersPolicy: this.#headers('Pages', dashboardCacheControl('index.html'), props),
      },
      additionalBehaviors: {
        'assets/*': {
          ...behavior,
          cachePolicy: CachePolicy.CACHING_OPTIMIZED,
          responseHeadersPolicy: this.#headers('Assets', dashboardCacheControl('assets/'), props),
        },
      },
      // A path of the dashboard's own names no file, which the bucket answers with 403 to someone who may not list it.
      errorResponses: [
        { httpStatus: 403, responseHttpStatus: 200, responsePagePath: '/index.html', ttl: Duration.seconds(0) },
      ],
    });
    this.origin = `https://${distribution.distributionDomainName}`;
    this.bucketName = bucket.bucketName;
    acknowledgeFindings(bucket, distribution);
  }

  /** Tells a function whose pages may read its answers. */
  grantOrigin(fn: GatewayFunction): void {
    fn.setEnvironment(ENVIRONMENT.dashboardOrigin, this.origin);
  }

  #headers(id: string, cacheControl: string, props: DashboardSiteProps): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, id, {
      securityHeadersBehavior: {
        contentSecurityPolicy: {
          contentSecurityPolicy: dashboardContentSecurityPolicy(props.connectSources),
          override: true,
        },
        contentTypeOptions: { override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: HSTS_MAX_AGE, includeSubdomains: false, override: true },
      },
      customHeadersBehavior: {
        customHeaders: [
          { header: 'Cache-Control', value: cacheControl, override: true },
          // The popup of a test connection has to keep its way back to the page that opened it (CS-10).
          { header: 'Cross-Origin-Opener-Policy', value: 'same-origin-allow-popups', override: true },
        ],
      },
    });
  }
}

function acknowledgeFindings(bucket: Bucket, distribution: Distribution): void {
  acknowledge(bucket, 'AwsSolutions-S1', 'The bucket holds public program files and has one reader, the distribution.');
  acknowledge(distribution, 'AwsSolutions-CFR1', 'Where operators may be is the deployer’s choice.');
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
