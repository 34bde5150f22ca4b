import { type Command, InvalidArgumentError, Option } from 'commander';
import { CLIENT_SECRETS, FRONT_DOORS } from '../../../lambdas/gateway/core/contract.ts';
import type { BillAsked } from '../costs/bill.ts';
import { note, printJson, printTable } from '../output.ts';

const HELP = `
List prices of us-east-1, November 2026, without free tiers and volume discounts of transfer. No bill has confirmed them yet.
docs/costs.md has the same prices by part, with what is assumed of a call (10 KB, 300 ms) and of a connection.

  gateway costs --users 10000 --calls 1000000
  gateway costs --users 10000 --calls 1000000 --used-daily 10`;

interface Options {
  readonly users: number;
  readonly calls: number;
  readonly usedDaily: number;
  readonly uploadGb: number;
  readonly integrations: number;
  readonly clientSecrets: BillAsked['clientSecrets'];
  readonly frontDoor: BillAsked['door'];
  readonly monitoring: boolean;
}

/** `costs`: the AWS bill of a month, by line. */
export function addCosts(program: Command): void {
  program
    .command('costs')
    .description('estimates the AWS bill of a month')
    .requiredOption('--users <number>', 'connections', atLeastZero)
    .requiredOption('--calls <number>', 'proxied calls a month', atLeastZero)
    .option('--used-daily <percent>', 'share of the connections that are used every day', percent, 100)
    .option('--upload-gb <number>', 'gigabytes that calls upload in a month', atLeastZero, 0)
    .option('--integrations <number>', 'integrations', atLeastZero, 1)
    .addOption(
      new Option('--client-secrets <place>', 'where client secrets of integrations are kept')
        .choices(CLIENT_SECRETS)
        .default('secrets-manager'),
    )
    .addOption(
      new Option('--front-door <door>', 'where proxied calls come in').choices(FRONT_DOORS).default('rest-api'),
    )
    .option('--no-monitoring', 'without the alarms of gateway:monitoring')
    .addHelpText('after', HELP)
    .action(async (options: Options, command: Command) => {
      // Loaded here: no other command needs the prices.
      const [{ monthlyBill }, { total }] = await Promise.all([
        import('../costs/bill.ts'),
        import('../costs/cost-model.ts'),
      ]);
      const { users, calls, usedDaily, uploadGb, integrations, clientSecrets, frontDoor, monitoring } = options;
      const bill = monthlyBill({
        ...{ users, calls, integrations, clientSecrets, monitoring },
        shareInUse: usedDaily / 100,
        uploadedGb: uploadGb,
        door: frontDoor,
      });
      if (command.optsWithGlobals().json === true) {
        const lines = Object.entries(bill).map(([line, amount]) => ({ line, dollars: cents(amount) }));
        printJson({ currency: 'USD', lines, total: cents(total(bill)) });
        return;
      }
      const rows = [...Object.entries(bill), ['Sum', total(bill)] as const];
      printTable(
        ['Line', 'Dollars a month'],
        rows.map(([line, amount]) => [line, amount.toFixed(2)]),
        '',
      );
      note('Estimated from list prices of us-east-1, November 2026, without free tiers.');
    });
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

function atLeastZero(value: string): number {
  const number = Number(value.replaceAll('_', ''));
  if (value.trim() === '' || !Number.isInteger(number) || number < 0) {
    throw new InvalidArgumentError('Give a whole number of at least 0.');
  }
  return number;
}

function percent(value: string): number {
  const number = Number(value.replace(/%$/, ''));
  if (value.trim() === '' || !(number >= 0 && number <= 100))
    throw new InvalidArgumentError('Give a number from 0 to 100.');
  return number;
}
