import type { Command } from 'commander';
import { Progress } from '../bulk/progress.ts';
import { stopOnInterrupt } from '../bulk/stop-on-interrupt.ts';
import { openContext } from '../command-context.ts';
import { exportConnections } from '../move/export-connections.ts';
import { openLineWriter } from '../move/line-file.ts';
import { commaList, wholeNumber } from '../options.ts';
import { note, printFields, printJson, refAsAnswered } from '../output.ts';
import { EXIT } from '../problems.ts';
import { readSelection, type SelectionOptions } from '../revoke/selection.ts';

interface ExportOptions extends SelectionOptions {
  readonly to: string;
  readonly resume?: boolean;
  readonly concurrency: number;
}

const HELP = `
Needs a secret key that may read credentials; an operator creates it in the dashboard. A line is the body of
POST /connections. Connections that need a new authorization are left out: they have no grant to export. Of a service account's connections a line has the user and no token.`;

/** `export --all --to FILE`: connections with their refresh tokens, as JSON lines. */
export function addExport(program: Command): void {
  program
    .command('export')
    .description('writes connections with their refresh tokens to a file, one JSON object per line')
    .requiredOption('--to <file>', 'a new file that only you can read')
    .option('--integration <list>', 'the connections of these integrations', commaList)
    .option('--all', 'every connection of the account')
    .option('--resume', 'continue a file that an earlier run did not finish')
    .option('--concurrency <number>', 'connections at a time', wholeNumber, 4)
    .addHelpText('after', HELP)
    .action(async (options: ExportOptions, command: Command) => {
      const { gateway, json } = await openContext(command);
      const selection = await readSelection(gateway, options);
      const file = openLineWriter(options.to, options.resume === true);
      const interrupt = stopOnInterrupt();
      const progress = new Progress('exporting');
      note(
        `${options.to} will contain refresh tokens in plain text: anyone who can read it can access the users' files. Delete it after use.`,
      );
      try {
        const shared = { atATime: options.concurrency, progress, stop: interrupt.signal };
        const report = await exportConnections(gateway, selection, file, shared);
        if (report.stopped || report.failed.length > 0) process.exitCode = EXIT.unfinished;
        if (json) {
          const failed = report.failed.map(({ ref, message }) => ({ ...refAsAnswered(ref), message }));
          return printJson({ ...report, failed });
        }
        printFields({
          Written: report.written,
          'Already in the file': report.already === 0 ? undefined : report.already,
          'Skipped, grant dead': report.dead === 0 ? undefined : report.dead,
          Failed: report.failed.length === 0 ? undefined : report.failed.length,
        });
        for (const { ref, message } of report.failed.slice(0, 20)) {
          note(`${ref.providerConfigKey} / ${ref.connectionId}: ${message}`);
        }
        if (report.stopped || report.failed.length > 0) note('Run it again with --resume to continue.');
      } finally {
        interrupt.done();
        file.close();
      }
    });
}
