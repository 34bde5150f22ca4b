import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Driver, inLambda, outcomeOf, useDrivers } from './clients.ts';

const driverOf = useDrivers();

beforeEach(() => {
  vi.stubEnv('AWS_ENDPOINT_URL', undefined);
  inLambda();
});
afterEach(() => vi.unstubAllEnvs());

/** Where each service's request goes, and what it is signed for. */
async function addresses(d: Driver): Promise<unknown> {
  const config = { maxAttempts: 1, requestHandler: { connectionTimeout: 1_000 } };
  const seen: unknown[] = [];
  const dynamo = new d.DynamoDBClient(config);
  const kms = new d.KMSClient(config);
  const secrets = new d.SecretsManagerClient(config);
  for (const client of [dynamo, kms, secrets]) {
    client.config.requestHandler.handle = async ({ protocol, hostname, port, path, headers }) => {
      const scope = /Credential=\w+\/\d+\/([^,]+),/.exec(String(headers.authorization))?.[1];
      seen.push({ protocol, hostname, port: port ? Number(port) : undefined, path, host: headers.host, scope });
      return { response: { statusCode: 200, headers: {}, body: Buffer.from('{}') } } as never;
    };
  }
  const document = d.DynamoDBDocumentClient.from(dynamo, { marshallOptions: { removeUndefinedValues: true } });
  const calls = [
    () => document.send(new d.GetCommand({ TableName: 'gateway', Key: { pk: 'a' } })),
    () => kms.send(new d.DecryptCommand({ CiphertextBlob: new Uint8Array(1) })),
    () => secrets.send(new d.GetSecretValueCommand({ SecretId: 'a' })),
  ];
  for (const call of calls) {
    const { error } = await outcomeOf(call);
    if (error !== undefined) seen.push(error.message);
  }
  return seen;
}

/** One region of every partition, and those that services treat apart. */
const REGIONS = [
  ...['us-east-1', 'eu-central-1', 'il-central-1', 'mx-central-1', 'cn-north-1', 'cn-northwest-1'],
  ...['us-gov-east-1', 'us-gov-west-1', 'us-iso-east-1', 'us-isob-east-1', 'us-isof-south-1', 'eu-isoe-west-1'],
  ...['eusc-de-east-1', 'xx-new-1'],
];
const FLAGS: readonly Record<string, string>[] = [
  {},
  { AWS_USE_FIPS_ENDPOINT: 'true' },
  { AWS_USE_DUALSTACK_ENDPOINT: 'true' },
  { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' },
  { AWS_USE_FIPS_ENDPOINT: 'false', AWS_USE_DUALSTACK_ENDPOINT: 'false' },
];

describe('LA-21: the lean client finds services where the SDK does', () => {
  test.each(REGIONS)(
    'the lean client finds services where the SDK does in %s, with FIPS and dual stack',
    async (region) => {
      for (const flags of FLAGS) {
        inLambda({ AWS_USE_FIPS_ENDPOINT: 'false', AWS_USE_DUALSTACK_ENDPOINT: 'false', ...flags, AWS_REGION: region });
        const lean = await addresses(driverOf('lean'));
        expect({ flags, seen: lean }).toEqual({ flags, seen: await addresses(driverOf('sdk')) });
      }
    },
  );

  test.each<[string, Record<string, string>]>([
    ['at an address of all services', { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' }],
    ['at an address with a path', { AWS_ENDPOINT_URL: 'https://proxy.example/aws/all' }],
    ['at an address with a path that ends', { AWS_ENDPOINT_URL: 'https://proxy.example/aws/' }],
    ['at an IPv6 address', { AWS_ENDPOINT_URL: 'http://[::1]:4566' }],
    [
      'at addresses of their own',
      {
        AWS_ENDPOINT_URL: 'http://127.0.0.1:4566',
        AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000',
        AWS_ENDPOINT_URL_KMS: 'https://kms.internal',
        AWS_ENDPOINT_URL_SECRETS_MANAGER: 'https://secrets.internal:8443',
      },
    ],
    ['at an empty address, which is none', { AWS_ENDPOINT_URL: '', AWS_ENDPOINT_URL_KMS: '' }],
    [
      'at addresses that are to be ignored',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' },
    ],
    [
      'at an address with FIPS, which is refused',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_USE_FIPS_ENDPOINT: 'true' },
    ],
    [
      'at an address with dual stack, which is refused',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_USE_DUALSTACK_ENDPOINT: 'true' },
    ],
  ])('%s', async (_, variables) => {
    inLambda(variables);
    expect(await addresses(driverOf('lean'))).toEqual(await addresses(driverOf('sdk')));
  });

  test('nowhere without a region', async () => {
    inLambda({ AWS_REGION: '', AWS_EC2_METADATA_DISABLED: 'true' });
    expect(await addresses(driverOf('lean'))).toEqual(Array(3).fill('Region is missing'));
  });

  test.each(['yes', '1', 'TRUE'])(
    'the lean client finds services where the SDK does at the ordinary address when a switch says %s',
    async (value) => {
      inLambda({ AWS_USE_FIPS_ENDPOINT: value });
      expect(await addresses(driverOf('lean'))).toEqual(await addresses(driverOf('sdk')));
    },
  );

  test('refuses an address with a query, which it would not sign', async () => {
    inLambda({ AWS_ENDPOINT_URL: 'http://127.0.0.1:1/?a=b' });
    expect(String(await addresses(driverOf('lean')))).toContain('must not have a query');
  });
});
