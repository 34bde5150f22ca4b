import { setTimeout as delay } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { ConnectSession, ConnectSessionState, GatewayClient } from '../../client/src/index.ts';
import { type CommandContext, openContext } from '../command-context.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { given, LANGUAGES, wholeNumber } from '../options.ts';
import { note, printAnswer, printFields, printLine, printRow } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';

const POLL_MS = 1000;

interface ConnectOptions {
  readonly endUser: string;
  readonly email?: string;
  readonly connection?: string;
  readonly language?: (typeof LANGUAGES)[number];
  readonly pick?: boolean;
  readonly multiple?: boolean;
  readonly mimeType?: string[];
  readonly file?: string[];
  readonly folders?: boolean;
  readonly open?: boolean;
  readonly wait: boolean;
  readonly timeout: number;
}

/** `connect [integration]`: creates a session, prints its link, waits for the result. */
export function addConnect(program: Command): void {
  program
    .command('connect [integration]')
    .description('lets an end user connect an account in a browser')
    .option('--end-user <id>', 'your name for the end user', 'command-line')
    .option('--email <address>', "the end user's address")
    .option('--connection <id>', 'renew this connection instead of creating a new one')
    .addOption(
      new Option('--language <language>', 'language of the pages (default: the language of the browser)').choices(
        LANGUAGES,
      ),
    )
    .option('--pick', 'let the user select files in Google Drive, for --connection or for a new connection')
    .option('--multiple', 'with --pick: allow several files')
    .option('--mime-type <types...>', 'with --pick: only files of these types')
    .option('--file <ids...>', 'with --pick: show only these files')
    .option('--folders', 'with --pick: allow folders too')
    .option('--open', 'open the link in the browser of this computer')
    .option('--no-wait', 'only print the link')
    .option('--timeout <seconds>', 'how long to wait', wholeNumber, 600)
    .action(async (integration: string | undefined, options: ConnectOptions, command: Command) => {
      const context = await openContext(command);
      const { gateway, json } = context;
      const session = await makeSession(gateway, integration, options);
      // With --json standard output has one document: the link where the command does not wait, else the result.
      if (!options.wait) return json ? printAnswer(context) : printLine(session.connectLink);
      if (json) note(session.connectLink);
      else printLine(session.connectLink);
      if (options.open === true) openInBrowser(session.connectLink);
      note('Waiting for the browser. Ctrl-C stops waiting; the link stays valid.');
      await show(await waitForResult(gateway, session, options.timeout), context);
    });
}

const PICK_OPTIONS = ['multiple', 'mimeType', 'file', 'folders'] as const;

function makeSession(
  gateway: GatewayClient,
  integration: string | undefined,
  options: ConnectOptions,
): Promise<ConnectSession> {
  const { endUser: id, email, connection } = options;
  const language = given({ language: options.language });
  const endUser = { id, ...given({ email }) };
  if (options.pick === true) {
    if (integration === undefined)
      throw new CommandProblem('--pick needs its integration: connect <integration> --pick');
    const { multiple, mimeType: mimeTypes, file: fileIds, folders } = options;
    const pick = given({ connectionId: connection, multiple, mimeTypes, fileIds, folders });
    return gateway.connectSessions.create({ endUser, allowedIntegrations: [integration], pick, ...language });
  }
  const stray = PICK_OPTIONS.find((name) => options[name] !== undefined);
  if (stray !== undefined) throw new CommandProblem('--multiple, --mime-type, --file and --folders need --pick');
  if (connection === undefined) {
    const allowed = integration === undefined ? {} : { allowedIntegrations: [integration] };
    return gateway.connectSessions.create({ endUser, ...allowed, ...language });
  }
  if (integration === undefined)
    throw new CommandProblem('--connection needs its integration: connect <integration> --connection <id>');
  return gateway.connectSessions.reconnect({
    providerConfigKey: integration,
    connectionId: connection,
    ...language,
  });
}

async function waitForResult(
  gateway: GatewayClient,
  { token }: ConnectSession,
  timeoutSec: number,
): Promise<ConnectSessionState> {
  const untilMs = Date.now() + timeoutSec * 1000;
  for (;;) {
    const state = await gateway.connectSessions.get(token);
    // A refusal is not the end: the same browser may try again as long as the session lives.
    if (['connected', 'cancelled', 'expired'].includes(state.status)) return state;
    if (Date.now() + POLL_MS > untilMs) {
      const last = state.error === undefined ? '' : ` The last attempt ended with: ${state.error.message}`;
      throw new CommandProblem(`Nobody connected within ${timeoutSec} s.${last}`, EXIT.refused);
    }
    await delay(POLL_MS);
  }
}

async function show(state: ConnectSessionState, context: CommandContext): Promise<void> {
  if (context.json) await printAnswer(context);
  else if (state.connection !== undefined) {
    const { providerConfigKey, connectionId } = state.connection;
    printFields({ Connected: connectionId, Integration: providerConfigKey });
    for (const { id, mimeType, confirmed } of state.picked) {
      printRow(['Selected', id, confirmed ? (mimeType ?? '') : 'the connection cannot open it'], [11]);
    }
  } else if (state.status === 'cancelled') printLine('No file was selected, and nothing was changed.');
  else printLine(state.error?.message ?? 'The session has expired: run this again for a new link.');
  if (state.status !== 'connected') process.exitCode = EXIT.refused;
}
