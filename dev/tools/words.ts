/** What the check of words counts: listed words, and sentences over 40 words, in Markdown, comments and test titles. */
import { readTitles } from './test-titles.ts';

/** Words that this project avoids in English text, with what to write instead. */
const LISTED: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\bbesides?\b/gi, 'alongside, in the background, also'],
  [/\banew\b/gi, 'again'],
  [/\bwho(?:ever|m)\b/gi, 'the caller, the person, you'],
  [/\b(?:un)?told\b|\btells\b/gi, 'returned, reported, shown'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix'],
  [/\bfares?\b/gi, 'its health'],
  [/\bin place of\b/gi, 'instead of'],
  [/\b(?:go|goes|going|went) on\b/gi, 'continue'],
  [/\b(?:park(?:s|ed|ing)?|bury|buries|buried)\b/gi, 'hold, record'],
  [/\bspent\b/gi, 'used'],
  // Fractions; “a fifth attempt” is an ordinal.
  [
    /\b(?:an?|each|one|two|three|four|nine) (?:fifth|tenth|twentieth|fiftieth|hundredth|thousandth)s?(?= (?:of|more|less|that)\b|[.,;:)]|$)/gi,
    '20 %, 2 %',
  ],
];

/** Words of the longest sentence that is not counted. */
export const SENTENCE_WORDS = 40;

/** One thing to rewrite. */
export interface Finding {
  readonly kind: 'words' | 'sentences';
  readonly text: string;
  readonly instead: string;
}

/** Listed words and long sentences of a text without markup of code. */
export function findingsIn(given: string): Finding[] {
  const text = given.replace(/\s+/g, ' ').trim();
  const words = LISTED.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map((found) => ({
      kind: 'words' as const,
      text: around(text, found.index, found[0].length),
      instead,
    })),
  );
  const long = text
    .split(/(?<=[.!?:]["”’)*]*)\s+/)
    .filter((sentence) => sentence.split(/\s+/).length > SENTENCE_WORDS)
    .map((sentence) => ({
      kind: 'sentences' as const,
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

/** Comments of a source file, each as one text; lines of comments that follow each other are one. */
export function textsOfComments(source: string): string[] {
  const blocks = [...source.matchAll(/^\s*\/\*[\s\S]*?\*\//gm)].map(([block]) =>
    block.replace(/\*\/$/, '').replace(/^\s*\/?\*+/gm, ''),
  );
  const lines = [...source.matchAll(/(?:^[ \t]*\/\/ .*\n)+/gm)].map(([some]) => some.replace(/^[ \t]*\/\/ /gm, ''));
  const behind = [...source.matchAll(/^[ \t]*[^\s/*].*? \/\/ (.*)$/gm)].map(([, text = '']) => text);
  return [...blocks, ...lines, ...behind].flatMap((text) => text.split(/\n\s*\n|\n(?=\s*(?:@\w|- ))/)).map(withoutCode);
}

/** Titles of a test file. */
export function textsOfTitles(source: string): string[] {
  return readTitles(source).map(withoutCode);
}

/** How many findings of each kind a room may have. */
export type Budget = Readonly<Record<string, Readonly<Record<Finding['kind'], number>>>>;

/** What a count says against the budget: rooms that have more than they may. */
export function overBudget(counted: Budget, budget: Budget): string[] {
  return Object.entries(counted).flatMap(([room, kinds]) =>
    (['words', 'sentences'] as const)
      .filter((kind) => kinds[kind] > (budget[room]?.[kind] ?? 0))
      .map((kind) => `${room}: ${kinds[kind]} ${WHAT[kind]}, the budget is ${budget[room]?.[kind] ?? 0}`),
  );
}

const WHAT = { words: 'listed words', sentences: `sentences over ${SENTENCE_WORDS} words` };

/** The budget that a count leaves: of each room and kind the lower one. */
export function lowered(counted: Budget, budget: Budget): Budget {
  return Object.fromEntries(
    Object.entries(counted).map(([room, kinds]) => [
      room,
      {
        words: Math.min(kinds.words, budget[room]?.words ?? kinds.words),
        sentences: Math.min(kinds.sentences, budget[room]?.sentences ?? kinds.sentences),
      },
    ]),
  );
}
