import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { requestFromEvent } from '../../../lambdas/gateway/http/front-door.ts';

const ARN = 'arn:aws:sts::111122223333:assumed-role/nightly-export/session-1';

/** An event of the REST API whose identity says all that it can. */
function event(resource: string, path: string, identity: Record<string, string | null> = {}): APIGatewayProxyEvent {
  const requestContext = {
    requestId: 'call-1',
    resourcePath: resource,
    identity: { sourceIp: '192.0.2.1', userArn: ARN, user: 'AROAFIRST:session-1', ...identity },
  };
  const rest = { multiValueHeaders: {}, multiValueQueryStringParameters: null, httpMethod: 'GET', body: null };
  return fake<APIGatewayProxyEvent>({ ...rest, resource, path, requestContext });
}

describe('a signed request', () => {
  it('IA-10: a signed request is recognized by its resource, and continues without /iam', () => {
    expect(requestFromEvent(event('/iam/proxy/{proxy+}', '/iam/proxy/drive/v3/files/a%2Fb'))).toMatchObject({
      rawPath: '/proxy/drive/v3/files/a%2Fb',
      signer: { arn: ARN, id: 'AROAFIRST:session-1' },
    });
    expect(requestFromEvent(event('/iam/{proxy+}', '/iam/connections')).rawPath).toBe('/connections');
  });

  it.each([
    ['/proxy/{proxy+}', '/proxy/iam/x'],
    ['/{proxy+}', '/iam/proxy/drive/v3/files'],
    ['/{proxy+}', '/connections'],
  ])('IA-10: a signed request is none under %s, whatever its path and the front door say', (resource, path) => {
    expect(requestFromEvent(event(resource, path))).toMatchObject({ rawPath: path });
    expect(requestFromEvent(event(resource, path)).signer).toBeUndefined();
  });

  it('IA-10: a signed request is from nobody where the front door names nobody', () => {
    const nobody = requestFromEvent(event('/iam/{proxy+}', '/iam/connections', { userArn: null, user: null }));
    expect(nobody.signer).toEqual({ arn: '', id: '' });
  });
});
