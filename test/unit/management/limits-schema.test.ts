import { expect, test } from 'vitest';
import { limitsBody } from '../../../lambdas/management/keys/limits-schema.ts';

test.each(['allow', 'deny'])('%s refuses a class of changes by its name, and says which sets it takes', (member) => {
  const message =
    'share is a class of changes, which only approve takes; allow and deny take methods and sets, such as drive:share';
  const problems = limitsBody.safeParse({ mode: 'enforce', [member]: ['share'] }).error?.issues ?? [];
  expect(problems.map((one) => one.message)).toEqual([message]);
  expect(limitsBody.safeParse({ mode: 'enforce', [member]: ['drive:share'] }).success).toBe(true);
  expect(limitsBody.safeParse({ mode: 'enforce', approve: ['share'] }).success).toBe(true);
  const unknown = limitsBody.safeParse({ mode: 'enforce', [member]: ['moon'] }).error?.issues[0]?.message;
  expect(unknown).toMatch(/^names no method/);
});
