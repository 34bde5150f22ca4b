import { describe, expect, it } from 'vitest';
import {
  findingsIn,
  lowered,
  overBudget,
  SENTENCE_WORDS,
  textsOfComments,
  textsOfMarkdown,
  textsOfTitles,
} from '../../../dev/tools/words.ts';

const listed = (text: string) => findingsIn(text).map(({ instead }) => instead);

describe('the check of words', () => {
  it.each([
    ['The event is told beside the calls.', 2],
    ['It goes on in place\nof the other.', 2],
    ['Whoever mends it is told anew.', 4],
    ['It takes a fiftieth of what is left, four fifths at most.', 1],
    ['A fifth attempt waits; two hundred do not.', 0],
    ['The caller retries, and the event continues.', 0],
  ])('counts the listed words of %j', (text, count) => {
    expect(listed(text)).toHaveLength(count);
  });

  it('counts sentences over 40 words, and no two short ones as one', () => {
    const words = (count: number) => `${Array.from({ length: count }, () => 'word').join(' ')}.`;
    expect(listed(words(SENTENCE_WORDS))).toEqual([]);
    expect(listed(`${words(30)} ${words(30)}`)).toEqual([]);
    expect(findingsIn(words(SENTENCE_WORDS + 1))).toMatchObject([{ kind: 'sentences' }]);
  });

  it('reads each paragraph, list item and table cell of a page, without code and addresses', () => {
    const page =
      '# Title\n\nText of [a page](told.md) with `told`\nin two lines.\n- one\n- two\n\n```\ntold\n```\n| a | b |\n|---|---|\n';
    const texts = textsOfMarkdown(page).map((text) => text.trim());
    expect(texts).toEqual(
      expect.arrayContaining(['# Title', 'Text of [a page] with code\nin two lines.', '- one', '- two', 'a', 'b']),
    );
    expect(texts.join(' ')).not.toContain('told');
  });

  it('reads comments of every form and no code', () => {
    const source =
      "/** A doc comment.\n *\n * @param x what it is */\nconst told = 'https://told';\n// one\n// two\nrun(told); // behind\n";
    const texts = textsOfComments(source).map((text) => text.trim());
    expect(texts).toEqual(['A doc comment.', '@param x what it is', 'one\ntwo', 'behind']);
  });

  it('reads the titles of tests', () => {
    expect(textsOfTitles("test.each([1])('is `told` %s', () => {});")).toEqual(['is code %s']);
  });

  it('has a budget that only falls', () => {
    const budget = { documents: { words: 10, sentences: 2 } };
    expect(overBudget({ documents: { words: 10, sentences: 2 } }, budget)).toEqual([]);
    expect(overBudget({ documents: { words: 11, sentences: 2 } }, budget)).toEqual([
      'documents: 11 listed words, the budget is 10',
    ]);
    expect(lowered({ documents: { words: 7, sentences: 5 } }, budget)).toEqual({
      documents: { words: 7, sentences: 2 },
    });
  });
});
