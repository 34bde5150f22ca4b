import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { readTestTitles } from '../../../dev/tools/test-titles.ts';

/** Ids of statements at the beginning of a title. */
const IDS = /^(?:[A-Z]{1,3}-?\d+(?:, | and )?)+: /;
/** A predicate whose subject is only in the title of the group. */
const WITHOUT_SUBJECT = /^(?:is|are|was|were|has|have|had|do|does|can|may|cannot|must|need|and|nor|also|because)\b/;

it('fewer than 2 % of the titles of tests lack the subject of their sentence', () => {
  const titles = readTestTitles(PROJECT_ROOT, 'test').map(({ title }) => title.replace(IDS, ''));
  const half = titles.filter((title) => WITHOUT_SUBJECT.test(title));
  expect(titles.length).toBeGreaterThan(5_000);
  expect(half.length / titles.length, half.join('\n')).toBeLessThan(0.02);
});
