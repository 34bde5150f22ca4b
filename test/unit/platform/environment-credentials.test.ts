import { afterEach, expect, test, vi } from 'vitest';
import { defaultProvider } from '../../../lambdas/gateway/platform/environment-credentials.ts';

afterEach(() => vi.unstubAllEnvs());

function environment(accessKeyId: string, secretAccessKey: string, sessionToken: string): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey);
  vi.stubEnv('AWS_SESSION_TOKEN', sessionToken);
}

test('hands over the credentials of the role', async () => {
  environment('id', 'secret', 'token');
  expect(await defaultProvider()()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' });
});

test('hands over no empty session token', async () => {
  environment('id', 'secret', '');
  expect(await defaultProvider()()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret' });
});

test('reads the environment at each request, not once', async () => {
  const provider = defaultProvider();
  environment('first', 'secret', '');
  await provider();
  environment('second', 'secret', '');
  expect(await provider()).toMatchObject({ accessKeyId: 'second' });
});

test.each([
  ['', 'secret'],
  ['id', ''],
])('fails with the names of the variables when one is missing (%j, %j)', async (id, secret) => {
  environment(id, secret, '');
  await expect(defaultProvider()()).rejects.toThrow(/AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set/);
});
