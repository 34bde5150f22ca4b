/** What the check of words finds: listed words, and sentences over 40 words, in Markdown, comments, messages and test titles. */
import { readTitles } from './test-titles.ts';

/** Words to avoid, with what to write instead. */
type Listed = readonly (readonly [words: RegExp, instead: string])[];

/** Words that this project avoids in English text and in names. */
export const LISTED_EVERYWHERE: Listed = [
  [/\bbesides?\b/gi, 'alongside, in the background, also'],
  [/\banew\b/gi, 'again'],
  [/\bwho(?:ever|m)\b/gi, 'the caller, the person, you'],
  [/\b(?:un)?told\b|\btells\b/gi, 'returned, reported, shown'],
];

/** The listed word that names may have: stored attributes have it in theirs. */
export const ALLOWED_IN_NAMES = 'told';

/** Words that it avoids in English text. */
const LISTED_IN_TEXT: Listed = [
  ...LISTED_EVERYWHERE,
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix'],
  [/\bfares?\b/gi, 'its health'],
  [/\bin place of\b/gi, 'instead of'],
  [/\b(?:go|goes|going|went) on\b/gi, 'continue'],
  [/\b(?:park(?:s|ed|ing)?|bury|buries|buried)\b/gi, 'hold, record'],
  [/\bspent\b/gi, 'used'],
  [/\bhears\b|\bhears? of\b/gi, 'receives, is notified of'],
  [/\ball the same\b/gi, 'nevertheless, still'],
  // Fractions; “a fifth attempt” is an ordinal.
  [
    /\b(?:an?|each|one|two|three|four|nine) (?:fifth|tenth|twentieth|fiftieth|hundredth|thousandth)s?(?= (?:of|more|less|that)\b|[.,;:)]|$)/gi,
    '20 %, 2 %',
  ],
];

/** Words of the longest sentence that is allowed. */
export const SENTENCE_WORDS = 40;

/** One thing to rewrite. */
export interface Finding {
  readonly text: string;
  readonly instead: string;
}

/** Listed words and long sentences of a text without markup of code. */
export function findingsIn(given: string): Finding[] {
  const text = given.replace(/\s+/g, ' ').trim();
  const words = LISTED_IN_TEXT.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map((found) => ({
      text: around(text, found.index, found[0].length),
      instead,
    })),
  );
  const long = text
    // A list of names in code is as easy to read as one name.
    .replace(/\bcode(?:, (?:and |or )?code)+/g, 'code')
    .split(/(?<=[.!?:]["”’)*]*)\s+/)
    .filter((sentence) => sentence.split(/\s+/).length > SENTENCE_WORDS)
    .map((sentence) => ({
      text: `${sentence.slice(0, 80)} …`,
      instead: `${sentence.split(/\s+/).length} words; at most ${SENTENCE_WORDS}`,
    }));
  return [...words, ...long];
}

function around(text: string, at: number, length: number): string {
  return text.slice(Math.max(0, at - 30), at + length + 30).trim();
}

/** Paragraphs, list items, table cells and headings of a Markdown page, without code and addresses of links. */
export function textsOfMarkdown(page: string): string[] {
  return page
    .replace(/^( *)```[\s\S]*?^\1```$/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.|#|\|) ?)/)
    .flatMap((block) => (block.trimStart().startsWith('|') ? block.split(/(?<!\\)\|/) : [block]))
    .map(withoutCode)
    .filter((text) => text.trim() !== '');
}

function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, 'code').replace(/\]\([^)]*\)/g, ']');
}

/** Lines of a diagram. */
const DRAWN = /^.*(?:--+>|<--+).*$/gm;

/** Comments of a source file, each as one text; lines of comments that follow each other are one. */
export function textsOfComments(source: string): string[] {
  const blocks = [...source.matchAll(/^\s*\/\*[\s\S]*?\*\//gm)].map(([block]) =>
    block.replace(/\*\/$/, '').replace(/^\s*\/?\*+/gm, ''),
  );
  const lines = [...source.matchAll(/(?:^[ \t]*\/\/ .*\n)+/gm)].map(([some]) => some.replace(/^[ \t]*\/\/ /gm, ''));
  const behind = [...source.matchAll(/^[ \t]*[^\s/*].*? \/\/ (.*)$/gm)].map(([, text = '']) => text);
  return [...blocks, ...lines, ...behind]
    .map((text) => text.replace(DRAWN, ''))
    .flatMap((text) => text.split(/\n\s*\n|\n(?=\s*(?:@\w|- |\|))/))
    .flatMap((text) => (text.trimStart().startsWith('|') ? text.split('|') : [text]))
    .map(withoutCode)
    .filter((text) => text.trim() !== '');
}

/** Texts of a source file that people read: strings and text of JSX with at least four words. Styles and markup are left out. */
export function textsOfStrings(source: string): string[] {
  const strings = [...source.matchAll(STRING)].map(([, one, two, three]) => one ?? two ?? three ?? '');
  const jsx = [...source.replaceAll(STRING, '').matchAll(/(?<=[>}])[^<>{}`'";=()]+(?=[<{])/g)].map(([text]) => text);
  return [...strings, ...jsx]
    .filter((text) => !/[{;][\w-]+:/.test(text))
    .map((text) =>
      text
        .replaceAll('\\n', '\n')
        .replace(/\$\{[^}]*\}/g, 'code')
        .replace(/<[^>]*>/g, '\n\n'),
    )
    .flatMap(textsOfMarkdown)
    .flatMap((text) => text.split(/ \| |\n(?= {2})/))
    .filter((text) => text.trim().split(/\s+/).length >= 4);
}

/** Strings of a source file. Comments and regular expressions match first, so quotes in them open no string. */
const STRING =
  /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*|(?<=[(,=:[!&|?{};\s])\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;

/** Docstrings, comments and strings of a Python file. */
export function textsOfPython(source: string): string[] {
  const strings = [...source.matchAll(/"""([\s\S]*?)"""|"((?:[^"\\\n]|\\.)*)"/g)].map(
    ([, one, two]) => one ?? two ?? '',
  );
  const comments = [...source.matchAll(/(?:^[ \t]*# .*\n)+/gm)].map(([some]) => some.replace(/^[ \t]*# /gm, ''));
  return [...strings, ...comments].flatMap(textsOfMarkdown);
}

/** Names in code that have a listed word as a part. */
export function namesFoundIn(source: string): Finding[] {
  const names = new Set(source.replaceAll(STRING, '').match(/\w+/g));
  return [...names].filter(hasListedWord).map((text) => ({ text, instead: 'another name' }));
}

function hasListedWord(name: string): boolean {
  const words = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase();
  return LISTED_EVERYWHERE.some(([pattern]) => words.match(pattern)?.some((word) => word !== ALLOWED_IN_NAMES));
}

/** Titles of a test file. */
export function textsOfTitles(source: string): string[] {
  return readTitles(source).map(withoutCode);
}
