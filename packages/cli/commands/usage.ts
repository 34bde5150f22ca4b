import { type Command, Option } from 'commander';
import type { ConnectionCounts } from '../../client/src/index.ts';
import { openContext } from '../command-context.ts';
import { given } from '../options.ts';
import { printAnswer, printTable } from '../output.ts';

interface UsageOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by: 'integration' | 'connection' | 'key';
  readonly changes?: true;
  readonly integration?: string;
  readonly connection?: string;
}

function showChanges(counts: ConnectionCounts): void {
  printTable(
    ['Day', 'Of', 'Made', 'Deleted', 'Died', 'Mended', 'Renewed', 'Refused', 'Client refused', 'Failed'],
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

/** `usage`: proxied calls by day. */
export function addUsage(program: Command): void {
  program
    .command('usage')
    .description('proxied calls by day (UTC)')
    .option('--from <day>', 'first day, such as 2026-03-01 (default: 14 days ago)')
    .option('--to <day>', 'last day (default: today)')
    .addOption(
      new Option('--by <what>', 'whose calls').choices(['integration', 'connection', 'key']).default('integration'),
    )
    .option('--integration <integration>', 'only this integration; required with --by connection')
    .option('--connection <connection>', 'only this one')
    .option('--changes', 'instead of calls: connections created, deleted, dead and reconnected, and refreshes')
    .action(async ({ integration, connection, changes, ...plain }: UsageOptions, command: Command) => {
      const context = await openContext(command);
      const { gateway, json } = context;
      if (changes === true) {
        const { by: _, ...days } = plain;
        const counts = await gateway.connectionCounts(given({ ...days, providerConfigKey: integration }));
        return json ? printAnswer(context) : showChanges(counts);
      }
      const usage = await gateway.usage(given({ ...plain, providerConfigKey: integration, connectionId: connection }));
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
