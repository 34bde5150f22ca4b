import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { ConnectionRef } from '../client/src/index.ts';
import type { CommandContext } from './command-context.ts';
import { CommandProblem } from './problems.ts';

/** A cell; a toned one is coloured on a terminal. */
export type Cell = string | number | boolean | undefined | Toned;

interface Toned {
  readonly text: string;
  readonly tone: Tone;
}

type Tone = 'green' | 'yellow' | 'red';

/** Words that states begin with, and the colour of each; other states have none. */
const TONES: Readonly<Record<string, Tone>> = {
  ...Object.fromEntries(
    ['active', 'current', 'enabled', 'live', 'ok', 'watching', 'works', 'yes'].map((one) => [one, 'green']),
  ),
  ...Object.fromEntries(['ends_soon', 'failing', 'paused', 'polling', 'waiting'].map((one) => [one, 'yellow'])),
  ...Object.fromEntries(
    ['NOT', 'client_refused', 'dead', 'disabled', 'failed', 'no', 'refused_by_provider', 'revoked'].map((one) => [
      one,
      'red',
    ]),
  ),
};

/** A state such as `dead: user_revoked` as a cell: its first word decides the colour. */
export function stateCell(text: string): Cell {
  const tone = TONES[/^\w+/.exec(text)?.[0] ?? ''];
  return tone === undefined ? text : { text, tone };
}

/** Columns that `--columns` names, in its order; undefined shows all. */
let shownColumns: readonly string[] | undefined;

/** Sets the columns that tables show. */
export function showColumns(names: readonly string[] | undefined): void {
  shownColumns = names;
}

/** Prints one JSON document. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Prints the API's unchanged answer to the last request. */
export async function printAnswer({ lastAnswer }: CommandContext): Promise<void> {
  printJson(await lastAnswer());
}

/** A connection's ids with the names that they have in the API. */
export function refAsAnswered({ providerConfigKey, connectionId }: ConnectionRef): object {
  return { provider_config_key: providerConfigKey, connection_id: connectionId };
}

/** Prints a line. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** A note alongside the output: standard output stays clean for pipes. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Says alongside a page of a list how to get the next one. */
export function noteNext(cursor: string | undefined): void {
  if (cursor !== undefined) note(`There are more. For the next page add: --cursor ${cursor}`);
}

const WITHOUT_LINES_BETWEEN_ROWS = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

/**
 * Prints a table, for other programs as lines with tabs between their cells, or a sentence where it would be empty.
 *
 * @throws CommandProblem for a column of `--columns` that the table does not have
 */
export function printTable(
  allHeads: readonly string[],
  allRows: readonly (readonly Cell[])[],
  whenEmpty: string,
): void {
  const columns = columnsOf(allHeads);
  const [head = [], ...rows] = [allHeads, ...allRows].map((row) => columns.map((at) => row[at]));
  if (!process.stdout.isTTY) {
    for (const row of [head, ...rows]) printLine(row.map(cellText).join('\t'));
    if (rows.length === 0) note(whenEmpty);
    return;
  }
  if (rows.length === 0) {
    printLine(whenEmpty);
    return;
  }
  const table = new Table({
    head: head.map((cell) => coloured('bold', cellText(cell))),
    chars: WITHOUT_LINES_BETWEEN_ROWS,
    style: { head: [], border: [] },
  });
  table.push(...rows.map((row) => row.map(colouredCell)));
  printLine(table.toString());
}

/** Places of the columns to show. */
function columnsOf(head: readonly string[]): number[] {
  if (shownColumns === undefined) return head.map((_, at) => at);
  const names = head.map(columnName);
  return shownColumns.map((wanted) => {
    const at = names.indexOf(columnName(wanted));
    if (at >= 0) return at;
    throw new CommandProblem(`There is no column ${wanted}. Columns of this table: ${names.join(', ')}.`);
  });
}

/** A head as `--columns` takes it. */
function columnName(head: string): string {
  return head.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
}

/** Prints one line of a stream: cells in columns of at least so many characters, for other programs with tabs between them. */
export function printRow(cells: readonly Cell[], widths: readonly number[]): void {
  const isForPeople = process.stdout.isTTY;
  const texts = cells.map((cell, at) => cellText(cell).padEnd(isForPeople ? (widths[at] ?? 0) : 0));
  printLine(isForPeople ? texts.join('  ').trimEnd() : texts.join('\t'));
}

/**
 * Prints names and values, one below the other, for other programs with tabs between them. Fields without a value are left out. Fields
 * of several values have all of them, on a terminal one below the other.
 */
export function printFields(fields: Readonly<Record<string, Cell | readonly string[]>>): void {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  for (const [name, value] of shown) {
    const cells = isList(value) ? value : [value];
    if (!process.stdout.isTTY) {
      printLine([name, ...cells.map((cell) => cellText(cell) || '-')].join('\t'));
      continue;
    }
    const text = cells.map(colouredCell).join(`\n${' '.repeat(width + 2)}`);
    printLine(`${coloured('bold', name.padEnd(width))}  ${text === '' ? '-' : text}`);
  }
}

function isList(value: Cell | readonly string[]): value is readonly string[] {
  return Array.isArray(value);
}

/** A time as ISO 8601 to the minute, in UTC; options take it as it is shown. */
export function shortTime(iso: string | undefined): string {
  return iso === undefined ? '-' : `${iso.slice(0, 16)}Z`;
}

/** A time as ISO 8601 to the second, in UTC. */
export function exactTime(iso: string): string {
  return `${iso.slice(0, 19)}Z`;
}

function colouredCell(value: Cell): string {
  return typeof value === 'object' ? coloured(value.tone, cellText(value)) : cellText(value);
}

/** Text in a style where the terminal has colours; NO_COLOR and FORCE_COLOR decide first. */
function coloured(style: Tone | 'bold', text: string): string {
  const hasColors = process.stdout.hasColors?.() === true;
  return hasColors ? styleText(style, text, { validateStream: false }) : text;
}

function cellText(value: Cell): string {
  if (typeof value === 'object') return plain(value.text);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === undefined ? '-' : plain(String(value));
}

/** Names come from other people: what would move a terminal's cursor is shown as a dot. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '·');
}
