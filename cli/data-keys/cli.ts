/** `npm run data-keys -- <command>`: the keys that encrypt an account's tokens, rotated and retired by hand. */
import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { FIRST_ACCOUNT_ID } from '../../lambdas/gateway/contract.ts';
import { openTable, type Table } from '../../lambdas/gateway/platform/dynamodb/client.ts';
import { mustConfirm } from '../ask.ts';
import { Progress } from '../bulk/progress.ts';
import { stopOnInterrupt } from '../bulk/stop-on-interrupt.ts';
import { wholeNumber } from '../options.ts';
import { note, printJson, printLine, printTable, shortTime } from '../output.ts';
import { CommandProblem, EXIT, endWithProblem } from '../problems.ts';
import { explainAwsError } from '../table/explain-aws-error.ts';
import { type AccountKeys, type KeyUsage, readCurrentKey, readUsage } from './read-usage.ts';
import { retireDataKey } from './retire.ts';
import { makeRewritesDue } from './rewrite.ts';
import { rotateDataKey } from './rotate.ts';

const HELP = `
Keys are replaced every week by themselves; this is for when one must not wait, such as after a leak. No command reads a
token, and none sees a key in clear. AWS credentials and AWS_REGION come from the environment; docs/operations.md lists the
permissions and the order of the commands.

Exit codes: 0 done, 1 refused, 2 wrong usage, 5 values are still under older keys: run it again.`;

interface Common {
  readonly table: string;
  readonly account: string;
  readonly json?: boolean;
  readonly yes?: boolean;
}

const program = new Command('data-keys')
  .description('the data keys of an account: what is under each, rotate, rewrite, retire')
  .requiredOption('--table <name>', "the gateway's table")
  .option('--account <id>', 'the account', FIRST_ACCOUNT_ID)
  .option('--json', 'print JSON')
  .option('--yes', 'do not ask')
  .addHelpText('after', HELP)
  .showHelpAfterError('Add --help to see how it is used.')
  .exitOverride();

program
  .command('status')
  .description('every key, and how many items are under it')
  .action(guarded(async (options, table) => show(await readUsage(table, options.account, Date.now()), options)));

program
  .command('rotate')
  .description('make a new key and write with it from now on; running functions follow within 15 minutes')
  .requiredOption('--key <arn>', 'the KMS key of the gateway, which wraps data keys')
  .action(
    guarded<{ readonly key: string }>(async (options, table) => {
      const { account: accountId } = options;
      const nowMs = Date.now();
      const { current, keys } = await readUsage(table, accountId, nowMs);
      await mustConfirm(`Replace the data key of ${accountId}?`, options.yes === true);
      const known = new Set(keys.filter((one) => one.createdAt !== undefined).map((one) => one.keyNumber));
      const made = await rotateDataKey(table, { accountId, current, known, tokenKeyArn: options.key, nowMs });
      if (options.json === true) return printJson({ replaced: current, by: made });
      printLine(`Key ${made} takes the place of ${current ?? 'the one of last week'}. Next, in 15 minutes: rewrite`);
    }),
  );

program
  .command('rewrite')
  .description('have every live connection under an older key refreshed, which encrypts it anew')
  .option('--wait <seconds>', 'how long to wait until none is left', wholeNumber, 600)
  .option('--spread <seconds>', 'spread the refreshes over so many seconds', wholeNumber, 60)
  .option('--every <seconds>', 'how often to look, which reads the whole table', wholeNumber, 30)
  .action(guarded<{ readonly wait: number; readonly spread: number; readonly every: number }>(rewrite));

program
  .command('retire')
  .description('remove a key that nothing is under; backups that need it cannot be read then')
  .argument('<number>', 'the number that status shows', wholeNumber)
  .action(async (keyNumber: number, _options: unknown, command: Command) => {
    await guarded(async (options, table) => {
      const { account: accountId } = options;
      const nowMs = Date.now();
      const usage = await readUsage(table, accountId, nowMs);
      await mustConfirm(`Remove data key ${keyNumber} of ${accountId} for good?`, options.yes === true);
      await retireDataKey(table, usage, { accountId, keyNumber, nowMs });
      printLine(`Data key ${keyNumber} is gone.`);
    })({}, command);
  });

async function rewrite(
  options: Common & { readonly wait: number; readonly spread: number; readonly every: number },
  table: Table,
): Promise<void> {
  const { account: accountId, spread: spreadSec } = options;
  const interrupt = stopOnInterrupt();
  const progress = new Progress('rewriting');
  const untilMs = Date.now() + options.wait * 1000;
  try {
    for (;;) {
      const current = await readCurrentKey(table, accountId, Date.now());
      if (current === undefined)
        throw new CommandProblem('This week has no key yet: the next refresh makes it.', EXIT.refused);
      const { waiting, madeDue } = await makeRewritesDue(table, {
        accountId,
        current,
        spreadSec,
        stop: interrupt.signal,
      });
      progress.update({ 'live connections under older keys': waiting, 'made due now': madeDue });
      if (waiting === 0 || interrupt.signal.aborted || Date.now() + options.every * 1000 > untilMs) {
        if (waiting > 0) process.exitCode = EXIT.unfinished;
        break;
      }
      await delay(options.every * 1000, undefined, { signal: interrupt.signal }).catch(() => {});
    }
    show(await readUsage(table, accountId, Date.now()), options);
  } finally {
    interrupt.done();
  }
}

function show({ current, keys }: AccountKeys, { json, account }: Common): void {
  if (json === true) {
    printJson({ account, current, keys });
    return;
  }
  const rows = keys.map((one) => {
    const { keyNumber, createdAt, live, dead, passing } = one;
    return [keyNumber, stateOf(one, current), shortTime(createdAt), live, dead, passing];
  });
  printTable(
    ['Key', 'State', 'Made', 'Live', 'To authorize again', 'Passing'],
    rows,
    `${account} has no data key yet.`,
  );
  if (keys.some((one) => one.createdAt === undefined))
    note('MISSING: values name a key that has no row and cannot be read.');
}

function stateOf({ keyNumber, createdAt, replacedBy }: KeyUsage, current: number | undefined): string {
  if (keyNumber === current) return 'current';
  if (createdAt === undefined) return 'MISSING';
  return replacedBy === undefined ? 'older' : 'replaced';
}

/** An action with the table opened, AWS errors in words. */
function guarded<More>(action: (options: Common & More, table: Table) => Promise<void>) {
  return async (_options: unknown, command: Command): Promise<void> => {
    const options = command.optsWithGlobals<Common & More>();
    try {
      await action(options, openTable(options.table));
    } catch (error) {
      throw explainAwsError(error);
    }
  };
}

try {
  await program.parseAsync();
} catch (error) {
  endWithProblem(error);
}
