import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { SecurityEventProject, SecurityEventSetup } from '../../../client/src/index.ts';
import { mustConfirm } from '../../ask.ts';
import { GATEWAY } from '../../called-as.ts';
import { type CommandContext, openContext } from '../../command-context.ts';
import { findSimulator } from '../../gateway-address.ts';
import { wholeNumber } from '../../options.ts';
import { note, printAnswer, printFields, printJson, printLine, printTable, shortTime } from '../../output.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { type GoogleStream, googleStream, RISC_URL } from './google-stream.ts';
import { readServiceAccount } from './service-account.ts';

interface KeyOptions {
  readonly keyFile: string;
  readonly wait: number;
}

const RECEIVER_PATH = '/inbox/google/security-events';
const KEY_FILE =
  'JSON key of a service account of the Cloud project with the role RISC Configuration Admin (-: standard input)';
const WAIT_SEC = 60;
const POLL_MS = 1_000;
const HELP_TAIL = `
The key of the service account stays on this computer: the command signs with it and calls Google's RISC API itself. The gateway
never sees it.`;

/** `security-events status|register|verify|off`. */
export function commands(program: Command): void {
  const group = program
    .command('security-events')
    .description('Google’s statements about revoked tokens and disabled accounts, by Cloud project')
    .addHelpText('after', HELP_TAIL);

  group
    .command('status [project]')
    .description('which Cloud projects’ security events reach the gateway')
    .option('--key-file <file>', `also what is set at Google: ${KEY_FILE}`)
    .action(async (wanted: string | undefined, { keyFile }: Partial<KeyOptions>, command: Command) => {
      const context = await openContext(command);
      const setup = await context.gateway.securityEvents.list();
      if (keyFile !== undefined) return showBoth(context, setup, projectOf(setup, wanted), keyFile);
      if (context.json) return printAnswer(context);
      const rows = setup.projects
        .filter(({ cloudProject }) => wanted === undefined || cloudProject === wanted)
        .map((one) => [
          one.cloudProject,
          one.integrations.join(', '),
          one.state.replaceAll('_', ' '),
          shortTime(one.verifiedAt),
          shortTime(one.lastEventAt),
        ]);
      printTable(
        ['Cloud project', 'Integrations', 'State', 'Verified', 'Last event'],
        rows,
        'No integration has an OAuth client of Google yet.',
      );
      note(`Google is to deliver to ${setup.receiverUrl}`);
    });

  waiting(
    group
      .command('register [project]')
      .description('registers the gateway at Google as the receiver of a Cloud project, and waits for a verification'),
  ).action(async (wanted: string | undefined, { keyFile, wait }: KeyOptions, command: Command) => {
    const context = await openContext(command);
    const setup = await context.gateway.securityEvents.list();
    const { cloudProject } = projectOf(setup, wanted);
    const stream = await streamOf(context, setup, keyFile);
    const known = await stream.read();
    if (known !== undefined && known.url !== setup.receiverUrl) {
      const question = `Google delivers the security events of this project to ${known.url} today, and would stop. Register ${setup.receiverUrl} in its place?`;
      await mustConfirm(question, context.assumeYes);
    }
    // First here: a verification that came before would be refused.
    const state = await expectVerification(context, cloudProject);
    await stream.update({ url: setup.receiverUrl, eventTypes: setup.eventTypes });
    await stream.setStatus('enabled');
    await proveStream(context, stream, { cloudProject, state, wait });
  });

  waiting(
    group
      .command('verify [project]')
      .description('asks Google for a verification and waits for it: exit code 4 if none comes'),
  ).action(async (wanted: string | undefined, { keyFile, wait }: KeyOptions, command: Command) => {
    const context = await openContext(command);
    const setup = await context.gateway.securityEvents.list();
    const { cloudProject, state: known } = projectOf(setup, wanted);
    if (known === 'not_registered') {
      throw new CommandProblem(`${cloudProject} is not registered: ${GATEWAY} security-events register`);
    }
    const stream = await streamOf(context, setup, keyFile);
    const [{ url } = { url: undefined }, status] = await Promise.all([stream.read(), stream.status()]);
    if (url !== setup.receiverUrl || status !== 'enabled') {
      throw new CommandProblem(
        `${whatIsSet(url, status)} Register the gateway: ${GATEWAY} security-events register`,
        EXIT.notWorking,
      );
    }
    const state = await expectVerification(context, cloudProject);
    await proveStream(context, stream, { cloudProject, state, wait });
  });

  group
    .command('off <project>')
    .description('disables the stream at Google, and has the gateway refuse the security events of the project')
    .option('--key-file <file>', KEY_FILE)
    .option('--gateway-only', 'leave the stream at Google as it is: what it sends is refused')
    .action(
      async (
        cloudProject: string,
        { keyFile, gatewayOnly }: { readonly keyFile?: string; readonly gatewayOnly?: true },
        command: Command,
      ) => {
        const context = await openContext(command);
        if ((keyFile === undefined) === (gatewayOnly === undefined)) {
          throw new CommandProblem('Give --key-file to disable the stream at Google, or --gateway-only to leave it.');
        }
        const setup = await context.gateway.securityEvents.list();
        const question = `Stop taking the security events of ${cloudProject}? Causes of dead connections will be guesses again.`;
        await mustConfirm(question, context.assumeYes);
        const isOurs = keyFile !== undefined && (await disableOurs(context, setup, keyFile));
        await context.gateway.securityEvents.remove(cloudProject);
        if (context.json) return printJson({ cloud_project: cloudProject, stream_disabled: isOurs });
        printLine(`The gateway refuses the security events of ${cloudProject} from now on.`);
        if (isOurs) printLine('The stream at Google is disabled.');
      },
    );
}

