import { Annotations, Duration, Fn, type RemovalPolicy } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { FunctionUrlAuthType, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { DOOR_SECRET_HEADER, ENVIRONMENT } from '../../lambdas/gateway/core/contract.ts';
import { acknowledge } from './acknowledge.ts';
import type { GatewayFunction } from './function.ts';
import type { CustomDomainProps } from './gateway-domain.ts';

/** The longest that CloudFront waits for an origin without a raised quota (CloudFront guide, "Response timeout"). */
const ORIGIN_TIMEOUT = Duration.seconds(60);

/** Every status whose responses CloudFront caches for ten seconds by default ("HTTP status codes that CloudFront caches"). */
const KEPT_STATUSES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** The function behind the URL, and the distribution in front of it. */
export interface ProxyFunctionUrlProps {
  readonly proxy: GatewayFunction;
  /**
   * Name of a distribution in front of the URL.
   * @default - callers use the URL itself
   */
  readonly proxyDomain?: CustomDomainProps | undefined;
  /**
   * ARN of a global web ACL for the distribution.
   * @default - none
   */
  readonly proxyWebAcl?: string | undefined;
  /** Whether the function's concurrency is limited. */
  readonly isBounded: boolean;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * A second front door, only for proxied calls: the proxy function's own URL, without a price per request. It has no throttle, web
 * ACL or access log; the function checks the key of every call, as behind the API.
 *
 * With a domain, CloudFront is in front of it and sends a secret header, without which the URL answers 403. It caches
 * and compresses nothing, and passes on every header except Host.
 */
export class ProxyFunctionUrl extends Construct {
  /** Where callers send proxied calls, without a trailing slash. */
  readonly proxyUrl: string;
  /**
   * Name that the DNS record of the domain must point to.
   * @default - there is no domain
   */
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, props: ProxyFunctionUrlProps) {
    super(scope, id);
    // Adds both permissions that a public URL needs since October 2025: to invoke the URL, and to invoke the function by it.
    const url = props.proxy.invoked.addFunctionUrl({
      authType: FunctionUrlAuthType.NONE,
      invokeMode: InvokeMode.RESPONSE_STREAM,
    });
    // https://<id>.lambda-url.<region>.on.aws/
    const host = Fn.select(2, Fn.split('/', url.url));
    if (!props.isBounded) {
      Annotations.of(this).addWarningV2(
        'integration-gateway:unbounded-function-url',
        'A function URL has no throttle: anyone who floods it takes the executions of the whole account. Set gateway:reservedConcurrency, such as {"proxy": 500}.',
      );
    }
    if (props.proxyDomain === undefined) {
      this.proxyUrl = `https://${host}`;
      return;
    }
    const distribution = this.#distribution(host, props.proxy, props.proxyDomain, props);
    this.proxyUrl = `https://${props.proxyDomain.domainName}`;
    this.domainTarget = distribution.distributionDomainName;
    props.proxy.setEnvironment(ENVIRONMENT.proxyUrl, this.proxyUrl);
  }

  #distribution(
    host: string,
    proxy: GatewayFunction,
    { domainName, certificateArn }: CustomDomainProps,
    { proxyWebAcl, removalPolicy }: ProxyFunctionUrlProps,
  ): Distribution {
    const secret = new Secret(this, 'Secret', {
      description: 'What CloudFront shows the proxy of the integration gateway, so that nobody goes past it',
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
      removalPolicy,
    });
    acknowledge(secret, 'AwsSolutions-SMG4', 'CloudFront and function would have to change at the same moment.');
    // CloudFormation resolves the value on deployment; the template contains only the secret's name.
    const value = secret.secretValue.unsafeUnwrap();
    proxy.setEnvironment(ENVIRONMENT.doorSecret, value);
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Proxied calls of the integration gateway',
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(proxyWebAcl === undefined ? {} : { webAclId: proxyWebAcl }),
      defaultBehavior: {
        origin: new HttpOrigin(host, {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [OriginSslPolicy.TLS_V1_2],
          readTimeout: ORIGIN_TIMEOUT,
          customHeaders: { [DOOR_SECRET_HEADER]: value },
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        // A response belongs to one user and is the provider's unchanged bytes.
        cachePolicy: CachePolicy.CACHING_DISABLED,
        compress: false,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      },
      errorResponses: KEPT_STATUSES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    acknowledge(distribution, 'AwsSolutions-CFR1', 'Callers are servers anywhere; who may call is decided by keys.');
    acknowledge(distribution, 'AwsSolutions-CFR3', 'Paths hold addresses of users: no log of requests is kept.');
    if (proxyWebAcl === undefined) {
      acknowledge(
        distribution,
        'AwsSolutions-CFR2',
        'A web ACL has a monthly price: attaching one is the operator’s choice.',
      );
    }
    return distribution;
  }
}
