import type { AwsCredentials } from './http/aws-signature.ts';
import type { GatewayClientOptions } from './settings.ts';

/**
 * What a client without options reads: `GATEWAY_BASE_URL`, and `GATEWAY_SECRET_KEY` where it is set. Otherwise requests are signed, as in
 * a function that `grantCall` of the construct lets call: with its `GATEWAY_REGION`, and the credentials of the function's role, which
 * Lambda puts into its environment.
 *
 * @throws TypeError naming the variable that is missing
 */
export function environmentOptions(): GatewayClientOptions {
  const { GATEWAY_BASE_URL: baseUrl, GATEWAY_SECRET_KEY: secretKey, GATEWAY_REGION: awsRegion } = environment();
  if (!baseUrl) {
    throw new TypeError(
      'A client without options reads GATEWAY_BASE_URL, which is not set: set it and GATEWAY_SECRET_KEY, give baseUrl and secretKey, or grantCall the function.',
    );
  }
  if (secretKey) return { baseUrl, secretKey };
  const awsCredentials = async (): Promise<AwsCredentials> => {
    const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = environment();
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}),
    };
  };
  return { baseUrl, awsCredentials, ...(awsRegion ? { awsRegion } : {}) };
}

/** Empty where there is none, as in a browser. */
function environment(): Readonly<Record<string, string | undefined>> {
  const runtime: { readonly env?: Readonly<Record<string, string | undefined>> } | undefined = Reflect.get(
    globalThis,
    'process',
  );
  return runtime?.env ?? {};
}
