/** Parts of an address. */
export interface Endpoint {
  readonly url: URL;
  readonly region: string;
}

/** A service's name in host names, in environment variables, and in signatures. */
export interface ServiceName {
  readonly host: string;
  readonly variable: string;
}

/** Regions by prefix, with the suffixes of their host names: plain, and for IPv4 and IPv6. */
const PARTITIONS: readonly (readonly [beginning: string, suffix: string, dualStack: string])[] = [
  ['cn-', 'amazonaws.com.cn', 'api.amazonwebservices.com.cn'],
  ['us-gov-', 'amazonaws.com', 'api.aws'],
  ['us-iso-', 'c2s.ic.gov', 'api.aws.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov', 'api.aws.scloud'],
  ['us-isof-', 'csp.hci.ic.gov', 'api.aws.hci.ic.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk', 'api.cloud-aws.adc-e.uk'],
  ['eusc-', 'amazonaws.eu', 'api.amazonwebservices.eu'],
  ['', 'amazonaws.com', 'api.aws'],
];

/**
 * The address of a service, from the environment, as AWS's SDKs read it.
 *
 * @param region @default `AWS_REGION`
 * @throws Error naming the wrong variable
 * @see "Service-specific endpoints", "Dual-stack and FIPS endpoints" in the AWS SDKs and Tools Reference Guide
 */
export function endpointOf({ host, variable }: ServiceName, region = process.env.AWS_REGION): Endpoint {
  if (!region) throw new Error('Region is missing');
  const isFips = isSet('AWS_USE_FIPS_ENDPOINT');
  const isDualStack = isSet('AWS_USE_DUALSTACK_ENDPOINT');
  const own = isSet('AWS_IGNORE_CONFIGURED_ENDPOINT_URLS')
    ? undefined
    : process.env[`AWS_ENDPOINT_URL_${variable}`] || process.env.AWS_ENDPOINT_URL;
  if (own) {
    if (isFips) throw new Error('Invalid Configuration: FIPS and custom endpoint are not supported');
    if (isDualStack) throw new Error('Invalid Configuration: Dualstack and custom endpoint are not supported');
    const url = new URL(own);
    if (url.search !== '') throw new Error(`The address of ${host} must not have a query: ${own}`);
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return { url, region };
  }
  const [beginning, suffix, dualStack] = PARTITIONS.find(([start]) => region.startsWith(start)) ?? ['', '', ''];
  // GovCloud's ordinary addresses of DynamoDB are FIPS ones; Secrets Manager has one address for both families of addresses.
  const fips = isFips && !(host === 'dynamodb' && beginning === 'us-gov-' && !isDualStack) ? '-fips' : '';
  const isOne = host === 'secretsmanager' && (suffix === 'amazonaws.com' || (beginning === 'cn-' && !isFips));
  return { url: new URL(`https://${host}${fips}.${region}.${isDualStack && !isOne ? dualStack : suffix}/`), region };
}

function isSet(variable: string): boolean {
  return process.env[variable] === 'true';
}
