import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startScriptedUpstream } from '../../support/scripted-upstream.ts';

let gateway: TestGateway;
beforeAll(async () => {
  const upstream = await startScriptedUpstream();
  await upstream[Symbol.asyncDispose]();
  gateway = await startTestGateway({ environmentOverrides: { GOOGLE_API_BASE_URL: upstream.origin } });
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

test('F38: a POST that cannot be sent says that nothing was applied', async () => {
  const answer = await gateway.proxy('google-drive', '/drive/v3/files', { method: 'POST', body: '{}' });
  expect(answer.headers.get('x-gateway-error')).toBe('upstream_unreachable');
  expect(await answer.json()).toMatchObject({
    error: { status: 502, applied: 'no', message: expect.stringContaining('not sent') },
  });
});
