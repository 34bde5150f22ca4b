import type { AwsIdentity } from '../core/ports.ts';
import { authorization } from './aws-signature.ts';
import { defaultProvider } from './environment-credentials.ts';

/**
 * Proof of the function's role, made without a call to AWS: the text of a signed request for GetCallerIdentity, which its recipient may
 * send (Google, "Workload identity federation with AWS"; AWS, "GetCallerIdentity"). It needs no right.
 */
export function awsIdentity(region: string, credentialsOf = defaultProvider()): AwsIdentity {
  return {
    async subjectToken(audience, at) {
      const { sessionToken, ...credentials } = await credentialsOf();
      const host = `sts.${region}.amazonaws.com`;
      const query = 'Action=GetCallerIdentity&Version=2011-06-15';
      const headers = {
        host,
        'x-amz-date': at.toISOString().replace(/[-:]|\.\d{3}/g, ''),
        ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
        'x-goog-cloud-target-resource': audience,
      };
      const signature = authorization({ method: 'POST', path: '/', query, headers, body: '' }, credentials, {
        region,
        service: 'sts',
      });
      const all = { Authorization: signature, ...headers };
      return encodeURIComponent(
        JSON.stringify({
          url: `https://${host}?${query}`,
          method: 'POST',
          headers: Object.entries(all).map(([key, value]) => ({ key, value })),
        }),
      );
    },
  };
}
