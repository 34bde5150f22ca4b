import { beforeAll, expect, test } from 'vitest';
import { type MeasuredWalk, measureWalks } from '../walks/walks.ts';

let walks: readonly MeasuredWalk[];
beforeAll(async () => {
  walks = await measureWalks();
});

test.for([
  ['a proxied call', 'lambdas/gateway/forwarding/proxy-call.ts'],
  ['an OAuth callback', 'lambdas/oauth-callback/complete-authorization.ts'],
  ['a scheduled refresh', 'lambdas/refresh/sweep.ts'],
  ['POST /integrations', 'lambdas/management/integrations/create-integration.ts'],
] as const)('%s passes through no more files than it may', { tags: ['long'] }, ([name, main]) => {
  const walk = walks.find((one) => one.name === name);
  const files = walk?.files.map(({ file }) => file) ?? [];
  expect(files).toContain(main);
  const advice = `${name} passes through ${files.length} files. "npm run walks" prints them: leave one out that it need not pass, or raise atMost in test/walks/walks.ts and say why.`;
  expect(files.length, advice).toBeLessThanOrEqual(walk?.atMost ?? 0);
});
