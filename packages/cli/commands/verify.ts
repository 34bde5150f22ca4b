import { type Command, Option } from 'commander';
import { FRONT_DOORS } from '../../../lambdas/gateway/core/contract.ts';
import { CommandProblem } from '../problems.ts';
import type { VerifyOptions } from '../verify/run-verify.ts';

const HELP_TAIL = `
Give one of --stack, --base-url or --local.

  gateway verify --stack IntegrationGateway             a deployed stack, with your AWS credentials; only reads
  gateway verify --stack IntegrationGateway --trial     the same, and deploys a second gateway with an echo service
                                                        instead of Google, checks forwarding and events end to end,
                                                        and removes both
  gateway verify --base-url https://…/v1                only checks from outside; the key is in GATEWAY_SECRET_KEY
  gateway verify --local                                the same checks on this computer, without AWS

Exit codes: 0 everything holds, 1 something does not, 2 wrong usage or the gateway cannot be found.`;

/** `verify`: checks a gateway from end to end, and prints each check's result with its meaning. */
export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('checks a deployed gateway from end to end (exit code 1 if something does not hold)')
    .option('--stack <name>', 'the stack to check')
    .option('--region <region>', 'its region (default: that of your AWS profile)')
    .option('--trial', 'also deploy a second gateway that needs no Google, check it, and remove it')
    .option('--account-only', 'with --stack: skip the checks that call the gateway itself')
    .option(
      '--secret-key <key>',
      'with --base-url: its secret key; other users of this computer can read arguments, so prefer GATEWAY_SECRET_KEY',
    )
    .option('--echo', 'with --base-url: the gateway’s Google is the echo, so check forwarding too')
    .option('--local', 'start a gateway on this computer and check it')
    .addOption(
      new Option('--front-door <door>', 'with --local: where its proxied calls come in').choices([...FRONT_DOORS]),
    )
    .option('--report <file>', 'also write the whole result as Markdown, without keys, host names and account numbers')
    .addHelpText('after', HELP_TAIL)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<VerifyOptions>();
      const places = [options.stack, options.baseUrl, options.local].filter((one) => one !== undefined);
      if (places.length !== 1) throw new CommandProblem('Give one of --stack, --base-url or --local.');
      if (options.stack === undefined && (options.trial ?? options.accountOnly) === true) {
        throw new CommandProblem('--trial and --account-only need --stack.');
      }
      if (options.baseUrl !== undefined && !URL.canParse(options.baseUrl)) {
        throw new CommandProblem(`--base-url: ${options.baseUrl} is not a complete address, such as https://…/v1.`);
      }
      if (options.proxyUrl !== undefined && !URL.canParse(options.proxyUrl)) {
        throw new CommandProblem(
          `--proxy-url: ${options.proxyUrl} is not a complete address, such as https://….on.aws.`,
        );
      }
      if (options.frontDoor !== undefined && options.local !== true) {
        throw new CommandProblem('--front-door needs --local; a deployed gateway says by itself which doors it has.');
      }
      const { runVerify } = await import('../verify/run-verify.ts');
      try {
        await runVerify(options);
      } catch (error) {
        throw new CommandProblem(error instanceof Error ? error.message : String(error));
      }
    });
}
