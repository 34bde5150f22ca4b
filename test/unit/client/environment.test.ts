import { afterEach, expect, test, vi } from 'vitest';
import { GatewayClient } from '../../../packages/client/src/index.ts';
import { CALL, SECRET_KEY, testStub } from './stub.ts';

const stub = testStub();

afterEach(() => vi.unstubAllEnvs());

/** The environment of a function that a stack let call. */
function granted(variables: Readonly<Record<string, string>> = {}): void {
  const all = {
    GATEWAY_SECRET_KEY: '',
    ...{ GATEWAY_BASE_URL: stub.baseUrl, GATEWAY_REGION: 'eu-central-1' },
    ...{ AWS_ACCESS_KEY_ID: 'ASIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' },
    ...variables,
  };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
}

test('a client without options signs as the role of its function, at the gateway that the environment names', async () => {
  granted();
  await new GatewayClient().get(CALL);
  const { target, headers } = stub.last();
  expect(target).toMatch(/^\/v1\/iam\/proxy\//);
  expect(headers.authorization).toMatch(/Credential=ASIAEXAMPLE\/\d{8}\/eu-central-1\/execute-api\/aws4_request/);
  expect(headers['x-amz-security-token']).toBe('token');
});

test('it reads the credentials for each request, because Lambda may replace them', async () => {
  granted();
  const client = new GatewayClient();
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'ASIALATER');
  await client.get(CALL);
  expect(stub.last().headers.authorization).toContain('Credential=ASIALATER/');
});

test('a client without options calls with GATEWAY_SECRET_KEY where it is set, also in a function of AWS', async () => {
  granted({ GATEWAY_SECRET_KEY: SECRET_KEY });
  await new GatewayClient().get(CALL);
  const { target, headers } = stub.last();
  expect(target).toMatch(/^\/v1\/proxy\//);
  expect(headers.authorization).toBe(`Bearer ${SECRET_KEY}`);
});

test('it names the variable that is missing', () => {
  granted({ GATEWAY_BASE_URL: '' });
  expect(() => new GatewayClient()).toThrow(/GATEWAY_BASE_URL, which is not set/);
});
