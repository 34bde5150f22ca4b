import type { Command } from 'commander';
import { wholeNumber } from '../options.ts';
import type { RestoreOptions } from '../restore/run-restore.ts';
import { useLocalTable } from '../table/local-table.ts';

const HELP = `
Point-in-time recovery restores into a new table. This command copies what is missing or damaged back into the gateway's table:
connections, their feeds with positions and kept batches, webhooks, integrations, events, usage and what else docs/operations.md lists.
Each connection is restored without an access token and is refreshed before use. What is newer in the table is kept, and what
was deleted stays deleted. Run the command again to continue.
With --into, AWS credentials and AWS_REGION come from the environment; docs/operations.md lists the permissions. Without it, the
table is that of the gateway of npm start; gateway backup creates a copy to practise with.

Exit codes: 0 done, 1 refused, 2 wrong usage, 5 something was not restored: run it again.`;

/** `restore`: connections of a backup, back into the table of a gateway, with AWS rights to both. */
export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('copies what is missing from a restored backup back into the table of a gateway')
    .requiredOption('--from <table>', 'the table that the backup was restored to')
    .option('--into <table>', "the gateway's own table (default: that of the gateway of npm start)")
    .option('--key <arn>', "the KMS key of the gateway; needed where its table has other data keys than the backup's")
    .option('--from-key <arn>', "the KMS key of the backup, where it is another stack's")
    .option('--account <id>', 'only this account')
    .option('--integration <id>', 'only this integration and what belongs to it')
    .option('--connection <id>', 'only the connections of this id and what belongs to them')
    .option('--overwrite', 'also restore connections that were refreshed, reconnected or ended since the backup')
    .option('--include-deleted', 'also restore what was deleted since the backup')
    .option('--include-keys', 'also restore missing secret keys, including keys that were revoked since the backup')
    .option(
      '--spread <seconds>',
      'spread the refreshes of restored connections over this many seconds',
      wholeNumber,
      300,
    )
    .option('--dry-run', 'only show what would be done')
    .addHelpText('after', HELP)
    .action(async (_options: unknown, command: Command) => {
      const { runRestore } = await import('../restore/run-restore.ts');
      const options = command.optsWithGlobals<RestoreOptions & { readonly data: string }>();
      if (options.into !== undefined) return runRestore(options);
      const { tableName, tokenKeyArn } = useLocalTable(options.data, 'name its table with --into');
      return runRestore({ ...options, into: tableName, key: options.key ?? tokenKeyArn });
    });
}
