import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { FEATURE_IDS } from '../../../lambdas/features/index.ts';
import { namesIn, wordsOf } from '../../support/names.ts';

/**
 * Words that name a feature in code, and how many files of the packages outside its folders have one: a number here only falls. They
 * name members of the API (limits of keys, readiness, errors), kinds of rows that a restore brings back without the feature, too, and
 * sums of costs. Words of pages count, because JSX has them as names.
 */
const NAMES: Readonly<Record<string, { readonly words: readonly string[]; readonly files: number }>> = {
  'security-events': {
    words: ['security event', 'security events', 'security project', 'security projects'],
    files: 4,
  },
  undo: { words: ['undo', 'undone', 'undoes', 'undoable', 'journal', 'journals', 'journalled'], files: 9 },
  approvals: { words: ['approval', 'approvals', 'approver', 'approvers'], files: 11 },
  // Among them: lists of the provider's own tools, which the core has, and HTTP agents.
  agents: { words: ['agent', 'agents', 'mcp'], files: 20 },
  feeds: { words: ['feed', 'feeds'], files: 10 },
  webhooks: { words: ['webhook', 'webhooks'], files: 4 },
};

/** Written from the API's document, with everything that it names. */
const GENERATED = /(?:wire|operations|event-words)\.ts$/;

const FILES = globSync('packages/{cli,client/src,dashboard/src}/**/*.{ts,tsx}', { cwd: PROJECT_ROOT })
  .filter((path) => !/node_modules|\/dist\/|\/features\//.test(path) && !GENERATED.test(path))
  .map((path) => ({ path, words: wordsOf(namesIn(path, readFileSync(join(PROJECT_ROOT, path), 'utf8'))) }));

it.each(Object.entries(NAMES))('files of packages that name %s are no more than they were', (_, { words, files }) => {
  const naming = FILES.filter((file) => words.some((word) => file.words.has(word))).map(({ path }) => path);
  expect(naming.length, naming.join('\n')).toBeLessThanOrEqual(files);
});

it('files of packages that name a feature are counted for each', () => {
  expect(Object.keys(NAMES)).toEqual(expect.arrayContaining([...FEATURE_IDS]));
});
