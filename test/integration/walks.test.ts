// @module-tag long
// @module-tag first
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';
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
] as const)('%s passes through no more files than it may', ([name, main]) => {
  const walk = walks.find((one) => one.name === name);
  const files = walk?.files.map(({ file }) => file) ?? [];
  expect(files).toContain(main);
  const advice = `${name} passes through ${files.length} files. "npm run walks" prints them: leave one out that it need not pass, or raise atMost in test/walks/walks.ts and say why.`;
  expect(files.length, advice).toBeLessThanOrEqual(walk?.atMost ?? 0);
});

/** Files of the numbered rows of a page, in their order. */
function stepsOf(page: string): string[] {
  const text = readFileSync(join(PROJECT_ROOT, 'contributing', page), 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(300);
  return [...text.matchAll(/^\| \d+ \| \[[^\]]+\]\(\.\.\/([^)]+)\)/gm)].flatMap(([, file]) => file ?? []);
}

test.for([
  ['a proxied call', 'how-a-call-goes.md'],
  ['an OAuth callback', 'how-a-callback-goes.md'],
  ['a scheduled refresh', 'how-a-refresh-goes.md'],
] as const)('docs describe the files of %s in the order in which they are reached', ([name, page]) => {
  const orders = walks.find((one) => one.name === name)?.orders ?? [];
  const steps = stepsOf(page);
  expect(steps.toSorted()).toEqual(orders[0]?.toSorted());
  // Answers of the table come in no fixed order: one of the recorded times has to agree.
  expect(orders.some((order) => order.join() === steps.join()) ? steps : orders[0]).toEqual(steps);
});
