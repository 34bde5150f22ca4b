import { expect, test } from 'vitest';
import { countLines } from '../../../dev/tools/lines.ts';

test('lines of code belong to the feature whose folder has them, in functions and packages, and otherwise to the core', () => {
  const counts = countLines([
    { path: 'lambdas/proxy/handler.ts', text: 'a\nb\n' },
    { path: 'lambdas/features/index.ts', text: 'a\n' },
    { path: 'lambdas/features/undo/rows.rules.ts', text: 'a\nb\nc\n' },
    { path: 'packages/cli/features/undo/commands.ts', text: 'a\n' },
    { path: 'packages/dashboard/src/app.tsx', text: 'a\nb\n' },
  ]);
  expect(counts.get('core')).toEqual({ functions: 3, packages: 2 });
  expect(counts.get('undo')).toEqual({ functions: 3, packages: 1 });
  expect(counts.get('feeds')).toEqual({ functions: 0, packages: 0 });
});
