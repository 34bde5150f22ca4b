import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * HTTP as documents show it, in a block with the language `http` and a name:
 *
 *     POST /path  (Header: value, Another: value)  {"a": "body"}
 *     → 201 {"data": {"id": "wh_…", …}}
 *
 * Lines that begin with neither a method nor an arrow continue what is above them; `#` begins a comment. In an answer `…`
 * within a string is any text, and as the last member of an object or a list it is whatever else may follow.
 */
export interface ShownRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly answer: ShownAnswer | undefined;
}

export interface ShownAnswer {
  readonly status: number;
  readonly body: string;
}

const ROOT = join(import.meta.dirname, '../..');
const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE) /;
const REQUEST = /^(?<method>[A-Z]+)\s+(?<path>\S+)(?:\s+\((?<headers>[^)]*)\))?\s*(?<body>\{[\s\S]*)?$/;
const ANSWER = /^→\s*(?<status>\d{3})\s*(?<body>[\s\S]*)$/;

/** Text of a named block. @throws Error when the document has none of that name */
export function namedBlock(document: string, info: string): string {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const found = [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].find(([, known]) => known === info)?.[2];
  if (found === undefined) throw new Error(`${document} has no block "${info}"`);
  return found;
}

/** Names of the `http` blocks of a document. */
export function httpBlockNames(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```http (\S+)$/gm)].map(([, name = '']) => name);
}

/** Requests of a block, in order. @throws Error for a line that is none of the forms */
export function parseHttpBlock(text: string): ShownRequest[] {
  const parts: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || line.trim() === '') continue;
    if (METHOD.test(line) || line.startsWith('→')) parts.push(line);
    else parts.push(`${parts.pop() ?? ''}\n${line}`);
  }
  const requests: ShownRequest[] = [];
  for (const part of parts) {
    const answer = ANSWER.exec(part)?.groups;
    const last = requests.at(-1);
    if (answer !== undefined && last !== undefined) {
      requests[requests.length - 1] = { ...last, answer: { status: Number(answer.status), body: answer.body ?? '' } };
      continue;
    }
    const { method, path, headers = '', body } = REQUEST.exec(part)?.groups ?? {};
    if (method === undefined || path === undefined) throw new Error(`Neither a request nor an answer: ${part}`);
    requests.push({ method, path, headers: parseHeaders(headers), body, answer: undefined });
  }
  return requests;
}

function parseHeaders(text: string): Record<string, string> {
  const lines = text.split(/, (?=[A-Z][\w-]*: )/).filter((line) => line !== '');
  return Object.fromEntries(lines.map((line) => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)]));
}

const ANYTHING_ELSE = '…';

/** A shown JSON value, with `…` as a member where more may follow. */
export function parseShown(text: string): unknown {
  const json = text.replace(/,\s*…(?=\s*[}\]])/g, (_, at: number) => {
    const bracket = /[}\]]/.exec(text.slice(at))?.[0];
    return bracket === '}' ? `,"${ANYTHING_ELSE}":true` : `,"${ANYTHING_ELSE}"`;
  });
  return JSON.parse(json);
}

/** The differences between a value and a document's, a sentence each; values for placeholders such as `wh_…` are added to `seen`. */
export function differences(shown: unknown, actual: unknown, seen: Map<string, string>, at = '$'): string[] {
  if (typeof shown === 'string' && shown.includes('…')) {
    const pattern = shown.split('…').map(escaped).join('[\\s\\S]+');
    if (typeof actual !== 'string' || !new RegExp(`^${pattern}$`).test(actual)) return [mismatch(shown, actual, at)];
    if (shown !== '…') seen.set(shown, actual);
    return [];
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [mismatch(shown, actual, at)];
    const isOpen = shown.at(-1) === ANYTHING_ELSE;
    const members = isOpen ? shown.slice(0, -1) : shown;
    if (isOpen ? actual.length < members.length : actual.length !== members.length)
      return [mismatch(shown, actual, at)];
    return members.flatMap((member, index) => differences(member, actual[index], seen, `${at}[${index}]`));
  }
  if (isObject(shown)) {
    if (!isObject(actual)) return [mismatch(shown, actual, at)];
    const { [ANYTHING_ELSE]: isOpen, ...members } = shown;
    const further = isOpen === true ? [] : Object.keys(actual).filter((name) => !Object.hasOwn(members, name));
    return [
      ...further.map((name) => `${at}.${name} is not shown`),
      ...Object.entries(members).flatMap(([name, member]) => differences(member, actual[name], seen, `${at}.${name}`)),
    ];
  }
  return Object.is(shown, actual) ? [] : [mismatch(shown, actual, at)];
}

function mismatch(shown: unknown, actual: unknown, at: string): string {
  return `${at} is ${JSON.stringify(actual)}, the document shows ${JSON.stringify(shown)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
