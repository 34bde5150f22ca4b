import { type Command, Option } from 'commander';
import type { ConnectionCounts } from '../../client/src/index.ts';
import { openContext } from '../command-context.ts';
import { given, PAST_TIME, pastTime } from '../options.ts';
import { printAnswer, printTable } from '../output.ts';

interface UsageOptions {
  readonly since?: string;
  readonly until?: string;
  /** Older names of the two. */
  readonly from?: string;
  readonly to?: string;
  readonly by: 'integration' | 'connection' | 'key';
  readonly changes?: true;
  readonly integration?: string;
  readonly connection?: string;
}

function showChanges(counts: ConnectionCounts): void {
  printTable(
    ['Day', 'Of', 'Made', 'Deleted', 'Died', 'Reconnected', 'Renewed', 'Refused', 'Client refused', 'Failed'],
    [...counts.rows, { ...counts.total, day: 'Total', providerConfigKey: '' }].map((row) => [
      row.day,
      row.providerConfigKey,
      row.created,
      row.deleted,
      row.died,
      row.mended,
      row.refreshes.renewed,
      row.refreshes.refused,
      row.refreshes.clientRefused,
      row.refreshes.failed,
    ]),
    `Nothing from ${counts.from} to ${counts.to}.`,
  );
}

function pastDay(value: string): string {
  return pastTime(value).slice(0, 10);
}

/** `usage`: proxied calls by day. */
export function addUsage(program: Command): void {
  program
    .command('usage')
    .description('proxied calls by day (UTC)')
    .option('--since <day>', `first day, ${PAST_TIME} (default: 14 days ago)`, pastDay)
    .option('--until <day>', 'last day (default: today)', pastDay)
    .addOption(new Option('--from <day>').argParser(pastDay).hideHelp())
    .addOption(new Option('--to <day>').argParser(pastDay).hideHelp())
    .addOption(
      new Option('--by <what>', 'whose calls').choices(['integration', 'connection', 'key']).default('integration'),
    )
    .option('--integration <integration>', 'only this integration; required with --by connection')
    .option('--connection <connection>', 'only this one')
    .option('--changes', 'instead of calls: connections created, deleted, dead and reconnected, and refreshes')
    .action(async ({ integration, connection, changes, by, ...range }: UsageOptions, command: Command) => {
      const days = given({ from: range.since ?? range.from, to: range.until ?? range.to });
      const context = await openContext(command);
      const { gateway, json } = context;
      if (changes === true) {
        const counts = await gateway.connectionCounts(given({ ...days, providerConfigKey: integration }));
        return json ? printAnswer(context) : showChanges(counts);
      }
      const usage = await gateway.usage(
        given({ ...days, by, providerConfigKey: integration, connectionId: connection }),
      );
      if (json) return printAnswer(context);
      printTable(
        [
          'Day',
          'Of',
          'Calls',
          'Good',
          'Provider 4xx',
          'Provider 5xx',
          '429',
          'Gateway',
          'Broken',
          'Mean ms',
          'Bytes out',
          'Units',
        ],
        usage.rows.map((row) => [
          row.day,
          row.connectionId ?? row.keyId ?? row.providerConfigKey,
          row.calls,
          row.ok,
          row.providerRefused,
          row.providerFailed,
          row.rateLimited,
          row.gatewayRefused,
          row.brokenOff,
          row.meanMs,
          row.bytesOut,
          row.units,
        ]),
        `No call from ${usage.from} to ${usage.to}.`,
      );
    });
}
