import { DomainName, EndpointAccessMode, EndpointType, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';

/**
 * TLS 1.2 with forward secrecy or 1.3. Strict: a TLS handshake for another name, whose policy may be weaker, cannot be used to reach
 * this one (Security policies for REST APIs in API Gateway).
 */
export const TLS_POLICY = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.STRICT,
} as const;

/** A domain name and the certificate for it. */
export interface CustomDomainProps {
  readonly domainName: string;
  /** ARN of an ACM certificate for the name, in the region of the API. */
  readonly certificateArn: string;
}

/** A regional custom domain with TLS 1.2 with forward secrecy or 1.3, and no other host name. */
export class GatewayDomain extends Construct {
  readonly #domain: DomainName;

  constructor(scope: Construct, id: string, props: CustomDomainProps) {
    super(scope, id);
    this.#domain = new DomainName(this, 'Name', {
      domainName: props.domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', props.certificateArn),
      endpointType: EndpointType.REGIONAL,
      ...TLS_POLICY,
    });
  }

  /**
   * Serves an API at the root of the domain: with a base path the event's `path` would contain it, too.
   * @returns the name that the domain's DNS record must point to
   */
  serve(api: RestApi): string {
    this.#domain.addBasePathMapping(api, { stage: api.deploymentStage });
    return this.#domain.domainNameAliasDomainName;
  }
}
