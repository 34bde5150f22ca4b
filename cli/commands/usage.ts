import { type Command, Option } from 'commander';
import { openContext } from '../command-context.ts';
import { given } from '../options.ts';
import { printJson, printTable } from '../output.ts';

interface UsageOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by: 'integration' | 'connection' | 'key';
  readonly integration?: string;
  readonly connection?: string;
}

/** `usage`: proxied calls by day. */
export function addUsage(program: Command): void {
  program
    .command('usage')
    .description('proxied calls by day (UTC)')
    .option('--from <day>', 'such as 2026-03-01; without it 14 days')
    .option('--to <day>', 'the last day; without it today')
    .addOption(
      new Option('--by <what>', 'whose calls').choices(['integration', 'connection', 'key']).default('integration'),
    )
    .option('--integration <integration>', 'of this one; with --by connection always')
    .option('--connection <connection>', 'only this one')
    .action(async ({ integration, connection, ...plain }: UsageOptions, command: Command) => {
      const { gateway, json } = await openContext(command);
      const usage = await gateway.usage(given({ ...plain, providerConfigKey: integration, connectionId: connection }));
      if (json) return printJson(usage);
      printTable(
        ['Day', 'Of', 'Calls', 'Good', 'Google 4xx', 'Google 5xx', '429', 'Gateway', 'Broken', 'Mean ms', 'Bytes out'],
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
        ]),
        `No call from ${usage.from} to ${usage.to}.`,
      );
    });
}
