/** `npm run secret-keys -- create <name>`: makes a secret key on the table itself, for whoever has AWS rights to it. */
import { Command, Option } from 'commander';
import { FIRST_ACCOUNT_ID } from '../lambdas/gateway/contract.ts';
import { GatewayError } from '../lambdas/gateway/core/errors.ts';
import { integrationStore } from '../lambdas/gateway/integrations/integration.store.ts';
import type { KeyRight } from '../lambdas/gateway/keys/credentials.rules.ts';
import { secretKeyStore } from '../lambdas/gateway/keys/secret-key.store.ts';
import { systemClock, systemRandom } from '../lambdas/gateway/platform/clock.ts';
import { openTable } from '../lambdas/gateway/platform/dynamodb/client.ts';
import { createSecretKey } from '../lambdas/management/keys/create-secret-key.ts';
import { mustConfirm } from './ask.ts';
import { commaList } from './options.ts';
import { note, printJson, printLine } from './output.ts';
import { CommandProblem, EXIT, endWithProblem } from './problems.ts';
import { explainAwsError } from './table/explain-aws-error.ts';

const HELP = `
The API makes keys too: npm run gateway -- keys create. This is for what no key may give, such as the first key that may read
credentials where there is no dashboard, and for an account whose keys are lost. AWS credentials and AWS_REGION come from
the environment: dynamodb:GetItem, Query, BatchGetItem, PutItem on the table, kms:Decrypt on its key through DynamoDB.`;

interface CreateOptions {
  readonly table: string;
  readonly account: string;
  readonly right: KeyRight;
  readonly integrations?: string[];
  readonly canReadCredentials?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

const program = new Command('secret-keys')
  .description('secret keys made with AWS rights to the table')
  .addHelpText('after', HELP)
  .showHelpAfterError('Add --help to see how it is used.')
  .exitOverride();

program
  .command('create <name>')
  .description('the key itself goes to standard output, this once')
  .requiredOption('--table <name>', "the gateway's table")
  .option('--account <id>', 'the account', FIRST_ACCOUNT_ID)
  .addOption(new Option('--right <right>', 'what it may do').choices(['proxy', 'read', 'full']).default('proxy'))
  .option('--integrations <list>', 'only these integrations', commaList)
  .option('--can-read-credentials', 'may read tokens through the API')
  .option('--json', 'print JSON')
  .option('--yes', 'do not ask')
  .action(create);

async function create(name: string, options: CreateOptions): Promise<void> {
  const { account: accountId, right, canReadCredentials = false } = options;
  const may = canReadCredentials ? `the right ${right} that may read tokens` : `the right ${right}`;
  await mustConfirm(`Make a secret key of ${accountId} with ${may}?`, options.yes === true);
  const table = openTable(options.table);
  const deps = {
    secretKeys: secretKeyStore(table),
    integrations: integrationStore(table),
    clock: systemClock,
    random: systemRandom,
  };
  try {
    const { secretKey, record } = await createSecretKey(deps, {
      accountId,
      name,
      right,
      integrationIds: options.integrations,
      canReadCredentials,
      requestId: 'secret-keys',
      actor: 'administrator',
      makerMayReadCredentials: true,
    });
    if (options.json === true) return printJson({ ...record, secretKey });
    note(`Key ${record.keyHash.slice(0, 12)} "${name}", right ${right}. It is shown this once:`);
    printLine(secretKey);
  } catch (error) {
    if (error instanceof GatewayError) throw new CommandProblem(error.message, EXIT.refused);
    throw explainAwsError(error);
  }
}

try {
  await program.parseAsync();
} catch (error) {
  endWithProblem(error);
}
