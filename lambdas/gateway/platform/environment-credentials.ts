/** Credentials as the AWS SDK takes them. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Replaces the AWS SDK's default credential chain when functions are bundled (dev/tools/build.ts). Lambda passes a function its role's
 * credentials in the environment, so sign-in, profiles, metadata services and their clients would only add 130 KB to every start. The
 * SDK imports it by this name.
 *
 * @throws Error from the provider when the environment has none
 */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = process.env;
    if (!accessKeyId || !secretAccessKey) {
      throw new Error(
        'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set: a function takes its credentials from there',
      );
    }
    return { accessKeyId, secretAccessKey, ...(AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {}) };
  };
}