function waiting(command: Command): Command {
  return command
    .requiredOption('--key-file <file>', KEY_FILE)
    .option('--wait <seconds>', 'how long to wait for the verification', wholeNumber, WAIT_SEC);
}

/** The project that is named, or the only one there is. @throws CommandProblem */
function projectOf({ projects }: SecurityEventSetup, wanted: string | undefined): SecurityEventProject {
  const found = projects.filter(({ cloudProject }) => wanted === undefined || cloudProject === wanted);
  const [project] = found;
  if (project !== undefined && found.length === 1) return project;
  const all = projects.map(({ cloudProject }) => cloudProject).join(', ');
  if (wanted !== undefined) {
    const which = all === '' ? 'There is none yet.' : `There are: ${all}.`;
    throw new CommandProblem(`No integration has an OAuth client of the Cloud project ${wanted}. ${which}`);
  }
  throw new CommandProblem(
    all === '' ? 'No integration has an OAuth client of Google yet.' : `Say which Cloud project is meant: ${all}.`,
  );
}

/** The stream at Google, or at the simulator that plays it. @throws CommandProblem where Google cannot deliver to the gateway */
async function streamOf(
  { dataFolder }: CommandContext,
  { receiverUrl }: SecurityEventSetup,
  keyFile: string,
): Promise<GoogleStream> {
  const simulator = findSimulator(dataFolder, receiverUrl.replace(RECEIVER_PATH, '/oauth/callback'));
  const account = await readServiceAccount(keyFile);
  if ('controlUrl' in simulator) return googleStream(account, new URL(simulator.controlUrl).origin);
  if (receiverUrl.startsWith('https://') && !/\.amazonaws\.com$/.test(new URL(receiverUrl).hostname)) {
    return googleStream(account, RISC_URL);
  }
  throw new CommandProblem(
    `Google does not deliver to ${receiverUrl}: it takes https addresses below an authorized domain of the Cloud project alone. Give the gateway a domain of your own (docs/deploy.md).`,
  );
}

/** Has the gateway expect a verification with a text of its own. @returns the text */
async function expectVerification({ gateway }: CommandContext, cloudProject: string): Promise<string> {
  const verification = randomUUID();
  await gateway.securityEvents.register(cloudProject, { verification });
  return verification;
}

/** Asks Google for the verification, and waits until the gateway has it. @throws CommandProblem where none comes */
async function proveStream(
  context: CommandContext,
  stream: GoogleStream,
  { cloudProject, state, wait }: { readonly cloudProject: string; readonly state: string; readonly wait: number },
): Promise<void> {
  const { gateway, json } = context;
  await stream.verify(state);
  if (!json) note('Google was asked for a verification; waiting for it…');
  const untilMs = Date.now() + wait * 1000;
  for (;;) {
    const setup = await gateway.securityEvents.list();
    const { state: reached } = projectOf(setup, cloudProject);
    if (reached === 'verified') {
      if (json) return printAnswer(context);
      return printLine(`Verified: the security events of ${cloudProject} reach the gateway.`);
    }
    if (Date.now() + POLL_MS > untilMs) {
      throw new CommandProblem(
        `Google took the request, but no verification has come within ${wait} s. Is the service account one of ${cloudProject}, and can Google reach ${setup.receiverUrl}? If it still comes, ${GATEWAY} security-events status shows it.`,
        EXIT.notWorking,
      );
    }
    await delay(POLL_MS);
  }
}

/** Disables the stream, unless Google delivers to another receiver. @returns whether it did */
async function disableOurs(context: CommandContext, setup: SecurityEventSetup, keyFile: string): Promise<boolean> {
  const stream = await streamOf(context, setup, keyFile);
  const known = await stream.read();
  if (known?.url === setup.receiverUrl) {
    await stream.setStatus('disabled');
    return true;
  }
  if (!context.json)
    note(
      known === undefined
        ? 'There is no stream at Google.'
        : `The stream at Google is left as it is: it delivers to ${known.url}.`,
    );
  return false;
}

/** The gateway's and Google's settings of a project, side by side. */
async function showBoth(
  context: CommandContext,
  setup: SecurityEventSetup,
  project: SecurityEventProject,
  keyFile: string,
): Promise<void> {
  const stream = await streamOf(context, setup, keyFile);
  const [known, status] = await Promise.all([stream.read(), stream.status()]);
  const isRight = known?.url === setup.receiverUrl && status === 'enabled';
  const missing = setup.eventTypes.filter((type) => known !== undefined && !known.eventTypes.includes(type));
  if (!isRight || missing.length > 0 || project.state !== 'verified') process.exitCode = EXIT.notWorking;
  if (context.json) {
    return printJson({
      cloud_project: project.cloudProject,
      state: project.state,
      verified_at: project.verifiedAt,
      last_event_at: project.lastEventAt,
      receiver_url: setup.receiverUrl,
      google: {
        receiver_url: known?.url,
        status: known === undefined ? undefined : status,
        missing_event_types: missing,
      },
    });
  }
  printFields({
    'Cloud project': project.cloudProject,
    Integrations: project.integrations,
    State: project.state.replaceAll('_', ' '),
    Verified: shortTime(project.verifiedAt),
    'Last event': shortTime(project.lastEventAt),
    'Receiver here': setup.receiverUrl,
    'Receiver at Google': known?.url ?? 'none',
    'Stream at Google': known === undefined ? 'none' : status,
    'Types not asked for': missing.length === 0 ? undefined : missing,
  });
}

function whatIsSet(url: string | undefined, status: string): string {
  if (url === undefined) return 'There is no stream of this project at Google.';
  return status === 'enabled'
    ? `Google delivers the security events of this project to ${url}.`
    : `The stream of this project at Google is ${status}.`;
}
