import type { Command } from 'commander';
import { FIRST_ACCOUNT_ID } from '../../../lambdas/gateway/core/contract.ts';
import { type CommandContext, openContext } from '../command-context.ts';
import { followFile } from '../events/follow-file.ts';
import { pollTimelines } from '../events/poll-timelines.ts';
import type { EventPathOptions } from '../events/run-rebind.ts';
import { remarkOf, type ShownEvent } from '../events/shown-event.ts';
import { PAST_TIME, pastTime, wholeNumber } from '../options.ts';
import { printLine, printRow, shortTime } from '../output.ts';
import { CommandProblem } from '../problems.ts';
import { useLocalTable } from '../table/local-table.ts';

interface EventOptions {
  readonly follow?: boolean;
  readonly interval: number;
}

const PATH_HELP = `
With --stack, AWS credentials come from the environment; docs/operations.md lists the permissions. Without it, the gateway is that of
npm start.

Exit codes: 0 done, 1 refused, 2 wrong usage, 5 not everything is done yet: run it again.`;

/**
 * `events [integration connection]`: what happened, and with --follow what happens. `events rebind`, `events replay`: the way of events
 * from the table to the bus, with AWS rights.
 */
export function addEvents(program: Command): void {
  const events = program
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

  events
    .command('rebind')
    .description(
      "after a restore: leads the table's present stream to the bus, and puts events there that were in no stream",
    )
    .option('--stack <name>', 'the stack (default: the gateway of npm start)')
    .option('--region <region>', 'its region (default: that of your AWS profile)')
    .option('--account <id>', 'whose events are put on the bus', FIRST_ACCOUNT_ID)
    .option(
      '--since <time>',
      `events since then, ${PAST_TIME} (default: the last hour of the table before it was lost)`,
      pastTime,
    )
    .option('--no-replay', 'only lead the stream to the bus')
    .addHelpText('after', PATH_HELP)
    .action(async (_options: unknown, command: Command) => {
      const { runRebind } = await import('../events/run-rebind.ts');
      await runRebind(await pathOptionsOf(command));
    });

  events
    .command('replay')
    .description('puts events of the table on the bus once more, under their own ids')
    .requiredOption('--since <time>', `events since then, ${PAST_TIME}`, pastTime)
    .option('--until <time>', 'and before then (default: now)', pastTime)
    .option('--stack <name>', 'the stack (default: the gateway of npm start)')
    .option('--region <region>', 'its region (default: that of your AWS profile)')
    .option('--account <id>', 'whose events', FIRST_ACCOUNT_ID)
    .addHelpText('after', PATH_HELP)
    .action(async (_options: unknown, command: Command) => {
      const { runReplay } = await import('../events/run-rebind.ts');
      await runReplay(await pathOptionsOf(command));
    });
}

/** Options with table and function of the stack, or of the local gateway where none is named. @throws CommandProblem */
async function pathOptionsOf(command: Command): Promise<EventPathOptions> {
  type Given = Omit<EventPathOptions, 'path'> & { readonly data: string; readonly stack?: string };
  const options = command.optsWithGlobals<Given>();
  if (options.stack === undefined) {
    const { tableName, eventsFunctionName } = useLocalTable(options.data, 'name its stack with --stack');
    return { ...options, path: { tableName, functionName: eventsFunctionName } };
  }
  if (options.region !== undefined) process.env.AWS_REGION = options.region;
  const { eventPathOf } = await import('../events/trigger.ts');
  return { ...options, path: await eventPathOf(options.stack, options.region) };
}

type Only = { readonly integration: string; readonly connection: string } | undefined;

function source({ address, gateway }: CommandContext, only: Only, options: EventOptions): AsyncIterable<ShownEvent> {
  const follow = options.follow === true;
  if (address.localFolder !== undefined && only === undefined) return followFile(address.localFolder, follow);
  return pollTimelines(gateway, only, follow ? options.interval * 1000 : undefined);
}

/** An event with the names that it has in the API. */
function asAnswered({ eventId, time, type, integration, connection, cause, data }: ShownEvent): object {
  return {
    event_id: eventId,
    time,
    type,
    provider_config_key: integration || null,
    connection_id: connection || null,
    cause: cause ?? null,
    data,
  };
}

function show(event: ShownEvent, json: boolean): void {
  if (json) {
    printLine(JSON.stringify(asAnswered(event)));
    return;
  }
  const about = [event.integration, event.connection].filter((part) => part !== '').join(' / ');
  const remark = remarkOf(event);
  printRow([shortTime(event.time), event.type, about, remark === '' ? '' : `(${remark})`], [17, 34]);
}
