import Table from 'cli-table3';
import type { ConnectionRef } from '../client/src/index.ts';
import type { CommandContext } from './command-context.ts';

type Cell = string | number | boolean | undefined;

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

/** Prints a table, for other programs as lines with tabs between their cells, or a sentence where it would be empty. */
export function printTable(head: readonly string[], rows: readonly (readonly Cell[])[], whenEmpty: string): void {
  if (!process.stdout.isTTY) {
    for (const row of [head, ...rows]) printLine(row.map(cellText).join('\t'));
    if (rows.length === 0) note(whenEmpty);
    return;
  }
  if (rows.length === 0) {
    printLine(whenEmpty);
    return;
  }
  const table = new Table({ head: [...head], chars: WITHOUT_LINES_BETWEEN_ROWS, style: { head: [], border: [] } });
  table.push(...rows.map((row) => row.map(cellText)));
  printLine(table.toString());
}

/** Prints names and values, one below the other; those without a value are left out. */
export function printFields(fields: Readonly<Record<string, Cell | readonly string[]>>): void {
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  for (const [name, value] of shown) {
    const text = typeof value === 'object' ? value.map(plain).join(`\n${' '.repeat(width + 2)}`) : cellText(value);
    printLine(`${name.padEnd(width)}  ${text === '' ? '-' : text}`);
  }
}

/** A time for a table: to the minute, UTC. */
export function shortTime(iso: string | undefined): string {
  return iso === undefined ? '-' : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
}

function cellText(value: Cell): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === undefined ? '-' : plain(String(value));
}

/** Names come from other people: what would move a terminal's cursor is shown as a dot. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '·');
}
