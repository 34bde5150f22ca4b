import { Command } from 'commander';
import type { GlobalOptions } from './command-context.ts';
import { addAudit } from './commands/audit.ts';
import { addBackup } from './commands/backup.ts';
import { addCall } from './commands/call.ts';
import { addCalls } from './commands/calls.ts';
import { addCheck } from './commands/check.ts';
import { addCompletion } from './commands/completion.ts';
import { addConnect } from './commands/connect.ts';
import { addConnections } from './commands/connections.ts';
import { addCosts } from './commands/costs.ts';
import { addDataKeys } from './commands/data-keys.ts';
import { addDelegation } from './commands/delegation.ts';
import { addDrift } from './commands/drift.ts';
import { addEvents } from './commands/events.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addIntegrations } from './commands/integrations.ts';
import { addKeys } from './commands/keys.ts';
import { addLogin } from './commands/login.ts';
import { addOpen } from './commands/open.ts';
import { addQuota } from './commands/quota.ts';
import { addReconnect } from './commands/reconnect.ts';
import { addRestore } from './commands/restore.ts';
import { addRevoke } from './commands/revoke.ts';
import { addSecretKeys } from './commands/secret-keys.ts';
import { addSessions } from './commands/sessions.ts';
import { addUploadDashboard } from './commands/upload-dashboard.ts';
import { addUsage } from './commands/usage.ts';
import { addVerify } from './commands/verify.ts';
import { FEATURE_COMMANDS } from './features/commands.ts';
import { commaList } from './options.ts';
import { showColumns } from './output.ts';
import { VERSION } from './version.ts';

const HELP_TAIL = `
Which gateway: --base-url ADDRESS, else GATEWAY_BASE_URL, with its key in GATEWAY_SECRET_KEY or in AWS Secrets Manager
(--key-secret ARN); else the login of --profile NAME or GATEWAY_PROFILE; else the one that npm start runs here; else the login
"default". A key is never an argument: others could read it.

Exit codes: 0 done, 1 refused by the gateway or the provider, 2 wrong usage, 3 gateway not reachable,
4 checked and found not working, 5 not everything is done yet: run it again. With --json a failure is one line of JSON on
standard error: {"error": {"code", "message", "exit_code", ...}}.`;

const OVER_THE_API = [
  addIntegrations,
  addDelegation,
  addConnections,
  addKeys,
  addConnect,
  addReconnect,
  addSessions,
  addCheck,
  addCall,
  addCalls,
  addUsage,
  addQuota,
  addAudit,
  addDrift,
  addEvents,
  addExport,
  addImport,
  addRevoke,
];

const WITH_AWS_RIGHTS = [addVerify, addUploadDashboard, addRestore, addDataKeys, addSecretKeys];

/**
 * The whole command line. Wrong usage throws a `CommanderError`.
 *
 * @param options `json`: wrong usage is not explained here, because the caller prints the error as JSON
 */
export function makeProgram({ json = false }: { json?: boolean } = {}): Command {
  const program = new Command('gateway')
    // Before any command is added: each takes it over from here.
    .configureOutput(json ? { writeErr: () => {} } : {})
    .configureHelp({ showGlobalOptions: true })
    .description('Manages an integration gateway: integrations, connections, keys, proxied calls, backups, data keys.')
    .version(VERSION, '--version', 'print the version')
    .option('--base-url <address>', 'address of the gateway, stage path included')
    .option(
      '--proxy-url <address>',
      'address of proxied calls, where they have one of their own (stack output ProxyUrl)',
    )
    .option('--allow-http', 'send the key over http:// to another computer, where the network is yours alone')
    .option('--key-secret <arn>', 'read the secret key from this secret of AWS Secrets Manager')
    .option('--profile <name>', 'the gateway of this login (default: GATEWAY_PROFILE)')
    .option('--data <dir>', 'data folder of the local gateway', '.gateway')
    .option('--json', 'print JSON instead of tables')
    .option('--columns <list>', 'only these columns of tables, in this order, such as connection,health', commaList)
    .option('--yes', 'do not ask for confirmation before deleting')
    .addHelpText('after', HELP_TAIL)
    .showHelpAfterError('Add --help to see how it is used.')
    .hook('preAction', (_, command) => showColumns(command.optsWithGlobals<GlobalOptions>().columns))
    .exitOverride();
  program.commandsGroup('Over the API, with a secret key:');
  for (const add of [...OVER_THE_API, ...Object.values(FEATURE_COMMANDS)]) add(program);
  program.commandsGroup('With AWS credentials:');
  for (const add of WITH_AWS_RIGHTS) add(program);
  program.commandsGroup('For the gateway of npm start:');
  addBackup(program);
  program.commandsGroup('On this computer:');
  addOpen(program);
  addLogin(program);
  addCosts(program);
  addCompletion(program);
  return program;
}
