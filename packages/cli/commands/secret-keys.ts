import { type Command, Option } from 'commander';
import { FIRST_ACCOUNT_ID } from '../../../lambdas/gateway/core/contract.ts';
import { KEY_RIGHTS } from '../../../lambdas/gateway/keys/credentials.rules.ts';
import { commaList } from '../options.ts';
import { useLocalTable } from '../table/local-table.ts';
import type { SecretKeyOptions } from '../table/make-secret-key.ts';

const HELP = `
The API also creates keys: gateway keys create. Use this command for rights that no key can grant, such as the first key that may
read credentials if there is no dashboard, and for an account whose keys are lost. AWS credentials and AWS_REGION come from
the environment: dynamodb:GetItem, Query, BatchGetItem, PutItem on the table, kms:Decrypt on its key through DynamoDB.`;

/** `secret-keys create`: creates a secret key directly in the table, for callers with AWS rights to it. */
export function addSecretKeys(program: Command): void {
  program
    .command('secret-keys')
    .description('creates secret keys, with AWS permissions on the table')
    .addHelpText('after', HELP)
    .command('create <name>')
    .description('creates a key; writes it to standard output, only this once')
    .option('--table <name>', "the gateway's table (default: that of the gateway of npm start)")
    .option('--account <id>', 'the account', FIRST_ACCOUNT_ID)
    .addOption(new Option('--right <right>', 'what it may do').choices(KEY_RIGHTS).default('proxy'))
    .option('--integrations <list>', 'only these integrations', commaList)
    .option('--can-read-credentials', 'may read tokens through the API')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { makeSecretKey } = await import('../table/make-secret-key.ts');
      const options = command.optsWithGlobals<SecretKeyOptions & { readonly data: string }>();
      const table = options.table ?? useLocalTable(options.data, 'name its table with --table').tableName;
      await makeSecretKey(name, { ...options, table });
    });
}
