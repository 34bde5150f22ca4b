import type { Command } from 'commander';
import type { JournalledWrite, UndoRange, WritesOf, WritesOn } from '../../../client/src/index.ts';
import { mustConfirm } from '../../ask.ts';
import { openContext } from '../../command-context.ts';
import { given, NEXT_PAGE, PAST_TIME, pastTime, wholeNumber } from '../../options.ts';
import { note, noteNext, printAnswer, printJson, printTable } from '../../output.ts';
import { CommandProblem } from '../../problems.ts';

interface RangeOptions {
  readonly key?: string;
  readonly since?: string;
  readonly until?: string;
}

interface JournalOptions extends RangeOptions {
  readonly object?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

interface UndoOptions extends RangeOptions {
  readonly write?: string;
  readonly dryRun?: boolean;
}

const KEY = 'writes of this key on every connection, by its id or its first 12 characters';

/** `journal` and `undo`: what journalled keys wrote, and the way back. */
export function commands(program: Command): void {
  program
    .command('journal')
    .argument('[integration]', 'writes on one connection: its integration')
    .argument('[connection]', 'and its id')
    .description('what keys with a journal wrote in the last seven days, newest first')
    .option('--key <key>', KEY)
    .option(
      '--object <id>',
      'only writes on this file, event or other object; without --key or a connection, of every key',
    )
    .option('--since <time>', `from then on, ${PAST_TIME}`, pastTime)
    .option('--until <time>', 'before then', pastTime)
    .option('--limit <count>', 'at most this many, up to 200', wholeNumber)
    .option('--cursor <cursor>', NEXT_PAGE)
    .action(
      async (
        integration: string | undefined,
        connection: string | undefined,
        { key, object: objectId, ...filter }: JournalOptions,
        command: Command,
      ) => {
        const of: WritesOf | WritesOn =
          objectId !== undefined && key === undefined && integration === undefined
            ? { objectId }
            : writesOf(key, integration, connection);
        const context = await openContext(command);
        const page = await context.gateway.journal.list(of, given({ ...filter, objectId }));
        if (context.json) return printAnswer(context);
        printTable(
          [...HEAD, 'Outcome', 'Undo', 'Write'],
          page.rows.map((row) => [...cells(row), row.outcome, stateOf(row), row.id]),
          `Nothing was written through a journal in the last ${page.keptDays} days.`,
        );
        noteNext(page.nextCursor);
      },
    );

  program
    .command('undo')
    .argument('[integration]', 'undo on one connection what all keys with a journal wrote: its integration')
    .argument('[connection]', 'and its id')
    .description('undoes what a key with a journal wrote, newest first, unless somebody else has changed it since')
    .option('--key <key>', KEY)
    .option('--since <time>', `the first writes to undo, ${PAST_TIME}`, pastTime)
    .option('--write <id>', 'only this write, by its id in the journal')
    .option('--until <time>', 'only writes before then (default: now)', pastTime)
    .option('--dry-run', 'look and compare, and change nothing')
    .action(
      async (
        integration: string | undefined,
        connection: string | undefined,
        { key, dryRun = false, ...options }: UndoOptions,
        command: Command,
      ) => {
        const of = writesOf(key, integration, connection);
        const range = rangeOf(options);
        const { gateway, json, assumeYes } = await openContext(command);
        const what = 'writeId' in range ? `the write ${range.writeId}` : `all writes since ${range.since}`;
        if (!dryRun) {
          // A deployment without undo, or a wrong key, refuses this: before the question, not after it.
          await gateway.journal.list(of, { limit: 1 });
          await mustConfirm(`Undo ${what}? --dry-run shows what would change.`, assumeYes);
        }
        const { undone, conflicts, notUndoable } = await gateway.journal.undo(of, { ...range, dryRun });
        if (json) return printJson({ undone, conflicts, notUndoable });
        printTable(
          [...HEAD, 'What became of it'],
          [
            ...undone.map((one) => [...cells(one), dryRun ? 'would be undone' : 'undone']),
            ...conflicts.map((one) => [...cells(one), `left alone: ${conflictInWords(one.now)}`]),
            ...notUndoable.map((one) => [...cells(one), `cannot be undone: ${one.reason}`]),
          ],
          'There is nothing to undo.',
        );
        const counts = `${undone.length} ${dryRun ? 'would be undone' : 'undone'}, ${conflicts.length} left alone, ${notUndoable.length} cannot be undone`;
        note(`${counts}.`);
      },
    );
}

const HEAD = ['Time', 'Method', 'Connection', 'Object'];

function cells({ time, method, providerConfigKey, connectionId, object }: JournalledWrite): string[] {
  return [
    time.slice(0, 19).replace('T', ' '),
    method ?? 'unknown',
    `${providerConfigKey} / ${connectionId}`,
    object === undefined ? '' : object.ids.join(' / '),
  ];
}

function stateOf({
  undoneAt,
  notUndoable,
  undoes,
}: Readonly<Record<'undoneAt' | 'notUndoable' | 'undoes', string | undefined>>): string {
  if (undoes !== undefined) return `undid ${undoes}`;
  if (undoneAt !== undefined) return `undone ${undoneAt.slice(0, 19).replace('T', ' ')}`;
  return notUndoable ?? '';
}

function conflictInWords({
  exists,
  differs,
}: {
  readonly exists: boolean;
  readonly differs: readonly string[];
}): string {
  if (!exists) return 'somebody else has deleted it';
  return differs.length === 0 ? 'somebody else has changed it' : `somebody else has changed ${differs.join(', ')}`;
}

/** Since a time, or one write. */
function rangeOf({ since, until, write }: Omit<UndoOptions, 'key' | 'dryRun'>): UndoRange {
  if (write !== undefined && since === undefined && until === undefined) return { writeId: write };
  if (write === undefined && since !== undefined) return { since, ...given({ until }) };
  throw new CommandProblem('Say which writes: --since <time>, or --write <id>.');
}

/** One key, or one connection. */
function writesOf(key: string | undefined, integration: string | undefined, connection: string | undefined): WritesOf {
  if (key !== undefined && integration === undefined) return { keyId: key };
  if (key === undefined && integration !== undefined && connection !== undefined) {
    return { providerConfigKey: integration, connectionId: connection };
  }
  throw new CommandProblem('Say whose writes: --key <key>, or an integration and a connection.');
}
