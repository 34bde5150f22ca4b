import type { Command } from 'commander';
import { FIRST_ACCOUNT_ID, KEY_PURPOSES } from '../../../lambdas/gateway/core/contract.ts';
import type { DataKeysOptions, PurposeOptions, RewriteOptions } from '../data-keys/run-data-keys.ts';
import { wholeNumber } from '../options.ts';
import { CommandProblem } from '../problems.ts';
import { useLocalTable } from '../table/local-table.ts';

const HELP = `
The gateway replaces data keys every week. Use these commands when you cannot wait, for example after a leak. No command reads a
token, and only for-rollback sees keys in plain text. AWS credentials and AWS_REGION come from the environment; docs/operations.md lists the
permissions and the order of the commands.

Exit codes: 0 done, 1 refused, 2 wrong usage, 5 values are still under older keys: run it again.`;

/** Values of `--purpose`. */
const PURPOSES = `what the key encrypts: ${KEY_PURPOSES.join(', ')}`;

/** Options with the table and key of the local gateway where none is named. @throws CommandProblem */
function optionsOf<Options extends DataKeysOptions>(command: Command): Options {
  const options = command.optsWithGlobals<Options & { readonly data: string; readonly key?: string }>();
  if (options.table === undefined) {
    const { tableName, tokenKeyArn } = useLocalTable(options.data, 'name its table with --table');
    return { ...options, table: tableName, key: options.key ?? tokenKeyArn };
  }
  if (['rotate', 'for-rollback'].includes(command.name()) && options.key === undefined) {
    throw new CommandProblem('The KMS key that encrypts data keys is missing. Name it with --key.');
  }
  return options;
}

/** `data-keys status|rotate|rewrite|for-rollback|retire`: the keys that encrypt an account's values, with AWS rights to the table. */
export function addDataKeys(program: Command): void {
  const group = program
    .command('data-keys')
    .description('data keys of an account: status, rotate, rewrite, for-rollback, retire')
    .option('--table <name>', "the gateway's table (default: that of the gateway of npm start)")
    .option('--account <id>', 'the account', FIRST_ACCOUNT_ID)
    .addHelpText('after', HELP);

  group
    .command('status')
    .description('every data key, and how many items it encrypts')
    .action(async (_options: unknown, command: Command) => {
      const { onTable, status } = await import('../data-keys/run-data-keys.ts');
      await onTable(optionsOf<DataKeysOptions>(command), status);
    });

  group
    .command('rotate')
    .description('creates a new key and encrypts with it from now on; running functions follow within 15 minutes')
    .option('--key <arn>', 'the KMS key of the gateway, which wraps data keys; needed with --table')
    .option('--purpose <purpose>', PURPOSES, 'tokens')
    .action(async (_options: unknown, command: Command) => {
      const { onTable, rotate } = await import('../data-keys/run-data-keys.ts');
      await onTable(optionsOf<PurposeOptions & { readonly key: string }>(command), rotate);
    });

  group
    .command('rewrite')
    .description('refreshes every live connection under an older key, which encrypts it with the current one')
    .option('--wait <seconds>', 'how long to wait until none is left', wholeNumber, 600)
    .option('--spread <seconds>', 'spread the refreshes over this many seconds', wholeNumber, 60)
    .option('--every <seconds>', 'how often to check; each check reads the whole table', wholeNumber, 30)
    .action(async (_options: unknown, command: Command) => {
      const { onTable, rewrite } = await import('../data-keys/run-data-keys.ts');
      await onTable(optionsOf<RewriteOptions>(command), rewrite);
    });

  group
    .command('for-rollback')
    .description('after a rollback to 0.2.0: seals secrets of webhooks and places of feeds so that it can read them')
    .option('--key <arn>', 'the KMS key of the gateway, which wraps data keys; needed with --table')
    .action(async (_options: unknown, command: Command) => {
      const { forRollback, onTable } = await import('../data-keys/run-data-keys.ts');
      await onTable(optionsOf<DataKeysOptions & { readonly key: string }>(command), forRollback);
    });

  group
    .command('retire')
    .description('deletes a key that no longer encrypts anything; backups that need it can then no longer be read')
    .argument('<number>', 'the number that status shows', wholeNumber)
    .option('--purpose <purpose>', PURPOSES, 'tokens')
    .action(async (keyNumber: number, _options: unknown, command: Command) => {
      const { onTable, retire } = await import('../data-keys/run-data-keys.ts');
      await onTable({ ...optionsOf<PurposeOptions>(command), keyNumber }, retire);
    });
}
