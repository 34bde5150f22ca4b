import { Argument, type Command } from 'commander';
import type { GlobalOptions } from '../command-context.ts';
import { dashboardOfLocal, findGateway } from '../gateway-address.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { printJson, printLine } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';

type Page = 'dashboard' | 'docs';

interface OpenOptions extends GlobalOptions {
  readonly stack?: string;
  readonly region?: string;
  readonly browser: boolean;
}

/** `open [dashboard|docs]`: a page of the gateway in the browser. */
export function addOpen(program: Command): void {
  program
    .command('open')
    .addArgument(new Argument('[page]', 'the page').choices(['dashboard', 'docs']).default('dashboard'))
    .description('opens the dashboard or the API reference in the browser, and prints its address')
    .option('--stack <name>', 'the dashboard of this stack, from its outputs, with your AWS credentials')
    .option('--region <region>', 'its region (default: that of your AWS profile)')
    .option('--no-browser', 'only print the address')
    .action(async (page: Page, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<OpenOptions>();
      const address = await addressOf(page, options);
      if (options.json === true) printJson({ address });
      else printLine(address);
      if (options.browser) openInBrowser(address);
    });
}

/** @throws CommandProblem for a gateway whose dashboard is not known */
async function addressOf(page: Page, options: OpenOptions): Promise<string> {
  if (options.stack !== undefined) {
    const { readStack } = await import('../verify/account-checks.ts');
    const { outputs } = await readStack(options.stack, options.region).catch((error: unknown) => {
      throw new CommandProblem(error instanceof Error ? error.message : String(error), EXIT.refused);
    });
    const address = page === 'docs' ? `${outputs.BaseUrl ?? ''}/docs` : outputs.DashboardUrl;
    if (address === undefined) throw new CommandProblem(`The stack ${options.stack} has no dashboard.`, EXIT.refused);
    return address;
  }
  const { baseUrl, localFolder } = await findGateway(options, process.env);
  if (page === 'docs') return `${baseUrl}/docs`;
  if (localFolder === undefined) {
    throw new CommandProblem(
      'Name the stack of this gateway: its output DashboardUrl has the address. gateway open --stack <name>',
    );
  }
  const address = dashboardOfLocal(localFolder);
  if (address === undefined)
    throw new CommandProblem('The gateway of npm start runs without a dashboard.', EXIT.refused);
  return address;
}
