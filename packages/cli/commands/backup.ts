import type { Command } from 'commander';

const HELP = `
On AWS, the table has point-in-time recovery, which creates a new table from any moment of the last 35 days. The local gateway has
none; this makes such a table of the present moment, so that restore can be practised:

  npm run gateway -- backup morning
  npm run restore -- --from morning --dry-run`;

/** `backup`: a copy of the local gateway's table, to practise restoring with. */
export function addBackup(program: Command): void {
  program
    .command('backup <table>')
    .description('copies the table of the local gateway, to practise restoring')
    .addHelpText('after', HELP)
    .action(async (table: string, _options: unknown, command: Command) => {
      const { copyLocalTable } = await import('../table/copy-local-table.ts');
      await copyLocalTable(table, command.optsWithGlobals());
    });
}
