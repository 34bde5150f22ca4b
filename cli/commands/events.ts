import type { Command } from 'commander';
import { type CommandContext, openContext } from '../command-context.ts';
import { followFile } from '../events/follow-file.ts';
import { pollTimelines } from '../events/poll-timelines.ts';
import type { ShownEvent } from '../events/shown-event.ts';
import { wholeNumber } from '../options.ts';
import { printLine, shortTime } from '../output.ts';
import { CommandProblem } from '../problems.ts';

interface EventOptions {
  readonly follow?: boolean;
  readonly interval: number;
}

/** `events [integration connection]`: what happened, and with --follow what happens. */
export function addEvents(program: Command): void {
  program
    .command('events')
    .argument('[integration]', 'only for one connection: its integration')
    .argument('[connection]', 'and its id')
    .description('timelines of connections, oldest first; the local gateway also shows the account’s events')
    .option('-f, --follow', 'keep printing new events')
    .option('--interval <seconds>', 'how often to query a deployed gateway', wholeNumber, 10)
    .action(
      async (
        integration: string | undefined,
        connection: string | undefined,
        options: EventOptions,
        command: Command,
      ) => {
        if (integration !== undefined && connection === undefined) {
          throw new CommandProblem('Give both arguments or none: events <integration> <connection>');
        }
        const context = await openContext(command);
        const only = integration === undefined || connection === undefined ? undefined : { integration, connection };
        for await (const event of source(context, only, options)) show(event, context.json);
      },
    );
}

type Only = { readonly integration: string; readonly connection: string } | undefined;

function source({ address, gateway }: CommandContext, only: Only, options: EventOptions): AsyncIterable<ShownEvent> {
  const follow = options.follow === true;
  if (address.localFolder !== undefined && only === undefined) return followFile(address.localFolder, follow);
  return pollTimelines(gateway, only, follow ? options.interval * 1000 : undefined);
}

function show(event: ShownEvent, json: boolean): void {
  if (json) {
    printLine(JSON.stringify(event));
    return;
  }
  const about = [event.integration, event.connection].filter((part) => part !== '').join(' / ');
  const cause = event.cause === undefined ? '' : `  (${event.isGuess === true ? 'probably ' : ''}${event.cause})`;
  printLine(`${shortTime(event.time)}  ${event.type.padEnd(34)} ${about}${cause}`);
}
