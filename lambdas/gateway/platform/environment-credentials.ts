/** Credentials as the AWS SDK takes them. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Stands in for the AWS SDK's default chain of credentials when functions are bundled (dev/tools/build.ts): Lambda hands a
 * function its role's credentials in the environment, so sign-in, profiles, metadata services and the clients they need
 * are 130 KB that a start would read for nothing. Its name is the one the SDK imports.
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
