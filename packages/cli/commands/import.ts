import type { Command } from 'commander';
import { Progress } from '../bulk/progress.ts';
import { stopOnInterrupt } from '../bulk/stop-on-interrupt.ts';
import { openContext } from '../command-context.ts';
import { type BadLine, importConnections, readLines } from '../move/import-connections.ts';
import { wholeNumber } from '../options.ts';
import { note, printFields, printJson } from '../output.ts';
import { EXIT } from '../problems.ts';

interface ImportOptions {
  readonly dryRun?: boolean;
  readonly concurrency: number;
}

const HELP = `
A line is what export writes, or a connection as Nango's API returns it with its refresh token:
  {"provider_config_key": "google-drive", "connection_id": "user-17", "credentials": {"refresh_token": "1//..."}}
or, for a service account's user, {"provider_config_key": "drive-domain", "subject": "user@example.com"};
and, where known, consented_at, end_user {id, email, display_name, tags}, organization {id, display_name}, tags, metadata.
The integration must exist here, with the OAuth client for which the tokens were issued. All lines are checked first; bad ones
are reported and the others imported. Existing connections are not changed, so a run can be repeated. Exit code 5: run it
again, some lines failed for now. Exit code 1: nothing else is left but bad and refused lines, which fail again.`;

/** `import FILE`: connections from JSON lines. */
export function addImport(program: Command): void {
  program
    .command('import <file>')
    .description('creates connections from a file of JSON lines (- reads standard input)')
    .option('--dry-run', 'only check the lines')
    .option('--concurrency <number>', 'connections at a time', wholeNumber, 4)
    .addHelpText('after', HELP)
    .action(async (path: string, options: ImportOptions, command: Command) => {
      const { gateway, json } = await openContext(command);
      const integrations = new Set((await gateway.integrations.list()).map(({ uniqueKey }) => uniqueKey));
      const { good, bad } = await readLines(path, integrations);
      if (bad.length > 0) process.exitCode = EXIT.refused;
      if (!json) print(bad);
      if (options.dryRun === true) {
        if (json) return printJson({ good: good.length, bad });
        return printFields({ 'Good lines': good.length, 'Bad lines': bad.length });
      }
      const interrupt = stopOnInterrupt();
      try {
        const progress = new Progress('importing');
        const shared = { atATime: options.concurrency, progress, stop: interrupt.signal };
        const report = await importConnections(gateway, good, shared);
        if (report.refused.length > 0) process.exitCode = EXIT.refused;
        if (report.stopped || report.postponed.length > 0) process.exitCode = EXIT.unfinished;
        if (json) return printJson({ ...report, bad });
        print(report.refused);
        print(report.postponed);
        printFields({
          Imported: report.imported,
          'Already present': report.existing,
          'Bad lines': bad.length,
          'Refused by the gateway': report.refused.length,
          'Failed for now': report.postponed.length,
        });
        if (report.postponed.length > 0) note('Run the same command again: some lines failed for now.');
        if (report.stopped) note('Stopped before the end: run the same command again to continue.');
      } finally {
        interrupt.done();
      }
    });
}

function print(lines: readonly BadLine[]): void {
  for (const { number, problems } of lines) note(`Line ${number}: ${problems.join('; ')}`);
}
