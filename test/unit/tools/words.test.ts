import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALLOWED_IN_NAMES,
  findingsIn,
  LISTED_EVERYWHERE,
  namesFoundIn,
  SENTENCE_WORDS,
  textsOfComments,
  textsOfMarkdown,
  textsOfPython,
  textsOfStrings,
  textsOfTitles,
} from '../../../dev/tools/words.ts';

/** Every text that the patterns for names match, without the one word that names may have. */
const WORDS_NOT_IN_NAMES = LISTED_EVERYWHERE.flatMap(([{ source }]) => {
  const wholeWord = new RegExp(`^(?:${source.replaceAll('\\b', '')})$`);
  return [...new Set(fc.sample(fc.stringMatching(wholeWord), { numRuns: 50, seed: 1 }))];
}).filter((word) => word !== ALLOWED_IN_NAMES);

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const listed = (text: string) => findingsIn(text).map(({ instead }) => instead);

describe('the check of words', () => {
  it.each([
    ['The event is told beside the calls.', 2],
    ['It goes on in place\nof the other.', 2],
    ['Whoever mends it is told anew.', 4],
    ['The feed hears of it all the same.', 2],
    ['It takes a fiftieth of what is left, four fifths at most.', 1],
    ['A fifth attempt waits; two hundred do not.', 0],
    ['The caller retries, and the event continues.', 0],
  ])('counts the listed words of %j', (text, count) => {
    expect(listed(text)).toHaveLength(count);
  });

  it('finds each listed word as a name and as a part of names, but not in strings, comments and longer words', () => {
    expect(WORDS_NOT_IN_NAMES.length).toBeGreaterThan(5);
    for (const word of WORDS_NOT_IN_NAMES) {
      const name = `is${capitalized(word)}`;
      const constant = word.toUpperCase();
      const code = `const ${name} = read(${word}, ${constant}); ${name}Value++; /* ${word} */ log("${word}"); ${word}ing();`;
      expect(namesFoundIn(code).map(({ text }) => text)).toEqual([name, word, constant, `${name}Value`]);
    }
  });

  it('finds no listed word in names that only contain its letters', () => {
    expect(namesFoundIn('const renewal = besieged; toldAt;')).toEqual([]);
  });

  it('allows one listed word in names, at their beginning and at their end', () => {
    expect(namesFoundIn(`${ALLOWED_IN_NAMES}At; is${capitalized(ALLOWED_IN_NAMES)};`)).toEqual([]);
  });

  it('counts sentences over 40 words, and no two short ones as one', () => {
    const words = (count: number) => `${Array.from({ length: count }, () => 'word').join(' ')}.`;
    expect(listed(words(SENTENCE_WORDS))).toEqual([]);
    expect(listed(`${words(30)} ${words(30)}`)).toEqual([]);
    expect(findingsIn(words(SENTENCE_WORDS + 1))).toMatchObject([
      { instead: `${SENTENCE_WORDS + 1} words; at most ${SENTENCE_WORDS}` },
    ]);
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

  it('reads tables of comments by cells, and no diagrams', () => {
    const source = '/**\n * It writes:\n *\n * | a | b |\n *   one ----> told\n */\n';
    expect(textsOfComments(source).map((text) => text.trim())).toEqual(['It writes:', 'a', 'b']);
  });

  it('counts a list of names in code as one word', () => {
    const names = Array.from({ length: SENTENCE_WORDS }, () => '`Accept-Ranges`').join(', ');
    expect(findingsIn(textsOfMarkdown(`These headers are passed: ${names} and \`ETag\`.`).join(''))).toEqual([]);
  });

  it('reads messages of at least four words, without comments, patterns, styles and markup', () => {
    const source = [
      "// it's a comment",
      "const pattern = /it's/;",
      `fail(\`The key \${name.trim()} has expired.\`, 'told');`,
      "const style = ':root{color:red;told by the sheet}';",
      "const page = '<p>Open the link again.</p>';",
      'const text = <p title="Name of the key">The link works {once} for a day and a night.</p>;',
    ].join('\n');
    expect(textsOfStrings(source).map((text) => text.trim())).toEqual([
      'The key code has expired.',
      'Open the link again.',
      'Name of the key',
      'for a day and a night.',
    ]);
  });

  it('reads docstrings, comments and strings of Python', () => {
    const source = '"""A module.\n\nMore of it."""\n# one\n# two\nraise Error("No key.")\n';
    expect(textsOfPython(source).map((text) => text.trim())).toEqual([
      'A module.',
      'More of it.',
      'No key.',
      'one\ntwo',
    ]);
  });

  it('reads the titles of tests', () => {
    expect(textsOfTitles("test.each([1])('is `told` %s', () => {});")).toEqual(['is code %s']);
  });
});
