import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { authorization, signed } from '../../../../lambdas/gateway/platform/aws-signature.ts';
import SUITE from '../../../fixtures/sigv4/aws-signing-test-suite.json' with { type: 'json' };

const { region, service, accessKeyId, secretAccessKey } = SUITE;
const SCOPE = { region, service };
const DATE = new Date(SUITE.date);

describe("LA-21: the lean client signs as AWS's published test suite does:", () => {
  test.each(SUITE.vectors)('$name', ({ method, path, headers, body, signature, ...vector }) => {
    const token = 'sessionToken' in vector && vector.sessionToken !== undefined ? vector.sessionToken : undefined;
    const all = {
      ...headers,
      'x-amz-date': '20150830T123600Z',
      ...(token === undefined ? {} : { 'x-amz-security-token': token }),
    };
    const given = authorization({ method, path, headers: all, body }, { accessKeyId, secretAccessKey }, SCOPE);
    expect(given).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${Object.keys(all).sort().join(';')}, Signature=${signature}`,
    );
  });
});

test('LA-21: date, token and hash of the body are signed; what proxies on the way may change is not', () => {
  const headers = { host: 'a', 'user-agent': 'me', 'x-amzn-trace-id': 'Root=1', connection: 'keep-alive' };
  const request = { method: 'POST', path: '/', headers, body: 'ä' };
  const given = signed(request, { accessKeyId, secretAccessKey, sessionToken: 'token' }, SCOPE, DATE);
  expect(given).toMatchObject({
    ...headers,
    'x-amz-date': '20150830T123600Z',
    'x-amz-security-token': 'token',
    'x-amz-content-sha256': createHash('sha256').update('ä').digest('hex'),
  });
  expect(given.authorization).toContain('SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,');
});
