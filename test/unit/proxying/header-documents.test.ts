import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { headerLists } from '../../../lambdas/gateway/proxying/headers.rules.ts';

const PAGE = readFileSync(join(PROJECT_ROOT, 'docs', 'fidelity.md'), 'utf8');
const { dropped, droppedPrefixes, refused, passed, passedPrefixes } = headerLists();

/** What a sentence of the page names in backticks, from its first words to its end. */
function namedBy(firstWords: string): string[] {
  const sentence = PAGE.split(firstWords)[1]?.split(/\.\s|\.$|\|/m)[0] ?? '';
  return [...sentence.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.toLowerCase());
}

/** Sentences about what a page and a list do not have in common. */
function differences(firstWords: string, listed: readonly string[]): string[] {
  const named = namedBy(firstWords);
  return [
    ...listed
      .filter((name) => !named.includes(name))
      .map((name) => `${name} is not on the page: add it to docs/fidelity.md, after "${firstWords}".`),
    ...named
      .filter((name) => !listed.includes(name))
      .map(
        (name) =>
          `${name} is in no list: take it out of docs/fidelity.md, after "${firstWords}", or add it to its list in lambdas/gateway/proxying/headers.rules.ts.`,
      ),
  ];
}

it.each([
  ['does not reach Google', 'These headers are not passed to Google:', [...dropped, ...droppedPrefixes]],
  ['is refused', 'Headers of another identity:', refused],
  ['reaches the caller', 'These headers are passed to the caller:', [...passed, ...passedPrefixes]],
])('every header that %s is named in docs/fidelity.md', (_what, firstWords, listed) => {
  expect(differences(firstWords, listed).join('\n')).toBe('');
});

it('a header that only the code or only the page has is reported with the place to add it', () => {
  const without = refused.filter((name) => name !== 'x-goog-pageid');
  expect(differences('Headers of another identity:', [...without, 'x-goog-moon'])).toEqual([
    expect.stringMatching(/^x-goog-moon is not on the page: add it to docs\/fidelity\.md/),
    expect.stringMatching(/^x-goog-pageid is in no list: .*headers\.rules\.ts/),
  ]);
});
